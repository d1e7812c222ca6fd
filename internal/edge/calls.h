/* calls.h - counts calls in progress that use memory of the library over several launches, waits or
 * blocks. The last finalize refuses new calls, and waits for the others before it releases memory
 * (internal/instance/participants.go). Private.
 *
 * In C because each launch is such a call: counting costs the thread two stores of its own.
 * Threads: any. */
#ifndef PORTABLE__CALLS_H
#define PORTABLE__CALLS_H

#include "thread.h"


typedef uint32_t portable__call_scope;

/* 0: open. Else four times the number of the closing, plus one of these. Awaited: the last finalize waits for the calls
 * in progress; shut: it has, and stops the library. Each closing has a new number, so a waiter knows whether calls were
 * admitted meanwhile. */
enum { PORTABLE__CALLS_AWAITED = 1, PORTABLE__CALLS_SHUT = 2 };
extern _Atomic int64_t portable__calls_closing;

/* Begins a call. 0: the library stops; the call is refused and not counted. end follows in any case. A call inside
 * another one, or inside a kernel, is never refused, because the outer one was counted. scope: a variable in the
 * caller's frame. A thread counts first and tests second; the finalize closes first and counts second. */
int portable__call_begin_otherwise(uintptr_t frame, portable__call_scope *scope);
int portable__call_admitted(struct portable__thread *thread, portable__call_scope *scope); /* while the library stops; the call is counted and outermost */

/* Values of a scope, for end. Memory hardly holds these numbers by chance: if the number of the outermost call was
 * overwritten, the call was left. */
enum { PORTABLE__CALL_REFUSED = 0x2b8e51c7, PORTABLE__CALL_COUNTED = 0x5e3a94d1, PORTABLE__CALL_STATELESS = 0x719c0d6b };

__attribute__((always_inline)) static inline int portable__call_begin(portable__call_scope *scope) {
  struct portable__thread *t = portable__self;
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  if (PORTABLE__UNLIKELY(!t) || PORTABLE__UNLIKELY(atomic_load_explicit(&t->calls, memory_order_relaxed)))
    return portable__call_begin_otherwise(frame, scope);
  *scope = PORTABLE__CALL_COUNTED;
  t->call_frame = frame;
  atomic_store_explicit(&t->call_scope, (uintptr_t)scope, memory_order_relaxed);
  atomic_store_explicit(&t->calls, 1, memory_order_release);
  if (PORTABLE__LIKELY(portable__barrier_is_cheap))
    atomic_signal_fence(memory_order_seq_cst);
  else
    atomic_thread_fence(memory_order_seq_cst);
  return PORTABLE__LIKELY(!atomic_load_explicit(&portable__calls_closing, memory_order_acquire)) || portable__call_admitted(t, scope);
}

void portable__call_end_otherwise(portable__call_scope scope);
static inline void portable__call_end(const portable__call_scope *scope) {
  struct portable__thread *t = portable__self;
  if (PORTABLE__LIKELY(*scope == PORTABLE__CALL_COUNTED && t)) /* a child that a kernel has forked has no state */
    atomic_store_explicit(&t->calls, atomic_load_explicit(&t->calls, memory_order_relaxed) - 1, memory_order_release);
  else
    portable__call_end_otherwise(*scope);
}

/* For a call that releases something, after begin has refused it. While calls are awaited it is one more; while the
 * library stops it waits for the end of the stop. 0: this thread itself stops the library. end follows in any case. */
int portable__call_begin_late(portable__call_scope *scope);

/* Returns ERR_STATE with its text. */
portable_status portable__call_refused(const char *function);

/* First statement of a public function that is such a call: returns ERR_STATE while the library stops. The call ends
 * with the function, also by an exception. */
#define PORTABLE__CALL(function)                                                                            \
  __attribute__((cleanup(portable__call_end))) portable__call_scope portable__scope_of_call;                \
  if (PORTABLE__UNLIKELY(!portable__call_begin(&portable__scope_of_call))) return portable__call_refused(function)

/* Number of calls that the calling thread is in; 0 in kernels on the team's other threads. For public functions that
 * are no such calls. */
int32_t portable__calls_here(void);

/* For the last finalize (internal/instance). closing: the number, from 1 on. await returns 1 when no call is in
 * progress, 0 when that closing has ended. */
void portable__calls_close(int64_t closing);
void portable__calls_open(void);
int32_t portable__calls_await(int64_t closing);
int32_t portable__calls_shut(int64_t closing); /* after await: 1 if there is still no call, 0 to await again */

/* ---- calls_left.c: calls that have been left ---- */

/* The outermost call of the calling thread was left, as far as two frames show: that of a call in progress, and that of
 * a call which begins inside it. */
int portable__call_was_left(const struct portable__thread *thread, uintptr_t frame, const portable__call_scope *scope);
/* The same by all evidence; it takes some microseconds. begins: 1 if a call begins now; 0 if the calling public
 * function is no such call. */
int portable__call_is_left(const struct portable__thread *thread, int begins);
/* The calling thread is in no call any more. Other threads may still run shares of its launch. */
void portable__call_leave(struct portable__thread *thread);
/* For any thread: 1 if memory proves that the outermost call was left, and the thread is in no other. */
int portable__call_is_gone(struct portable__thread *thread);

/* The thread runs its exit hooks: all its calls were left. */
void portable__calls_thread_ends(struct portable__thread *thread);

/* An exception left a kernel on the launching thread. */
void portable__call_kernel_left(void);

#endif
