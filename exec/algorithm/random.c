/* random.c - arrays of random numbers by cell: arguments, place, launch. Main function:
 * portable_random_fill. Numbers: internal/kernels/random. Device version:
 * exec/device/device_random.c. Threads: any; no lock. */
#include <stddef.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../internal/edge/calls.h"
#include "../../internal/kernels/random/random.h"
#include "../device/device_arrays.h"
#include "../launch/kernel_record.h"
#include "call.h"

#define SMALL 8192 /* fewer elements run on the calling thread: they take less time than a wake-up */
#define UNIT 4096  /* elements that a launch counts as one iteration */

/* The argument block of the kernel, which the launch copies. */
struct task {
  int64_t unit;
  struct portable__random_fill fill;
};

/* Completes all of f but the key. */
portable_status portable__random_verdict(const struct portable__array_call *c, portable_random_options *o, struct portable__random_fill *f) {
  const portable_random_options *given = c->options;
  const int empty = portable__array_empty(c->rank, c->extents);
  int64_t last;
  if (!PORTABLE__OPTIONS(*o, given) || (c->kind != PORTABLE_KIND_REAL32 && c->kind != PORTABLE_KIND_REAL64) || o->distribution < PORTABLE_RANDOM_UNIFORM ||
      o->distribution > PORTABLE_RANDOM_NORMAL || empty < 0 || (!empty && !c->result) || !portable__order_is_good(o->order))
    return PORTABLE_ERR_ARG;
  const int64_t bytes = c->kind == PORTABLE_KIND_REAL32 ? 4 : 8;
  const struct portable__steps steps = {bytes, o->strides};
  if (!portable__axes(c->rank, c->extents, o->order, steps, steps, f->axis, NULL)) return PORTABLE_ERR_OVERFLOW;
  f->at = (char *)(uintptr_t)c->result;
  f->axes = c->rank;
  f->kind = c->kind;
  f->distribution = o->distribution;
  f->draw = o->draw;
  f->first = o->first;
  f->count = !empty;
  if (!empty) {
    const struct portable__lying lying = portable__array_lying(f->axis, f->axes, f->at, bytes, 0);
    if (!portable__lying_fits(&lying)) return PORTABLE_ERR_OVERFLOW;
    if (portable__overlap_self(&lying)) return PORTABLE_ERR_ARG;
    for (int32_t k = 0; k < f->axes; k++) f->count *= f->axis[k].extent;
    if (__builtin_add_overflow(f->first, f->count - 1, &last)) return PORTABLE_ERR_OVERFLOW;
  }
  return portable__launch_is_good(o->launch) ? PORTABLE_OK : PORTABLE_ERR_ARG;
}

static void kernel(const portable_tile *t, void *args) {
  const struct task *task = args;
  const int64_t to = (t->upper[0] + 1) * task->unit;
  portable__random_range(&task->fill, t->lower[0] * task->unit, to < task->fill.count ? to : task->fill.count);
}

/* PORTABLE__NOT_HERE: the host does it. */
PORTABLE__COLD static portable_status on_device(const struct portable__array_call *c, const portable_launch_config *config, const struct portable__random_fill *f) {
  const struct portable__memory memory[] = {{"data", c->result, 0}};
  struct portable__place place;
  const portable_status status = portable__place("random_fill", c->label, config, memory, 1, 1, &place);
  if (status != PORTABLE_OK || place.index < 0 || !f->count) return status == PORTABLE_OK ? PORTABLE__NOT_HERE : status;
  return portable__device_random(&place, f);
}

portable_status portable_random_fill(const char *label, int32_t kind, portable_random_key key, void *data, int32_t rank, const int64_t *extents,
                                     const portable_random_options *options) {
  PORTABLE__CALL("portable_random_fill");
  const struct portable__array_call c = {.call = PORTABLE__RANDOM_FILL, .kind = kind, .rank = rank, .label = label ? label : "unlabelled", .extents = extents,
                                         .result = data, .options = options};
  portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
  portable_launch_config config;
  struct task task;
  memset(&task, 0, sizeof task);
  portable_status status = portable__random_verdict(&c, &o, &task.fill);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_refused(&c, status);
  task.fill.key = key;
  if (task.fill.count) task.fill.axes = portable__array_join(task.fill.axis, rank);
  portable__call_config(o.launch, &config);
  if (portable__on_device_matters() && (status = on_device(&c, &config, &task.fill)) != PORTABLE__NOT_HERE) return status;
  if (task.fill.count && !config.stream && (status = portable_fence_memory(data)) != PORTABLE_OK) return status;
  task.unit = task.fill.count <= SMALL ? (task.fill.count ? task.fill.count : 1) : UNIT;
  const portable_bounds units = portable_bounds_1(task.fill.count ? (task.fill.count - 1) / task.unit + 1 : 0);
  status = portable__launch(c.label, &units, kernel, &task, sizeof task, &config, 0, PORTABLE__OURS, NULL);
  return status == PORTABLE_OK ? status : portable__rename_error(status, "random_fill");
}
