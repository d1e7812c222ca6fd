/* slabmap.c - from an address to its slab in two loads, for the fast path's free. In C because the fast path
 * is. Go publishes the slabs of the default pool, which begin at multiples of 2 MiB, so that no two slabs
 * share a granule of the map.
 *
 * Readers take no lock: they read between enter and leave, and Go withdraws a slab only when all threads are
 * stopped. Entries are never freed, only cleared. The description of a slab is never freed nor changed either,
 * so serve.c may ask whether an address lies in a slab without entering: a withdrawn slab's memory has no owner
 * until after its entries are cleared. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#include "slabmap.h"

struct portable__leaf *_Atomic portable__root[PORTABLE__ROOTS];
uint32_t portable__shift = 7; /* of any slab: the classes of a thread made before init stay in bounds */
_Atomic uint32_t portable__slab_count;
_Atomic uint32_t portable__label_epoch = 1;

static struct portable__leaf *leaf_of(uintptr_t address) {
  size_t i = address >> PORTABLE__LEAF_BITS;
  if (i >= PORTABLE__ROOTS) return NULL; /* beyond 47 bits only on demand of the program: left to Go */
  struct portable__leaf *leaf = atomic_load(&portable__root[i]);
  if (leaf) return leaf;
  void *p = mmap(NULL, sizeof *leaf, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return NULL;
  atomic_store(&portable__root[i], p);
  return p;
}

static struct portable__slab *retired; /* descriptions of withdrawn slabs; under the pool's lock */

/* A description that was made for the same place serves again: a pool that grows and shrinks stays as large. */
static struct portable__slab *describe(uintptr_t base, uint64_t bytes) {
  for (struct portable__slab **at = &retired; *at; at = &(*at)->retired) {
    struct portable__slab *slab = *at;
    if (slab->base != base || slab->bytes != bytes) continue;
    *at = slab->retired;
    return slab;
  }
  struct portable__slab *slab = malloc(sizeof *slab);
  if (!slab) return NULL;
  slab->base = base;
  slab->bytes = bytes;
  return slab;
}

/* Both are called under the pool's lock. */
int portable__slab_publish(uintptr_t base, uint64_t bytes, uint32_t shift, void *records, int32_t fast) {
  struct portable__slab *slab = describe(base, bytes);
  if (!slab) return 0;
  slab->records = records;
  slab->fast = fast;
  portable__shift = shift;
  for (uintptr_t a = base; a < base + bytes; a += PORTABLE__GRANULE) {
    struct portable__leaf *leaf = leaf_of(a);
    if (leaf) atomic_store(&leaf->slab[(a >> PORTABLE__GRANULE_BITS) % PORTABLE__LEAF_SLABS], slab);
  }
  if (fast) atomic_fetch_add(&portable__slab_count, 1);
  return 1;
}

void portable__slab_withdraw(uintptr_t base, uint64_t bytes) {
  struct portable__slab *slab = NULL;
  for (uintptr_t a = base; a < base + bytes; a += PORTABLE__GRANULE) {
    struct portable__leaf *leaf = leaf_of(a);
    if (!leaf) continue;
    struct portable__slab *_Atomic *entry = &leaf->slab[(a >> PORTABLE__GRANULE_BITS) % PORTABLE__LEAF_SLABS];
    slab = atomic_load(entry);
    atomic_store(entry, NULL);
  }
  if (!slab) return;
  if (slab->fast) portable__front_forget(slab);
  slab->retired = retired;
  retired = slab;
  if (slab->fast) atomic_fetch_sub(&portable__slab_count, 1);
}
