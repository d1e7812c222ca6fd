/* queue.c - the thread of a stream: runs nodes in order, keeps the first error, wakes waiters. Main
 * function: serve. It sleeps on an empty queue, but looks for the next node for 20 us if nodes come
 * closely. Done nodes go to a short list of spares, so a stream in use rarely allocates. Lock: the
 * stream's. */
#define _GNU_SOURCE
#include "../launch/fallback.h"
#include "../launch/launch.h"
#include "../../internal/edge/thread.h"
#include "../../internal/observe/tools.h"
#include "queue_node.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../internal/team/hints.h"
#include "../../internal/team/thread.h"

#define SPARES_MOST 256  /* nodes that a stream keeps */

/* ---- looking for work before sleeping ---- */

#define LOOK_NS 20000 /* a wake-up takes about that long, and the waking thread pays half of it */

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* 1: the number reaches the value within a short time. Other threads may run in between, because one of them may change it. */
static int look(_Atomic uint64_t *number, uint64_t least) {
  int64_t end = 0;
  for (;;) {
    for (int i = 0; i < 64; i++) {
      if (atomic_load_explicit(number, memory_order_acquire) >= least) return 1;
      portable__pause();
    }
    int64_t t = now_ns();
    if (end == 0) end = t + LOOK_NS;
    if (t >= end) return 0;
    sched_yield();
  }
}

/* ---- the thread ---- */

/* Wakes waiters for this number or a lower one. Locked. */
static void passed(struct portable__stream *s, const struct portable__node *n, uint64_t number) {
  if (PORTABLE__UNLIKELY(portable__queue_side(s) != NULL)) {
    portable__side_issued(s, number, n->what == PORTABLE__NODE_DEVICE ? n->work.label : NULL);
    if (n->what == PORTABLE__NODE_JOB || n->what == PORTABLE__NODE_CALL || n->what == PORTABLE__NODE_REPLAY) portable__side_passed(s, number);
    if (n->marked) portable__side_mark(s, number);
  } else {
    atomic_store_explicit(&s->done, number, memory_order_release);
  }
  if (number < s->awaited) return;
  s->awaited = UINT64_MAX;
  pthread_cond_broadcast(&s->progress);
}

/* A job of the host in a stream of a CUDA device, which has no version for the device. */
static portable_status run_fallback(struct portable__node *n) {
  int64_t since = now_ns();
  portable_status status = portable__job_run(&n->job, n->args_bytes);
  if (n->job.device == PORTABLE__THREADS) portable__fallback(n->job.label, n->job.cut.count, now_ns() - since); /* else a bit-for-bit run */
  return status;
}

/* Runs a node. error: the pending error of the stream; gives the new one. */
static portable_status perform(struct portable__stream *s, struct portable__node *n, portable_status error, struct portable__modes quiet,
                               uint32_t *flags_out) {
  portable_status status = PORTABLE_OK;
  int device = PORTABLE__UNLIKELY(portable__queue_side(s) != NULL);
  *flags_out = 0;
  if (n->what == PORTABLE__NODE_WAIT) {
    if (device)
      portable__side_follows(s, n->point, 1);
    else
      portable__point_await(n->point);
    return status;
  }
  if (device && n->what != PORTABLE__NODE_DEVICE) error = portable__side_quiet(s);
  if (error && n->what != PORTABLE__NODE_CALL && n->what != PORTABLE__NODE_REPLAY) return status;
  if (n->what == PORTABLE__NODE_DEVICE) return portable__side_enqueue(s, &n->work, (void *)(uintptr_t)n->work.payload);
  portable__modes_set(n->modes);
  if (PORTABLE__LIKELY(n->what == PORTABLE__NODE_JOB))
    status = device ? run_fallback(n) : portable__job_run(&n->job, n->args_bytes);
  else if (n->what == PORTABLE__NODE_CALL)
    n->function(error, n->payload);
  else
    status = n->replay(s, error, n->payload, n->args);
  *flags_out = portable__flags_get();
  portable__modes_set(quiet); /* code of the library, and exit hooks of Go, must not trap */
  return status;
}

/* Locked. After the first error, no job runs. */
static void keep_error(struct portable__stream *s, portable_status status, const char *text) {
  if (status == PORTABLE_OK || s->error != PORTABLE_OK) return;
  s->error = status;
  strncpy(s->text, text, sizeof s->text - 1);
}

/* Completes the first node. Locked. */
static void pop(struct portable__stream *s) {
  struct portable__node *n = s->first;
  if (!(s->first = n->next)) s->last = NULL;
  passed(s, n, portable__queue_reached(s) + 1);
}

/* A kernel or callback called pthread_exit. That is the stream's error. Another thread continues the queue; if the system gives no thread, the stream
 * takes no more work. */
static void stream_ends(void *stream) {
  static const char text[] = "a kernel or callback of the stream ended its thread (pthread_exit, or it was cancelled); let kernels and callbacks return";
  struct portable__stream *s = stream;
  if (atomic_load(&portable__forked)) return;
  portable__team_left();
  portable__own_stream = NULL;
  if (portable__self) atomic_store(&portable__self->calls, 0);
  pthread_mutex_lock(&s->lock);
  keep_error(s, PORTABLE_ERR_STATE, text);
  s->first->what = PORTABLE__NODE_WAIT; /* until it is done, no thread joins this one */
  s->first->point = (struct portable__point){NULL, 0};
  pthread_mutex_unlock(&s->lock);
  pthread_detach(pthread_self());
  if (portable__queue_thread(s) == 0) return;
  pthread_mutex_lock(&s->lock);
  s->shut |= PORTABLE__SHUT;
  for (struct portable__node *n; (n = s->first);) {
    pop(s);
    free(n->large);
    free(n);
  }
  pthread_mutex_unlock(&s->lock);
}

static void serve(struct portable__stream *s, struct portable__modes quiet) {
  int eager = 0; /* the next node is likely to come soon: a sleep would cost both sides more than a look */
  pthread_mutex_lock(&s->lock);
  for (;;) {
    struct portable__node *n = s->first;
    if (!n) {
      if (s->closing) break;
      if (eager) {
        uint64_t next = atomic_load_explicit(&s->queued, memory_order_relaxed) + 1;
        pthread_mutex_unlock(&s->lock);
        eager = look(&s->queued, next);
        pthread_mutex_lock(&s->lock);
        if (eager) continue;
      }
      int64_t since = now_ns();
      s->asleep = 1;
      while (!s->first && !s->closing) pthread_cond_wait(&s->work, &s->lock);
      s->asleep = 0;
      eager = now_ns() - since < LOOK_NS && !portable__queue_side(s); /* numbers of a CUDA stream also grow without nodes */
      continue;
    }
    uint32_t flags;
    portable_status error = s->error;
    pthread_mutex_unlock(&s->lock);
    portable_status status = perform(s, n, error, quiet, &flags);
    if (PORTABLE__UNLIKELY(portable__tool)) portable__tool_passed();
    free(n->large);
    n->large = NULL;
    if (atomic_load(&portable__forked)) return; /* a child process that a kernel forked: no thread of it knows the stream */
    pthread_mutex_lock(&s->lock);
    s->flags |= flags;
    keep_error(s, status, portable_last_error());
    pop(s);
    if (s->spares < SPARES_MOST) {
      n->next = s->spare;
      s->spare = n;
      s->spares++;
    } else {
      pthread_mutex_unlock(&s->lock);
      free(n);
      pthread_mutex_lock(&s->lock);
    }
  }
  pthread_mutex_unlock(&s->lock);
}

static void *stream_main(void *argument) {
  struct portable__stream *s = argument;
  struct portable__modes quiet = portable__modes_get();
  portable__thread_bottom = (uintptr_t)__builtin_frame_address(0);
  if (portable__team_thread_begins) portable__team_thread_begins();
  portable__thread_mask();
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); /* serve waits with the lock held, which a cancelled thread would keep */
  portable__own_stream = s;
  pthread_cleanup_push(stream_ends, s);
  serve(s, quiet);
  pthread_cleanup_pop(0);
  return NULL;
}

/* Inside a crossing: the thread inherits its modes, without traps. */
static int make_thread(struct portable__stream *s) {
  int reason = portable__thread_make(&s->thread, s->stack_bytes, stream_main, s);
  s->threaded = reason == 0;
  return reason;
}

int portable__queue_thread(struct portable__stream *s) {
  struct portable__crossing crossing;
  if (portable__cross_in(&crossing) != PORTABLE_OK) return ECANCELED;
  int reason = make_thread(s);
  portable__cross_out(&crossing);
  return reason;
}

int portable__queue_start(struct portable__stream *s, uint64_t stack_bytes, struct portable__device_side *side) {
  if (!s->slot.used_before) {
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->turn, NULL);
    pthread_cond_init(&s->work, NULL);
    pthread_cond_init(&s->progress, NULL);
    portable__hint_own(&s->queued, sizeof s->queued, 1); /* look reads them without the lock */
    portable__hint_own(&s->done, sizeof s->done, 1);
  }
  s->awaited = UINT64_MAX;
  s->closing = s->shut = 0;
  atomic_store(&s->graph, NULL);
  s->waiters = NULL;
  s->error = PORTABLE_OK;
  s->flags = 0;
  s->stack_bytes = stack_bytes;
  s->threaded = 0;
  atomic_store(&s->issued, atomic_load(&s->queued));
  atomic_store(&s->side, side);
  return s->kind == PORTABLE_STREAM_SYNC || side ? 0 : make_thread(s); /* Go calls this */
}

/* Locked. */
static void take_outcome(struct portable__stream *s, int with_error, struct portable__outcome *out) {
  out->flags = s->flags;
  s->flags = 0;
  if (!with_error || s->error == PORTABLE_OK) return;
  out->status = s->error;
  memcpy(out->text, s->text, sizeof out->text);
  s->error = PORTABLE_OK;
}

int portable__queue_claim(struct portable__stream *s, portable_stream handle) {
  struct portable__device_side *side = portable__queue_side(s);
  if (side) pthread_mutex_lock(&s->turn); /* no thread adds work now */
  pthread_mutex_lock(&s->lock);
  int ours = portable__slot_find(&portable__streams, handle) == s && !s->closing;
  if (ours) {
    s->closing = 1;
    pthread_cond_signal(&s->work);
    pthread_cond_broadcast(&s->progress); /* callers that wait for room in the queue are refused now */
  }
  pthread_mutex_unlock(&s->lock);
  if (side) pthread_mutex_unlock(&s->turn);
  return ours;
}

void portable__queue_unclaim(struct portable__stream *s) {
  pthread_mutex_lock(&s->lock);
  s->closing = 0;
  pthread_mutex_unlock(&s->lock);
}

void portable__queue_end(struct portable__stream *s, portable_stream handle, struct portable__outcome *out) {
  struct portable__node *spare;
  *out = (struct portable__outcome){.status = PORTABLE_OK};
  if (s->threaded) pthread_join(s->thread, NULL);
  if (portable__queue_side(s)) portable__side_hear(s);
  portable__slot_retract(&portable__streams, handle);
  pthread_mutex_lock(&s->lock);
  struct portable__device_side *side = portable__queue_side(s);
  while (side && side->users > 0) pthread_cond_wait(&s->progress, &s->lock);
  if (side) atomic_store(&s->done, atomic_load(&s->queued));
  atomic_store(&s->side, NULL);
  take_outcome(s, 1, out);
  spare = s->spare;
  s->spare = NULL;
  s->spares = 0;
  pthread_mutex_unlock(&s->lock);
  if (side) portable__side_end(side);
  for (struct portable__node *n; (n = spare); free(n)) spare = n->next;
}

/* ---- waiting ---- */

/* Not inside exit handlers of a thread, which would leave the lock behind. */
void portable__queue_await(struct portable__stream *s, uint64_t number, int gives_up) {
  int cancel;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
  while (portable__queue_reached(s) < number && !(gives_up && s->closing)) {
    if (number < s->awaited) s->awaited = number;
    pthread_cond_wait(&s->progress, &s->lock);
  }
  pthread_setcancelstate(cancel, &cancel);
}

struct portable__point portable__queue_end_of(struct portable__stream *s, portable_stream handle) {
  struct portable__point point = {NULL, 0};
  if (s->kind == PORTABLE_STREAM_SYNC && !portable__queue_side(s)) return point;
  pthread_mutex_lock(&s->lock);
  if (portable__slot_find(&portable__streams, handle) == s) {
    if (PORTABLE__UNLIKELY(portable__queue_side(s) != NULL)) portable__side_foreign(s);
    point = (struct portable__point){s, atomic_load_explicit(&s->queued, memory_order_relaxed)};
  }
  pthread_mutex_unlock(&s->lock);
  return point;
}

/* The node of the point, under the lock of its stream; NULL: it is done. */
static struct portable__node *node_at(struct portable__point point) {
  struct portable__node *n = point.stream->first;
  uint64_t number = portable__queue_reached(point.stream) + 1;
  for (; n && number < point.number; number++) n = n->next;
  return number == point.number ? n : NULL;
}

void portable__queue_cancel(struct portable__point point) {
  pthread_mutex_lock(&point.stream->lock);
  struct portable__node *n = node_at(point);
  if (n) {
    n->what = PORTABLE__NODE_WAIT;
    n->point = (struct portable__point){NULL, 0};
  }
  pthread_mutex_unlock(&point.stream->lock);
}

void portable__queue_waits(struct portable__stream *s, uint64_t number, void (*seen)(struct portable__point point, void *payload), void *payload) {
  uint64_t at = portable__queue_reached(s) + 1;
  for (struct portable__node *n = s->first; n && at <= number; n = n->next, at++)
    if (n->what == PORTABLE__NODE_WAIT) seen(n->point, payload);
  for (struct portable__waiter *w = s->waiters; w; w = w->next) seen(w->on, payload);
}

/* The number could be read without the lock; with it, race detectors see the order. */
int portable__point_done(struct portable__point point) {
  if (!point.stream) return 1;
  pthread_mutex_lock(&point.stream->lock);
  int done = portable__side_done(point.stream, point.number);
  pthread_mutex_unlock(&point.stream->lock);
  return done;
}

void portable__point_await(struct portable__point point) {
  if (!point.stream) return;
  int device = PORTABLE__UNLIKELY(portable__queue_side(point.stream) != NULL);
  if (!device) look(&point.stream->done, point.number);
  pthread_mutex_lock(&point.stream->lock);
  portable__queue_await(point.stream, point.number, 0);
  if (device) portable__side_await(point.stream, point.number);
  pthread_mutex_unlock(&point.stream->lock);
}

void portable__queue_reach(struct portable__point point) {
  pthread_mutex_lock(&point.stream->lock);
  portable__queue_await(point.stream, point.number, 0);
  pthread_mutex_unlock(&point.stream->lock);
}

void portable__queue_mark(struct portable__point point) {
  if (!point.stream || !portable__queue_side(point.stream)) return;
  pthread_mutex_lock(&point.stream->lock);
  struct portable__node *n = node_at(point);
  if (n)
    n->marked = 1;
  else
    portable__side_mark(point.stream, point.number);
  pthread_mutex_unlock(&point.stream->lock);
}

void portable__queue_outcome(struct portable__stream *s, portable_stream handle, int with_error, struct portable__outcome *out) {
  out->status = PORTABLE_OK;
  out->flags = 0;
  if (s->kind == PORTABLE_STREAM_SYNC && !portable__queue_side(s)) return;
  if (PORTABLE__UNLIKELY(portable__queue_side(s) != NULL)) portable__side_hear(s);
  pthread_mutex_lock(&s->lock);
  if (portable__slot_find(&portable__streams, handle) == s) take_outcome(s, with_error, out);
  pthread_mutex_unlock(&s->lock);
}

