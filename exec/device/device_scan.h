/* device_scan.h - scans of arrays on CUDA devices. */
#ifndef PORTABLE__DEVICE_SCAN_H
#define PORTABLE__DEVICE_SCAN_H

#include "../../internal/kernels/scan/scan.h"
#include "device_algorithm.h"

/* Scans s, which is cut and not empty. */
portable_status portable__device_scan(const struct portable__place *place, const struct portable__scan *s, int32_t op, int32_t kind);

#endif
