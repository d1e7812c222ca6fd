/* fft_cufft.c - PORTABLE_FFT_LIBRARY=libcufft: transforms on a cuda device go through the user's cuFFT, for which cufft.c stands: against the sum in quadruple
 * precision, along each dimension, in any layout; its plans end with ours and with the library. Without it, or for lengths that it refuses, they have the host's bits.
 *   fft_cufft used|ours|refuses|fails RESULT FUNCTION */
#include <dlfcn.h>
#include <pthread.h>

#include "algorithms.h"
#include "../../fft/fft.h"

#define MOST 40000 /* bytes of an array */

static char *here[2], *there[2], before[MOST], after[MOST];
static portable_pool pool;
static int *executed, *plans, *made;
enum { USED, OURS } wanted;

struct array {
  char *at; /* of the host */
  int64_t stride[3], part;
};

static double get(const char *at, int32_t kind) {
  double x;
  float y;
  if (kind == PORTABLE_KIND_REAL64) return memcpy(&x, at, 8), x;
  return memcpy(&y, at, 4), (double)y;
}

static void contiguous(struct array *a, int32_t rank, const int64_t *extents, int32_t dim, int64_t count, int64_t element, const portable_fft_options *o, const int64_t *strides) {
  for (int32_t i = 0; i < rank; i++) {
    const int32_t d = o->order == PORTABLE_ORDER_FORTRAN ? i : rank - 1 - i;
    a->stride[d] = strides ? strides[d] : element;
    element *= d == dim - 1 ? count : extents[d];
  }
}

/* Each line of `to` is the sum over the line of `from`. */
static int is_right(int backward, int type, int32_t kind, int32_t rank, const int64_t *extents, int32_t dim, const struct array *from, const struct array *to) {
  const int64_t n = extents[dim - 1], bytes = kind_bytes[kind];
  const int real = type == PORTABLE_FFT_R2C, reads_real = real && !backward, writes_real = real && backward;
  double *const given = malloc((size_t)(2 * n) * sizeof *given);
  wide *const sum = malloc((size_t)(2 * n) * sizeof *sum);
  int64_t lines = 1;
  int right = 1;
  for (int32_t d = 0; d < rank; d++)
    if (d != dim - 1) lines *= extents[d];
  for (int64_t line = 0; line < lines; line++) {
    int64_t rest = line, in = 0, out = 0;
    double error = 0, size = 0;
    for (int32_t d = 0; d < rank; d++) {
      if (d == dim - 1) continue;
      in += rest % extents[d] * from->stride[d];
      out += rest % extents[d] * to->stride[d];
      rest /= extents[d];
    }
    for (int64_t j = 0; j < n; j++) {
      const int64_t k = writes_real && j > n / 2 ? n - j : j;
      const char *const at = from->at + in + k * from->stride[dim - 1];
      given[2 * j] = get(at, kind);
      given[2 * j + 1] = reads_real || (writes_real && (k == 0 || 2 * k == n)) ? 0 : (k == j ? 1 : -1) * get(at + from->part, kind);
    }
    sum_up(n, backward, given, sum);
    for (int64_t k = 0; k < (reads_real ? n / 2 + 1 : n); k++) {
      const char *const at = to->at + out + k * to->stride[dim - 1];
      const double r = (double)sum[2 * k] - get(at, kind), m = writes_real ? 0 : (double)sum[2 * k + 1] - get(at + to->part, kind);
      error += r * r + m * m;
      size += (double)(sum[2 * k] * sum[2 * k] + sum[2 * k + 1] * sum[2 * k + 1]);
    }
    right &= sqrt(error) <= (bytes == 8 ? 1e-15 : 5e-7) * (2 + log2((double)n)) * sqrt(size);
  }
  free(given);
  free(sum);
  return right;
}

static portable_status transform(int backward, portable_fft plan, int32_t kind, char *in, char *out, int32_t rank, const int64_t *extents, portable_fft_options o,
                                 const portable_launch_config *where) {
  o.launch = where;
  return (backward ? portable_fft_backward : portable_fft_forward)("lines", plan, kind, in, out, rank, extents, &o);
}

/* The same call on the device and on the host. Gives how often cuFFT was called. */
static int both(const char *what, int backward, int type, int32_t dim, int32_t kind, int32_t rank, const int64_t *extents, const portable_fft_options *o, int64_t in, int64_t out, int in_place) {
  const int to = in_place ? 0 : 1, first = executed ? *executed : 0;
  const int64_t n = extents[dim - 1], bytes = kind_bytes[kind], half = n / 2 + 1;
  const int real = type == PORTABLE_FFT_R2C;
  portable_fft plan = 0;
  struct array a = {before + in, {0}, o->part_stride ? o->part_stride : bytes}, b = {after + out, {0}, a.part};
  contiguous(&a, rank, extents, dim, real && backward ? half : n, (real && !backward) || a.part != bytes ? bytes : 2 * bytes, o, o->in_strides);
  contiguous(&b, rank, extents, dim, real && !backward ? half : n, (real && backward) || a.part != bytes ? bytes : 2 * bytes, o, o->out_strides);
  CHECK_STATUS(portable_fft_create("lines", type, n, dim, &plan), PORTABLE_OK);
  for (int k = 0; k < 2; k++) {
    fill(here[k], MOST / bytes, kind, PLAIN);
    if (in & 3) memmove(here[k] + 3, here[k], MOST - 3), memset(here[k], 0, 3);
    copy_there(there[k], here[k], MOST);
  }
  memcpy(before, here[0], MOST);
  CHECK_STATUS(transform(backward, plan, kind, there[0] + in, there[to] + out, rank, extents, *o, &on_device), PORTABLE_OK);
  copy_there(after, there[to], MOST);
  const int right = is_right(backward, type, kind, rank, extents, dim, &a, &b), calls = executed ? *executed - first : 0;
  if (!right) printf("%s: n %d, type %d, dim %d, kind %d, backward %d: wrong\n", what, (int)n, type, (int)dim, (int)kind, backward);
  CHECK(right);
  CHECK_STATUS(transform(backward, plan, kind, here[0] + in, here[to] + out, rank, extents, *o, &on_host), PORTABLE_OK);
  if (wanted == OURS || n == 1)
    CHECK(memcmp(here[to], after, MOST) == 0);
  else
    CHECK(calls > 0);
  /* Nothing else has changed: neither in, nor what lies between the lines. */
  if (!in_place) {
    copy_there(after, there[0], MOST);
    CHECK(memcmp(before, after, MOST) == 0);
  }
  CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
  CHECK(!plans || *plans == 0);
  return calls;
}

static void forms(void) {
  static const int64_t lengths[] = {1, 2, 3, 7, 8, 13, 24, 31};
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (int form = 0; form < 24; form++) {
      const int32_t dim = form / 8 + 1;
      int64_t extents[3] = {3, 5, 7};
      portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
      o.order = (int32_t)l % 2;
      extents[dim - 1] = lengths[l];
      both("forms", form & 1, form >> 1 & 1, dim, form & 4 ? PORTABLE_KIND_REAL64 : PORTABLE_KIND_REAL32, 3, extents, &o, 0, 0, 0);
    }
}

static void layouts(void) {
  const int64_t extents[2] = {6, 30}, back[2] = {-480, -16}, across[2] = {16, 96}, apart[2] = {240, 8}, real[2] = {8, 96}, pairs[2] = {16, 96}, row[1] = {30};
  const int32_t kind = PORTABLE_KIND_REAL64;
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  CHECK(both("one line", 0, 0, 1, kind, 1, row, &o, 0, 0, 0) <= 1);
  CHECK(both("lines", 0, 0, 2, kind, 2, extents, &o, 0, 0, 0) <= 1);
  CHECK(both("rows", 0, 1, 1, kind, 2, extents, &o, 0, 0, 0) <= 1);
  CHECK(both("planes", 1, 0, 2, kind, 3, (int64_t[]){3, 4, 9}, &o, 0, 0, 0) <= 3); /* the longer axis is in the plan */
  o.in_strides = back, o.out_strides = across;
  both("backwards", 0, 0, 2, kind, 2, extents, &o, 179 * 16, 0, 0);
  both("not aligned", 1, 0, 2, kind, 2, extents, &o, 179 * 16 + 3, 3, 0);
  o.in_strides = o.out_strides = apart, o.part_stride = 6000;
  both("apart", 0, 0, 2, kind, 2, extents, &o, 0, 0, 0);
  both("in place", 0, 0, 2, kind, 2, extents, &o, 0, 0, 1);
  o.part_stride = 0, o.in_strides = real, o.out_strides = pairs;
  both("real in place", 0, 1, 1, kind, 2, (int64_t[]){10, 70}, &o, 0, 0, 1);
  o.in_strides = pairs, o.out_strides = real;
  both("back in place", 1, 1, 1, kind, 2, (int64_t[]){10, 70}, &o, 0, 0, 1);
}

/* One plan on two threads, each in a stream of its own. */
static portable_fft shared;
static void *transforms(void *which) {
  const int k = *(int *)which;
  const int64_t extents[1] = {24};
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  CHECK_STATUS(portable_stream_create(on_device.device, PORTABLE_STREAM_ASYNC, &config.stream), PORTABLE_OK);
  for (int i = 0; i < 9; i++) CHECK_STATUS(transform(i & 1, shared, PORTABLE_KIND_REAL64, there[k], there[k] + 400, 1, extents, o, &config), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(config.stream), PORTABLE_OK);
  return NULL;
}

static void threads(void) {
  pthread_t thread[2];
  int which[2] = {0, 1};
  const struct array a = {before, {16}, 8}, b = {after + 400, {16}, 8};
  const int64_t extents[1] = {24};
  CHECK_STATUS(portable_fft_create("shared", PORTABLE_FFT_C2C, 24, 1, &shared), PORTABLE_OK);
  fill(before, MOST / 8, PORTABLE_KIND_REAL64, PLAIN);
  for (int k = 0; k < 2; k++) copy_there(there[k], before, MOST);
  for (int k = 0; k < 2; k++) CHECK(pthread_create(&thread[k], NULL, transforms, &which[k]) == 0);
  for (int k = 0; k < 2; k++) CHECK(pthread_join(thread[k], NULL) == 0);
  for (int k = 0; k < 2; k++) {
    copy_there(after, there[k], MOST);
    CHECK(is_right(0, PORTABLE_FFT_C2C, PORTABLE_KIND_REAL64, 1, extents, 1, &a, &b));
  }
  CHECK(*plans == 1);
}

/* A plan keeps so many plans of cuFFT at most, and makes one again that it has ended. */
static void many(void) {
  const int first = *made;
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  for (int twice = 0; twice < 2; twice++)
    for (int64_t lines = 1; lines <= 20; lines++) {
      const int64_t extents[2] = {24, lines};
      o.order = PORTABLE_ORDER_FORTRAN;
      CHECK_STATUS(transform(0, shared, PORTABLE_KIND_REAL64, there[0], there[1], 2, extents, o, &on_device), PORTABLE_OK);
      CHECK_STATUS(transform(1, shared, PORTABLE_KIND_REAL64, there[0], there[1], 2, extents, o, &on_device), PORTABLE_OK);
    }
  CHECK(*plans == 16 && *made - first <= 40);
}

/* A failure names what failed, and changes nothing; the next call is right. */
static void fails(int result, const char *function) {
  const int64_t extents[2] = {8, 3};
  char text[120];
  portable_fft plan = 0;
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  o.order = PORTABLE_ORDER_FORTRAN;
  fill(before, MOST / 8, PORTABLE_KIND_REAL64, PLAIN);
  for (int k = 0; k < 2; k++) copy_there(there[k], before, MOST);
  CHECK_STATUS(portable_fft_create("plan", PORTABLE_FFT_C2C, 8, 1, &plan), PORTABLE_OK);
  CHECK_STATUS(transform(0, plan, PORTABLE_KIND_REAL64, there[0], there[1], 2, extents, o, &on_device), result == 2 ? PORTABLE_ERR_NOMEM : PORTABLE_ERR_DEVICE);
  snprintf(text, sizeof text, "fft_forward 'lines': %s gives CUFFT_", function);
  CHECK_TEXT(text);
  snprintf(text, sizeof text, "(%d) for 3 lines of 8 numbers on cuda:0; ", result);
  CHECK_TEXT(text);
  CHECK_TEXT("our own transforms are used without cuFFT in PORTABLE_FFT_LIBRARY");
  CHECK(unsetenv("FAKE_CUFFT_FAIL") == 0);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  copy_there(after, there[1], MOST);
  CHECK(memcmp(before, after, MOST) == 0);
  CHECK_STATUS(transform(0, plan, PORTABLE_KIND_REAL64, there[0], there[1], 2, extents, o, &on_device), PORTABLE_OK);
  CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
  CHECK(*plans == 0);
}

/* cuFFT refuses lines of 30 numbers. */
static void refuses(void) {
  const int64_t line[2] = {30, 4}, other[2] = {24, 4};
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  wanted = OURS;
  CHECK(both("refused", 0, 0, 1, PORTABLE_KIND_REAL64, 2, line, &o, 0, 0, 0) == 0);
  CHECK(both("refused", 1, 1, 1, PORTABLE_KIND_REAL32, 2, line, &o, 0, 0, 0) == 0);
  wanted = USED;
  CHECK(both("another", 0, 0, 1, PORTABLE_KIND_REAL64, 2, other, &o, 0, 0, 0) == 1);
}

static void start(void) {
  begin();
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &pool), PORTABLE_OK);
  for (int k = 0; k < 2; k++) {
    void *p = NULL;
    CHECK_STATUS(portable_pool_alloc(pool, MOST, "there", &p), PORTABLE_OK);
    there[k] = p;
  }
}

static void counters(void) {
  void *const library = dlopen(getenv("PORTABLE_FFT_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  CHECK(library != NULL);
  if (!library) return;
  executed = dlsym(library, "fake_cufft_executed");
  plans = dlsym(library, "fake_cufft_plans");
  made = dlsym(library, "fake_cufft_made");
}

int main(int argc, char **argv) {
  const char *const mode = argc > 1 ? argv[1] : "";
  portable_fft first = 0;
  start();
  for (int k = 0; k < 2; k++) here[k] = calloc(MOST, 1);
  CHECK_STATUS(portable_fft_create("first", PORTABLE_FFT_C2C, 4, 1, &first), PORTABLE_OK); /* opens the library */
  CHECK_STATUS(portable_fft_destroy(first), PORTABLE_OK);
  wanted = strcmp(mode, "ours") == 0 ? OURS : USED;
  if (wanted == USED) counters();
  if (strcmp(mode, "refuses") == 0) {
    refuses();
  } else if (strcmp(mode, "fails") == 0 && argc > 3) {
    fails(atoi(argv[2]), argv[3]);
  } else {
    forms();
    layouts();
    if (wanted == USED && executed) {
      threads();
      many();
      for (int k = 0; k < 2; k++) CHECK_STATUS(portable_pool_free(pool, there[k]), PORTABLE_OK);
      CHECK_STATUS(portable_finalize(), PORTABLE_OK);
      CHECK(*plans == 0); /* the plan is still ours */
      start();
      many();
      CHECK_STATUS(portable_fft_destroy(shared), PORTABLE_OK);
      CHECK(*plans == 0);
    }
  }
  for (int k = 0; k < 2; k++) {
    free(here[k]);
    CHECK_STATUS(portable_pool_free(pool, there[k]), PORTABLE_OK);
  }
  return check_end();
}
