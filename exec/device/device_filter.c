/* device_filter.c - filters of arrays on CUDA devices: kernels, grid, memory. The kernels are in
 * internal/backend/cuda/kernels/filter.cu, arguments in exec/algorithm/filter.c. Threads: any. */
#include "device_filter.h"

#include <string.h>

#define THREADS 256

struct work {
  const char *label;
  struct portable__cuda_filter f;
  struct portable__step step[4];
  int steps;
};

static portable_status enqueue(void *native, void *payload) {
  const struct work *w = payload;
  portable_status status = PORTABLE_OK;
  for (int i = 0; i < w->steps && status == PORTABLE_OK; i++) status = portable__step_put(native, w->label, &w->step[i], &w->f, sizeof w->f);
  return status;
}

/* Bytes that may be copied at a time. */
static int32_t unit(int32_t what, const struct portable__chosen *c, const struct portable__filter_packed *p) {
  uint64_t even = (uint64_t)(uintptr_t)p->first | (uint64_t)p->step;
  if (what == PORTABLE__INDICES) return portable__evenness(even, p->index_bytes);
  even |= (uint64_t)(uintptr_t)c->data | (uint64_t)c->element_bytes | portable__even_axes(c->axis, c->rank, 0);
  if (p->rest) even |= (uint64_t)(uintptr_t)p->rest | (uint64_t)p->rest_step;
  return portable__evenness(even, 8);
}

portable_status portable__device_filter(const struct portable__place *place, int32_t what, const struct portable__chosen *c,
                                        const struct portable__filter_packed *packed, int64_t *total_out) {
  struct work w;
  struct portable__workspace places = {0, NULL}, cell = {0, NULL};
  int64_t total = 0;
  memset(&w, 0, sizeof w);
  w.label = place->label;
  w.f.count = c->count;
  w.f.leaves = (c->count - 1) / PORTABLE__CUDA_LEAF + 1;
  w.steps = packed->rest && packed->room ? 4 : 3;
  const int64_t blocks[] = {w.f.leaves, 1, w.f.leaves, (packed->room - 1) / THREADS + 1}; /* the number of each leaf, their places, the move, the rest */
  for (int i = 0; i < w.steps; i++) portable__step_grid(place, &w.step[i], blocks[i], THREADS);
  portable_status status = portable__steps(place, PORTABLE__LIST(PORTABLE__LIST_FILTER, what, 0, w.steps == 4), w.step);
  if (status == PORTABLE_OK) status = portable__workspace_take(place, (size_t)w.f.leaves * sizeof(int64_t), 0, &places);
  if (status == PORTABLE_OK) status = portable__workspace_take(place, sizeof total, 1, &cell);
  w.f.data = c->data;
  w.f.mask = c->mask;
  w.f.packed = packed->first;
  w.f.rest = packed->rest;
  w.f.places = places.at;
  w.f.total = cell.at;
  w.f.room = packed->room;
  w.f.lower = packed->lower;
  w.f.element_bytes = c->element_bytes;
  w.f.packed_step = packed->step;
  w.f.rest_step = packed->rest_step;
  w.f.rank = c->rank;
  w.f.mask_bytes = c->mask_bytes;
  w.f.mask_aligned = ((uint64_t)(uintptr_t)c->mask | portable__even_axes(c->axis, c->rank, 1)) % (uint64_t)c->mask_bytes == 0;
  w.f.index_bytes = packed->index_bytes;
  w.f.unit = unit(what, c, packed);
  portable__cuda_axes(w.f.axis, c->axis, c->rank);
  if (status == PORTABLE_OK) status = portable__place_run(place, c->count, enqueue, &w, 0);
  if (status == PORTABLE_OK) memcpy(&total, cell.at, sizeof total);
  portable__workspace_give(place, &places, status == PORTABLE_OK);
  portable__workspace_give(place, &cell, status == PORTABLE_OK);
  *total_out = total;
  return status;
}
