/* stream.h - the driver's streams, events and graphs for exec/stream and exec/graph: a small
 * function for each call, without the driver's types. Private. index is the number of the device
 * (devices.h); most functions first make its context current. Functions return 0 or the driver's
 * code, unless they say otherwise. A NULL native stream is the context's own default stream, in
 * order with launches of other libraries there (cudart, cuBLAS). Threads: safe, but no other thread
 * may use what a call ends; not in signal handlers. */
#ifndef PORTABLE__CUDA_STREAM_H
#define PORTABLE__CUDA_STREAM_H

#include <stddef.h>
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

/* ---- graph.c: a capture is one thread's ---- */

/* One launch of a kernel. */
struct portable__cuda_node {
  void *function;
  uint32_t grid[3], block[3], shared_bytes;
  void *parameters;
  size_t bytes;
};

/* Work that enters the stream, and streams that wait for its events, is captured until end. */
int portable__cuda_capture_begin(int32_t index, void *native);

/* The node that came last into a stream that captures; NULL: there are several, or none. */
int portable__cuda_capture_last(int32_t index, void *native, void **node_out);

/* Ends the capture, and (exec_out not NULL) makes a graph that can be launched. The nodes belong to *graph_out. *call_out: the call that has failed. */
int portable__cuda_capture_end(int32_t index, void *native, void **graph_out, void **exec_out, const char **call_out);

/* In the context. */
int portable__cuda_graph_launch(void *exec, void *native);
int portable__cuda_graph_change(void *exec, void *node, const struct portable__cuda_node *to);

void portable__cuda_graph_end(int32_t index, void *graph, void *exec);

#endif
