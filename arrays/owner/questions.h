/* questions.h - what this room asks Go. capi/questions.c fills the table, when the archive is linked; in a program of this room alone it is empty.
 * Private. Only between portable__cross_in and portable__cross_out, where nothing else is said. */
#ifndef PORTABLE__OWNER_QUESTIONS_H
#define PORTABLE__OWNER_QUESTIONS_H

#include "../../internal/edge/base.h"
#include "array.h"
#include "records_of.h"

struct portable__owner_go {
  /* Sets rank, order, bounds and strides, and gives the bytes; has_strides: of elements that lie so already. */
  portable_status (*array_layout)(portable_array *array, int32_t rank, portable__indices extents, portable__indices strides, portable__indices lower, portable__dims fastest, uint64_t row_bytes, uint64_t *bytes_out);
  portable_status (*array_slice)(portable_array *array, portable__ranges ranges);
  portable_status (*array_subset)(portable_array *array, int64_t first, int64_t last);
  portable_status (*array_reshape)(portable_array *array, int32_t rank, portable__indices extents, portable__indices lower);
  portable_status (*array_permute)(portable_array *array, portable__dims dims);
  portable_status (*array_rebase)(portable_array *array, portable__indices lower);
  portable_status (*array_compact)(portable_array *array, uint64_t *bytes_out);
  portable_status (*array_pair)(portable__array_in from, portable__array_in to, struct portable__array_plan *plan_out);
  portable_status (*array_numbered)(portable__array_in array, struct portable__array_plan *plan_out);
  portable_status (*array_same)(portable__array_in a, portable__array_in b, struct portable__array_plan *plan_out, int32_t *same_out);
  portable_status (*array_locate)(portable__array_in array, int32_t rank, portable__indices index); /* Only for the text: the element is not there. */
  portable_status (*layout_rule)(portable__text label, portable__text device, portable__text layout, uint64_t row_bytes);
  void (*layout_find)(portable__text label, portable__text device, int32_t of_cpu, int32_t rank, portable_layout *layout, int32_t *ordered_out);
  /* Sets all that says where records lie, of a layout, order and record that are there, and gives the bytes. */
  portable_status (*records_layout)(portable_records *records, int32_t rank, portable__indices extents, portable__indices lower, portable__dims fastest, int64_t width, uint64_t *bytes_out);
  /* Shape and address of a field's array, or (lanes) of one value as it lies in blocks. */
  portable_status (*records_field)(portable__records_in records, int32_t field, int32_t component, int32_t lanes, portable_array *array);
};
extern const struct portable__owner_go portable__owner_go;

#endif
