/* wait.h - waits for a change of a word of memory: by looking, or asleep. Private, inline. Not in
 * this file: the choice of the way (team.c). Threads: any. */
#ifndef PORTABLE__WAIT_H
#define PORTABLE__WAIT_H

#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "hints.h"

/* The half of a word that changes each time. */
static inline uint32_t *half_of(_Atomic uint64_t *word) {
  return (uint32_t *)(void *)word + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline void futex_wait(_Atomic uint64_t *word, uint64_t value, uint32_t who) {
  syscall(SYS_futex, half_of(word), FUTEX_WAIT_BITSET_PRIVATE, (uint32_t)value, NULL, NULL, who);
}

static inline void futex_wake(_Atomic uint64_t *word, uint32_t who) {
  syscall(SYS_futex, half_of(word), FUTEX_WAKE_BITSET_PRIVATE, 0x7fffffff, NULL, NULL, who);
}

static inline int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Looks at the word until it is no longer (or, with `until`, until it is) `value`; 0 when the time for that is over. Now and
 * then it lets others go first: on a busy machine the thread that it waits for may be on the same processor. */
static inline int spin(_Atomic uint64_t *word, uint64_t value, int until, int64_t spin_ns) {
  int64_t end = 0;
  for (;;) {
    for (int i = 0; i < 64; i++) {
      if ((atomic_load_explicit(word, memory_order_acquire) == value) == until) return 1;
      if (spin_ns == 0) return 0;
      portable__pause();
    }
    int64_t t = now_ns();
    if (end == 0) end = t + spin_ns;
    if (t >= end) return 0;
    sched_yield();
  }
}

#endif
