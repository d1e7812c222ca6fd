/* queue_put.c - adds work to a stream: as a node of its queue, or directly to a stream of the
 * driver. Main functions: portable__queue_job, portable__queue_device. Locks: a CUDA stream's turn,
 * then its lock. */
#include <stdlib.h>
#include <string.h>

#include "../../internal/edge/above.h"
#include "../launch/kernel_record.h"
#include "questions.h"
#include "queue_node.h"

static struct portable__node *new_node(struct portable__stream *s, int what) {
  pthread_mutex_lock(&s->lock);
  struct portable__node *n = s->spare;
  if (n) {
    s->spare = n->next;
    s->spares--;
  }
  pthread_mutex_unlock(&s->lock);
  void *p = n;
  if (!n && posix_memalign(&p, 64, sizeof *n) != 0) return NULL;
  n = p;
  n->next = NULL;
  n->what = what;
  n->marked = 0;
  n->large = NULL;
  n->modes = portable__modes_get();
  return n;
}

/* Makes a node with copies of label and argument block; args_bytes 0: with the pointer. */
static struct portable__node *node_with(struct portable__stream *s, int what, const void *args, size_t args_bytes, const char *label) {
  size_t label_bytes = strlen(label) + 1;
  struct portable__node *n = new_node(s, what);
  char *room = n ? n->room : NULL;
  if (n && (args_bytes > PORTABLE__NODE_ROOM || label_bytes > PORTABLE__NODE_ROOM - args_bytes)) {
    if (args_bytes > SIZE_MAX - label_bytes || posix_memalign(&n->large, 64, args_bytes + label_bytes) != 0) {
      free(n);
      return NULL;
    }
    room = n->large;
  }
  if (!n) return NULL;
  n->args_bytes = args_bytes;
  n->args = (void *)(uintptr_t)args;
  if (args_bytes) n->args = memcpy(room, args, args_bytes);
  n->label = memcpy(room + args_bytes, label, label_bytes);
  return n;
}

static portable_status no_memory(const char *what, size_t bytes) {
  return portable__fail(PORTABLE_ERR_NOMEM, "%s: no memory for %zu bytes in the stream's queue", what, bytes);
}

static portable_status is_ended(portable_stream handle) {
  return portable__fail(PORTABLE_ERR_HANDLE, "the stream %#llx was ended while something was put into it", (unsigned long long)handle);
}

/* A caller waits until the queue has space, or the stream ends. A thread inside a stream does not wait, because that stream may be this one, or wait for it. Locked. */
static void make_room(struct portable__stream *s) {
  uint64_t queued = atomic_load_explicit(&s->queued, memory_order_relaxed);
  if (PORTABLE__UNLIKELY(queued - portable__queue_reached(s) >= PORTABLE__QUEUE_MOST) && !portable__running_job && !portable__own_stream)
    portable__queue_await(s, queued - PORTABLE__QUEUE_MOST / 2, 1);
}

/* 1: the stream takes work, or would but for these bits of `shut`, and still has the handle. Locked. */
static int takes(struct portable__stream *s, portable_stream handle, int32_t but_for) {
  return portable__slot_find(&portable__streams, handle) == s && !s->closing && !(s->shut & ~but_for);
}

/* Takes the turn of a CUDA stream, and starts its thread if missing. Gives 0, or an error number without the turn. */
static int begin_turn(struct portable__stream *s, portable_stream handle) {
  pthread_mutex_lock(&s->lock);
  make_room(s);
  pthread_mutex_unlock(&s->lock);
  pthread_mutex_lock(&s->turn);
  if (s->threaded) return 0;
  pthread_mutex_lock(&s->lock);
  int there = takes(s, handle, 0); /* an ended stream gets no thread; put refuses */
  pthread_mutex_unlock(&s->lock);
  int reason = there ? portable__queue_thread(s) : 0;
  if (reason) pthread_mutex_unlock(&s->turn);
  return reason;
}

static void let_go(struct portable__node *n) {
  free(n->large);
  free(n);
}

static portable_status put(struct portable__stream *s, portable_stream handle, struct portable__node *n, struct portable__point *at_out);

/* A graph takes the node, or the stream has ended. */
PORTABLE__COLD static portable_status not_taken(struct portable__stream *s, portable_stream handle, struct portable__node *n, struct portable__point *at_out) {
  pthread_mutex_lock(&s->lock);
  const int there = takes(s, handle, PORTABLE__RECORDS_GRAPH);
  pthread_mutex_unlock(&s->lock);
  portable_status status = !there ? is_ended(handle) : portable__queue_records(s) ? portable__above_graph.take(s, n, at_out) : PORTABLE__NOT_HERE;
  if (status == PORTABLE__NOT_HERE) return put(s, handle, n, at_out); /* another thread has just ended the recording */
  if (status != PORTABLE_OK) let_go(n);
  return status;
}

/* Appends the node, or frees it. */
static portable_status put(struct portable__stream *s, portable_stream handle, struct portable__node *n, struct portable__point *at_out) {
  int device = PORTABLE__UNLIKELY(portable__queue_side(s) != NULL), reason = device ? begin_turn(s, handle) : 0;
  if (reason) {
    let_go(n);
    portable_status status;
    PORTABLE__EXPLAINED(&status, "stream", NULL, PORTABLE_ERR_NOMEM, portable__stream_go.no_thread(handle, reason));
    return status;
  }
  pthread_mutex_lock(&s->lock);
  if (!device) make_room(s);
  int there = takes(s, handle, 0);
  if (there) {
    if (s->last)
      s->last->next = n;
    else
      s->first = n;
    s->last = n;
    uint64_t queued = atomic_load_explicit(&s->queued, memory_order_relaxed) + 1;
    atomic_store_explicit(&s->queued, queued, memory_order_relaxed);
    if (at_out) *at_out = (struct portable__point){s, queued};
    if (device) portable__side_queued(s);
    if (s->asleep) pthread_cond_signal(&s->work);
  }
  pthread_mutex_unlock(&s->lock);
  if (device) pthread_mutex_unlock(&s->turn);
  return PORTABLE__LIKELY(there) ? PORTABLE_OK : not_taken(s, handle, n, at_out);
}

portable_status portable__queue_job(struct portable__stream *s, portable_stream handle, const struct portable__job *job, const void *args,
                                    size_t args_bytes, struct portable__point *at_out) {
  struct portable__node *n = node_with(s, PORTABLE__NODE_JOB, args, args_bytes, job->label);
  if (!n) return no_memory(job->label, args_bytes + strlen(job->label) + 1);
  n->job = *job;
  n->job.stream = s;
  n->job.args = n->args;
  n->job.label = n->label;
  return put(s, handle, n, at_out);
}

portable_status portable__queue_call(struct portable__stream *s, portable_stream handle, portable_stream_function function, void *payload) {
  struct portable__node *n = new_node(s, PORTABLE__NODE_CALL);
  if (!n) return no_memory("portable_stream_call", sizeof *n);
  n->function = function;
  n->payload = payload;
  return put(s, handle, n, NULL);
}

portable_status portable__queue_replay(struct portable__stream *s, portable_stream handle, portable__replay replay, void *graph, void *changes,
                                       struct portable__point *at_out) {
  struct portable__node *n = new_node(s, PORTABLE__NODE_REPLAY);
  if (!n) return no_memory("portable_graph_launch", sizeof *n);
  n->replay = replay;
  n->payload = graph;
  n->args = changes;
  return put(s, handle, n, at_out);
}

portable_status portable__queue_record(struct portable__stream *s, portable_stream handle, struct portable__graph *graph) {
  pthread_mutex_lock(&s->lock);
  int records = portable__queue_records(s), there = !graph || (!records && takes(s, handle, 0));
  if (there) {
    atomic_store_explicit(&s->graph, graph, memory_order_relaxed);
    s->place = 0;
    s->shut = graph ? s->shut | PORTABLE__RECORDS_GRAPH : s->shut & ~PORTABLE__RECORDS_GRAPH;
  }
  pthread_mutex_unlock(&s->lock);
  return there ? PORTABLE_OK : records ? PORTABLE_ERR_STATE : is_ended(handle);
}

/* ---- directly to the device ---- */

/* Takes the turn of a CUDA stream without work for the host. 0, without the turn: the host has work, or *status_out is an error. */
static int begin_direct(struct portable__stream *s, portable_stream handle, portable_status *error_out, portable_status *status_out) {
  pthread_mutex_lock(&s->turn);
  pthread_mutex_lock(&s->lock);
  const int there = takes(s, handle, PORTABLE__RECORDS_GRAPH);
  int direct = takes(s, handle, 0) && atomic_load_explicit(&s->issued, memory_order_relaxed) == atomic_load_explicit(&s->queued, memory_order_relaxed);
  *error_out = s->error;
  pthread_mutex_unlock(&s->lock);
  if (direct) return 1;
  pthread_mutex_unlock(&s->turn);
  *status_out = there ? PORTABLE_OK : is_ended(handle);
  return 0;
}

/* Ends the turn; issued: new work was issued, a launch if label is not NULL. Gives the end of the stream. */
static struct portable__point end_direct(struct portable__stream *s, int issued, const char *label) {
  pthread_mutex_lock(&s->lock);
  uint64_t queued = atomic_load_explicit(&s->queued, memory_order_relaxed) + (issued != 0);
  if (issued) {
    atomic_store_explicit(&s->queued, queued, memory_order_relaxed);
    portable__side_issued(s, queued, label);
  }
  pthread_mutex_unlock(&s->lock);
  pthread_mutex_unlock(&s->turn);
  return (struct portable__point){s, queued};
}

portable_status portable__queue_device(struct portable__stream *s, portable_stream handle, const struct portable__device_work *work,
                                       struct portable__point *at_out) {
  portable_status status = PORTABLE_OK, error;
  *at_out = (struct portable__point){NULL, 0};
  if (PORTABLE__LIKELY(begin_direct(s, handle, &error, &status))) {
    if (PORTABLE__LIKELY(error == PORTABLE_OK)) status = portable__side_enqueue(s, work, (void *)(uintptr_t)work->payload);
    *at_out = end_direct(s, error == PORTABLE_OK, status == PORTABLE_OK ? work->label : NULL);
    return status;
  }
  if (status != PORTABLE_OK) return status;
  struct portable__node *n = node_with(s, PORTABLE__NODE_DEVICE, work->payload, work->payload_bytes, work->label);
  if (!n) return no_memory(work->label, work->payload_bytes + strlen(work->label) + 1);
  n->work = *work;
  n->work.label = n->label;
  n->work.payload = n->args;
  return put(s, handle, n, at_out);
}

/* 1: the call is finished, with success or an error. */
static int wait_direct(struct portable__stream *s, portable_stream handle, struct portable__point point, portable_status *status_out) {
  portable_status error;
  if (!begin_direct(s, handle, &error, status_out)) return *status_out != PORTABLE_OK;
  int follows = portable__side_follows(s, point, 0);
  end_direct(s, follows, NULL);
  return follows;
}

portable_status portable__queue_wait(struct portable__stream *s, portable_stream handle, struct portable__point point) {
  portable_status status = PORTABLE_OK;
  if (PORTABLE__UNLIKELY(portable__queue_side(s) != NULL) && wait_direct(s, handle, point, &status)) return status;
  struct portable__node *n = new_node(s, PORTABLE__NODE_WAIT);
  if (!n) return no_memory("portable_stream_wait_event", sizeof *n);
  n->point = point;
  return put(s, handle, n, NULL);
}
