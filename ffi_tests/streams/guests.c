/* guests.c [segv] - streams in surroundings: OpenMP threads that launch into one stream and fence it; large frames in a kernel of a
 * stream; no thread that wakes while nothing is to be done. segv: a kernel in a stream that faults (run_kernel.sh says what must
 * come up). */
#define _GNU_SOURCE
#include "streams.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum { N = 1000, EACH = 200 };

static void add(const portable_tile *t, void *args) {
  atomic_fetch_add(*(_Atomic long **)args, (long)(t->upper[0] - t->lower[0] + 1));
}

static void from_openmp(void) {
  _Atomic long sum = 0, *where = &sum;
  int wrong = 0, threads = 0;
  portable_stream s = streams_new();
#pragma omp parallel reduction(+ : wrong, threads)
  {
    threads++;
    for (int i = 0; i < EACH; i++) {
      if (streams_launch(s, N, add, &where, sizeof where) != PORTABLE_OK) wrong++;
      if (i % 20 == 0 && portable_stream_fence(s) != PORTABLE_OK) wrong++;
    }
  }
  CHECK(wrong == 0);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK(sum == (long)threads * EACH * N);
}

static int large_frame(int depth) {
  volatile char room[1 << 20];
  room[0] = (char)depth;
  room[sizeof room - 1] = (char)(depth > 1 ? large_frame(depth - 1) : 0);
  return room[0] + room[sizeof room - 1] > 0;
}

static void large(const portable_tile *t, void *args) {
  (void)args;
  /* The threads of the device openmp have the stacks that OMP_STACKSIZE gives them. */
  if (strcmp(portable_device_name(t->device), "openmp") != 0 && !large_frame(20)) portable_kernel_fail(t, 1, "never");
}

static void stacks(void) {
  portable_stream s = streams_new();
  CHECK_STATUS(streams_launch(s, 8, large, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

/* Signals for the process are its own threads' to take; faults and a profiler's ticks come to the stream's thread. */
static void look(portable_status status, void *payload) {
  sigset_t mask;
  (void)status;
  (void)payload;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  CHECK(sigismember(&mask, SIGUSR1) && sigismember(&mask, SIGINT) && sigismember(&mask, SIGCHLD));
  CHECK(!sigismember(&mask, SIGSEGV) && !sigismember(&mask, SIGFPE) && !sigismember(&mask, SIGPROF));
}

static void signals(void) {
  portable_stream s = streams_new();
  CHECK_STATUS(portable_stream_call(s, look, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

/* Idle streams wake no thread: the process does not switch while it sleeps, but for what Go's own runtime does. */
static long switches(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_nvcsw;
}

static void idle(void) {
  portable_stream s[20];
  for (int i = 0; i < 20; i++) s[i] = streams_new();
  for (int i = 0; i < 20; i++) CHECK_STATUS(streams_launch(s[i], 8, large, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  usleep(100000);
  long before = switches();
  usleep(500000);
  CHECK(switches() - before < 20); /* one for each stream would be too many */
  for (int i = 0; i < 20; i++) CHECK_STATUS(portable_stream_destroy(s[i]), PORTABLE_OK);
}

static int *volatile nowhere; /* NULL */

static void faults(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) *nowhere = 1;
}

int main(int argc, char **argv) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  if (argc > 1 && strcmp(argv[1], "segv") == 0) {
    char label[] = "advect_y";
    portable_bounds b = portable_bounds_1(1000);
    portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    struct gate g;
    c.stream = streams_new();
    streams_hold(c.stream, &g);
    portable_parallel_for(label, &b, faults, NULL, 0, &c);
    memset(label, '?', sizeof label - 1); /* the launch has its own */
    streams_go(&g);
    portable_fence();
    return 1;
  }
  from_openmp();
  stacks();
  signals();
  idle();
  return check_end();
}
