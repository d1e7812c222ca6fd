/* fortran_descriptor.c - arrays from and to C descriptors of Fortran, after portable_cfi.c, which
 * belongs to the program, has read addresses and byte strides. Here because errors have texts. Not
 * here: sections of portable_array_mod (fortran_array.c). */
#include <inttypes.h>
#include <string.h>

#include "../../arrays/owner/array.h"

static portable_status wrap(const char *function, const char *label, const struct portable__array_steps *steps, const portable_array_config *given,
                            portable_array *array_out) {
  int64_t strides[PORTABLE_ARRAY_RANK], ones[PORTABLE_ARRAY_RANK], contiguous = 1;
  const int64_t bytes = (int64_t)steps->element_bytes;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  if (!label || !label[0]) label = "array";
  if (!array_out) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': array_out is NULL", function, label);
  memset(array_out, 0, sizeof *array_out);
  if (given && (given->struct_size < sizeof(uint32_t) || given->struct_size > sizeof config))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': config.struct_size is %u; begin with PORTABLE_ARRAY_CONFIG_INIT", function, label,
                          (unsigned)given->struct_size);
  if (given) memcpy(&config, given, given->struct_size);
  if (!steps->data)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the pointer is not associated, or the allocatable not allocated", function, label);
  if (steps->lower_rank >= 0 && steps->lower_rank != steps->rank)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there are %d extents, but %d lower bounds", function, label, (int)steps->rank,
                          (int)steps->lower_rank);
  for (int32_t d = 0; d < steps->rank; d++) {
    ones[d] = 1;
    if (steps->extent[d] < 0)
      return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': dimension %d has no extent; of an argument of assumed size hand on a part, x(1:n)", function,
                            label, (int)d + 1);
    if (steps->extent[d] > 1 && steps->step[d] % bytes != 0)
      return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': dimension %d goes on by %" PRId64 " bytes, which is no whole number of elements of %" PRId64
                            " bytes", function, label, (int)d + 1, steps->step[d], bytes);
    strides[d] = steps->extent[d] > 1 ? steps->step[d] / bytes : contiguous;
    contiguous = strides[d] * steps->extent[d];
  }
  if (config.order == PORTABLE_ORDER_C) config.order = PORTABLE_ORDER_FORTRAN;
  if (!config.lower) config.lower = steps->lower_rank >= 0 ? steps->lower : ones;
  return portable_array_wrap(label, steps->kind, steps->kind == PORTABLE_KIND_BYTES ? (size_t)bytes : 0, steps->data, steps->rank,
                             steps->extent, strides, &config, array_out);
}

portable_status portable__fortran_array_from_cfi(const char *label, const struct portable__array_steps *steps,
                                                 const portable_array_config *config, portable_array *array_out) {
  return wrap("portable_array_from_cfi", label, steps, config, array_out);
}

portable_status portable__fortran_array_describe(int32_t version, const char *label, size_t label_bytes,
                                                   const struct portable__array_steps *steps, portable_array *array) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_array made;
  portable_status status = portable__array_handle_begin("portable_array_describe", version, label, label_bytes, array, name);
  if (status == PORTABLE_OK) status = wrap("portable_array_describe", name, steps, NULL, &made);
  if (status == PORTABLE_OK) *array = made;
  return status;
}

portable_status portable__fortran_array_to_cfi(const portable_array *array, int32_t kind, int32_t rank, struct portable__array_steps *steps_out) {
  static const char function[] = "portable_array_to_cfi";
  portable_status status = portable__array_reached(function, array);
  if (status != PORTABLE_OK) return status;
  if (kind < 0 || rank < 0)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': this is no C descriptor of a pointer; a component of a structure needs '=> null()'", function, array->label);
  if (array->kind != kind || array->rank != rank) return portable__array_other_pointer(function, array, kind, rank);
  if ((status = portable__array_uses(function, array, PORTABLE_TWIN_READ)) != PORTABLE_OK) return status;
  memset(steps_out, 0, sizeof *steps_out);
  steps_out->data = array->data;
  steps_out->element_bytes = array->element_bytes;
  steps_out->kind = kind;
  steps_out->rank = rank;
  memcpy(steps_out->lower, array->lower, sizeof array->lower);
  memcpy(steps_out->extent, array->extent, sizeof array->extent);
  for (int32_t d = 0; d < rank; d++) steps_out->step[d] = array->stride[d] * (int64_t)array->element_bytes;
  return PORTABLE_OK;
}
