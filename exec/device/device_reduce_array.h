/* device_reduce_array.h - reductions of arrays on cuda devices. Private; see device_algorithm.h. */
#ifndef PORTABLE__DEVICE_REDUCE_ARRAY_H
#define PORTABLE__DEVICE_REDUCE_ARRAY_H

#include "device_algorithm.h"

/* Does r, which is cut and has lines, on the device; not exact sums. Results in memory that the host does not reach are not waited for. */
portable_status portable__device_reduce_array(const struct portable__place *place, const struct portable__array_reduction *r, int wide);

#endif
