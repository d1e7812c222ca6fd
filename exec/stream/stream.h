/* stream.h - streams, for other rooms and Go. Not here: the queue (queue.h), the driver's part
 * (queue_device.h). Threads: any, unless a comment says otherwise. */
#ifndef PORTABLE__STREAM_H
#define PORTABLE__STREAM_H

#include "../../internal/team/team.h"
#include "../../internal/edge/where.h"

struct portable__stream;

/* Puts a job into an asynchronous stream; waits: for its end, and for the pending error of the stream. */
portable_status portable__stream_launch(struct portable__stream *s, portable_stream handle, const struct portable__job *job, const void *args,
                                        size_t args_bytes, int waits);
/* Waits for all streams and leaves their errors; ERR_STATE inside a kernel or callback of one. */
portable_status portable__streams_drain(void);
/* Waits for all streams that have work. From outside of kernels and callbacks. */
void portable__streams_wait(void);
int portable__streams_inside(void);       /* 1: inside a kernel or callback of a stream */
int32_t portable__streams_live(void); /* asynchronous streams for which the calling thread may wait: 0 inside a kernel or callback of one */

/* ---- for exec.Streams, under its lock ---- */

/* A stream with its thread. Without a handle, status (with a text) is a failed call of the driver, reason the error number of a system without
 * threads left; both 0: no memory. */
struct portable__stream_started {
  portable_stream handle;
  portable_status status;
  int32_t reason;
};
/* is_default: the default stream of a CUDA device, made once. native: the program's stream of the driver, or 0. function is for texts. */
struct portable__stream_started portable__stream_start(const char *function, int32_t device, int32_t kind, int32_t is_default, uintptr_t native,
                                                       uint64_t stack_bytes);
int32_t portable__streams_shut(int32_t shut); /* no stream takes work, or all do again; counts the streams that have work */
int32_t portable__streams_end(char *text, size_t bytes); /* ends all streams, which are empty; counts the program's; text: an error that no call has returned */
int32_t portable__streams_counted(void); /* streams that may have work */

/* ---- event.c: points, for Go ---- */

/* Keeps the blocks with these addresses until the stream has done its present work. */
void portable__stream_uses(portable_stream stream, const uintptr_t *addresses, size_t count);
/* For exports_stream.go: the last number in the stream (0: the stream has ended); a test for a number, allowed under the pool's lock; a wait for
 * a number. */
uint64_t portable__stream_end(void *stream, portable_stream handle);
int32_t portable__stream_asks(void *stream, uint64_t number);
int32_t portable__stream_sure(void *stream, uint64_t number); /* 1: only the device must still work, and continues without the host */
void portable__stream_await(void *stream, uint64_t number);

/* portable__free_begins, while default streams may still use blocks. */
void portable__free_unfenced(const void *ptr);

#endif
