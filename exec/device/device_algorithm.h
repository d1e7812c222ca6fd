/* device_algorithm.h - reductions, scans, filters and sorts of arrays on cuda devices: what they have in common. Private.
 *
 * Such a call runs on a device when its launch names one, or the default device is one, and the device reaches all of its memory: managed and pinned
 * memory, and its own. Where memory is the host's alone, the call goes on as on any device: the host does it when the stream has
 * come so far, and it is counted as a launch without a version for the device (fallback.c). So is it where NVRTC, which compiles the kernels, is missing.
 *
 * In this file: where a call runs, scratch memory, steps. Not in this file: kernels (internal/backend/cuda/kernels), what the user says (reduce_array.c,
 * scan.c, filter.c, sort.c). In C because what calls it is. Threads: any, at any time. */
#ifndef PORTABLE__DEVICE_ALGORITHM_H
#define PORTABLE__DEVICE_ALGORITHM_H

#include "../../internal/edge/base.h"
#include "../../internal/backend/cuda/devices.h"
#include "../../internal/backend/cuda/kernels/algorithm.h"
#include "../../internal/kernels/reduction/array.h"

/* 1: there is a cuda device, so that there is something to ask. All that a call pays where there is none. */
static inline int portable__on_device_matters(void) {
  return PORTABLE__UNLIKELY(atomic_load_explicit(&portable__cuda_devices, memory_order_relaxed) != 0);
}

/* Where a call runs. */
struct portable__place {
  const char *call, *label;
  portable_device device;
  portable_stream stream;
  int32_t index; /* of the cuda device; -1: the host does it */
};

/* Memory of the user's that a call reads or writes; NULL is none. */
struct portable__memory {
  const char *name; /* in messages */
  const void *at;
  int32_t result;   /* 1: a few results, which the host brings where the device does not reach it */
};

/* Chooses the place. config is complete; can 0: the device has no version of this. Returns: 0, ERR_POINTER: who is to do it does not reach all of
 * the memory. */
portable_status portable__place(const char *call, const char *label, const portable_launch_config *config, const struct portable__memory *memory, int32_t count,
                                int can, struct portable__place *out);

/* 1: the device reads and writes what is there. */
int portable__place_reaches(const struct portable__place *place, const void *at);

/* A block for the time of a call; at NULL: none. */
struct portable__workspace {
  portable_pool pool;
  void *at;
};

/* On the device; or, shared, where host and device reach it. Gives an error that names the call. */
portable_status portable__workspace_take(const struct portable__place *place, size_t bytes, int shared, struct portable__workspace *out);
/* Ends it. done: everything that uses it has run; else the block goes when the stream has passed it. */
void portable__workspace_give(const struct portable__place *place, struct portable__workspace *scratch, int done);

/* A kernel and its grid. */
struct portable__step {
  void *function;
  uint32_t grid, block;
};

/* Finds the kernel `entry` of kernels/SOURCE.cu; SOURCE_KIND (reduce_real64) is compiled for that kind of element. source is static. blocks: those that there is work for. */
portable_status portable__step(const struct portable__place *place, const char *source, const char *entry, int64_t blocks, uint32_t threads,
                               struct portable__step *out);

/* From enqueue: the step, with its block of arguments. */
portable_status portable__step_put(void *native, const char *label, const struct portable__step *step, const void *params, size_t bytes);

/* Runs enqueue (queue.h) in the place's stream; of count elements. payload_bytes 0: it is waited for, and payload is the caller's. */
portable_status portable__place_run(const struct portable__place *place, int64_t count, portable_status (*enqueue)(void *native, void *payload),
                                    const void *payload, size_t payload_bytes);

/* Axes as kernels get them. */
void portable__cuda_axes(struct portable__cuda_axis *to, const struct portable__array_axis *from, int32_t rank);
/* The largest number of bytes up to `most` that address and steps are multiples of; fold says so over several. */
static inline int32_t portable__evenness(uint64_t bits, int32_t most) {
  while (most > 1 && bits % (uint64_t)most) most /= 2;
  return most;
}
uint64_t portable__even_axes(const struct portable__array_axis *axis, int32_t rank, int other);

#endif
