/* device_componentwise.c - operations on arrays element by element on CUDA devices: kernel, grid,
 * launch. The kernels are in internal/backend/cuda/kernels/componentwise.cu, arguments in
 * exec/algorithm/componentwise.c. Threads: any. */
#include "device_componentwise.h"

#include <stddef.h>
#include <string.h>

#include "device_work.h"

#define THREADS 256

_Static_assert(offsetof(struct portable__cuda_componentwise, at) == offsetof(struct portable__componentwise, at) &&
               offsetof(struct portable__cuda_componentwise, axis) == offsetof(struct portable__componentwise, axis) &&
               offsetof(struct portable__cuda_componentwise, axes) == offsetof(struct portable__componentwise, axes) &&
               sizeof(struct portable__cuda_componentwise) == sizeof(struct portable__componentwise), "operations element by element");

struct work {
  char label[64];
  struct portable__step step;
  struct portable__cuda_componentwise w;
};

static portable_status enqueue(void *native, void *payload) {
  const struct work *w = payload;
  return portable__step_put(native, w->label, &w->step, &w->w, sizeof w->w);
}

static int aligned(const struct portable__componentwise *w) {
  for (int k = 0; k < PORTABLE__OPERANDS; k++) {
    uint64_t bits = w->at[k] ? (uint64_t)(uintptr_t)w->at[k] : 0;
    for (int32_t d = 0; d < w->axes && w->at[k]; d++) bits |= (uint64_t)w->axis[d].step[k];
    if (w->at[k] && portable__evenness(bits, 8) < (w->bytes[k] < 8 ? w->bytes[k] : 8)) return 0;
  }
  return 1;
}

static portable_status put(const struct portable__place *place, const struct portable__componentwise *w, int32_t form, int32_t op, int32_t kind,
                           long long *found) {
  struct work work;
  memset(&work, 0, sizeof work);
  strncpy(work.label, place->label, sizeof work.label - 1);
  memcpy(&work.w, w, sizeof work.w);
  work.w.found = found;
  work.w.aligned = aligned(w);
  portable_status status = portable__steps(place, PORTABLE__LIST(PORTABLE__LIST_COMPONENT, op, kind, form), &work.step);
  if (status != PORTABLE_OK) return status;
  portable__step_grid(place, &work.step, (w->count - 1) / THREADS + 1, THREADS);
  const struct portable__device_work device_work = {.label = place->label, .kind = PORTABLE_LAUNCH_FOR, .count = w->count, .device = place->device,
                                                    .stream = place->stream, .enqueue = enqueue, .payload = &work, .payload_bytes = sizeof work,
                                                    .waits = !place->stream || found};
  return portable__device_work(&device_work);
}

portable_status portable__device_componentwise(const struct portable__place *place, const struct portable__componentwise *w, int32_t form, int32_t op, int32_t kind) {
  return put(place, w, form, op, kind, NULL);
}

portable_status portable__device_component_fault(const struct portable__place *place, const struct portable__componentwise *w, int32_t op, int32_t kind,
                                                 int64_t *first_out) {
  struct portable__workspace cell;
  portable_status status = portable__workspace_take(place, sizeof(long long), 1, &cell);
  if (status != PORTABLE_OK) return status;
  long long *found = cell.at;
  *found = w->count;
  status = put(place, w, PORTABLE__COMPONENT_FAULT, op, kind, found);
  *first_out = status == PORTABLE_OK && *found < w->count ? *found : -1;
  portable__workspace_give(place, &cell, status == PORTABLE_OK);
  return status;
}
