/* calls_left.c - finds calls that were left: by longjmp, by an exception out of a kernel, or by the
 * end of their thread. An exception and the end of a thread end the calls that they pass, because C
 * is compiled with -fexceptions; longjmp gives no notice. The last finalize must neither wait for
 * such a call nor be refused for it. There are three signs: the frame of a later call, the memory
 * where the outermost call began, and the frames on the stack. Not in this file: calls in progress
 * (calls.c). */
#define _GNU_SOURCE
#include "above.h"
#include "code.h"
#include "calls.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>


/* Frames of fibers cannot be compared with those of the thread. */
static int on_own_stack(uintptr_t frame) {
  uintptr_t from, to;
  return portable__own_stack(&from, &to) && frame >= from && frame < to;
}

/* A frame in use is above those of the calls inside it. One function may hold two calls, but at different addresses. */
int portable__call_was_left(const struct portable__thread *t, uintptr_t frame, const portable__call_scope *scope) {
  if (frame < t->call_frame || (frame == t->call_frame && (uintptr_t)scope != atomic_load(&t->call_scope))) return 0;
  return on_own_stack(frame) && on_own_stack(t->call_frame);
}

/* ---- the memory ---- */

/* Asks the system, because the stack of an ended thread or fiber may be unmapped. 1: the memory holds something
 * else. */
static int overwritten(uintptr_t scope) {
  portable__call_scope found = PORTABLE__CALL_COUNTED;
  struct iovec to = {&found, sizeof found}, from = {(void *)scope, sizeof found};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)sizeof found && found != PORTABLE__CALL_COUNTED;
}

/* The second test is for a call that has begun at the same address since the first one. A call that has begun inside
 * the one that was left is counted, and then tests itself whether it is the outermost one. */
int portable__call_is_gone(struct portable__thread *t) {
  if (atomic_load(&t->calls) != 1) return 0;
  uintptr_t scope = atomic_load(&t->call_scope);
  if (!overwritten(scope)) return 0;
  atomic_thread_fence(memory_order_seq_cst);
  return atomic_load(&t->calls) == 1 && atomic_load(&t->call_scope) == scope && overwritten(scope);
}

/* ---- the stack ---- */

/* Frames from the newest on: first those of the current call in their order, then those of its callers. */
struct look {
  uintptr_t frame; /* of the call in question */
  uintptr_t below; /* lower end of the last frame */
  int begins, first, ours, left;
};

/* A call in progress has a frame of the library on the stack, not above its own frame, and beyond the frames of the
 * program that it has called. If a call begins, the library itself may have made it, inside the call in question. */
static _Unwind_Reason_Code next_frame(struct _Unwind_Context *c, void *payload) {
  struct look *l = payload;
  uintptr_t stack = (uintptr_t)_Unwind_GetCFA(c), code = (uintptr_t)_Unwind_GetIP(c);
  if (code == 0 || stack < l->below) return _URC_END_OF_STACK;
  l->below = stack;
  if (stack > l->frame) {
    l->left = !(l->begins && l->first && l->ours);
    return _URC_END_OF_STACK;
  }
  l->ours = portable__in_library(code - 1);
  if (l->ours && !l->first) return _URC_END_OF_STACK;
  if (!l->ours) l->first = 0;
  return _URC_NO_REASON;
}

/* 1: the call in question is not on the stack. 0: it is, or the stack cannot be read that far. */
__attribute__((noinline)) static int not_on_stack(uintptr_t frame, int begins) {
  struct look l = {.frame = frame, .begins = begins, .first = 1, .ours = 1};
  if (!portable__in_library((uintptr_t)not_on_stack)) return 0; /* C is linked without the archive, so the range of our code is unknown */
  _Unwind_Backtrace(next_frame, &l);
  return l.left;
}

__attribute__((noinline)) int portable__call_is_left(const struct portable__thread *t, int begins) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (overwritten(atomic_load(&t->call_scope))) return 1;
  if (!on_own_stack(here) || !on_own_stack(t->call_frame)) return 0;
  return here >= t->call_frame || not_on_stack(t->call_frame, begins);
}

/* ---- effects ---- */

void portable__call_kernel_left(void) {
  static const char text[] = "portable: warning: a kernel was left by longjmp or by an exception; its launch ended without a status, and not all of its "
                             "iterations have run. Let kernels return; portable_kernel_fail ends a launch with a status";
  portable__print(text, sizeof text - 1);
}

void portable__call_leave(struct portable__thread *t) {
  atomic_store(&t->calls, 0);
  if (portable__above_team.left()) portable__call_kernel_left();
}

void portable__calls_thread_ends(struct portable__thread *t) {
  static const char text[] = "portable: warning: a thread ended inside a kernel or callback of the library (pthread_exit, or it was cancelled); let kernels return";
  const int inside = atomic_exchange(&t->calls, 0) != 0;
  if (!portable__above_team.left() && !inside) return;
  portable__print(text, sizeof text - 1);
  if (getpid() == (pid_t)syscall(SYS_gettid)) { /* no thread is left that could end the process: the library's threads would keep it alive for ever */
    static const char last[] = "portable: it was the main thread; the program ends";
    portable__print(last, sizeof last - 1);
    abort();
  }
}
