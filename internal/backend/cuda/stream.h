/* stream.h - the driver's streams and events, as exec/stream/queue_device.c needs them: one small function for each call, without the driver's
 * types. Private.
 *
 * index is that of the device (devices.h), whose context each function makes current on the calling thread first. What is not said
 * otherwise gives 0, or the driver's code. A native stream of NULL is the context's own default stream, so what other
 * libraries launch there (cudart, cuBLAS) is in order with ours.
 *
 * Threads: all are safe; a stream or event is ended by whoever knows that nobody else uses it. Not in signal handlers. */
#ifndef PORTABLE__CUDA_STREAM_H
#define PORTABLE__CUDA_STREAM_H

#include <stdint.h>

#define PORTABLE__CUDA_NOT_READY 600

int portable__cuda_stream_make(int32_t index, void **native_out); /* waits for no other stream, the context's own included */
int portable__cuda_stream_end(int32_t index, void *native);
int portable__cuda_stream_sync(int32_t index, void *native);
int portable__cuda_stream_query(int32_t index, void *native); /* 0: empty; PORTABLE__CUDA_NOT_READY */
int portable__cuda_stream_wait(int32_t index, void *native, void *event); /* what comes later waits on the device */

int portable__cuda_event_make(int32_t index, void **event_out); /* one that measures no time */
int portable__cuda_event_end(int32_t index, void *event);
int portable__cuda_event_record(int32_t index, void *event, void *native);
int portable__cuda_event_sync(int32_t index, void *event);
int portable__cuda_event_query(int32_t index, void *event); /* as of a stream */

/* Calls a function that puts something into the stream; *status_out is what it gives. */
int portable__cuda_inside(int32_t index, void *native, int (*call)(void *native, void *payload), void *payload, int *status_out);

#endif
