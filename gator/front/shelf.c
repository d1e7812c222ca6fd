/* shelf.c - the shelf of large blocks that all threads share, and the magazines of all threads as Go sees them: stopped, drained, counted. In C
 * because the fast path is. Not in this file: states of threads (internal/edge/thread.c), the fast path (magazine.c).
 * Locks: the registry of threads, then the shelf's. */
#include "front.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

static struct portable__thread shelf; /* 240 KB: an initial value would put all of it into every program */
static pthread_mutex_t shelf_lock = PTHREAD_MUTEX_INITIALIZER; /* guards the shelf; taken last */
static int stopped, held; /* registry lock; by Go for a moment, by who wants to see each block (watch.c) */

/* The states of all threads, then the shelf. Registry lock. */
static struct portable__thread *first(void) { return portable__threads ? portable__threads : &shelf; }
static struct portable__thread *next(const struct portable__thread *t) { return t == &shelf ? NULL : t->next ? t->next : &shelf; }

struct portable__thread *portable__shelf_lock(void) {
  pthread_mutex_lock(&shelf_lock);
  shelf.limit = PORTABLE__SHELF_MAX;
  if (!atomic_load_explicit(&shelf.stop, memory_order_relaxed)) return &shelf;
  pthread_mutex_unlock(&shelf_lock);
  return NULL;
}

void portable__shelf_unlock(void) { pthread_mutex_unlock(&shelf_lock); }

/* Registry lock: all owners are outside from now on. */
static void stop_all(void) {
  for (struct portable__thread *t = first(); t; t = next(t)) atomic_store(&t->stop, 1);
  portable__threads_barrier(); /* the loads of busy below must not come before the stores of stop are seen by all; see portable__enter */
  for (struct portable__thread *t = first(); t; t = next(t))
    for (int spins = 0; atomic_load_explicit(&t->busy, memory_order_acquire); spins++)
      if (spins > 100) sched_yield(); /* the owner may have lost its core inside */
  pthread_mutex_lock(&shelf_lock); /* each thread that was at the shelf has left when this succeeds */
  pthread_mutex_unlock(&shelf_lock);
}

static void change_stop(int *reason, int value) {
  portable__threads_lock();
  *reason = value;
  portable__threads_begin_stopped(stopped | held);
  if (value)
    stop_all();
  else if (!(stopped | held))
    for (struct portable__thread *t = first(); t; t = next(t)) atomic_store(&t->stop, 0);
  portable__threads_unlock();
}

void portable__front_stop(void) { change_stop(&stopped, 1); }

void portable__front_start(void) { change_stop(&stopped, 0); }

void portable__front_hold(int32_t hold) { change_stop(&held, hold); }

/* Empties one class from its oldest end and gives how many blocks came out. */
static size_t take(struct portable__thread *t, struct portable__class *k, size_t most, uintptr_t *addresses, size_t room) {
  size_t n = k->count < most ? k->count : most;
  if (n > room) n = room;
  for (size_t i = 0; i < n; i++) {
    addresses[i] = (uintptr_t)k->slot[i].address;
    t->parked -= (uint64_t)k->granules[i] << portable__shift;
  }
  k->count -= (uint32_t)n;
  memmove(k->slot, k->slot + n, k->count * sizeof k->slot[0]);
  memmove(k->granules, k->granules + n, k->count * sizeof k->granules[0]);
  return n;
}

static size_t take_all(struct portable__thread *t, uintptr_t *addresses, size_t room) {
  size_t n = 0;
  for (int c = 0; c < PORTABLE__CLASSES && t->parked > 0; c++)
    n += take(t, &t->classes[c], PORTABLE__SLOTS, addresses + n, room - n);
  return n;
}

size_t portable__front_drain(uintptr_t *addresses, size_t room) {
  size_t n = 0;
  portable__threads_lock();
  for (struct portable__thread *t = first(); t && n < room; t = next(t)) n += take_all(t, addresses + n, room - n);
  portable__threads_unlock();
  return n;
}

static size_t spill(struct portable__thread *t, int32_t class_number, uintptr_t *addresses, size_t room) {
  if (class_number < 0) return take_all(t, addresses, room);
  return take(t, &t->classes[class_number], PORTABLE__SLOTS / 2, addresses, room);
}

/* Called back by Go on the owner's own thread, which is outside enter and leave; Go holds the pool's lock,
   without which no thread stops and drains. */
size_t portable__front_spill(int32_t from_shelf, int32_t class_number, uintptr_t *addresses, size_t room) {
  if (!from_shelf) return portable__self ? spill(portable__self, class_number, addresses, room) : 0;
  pthread_mutex_lock(&shelf_lock);
  size_t n = spill(&shelf, class_number, addresses, room);
  pthread_mutex_unlock(&shelf_lock);
  return n;
}

void portable__front_forget(const struct portable__slab *slab) {
  portable__threads_lock();
  for (struct portable__thread *t = first(); t; t = next(t))
    if (t->slab == slab) t->slab = NULL;
  portable__threads_unlock();
}

void portable__front_counts(int64_t counts_out[4]) {
  int64_t bytes = 0, allocations = 0, frees = 0;
  portable__threads_lock();
  for (struct portable__thread *t = first(); t; t = next(t)) {
    bytes += atomic_load_explicit(&t->bytes, memory_order_relaxed);
    allocations += atomic_load_explicit(&t->allocations, memory_order_relaxed);
    frees += atomic_load_explicit(&t->frees, memory_order_relaxed);
  }
  portable__threads_unlock();
  counts_out[0] = bytes;
  counts_out[1] = allocations - frees;
  counts_out[2] = allocations;
  counts_out[3] = frees;
}
