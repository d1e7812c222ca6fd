/* device_random.c - arrays of random numbers on CUDA devices: kernel, grid, launch. The kernels are
 * in internal/backend/cuda/kernels/random.cu, arguments in exec/algorithm. Threads: any. */
#include "device_arrays.h"

#include <stddef.h>
#include <string.h>

#include "device_work.h"

#define THREADS 256

_Static_assert(offsetof(struct portable__cuda_random, axis) == offsetof(struct portable__random_fill, axis) &&
               offsetof(struct portable__cuda_random, key) == offsetof(struct portable__random_fill, key) &&
               offsetof(struct portable__cuda_random, first) == offsetof(struct portable__random_fill, first) &&
               offsetof(struct portable__cuda_random, axes) == offsetof(struct portable__random_fill, axes) &&
               offsetof(struct portable__cuda_random, draw) == offsetof(struct portable__random_fill, draw), "arrays of random numbers");

struct work {
  char label[64];
  struct portable__step step;
  struct portable__cuda_random w;
};

static portable_status enqueue(void *native, void *payload) {
  const struct work *w = payload;
  return portable__step_put(native, w->label, &w->step, &w->w, sizeof w->w);
}

portable_status portable__device_random(const struct portable__place *place, const struct portable__random_fill *f) {
  const int32_t bytes = f->kind == PORTABLE_KIND_REAL32 ? 4 : 8;
  struct work work;
  memset(&work, 0, sizeof work);
  strncpy(work.label, place->label, sizeof work.label - 1);
  memcpy(&work.w, f, sizeof *f);
  work.w.aligned = portable__evenness((uint64_t)(uintptr_t)f->at | portable__even_axes(f->axis, f->axes, 0), bytes) == bytes;
  portable_status status = portable__steps(place, PORTABLE__LIST(PORTABLE__LIST_RANDOM, 0, f->kind, f->distribution), &work.step);
  if (status != PORTABLE_OK) return status;
  portable__step_grid(place, &work.step, (f->count / 2 + 1) / THREADS + 1, THREADS); /* a thread makes a pair */
  const struct portable__device_work device_work = {.label = place->label, .kind = PORTABLE_LAUNCH_FOR, .count = f->count, .device = place->device,
                                                    .stream = place->stream, .enqueue = enqueue, .payload = &work, .payload_bytes = sizeof work,
                                                    .waits = !place->stream};
  return portable__device_work(&device_work);
}
