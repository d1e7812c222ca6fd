/* openmp.c - timers in the threads of OpenMP: each has its own, launches inside a region are timed on the thread that makes them.
 * Not in this file: threads of the program's own (timers.c). */
#include "check.h"

#include <omp.h>

enum { THREADS = 3, ROUNDS = 200 };

static void kernel(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

static portable_timer_stats stats_of(const char *label, int32_t which) {
  portable_timer_stats s;
  memset(&s, 0, sizeof s);
  s.struct_size = (uint32_t)sizeof s;
  CHECK_STATUS(portable_timer_get(label, which, &s), PORTABLE_OK);
  return s;
}

int main(void) {
  portable_bounds b = portable_bounds_1(10);
  int wrong = 0;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_LAUNCHES), PORTABLE_OK);
  CHECK_STATUS(portable_timer_start("main"), PORTABLE_OK);
#pragma omp parallel num_threads(THREADS) reduction(+ : wrong)
  {
    char label[20];
    snprintf(label, sizeof label, "thread %d", omp_get_thread_num());
    for (int i = 0; i < ROUNDS; i++) {
      wrong += portable_timer_start("all") != PORTABLE_OK;
      wrong += portable_timer_start(label) != PORTABLE_OK;
      wrong += portable_parallel_for("loop", &b, kernel, NULL, 0, NULL) != PORTABLE_OK;
      wrong += portable_timer_stop("all") != PORTABLE_ERR_STATE; /* not the innermost */
      wrong += portable_timer_stop(label) != PORTABLE_OK;
      wrong += portable_timer_stop("all") != PORTABLE_OK;
    }
    wrong += stats_of(label, PORTABLE_TIMERS_OF_THREAD).count != ROUNDS;
    wrong += stats_of("loop", PORTABLE_TIMERS_OF_THREAD).count != ROUNDS;
    wrong += (stats_of("main", PORTABLE_TIMERS_OF_THREAD).running == 1) != (omp_get_thread_num() == 0);
  }
  CHECK(wrong == 0);
  CHECK_STATUS(portable_timer_stop("main"), PORTABLE_OK);
  CHECK(stats_of("all", PORTABLE_TIMERS_OF_ALL).count == THREADS * ROUNDS);
  CHECK(stats_of("thread 2", PORTABLE_TIMERS_OF_ALL).count == ROUNDS);
  return check_end();
}
