/* device_sort.h - sorts on cuda devices. Private; see device_algorithm.h. */
#ifndef PORTABLE__DEVICE_SORT_H
#define PORTABLE__DEVICE_SORT_H

#include "../../internal/kernels/sort/sort.h"
#include "device_algorithm.h"

/* Does s, whose first fields are the user's (sort.h) and which has keys. A failure leaves keys and values as they are. */
portable_status portable__device_sort(const struct portable__place *place, const struct portable__sort *s, int32_t kind, int descending);

#endif
