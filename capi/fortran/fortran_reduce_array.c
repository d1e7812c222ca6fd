/* fortran_reduce_array.c - the functions of portable_reduce_mod: sections of Fortran, results as
 * default integers and logicals. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fortran_section.h"

#define FEW 64 /* results on the stack */

/* Stores an integer or logical of that size. 0: the value does not fit. */
static int put(void *to, int64_t i, int32_t bytes, int64_t value) {
  switch (bytes) {
  case 1: ((int8_t *)to)[i] = (int8_t)value; return 1;
  case 2: ((int16_t *)to)[i] = (int16_t)value; return 1;
  case 4: ((int32_t *)to)[i] = (int32_t)value; return value <= INT32_MAX;
  default: ((int64_t *)to)[i] = value; return 1;
  }
}

/* The number of results; 0 if an extent is 0. */
static int64_t results_of(int32_t op, const struct portable__fortran_section *array, int32_t dim) {
  int64_t n = 1;
  if (dim == 0) return op == PORTABLE_REDUCE_MINLOC || op == PORTABLE_REDUCE_MAXLOC ? array->rank : 1;
  for (int32_t d = 0; d < array->rank; d++)
    if (d != dim - 1) n *= array->extent[d];
  return n;
}

portable_status portable__fortran_reduce_array(int32_t version, const char *label, size_t label_bytes, int32_t op,
                                               const struct portable__fortran_section *array,
                                               const struct portable__fortran_section *mask, int32_t dim, uint32_t flags,
                                               int32_t integer_bytes, void *result) {
  static const char *const names[] = {"", "reduce_sum", "reduce_product", "reduce_min", "reduce_max", "reduce_minloc", "reduce_maxloc",
                                      "reduce_any", "reduce_all", "reduce_count"};
  char name[PORTABLE__LABEL_MAX + 1];
  int64_t strides[PORTABLE_LOOP_RANK], mask_strides[PORTABLE_LOOP_RANK] = {0}, few[FEW], *many = few;
  portable_array_options options = PORTABLE_ARRAY_OPTIONS_INIT;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  if (!name[0]) strcpy(name, names[op]);
  portable__section_strides(array, strides);
  options.flags = flags;
  options.order = PORTABLE_ORDER_FORTRAN;
  options.dim = dim;
  options.strides = strides;
  options.launch = array->launch;
  if (dim < 0) /* Fortran counts from 1 */
    return portable__fail(PORTABLE_ERR_ARG, "reduce_array '%s': dim is not 1 to %d", name, (int)array->rank);
  if (mask->kind) {
    if (mask->rank && (status = portable__section_shape("reduce_array", name, "mask", mask, array)) != PORTABLE_OK) return status;
    portable__section_strides(mask, mask_strides);
    options.mask = mask->data;
    options.mask_kind = mask->kind;
    options.mask_strides = mask_strides;
  }
  if (op < PORTABLE_REDUCE_MINLOC) return portable_reduce_array(name, op, array->kind, array->data, array->rank, array->extent, &options, result);
  int64_t n = results_of(op, array, dim);
  if (n > FEW && !(many = malloc((size_t)n * sizeof *many)))
    return portable__fail(PORTABLE_ERR_NOMEM, "reduce_array '%s': no memory for %" PRId64 " results", name, n);
  status = portable_reduce_array(name, op, array->kind, array->data, array->rank, array->extent, &options, many);
  int flag = op == PORTABLE_REDUCE_ANY || op == PORTABLE_REDUCE_ALL;
  if (flag) integer_bytes = 1 << (array->kind - PORTABLE_KIND_LOGICAL8);
  for (int64_t i = 0; i < n && status == PORTABLE_OK; i++) {
    int64_t value = flag ? ((int32_t *)many)[i] : op == PORTABLE_REDUCE_COUNT ? many[i] : many[i] + 1;
    if (!put(result, i, integer_bytes, value))
      status = portable__fail(PORTABLE_ERR_OVERFLOW, "reduce_array '%s': the result %" PRId64 " does not fit a default integer", name, value);
  }
  if (many != few) free(many);
  return status;
}
