/* devices.h - memory of devices, and failures of the driver as statuses. Threads: any. */
#ifndef PORTABLE__DEVICE_ROOM_H
#define PORTABLE__DEVICE_ROOM_H

#include "../../internal/edge/base.h"

/* ---- space.c: sets whether arrays of a device, and the default pool, are in managed memory, and the CUDA device whose driver has the managed
 * memory. portable__device_room gives the space of arrays for a device: portable_space_of_device, or HOST if the default pool serves.
 * portable__pinned_pool gives the pool of pinned memory that the CUDA device of this index can access; -1: that of PORTABLE_SPACE_PINNED. ---- */
void portable__managed_set(int32_t on, int32_t default_is, int32_t index);
int32_t portable__device_room(portable_device device);
portable_status portable__pinned_pool(int32_t index, portable_pool *pool_out);

/* ---- devices.c ---- */

/* Turns the driver's answer to a call into a status with its text: ERR_NOMEM, ERR_NODEVICE, else ERR_DEVICE. label (or NULL) names the
 * launch or block. */
portable_status portable__cuda_fail(int code, const char *call, const char *label);

/* Refuses a device that is no CUDA device. label may be NULL. */
portable_status portable__not_cuda(const char *call, const char *label, portable_device device);

/* Tests that the library runs and that the device exists; 0 becomes the default device. An error names the call and the label (or NULL). */
portable_status portable__device_exists(const char *call, const char *label, portable_device *device);

#endif
