/* device_halo.c - ghost cells on CUDA devices: grid and launch of the kernel that packs, unpacks or
 * adds them (internal/backend/cuda/kernels/halo.cu). Not here: rows (exec/halo). Threads: any. */
#include "device_arrays.h"

#include <string.h>

#include "device_work.h"

#define THREADS 256

struct work {
  char label[64];
  struct portable__step step;
  struct portable__cuda_halo w;
};

static portable_status enqueue(void *native, void *payload) {
  const struct work *w = payload;
  return portable__step_put(native, w->label, &w->step, &w->w, sizeof w->w);
}

portable_status portable__device_halo(const struct portable__place *place, const struct portable__cuda_halo *w) {
  struct work work;
  memset(&work, 0, sizeof work);
  strncpy(work.label, place->label, sizeof work.label - 1);
  work.w = *w;
  portable_status status = portable__steps(place, PORTABLE__LIST(PORTABLE__LIST_HALO, 0, 0, 0), &work.step);
  if (status != PORTABLE_OK) return status;
  portable__step_grid(place, &work.step, (w->to - w->from - 1) / THREADS + 1, THREADS);
  const struct portable__device_work device_work = {.label = place->label, .kind = PORTABLE_LAUNCH_FOR, .count = w->to - w->from, .device = place->device,
                                                    .stream = place->stream, .enqueue = enqueue, .payload = &work, .payload_bytes = sizeof work, .waits = 1};
  return portable__device_work(&device_work);
}
