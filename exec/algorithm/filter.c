/* filter.c - filters of arrays: pack, unpack and lists of indices. Main function: filter. Leaves of
 * the launch write their lists one after the other (turns.h). The arithmetic is in
 * internal/kernels/scan/choose.c, predicates are in filter_launch.c. Threads: any; locks: of
 * turns.h. */
#include <inttypes.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../internal/edge/calls.h"
#include "../device/device_filter.h"
#include "filter.h"

#define SMALL 16384 /* fewer elements run on the calling thread: they take less time than a wake-up */

enum { PACK = PORTABLE__PACK, UNPACK = PORTABLE__UNPACK, INDICES = PORTABLE__INDICES };

static const char *const calls[] = {"pack", "unpack", "filter_indices"};
static const char *const packed_names[] = {"out", "vector", "indices"};

struct filter {
  struct portable__packed packed;
  struct portable__chosen chosen;
  portable_filter_options options;
  const char *label;
  int64_t leaves, lower, total; /* total: count of the chosen elements, after the launch */
  int64_t at_once;              /* leaves of a part */
  int32_t what, index_bytes;
  int32_t on_device; /* 1: the device did the work */
};

#define FAIL(code, ...) portable__fail(code, "%s '%s': " __VA_ARGS__)

/* 1: the result overlaps neither an operand nor itself. */
static portable_status overlap_verdict(const struct portable__array_call *call, const portable_filter_options *o, const struct portable__chosen *c) {
  const int what = call->call - PORTABLE__CALL_PACK;
  const int64_t bytes = what == INDICES ? portable__index_bytes(call->index_kind) : c->element_bytes;
  const int64_t room = o->rest || call->count < c->count ? call->count : c->count; /* at most all elements */
  const struct portable__lying packed = {call->b, bytes, 1, {room}, {o->packed_stride ? o->packed_stride : bytes}};
  struct portable__lying data, mask;
  if (room && !portable__lying_fits(&packed)) return PORTABLE_ERR_OVERFLOW;
  if (c->count) {
    data = portable__array_lying(c->axis, call->rank, c->data, c->element_bytes, 0);
    mask = portable__array_lying(c->axis, call->rank, c->mask, c->mask_bytes, 1);
    if (!portable__lying_fits(&data) || !portable__lying_fits(&mask)) return PORTABLE_ERR_OVERFLOW;
    if (what == UNPACK && (portable__overlap_self(&data) || portable__overlap(&data, &mask))) return PORTABLE_ERR_ARG;
    if (room && what != INDICES && portable__overlap(&packed, &data)) return PORTABLE_ERR_ARG;
    if (room && what != UNPACK && portable__overlap(&packed, &mask)) return PORTABLE_ERR_ARG;
  }
  return room && what != UNPACK && portable__overlap_self(&packed) ? PORTABLE_ERR_ARG : PORTABLE_OK;
}

portable_status portable__filter_verdict(const struct portable__array_call *c, portable_filter_options *o, struct portable__chosen *chosen) {
  const portable_filter_options *given = c->options;
  const int what = c->call - PORTABLE__CALL_PACK, empty = portable__array_empty(c->rank, c->extents);
  const int32_t index_bytes = what == INDICES ? portable__index_bytes(c->index_kind) : 8;
  if (!index_bytes || !PORTABLE__OPTIONS(*o, given) || empty < 0 || !portable__order_is_good(o->order) || c->element_bytes < 1 ||
      c->element_bytes > INT32_MAX || !portable__is_logical(c->mask_kind) || c->count < 0)
    return PORTABLE_ERR_ARG;
  int64_t most = c->element_bytes > 8 ? c->element_bytes : 8, bytes = most;
  int overflow = 0;
  for (int32_t d = 0; d < c->rank; d++) overflow |= __builtin_mul_overflow(bytes, c->extents[d], &bytes);
  if (overflow && !empty) return PORTABLE_ERR_OVERFLOW;
  if ((!empty && (!c->mask || (!c->a && what != INDICES))) || (c->count && !c->b) || (what != UNPACK && !c->count_out)) return PORTABLE_ERR_ARG;
  *chosen = (struct portable__chosen){.data = c->a, .mask = c->mask, .element_bytes = c->element_bytes, .mask_bytes = portable__logical_bytes(c->mask_kind),
                                      .count = empty ? 0 : bytes / most};
  if (what == INDICES && !portable__indices_fit(c->lower, chosen->count, index_bytes)) return PORTABLE_ERR_OVERFLOW;
  /* The fastest axis first. For a list of indices, the mask is the array. */
  const struct portable__steps mask = {chosen->mask_bytes, o->mask_strides}, data = {c->element_bytes, o->strides};
  portable__axes(c->rank, c->extents, o->order, what == INDICES ? mask : data, mask, chosen->axis, NULL);
  const portable_status status = overlap_verdict(c, o, chosen);
  return status != PORTABLE_OK || portable__launch_is_good(o->launch) ? status : PORTABLE_ERR_ARG;
}

static void write(const struct filter *f, int64_t leaf, const uint16_t *places, int64_t count, int64_t before) {
  const struct portable__chosen *c = &f->chosen;
  char *packed = portable__packed_place(&f->packed, before, &count);
  if (count == 0) return;
  if (f->what == PACK)
    portable__choose_pack(c, leaf, places, count, packed, f->packed.step);
  else if (f->what == UNPACK)
    portable__choose_unpack(c, leaf, places, count, packed, f->packed.step);
  else
    portable__choose_list(f->lower + leaf * PORTABLE__CHOOSE_LEAF, 1, places, count, packed, f->packed.step, f->index_bytes);
}

static int64_t end_of(const struct filter *f, int64_t part) {
  const int64_t end = (part + 1) * f->at_once;
  return end < f->leaves ? end : f->leaves;
}

static void finish(void *context, int64_t part, void *before, void *total_out) {
  uint16_t places[PORTABLE__CHOOSE_LEAF];
  const struct filter *f = context;
  int64_t first, total = 0;
  memcpy(&first, before, sizeof first);
  for (int64_t leaf = part * f->at_once; leaf < end_of(f, part); leaf++) {
    const int64_t count = portable__choose_leaf(&f->chosen, leaf, places);
    write(f, leaf, places, count, first + total);
    total += count;
  }
  portable__packed_add(before, &total, NULL);
  memcpy(total_out, &total, sizeof total);
}

static void add_up(void *context, int64_t part, void *total_out) {
  const struct filter *f = context;
  int64_t total = 0;
  for (int64_t leaf = part * f->at_once; leaf < end_of(f, part); leaf++) total += portable__choose_count(&f->chosen, leaf);
  memcpy(total_out, &total, sizeof total);
}

/* Small parts are one leaf, whose places wait in the first-level cache. */
static void small_parts(struct filter *f) {
  uint16_t places[PORTABLE__CHOOSE_LEAF];
  int64_t leaf, count, before, from = 0;
  while ((leaf = portable__turn_claim(&f->packed.turns)) >= 0) {
    count = portable__choose_leaf(&f->chosen, leaf, places);
    if (portable__turn_take(&f->packed.turns, leaf, &count, 0, &before)) write(f, leaf, places, count, before);
  }
  while ((leaf = portable__turn_left(&f->packed.turns, &from, &before)) >= 0) finish(f, leaf, &before, &count);
}

static void kernel(const portable_tile *t, void *args) {
  static const struct portable__turn_work work = {add_up, finish};
  struct filter *f = args;
  (void)t; /* each iteration takes the remaining parts */
  if (f->at_once == 1)
    small_parts(f);
  else
    portable__turns_work(&f->packed.turns, &work);
}

/* Tries a CUDA device. *done: 1 if the call is finished. */
PORTABLE__COLD static portable_status on_device(struct filter *f, const portable_launch_config *config, int *done) {
  const struct portable__memory memory[] = {{"mask", f->chosen.mask, 0}, {"data", f->chosen.data, 0},
                                            {packed_names[f->what], f->packed.room ? f->packed.first : NULL, 0}, {"rest", f->options.rest, 0}};
  const struct portable__filter_packed packed = {f->packed.first, f->packed.step, f->packed.room, f->what == PACK ? f->options.rest : NULL,
                                                 f->options.rest_stride ? f->options.rest_stride : f->chosen.element_bytes, f->lower, f->index_bytes};
  struct portable__place place;
  portable_status status = portable__place(calls[f->what], f->label, config, memory, 4, 1, &place);
  *done = status != PORTABLE_OK || place.index >= 0;
  if (status == PORTABLE_OK && place.index >= 0) status = portable__device_filter(&place, f->what, &f->chosen, &packed, &f->total);
  f->on_device = *done;
  return status;
}

static portable_status launch(struct filter *f) {
  portable_launch_config config;
  portable__call_config(f->options.launch, &config);
  if (portable__on_device_matters() && f->chosen.count) {
    int done;
    const portable_status status = on_device(f, &config, &done);
    if (done) return status;
  }
  f->at_once = portable__turn_leaves(f->leaves, PORTABLE__CHOOSE_LEAF * (int64_t)f->chosen.mask_bytes);
  const int64_t parts = f->leaves ? (f->leaves - 1) / f->at_once + 1 : 0;
  portable_bounds bounds = portable_bounds_1(f->chosen.count <= SMALL ? parts > 0 : parts);
  portable_status status = portable__packed_begin(&f->packed, parts, f);
  if (status != PORTABLE_OK) return portable__no_scratch(status, calls[f->what], f->label);
  status = portable__launch(f->label, &bounds, kernel, f, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  portable__turns_end(&f->packed.turns);
  f->total = portable__packed_total(&f->packed);
  return status == PORTABLE_OK ? status : portable__rename_error(status, calls[f->what]);
}

/* The common part of the three calls. */
static portable_status filter(struct filter *f, struct portable__array_call *c, int64_t *count_out) {
  const portable_filter_options init = PORTABLE_FILTER_OPTIONS_INIT;
  if (count_out) *count_out = 0;
  if (!c->label) c->label = "unlabelled";
  f->options = init;
  f->on_device = 0;
  portable_status status = portable__filter_verdict(c, &f->options, &f->chosen);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_refused(c, status);
  f->label = c->label;
  f->what = c->call - PORTABLE__CALL_PACK;
  f->lower = c->lower;
  f->index_bytes = portable__index_bytes(c->index_kind);
  f->packed.first = (char *)(uintptr_t)c->b;
  f->packed.step = f->options.packed_stride ? f->options.packed_stride : f->what == INDICES ? f->index_bytes : c->element_bytes;
  f->packed.room = c->count;
  f->leaves = f->chosen.count ? (f->chosen.count - 1) / PORTABLE__CHOOSE_LEAF + 1 : 0;
  f->chosen.rank = portable__array_join(f->chosen.axis, c->rank);
  status = launch(f);
  if (status != PORTABLE_OK) return status;
  const int64_t total = f->total;
  if (count_out) *count_out = total;
  if (total <= c->count) return PORTABLE_OK;
  return FAIL(PORTABLE_ERR_OVERFLOW, "%" PRId64 " elements are chosen, but %s has %" PRId64 "; the first ones are done", calls[f->what], f->label,
              total, packed_names[f->what], c->count);
}

portable_status portable_pack(const char *label, int64_t element_bytes, const void *data, int32_t rank, const int64_t *extents, int32_t mask_kind,
                              const void *mask, const portable_filter_options *options, void *out, int64_t room, int64_t *count_out) {
  PORTABLE__CALL("portable_pack");
  struct portable__array_call c = {.call = PORTABLE__CALL_PACK, .rank = rank, .mask_kind = mask_kind, .label = label, .extents = extents, .a = data, .b = out,
                                   .mask = mask, .count_out = count_out, .options = options, .element_bytes = element_bytes, .count = room};
  struct filter f;
  portable_status status = filter(&f, &c, count_out);
  if (status != PORTABLE_OK || !f.options.rest || f.on_device) return status;
  const char *rest = f.options.rest;
  if (!f.chosen.count && ((status = portable_fence_memory(rest)) != PORTABLE_OK || (status = portable_fence_memory(out)) != PORTABLE_OK)) return status;
  int64_t step = f.options.rest_stride ? f.options.rest_stride : element_bytes;
  for (int64_t i = *count_out; i < room; i++) memmove(f.packed.first + i * f.packed.step, rest + i * step, (size_t)element_bytes);
  return PORTABLE_OK;
}

portable_status portable_unpack(const char *label, int64_t element_bytes, const void *vector, int64_t count, int32_t rank, const int64_t *extents,
                                int32_t mask_kind, const void *mask, const portable_filter_options *options, void *data,
                                int64_t *count_out) {
  PORTABLE__CALL("portable_unpack");
  struct portable__array_call c = {.call = PORTABLE__CALL_UNPACK, .rank = rank, .mask_kind = mask_kind, .label = label, .extents = extents, .a = data,
                                   .b = vector, .mask = mask, .count_out = count_out, .options = options, .element_bytes = element_bytes, .count = count};
  struct filter f;
  return filter(&f, &c, count_out);
}

portable_status portable_filter_indices(const char *label, int32_t rank, const int64_t *extents, int32_t mask_kind, const void *mask,
                                        const portable_filter_options *options, int64_t lower, int32_t index_kind, void *indices,
                                        int64_t room, int64_t *count_out) {
  PORTABLE__CALL("portable_filter_indices");
  struct portable__array_call c = {.call = PORTABLE__CALL_INDICES, .rank = rank, .mask_kind = mask_kind, .index_kind = index_kind, .label = label,
                                   .extents = extents, .b = indices, .mask = mask, .count_out = count_out, .options = options, .element_bytes = 1,
                                   .count = room, .lower = lower};
  struct filter f;
  return filter(&f, &c, count_out);
}
