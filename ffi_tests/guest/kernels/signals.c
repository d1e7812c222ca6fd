/* signals.c [SECONDS] - signals while kernels run: a profiler's timer (SIGPROF) and its per-thread real-time signals come to
 * workers, and are seen on a signal stack, though the handlers know nothing of one; the program's own signals (SIGALRM, SIGUSR1) come to
 * its own threads only. Kernels allocate, through Go. Not in this file: signals and the pool alone (../process/storm.c). */
#define _GNU_SOURCE
#include "guest.h"
#include "meet.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <unistd.h>

enum { THREADS_MAX = 8 };

static _Atomic long on_workers[2], own, stray, off_stack;
static __thread int is_worker;
static pthread_t workers[THREADS_MAX];
static _Atomic int known[THREADS_MAX];
static pthread_t launcher;
static uint64_t begun;
static _Atomic int stop;

static void see_stack(void) {
  stack_t s;
  if (sigaltstack(NULL, &s) != 0 || !(s.ss_flags & SS_ONSTACK)) atomic_fetch_add(&off_stack, 1);
}

static void profile(int number) {
  volatile char room[16384];
  for (size_t i = 0; i < sizeof room; i += 64) room[i] = (char)number;
  if (is_worker) atomic_fetch_add(&on_workers[number == SIGPROF ? 0 : 1], 1);
  see_stack();
}

static void programs(int number) {
  (void)number;
  atomic_fetch_add(is_worker ? &stray : &own, 1);
}

static void work(const portable_tile *t, void *args) {
  int first = __atomic_load_n(&begun, __ATOMIC_SEQ_CST) != UINT64_MAX;
  if (first) meet(t, &begun);
  if (first && !pthread_equal(pthread_self(), launcher) && t->worker < THREADS_MAX) {
    is_worker = 1;
    workers[t->worker] = pthread_self();
    atomic_store(&known[t->worker], 1);
  }
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) atomic_fetch_add((_Atomic int *)args, guest_work((unsigned)i));
}

/* The signals of a sampling profiler to each thread, and of another process to this one. */
static void *pester(void *unused) {
  sigset_t all;
  sigfillset(&all); /* it has nothing to do with the library, and no signal stack */
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  while (!atomic_load(&stop)) {
    struct timespec pause = {0, 200000};
    for (int w = 1; w < THREADS_MAX; w++)
      if (atomic_load(&known[w])) pthread_kill(workers[w], SIGRTMIN + 3);
    kill(getpid(), SIGUSR1);
    nanosleep(&pause, NULL);
  }
  return unused;
}

int main(int argc, char **argv) {
  double end, seconds = argc > 1 ? atof(argv[1]) : 1.5;
  struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  portable_config config = PORTABLE_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(40);
  _Atomic int wrong = 0;
  pthread_t other;
  long launches = 0;
  config.fastpath = -1;
  signal(SIGPROF, profile);
  signal(SIGRTMIN + 3, profile);
  signal(SIGALRM, programs);
  signal(SIGUSR1, programs);
  CHECK_STATUS(portable_init(&config), PORTABLE_OK);
  launcher = pthread_self();
  CHECK_STATUS(portable_parallel_for("first", &b, work, &wrong, 0, NULL), PORTABLE_OK);
  begun = UINT64_MAX; /* who has met once is known */
  CHECK(pthread_create(&other, NULL, pester, NULL) == 0);
  setitimer(ITIMER_PROF, &often, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  for (end = guest_seconds() + seconds; guest_seconds() < end; launches++)
    CHECK_STATUS(portable_parallel_for("work", &b, work, &wrong, 0, NULL), PORTABLE_OK);
  setitimer(ITIMER_PROF, &never, NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  atomic_store(&stop, 1);
  pthread_join(other, NULL);
  printf("%ld launches; on workers %ld of the timer, %ld sent; the program's own %ld; stray %ld, off a signal stack %ld\n", launches,
         on_workers[0], on_workers[1], own, stray, off_stack);
  CHECK(wrong == 0 && stray == 0 && off_stack == 0 && own > 10);
  if (portable_num_threads() > 1) CHECK(on_workers[1] > 10);
  return check_end();
}
