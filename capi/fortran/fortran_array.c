/* fortran_array.c - the functions of portable_array_mod that C does not have: labels without an
 * end, sections, and the parts of a Fortran pointer to an array. */
#include <inttypes.h>
#include <string.h>

#include "questions.h"
#include "../../arrays/owner/questions.h"

/* Copies the label; refuses a handle that holds an array already. */
portable_status portable__array_handle_begin(const char *function, int32_t version, const char *label, size_t label_bytes,
                                             const portable_array *array, char *name) {
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, PORTABLE__LABEL_MAX + 1, label, label_bytes);
  if (array->struct_size == 0) return PORTABLE_OK;
  return portable__fail(PORTABLE_ERR_STATE, "%s of '%s': the handle holds the array '%s' already; release it first", function, name[0] ? name : "array",
                        array->label);
}

portable_status portable__fortran_array_create(int32_t version, const char *label, size_t label_bytes, int32_t kind, int32_t rank,
                                               const int64_t *extents, int32_t lower_rank, const int64_t *lower, int32_t order,
                                               int32_t fastest_rank, const int32_t *fastest, int32_t zero, int64_t row_bytes,
                                               int32_t space, portable_pool pool, portable_array *array) {
  static const char function[] = "portable_array_create";
  char name[PORTABLE__LABEL_MAX + 1];
  int32_t from_zero[PORTABLE_ARRAY_RANK];
  int64_t ones[PORTABLE_ARRAY_RANK];
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_status status = portable__array_handle_begin(function, version, label, label_bytes, array, name);
  if (status != PORTABLE_OK) return status;
  if ((lower_rank >= 0 && lower_rank != rank) || (fastest_rank >= 0 && fastest_rank != rank))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there are %d extents, but %d %s", function, name[0] ? name : "array", (int)rank,
                          (int)(lower_rank >= 0 && lower_rank != rank ? lower_rank : fastest_rank),
                          lower_rank >= 0 && lower_rank != rank ? "lower bounds" : "dimensions in fastest");
  for (int32_t d = 0; d < PORTABLE_ARRAY_RANK; d++) {
    ones[d] = 1;
    from_zero[d] = fastest_rank >= 0 && d < rank ? fastest[d] - 1 : 0;
  }
  config.order = fastest_rank >= 0 ? PORTABLE_ORDER_PERMUTED : order;
  config.fastest = fastest_rank >= 0 ? from_zero : NULL;
  config.lower = lower_rank >= 0 ? lower : ones;
  config.zero = zero;
  config.row_bytes = (uint64_t)row_bytes;
  config.space = space;
  config.pool = pool;
  return portable_array_create(name, kind, 0, rank, extents, &config, array);
}

portable_status portable__fortran_array_wrap(int32_t version, const char *label, size_t label_bytes,
                                             const struct portable__fortran_parts *section, const int64_t *lower, portable_array *array) {
  static const char function[] = "portable_array_wrap";
  char name[PORTABLE__LABEL_MAX + 1];
  int64_t strides[PORTABLE_ARRAY_RANK], contiguous = 1;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_status status = portable__array_handle_begin(function, version, label, label_bytes, array, name);
  if (status != PORTABLE_OK) return status;
  int64_t bytes = (int64_t)portable__array_element_bytes(section->kind, 0);
  if (bytes == 0) return portable_array_wrap(name, section->kind, 0, NULL, 0, NULL, NULL, NULL, array); /* refuses the kind */
  for (int32_t d = 0; d < section->rank; d++) {
    int64_t step = (int64_t)((uintptr_t)section->next[d] - (uintptr_t)section->data);
    if (step % bytes != 0)
      return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': dimension %d goes on by %" PRId64 " bytes, which is no whole number of elements of %" PRId64
                            " bytes; a component of an array of a derived type cannot be wrapped", function, name[0] ? name : "array", (int)d + 1,
                            step, bytes);
    strides[d] = section->extent[d] > 1 ? step / bytes : contiguous;
    contiguous = strides[d] * section->extent[d];
  }
  config.order = PORTABLE_ORDER_FORTRAN;
  config.lower = lower;
  return portable_array_wrap(name, section->kind, 0, (void *)(uintptr_t)section->data, section->rank, section->extent, strides, &config, array);
}

PORTABLE__COLD portable_status portable__array_other_pointer(const char *function, const portable_array *a, int32_t kind,
                                                             int32_t rank) {
  portable_status status;
  PORTABLE__ARRAY_EXPLAINED(&status, function, a->label, PORTABLE_ERR_ARG, portable__owner_go.array_pointer(a->kind, a->rank, kind, rank));
  return status;
}

/* 1: the elements are contiguous in Fortran's order, in a valid descriptor. Go handles other arrays. */
static int whole(const portable_array *a) {
  int64_t expected = 1;
  if (a->order != PORTABLE_ORDER_FORTRAN) return 0;
  for (int32_t d = 0; d < a->rank; d++) {
    if (a->fastest[d] != d || a->extent[d] < 0 || (a->extent[d] > 1 && a->stride[d] != expected)) return 0;
    expected *= a->extent[d];
  }
  return 1;
}

portable_status portable__fortran_array_get(int32_t version, const portable_array *array, int32_t kind, int32_t rank,
                                            struct portable__fortran_view *view_out) {
  static const char function[] = "portable_array_get";
  struct portable__crossing crossing;
  int64_t origin = 0;
  portable_status status = portable__check_version(version);
  if (status == PORTABLE_OK) status = portable__array_reached(function, array);
  if (status != PORTABLE_OK) return status;
  if (array->kind != kind || array->rank != rank) return portable__array_other_pointer(function, array, kind, rank);
  if ((status = portable__array_uses(function, array, PORTABLE_TWIN_READ)) != PORTABLE_OK) return status;
  view_out->whole = whole(array);
  if (PORTABLE__LIKELY(view_out->whole)) {
    memcpy(view_out->big, array->extent, sizeof array->extent);
  } else if ((status = portable__cross_in(&crossing)) == PORTABLE_OK) {
    status = portable__capi_fortran_go.array_section(array, view_out, &origin);
    portable__cross_out(&crossing);
    portable__array_named(status, function, array->label);
  }
  view_out->data = (char *)array->data + origin * (int64_t)array->element_bytes;
  return status;
}
