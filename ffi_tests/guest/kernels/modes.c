/* modes.c - the floating-point environment of kernels: on each thread that of the launching one, and flags come back.
 * Not in this file: what other functions of the library leave alone (../process/modes.c). */
#define _GNU_SOURCE
#include "guest.h"

#include <fenv.h>
#include <stdatomic.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

enum { N = 64 };

/* Whether subnormal numbers are 0. */
#if defined(__x86_64__)
static int flushes(void) { return (_mm_getcsr() & 0x8040u) == 0x8040u; }
static void flush(int on) { _mm_setcsr(on ? _mm_getcsr() | 0x8040u : _mm_getcsr() & ~0x8040u); }
#elif defined(__aarch64__)
static uint64_t fpcr(void) {
  uint64_t modes;
  __asm__ volatile("mrs %0, fpcr" : "=r"(modes));
  return modes;
}
static int flushes(void) { return (int)(fpcr() >> 24 & 1); }
static void flush(int on) {
  const uint64_t modes = (fpcr() & ~(UINT64_C(1) << 24)) | (uint64_t)on << 24;
  __asm__ volatile("msr fpcr, %0" : : "r"(modes));
}
#else
static int flushes(void) { return 0; }
static void flush(int on) { (void)on; }
#endif

static volatile double one = 1, three = 3, nought = 0, huge = 1e308, tiny = 1e-308;
static double third[N], denormal[N];
static int mode[N], raised_before[N], traps[N];
static long double third_long[N];

static void compute(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    raised_before[i] = fetestexcept(FE_ALL_EXCEPT);
    mode[i] = fegetround();
    traps[i] = fegetexcept();
    third[i] = one / three;
    third_long[i] = (long double)one / 3;
    denormal[i] = tiny / 16;
    feclearexcept(FE_ALL_EXCEPT);
  }
}

static void launch(portable_kernel_function kernel, void *args, int64_t n) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(n);
  config.tile[0] = 1;
  CHECK_STATUS(portable_parallel_for("modes", &b, kernel, args, 0, &config), PORTABLE_OK);
}

static void test_rounding(void) {
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
  for (int k = 0; k < 4; k++) {
    fesetround(modes[k]);
    double mine = one / three;
    long double mine_long = (long double)one / 3;
    launch(compute, NULL, N);
    CHECK(fegetround() == modes[k]);
    for (int i = 0; i < N; i++) {
      CHECK(mode[i] == modes[k] && third[i] == mine);
      CHECK(third_long[i] == mine_long); /* the x87 unit has a mode of its own */
    }
  }
}

static void test_flushing(void) {
  for (int on = 0; on < 2; on++) {
    flush(on);
    const int does = flushes();
    launch(compute, NULL, N);
    CHECK(flushes() == does);
    flush(0);
    for (int i = 0; i < N; i++) CHECK((denormal[i] == 0) == does);
  }
}

/* Switches traps on, as far as the processor has them: many with aarch64 have none. */
static int trap(int which) {
  feenableexcept(which);
  const int on = fegetexcept();
#if defined(__x86_64__)
  CHECK(on == which);
#endif
  return on;
}

static void test_traps(void) {
  for (int round = 0; round < 2; round++) { /* on, and off again */
    const int on = round == 0 ? trap(FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID) : 0;
    launch(compute, NULL, N);
    for (int i = 0; i < N; i++) CHECK(traps[i] == on);
    CHECK(fegetexcept() == on);
    fedisableexcept(FE_ALL_EXCEPT);
  }
}

/* One index raises one exception; which thread it runs on does not matter. */
static void raise_one(const portable_tile *t, void *args) {
  int64_t who = *(int64_t *)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    volatile double x = 0;
    if (i != who) continue;
    x = one / nought;
    x = huge * huge;
    (void)x;
  }
}

static void raise_long(const portable_tile *t, void *args) {
  volatile long double x = 0;
  if (t->lower[0] == *(int64_t *)args) x = (long double)one / nought;
  (void)x;
}

static void look_at_flags(const portable_tile *t, void *args) {
  (void)args;
  raised_before[t->lower[0]] = fetestexcept(FE_ALL_EXCEPT);
}

static void test_flags(void) {
  for (int64_t who = 0; who < N; who += 7) {
    feclearexcept(FE_ALL_EXCEPT);
    launch(raise_one, &who, N);
    CHECK(fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW) == (FE_DIVBYZERO | FE_OVERFLOW));
    feclearexcept(FE_ALL_EXCEPT);
    launch(look_at_flags, NULL, N); /* what one launch raised on a worker is not there in the next */
    for (int i = 0; i < N; i++) CHECK(raised_before[i] == 0);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == 0);
    launch(raise_long, &who, N);
    CHECK(fetestexcept(FE_DIVBYZERO | FE_INVALID) == FE_DIVBYZERO);
    feclearexcept(FE_ALL_EXCEPT);
  }
  feraiseexcept(FE_INVALID); /* what the launching thread has stays */
  launch(look_at_flags, NULL, N);
  CHECK(fetestexcept(FE_INVALID) == FE_INVALID);
  feclearexcept(FE_ALL_EXCEPT);
}

static void meddle(const portable_tile *t, void *args) {
  (void)t, (void)args;
  fesetround(FE_UPWARD);
  fedisableexcept(FE_ALL_EXCEPT);
  flush(1);
}

/* A kernel's own modes stay on no thread, whatever the number of threads. */
static void test_meddling(void) {
  const int on = trap(FE_DIVBYZERO);
  fesetround(FE_DOWNWARD);
  for (int64_t n = 1; n <= N; n += N - 1) {
    launch(meddle, NULL, n);
    CHECK(fegetround() == FE_DOWNWARD && fegetexcept() == on);
    launch(compute, NULL, N);
    for (int i = 0; i < N; i++) CHECK(mode[i] == FE_DOWNWARD && traps[i] == on && denormal[i] != 0);
  }
  fedisableexcept(FE_ALL_EXCEPT);
  fesetround(FE_TONEAREST);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int round = 0; round < 20; round++) {
    test_rounding();
    test_flushing();
    test_traps();
    test_flags();
    test_meddling();
  }
  return check_end();
}
