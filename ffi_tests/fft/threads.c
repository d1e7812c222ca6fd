/* threads.c - one plan on several threads at once, in streams and inside kernels; a plan that is destroyed while it is in use is destroyed afterwards. Not
 * in this file: results in general (oracle.c). The test checks memory: a write beyond scratch ends the program. */
#include <pthread.h>

#include "check.h"
#include "fft.h"

enum { N = 96, LINES = 64, CALLERS = 3, ROUNDS = 60 };

static double given[2 * N * LINES], wanted[2 * N * LINES], result[CALLERS + 1][2 * N * LINES];
static const int64_t extents[2] = {N, LINES};
static portable_fft plan;

static portable_status forward(double *out, const portable_launch_config *launch) {
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  o.order = PORTABLE_ORDER_FORTRAN;
  o.launch = launch;
  return portable_fft_forward("one plan", plan, PORTABLE_KIND_REAL64, given, out, 2, extents, &o);
}

static void *caller(void *argument) {
  double *const out = argument;
  long wrong = 0;
  for (int i = 0; i < ROUNDS; i++) {
    memset(out, 0, sizeof wanted);
    wrong += forward(out, NULL) != PORTABLE_OK || memcmp(out, wanted, sizeof wanted) != 0;
  }
  return (void *)wrong;
}

static void inside(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    CHECK_STATUS(forward(result[i], NULL), PORTABLE_OK);
    CHECK(memcmp(result[i], wanted, sizeof wanted) == 0);
  }
}

/* Calls until the plan is destroyed. */
static void *until_destroyed(void *argument) {
  portable_status status = PORTABLE_OK;
  while (status == PORTABLE_OK) status = forward(argument, NULL);
  return (void *)(intptr_t)(status != PORTABLE_ERR_HANDLE || memcmp(argument, wanted, sizeof wanted) != 0);
}

int main(void) {
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  const portable_bounds bounds = portable_bounds_1(CALLERS);
  pthread_t thread[CALLERS];
  void *wrong = NULL;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int i = 0; i < 2 * N * LINES; i++) given[i] = number();
  CHECK_STATUS(portable_fft_create("one plan", PORTABLE_FFT_C2C, N, 1, &plan), PORTABLE_OK);
  CHECK_STATUS(forward(wanted, NULL), PORTABLE_OK);
  for (int i = 0; i < CALLERS; i++) CHECK(pthread_create(&thread[i], NULL, caller, result[i]) == 0);
  for (int i = 0; i < CALLERS; i++) CHECK(pthread_join(thread[i], &wrong) == 0 && wrong == NULL);
  memset(result, 0, sizeof result);
  CHECK_STATUS(portable_parallel_for("outside", &bounds, inside, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &launch.stream), PORTABLE_OK);
  CHECK_STATUS(forward(result[CALLERS], &launch), PORTABLE_OK);
  CHECK(memcmp(result[CALLERS], wanted, sizeof wanted) == 0);
  CHECK_STATUS(portable_stream_destroy(launch.stream), PORTABLE_OK);
  for (int i = 0; i < CALLERS; i++) CHECK(pthread_create(&thread[i], NULL, until_destroyed, result[i]) == 0);
  CHECK_STATUS(forward(result[CALLERS], NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
  for (int i = 0; i < CALLERS; i++) CHECK(pthread_join(thread[i], &wrong) == 0 && wrong == NULL);
  return check_end();
}
