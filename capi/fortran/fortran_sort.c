/* fortran_sort.c - what portable_sort_mod calls: sections of rank 1 as Fortran sees them. Not in this file: sorting (sort.c). */
#include <inttypes.h>
#include <string.h>

#include "../../internal/edge/base.h"


/* Bytes from one element to the next; a section of less than two has none. */
static int64_t stride_of(const struct portable__fortran_section *s) {
  return s->extent[0] < 2 ? 0 : (int64_t)((uintptr_t)s->next[0] - (uintptr_t)s->data);
}

static size_t bytes_of(int32_t kind) {
  static const uint8_t bytes[] = {0, 1, 2, 4, 8, 4, 8, 8, 16, 1, 2, 4, 8};
  return kind < PORTABLE_KIND_INT8 || kind > PORTABLE_KIND_LOGICAL64 ? 0 : bytes[kind];
}

/* Name and options; moved: values or indices, or NULL. */
static portable_status prepare(int32_t version, const char *call, const char *label, size_t label_bytes, int32_t descending,
                               const struct portable__fortran_section *keys, const struct portable__fortran_section *moved,
                               portable_sort_options *options, char name[PORTABLE__LABEL_MAX + 1]) {
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, PORTABLE__LABEL_MAX + 1, label, label_bytes);
  if (!name[0]) portable__copy_text(name, PORTABLE__LABEL_MAX + 1, call, strlen(call));
  options->flags = descending ? PORTABLE_SORT_DESCENDING : 0;
  options->stride = stride_of(keys);
  if (!moved) return PORTABLE_OK;
  options->value_stride = stride_of(moved);
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
  return portable_sort_by_key(name, keys->kind, (void *)(uintptr_t)keys->data, (void *)(uintptr_t)values->data, bytes_of(values->kind),
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
