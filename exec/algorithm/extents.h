/* extents.h - what operations on arrays in memory check of an array's shape, and how its axes are read. Private.
 *
 * In this file: rank, extents and order, with one text for all operations; steps from one element to the next. Not in this file: shapes of
 * memory that is asked for (shape.c), of descriptors (arrays). Pure but for the error text; any thread. */
#ifndef PORTABLE__EXTENTS_H
#define PORTABLE__EXTENTS_H

#include "../../capi/include/c/portable.h"
#include "../../internal/kernels/base/axis.h"

/* PORTABLE_ERR_ARG with a text that begins with call and label: extents is NULL, or there are not 1 to 8 of them. */
portable_status portable__check_rank(const char *call, const char *label, int32_t rank, const int64_t *extents);

/* One below 0. *empty_out: one is 0. */
portable_status portable__check_extents(const char *call, const char *label, int32_t rank, const int64_t *extents, int *empty_out);

/* One that is neither C's nor Fortran's. */
portable_status portable__check_order(const char *call, const char *label, int32_t order);

/* Bytes from one element to the next in each dimension; strides NULL: elements of so many bytes that lie together. */
struct portable__steps {
  int64_t bytes;
  const int64_t *strides;
};

/* The axes of an array, the fastest first, with the steps of what goes with it as mask_step; dims (or NULL) gets the dimension of
 * each. 1: its bytes are more than fit. An array without elements may have extents of any size. */
int portable__axes(int32_t rank, const int64_t *extents, int32_t order, struct portable__steps array, struct portable__steps other,
                   struct portable__array_axis *axis, int32_t *dims);

#endif
