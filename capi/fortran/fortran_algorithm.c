/* fortran_algorithm.c - the functions of portable_algorithm_mod: sections of Fortran, counts as
 * default integers. */
#include <inttypes.h>
#include <string.h>

#include "fortran_section.h"
#include "questions.h"

typedef struct portable__fortran_section section;

/* The label with an end. */
static portable_status begin(int32_t version, const char *label, size_t label_bytes, const char *otherwise, char *name, size_t room) {
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, room, label, label_bytes);
  if (!name[0]) strcpy(name, otherwise);
  return PORTABLE_OK;
}

portable_status portable__section_shape(const char *call, const char *label, const char *name, const section *s, const section *array) {
  portable_status status = PORTABLE_OK;
  for (int32_t d = 0; d < array->rank && status == PORTABLE_OK; d++)
    if (PORTABLE__UNLIKELY(s->extent[d] != array->extent[d]))
      PORTABLE__EXPLAINED(&status, call, label, PORTABLE_ERR_ARG,
                          portable__capi_fortran_go.extent_refused(call, label, name, d + 1, s->extent[d], array->extent[d]));
  return status;
}

static portable_status put_count(const char *call, const char *label, portable_status status, int64_t count, int32_t integer_bytes, void *count_out) {
  if (integer_bytes == 8) {
    *(int64_t *)count_out = count;
  } else if (count <= INT32_MAX) {
    *(int32_t *)count_out = (int32_t)count;
  } else {
    *(int32_t *)count_out = INT32_MAX;
    if (status == PORTABLE_OK)
      status = portable__fail(PORTABLE_ERR_OVERFLOW, "%s '%s': the count %" PRId64 " does not fit a default integer", call, label, count);
  }
  return status;
}

portable_status portable__fortran_scan(int32_t version, const char *label, size_t label_bytes, int32_t op, const section *array, const section *out,
                                       int32_t dim, int32_t exclusive, const void *initial) {
  static const char *const names[] = {"", "prefix_sum", "prefix_product", "prefix_min", "prefix_max"};
  char name[PORTABLE__LABEL_MAX + 1];
  int64_t strides[PORTABLE_LOOP_RANK], out_strides[PORTABLE_LOOP_RANK];
  portable_scan_options options = PORTABLE_SCAN_OPTIONS_INIT;
  portable_status status = begin(version, label, label_bytes, names[op], name, sizeof name);
  if (status != PORTABLE_OK) return status;
  if (dim < 0) /* Fortran counts from 1 */
    return portable__fail(PORTABLE_ERR_ARG, "scan '%s': dim is not 1 to %d", name, (int)array->rank);
  status = portable__section_shape("scan", name, "out", out, array);
  if (status != PORTABLE_OK) return status;
  portable__section_strides(array, strides);
  portable__section_strides(out, out_strides);
  options.flags = exclusive ? PORTABLE_SCAN_EXCLUSIVE : 0;
  options.order = PORTABLE_ORDER_FORTRAN;
  options.dim = dim;
  options.strides = strides;
  options.out_strides = out_strides;
  options.launch = array->launch;
  options.initial = initial;
  return portable_scan(name, op, array->kind, array->data, array->rank, array->extent, &options, (void *)(uintptr_t)out->data);
}

portable_status portable__fortran_pack(int32_t version, const char *label, size_t label_bytes, int32_t unpack, int64_t element_bytes,
                                       const section *array, const section *mask, const section *vector, const section *rest,
                                       int32_t integer_bytes, void *count_out) {
  char name[PORTABLE__LABEL_MAX + 1];
  const char *call = unpack ? "unpack" : "pack";
  int64_t strides[PORTABLE_LOOP_RANK], mask_strides[PORTABLE_LOOP_RANK], stride[PORTABLE_LOOP_RANK], count = 0;
  portable_filter_options options = PORTABLE_FILTER_OPTIONS_INIT;
  portable_status status = begin(version, label, label_bytes, unpack ? "unpack_into" : "pack_into", name, sizeof name);
  if (status == PORTABLE_OK) status = portable__section_shape(call, name, "mask", mask, array);
  if (status == PORTABLE_OK && rest->kind && rest->extent[0] != vector->extent[0])
    status = portable__fail(PORTABLE_ERR_ARG, "%s '%s': vector has %" PRId64 " elements, the result %" PRId64, call, name, rest->extent[0],
                            vector->extent[0]);
  if (status != PORTABLE_OK) return put_count(call, name, status, 0, integer_bytes, count_out);
  portable__section_strides(array, strides);
  portable__section_strides(mask, mask_strides);
  portable__section_strides(vector, stride);
  options.order = PORTABLE_ORDER_FORTRAN;
  options.strides = strides;
  options.mask_strides = mask_strides;
  options.packed_stride = stride[0];
  options.launch = array->launch;
  if (rest->kind) {
    portable__section_strides(rest, stride);
    options.rest = rest->data;
    options.rest_stride = stride[0];
  }
  if (unpack)
    status = portable_unpack(name, element_bytes, vector->data, vector->extent[0], array->rank, array->extent, mask->kind, mask->data, &options,
                             (void *)(uintptr_t)array->data, &count);
  else
    status = portable_pack(name, element_bytes, array->data, array->rank, array->extent, mask->kind, mask->data, &options,
                           (void *)(uintptr_t)vector->data, vector->extent[0], &count);
  return put_count(call, name, status, count, integer_bytes, count_out);
}

portable_status portable__fortran_indices(int32_t version, const char *label, size_t label_bytes, const section *mask, int64_t lower,
                                          const section *indices, int32_t integer_bytes, void *count_out) {
  char name[PORTABLE__LABEL_MAX + 1];
  int64_t mask_strides[PORTABLE_LOOP_RANK], stride[PORTABLE_LOOP_RANK], count = 0;
  portable_filter_options options = PORTABLE_FILTER_OPTIONS_INIT;
  portable_status status = begin(version, label, label_bytes, "active_indices", name, sizeof name);
  if (status == PORTABLE_OK) {
    portable__section_strides(mask, mask_strides);
    portable__section_strides(indices, stride);
    options.order = PORTABLE_ORDER_FORTRAN;
    options.mask_strides = mask_strides;
    options.packed_stride = stride[0];
    options.launch = mask->launch;
    status = portable_filter_indices(name, mask->rank, mask->extent, mask->kind, mask->data, &options, lower, indices->kind,
                                     (void *)(uintptr_t)indices->data, indices->extent[0], &count);
  }
  return put_count("filter_indices", name, status, count, integer_bytes, count_out);
}
