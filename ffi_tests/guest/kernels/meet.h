/* meet.h - for kernels that a test needs on a thread for each share: the launching thread would else run what no worker has
 * begun. meet() waits until the shares of all workers have begun, in whatever tile. Not in this file: the same for
 * race tools, which must not see that the threads have met (meet.c). */
#ifndef MEET_H
#define MEET_H

#include <time.h>

#include "portable.h"

/* A bit for each worker; 0 before each launch. At most 64 workers. */
static inline void meet(const portable_tile *t, uint64_t *begun) {
  struct timespec pause = {0, 20000};
  uint64_t all = t->workers >= 64 ? UINT64_MAX : (UINT64_C(1) << t->workers) - 1;
  __atomic_fetch_or(begun, UINT64_C(1) << t->worker, __ATOMIC_SEQ_CST); /* the program may be in C++ */
  while ((__atomic_load_n(begun, __ATOMIC_SEQ_CST) & all) != all) nanosleep(&pause, NULL);
}

#endif
