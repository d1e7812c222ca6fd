/* axis.h - the axes of an array, or of two arrays of the same extents: extents, strides, joined axes. Private.
 *
 * Not in this file: steps along axes (walk.h), the overlap of two arrays (overlap.h). Pure functions over memory of the caller. */
#ifndef PORTABLE__AXIS_H
#define PORTABLE__AXIS_H

#include "overlap.h"

/* One axis of one or two arrays. */
struct portable__array_axis {
  int64_t extent, step, mask_step; /* strides in bytes; mask_step is that of the second array: a mask, or the result of a scan */
};

/* Joins axes without a gap between them; the fastest axis comes first. Returns the number of axes left, at least 1. */
int32_t portable__array_join(struct portable__array_axis *axis, int32_t count);

/* The elements as overlap.h takes them; no extent is 0. mask 1: those of the second array, which mask_step belongs to. */
static inline struct portable__lying portable__array_lying(const struct portable__array_axis *axis, int32_t rank, const void *first, int64_t bytes,
                                                           int mask) {
  struct portable__lying x;
  x.at = first;
  x.bytes = bytes;
  x.rank = rank;
  for (int32_t k = 0; k < rank; k++) {
    x.extents[k] = axis[k].extent;
    x.strides[k] = mask ? axis[k].mask_step : axis[k].step;
  }
  return x;
}

#endif
