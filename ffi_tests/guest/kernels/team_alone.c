/* team_alone.c [SECONDS] - the team without the library around it, so that ThreadSanitizer and AddressSanitizer can be compiled into
 * it: launches from several threads, nested, failing, with both schedules and up to 12 workers (where they look after
 * each other), while another thread resizes and stops the team. Not in this file: the library (stress.c). */
#include "../../../internal/team/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAUNCHERS = 3, N = 3000 };

static _Atomic int stop, wrong;
static _Atomic long launches;

struct work {
  int values[N]; /* written by kernels, read by the launching thread: no atomics here, so that the hand-over is looked at */
  int depth, fail_at;
};

#define MUST(condition)                                                    \
  do {                                                                     \
    if (!(condition)) {                                                    \
      atomic_fetch_add(&wrong, 1);                                         \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                 \
    }                                                                      \
  } while (0)

static int run(struct work *w, int64_t n, int32_t workers, int dynamic);

static void kernel(const portable_tile *t, void *args) {
  struct work *w = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    w->values[i]++;
    if (i == w->fail_at) portable_kernel_fail(t, 7, "on purpose");
  }
  if (w->depth > 0 && t->lower[0] == 0) {
    struct work *inner = calloc(1, sizeof *inner);
    if (!inner) return;
    inner->depth = w->depth - 1;
    inner->fail_at = -1;
    MUST(run(inner, 50, 3, 0) == 0);
    for (int i = 0; i < 50; i++) MUST(inner->values[i] == 1);
    free(inner);
  }
}

static int run(struct work *w, int64_t n, int32_t workers, int dynamic) {
  struct portable__job job;
  portable_bounds b;
  memset(&job, 0, sizeof job);
  memset(&b, 0, sizeof b);
  b.struct_size = sizeof b;
  b.rank = 1;
  b.upper[0] = n - 1;
  b.stride[0] = 1;
  job.label = "alone";
  job.kernel = kernel;
  job.args = w;
  job.workers = workers;
  job.dynamic = dynamic;
  MUST(portable__cut_space(&b, &job.cut) == 0);
  int64_t tile[PORTABLE_LOOP_RANK] = {dynamic ? 7 : 0};
  portable__cut_units(&job.cut, tile, workers);
  job.grain = 2;
  atomic_init(&job.next, 0);
  atomic_init(&job.failed, 0);
  int failed = portable__team_run(&job);
  MUST(failed == (w->fail_at >= 0));
  if (failed) MUST(job.fail_code == 7 && strcmp(job.fail_text, "on purpose") == 0);
  return failed;
}

static void *launcher(void *payload) {
  unsigned seed = *(unsigned *)payload;
  struct work *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  while (!atomic_load(&stop)) {
    int n = 1 + rand_r(&seed) % N;
    memset(w->values, 0, sizeof w->values);
    w->depth = rand_r(&seed) % 3;
    w->fail_at = rand_r(&seed) % 8 ? -1 : rand_r(&seed) % n;
    if (run(w, n, 1 + rand_r(&seed) % 12, rand_r(&seed) % 2) == 0)
      for (int i = 0; i < n; i++) MUST(w->values[i] == 1);
    atomic_fetch_add(&launches, 1);
  }
  free(w);
  return NULL;
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 3;
  static unsigned seeds[LAUNCHERS] = {1, 2, 3};
  unsigned seed = 4;
  pthread_t threads[LAUNCHERS];
  time_t end = time(NULL) + (time_t)seconds;
  for (int i = 0; i < LAUNCHERS; i++) MUST(pthread_create(&threads[i], NULL, launcher, &seeds[i]) == 0);
  while (time(NULL) < end) {
    struct portable__team_config c = {.workers = 1 + rand_r(&seed) % 12, .cpus = 64, .spin_ns = rand_r(&seed) % 2 ? 20000 : 0,
                                      .stack_bytes = 1u << 20, .at_once = rand_r(&seed) % 2};
    struct timespec pause = {0, 1000000};
    MUST(portable__team_hold() == 0);
    if (rand_r(&seed) % 8 == 0) portable__team_stop();
    MUST(portable__team_configure(&c) == c.workers);
    portable__team_release();
    MUST(portable__team_workers() == c.workers);
    nanosleep(&pause, NULL);
  }
  atomic_store(&stop, 1);
  for (int i = 0; i < LAUNCHERS; i++) pthread_join(threads[i], NULL);
  uint64_t counts[2];
  portable__team_counts(counts);
  printf("%ld launches, %llu by the team, %llu sleeps\n", (long)launches, (unsigned long long)counts[0], (unsigned long long)counts[1]);
  MUST(launches > 20 && counts[0] > 10);
  MUST(portable__team_hold() == 0);
  portable__team_stop();
  portable__team_release();
  return wrong > 0;
}
