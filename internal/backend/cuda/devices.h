/* devices.h - the NVIDIA devices that the driver has shown, their numbers among the library's devices, facts and contexts, for C that
 * has to be quick. No CUDA types here. What looks for them is Go's (open_cuda.go).
 *
 * Invariants: without PORTABLE_DEVICE=cuda or auto, or portable_device_find, nobody looks, and all that a launch pays is
 * portable__cuda_index: a load and a compare. Contexts are the devices' primary ones, which the program shares with the CUDA
 * runtime and OpenACC; each is retained when somebody needs it first. Threads: all functions are safe. */
#ifndef PORTABLE__CUDA_DEVICES_H
#define PORTABLE__CUDA_DEVICES_H

#include <stdatomic.h>
#include <stdint.h>

#define PORTABLE__CUDA_MOST 16 /* devices; the driver may have more, which then are not seen */

/* What does not change of a device. Sizes in bytes. */
struct portable__cuda_facts {
  int32_t major, minor;       /* compute capability */
  int32_t concurrent_managed; /* 1: the host may touch managed memory while kernels run */
  int32_t pageable;           /* 1: kernels reach any memory of the host */
  int32_t host_pages;         /* 1: by the host's own page tables, so that copies need not read before they return */
  int32_t unified, integrated, managed;
  int32_t host_registered;    /* 1: pinned memory of the host has one address for both */
  int32_t memory_pools;       /* 1: cuMemAllocAsync works */
  int32_t cooperative, preemption;
  int32_t multiprocessors, warp;
  int32_t max_threads_per_block, max_threads_per_multiprocessor, max_blocks_per_multiprocessor;
  int32_t max_block[3], max_grid[3];
  int32_t registers_per_block, registers_per_multiprocessor;
  int32_t max_shared_bytes;         /* of a block */
  int32_t max_shared_bytes_opt_in;  /* of a block that asks for more */
  int32_t shared_bytes_per_multiprocessor;
  int32_t l2_bytes, memory_clock_khz, memory_bus_bits, clock_khz, copy_engines;
  int32_t ecc, compute_mode;
  int32_t driver_version;           /* 12040 is 12.4 */
  uint64_t memory;
  char name[64], uuid[48], pci[16];
};

/* The number of cuda:0; those of the others follow. INT32_MAX while there is none. */
extern _Atomic int32_t portable__cuda_first;
extern _Atomic int32_t portable__cuda_devices; /* how many there are */

/* 0 and up for the number of a cuda device, else -1. */
static inline int32_t portable__cuda_index(int32_t device) {
  int32_t first = atomic_load_explicit(&portable__cuda_first, memory_order_acquire);
  if (__builtin_expect(device < first, 1)) return -1;
  return device - first < atomic_load_explicit(&portable__cuda_devices, memory_order_relaxed) ? device - first : -1;
}

/* 1: there are cuda devices. What a launch on the host pays. */
static inline int portable__cuda_any(void) {
  return __builtin_expect(atomic_load_explicit(&portable__cuda_first, memory_order_relaxed) != INT32_MAX, 0);
}

/* The number of cuda:index; 0: there is no such device. */
int32_t portable__cuda_number(int32_t index);

/* Makes the device's primary context the calling thread's. 0, or what the driver answers. It stays current; who is called by the user's
 * program and returns to it uses portable__cuda_visit. */
int portable__cuda_enter(int32_t index);

/* portable__cuda_enter that says what was current before, for portable__cuda_return. A program that uses several devices by the CUDA
 * runtime chooses one by its thread's context. */
int portable__cuda_visit(int32_t index, void **before);
void portable__cuda_return(void *before);

/* NULL: there is no such device. */
const struct portable__cuda_facts *portable__cuda_facts(int32_t index);

/* The device's primary context, retained; NULL: there is none to be had. portable__cuda_retain says why: 0, or what the driver answers. */
void *portable__cuda_context(int32_t index);
int portable__cuda_retain(int32_t index, void **context_out);

/* The driver's number of the device (CUdevice). */
int32_t portable__cuda_ordinal(int32_t index);

/* Bytes of the device's memory that nobody has, and all of them. 0, or what the driver answers. */
int portable__cuda_memory(int32_t index, uint64_t *free_out, uint64_t *total_out);

/* The name and the sentence that the driver has for a code; never NULL. */
const char *portable__cuda_error_name(int code);
const char *portable__cuda_error_text(int code);

/* 1: after such a code the context is lost, and every further call gives it again. */
int portable__cuda_is_sticky(int code);

/* For Go: what a look has found; numbers begin when the list of devices has them; all contexts are given back at the end. */
void portable__cuda_found(int32_t count, const struct portable__cuda_facts *facts, const int32_t *ordinals);
void portable__cuda_numbered(int32_t first);
void portable__cuda_release(void);

#endif
