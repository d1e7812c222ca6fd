/* reduce_array.c - reductions of arrays and of their lines along a dimension. Main function:
 * portable_reduce_array. Device version: exec/device/device_reduce_array.c; arithmetic:
 * internal/kernels/reduction. Threads: any. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../internal/kernels/reduction/array.h"
#include "../../internal/edge/calls.h"
#include "../device/device_reduce_array.h"
#include "call.h"
#include "../../internal/memcheck/hazard.h"
#include "written.h"

#define SMALL 16384    /* fewer elements run on the calling thread: they take less time than a wake-up */
#define PARTIALS 64    /* kept on the stack */

/* 0: the byte count of the results overflows. */
static int results_fit(const struct portable__array_call *c, int32_t dim) {
  int64_t lines = 8;
  int no_lines = 0, overflow = 0;
  for (int32_t d = 0; d < c->rank; d++) {
    if (d == dim - 1) continue;
    no_lines |= c->extents[d] == 0;
    overflow |= __builtin_mul_overflow(lines, c->extents[d], &lines);
  }
  return !overflow || no_lines;
}

portable_status portable__reduce_array_verdict(const struct portable__array_call *c, portable_array_options *o, struct portable__array_reduction *r,
                                               struct portable__array_axis *axis, int32_t *dims) {
  const portable_array_options *given = c->options;
  const int empty = portable__array_empty(c->rank, c->extents);
  if (!PORTABLE__OPTIONS(*o, given)) return PORTABLE_ERR_ARG;
  r->operation = portable__array_operation(c->op, c->kind, (o->flags & (PORTABLE_REDUCE_WIDE | PORTABLE_REDUCE_EXACT)) == PORTABLE_REDUCE_WIDE);
  if (!r->operation || empty < 0 || !c->result || (!c->a && !empty) || !portable__order_is_good(o->order) || o->dim < 0 || o->dim > c->rank ||
      o->flags & ~(PORTABLE_REDUCE_WIDE | PORTABLE_REDUCE_EXACT) || o->reserved ||
      (o->flags & PORTABLE_REDUCE_EXACT && (c->op != PORTABLE_REDUCE_SUM || c->kind < PORTABLE_KIND_REAL32 || c->kind > PORTABLE_KIND_COMPLEX64)) ||
      (o->mask && (c->op >= PORTABLE_REDUCE_ANY || !portable__is_logical(o->mask_kind))))
    return PORTABLE_ERR_ARG;
  r->mask_bytes = o->mask ? portable__logical_bytes(o->mask_kind) : 0;
  if (!portable__axes(c->rank, c->extents, o->order, (struct portable__steps){r->operation->element_bytes, o->strides},
                      (struct portable__steps){r->mask_bytes, o->mask ? o->mask_strides : NULL}, axis, dims) ||
      (o->dim && !results_fit(c, o->dim)))
    return PORTABLE_ERR_OVERFLOW;
  return portable__launch_is_good(o->launch) ? PORTABLE_OK : PORTABLE_ERR_ARG;
}

/* The argument of the kernel: its units are iterations of the launch, one at a time or all at once. */
struct work {
  const struct portable__array_reduction *reduction;
  int64_t at_once;
  _Atomic int decided; /* any and all: a leaf has the answer */
};

static void kernel(const portable_tile *t, void *args) {
  const struct work *w = args;
  int64_t to = (t->upper[0] + 1) * w->at_once;
  portable__array_units(w->reduction, t->lower[0] * w->at_once, to < w->reduction->units ? to : w->reduction->units);
}

/* ANY and ALL of one line of several leaves: the leaves that are left out once the answer is known count as 0, which decides nothing else. */
static void early_kernel(const portable_tile *t, void *args) {
  struct work *w = args;
  const struct portable__array_reduction *r = w->reduction;
  const int64_t to = (t->upper[0] + 1) * w->at_once;
  for (int64_t leaf = t->lower[0] * w->at_once; leaf < to && !atomic_load_explicit(&w->decided, memory_order_relaxed); leaf++) {
    const int64_t left = r->count - leaf * PORTABLE__LEAF, elements = left < PORTABLE__LEAF ? left : PORTABLE__LEAF;
    portable__array_units(r, leaf, leaf + 1);
    if (r->op == PORTABLE_REDUCE_ANY ? r->partials[leaf].value.i > 0 : r->partials[leaf].value.i < elements)
      atomic_store_explicit(&w->decided, 1, memory_order_relaxed);
  }
}

/* Exact sums: for one line, each thread has its own sum, and these are added; several lines are units. */
struct exact_work {
  const struct portable__array_reduction *reduction;
  portable_exact sums[2];
  atomic_flag taken;
};

static void exact_kernel(const portable_tile *t, void *args) {
  struct exact_work *w = args;
  const struct portable__array_reduction *r = w->reduction;
  portable_exact sums[2];
  memset(sums, 0, sizeof sums);
  if (r->lines == 1) {
    for (int64_t leaf = t->lower[0]; leaf <= t->upper[0]; leaf++) portable__array_exact(r, 0, leaf, sums);
    while (atomic_flag_test_and_set_explicit(&w->taken, memory_order_acquire)) {}
    for (int p = 0; p < 2; p++) portable_exact_merge(&w->sums[p], &sums[p]);
    atomic_flag_clear_explicit(&w->taken, memory_order_release);
    return;
  }
  for (int64_t line = t->lower[0]; line <= t->upper[0]; line++) {
    memset(sums, 0, sizeof sums);
    for (int64_t leaf = 0; leaf < r->leaves; leaf++) portable__array_exact(r, line, leaf, sums);
    portable__array_exact_store(r, line, sums);
  }
}

static portable_status launch_exact(const char *label, const struct portable__array_reduction *r, const portable_launch_config *config) {
  struct exact_work work = {.reduction = r, .taken = ATOMIC_FLAG_INIT};
  portable_bounds units = portable_bounds_1(r->lines == 1 ? r->leaves : r->lines);
  portable_status status = portable__launch(label, &units, exact_kernel, &work, 0, config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  if (status == PORTABLE_OK && r->lines == 1) portable__array_exact_store(r, 0, work.sums);
  return status;
}

/* Tries a CUDA device. *done: 1 if the call is finished. */
PORTABLE__COLD static portable_status on_device(const char *label, uint32_t flags, const struct portable__array_reduction *r,
                                                const portable_launch_config *config, int *done) {
  const struct portable__memory memory[] = {{"data", r->count ? r->data : NULL, 0}, {"mask", r->count ? r->mask : NULL, 0}, {"result_out", r->results, 1}};
  struct portable__place place;
  portable_status status = portable__place("reduce_array", label, config, memory, 3, r->lines && !(flags & PORTABLE_REDUCE_EXACT), &place);
  *done = status != PORTABLE_OK || place.index >= 0;
  if (status == PORTABLE_OK && place.index >= 0) status = portable__device_reduce_array(&place, r, (flags & PORTABLE_REDUCE_WIDE) != 0);
  return status;
}

/* Lines with several leaves have partial results. */
static portable_status launch(const char *label, const portable_array_options *o, struct portable__array_reduction *r) {
  struct portable__array_partial few[PARTIALS], *many = NULL;
  portable_launch_config config;
  portable__call_config(o->launch, &config);
  if (portable__on_device_matters()) {
    int done;
    const portable_status status = on_device(label, o->flags, r, &config, &done);
    if (done) return status;
  }
  if (o->flags & PORTABLE_REDUCE_EXACT) return launch_exact(label, r, &config);
  const int early = r->leaves > 1 && r->lines == 1 && (r->op == PORTABLE_REDUCE_ANY || r->op == PORTABLE_REDUCE_ALL);
  if (r->leaves > 1) {
    int64_t n = r->leaves * r->lines; /* fits: at most the count of elements */
    if (early && n <= PARTIALS) memset(few, 0, sizeof few);
    r->partials = few;
    if (n > PARTIALS && !(r->partials = many = early ? calloc((size_t)n, sizeof *many) : malloc((size_t)n * sizeof *many)))
      return portable__fail(PORTABLE_ERR_NOMEM, "reduce_array '%s': no memory for %" PRId64 " partial results", label, n);
  }
  struct work work = {.reduction = r, .at_once = r->count * r->lines <= SMALL ? r->units : 1};
  portable_bounds units = portable_bounds_1(work.at_once > 1 ? 1 : r->units);
  portable_status status = portable__launch(label, &units, early ? early_kernel : kernel, &work, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  if (status == PORTABLE_OK) portable__array_end(r);
  free(many);
  return status;
}

/* With checks of memory: tests for streams that still write the array. */
PORTABLE__COLD static portable_status launch_checked(const char *label, const portable_array_options *o, struct portable__array_reduction *r) {
  struct portable__declared_two two;
  portable__hazard_two(&two, label, r->data, NULL, o->launch);
  portable_status status = launch(label, o, r);
  portable__hazard_follows(label, NULL, NULL);
  return status;
}

/* Called after the launch, which waited for earlier work in its stream. Elements outside of the mask may be unset. */
static PORTABLE__COLD void look(const struct portable__array_call *c, const portable_array_options *o, int32_t element_bytes) {
  struct portable__array_axis axis[PORTABLE_LOOP_RANK];
  if (o->mask || portable__array_empty(c->rank, c->extents)) return;
  portable__axes(c->rank, c->extents, o->order, (struct portable__steps){element_bytes, o->strides}, (struct portable__steps){0, NULL}, axis, NULL);
  const struct portable__lying lying = portable__array_lying(axis, c->rank, c->a, element_bytes, 0);
  portable__written_look(&lying);
}

portable_status portable_reduce_array(const char *label, int32_t op, int32_t kind, const void *data, int32_t rank,
                                      const int64_t *extents, const portable_array_options *options, void *result_out) {
  PORTABLE__CALL("portable_reduce_array");
  const struct portable__array_call c = {.call = PORTABLE__REDUCE_ARRAY, .op = op, .kind = kind, .rank = rank, .label = label ? label : "unlabelled",
                                         .extents = extents, .result = result_out, .a = data, .options = options};
  portable_array_options o = PORTABLE_ARRAY_OPTIONS_INIT;
  struct portable__array_axis axis[PORTABLE_LOOP_RANK];
  struct portable__array_reduction r;
  int32_t dims[PORTABLE_LOOP_RANK];
  portable_status status = portable__reduce_array_verdict(&c, &o, &r, axis, dims);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_refused(&c, status);
  r.op = op;
  r.kind = kind;
  r.data = data;
  r.mask = o.mask;
  r.results = result_out;
  r.partials = NULL;
  r.rank = r.outer = 0;
  if (o.dim) {
    r.inner = 1;
    for (int32_t k = 0; k < rank; k++) {
      if (dims[k] == o.dim - 1)
        r.in[0] = axis[k];
      else
        r.out[r.outer++] = axis[k];
    }
    r.count = r.in[0].extent;
    if (r.outer) r.outer = portable__array_join(r.out, r.outer);
  } else {
    r.rank = rank;
    r.count = 1;
    for (int32_t k = 0; k < rank; k++) {
      r.count = axis[k].extent ? r.count * axis[k].extent : 0;
      if (!r.count) break; /* the product of the other extents may overflow */
    }
    for (int32_t k = 0; k < rank; k++) {
      r.extent[k] = axis[k].extent;
      r.place[k] = dims[k];
    }
    r.inner = portable__array_join(axis, rank);
    memcpy(r.in, axis, sizeof axis[0] * (size_t)r.inner);
  }
  portable__array_cut(&r);
  status = PORTABLE__UNLIKELY(portable__hazards()) ? launch_checked(c.label, &o, &r) : launch(c.label, &o, &r);
  if (PORTABLE__UNLIKELY(portable__guard_options.fill) && status == PORTABLE_OK) look(&c, &o, r.operation->element_bytes);
  return status;
}
