/* filter.c - filters from C: pack, unpack, lists of indices and predicates against loops; any number of threads and each device; too little
 * room; misuse. Not in this file: every size of element (internal/kernels tests). */
#include "check.h"

enum { MOST = 60000 };

static double values[MOST], packed[MOST], back[MOST];
static int32_t truths[MOST], indices[MOST];
static int64_t wide[MOST];

/* The same numbers on every machine. */
static double next_number(void) {
  static uint64_t state = 42;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(int64_t)(state >> 11) / (double)(INT64_C(1) << 50) - 3.0;
}

static void fill(int way) {
  for (int i = 0; i < MOST; i++) {
    values[i] = next_number();
    truths[i] = way == 0 ? values[i] > 0 : way == 1 ? i / 1000 % 2 : way == 2;
  }
}

enum { BOOL = PORTABLE_KIND_LOGICAL32, INT = PORTABLE_KIND_INT32, LONG = PORTABLE_KIND_INT64 };

/* All four, of n elements, against loops. */
static void test_size(int64_t n) {
  int64_t want = 0, count = -7, bad = 0;
  memset(packed, 1, sizeof packed);
  CHECK_STATUS(portable_pack("pack", 8, values, 1, &n, BOOL, truths, NULL, packed, n, &count), PORTABLE_OK);
  for (int64_t i = 0; i < n; i++)
    if (truths[i]) bad += packed[want++] != values[i];
  CHECK(bad == 0 && count == want);
  for (int64_t i = 0; i < n; i++) back[i] = -5;
  CHECK_STATUS(portable_unpack("unpack", 8, packed, count, 1, &n, BOOL, truths, NULL, back, &count), PORTABLE_OK);
  CHECK(count == want);
  for (int64_t i = 0; i < n; i++) bad += back[i] != (truths[i] ? values[i] : -5);
  CHECK(bad == 0);
  CHECK_STATUS(portable_filter_indices("list", 1, &n, BOOL, truths, NULL, 1, INT, indices, want, &count), PORTABLE_OK);
  CHECK(count == want);
  CHECK_STATUS(portable_filter_indices("list", 1, &n, BOOL, truths, NULL, INT64_C(1) << 40, LONG, wide, n, &count), PORTABLE_OK);
  int64_t at = 0;
  for (int64_t i = 0; i < n; i++)
    if (truths[i]) {
      bad += indices[at] != i + 1 || wide[at] != i + (INT64_C(1) << 40);
      at++;
    }
  CHECK(bad == 0 && count == want);
}

struct cloudy {
  const double *water;
  double least;
};

static void is_cloudy(const portable_tile *t, void *args, unsigned char *chosen) {
  const struct cloudy *c = args;
  for (int64_t i = t->lower[0], k = 0; i <= t->upper[0]; i += t->stride[0], k++) chosen[k] = c->water[i] > c->least ? 4 : 0;
}

static void test_predicate(int64_t lower, int64_t upper, int64_t stride, const portable_launch_config *with) {
  struct cloudy c = {values, 1};
  portable_bounds b;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  int64_t count = -7, want = 0, bad = 0;
  if (with) config = *with;
  config.strided = 1;
  CHECK_STATUS(portable_bounds_make(1, PORTABLE_ORDER_C, &lower, &upper, &stride, &b), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_filter("cloudy", &b, is_cloudy, &c, sizeof c, INT, indices, MOST, &count, &config), PORTABLE_OK);
  for (int64_t i = lower; i <= upper; i += stride)
    if (values[i] > 1) bad += indices[want++] != i;
  CHECK(bad == 0 && count == want);
}

static void test_threads(void) {
  int32_t before = portable_num_threads();
  portable_launch_config on = PORTABLE_LAUNCH_CONFIG_INIT;
  fill(0);
  for (int32_t threads = 1; threads <= 7; threads++) {
    CHECK_STATUS(portable_set_num_threads(threads), PORTABLE_OK);
    test_size(MOST);
    test_predicate(0, MOST - 1, 1, NULL);
  }
  CHECK_STATUS(portable_set_num_threads(before), PORTABLE_OK);
  for (on.device = 1; on.device <= portable_device_count(); on.device++) {
    on.schedule = PORTABLE_SCHEDULE_DYNAMIC;
    on.tile[0] = 100;
    test_predicate(17, MOST - 3, 3, &on);
    on.tile[0] = 10000;
    test_predicate(0, MOST - 1, 1, &on);
  }
  test_predicate(5, 5, 1, NULL);
  test_predicate(5, 4, 1, NULL);
  test_predicate(0, 999, 7, NULL);
}

/* A section of a field of two dimensions, backwards, with a mask in another order of memory. */
static void test_sections(void) {
  enum { N = 60, M = 70 };
  static float field[N][2 * M], out[N * M], again[N][2 * M];
  static unsigned char mask[M][N];
  int64_t extents[2] = {N, M}, strides[2] = {(int64_t)sizeof field[0], -8}, mask_strides[2] = {1, N}, count = 0, want = 0, bad = 0;
  portable_filter_options o = PORTABLE_FILTER_OPTIONS_INIT;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 2 * M; j++) field[i][j] = (float)(1000 * i + j), again[i][j] = -1, mask[j / 2][i] = (i * j) % 3 == 0;
  o.strides = strides;
  o.mask_strides = mask_strides;
  for (o.order = 0; o.order < 2; o.order++) {
    want = 0;
    CHECK_STATUS(portable_pack("section", 4, &field[0][2 * M - 1], 2, extents, PORTABLE_KIND_LOGICAL8, mask, &o, out, N * M, &count), PORTABLE_OK);
    for (int n = 0; n < N * M; n++) {
      int i = o.order ? n % N : n / M, j = o.order ? n / N : n % M;
      if (mask[j][i]) bad += out[want++] != field[i][2 * M - 1 - 2 * j];
    }
    CHECK(bad == 0 && count == want);
    CHECK_STATUS(portable_unpack("section", 4, out, count, 2, extents, PORTABLE_KIND_LOGICAL8, mask, &o, &again[0][2 * M - 1], NULL), PORTABLE_OK);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++) {
        bad += again[i][2 * M - 1 - 2 * j] != (mask[j][i] ? field[i][2 * M - 1 - 2 * j] : -1);
        bad += again[i][2 * j] != -1; /* between */
      }
    CHECK(bad == 0);
  }
  /* One logical for all; elements that are structs; a vector behind the chosen ones. */
  struct three { char c[3]; } from[5] = {{"ab"}, {"cd"}, {"ef"}, {"gh"}, {"ij"}}, to[7], rest[7];
  int64_t zero = 0, five = 5;
  memset(rest, 'z', sizeof rest);
  o = (portable_filter_options)PORTABLE_FILTER_OPTIONS_INIT;
  o.mask_strides = &zero;
  o.rest = rest;
  CHECK_STATUS(portable_pack("structs", 3, from, 1, &five, PORTABLE_KIND_LOGICAL8, "x", &o, to, 7, &count), PORTABLE_OK);
  CHECK(count == 5 && memcmp(to, from, sizeof from) == 0 && memcmp(&to[5], rest, 6) == 0);
}

/* The elements that fit are there, the number needed is given, the rest stays. */
static void test_room(void) {
  int64_t n = MOST, count = 0, want = 0;
  fill(0);
  for (int i = 0; i < MOST; i++) want += truths[i] != 0;
  CHECK_STATUS(portable_pack("all", 8, values, 1, &n, BOOL, truths, NULL, back, n, &count), PORTABLE_OK);
  const int64_t rooms[] = {0, 1, 5000, want - 1};
  for (int k = 0; k < 4; k++) {
    int64_t room = rooms[k];
    for (int i = 0; i < MOST; i++) packed[i] = -9, indices[i] = -9;
    CHECK_STATUS(portable_pack("little", 8, values, 1, &n, BOOL, truths, NULL, packed, room, &count), PORTABLE_ERR_OVERFLOW);
    CHECK_TEXT("pack 'little'");
    CHECK(count == want && memcmp(packed, back, sizeof *packed * (size_t)room) == 0 && packed[room] == -9);
    CHECK_STATUS(portable_filter_indices("little", 1, &n, BOOL, truths, NULL, 0, INT, indices, room, &count), PORTABLE_ERR_OVERFLOW);
    CHECK(count == want && indices[room] == -9);
    portable_bounds b = portable_bounds_1(n);
    struct cloudy c = {values, 0};
    CHECK_STATUS(portable_parallel_filter("little", &b, is_cloudy, &c, sizeof c, INT, indices, room, &count, NULL), PORTABLE_ERR_OVERFLOW);
    CHECK_TEXT("parallel_filter 'little'");
    CHECK(count == want && indices[room] == -9);
    CHECK_STATUS(portable_unpack("little", 8, back, room, 1, &n, BOOL, truths, NULL, packed, &count), PORTABLE_ERR_OVERFLOW);
    CHECK_TEXT("unpack 'little'");
    CHECK(count == want);
  }
}

static void fails(const portable_tile *t, void *args, unsigned char *chosen) {
  (void)args;
  chosen[0] = 1;
  if (t->number == 3) portable_kernel_fail(t, 17, "no such cloud");
}

static void nests(const portable_tile *t, void *args, unsigned char *chosen) {
  int64_t n = 100, count = 0;
  int32_t list[100];
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
    chosen[i - t->lower[0]] =
      portable_filter_indices("inner", 1, &n, BOOL, truths + i, NULL, 0, INT, list, n, &count) == PORTABLE_OK && count > 50;
}

static void test_kernels(void) {
  portable_bounds b = portable_bounds_1(1000);
  int64_t count = -7, want = 0, bad = 0;
  CHECK_STATUS(portable_parallel_filter("fails", &b, fails, NULL, 0, INT, indices, MOST, &count, NULL), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_filter 'fails': the kernel failed with code 17: no such cloud");
  CHECK(count == 0);
  CHECK_STATUS(portable_parallel_filter("nests", &b, nests, NULL, 0, INT, indices, MOST, &count, NULL), PORTABLE_OK);
  for (int i = 0; i < 1000; i++) {
    int many = 0;
    for (int k = 0; k < 100; k++) many += truths[i + k] != 0;
    if (many > 50) bad += indices[want++] != i;
  }
  CHECK(bad == 0 && count == want);
}

#define REFUSED(call, code, text)                                          \
  do {                                                                     \
    count = -7;                                                            \
    CHECK_STATUS(call, code);                                              \
    CHECK_TEXT("'bad'");                                                   \
    CHECK_TEXT(text);                                                      \
    CHECK(count == 0);                                                     \
  } while (0)

static void test_misuse(void) {
  int64_t n[9] = {4, 3, 1, 1, 1, 1, 1, 1, 1}, negative = -1, huge[2] = {INT64_C(1) << 40, INT64_C(1) << 40}, count = 0;
  portable_filter_options o = PORTABLE_FILTER_OPTIONS_INIT;
#define PACK(bytes, data, rank, extents, kind, mask, out, room) portable_pack("bad", bytes, data, rank, extents, kind, mask, &o, out, room, &count)
  REFUSED(PACK(0, values, 1, n, BOOL, truths, packed, 9), PORTABLE_ERR_ARG, "element_bytes is 0");
  REFUSED(PACK(8, NULL, 1, n, BOOL, truths, packed, 9), PORTABLE_ERR_ARG, "data is NULL");
  REFUSED(PACK(8, values, 1, n, BOOL, NULL, packed, 9), PORTABLE_ERR_ARG, "mask is NULL");
  REFUSED(PACK(8, values, 1, n, BOOL, truths, NULL, 9), PORTABLE_ERR_ARG, "out is NULL");
  REFUSED(PACK(8, values, 1, n, INT, truths, packed, 9), PORTABLE_ERR_ARG, "mask_kind is 3");
  REFUSED(PACK(8, values, 0, n, BOOL, truths, packed, 9), PORTABLE_ERR_ARG, "rank is 0");
  REFUSED(PACK(8, values, 9, n, BOOL, truths, packed, 9), PORTABLE_ERR_ARG, "rank is 9");
  REFUSED(PACK(8, values, 1, NULL, BOOL, truths, packed, 9), PORTABLE_ERR_ARG, "extents is NULL");
  REFUSED(PACK(8, values, 1, &negative, BOOL, truths, packed, 9), PORTABLE_ERR_ARG, "extent 1 is -1");
  REFUSED(PACK(8, values, 1, n, BOOL, truths, packed, -1), PORTABLE_ERR_ARG, "-1 elements of out");
  REFUSED(PACK(8, values, 2, huge, BOOL, truths, packed, 9), PORTABLE_ERR_OVERFLOW, "64-bit");
  REFUSED(PACK(8, values, 1, n, BOOL, truths, values + 2, 9), PORTABLE_ERR_ARG, "overlaps out");
  REFUSED(PACK(8, values, 1, n, BOOL, packed + 1, packed, 9), PORTABLE_ERR_ARG, "out (");
  REFUSED(portable_unpack("bad", 8, values, 4, 1, n, BOOL, truths, NULL, values + 1, &count), PORTABLE_ERR_ARG, "overlaps vector");
  REFUSED(portable_unpack("bad", 8, values, 4, 1, n, BOOL, packed, NULL, packed, &count), PORTABLE_ERR_ARG, "overlaps the mask");
  REFUSED(portable_filter_indices("bad", 1, n, BOOL, truths, NULL, 0, BOOL, indices, 9, &count), PORTABLE_ERR_ARG, "index_kind is 11");
  REFUSED(portable_filter_indices("bad", 1, n, BOOL, truths, NULL, INT32_MAX - 2, INT, indices, 9, &count), PORTABLE_ERR_OVERFLOW, "take int64");
  REFUSED(portable_filter_indices("bad", 1, n, BOOL, truths, NULL, INT64_MAX - 2, LONG, wide, 9, &count), PORTABLE_ERR_OVERFLOW, "do not fit int64");
  CHECK_STATUS(portable_filter_indices("bad", 1, n, BOOL, truths, NULL, 0, INT, indices, 9, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("count_out is NULL");
  const int64_t nowhere = 0, away = INT64_MAX / 2;
  o.packed_stride = 4;
  REFUSED(PACK(8, values, 1, n, BOOL, truths, packed, 9), PORTABLE_ERR_ARG, "elements of out overlap");
  o.packed_stride = -2;
  REFUSED(portable_filter_indices("bad", 1, n, BOOL, truths, &o, 0, INT, indices + 9, 9, &count), PORTABLE_ERR_ARG, "elements of indices overlap");
  o.packed_stride = 0;
  o.strides = &nowhere;
  REFUSED(portable_unpack("bad", 8, packed, 4, 1, n, BOOL, truths, &o, values, &count), PORTABLE_ERR_ARG, "elements of data overlap");
  o.strides = &away;
  REFUSED(PACK(8, values, 1, n, BOOL, truths, packed, 9), PORTABLE_ERR_OVERFLOW, "data spans more bytes");
  o.strides = NULL;
  /* Columns next to each other are apart, though one lies between the other's ends. */
  double columns[6][4] = {{1}, {2}, {3}, {4}, {5}, {6}};
  unsigned char all[6] = {1, 1, 1, 1, 1, 1};
  int64_t six = 6;
  const int64_t row = sizeof columns[0];
  o.strides = &row;
  o.packed_stride = row;
  CHECK_STATUS(PACK(8, columns[0], 1, &six, PORTABLE_KIND_LOGICAL8, all, columns[0] + 3, 6), PORTABLE_OK);
  CHECK(count == 6 && columns[5][3] == 6 && columns[0][3] == 1 && columns[5][2] == 0);
  o.strides = NULL;
  o.packed_stride = 0;
  o.order = 3;
  REFUSED(PACK(8, values, 1, n, BOOL, truths, packed, 9), PORTABLE_ERR_ARG, "order is 3");
  o.order = 0;
  o.struct_size = 1000;
  REFUSED(PACK(8, values, 1, n, BOOL, truths, packed, 9), PORTABLE_ERR_ARG, "struct_size is 1000");
  portable_bounds one = portable_bounds_1(4), two = portable_bounds_2(4, 4), far = one;
  struct cloudy c = {values, 1};
  far.upper[0] = INT64_C(1) << 40;
#define FILTER(bounds, kernel, kind, list, room) portable_parallel_filter("bad", bounds, kernel, &c, sizeof c, kind, list, room, &count, NULL)
  REFUSED(FILTER(NULL, is_cloudy, INT, indices, 9), PORTABLE_ERR_ARG, "bounds is NULL");
  REFUSED(FILTER(&one, NULL, INT, indices, 9), PORTABLE_ERR_ARG, "the predicate is NULL");
  REFUSED(FILTER(&two, is_cloudy, INT, indices, 9), PORTABLE_ERR_ARG, "the rank 2");
  REFUSED(FILTER(&one, is_cloudy, BOOL, indices, 9), PORTABLE_ERR_ARG, "index_kind");
  REFUSED(FILTER(&one, is_cloudy, INT, NULL, 9), PORTABLE_ERR_ARG, "indices is NULL");
  REFUSED(FILTER(&one, is_cloudy, INT, indices, -1), PORTABLE_ERR_ARG, "room is -1");
  REFUSED(FILTER(&far, is_cloudy, INT, indices, 9), PORTABLE_ERR_OVERFLOW, "take int64");
}

static void test_no_memory(void) {
  enum { MANY = 300000 };
  portable_config small = PORTABLE_CONFIG_INIT;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(MOST);
  struct cloudy c = {values, 1};
  int64_t n = MANY, count = -7;
  unsigned char *mask = calloc(MANY, 1);
  small.pool_initial_bytes = small.pool_limit_bytes = 1 << 20;
  CHECK_STATUS(portable_init(&small), PORTABLE_OK);
  struct check_taken *all = check_take_all();
  CHECK_STATUS(portable_filter_indices("full", 1, &n, PORTABLE_KIND_LOGICAL8, mask, NULL, 0, INT, indices, MOST, &count), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("filter_indices 'full': no scratch memory: ");
  config.tile[0] = 16;
  CHECK_STATUS(portable_parallel_filter("full", &b, is_cloudy, &c, sizeof c, INT, indices, MOST, &count, &config), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("parallel_filter 'full': no scratch memory: ");
  CHECK(count == 0);
  check_give_back(all);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  free(mask);
}

int main(void) {
  int64_t n = 4, count = 0;
  CHECK_STATUS(portable_pack("early", 8, values, 1, &n, BOOL, truths, NULL, packed, 4, &count), PORTABLE_ERR_STATE);
  test_no_memory();
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  const int64_t sizes[] = {0, 1, 7, 8, 100, 4095, 4096, 4097, 16384, 16385, 40000};
  for (int way = 0; way < 4; way++) {
    fill(way);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) test_size(sizes[k]);
  }
  test_threads();
  test_sections();
  test_room();
  test_kernels();
  test_misuse();
  return check_end();
}
