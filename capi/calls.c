/* calls.c - see calls.h. Also in this file: what is done about a call that has been left, by longjmp out of a kernel or by the end of its thread. */
#define _GNU_SOURCE
#include "calls.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Atomic int32_t portable__calls_closing;

static _Atomic int64_t stateless; /* calls of threads for whose state there is no memory */

/* 1: the frame is on the stack that the system gave the thread. Frames of fibers can not be compared with it. */
static int on_own_stack(uintptr_t frame) {
  pthread_attr_t attributes;
  void *lowest = NULL;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  int known = pthread_attr_getstack(&attributes, &lowest, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  return known && frame - (uintptr_t)lowest < bytes;
}

/* A frame that is still there lies above those of the calls inside it. One function may hold two calls, but not in one place. */
static int was_left(const struct portable__thread *t, uintptr_t frame, const char *scope) {
  if (frame < t->call_frame || (frame == t->call_frame && (uintptr_t)scope != t->call_scope)) return 0;
  return on_own_stack(frame) && on_own_stack(t->call_frame);
}

/* The thread is in no call any more. Other threads may still run their shares of its launch. */
static void leave(struct portable__thread *t) {
  static const char text[] = "portable: warning: a kernel was left by longjmp or by an exception; its launch ended without a status, and not all of its "
                             "iterations have run. Let kernels return; portable_kernel_fail ends a launch with a status";
  atomic_store(&t->calls, 0);
  if (portable__team_left()) portable__print(text, sizeof text - 1);
}

int portable__call_admitted(struct portable__thread *t, char *scope) {
  if (portable__running_job || portable__own_stream) return 1;
  *scope = PORTABLE__CALL_REFUSED;
  atomic_store(&t->calls, 0);
  return 0;
}

/* The first call of a thread, and a call inside another one. */
int portable__call_begin_otherwise(uintptr_t frame, char *scope) {
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
  if (n && was_left(t, frame, scope)) {
    leave(t);
    n = 0;
  }
  atomic_store(&t->calls, n + 1);
  if (n) return 1;
  t->call_frame = frame;
  t->call_scope = (uintptr_t)scope;
  atomic_thread_fence(memory_order_seq_cst);
  return !atomic_load(&portable__calls_closing) || portable__call_admitted(t, scope);
}

void portable__call_end_otherwise(char scope) {
  if (scope == PORTABLE__CALL_STATELESS && !atomic_load(&portable__forked)) atomic_fetch_sub(&stateless, 1);
}

portable_status portable__call_refused(const char *function) {
  if (!portable_is_initialized()) return portable__not_running(function);
  return portable__fail(PORTABLE_ERR_STATE, "%s: the library stops: another thread is in the last portable_finalize; let threads end their work before it",
                        function);
}

int32_t portable__calls_here(char *scope) {
  struct portable__thread *t = portable__self;
  if (!t || !atomic_load_explicit(&t->calls, memory_order_relaxed)) return 0;
  if (was_left(t, (uintptr_t)__builtin_frame_address(0), scope)) leave(t);
  return atomic_load_explicit(&t->calls, memory_order_relaxed);
}

static pid_t thread_id(void) { return (pid_t)syscall(SYS_gettid); }

static _Atomic pid_t stopper; /* the thread that stops the library */

/* One that waits for somebody else's work: first often, later now and then. */
static void wait_a_little(int tries) {
  struct timespec pause = {0, tries < 1000 ? 100000 : 2000000}; /* a launch may take hours */
  if (tries < 100)
    sched_yield();
  else
    nanosleep(&pause, NULL);
}

int portable__call_begin_late(char *scope) {
  struct portable__thread *t = portable__self;
  for (int tries = 0;; tries++) {
    if (t)
      atomic_store(&t->calls, 1);
    else
      atomic_fetch_add(&stateless, 1);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&portable__calls_closing) != PORTABLE__CALLS_SHUT) {
      *scope = t ? PORTABLE__CALL_COUNTED : PORTABLE__CALL_STATELESS;
      return 1;
    }
    if (t)
      atomic_store(&t->calls, 0);
    else
      atomic_fetch_sub(&stateless, 1);
    if (atomic_load(&stopper) == thread_id()) return 0;
    wait_a_little(tries);
  }
}

void portable__calls_close(void) { atomic_store(&portable__calls_closing, PORTABLE__CALLS_AWAITED); }

void portable__calls_open(void) {
  atomic_store(&stopper, 0);
  atomic_store(&portable__calls_closing, PORTABLE__CALLS_OPEN);
}

int32_t portable__calls_shut(void) {
  int32_t awaited = PORTABLE__CALLS_AWAITED, shut = PORTABLE__CALLS_SHUT;
  if (!atomic_compare_exchange_strong(&portable__calls_closing, &awaited, shut)) {
    wait_a_little(100); /* another finalize stops the library, or somebody has opened */
    return 0;
  }
  atomic_store(&stopper, thread_id());
  if (portable__threads_in_calls(1) + atomic_load(&stateless) == 0) return 1;
  atomic_store(&stopper, 0);
  atomic_compare_exchange_strong(&portable__calls_closing, &shut, PORTABLE__CALLS_AWAITED); /* not when somebody has opened */
  return 0;
}

#define TELL_AFTER_S 10

int32_t portable__calls_await(void) {
  static const char text[] = "portable: warning: portable_finalize has waited for 10 s for calls of other threads, which must return before the library stops";
  struct timespec begun, now;
  int told = 0;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  for (int tries = 0; atomic_load(&portable__calls_closing); tries++) {
    if (portable__threads_in_calls(tries == 0) + atomic_load(&stateless) == 0) return 1;
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

void portable__calls_thread_ends(struct portable__thread *t) {
  static const char text[] = "portable: warning: a thread ended inside a kernel or callback of the library (pthread_exit, or it was cancelled); let kernels return";
  if (!atomic_exchange(&t->calls, 0) && !portable__running_job) return;
  portable__team_left();
  portable__print(text, sizeof text - 1);
  if (getpid() == thread_id()) { /* nobody is left who could end the process: the library's threads would keep it for ever */
    static const char last[] = "portable: it was the main thread; the program ends";
    portable__print(last, sizeof last - 1);
    abort();
  }
}
