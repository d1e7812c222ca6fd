/* reorder.c - arrays in another order: element i gets the value of element order[i], in several
 * arrays at once. Main function: portable_reorder. Invariant: nothing is moved before order is
 * known to be a permutation. Threads: any; no lock. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "../../capi/include/mesh/portable_mesh.h"
#include "../../gator/front/front.h"
#include "../../internal/edge/calls.h"
#include "../../internal/kernels/base/overlap.h"
#include "../algorithm/call.h"
#include "../launch/launch.h"
#include "there.h"

#define SMALL 8192 /* fewer elements are moved by the calling thread: they take less time than a wake-up */
#define UNIT 8192  /* elements of an iteration of a launch */

struct reordering {
  const char *label;
  portable_launch_config config;
  const void *order;
  int64_t count, lower, unit;
  int32_t bytes; /* of a number of order */
  _Atomic unsigned char *taken;       /* [count] 1: order has that number */
  _Atomic int64_t outside, twice;     /* the first place whose number is out of range; the least number that is there twice */
  const portable_reorder_array *array; /* the one that is moved */
  char *copy;
};

#define FAIL(code, ...) portable__fail(code, "reorder '%s': " __VA_ARGS__)

static int64_t number(const struct reordering *r, int64_t i) {
  return (int64_t)((uint64_t)(r->bytes == 4 ? ((const int32_t *)r->order)[i] : ((const int64_t *)r->order)[i]) - (uint64_t)r->lower);
}

static void least(_Atomic int64_t *at, int64_t value) {
  int64_t first = atomic_load_explicit(at, memory_order_relaxed);
  while (value < first && !atomic_compare_exchange_weak_explicit(at, &first, value, memory_order_relaxed, memory_order_relaxed)) {
  }
}

static int64_t last(const struct reordering *r, const portable_tile *t) {
  const int64_t to = (t->upper[0] + 1) * r->unit;
  return to < r->count ? to : r->count;
}

static void check_kernel(const portable_tile *t, void *args) {
  struct reordering *r = args;
  for (int64_t i = t->lower[0] * r->unit, to = last(r, t); i < to; i++) {
    const int64_t n = number(r, i);
    if (n < 0 || n >= r->count)
      least(&r->outside, i);
    else if (atomic_exchange_explicit(&r->taken[n], 1, memory_order_relaxed))
      least(&r->twice, n);
  }
}

#define GATHER(T)                                                                                  \
  for (int64_t i = from; i < to; i++) ((T *)(void *)r->copy)[i] = *(const T *)(const void *)(data + number(r, i) * step)

static void gather_kernel(const portable_tile *t, void *args) {
  const struct reordering *r = args;
  const int64_t from = t->lower[0] * r->unit, to = last(r, t), step = r->array->stride;
  const size_t bytes = r->array->element_bytes;
  const char *const data = r->array->data;
  if (bytes == 8 && !((uintptr_t)data % 8) && !(step % 8))
    GATHER(uint64_t);
  else if (bytes == 4 && !((uintptr_t)data % 4) && !(step % 4))
    GATHER(uint32_t);
  else
    for (int64_t i = from; i < to; i++) memcpy(r->copy + (size_t)i * bytes, data + number(r, i) * step, bytes);
}

static void back_kernel(const portable_tile *t, void *args) {
  const struct reordering *r = args;
  const int64_t from = t->lower[0] * r->unit, to = last(r, t), step = r->array->stride;
  const size_t bytes = r->array->element_bytes;
  char *const data = r->array->data;
  if (step == (int64_t)bytes)
    memcpy(data + from * step, r->copy + from * step, (size_t)((to - from) * step));
  else
    for (int64_t i = from; i < to; i++) memcpy(data + i * step, r->copy + (size_t)i * bytes, bytes);
}

static portable_status launch(struct reordering *r, portable_kernel_function kernel) {
  const portable_bounds units = portable_bounds_1(r->count ? (r->count - 1) / r->unit + 1 : 0);
  const portable_status status = portable__launch(r->label, &units, kernel, r, 0, &r->config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  return status == PORTABLE_OK ? status : portable__rename_error(status, "reorder");
}

/* Refuses an order that is no permutation. */
static portable_status refused(const struct reordering *r, const struct portable__there *t) {
  const int64_t outside = atomic_load_explicit(&r->outside, memory_order_relaxed), twice = atomic_load_explicit(&r->twice, memory_order_relaxed);
  if (outside != INT64_MAX)
    return FAIL(PORTABLE_ERR_ARG, "number %" PRId64 " of order is %" PRId64 ", but elements are %" PRId64 " to %" PRId64, r->label, outside + r->lower,
                portable__there_get(t, r->order, r->bytes, outside), r->lower, r->count - 1 + r->lower);
  if (twice != INT64_MAX) return FAIL(PORTABLE_ERR_ARG, "order has element %" PRId64 " twice, so another one would be lost", r->label, twice + r->lower);
  return PORTABLE_OK;
}

/* scratch: the largest element times count, and at least count bytes. */
static portable_status move(struct reordering *r, const portable_reorder_array *arrays, int32_t array_count, void *scratch, const struct portable__there *t) {
  memset(scratch, 0, (size_t)r->count);
  r->taken = scratch;
  portable_status status = launch(r, check_kernel);
  if (status != PORTABLE_OK) return status;
  if ((status = refused(r, t)) != PORTABLE_OK) return status;
  r->copy = scratch;
  for (int32_t a = 0; a < array_count && status == PORTABLE_OK; a++) {
    r->array = &arrays[a];
    if ((status = launch(r, gather_kernel)) == PORTABLE_OK) status = launch(r, back_kernel);
  }
  return status;
}

static int share(const struct reordering *r, const void *at, int64_t bytes, int64_t step, const portable_reorder_array *a) {
  return r->count && portable__overlap(&(struct portable__lying){at, bytes, 1, {r->count}, {step}},
                                       &(struct portable__lying){a->data, (int64_t)a->element_bytes, 1, {r->count}, {a->stride}}) == PORTABLE__SHARED;
}

/* most: bytes of the largest array. */
static portable_status on_device(struct reordering *r, const portable_reorder_array *arrays, int32_t array_count, int64_t most, struct portable__there *t) {
  portable__there_begin(t);
  struct portable__cuda_reorder w = {.order = r->order, .found = t->found, .count = r->count, .lower = r->lower, .bytes = r->bytes};
  w.taken = portable__there_take(t, (r->count + 31) / 32 * (int64_t)sizeof *w.taken);
  w.copy = portable__there_take(t, most);
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_ORDER), (int64_t[]){r->count, r->count}, 2, &w, sizeof w);
  if (t->status == PORTABLE_OK) {
    atomic_store_explicit(&r->outside, t->found[0], memory_order_relaxed);
    atomic_store_explicit(&r->twice, t->found[1], memory_order_relaxed);
    t->status = refused(r, t);
  }
  for (int32_t a = 0; a < array_count && t->status == PORTABLE_OK; a++) {
    w.data = arrays[a].data;
    w.stride = arrays[a].stride;
    w.element_bytes = (int64_t)arrays[a].element_bytes;
    w.unit = portable__evenness((uint64_t)(uintptr_t)w.data | (uint64_t)w.stride | (uint64_t)w.element_bytes, 8);
    const int64_t units = r->count * (w.element_bytes / w.unit);
    portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_MOVE), (int64_t[]){units, units}, 2, &w, sizeof w);
  }
  return portable__there_end(t);
}

/* A device must be able to access all arrays, or the host all. */
static portable_status choose(struct reordering *r, const portable_reorder_array *arrays, int32_t array_count, struct portable__there *t) {
  for (int can = 1; can >= 0; can--) {
    int here = 0;
    for (int32_t a = -1; a < array_count; a++) {
      const struct portable__memory memory = {a < 0 ? "order" : "an array", a < 0 ? r->order : arrays[a].data, 0};
      const portable_status status = can ? portable__there_choose(t, "reorder", r->label, &r->config, &memory, 1, 0)
                                         : portable__place("reorder", r->label, &r->config, &memory, 1, 0, &t->place);
      if (status != PORTABLE_OK) return status;
      here |= t->place.index < 0;
    }
    if (!here || !portable__on_device_matters()) break;
  }
  return PORTABLE_OK;
}

static portable_status arguments(struct reordering *r, const portable_reorder_array *arrays, int32_t array_count, int64_t *most) {
  if (!r->bytes) return FAIL(PORTABLE_ERR_ARG, "index_kind is not PORTABLE_KIND_INT32 or _INT64", r->label);
  if (r->count < 0 || r->count > INT64_MAX / 16) return FAIL(PORTABLE_ERR_ARG, "the count of elements is %" PRId64, r->label, r->count);
  if (array_count < 0 || (array_count && !arrays)) return FAIL(PORTABLE_ERR_ARG, "arrays is NULL, or their count is negative", r->label);
  if (r->count && !r->order) return FAIL(PORTABLE_ERR_ARG, "order is NULL", r->label);
  for (int32_t a = 0; a < array_count; a++) {
    const int64_t step = arrays[a].stride, bytes = (int64_t)arrays[a].element_bytes;
    int64_t all;
    if (r->count && !arrays[a].data) return FAIL(PORTABLE_ERR_ARG, "data of array %d is NULL", r->label, (int)a + 1);
    if (bytes < 1 || (r->count > 1 && step < bytes && step > -bytes))
      return FAIL(PORTABLE_ERR_ARG, "array %d has elements of %" PRId64 " bytes that are %" PRId64 " bytes apart", r->label, (int)a + 1, bytes, step);
    if (__builtin_mul_overflow(r->count, bytes, &all) || __builtin_mul_overflow(r->count, step, &(int64_t){0}))
      return FAIL(PORTABLE_ERR_OVERFLOW, "array %d has more bytes than a 64-bit integer counts", r->label, (int)a + 1);
    if (all > *most) *most = all;
    if (share(r, r->order, r->bytes, r->bytes, &arrays[a])) return FAIL(PORTABLE_ERR_ARG, "array %d shares memory with order; give a copy of order", r->label, (int)a + 1);
    for (int32_t b = 0; b < a; b++)
      if (share(r, arrays[b].data, (int64_t)arrays[b].element_bytes, arrays[b].stride, &arrays[a]))
        return FAIL(PORTABLE_ERR_ARG, "arrays %d and %d share memory, so it would be moved twice", r->label, (int)b + 1, (int)a + 1);
  }
  return PORTABLE_OK;
}

portable_status portable_reorder(const char *label, int32_t index_kind, const void *order, int64_t count, const portable_reorder_array *arrays,
                                 int32_t array_count, const portable_csr_options *options) {
  PORTABLE__CALL("portable_reorder");
  portable_csr_options o = PORTABLE_CSR_OPTIONS_INIT;
  struct reordering r;
  void *scratch = NULL;
  memset(&r, 0, sizeof r);
  r.label = label ? label : "unlabelled";
  atomic_init(&r.outside, INT64_MAX);
  atomic_init(&r.twice, INT64_MAX);
  if (!PORTABLE__OPTIONS(o, options)) return FAIL(PORTABLE_ERR_ARG, "options.struct_size is %u; begin with PORTABLE_CSR_OPTIONS_INIT", r.label, options->struct_size);
  if (!portable__launch_is_good(o.launch)) return FAIL(PORTABLE_ERR_ARG, "launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT", r.label, o.launch->struct_size);
  if (o.lower != 0 && o.lower != 1) return FAIL(PORTABLE_ERR_ARG, "lower is %d; it is 0 or 1", r.label, (int)o.lower);
  r.order = order;
  r.count = count;
  r.lower = o.lower;
  r.bytes = portable__index_bytes(index_kind);
  r.unit = count <= SMALL ? (count > 0 ? count : 1) : UNIT;
  int64_t most = count;
  portable_status status = arguments(&r, arrays, array_count, &most);
  if (status != PORTABLE_OK) return status;
  if (!portable_is_initialized()) return portable__not_running("portable_reorder");
  portable__call_config(o.launch, &r.config);
  struct portable__there t = {.place = {.index = -1}};
  if (count && (status = choose(&r, arrays, array_count, &t)) != PORTABLE_OK) return status;
  if (t.place.index >= 0) return on_device(&r, arrays, array_count, most, &t);
  for (int32_t a = -1; a < array_count && count && !r.config.stream; a++)
    if ((status = portable_fence_memory(a < 0 ? order : arrays[a].data)) != PORTABLE_OK) return status;
  if (most && (status = portable__alloc((size_t)most, r.label, strlen(r.label), &scratch)) != PORTABLE_OK) return portable__no_scratch(status, "reorder", r.label);
  if (scratch) {
    status = move(&r, arrays, array_count, scratch, &t);
    portable__free(scratch);
    return status;
  }
  return launch(&r, check_kernel); /* the refusals of a launch, and its wait */
}
