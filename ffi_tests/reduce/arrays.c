/* arrays.c - reductions of arrays from C: ranks, orders, strides, masks and dim against loops; the same bits for any number of
 * threads, for sections and their copies; misuse. Not in this file: every operation of every kind (internal/kernels tests). */
#include "check.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum { MOST = 60000 };

static double values[MOST], copy[MOST];
static int32_t truths[MOST];

/* The same numbers on every machine. */
static double next_number(void) {
  static uint64_t state = 42;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(int64_t)(state >> 11) / (double)(INT64_C(1) << 50) - 3.0;
}

static void fill(void) {
  for (int i = 0; i < MOST; i++) values[i] = next_number(), truths[i] = next_number() > 0;
}

static double reduce(int32_t op, const double *data, int32_t rank, const int64_t *extents, const portable_array_options *options) {
  double result = -77;
  CHECK_STATUS(portable_reduce_array("reduce", op, PORTABLE_KIND_REAL64, data, rank, extents, options, &result), PORTABLE_OK);
  return result;
}

/* A box of a larger array, of any rank and order: its sum has the bits of its contiguous copy, least and largest are those
 * of a loop, in the order of the array. */
static void test_sections(int32_t rank, int32_t order) {
  int64_t whole[PORTABLE_LOOP_RANK], box[PORTABLE_LOOP_RANK], strides[PORTABLE_LOOP_RANK], index[PORTABLE_LOOP_RANK] = {0};
  int64_t step = 8, count = 1, at = 0, first = 0, place[PORTABLE_LOOP_RANK] = {0}, found[PORTABLE_LOOP_RANK];
  for (int32_t k = 0; k < rank; k++) {
    int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
    whole[d] = rank == 1 ? MOST : rank == 2 ? 200 + 40 * d : rank == 3 ? 30 + d : rank == 4 ? 12 : rank == 5 ? 7 : rank == 6 ? 5 : 3;
    box[d] = (whole[d] - 1) / 2 > 1 ? (whole[d] - 1) / 2 : 2;
    strides[d] = d == 0 ? 2 * step : d == 1 ? -step : step; /* each second, backwards, neighbours */
    if (whole[d] < 2 * box[d] && d == 0) box[d] = whole[d] / 2;
    if (d == 1) first += (box[d] - 1) * step;
    step *= whole[d];
    count *= box[d];
  }
  const char *begin = (const char *)values + first;
  for (int64_t n = 0; n < count; n++) {
    int64_t offset = 0;
    for (int32_t d = 0; d < rank; d++) offset += index[d] * strides[d];
    memcpy(&copy[n], begin + offset, sizeof copy[n]);
    if (n == 0 || copy[n] < copy[at]) {
      at = n;
      memcpy(place, index, sizeof place);
    }
    for (int32_t k = 0; k < rank; k++) {
      int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
      if (++index[d] < box[d]) break;
      index[d] = 0;
    }
  }
  portable_array_options section = PORTABLE_ARRAY_OPTIONS_INIT, plain = PORTABLE_ARRAY_OPTIONS_INIT;
  section.order = plain.order = order;
  section.strides = strides;
  double a = reduce(PORTABLE_REDUCE_SUM, (const double *)(const void *)begin, rank, box, &section);
  double b = reduce(PORTABLE_REDUCE_SUM, copy, rank, box, &plain);
  double c = reduce(PORTABLE_REDUCE_SUM, copy, 1, &count, NULL);
  CHECK(memcmp(&a, &b, sizeof a) == 0);
  CHECK(memcmp(&a, &c, sizeof a) == 0);
  CHECK(reduce(PORTABLE_REDUCE_MIN, (const double *)(const void *)begin, rank, box, &section) == copy[at]);
  CHECK_STATUS(portable_reduce_array("minloc", PORTABLE_REDUCE_MINLOC, PORTABLE_KIND_REAL64, begin, rank, box, &section, found), PORTABLE_OK);
  for (int32_t d = 0; d < rank; d++) CHECK(found[d] == place[d]);
  portable_launch_config dynamic = PORTABLE_LAUNCH_CONFIG_INIT;
  dynamic.schedule = PORTABLE_SCHEDULE_DYNAMIC;
  dynamic.tile[0] = 1;
  section.launch = &dynamic;
  b = reduce(PORTABLE_REDUCE_SUM, (const double *)(const void *)begin, rank, box, &section);
  CHECK(memcmp(&a, &b, sizeof a) == 0);
}

/* Each line along each dimension gives what it gives alone; with a mask too. */
static void test_dim(const int64_t *n, int masked) {
  int64_t strides[3] = {8 * n[1] * n[2], 8 * n[2], 8}, mask_strides[3] = {4 * n[1] * n[2], 4 * n[2], 4};
  static double results[MOST];
  static int64_t places[MOST];
  for (int32_t dim = 1; dim <= 3; dim++) {
    portable_array_options all = PORTABLE_ARRAY_OPTIONS_INIT, one = PORTABLE_ARRAY_OPTIONS_INIT;
    all.dim = dim;
    one.strides = &strides[dim - 1];
    if (masked) {
      all.mask = truths;
      all.mask_kind = one.mask_kind = PORTABLE_KIND_LOGICAL32;
      one.mask_strides = &mask_strides[dim - 1];
    }
    CHECK_STATUS(portable_reduce_array("dim", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 3, n, &all, results), PORTABLE_OK);
    CHECK_STATUS(portable_reduce_array("dim", PORTABLE_REDUCE_MAXLOC, PORTABLE_KIND_REAL64, values, 3, n, &all, places), PORTABLE_OK);
    int32_t p = dim == 1 ? 1 : 0, q = dim == 3 ? 1 : 2;
    for (int64_t i = 0; i < n[p]; i++)
      for (int64_t j = 0; j < n[q]; j++) {
        int64_t at = (i * strides[p] + j * strides[q]) / 8, place = -7;
        if (masked) one.mask = truths + at;
        double sum = reduce(PORTABLE_REDUCE_SUM, values + at, 1, &n[dim - 1], &one);
        CHECK(memcmp(&sum, &results[i * n[q] + j], sizeof sum) == 0);
        CHECK_STATUS(portable_reduce_array("line", PORTABLE_REDUCE_MAXLOC, PORTABLE_KIND_REAL64, values + at, 1, &n[dim - 1], &one, &place), PORTABLE_OK);
        CHECK(place == places[i * n[q] + j]);
      }
  }
}

/* Masks of all sizes, one logical for all, and one that leaves nothing. */
static void test_masks(void) {
  static unsigned char mask[8 * MOST];
  int64_t n = 10007, zero = 0;
  double sum = 0, least = INFINITY;
  for (int64_t i = 0; i < n; i++)
    if (truths[i]) {
      sum += values[i];
      if (values[i] < least) least = values[i];
    }
  double first = 0;
  for (int bytes = 1; bytes <= 8; bytes *= 2) {
    portable_array_options o = PORTABLE_ARRAY_OPTIONS_INIT;
    memset(mask, 0, sizeof mask);
    for (int64_t i = 0; i < n; i++) mask[i * bytes + (bytes - 1) * (i % 2)] = (unsigned char)truths[i];
    o.mask = mask;
    o.mask_kind = bytes == 1 ? PORTABLE_KIND_LOGICAL8 : bytes == 2 ? PORTABLE_KIND_LOGICAL16 : bytes == 4 ? PORTABLE_KIND_LOGICAL32 : PORTABLE_KIND_LOGICAL64;
    double got = reduce(PORTABLE_REDUCE_SUM, values, 1, &n, &o);
    CHECK(fabs(got - sum) <= 1e-9 * (1 + fabs(sum)));
    if (bytes == 1) first = got;
    CHECK(memcmp(&got, &first, sizeof got) == 0);
    CHECK(reduce(PORTABLE_REDUCE_MIN, values, 1, &n, &o) == least);
    o.mask_strides = &zero;
    mask[0] = 1;
    double all = reduce(PORTABLE_REDUCE_SUM, values, 1, &n, &o), plain = reduce(PORTABLE_REDUCE_SUM, values, 1, &n, NULL);
    CHECK(memcmp(&all, &plain, sizeof all) == 0);
    memset(mask, 0, 8);
    CHECK(reduce(PORTABLE_REDUCE_SUM, values, 1, &n, &o) == 0);
    CHECK(reduce(PORTABLE_REDUCE_MIN, values, 1, &n, &o) == DBL_MAX);
    int64_t place = -7;
    CHECK_STATUS(portable_reduce_array("none", PORTABLE_REDUCE_MINLOC, PORTABLE_KIND_REAL64, values, 1, &n, &o, &place), PORTABLE_OK);
    CHECK(place == -1);
  }
}

/* A sum keeps its bits whatever the number of threads and the device. */
static void test_threads(void) {
  int64_t n = MOST;
  int32_t before = portable_num_threads();
  double first = reduce(PORTABLE_REDUCE_SUM, values, 1, &n, NULL);
  double sum = 0, size = 0;
  for (int i = 0; i < MOST; i++) sum += values[i], size += fabs(values[i]);
  CHECK(fabs(first - sum) <= 1e-12 * size);
  for (int32_t threads = 1; threads <= 7; threads++) {
    CHECK_STATUS(portable_set_num_threads(threads), PORTABLE_OK);
    double again = reduce(PORTABLE_REDUCE_SUM, values, 1, &n, NULL);
    CHECK(memcmp(&again, &first, sizeof first) == 0);
  }
  CHECK_STATUS(portable_set_num_threads(before), PORTABLE_OK);
  portable_launch_config on = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_array_options o = PORTABLE_ARRAY_OPTIONS_INIT;
  o.launch = &on;
  for (on.device = 1; on.device <= portable_device_count(); on.device++) {
    double again = reduce(PORTABLE_REDUCE_SUM, values, 1, &n, &o);
    CHECK(memcmp(&again, &first, sizeof first) == 0);
  }
}

/* An exact sum is that of a portable_exact, forwards and backwards, with a mask and along a dimension. */
static void test_exact(void) {
  int64_t n = 50000, back = -8, two[2] = {250, 200}, pair = 16;
  static double wild[50000];
  portable_exact sum, masked, line;
  portable_exact_init(&sum);
  portable_exact_init(&masked);
  for (int i = 0; i < n; i++) {
    wild[i] = ldexp(next_number(), (int)(next_number() * 20));
    portable_exact_add(&sum, wild[i]);
    if (truths[i]) portable_exact_add(&masked, wild[i]);
  }
  portable_array_options o = PORTABLE_ARRAY_OPTIONS_INIT;
  o.flags = PORTABLE_REDUCE_EXACT;
  CHECK(reduce(PORTABLE_REDUCE_SUM, wild, 1, &n, &o) == portable_exact_value(&sum));
  o.strides = &back;
  CHECK(reduce(PORTABLE_REDUCE_SUM, wild + n - 1, 1, &n, &o) == portable_exact_value(&sum));
  o.strides = NULL;
  o.mask = truths;
  o.mask_kind = PORTABLE_KIND_LOGICAL32;
  CHECK(reduce(PORTABLE_REDUCE_SUM, wild, 2, two, &o) == portable_exact_value(&masked));
  o.mask = NULL;
  double lines[200], z[2];
  o.dim = 1;
  CHECK_STATUS(portable_reduce_array("lines", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, wild, 2, two, &o, lines), PORTABLE_OK);
  for (int j = 0; j < 200; j++) {
    portable_exact_init(&line);
    for (int i = 0; i < 250; i++) portable_exact_add(&line, wild[200 * i + j]);
    CHECK(lines[j] == portable_exact_value(&line));
  }
  o.dim = 0;
  o.strides = &pair;
  n /= 2;
  double re = reduce(PORTABLE_REDUCE_SUM, wild, 1, &n, &o), im = reduce(PORTABLE_REDUCE_SUM, wild + 1, 1, &n, &o);
  o.strides = NULL;
  CHECK_STATUS(portable_reduce_array("complex", PORTABLE_REDUCE_SUM, PORTABLE_KIND_COMPLEX64, wild, 1, &n, &o, z), PORTABLE_OK);
  CHECK(z[0] == re && z[1] == im);
  static float single[50000];
  float got;
  portable_exact_init(&sum);
  for (int i = 0; i < 50000; i++) {
    single[i] = (float)wild[i];
    portable_exact_add(&sum, (double)single[i]);
  }
  n = 50000;
  o.flags |= PORTABLE_REDUCE_WIDE;
  CHECK_STATUS(portable_reduce_array("single", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL32, single, 1, &n, &o, &got), PORTABLE_OK);
  CHECK(got == portable_exact_value32(&sum));
  int32_t number;
  CHECK_STATUS(portable_reduce_array("bad", PORTABLE_REDUCE_SUM, PORTABLE_KIND_INT32, truths, 1, &n, &o, &number), PORTABLE_ERR_ARG);
  CHECK_TEXT("PORTABLE_REDUCE_EXACT is for sums of real");
}

static void nested(const portable_tile *t, void *args) {
  int64_t n = MOST;
  double *results = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
    if (portable_reduce_array("nested", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 1, &n, NULL, &results[i]) != PORTABLE_OK)
      portable_kernel_fail(t, 1, portable_last_error());
}

static void test_nested(void) {
  double results[8];
  int64_t n = MOST;
  portable_bounds b = portable_bounds_1(8);
  CHECK_STATUS(portable_parallel_for("nests", &b, nested, results, 0, NULL), PORTABLE_OK);
  double sum = reduce(PORTABLE_REDUCE_SUM, values, 1, &n, NULL);
  for (int i = 0; i < 8; i++) CHECK(memcmp(&results[i], &sum, sizeof sum) == 0);
}

static void test_empty(void) {
  int64_t none[3] = {3, 0, 4}, huge[3] = {INT64_C(1) << 62, INT64_C(1) << 62, 0}, loc[3];
  double results[12];
  int32_t flag = 7, least = 0;
  CHECK(reduce(PORTABLE_REDUCE_SUM, NULL, 3, none, NULL) == 0);
  CHECK(reduce(PORTABLE_REDUCE_PRODUCT, NULL, 3, none, NULL) == 1);
  CHECK(reduce(PORTABLE_REDUCE_MIN, NULL, 3, none, NULL) == DBL_MAX);
  CHECK(reduce(PORTABLE_REDUCE_MAX, NULL, 3, huge, NULL) == -DBL_MAX);
  CHECK_STATUS(portable_reduce_array("e", PORTABLE_REDUCE_MIN, PORTABLE_KIND_INT32, NULL, 3, none, NULL, &least), PORTABLE_OK);
  CHECK(least == INT_MAX);
  CHECK_STATUS(portable_reduce_array("e", PORTABLE_REDUCE_MAXLOC, PORTABLE_KIND_REAL64, NULL, 3, none, NULL, loc), PORTABLE_OK);
  CHECK(loc[0] == -1 && loc[1] == -1 && loc[2] == -1);
  CHECK_STATUS(portable_reduce_array("e", PORTABLE_REDUCE_ALL, PORTABLE_KIND_LOGICAL8, NULL, 3, none, NULL, &flag), PORTABLE_OK);
  CHECK(flag == 1);
  CHECK_STATUS(portable_reduce_array("e", PORTABLE_REDUCE_ANY, PORTABLE_KIND_LOGICAL8, NULL, 3, none, NULL, &flag), PORTABLE_OK);
  CHECK(flag == 0);
  /* Empty lines give results, no lines give none. */
  portable_array_options o = PORTABLE_ARRAY_OPTIONS_INIT;
  for (int i = 0; i < 12; i++) results[i] = 5;
  o.dim = 2;
  CHECK_STATUS(portable_reduce_array("e", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, NULL, 3, none, &o, results), PORTABLE_OK);
  for (int i = 0; i < 12; i++) CHECK(results[i] == 0);
  o.dim = 1;
  results[0] = 5;
  CHECK_STATUS(portable_reduce_array("e", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, NULL, 3, none, &o, results), PORTABLE_OK);
  CHECK(results[0] == 5);
}

static portable_status with(const portable_array_options *o) {
  int64_t n[2] = {2, 3};
  double result;
  return portable_reduce_array("bad", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 2, n, o, &result);
}

#define REFUSED(op, kind, data, rank, extents, text)                                                                        \
  do {                                                                                                                      \
    double refused[PORTABLE_LOOP_RANK] = {5};                                                                               \
    CHECK_STATUS(portable_reduce_array("bad", op, kind, data, rank, extents, NULL, refused), PORTABLE_ERR_ARG);             \
    CHECK_TEXT("'bad'");                                                                                                    \
    CHECK_TEXT(text);                                                                                                       \
    CHECK(refused[0] == 5);                                                                                                 \
  } while (0)

static void test_misuse(void) {
  int64_t n[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, negative[2] = {3, -1}, huge[2] = {INT64_C(1) << 40, INT64_C(1) << 40};
  double result = 5;
  REFUSED(0, PORTABLE_KIND_REAL64, values, 1, n, "0 is not an operation");
  REFUSED(10, PORTABLE_KIND_REAL64, values, 1, n, "10 is not an operation");
  REFUSED(PORTABLE_REDUCE_SUM, 0, values, 1, n, "0 is not a kind");
  REFUSED(PORTABLE_REDUCE_SUM, 13, values, 1, n, "13 is not a kind");
  REFUSED(PORTABLE_REDUCE_MIN, PORTABLE_KIND_COMPLEX64, values, 1, n, "no min of elements of the kind complex64");
  REFUSED(PORTABLE_REDUCE_SUM, PORTABLE_KIND_LOGICAL32, values, 1, n, "logicals have");
  REFUSED(PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT8, values, 1, n, "for logicals");
  REFUSED(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 0, n, "rank is 0");
  REFUSED(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 9, n, "rank is 9");
  REFUSED(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 1, NULL, "extents is NULL");
  REFUSED(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, NULL, 1, n, "data is NULL");
  REFUSED(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 2, negative, "extent 2 is -1");
  CHECK_STATUS(portable_reduce_array("bad", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 1, n, NULL, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("result_out is NULL");
  CHECK_STATUS(portable_reduce_array("bad", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 2, huge, NULL, &result), PORTABLE_ERR_OVERFLOW);
  CHECK(result == 5);
#define WITH(field, value, text)                                                                                            \
  do {                                                                                                                      \
    portable_array_options o = PORTABLE_ARRAY_OPTIONS_INIT;                                                                 \
    o.mask_kind = PORTABLE_KIND_LOGICAL32;                                                                                  \
    o.field = value;                                                                                                        \
    CHECK_STATUS(with(&o), PORTABLE_ERR_ARG);                                                                               \
    CHECK_TEXT(text);                                                                                                       \
  } while (0)
  WITH(dim, 3, "dim is 3");
  WITH(dim, -1, "dim is -1");
  WITH(order, 2, "order is 2");
  WITH(flags, 0x100u, "flags is 0x100");
  WITH(struct_size, 1000, "struct_size is 1000");
  WITH(mask, truths; o.mask_kind = PORTABLE_KIND_INT32, "mask_kind is 3");
  portable_array_options o = PORTABLE_ARRAY_OPTIONS_INIT;
  o.mask = truths;
  o.mask_kind = PORTABLE_KIND_LOGICAL32;
  int64_t count;
  CHECK_STATUS(portable_reduce_array("bad", PORTABLE_REDUCE_COUNT, PORTABLE_KIND_LOGICAL32, truths, 1, n, &o, &count), PORTABLE_ERR_ARG);
  CHECK_TEXT("count takes no mask");
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.device = 77;
  o = (portable_array_options)PORTABLE_ARRAY_OPTIONS_INIT;
  o.launch = &config;
  CHECK_STATUS(with(&o), PORTABLE_ERR_NODEVICE);
  config.struct_size = 3000;
  CHECK_STATUS(with(&o), PORTABLE_ERR_ARG);
  CHECK_TEXT("launch.struct_size is 3000");
}

int main(void) {
  int64_t n = 4;
  double result;
  CHECK_STATUS(portable_reduce_array("early", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 1, &n, NULL, &result), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  fill();
  for (int32_t rank = 1; rank <= PORTABLE_LOOP_RANK; rank++)
    for (int32_t order = 0; order < 2; order++) test_sections(rank, order);
  const int64_t shapes[][3] = {{3, 5, 4}, {20, 17, 33}, {1, 40, 2}, {2, 3, 5000}, {5000, 2, 3}, {2, 5000, 3}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    test_dim(shapes[i], 0);
    test_dim(shapes[i], 1);
  }
  test_masks();
  test_threads();
  test_nested();
  test_exact();
  test_empty();
  test_misuse();
  return check_end();
}
