/* device_solve.h - systems of three and five diagonals on CUDA devices; see device_algorithm.h for
 * the common part. */
#ifndef PORTABLE__DEVICE_SOLVE_H
#define PORTABLE__DEVICE_SOLVE_H

#include "../../internal/kernels/solve/solve.h"
#include "device_algorithm.h"

/* kind: PORTABLE_KIND_REAL32 or _REAL64. There are systems. Waits for the end. *found_out: the first pivot of 0, as portable__solve_range
 * gives it. */
portable_status portable__device_solve(const struct portable__place *place, const struct portable__solve *s, int32_t kind, int64_t *found_out);

#endif
