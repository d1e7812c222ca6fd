/* fortran_sort.c - the functions of portable_sort_mod: sections of rank 1. Not here: sorting
 * (exec/algorithm). */
#include <inttypes.h>
#include <string.h>

#include "../../internal/kernels/reduction/partial.h"
#include "fortran_section.h"

/* Sets name and options; moved: values or indices, or NULL. */
static portable_status prepare(int32_t version, const char *call, const char *label, size_t label_bytes, int32_t descending,
                               const struct portable__fortran_section *keys, const struct portable__fortran_section *moved,
                               portable_sort_options *options, char name[PORTABLE__LABEL_MAX + 1]) {
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, PORTABLE__LABEL_MAX + 1, label, label_bytes);
  if (!name[0]) portable__copy_text(name, PORTABLE__LABEL_MAX + 1, call, strlen(call));
  options->flags = descending ? PORTABLE_SORT_DESCENDING : 0;
  portable__section_strides(keys, &options->stride); /* 0 for less than two elements */
  options->launch = keys->launch;
  if (!moved) return PORTABLE_OK;
  portable__section_strides(moved, &options->value_stride);
  if (moved->extent[0] != keys->extent[0])
    return portable__fail(PORTABLE_ERR_ARG, "%s '%s': there are %" PRId64 " keys, but %" PRId64 " elements for them in the other array", call,
                          name, keys->extent[0], moved->extent[0]);
  return PORTABLE_OK;
}

portable_status portable__fortran_sort(int32_t version, const char *label, size_t label_bytes, int32_t descending,
                                       const struct portable__fortran_section *keys) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  portable_status status = prepare(version, "sort", label, label_bytes, descending, keys, NULL, &options, name);
  if (status != PORTABLE_OK) return status;
  return portable_sort(name, keys->kind, (void *)(uintptr_t)keys->data, keys->extent[0], &options);
}

portable_status portable__fortran_sort_by_key(int32_t version, const char *label, size_t label_bytes, int32_t descending,
                                              const struct portable__fortran_section *keys,
                                              const struct portable__fortran_section *values) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  portable_status status = prepare(version, "sort_by_key", label, label_bytes, descending, keys, values, &options, name);
  if (status != PORTABLE_OK) return status;
  return portable_sort_by_key(name, keys->kind, (void *)(uintptr_t)keys->data, (void *)(uintptr_t)values->data, portable__kind_bytes(values->kind),
                              keys->extent[0], &options);
}

portable_status portable__fortran_sort_index(int32_t version, const char *label, size_t label_bytes, int32_t descending,
                                             const struct portable__fortran_section *keys,
                                             const struct portable__fortran_section *indices) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  portable_status status = prepare(version, "sort_index", label, label_bytes, descending, keys, indices, &options, name);
  if (status != PORTABLE_OK) return status;
  return portable_sort_index(name, keys->kind, keys->data, keys->extent[0], indices->kind, 1, &options, (void *)(uintptr_t)indices->data);
}
