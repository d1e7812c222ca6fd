/* thread.h - further threads of ours that run kernels: with a stack of a chosen size, a guard that
 * is wider than the frame of a large automatic array, and a signal mask that leaves the program's
 * signals to its own threads. Private. Threads: safe. */
#ifndef PORTABLE__THREAD_H
#define PORTABLE__THREAD_H

#include <pthread.h>
#include <stdint.h>

#define PORTABLE__GUARD_BYTES ((size_t)256 << 10) /* a frame of a big automatic array can step over less */

/* Leaves of the signals what comes from a fault of the thread itself, and what a profiler times threads by. Called on the thread. */
void portable__thread_mask(void);

/* Makes a thread that may run where the process may; with all signals blocked, until it calls portable__thread_mask. stack_bytes
 * 0: the system's default. Gives 0 or an error number. */
int portable__thread_make(pthread_t *thread, uint64_t stack_bytes, void *(*run)(void *), void *argument);

#endif
