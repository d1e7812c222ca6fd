/* devices.h - the NVIDIA and AMD devices that the drivers have shown: their numbers among the
 * library's devices, facts and contexts. For C on hot paths. No CUDA types here. Go searches
 * devices (open_cuda.go), but only with PORTABLE_DEVICE=cuda, hip or auto, or
 * portable_device_find; otherwise a launch pays only portable__cuda_index, a load and a compare.
 * Contexts are the devices' primary ones, which the program shares with the CUDA runtime and
 * OpenACC; each is retained at its first use. Threads: all functions are safe. */
#ifndef PORTABLE__CUDA_DEVICES_H
#define PORTABLE__CUDA_DEVICES_H

#include <stdatomic.h>
#include <stdint.h>

#define PORTABLE__CUDA_MOST 16 /* devices; the library ignores further ones */

/* Constant facts of a device. Sizes in bytes. */
struct portable__cuda_facts {
  int32_t major, minor;       /* compute capability */
  int32_t concurrent_managed; /* 1: the host may touch managed memory while kernels run */
  int32_t pageable;           /* 1: kernels can access any memory of the host */
  int32_t host_pages;         /* 1: through the host's own page tables, so copies need not read before they return */
  int32_t unified, integrated, managed;
  int32_t host_registered;    /* 1: pinned memory of the host has one address on both sides */
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
  int32_t driver_version;           /* 12040 is 12.4; of HIP 50200000 is 5.2 */
  int32_t driver, number;           /* PORTABLE__DRIVER_... of shim.h, and the N of cuda:N or hip:N */
  uint64_t memory;
  char architecture[64];            /* of an AMD device, "" if unknown; warps of sources have 32 lanes on each */
  char name[64], uuid[48], pci[16];
};

/* The number of the first device; the others follow. INT32_MAX while there is no device. */
extern _Atomic int32_t portable__cuda_first;
extern _Atomic int32_t portable__cuda_devices; /* how many devices there are */

/* 0 and up for the number of a cuda device, else -1. */
static inline int32_t portable__cuda_index(int32_t device) {
  int32_t first = atomic_load_explicit(&portable__cuda_first, memory_order_acquire);
  if (__builtin_expect(device < first, 1)) return -1;
  return device - first < atomic_load_explicit(&portable__cuda_devices, memory_order_relaxed) ? device - first : -1;
}

/* 1: there are cuda devices. Launches on the host pay only this. */
static inline int portable__cuda_any(void) {
  return __builtin_expect(atomic_load_explicit(&portable__cuda_first, memory_order_relaxed) != INT32_MAX, 0);
}

/* The number of a device; 0: there is no such device. */
int32_t portable__cuda_number(int32_t index);

/* The device that a driver gives a number (CUdevice), and a driver's first one; -1: there is none. */
int32_t portable__cuda_of_ordinal(int32_t driver, int32_t ordinal);
int32_t portable__cuda_first_of(int32_t driver);

/* 1: both devices belong to one driver, or one of them is missing. */
int portable__cuda_are_alike(int32_t index, int32_t other);

/* 1: the memory belongs to the other driver: pinned or managed memory, which only devices of its own driver access. */
int portable__cuda_is_other(int32_t index, uintptr_t address);

/* Makes the device's primary context the calling thread's. Returns 0, or the driver's code. It stays current; functions
 * that return to the user's program use portable__cuda_visit. */
int portable__cuda_enter(int32_t index);

/* As portable__cuda_enter; stores the context before it for portable__cuda_return. A program that uses several devices
 * by the CUDA runtime chooses one by its thread's context. */
int portable__cuda_visit(int32_t index, void **before);
void portable__cuda_return(void *before);

/* NULL: there is no such device. */
const struct portable__cuda_facts *portable__cuda_facts(int32_t index);

/* The device's primary context, retained; NULL: the driver refused. portable__cuda_retain returns why: 0, or the
 * driver's code. */
void *portable__cuda_context(int32_t index);
int portable__cuda_retain(int32_t index, void **context_out);

/* The driver's number of the device (CUdevice). */
int32_t portable__cuda_ordinal(int32_t index);

/* Free bytes of the device's memory, and all of them. Returns 0, or the driver's code. */
int portable__cuda_memory(int32_t index, uint64_t *free_out, uint64_t *total_out);

/* The driver's name and sentence for a code; never NULL. */
const char *portable__cuda_error_name(int code);
const char *portable__cuda_error_text(int code);

/* 1: after such a code the context is lost, and every further call returns the code again. */
int portable__cuda_is_sticky(int code);

/* For Go: found adds the devices of a search; numbered numbers them among the library's devices; release releases all
 * contexts at the end. */
void portable__cuda_found(int32_t count, const struct portable__cuda_facts *facts, const int32_t *ordinals);
void portable__cuda_numbered(int32_t first);
void portable__cuda_release(void);

#endif
