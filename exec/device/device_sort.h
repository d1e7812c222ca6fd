/* device_sort.h - sorts on CUDA devices. */
#ifndef PORTABLE__DEVICE_SORT_H
#define PORTABLE__DEVICE_SORT_H

#include "../../internal/kernels/sort/sort.h"
#include "device_algorithm.h"

/* Sorts s, which has keys. A failure leaves keys and values unchanged. */
portable_status portable__device_sort(const struct portable__place *place, const struct portable__sort *s, int32_t kind, int descending);

#endif
