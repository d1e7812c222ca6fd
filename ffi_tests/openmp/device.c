/* device.c - the device openmp from C: the program's own threads and their numbers, its OMP settings, regions around launches,
 * streams and defaults that name it, schedules, modes. Not in this file: what every device must do (../launch). */
#include "check.h"

#include <fenv.h>
#include <omp.h>
#include <stdatomic.h>

enum { N = 3000 };

static portable_device openmp;
static int number[N];
static double value[N];

static void who(const portable_tile *t, void *args) {
  _Atomic int *wrong = args;
  if (t->device != openmp || t->worker != omp_get_thread_num() || t->workers != omp_get_num_threads()) atomic_fetch_add(wrong, 1);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) number[i] = t->worker;
}

static int distinct(void) {
  int most = 0;
  for (int i = 0; i < N; i++)
    if (number[i] > most) most = number[i];
  return most + 1;
}

static void test_settings(void) {
  portable_bounds b = portable_bounds_1(N);
  portable_launch_config by_device = PORTABLE_LAUNCH_CONFIG_INIT, by_stream = PORTABLE_LAUNCH_CONFIG_INIT;
  _Atomic int wrong = 0;
  by_device.device = openmp;
  by_stream.stream = portable_device_stream(openmp);
  for (int threads = 1; threads <= 4; threads++) {
    omp_set_num_threads(threads);
    CHECK_STATUS(portable_parallel_for("who", &b, who, &wrong, 0, &by_device), PORTABLE_OK);
    CHECK(distinct() == threads);
    CHECK_STATUS(portable_parallel_for("who", &b, who, &wrong, 0, &by_stream), PORTABLE_OK);
    CHECK(distinct() == threads);
  }
  portable_device before = portable_default_device();
  CHECK_STATUS(portable_set_default_device(openmp), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("who", &b, who, &wrong, 0, NULL), PORTABLE_OK);
  CHECK(distinct() == 4);
  CHECK(wrong == 0);
  CHECK_STATUS(portable_set_default_device(before), PORTABLE_OK);
}

static void inline_only(const portable_tile *t, void *args) {
  if (t->workers != 1) *(_Atomic int *)args = 1;
}

static void test_regions(void) {
  portable_bounds b = portable_bounds_1(N);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  _Atomic int wrong = 0, failed = 0;
  config.device = openmp;
#pragma omp parallel num_threads(3)
  for (int i = 0; i < 50; i++)
    if (portable_parallel_for("inside", &b, inline_only, (void *)&wrong, 0, &config) != PORTABLE_OK) failed = 1;
  CHECK(wrong == 0 && failed == 0);
}

static void thirds(const portable_tile *t, void *args) {
  volatile double one = 1, three = 3, large = 1e308;
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) value[i] = one / three;
  if (t->upper[0] == N - 1) large *= large; /* overflow on the last worker */
  fesetround(FE_TOWARDZERO);                                    /* ends with the kernel */
}

static int round_in_region(void) {
  int other = 0;
#pragma omp parallel num_threads(4) reduction(+ : other)
  other += fegetround() != FE_TONEAREST || fetestexcept(FE_OVERFLOW);
  return other;
}

static void test_modes(void) {
  portable_bounds b = portable_bounds_1(N);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  volatile double one = 1, three = 3;
  config.device = openmp;
  omp_set_num_threads(4);
  CHECK(round_in_region() == 0);
  feclearexcept(FE_ALL_EXCEPT);
  fesetround(FE_UPWARD);
  double up = one / three;
  CHECK_STATUS(portable_parallel_for("thirds", &b, thirds, NULL, 0, &config), PORTABLE_OK);
  CHECK(fegetround() == FE_UPWARD);
  CHECK(fetestexcept(FE_OVERFLOW));
  fesetround(FE_TONEAREST);
  feclearexcept(FE_ALL_EXCEPT);
  for (int i = 0; i < N; i++) CHECK(value[i] == up);
  CHECK(up > one / three);
  CHECK(round_in_region() == 0); /* the threads of the program have their own modes and flags again */
}

static void test_dynamic(void) {
  portable_bounds b = portable_bounds_1(N);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  _Atomic int wrong = 0;
  config.device = openmp;
  config.schedule = PORTABLE_SCHEDULE_DYNAMIC;
  for (config.tile[0] = 0; config.tile[0] < 20; config.tile[0] += 7) {
    memset(number, 0xff, sizeof number);
    CHECK_STATUS(portable_parallel_for("who", &b, who, &wrong, 0, &config), PORTABLE_OK);
    for (int i = 0; i < N; i++) CHECK(number[i] >= 0 && number[i] < 4);
  }
  CHECK(wrong == 0);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("openmp", &openmp), PORTABLE_OK);
  CHECK(openmp == 3 && portable_device_count() == 3);
  test_settings();
  test_regions();
  test_modes();
  test_dynamic();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK); /* the device is there again, once */
  CHECK(portable_device_count() == 3);
  return check_end();
}
