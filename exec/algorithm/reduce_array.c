/* reduce_array.c - reductions of arrays: checks, axes, and the launch. In C because a launch is, and because a small array takes less
 * time than a call into Go. Not in this file: the work itself (internal/kernels/reduction/array.c). Threads: any, at any time. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../internal/kernels/reduction/array.h"
#include "../../internal/edge/calls.h"
#include "../device/device_reduce_array.h"
#include "extents.h"
#include "../../internal/memcheck/hazard.h"
#include "written.h"

#define SMALL 16384    /* elements that the team is not called for: they take less time than a wake-up */
#define PARTIALS 64    /* that are kept on the stack */

static const char *const operations[] = {"", "sum", "product", "min", "max", "minloc", "maxloc", "any", "all", "count"};
static const char *const kinds[] = {"",       "int8",      "int16",     "int32",    "int64",     "real32",    "real64",
                                    "complex32", "complex64", "logical8", "logical16", "logical32", "logical64"};

/* What the check of a reduction needs to say where it is. */
struct asked {
  const char *label;
  int32_t op, kind, rank;
  const int64_t *extents;
  portable_array_options options;
};

#define FAIL(code, ...) portable__fail(code, "reduce_array '%s': " __VA_ARGS__)

PORTABLE__COLD static portable_status no_operation(const struct asked *a) {
  if (a->op < PORTABLE_REDUCE_SUM || a->op > PORTABLE_REDUCE_COUNT)
    return FAIL(PORTABLE_ERR_ARG, "%d is no operation; they are PORTABLE_REDUCE_SUM to _COUNT", a->label, (int)a->op);
  if (a->kind < PORTABLE_KIND_INT8 || a->kind > PORTABLE_KIND_LOGICAL64)
    return FAIL(PORTABLE_ERR_ARG, "%d is no kind of element; they are PORTABLE_KIND_INT8 to _LOGICAL64", a->label, (int)a->kind);
  return FAIL(PORTABLE_ERR_ARG, "there is no %s of elements of the kind %s; %s", a->label, operations[a->op], kinds[a->kind],
              a->kind >= PORTABLE_KIND_LOGICAL8      ? "logicals have any, all and count"
              : a->op >= PORTABLE_REDUCE_ANY         ? "any, all and count are for logicals"
                                                     : "complex numbers have no order: they have sum and product");
}

static portable_status check(struct asked *a, const void *data, const void *result_out) {
  const portable_array_options *o = &a->options;
  int empty;
  portable_status status = portable__check_rank("reduce_array", a->label, a->rank, a->extents);
  if (status != PORTABLE_OK) return status;
  if (!result_out) return FAIL(PORTABLE_ERR_ARG, "result_out is NULL", a->label);
  if ((status = portable__check_extents("reduce_array", a->label, a->rank, a->extents, &empty)) != PORTABLE_OK) return status;
  if (!data && !empty) return FAIL(PORTABLE_ERR_ARG, "data is NULL, but the array has elements", a->label);
  if ((status = portable__check_order("reduce_array", a->label, o->order)) != PORTABLE_OK) return status;
  if (o->dim < 0 || o->dim > a->rank)
    return FAIL(PORTABLE_ERR_ARG, "dim is %d; the array has the dimensions 1 to %d", a->label, (int)o->dim, (int)a->rank);
  if (o->flags & ~(PORTABLE_REDUCE_WIDE | PORTABLE_REDUCE_EXACT))
    return FAIL(PORTABLE_ERR_ARG, "flags is %#x; there are PORTABLE_REDUCE_WIDE and PORTABLE_REDUCE_EXACT", a->label, (unsigned)o->flags);
  if ((o->flags & PORTABLE_REDUCE_EXACT) && (a->op != PORTABLE_REDUCE_SUM || a->kind < PORTABLE_KIND_REAL32 || a->kind > PORTABLE_KIND_COMPLEX64))
    return FAIL(PORTABLE_ERR_ARG, "PORTABLE_REDUCE_EXACT is for sums of real and complex numbers, not for %s of the kind %s", a->label,
                operations[a->op], kinds[a->kind]);
  if (o->mask && a->op >= PORTABLE_REDUCE_ANY)
    return FAIL(PORTABLE_ERR_ARG, "%s takes no mask; the array is one", a->label, operations[a->op]);
  if (o->mask && (o->mask_kind < PORTABLE_KIND_LOGICAL8 || o->mask_kind > PORTABLE_KIND_LOGICAL64))
    return FAIL(PORTABLE_ERR_ARG, "mask_kind is %d; a mask is of a kind PORTABLE_KIND_LOGICAL...", a->label, (int)o->mask_kind);
  return PORTABLE_OK;
}

/* The axes of the array, the fastest first; -1: its bytes are more than fit, or the results of its lines are. */
static int axes_of(const struct asked *a, int32_t element_bytes, struct portable__array_axis *axis, int32_t *dims) {
  const portable_array_options *o = &a->options;
  struct portable__steps elements = {element_bytes, o->strides}, mask = {0, NULL};
  if (o->mask) mask = (struct portable__steps){INT64_C(1) << (o->mask_kind - PORTABLE_KIND_LOGICAL8), o->mask_strides};
  int64_t lines = 8;
  int no_lines = 0, overflow = 0;
  for (int32_t d = 0; d < a->rank; d++) {
    if (!o->dim || d == o->dim - 1) continue;
    no_lines |= a->extents[d] == 0;
    overflow |= __builtin_mul_overflow(lines, a->extents[d], &lines);
  }
  return portable__axes(a->rank, a->extents, o->order, elements, mask, axis, dims) || (overflow && !no_lines) ? -1 : 0;
}

/* What the kernel gets: its units are the launch's iterations, one at a time or all at once. */
struct work {
  const struct portable__array_reduction *reduction;
  int64_t at_once;
};

static void kernel(const portable_tile *t, void *args) {
  const struct work *w = args;
  int64_t to = (t->upper[0] + 1) * w->at_once;
  portable__array_units(w->reduction, t->lower[0] * w->at_once, to < w->reduction->units ? to : w->reduction->units);
}

/* Exact sums: of one line each thread has its own, which are added up; several lines are units themselves. */
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

/* Where there is a cuda device: *done is 1 when the call is over. */
PORTABLE__COLD static portable_status on_device(const struct asked *a, const struct portable__array_reduction *r, const portable_launch_config *config, int *done) {
  const struct portable__memory memory[] = {{"data", r->count ? r->data : NULL, 0}, {"mask", r->count ? r->mask : NULL, 0}, {"result_out", r->results, 1}};
  struct portable__place place;
  const uint32_t flags = a->options.flags;
  portable_status status = portable__place("reduce_array", a->label, config, memory, 3, r->lines && !(flags & PORTABLE_REDUCE_EXACT), &place);
  *done = status != PORTABLE_OK || place.index >= 0;
  if (status == PORTABLE_OK && place.index >= 0) status = portable__device_reduce_array(&place, r, (flags & PORTABLE_REDUCE_WIDE) != 0);
  return status;
}

/* Lines with more leaves than one have partial results. */
static portable_status launch(struct asked *a, struct portable__array_reduction *r) {
  struct portable__array_partial few[PARTIALS], *many = NULL;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  if (a->options.launch) {
    if (a->options.launch->struct_size < sizeof(uint32_t) || a->options.launch->struct_size > sizeof config)
      return FAIL(PORTABLE_ERR_ARG, "launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT", a->label,
                  (unsigned)a->options.launch->struct_size);
    memcpy(&config, a->options.launch, a->options.launch->struct_size);
    memset(config.tile, 0, sizeof config.tile); /* of the array's elements; units are not */
  }
  if (portable__on_device_matters()) {
    int done;
    const portable_status status = on_device(a, r, &config, &done);
    if (done) return status;
  }
  if (a->options.flags & PORTABLE_REDUCE_EXACT) return launch_exact(a->label, r, &config);
  if (r->leaves > 1) {
    int64_t n = r->leaves * r->lines; /* fits: there are no more than elements */
    r->partials = few;
    if (n > PARTIALS && !(r->partials = many = malloc((size_t)n * sizeof *many)))
      return FAIL(PORTABLE_ERR_NOMEM, "no memory for %" PRId64 " partial results", a->label, n);
  }
  struct work work = {r, r->count * r->lines <= SMALL ? r->units : 1};
  portable_bounds units = portable_bounds_1(work.at_once > 1 ? 1 : r->units);
  portable_status status = portable__launch(a->label, &units, kernel, &work, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  if (status == PORTABLE_OK) portable__array_end(r);
  free(many);
  return status;
}

/* With checks of memory: does a stream still write what is read here? */
PORTABLE__COLD static portable_status launch_checked(struct asked *a, struct portable__array_reduction *r) {
  struct portable__declared_two two;
  portable__hazard_two(&two, a->label, r->data, NULL, a->options.launch);
  portable_status status = launch(a, r);
  portable__hazard_follows(a->label, NULL, NULL);
  return status;
}

/* After the launch, which has waited for what its stream had still to write. What a mask leaves out may be unset. */
static PORTABLE__COLD void look(const struct asked *a, const void *data, int32_t element_bytes) {
  struct portable__array_axis axis[PORTABLE_LOOP_RANK];
  int32_t dims[PORTABLE_LOOP_RANK];
  if (a->options.mask || axes_of(a, element_bytes, axis, dims)) return;
  for (int32_t k = 0; k < a->rank; k++)
    if (axis[k].extent == 0) return;
  const struct portable__lying lying = portable__array_lying(axis, a->rank, data, element_bytes, 0);
  portable__written_look(&lying);
}

portable_status portable_reduce_array(const char *label, int32_t op, int32_t kind, const void *data, int32_t rank,
                                      const int64_t *extents, const portable_array_options *options, void *result_out) {
  PORTABLE__CALL("portable_reduce_array");
  struct asked a = {label ? label : "unlabelled", op, kind, rank, extents, PORTABLE_ARRAY_OPTIONS_INIT};
  struct portable__array_axis axis[PORTABLE_LOOP_RANK];
  struct portable__array_reduction r;
  int32_t dims[PORTABLE_LOOP_RANK];
  if (options) {
    if (options->struct_size < sizeof(uint32_t) || options->struct_size > sizeof a.options)
      return FAIL(PORTABLE_ERR_ARG, "options.struct_size is %u; begin with PORTABLE_ARRAY_OPTIONS_INIT", a.label, (unsigned)options->struct_size);
    memcpy(&a.options, options, options->struct_size);
  }
  r.operation = portable__array_operation(op, kind, (a.options.flags & (PORTABLE_REDUCE_WIDE | PORTABLE_REDUCE_EXACT)) == PORTABLE_REDUCE_WIDE);
  if (PORTABLE__UNLIKELY(!r.operation)) return no_operation(&a);
  portable_status status = check(&a, data, result_out);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return status;
  if (axes_of(&a, r.operation->element_bytes, axis, dims))
    return FAIL(PORTABLE_ERR_OVERFLOW, "there are more elements, or results, than a 64-bit integer counts the bytes of", a.label);
  r.op = op;
  r.kind = kind;
  r.data = data;
  r.mask = a.options.mask;
  r.mask_bytes = r.mask ? 1 << (a.options.mask_kind - PORTABLE_KIND_LOGICAL8) : 0;
  r.results = result_out;
  r.partials = NULL;
  r.rank = r.outer = 0;
  if (a.options.dim) {
    r.inner = 1;
    for (int32_t k = 0; k < rank; k++) {
      if (dims[k] == a.options.dim - 1)
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
      if (!r.count) break; /* the other extents may be too large for a product */
    }
    for (int32_t k = 0; k < rank; k++) {
      r.extent[k] = axis[k].extent;
      r.place[k] = dims[k];
    }
    r.inner = portable__array_join(axis, rank);
    memcpy(r.in, axis, sizeof axis[0] * (size_t)r.inner);
  }
  portable__array_cut(&r);
  status = PORTABLE__UNLIKELY(portable__hazards()) ? launch_checked(&a, &r) : launch(&a, &r);
  if (PORTABLE__UNLIKELY(portable__guard_options.fill) && status == PORTABLE_OK) look(&a, data, r.operation->element_bytes);
  return status;
}
