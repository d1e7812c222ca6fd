/* records_copy.c - copies records between all layouts, orders and bounds, by strided copies
 * (copy.h). Evenly spaced values are one more axis, so structures to arrays of one kind is a single
 * transposition. With blocks, the fastest dimension is two axes; the part that fills no block is a
 * copy of its own. */
#include "../../internal/edge/calls.h"
#include "questions.h"

#include <stdio.h>
#include <string.h>

#include "../../exec/algorithm/copy.h"

enum { MOST_AXES = PORTABLE_ARRAY_RANK + 6 };

struct walk {
  const portable_records *from, *to;
  const char *label;
  const portable_launch_config *launch;
  int64_t bytes;
  int32_t rank; /* axes so far */
  struct portable__copy_axis axis[MOST_AXES];
};

/* Bytes from the first index of a dimension to the index `steps` later; in between, only whole blocks end. */
static int64_t reach(const portable_records *r, int32_t field, int32_t d, int64_t steps) {
  int64_t position = steps * r->stride[d];
  return (position >> r->shift) * r->block_bytes + (position & r->mask) * r->place[field].lane;
}

/* The width, if the dimension has parts of blocks; else 0. */
static int64_t splits(const portable_records *r, int32_t d) {
  return r->layout == PORTABLE_RECORDS_BLOCKS && r->width > 1 && r->extent[d] > 1 && (r->stride[d] & r->mask) != 0 ? r->width : 0;
}

/* Runs the axes that exceed the limit of a copy, one index after the other. */
static portable_status run(struct walk *w, char *to, const char *from) {
  portable_status status = PORTABLE_OK;
  if (w->rank > PORTABLE__COPY_RANK) {
    struct portable__copy_axis last = w->axis[--w->rank];
    for (int64_t i = 0; i < last.extent && status == PORTABLE_OK; i++) status = run(w, to + i * last.to, from + i * last.from);
    w->rank++;
    return status;
  }
  struct portable__copy c = {.to = to, .from = from, .bytes = w->bytes, .conversion = PORTABLE__COPY_SAME, .rank = w->rank};
  memcpy(c.axis, w->axis, (size_t)w->rank * sizeof w->axis[0]);
  return portable__copy_run(&c, w->label, w->launch);
}

static portable_status dimensions(struct walk *w, int32_t field, int32_t d, char *to, const char *from);

/* Adds an axis: `extent` steps in dimension d, each of `unit` indices. */
static void add(struct walk *w, int32_t field, int32_t d, int64_t extent, int64_t unit) {
  if (extent == 1) return;
  w->axis[w->rank++] = (struct portable__copy_axis){extent, reach(w->to, field, d, unit), reach(w->from, field, d, unit)};
}

/* Covers the indices from `first` in whole pieces of `large`, split into `small`; gives the first index that is not covered. */
static portable_status dimension(struct walk *w, int32_t field, int32_t d, int64_t first, int64_t count, int64_t small, int64_t large, char *to,
                                 const char *from) {
  const int32_t rank = w->rank;
  portable_status status = PORTABLE_OK;
  int64_t unit = large ? large : 1, whole = count / unit;
  if (whole > 0) {
    if (small && large > small) {
      add(w, field, d, small, 1);
      add(w, field, d, large / small, small);
    } else if (large) {
      add(w, field, d, large, 1);
    }
    add(w, field, d, whole, unit);
    status = dimensions(w, field, d + 1, to + reach(w->to, field, d, first), from + reach(w->from, field, d, first));
    w->rank = rank;
  }
  if (status != PORTABLE_OK || whole * unit == count) return status;
  return dimension(w, field, d, first + whole * unit, count - whole * unit, small, large > small ? small : 0, to, from);
}

static portable_status dimensions(struct walk *w, int32_t field, int32_t d, char *to, const char *from) {
  if (d == w->from->rank) return run(w, to, from);
  int64_t a = splits(w->from, d), b = splits(w->to, d), small = a < b ? a : b, large = a < b ? b : a;
  if (small == 0) small = large;
  return dimension(w, field, d, 0, w->from->extent[d], small, large, to, from);
}

/* Counts successive values with the same stride on both sides as the first two. */
struct value {
  int32_t field, component;
};
static int next(const portable_record *r, struct value *v) {
  if (++v->component < r->field[v->field].count) return 1;
  v->component = 0;
  return ++v->field < r->fields;
}
static int64_t at(const portable_records *r, struct value v) { return r->place[v.field].at + v.component * r->place[v.field].component; }

static portable_status all_values(struct walk *w) {
  const portable_record *record = &w->from->record;
  struct value first = {0, 0};
  for (int more = 1; more;) {
    struct value v = first, last = first;
    int64_t count = 1, from_step = 0, to_step = 0;
    while ((more = next(record, &v)) && record->field[v.field].bytes == record->field[first.field].bytes) {
      int64_t from_gap = at(w->from, v) - at(w->from, last), to_gap = at(w->to, v) - at(w->to, last);
      if (count > 1 && (from_gap != from_step || to_gap != to_step)) break;
      from_step = from_gap;
      to_step = to_gap;
      last = v;
      count++;
    }
    w->bytes = (int64_t)record->field[first.field].bytes;
    w->rank = 0;
    if (count > 1) w->axis[w->rank++] = (struct portable__copy_axis){count, to_step, from_step};
    portable_status status = dimensions(w, first.field, 0, (char *)w->to->data + at(w->to, first), (const char *)w->from->data + at(w->from, first));
    if (status != PORTABLE_OK) return status;
    first = v;
  }
  return PORTABLE_OK;
}

static int alike(const portable_records *from, const portable_records *to) {
  const portable_record *a = &from->record, *b = &to->record;
  if (a->fields != b->fields || from->rank != to->rank) return 0;
  for (int32_t f = 0; f < a->fields; f++)
    if (strcmp(a->field[f].name, b->field[f].name) != 0 || a->field[f].kind != b->field[f].kind || a->field[f].bytes != b->field[f].bytes ||
        a->field[f].count != b->field[f].count) return 0;
  for (int32_t d = 0; d < from->rank; d++)
    if (from->extent[d] != to->extent[d]) return 0;
  return 1;
}

portable_status portable_records_copy(const portable_records *from, const portable_records *to, const portable_launch_config *launch) {
  PORTABLE__CALL("portable_records_copy");
  static const char function[] = "portable_records_copy";
  portable_status status = portable__records_launched(function, from, launch);
  if (status == PORTABLE_OK) status = portable__records_launched(function, to, launch);
  if (status != PORTABLE_OK) return status;
  if (PORTABLE__UNLIKELY(!alike(from, to))) {
    char name[2 * PORTABLE_ARRAY_LABEL + sizeof "' to '"];
    snprintf(name, sizeof name, "%s' to '%s", from->label, to->label);
    PORTABLE__ARRAY_EXPLAINED(&status, function, name, PORTABLE_ERR_ARG, portable__owner_go.records_alike(from, to));
    return status;
  }
  for (int32_t d = 0; d < from->rank; d++)
    if (from->extent[d] == 0) return PORTABLE_OK;
  struct walk w = {.from = from, .to = to, .label = to->label, .launch = launch};
  return portable__array_named(all_values(&w), function, from->label);
}
