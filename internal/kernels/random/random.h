/* random.h - arrays of random numbers: what a fill is, and the work on a range of its elements.
 * Private. The elements are numbered along the axes, the fastest first; element n gets the number of
 * cell first + n. Not in this file: checks and launch (exec/algorithm/random.c). Pure functions over
 * memory of the caller; different ranges may be filled by different threads at once. */
#ifndef PORTABLE__RANDOM_FILL_H
#define PORTABLE__RANDOM_FILL_H

#include "../../../capi/include/c/portable.h"
#include "../../../capi/include/kernel/portable_random.h"
#include "../base/axis.h"

/* Plain data without addresses of the describing thread, so that a launch may copy it. */
struct portable__random_fill {
  char *at;
  struct portable__array_axis axis[PORTABLE_LOOP_RANK]; /* mask_step is not used */
  portable_random_key key;
  int64_t first, count;
  int32_t axes, kind, distribution, draw; /* PORTABLE_KIND_REAL32 or _REAL64, PORTABLE_RANDOM_... */
};

/* The elements from..to-1. */
void portable__random_range(const struct portable__random_fill *f, int64_t from, int64_t to);

#endif
