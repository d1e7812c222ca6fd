/* storm.c [after] - thousands of signals to handlers that know nothing of signal stacks (plain signal()), with
 * the default handler room of 2 KiB of locals, while three threads work in Go. On a goroutine's stack such a
 * handler would write over Go's memory, so every signal must be seen on a signal stack. With `after`, the
 * handler is installed after the library has started. Not in this file: the signal stacks themselves (stacks.c). */
#define _GNU_SOURCE
#include "guest.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

enum { WORKERS = 3, WARM_UP = 300 };

static _Atomic long signals, off_stack;
static _Atomic int ready, settled, stop;

static void handler(int number) {
  volatile char room[2048];
  stack_t s;
  size_t i;
  for (i = 0; i < sizeof room; i += 64) room[i] = (char)number;
  if (!atomic_load(&settled)) return;
  atomic_fetch_add(&signals, 1);
  if (sigaltstack(NULL, &s) != 0 || !(s.ss_flags & SS_ONSTACK)) atomic_fetch_add(&off_stack, 1);
}

static void *work(void *payload) {
  unsigned round = 0;
  int *wrong = payload;
  *wrong += guest_work(round++);
  atomic_fetch_add(&ready, 1); /* it has come to the library, and has a signal stack */
  while (!atomic_load(&stop)) {
    *wrong += guest_work(round++);
    if (round % 64 == 0) check_stats(check_default_pool());
  }
  return NULL;
}

int main(int argc, char **argv) {
  int after = argc > 1 && strcmp(argv[1], "after") == 0, wrong[WORKERS] = {0}, i;
  double seconds = argc > 2 ? atof(argv[2]) : 2.0;
  struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  pthread_t threads[WORKERS];
  portable_config config = PORTABLE_CONFIG_INIT;
  config.fastpath = -1; /* every operation in Go */

  if (!after) signal(SIGALRM, handler);
  CHECK_STATUS(portable_init(&config), PORTABLE_OK);
  if (after) {
    signal(SIGALRM, handler);
    for (i = 0; i < WARM_UP; i++) CHECK(guest_work((unsigned)i) == 0); /* the flag is added now and then */
  }
  for (i = 0; i < WORKERS; i++) CHECK(pthread_create(&threads[i], NULL, work, &wrong[i]) == 0);
  while (atomic_load(&ready) < WORKERS) {
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
  }
  atomic_store(&settled, 1);
  setitimer(ITIMER_REAL, &often, NULL);
  {
    double end = guest_seconds() + seconds;
    unsigned round = 0;
    while (guest_seconds() < end) CHECK(guest_work(round++) == 0);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  atomic_store(&stop, 1);
  for (i = 0; i < WORKERS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(wrong[i] == 0);
  }
  printf("%ld signals, %ld of them on an ordinary stack\n", (long)signals, (long)off_stack);
  CHECK(signals > 100);
  CHECK(off_stack == 0);
  return check_end();
}
