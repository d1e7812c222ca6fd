/* devices.h - memory of devices, and failures of the driver as statuses. Threads: any. */
#ifndef PORTABLE__DEVICE_ROOM_H
#define PORTABLE__DEVICE_ROOM_H

#include "../../internal/edge/base.h"

/* ---- space.c: sets whether arrays of a device, and the default pool, are in managed memory. portable__device_room gives the space of arrays
 * for a device: portable_space_of_device, or HOST if the default pool serves. ---- */
void portable__managed_set(int32_t on, int32_t default_is);
int32_t portable__device_room(portable_device device);

/* ---- devices.c ---- */

/* Turns the driver's answer to a call into a status with its text: ERR_NOMEM, ERR_NODEVICE, else ERR_DEVICE. label (or NULL) names the
 * launch or block. */
portable_status portable__cuda_fail(int code, const char *call, const char *label);

/* Refuses a device that is no CUDA device. label may be NULL. */
portable_status portable__not_cuda(const char *call, const char *label, portable_device device);

/* Tests that the library runs and that the device exists; 0 becomes the default device. An error names the call and the label (or NULL). */
portable_status portable__device_exists(const char *call, const char *label, portable_device *device);

#endif
