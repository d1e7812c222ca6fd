/* stacks.c - compares the stacks of internal/stacks, which is compiled into this program, with
 * glibc's backtrace: from Fortran at all levels of optimisation (stacks.f90 calls stacks_compare),
 * through libc, in signal handlers and on broken stacks. Prints differences. Not in this file:
 * stacks in a trace (record.c). */
#define _GNU_SOURCE
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack.h"
#include "trace.h"

/* Symbols of the rest of the library. */
_Atomic int portable__forked;
__thread const struct portable__job *portable__running_job;
__thread uintptr_t portable__thread_bottom;

static int failed, compared;

static void fail(const char *what, const uintptr_t *ours, int n, void *const *theirs, int m) {
  printf("FAILED: %s: %d frames, backtrace has %d\n", what, n, m);
  for (int i = 0; i < n || i < m; i++) printf("  %#18lx %18p\n", i < n ? (unsigned long)ours[i] : 0, i < m ? theirs[i] : NULL);
  failed = 1;
}

/* The frames of the calls of the two functions differ, all others do not. */
__attribute__((noinline)) static void compare(const char *what) {
  uintptr_t ours[PORTABLE__STACK_MOST];
  void *theirs[PORTABLE__STACK_MOST];
  int whole, n = portable__stack_walk(NULL, ours, PORTABLE__STACK_MOST, &whole), m = backtrace(theirs, PORTABLE__STACK_MOST);
  int same = n == m && (whole || n == PORTABLE__STACK_MOST);
  for (int i = 1; i < n && i < m; i++) same &= ours[i] == (uintptr_t)theirs[i];
  compared++;
  if (!same) fail(what, ours, n, theirs, m);
}

void stacks_compare(void) {
  if (!portable__stack_open()) exit(2);
  portable__modules_look();
  compare("Fortran");
}

static void in_handler(int number, siginfo_t *info, void *context) {
  uintptr_t ours[PORTABLE__STACK_MOST], back[PORTABLE__STACK_MOST];
  int whole, n = portable__stack_walk(context, ours, PORTABLE__STACK_MOST, &whole), all = portable__stack_walk(NULL, back, PORTABLE__STACK_MOST, NULL);
  (void)number;
  (void)info;
  compare("a handler");
  /* From the context: the same without the frames of the handler, the innermost ones. */
  if (!whole || n >= all || memcmp(ours + 1, back + all - n + 1, (size_t)(n - 1) * sizeof *ours) != 0) fail("where a signal came", ours, n, NULL, 0);
}

static int by_value(const void *a, const void *b) {
  static int once;
  if (once++ == 3) compare("a function that libc calls");
  return *(const int *)a - *(const int *)b;
}

static void *thread(void *unused) {
  compare("a thread");
  raise(SIGUSR1);
  return unused;
}

/* A frame whose caller's address is nonsense ends the stack, or frame pointers lead on; it does not end the program. */
__attribute__((noinline)) static void broken(void) {
  uintptr_t ours[PORTABLE__STACK_MOST], *frame = __builtin_frame_address(0), was = frame[1];
  static const uintptr_t nonsense[] = {0, 1, 0x1000, 0x7fffffff0000, UINTPTR_MAX - 6, (uintptr_t)1 << 63};
  for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
    frame[1] = nonsense[i];
    int n = portable__stack_walk(NULL, ours, PORTABLE__STACK_MOST, NULL);
    frame[1] = was;
    if (n < 1 || n > 8) fail("a broken stack", ours, n, NULL, 0);
  }
}

static uintptr_t kept[64];

static void *storm(void *seed) {
  uintptr_t x = (uintptr_t)seed, pcs[3];
  for (int i = 0; i < 20000; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    pcs[0] = x >> 58;
    pcs[1] = pcs[0] * 3;
    pcs[2] = 7;
    uint32_t number = portable__stack_keep(pcs, 3, 0), none = 0;
    const uintptr_t *there;
    if (number == 0 || portable__stack_get(number, &there) != 3 || memcmp(there, pcs, sizeof pcs) != 0) failed = 1;
    uintptr_t before = 0;
    (void)none;
    if (!__atomic_compare_exchange_n(&kept[pcs[0]], &before, number, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && before != number) failed = 1;
  }
  return NULL;
}

#ifndef WITH_FORTRAN
int main(void) {
  int numbers[50];
  pthread_t threads[4];
  struct sigaction action = {0};
  if (!portable__stack_open()) return 2;
  portable__modules_look();
  action.sa_sigaction = in_handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, NULL);
  compare("main");
  raise(SIGUSR1);
  for (int i = 0; i < 50; i++) numbers[i] = (i * 37) % 50;
  qsort(numbers, 50, sizeof *numbers, by_value);
  pthread_create(&threads[0], NULL, thread, NULL);
  pthread_join(threads[0], NULL);
  broken();
  for (uintptr_t i = 0; i < 4; i++) pthread_create(&threads[i], NULL, storm, (void *)(i + 1));
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  if (failed || compared != 5) printf("FAILED: %d compared\n", compared);
  return failed || compared != 5;
}
#else
int stacks_failed(void) { return failed || compared < 20; }
#endif
