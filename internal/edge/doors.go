//go:build portable_test_hooks

package edge

/*
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include "calls.h"

struct closing_test {
  sem_t begun, end;
  int64_t closing;
  int32_t awaited;
};

static void *in_call(void *of) {
  struct closing_test *c = of;
  portable__call_scope scope;
  portable__call_begin(&scope);
  sem_post(&c->begun);
  sem_wait(&c->end);
  portable__call_end(&scope);
  return NULL;
}

static void *awaits(void *of) {
  struct closing_test *c = of;
  c->awaited = portable__calls_await(c->closing);
  return NULL;
}

// Opened and closed again while a thread waits: what the wait and the next step gave. This thread was seen in no call before, and is in one then.
static int32_t closed_again(int64_t closing) {
  struct closing_test c = {.closing = closing};
  pthread_t caller, waiter;
  portable__call_scope scope;
  struct portable__thread *self = portable__thread_get();
  if (!self || sem_init(&c.begun, 0, 0) || sem_init(&c.end, 0, 0) || pthread_create(&caller, NULL, in_call, &c)) return -1;
  sem_wait(&c.begun);
  *(volatile int *)&self->outside = 0;
  portable__calls_close(closing);
  if (pthread_create(&waiter, NULL, awaits, &c)) return -1;
  while (!*(volatile int *)&self->outside) sched_yield();
  portable__calls_open();
  int served = portable__call_begin(&scope);
  portable__calls_close(closing + 1);
  sem_post(&c.end);
  pthread_join(caller, NULL);
  pthread_join(waiter, NULL);
  int32_t shut = portable__calls_shut(closing);
  portable__call_end(&scope);
  portable__calls_open();
  return served ? c.awaited + shut : -1;
}
*/
import "C"

// closedAgain says what a finalize makes of calls that were open for a moment while it waited: 0, it does not stop the library.
func closedAgain(closing int64) int32 { return int32(C.closed_again(C.int64_t(closing))) }
