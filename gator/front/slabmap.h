/* slabmap.h - the look-up of slabmap.c, to be inlined. */
#ifndef PORTABLE__SLABMAP_H
#define PORTABLE__SLABMAP_H

#include "front.h"


#define PORTABLE__GRANULE_BITS 21
#define PORTABLE__GRANULE ((uintptr_t)1 << PORTABLE__GRANULE_BITS)
#define PORTABLE__LEAF_BITS 32
#define PORTABLE__LEAF_SLABS ((size_t)1 << (PORTABLE__LEAF_BITS - PORTABLE__GRANULE_BITS))
#define PORTABLE__ROOTS ((size_t)1 << (48 - PORTABLE__LEAF_BITS))

struct portable__leaf {
  struct portable__slab *_Atomic slab[PORTABLE__LEAF_SLABS];
};

extern struct portable__leaf *_Atomic portable__root[PORTABLE__ROOTS];

static inline struct portable__slab *portable__slab_of(uintptr_t address) {
  size_t i = address >> PORTABLE__LEAF_BITS;
  if (i >= PORTABLE__ROOTS) return NULL;
  struct portable__leaf *leaf = atomic_load_explicit(&portable__root[i], memory_order_acquire);
  if (!leaf) return NULL;
  struct portable__slab *slab = atomic_load_explicit(
      &leaf->slab[(address >> PORTABLE__GRANULE_BITS) % PORTABLE__LEAF_SLABS], memory_order_acquire);
  return slab && address - slab->base < slab->bytes ? slab : NULL;
}

#endif
