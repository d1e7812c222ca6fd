/* queue.c - see queue.h. In C because the thread that runs kernels is C's, and because a launch into a stream enters Go as little as
 * any other.
 *
 * The thread sleeps while the queue is empty; where one thing follows the other closely it looks for the next one first, for 20 us. Nodes that are through go to a short list of their own, so that a stream that is
 * in use allocates nothing but what does not fit into a node. */
#define _GNU_SOURCE
#include "queue.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../internal/team/hints.h"
#include "../internal/team/thread.h"

#define NODE_ROOM 512    /* bytes for argument block and label, before they get memory of their own */
#define SPARES_MOST 256  /* nodes that a stream keeps */

enum { JOB, CALL, WAIT };

struct portable__node {
  struct portable__job job;
  struct portable__node *next;
  int what;
  struct portable__modes modes; /* of the thread that put it in */
  portable_stream_function function;
  void *payload;
  struct portable__point point;
  size_t args_bytes;
  void *large;
  _Alignas(64) char room[NODE_ROOM];
};

__thread struct portable__stream *portable__own_stream __attribute__((tls_model("initial-exec")));

/* ---- looking before sleeping ---- */

#define LOOK_NS 20000 /* to be woken takes about that long, and who wakes pays half of it */

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* 1: the number is at least that, within a short time. Others go first now and then: it may be one of them that changes it. */
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

/* Wakes who waits for this number, or for less. Locked. */
static void passed(struct portable__stream *s, uint64_t number) {
  atomic_store_explicit(&s->done, number, memory_order_release);
  if (number < s->awaited) return;
  s->awaited = UINT64_MAX;
  pthread_cond_broadcast(&s->progress);
}

/* What one node stands for. error is the stream's pending one; gives the new one. */
static portable_status perform(struct portable__node *n, portable_status error, struct portable__modes quiet, uint32_t *flags_out) {
  portable_status status = PORTABLE_OK;
  *flags_out = 0;
  if (n->what == WAIT) {
    portable__point_await(n->point);
    return status;
  }
  if (n->what == JOB && error) return status;
  portable__modes_set(n->modes);
  if (n->what == JOB)
    status = portable__job_run(&n->job, n->args_bytes);
  else
    n->function(error, n->payload);
  *flags_out = portable__flags_get();
  portable__modes_set(quiet); /* what is ours, and Go's exit hooks, must not trap */
  return status;
}

static void *stream_main(void *argument) {
  struct portable__stream *s = argument;
  struct portable__modes quiet = portable__modes_get();
  portable__thread_bottom = (uintptr_t)__builtin_frame_address(0);
  if (portable__team_thread_begins) portable__team_thread_begins();
  portable__thread_mask();
  portable__own_stream = s;
  int eager = 0; /* the next one is likely to come soon: sleeping would cost both sides more than looking */
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
      eager = now_ns() - since < LOOK_NS;
      continue;
    }
    uint32_t flags;
    portable_status error = s->error;
    pthread_mutex_unlock(&s->lock);
    portable_status status = perform(n, error, quiet, &flags);
    if (PORTABLE__UNLIKELY(portable__tool)) portable__tool_passed();
    free(n->large);
    n->large = NULL;
    if (atomic_load(&portable__forked)) return NULL; /* a child that a kernel has made: nobody is there who knows the stream */
    pthread_mutex_lock(&s->lock);
    s->flags |= flags;
    if (status != PORTABLE_OK) { /* the first one: behind an error no job runs */
      s->error = status;
      strncpy(s->text, portable_last_error(), sizeof s->text - 1);
    }
    if (!(s->first = n->next)) s->last = NULL;
    passed(s, atomic_load_explicit(&s->done, memory_order_relaxed) + 1);
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
  return NULL;
}

int portable__queue_start(struct portable__stream *s, uint64_t stack_bytes) {
  struct portable__crossing crossing;
  if (!s->slot.used_before) {
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->work, NULL);
    pthread_cond_init(&s->progress, NULL);
    portable__hint_own(&s->queued, sizeof s->queued, 1); /* look reads them without the lock */
    portable__hint_own(&s->done, sizeof s->done, 1);
  }
  s->awaited = UINT64_MAX;
  s->closing = s->shut = 0;
  s->waiters = NULL;
  s->error = PORTABLE_OK;
  s->flags = 0;
  if (s->kind == PORTABLE_STREAM_SYNC) return 0;
  if (portable__cross_in(&crossing) != PORTABLE_OK) return ECANCELED;
  int reason = portable__thread_make(&s->thread, stack_bytes, stream_main, s); /* it inherits the modes of a crossing, without traps */
  portable__cross_out(&crossing);
  return reason;
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
  pthread_mutex_lock(&s->lock);
  int ours = portable__slot_find(&portable__streams, handle) == s && !s->closing;
  if (ours) {
    s->closing = 1;
    pthread_cond_signal(&s->work);
  }
  pthread_mutex_unlock(&s->lock);
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
  if (s->kind == PORTABLE_STREAM_ASYNC) pthread_join(s->thread, NULL);
  portable__slot_retract(&portable__streams, handle);
  pthread_mutex_lock(&s->lock);
  take_outcome(s, 1, out);
  spare = s->spare;
  s->spare = NULL;
  s->spares = 0;
  pthread_mutex_unlock(&s->lock);
  for (struct portable__node *n; (n = spare); free(n)) spare = n->next;
}

/* ---- waiting ---- */

/* Until the stream has done that much. Locked; not on the way to the end of a thread, which would leave the lock behind. */
static void await(struct portable__stream *s, uint64_t number) {
  int cancel;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
  while (atomic_load_explicit(&s->done, memory_order_relaxed) < number) {
    if (number < s->awaited) s->awaited = number;
    pthread_cond_wait(&s->progress, &s->lock);
  }
  pthread_setcancelstate(cancel, &cancel);
}

struct portable__point portable__queue_end_of(struct portable__stream *s, portable_stream handle) {
  struct portable__point point = {NULL, 0};
  if (s->kind == PORTABLE_STREAM_SYNC) return point;
  pthread_mutex_lock(&s->lock);
  if (portable__slot_find(&portable__streams, handle) == s)
    point = (struct portable__point){s, atomic_load_explicit(&s->queued, memory_order_relaxed)};
  pthread_mutex_unlock(&s->lock);
  return point;
}

/* Under the lock of its stream; NULL: it is through. */
static struct portable__node *node_at(struct portable__point point) {
  struct portable__node *n = point.stream->first;
  uint64_t number = atomic_load_explicit(&point.stream->done, memory_order_relaxed) + 1;
  for (; n && number < point.number; number++) n = n->next;
  return number == point.number ? n : NULL;
}

void portable__queue_cancel(struct portable__point point) {
  pthread_mutex_lock(&point.stream->lock);
  struct portable__node *n = node_at(point);
  if (n) {
    n->what = WAIT;
    n->point = (struct portable__point){NULL, 0};
  }
  pthread_mutex_unlock(&point.stream->lock);
}

void portable__queue_waits(struct portable__stream *s, uint64_t number, void (*seen)(struct portable__point point, void *payload), void *payload) {
  uint64_t at = atomic_load_explicit(&s->done, memory_order_relaxed) + 1;
  for (struct portable__node *n = s->first; n && at <= number; n = n->next, at++)
    if (n->what == WAIT) seen(n->point, payload);
  for (struct portable__waiter *w = s->waiters; w; w = w->next) seen(w->on, payload);
}

/* Under the lock, though the number could be read without: so tools that look for races see what comes before what. */
int portable__point_done(struct portable__point point) {
  if (!point.stream) return 1;
  pthread_mutex_lock(&point.stream->lock);
  int done = atomic_load_explicit(&point.stream->done, memory_order_relaxed) >= point.number;
  pthread_mutex_unlock(&point.stream->lock);
  return done;
}

void portable__point_await(struct portable__point point) {
  if (!point.stream) return;
  look(&point.stream->done, point.number);
  pthread_mutex_lock(&point.stream->lock);
  await(point.stream, point.number);
  pthread_mutex_unlock(&point.stream->lock);
}

void portable__queue_outcome(struct portable__stream *s, portable_stream handle, int with_error, struct portable__outcome *out) {
  out->status = PORTABLE_OK;
  out->flags = 0;
  if (s->kind == PORTABLE_STREAM_SYNC) return;
  pthread_mutex_lock(&s->lock);
  if (portable__slot_find(&portable__streams, handle) == s) take_outcome(s, with_error, out);
  pthread_mutex_unlock(&s->lock);
}

/* ---- putting work in ---- */

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
  n->large = NULL;
  n->modes = portable__modes_get();
  return n;
}

static portable_status no_memory(const char *what, size_t bytes) {
  return portable__fail(PORTABLE_ERR_NOMEM, "%s: no memory for %zu bytes in the stream's queue", what, bytes);
}

/* The end of the queue gets the node, or the node is freed. */
static portable_status put(struct portable__stream *s, portable_stream handle, struct portable__node *n, struct portable__point *at_out) {
  pthread_mutex_lock(&s->lock);
  /* Who works for a stream must not wait for one: it may be this, or one that waits for this. */
  uint64_t queued = atomic_load_explicit(&s->queued, memory_order_relaxed);
  if (PORTABLE__UNLIKELY(queued - atomic_load_explicit(&s->done, memory_order_relaxed) >= PORTABLE__QUEUE_MOST) && !portable__running_job &&
      !portable__own_stream) {
    await(s, queued - PORTABLE__QUEUE_MOST / 2);
    queued = atomic_load_explicit(&s->queued, memory_order_relaxed);
  }
  int there = portable__slot_find(&portable__streams, handle) == s && !s->closing && !s->shut;
  if (there) {
    if (s->last)
      s->last->next = n;
    else
      s->first = n;
    s->last = n;
    atomic_store_explicit(&s->queued, ++queued, memory_order_relaxed);
    if (at_out) *at_out = (struct portable__point){s, queued};
    if (s->asleep) pthread_cond_signal(&s->work);
  }
  pthread_mutex_unlock(&s->lock);
  if (there) return PORTABLE_OK;
  free(n->large);
  free(n);
  return portable__fail(PORTABLE_ERR_HANDLE, "the stream %#llx was ended while something was put into it", (unsigned long long)handle);
}

portable_status portable__queue_job(struct portable__stream *s, portable_stream handle, const struct portable__job *job, const void *args,
                                    size_t args_bytes, struct portable__point *at_out) {
  size_t label_bytes = strlen(job->label) + 1;
  struct portable__node *n = new_node(s, JOB);
  char *room = n ? n->room : NULL;
  if (n && (args_bytes > NODE_ROOM || label_bytes > NODE_ROOM - args_bytes)) {
    if (args_bytes > SIZE_MAX - label_bytes || posix_memalign(&n->large, 64, args_bytes + label_bytes) != 0) {
      n->large = NULL;
      free(n);
      n = NULL;
    }
    room = n ? n->large : NULL;
  }
  if (!n) return no_memory(job->label, args_bytes + label_bytes);
  n->job = *job;
  n->job.stream = s;
  n->args_bytes = args_bytes;
  n->job.args = (void *)(uintptr_t)args;
  if (args_bytes) n->job.args = memcpy(room, args, args_bytes);
  n->job.label = memcpy(room + args_bytes, job->label, label_bytes);
  return put(s, handle, n, at_out);
}

portable_status portable__queue_call(struct portable__stream *s, portable_stream handle, portable_stream_function function, void *payload) {
  struct portable__node *n = new_node(s, CALL);
  if (!n) return no_memory("portable_stream_call", sizeof *n);
  n->function = function;
  n->payload = payload;
  return put(s, handle, n, NULL);
}

portable_status portable__queue_wait(struct portable__stream *s, portable_stream handle, struct portable__point point) {
  struct portable__node *n = new_node(s, WAIT);
  if (!n) return no_memory("portable_stream_wait_event", sizeof *n);
  n->point = point;
  return put(s, handle, n, NULL);
}
