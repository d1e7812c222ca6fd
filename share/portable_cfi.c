/* portable_cfi.c - translates C descriptors of Fortran 2018 (portable_cfi.h), and serves
 * portable_cfi_mod. It is compiled with the program's Fortran, because each compiler has C
 * descriptors of its own; the library reports errors. Threads: any; the user guards a
 * descriptor. */
#include "portable_cfi.h"

#include <string.h>

static int is_logical(CFI_type_t type) {
#ifdef CFI_type_mask
  return (type & CFI_type_mask) == (CFI_type_Bool & CFI_type_mask); /* gcc's: every kind of LOGICAL */
#else
  return type == CFI_type_Bool;
#endif
}

/* PORTABLE_KIND_BYTES for a type without a kind. Types are compared one by one, because several may be one number. */
static int32_t kind_of(CFI_type_t type, size_t bytes) {
  int power = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : -1;
  if (type == CFI_type_float && bytes == 4) return PORTABLE_KIND_REAL32;
  if (type == CFI_type_double && bytes == 8) return PORTABLE_KIND_REAL64;
  if (type == CFI_type_float_Complex && bytes == 8) return PORTABLE_KIND_COMPLEX32;
  if (type == CFI_type_double_Complex && bytes == 16) return PORTABLE_KIND_COMPLEX64;
  if (is_logical(type) && power >= 0) return PORTABLE_KIND_LOGICAL8 + power;
  if ((type == CFI_type_int8_t || type == CFI_type_int16_t || type == CFI_type_int32_t || type == CFI_type_int64_t) && power >= 0)
    return PORTABLE_KIND_INT8 + power;
  return PORTABLE_KIND_BYTES;
}

static void read_steps(const CFI_cdesc_t *from, struct portable__array_steps *to) {
  memset(to, 0, sizeof *to);
  to->data = from->base_addr;
  to->element_bytes = from->elem_len;
  to->kind = kind_of(from->type, from->elem_len);
  to->rank = from->rank;
  to->lower_rank = from->attribute == CFI_attribute_other ? -1 : from->rank;
  for (int d = 0; d < from->rank && d < PORTABLE_ARRAY_RANK; d++) {
    to->lower[d] = from->dim[d].lower_bound;
    if (!to->data) continue; /* an absent element */
    to->extent[d] = from->dim[d].extent;
    to->step[d] = from->dim[d].sm;
  }
}

portable_status portable_array_from_cfi(const char *label, const CFI_cdesc_t *descriptor, const portable_array_config *config,
                                        portable_array *array_out) {
  struct portable__array_steps steps;
  memset(&steps, 0, sizeof steps);
  if (descriptor) read_steps(descriptor, &steps);
  return portable__fortran_array_from_cfi(label, &steps, config, array_out);
}

portable_status portable_array_to_cfi(const portable_array *array, CFI_cdesc_t *pointer) {
  struct portable__array_steps steps;
  int is_pointer = pointer && pointer->attribute == CFI_attribute_pointer;
  if (is_pointer) pointer->base_addr = NULL;
  portable_status status = portable__fortran_array_to_cfi(array, is_pointer ? kind_of(pointer->type, pointer->elem_len) : -1,
                                                    is_pointer ? pointer->rank : -1, &steps);
  if (status != PORTABLE_OK) return status;
  pointer->base_addr = steps.data;
  for (int d = 0; d < steps.rank; d++) {
    pointer->dim[d].lower_bound = (CFI_index_t)steps.lower[d];
    pointer->dim[d].extent = (CFI_index_t)steps.extent[d];
    pointer->dim[d].sm = (CFI_index_t)steps.step[d];
  }
  return PORTABLE_OK;
}

/* ---- for portable_cfi_mod ------------------------------------------------------------------------ */

/* Bounds are passed separately, because the descriptor of a dimension(..) argument has none; lower_rank -1: 1. */
portable_status portable__cfi_describe(int32_t version, const char *label, size_t label_bytes, const CFI_cdesc_t *x, int32_t lower_rank,
                                       const int64_t *lower, portable_array *array);
portable_status portable__cfi_describe(int32_t version, const char *label, size_t label_bytes, const CFI_cdesc_t *x, int32_t lower_rank,
                                       const int64_t *lower, portable_array *array) {
  struct portable__array_steps steps;
  read_steps(x, &steps);
  steps.lower_rank = lower_rank;
  for (int d = 0; d < lower_rank && d < PORTABLE_ARRAY_RANK; d++) steps.lower[d] = lower[d];
  return portable__fortran_array_describe(version, label, label_bytes, &steps, array);
}

static portable_status attach(int32_t version, const char *label, size_t label_bytes, const CFI_cdesc_t *p, portable_array *array) {
  struct portable__array_steps steps;
  read_steps(p, &steps);
  return portable__fortran_array_describe(version, label, label_bytes, &steps, array);
}

/* One function for each kind, because Fortran declares the type of a pointer. */
#define KIND(kind)                                                                                                                   \
  portable_status portable__cfi_attach_##kind(int32_t version, const char *label, size_t label_bytes, const CFI_cdesc_t *p,         \
                                              portable_array *array);                                                               \
  portable_status portable__cfi_attach_##kind(int32_t version, const char *label, size_t label_bytes, const CFI_cdesc_t *p,         \
                                              portable_array *array) {                                                              \
    return attach(version, label, label_bytes, p, array);                                                                           \
  }                                                                                                                                  \
  portable_status portable__cfi_point_##kind(const portable_array *array, CFI_cdesc_t *p);                                          \
  portable_status portable__cfi_point_##kind(const portable_array *array, CFI_cdesc_t *p) { return portable_array_to_cfi(array, p); }
KIND(int1) KIND(int2) KIND(int4) KIND(int8) KIND(real4) KIND(real8) KIND(cplx4) KIND(cplx8) KIND(log1)
