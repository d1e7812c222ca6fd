/* scan.c - scans of arrays: checks, axes, and the launch, whose parts hand their value on in turn (turns.h). In C because a launch is, and
 * because a small array takes less time than a call into Go. Not in this file: the work itself (internal/kernels/scan/scan.c). Threads: any, at
 * any time. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../gator/front/front.h"
#include "../../internal/observe/tools.h"
#include "../../internal/kernels/scan/scan.h"
#include "../../internal/team/hints.h"
#include "../../internal/edge/calls.h"
#include "../device/device_scan.h"
#include "extents.h"
#include "written.h"
#include "turns.h"

#define SMALL 8192      /* elements that the team is not called for: they take less time than a wake-up */
#define LINES_ENOUGH 64 /* lines that threads can share without cutting lines */

static const char *const operations[] = {"", "sum", "product", "min", "max"};

struct asked {
  const char *label;
  int32_t op, kind, rank;
  const int64_t *extents;
  portable_scan_options options;
};

#define FAIL(code, ...) portable__fail(code, "scan '%s': " __VA_ARGS__)

PORTABLE__COLD static portable_status no_operation(const struct asked *a) {
  if (a->op < PORTABLE_REDUCE_SUM || a->op > PORTABLE_REDUCE_MAX)
    return FAIL(PORTABLE_ERR_ARG, "%d is no operation of scans; they are PORTABLE_REDUCE_SUM, _PRODUCT, _MIN and _MAX", a->label, (int)a->op);
  return FAIL(PORTABLE_ERR_ARG, "there is no scan by %s of elements of the kind %d; there is of PORTABLE_KIND_INT8 (%d) to _REAL64 (%d)", a->label,
              operations[a->op], (int)a->kind, PORTABLE_KIND_INT8, PORTABLE_KIND_REAL64);
}

static portable_status check(const struct asked *a, const void *data, const void *out) {
  const portable_scan_options *o = &a->options;
  int empty;
  portable_status status = portable__check_rank("scan", a->label, a->rank, a->extents);
  if (status != PORTABLE_OK) return status;
  if ((status = portable__check_extents("scan", a->label, a->rank, a->extents, &empty)) != PORTABLE_OK) return status;
  if (!empty && (!data || !out)) return FAIL(PORTABLE_ERR_ARG, "%s is NULL, but the array has elements", a->label, data ? "out" : "data");
  if ((status = portable__check_order("scan", a->label, o->order)) != PORTABLE_OK) return status;
  if (o->dim < 0 || o->dim > a->rank)
    return FAIL(PORTABLE_ERR_ARG, "dim is %d; the array has the dimensions 1 to %d", a->label, (int)o->dim, (int)a->rank);
  if (o->flags & ~PORTABLE_SCAN_EXCLUSIVE)
    return FAIL(PORTABLE_ERR_ARG, "flags is %#x; there is PORTABLE_SCAN_EXCLUSIVE", a->label, (unsigned)o->flags);
  return PORTABLE_OK;
}

/* Each element of the result has a place of its own, or is the element that it is made of. */
static portable_status check_overlap(const struct asked *a, const void *data, const void *out, const struct portable__array_axis *axis,
                                     int32_t element_bytes) {
  int same = data == out;
  for (int32_t k = 0; k < a->rank; k++) {
    if (axis[k].extent == 0) return PORTABLE_OK;
    same &= axis[k].extent == 1 || axis[k].step == axis[k].mask_step;
  }
  struct portable__lying from = portable__array_lying(axis, a->rank, data, element_bytes, 0);
  struct portable__lying to = portable__array_lying(axis, a->rank, out, element_bytes, 1);
  const char *far = !portable__lying_fits(&from) ? "data" : !portable__lying_fits(&to) ? "out" : NULL;
  if (PORTABLE__UNLIKELY(far != NULL)) return FAIL(PORTABLE_ERR_OVERFLOW, "%s has more bytes from end to end than a 64-bit integer counts", a->label, far);
  if (PORTABLE__UNLIKELY(portable__overlap_self(&to)))
    return FAIL(PORTABLE_ERR_ARG, "elements of out lie on one another: each dimension's stride passes over all that the shorter ones reach", a->label);
  int found = same ? PORTABLE__APART : portable__overlap(&from, &to);
  if (PORTABLE__LIKELY(!found)) return PORTABLE_OK;
  return FAIL(PORTABLE_ERR_ARG, "out (%p) %s data (%p) and is not the same section; take another array, or out = data with the same strides",
              a->label, out, found == PORTABLE__UNKNOWN ? "may overlap" : "overlaps", data);
}

/* ---- on the threads of the launch ---- */

/* Everything, on one thread. */
static void kernel_of_all(const portable_tile *t, void *args) {
  const struct portable__scan *s = args;
  _Alignas(64) char values[PORTABLE__SCAN_LEAF * sizeof(union portable__scan_value)];
  union portable__scan_value value;
  (void)t;
  if (s->lines > 1) {
    for (int64_t first = 0; first < s->lines; first += PORTABLE__SCAN_LINES)
      portable__scan_lines(s, first, (int32_t)(s->lines - first < PORTABLE__SCAN_LINES ? s->lines - first : PORTABLE__SCAN_LINES));
    return;
  }
  portable__scan_begin(s, &value);
  for (int64_t leaf = 0; leaf < s->leaves; leaf++) portable__scan_through(s, 0, leaf, values, &value);
}

/* A group of lines is an iteration. */
struct lines {
  const struct portable__scan *scan;
  int64_t group;
};

static void kernel_of_lines(const portable_tile *t, void *args) {
  const struct lines *w = args;
  for (int64_t g = t->lower[0]; g <= t->upper[0]; g++) {
    int64_t first = g * w->group, left = w->scan->lines - first;
    portable__scan_lines(w->scan, first, (int32_t)(left < w->group ? left : w->group));
  }
}

/* Some leaves of a line are a part, as many as fit the second-level cache well, and parts hand on the value: from thread to thread that takes some
 * hundred nanoseconds. The total that a part says is its number; those of its leaves lie beside it, because they are added up one by one. */
#define PART_BYTES 65536
#define PARTS_ENOUGH 64 /* for threads to share them evenly */

struct chain {
  struct portable__turns turns;
  const struct portable__scan *scan;
  union portable__scan_value *totals; /* [lines][leaves] */
  int64_t at_once, parts; /* leaves of a part; parts of a line */
};

struct leaves {
  int64_t line, first, end;
};

static struct leaves leaves_of(const struct chain *c, int64_t part) {
  struct leaves l = {part / c->parts, part % c->parts * c->at_once, 0};
  l.end = l.first + c->at_once < c->scan->leaves ? l.first + c->at_once : c->scan->leaves;
  return l;
}

static union portable__scan_value *total_of(const struct chain *c, const struct leaves *l, int64_t leaf) {
  return &c->totals[l->line * c->scan->leaves + leaf];
}

/* A new line has nothing before it. */
static void hand_on(void *into, const void *number, void *context) {
  const struct chain *c = context;
  int64_t part;
  memcpy(&part, number, sizeof part);
  const struct leaves l = leaves_of(c, part);
  if (l.end == c->scan->leaves)
    portable__scan_begin(c->scan, into);
  else
    for (int64_t leaf = l.first; leaf < l.end; leaf++) portable__scan_next(c->scan, into, total_of(c, &l, leaf));
}

static void through(struct chain *c) {
  const struct portable__scan *s = c->scan;
  _Alignas(64) char values[PORTABLE__SCAN_LEAF * sizeof(union portable__scan_value)];
  union portable__scan_value value;
  portable__scan_begin(s, &value);
  for (int64_t part; (part = portable__turn_claim(&c->turns)) >= 0;) {
    const struct leaves l = leaves_of(c, part);
    if (l.first == 0) portable__scan_begin(s, &value);
    for (int64_t leaf = l.first; leaf < l.end; leaf++) portable__scan_through(s, l.line, leaf, values, &value);
  }
}

static void kernel_of_leaves(const portable_tile *t, void *args) {
  struct chain *c = args;
  const struct portable__scan *s = c->scan;
  const int64_t leaf_bytes = PORTABLE__SCAN_LEAF * (int64_t)s->operation->element_bytes;
  _Alignas(64) char values[PART_BYTES];
  union portable__scan_value before;
  int64_t part, from = 0;
  if (t->workers == 1) { /* nobody to hand anything on to */
    through(c);
    return;
  }
  while ((part = portable__turn_claim(&c->turns)) >= 0) { /* whichever iteration this is, it takes what is left */
    const struct leaves l = leaves_of(c, part);
    for (int64_t leaf = l.first; leaf < l.end; leaf++)
      portable__scan_leaf(s, l.line, leaf, values + (leaf - l.first) * leaf_bytes, total_of(c, &l, leaf));
    if (!portable__turn_take(&c->turns, part, &part, 0, &before)) continue;
    for (int64_t leaf = l.first; leaf < l.end; leaf++) {
      portable__scan_store(s, l.line, leaf, values + (leaf - l.first) * leaf_bytes, &before);
      portable__scan_next(s, &before, total_of(c, &l, leaf));
    }
  }
  while ((part = portable__turn_left(&c->turns, &from, &before)) >= 0) {
    const struct leaves l = leaves_of(c, part);
    for (int64_t leaf = l.first; leaf < l.end; leaf++) portable__scan_through(s, l.line, leaf, values, &before);
  }
}

static portable_status launch_leaves(const struct asked *a, const struct portable__scan *s, const portable_launch_config *config) {
  struct chain c = {.scan = s};
  union portable__scan_value nothing, few[PORTABLE__PARTS_FEW];
  const int64_t leaves = s->lines * s->leaves;
  void *totals = few;
  portable_status status = PORTABLE_OK;
  const int64_t most = PART_BYTES / (PORTABLE__SCAN_LEAF * (int64_t)s->operation->element_bytes), even = leaves / PARTS_ENOUGH;
  c.at_once = even < 1 ? 1 : even < most ? even : most;
  c.parts = (s->leaves - 1) / c.at_once + 1;
  if (leaves > PORTABLE__PARTS_FEW) status = portable__alloc((size_t)leaves * sizeof *c.totals, "totals of a scan", 16, &totals);
  if (status != PORTABLE_OK) return portable__no_scratch(status, "scan", a->label);
  portable__hint_own(totals, (uint64_t)leaves * sizeof *c.totals, portable__tool);
  c.totals = totals;
  portable_bounds bounds = portable_bounds_1(s->lines * c.parts);
  portable__scan_begin(s, &nothing);
  status = portable__turns_begin(&c.turns, s->lines * c.parts, hand_on, &c, &nothing);
  if (status == PORTABLE_OK) {
    status = portable__launch(a->label, &bounds, kernel_of_leaves, &c, 0, config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
    portable__turns_end(&c.turns);
  } else {
    status = portable__no_scratch(status, "scan", a->label);
  }
  if (totals != few) portable__free(totals);
  return status;
}

/* Where there is a cuda device: *done is 1 when the call is over. */
PORTABLE__COLD static portable_status on_device(const struct asked *a, const struct portable__scan *s, const portable_launch_config *config, int *done) {
  const struct portable__memory memory[] = {{"data", s->data, 0}, {"out", s->results, 0}};
  struct portable__place place;
  portable_status status = portable__place("scan", a->label, config, memory, 2, 1, &place);
  *done = status != PORTABLE_OK || place.index >= 0;
  return status == PORTABLE_OK && place.index >= 0 ? portable__device_scan(&place, s, a->op, a->kind) : status;
}

static portable_status launch(const struct asked *a, struct portable__scan *s) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  const portable_launch_config *l = a->options.launch;
  if (l) {
    if (l->struct_size < sizeof(uint32_t) || l->struct_size > sizeof config)
      return FAIL(PORTABLE_ERR_ARG, "launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT", a->label, (unsigned)l->struct_size);
    memcpy(&config, l, l->struct_size);
    memset(config.tile, 0, sizeof config.tile); /* of the array's elements; leaves and lines are not */
  }
  portable_bounds bounds;
  portable_status status;
  if (portable__on_device_matters() && s->lines && s->count) {
    int done;
    status = on_device(a, s, &config, &done);
    if (done) return status;
  }
  if (s->lines == 0 || s->count == 0 || s->lines * s->count <= SMALL || portable__team_nested()) {
    bounds = portable_bounds_1(s->lines && s->count);
    status = portable__launch(a->label, &bounds, kernel_of_all, s, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  } else if (s->leaves == 1 || s->lines >= LINES_ENOUGH) {
    struct lines w = {s, s->lines / LINES_ENOUGH < PORTABLE__SCAN_LINES ? s->lines / LINES_ENOUGH + 1 : PORTABLE__SCAN_LINES};
    bounds = portable_bounds_1((s->lines - 1) / w.group + 1);
    status = portable__launch(a->label, &bounds, kernel_of_lines, &w, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  } else {
    status = launch_leaves(a, s, &config);
  }
  return status == PORTABLE_OK ? status : portable__rename_error(status, "scan");
}

/* Before the launch, which may write over the elements; of those that a stream may still write nothing is known. */
static PORTABLE__COLD void look(const struct asked *a, const void *data, const struct portable__array_axis *axis, int32_t element_bytes) {
  const portable_launch_config *c = a->options.launch; /* not looked at yet */
  if (c && c->struct_size >= offsetof(portable_launch_config, stream) + sizeof c->stream && c->stream) return;
  for (int32_t k = 0; k < a->rank; k++)
    if (axis[k].extent == 0) return;
  const struct portable__lying lying = portable__array_lying(axis, a->rank, data, element_bytes, 0);
  portable__written_look(&lying);
}

portable_status portable_scan(const char *label, int32_t op, int32_t kind, const void *data, int32_t rank, const int64_t *extents,
                              const portable_scan_options *options, void *out) {
  PORTABLE__CALL("portable_scan");
  struct asked a = {label ? label : "unlabelled", op, kind, rank, extents, PORTABLE_SCAN_OPTIONS_INIT};
  struct portable__array_axis axis[PORTABLE_LOOP_RANK];
  struct portable__scan s;
  int32_t dims[PORTABLE_LOOP_RANK];
  if (options) {
    if (options->struct_size < sizeof(uint32_t) || options->struct_size > sizeof a.options)
      return FAIL(PORTABLE_ERR_ARG, "options.struct_size is %u; begin with PORTABLE_SCAN_OPTIONS_INIT", a.label, (unsigned)options->struct_size);
    memcpy(&a.options, options, options->struct_size);
  }
  s.operation = portable__scan_operation(op, kind);
  if (PORTABLE__UNLIKELY(!s.operation)) return no_operation(&a);
  portable_status status = check(&a, data, out);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return status;
  int32_t bytes = s.operation->element_bytes;
  const struct portable__steps from = {bytes, a.options.strides}, to = {bytes, a.options.out_strides};
  if (portable__axes(rank, extents, a.options.order, from, to, axis, dims))
    return FAIL(PORTABLE_ERR_OVERFLOW, "there are more elements than a 64-bit integer counts the bytes of", a.label);
  status = check_overlap(&a, data, out, axis, bytes);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return status;
  if (PORTABLE__UNLIKELY(portable__guard_options.fill)) look(&a, data, axis, bytes);
  s.data = data;
  s.results = out;
  s.exclusive = (a.options.flags & PORTABLE_SCAN_EXCLUSIVE) != 0;
  s.has_initial = a.options.initial != NULL;
  memset(&s.initial, 0, sizeof s.initial);
  if (s.has_initial) memcpy(&s.initial, a.options.initial, (size_t)bytes);
  s.inner = s.outer = 0;
  s.count = 1;
  for (int32_t k = 0; k < rank; k++) {
    if (a.options.dim && dims[k] != a.options.dim - 1) {
      s.out[s.outer++] = axis[k];
      continue;
    }
    s.in[s.inner++] = axis[k];
  }
  for (int32_t k = 0; k < s.inner; k++)
    if (s.in[k].extent == 0) s.count = 0; /* the others may be too many for a product */
  for (int32_t k = 0; k < s.inner && s.count; k++) s.count *= s.in[k].extent;
  if (!s.count) s.outer = 0; /* there may be more lines of no element than fit */
  s.inner = portable__array_join(s.in, s.inner);
  if (s.outer) s.outer = portable__array_join(s.out, s.outer);
  portable__scan_cut(&s);
  return launch(&a, &s);
}
