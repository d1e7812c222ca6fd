/* queue.h - an asynchronous stream: a queue of work, and a thread that does it. Main functions:
 * portable__queue_job (adds), portable__stream_settle (waits). Work gets numbers from 1 on.
 * `queued` is the last number that was added, `done` the last number that has completed; both only
 * grow, also if the record serves a later stream. So a point (stream, number) needs no memory and
 * stays valid after the stream's end. exec/streams.go explains streams. */
#ifndef PORTABLE__QUEUE_H
#define PORTABLE__QUEUE_H

#include <pthread.h>

#include "../../internal/edge/base.h"
#include "../../internal/edge/where.h"
#include "../../internal/team/team.h"
#include "../../internal/team/fpstate.h"
#include "../../internal/handle/slots.h"

#define PORTABLE__QUEUE_MOST 16384 /* nodes in a stream before a thread must wait to add one */
#define PORTABLE__ERROR_KEPT 1024  /* bytes of the text of a stream's error */

/* A CUDA stream: work for the device enters a stream of the driver, and is then *issued*; the driver is asked for its end only if a caller wants
 * to know (queue_device.c). The launching thread issues it if no work of the host is before it; else the work is a node, and the stream's
 * thread, which starts with the first such node, issues it in its order.
 *
 * Locks: `lock` is taken last; under it no call locks, allocates or runs code of the user, except events of the driver. A thread that adds work
 * to a CUDA stream holds `turn`, which is taken before the lock; a holder may call the pool. */
struct portable__stream;
struct portable__graph;
struct portable__device_side; /* queue_device.h */

/* Bits of a stream that takes no work: the library stops (can be undone); a graph takes it, see PORTABLE__PLACE. */
enum { PORTABLE__SHUT = 1, PORTABLE__RECORDS_GRAPH = 2 };

/* The number of a point that is a place in a graph: this bit, the graph's serial number, and an entry (exec/graph/graph.h). Streams never get there. */
#define PORTABLE__PLACE (UINT64_C(1) << 63)

/* The answer of a stream to a waiter. */
struct portable__outcome {
  portable_status status;
  uint32_t flags; /* floating-point exceptions */
  char text[PORTABLE__ERROR_KEPT];
};

/* A thread inside a stream, in a kernel or a callback, that waits for a point in another stream. On its stack. */
struct portable__waiter {
  struct portable__point on;
  struct portable__waiter *next;
};

/* A synchronous stream of the host has no thread and no work: both numbers stay 0. */
struct portable__stream {
  struct portable__slot_head slot;
  _Atomic int32_t device, kind; /* written before the handle is published */
  struct portable__device_side *_Atomic side; /* of a CUDA device; NULL: of the host. Changes with no thread inside */
  pthread_mutex_t turn; /* held by a thread that issues work or asks the driver; see above */
  pthread_mutex_t lock; /* guards the members below; done may be read without it */
  pthread_cond_t work, progress;
  _Atomic uint64_t queued, done, issued; /* issued: only of a CUDA device */
  uint64_t awaited;     /* the lowest number with a waiter */
  struct portable__node *first, *last, *spare;
  struct portable__waiter *waiters;
  int32_t spares;
  struct portable__graph *_Atomic graph; /* that it records for; NULL: it records nothing. Changes under the lock */
  uint32_t place;       /* its last entry in that graph; 0: the begin. The recording thread's */
  int32_t shut;         /* PORTABLE__SHUT, PORTABLE__RECORDS_GRAPH */
  int32_t closing;      /* a thread ends it: no work may enter, and the stream's thread ends when all is done */
  int32_t asleep;       /* the thread */
  portable_status error;
  uint32_t flags;
  char text[PORTABLE__ERROR_KEPT];
  uint64_t stack_bytes;
  int32_t threaded;
  pthread_t thread;
};

static inline struct portable__device_side *portable__queue_side(struct portable__stream *s) {
  return atomic_load_explicit(&s->side, memory_order_relaxed);
}

/* The number up to which the stream needs no thread of the host. */
static inline uint64_t portable__queue_reached(struct portable__stream *s) {
  return atomic_load_explicit(PORTABLE__UNLIKELY(portable__queue_side(s) != NULL) ? &s->issued : &s->done, memory_order_relaxed);
}

/* Prepares a stream whose device and kind are set; starts the thread of a stream of the host. side: of a stream of a CUDA device. Gives 0 or an
 * error number. */
int portable__queue_start(struct portable__stream *s, uint64_t stack_bytes, struct portable__device_side *side);

/* The end of a stream. claim gives 1 to the thread that ends it; then no work may enter, but the handle stays valid until all is done, for
 * fences and for memory that the stream keeps. unclaim undoes it. end waits for the thread, retracts the handle and gives the pending
 * error. */
int portable__queue_claim(struct portable__stream *s, portable_stream handle);
void portable__queue_unclaim(struct portable__stream *s);
void portable__queue_end(struct portable__stream *s, portable_stream handle, struct portable__outcome *out);

/* Add work to a stream with this handle; ERR_HANDLE if the stream ends meanwhile. The job is copied with its label, and with the argument block
 * if args_bytes is not 0. at_out (or NULL) gets the point after the job. */
portable_status portable__queue_job(struct portable__stream *s, portable_stream handle, const struct portable__job *job, const void *args,
                                    size_t args_bytes, struct portable__point *at_out);
portable_status portable__queue_call(struct portable__stream *s, portable_stream handle, portable_stream_function function, void *payload);
portable_status portable__queue_wait(struct portable__stream *s, portable_stream handle, struct portable__point point);
/* Adds a replay: `replay` is called on the stream's thread in any case, with the pending error of the stream, and its status is the stream's. */
typedef portable_status (*portable__replay)(struct portable__stream *s, portable_status error, void *graph, void *changes);
portable_status portable__queue_replay(struct portable__stream *s, portable_stream handle, portable__replay replay, void *graph, void *changes,
                                       struct portable__point *at_out);

/* Starts the thread of a stream without thread. Gives 0 or an error number. */
int portable__queue_thread(struct portable__stream *s);

/* Turns a job that has not begun into an empty one. */
void portable__queue_cancel(struct portable__point point);

/* The point after all work in the stream; a done point if the handle is stale. */
struct portable__point portable__queue_end_of(struct portable__stream *s, portable_stream handle);

int portable__point_done(struct portable__point point);
void portable__point_await(struct portable__point point);

/* Calls seen for each point for which the stream waits before the number: points of events, and of threads inside. Locked. */
void portable__queue_waits(struct portable__stream *s, uint64_t number, void (*seen)(struct portable__point point, void *payload), void *payload);

/* Moves the floating-point exceptions, and (with_error) the pending error, out of the stream if it still has the handle. */
void portable__queue_outcome(struct portable__stream *s, portable_stream handle, int with_error, struct portable__outcome *out);

/* Lets the graph take what enters the stream, or (NULL) ends that. With a graph: ERR_HANDLE if the stream ends, ERR_STATE if it records. */
portable_status portable__queue_record(struct portable__stream *s, portable_stream handle, struct portable__graph *graph);

/* 1: the stream records. */
static inline int portable__queue_records(struct portable__stream *s) {
  return PORTABLE__UNLIKELY(atomic_load_explicit(&s->graph, memory_order_relaxed) != NULL);
}

/* ---- stream.c ---- */

extern struct portable__slot_table portable__streams;

/* The stream of a handle; NULL with an error. 0 and all default streams of the host's devices share one synchronous stream. *handle becomes
 * the handle of the queue: the default stream of a CUDA device has an internal one. */
struct portable__stream *portable__stream_of(const char *function, portable_stream *handle, portable_status *status_out);

/* The default stream of a CUDA device and its handle, made at the first call; NULL with an error. */
struct portable__stream *portable__stream_default(const char *function, portable_device device, portable_stream *handle_out, portable_status *status_out);

/* The default stream of a CUDA device by its index; NULL: not made yet. */
struct portable__stream *portable__stream_default_made(int32_t index, portable_stream *handle_out);

/* Waits up to the point, gives the calling thread the exceptions of the stream, and returns its pending error. */
portable_status portable__stream_settle(const char *function, struct portable__stream *s, portable_stream handle, struct portable__point point);

/* Device and kind of a created stream; NULL: a stale or invalid handle, or a default stream. */
struct portable__stream *portable__stream_facts(portable_stream handle, int32_t *device_out, int32_t *kind_out);

/* ---- waiting.c ---- */

/* ERR_STATE: the calling thread would wait for itself. */
portable_status portable__stream_own(const char *function);

/* portable__point_await for a thread that may be inside a stream; ERR_STATE if it would wait for ever. */
portable_status portable__wait_for(const char *function, struct portable__point point);

#endif
