/* array_make.c - portable_array_create and portable_array_wrap. Ordinary arrays are planned here,
 * without a call into Go; Go plans and refuses all others (arrays/making.go). Not here: holders
 * (array.c). Threads: any; no lock. */
#include "questions.h"
#include "../../gator/front/front.h"
#include "../../internal/edge/calls.h"
#include "layout.h"

#include <string.h>

#include "../../internal/backend/cuda/devices.h"
#include "../../internal/backend/cuda/memory.h"
#include "../../internal/kernels/reduction/partial.h"
#include "../../internal/team/emulated.h"
#include "../../internal/team/team.h"

#define ZERO_ALONE (1u << 20) /* bytes; the team sets more, so that each thread first touches the pages that it will use */

static const portable_array none;

size_t portable__array_element_bytes(int32_t kind, size_t element_bytes) {
  if (kind == PORTABLE_KIND_BYTES) return element_bytes;
  size_t bytes = kind == PORTABLE_KIND_EXACT ? sizeof(portable_exact) : portable__kind_bytes(kind);
  return element_bytes && element_bytes != bytes ? 0 : bytes;
}

void portable__array_begin(portable_array *array, const char *label, int32_t kind) {
  size_t n = strlen(label);
  memcpy(array->label, label, n < sizeof array->label ? n : sizeof array->label - 1);
  array->struct_size = (uint32_t)sizeof *array;
  array->kind = kind;
  if (PORTABLE__UNLIKELY(portable_checks() & PORTABLE_CHECK_ARRAYS)) array->flags = PORTABLE_ARRAY_CHECKED;
}

void portable__array_config(const portable_array_config *given, portable_pool pool, portable_array_config *config) {
  static const portable_array_config init = PORTABLE_ARRAY_CONFIG_INIT;
  *config = init;
  if (given) memcpy(config, given, given->struct_size);
  if (pool) config->pool = pool;
}

/* The layout of ordinary extents. Same result as arrays.Request.Layout (TestOrdinaryArraysAgree). */
static int laid_out(portable_array *a, int32_t rank, const int64_t *extents, const portable_array_config *config, uint64_t *bytes_out) {
  const int64_t most = INT64_C(1) << 31;
  int64_t stride = 1;
  for (int32_t k = 0; k < rank; k++) {
    int32_t d = config->order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
    int64_t n = extents[d], lower = config->lower ? config->lower[d] : config->order;
    if (n < 1 || n >= most || lower > most || lower < -most || stride >= INT64_MAX >> 32) return 0;
    a->fastest[k] = (int8_t)d;
    a->lower[d] = lower;
    a->extent[d] = n;
    a->stride[d] = stride;
    stride *= n;
  }
  if (a->element_bytes >= (uint64_t)most || (uint64_t)stride >= (uint64_t)INT64_MAX >> 31) return 0;
  a->rank = rank;
  a->order = config->order;
  *bytes_out = (uint64_t)stride * a->element_bytes;
  return 1;
}

/* 1: the call is ordinary and the array is laid out: no refusal, rule, pool or row bytes. 0: Go does all of this (arrays.Making). */
static inline __attribute__((always_inline)) int ordinary(const struct portable__array_making *m, portable_array *a, portable_array_config *config, uint64_t *bytes_out) {
  if (m->given && (m->given->struct_size < sizeof(uint32_t) || m->given->struct_size > sizeof *config)) return 0;
  portable__array_config(m->given, 0, config);
  if (config->order >= PORTABLE_ORDER_BY_RULE(0)) {
    if (m->what == PORTABLE__MAKE_WRAP || portable__layout_rules()) return 0;
    config->order -= PORTABLE_ORDER_BY_RULE(0);
  }
  if (config->space < 0 || (uint32_t)config->order > PORTABLE_ORDER_FORTRAN || config->row_bytes || m->rank < 1 || m->rank > PORTABLE_LOOP_RANK ||
      !m->extents || m->strides || !atomic_load_explicit(&portable__slab_count, memory_order_relaxed)) return 0;
  if (m->what == PORTABLE__MAKE_WRAP ? config->zero || config->pool || !m->data : config->space != PORTABLE_SPACE_HOST && (!config->pool || (config->zero && !portable__array_copied(config->space))))
    return 0;
  a->space = config->space;
  a->element_bytes = portable__array_element_bytes(m->kind, m->element_bytes);
  return a->element_bytes != 0 && laid_out(a, m->rank, m->extents, config, bytes_out);
}

/* For the test that compares C's plan with Go's; capi/doors.go declares it, too. */
int portable__array_ordinary(const struct portable__array_making *m, portable_array *a, portable_array_config *config, uint64_t *bytes_out);
int portable__array_ordinary(const struct portable__array_making *m, portable_array *a, portable_array_config *config, uint64_t *bytes_out) {
  return ordinary(m, a, config, bytes_out);
}

/* Plans the array, its config and its bytes; memory and owner come later. */
static portable_status plan(const char *function, struct portable__array_making *m, portable_array *a, portable_array_config *config) {
  portable__array_begin(a, m->label, m->kind);
  if (PORTABLE__LIKELY(ordinary(m, a, config, &m->bytes))) return PORTABLE_OK;
  portable_status status;
  PORTABLE__ARRAY_PLANNED(&status, function, m->label, portable__owner_go.array_make(m, a));
  if (status == PORTABLE_OK) portable__array_config(m->given, m->pool, config);
  return status;
}

portable_status portable__array_allocate(const char *function, const portable_array_config *config, uint64_t bytes, portable_array *a) {
  portable_status status = config->pool ? portable_pool_alloc(config->pool, bytes, a->label, &a->data)
                                        : portable__alloc(bytes, a->label, strlen(a->label), &a->data);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_named(status, function, a->label);
  if (config->pool && a->space == PORTABLE_SPACE_HOST) /* the pool knows its memory, also where the call does not name it */
    a->space = portable__emulated_at((uintptr_t)a->data, NULL, NULL) ? PORTABLE_SPACE_DEVICE(0) : portable__cuda_space_of((uintptr_t)a->data);
  status = portable__array_own(function, config, a->data, a);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) portable__array_give_block(config->pool, a->data);
  return status;
}

int portable__array_emulated(int32_t space) { return space == PORTABLE_SPACE_DEVICE(0) && portable__emulated_number(); }
int portable__array_copied(int32_t space) {
  return space < PORTABLE_SPACE_DEVICE(0) || portable__array_emulated(space) || portable__cuda_number(space - PORTABLE_SPACE_DEVICE(0));
}

portable_status portable__array_zero(const portable_array *a, uint64_t bytes) {
  if (bytes > ZERO_ALONE || a->space >= PORTABLE_SPACE_DEVICE(0)) return portable_array_fill(a, NULL, NULL);
  memset(a->data, 0, bytes);
  return PORTABLE_OK;
}

static portable_status create(struct portable__array_making *m, portable_array *a) {
  static const char function[] = "portable_array_create";
  portable_array_config c;
  PORTABLE__CALL(function); /* block and owner belong to one run of the library */
  portable_status status = plan(function, m, a, &c);
  if (status == PORTABLE_OK) status = portable__array_allocate(function, &c, m->bytes, a);
  if (status == PORTABLE_OK && c.zero && (status = portable__array_zero(a, m->bytes)) != PORTABLE_OK) portable_array_release(a);
  return status;
}

portable_status portable_array_create(const char *label, int32_t kind, size_t element_bytes, int32_t rank, const int64_t *extents,
                                      const portable_array_config *config, portable_array *array_out) {
  if (!label || !label[0]) label = "array";
  if (!array_out) return portable__array_missing("portable_array_create", label, "array_out");
  struct portable__array_making m = {.label = label, .given = config, .extents = extents, .element_bytes = element_bytes, .kind = kind, .rank = rank};
  *array_out = none;
  portable_status status = create(&m, array_out);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) *array_out = none;
  return status;
}

portable_status portable_array_wrap(const char *label, int32_t kind, size_t element_bytes, void *data, int32_t rank,
                                    const int64_t *extents, const int64_t *strides, const portable_array_config *config,
                                    portable_array *array_out) {
  static const char function[] = "portable_array_wrap";
  portable_array_config c;
  if (!label || !label[0]) label = "array";
  if (!array_out) return portable__array_missing(function, label, "array_out");
  struct portable__array_making m = {.label = label, .given = config, .extents = extents, .strides = strides, .data = data,
                                     .element_bytes = element_bytes, .kind = kind, .rank = rank, .what = PORTABLE__MAKE_WRAP};
  *array_out = none;
  portable_status status = plan(function, &m, array_out, &c);
  array_out->data = data;
  if (status == PORTABLE_OK && c.end) status = portable__array_own(function, &c, NULL, array_out);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) *array_out = none;
  return status;
}
