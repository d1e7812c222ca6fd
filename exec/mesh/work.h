/* work.h - what calls on particles have in common: memory that is ready, launches in units of
 * numbers, the first number that is refused. Private. Threads: work is one call's. */
#ifndef PORTABLE__MESH_WORK_H
#define PORTABLE__MESH_WORK_H

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "../../capi/include/mesh/portable_particles.h"
#include "../../gator/front/front.h"
#include "../../internal/edge/calls.h"
#include "../algorithm/call.h"
#include "../launch/launch.h"
#include "there.h"

struct portable__work {
  const char *call, *label;
  portable_launch_config config;
  int64_t unit, count;   /* of the launch in progress */
  _Atomic int64_t wrong; /* the first number that is refused; INT64_MAX: none */
};

#define PORTABLE__WORK_FAIL(w, code, format, ...) portable__fail(code, "%s '%s': " format, (w)->call, (w)->label, __VA_ARGS__)

/* Checks of every call. */
static inline portable_status portable__work_begin(struct portable__work *w, const char *call, const char *label, const portable_launch_config *launch) {
  w->call = call;
  w->label = label ? label : "unlabelled";
  atomic_init(&w->wrong, INT64_MAX);
  if (!portable__launch_is_good(launch))
    return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT", launch->struct_size);
  if (!portable_is_initialized()) return portable__not_running(call);
  portable__call_config(launch, &w->config);
  return PORTABLE_OK;
}

/* Chooses the place; the arrays are at most 6, NULL is none. Work of other streams on them has ended where the host does the call. */
static inline portable_status portable__work_ready(struct portable__work *w, const void *const *arrays, int count, int makes, struct portable__there *t) {
  struct portable__memory memory[6];
  for (int i = 0; i < count; i++) memory[i] = (struct portable__memory){"the array", arrays[i], 0};
  portable_status status = portable__there_choose(t, w->call, w->label, &w->config, memory, count, makes);
  for (int i = 0; i < count && status == PORTABLE_OK && t->place.index < 0 && !w->config.stream; i++)
    if (arrays[i]) status = portable_fence_memory(arrays[i]);
  return status;
}

/* Runs a kernel over count numbers, in units; up to `small` numbers are the calling thread's. */
static inline portable_status portable__work_launch(struct portable__work *w, portable_kernel_function kernel, void *args, int64_t count, int64_t unit, int64_t small) {
  w->unit = count <= small ? (count ? count : 1) : unit;
  w->count = count;
  const portable_bounds units = portable_bounds_1(count ? (count - 1) / w->unit + 1 : 0);
  const portable_status status = portable__launch(w->label, &units, kernel, args, 0, &w->config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  return status == PORTABLE_OK ? status : portable__rename_error(status, w->call);
}

/* The numbers from *from to *to - 1 of a tile. */
static inline void portable__work_range(const struct portable__work *w, const portable_tile *t, int64_t *from, int64_t *to) {
  *from = t->lower[0] * w->unit;
  *to = (t->upper[0] + 1) * w->unit < w->count ? (t->upper[0] + 1) * w->unit : w->count;
}

static inline void portable__work_note(struct portable__work *w, int64_t wrong) {
  int64_t first = atomic_load_explicit(&w->wrong, memory_order_relaxed);
  while (wrong < first && !atomic_compare_exchange_weak_explicit(&w->wrong, &first, wrong, memory_order_relaxed, memory_order_relaxed)) {
  }
}

static inline int64_t portable__work_wrong(const struct portable__work *w) { return atomic_load_explicit(&w->wrong, memory_order_relaxed); }

static inline portable_status portable__work_alloc(struct portable__work *w, size_t bytes, void *block) {
  const portable_status status = portable__alloc(bytes, w->label, strlen(w->label), block);
  return status == PORTABLE_OK ? status : portable__rename_error(status, w->call);
}

static inline int64_t portable__work_get(const void *at, int32_t bytes, int64_t k) {
  return bytes == 4 ? ((const int32_t *)at)[k] : ((const int64_t *)at)[k];
}

static inline void portable__work_put(void *at, int32_t bytes, int64_t k, int64_t value) {
  if (bytes == 4)
    ((int32_t *)at)[k] = (int32_t)value;
  else
    ((int64_t *)at)[k] = value;
}

/* Whether n bytes at x and m bytes at y share one. */
static inline int portable__work_meet(const void *x, int64_t n, const void *y, int64_t m) {
  return n && m && (uintptr_t)x < (uintptr_t)y + (uint64_t)m && (uintptr_t)y < (uintptr_t)x + (uint64_t)n;
}

static inline double portable__coordinate(int32_t kind, const void *at, int64_t i) {
  return kind == PORTABLE_KIND_REAL32 ? (double)((const float *)at)[i] : ((const double *)at)[i];
}

#endif
