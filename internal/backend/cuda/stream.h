/* stream.h - the driver's streams and events for exec/stream/queue_device.c: a small function for
 * each call, without the driver's types. Private. index is the number of the device (devices.h);
 * each function first makes its context current. Functions return 0 or the driver's code, unless
 * they say otherwise. A NULL native stream is the context's own default stream, in order with
 * launches of other libraries there (cudart, cuBLAS). Threads: safe, but no other thread may use
 * what a call ends; not in signal handlers. */
#ifndef PORTABLE__CUDA_STREAM_H
#define PORTABLE__CUDA_STREAM_H

#include <stdint.h>

#define PORTABLE__CUDA_NOT_READY 600

int portable__cuda_stream_make(int32_t index, void **native_out); /* waits for no other stream, not even the context's own */
int portable__cuda_stream_end(int32_t index, void *native);
int portable__cuda_stream_sync(int32_t index, void *native);
int portable__cuda_stream_query(int32_t index, void *native); /* 0: empty; PORTABLE__CUDA_NOT_READY */
int portable__cuda_stream_wait(int32_t index, void *native, void *event); /* later work in the stream waits on the device */

int portable__cuda_event_make(int32_t index, void **event_out); /* an event without times */
int portable__cuda_event_end(int32_t index, void *event);
int portable__cuda_event_record(int32_t index, void *event, void *native);
int portable__cuda_event_sync(int32_t index, void *event);
int portable__cuda_event_query(int32_t index, void *event); /* as for a stream */

/* Calls a function that puts work into the stream; *status_out is its result. */
int portable__cuda_inside(int32_t index, void *native, int (*call)(void *native, void *payload), void *payload, int *status_out);

#endif
