/* work.h - work for a device in a stream. Threads: any, except for enqueue. */
#ifndef PORTABLE__WORK_H
#define PORTABLE__WORK_H

#include "../../internal/edge/base.h"

/* One piece of work for a device. The library notifies observers and keeps order and errors; the caller issues the work. */
struct portable__device_work {
  const char *label;
  int32_t kind;  /* PORTABLE_LAUNCH_... */
  int64_t count; /* iterations */
  portable_device device;
  portable_stream stream; /* 0: the default stream of the device */
  /* Adds work to the driver's stream and returns a status of portable__cuda_fail. The device's context is current. It may run on the stream's
   * thread; it may allocate, but neither wait for streams nor launch. */
  portable_status (*enqueue)(void *native, void *payload);
  const void *payload; /* copied if the work waits in the queue; payload_bytes 0: the pointer, valid as long */
  size_t payload_bytes;
  int32_t waits; /* 1: returns after the end, with the stream's error */
  int32_t own;   /* 1: enqueue is the program's, so its status has no text */
};

#endif
