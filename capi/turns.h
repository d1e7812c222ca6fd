/* turns.h - one loop whose parts run at once and hand a value on in their order. Private, only inline.
 *
 * Threads claim parts by number, from 0 on. Each computes what it can by itself, waits for its turn, takes the value that the parts
 * before have left, leaves the one for the next part, and goes on by itself. A part that is waited for was claimed
 * earlier, so some thread is at it; nobody waits while it holds anything else. With one thread nobody waits at all.
 * Not in this file: the value, which is written between await and pass only. */
#ifndef PORTABLE__TURNS_H
#define PORTABLE__TURNS_H

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#include "../internal/team/hints.h"

struct portable__turns {
  _Alignas(64) _Atomic int64_t claimed;
  _Alignas(64) _Atomic int64_t turn;
};

static inline int64_t portable__turn_claim(struct portable__turns *t) {
  return atomic_fetch_add_explicit(&t->claimed, 1, memory_order_relaxed);
}

static inline void portable__turn_await(struct portable__turns *t, int64_t part) {
  for (int spins = 0; atomic_load_explicit(&t->turn, memory_order_acquire) != part; spins++) {
    if (spins < 4096)
      portable__pause();
    else
      sched_yield(); /* whoever has the turn may have no processor */
  }
}

static inline void portable__turn_pass(struct portable__turns *t, int64_t part) {
  atomic_store_explicit(&t->turn, part + 1, memory_order_release);
}

#endif
