/* atomics.c - atomics from C: what one thread sees (old values, NaN, zeros, wrap-around), and what many do at once inside launches.
 * Not in this file: that they are lock-free (lock_free.sh), their speed (bench). */
#include "check.h"

#include <fenv.h>
#include <math.h>

enum { N = 100000, BINS = 7 };

static void test_integers(void) {
  int32_t i = 5;
  int64_t l = -3;
  CHECK(portable_atomic_add_int32(&i, 7) == 5 && i == 12);
  CHECK(portable_atomic_min_int32(&i, 13) == 12 && i == 12);
  CHECK(portable_atomic_min_int32(&i, -1) == 12 && i == -1);
  CHECK(portable_atomic_max_int32(&i, -2) == -1 && i == -1);
  CHECK(portable_atomic_max_int32(&i, INT32_MAX) == -1 && i == INT32_MAX);
  CHECK(portable_atomic_add_int32(&i, 1) == INT32_MAX && i == INT32_MIN);
  CHECK(portable_atomic_add_int64(&l, INT64_C(1) << 40) == -3 && l == (INT64_C(1) << 40) - 3);
  CHECK(portable_atomic_min_int64(&l, INT64_MIN) == (INT64_C(1) << 40) - 3 && l == INT64_MIN);
  CHECK(portable_atomic_max_int64(&l, INT64_MAX) == INT64_MIN && l == INT64_MAX);
  CHECK(portable_atomic_add_int64(&l, 1) == INT64_MAX && l == INT64_MIN);
}

/* The two kinds of reals alike. Comparisons that trap on NaN would leave a flag. */
#define TEST_REALS(kind, type)                                                                             \
  static void test_##kind(void) {                                                                          \
    const type nan = (type)NAN, inf = (type)INFINITY;                                                      \
    type x = (type)0.5;                                                                                    \
    CHECK(portable_atomic_add_##kind(&x, 2) == (type)0.5 && x == (type)2.5);                               \
    CHECK(portable_atomic_min_##kind(&x, 3) == (type)2.5 && x == (type)2.5);                               \
    CHECK(portable_atomic_min_##kind(&x, -inf) == (type)2.5 && x == -inf);                                 \
    CHECK(portable_atomic_max_##kind(&x, inf) == -inf && x == inf);                                        \
    feclearexcept(FE_ALL_EXCEPT);                                                                          \
    CHECK(portable_atomic_min_##kind(&x, nan) == inf && x == inf);                                         \
    CHECK(portable_atomic_max_##kind(&x, nan) == inf && x == inf);                                         \
    x = nan;                                                                                               \
    CHECK(isnan(portable_atomic_min_##kind(&x, nan)) && isnan(x));                                         \
    CHECK(isnan(portable_atomic_max_##kind(&x, nan)) && isnan(x));                                         \
    CHECK(isnan(portable_atomic_min_##kind(&x, inf)) && x == inf);                                         \
    x = nan;                                                                                               \
    CHECK(isnan(portable_atomic_max_##kind(&x, -inf)) && x == -inf);                                       \
    CHECK(fetestexcept(FE_ALL_EXCEPT) == 0);                                                               \
    x = (type)-0.0;                                                                                        \
    CHECK(portable_atomic_max_##kind(&x, 0) == 0 && signbit(x));                                           \
    x = 0;                                                                                                 \
    CHECK(portable_atomic_min_##kind(&x, (type)-0.0) == 0 && !signbit(x));                                 \
    CHECK(portable_atomic_add_##kind(&x, nan) == 0 && isnan(x));                                           \
  }
TEST_REALS(real32, float)
TEST_REALS(real64, double)

/* All that a kernel updates, next to each other: what is not locked tears or loses updates here. */
struct shared {
  int32_t count[BINS], least, most;
  int64_t sum[BINS], low, high, next;
  float tenths, small, large;
  double halves, down, up;
  char *taken;
};

static int64_t scatter(int64_t i) { return (i * 7919 + 13) % N; } /* each number once, in an order of its own */

static void kernel(const portable_tile *t, void *args) {
  struct shared *s = (struct shared *)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    int64_t k = scatter(i), at;
    portable_atomic_add_int32(&s->count[k % BINS], 1);
    portable_atomic_add_int64(&s->sum[k % BINS], k);
    portable_atomic_min_int32(&s->least, (int32_t)k - 50);
    portable_atomic_max_int32(&s->most, (int32_t)k + 50);
    portable_atomic_min_int64(&s->low, -k);
    portable_atomic_max_int64(&s->high, k << 20);
    portable_atomic_add_real32(&s->tenths, 1);
    portable_atomic_min_real32(&s->small, (float)k);
    portable_atomic_max_real32(&s->large, (float)k);
    portable_atomic_add_real64(&s->halves, 0.5 * (double)k);
    portable_atomic_min_real64(&s->down, -0.5 * (double)k);
    portable_atomic_max_real64(&s->up, k % 2 ? (double)k : (double)NAN);
    /* Old values are tickets: each is given out once. */
    at = portable_atomic_add_int64(&s->next, 1);
    s->taken[at]++;
  }
}

static void test_launch(int32_t schedule) {
  struct shared s;
  portable_bounds bounds = portable_bounds_1(N);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.schedule = schedule;
  config.tile[0] = schedule == PORTABLE_SCHEDULE_DYNAMIC ? 100 : 0;
  memset(&s, 0, sizeof s);
  s.taken = (char *)calloc(N, 1);
  s.small = (float)NAN;
  s.up = (double)NAN;
  CHECK_STATUS(portable_parallel_for("atomics", &bounds, kernel, &s, 0, &config), PORTABLE_OK);
  int64_t count[BINS] = {0}, sum[BINS] = {0};
  for (int64_t k = 0; k < N; k++) {
    count[k % BINS]++;
    sum[k % BINS] += k;
  }
  for (int b = 0; b < BINS; b++) CHECK(s.count[b] == count[b] && s.sum[b] == sum[b]);
  CHECK(s.least == -50 && s.most == N + 49);
  CHECK(s.low == 1 - N && s.high == (int64_t)(N - 1) << 20);
  CHECK(s.tenths == N && s.small == 0 && s.large == N - 1);
  CHECK(s.halves == 0.25 * N * (N - 1.0) && s.down == -0.5 * (N - 1) && s.up == N - 1);
  CHECK(s.next == N);
  for (int64_t k = 0; k < N; k++) CHECK(s.taken[k] == 1);
  free(s.taken);
}

/* Nothing but additions, one after the other: most of the time is spent where an update can be lost. */
static void tight(const portable_tile *t, void *args) {
  struct shared *s = (struct shared *)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    portable_atomic_add_real32(&s->tenths, 1);
    portable_atomic_add_real64(&s->halves, 0.5);
  }
}

static void test_tight(void) {
  enum { MANY = 1000000 };
  struct shared s;
  portable_bounds bounds = portable_bounds_1(MANY);
  memset(&s, 0, sizeof s);
  CHECK_STATUS(portable_parallel_for("tight", &bounds, tight, &s, 0, NULL), PORTABLE_OK);
  CHECK(s.tenths == MANY && s.halves == 0.5 * MANY);
}

int main(void) {
  test_integers();
  test_real32();
  test_real64();
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int round = 0; round < 5; round++) {
    test_launch(PORTABLE_SCHEDULE_STATIC);
    test_launch(PORTABLE_SCHEDULE_DYNAMIC);
    test_tight();
  }
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
