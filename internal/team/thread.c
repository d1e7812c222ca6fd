/* thread.c - makes and ends threads with chosen stacks (thread.h). */
#define _GNU_SOURCE
#include "thread.h"

#include <errno.h>
#include <signal.h>

#include "place.h"

void portable__thread_mask(void) {
  static const int ours[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
  sigset_t mask;
  sigfillset(&mask);
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) sigdelset(&mask, ours[i]);
  for (int s = SIGRTMIN; s <= SIGRTMAX; s++) sigdelset(&mask, s);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

int portable__thread_make(pthread_t *thread, uint64_t stack_bytes, void *(*run)(void *), void *argument) {
  pthread_attr_t attributes;
  sigset_t all, before;
  int reason = pthread_attr_init(&attributes);
  if (reason) return reason;
  pthread_attr_setguardsize(&attributes, PORTABLE__GUARD_BYTES);
  if (stack_bytes) pthread_attr_setstacksize(&attributes, stack_bytes);
  portable__place_unbound(&attributes);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  reason = pthread_create(thread, &attributes, run, argument);
  if (reason == EINVAL) { /* the processors are no longer the process's: let it go where it may */
    portable__place_anywhere(&attributes);
    reason = pthread_create(thread, &attributes, run, argument);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return reason;
}
