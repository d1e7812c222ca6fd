/* front.h - the front of the default pool: magazines, the map of slabs, blocks that devices may still use. Private. Not here: records of blocks
 * (records.h), the look-up of an address (slabmap.h). Threads: a magazine is its thread's between enter and leave. */
#ifndef PORTABLE__FRONT_H
#define PORTABLE__FRONT_H

#include "records.h"
#include "../../internal/edge/above.h"
#include "../../internal/edge/thread.h"

/* ---- shelf.c: the magazines, as Go sees them; see gator.Front ---- */

/* The shelf, locked; NULL when all are stopped. */
struct portable__thread *portable__shelf_lock(void);
void portable__shelf_unlock(void);

void portable__front_stop(void);
void portable__front_start(void);
void portable__front_hold(int32_t hold); /* 1: stopped until 0, whichever thread stops and starts meanwhile */
size_t portable__front_drain(uintptr_t *addresses, size_t room); /* stopped; call until 0 */
void portable__front_counts(int64_t counts_out[4]);
/* No thread remembers the slab any more; stopped. */
void portable__front_forget(const struct portable__slab *slab);
/* Takes the older half of a class of the calling thread or of the shelf, or everything for class -1. */
size_t portable__front_spill(int32_t shelf, int32_t class_number, uintptr_t *addresses, size_t room);

/* ---- magazine.c: the fast path ---- */

/* Entry to the fast path. 0: stopped; go to Go. The owner announces itself first and looks at stop second;
 * who stops does it the other way round, with a barrier over all threads between, so the owner needs none. */
static inline int portable__enter(struct portable__thread *t) {
  atomic_store_explicit(&t->busy, 1, memory_order_relaxed);
  if (PORTABLE__LIKELY(portable__barrier_is_cheap))
    atomic_signal_fence(memory_order_seq_cst);
  else
    atomic_thread_fence(memory_order_seq_cst);
  if (PORTABLE__LIKELY(!atomic_load_explicit(&t->stop, memory_order_acquire))) return 1;
  atomic_store_explicit(&t->busy, 0, memory_order_release);
  return 0;
}

static inline void portable__leave(struct portable__thread *t) {
  atomic_store_explicit(&t->busy, 0, memory_order_release);
}

size_t portable__room(size_t bytes); /* bytes of the class that serves a request */
portable_status portable__alloc(size_t bytes, const char *label, size_t label_bytes, void **ptr_out);
void *portable__alloc_plain(size_t bytes); /* portable__alloc without a label; NULL: an error */
portable_status portable__free(void *ptr);
/* portable__free, but NULL is an error. */
portable_status portable__give(void *ptr);
/* portable_pool_of_space; a space below 0 is memory of the host that the driver of CUDA device -1 - space has pinned. */
portable_status portable__pool_of_memory(int32_t space, portable_pool *pool_out);

/* ---- slabmap.c: from an address to the records of its slab ---- */

struct portable__slab {
  uintptr_t base;
  uint64_t bytes;
  struct portable__record *records;
  int fast; /* its blocks may be parked; else the entry only tells the owner of an address */
  struct portable__slab *retired;
};

int portable__slab_publish(uintptr_t base, uint64_t bytes, uint32_t shift, void *records, int32_t fast);
void portable__slab_withdraw(uintptr_t base, uint64_t bytes);
extern uint32_t portable__shift;              /* log2 of the granule */
extern _Atomic uint32_t portable__slab_count; /* 0: no fast path */
extern _Atomic uint32_t portable__label_epoch; /* changes when label numbers lose their meaning */

/* ---- shape.c, serve.c, serve_checked.c ---- */

int32_t portable__strict(void);
/* The code of the library, and that of portable::allocate, as START-END,START-END in hexadecimal. For Go, under the lock of the instance. */
const char *portable__library_code(void);
size_t portable__serve_parse(portable__text value); /* serve.c: of PORTABLE_ALLOCATE_FROM */

/* ---- blocks that devices may still use ---- */

/* Devices, as bits by their index, whose default streams have had work since a thread saw that they had completed. A block that is freed meanwhile
 * is kept until they have passed what is in them: no launch into a default stream says which blocks it uses. NOTED: the table of uses.c has uses.
 * FOREIGN: the program has the driver's stream behind a default one, and may put work into it that no bit tells. */
#define PORTABLE__NOTED (UINT32_C(1) << 31)
#define PORTABLE__FOREIGN (UINT32_C(1) << 30)
extern _Atomic uint32_t portable__unfenced;
static inline void portable__free_begins(const void *ptr) {
  if (PORTABLE__UNLIKELY(atomic_load_explicit(&portable__unfenced, memory_order_relaxed))) portable__above_stream.free_unfenced(ptr);
}

#endif
