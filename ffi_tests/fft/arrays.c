/* arrays.c - lines of arrays along each dimension, of contiguous arrays and sections, in both orders, in place, with parts in two arrays, have the bits of
 * the same line alone, for any number of threads; nothing else is written. Not in this file: whether these bits are right (oracle.c). */
#include "check.h"

#include "fft.h"

#define MEMORY (900 << 10)
#define STYLES 5 /* of strides: contiguous; every second element; backwards; the dimensions in another order; parts in two arrays */

static const int64_t lengths[] = {1, 2, 3, 4, 8, 12, 15, 16, 22, 24, 30, 48, 60, 64, 97, 96, 128, 240};

struct array {
  char *memory, *first;
  int64_t strides[3], bytes;
  int64_t extents[3];
};

struct problem {
  int real, backward, kind, dim, order, style;
  int64_t n, extents[3], part;
  struct array in, out;
};

static int bytes_of(int kind) { return kind == PORTABLE_KIND_REAL64 ? 8 : 4; }

static void put(char *to, int kind, double x) {
  const float y = (float)x;
  if (kind == PORTABLE_KIND_REAL64)
    memcpy(to, &x, 8);
  else
    memcpy(to, &y, 4);
}

/* Lays out an array of elements of `bytes`. */
static void lay(const struct problem *p, struct array *a, int64_t bytes) {
  int64_t step = bytes;
  a->first = a->memory + 64;
  a->bytes = bytes;
  for (int k = 0; k < 3; k++) {
    const int turned = p->style == 3 ? 2 - k : k, d = p->order ? turned : 2 - turned;
    if (p->style == 1 && k == 0) step *= 2;
    a->strides[d] = step;
    step *= a->extents[d];
    if (p->style == 2) {
      a->first += (a->extents[d] - 1) * a->strides[d];
      a->strides[d] = -a->strides[d];
    }
  }
  CHECK(step + 128 < MEMORY / 2);
}

static char *at(const struct array *a, int64_t i, int64_t j, int64_t k) { return a->first + i * a->strides[0] + j * a->strides[1] + k * a->strides[2]; }

static void begin(struct problem *p) {
  const int bytes = bytes_of(p->kind);
  const int reals_in = p->real && !p->backward, reals_out = p->real && p->backward;
  for (int d = 0; d < 3; d++) {
    const int64_t half = d == p->dim - 1 && p->real ? p->n / 2 + 1 : p->extents[d];
    p->in.extents[d] = reals_in ? p->extents[d] : half;
    p->out.extents[d] = reals_out ? p->extents[d] : half;
  }
  p->part = p->style == 4 ? MEMORY / 2 : 0;
  lay(p, &p->in, reals_in || p->part ? bytes : 2 * bytes);
  lay(p, &p->out, reals_out || p->part ? bytes : 2 * bytes);
  for (int64_t i = 0; i < MEMORY / bytes; i++) {
    put(p->in.memory + i * bytes, p->kind, number());
    put(p->out.memory + i * bytes, p->kind, 77);
  }
}

static portable_status run(const struct problem *p, portable_fft plan, int in_place) {
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  o.order = p->order;
  o.in_strides = p->in.strides;
  o.out_strides = in_place ? p->in.strides : p->out.strides;
  o.part_stride = p->part;
  return (p->backward ? portable_fft_backward : portable_fft_forward)("arrays", plan, p->kind, p->in.first, in_place ? p->in.first : p->out.first, 3, p->extents, &o);
}

/* Compares each line with that line alone, contiguous; then counts what was written. */
static void compare(const struct problem *p, portable_fft alone, const struct array *to) {
  static char line[1 << 13], result[1 << 13], copy[MEMORY];
  const int bytes = bytes_of(p->kind), d = p->dim - 1;
  const int64_t n = p->n, half = n / 2 + 1, part = p->part ? p->part : bytes;
  const int reals_in = p->real && !p->backward, reals_out = p->real && p->backward;
  const int64_t read = p->real && p->backward ? half : n, written = p->real && !p->backward ? half : n;
  int64_t wrong = 0, touched = 0, index[3];
  memcpy(copy, to->memory, MEMORY);
  for (index[0] = 0; index[0] < (d == 0 ? 1 : p->extents[0]); index[0]++)
    for (index[1] = 0; index[1] < (d == 1 ? 1 : p->extents[1]); index[1]++)
      for (index[2] = 0; index[2] < (d == 2 ? 1 : p->extents[2]); index[2]++) {
        for (int64_t i = 0; i < read; i++) {
          const char *const from = at(&p->in, index[0], index[1], index[2]) + i * p->in.strides[d];
          memcpy(line + i * bytes * (reals_in ? 1 : 2), from, (size_t)bytes);
          if (!reals_in) memcpy(line + (2 * i + 1) * bytes, from + part, (size_t)bytes);
        }
        CHECK_STATUS((p->backward ? portable_fft_backward : portable_fft_forward)("alone", alone, p->kind, line, result, 1, &n, NULL), PORTABLE_OK);
        for (int64_t i = 0; i < written; i++) {
          char *const place = copy + (at(to, index[0], index[1], index[2]) + i * to->strides[d] - to->memory);
          wrong += memcmp(place, result + i * bytes * (reals_out ? 1 : 2), (size_t)bytes) != 0;
          put(place, p->kind, 77);
          if (reals_out) continue;
          wrong += memcmp(place + part, result + (2 * i + 1) * bytes, (size_t)bytes) != 0;
          put(place + part, p->kind, 77);
        }
      }
  if (wrong) printf("n %d, real %d, backward %d, kind %d, dim %d, order %d, style %d: %d wrong\n", (int)n, p->real, p->backward, p->kind, p->dim, p->order, p->style, (int)wrong);
  CHECK(wrong == 0);
  for (int64_t i = 0; i < MEMORY && to == &p->out; i += bytes) {
    char filled[8];
    put(filled, p->kind, 77);
    touched += memcmp(copy + i, filled, (size_t)bytes) != 0;
  }
  CHECK(touched == 0);
}

static struct problem p;

static void layouts(void) {
  int turn = 0;
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (int real = 0; real < 2; real++)
      for (int dim = 1; dim <= 3; dim++, turn++) {
        portable_fft plan = 0, alone = 0;
        CHECK_STATUS(portable_fft_create("arrays", real, lengths[l], dim, &plan), PORTABLE_OK);
        CHECK_STATUS(portable_fft_create("alone", real, lengths[l], 1, &alone), PORTABLE_OK);
        for (int form = 0; form < 4 * STYLES; form++) {
          if (turn % 3 != form % 3) continue; /* a third of all */
          p.real = real, p.dim = dim, p.n = lengths[l];
          p.backward = form & 1, p.kind = form & 2 ? PORTABLE_KIND_REAL64 : PORTABLE_KIND_REAL32;
          p.style = form / 4, p.order = (form + turn) % 2;
          for (int d = 0; d < 3; d++) p.extents[d] = d == dim - 1 ? p.n : (int64_t[]){7, 5, 3}[(d + turn) % 3];
          begin(&p);
          CHECK_STATUS(run(&p, plan, 0), PORTABLE_OK);
          compare(&p, alone, &p.out);
        }
        CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
        CHECK_STATUS(portable_fft_destroy(alone), PORTABLE_OK);
      }
}

/* Real lines of few numbers, and so many that the largest groups of vectors are full, and another one is not. */
static void many_short(void) {
  CHECK_STATUS(portable_set_num_threads(1), PORTABLE_OK);
  for (int64_t n = 2; n <= 33; n++)
    for (int form = 0; form < 4 * STYLES; form++) {
      portable_fft plan = 0, alone = 0;
      const int dim = 1 + (int)(n + form) % 3;
      if ((n + form / 2) % 4) continue; /* a quarter of all */
      p.real = 1, p.dim = dim, p.n = n, p.order = form / 2 % 2;
      p.backward = form & 1, p.kind = form & 2 ? PORTABLE_KIND_REAL64 : PORTABLE_KIND_REAL32, p.style = form / 4;
      for (int d = 0; d < 3; d++) p.extents[d] = d == dim - 1 ? n : d == dim % 3 ? 43 : 7;
      CHECK_STATUS(portable_fft_create("arrays", 1, n, dim, &plan), PORTABLE_OK);
      CHECK_STATUS(portable_fft_create("alone", 1, n, 1, &alone), PORTABLE_OK);
      begin(&p);
      CHECK_STATUS(run(&p, plan, 0), PORTABLE_OK);
      compare(&p, alone, &p.out);
      CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
      CHECK_STATUS(portable_fft_destroy(alone), PORTABLE_OK);
    }
}

/* Complex lines in place are read before they are written. */
static void in_place(void) {
  static char before[MEMORY];
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (int form = 0; form < 4; form++) {
      portable_fft plan = 0, alone = 0;
      const int dim = 1 + (int)(l + (size_t)form) % 3;
      p.real = 0, p.dim = dim, p.n = lengths[l], p.backward = form & 1, p.kind = form & 2 ? PORTABLE_KIND_REAL64 : PORTABLE_KIND_REAL32;
      p.style = (int)l % 4, p.order = 1;
      for (int d = 0; d < 3; d++) p.extents[d] = d == dim - 1 ? p.n : 6;
      begin(&p);
      CHECK_STATUS(portable_fft_create("arrays", 0, p.n, dim, &plan), PORTABLE_OK);
      CHECK_STATUS(portable_fft_create("alone", 0, p.n, 1, &alone), PORTABLE_OK);
      memcpy(before, p.in.memory, MEMORY);
      CHECK_STATUS(run(&p, plan, 1), PORTABLE_OK);
      struct array to = p.in;
      static char after[MEMORY];
      memcpy(after, p.in.memory, MEMORY);
      memcpy(p.in.memory, before, MEMORY);
      to.first = after + (p.in.first - p.in.memory);
      to.memory = after;
      compare(&p, alone, &to);
      CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
      CHECK_STATUS(portable_fft_destroy(alone), PORTABLE_OK);
    }
}

/* Real lines in place, with room for n/2+1 complex numbers: as out of place. */
static void real_in_place(void) {
  static double x[40 * 34], y[40 * 34], waves[2 * 17 * 40];
  for (int64_t n = 28; n <= 32; n++) {
    const int64_t half = n / 2 + 1, extents[2] = {n, 40}, real[2] = {8, 16 * half}, complex[2] = {16, 16 * half};
    portable_fft plan = 0;
    portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
    o.order = PORTABLE_ORDER_FORTRAN;
    CHECK_STATUS(portable_fft_create("rows", PORTABLE_FFT_R2C, n, 1, &plan), PORTABLE_OK);
    for (int i = 0; i < 40 * 34; i++) x[i] = y[i] = number();
    o.in_strides = real, o.out_strides = complex;
    CHECK_STATUS(portable_fft_forward("far", plan, PORTABLE_KIND_REAL64, x, waves, 2, extents, &o), PORTABLE_OK);
    CHECK_STATUS(portable_fft_forward("near", plan, PORTABLE_KIND_REAL64, x, x, 2, extents, &o), PORTABLE_OK);
    CHECK(memcmp(x, waves, (size_t)(16 * half * 40)) == 0);
    o.in_strides = complex, o.out_strides = real;
    CHECK_STATUS(portable_fft_backward("near", plan, PORTABLE_KIND_REAL64, x, x, 2, extents, &o), PORTABLE_OK);
    for (int64_t j = 0; j < 40; j++)
      for (int64_t i = 0; i < n; i++) {
        const double apart = x[2 * half * j + i] / (double)n - y[2 * half * j + i];
        CHECK(apart < 1e-15 && apart > -1e-15);
      }
    CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
  }
}

/* Large arrays, on 1 to 7 threads. */
static void any_threads(void) {
  enum { N = 120, LINES = 1000 };
  static double x[2 * N * LINES], y[2 * N * LINES], first[2 * N * LINES];
  const int64_t shapes[2][2] = {{N, LINES}, {LINES, N}};
  for (int i = 0; i < 2 * N * LINES; i++) x[i] = number();
  for (int dim = 1; dim <= 2; dim++) {
    portable_fft plan = 0;
    CHECK_STATUS(portable_fft_create("threads", PORTABLE_FFT_C2C, N, dim, &plan), PORTABLE_OK);
    for (int threads = 1; threads <= 7; threads += 2) {
      CHECK_STATUS(portable_set_num_threads(threads), PORTABLE_OK);
      CHECK_STATUS(portable_fft_forward("threads", plan, PORTABLE_KIND_REAL64, x, threads == 1 ? first : y, 2, shapes[dim - 1], NULL), PORTABLE_OK);
      CHECK(threads == 1 || memcmp(first, y, sizeof y) == 0);
    }
    CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
  }
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  p.in.memory = malloc(MEMORY);
  p.out.memory = malloc(MEMORY);
  layouts();
  many_short();
  in_place();
  real_in_place();
  any_threads();
  free(p.in.memory);
  free(p.out.memory);
  return check_end();
}
