/* device_random.h - arrays of random numbers on CUDA devices; see device_algorithm.h for the common
 * part. */
#ifndef PORTABLE__DEVICE_RANDOM_H
#define PORTABLE__DEVICE_RANDOM_H

#include "../../internal/kernels/random/random.h"
#include "device_algorithm.h"

/* Fills at least one element. Waits for the end, unless the place has a stream. */
portable_status portable__device_random(const struct portable__place *place, const struct portable__random_fill *f);

#endif
