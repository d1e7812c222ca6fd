/* fft.c - Fourier transforms of the lines of arrays: arguments, lines, launch. Main function:
 * transform. The arithmetic is in internal/kernels/fft, plans in fft_plan.c, the device version in
 * exec/device/device_fft.c. Threads: any; no lock. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../gator/front/front.h"
#include "../../internal/kernels/base/overlap.h"
#include "../../internal/observe/tools.h"
#include "../../internal/team/hints.h"
#include "../../internal/edge/calls.h"
#include "../device/device_arrays.h"
#include "../../internal/backend/cuda/shim.h"
#include "call.h"
#include "cufft.h"
#include "fft_plan.h"

#define SMALL 2048 /* fewer numbers are transformed by the calling thread: they take less time than a wake-up */
#define FROM 0
#define TO 1

/* ---- arguments ---- */

/* A side of the call: real numbers, complex numbers, or their two parts, which lie apart. */
struct side {
  int32_t parts;
  int64_t step; /* along a line */
  struct portable__lying lying[2];
};

static int is_backward(const struct portable__array_call *c) { return c->call == PORTABLE__FFT_BACKWARD; }

static void lie(const struct portable__array_call *c, const portable_fft_options *o, int32_t along, int64_t bytes, int which, struct side *s) {
  const int64_t *const strides = which == FROM ? o->in_strides : o->out_strides;
  const int complex = c->op == PORTABLE_FFT_C2C || (which == FROM) == is_backward(c);
  const int64_t part = o->part_stride ? o->part_stride : bytes;
  struct portable__lying *const x = &s->lying[0];
  s->parts = complex && part != bytes ? 2 : 1;
  x->at = which == FROM ? c->a : c->result;
  x->bytes = complex && s->parts == 1 ? 2 * bytes : bytes;
  x->rank = c->rank;
  int64_t step = complex && s->parts == 1 ? 2 * bytes : bytes;
  for (int32_t i = 0; i < x->rank; i++) {
    const int32_t d = o->order == PORTABLE_ORDER_FORTRAN ? i : c->rank - 1 - i;
    x->extents[i] = i == along && c->op == PORTABLE_FFT_R2C && complex ? c->extents[d] / 2 + 1 : c->extents[d];
    x->strides[i] = strides ? strides[d] : step;
    if (__builtin_mul_overflow(step, x->extents[i], &step)) step = 0; /* more bytes than a number counts were refused before */
  }
  s->step = x->strides[along];
  s->lying[1] = *x;
  s->lying[1].at = (const void *)((uintptr_t)x->at + (uintptr_t)part);
}

/* 1: each line of out lies where the line of in lies, and has room for both. */
static int in_place(const struct portable__array_call *c, int64_t part, int32_t along, const struct side *from, const struct side *to) {
  const struct side *const real = is_backward(c) ? to : from, *const complex = is_backward(c) ? from : to;
  struct portable__lying both = real->lying[0];
  if (from->lying[0].at != to->lying[0].at) return 0;
  for (int32_t i = 0; i < c->rank; i++)
    if (i != along && both.extents[i] > 1 && from->lying[0].strides[i] != to->lying[0].strides[i]) return 0;
  if (c->op == PORTABLE_FFT_C2C) return c->count == 1 || from->step == to->step;
  if (c->count > 1 && (real->step != part || complex->step != (int64_t)(2 * (uint64_t)part))) return 0;
  both.extents[along] = 2 * (c->count / 2 + 1);
  both.strides[along] = part;
  return portable__lying_fits(&both) && !portable__overlap_self(&both);
}

static int overlap(const struct side *from, const struct side *to) {
  for (int32_t i = 0; i < from->parts; i++)
    for (int32_t k = 0; k < to->parts; k++)
      if (portable__overlap(&to->lying[k], &from->lying[i])) return 1;
  return 0;
}

/* The sides, and what the lines are. f is all 0 before. */
portable_status portable__fft_verdict(const struct portable__array_call *c, portable_fft_options *o, struct portable__fft *f) {
  const portable_fft_options *given = c->options;
  const int empty = portable__array_empty(c->rank, c->extents);
  struct side side[2];
  int64_t bytes;
  int overflow = 0;
  if (!PORTABLE__OPTIONS(*o, given) || (c->kind != PORTABLE_KIND_REAL32 && c->kind != PORTABLE_KIND_REAL64) || empty < 0 ||
      !portable__order_is_good(o->order) || o->flags || o->reserved || c->lower < 1 || c->lower > c->rank || c->extents[c->lower - 1] != c->count ||
      (!empty && (!c->a || !c->result)))
    return PORTABLE_ERR_ARG;
  const int32_t dim = (int32_t)c->lower - 1, along = o->order == PORTABLE_ORDER_FORTRAN ? dim : c->rank - 1 - dim;
  f->bytes = c->kind == PORTABLE_KIND_REAL64 ? 8 : 4;
  f->backward = is_backward(c);
  f->lines = !empty;
  bytes = 2 * f->bytes;
  for (int32_t i = 0; i < c->rank && !empty; i++) {
    overflow |= __builtin_mul_overflow(bytes, c->extents[i], &bytes);
    if (i != dim && !overflow) f->lines *= c->extents[i];
  }
  if (empty) return portable__launch_is_good(o->launch) ? PORTABLE_OK : PORTABLE_ERR_ARG;
  if (overflow) return PORTABLE_ERR_OVERFLOW;
  const int64_t part = o->part_stride ? o->part_stride : f->bytes;
  for (int which = FROM; which <= TO; which++) {
    lie(c, o, along, f->bytes, which, &side[which]);
    for (int32_t i = 0; i < side[which].parts; i++)
      if (!portable__lying_fits(&side[which].lying[i])) return PORTABLE_ERR_OVERFLOW;
    f->side[which] = (struct portable__fft_side){(char *)(uintptr_t)side[which].lying[0].at, side[which].step, part};
  }
  const struct side *const to = &side[TO];
  if (portable__overlap_self(&to->lying[0]) || (to->parts == 2 && portable__overlap(&to->lying[0], &to->lying[1]))) return PORTABLE_ERR_ARG;
  if (overlap(&side[FROM], to) && !in_place(c, part, along, &side[FROM], to)) return PORTABLE_ERR_ARG;
  for (int32_t i = 0; i < c->rank; i++)
    if (i != along && to->lying[0].extents[i] > 1)
      f->axis[f->axes++] = (struct portable__fft_axis){to->lying[0].extents[i], {side[FROM].lying[0].strides[i], to->lying[0].strides[i]}};
  return portable__launch_is_good(o->launch) ? PORTABLE_OK : PORTABLE_ERR_ARG;
}

/* ---- lines ---- */

static int64_t length(int64_t step) { return step < 0 ? -step : step; }

/* Orders the axes of the lines by what the memory of out likes, and joins them. */
static void arrange(struct portable__fft *f) {
  int32_t left = 0;
  for (int32_t a = 1; a < f->axes; a++) {
    const struct portable__fft_axis axis = f->axis[a];
    int32_t k = a;
    for (; k > 0 && length(f->axis[k - 1].step[TO]) > length(axis.step[TO]); k--) f->axis[k] = f->axis[k - 1];
    f->axis[k] = axis;
  }
  for (int32_t a = 0; a < f->axes; a++) {
    struct portable__fft_axis *const last = &f->axis[left ? left - 1 : 0], *const axis = &f->axis[a];
    if (left && axis->step[FROM] == last->step[FROM] * last->extent && axis->step[TO] == last->step[TO] * last->extent)
      last->extent *= axis->extent;
    else
      f->axis[left++] = *axis;
  }
  f->axes = left;
}

/* ---- launches ---- */

struct task {
  const struct portable__fft *f;
  const char *label;
  int64_t bytes, unit; /* scratch of a tile; lines of an iteration */
  _Atomic int no_memory;
};

/* Takes its scratch here, because only the launch knows its threads. */
static void kernel(const portable_tile *t, void *args) {
  struct task *task = args;
  const int64_t end = (t->upper[0] + 1) * task->unit, lines = task->f->lines;
  void *memory;
  if (portable__alloc((size_t)task->bytes + 64, task->label, strlen(task->label), &memory) != PORTABLE_OK) {
    atomic_store_explicit(&task->no_memory, 1, memory_order_relaxed);
    return;
  }
  portable__hint_own(memory, (uint64_t)task->bytes + 64, portable__tool);
  portable__fft_range(task->f, t->lower[0] * task->unit, end < lines ? end : lines, (void *)(((uintptr_t)memory + 63) & ~(uintptr_t)63));
  portable__free(memory);
}

static portable_status launch(const char *call, const char *label, struct portable__fft *f, const portable_launch_config *config) {
  const int small = f->lines == 0 || f->plan->n <= SMALL / f->lines;
  struct task task = {.f = f, .label = label, .bytes = 0, .unit = 1};
  atomic_init(&task.no_memory, 0);
  if (f->lines) {
    portable__fft_cut(f, portable__call_workers(config));
    task.unit = small ? f->lines : f->width;
    task.bytes = portable__fft_scratch_bytes(f);
    if (task.bytes < 0 || task.bytes > INT64_MAX - 64)
      return portable__fail(PORTABLE_ERR_OVERFLOW, "%s '%s': lines of %" PRId64 " numbers need more bytes of scratch memory than a 64-bit integer counts", call, label, f->plan->n);
  }
  const portable_bounds bounds = portable_bounds_1(f->lines ? (f->lines - 1) / task.unit + 1 : 0);
  const portable_status status = portable__launch(label, &bounds, kernel, &task, 0, config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  if (status == PORTABLE_OK && atomic_load_explicit(&task.no_memory, memory_order_relaxed)) return portable__no_scratch(PORTABLE_ERR_NOMEM, call, label);
  return status == PORTABLE_OK ? status : portable__rename_error(status, call);
}

/* Tries a CUDA device. *done: 1 if the call is finished. */
PORTABLE__COLD static portable_status on_device(const struct portable__array_call *c, const char *call, const struct portable__fft *f,
                                                const portable_launch_config *config, int *done) {
  const struct portable__memory memory[] = {{"in", c->a, 0}, {"out", c->result, 0}};
  struct portable__place place;
  const portable_status status = portable__place(call, c->label, config, memory, 2, 1, &place);
  int taken = 0;
  *done = status != PORTABLE_OK || place.index >= 0;
  if (status != PORTABLE_OK || place.index < 0) return status;
  if (PORTABLE__UNLIKELY(atomic_load_explicit(&portable__cufft_is_open, memory_order_relaxed)) && portable__cuda_facts(place.index)->driver == PORTABLE__DRIVER_CUDA) {
    const portable_status other = portable__cufft_lines(&place, f, c->kind, &taken);
    if (taken) return other;
  }
  return portable__device_fft(&place, f, c->kind);
}

static portable_status transform(const char *label, portable_fft plan, int backward, int32_t kind, const void *in, void *out, int32_t rank,
                                 const int64_t *extents, const portable_fft_options *options) {
  const char *const call = backward ? "fft_backward" : "fft_forward", *const function = backward ? "portable_fft_backward" : "portable_fft_forward";
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  portable_launch_config config;
  struct portable__fft_held held;
  struct portable__fft f;
  int done = 0;
  memset(&f, 0, sizeof f);
  portable_status status = portable__fft_hold(function, plan, &held);
  if (status != PORTABLE_OK) return status;
  const struct portable__array_call c = {.call = backward ? PORTABLE__FFT_BACKWARD : PORTABLE__FFT_FORWARD, .op = held.plan->real ? PORTABLE_FFT_R2C : PORTABLE_FFT_C2C, .kind = kind, .rank = rank,
                                         .label = label ? label : "unlabelled", .extents = extents, .a = in, .result = out,
                                         .lower = held.dim, .count = held.plan->n, .options = options};
  status = portable__fft_verdict(&c, &o, &f);
  f.plan = held.plan;
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) {
    status = portable__array_refused(&c, status);
  } else if (PORTABLE__UNLIKELY(!portable_is_initialized())) {
    status = portable__not_running(function);
  } else {
    portable__call_config(o.launch, &config);
    arrange(&f);
    if (portable__on_device_matters() && f.lines) status = on_device(&c, call, &f, &config, &done);
    if (status == PORTABLE_OK && !done) status = launch(call, c.label, &f, &config);
  }
  portable__fft_release(&held);
  return status;
}

portable_status portable_fft_forward(const char *label, portable_fft plan, int32_t kind, const void *in, void *out, int32_t rank, const int64_t *extents,
                                     const portable_fft_options *options) {
  PORTABLE__CALL("portable_fft_forward");
  return transform(label, plan, 0, kind, in, out, rank, extents, options);
}

portable_status portable_fft_backward(const char *label, portable_fft plan, int32_t kind, const void *in, void *out, int32_t rank, const int64_t *extents,
                                      const portable_fft_options *options) {
  PORTABLE__CALL("portable_fft_backward");
  return transform(label, plan, 1, kind, in, out, rank, extents, options);
}
