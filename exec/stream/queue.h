/* queue.h - what an asynchronous stream is: a queue of work and a thread that does it. Private; stream.c and event.c are what the
 * program sees of it.
 *
 * Work has numbers from 1 on, in the order of the queue. `queued` is the number of the last one that was put in, `done` that of the
 * last one that is through; both only grow, also when the record serves a later stream. So a point in a stream is a
 * stream and a number, for which nothing must be made, kept or counted, and it stays what it is when the stream ends.
 *
 * In a stream of a cuda device work goes into a stream of the driver's, and is then *issued*; when it is done is asked only where somebody wants
 * to know (queue_device.c). While nothing that the host must do is before it, the thread that launches issues it; else it is a node like any
 * other, and the stream's thread, which is made for the first such node, issues it when it gets there.
 *
 * Locks: a stream's lock is taken last: under it nothing is called that locks, allocates or is the user's, but for the driver's events. A cuda
 * stream's `turn` is held by whoever puts something in; it is taken before the lock, and whoever has it may call the pool. */
#ifndef PORTABLE__QUEUE_H
#define PORTABLE__QUEUE_H

#include <pthread.h>

#include "../../internal/edge/base.h"
#include "../../internal/edge/where.h"
#include "../../internal/team/team.h"
#include "../../internal/team/fpstate.h"
#include "../../internal/handle/slots.h"

#define PORTABLE__QUEUE_MOST 16384 /* things that a stream has not done, before others must wait to add one */
#define PORTABLE__ERROR_KEPT 1024  /* bytes of the text of a stream's error */

struct portable__stream;
struct portable__device_side; /* queue_device.h */

/* The answer of a stream to who waits for it. */
struct portable__outcome {
  portable_status status;
  uint32_t flags; /* floating-point exceptions */
  char text[PORTABLE__ERROR_KEPT];
};

/* A thread that is inside a stream - in a kernel or a callback of it - and waits for a point in another one. On its stack. */
struct portable__waiter {
  struct portable__point on;
  struct portable__waiter *next;
};

/* A synchronous stream of the host has no thread and no work: both numbers stay 0. */
struct portable__stream {
  struct portable__slot_head slot;
  _Atomic int32_t device, kind; /* written before the handle is published */
  struct portable__device_side *_Atomic side; /* of a cuda device; NULL: the host's. Changes with nobody inside */
  pthread_mutex_t turn; /* see the head of this file */
  pthread_mutex_t lock; /* guards all below; done may be read without */
  pthread_cond_t work, progress;
  _Atomic uint64_t queued, done, issued; /* issued: of a cuda device */
  uint64_t awaited;     /* the least number that somebody waits for */
  struct portable__node *first, *last, *spare;
  struct portable__waiter *waiters;
  int32_t spares;
  int32_t shut;         /* nothing more comes in, because the library stops; may be taken back */
  int32_t closing;      /* somebody ends it: nothing more comes in, and the thread ends when all is done */
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

/* Up to where the stream needs nobody of the host's any more. */
static inline uint64_t portable__queue_reached(struct portable__stream *s) {
  return atomic_load_explicit(PORTABLE__UNLIKELY(portable__queue_side(s) != NULL) ? &s->issued : &s->done, memory_order_relaxed);
}

/* Makes a stream that device and kind are written into ready, and starts the thread of one of the host's. side: of one of a cuda device. Gives
 * 0 or an error number. */
int portable__queue_start(struct portable__stream *s, uint64_t stack_bytes, struct portable__device_side *side);

/* The end of a stream. claim: 1 for the one who is to end it; nothing more can be put in from then on, but the handle holds until all is
 * done, because who fences meanwhile, and memory that the stream keeps, must know of it. unclaim: it goes on. end waits for the
 * thread, retracts the handle and gives the pending error. */
int portable__queue_claim(struct portable__stream *s, portable_stream handle);
void portable__queue_unclaim(struct portable__stream *s);
void portable__queue_end(struct portable__stream *s, portable_stream handle, struct portable__outcome *out);

/* Put work into a stream whose handle was `handle`: ERR_HANDLE when that ends meanwhile. The job is copied with its label, and the
 * argument block where args_bytes is not 0; at_out, where it is not NULL, gets the point behind the job. */
portable_status portable__queue_job(struct portable__stream *s, portable_stream handle, const struct portable__job *job, const void *args,
                                    size_t args_bytes, struct portable__point *at_out);
portable_status portable__queue_call(struct portable__stream *s, portable_stream handle, portable_stream_function function, void *payload);
portable_status portable__queue_wait(struct portable__stream *s, portable_stream handle, struct portable__point point);

/* Starts the thread of a stream that has none yet. Gives 0 or an error number. */
int portable__queue_thread(struct portable__stream *s);

/* Makes a job that has not begun one of nothing. */
void portable__queue_cancel(struct portable__point point);

/* The point behind all that is in the stream; one that is done, where the handle is no longer the stream's. */
struct portable__point portable__queue_end_of(struct portable__stream *s, portable_stream handle);

int portable__point_done(struct portable__point point);
void portable__point_await(struct portable__point point);

/* Calls seen for each point that the stream waits for before it has done so much: events, and those of threads inside. Locked. */
void portable__queue_waits(struct portable__stream *s, uint64_t number, void (*seen)(struct portable__point point, void *payload), void *payload);

/* Takes the floating-point exceptions, and with_error the pending error too, out of the stream while its handle is `handle`. */
void portable__queue_outcome(struct portable__stream *s, portable_stream handle, int with_error, struct portable__outcome *out);

/* ---- stream.c ---- */

extern struct portable__slot_table portable__streams;

/* The stream of a handle: of default streams of the host's devices, and 0, a synchronous one that all share. NULL with an error: there is none.
 * *handle becomes that by which the queue knows it: default streams of cuda devices have one of their own, which nobody else sees. */
struct portable__stream *portable__stream_of(const char *function, portable_stream *handle, portable_status *status_out);

/* The default stream of a cuda device and its handle, made where there is none yet; NULL with an error: it can not be had. */
struct portable__stream *portable__stream_default(const char *function, portable_device device, portable_stream *handle_out, portable_status *status_out);

/* The default stream of a cuda device by its index, where it is made; NULL: it is not. */
struct portable__stream *portable__stream_default_made(int32_t index, portable_stream *handle_out);

/* Waits up to the point, gives the calling thread the exceptions of the stream, and returns its pending error. */
portable_status portable__stream_settle(const char *function, struct portable__stream *s, portable_stream handle, struct portable__point point);

/* Device and kind of a stream that was made; NULL: there is none of that handle. */
struct portable__stream *portable__stream_facts(portable_stream handle, int32_t *device_out, int32_t *kind_out);

/* ---- waiting.c ---- */

/* ERR_STATE: the calling thread would wait for itself. */
portable_status portable__stream_own(const char *function);

/* portable__point_await for a thread that may be inside a stream: ERR_STATE where that would be for ever. */
portable_status portable__wait_for(const char *function, struct portable__point point);

#endif
