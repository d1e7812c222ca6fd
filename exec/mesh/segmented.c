/* segmented.c - reductions of rows: arguments, parts, launch. Main function:
 * portable_segmented_reduce. The arithmetic is in internal/kernels/reduction/segmented.c, for
 * devices in internal/backend/cuda/kernels/segmented.cu. Threads: any; no lock. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "../../capi/include/mesh/portable_mesh.h"
#include "../../gator/front/front.h"
#include "../../internal/edge/calls.h"
#include "../../internal/kernels/reduction/partial.h"
#include "../../internal/kernels/reduction/segmented.h"
#include "../algorithm/call.h"
#include "../launch/launch.h"
#include "there.h"

#define SMALL 8192 /* rows and elements together that run on the calling thread: they take less time than a wake-up */
#define PART 8192  /* rows and elements of a part */
#define SLOTS 32   /* kept on the stack */

struct reducing {
  const char *label;
  struct portable__segmented s;
  int64_t length, unit; /* rows and elements; of a part */
  _Atomic int64_t row, element; /* the first ones that are refused */
};

#define FAIL(code, ...) portable__fail(code, "segmented_reduce '%s': " __VA_ARGS__)

static void least(_Atomic int64_t *at, int64_t value) {
  int64_t first = atomic_load_explicit(at, memory_order_relaxed);
  while (value < first && !atomic_compare_exchange_weak_explicit(at, &first, value, memory_order_relaxed, memory_order_relaxed)) {
  }
}

/* A tile is one part of the path. */
static void kernel(const portable_tile *t, void *args) {
  struct reducing *r = args;
  struct portable__segment_wrong wrong = {0, 0};
  const int64_t from = t->lower[0] * r->unit, to = (t->upper[0] + 1) * r->unit;
  portable__segmented_part(&r->s, from, to < r->length ? to : r->length, &wrong);
  if (wrong.what) least(wrong.what == PORTABLE__SEGMENT_ROW ? &r->row : &r->element, wrong.where);
}

/* The text of an error that the kernel found. */
PORTABLE__COLD static portable_status wrong(const struct reducing *r, const struct portable__there *t) {
  const struct portable__segmented *s = &r->s;
  const int64_t row = atomic_load_explicit(&r->row, memory_order_relaxed), element = atomic_load_explicit(&r->element, memory_order_relaxed);
  if (row == INT64_MAX)
    return FAIL(PORTABLE_ERR_ARG, "index %" PRId64 " is %" PRId64 ", but data has the elements %" PRId64 " to %" PRId64, r->label, element + s->lower,
                portable__there_get(t, s->index, s->index_bytes, element), s->lower, s->count - 1 + s->lower);
  const int64_t from = portable__there_get(t, s->row, s->row_bytes, row), to = portable__there_get(t, s->row, s->row_bytes, row + 1);
  if (from >= s->lower && to < from)
    return FAIL(PORTABLE_ERR_ARG, "row %" PRId64 " begins at %" PRId64 " and the next one at %" PRId64 "; beginnings never decrease", r->label, row + s->lower, from, to);
  return FAIL(PORTABLE_ERR_ARG, "row %" PRId64 " is %" PRId64 " to %" PRId64 ", but %s has the elements %" PRId64 " to %" PRId64, r->label, row + s->lower, from, to - 1,
              s->index ? "index" : "data", s->lower, s->entries - 1 + s->lower);
}

static int is_wrong(const struct reducing *r) {
  return atomic_load_explicit(&r->row, memory_order_relaxed) != INT64_MAX || atomic_load_explicit(&r->element, memory_order_relaxed) != INT64_MAX;
}

static portable_status launch(struct reducing *r, const portable_launch_config *config, const struct portable__there *t) {
  const size_t bytes = (size_t)r->s.bytes;
  const int64_t slots = r->s.entries / PORTABLE__SEGMENT_SLOT + 2;
  int64_t few[2 * SLOTS];
  void *many = NULL;
  r->s.partials = (char *)few;
  r->s.long_row = few + SLOTS;
  portable_status status = PORTABLE_OK;
  if (slots > SLOTS) {
    status = portable__alloc((size_t)slots * (bytes + sizeof *few), r->label, strlen(r->label), &many);
    if (status != PORTABLE_OK) return portable__no_scratch(status, "segmented_reduce", r->label);
    r->s.long_row = many;
    r->s.partials = (char *)(r->s.long_row + slots);
  }
  for (int64_t i = 0; i < slots; i++) r->s.long_row[i] = -1;
  r->unit = r->length <= SMALL ? (r->length ? r->length : 1) : PART;
  const portable_bounds parts = portable_bounds_1(r->s.rows ? (r->length - 1) / r->unit + 1 : 0);
  status = portable__launch(r->label, &parts, kernel, r, 0, config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  if (status != PORTABLE_OK)
    status = portable__rename_error(status, "segmented_reduce");
  else if (is_wrong(r))
    status = wrong(r, t);
  else
    portable__segmented_end(&r->s);
  if (many) portable__free(many);
  return status;
}

/* Whether the results lie in n elements at x. */
static int in_results(const struct portable__segmented *s, const void *x, int64_t n, int64_t bytes) {
  const uintptr_t from = (uintptr_t)x, to = (uintptr_t)s->results;
  return x && from < to + (uintptr_t)(s->rows * s->bytes) && to < from + (uintptr_t)(n * bytes);
}

/* Rows that have no more elements than a leaf need one kernel. */
static portable_status on_device(struct reducing *r, int32_t op, int32_t kind, struct portable__there *t) {
  const struct portable__segmented *const s = &r->s;
  const int64_t slots = s->entries > PORTABLE__SEGMENT ? s->entries / PORTABLE__SEGMENT_SLOT + 2 : 0;
  const int64_t all[] = {slots, 8 * s->rows, 8 * slots, 256 * slots};
  portable__there_begin(t);
  struct portable__cuda_segmented w = {.data = s->data, .row = s->row, .index = s->index, .results = s->results, .found = t->found, .rows = s->rows, .entries = s->entries,
                                       .count = s->count, .lower = s->lower, .slots = slots, .row_bytes = s->row_bytes, .index_bytes = s->index_bytes};
  w.partials = portable__there_take(t, slots * s->bytes);
  w.long_row = portable__there_take(t, slots * (int64_t)sizeof *w.long_row);
  portable__there_run(t, PORTABLE__LIST(PORTABLE__LIST_SEGMENTED, op, kind, !slots), slots ? all : all + 1, slots ? 4 : 1, &w, sizeof w);
  if (t->status == PORTABLE_OK) {
    atomic_store_explicit(&r->row, t->found[0], memory_order_relaxed);
    atomic_store_explicit(&r->element, t->found[1], memory_order_relaxed);
  }
  const portable_status status = portable__there_end(t);
  return status == PORTABLE_OK && is_wrong(r) ? wrong(r, t) : status;
}

portable_status portable_segmented_reduce(const char *label, int32_t op, int32_t kind, const void *data, int64_t count, int32_t row_kind, const void *row,
                                          int64_t rows, const portable_segmented_options *options, void *result_out) {
  PORTABLE__CALL("portable_segmented_reduce");
  portable_segmented_options o = PORTABLE_SEGMENTED_OPTIONS_INIT;
  portable_launch_config config;
  struct reducing r;
  memset(&r, 0, sizeof r);
  r.label = label ? label : "unlabelled";
  atomic_init(&r.row, INT64_MAX);
  atomic_init(&r.element, INT64_MAX);
  if (!PORTABLE__OPTIONS(o, options))
    return FAIL(PORTABLE_ERR_ARG, "options.struct_size is %u; begin with PORTABLE_SEGMENTED_OPTIONS_INIT", r.label, options->struct_size);
  if (!portable__launch_is_good(o.launch)) return FAIL(PORTABLE_ERR_ARG, "launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT", r.label, o.launch->struct_size);
  r.s.row_bytes = portable__index_bytes(row_kind);
  r.s.index_bytes = o.index ? portable__index_bytes(o.index_kind) : 0;
  if (!r.s.row_bytes) return FAIL(PORTABLE_ERR_ARG, "row_kind is %d; it is PORTABLE_KIND_INT32 or _INT64", r.label, (int)row_kind);
  if (o.index && !r.s.index_bytes) return FAIL(PORTABLE_ERR_ARG, "index_kind is %d; it is PORTABLE_KIND_INT32 or _INT64", r.label, (int)o.index_kind);
  if (op < PORTABLE_REDUCE_SUM || op > PORTABLE_REDUCE_MAX)
    return FAIL(PORTABLE_ERR_ARG, "op is %d; it is PORTABLE_REDUCE_SUM, _PRODUCT, _MIN or _MAX", r.label, (int)op);
  if (!portable__segmented_find(&r.s, op, kind))
    return FAIL(PORTABLE_ERR_ARG, "kind is %d; it is PORTABLE_KIND_INT32, _INT64, _REAL32 or _REAL64", r.label, (int)kind);
  r.s.count = count;
  r.s.entries = o.index ? o.index_count : count;
  r.s.rows = rows;
  r.s.lower = o.lower;
  if (o.lower != 0 && o.lower != 1) return FAIL(PORTABLE_ERR_ARG, "lower is %" PRId64 "; it is 0 or 1", r.label, (int64_t)o.lower);
  if (rows < 0) return FAIL(PORTABLE_ERR_ARG, "the count of rows is %" PRId64 "; it is 0 or more", r.label, rows);
  if (count < 0 || r.s.entries < 0) return FAIL(PORTABLE_ERR_ARG, "the count of elements of %s is %" PRId64 "; it is 0 or more", r.label, count < 0 ? "data" : "index", count < 0 ? count : r.s.entries);
  if (rows > INT64_MAX / 16 || r.s.entries > INT64_MAX / 16 || count > INT64_MAX / 16)
    return FAIL(PORTABLE_ERR_OVERFLOW, "there are more bytes than a 64-bit integer counts", r.label);
  if (rows && (!row || !result_out)) return FAIL(PORTABLE_ERR_ARG, "%s is NULL, but there are rows", r.label, row ? "result_out" : "row");
  if (count && !data) return FAIL(PORTABLE_ERR_ARG, "data is NULL, but it has elements", r.label);
  if (!portable_is_initialized()) return portable__not_running("portable_segmented_reduce");
  r.s.data = data;
  r.s.row = row;
  r.s.index = o.index;
  r.s.results = result_out;
  const char *const shared = in_results(&r.s, data, count, r.s.bytes)                 ? "data"
                             : in_results(&r.s, row, rows + 1, r.s.row_bytes)         ? "row"
                             : in_results(&r.s, o.index, o.index_count, r.s.index_bytes) ? "index"
                                                                                      : NULL;
  if (shared) return FAIL(PORTABLE_ERR_ARG, "result_out shares memory with %s", r.label, shared);
  r.length = rows + r.s.entries;
  portable__call_config(o.launch, &config);
  const struct portable__memory memory[] = {{"data", data, 0}, {"row", row, 0}, {"index", o.index, 0}, {"result_out", result_out, 0}};
  struct portable__there t;
  const portable_status placed = portable__there_choose(&t, "segmented_reduce", r.label, &config, memory, 4, 0);
  if (placed != PORTABLE_OK) return placed;
  if (t.place.index >= 0 && rows) return on_device(&r, op, kind, &t);
  if (!config.stream && rows) {
    const void *const read[] = {data, row, o.index, result_out};
    for (int i = 0; i < 4; i++) {
      const portable_status status = read[i] ? portable_fence_memory(read[i]) : PORTABLE_OK;
      if (status != PORTABLE_OK) return status;
    }
  }
  return launch(&r, &config, &t);
}
