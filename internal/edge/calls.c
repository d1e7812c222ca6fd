/* calls.c - counts calls in progress, and lets the last finalize wait for them (calls.h). Not in
 * this file: calls that were left (calls_left.c). */
#include "above.h"
#include "calls.h"

#include <sched.h>
#include <time.h>

_Atomic int64_t portable__calls_closing;

static _Atomic int64_t stateless; /* calls of threads for whose state there is no memory */

int portable__call_admitted(struct portable__thread *t, portable__call_scope *scope) {
  if (portable__running_job || portable__own_stream) return 1;
  *scope = PORTABLE__CALL_REFUSED;
  atomic_store(&t->calls, 0);
  return 0;
}

/* Begins the first call of a thread, or a call inside another one. */
int portable__call_begin_otherwise(uintptr_t frame, portable__call_scope *scope) {
  struct portable__thread *t = portable__thread_get();
  if (!t) {
    *scope = PORTABLE__CALL_STATELESS;
    atomic_fetch_add(&stateless, 1);
    if (!atomic_load(&portable__calls_closing) || portable__running_job || portable__own_stream) return 1;
    atomic_fetch_sub(&stateless, 1);
    *scope = PORTABLE__CALL_REFUSED;
    return 0;
  }
  *scope = PORTABLE__CALL_COUNTED;
  int32_t n = atomic_load_explicit(&t->calls, memory_order_relaxed);
  if (n) {
    atomic_store(&t->calls, n + 1);
    atomic_thread_fence(memory_order_seq_cst);
    const int left = PORTABLE__UNLIKELY(atomic_load(&portable__calls_closing)) ? portable__call_was_left(t, frame, scope) || portable__call_is_left(t, 1)
                                                                               : portable__call_was_left(t, frame, scope);
    if (!left) return 1;
    portable__call_leave(t);
  }
  t->call_frame = frame;
  atomic_store(&t->call_scope, (uintptr_t)scope);
  atomic_store(&t->calls, 1);
  atomic_thread_fence(memory_order_seq_cst);
  return !atomic_load(&portable__calls_closing) || portable__call_admitted(t, scope);
}

void portable__call_end_otherwise(portable__call_scope scope) {
  if (scope == PORTABLE__CALL_STATELESS && !atomic_load(&portable__forked)) atomic_fetch_sub(&stateless, 1);
}

portable_status portable__call_refused(const char *function) {
  if (!portable_is_initialized()) return portable__not_running(function);
  return portable__fail(PORTABLE_ERR_STATE, "%s: the library stops: another thread is in the last portable_finalize; let threads end their work before it",
                        function);
}

int32_t portable__calls_here(void) {
  struct portable__thread *t = portable__self;
  if (!t || !atomic_load_explicit(&t->calls, memory_order_relaxed)) return 0;
  if (portable__call_is_left(t, 0)) portable__call_leave(t);
  return atomic_load_explicit(&t->calls, memory_order_relaxed);
}

static __thread int64_t stops __attribute__((tls_model("initial-exec"))); /* portable__calls_closing, while this thread stops the library */

/* Waits for work of another thread: short pauses first, longer ones later. */
static void wait_a_little(int tries) {
  struct timespec pause = {0, tries < 1000 ? 100000 : 2000000}; /* a launch may take hours */
  if (tries < 100)
    sched_yield();
  else
    nanosleep(&pause, NULL);
}

int portable__call_begin_late(portable__call_scope *scope) {
  struct portable__thread *t = portable__self;
  for (int tries = 0;; tries++) {
    *scope = t ? PORTABLE__CALL_COUNTED : PORTABLE__CALL_STATELESS;
    if (t) {
      t->call_frame = (uintptr_t)scope; /* in the frame of the call, as this one ends */
      atomic_store(&t->call_scope, (uintptr_t)scope);
      atomic_store(&t->calls, 1);
    } else {
      atomic_fetch_add(&stateless, 1);
    }
    atomic_thread_fence(memory_order_seq_cst);
    int64_t now = atomic_load(&portable__calls_closing);
    if (!(now & PORTABLE__CALLS_SHUT)) return 1;
    if (t)
      atomic_store(&t->calls, 0);
    else
      atomic_fetch_sub(&stateless, 1);
    *scope = PORTABLE__CALL_REFUSED;
    if (now == stops) return 0;
    wait_a_little(tries);
  }
}

void portable__calls_close(int64_t closing) { atomic_store(&portable__calls_closing, closing << 2 | PORTABLE__CALLS_AWAITED); }

void portable__calls_open(void) { atomic_store(&portable__calls_closing, 0); }

static int64_t in_progress(int first, int doubt) {
  return portable__threads_in_calls(first, doubt && !portable__above_team.launches()) + atomic_load(&stateless);
}

int32_t portable__calls_shut(int64_t closing) {
  int64_t awaited = closing << 2 | PORTABLE__CALLS_AWAITED, shut = closing << 2 | PORTABLE__CALLS_SHUT;
  stops = shut;
  if (atomic_compare_exchange_strong(&portable__calls_closing, &awaited, shut)) {
    if (in_progress(1, 1) == 0) return 1;
    atomic_compare_exchange_strong(&portable__calls_closing, &shut, closing << 2 | PORTABLE__CALLS_AWAITED); /* fails if another thread has opened meanwhile */
  } else {
    wait_a_little(100); /* another finalize stops the library, or a thread has opened */
  }
  stops = 0;
  return 0;
}

#define TELL_AFTER_S 10

int32_t portable__calls_await(int64_t closing) {
  static const char text[] = "portable: warning: portable_finalize has waited for 10 s for calls of other threads, which must return before the library stops";
  struct timespec begun, now;
  int told = 0;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  for (int tries = 0; atomic_load(&portable__calls_closing) >> 2 == closing; tries++) {
    if (in_progress(tries == 0, tries >= 100) == 0) return atomic_load(&portable__calls_closing) >> 2 == closing;
    wait_a_little(tries);
    if (tries < 100) continue;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!told && now.tv_sec - begun.tv_sec >= TELL_AFTER_S) {
      told = 1;
      portable__print(text, sizeof text - 1);
    }
  }
  return 0;
}
