/* device_algorithm.c - common part of array algorithms on CUDA devices: the place of a call,
 * scratch memory, steps. Threads: any. */
#include "device_work.h"
#include "questions.h"
#include "../launch/launch.h"
#include "../stream/stream.h"
#include "../../internal/tracing/found.h"
#include "device_algorithm.h"
#include "devices.h"

#include <stddef.h>
#include <string.h>

#include "../../internal/backend/cuda/cuda_copy.h"
#include "../../internal/kernels/scan/choose.h"
#include "../../internal/kernels/scan/scan.h"
#include "../../internal/memcheck/memcheck.h"
#include "../stream/queue.h"
#include "../launch/reach.h"

_Static_assert(PORTABLE__CUDA_LEAF == PORTABLE__LEAF && PORTABLE__CUDA_LEAF == PORTABLE__CHOOSE_LEAF, "leaves of reductions and filters");
_Static_assert(PORTABLE__CUDA_SCAN_LEAF == PORTABLE__SCAN_LEAF && PORTABLE__CUDA_RANK == PORTABLE_LOOP_RANK, "leaves of scans");
_Static_assert(sizeof(struct portable__cuda_partial) == sizeof(struct portable__array_partial), "partial results");
_Static_assert(sizeof(struct portable__cuda_axis) == sizeof(struct portable__array_axis) &&
               offsetof(struct portable__cuda_axis, other_step) == offsetof(struct portable__array_axis, mask_step), "axes");

#define CHAIN_THREADS 256
#define WAVES 32 /* blocks for each multiprocessor: enough for an even load; few enough to keep the start of blocks cheap */

/* ---- places ---- */

/* The device of a launch with that config; 0: the launch will refuse it. */
static int32_t device_of(const portable_launch_config *c) {
  int32_t device = c->device;
  if (c->stream) {
    int32_t of = 0, kind = 0;
    if (!portable__stream_facts(c->stream, &of, &kind)) of = portable_stream_device(c->stream);
    if (device && device != of) return 0;
    device = of;
  }
  if (!device) device = atomic_load_explicit(&portable__defaults.device, memory_order_relaxed);
  return c->bit_for_bit && atomic_load_explicit(&portable__defaults.b4b, memory_order_relaxed) ? PORTABLE__SERIAL : device;
}

int portable__place_reaches(const struct portable__place *place, const void *at) {
  const int32_t space = portable__cuda_foreign_space((uintptr_t)at);
  return space == PORTABLE_SPACE_DEVICE(place->index) ||
         ((space == PORTABLE_SPACE_PINNED || space == PORTABLE_SPACE_MANAGED) && !portable__cuda_is_other(place->index, (uintptr_t)at));
}

/* Refuses memory i, which is of a device and cannot be accessed where the call runs. */
PORTABLE__COLD static portable_status out_of_reach(const struct portable__place *place, int on_host, const struct portable__memory *memory, int32_t i) {
  struct portable__unreached what = {.why = place->index < 0 ? PORTABLE__UNREACHED_DEVICE : on_host ? PORTABLE__UNREACHED_HOST : PORTABLE__UNREACHED_OTHER,
                                     .call = place->call, .label = place->label, .name = memory[i].name, .at = (uintptr_t)memory[i].at,
                                     .index = portable__cuda_foreign_space((uintptr_t)memory[i].at) - PORTABLE_SPACE_DEVICE(0), .device = place->device};
  portable_status status;
  portable__finding(PORTABLE__FOUND_HOST_ACCESS, place->label, memory[i].name, memory[i].at);
  if (what.why == PORTABLE__UNREACHED_OTHER) {
    const struct portable__memory *other = memory;
    while (!other->at || other->result || portable__place_reaches(place, other->at)) other++; /* there is one */
    what.other_name = other->name;
    what.other = (uintptr_t)other->at;
  }
  PORTABLE__EXPLAINED(&status, place->call, place->label, PORTABLE_ERR_POINTER, portable__device_go.device_unreached(&what));
  return status;
}

portable_status portable__place(const char *call, const char *label, const portable_launch_config *config, const struct portable__memory *memory, int32_t count,
                                int can, struct portable__place *out) {
  const int32_t device = device_of(config);
  /* In a kernel or callback, the calling thread does it. */
  *out = (struct portable__place){call, label, device, config->stream, portable__running_job || portable__queue_inside() ? -1 : portable__cuda_index(device)};
  int reached = can && out->index >= 0;
  for (int32_t i = 0; i < count && reached; i++) reached = !memory[i].at || memory[i].result || portable__place_reaches(out, memory[i].at);
  if (reached && portable__cuda_compiles(out->index)) return PORTABLE_OK;
  for (int32_t i = 0; i < count; i++)
    if (memory[i].at && portable__cuda_foreign_space((uintptr_t)memory[i].at) >= PORTABLE_SPACE_DEVICE(0))
      return reached ? PORTABLE_OK : out_of_reach(out, !can, memory, i); /* reached: without a compiler neither can, and the first step says so */
  out->index = -1;
  portable_status status = PORTABLE_OK;
  for (int32_t i = 0; i < count && !config->stream && status == PORTABLE_OK; i++) status = portable_fence_memory(memory[i].at);
  return status;
}

/* ---- scratch memory ---- */

portable_status portable__workspace_take(const struct portable__place *place, size_t bytes, int shared, struct portable__workspace *out) {
  out->at = NULL;
  portable_status status = shared ? portable__pinned_pool(place->index, &out->pool) : portable_pool_of_space(PORTABLE_SPACE_DEVICE(place->index), &out->pool);
  if (status == PORTABLE_OK) status = portable_pool_alloc(out->pool, bytes, place->label, &out->at);
  return status == PORTABLE_OK ? status : portable__no_scratch(status, place->call, place->label);
}

void portable__workspace_give(const struct portable__place *place, struct portable__workspace *scratch, int done) {
  const uintptr_t address = (uintptr_t)scratch->at;
  if (!address) return;
  if (!done) portable__stream_uses(place->stream ? place->stream : portable_device_stream(place->device), &address, 1);
  portable_pool_free(scratch->pool, scratch->at);
  scratch->at = NULL;
}

/* ---- steps ---- */

portable_status portable__steps(const struct portable__place *place, uint32_t list, struct portable__step *steps) {
  return portable__cuda_functions(place->label, place->device, list, &steps->function, sizeof *steps);
}

void portable__step_grid(const struct portable__place *place, struct portable__step *step, int64_t blocks, uint32_t threads) {
  const int64_t most = (int64_t)portable__cuda_facts(place->index)->multiprocessors * WAVES;
  step->grid = (uint32_t)(blocks < 1 ? 1 : blocks < most ? blocks : most);
  step->block = threads;
}

portable_status portable__step_put(void *native, const char *label, const struct portable__step *step, const void *params, size_t bytes) {
  const uint32_t grid[3] = {step->grid, 1, 1}, block[3] = {step->block, 1, 1};
  return portable__cuda_grid(native, label, step->function, grid, block, 0, params, bytes);
}

static portable_status run(const struct portable__place *place, int32_t kind, int64_t count, portable_status (*enqueue)(void *native, void *payload), const void *payload,
                           size_t payload_bytes) {
  const struct portable__device_work work = {.label = place->label, .kind = kind, .count = count, .device = place->device,
                                             .stream = place->stream, .enqueue = enqueue, .payload = payload, .payload_bytes = payload_bytes,
                                             .waits = payload_bytes == 0};
  return portable__device_work(&work);
}

portable_status portable__place_run(const struct portable__place *place, int64_t count, portable_status (*enqueue)(void *native, void *payload),
                                    const void *payload, size_t payload_bytes) {
  return run(place, PORTABLE_LAUNCH_REDUCE, count, enqueue, payload, payload_bytes);
}

struct chain {
  const char *label;
  const void *block;
  size_t block_bytes;
  int32_t steps;
  struct portable__step step[PORTABLE__LIST_MOST];
};

static portable_status enqueue_chain(void *native, void *payload) {
  const struct chain *w = payload;
  portable_status status = PORTABLE_OK;
  for (int32_t i = 0; i < w->steps && status == PORTABLE_OK; i++) status = portable__step_put(native, w->label, &w->step[i], w->block, w->block_bytes);
  return status;
}

portable_status portable__place_chain(const struct portable__place *place, uint32_t list, const int64_t *threads, int32_t steps, const void *block, size_t block_bytes) {
  struct chain w = {.label = place->label, .block = block, .block_bytes = block_bytes, .steps = steps};
  const portable_status status = portable__steps(place, list, w.step);
  if (status != PORTABLE_OK) return status;
  for (int32_t i = 0; i < steps; i++) portable__step_grid(place, &w.step[i], (threads[i] - 1) / CHAIN_THREADS + 1, CHAIN_THREADS);
  return run(place, PORTABLE_LAUNCH_FOR, threads[0], enqueue_chain, &w, 0);
}

struct fetching {
  const char *label;
  struct portable__cuda_copy copy;
};

static portable_status enqueue_fetch(void *native, void *payload) {
  const struct fetching *w = payload;
  const char *call = NULL;
  const int code = portable__cuda_copy_put(native, &w->copy, &call);
  return code ? portable__cuda_fail(code, call, w->label) : PORTABLE_OK;
}

portable_status portable__place_fetch(const struct portable__place *place, const void *from, size_t bytes, void *to) {
  struct fetching w = {.label = place->label, .copy = {.way = PORTABLE__CUDA_PLAIN, .index = place->index, .bytes = (int64_t)bytes, .box = {.to = to, .from = from}}};
  return run(place, PORTABLE_LAUNCH_FOR, 1, enqueue_fetch, &w, 0);
}

/* ---- axes ---- */

void portable__cuda_axes(struct portable__cuda_axis *to, const struct portable__array_axis *from, int32_t rank) {
  memcpy(to, from, (size_t)rank * sizeof *to);
}

uint64_t portable__even_axes(const struct portable__array_axis *axis, int32_t rank, int other) {
  uint64_t bits = 0;
  for (int32_t k = 0; k < rank; k++) bits |= (uint64_t)(other ? axis[k].mask_step : axis[k].step);
  return bits;
}
