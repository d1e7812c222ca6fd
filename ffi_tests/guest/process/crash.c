/* crash.c WHAT - a C program that goes wrong while the library runs: it must end as it would without the
 * library, by its own signal and its own handlers. run_crash.sh says what each must give. */
#define _GNU_SOURCE
#include "guest.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static int *volatile nowhere; /* NULL */
static volatile int zero;
static sigjmp_buf back;

static void *on_thread(void *unused) {
  guest_work(1);
  *nowhere = 1;
  return unused;
}

static void ends_with_42(int number) {
  (void)number;
  _exit(42);
}

static void jumps_back(int number) {
  (void)number;
  siglongjmp(back, 1);
}

static int overflow_stack(volatile char *above) {
  volatile char room[4096];
  room[0] = above[0];
  if (zero) return 0; /* never */
  return overflow_stack(room) + room[1];
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  pthread_t thread;
  if (strcmp(what, "handler_before") == 0) signal(SIGSEGV, ends_with_42);
  if (strcmp(what, "before_init") == 0) *nowhere = 1;
  if (portable_init(NULL) != 0) return 1;
  if (guest_work(0) != 0) return 1;
  if (strcmp(what, "segv") == 0 || strcmp(what, "handler_before") == 0) *nowhere = 1;
  if (strcmp(what, "thread") == 0) {
    pthread_create(&thread, NULL, on_thread, NULL);
    pthread_join(thread, NULL);
  }
  if (strcmp(what, "division") == 0) return 100 / zero;
  if (strcmp(what, "stack") == 0) return overflow_stack((volatile char *)what);
  if (strcmp(what, "abort") == 0) abort();
  if (strcmp(what, "killed") == 0) raise(SIGSEGV);
  if (strcmp(what, "handler_after") == 0) {
    signal(SIGSEGV, ends_with_42);
    *nowhere = 1;
  }
  if (strcmp(what, "recovers") == 0) {
    volatile int times = 0;
    signal(SIGSEGV, jumps_back);
    while (times < 1000) {
      if (sigsetjmp(back, 1) == 0) *nowhere = 1;
      times++;
      if (guest_work((unsigned)times) != 0) return 1;
    }
    if (portable_finalize() != 0) return 1;
    puts("recovered 1000 times");
    return 0;
  }
  if (strcmp(what, "pipe") == 0) { /* SIGPIPE is the program's, not the library's */
    int ends[2];
    if (pipe(ends) != 0) return 1;
    close(ends[0]);
    return write(ends[1], "x", 1) == 1;
  }
  return 99;
}
