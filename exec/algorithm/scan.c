/* scan.c - scans of arrays and of their lines along a dimension. Main function: portable_scan.
 * Device version: exec/device/device_scan.c; arithmetic: internal/kernels/scan. Threads: any;
 * locks: of turns.h. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../gator/front/front.h"
#include "../../internal/observe/tools.h"
#include "../../internal/kernels/scan/scan.h"
#include "../../internal/team/hints.h"
#include "../../internal/edge/calls.h"
#include "../device/device_arrays.h"
#include "call.h"
#include "written.h"
#include "turns.h"

#define SMALL 8192      /* fewer elements run on the calling thread: they take less time than a wake-up */
#define LINES_ENOUGH 64 /* with so many lines, threads share whole lines */

/* 1: the result does not overlap the array, or is the array itself. */
static portable_status overlap_verdict(const struct portable__array_call *c, const struct portable__array_axis *axis, int32_t element_bytes) {
  int same = c->a == c->result;
  for (int32_t k = 0; k < c->rank; k++) same &= axis[k].extent == 1 || axis[k].step == axis[k].mask_step;
  struct portable__lying from = portable__array_lying(axis, c->rank, c->a, element_bytes, 0);
  struct portable__lying to = portable__array_lying(axis, c->rank, c->result, element_bytes, 1);
  if (!portable__lying_fits(&from) || !portable__lying_fits(&to)) return PORTABLE_ERR_OVERFLOW;
  return portable__overlap_self(&to) || (!same && portable__overlap(&from, &to)) ? PORTABLE_ERR_ARG : PORTABLE_OK;
}

portable_status portable__scan_verdict(const struct portable__array_call *c, portable_scan_options *o, struct portable__scan *s,
                                       struct portable__array_axis *axis, int32_t *dims) {
  const portable_scan_options *given = c->options;
  const int empty = portable__array_empty(c->rank, c->extents);
  s->operation = portable__scan_operation(c->op, c->kind);
  if (!PORTABLE__OPTIONS(*o, given) || !s->operation || empty < 0 || (!empty && (!c->a || !c->result)) || !portable__order_is_good(o->order) ||
      o->dim < 0 || o->dim > c->rank || o->flags & ~PORTABLE_SCAN_EXCLUSIVE)
    return PORTABLE_ERR_ARG;
  const int32_t bytes = s->operation->element_bytes;
  if (!portable__axes(c->rank, c->extents, o->order, (struct portable__steps){bytes, o->strides}, (struct portable__steps){bytes, o->out_strides},
                      axis, dims))
    return PORTABLE_ERR_OVERFLOW;
  const portable_status status = empty ? PORTABLE_OK : overlap_verdict(c, axis, bytes);
  return status != PORTABLE_OK || portable__launch_is_good(o->launch) ? status : PORTABLE_ERR_ARG;
}

/* ---- on the threads of the launch ---- */

/* Scans all lines on one thread. */
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

/* A part is some leaves of a line, which fit the second-level cache. A part whose value before is known is scanned in one step. Else its leaves
 * are added up, and it is scanned, from the cache, once the parts before have been. So values are stored once, and no thread waits for long.
 * The total of a part is its number in turns.h, or the complement of that, if it is scanned; `totals` has the totals of its leaves, which are added
 * one by one, or first the value after it. */

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

/* The first part of a line has no value before it. */
static void hand_on(void *into, const void *number, void *context) {
  const struct chain *c = context;
  int64_t part;
  memcpy(&part, number, sizeof part);
  const int scanned = part < 0;
  const struct leaves l = leaves_of(c, scanned ? ~part : part);
  if (l.end == c->scan->leaves)
    portable__scan_begin(c->scan, into);
  else if (scanned)
    memcpy(into, total_of(c, &l, l.first), sizeof(union portable__scan_value));
  else
    for (int64_t leaf = l.first; leaf < l.end; leaf++) portable__scan_next(c->scan, into, total_of(c, &l, leaf));
}

/* The total says that the value after the part is known. */
static void finish(void *context, int64_t part, void *before, void *total_out) {
  _Alignas(64) char values[PORTABLE__SCAN_LEAF * sizeof(union portable__scan_value)];
  const struct chain *c = context;
  const struct leaves l = leaves_of(c, part);
  const int64_t scanned = ~part;
  for (int64_t leaf = l.first; leaf < l.end; leaf++) portable__scan_through(c->scan, l.line, leaf, values, before);
  memcpy(total_of(c, &l, l.first), before, sizeof(union portable__scan_value));
  memcpy(total_out, &scanned, sizeof scanned);
}

static void add_up(void *context, int64_t part, void *total_out) {
  _Alignas(64) char values[PORTABLE__SCAN_LEAF * sizeof(union portable__scan_value)];
  const struct chain *c = context;
  const struct leaves l = leaves_of(c, part);
  for (int64_t leaf = l.first; leaf < l.end; leaf++) portable__scan_total(c->scan, l.line, leaf, values, total_of(c, &l, leaf));
  memcpy(total_out, &part, sizeof part);
}

/* Small parts are one leaf. Its values wait in the first-level cache, and are not made again. */
static void small_parts(struct chain *c) {
  const struct portable__scan *s = c->scan;
  _Alignas(64) char values[PORTABLE__SCAN_LEAF * sizeof(union portable__scan_value)];
  union portable__scan_value before;
  int64_t part, total, from = 0;
  while ((part = portable__turn_claim(&c->turns)) >= 0) {
    const struct leaves l = leaves_of(c, part);
    portable__scan_leaf(s, l.line, l.first, values, total_of(c, &l, l.first));
    if (portable__turn_take(&c->turns, part, &part, 0, &before)) portable__scan_store(s, l.line, l.first, values, &before);
  }
  while ((part = portable__turn_left(&c->turns, &from, &before)) >= 0) finish(c, part, &before, &total);
}

static void kernel_of_leaves(const portable_tile *t, void *args) {
  static const struct portable__turn_work work = {add_up, finish};
  struct chain *c = args;
  (void)t; /* each iteration takes the remaining parts */
  if (c->at_once == 1)
    small_parts(c);
  else
    portable__turns_work(&c->turns, &work);
}

static portable_status launch_leaves(const char *label, const struct portable__scan *s, const portable_launch_config *config) {
  struct chain c = {.scan = s};
  union portable__scan_value nothing, few[PORTABLE__PARTS_FEW];
  const int64_t leaves = s->lines * s->leaves;
  void *totals = few;
  portable_status status = PORTABLE_OK;
  c.at_once = portable__turn_leaves(leaves, PORTABLE__SCAN_LEAF * (int64_t)s->operation->element_bytes);
  c.parts = (s->leaves - 1) / c.at_once + 1;
  if (leaves > PORTABLE__PARTS_FEW) status = portable__alloc((size_t)leaves * sizeof *c.totals, "totals of a scan", 16, &totals);
  if (status != PORTABLE_OK) return portable__no_scratch(status, "scan", label);
  portable__hint_own(totals, (uint64_t)leaves * sizeof *c.totals, portable__tool);
  c.totals = totals;
  portable_bounds bounds = portable_bounds_1(s->lines * c.parts);
  portable__scan_begin(s, &nothing);
  status = portable__turns_begin(&c.turns, s->lines * c.parts, hand_on, &c, &nothing);
  if (status == PORTABLE_OK) {
    status = portable__launch(label, &bounds, kernel_of_leaves, &c, 0, config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
    portable__turns_end(&c.turns);
  } else {
    status = portable__no_scratch(status, "scan", label);
  }
  if (totals != few) portable__free(totals);
  return status;
}

/* Tries a CUDA device. *done: 1 if the call is finished. */
PORTABLE__COLD static portable_status on_device(const struct portable__array_call *c, const struct portable__scan *s, const portable_launch_config *config, int *done) {
  const struct portable__memory memory[] = {{"data", s->data, 0}, {"out", s->results, 0}};
  struct portable__place place;
  portable_status status = portable__place("scan", c->label, config, memory, 2, 1, &place);
  *done = status != PORTABLE_OK || place.index >= 0;
  return status == PORTABLE_OK && place.index >= 0 ? portable__device_scan(&place, s, c->op, c->kind) : status;
}

static portable_status launch(const struct portable__array_call *c, struct portable__scan *s, const portable_launch_config *given) {
  portable_launch_config config;
  portable__call_config(given, &config);
  portable_bounds bounds;
  portable_status status;
  if (portable__on_device_matters() && s->lines && s->count) {
    int done;
    status = on_device(c, s, &config, &done);
    if (done) return status;
  }
  if (s->lines == 0 || s->count == 0 || s->lines * s->count <= SMALL || portable__team_nested()) {
    bounds = portable_bounds_1(s->lines && s->count);
    status = portable__launch(c->label, &bounds, kernel_of_all, s, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  } else if (s->leaves == 1 || s->lines >= LINES_ENOUGH) {
    struct lines w = {s, s->lines / LINES_ENOUGH < PORTABLE__SCAN_LINES ? s->lines / LINES_ENOUGH + 1 : PORTABLE__SCAN_LINES};
    bounds = portable_bounds_1((s->lines - 1) / w.group + 1);
    status = portable__launch(c->label, &bounds, kernel_of_lines, &w, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  } else {
    status = launch_leaves(c->label, s, &config);
  }
  return status == PORTABLE_OK ? status : portable__rename_error(status, "scan");
}

/* Called before the launch, which may overwrite the elements. It skips elements that a stream may still write. */
static PORTABLE__COLD void look(const struct portable__array_call *c, const struct portable__array_axis *axis, int32_t element_bytes,
                               const portable_launch_config *launch) {
  if (launch && launch->struct_size >= offsetof(portable_launch_config, stream) + sizeof launch->stream && launch->stream) return;
  for (int32_t k = 0; k < c->rank; k++)
    if (axis[k].extent == 0) return;
  const struct portable__lying lying = portable__array_lying(axis, c->rank, c->a, element_bytes, 0);
  portable__written_look(&lying);
}

portable_status portable_scan(const char *label, int32_t op, int32_t kind, const void *data, int32_t rank, const int64_t *extents,
                              const portable_scan_options *options, void *out) {
  PORTABLE__CALL("portable_scan");
  const struct portable__array_call c = {.call = PORTABLE__SCAN, .op = op, .kind = kind, .rank = rank, .label = label ? label : "unlabelled",
                                         .extents = extents, .result = out, .a = data, .options = options};
  portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
  struct portable__array_axis axis[PORTABLE_LOOP_RANK];
  struct portable__scan s;
  int32_t dims[PORTABLE_LOOP_RANK];
  const portable_status verdict = portable__scan_verdict(&c, &o, &s, axis, dims);
  if (PORTABLE__UNLIKELY(verdict != PORTABLE_OK)) return portable__array_refused(&c, verdict);
  const int32_t bytes = s.operation->element_bytes;
  if (PORTABLE__UNLIKELY(portable__guard_options.fill)) look(&c, axis, bytes, o.launch);
  s.data = data;
  s.results = out;
  s.exclusive = (o.flags & PORTABLE_SCAN_EXCLUSIVE) != 0;
  s.has_initial = o.initial != NULL;
  memset(&s.initial, 0, sizeof s.initial);
  if (s.has_initial) memcpy(&s.initial, o.initial, (size_t)bytes);
  s.inner = s.outer = 0;
  s.count = 1;
  for (int32_t k = 0; k < rank; k++) {
    if (o.dim && dims[k] != o.dim - 1) {
      s.out[s.outer++] = axis[k];
      continue;
    }
    s.in[s.inner++] = axis[k];
  }
  for (int32_t k = 0; k < s.inner; k++)
    if (s.in[k].extent == 0) s.count = 0; /* the product of the others may overflow */
  for (int32_t k = 0; k < s.inner && s.count; k++) s.count *= s.in[k].extent;
  if (!s.count) s.outer = 0; /* the count of lines without elements may overflow */
  s.inner = portable__array_join(s.in, s.inner);
  if (s.outer) s.outer = portable__array_join(s.out, s.outer);
  portable__scan_cut(&s);
  return launch(&c, &s, o.launch);
}
