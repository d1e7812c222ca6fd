/* memory.h - memory of cuda devices: which addresses are whose, and the calls of the driver that Go does not make. Private.
 *
 * The pools' slabs are in a table that is read without a lock, so that a launch, a copy and a handler of faults can ask. What the program has
 * got elsewhere (cudaMalloc, a library, an array of OpenACC) is known to the driver only.
 * Nothing here touches what is in a slab.
 * Threads: all functions are safe; space_of and slab_at also in signal handlers. */
#ifndef PORTABLE__CUDA_MEMORY_H
#define PORTABLE__CUDA_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../capi/include/c/portable.h"

/* How many slabs there are: 0 where nobody has asked for memory of such a device. */
extern _Atomic int32_t portable__cuda_slabs;

/* PORTABLE_SPACE_... of memory of the library's pools; 0: it is none of a cuda device. */
int32_t portable__cuda_find(uintptr_t p, uintptr_t *start_out, uintptr_t *end_out);
static inline int32_t portable__cuda_space_of(uintptr_t p) {
  return atomic_load_explicit(&portable__cuda_slabs, memory_order_relaxed) ? portable__cuda_find(p, NULL, NULL) : 0;
}

/* The same for any address, by the driver where the table does not know it: 0 is memory of the host that the driver knows nothing of. A context
 * must have been made by somebody; without one the answer is 0. */
int32_t portable__cuda_foreign_space(uintptr_t p);

/* A slab, and the address that the driver gave for it. Gives 0 or an error number. */
int portable__cuda_slab_add(uintptr_t start, uint64_t bytes, uintptr_t given, int32_t space);
/* Gives what the driver gave; 0: there is no such slab. */
uintptr_t portable__cuda_slab_take(uintptr_t start);

/* Host memory that every device reaches; the context is current. 0 or the driver's code. */
int portable__cuda_pinned_take(size_t bytes, uintptr_t *address_out);
int portable__cuda_pinned_give(uintptr_t address);

#endif
