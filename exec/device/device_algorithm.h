/* device_algorithm.h - common part of calls on arrays on CUDA devices. A call runs on a device if
 * its launch names one, or the default device is one, and the device can access all of its memory.
 * Else, or without NVRTC, the host does it after the work in the stream, counted as a launch
 * without a device version (exec/launch/fallback.h); with memory that only a device can access it
 * is refused. Not here: kernels (internal/backend/cuda/kernels), arguments (exec/algorithm). */
#ifndef PORTABLE__DEVICE_ALGORITHM_H
#define PORTABLE__DEVICE_ALGORITHM_H

#include "../../internal/edge/base.h"
#include "../../internal/backend/cuda/kernel.h"
#include "../../internal/backend/cuda/kernels/algorithm.h"
#include "../../internal/kernels/reduction/array.h"

/* 1: a CUDA device exists. Without one, a call pays only this test. */
static inline int portable__on_device_matters(void) {
  return PORTABLE__UNLIKELY(atomic_load_explicit(&portable__cuda_devices, memory_order_relaxed) != 0);
}

/* Where a call runs. */
struct portable__place {
  const char *call, *label;
  portable_device device;
  portable_stream stream;
  int32_t index; /* of the CUDA device; -1: the host does it */
};

/* Memory of the user that a call reads or writes; at NULL: unused. */
struct portable__memory {
  const char *name; /* in texts */
  const void *at;
  int32_t result;   /* 1: a few results; the host copies them if the device cannot access this memory */
};

/* Chooses the place. config is complete; can 0: the device has no version of this call. Returns: 0, ERR_POINTER: the chosen place cannot access all
 * of the memory. */
portable_status portable__place(const char *call, const char *label, const portable_launch_config *config, const struct portable__memory *memory, int32_t count,
                                int can, struct portable__place *out);

/* 1: the device can access the address. */
int portable__place_reaches(const struct portable__place *place, const void *at);

/* A block for the time of a call; at NULL: no block. */
struct portable__workspace {
  portable_pool pool;
  void *at;
};

/* Allocates on the device, or (shared) in memory that host and device can access. Gives an error that names the call. */
portable_status portable__workspace_take(const struct portable__place *place, size_t bytes, int shared, struct portable__workspace *out);
/* Frees the block: now (done: its users have run), else when the stream has completed them. */
void portable__workspace_give(const struct portable__place *place, struct portable__workspace *scratch, int done);

/* A kernel and its grid. */
struct portable__step {
  void *function;
  uint32_t grid, block;
};

/* Finds the kernels of a list (internal/backend/cuda/kernel.h), a step for each. */
portable_status portable__steps(const struct portable__place *place, uint32_t list, struct portable__step *steps);
/* Sets the grid. blocks: as many as have work. */
void portable__step_grid(const struct portable__place *place, struct portable__step *step, int64_t blocks, uint32_t threads);

/* Called by enqueue: launches the step with its block of arguments. */
portable_status portable__step_put(void *native, const char *label, const struct portable__step *step, const void *params, size_t bytes);

/* Runs enqueue (work.h) in the stream of the place, for count elements. payload_bytes 0: it waits for the end, and payload is the caller's. */
portable_status portable__place_run(const struct portable__place *place, int64_t count, portable_status (*enqueue)(void *native, void *payload),
                                    const void *payload, size_t payload_bytes);

/* Runs the first kernels of a list one after the other with one block of arguments, each with about as many threads as are given, and waits for the end. */
portable_status portable__place_chain(const struct portable__place *place, uint32_t list, const int64_t *threads, int32_t steps, const void *block, size_t block_bytes);
/* Copies bytes to memory of the host, and waits for the end. */
portable_status portable__place_fetch(const struct portable__place *place, const void *from, size_t bytes, void *to);

/* The axes, in the form of the kernels. */
void portable__cuda_axes(struct portable__cuda_axis *to, const struct portable__array_axis *from, int32_t rank);
/* The largest number of bytes, up to `most`, that divides address and steps; fold combines several. */
static inline int32_t portable__evenness(uint64_t bits, int32_t most) {
  while (most > 1 && bits % (uint64_t)most) most /= 2;
  return most;
}
uint64_t portable__even_axes(const struct portable__array_axis *axis, int32_t rank, int other);

#endif
