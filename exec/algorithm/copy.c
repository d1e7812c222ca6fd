/* copy.c - strided copies as launches. Main function: portable__copy_run. The arithmetic is in
 * internal/kernels/copy/copy.c, copies of CUDA devices in exec/device/far_copy.c. Threads: any; no
 * lock. */
#include "../launch/launch.h"
#include "../../internal/backend/cuda/matters.h"
#include "copy.h"
#include "../../internal/kernels/base/overlap.h"

#include <stdatomic.h>
#include <string.h>

#include "../device/far_copy.h"
#include "../../internal/memcheck/hazard.h"
#include "../launch/kernel_record.h"

#define SMALL 65536 /* fewer bytes run on the calling thread: they take less time than a wake-up */

/* The argument of the kernels: units of the plan are iterations of the launch, one at a time or all at once. */
struct work {
  struct portable__copy_plan plan;
  int64_t at_once;
  int32_t kind;
  _Atomic int32_t good; /* all are equal, or fit */
  _Atomic uint64_t sum;
};

static int64_t first_of(const struct work *w, const portable_tile *t) { return t->lower[0] * w->at_once; }
static int64_t end_of(const struct work *w, const portable_tile *t) {
  int64_t end = (t->upper[0] + 1) * w->at_once;
  return end < w->plan.units ? end : w->plan.units;
}

static void copy_kernel(const portable_tile *t, void *args) {
  const struct work *w = args;
  portable__copy_units(&w->plan, first_of(w, t), end_of(w, t));
}

static void equal_kernel(const portable_tile *t, void *args) {
  struct work *w = args;
  if (atomic_load_explicit(&w->good, memory_order_relaxed) && !portable__copy_equal(&w->plan, w->kind, first_of(w, t), end_of(w, t)))
    atomic_store_explicit(&w->good, 0, memory_order_relaxed);
}

static void fits_kernel(const portable_tile *t, void *args) {
  struct work *w = args;
  if (atomic_load_explicit(&w->good, memory_order_relaxed) && !portable__copy_fits(&w->plan, first_of(w, t), end_of(w, t)))
    atomic_store_explicit(&w->good, 0, memory_order_relaxed);
}

static void checksum_kernel(const portable_tile *t, void *args) {
  struct work *w = args;
  atomic_fetch_add_explicit(&w->sum, portable__copy_checksum(&w->plan, first_of(w, t), end_of(w, t)), memory_order_relaxed);
}

/* waits: w is valid until the launch ends. */
static portable_status launch_of(struct work *w, portable_kernel_function kernel, const char *label, const portable_launch_config *launch, int waits) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  if (launch) {
    if (launch->struct_size < sizeof(uint32_t) || launch->struct_size > sizeof config)
      return portable__fail(PORTABLE_ERR_ARG, "copy '%s': launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT", label,
                            (unsigned)launch->struct_size);
    memcpy(&config, launch, launch->struct_size);
    memset(config.tile, 0, sizeof config.tile); /* it counts elements, not units */
  }
  w->at_once = w->plan.elements * w->plan.to_bytes <= SMALL ? w->plan.units : 1;
  portable_bounds units = portable_bounds_1(w->at_once > 1 ? 1 : w->plan.units);
  const size_t own = waits ? 0 : sizeof *w;
  const int32_t flags = PORTABLE__OURS | (waits ? PORTABLE__WAITS : 0);
  struct portable__declared_two two;
  const int hazards = portable__hazards();
  if (hazards) portable__hazard_two(&two, label, w->plan.copy.from, kernel == copy_kernel ? w->plan.copy.to : NULL, &config);
  portable_status status = portable__launch(label, &units, kernel, w, own, &config, 0, flags, NULL);
  if (hazards) portable__hazard_follows(label, NULL, NULL);
  return status;
}

/* The host copies: after the work of devices with this memory, unless a stream gives the order. */
static portable_status fence_sides(const struct work *w, const portable_launch_config *launch) {
  const int in_stream = launch && launch->struct_size >= offsetof(portable_launch_config, stream) + sizeof launch->stream && launch->stream;
  if (in_stream) return PORTABLE_OK;
  portable_status status = portable_fence_memory(w->plan.copy.from);
  return status == PORTABLE_OK ? portable_fence_memory(w->plan.copy.to) : status;
}

static portable_status run(struct work *w, portable_kernel_function kernel, const char *label, const portable_launch_config *launch) {
  portable_status status = fence_sides(w, launch);
  return status == PORTABLE_OK ? launch_of(w, kernel, label, launch, 1) : status;
}

/* Copies with a side in a device's memory. 1: done or failed, as *status says. */
PORTABLE__COLD static int far_copy(const struct portable__copy *copy, const char *label, const portable_launch_config *config, int waits,
                                   portable_status *status) {
  struct portable__far far;
  const int is = portable__copy_far(copy, label, config, &far);
  if (is == 0) return 0;
  *status = is < 0 ? PORTABLE_ERR_ARG : portable__far_copy(copy, label, config, &far, waits);
  return *status != PORTABLE__NOT_HERE;
}

/* Brings the sides to the host, for calls that read them there. 1: *near has copies of them, or an error. */
PORTABLE__COLD static int bring(const struct portable__copy *copy, const char *label, const portable_launch_config *config, int to_too,
                                struct portable__far_brought *near, portable_status *status) {
  struct portable__far far;
  const int is = portable__copy_far(copy, label, config, &far);
  if (is > 0) *status = portable__far_bring(copy, label, config, &far, to_too, near);
  if (is < 0) *status = PORTABLE_ERR_ARG;
  return is != 0;
}

int portable__copy_shares(const struct portable__copy *copy) {
  const int wide = copy->conversion == PORTABLE__COPY_WIDEN, narrow = copy->conversion == PORTABLE__COPY_NARROW;
  const int64_t from_bytes = wide ? 4 : narrow ? 8 : copy->bytes, to_bytes = wide ? 8 : narrow ? 4 : copy->bytes;
  uintptr_t first[2] = {(uintptr_t)copy->from, (uintptr_t)copy->to}, end[2] = {first[0] + (uintptr_t)from_bytes, first[1] + (uintptr_t)to_bytes};
  int same = copy->from == copy->to && !wide && !narrow;
  for (int32_t k = 0; k < copy->rank; k++)
    for (int side = 0; side < 2; side++) {
      const int64_t stride = side ? copy->axis[k].to : copy->axis[k].from;
      *(stride < 0 ? &first[side] : &end[side]) += (uintptr_t)stride * (uintptr_t)(copy->axis[k].extent - 1);
    }
  if (PORTABLE__LIKELY(end[0] <= first[1] || end[1] <= first[0]) || copy->rank > PORTABLE__LYING_RANK) return 0; /* apart; too many axes to tell */
  struct portable__lying from = {.at = copy->from, .bytes = from_bytes, .rank = copy->rank}, to = {.at = copy->to, .bytes = to_bytes, .rank = copy->rank};
  for (int32_t k = 0; k < copy->rank; k++) {
    from.extents[k] = to.extents[k] = copy->axis[k].extent;
    from.strides[k] = copy->axis[k].from;
    to.strides[k] = copy->axis[k].to;
    same &= copy->axis[k].from == copy->axis[k].to;
  }
  return !same && portable__lying_fits(&from) && portable__lying_fits(&to) && portable__overlap(&from, &to) == PORTABLE__SHARED;
}

portable_status portable__copy_start(const struct portable__copy *copy, const char *label, const portable_launch_config *config) {
  struct work w = {.good = 1};
  portable_status status;
  const int waits = !config || !config->stream || portable_stream_kind(config->stream) != PORTABLE_STREAM_ASYNC;
  if (portable__reach_matters() && far_copy(copy, label, config, waits, &status)) return status;
  portable__copy_plan(copy, -1, 0, &w.plan);
  status = fence_sides(&w, config);
  return status == PORTABLE_OK ? launch_of(&w, copy_kernel, label, config, 0) : status;
}

portable_status portable__copy_run(const struct portable__copy *copy, const char *label, const portable_launch_config *config) {
  portable_status status;
  if (portable__reach_matters() && far_copy(copy, label, config, 1, &status)) return status;
  return portable__copy_by_host(copy, label, config, 1);
}

portable_status portable__copy_by_host(const struct portable__copy *copy, const char *label, const portable_launch_config *config, int32_t waits) {
  struct work w = {.good = 1};
  portable__copy_plan(copy, -1, 0, &w.plan);
  if (copy->conversion == PORTABLE__COPY_SHORTER) {
    portable_status status = run(&w, fits_kernel, label, config);
    if (status != PORTABLE_OK) return status;
    if (!w.good)
      return portable__fail(PORTABLE_ERR_OVERFLOW, "copy '%s': an element of 64 bits does not fit the 32 bits it is copied to; nothing was copied", label);
  }
  portable_status status = fence_sides(&w, config);
  return status == PORTABLE_OK ? launch_of(&w, copy_kernel, label, config, waits) : status;
}

portable_status portable__copy_equal_run(const struct portable__copy *pair, int32_t kind, const char *label, const portable_launch_config *config,
                                         int32_t *equal_out) {
  struct work w = {.good = 1, .kind = kind};
  struct portable__far_brought near;
  portable_status status = PORTABLE_OK;
  const int brought = portable__reach_matters() && bring(pair, label, config, 1, &near, &status);
  *equal_out = 0;
  if (status != PORTABLE_OK) return status;
  portable__copy_plan(brought ? &near.copy : pair, 0, kind != PORTABLE__SAME_BYTES, &w.plan);
  status = run(&w, equal_kernel, label, config);
  if (brought) portable__far_bring_end(&near);
  if (status == PORTABLE_OK) *equal_out = w.good;
  return status;
}

portable_status portable__copy_checksum_run(const struct portable__copy *numbered, const char *label, const portable_launch_config *config,
                                            uint64_t *sum_out) {
  struct work w = {.sum = 0};
  struct portable__far_brought near;
  portable_status status = PORTABLE_OK;
  const int brought = portable__reach_matters() && bring(numbered, label, config, 0, &near, &status);
  *sum_out = 0;
  if (status != PORTABLE_OK) return status;
  portable__copy_plan(brought ? &near.copy : numbered, 0, 1, &w.plan);
  status = run(&w, checksum_kernel, label, config);
  if (brought) portable__far_bring_end(&near);
  if (status == PORTABLE_OK) *sum_out = w.sum;
  return status;
}
