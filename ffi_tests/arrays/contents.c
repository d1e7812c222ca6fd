/* contents.c - what is in arrays, from C: fill, copies between any orders, strides and bounds, conversions, comparison, checksums, new
 * arrays like old ones. Each against loops over the elements. Not in this file: how a copy is planned (go test ./arrays). */
#include "check.h"

static uint64_t state = 7;
static int64_t below(int64_t n) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int64_t)((state >> 33) % (uint64_t)n);
}

/* A random array of those extents: any order, any bounds, lines with gaps or without, a part of a larger one or backwards. */
static portable_array any(int32_t kind, size_t bytes, int32_t rank, const int64_t *extents) {
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_array_range ranges[PORTABLE_ARRAY_RANK];
  int32_t fastest[PORTABLE_ARRAY_RANK];
  int64_t lower[PORTABLE_ARRAY_RANK], whole[PORTABLE_ARRAY_RANK];
  portable_array a, b;
  for (int32_t d = 0; d < rank; d++) {
    int32_t k = (int32_t)below(d + 1);
    fastest[d] = fastest[k];
    fastest[k] = d;
    lower[d] = below(7) - 3;
    int64_t gap = below(3), step = 1 + below(2);
    whole[d] = extents[d] * step + gap;
    int64_t first = lower[d] + below(gap + 1), last = first + (extents[d] - 1) * step;
    ranges[d] = below(3) ? (portable_array_range){first, last, step} : (portable_array_range){last, first, -step};
  }
  config.order = PORTABLE_ORDER_PERMUTED;
  config.fastest = fastest;
  config.lower = lower;
  config.row_bytes = below(2) ? 64 : 0;
  CHECK_STATUS(portable_array_create("any", kind, bytes, rank, whole, &config, &a), PORTABLE_OK);
  CHECK_STATUS(portable_array_fill(&a, NULL, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_array_slice(&a, ranges, &b), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  CHECK_STATUS(portable_array_rebase(&b, lower, &b), PORTABLE_OK);
  return b;
}

static void count_up(const portable_array *a) {
  int64_t index[PORTABLE_ARRAY_RANK], n = 0;
  for (int32_t more = portable_array_begin(a, index); more; more = portable_array_next(a, index)) {
    double x = (double)++n;
    if (a->kind == PORTABLE_KIND_REAL64)
      *(double *)portable_array_at(a, index) = x;
    else if (a->kind == PORTABLE_KIND_REAL32)
      *(float *)portable_array_at(a, index) = (float)x;
    else
      memset(portable_array_at(a, index), (int)n, a->element_bytes);
  }
}

/* The i-th index of each dimension is the same element in both; the numbers are small, so that conversions are exact. */
static int same(const portable_array *a, const portable_array *b) {
  int64_t index[PORTABLE_ARRAY_RANK], other[PORTABLE_ARRAY_RANK];
  int equal = 1;
  for (int32_t more = portable_array_begin(a, index); more; more = portable_array_next(a, index)) {
    for (int32_t d = 0; d < a->rank; d++) other[d] = index[d] - a->lower[d] + b->lower[d];
    const void *x = portable_array_at(a, index), *y = portable_array_at(b, other);
    if (a->kind == b->kind)
      equal &= memcmp(x, y, a->element_bytes) == 0;
    else if (a->kind == PORTABLE_KIND_REAL32)
      equal &= (double)*(const float *)x == *(const double *)y;
    else
      equal &= *(const double *)x == (double)*(const float *)y;
  }
  return equal;
}

static void test_copies(void) {
  static const struct { int32_t from, to; size_t bytes; } kinds[] = {
      {PORTABLE_KIND_REAL64, PORTABLE_KIND_REAL64, 0}, {PORTABLE_KIND_REAL32, PORTABLE_KIND_REAL64, 0},
      {PORTABLE_KIND_REAL64, PORTABLE_KIND_REAL32, 0}, {PORTABLE_KIND_INT8, PORTABLE_KIND_INT8, 0},
      {PORTABLE_KIND_COMPLEX64, PORTABLE_KIND_COMPLEX64, 0}, {PORTABLE_KIND_BYTES, PORTABLE_KIND_BYTES, 12}};
  for (int round = 0; round < 300; round++) {
    int64_t extents[PORTABLE_ARRAY_RANK];
    int32_t rank = (int32_t)below(6);
    const int k = (int)below(6);
    for (int32_t d = 0; d < rank; d++) extents[d] = 1 + below(rank > 3 ? 3 : 6);
    portable_array a = any(kinds[k].from, kinds[k].bytes, rank, extents), b = any(kinds[k].to, kinds[k].bytes, rank, extents), c;
    int32_t equal = -1;
    uint64_t sum_a = 1, sum_b = 2, sum_c = 3;
    count_up(&a);
    CHECK_STATUS(portable_array_copy(&a, &b, NULL), PORTABLE_OK);
    CHECK(same(&a, &b));
    CHECK_STATUS(portable_array_equal(&a, &b, &equal), PORTABLE_OK);
    CHECK(equal == (kinds[k].from == kinds[k].to));
    CHECK_STATUS(round % 2 ? portable_array_host_copy(&a, &c) : portable_array_device_copy(&a, &c), PORTABLE_OK);
    CHECK(same(&a, &c) && portable_array_is_contiguous(&c) && portable_array_use_count(&c) == 1 && c.data != a.data);
    CHECK(memcmp(c.lower, a.lower, sizeof a.lower) == 0);
    CHECK_STATUS(portable_array_equal(&a, &c, &equal), PORTABLE_OK);
    CHECK(equal == 1);
    CHECK_STATUS(portable_array_checksum(&a, &sum_a), PORTABLE_OK);
    CHECK_STATUS(portable_array_checksum(&b, &sum_b), PORTABLE_OK);
    CHECK_STATUS(portable_array_checksum(&c, &sum_c), PORTABLE_OK);
    CHECK(sum_a == sum_c && (sum_a == sum_b) == (kinds[k].from == kinds[k].to));
    ((char *)c.data)[below(portable_array_size(&c) * (int64_t)c.element_bytes)] ^= 1;
    CHECK_STATUS(portable_array_equal(&a, &c, &equal), PORTABLE_OK);
    CHECK_STATUS(portable_array_checksum(&c, &sum_c), PORTABLE_OK);
    CHECK(equal == 0 && sum_a != sum_c);
    portable_array_release(&a);
    portable_array_release(&b);
    portable_array_release(&c);
  }
}

static void test_fill(void) {
  const int64_t extents[] = {6, 5};
  portable_array a, b;
  double seven = 7.0, sum = 0;
  CHECK_STATUS(portable_array_create("all", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_array_fill(&a, NULL, NULL), PORTABLE_OK);
  const portable_array_range part[] = {{1, 5, 2}, {3, 3, 1}};
  CHECK_STATUS(portable_array_slice(&a, part, &b), PORTABLE_OK);
  CHECK_STATUS(portable_array_fill(&b, &seven, NULL), PORTABLE_OK);
  for (int i = 0; i < 30; i++) sum += ((double *)a.data)[i];
  CHECK(sum == 21.0 && ((double *)a.data)[5 + 3] == 7.0 && ((double *)a.data)[25 + 3] == 7.0);
  portable_array_release(&a);
  /* elements that are larger than what most are */
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.zero = 1;
  CHECK_STATUS(portable_array_create("large", PORTABLE_KIND_BYTES, 100000, 1, (const int64_t[]){20}, &config, &a), PORTABLE_OK);
  const char *bytes = (const char *)a.data;
  int64_t set = 0;
  for (int64_t i = 0; i < 2000000; i++) set += bytes[i] != 0;
  CHECK(set == 0);
  portable_array_release(&a);
  portable_array_release(&b);
}

static void test_refused(void) {
  portable_array a, b, device;
  int32_t equal = 5;
  double data[12];
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  CHECK_STATUS(portable_array_create("a", PORTABLE_KIND_REAL64, 0, 2, (const int64_t[]){3, 4}, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_array_create("b", PORTABLE_KIND_INT64, 0, 2, (const int64_t[]){3, 4}, NULL, &b), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(&a, &b, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_array_copy of 'a' to 'b': the elements are of the kind real64 (8 bytes) and int64 (8 bytes)");
  CHECK_STATUS(portable_array_equal(&a, &b, &equal), PORTABLE_OK);
  CHECK(equal == 0);
  portable_array_release(&b);
  CHECK_STATUS(portable_array_create("b", PORTABLE_KIND_REAL64, 0, 2, (const int64_t[]){3, 5}, NULL, &b), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(&a, &b, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("has 12 elements (0:2, 0:3), the other 15 (0:2, 0:4)");
  config.space = PORTABLE_SPACE_DEVICE(1);
  CHECK_STATUS(portable_array_wrap("far", PORTABLE_KIND_REAL64, 0, data, 1, (const int64_t[]){12}, NULL, &config, &device), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(&a, &device, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_array_copy of 'far': the array is in memory of device 1, which the host does not reach");
  portable_array_release(&a);
  portable_array_release(&b);
}

/* A shift of an array into itself would depend on the order of the copy. Arrays that share memory, but no element, are copied, and so is an array onto
 * itself. */
static void test_shared(void) {
  enum { N = 90000 };
  static double x[N + 100];
  const int64_t n = N, half = N / 2, two = 2;
  portable_array a, b, odd, even, narrow;
  for (int64_t i = 0; i < N + 100; i++) x[i] = (double)i;
  CHECK_STATUS(portable_array_wrap("a", PORTABLE_KIND_REAL64, 0, x, 1, &n, NULL, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("b", PORTABLE_KIND_REAL64, 0, x + 100, 1, &n, NULL, NULL, &b), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(&a, &b, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_array_copy of 'a' to 'b': the two share memory, but an element of the one lies on another element of the other; copy through a third array");
  CHECK_STATUS(portable_array_copy(&b, &a, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_array_copy_start(&b, &a, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_array_copy(&a, &a, NULL), PORTABLE_OK);
  for (int64_t i = 0; i < N + 100; i++) CHECK(x[i] == (double)i);
  CHECK_STATUS(portable_array_wrap("odd", PORTABLE_KIND_REAL64, 0, x + 1, 1, &half, &two, NULL, &odd), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("even", PORTABLE_KIND_REAL64, 0, x, 1, &half, &two, NULL, &even), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(&even, &odd, NULL), PORTABLE_OK);
  CHECK(x[1] == 0 && x[N - 1] == N - 2 && x[N] == N);
  CHECK_STATUS(portable_array_wrap("narrow", PORTABLE_KIND_REAL32, 0, x + 8, 1, &half, NULL, NULL, &narrow), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(&even, &narrow, NULL), PORTABLE_ERR_ARG);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  test_copies();
  test_fill();
  test_refused();
  test_shared();
  return check_end();
}
