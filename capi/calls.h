/* calls.h - calls in progress: those that use memory of the library from one launch, wait or block to the next. The last finalize refuses new
 * ones, and waits for the others before it releases anything (internal/instance/leave.go). Private.
 *
 * In C because each launch is such a call: counting costs the thread two stores of its own. Threads: any. */
#ifndef PORTABLE__CALLS_H
#define PORTABLE__CALLS_H

#include "edge.h"

enum { PORTABLE__CALLS_OPEN, PORTABLE__CALLS_AWAITED, PORTABLE__CALLS_SHUT };
extern _Atomic int32_t portable__calls_closing; /* awaited: the last finalize waits for the calls in progress; shut: it has, and stops the library */

/* begin: 0, and the call is to be refused, because the library stops, and is not counted; end follows in any case. A call inside another one, or inside a kernel, is never
 * refused: the outer one has been counted. scope: a byte of the caller's frame. A thread counts first and looks second; the finalize does it the
 * other way round. */
int portable__call_begin_otherwise(uintptr_t frame, char *scope);
int portable__call_admitted(struct portable__thread *thread, char *scope); /* while the library stops; counted and outermost */

enum { PORTABLE__CALL_REFUSED, PORTABLE__CALL_COUNTED, PORTABLE__CALL_STATELESS }; /* what end finds in the scope */

__attribute__((always_inline)) static inline int portable__call_begin(char *scope) {
  struct portable__thread *t = portable__self;
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  if (PORTABLE__UNLIKELY(!t) || PORTABLE__UNLIKELY(atomic_load_explicit(&t->calls, memory_order_relaxed)))
    return portable__call_begin_otherwise(frame, scope);
  *scope = PORTABLE__CALL_COUNTED;
  atomic_store_explicit(&t->calls, 1, memory_order_relaxed);
  t->call_frame = frame;
  t->call_scope = (uintptr_t)scope;
  if (PORTABLE__LIKELY(portable__barrier_is_cheap))
    atomic_signal_fence(memory_order_seq_cst);
  else
    atomic_thread_fence(memory_order_seq_cst);
  return PORTABLE__LIKELY(!atomic_load_explicit(&portable__calls_closing, memory_order_acquire)) || portable__call_admitted(t, scope);
}

void portable__call_end_otherwise(char scope);
static inline void portable__call_end(const char *scope) {
  struct portable__thread *t = portable__self;
  if (PORTABLE__LIKELY(*scope == PORTABLE__CALL_COUNTED && t)) /* a child that a kernel has forked has no state */
    atomic_store_explicit(&t->calls, atomic_load_explicit(&t->calls, memory_order_relaxed) - 1, memory_order_release);
  else
    portable__call_end_otherwise(*scope);
}

/* For a call that gives something back, which begin has refused: while calls are awaited it is one more; while the library stops it waits for that,
 * and finds the next run or none. 0: the thread stops the library itself. end follows in any case. */
int portable__call_begin_late(char *scope);

/* ERR_STATE with its text. */
portable_status portable__call_refused(const char *function);

/* First in a public function that is such a call: returns ERR_STATE while the library stops. The call ends with the function. */
#define PORTABLE__CALL(function)                                                          \
  __attribute__((cleanup(portable__call_end))) char portable__call_scope;                 \
  if (PORTABLE__UNLIKELY(!portable__call_begin(&portable__call_scope))) return portable__call_refused(function)

/* How many calls the calling thread is in; 0 in the kernels of the team's other threads. scope as above. */
int32_t portable__calls_here(char *scope);

/* For the last finalize; see internal/instance. await: 1 when no call is in progress, 0 when somebody has opened meanwhile. */
void portable__calls_close(void);
void portable__calls_open(void);
int32_t portable__calls_await(void);
int32_t portable__calls_shut(void); /* after await: 1 when there still is no call, 0 to await again */

/* The thread has come to its exit hooks: what it was in has been left. */
void portable__calls_thread_ends(struct portable__thread *thread);

#endif
