/* device_reduce_array.h - reductions of arrays on CUDA devices. */
#ifndef PORTABLE__DEVICE_REDUCE_ARRAY_H
#define PORTABLE__DEVICE_REDUCE_ARRAY_H

#include "device_algorithm.h"

/* Reduces r, which is cut and not empty, on the device; no exact sums. It does not wait for results in memory that the host cannot access. */
portable_status portable__device_reduce_array(const struct portable__place *place, const struct portable__array_reduction *r, int wide);

#endif
