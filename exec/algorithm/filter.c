/* filter.c - filters of arrays: pack, unpack and lists of indices; checks, axes, and the launch, whose leaves write one behind the other
 * (turns.h). In C because a launch is, and because a small array takes less time than a call into Go. Not in this file: the work itself
 * (internal/kernels/scan/choose.c), predicates (filter_launch.c). Threads: any, at any time. */
#include <inttypes.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../internal/edge/calls.h"
#include "../device/device_filter.h"
#include "extents.h"
#include "filter.h"

#define SMALL 16384 /* elements that the team is not called for: they take less time than a wake-up */

enum { PACK = PORTABLE__PACK, UNPACK = PORTABLE__UNPACK, INDICES = PORTABLE__INDICES };

static const char *const calls[] = {"pack", "unpack", "filter_indices"};
static const char *const packed_names[] = {"out", "vector", "indices"};

struct filter {
  struct portable__packed packed;
  struct portable__chosen chosen;
  const char *label;
  int64_t leaves, lower, total; /* total: how many are chosen, after the launch */
  int32_t what, index_bytes, rank;
  int32_t on_device; /* 1: the device has done it */
  portable_filter_options options;
};

#define FAIL(code, ...) portable__fail(code, "%s '%s': " __VA_ARGS__)

static portable_status read_options(struct filter *f, const portable_filter_options *options) {
  portable_filter_options none = PORTABLE_FILTER_OPTIONS_INIT;
  f->options = none;
  if (!options) return PORTABLE_OK;
  if (options->struct_size < sizeof(uint32_t) || options->struct_size > sizeof none)
    return FAIL(PORTABLE_ERR_ARG, "options.struct_size is %u; begin with PORTABLE_FILTER_OPTIONS_INIT", calls[f->what], f->label,
                (unsigned)options->struct_size);
  memcpy(&f->options, options, options->struct_size);
  return PORTABLE_OK;
}

/* Counts the elements too. */
static portable_status check(struct filter *f, int32_t rank, const int64_t *extents, int32_t mask_kind, const void *data, int64_t room) {
  const char *call = calls[f->what], *label = f->label;
  portable_status status = portable__check_rank(call, label, rank, extents);
  if (status != PORTABLE_OK) return status;
  if ((status = portable__check_order(call, label, f->options.order)) != PORTABLE_OK) return status;
  if (f->chosen.element_bytes < 1 || f->chosen.element_bytes > INT32_MAX)
    return FAIL(PORTABLE_ERR_ARG, "element_bytes is %" PRId64 "; it is 1 to %d", call, label, f->chosen.element_bytes, INT32_MAX);
  if (mask_kind < PORTABLE_KIND_LOGICAL8 || mask_kind > PORTABLE_KIND_LOGICAL64)
    return FAIL(PORTABLE_ERR_ARG, "mask_kind is %d; a mask is of a kind PORTABLE_KIND_LOGICAL...", call, label, (int)mask_kind);
  if (room < 0) return FAIL(PORTABLE_ERR_ARG, "there are %" PRId64 " elements of %s; there are 0 or more", call, label, room, packed_names[f->what]);
  f->chosen.mask_bytes = 1 << (mask_kind - PORTABLE_KIND_LOGICAL8);
  int64_t most = f->chosen.element_bytes > 8 ? f->chosen.element_bytes : 8, bytes = most;
  int empty, overflow = 0;
  if ((status = portable__check_extents(call, label, rank, extents, &empty)) != PORTABLE_OK) return status;
  for (int32_t d = 0; d < rank; d++) overflow |= __builtin_mul_overflow(bytes, extents[d], &bytes);
  if (overflow && !empty) return FAIL(PORTABLE_ERR_OVERFLOW, "there are more elements than a 64-bit integer counts the bytes of", call, label);
  f->chosen.count = empty ? 0 : bytes / most;
  f->leaves = f->chosen.count ? (f->chosen.count - 1) / PORTABLE__CHOOSE_LEAF + 1 : 0;
  if (!empty && (!f->chosen.mask || (!data && f->what != INDICES)))
    return FAIL(PORTABLE_ERR_ARG, "%s is NULL, but the array has elements", call, label, f->chosen.mask ? "data" : "mask");
  if (room > 0 && !f->packed.first) return FAIL(PORTABLE_ERR_ARG, "%s is NULL, but has elements", call, label, packed_names[f->what]);
  return PORTABLE_OK;
}

/* The axes of the array, the fastest first; of a list of indices the mask is the array. */
static void set_axes(struct filter *f, int32_t rank, const int64_t *extents) {
  const struct portable__steps mask = {f->chosen.mask_bytes, f->options.mask_strides}, data = {f->chosen.element_bytes, f->options.strides};
  f->rank = rank;
  portable__axes(rank, extents, f->options.order, f->what == INDICES ? mask : data, mask, f->chosen.axis, NULL);
}

/* What is written overlaps nothing that is read, nor itself. */
static portable_status check_overlap(const struct filter *f) {
  const struct portable__chosen *c = &f->chosen;
  const char *call = calls[f->what], *packed_name = packed_names[f->what];
  const int64_t room = f->options.rest || f->packed.room < c->count ? f->packed.room : c->count; /* no more are there */
  struct portable__lying data, mask, packed = {f->packed.first, f->what == INDICES ? f->index_bytes : c->element_bytes, 1, {room}, {f->packed.step}};
  int with_data = 0, with_mask = 0, on_itself = 0;
  if (room && !portable__lying_fits(&packed))
    return FAIL(PORTABLE_ERR_OVERFLOW, "%s has more bytes from end to end than a 64-bit integer counts", call, f->label, packed_name);
  if (room && f->what != UNPACK) on_itself = portable__overlap_self(&packed);
  if (c->count) {
    data = portable__array_lying(c->axis, f->rank, c->data, c->element_bytes, 0);
    mask = portable__array_lying(c->axis, f->rank, c->mask, c->mask_bytes, 1);
    if (!portable__lying_fits(&data) || !portable__lying_fits(&mask))
      return FAIL(PORTABLE_ERR_OVERFLOW, "%s has more bytes from end to end than a 64-bit integer counts", call, f->label,
                  portable__lying_fits(&data) ? "mask" : "data");
    if (f->what == UNPACK) {
      on_itself = portable__overlap_self(&data);
      with_mask = portable__overlap(&data, &mask);
    }
    if (room && f->what != INDICES) with_data = portable__overlap(&packed, &data);
    if (room && f->what != UNPACK) with_mask = portable__overlap(&packed, &mask);
  }
  if (PORTABLE__LIKELY(!(with_data | with_mask | on_itself))) return PORTABLE_OK;
  if (on_itself)
    return FAIL(PORTABLE_ERR_ARG, "elements of %s lie on one another; they are at least as far apart as they are long", call, f->label,
                f->what == UNPACK ? "data" : packed_name);
  int surely = (with_data ? with_data : with_mask) == PORTABLE__SHARED;
  if (with_data)
    return FAIL(PORTABLE_ERR_ARG, "data (%p) %s %s; take another array", call, f->label, (const void *)c->data,
                surely ? "overlaps" : "may overlap", packed_name);
  return FAIL(PORTABLE_ERR_ARG, "%s (%p) %s the mask; take another array", call, f->label, f->what == UNPACK ? "data" : packed_name,
              f->what == UNPACK ? (const void *)c->data : (const void *)f->packed.first, surely ? "overlaps" : "may overlap");
}

static void finish(const struct filter *f, int64_t leaf, const uint16_t *places, int64_t count, int64_t before) {
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

static void kernel(const portable_tile *t, void *args) {
  struct filter *f = args;
  uint16_t places[PORTABLE__CHOOSE_LEAF];
  int64_t leaf, count, before, from = 0;
  (void)t; /* whichever iteration this is, it takes what is left */
  while ((leaf = portable__turn_claim(&f->packed.turns)) >= 0) {
    count = portable__choose_leaf(&f->chosen, leaf, places);
    if (portable__turn_take(&f->packed.turns, leaf, &count, 0, &before)) finish(f, leaf, places, count, before);
  }
  while ((leaf = portable__turn_left(&f->packed.turns, &from, &before)) >= 0)
    finish(f, leaf, places, portable__choose_leaf(&f->chosen, leaf, places), before);
}

/* Where there is a cuda device: *done is 1 when the call is over. */
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
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  const portable_launch_config *l = f->options.launch;
  if (l) {
    if (l->struct_size < sizeof(uint32_t) || l->struct_size > sizeof config)
      return FAIL(PORTABLE_ERR_ARG, "launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT", calls[f->what], f->label,
                  (unsigned)l->struct_size);
    memcpy(&config, l, l->struct_size);
    memset(config.tile, 0, sizeof config.tile); /* of the array's elements; leaves are not */
  }
  if (portable__on_device_matters() && f->chosen.count) {
    int done;
    const portable_status status = on_device(f, &config, &done);
    if (done) return status;
  }
  portable_bounds bounds = portable_bounds_1(f->chosen.count <= SMALL ? f->leaves > 0 : f->leaves);
  portable_status status = portable__packed_begin(&f->packed, f->leaves);
  if (status != PORTABLE_OK) return portable__no_scratch(status, calls[f->what], f->label);
  status = portable__launch(f->label, &bounds, kernel, f, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  portable__turns_end(&f->packed.turns);
  f->total = portable__packed_total(&f->packed);
  return status == PORTABLE_OK ? status : portable__rename_error(status, calls[f->what]);
}

/* What all three do when their arguments are in f. */
static portable_status filter(struct filter *f, int32_t rank, const int64_t *extents, int32_t mask_kind, const portable_filter_options *options,
                              const void *packed, int64_t room, int64_t *count_out) {
  if (count_out) *count_out = 0;
  if (!f->label) f->label = "unlabelled";
  portable_status status = read_options(f, options);
  if (status != PORTABLE_OK) return status;
  int64_t bytes = f->what == INDICES ? f->index_bytes : f->chosen.element_bytes;
  f->packed.first = (char *)(uintptr_t)packed;
  f->packed.step = f->options.packed_stride ? f->options.packed_stride : bytes;
  f->packed.room = room;
  status = check(f, rank, extents, mask_kind, f->chosen.data, room);
  if (status != PORTABLE_OK) return status;
  if (!count_out && f->what != UNPACK) return FAIL(PORTABLE_ERR_ARG, "count_out is NULL", calls[f->what], f->label);
  int64_t last, most = f->index_bytes == 4 ? INT32_MAX : INT64_MAX;
  if (f->what == INDICES && f->chosen.count &&
      (__builtin_add_overflow(f->lower, f->chosen.count - 1, &last) || last > most || f->lower < -most - 1))
    return FAIL(PORTABLE_ERR_OVERFLOW, "indices from %" PRId64 " for %" PRId64 " elements do not fit %s", calls[f->what], f->label, f->lower,
                f->chosen.count, f->index_bytes == 4 ? "int32; take int64" : "int64");
  set_axes(f, rank, extents);
  status = check_overlap(f);
  if (status != PORTABLE_OK) return status;
  f->chosen.rank = portable__array_join(f->chosen.axis, rank);
  status = launch(f);
  if (status != PORTABLE_OK) return status;
  const int64_t total = f->total;
  if (count_out) *count_out = total;
  if (total <= room) return PORTABLE_OK;
  return FAIL(PORTABLE_ERR_OVERFLOW, "%" PRId64 " elements are chosen, but %s has %" PRId64 "; the first ones are done", calls[f->what], f->label,
              total, packed_names[f->what], room);
}

portable_status portable_pack(const char *label, int64_t element_bytes, const void *data, int32_t rank, const int64_t *extents, int32_t mask_kind,
                              const void *mask, const portable_filter_options *options, void *out, int64_t room, int64_t *count_out) {
  PORTABLE__CALL("portable_pack");
  struct filter f = {.chosen = {.data = data, .mask = mask, .element_bytes = element_bytes}, .label = label, .what = PACK};
  portable_status status = filter(&f, rank, extents, mask_kind, options, out, room, count_out);
  const char *rest = f.options.rest;
  if (status != PORTABLE_OK || !rest || f.on_device) return status;
  if (!f.chosen.count && ((status = portable_fence_memory(rest)) != PORTABLE_OK || (status = portable_fence_memory(out)) != PORTABLE_OK)) return status;
  int64_t step = f.options.rest_stride ? f.options.rest_stride : element_bytes;
  for (int64_t i = *count_out; i < room; i++) memmove(f.packed.first + i * f.packed.step, rest + i * step, (size_t)element_bytes);
  return PORTABLE_OK;
}

portable_status portable_unpack(const char *label, int64_t element_bytes, const void *vector, int64_t count, int32_t rank, const int64_t *extents,
                                int32_t mask_kind, const void *mask, const portable_filter_options *options, void *data,
                                int64_t *count_out) {
  PORTABLE__CALL("portable_unpack");
  struct filter f = {.chosen = {.data = data, .mask = mask, .element_bytes = element_bytes}, .label = label, .what = UNPACK};
  return filter(&f, rank, extents, mask_kind, options, vector, count, count_out);
}

portable_status portable_filter_indices(const char *label, int32_t rank, const int64_t *extents, int32_t mask_kind, const void *mask,
                                        const portable_filter_options *options, int64_t lower, int32_t index_kind, void *indices,
                                        int64_t room, int64_t *count_out) {
  PORTABLE__CALL("portable_filter_indices");
  struct filter f = {.chosen = {.mask = mask, .element_bytes = 1}, .label = label, .what = INDICES};
  f.lower = lower;
  f.index_bytes = portable__index_bytes(index_kind);
  if (!f.index_bytes) {
    if (count_out) *count_out = 0;
    return FAIL(PORTABLE_ERR_ARG, "index_kind is %d; it is PORTABLE_KIND_INT32 or _INT64", calls[INDICES], label ? label : "unlabelled", (int)index_kind);
  }
  return filter(&f, rank, extents, mask_kind, options, indices, room, count_out);
}
