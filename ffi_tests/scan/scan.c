/* scan.c - scans from C: ranks, orders, strides and dim against a loop in the defined order; the same bits for any number of threads and
 * each device; in place; misuse. Not in this file: every operation of every kind (internal/kernels tests). */
#include "check.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

enum { MOST = 60000, LEAF = 2048, RUN = 8 };

static double values[MOST], result[MOST], model[MOST];

/* The same numbers on every machine. */
static double next_number(void) {
  static uint64_t state = 42;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(int64_t)(state >> 11) / (double)(INT64_C(1) << 50) - 3.0;
}

static void fill(void) {
  for (int i = 0; i < MOST; i++) values[i] = next_number();
}

/* The sums that portable_scan.h says, of elements `stride` elements apart. initial NULL: none. */
static void sums(const double *x, int64_t n, int64_t stride, const double *initial, int exclusive, double *to) {
  double before = initial ? *initial : -0.0, leaf = -0.0, run = -0.0, now = initial ? *initial : 0;
  for (int64_t i = 0; i < n; i++) {
    if (i % LEAF == 0) leaf = -0.0;
    if (i % RUN == 0) run = -0.0;
    if (exclusive) to[i * stride] = now;
    run = run + x[i * stride];
    now = before + (leaf + run);
    if (!exclusive) to[i * stride] = now;
    if (i % RUN == RUN - 1) leaf = leaf + run;
    if (i % LEAF == LEAF - 1) before = before + leaf;
  }
}

static void test_sizes(void) {
  const int64_t sizes[] = {0, 1, 2, 7, 8, 9, 100, 2047, 2048, 2049, 8192, 8193, 20000, MOST};
  double initial = 0.1;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (int way = 0; way < 4; way++) {
      portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
      if (way & 1) o.flags = PORTABLE_SCAN_EXCLUSIVE;
      if (way & 2) o.initial = &initial;
      memset(result, 1, sizeof result);
      CHECK_STATUS(portable_scan("sizes", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 1, &sizes[k], &o, result), PORTABLE_OK);
      sums(values, sizes[k], 1, way & 2 ? &initial : NULL, way & 1, model);
      CHECK(memcmp(result, model, sizeof *model * (size_t)sizes[k]) == 0);
    }
}

/* So many leaves that several are worked on together, of one line and of three; in place, too. */
static void test_many(void) {
  enum { LINE = 233333, ALL = 3 * LINE };
  static double from[ALL], to[ALL], should[ALL];
  const int64_t one = ALL, three[2] = {3, LINE};
  double initial = 0.1;
  for (int i = 0; i < ALL; i++) from[i] = next_number();
  for (int way = 0; way < 8; way++) {
    portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
    if (way & 1) o.flags = PORTABLE_SCAN_EXCLUSIVE;
    if (way & 2) o.initial = &initial;
    const int64_t lines = way & 4 ? 3 : 1, n = ALL / lines;
    o.dim = way & 4 ? 2 : 0;
    memcpy(to, from, sizeof to);
    CHECK_STATUS(portable_scan("many", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, way & 2 ? to : from, lines > 1 ? 2 : 1, lines > 1 ? three : &one, &o, to),
                 PORTABLE_OK);
    for (int64_t l = 0; l < lines; l++) sums(from + l * n, n, 1, way & 2 ? &initial : NULL, way & 1, should + l * n);
    CHECK(memcmp(to, should, sizeof to) == 0);
  }
}

/* A box of a larger array, of any rank and order, scanned in the order of the array into a box of another one. */
static void test_sections(int32_t rank, int32_t order) {
  static double copy[MOST], where[MOST], all[MOST];
  int64_t whole[PORTABLE_LOOP_RANK], box[PORTABLE_LOOP_RANK], strides[PORTABLE_LOOP_RANK], out[PORTABLE_LOOP_RANK], index[PORTABLE_LOOP_RANK] = {0};
  int64_t step = 8, count = 1, first = 0, out_first = 0;
  for (int32_t k = 0; k < rank; k++) {
    int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
    whole[d] = rank == 1 ? MOST : rank == 2 ? 200 + 40 * d : rank == 3 ? 30 + d : rank == 4 ? 12 : rank == 5 ? 7 : rank == 6 ? 5 : 3;
    box[d] = whole[d] / 2;
    strides[d] = d == 0 ? 2 * step : d == 1 ? -step : step;
    out[d] = d == 1 ? 2 * step : -step;
    if (d == 1) first += (box[d] - 1) * step;
    if (d != 1) out_first += (box[d] - 1) * step;
    step *= whole[d];
    count *= box[d];
  }
  const char *begin = (const char *)values + first;
  char *to = (char *)where + out_first;
  portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
  o.order = order;
  o.strides = strides;
  o.out_strides = out;
  for (int i = 0; i < MOST; i++) where[i] = -77;
  CHECK_STATUS(portable_scan("section", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, begin, rank, box, &o, to), PORTABLE_OK);
  memcpy(all, where, sizeof all);
  int64_t written = 0;
  for (int64_t n = 0; n < count; n++) {
    int64_t at = 0, out_at = 0;
    for (int32_t d = 0; d < rank; d++) at += index[d] * strides[d], out_at += index[d] * out[d];
    memcpy(&copy[n], begin + at, sizeof copy[n]);
    memcpy(&result[n], to + out_at, sizeof result[n]);
    all[(out_first + out_at) / 8] = -77;
    for (int32_t k = 0; k < rank; k++) {
      int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
      if (++index[d] < box[d]) break;
      index[d] = 0;
    }
  }
  sums(copy, count, 1, NULL, 0, model);
  CHECK(memcmp(result, model, sizeof *model * (size_t)count) == 0);
  for (int i = 0; i < MOST; i++) written += all[i] != -77; /* nothing else was written */
  CHECK(written == 0);
}

/* Each line along each dimension is what it is alone; in place too. */
static void test_dim(const int64_t *n) {
  int64_t strides[3] = {n[1] * n[2], n[2], 1}, all = n[0] * n[1] * n[2];
  for (int32_t dim = 1; dim <= 3; dim++)
    for (int exclusive = 0; exclusive < 2; exclusive++) {
      portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
      o.dim = dim;
      o.flags = exclusive ? PORTABLE_SCAN_EXCLUSIVE : 0;
      memset(result, 1, sizeof result);
      CHECK_STATUS(portable_scan("dim", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 3, n, &o, result), PORTABLE_OK);
      int32_t p = dim == 1 ? 1 : 0, q = dim == 3 ? 1 : 2;
      for (int64_t i = 0; i < n[p]; i++)
        for (int64_t j = 0; j < n[q]; j++) {
          int64_t at = i * strides[p] + j * strides[q];
          sums(values + at, n[dim - 1], strides[dim - 1], NULL, exclusive, model + at);
        }
      CHECK(memcmp(result, model, sizeof *model * (size_t)all) == 0);
      memcpy(result, values, sizeof result);
      CHECK_STATUS(portable_scan("dim", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, result, 3, n, &o, result), PORTABLE_OK);
      CHECK(memcmp(result, model, sizeof *model * (size_t)all) == 0);
    }
}

/* The same bits whatever the number of threads and the device; in place too. */
static void test_threads(void) {
  int64_t n = MOST;
  int32_t before = portable_num_threads();
  sums(values, n, 1, NULL, 0, model);
  for (int32_t threads = 1; threads <= 7; threads++) {
    CHECK_STATUS(portable_set_num_threads(threads), PORTABLE_OK);
    for (int again = 0; again < 5; again++) {
      memcpy(result, values, sizeof result);
      CHECK_STATUS(portable_scan("threads", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, result, 1, &n, NULL, result), PORTABLE_OK);
      CHECK(memcmp(result, model, sizeof result) == 0);
    }
  }
  CHECK_STATUS(portable_set_num_threads(before), PORTABLE_OK);
  portable_launch_config on = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
  o.launch = &on;
  on.schedule = PORTABLE_SCHEDULE_DYNAMIC;
  for (on.device = 1; on.device <= portable_device_count(); on.device++) {
    memset(result, 1, sizeof result);
    CHECK_STATUS(portable_scan("devices", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 1, &n, &o, result), PORTABLE_OK);
    CHECK(memcmp(result, model, sizeof result) == 0);
  }
}

static void test_kinds(void) {
  static int32_t numbers[MOST], running[MOST];
  int64_t n = MOST;
  int32_t least = INT32_MAX, bad = 0;
  for (int i = 0; i < MOST; i++) numbers[i] = (int32_t)(values[i] * 1e8);
  CHECK_STATUS(portable_scan("least", PORTABLE_REDUCE_MIN, PORTABLE_KIND_INT32, numbers, 1, &n, NULL, running), PORTABLE_OK);
  for (int i = 0; i < MOST; i++) bad += running[i] != (least = numbers[i] < least ? numbers[i] : least);
  CHECK(bad == 0);
  /* No exception of its own, which a program may trap. */
  feclearexcept(FE_ALL_EXCEPT);
  CHECK_STATUS(portable_scan("quiet", PORTABLE_REDUCE_MIN, PORTABLE_KIND_REAL64, values, 1, &n, NULL, result), PORTABLE_OK);
  CHECK(fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
  /* A NaN is left out, unless there is nothing else; of none, the least finite number. */
  double x[4] = {NAN, 1, NAN, INFINITY}, y[4];
  portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
  n = 4;
  CHECK_STATUS(portable_scan("nan", PORTABLE_REDUCE_MAX, PORTABLE_KIND_REAL64, x, 1, &n, NULL, y), PORTABLE_OK);
  CHECK(isnan(y[0]) && y[1] == 1 && y[2] == 1 && isinf(y[3]));
  o.flags = PORTABLE_SCAN_EXCLUSIVE;
  CHECK_STATUS(portable_scan("nan", PORTABLE_REDUCE_MAX, PORTABLE_KIND_REAL64, x, 1, &n, &o, y), PORTABLE_OK);
  CHECK(y[0] == -DBL_MAX && isnan(y[1]) && y[2] == 1 && y[3] == 1);
}

static double nested_results[8][9000];

static void nested(const portable_tile *t, void *args) {
  int64_t n = 9000;
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
    if (portable_scan("nested", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 1, &n, NULL, nested_results[i]) != PORTABLE_OK)
      portable_kernel_fail(t, 1, portable_last_error());
}

static void test_nested(void) {
  portable_bounds b = portable_bounds_1(8);
  CHECK_STATUS(portable_parallel_for("nests", &b, nested, NULL, 0, NULL), PORTABLE_OK);
  sums(values, 9000, 1, NULL, 0, model);
  for (int i = 0; i < 8; i++) CHECK(memcmp(nested_results[i], model, sizeof nested_results[i]) == 0);
}

/* An asynchronous stream is waited for. */
static void test_stream(void) {
  int64_t n = MOST;
  portable_stream stream = 0;
  portable_launch_config on = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &stream), PORTABLE_OK);
  on.stream = stream;
  o.launch = &on;
  CHECK_STATUS(portable_scan("stream", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 1, &n, &o, result), PORTABLE_OK);
  sums(values, n, 1, NULL, 0, model);
  CHECK(memcmp(result, model, sizeof result) == 0);
  CHECK_STATUS(portable_stream_destroy(stream), PORTABLE_OK);
}

static void test_empty(void) {
  int64_t none[3] = {3, 0, 4}, huge[3] = {INT64_C(1) << 62, INT64_C(1) << 62, 0};
  portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
  CHECK_STATUS(portable_scan("e", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, NULL, 3, none, NULL, NULL), PORTABLE_OK);
  for (o.dim = 1; o.dim <= 3; o.dim++) {
    CHECK_STATUS(portable_scan("e", PORTABLE_REDUCE_MIN, PORTABLE_KIND_INT32, NULL, 3, none, &o, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_scan("e", PORTABLE_REDUCE_MIN, PORTABLE_KIND_INT32, NULL, 3, huge, &o, NULL), PORTABLE_OK);
  }
}

#define REFUSED(op, kind, data, rank, extents, out, text)                                                                    \
  do {                                                                                                                       \
    CHECK_STATUS(portable_scan("bad", op, kind, data, rank, extents, &o, out), PORTABLE_ERR_ARG);                            \
    CHECK_TEXT("scan 'bad'");                                                                                                \
    CHECK_TEXT(text);                                                                                                        \
  } while (0)

static void test_misuse(void) {
  enum { SUM = PORTABLE_REDUCE_SUM, REAL = PORTABLE_KIND_REAL64 };
  int64_t n[9] = {4, 3, 1, 1, 1, 1, 1, 1, 1}, negative[2] = {3, -1}, huge[2] = {INT64_C(1) << 40, INT64_C(1) << 40};
  int64_t sixteen = 16, back = -8, four = 4;
  portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
  memset(result, 0, sizeof result);
  REFUSED(0, REAL, values, 1, n, result, "0 is not an operation");
  REFUSED(PORTABLE_REDUCE_MINLOC, REAL, values, 1, n, result, "5 is not an operation");
  REFUSED(SUM, PORTABLE_KIND_COMPLEX64, values, 1, n, result, "elements of the kind 8");
  REFUSED(SUM, REAL, values, 0, n, result, "rank is 0");
  REFUSED(SUM, REAL, values, 9, n, result, "rank is 9");
  REFUSED(SUM, REAL, values, 1, NULL, result, "extents is NULL");
  REFUSED(SUM, REAL, NULL, 1, n, result, "data is NULL");
  REFUSED(SUM, REAL, values, 1, n, NULL, "out is NULL");
  REFUSED(SUM, REAL, values, 2, negative, result, "extent 2 is -1");
  REFUSED(SUM, REAL, values, 1, n, values + 1, "overlaps data");
  REFUSED(SUM, REAL, values + 3, 1, n, values, "overlaps data");
  o.strides = &back;
  REFUSED(SUM, REAL, values + 3, 1, n, values, "overlaps data");
  REFUSED(SUM, REAL, values + 3, 1, n, values + 3, "overlaps data");
  o.strides = NULL;
  o.out_strides = &four;
  REFUSED(SUM, REAL, values, 1, n, result, "elements of out overlap");
  o.out_strides = &sixteen;
  REFUSED(SUM, REAL, values, 1, n, values, "overlaps data");
  o.strides = &sixteen; /* every other element each */
  o.out_strides = &sixteen;
  double pairs[8] = {1, 0, 2, 0, 3, 0, 4, 0};
  CHECK_STATUS(portable_scan("gaps", SUM, REAL, pairs, 1, n, &o, pairs + 1), PORTABLE_OK);
  CHECK(pairs[1] == 1 && pairs[3] == 3 && pairs[5] == 6 && pairs[7] == 10 && pairs[6] == 4);
  /* Columns next to each other are apart, though one lies between the other's ends; a row on another one is not. */
  double columns[6][4];
  int64_t two[2] = {6, 2}, column_steps[2] = {sizeof columns[0], 8}, one[2] = {8, 8}, far[2] = {INT64_MAX / 8, 8};
  for (int i = 0; i < 24; i++) columns[i / 4][i % 4] = 1;
  o.strides = o.out_strides = column_steps;
  CHECK_STATUS(portable_scan("columns", SUM, REAL, columns[0], 2, two, &o, columns[0] + 2), PORTABLE_OK);
  CHECK(columns[0][2] == 1 && columns[5][3] == 12 && columns[5][1] == 1);
  REFUSED(SUM, REAL, columns[0], 2, two, columns[0] + 1, "overlaps data");
  o.strides = NULL;
  o.out_strides = one;
  for (o.dim = 0; o.dim <= 2; o.dim++) REFUSED(SUM, REAL, columns[0], 2, two, result, "elements of out overlap");
  o.dim = 0;
  o.out_strides = far;
  CHECK_STATUS(portable_scan("bad", SUM, REAL, columns[0], 2, two, &o, result), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("out spans more bytes");
  o.strides = NULL;
  o.out_strides = NULL;
  o.dim = 3;
  REFUSED(SUM, REAL, values, 2, n, result, "dim is 3");
  o.dim = 0;
  o.order = 2;
  REFUSED(SUM, REAL, values, 2, n, result, "order is 2");
  o.order = 0;
  o.flags = 0x100;
  REFUSED(SUM, REAL, values, 2, n, result, "flags is 0x100");
  o.flags = 0;
  o.struct_size = 1000;
  REFUSED(SUM, REAL, values, 2, n, result, "struct_size is 1000");
  o.struct_size = (uint32_t)sizeof o;
  CHECK_STATUS(portable_scan("bad", SUM, REAL, values, 2, huge, NULL, result), PORTABLE_ERR_OVERFLOW);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.device = 77;
  o.launch = &config;
  CHECK_STATUS(portable_scan("bad", SUM, REAL, values, 1, n, &o, result), PORTABLE_ERR_NODEVICE);
  CHECK_TEXT("scan 'bad': there is no device 77");
  config.struct_size = 3000;
  REFUSED(SUM, REAL, values, 1, n, result, "launch.struct_size is 3000");
  for (int i = 0; i < 4; i++) CHECK(result[i] == 0);
}

static void test_no_memory(void) {
  static int32_t many[150000];
  portable_config small = PORTABLE_CONFIG_INIT;
  int64_t n = sizeof many / sizeof *many;
  small.pool_initial_bytes = small.pool_limit_bytes = 1 << 20;
  CHECK_STATUS(portable_init(&small), PORTABLE_OK);
  struct check_taken *all = check_take_all();
  for (int64_t i = 0; i < n; i++) many[i] = 1;
  CHECK_STATUS(portable_scan("full", PORTABLE_REDUCE_SUM, PORTABLE_KIND_INT32, many, 1, &n, NULL, many), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("scan 'full': no scratch memory: ");
  CHECK(many[0] == 1 && many[1] == 1 && many[n - 1] == 1);
  check_give_back(all);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
}

int main(void) {
  int64_t n = 4;
  CHECK_STATUS(portable_scan("early", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 1, &n, NULL, result), PORTABLE_ERR_STATE);
  test_no_memory();
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  fill();
  test_sizes();
  test_many();
  for (int32_t rank = 1; rank <= PORTABLE_LOOP_RANK; rank++)
    for (int32_t order = 0; order < 2; order++) test_sections(rank, order);
  const int64_t shapes[][3] = {{3, 5, 4}, {20, 17, 33}, {1, 40, 2}, {2, 3, 5000}, {5000, 2, 3}, {2, 5000, 3}, {70, 70, 11}, {9, 3000, 2}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) test_dim(shapes[i]);
  test_threads();
  test_kinds();
  test_nested();
  test_stream();
  test_empty();
  test_misuse();
  return check_end();
}
