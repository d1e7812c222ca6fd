/* work.h - work for a device in a stream. Private. Threads: see the field. */
#ifndef PORTABLE__WORK_H
#define PORTABLE__WORK_H

#include "../../internal/edge/base.h"

/* One thing for a device to do. The library tells who watches, keeps order and errors; what is done is the caller's. */
struct portable__device_work {
  const char *label;
  int32_t kind;  /* PORTABLE_LAUNCH_... */
  int64_t count; /* iterations */
  portable_device device;
  portable_stream stream; /* 0: the device's default one */
  /* Puts things into the driver's stream and returns, with its status from portable__cuda_fail. The device's context is current. Perhaps on the
   * stream's thread; it may allocate, but neither wait for streams nor launch. */
  portable_status (*enqueue)(void *native, void *payload);
  const void *payload; /* copied when it has to wait; payload_bytes 0: the pointer itself, which then lives as long */
  size_t payload_bytes;
  int32_t waits; /* 1: returns when it is done, with the stream's error */
};

#endif
