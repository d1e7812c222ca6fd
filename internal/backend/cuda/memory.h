/* memory.h - memory of cuda devices: look-up of the slab and space of an address, and the
 * driver's calls that Go does not make. Private. Slabs of pools are in a table that is read
 * without a lock, so that a launch, a copy and a fault handler can ask. Only the driver knows
 * memory that the program got elsewhere (cudaMalloc, a library, an array of OpenACC). No
 * function touches a slab. Threads: all functions are safe; space_of and slab_at also in signal
 * handlers. */
#ifndef PORTABLE__CUDA_MEMORY_H
#define PORTABLE__CUDA_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../capi/include/c/portable.h"

/* Number of slabs: 0 if the program uses no memory of such a device. */
extern _Atomic int32_t portable__cuda_slabs;

/* PORTABLE_SPACE_... of memory of the library's pools; 0: it is not memory of a cuda device. */
int32_t portable__cuda_find(uintptr_t p, uintptr_t *start_out, uintptr_t *end_out);
static inline int32_t portable__cuda_space_of(uintptr_t p) {
  return atomic_load_explicit(&portable__cuda_slabs, memory_order_relaxed) ? portable__cuda_find(p, NULL, NULL) : 0;
}

/* The same for any address: if the table does not know it, the driver is asked. 0 is memory of the host that the driver
 * does not know. Without a context the answer is 0. */
int32_t portable__cuda_foreign_space(uintptr_t p);

/* The driver of an address: of the slab that has it, else of the thread. */
int portable__cuda_driver_of(uintptr_t address);

/* Adds a slab of the thread's driver, and the address that the driver gave for it. Returns 0 or an error number. */
int portable__cuda_slab_add(uintptr_t start, uint64_t bytes, uintptr_t given, int32_t space);
/* Removes a slab and returns the driver's address; 0: there is no such slab. */
uintptr_t portable__cuda_slab_take(uintptr_t start);

/* Takes host memory that every device can access; the context is current. Returns 0 or the driver's code. */
int portable__cuda_pinned_take(size_t bytes, uintptr_t *address_out);
int portable__cuda_pinned_give(uintptr_t address);

#endif
