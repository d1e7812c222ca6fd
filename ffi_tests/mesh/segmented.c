/* segmented.c - reductions of rows against a serial loop with the same tree, bit for bit, and sums against exact ones: all kinds, operations, row
 * pointers and indices, rows of 0 to 20000 elements. An argument: that many elements, with one row that has half of them. Not in this file: refusals
 * (refused.c). */
#include <portable_mesh.h>

#include <fenv.h>
#include <float.h>
#include <math.h>

#include "memory.h"

enum { LEAF = 2048 };
static uint64_t state = 88172645463325252u;
static int64_t any(int64_t n) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (int64_t)(state % (uint64_t)n);
}

static int64_t get(const void *at, int32_t kind, int64_t k) { return kind == PORTABLE_KIND_INT32 ? ((const int32_t *)at)[k] : ((const int64_t *)at)[k]; }
static void put(void *at, int32_t kind, int64_t k, int64_t value) {
  if (kind == PORTABLE_KIND_INT32)
    ((int32_t *)at)[k] = (int32_t)value;
  else
    ((int64_t *)at)[k] = value;
}

/* The oracle, for each type: a recursive tree over lanes and leaves. */
#define ORACLE(T, U, name, HIGH, LOW)                                                                                   \
  static T name##_join(int op, T a, T b) {                                                                              \
    if (op == PORTABLE_REDUCE_SUM) return (T)((U)a + (U)b);                                                             \
    if (op == PORTABLE_REDUCE_PRODUCT) return (T)((U)a * (U)b);                                                         \
    if (a != a) return b;                                                                                               \
    return op == PORTABLE_REDUCE_MIN ? (b < a ? b : a) : b > a ? b : a;                                                 \
  }                                                                                                                     \
  static T name##_row(int op, const T *x, const int64_t *at, int64_t n) {                                               \
    T lane[8], leaf[128];                                                                                                \
    int64_t leaves = 0;                                                                                                 \
    if (n == 0) return op == PORTABLE_REDUCE_SUM ? 0 : op == PORTABLE_REDUCE_PRODUCT ? 1 : op == PORTABLE_REDUCE_MIN ? HIGH : LOW; \
    for (int64_t from = 0; from < n; from += LEAF) {                                                                    \
      const int64_t to = from + LEAF < n ? from + LEAF : n;                                                             \
      int has = 0;                                                                                                      \
      for (int64_t k = from; k < to; k++) {                                                                             \
        const int l = (int)((k - from) % 8);                                                                            \
        lane[l] = k - from < 8 ? x[at[k]] : name##_join(op, lane[l], x[at[k]]);                                         \
        if (l + 1 > has) has = l + 1;                                                                                   \
      }                                                                                                                 \
      for (int w = 4; w; w /= 2)                                                                                        \
        for (int l = 0; l < w; l++)                                                                                     \
          if (l + w < has) lane[l] = name##_join(op, lane[l], lane[l + w]);                                             \
      leaf[leaves++] = lane[0];                                                                                         \
    }                                                                                                                   \
    for (int64_t w = 1; w < leaves; w *= 2)                                                                             \
      for (int64_t l = 0; l + w < leaves; l += 2 * w) leaf[l] = name##_join(op, leaf[l], leaf[l + w]);                  \
    return leaf[0];                                                                                                     \
  }
ORACLE(int32_t, uint32_t, i4, INT32_MAX, INT32_MIN)
ORACLE(int64_t, uint64_t, i8, INT64_MAX, INT64_MIN)
ORACLE(float, float, r4, FLT_MAX, -FLT_MAX)
ORACLE(double, double, r8, DBL_MAX, -DBL_MAX)

/* Sums and products would be NaN with one NaN, and products of large values infinite. */
static void fill(int op, int32_t kind, void *x, int64_t n) {
  for (int64_t k = 0; k < n; k++) {
    const double u = (double)(any(2000001) - 1000000) * 1.1e-3, v = op == PORTABLE_REDUCE_PRODUCT ? 1 + u * 1e-5 : u;
    const int number = op < PORTABLE_REDUCE_MIN || any(40);
    if (kind == PORTABLE_KIND_INT32)
      ((int32_t *)x)[k] = (int32_t)((uint64_t)any(INT64_MAX) >> 20);
    else if (kind == PORTABLE_KIND_INT64)
      ((int64_t *)x)[k] = any(INT64_MAX) - INT64_MAX / 2;
    else if (kind == PORTABLE_KIND_REAL32)
      ((float *)x)[k] = number ? (float)v : NAN;
    else
      ((double *)x)[k] = number ? v : any(2) ? NAN : -0.0;
  }
}

static int same(int32_t kind, int op, const void *x, const int64_t *at, int64_t n, const void *got, int64_t r) {
  switch (kind) {
  case PORTABLE_KIND_INT32: return ((const int32_t *)got)[r] == i4_row(op, x, at, n);
  case PORTABLE_KIND_INT64: return ((const int64_t *)got)[r] == i8_row(op, x, at, n);
  case PORTABLE_KIND_REAL32: {
    const float want = r4_row(op, x, at, n), have = ((const float *)got)[r];
    return want != want ? have != have : memcmp(&want, &have, sizeof want) == 0;
  }
  default: {
    const double want = r8_row(op, x, at, n), have = ((const double *)got)[r];
    return want != want ? have != have : memcmp(&want, &have, sizeof want) == 0;
  }
  }
}

/* Rows of at most `most` elements; most < 0: of -most each. */
static void compare(int op, int32_t kind, int32_t row_kind, int32_t index_kind, int32_t lower, int64_t rows, int64_t most) {
  portable_segmented_options o = PORTABLE_SEGMENTED_OPTIONS_INIT;
  void *row = take(8 * (size_t)(rows + 1));
  int64_t entries = 0, wrong = 0;
  put(row, row_kind, 0, lower);
  for (int64_t r = 0; r < rows; r++) {
    entries += most < 0 ? -most : any(30) ? any(most < 8 ? most + 1 : 8) : any(most + 1);
    put(row, row_kind, r + 1, entries + lower);
  }
  const int64_t count = index_kind ? 1 + any(1000) : entries + any(3);
  void *x = take(8 * (size_t)count + 8), *got = take(8 * (size_t)rows + 8), *index = take(8 * (size_t)entries + 8);
  int64_t *at = take(8 * (size_t)entries + 8);
  fill(op, kind, x, count);
  for (int64_t k = 0; k < entries; k++) {
    at[k] = index_kind ? any(count) : k;
    if (index_kind) put(index, index_kind, k, at[k] + lower);
  }
  o.lower = lower;
  if (index_kind) o.index = index, o.index_kind = index_kind, o.index_count = entries;
  feclearexcept(FE_INVALID);
  CHECK_STATUS(portable_segmented_reduce("rows", op, kind, x, count, row_kind, row, rows, &o, got), PORTABLE_OK);
  CHECK(!fetestexcept(FE_INVALID)); /* a NaN is left out, and is no invalid operation */
  for (int64_t r = 0; r < rows; r++)
    wrong += !same(kind, op, x, at + get(row, row_kind, r) - lower, get(row, row_kind, r + 1) - get(row, row_kind, r), got, r);
  if (wrong) printf("op %d kind %d row %d index %d lower %d: %d wrong of %d\n", op, kind, row_kind, index_kind, lower, (int)wrong, (int)rows);
  CHECK(wrong == 0);
  give(at);
  give(index);
  give(got);
  give(x);
  give(row);
}

/* NaNs and infinities stay in their rows: sums and products of these are NaN, those of all others have the bits that they had without them. */
static void not_numbers(int32_t kind, int op) {
  enum { rows = 500, most = 5000 };
  const size_t bytes = kind == PORTABLE_KIND_REAL32 ? 4 : 8;
  int64_t *row = take((rows + 1) * sizeof *row);
  row[0] = 0;
  for (int r = 0; r < rows; r++) row[r + 1] = row[r] + 1 + (any(20) ? any(12) : any(most));
  const int64_t n = row[rows];
  void *x = take(bytes * (size_t)n), *good = take(bytes * rows), *got = take(bytes * rows);
  int wrong = 0;
  fill(op, kind, x, n);
  CHECK_STATUS(portable_segmented_reduce("numbers", op, kind, x, n, PORTABLE_KIND_INT64, row, rows, NULL, good), PORTABLE_OK);
  for (int r = 0; r < rows; r += 3) {
    const int64_t at = row[r] + any(row[r + 1] - row[r]), other = row[r] + any(row[r + 1] - row[r]);
    const double value = r % 2 || at == other ? NAN : INFINITY; /* infinity less infinity, infinity times 0 */
    const double second = op == PORTABLE_REDUCE_SUM ? -INFINITY : 0;
    if (kind == PORTABLE_KIND_REAL32)
      ((float *)x)[other] = (float)second, ((float *)x)[at] = (float)value;
    else
      ((double *)x)[other] = second, ((double *)x)[at] = value;
  }
  CHECK_STATUS(portable_segmented_reduce("NaN", op, kind, x, n, PORTABLE_KIND_INT64, row, rows, NULL, got), PORTABLE_OK);
  for (int r = 0; r < rows; r++) {
    const double value = kind == PORTABLE_KIND_REAL32 ? (double)((float *)got)[r] : ((double *)got)[r];
    wrong += r % 3 == 0 ? !isnan(value) : memcmp((char *)got + bytes * (size_t)r, (char *)good + bytes * (size_t)r, bytes) != 0;
  }
  CHECK(wrong == 0);
  give(got);
  give(good);
  give(x);
  give(row);
}

/* Triangles, one of which has an index that is too large, or too small. */
static void triangle_refused(int64_t bad, int32_t value) {
  enum { rows = 1000 };
  portable_segmented_options o = PORTABLE_SEGMENTED_OPTIONS_INIT;
  int32_t *row = take((rows + 1) * sizeof *row), *index = take(3 * rows * sizeof *index);
  double *x = take(77 * sizeof *x), *sums = take(rows * sizeof *sums);
  char text[128];
  memset(x, 0, 77 * sizeof *x);
  for (int32_t r = 0; r <= rows; r++) row[r] = 3 * r + 1;
  for (int32_t k = 0; k < 3 * rows; k++) index[k] = k % 77 + 1;
  index[bad] = value;
  o.index = index, o.index_kind = PORTABLE_KIND_INT32, o.index_count = 3 * rows, o.lower = 1;
  CHECK_STATUS(portable_segmented_reduce("t", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 77, PORTABLE_KIND_INT32, row, rows, &o, sums), PORTABLE_ERR_ARG);
  snprintf(text, sizeof text, "index %lld is %d, but data has the elements 1 to 77", (long long)bad + 1, (int)value);
  CHECK(strstr(portable_last_error(), text) != NULL);
  give(sums);
  give(x);
  give(index);
  give(row);
}

/* One row has half of all elements; sums are near the exact ones. */
static void long_row(int64_t n) {
  double *x = take((size_t)n * sizeof *x), *sums;
  const int64_t rows = n / 8 + 1;
  int64_t *row = take((size_t)(rows + 1) * sizeof *row);
  sums = take((size_t)rows * sizeof *sums);
  for (int64_t k = 0; k < n; k++) x[k] = (double)(any(2000001) - 1000000) * 1.1e-3;
  row[0] = 0;
  for (int64_t r = 0; r < rows; r++) row[r + 1] = r == rows / 3 ? row[r] + n / 2 : row[r] + 4 <= n ? row[r] + 4 : n;
  if (row[rows] > n) row[rows] = n;
  CHECK_STATUS(portable_segmented_reduce("long", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, n, PORTABLE_KIND_INT64, row, rows, NULL, sums), PORTABLE_OK);
  double worst = 0;
  for (int64_t r = 0; r < rows; r++) {
    portable_exact e;
    double magnitude = 0;
    portable_exact_init(&e);
    portable_exact_add_array(&e, x + row[r], row[r + 1] - row[r]);
    for (int64_t k = row[r]; k < row[r + 1]; k++) magnitude += fabs(x[k]);
    const double error = fabs(sums[r] - portable_exact_value(&e));
    if (error > worst * 0 + 300 * DBL_EPSILON * magnitude) worst = error;
  }
  CHECK(worst == 0);
  give(sums);
  give(row);
  give(x);
}

int main(int argc, char **argv) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int op = PORTABLE_REDUCE_SUM; op <= PORTABLE_REDUCE_MAX; op++)
    for (int32_t kind = PORTABLE_KIND_INT32; kind <= PORTABLE_KIND_REAL64; kind++)
      for (int32_t row_kind = PORTABLE_KIND_INT32; row_kind <= PORTABLE_KIND_INT64; row_kind++)
        for (int32_t index_kind = 0; index_kind <= PORTABLE_KIND_INT64; index_kind = index_kind ? index_kind + 1 : PORTABLE_KIND_INT32) {
          compare(op, kind, row_kind, index_kind, 0, 0, 0);
          compare(op, kind, row_kind, index_kind, 1, 300, 0);
          compare(op, kind, row_kind, index_kind, 1, 1, 70000);
          compare(op, kind, row_kind, index_kind, 0, 2000, 12);
          compare(op, kind, row_kind, index_kind, 1, 40, 9000);
          for (int64_t width = 2; width <= 9; width++) compare(op, kind, row_kind, index_kind, (int32_t)(width % 2), 600, -width);
          compare(op, kind, row_kind, index_kind, 1, 300, -13);
        }
  for (int32_t kind = PORTABLE_KIND_REAL32; kind <= PORTABLE_KIND_REAL64; kind++) {
    not_numbers(kind, PORTABLE_REDUCE_SUM);
    not_numbers(kind, PORTABLE_REDUCE_PRODUCT);
  }
  triangle_refused(0, 0);
  triangle_refused(2999, 78);
  triangle_refused(1500, INT32_MIN);
  triangle_refused(1501, INT32_MAX);
  long_row(argc > 1 ? atoll(argv[1]) : 100000);
  all_there();
  return check_end();
}
