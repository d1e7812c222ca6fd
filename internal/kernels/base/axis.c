/* axis.c - axes that follow one another without a gap become one; see axis.h. Pure functions. */
#include "axis.h"

/* Unsigned, because the user chooses the strides: any value is possible. */
static int follows(int64_t step, int64_t inner, int64_t extent) { return (uint64_t)step == (uint64_t)inner * (uint64_t)extent; }

int32_t portable__array_join(struct portable__array_axis *axis, int32_t count) {
  int64_t joined;
  int32_t last = -1;
  for (int32_t k = 0; k < count; k++) {
    if (axis[k].extent == 1 && (last >= 0 || k < count - 1)) continue;
    if (last >= 0 && follows(axis[k].step, axis[last].step, axis[last].extent) && follows(axis[k].mask_step, axis[last].mask_step, axis[last].extent) &&
        !__builtin_mul_overflow(axis[last].extent, axis[k].extent, &joined))
      axis[last].extent = joined;
    else
      axis[++last] = axis[k];
  }
  return last + 1;
}
