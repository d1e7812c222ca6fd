/* device_scan.h - scans of arrays on cuda devices. Private; see device_algorithm.h. */
#ifndef PORTABLE__DEVICE_SCAN_H
#define PORTABLE__DEVICE_SCAN_H

#include "../../internal/kernels/scan/scan.h"
#include "device_algorithm.h"

/* Does s, which is cut and has lines and elements. */
portable_status portable__device_scan(const struct portable__place *place, const struct portable__scan *s, int32_t op, int32_t kind);

#endif
