/* array_make.c - making arrays: create and wrap. In C because an ordinary array must be made and dropped in a quarter of a microsecond, by any
 * number of threads at once; see array.h. Not in this file: who holds them (array.c). Threads: any, at any time. */
#include "questions.h"
#include "../../gator/front/front.h"
#include "../../internal/edge/calls.h"
#include "layout.h"

#include <string.h>

#include "../../internal/backend/cuda/devices.h"
#include "../../internal/kernels/reduction/partial.h"
#include "../../internal/team/emulated.h"
#include "../../internal/team/team.h"

#define ZERO_ALONE (1u << 20) /* bytes; more are set on the team, whose threads touch first what they will compute on */

static const portable_array none;

size_t portable__array_element_bytes(const char *function, const char *label, int32_t kind, size_t element_bytes) {
  size_t bytes = kind == PORTABLE_KIND_BYTES ? element_bytes : kind == PORTABLE_KIND_EXACT ? sizeof(portable_exact) : portable__kind_bytes(kind);
  if (kind == PORTABLE_KIND_BYTES ? bytes == 0 : bytes == 0 || (element_bytes && element_bytes != bytes)) {
    if (kind == PORTABLE_KIND_BYTES || bytes)
      portable__fail(PORTABLE_ERR_ARG, "%s of '%s': element_bytes is %zu; elements of the kind %s have %s", function, label, element_bytes,
                     portable__array_kind(kind), bytes ? "other sizes; give 0" : "1 or more");
    else
      portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there is no kind %d; they are PORTABLE_KIND_BYTES to _EXACT", function, label, (int)kind);
    return 0;
  }
  return bytes;
}

portable_status portable__array_config(const char *function, const char *label, const portable_array_config *given, portable_array_config *config) {
  static const portable_array_config init = PORTABLE_ARRAY_CONFIG_INIT;
  *config = init;
  if (given && (given->struct_size < sizeof(uint32_t) || given->struct_size > sizeof *config))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': config.struct_size is %u; begin with PORTABLE_ARRAY_CONFIG_INIT", function, label,
                          (unsigned)given->struct_size);
  if (given) memcpy(config, given, given->struct_size);
  if (config->space < 0)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': space is %d; it is PORTABLE_SPACE_HOST, _PINNED, _MANAGED or _DEVICE(k)", function, label,
                          (int)config->space);
  return PORTABLE_OK;
}

/* The layout of an ordinary request, without the call into Go that decides all others: 0 is what arrays.Request.Layout would give for it, too
 * (every array of the tests is laid out both ways). C and Fortran order, a byte count that is small beside what integers hold. */
static int ordinary(portable_array *a, int32_t rank, const int64_t *extents, const portable_array_config *config, uint64_t *bytes_out) {
  const int64_t most = INT64_C(1) << 31;
  int64_t stride = 1;
  if (rank < 1 || rank > PORTABLE_LOOP_RANK || (uint32_t)config->order > PORTABLE_ORDER_FORTRAN || config->row_bytes ||
      !atomic_load_explicit(&portable__slab_count, memory_order_relaxed)) return -1;
  for (int32_t k = 0; k < rank; k++) {
    int32_t d = config->order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
    int64_t n = extents[d], lower = config->lower ? config->lower[d] : config->order;
    if (n < 1 || n >= most || lower > most || lower < -most || stride >= INT64_MAX >> 32) return -1;
    a->fastest[k] = (int8_t)d;
    a->lower[d] = lower;
    a->extent[d] = n;
    a->stride[d] = stride;
    stride *= n;
  }
  if (a->element_bytes >= (uint64_t)most || (uint64_t)stride >= (uint64_t)INT64_MAX >> 31) return -1;
  a->rank = rank;
  *bytes_out = (uint64_t)stride * a->element_bytes;
  return 0;
}

portable_status portable__array_describe(const char *function, const char *label, int32_t kind, size_t element_bytes, int32_t rank,
                                         const int64_t *extents, const int64_t *strides, const portable_array_config *config,
                                         portable_array *array, uint64_t *bytes_out) {
  struct portable__crossing crossing;
  size_t n = strlen(label);
  memcpy(array->label, label, n < sizeof array->label ? n : sizeof array->label - 1);
  array->struct_size = (uint32_t)sizeof *array;
  array->kind = kind;
  array->space = config->space;
  array->order = config->order;
  if (PORTABLE__UNLIKELY(portable_checks() & PORTABLE_CHECK_ARRAYS)) array->flags = PORTABLE_ARRAY_CHECKED;
  array->element_bytes = portable__array_element_bytes(function, label, kind, element_bytes);
  if (array->element_bytes == 0) return PORTABLE_ERR_ARG;
  if (rank > 0 && !extents) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': extents is NULL", function, label);
  if (PORTABLE__LIKELY(!strides && ordinary(array, rank, extents, config, bytes_out) == 0)) return PORTABLE_OK;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__owner_go.array_layout(array, rank, extents, strides, config->lower, config->fastest, config->row_bytes, bytes_out);
  portable__cross_out(&crossing);
  return portable__array_named(status, function, label);
}

portable_status portable__array_allocate(const char *function, const portable_array_config *config, uint64_t bytes, portable_array *a) {
  portable_status status = config->pool ? portable_pool_alloc(config->pool, bytes, a->label, &a->data)
                                        : portable__alloc(bytes, a->label, strlen(a->label), &a->data);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_named(status, function, a->label);
  status = portable__array_own(function, config, a->data, a);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) portable__array_give_block(config->pool, a->data);
  return status;
}

/* The label, made sure of; NULL: there is no out pointer, with its text. */
static const char *begin(const char *function, const char *label, portable_array *array_out) {
  if (!label || !label[0]) label = "array";
  if (!array_out) {
    portable__fail(PORTABLE_ERR_ARG, "%s of '%s': array_out is NULL", function, label);
    return NULL;
  }
  *array_out = none;
  return label;
}

int portable__array_emulated(int32_t space) { return space == PORTABLE_SPACE_DEVICE(0) && portable__emulated_number(); }
int portable__array_copied(int32_t space) {
  return space < PORTABLE_SPACE_DEVICE(0) || portable__array_emulated(space) || portable__cuda_number(space - PORTABLE_SPACE_DEVICE(0));
}

static portable_status create(const char *label, int32_t kind, size_t element_bytes, int32_t rank, const int64_t *extents,
                              const portable_array_config *config, portable_array *a) {
  static const char function[] = "portable_array_create";
  portable_array_config c;
  struct portable__layout_room room;
  uint64_t bytes = 0;
  PORTABLE__CALL(function); /* block and owner are of one run of the library */
  portable_status status = portable__array_config(function, label, config, &c);
  if (status == PORTABLE_OK) status = portable__layout_resolve(label, c.space >= PORTABLE_SPACE_DEVICE(0) ? PORTABLE__LAYOUT_FAR : 0, rank, &c, &room);
  if (status != PORTABLE_OK) return status;
  if (c.space != PORTABLE_SPACE_HOST && !c.pool && (status = portable_pool_of_space(c.space, &c.pool)) != PORTABLE_OK)
    return portable__array_named(status, function, label);
  const int closed = c.space >= PORTABLE_SPACE_DEVICE(0) && !portable__array_copied(c.space);
  if (c.zero && closed)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': zero is set, but the host does not reach the memory of a device", function, label);
  status = portable__array_describe(function, label, kind, element_bytes, rank, extents, NULL, &c, a, &bytes);
  if (status == PORTABLE_OK) status = portable__array_allocate(function, &c, bytes, a);
  if (status != PORTABLE_OK || !c.zero) return status;
  if (bytes <= ZERO_ALONE && c.space < PORTABLE_SPACE_DEVICE(0))
    memset(a->data, 0, bytes);
  else if ((status = portable_array_fill(a, NULL, NULL)) != PORTABLE_OK)
    portable_array_release(a);
  return status;
}

static portable_status wrap(const char *label, int32_t kind, size_t element_bytes, void *data, int32_t rank, const int64_t *extents,
                            const int64_t *strides, const portable_array_config *config, portable_array *a) {
  static const char function[] = "portable_array_wrap";
  portable_array_config c;
  uint64_t bytes = 0;
  portable_status status = portable__array_config(function, label, config, &c);
  if (status != PORTABLE_OK) return status;
  if (c.order >= PORTABLE_ORDER_BY_RULE(0))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the order is left to rules, but the elements lie somewhere already; give their order", function,
                          label);
  if (c.zero || c.row_bytes || c.pool)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': config has %s; that is for arrays that are created", function, label,
                          c.zero ? "zero" : c.pool ? "a pool" : "row_bytes: give strides");
  status = portable__array_describe(function, label, kind, element_bytes, rank, extents, strides, &c, a, &bytes);
  if (status != PORTABLE_OK) return status;
  a->data = data;
  if (!data && portable_array_size(a) > 0)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': data is NULL, but the array has %lld elements; was it allocated?", function, label,
                          (long long)portable_array_size(a));
  return c.end ? portable__array_own(function, &c, NULL, a) : PORTABLE_OK;
}

portable_status portable_array_create(const char *label, int32_t kind, size_t element_bytes, int32_t rank, const int64_t *extents,
                                      const portable_array_config *config, portable_array *array_out) {
  if (!(label = begin("portable_array_create", label, array_out))) return PORTABLE_ERR_ARG;
  portable_status status = create(label, kind, element_bytes, rank, extents, config, array_out);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) *array_out = none;
  return status;
}

portable_status portable_array_wrap(const char *label, int32_t kind, size_t element_bytes, void *data, int32_t rank,
                                    const int64_t *extents, const int64_t *strides, const portable_array_config *config,
                                    portable_array *array_out) {
  if (!(label = begin("portable_array_wrap", label, array_out))) return PORTABLE_ERR_ARG;
  portable_status status = wrap(label, kind, element_bytes, data, rank, extents, strides, config, array_out);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) *array_out = none;
  return status;
}
