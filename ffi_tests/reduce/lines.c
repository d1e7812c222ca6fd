/* lines.c - reductions along a dimension have the bits of the reductions of each line alone, for every operation, kind and place of the dimension,
 * with masks, gaps and lines enough for all ways through the kernels; any and all end early. Not in this file: a line against a model (go test ./internal/kernels/doors). */
#include "check.h"

#include "portable_reduce_array.h"

#include <math.h>

enum { MOST = 400 * 1024, KINDS = 13 };
static const int32_t bytes_of[KINDS] = {0, 1, 2, 4, 8, 4, 8, 8, 16, 1, 2, 4, 8};
static unsigned char data[MOST * 16 + 64], line[MOST * 16], results[MOST * 16], mask[MOST], line_mask[MOST];
static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* Values whose sums round, with NaN, zeros of both signs and infinities now and then. */
static double real(void) {
  switch (next() % 60) {
  case 0: return (double)NAN;
  case 1: return -0.0;
  case 2: return 0;
  case 3: return next() % 9 ? 1 : (double)INFINITY;
  default: return ((double)(next() % 2000003) - 1000001) * 1e-6;
  }
}

static void set(int32_t kind, unsigned char *at, int plain) {
  double d[2] = {plain ? 0.25 + (double)(next() % 100) * 0.013 : real(), plain ? 0.5 : real()};
  float f[2] = {(float)d[0], (float)d[1]};
  uint64_t integer = next(), truth = next() % 3 == 0;
  if (kind == PORTABLE_KIND_REAL32 || kind == PORTABLE_KIND_COMPLEX32) memcpy(at, f, (size_t)bytes_of[kind]);
  else if (kind == PORTABLE_KIND_REAL64 || kind == PORTABLE_KIND_COMPLEX64) memcpy(at, d, (size_t)bytes_of[kind]);
  else memcpy(at, kind >= PORTABLE_KIND_LOGICAL8 ? &truth : &integer, (size_t)bytes_of[kind]);
}

/* extents[rank], the first index the fastest; gap: elements between rows along it. */
static void all_lines(int32_t rank, const int64_t *extents, int32_t dim, int64_t gap, int shift) {
  int64_t element[3], count = extents[0] + gap, lines = 1, at[3] = {0, 0, 0};
  element[0] = 1;
  for (int32_t d = 1; d < rank; d++) {
    element[d] = count;
    count *= extents[d];
  }
  CHECK(count <= MOST);
  if (count > MOST) return;
  for (int32_t d = 0; d < rank; d++) lines *= d == dim - 1 ? 1 : extents[d];
  const int64_t n = extents[dim - 1];
  for (int32_t kind = 1; kind < KINDS; kind++) {
    const int32_t bytes = bytes_of[kind];
    unsigned char *from = data + (shift % bytes ? 0 : shift); /* also not at a multiple of 64 */
    for (int64_t i = 0; i < count; i++) set(kind, from + i * bytes, (int)(next() % 4));
    for (int64_t i = 0; i < count; i++) mask[i] = next() % 4 != 0;
    for (int32_t op = PORTABLE_REDUCE_SUM; op <= PORTABLE_REDUCE_COUNT; op++) {
      const int logical = kind >= PORTABLE_KIND_LOGICAL8, complex = kind == PORTABLE_KIND_COMPLEX32 || kind == PORTABLE_KIND_COMPLEX64;
      if ((op >= PORTABLE_REDUCE_ANY) != logical || (complex && op > PORTABLE_REDUCE_PRODUCT)) continue;
      const size_t result = op == PORTABLE_REDUCE_ANY || op == PORTABLE_REDUCE_ALL ? 4 : op >= PORTABLE_REDUCE_MINLOC ? 8 : (size_t)bytes;
      for (int way = 0; way < (logical ? 1 : 4); way++) {
        int64_t strides[3], mask_strides[3];
        portable_array_options o = PORTABLE_ARRAY_OPTIONS_INIT, one = PORTABLE_ARRAY_OPTIONS_INIT;
        one.flags = o.flags = way & 2 && op <= PORTABLE_REDUCE_PRODUCT ? PORTABLE_REDUCE_WIDE : 0;
        o.order = PORTABLE_ORDER_FORTRAN;
        o.dim = dim;
        o.strides = strides;
        for (int32_t d = 0; d < rank; d++) {
          strides[d] = element[d] * bytes;
          mask_strides[d] = element[d];
        }
        if (way & 1) {
          o.mask = mask;
          o.mask_kind = one.mask_kind = PORTABLE_KIND_LOGICAL8;
          o.mask_strides = mask_strides;
          one.mask = line_mask;
        }
        CHECK_STATUS(portable_reduce_array("lines", op, kind, from, rank, extents, &o, results), PORTABLE_OK);
        int64_t wrong = 0;
        for (int64_t l = 0; l < lines; l++) {
          int64_t rest = l, first = 0;
          for (int32_t d = 0; d < rank; d++) {
            if (d == dim - 1) continue;
            at[d] = rest % extents[d];
            rest /= extents[d];
            first += at[d] * element[d];
          }
          for (int64_t k = 0; k < n; k++) {
            memcpy(line + k * bytes, from + (first + k * element[dim - 1]) * bytes, (size_t)bytes);
            line_mask[k] = mask[first + k * element[dim - 1]];
          }
          unsigned char expected[16] = {0};
          CHECK_STATUS(portable_reduce_array("line", op, kind, line, 1, &n, &one, expected), PORTABLE_OK);
          wrong += memcmp(expected, results + (size_t)l * result, result) != 0;
        }
        if (wrong) printf("op %d, kind %d, way %d, dim %d of %d: %lld of %lld lines are wrong\n", op, kind, way, dim, rank, (long long)wrong, (long long)lines);
        CHECK(wrong == 0);
      }
    }
  }
}

/* any and all end early: one element decides, wherever it is. */
static void decided(int64_t n) {
  for (int32_t kind = PORTABLE_KIND_LOGICAL8; kind <= PORTABLE_KIND_LOGICAL64; kind++)
    for (int truth = 0; truth < 2; truth++)
      for (int64_t k = -1; k < 24; k++) {
        const int32_t bytes = bytes_of[kind];
        const int64_t at = k < 0 ? -1 : k == 0 ? 0 : k == 1 ? n - 1 : (int64_t)(next() % (uint64_t)n);
        int32_t any = -1, all = -1;
        memset(data, truth, (size_t)(n * bytes));
        if (at >= 0) memset(data + at * bytes, !truth, (size_t)bytes);
        CHECK_STATUS(portable_reduce_array("any", PORTABLE_REDUCE_ANY, kind, data, 1, &n, NULL, &any), PORTABLE_OK);
        CHECK_STATUS(portable_reduce_array("all", PORTABLE_REDUCE_ALL, kind, data, 1, &n, NULL, &all), PORTABLE_OK);
        CHECK(any == (truth || at >= 0) && all == (truth && at < 0));
      }
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  static const struct {
    int32_t rank, dim;
    int64_t extents[3], gap;
    int shift;
  } cases[] = {
    {2, 2, {300, 37}, 0, 0},  {2, 2, {129, 5}, 3, 16}, {2, 2, {128, 200}, 0, 8}, {2, 1, {37, 140}, 0, 0}, {2, 2, {40, 4100}, 0, 16},
    {2, 2, {7, 50}, 0, 0},    {2, 2, {260, 1}, 0, 4},  {3, 2, {150, 9, 3}, 0, 0}, {3, 3, {50, 5, 21}, 0, 0}, {3, 3, {50, 5, 21}, 2, 16},
    {3, 1, {5, 40, 6}, 1, 0}, {2, 2, {300, 0}, 0, 0},  {2, 2, {2000, 3}, 0, 2}, {2, 2, {5, 70000}, 0, 0}, {2, 2, {1100, 140}, 1, 8}, {2, 2, {130, 1200}, 0, 0},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) all_lines(cases[c].rank, cases[c].extents, cases[c].dim, cases[c].gap, cases[c].shift);
  for (int64_t n = 4096; n < MOST; n = 3 * n + 1) decided(n);
  return check_end();
}
