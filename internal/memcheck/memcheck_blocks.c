/* memcheck_blocks.c - the register of blocks: live ones and the last freed ones, by their first
 * byte. Parts by address have a table and a lock each, so that threads do not wait for each other.
 * Handlers read without a lock: replaced tables stay mapped, their contents dropped. A part
 * remembers as many freed blocks as its ring holds. Each label is kept once, for ever. In C because
 * a signal handler may look up a block. Not in this file: the use of the register. */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../guard/guard.h"
#include "memcheck.h"
#include "../edge/texthash.h"

#define PARTS 64
#define FREED 1024 /* remembered in a part */
#define FIRST 1024 /* places of a part at first; a power of two */
#define USED ((uintptr_t)1)

struct table {
  uint64_t places; /* a power of two */
  struct portable__known at[];
};

static struct part {
  _Alignas(128) pthread_mutex_t lock;
  struct table *_Atomic table;
  uint64_t used; /* places that are or were taken */
  uintptr_t freed[FREED];
  uint64_t frees;
} parts[PARTS];

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic uint64_t blocks, bytes, allocations, high_water;

static void prepare(void) {
  for (int i = 0; i < PARTS; i++) pthread_mutex_init(&parts[i].lock, NULL);
}

static void *map(size_t size) {
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

static inline uint64_t hash_of(uintptr_t start) { return (start >> 4) * 0x9e3779b97f4a7c15u; }
static struct part *part_of(uintptr_t start) { return &parts[hash_of(start) >> 58]; }

/* Where it is, or NULL. */
static struct portable__known *look(struct table *t, uintptr_t start) {
  if (!t) return NULL;
  for (uint64_t i = hash_of(start) >> 20, tries = 0; tries < t->places; i++, tries++) {
    struct portable__known *k = &t->at[i & (t->places - 1)];
    uintptr_t there = atomic_load_explicit(&k->start, memory_order_acquire);
    if (there == start) return k;
    if (there == 0) return NULL;
  }
  return NULL;
}

/* A place for what is not there. The table has some. */
static struct portable__known *place_for(struct part *p, struct table *t, uintptr_t start) {
  for (uint64_t i = hash_of(start) >> 20;; i++) {
    struct portable__known *k = &t->at[i & (t->places - 1)];
    uintptr_t there = atomic_load_explicit(&k->start, memory_order_relaxed);
    if (there > USED) continue;
    if (there == 0) p->used++;
    return k;
  }
}

static void copy(struct portable__known *to, const struct portable__known *from) {
  to->alloc_stack = from->alloc_stack;
  to->free_stack = from->free_stack;
  to->thread = from->thread;
  to->bytes = from->bytes;
  to->serial = from->serial;
  to->pool = from->pool;
  to->label = from->label;
  atomic_store_explicit(&to->state, atomic_load_explicit(&from->state, memory_order_relaxed), memory_order_relaxed);
  atomic_store_explicit(&to->start, atomic_load_explicit(&from->start, memory_order_relaxed), memory_order_release);
}

/* Room for one more. Locked. */
static struct table *with_room(struct part *p) {
  struct table *t = atomic_load_explicit(&p->table, memory_order_relaxed);
  if (t && p->used + p->used / 3 + 2 < t->places) return t;
  uint64_t taken = 0;
  for (uint64_t i = 0; t && i < t->places; i++) taken += atomic_load_explicit(&t->at[i].start, memory_order_relaxed) > USED;
  uint64_t places = FIRST;
  while (places < 3 * taken) places *= 2;
  struct table *wider = map(sizeof *wider + places * sizeof wider->at[0]);
  if (!wider) return t && p->used + 2 < t->places ? t : NULL;
  wider->places = places;
  p->used = 0;
  for (uint64_t i = 0; t && i < t->places; i++) {
    uintptr_t start = atomic_load_explicit(&t->at[i].start, memory_order_relaxed);
    if (start > USED) copy(place_for(p, wider, start), &t->at[i]);
  }
  atomic_store_explicit(&p->table, wider, memory_order_release);
  if (t) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ((uintptr_t)t->at + page - 1) & ~(page - 1), to = (uintptr_t)(t->at + t->places) & ~(page - 1);
    if (from < to) madvise((void *)from, to - from, MADV_DONTNEED);
  }
  return wider;
}

static void forget(struct portable__known *k) { atomic_store_explicit(&k->start, USED, memory_order_release); }

void portable__blocks_add(const struct portable__known *block) {
  uintptr_t start = atomic_load_explicit(&block->start, memory_order_relaxed);
  struct part *p = part_of(start);
  pthread_once(&once, prepare);
  pthread_mutex_lock(&p->lock);
  struct table *t = with_room(p);
  struct portable__known *k = t ? look(t, start) : NULL;
  if (t) {
    if (k && atomic_load(&k->state) == PORTABLE__BLOCK_LIVE) { /* freed behind our back, as with its pool */
      atomic_fetch_sub(&blocks, 1);
      atomic_fetch_sub(&bytes, k->bytes);
    }
    if (k) forget(k);
    copy(k ? k : place_for(p, t, start), block);
  }
  pthread_mutex_unlock(&p->lock);
  atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  if (!t) return;
  atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
  uint64_t now = atomic_fetch_add(&bytes, block->bytes) + block->bytes, high = atomic_load(&high_water);
  while (now > high && !atomic_compare_exchange_weak(&high_water, &high, now)) {
  }
}

int portable__blocks_free(uintptr_t start, uint32_t stack, struct portable__known *block_out) {
  struct part *p = part_of(start);
  pthread_once(&once, prepare);
  pthread_mutex_lock(&p->lock);
  struct table *t = atomic_load_explicit(&p->table, memory_order_relaxed);
  struct portable__known *k = look(t, start);
  int found = k && atomic_load(&k->state) == PORTABLE__BLOCK_LIVE;
  if (found) {
    copy(block_out, k);
    k->free_stack = block_out->free_stack = stack;
    atomic_store(&k->state, PORTABLE__BLOCK_FREED);
    uintptr_t *place = &p->freed[p->frees++ % FREED];
    struct portable__known *oldest = *place && *place != start ? look(t, *place) : NULL;
    if (oldest && atomic_load(&oldest->state) == PORTABLE__BLOCK_FREED) forget(oldest);
    *place = start;
  }
  pthread_mutex_unlock(&p->lock);
  if (!found) return 0;
  atomic_fetch_sub(&blocks, 1);
  atomic_fetch_sub(&bytes, block_out->bytes);
  return 1;
}

int portable__blocks_find(uintptr_t start, struct portable__known *block_out) {
  const struct portable__known *k = start > USED ? look(atomic_load_explicit(&part_of(start)->table, memory_order_acquire), start) : NULL;
  if (!k) return 0;
  copy(block_out, k);
  return atomic_load(&block_out->start) == start;
}

int portable__blocks_around(uintptr_t address, struct portable__known *block_out) {
  for (int i = 0; i < PARTS; i++) {
    struct table *t = atomic_load_explicit(&parts[i].table, memory_order_acquire);
    for (uint64_t j = 0; t && j < t->places; j++) {
      const struct portable__known *k = &t->at[j];
      uintptr_t start = atomic_load_explicit(&k->start, memory_order_acquire);
      if (start <= USED || address < start || address - start >= k->bytes || atomic_load(&k->state) != PORTABLE__BLOCK_LIVE) continue;
      copy(block_out, k);
      return 1;
    }
  }
  return 0;
}

void portable__blocks_drop(portable_pool pool) {
  pthread_once(&once, prepare);
  for (int i = 0; i < PARTS; i++) {
    pthread_mutex_lock(&parts[i].lock);
    struct table *t = atomic_load(&parts[i].table);
    for (uint64_t j = 0; t && j < t->places; j++) {
      struct portable__known *k = &t->at[j];
      if (atomic_load(&k->start) <= USED || (pool && k->pool != pool)) continue;
      if (!pool && strcmp(k->label, PORTABLE__GUARD_SERVED) == 0) continue; /* the program's own, which go on */
      if (atomic_load(&k->state) == PORTABLE__BLOCK_LIVE) {
        atomic_fetch_sub(&blocks, 1);
        atomic_fetch_sub(&bytes, k->bytes);
      }
      forget(k);
    }
    pthread_mutex_unlock(&parts[i].lock);
  }
}

void portable__blocks_each(void (*seen)(const struct portable__known *block, void *payload), void *payload) {
  pthread_once(&once, prepare);
  for (int i = 0; i < PARTS; i++) {
    pthread_mutex_lock(&parts[i].lock);
    struct table *t = atomic_load(&parts[i].table);
    for (uint64_t j = 0; t && j < t->places; j++)
      if (atomic_load(&t->at[j].start) > USED && atomic_load(&t->at[j].state) == PORTABLE__BLOCK_LIVE) seen(&t->at[j], payload);
    pthread_mutex_unlock(&parts[i].lock);
  }
}

struct portable__live portable__blocks_live(void) {
  return (struct portable__live){atomic_load(&blocks), atomic_load(&bytes), atomic_load(&allocations), atomic_load(&high_water)};
}

/* ---- labels ---- */

#define LABELS 65536 /* places; at most three quarters are taken */
#define ARENA (1u << 20)

static const char *_Atomic labels[LABELS];
static pthread_mutex_t labels_lock = PTHREAD_MUTEX_INITIALIZER; /* guards the rest */
static char *arena;
static size_t arena_used, label_count;

static const char too_many[] = "(one of very many labels)";

int portable__blocks_is_whole(const char *label) { return label != too_many; }

const char *portable__blocks_label(const char *label, size_t n) {
  if (n > PORTABLE__LABEL_MAX) n = PORTABLE__LABEL_MAX;
  if (n == 0) return "";
  const uint64_t h = portable__bytes_hash(PORTABLE__HASH_BEGIN, label, n);
  const char *found = NULL;
  int locked = 0;
  for (uint64_t i = h >> 40; !found; i++) {
    const char *there = atomic_load_explicit(&labels[i % LABELS], memory_order_acquire);
    if (there && strncmp(there, label, n) == 0 && !there[n]) {
      found = there;
    } else if (!there && !locked) {
      pthread_mutex_lock(&labels_lock);
      locked = 1;
      i--; /* another thread may have come before us */
    } else if (!there) {
      if (label_count >= LABELS / 4 * 3) {
        found = too_many;
        break;
      }
      if (!arena || arena_used + n + 1 > ARENA) {
        arena = map(ARENA);
        arena_used = 0;
      }
      if (!arena) {
        found = too_many;
        break;
      }
      char *own = arena + arena_used;
      memcpy(own, label, n);
      arena_used += n + 1;
      label_count++;
      atomic_store_explicit(&labels[i % LABELS], own, memory_order_release);
      found = own;
    }
  }
  if (locked) pthread_mutex_unlock(&labels_lock);
  return found;
}
