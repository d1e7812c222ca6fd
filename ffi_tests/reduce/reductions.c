/* reductions.c - reductions as launches from C: every operation and kind against plain loops, the bits over devices, threads,
 * schedules and nesting, spaces of all ranks, what is empty, what is not a number. Not in this file: errors and live-outs
 * (liveouts.c). */
#include "check.h"

#include <float.h>
#include <math.h>

enum { MOST = 200000 };

static double values[MOST];
static float singles[MOST];

/* 0 to 1, the same in each run. */
static double random_value(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

/* ---- the bits of a sum ---- */

struct leaves {
  double *part;
  int64_t *number_max;
};

static void sum(const portable_tile *t, void *args, void *const *partial) {
  double s = 0, *p = partial[0];
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) s += values[i];
  *p += s;
}

/* The same, and what each leaf had. Serial. */
static void sum_and_note(const portable_tile *t, void *args, void *const *partial) {
  const struct leaves *l = args;
  sum(t, NULL, partial);
  l->part[t->number] = *(double *)partial[0];
  if (t->number > *l->number_max) *l->number_max = t->number;
}

/* The tree, said differently: the largest power of two on the left, the rest on the right. */
static double tree(const double *p, int64_t n) {
  int64_t left = 1;
  if (n == 1) return p[0];
  while (2 * left < n) left *= 2;
  return tree(p, left) + tree(p + left, n - left);
}

struct nest {
  int64_t n;
  double result;
};

static void inside(const portable_tile *t, void *args) {
  struct nest *nest = args;
  portable_bounds b = portable_bounds_1(nest->n);
  if (t->lower[0] > 0) return;
  portable_reduction r = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &nest->result);
  CHECK_STATUS(portable_parallel_reduce("nested", &b, sum, NULL, 0, &r, 1, NULL), PORTABLE_OK);
}

static void test_bits(void) {
  static double part[MOST];
  static const int64_t sizes[] = {1, 2, 15, 16, 17, 1000, 1023, 1024, 4097, 65536, MOST};
  portable_device serial = 1, threads = 2;
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    int64_t n = sizes[k], last = 0;
    double wanted, found;
    struct leaves l = {part, &last};
    portable_bounds b = portable_bounds_1(n);
    portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
    portable_reduction r = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &wanted);
    config.device = serial;
    CHECK_STATUS(portable_parallel_reduce("note", &b, sum_and_note, &l, sizeof l, &r, 1, &config), PORTABLE_OK);
    CHECK(wanted == tree(part, last + 1));
    CHECK(last < 8192 && (n < 1024 || last >= 8));
    r.to = &found;
    CHECK_STATUS(portable_device_find("threads", &threads), PORTABLE_OK);
    int32_t before = portable_num_threads();
    for (int32_t workers = 1; workers <= 5; workers += 1 + workers / 3) {
      CHECK_STATUS(portable_set_num_threads(workers), PORTABLE_OK);
      config.device = threads;
      for (config.schedule = PORTABLE_SCHEDULE_STATIC; config.schedule <= PORTABLE_SCHEDULE_DYNAMIC; config.schedule++) {
        found = -1;
        CHECK_STATUS(portable_parallel_reduce("sum", &b, sum, NULL, 0, &r, 1, &config), PORTABLE_OK);
        CHECK(found == wanted);
      }
    }
    CHECK_STATUS(portable_set_num_threads(before), PORTABLE_OK);
    struct nest nest = {n, -1};
    portable_bounds two = portable_bounds_1(2);
    CHECK_STATUS(portable_parallel_for("around", &two, inside, &nest, 0, NULL), PORTABLE_OK);
    CHECK(nest.result == wanted);
  }
}

/* ---- every operation and kind ---- */

#define KINDS(X) \
  X(int8, int8_t, PORTABLE_KIND_INT8) X(int16, int16_t, PORTABLE_KIND_INT16) X(int32, int32_t, PORTABLE_KIND_INT32) \
  X(int64, int64_t, PORTABLE_KIND_INT64) X(real32, float, PORTABLE_KIND_REAL32) X(real64, double, PORTABLE_KIND_REAL64)

/* Small whole numbers, so that any order gives the same sum; products of 1 and -1, and two 2. */
static int element(int64_t i) { return (int)(values[i] * 200) - 100; }
static int factor(int64_t i, int64_t n) { return i == 3 || i == n - 1 ? 2 : values[i] < 0.5 ? -1 : 1; }

#define EVERY(name, type, number) \
  static void every_##name(const portable_tile *t, void *args, void *const *partial) { \
    int64_t n = *(const int64_t *)args; \
    type *s = partial[0], *p = partial[1], *low = partial[2], *high = partial[3]; \
    portable_loc_##name *at_low = partial[4], *at_high = partial[5]; \
    for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) { \
      type x = (type)element(i); \
      *s = (type)(*s + x); \
      *p = (type)(*p * (type)factor(i, n)); \
      PORTABLE_MIN(low, x); \
      PORTABLE_MAX(high, x); \
      PORTABLE_MINLOC(at_low, x, i); \
      PORTABLE_MAXLOC(at_high, x, i); \
    } \
  } \
  static void test_##name(int64_t n) { \
    type s = 77, p = 77, low = 77, high = 77, S = 0, P = 1; \
    portable_loc_##name at_low, at_high, L = {0, -1}, H = {0, -1}; \
    portable_reduction r[] = { \
      PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, number, &s), PORTABLE_REDUCTION(PORTABLE_REDUCE_PRODUCT, number, &p), \
      PORTABLE_REDUCTION(PORTABLE_REDUCE_MIN, number, &low), PORTABLE_REDUCTION(PORTABLE_REDUCE_MAX, number, &high), \
      PORTABLE_REDUCTION(PORTABLE_REDUCE_MINLOC, number, &at_low), PORTABLE_REDUCTION(PORTABLE_REDUCE_MAXLOC, number, &at_high)}; \
    portable_bounds b = portable_bounds_1(n); \
    for (int64_t i = 0; i < n; i++) { \
      type x = (type)element(i); \
      S = (type)(S + x); \
      P = (type)(P * (type)factor(i, n)); \
      if (L.index < 0 || x < L.value) L.value = x, L.index = i; \
      if (H.index < 0 || x > H.value) H.value = x, H.index = i; \
    } \
    CHECK_STATUS(portable_parallel_reduce(#name, &b, every_##name, &n, sizeof n, r, 6, NULL), PORTABLE_OK); \
    CHECK(s == S && p == P && low == L.value && high == H.value); \
    CHECK(at_low.value == L.value && at_low.index == L.index && at_high.value == H.value && at_high.index == H.index); \
  }
KINDS(EVERY)

struct c32 { float re, im; };
struct c64 { double re, im; };

static void complexes(const portable_tile *t, void *args, void *const *partial) {
  struct c32 *s32 = partial[0];
  struct c64 *s64 = partial[1], *p64 = partial[2], *wide = partial[3];
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    s32->re += (float)element(i), s32->im -= (float)element(i);
    s64->re += element(i), s64->im += 1;
    struct c64 p = *p64; /* times i: four of them are 1 */
    p64->re = -p.im, p64->im = p.re;
    wide->re += 0x1p-30 * element(i), wide->im += 1;
  }
}

static void test_complex(int64_t n) {
  struct c32 s32, wide;
  struct c64 s64, p64;
  portable_reduction r[] = {
    PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_COMPLEX32, &s32), PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_COMPLEX64, &s64),
    PORTABLE_REDUCTION(PORTABLE_REDUCE_PRODUCT, PORTABLE_KIND_COMPLEX64, &p64), PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_COMPLEX32, &wide)};
  r[3].flags = PORTABLE_REDUCE_WIDE;
  portable_bounds b = portable_bounds_1(n);
  double sum_of = 0;
  for (int64_t i = 0; i < n; i++) sum_of += element(i);
  CHECK_STATUS(portable_parallel_reduce("complex", &b, complexes, NULL, 0, r, 4, NULL), PORTABLE_OK);
  CHECK(s32.re == (float)sum_of && s32.im == -(float)sum_of && s64.re == sum_of && s64.im == (double)n);
  static const struct c64 turns[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  CHECK(p64.re == turns[n % 4].re && p64.im == turns[n % 4].im);
  CHECK(wide.re == (float)(0x1p-30 * sum_of) && wide.im == (float)n);
}

static void logicals(const portable_tile *t, void *args, void *const *partial) {
  int64_t wanted = *(const int64_t *)args, *n = partial[3], *n32 = partial[4];
  int32_t *any = partial[0], *all = partial[1], *none = partial[2];
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    *any = *any || i == wanted;
    *all = *all && i != wanted;
    *none |= i < 0;
    *n += values[i] < 0.25;
    *n32 += values[i] < 0.25;
  }
}

static void test_logical(int64_t n) {
  int8_t any;
  int16_t all;
  int32_t none, count32;
  int64_t count, wanted;
  portable_reduction r[] = {
    PORTABLE_REDUCTION(PORTABLE_REDUCE_ANY, PORTABLE_KIND_LOGICAL8, &any), PORTABLE_REDUCTION(PORTABLE_REDUCE_ALL, PORTABLE_KIND_LOGICAL16, &all),
    PORTABLE_REDUCTION(PORTABLE_REDUCE_ANY, PORTABLE_KIND_LOGICAL32, &none), PORTABLE_REDUCTION(PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT64, &count),
    PORTABLE_REDUCTION(PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT32, &count32)};
  portable_bounds b = portable_bounds_1(n);
  int64_t few = 0;
  for (int64_t i = 0; i < n; i++) few += values[i] < 0.25;
  for (wanted = -1; wanted < n; wanted += 1 + n / 3) {
    any = 77, all = 77, none = 77, count = -77, count32 = -77;
    CHECK_STATUS(portable_parallel_reduce("logical", &b, logicals, &wanted, sizeof wanted, r, 5, NULL), PORTABLE_OK);
    CHECK(any == (wanted >= 0) && all == (wanted < 0) && none == 0 && count == few && count32 == few);
  }
}

/* ---- wide, exact, user ---- */

static void sums(const portable_tile *t, void *args, void *const *partial) {
  double *wide = partial[0];
  portable_exact *e32 = partial[1], *e64 = partial[2], *all = partial[3];
  (void)args;
  size_t n = (size_t)(t->upper[0] - t->lower[0] + 1);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) *wide += (double)singles[i];
  portable_exact_add_array32(e32, singles + t->lower[0], n);
  portable_exact_add_array(e64, values + t->lower[0], n);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) portable_exact_add(all, values[i]);
}

static void test_exact(int64_t n) {
  float wide, e32;
  double e64;
  portable_exact all, plain;
  portable_reduction r[] = {
    PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL32, &wide), PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL32, &e32),
    PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &e64), PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_EXACT, &all)};
  r[0].flags = PORTABLE_REDUCE_WIDE;
  r[1].flags = r[2].flags = PORTABLE_REDUCE_EXACT;
  portable_bounds b = portable_bounds_1(n);
  CHECK_STATUS(portable_parallel_reduce("sums", &b, sums, NULL, 0, r, 4, NULL), PORTABLE_OK);
  portable_exact_init(&plain);
  for (int64_t i = n - 1; i >= 0; i--) portable_exact_add(&plain, (double)singles[i]);
  CHECK(e32 == portable_exact_value32(&plain));
  CHECK(fabsf(wide - e32) <= 2 * FLT_EPSILON * e32);
  portable_exact_init(&plain);
  for (int64_t i = n - 1; i >= 0; i--) portable_exact_add(&plain, values[i]);
  portable_exact_normalise(&plain);
  CHECK(memcmp(&plain, &all, sizeof all) == 0);
  CHECK(e64 == portable_exact_value(&plain));
  /* Into the old value: the old value counts as one more. */
  r[2].flags |= PORTABLE_REDUCE_INTO;
  r[3].flags |= PORTABLE_REDUCE_INTO;
  e64 = 1e-30;
  CHECK_STATUS(portable_parallel_reduce("sums", &b, sums, NULL, 0, r, 4, NULL), PORTABLE_OK);
  portable_exact_merge(&plain, &plain);
  CHECK(portable_exact_value(&all) == portable_exact_value(&plain));
  portable_exact_init(&plain);
  for (int64_t i = 0; i < n; i++) portable_exact_add(&plain, values[i]);
  portable_exact_add(&plain, 1e-30);
  CHECK(e64 == portable_exact_value(&plain));
}

enum { BINS = 500 }; /* more than what has its place on a stack */

static void histogram(const portable_tile *t, void *args, void *const *partial) {
  int32_t *bin = partial[0], *least = partial[1];
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    bin[(int)(values[i] * BINS)]++;
    if (*least < 0) *least = (int32_t)i; /* the first one of the leaf */
  }
}

static void add_bins(void *into, const void *from, void *context) {
  int32_t *a = into;
  const int32_t *b = from;
  for (int i = 0; i < BINS; i++) a[i] += b[i];
  ++*(int *)context;
}

static void keep_first(void *into, const void *from, void *context) {
  (void)from;
  (void)context;
  CHECK(*(int32_t *)into >= 0);
}

static void test_user(int64_t n) {
  int32_t bins[BINS], wanted[BINS] = {0}, first = -7, none = -1;
  int combined = 0;
  portable_reduction r[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_USER, 0, bins), PORTABLE_REDUCTION(PORTABLE_REDUCE_USER, 0, &first)};
  r[0].bytes = sizeof bins;
  r[0].combine = add_bins;
  r[0].context = &combined;
  r[1].bytes = sizeof first;
  r[1].combine = keep_first;
  r[1].identity = &none;
  portable_bounds b = portable_bounds_1(n);
  for (int64_t i = 0; i < n; i++) wanted[(int)(values[i] * BINS)]++;
  CHECK_STATUS(portable_parallel_reduce("histogram", &b, histogram, NULL, 0, r, 2, NULL), PORTABLE_OK);
  CHECK(memcmp(bins, wanted, sizeof bins) == 0);
  CHECK(first == 0 && (combined > 0) == (n > 31));
  for (int i = 0; i < BINS; i++) wanted[i] *= 2;
  r[0].flags = PORTABLE_REDUCE_INTO;
  CHECK_STATUS(portable_parallel_reduce("histogram", &b, histogram, NULL, 0, r, 2, NULL), PORTABLE_OK);
  CHECK(memcmp(bins, wanted, sizeof bins) == 0);
}

/* ---- NaN and nothing ---- */

static void least(const portable_tile *t, void *args, void *const *partial) {
  const double *x = args;
  double *low = partial[0], *high = partial[1];
  portable_loc_real64 *at = partial[2], *top = partial[3];
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    PORTABLE_MIN(low, x[i]);
    PORTABLE_MAX(high, x[i]);
    PORTABLE_MINLOC(at, x[i], i);
    PORTABLE_MAXLOC(top, x[i], i);
  }
}

static void least_with_nan(const portable_tile *t, void *args, void *const *partial) {
  *(double *)partial[0] = t->number % 3 == 1 ? (double)t->number : (double)NAN;
  ((portable_loc_real64 *)partial[1])->value = t->number % 3 == 1 ? 5.0 : (double)NAN;
  ((portable_loc_real64 *)partial[1])->index = t->lower[0];
  (void)args;
}

static void test_nan(void) {
  static double x[3000];
  double low, high;
  portable_loc_real64 at, top;
  portable_bounds b = portable_bounds_1(3000), empty = portable_bounds_1(0);
  portable_reduction r[] = {
    PORTABLE_REDUCTION(PORTABLE_REDUCE_MIN, PORTABLE_KIND_REAL64, &low), PORTABLE_REDUCTION(PORTABLE_REDUCE_MAX, PORTABLE_KIND_REAL64, &high),
    PORTABLE_REDUCTION(PORTABLE_REDUCE_MINLOC, PORTABLE_KIND_REAL64, &at), PORTABLE_REDUCTION(PORTABLE_REDUCE_MAXLOC, PORTABLE_KIND_REAL64, &top)};
  for (int i = 0; i < 3000; i++) x[i] = (double)NAN;
  x[2000] = x[2500] = 7;
  CHECK_STATUS(portable_parallel_reduce("nan", &b, least, x, 0, r, 4, NULL), PORTABLE_OK);
  CHECK(low == 7 && high == 7 && at.index == 2000 && at.value == 7 && top.index == 2000 && top.value == 7);
  for (int i = 0; i < 3000; i++) x[i] = (double)INFINITY;
  CHECK_STATUS(portable_parallel_reduce("inf", &b, least, x, 0, r, 4, NULL), PORTABLE_OK);
  CHECK(isinf(low) && low > 0 && isinf(high) && high > 0 && at.index == 0 && top.index == 0);
  /* Leaves whose partial result is no number give way to others, wherever they are. */
  portable_reduction two[] = {r[0], r[2]};
  CHECK_STATUS(portable_parallel_reduce("leaves", &b, least_with_nan, NULL, 0, two, 2, NULL), PORTABLE_OK);
  CHECK(low == 1 && at.value == 5 && at.index > 0);
  /* Nothing at all. */
  CHECK_STATUS(portable_parallel_reduce("empty", &empty, least, x, 0, r, 4, NULL), PORTABLE_OK);
  CHECK(low == DBL_MAX && high == -DBL_MAX && at.value == DBL_MAX && at.index == -1 && top.value == -DBL_MAX && top.index == -1);
  for (int i = 0; i < 4; i++) r[i].flags = PORTABLE_REDUCE_INTO;
  low = 3, high = 4;
  CHECK_STATUS(portable_parallel_reduce("empty", &empty, least, x, 0, r, 2, NULL), PORTABLE_OK);
  CHECK(low == 3 && high == 4);
  for (int i = 0; i < 3000; i++) x[i] = i % 100;
  low = -3, high = 40;
  at.value = -5, at.index = 12345, top.value = 99, top.index = 98;
  CHECK_STATUS(portable_parallel_reduce("into", &b, least, x, 0, r, 4, NULL), PORTABLE_OK);
  CHECK(low == -3 && high == 99 && at.value == -5 && at.index == 12345 && top.value == 99 && top.index == 98);
}

static void nothing(const portable_tile *t, void *args, void *const *partial) {
  (void)t, (void)args, (void)partial;
  CHECK(!"a kernel was called without an iteration");
}

static void test_empty(void) {
  int8_t n8 = 5, low8 = 5, high8 = 5;
  double p = 5;
  int32_t all = 5, any = 5;
  int64_t count = 5;
  float wide = 5, exact = 5;
  portable_reduction r[] = {
    PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_INT8, &n8), PORTABLE_REDUCTION(PORTABLE_REDUCE_PRODUCT, PORTABLE_KIND_REAL64, &p),
    PORTABLE_REDUCTION(PORTABLE_REDUCE_MIN, PORTABLE_KIND_INT8, &low8), PORTABLE_REDUCTION(PORTABLE_REDUCE_MAX, PORTABLE_KIND_INT8, &high8),
    PORTABLE_REDUCTION(PORTABLE_REDUCE_ALL, PORTABLE_KIND_LOGICAL32, &all), PORTABLE_REDUCTION(PORTABLE_REDUCE_ANY, PORTABLE_KIND_LOGICAL32, &any),
    PORTABLE_REDUCTION(PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT64, &count), PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL32, &wide),
    PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL32, &exact)};
  r[7].flags = PORTABLE_REDUCE_WIDE;
  r[8].flags = PORTABLE_REDUCE_EXACT;
  portable_bounds b = portable_bounds_3(5, 0, 7);
  CHECK_STATUS(portable_parallel_reduce("empty", &b, nothing, NULL, 0, r, 9, NULL), PORTABLE_OK);
  CHECK(n8 == 0 && p == 1 && low8 == INT8_MAX && high8 == INT8_MIN && all == 1 && any == 0 && count == 0 && wide == 0 && exact == 0);
  int32_t bins[BINS];
  portable_reduction u = PORTABLE_REDUCTION(PORTABLE_REDUCE_USER, 0, bins);
  u.bytes = sizeof bins;
  u.combine = add_bins;
  memset(bins, 1, sizeof bins);
  CHECK_STATUS(portable_parallel_reduce("empty", &b, nothing, NULL, 0, &u, 1, NULL), PORTABLE_OK);
  for (int i = 0; i < BINS; i++) CHECK(bins[i] == 0);
}

/* ---- spaces ---- */

struct space { int64_t lower[PORTABLE_LOOP_RANK], extent[PORTABLE_LOOP_RANK], stride[PORTABLE_LOOP_RANK]; };

/* Counts, and adds up the number that each index has in the space, whatever the rank. */
static void visit(const portable_tile *t, void *args, void *const *partial) {
  const struct space *s = args;
  int64_t index[PORTABLE_LOOP_RANK], *count = partial[0], *numbers = partial[1];
  for (int d = 0; d < t->rank; d++) index[d] = t->lower[d];
  for (;;) {
    int64_t at = 0;
    for (int d = 0; d < t->rank; d++) at = at * s->extent[d] + (index[d] - s->lower[d]) / s->stride[d];
    ++*count;
    *numbers += at;
    int d = t->rank - 1;
    while (d >= 0 && (index[d] += t->stride[d]) > t->upper[d]) {
      index[d] = t->lower[d];
      d--;
    }
    if (d < 0) return;
  }
}

static void test_spaces(void) {
  const int64_t upper[] = {9, 12, 6, 3, 4, 1, 8, 1};
  struct space s = {{-3, 5, 0, 1, 2, -1, 7, 0}, {0}, {2, 3, 1, 2, 1, 2, 1, 1}};
  int64_t count, numbers;
  portable_reduction r[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT64, &count),
                            PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_INT64, &numbers)};
  for (int32_t rank = 1; rank <= PORTABLE_LOOP_RANK; rank++)
    for (int32_t order = 0; order < 2; order++)
      for (int32_t tiled = 0; tiled < 2; tiled++) {
        portable_bounds b;
        portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
        int64_t all = 1;
        for (int d = 0; d < rank; d++) all *= s.extent[d] = (upper[d] - s.lower[d]) / s.stride[d] + 1;
        config.strided = 1;
        for (int d = 0; d < rank && tiled; d++) config.tile[d] = 1 + d % 3;
        CHECK_STATUS(portable_bounds_make(rank, order, s.lower, upper, s.stride, &b), PORTABLE_OK);
        CHECK_STATUS(portable_parallel_reduce("visit", &b, visit, &s, sizeof s, r, 2, &config), PORTABLE_OK);
        CHECK(count == all && numbers == all * (all - 1) / 2);
      }
}

int main(void) {
  static const int64_t sizes[] = {1, 5, 100, 5000, MOST};
  for (int i = 0; i < MOST; i++) {
    values[i] = random_value();
    singles[i] = (float)random_value();
  }
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  test_bits();
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    test_int8(sizes[k]);
    test_int16(sizes[k]);
    test_int32(sizes[k]);
    test_int64(sizes[k]);
    test_real32(sizes[k]);
    test_real64(sizes[k]);
    test_complex(sizes[k] < 40000 ? sizes[k] : 40000); /* a float holds the sum */
    test_logical(sizes[k]);
    test_exact(sizes[k]);
    test_user(sizes[k]);
  }
  test_nan();
  test_empty();
  test_spaces();
  return check_end();
}
