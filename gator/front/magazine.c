/* magazine.c - magazines of freshly freed blocks, one set for each thread, in front of the default pool. In C
 * because a pair of calls must cost 10 ns and scale over threads; a call into Go alone costs 45.
 *
 * Sizes fall into classes at most 12.5 % apart. A freed block goes into its class, and a request takes the newest
 * block of its class that is long enough. A small request is rounded up to its class, so that every block of
 * the class is; a large one is not, because such sizes would all be multiples of 4096, and arrays at equal
 * places modulo 4096 get into each other's way in the cache (gator/front/RATIONALE.md). Large blocks go to a shelf that
 * all threads share, under a lock: they are few, and a copy for each thread would be much memory. Blocks of the size of arrays go there,
 * too, when the thread's set is full. A surplus of a class or a set after that goes to Go, which also takes everything before
 * it grows, runs out of memory, checks or counts. The state of a block's record changes by compare-and-swap, so a second free finds it changed, whatever
 * thread does it.
 *
 * Thread rule: a thread's magazines are its own between enter and leave (front.h). */
#include "questions.h"
#include "../../internal/edge/above.h"
#include "../../internal/observe/tools.h"
#include "../../internal/guard/guard.h"
#include "../../internal/edge/calls.h"
#include "../../internal/memcheck/memcheck.h"
#include "slabmap.h"

#include <string.h>

/* An ordinary pair runs through one piece of code without calls in it, so that it saves no registers; what else can
   happen is out of its way. */
#define HOT static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

/* The granules of a block less one, which is what the classes are computed from. 0 bytes have a granule too. */
static inline uint64_t last_granule(size_t bytes) { return ((uint64_t)bytes - (bytes != 0)) >> portable__shift; }

/* Classes: 1 to 8 granules one by one, then eight to each doubling. Without a branch, because sizes come mixed. */
static inline uint32_t class_of(uint64_t last) {
  uint32_t e = 60 - (uint32_t)__builtin_clzll(last | 8);
  return 1 + e * 8 + (uint32_t)(last >> e);
}

static inline uint64_t class_granules(uint32_t c) {
  if (c <= 8) return c;
  uint32_t e = (c - 9) / 8 + 3, m = (c - 9) % 8;
  return (uint64_t)(9 + m) << (e - 3);
}

static inline void add(_Atomic int64_t *counter, int64_t n) {
  atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n, memory_order_relaxed);
}

/* Requests from here on are not rounded to their class. */
#define PORTABLE__EXACT_FROM (32u << 10)

size_t portable__room(size_t bytes) {
  if (PORTABLE__UNLIKELY(portable__tool)) return portable__tool_room(bytes);
  if (!atomic_load_explicit(&portable__slab_count, memory_order_acquire) || bytes >= PORTABLE__EXACT_FROM) return bytes;
  return (size_t)class_granules(class_of(last_granule(bytes))) << portable__shift;
}

static inline uint64_t word(const char *p) {
  uint64_t w;
  memcpy(&w, p, sizeof w);
  return w;
}

/* A text of less than 8 bytes as a number; texts of one length have different numbers. */
static inline uint64_t short_text(const char *p, size_t bytes) {
  uint64_t w = 0;
  if (bytes >= 4) {
    uint32_t first, last;
    memcpy(&first, p, 4);
    memcpy(&last, p + bytes - 4, 4);
    return (uint64_t)first << 32 | last;
  }
  for (size_t i = 0; i < bytes; i++) w = w << 8 | (unsigned char)p[i];
  return w;
}

/* The first of the places where the thread may remember a label. By words, the last of which may overlap the one before: byte by byte this
   took longer than all the rest of an allocation. */
static inline struct portable__label *label_place(struct portable__thread *t, const char *label, size_t bytes) {
  uint64_t hash = bytes;
  if (bytes < 8) {
    hash ^= short_text(label, bytes);
  } else {
    for (size_t i = 0; i + 8 < bytes; i += 8) hash = (hash ^ word(label + i)) * 0x9e3779b97f4a7c15u;
    hash ^= word(label + bytes - 8);
  }
  hash *= 0x9e3779b97f4a7c15u;
  /* By the highest bits, to which all others are carried: names often differ in their last letters, which are the word's high bytes. */
  return &t->labels[(hash >> PORTABLE__LABEL_SHIFT) * PORTABLE__LABEL_PLACES];
}

static inline int same_text(const char *a, const char *b, size_t bytes) {
  if (bytes < 8) return short_text(a, bytes) == short_text(b, bytes);
  for (size_t i = 0; i + 8 < bytes; i += 8)
    if (word(a + i) != word(b + i)) return 0;
  return word(a + bytes - 8) == word(b + bytes - 8);
}

/* The number of a label, from the thread's memory of them. 0 and *known = 0: ask Go. */
static inline uint32_t label_number(struct portable__thread *t, const char *label, size_t bytes, int *known) {
  *known = 1;
  if (bytes == 0) return 0;
  *known = 0;
  if (bytes > PORTABLE__LABEL_TEXT) return 0;
  struct portable__label *l = label_place(t, label, bytes);
  for (int tries = 1; l->bytes != bytes || !same_text(l->text, label, bytes); tries++, l++)
    if (tries == PORTABLE__LABEL_PLACES) return 0;
  if (l->epoch != atomic_load_explicit(&portable__label_epoch, memory_order_relaxed)) return 0;
  *known = 1;
  return l->id;
}

/* Keeps the number that Go has for a label, in place of the oldest of those next to it: with one place for each, a program that uses two labels of one place in
   turn would go to Go each time. Called inside Go's part of an allocation, on the owner's thread. */
static void remember(struct portable__thread *t, const char *label, size_t bytes, uint32_t epoch) {
  if (bytes == 0 || bytes > PORTABLE__LABEL_TEXT) return;
  struct portable__label *l = label_place(t, label, bytes);
  memmove(l + 1, l, (PORTABLE__LABEL_PLACES - 1) * sizeof *l);
  l->epoch = epoch;
  l->id = portable__front_go.label(label, bytes);
  l->bytes = (uint32_t)bytes;
  memcpy(l->text, label, bytes);
}

/* Gives a block to the user. */
HOT void *hand_out(struct portable__thread *t, struct portable__slot slot, uint64_t granules, size_t bytes, uint32_t label) {
  t->parked -= granules << portable__shift;
  atomic_store_explicit(&slot.record->label, label, memory_order_relaxed);
  atomic_store_explicit(&slot.record->state, (uint64_t)bytes << PORTABLE__BYTES_SHIFT | PORTABLE__KIND_LIVE,
                        memory_order_release);
  add(&t->bytes, (int64_t)bytes);
  add(&t->allocations, 1);
  return slot.address;
}

/* The newest block of a class is too short: looks further back. The other blocks keep their order. */
static NOINLINE void *pop_older(struct portable__thread *t, struct portable__class *k, size_t bytes, uint32_t label) {
  uint64_t last = last_granule(bytes);
  for (uint32_t i = k->count; i-- > 0;) {
    if (k->granules[i] <= last) continue;
    struct portable__slot slot = k->slot[i];
    uint64_t granules = k->granules[i];
    k->count--;
    memmove(&k->slot[i], &k->slot[i + 1], (k->count - i) * sizeof k->slot[0]);
    memmove(&k->granules[i], &k->granules[i + 1], (k->count - i) * sizeof k->granules[0]);
    return hand_out(t, slot, granules, bytes, label);
  }
  return NULL;
}

HOT void *pop(struct portable__thread *t, size_t bytes, uint32_t label) {
  uint64_t last = last_granule(bytes);
  struct portable__class *k = &t->classes[class_of(last)];
  uint32_t i = k->count - 1;
  if (PORTABLE__UNLIKELY(k->count == 0)) return NULL;
  if (PORTABLE__UNLIKELY(k->granules[i] <= last)) return pop_older(t, k, bytes, label);
  k->count = i;
  return hand_out(t, k->slot[i], k->granules[i], bytes, label);
}

/* Whether blocks of a class go to the shelf when the thread's set has no room. Asked by class on both ways: one holds lengths on either side of SHARED_FROM. */
static inline int is_shared(uint32_t c) { return class_granules(c) << portable__shift >= PORTABLE__SHARED_FROM; }

static NOINLINE void *pop_shelf(size_t bytes, uint32_t label) {
  struct portable__thread *shelf;
  if (!is_shared(class_of(last_granule(bytes))) || !(shelf = portable__shelf_lock())) return NULL;
  void *p = pop(shelf, bytes, label);
  portable__shelf_unlock();
  return p;
}

HOT void *fast_alloc(size_t bytes, const char *label, size_t label_bytes) {
  struct portable__thread *t = portable__self;
  if (PORTABLE__UNLIKELY(t == NULL) || PORTABLE__UNLIKELY(!portable__enter(t))) return NULL;
  int known;
  uint32_t number = label_number(t, label, label_bytes, &known);
  void *p = NULL;
  if (PORTABLE__LIKELY(known && bytes <= PORTABLE__LARGE)) p = pop(t, bytes, number);
  portable__leave(t);
  if (PORTABLE__UNLIKELY(p == NULL) && bytes <= PORTABLE__SHELF_MAX && known) p = pop_shelf(bytes, number);
  return p;
}

enum { DONE, REFUSED, LARGE, CLASS_FULL, SET_FULL };

/* Parks a block in a set of magazines. REFUSED is Go's affair: no slab of ours, no live block, one with dependencies,
 * a very large one. LARGE is the shelf's. */
HOT int push(struct portable__thread *t, void *ptr, int large, uint32_t *class_out) {
  uintptr_t address = (uintptr_t)ptr;
  /* Most programs stay in one slab for long; asking the map takes four loads, each of which waits for the one before. */
  struct portable__slab *slab = t->slab;
  if (PORTABLE__UNLIKELY(!slab || address - slab->base >= slab->bytes)) {
    slab = portable__slab_of(address);
    if (!slab || !slab->fast) return REFUSED;
    t->slab = slab;
  }
  uintptr_t offset = address - slab->base;
  if (offset & ((1u << portable__shift) - 1)) return REFUSED;
  struct portable__record *r = &slab->records[offset >> portable__shift];
  uint64_t state = atomic_load_explicit(&r->state, memory_order_relaxed);
  if ((state & (PORTABLE__KIND_MASK | PORTABLE__FLAG_DEPENDS)) != PORTABLE__KIND_LIVE) return REFUSED;
  uint64_t granules = atomic_load_explicit(&r->length, memory_order_relaxed);
  uint64_t room = granules << portable__shift;
  if (PORTABLE__UNLIKELY(room > PORTABLE__LARGE) && !large) return room > PORTABLE__SHELF_MAX ? REFUSED : LARGE;
  *class_out = class_of(granules - 1);
  struct portable__class *k = &t->classes[*class_out];
  uint32_t i = k->count;
  if (PORTABLE__UNLIKELY(t->parked + room > t->limit)) return SET_FULL;
  if (PORTABLE__UNLIKELY(i == PORTABLE__SLOTS)) return CLASS_FULL;
  if (!PORTABLE__LIKELY(atomic_compare_exchange_strong_explicit(&r->state, &state, PORTABLE__KIND_PARKED, memory_order_acq_rel,
                                                                memory_order_relaxed)))
    return REFUSED;
  k->slot[i] = (struct portable__slot){ptr, r};
  k->granules[i] = (uint32_t)granules;
  k->count = i + 1;
  t->parked += room;
  add(&t->bytes, -(int64_t)(state >> PORTABLE__BYTES_SHIFT));
  add(&t->frees, 1);
  return DONE;
}

/* Makes room by giving blocks to Go: half a class, or all of a set. */
static PORTABLE__COLD void spill(int32_t shelf, int32_t class_number) {
  struct portable__crossing crossing;
  if (portable__cross_in(&crossing) != PORTABLE_OK) return;
  portable__front_go.spill(shelf, class_number);
  portable__cross_out(&crossing);
}

/* Parks a large block. The slab stays while this thread is inside its own enter and leave. */
static PORTABLE__COLD int push_on_shelf(struct portable__thread *t, void *ptr, uint32_t *class_out) {
  struct portable__thread *shelf;
  int outcome = REFUSED;
  if (!portable__enter(t)) return REFUSED;
  if ((shelf = portable__shelf_lock())) {
    outcome = push(shelf, ptr, 1, class_out);
    portable__shelf_unlock();
  }
  portable__leave(t);
  return outcome;
}

/* Every free that is not the plain one: large blocks, full magazines, and what is Go's affair, errors among it. */
static NOINLINE portable_status free_otherwise(void *ptr) {
  struct portable__thread *t = portable__self;
  for (int tries = 0; tries < 2 && t && portable__enter(t); tries++) {
    uint32_t c = 0;
    int outcome = push(t, ptr, 0, &c);
    portable__leave(t);
    int shelf = outcome == LARGE || ((outcome == SET_FULL || outcome == CLASS_FULL) && is_shared(c));
    if (shelf) outcome = push_on_shelf(t, ptr, &c);
    if (outcome == DONE) return PORTABLE_OK;
    if (outcome == REFUSED) break;
    spill(shelf, outcome == CLASS_FULL ? (int32_t)c : -1);
  }
  portable__thread_get();
  if (PORTABLE__UNLIKELY(portable__watches(ptr))) portable__watch_free(0, ptr);
  if (portable__guard_parks() && portable__memcheck_park(ptr)) return PORTABLE_OK;
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status == PORTABLE_ERR_FORK) return PORTABLE_OK; /* the child's copy of the memory goes with the child */
  if (status != PORTABLE_OK) return status;
  if (PORTABLE__UNLIKELY(portable__tool)) portable__tool_free(0, ptr);
  status = portable__front_go.free((uintptr_t)ptr);
  portable__cross_out(&crossing);
  if (PORTABLE__UNLIKELY(status == PORTABLE_ERR_POINTER)) portable__memcheck_bad_free(0, ptr);
  return status;
}

portable_status portable__free(void *ptr) {
  struct portable__thread *t = portable__self;
  portable__free_begins(ptr);
  if (PORTABLE__LIKELY(t != NULL) && PORTABLE__LIKELY(portable__enter(t))) {
    uint32_t c;
    int outcome = push(t, ptr, 0, &c);
    portable__leave(t);
    if (PORTABLE__LIKELY(outcome == DONE)) return PORTABLE_OK;
  }
  return free_otherwise(ptr);
}

static portable_status alloc_by_go(size_t bytes, const char *label, size_t label_bytes, void **ptr_out) {
  struct portable__thread *t = portable__thread_get();
  struct portable__crossing crossing;
  int picked = portable__guard_picked;
  if (portable__guard_parks() && (*ptr_out = portable__memcheck_unpark(bytes, label, label_bytes))) return PORTABLE_OK;
  *ptr_out = NULL;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) {
    portable__guard_picked = 0;
    return status;
  }
  int known = 1;
  if (t && atomic_load(&portable__slab_count)) {
    uint32_t epoch = atomic_load(&portable__label_epoch);
    label_number(t, label, label_bytes, &known);
    if (!known) remember(t, label, label_bytes, epoch);
  }
  /* A label that was not known kept the request from the magazines, not a lack of blocks: ask them again. */
  if (!known && !picked) *ptr_out = fast_alloc(bytes, label, label_bytes);
  if (*ptr_out == NULL) {
    uintptr_t address = 0;
    status = portable__front_go.alloc(bytes, portable__room(bytes), label, label_bytes, &address);
    *ptr_out = (void *)address;
    if (PORTABLE__UNLIKELY(portable__tool) && address) portable__tool_alloc(*ptr_out, bytes);
  }
  portable__cross_out(&crossing);
  portable__guard_picked = 0;
  if (PORTABLE__UNLIKELY(atomic_load_explicit(&portable__watching_memory, memory_order_relaxed) || picked) && *ptr_out)
    portable__watch_alloc(0, *ptr_out, bytes, label, label_bytes);
  return status;
}

/* A watcher may fill the block, so the library must not stop meanwhile and take the block with it. */
static PORTABLE__COLD portable_status alloc_watched(size_t bytes, const char *label, size_t label_bytes, void **ptr_out) {
  __attribute__((cleanup(portable__call_end))) portable__call_scope scope;
  *ptr_out = NULL;
  if (!portable__call_begin(&scope)) {
    portable__guard_picked = 0;
    return portable__call_refused("portable_alloc");
  }
  if (PORTABLE__UNLIKELY(portable__recording) && portable__above_graph.recording()) {
    portable__guard_picked = 0;
    return portable__above_graph.refuse("portable_alloc", NULL, PORTABLE__GRAPH_ALLOCATION);
  }
  return alloc_by_go(bytes, label, label_bytes, ptr_out);
}

/* Every allocation that the magazines did not serve at once. */
static NOINLINE portable_status alloc_otherwise(size_t bytes, const char *label, size_t label_bytes, void **ptr_out) {
  if (PORTABLE__UNLIKELY(atomic_load_explicit(&portable__watching_memory, memory_order_relaxed) || portable__guard_picked))
    return alloc_watched(bytes, label, label_bytes, ptr_out);
  return alloc_by_go(bytes, label, label_bytes, ptr_out);
}

/* Whether this block is to be under guard, where one of so many is. */
HOT int picked(void) { return PORTABLE__UNLIKELY(portable__guard_options.picks) && portable__guard_pick(); }

portable_status portable__alloc(size_t bytes, const char *label, size_t label_bytes, void **ptr_out) {
  void *p = picked() ? NULL : fast_alloc(bytes, label, label_bytes);
  if (PORTABLE__UNLIKELY(p == NULL)) return alloc_otherwise(bytes, label, label_bytes, ptr_out);
  *ptr_out = p;
  return PORTABLE_OK;
}

static NOINLINE void *plain_otherwise(size_t bytes) {
  void *p = NULL;
  return alloc_otherwise(bytes, NULL, 0, &p) == PORTABLE_OK ? p : NULL;
}

void *portable__alloc_plain(size_t bytes) {
  void *p = picked() ? NULL : fast_alloc(bytes, NULL, 0);
  return PORTABLE__LIKELY(p != NULL) ? p : plain_otherwise(bytes);
}
