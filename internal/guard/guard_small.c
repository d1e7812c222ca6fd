/* guard_small.c - blocks with canaries only that portable::allocate takes without Go. A program may
 * have millions of them, so each has its record in front of it, in memory cut from the beginning of
 * the arena. A slab has places of one size, so a division finds the place of an address; a freed
 * place waits behind others of its size. Not in this file: patterns (guard_canary.c), the callers
 * (gator/front/serve_checked.c). Threads: any, under portable__guard_lock;
 * portable__guard_small_at also in signal handlers, without it. */

/* A place: struct head | 24 bytes of canary | the block, at a multiple of 16 | at least 16 bytes of canary */
#include <string.h>
#include <sys/mman.h>

#include "guard_room.h"

#define SLAB ((uint64_t)4 << 20)
#define SLABS 16384u /* 64 GB of addresses */
#define CLASSES 96
#define BEFORE 48u /* head and canary */
#define BEHIND 16u
#define WAIT 4096u /* freed places of a size that wait before the first of them serves again; they have SLAB bytes together at most */

struct head {
  _Atomic uint32_t alloc_stack, free_stack;
  uint32_t bytes;
  _Atomic uint32_t state; /* 0: never taken */
  uint32_t next;          /* in the list of freed ones; see number_of */
  _Atomic uint32_t told;
};
_Static_assert(sizeof(struct head) + 24 == BEFORE, "the canary has 24 bytes");

static uint32_t strides[CLASSES], classes;
static struct size_class {
  uintptr_t next, end; /* in its newest slab */
  uint32_t first, last, waiting;
} of_class[CLASSES];
static _Atomic uint8_t class_of_slab[SLABS];
static uintptr_t base;
static _Atomic uintptr_t used; /* bytes of slabs from base on */
static uintptr_t most;

uint64_t portable__guard_small_open(uintptr_t arena, uint64_t bytes) {
  base = arena;
  most = bytes / 8 < SLAB * SLABS ? bytes / 8 / SLAB * SLAB : SLAB * SLABS;
  uint32_t last = PORTABLE__GUARD_SMALL + BEFORE + BEHIND;
  for (uint32_t s = BEFORE + BEHIND; classes < CLASSES - 1 && s < last; s += s < 256 ? 16 : s / 8 & ~15u) strides[classes++] = s;
  strides[classes++] = (last + 15) & ~15u;
  return most;
}

int portable__guard_small_holds(uintptr_t address) {
  return portable__guard_holds(address) && address - base < atomic_load_explicit(&used, memory_order_acquire);
}

static struct head *head_of(uintptr_t place) { return (struct head *)place; }

/* Places in lists: in units of 16 bytes, from 1 on; 0: none. */
static uint32_t number_of(uintptr_t place) { return (uint32_t)((place - base) / 16) + 1; }
static uintptr_t place_at(uint32_t number) { return base + (uintptr_t)(number - 1) * 16; }

/* The record that the other files understand; it is a copy. */
static void describe(uintptr_t place, uint32_t stride, struct portable__guarded *r) {
  struct head *h = head_of(place);
  memset(r, 0, sizeof *r);
  atomic_store(&r->start, place + BEFORE);
  r->bytes = h->bytes;
  r->map = place;
  r->data = place + sizeof *h;
  r->map_end = r->data_end = place + stride;
  r->how = PORTABLE__GUARD_CANARY;
  atomic_store(&r->state, (int32_t)atomic_load(&h->state));
  atomic_store(&r->alloc_stack, atomic_load(&h->alloc_stack));
  atomic_store(&r->free_stack, atomic_load(&h->free_stack));
  atomic_store(&r->told, atomic_load(&h->told));
  memcpy(r->label, PORTABLE__GUARD_SERVED, sizeof PORTABLE__GUARD_SERVED);
}

/* 0: no place has been cut there. */
static uintptr_t place_of(uintptr_t address, uint32_t *stride_out) {
  if (!portable__guard_small_holds(address)) return 0;
  uintptr_t slab = (address - base) / SLAB;
  uint32_t stride = strides[atomic_load(&class_of_slab[slab])], number = (uint32_t)((address - base) % SLAB / stride);
  *stride_out = stride;
  return (uint64_t)(number + 1) * stride <= SLAB ? base + slab * SLAB + (uintptr_t)number * stride : 0;
}

int portable__guard_small_at(uintptr_t address, struct portable__guarded *copy_out) {
  uint32_t stride;
  uintptr_t place = place_of(address, &stride);
  if (!place || !atomic_load(&head_of(place)->state)) return 0;
  describe(place, stride, copy_out);
  return 1;
}

static int new_slab(struct size_class *c, uint8_t number) {
  uintptr_t at = atomic_load(&used);
  if (at + SLAB > most || mprotect((void *)(base + at), SLAB, PROT_READ | PROT_WRITE) != 0) return 0;
  atomic_store(&class_of_slab[at / SLAB], number);
  atomic_store_explicit(&used, at + SLAB, memory_order_release);
  c->next = base + at;
  c->end = base + at + SLAB;
  return 1;
}

uintptr_t portable__guard_small(uint64_t bytes, uint32_t stack) {
  struct portable__guarded r;
  uintptr_t place = 0;
  uint8_t n = 0;
  if (bytes > PORTABLE__GUARD_SMALL) return 0;
  pthread_mutex_lock(&portable__guard_lock);
  if (portable__guard_open() && classes) {
    while (strides[n] < bytes + BEFORE + BEHIND) n++;
    struct size_class *c = &of_class[n];
    int few = c->waiting <= WAIT && (uint64_t)c->waiting * strides[n] <= SLAB;
    if (few && (c->next + strides[n] <= c->end || new_slab(c, n))) {
      place = c->next;
      c->next += strides[n];
    } else if (c->first) {
      place = place_at(c->first);
      c->first = head_of(place)->next;
      c->waiting--;
    }
  }
  if (place) {
    struct head *h = head_of(place);
    atomic_store(&h->alloc_stack, stack);
    atomic_store(&h->free_stack, 0);
    atomic_store(&h->told, 0);
    h->bytes = (uint32_t)bytes;
    atomic_store(&h->state, PORTABLE__GUARD_LIVE);
    describe(place, strides[n], &r);
    portable__guard_paint(&r);
    portable__guard_in_hand[PORTABLE__GUARD_TAKEN] = place + BEFORE;
  }
  pthread_mutex_unlock(&portable__guard_lock);
  return place ? place + BEFORE : 0;
}

/* Finds new changes next to a live block. Locked. */
static int look(struct portable__guarded *r, struct portable__violation found[2]) {
  int n = portable__guard_look(r, 0, &found[0]);
  n += portable__guard_look(r, 1, &found[n]);
  atomic_store(&head_of(r->map)->told, atomic_load(&r->told));
  return n;
}

int portable__guard_small_give(uintptr_t start, uint32_t stack) {
  struct portable__violation found[2];
  struct portable__guarded r;
  uint32_t stride;
  int n = 0, is = 0;
  pthread_mutex_lock(&portable__guard_lock);
  uintptr_t place = place_of(start, &stride);
  struct head *h = head_of(place);
  if (place && place + BEFORE == start && atomic_load(&h->state) == PORTABLE__GUARD_LIVE) {
    struct size_class *c = &of_class[atomic_load(&class_of_slab[(place - base) / SLAB])];
    uint32_t number = number_of(place);
    is = 1;
    describe(place, stride, &r);
    n = look(&r, found);
    atomic_store(&r.free_stack, stack);
    atomic_store(&h->free_stack, stack);
    atomic_store(&h->state, PORTABLE__GUARD_FREED);
    h->next = 0;
    if (c->first)
      head_of(place_at(c->last))->next = number;
    else
      c->first = number;
    c->last = number;
    c->waiting++;
  }
  pthread_mutex_unlock(&portable__guard_lock);
  for (int i = 0; i < n; i++) portable__guard_tell(&found[i]);
  return is;
}

void portable__guard_small_each(void (*seen)(const struct portable__guarded *copy, void *payload), void *payload) {
  struct portable__guarded r;
  uint32_t stride;
  for (uintptr_t slab = base, end = base + atomic_load(&used); slab < end; slab += SLAB)
    for (uintptr_t at = slab, place; (place = place_of(at, &stride)) != 0 && place < slab + SLAB && atomic_load(&head_of(place)->state); at += stride)
      if (atomic_load(&head_of(place)->state) == PORTABLE__GUARD_LIVE) {
        describe(place, stride, &r);
        seen(&r, payload);
      }
}

void portable__guard_small_check(const struct portable__guarded *copy, void *unused) {
  struct portable__violation found[2];
  struct portable__guarded r;
  uint32_t stride = (uint32_t)(copy->map_end - copy->map);
  int n = 0;
  (void)unused;
  pthread_mutex_lock(&portable__guard_lock);
  if (atomic_load(&head_of(copy->map)->state) == PORTABLE__GUARD_LIVE) {
    describe(copy->map, stride, &r); /* again: the place may have become another block's */
    n = look(&r, found);
  }
  pthread_mutex_unlock(&portable__guard_lock);
  for (int i = 0; i < n; i++) portable__guard_tell(&found[i]);
}

void portable__guard_small_sweep(void) { portable__guard_small_each(portable__guard_small_check, NULL); }
