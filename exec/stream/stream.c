/* stream.c - streams as the program sees them: handles, checks, fences, start and stop. What a queue does is in queue.c, who may wait
 * for whom in waiting.c. In C because a launch into a stream looks its stream up; which devices there are is Go's to say.
 *
 * Locks: `making` guards that streams come and go, against the end of the library; it is taken before the lock of a stream. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../launch/fallback.h"
#include "../launch/launch.h"
#include "questions.h"
#include "stream.h"
#include "../../internal/backend/cuda/devices.h"
#include "../../internal/edge/calls.h"
#include "../../internal/memcheck/hazard.h"
#include "queue_device.h"
#include "../../internal/observe/watch.h"

struct portable__slot_table portable__streams = PORTABLE__SLOT_TABLE(PORTABLE__KIND_STREAM, struct portable__stream);

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static int open_for_more;    /* the library runs; under `making` */
static _Atomic int32_t live; /* streams that may have work: asynchronous ones, and those of cuda devices, into which the program may put some */

static struct portable__stream of_device = {.kind = PORTABLE_STREAM_SYNC}; /* all default streams of the host's devices */

/* Default streams of cuda devices, by the device's index; NULL: not used yet. Under `making`, but for looks. */
static struct {
  struct portable__stream *_Atomic stream;
  _Atomic portable_stream handle;
} defaults[PORTABLE__CUDA_MOST];

/* ---- which stream ---- */

/* The device of a default stream; 0: it is none. */
static int32_t default_of(portable_stream handle) {
  if (handle == 0) return portable_default_device();
  if (handle < PORTABLE__STREAM_OF(1) || handle > PORTABLE__STREAM_OF(portable_device_count())) return 0;
  return (int32_t)(handle - PORTABLE__STREAM_OF(0));
}

/* What is a stream, but not the program's to name. */
static int is_hidden(const struct portable__stream *s) {
  for (int32_t i = 0; i < PORTABLE__CUDA_MOST; i++)
    if (atomic_load_explicit(&defaults[i].stream, memory_order_relaxed) == s) return 1;
  return 0;
}

struct portable__stream *portable__stream_default_made(int32_t index, portable_stream *handle_out) {
  struct portable__stream *s = atomic_load_explicit(&defaults[index].stream, memory_order_acquire);
  if (s) *handle_out = atomic_load_explicit(&defaults[index].handle, memory_order_relaxed);
  return s;
}

struct portable__stream *portable__stream_default(const char *function, portable_device device, portable_stream *handle_out, portable_status *status_out) {
  struct portable__crossing crossing;
  int32_t number, index = portable__cuda_index(device);
  uint64_t stack = 0;
  *status_out = PORTABLE_OK;
  struct portable__stream *s = portable__stream_default_made(index, handle_out);
  if (PORTABLE__LIKELY(s != NULL)) return s;
  if ((*status_out = portable__cross_in(&crossing)) != PORTABLE_OK) return NULL;
  *status_out = portable__stream_go.stream(device, &number, &stack);
  portable__cross_out(&crossing);
  if (*status_out != PORTABLE_OK) return NULL;
  pthread_mutex_lock(&making);
  s = portable__stream_default_made(index, handle_out);
  int running = open_for_more;
  struct portable__device_side *side = !s && running ? portable__side_make(function, index, 1, status_out) : NULL;
  if (side && (s = portable__slot_take(&portable__streams))) {
    s->device = device;
    s->kind = PORTABLE_STREAM_ASYNC;
    portable__queue_start(s, stack, side);
    atomic_fetch_add(&live, 1);
    *handle_out = portable__slot_publish(&portable__streams, s);
    atomic_store(&defaults[index].handle, *handle_out);
    atomic_store_explicit(&defaults[index].stream, s, memory_order_release);
  } else if (side) {
    portable__side_end(side);
    *status_out = portable__fail(PORTABLE_ERR_NOMEM, "%s: no memory for the default stream of '%s'", function, portable_device_name(device));
  }
  pthread_mutex_unlock(&making);
  if (!s && *status_out == PORTABLE_OK) *status_out = portable__not_running(function);
  return s;
}

struct portable__stream *portable__stream_of(const char *function, portable_stream *handle, portable_status *status_out) {
  *status_out = PORTABLE_OK;
  if (PORTABLE__UNLIKELY(!portable_is_initialized())) {
    *status_out = portable__not_running(function);
    return NULL;
  }
  struct portable__stream *s = portable__slot_find(&portable__streams, *handle);
  if (PORTABLE__LIKELY(s != NULL)) return s;
  int32_t device = default_of(*handle);
  if (device) return PORTABLE__LIKELY(portable__cuda_index(device) < 0) ? &of_device : portable__stream_default(function, device, handle, status_out);
  *status_out = portable__fail(PORTABLE_ERR_HANDLE, "%s: %#" PRIx64 " is not a stream, or the stream was destroyed", function, *handle);
  return NULL;
}

/* The record may be given out again between the first look and the last one, and is then another stream's. */
struct portable__stream *portable__stream_facts(portable_stream handle, int32_t *device_out, int32_t *kind_out) {
  struct portable__stream *s = portable__slot_find(&portable__streams, handle);
  if (!s) return NULL;
  *device_out = atomic_load(&s->device);
  *kind_out = atomic_load(&s->kind);
  return portable__slot_find(&portable__streams, handle);
}

portable_device portable_stream_device(portable_stream stream) {
  int32_t device, kind;
  if (!portable_is_initialized()) return 0;
  return portable__stream_facts(stream, &device, &kind) ? device : default_of(stream);
}

int32_t portable_stream_kind(portable_stream stream) {
  int32_t device, kind;
  if (!portable_is_initialized()) return -1;
  if (portable__stream_facts(stream, &device, &kind)) return kind;
  device = default_of(stream);
  return device == 0 ? -1 : portable__cuda_index(device) < 0 ? PORTABLE_STREAM_SYNC : PORTABLE_STREAM_ASYNC;
}

/* ---- making and ending ---- */

portable_status portable_stream_create(portable_device device, int32_t kind, portable_stream *stream_out) {
  struct portable__crossing crossing;
  int32_t number = 0;
  uint64_t stack = 0;
  if (!stream_out) return portable__fail(PORTABLE_ERR_ARG, "portable_stream_create: stream_out is NULL");
  *stream_out = 0;
  if (kind != PORTABLE_STREAM_ASYNC && kind != PORTABLE_STREAM_SYNC)
    return portable__fail(PORTABLE_ERR_ARG, "portable_stream_create: the kind is %d; it is PORTABLE_STREAM_ASYNC or PORTABLE_STREAM_SYNC",
                          (int)kind);
  PORTABLE__CALL("portable_stream_create");
  if (!portable_is_initialized()) return portable__not_running("portable_stream_create");
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__stream_go.stream(device, &number, &stack);
  portable__cross_out(&crossing);
  if (status != PORTABLE_OK) return status;
  int reason = 0;
  int32_t index = portable__cuda_index(number);
  struct portable__device_side *side = index < 0 ? NULL : portable__side_make("portable_stream_create", index, 0, &status);
  if (status != PORTABLE_OK) return status;
  pthread_mutex_lock(&making);
  int running = open_for_more;
  struct portable__stream *s = running ? portable__slot_take(&portable__streams) : NULL;
  if (!s && side) portable__side_end(side);
  if (s) {
    s->device = number;
    s->kind = kind;
    reason = portable__queue_start(s, stack, side);
    if (reason) {
      portable__slot_give(&portable__streams, s);
    } else {
      if (kind == PORTABLE_STREAM_ASYNC || side) atomic_fetch_add(&live, 1);
      *stream_out = portable__slot_publish(&portable__streams, s);
    }
  }
  pthread_mutex_unlock(&making);
  if (!running) return portable__not_running("portable_stream_create");
  if (!s || reason)
    return portable__fail(PORTABLE_ERR_NOMEM, "portable_stream_create: %s%s; there are %d streams (see ulimit -u, ulimit -v and "
                          "PORTABLE_STACKSIZE)", s ? "no thread is to be had for it: " : "no memory for one more", s ? strerror(reason) : "",
                          (int)atomic_load(&live));
  return PORTABLE_OK;
}

/* The calling thread gets what the stream has for it. */
static portable_status hand_over(const struct portable__outcome *out) {
  portable__flags_add(out->flags);
  if (out->status != PORTABLE_OK) portable__set_error(out->text, strlen(out->text));
  return out->status;
}

portable_status portable__stream_settle(const char *function, struct portable__stream *s, portable_stream handle, struct portable__point point) {
  struct portable__outcome out;
  portable_status status = portable__wait_for(function, point);
  if (status != PORTABLE_OK) return status;
  portable__queue_outcome(s, handle, 1, &out);
  return hand_over(&out);
}

static portable_status destroy(portable_stream stream) {
  portable_status status;
  struct portable__outcome out;
  struct portable__stream *s = portable__stream_of("portable_stream_destroy", &stream, &status);
  if (!s) return status;
  if (s == &of_device || is_hidden(s))
    return portable__fail(PORTABLE_ERR_HANDLE, "portable_stream_destroy: %#" PRIx64 " is the default stream of a device, which ends "
                          "with the library", PORTABLE__STREAM_OF(s == &of_device ? default_of(stream) : s->device));
  if (portable__queue_inside() == s) return portable__stream_own("portable_stream_destroy");
  if (!portable__queue_claim(s, stream))
    return portable__fail(PORTABLE_ERR_HANDLE, "portable_stream_destroy: %#" PRIx64 " is not a stream, or the stream was destroyed, by another thread",
                          stream);
  status = portable__wait_for("portable_stream_destroy", portable__queue_end_of(s, stream));
  if (status != PORTABLE_OK) {
    portable__queue_unclaim(s);
    return status;
  }
  int counted = s->kind == PORTABLE_STREAM_ASYNC || portable__queue_side(s);
  portable__queue_end(s, stream, &out);
  portable__slot_give(&portable__streams, s);
  if (counted) atomic_fetch_sub(&live, 1);
  return hand_over(&out);
}

portable_status portable_stream_destroy(portable_stream stream) {
  __attribute__((cleanup(portable__call_end))) portable__call_scope scope;
  if (!portable__call_begin(&scope)) portable__call_begin_late(&scope);
  return stream ? destroy(stream) : PORTABLE_OK;
}

void portable__streams_open(void) {
  portable__fallback_forget();
  pthread_mutex_lock(&making);
  open_for_more = 1;
  pthread_mutex_unlock(&making);
}

/* Nothing more comes in, or everything may again. Gives how many streams have work. Under `making`. */
static int32_t shut_all(int32_t shut) {
  int32_t busy = 0;
  portable_stream handle;
  for (uint32_t i = 0; i < portable__slot_count(&portable__streams); i++) {
    struct portable__stream *s = portable__slot_at(&portable__streams, i, &handle);
    if (!s || (s->kind == PORTABLE_STREAM_SYNC && !portable__queue_side(s))) continue;
    int device = portable__queue_side(s) != NULL, ours = !device || pthread_mutex_trylock(&s->turn) == 0;
    pthread_mutex_lock(&s->lock);
    if (portable__slot_find(&portable__streams, handle) == s) s->shut = shut;
    busy += !portable__side_done(s, atomic_load(&s->queued)) || !ours;
    pthread_mutex_unlock(&s->lock);
    if (device && ours) pthread_mutex_unlock(&s->turn);
  }
  return busy;
}

int32_t portable__streams_close(char *text, size_t bytes) {
  int32_t ended = 0, counted = 0;
  portable_stream handle;
  struct portable__outcome out;
  text[0] = '\0';
  pthread_mutex_lock(&making);
  if (shut_all(1) > 0) {
    shut_all(0);
    pthread_mutex_unlock(&making);
    return -1;
  }
  for (uint32_t i = 0; i < portable__slot_count(&portable__streams); i++) {
    struct portable__stream *s = portable__slot_at(&portable__streams, i, &handle);
    if (!s || !portable__queue_claim(s, handle)) continue; /* its own destroy is under way */
    counted += s->kind == PORTABLE_STREAM_ASYNC || portable__queue_side(s);
    portable__queue_end(s, handle, &out);
    if (out.status != PORTABLE_OK && !text[0]) snprintf(text, bytes, "%s", out.text);
    ended += !is_hidden(s);
    portable__slot_give(&portable__streams, s);
  }
  for (int32_t i = 0; i < PORTABLE__CUDA_MOST; i++) atomic_store(&defaults[i].stream, NULL);
  atomic_fetch_sub(&live, counted);
  open_for_more = 0;
  pthread_mutex_unlock(&making);
  while (atomic_load(&live) > 0) { /* whoever destroys a stream at this moment */
    struct timespec pause = {0, 100000};
    nanosleep(&pause, NULL);
  }
  return ended;
}

int portable__streams_inside(void) { return portable__queue_inside() != NULL; }

int32_t portable__streams_live(void) { return portable__streams_inside() ? 0 : atomic_load(&live); }

/* ---- launches ---- */

portable_status portable__stream_launch(struct portable__stream *s, portable_stream handle, const struct portable__job *job, const void *args,
                                        size_t args_bytes, int waits) {
  char function[PORTABLE__LABEL_MAX + 64];
  struct portable__point at;
  if (waits) snprintf(function, sizeof function, "%s '%.*s', which is waited for", job->call, PORTABLE__LABEL_MAX, job->label);
  if (waits && portable__queue_inside() == s) return portable__stream_own(function);
  portable_status status = portable__queue_job(s, handle, job, args, args_bytes, &at);
  if (status == PORTABLE_OK && portable__hazards()) portable__hazard_launch(s, at.number, job->label, args, args_bytes);
  if (status != PORTABLE_OK || !waits) return status;
  status = portable__stream_settle(function, s, handle, at);
  if (status == PORTABLE_ERR_STATE) portable__queue_cancel(at); /* it would run when its arguments are gone */
  return status;
}

portable_status portable_stream_call(portable_stream stream, portable_stream_function function, void *payload) {
  PORTABLE__CALL("portable_stream_call");
  portable_status status;
  if (!function) return portable__fail(PORTABLE_ERR_ARG, "portable_stream_call: the function is NULL");
  struct portable__stream *s = portable__stream_of("portable_stream_call", &stream, &status);
  if (!s) return status;
  if (s->kind == PORTABLE_STREAM_ASYNC) return portable__queue_call(s, stream, function, payload);
  PORTABLE__CALLBACK(function(PORTABLE_OK, payload));
  return PORTABLE_OK;
}

/* ---- waiting ---- */

portable_status portable_stream_fence(portable_stream stream) {
  PORTABLE__CALL("portable_stream_fence"); /* the default stream of a device may begin with it */
  portable_status status;
  struct portable__stream *s = portable__stream_of("portable_stream_fence", &stream, &status);
  if (!s || (s->kind == PORTABLE_STREAM_SYNC && !portable__queue_side(s))) return status;
  static const char function[] = "portable_stream_fence";
  if (portable__queue_inside() == s) return portable__stream_own(function);
  uint32_t watching = portable__watched_by();
  if (PORTABLE__LIKELY(!watching)) return portable__stream_settle(function, s, stream, portable__queue_end_of(s, stream));
  struct portable__watched w = {.label = function};
  portable__watch_begin(watching, &w);
  status = portable__stream_settle(function, s, stream, portable__queue_end_of(s, stream));
  portable__watch_end(&w, status);
  return status;
}

portable_status portable_stream_query(portable_stream stream, int32_t *done_out) {
  portable_status status;
  if (!done_out) return portable__fail(PORTABLE_ERR_ARG, "portable_stream_query: done_out is NULL");
  *done_out = 0;
  PORTABLE__CALL("portable_stream_query");
  struct portable__stream *s = portable__stream_of("portable_stream_query", &stream, &status);
  if (!s) return status;
  struct portable__point end = portable__queue_end_of(s, stream);
  *done_out = portable__point_done(end);
  if (*done_out && portable__hazards()) portable__hazard_waited(end);
  return status;
}

/* Waits for all streams, or only looks; gives how many have work left. */
static int32_t each_stream(int wait) {
  int32_t busy = 0;
  portable_stream handle;
  for (uint32_t i = 0; i < portable__slot_count(&portable__streams); i++) {
    struct portable__stream *s = portable__slot_at(&portable__streams, i, &handle);
    if (!s) continue;
    struct portable__point end = portable__queue_end_of(s, handle);
    if (wait)
      portable__point_await(end);
    else
      busy += !portable__point_done(end);
  }
  if (wait && portable__hazards()) portable__hazard_waited_all();
  return busy;
}

/* What streams have for the thread that waited for all: all exceptions, and one error. */
static portable_status outcome_of_all(int with_error) {
  struct portable__outcome out, first = {.status = PORTABLE_OK};
  portable_stream handle;
  for (uint32_t i = 0; i < portable__slot_count(&portable__streams); i++) {
    struct portable__stream *s = portable__slot_at(&portable__streams, i, &handle);
    if (!s) continue;
    portable__queue_outcome(s, handle, with_error && first.status == PORTABLE_OK, &out);
    uint32_t flags = first.flags | out.flags;
    if (out.status != PORTABLE_OK) first = out;
    first.flags = flags;
  }
  return hand_over(&first);
}

static portable_status fence_all(void) {
  if (atomic_load_explicit(&live, memory_order_acquire) == 0) return PORTABLE_OK;
  if (portable__running_job || portable__queue_inside()) {
    if (each_stream(0) == 0) return PORTABLE_OK;
    return portable__fail(PORTABLE_ERR_STATE, "portable_fence: called inside a kernel or a callback while there is work in a stream, which "
                          "may be its own; call it where the kernel is launched");
  }
  each_stream(1);
  return outcome_of_all(1);
}

static __attribute__((noinline)) portable_status fence(uint32_t watching) {
  PORTABLE__CALL("portable_fence");
  if (PORTABLE__LIKELY(!watching)) return fence_all();
  struct portable__watched w = {.label = "portable_fence"};
  portable__watch_begin(watching, &w);
  portable_status status = fence_all();
  portable__watch_end(&w, status);
  return status;
}

portable_status portable_fence(void) {
  if (!portable_is_initialized()) return portable__not_running("portable_fence");
  uint32_t watching = portable__watched_by();
  const int idle = !watching && atomic_load_explicit(&live, memory_order_acquire) == 0;
  return PORTABLE__LIKELY(idle) ? PORTABLE_OK : fence(watching);
}

void portable__streams_wait(void) {
  if (atomic_load(&live) > 0) each_stream(1);
}

portable_status portable__streams_drain(void) {
  if (atomic_load(&portable__forked) || atomic_load(&live) == 0) return PORTABLE_OK;
  if (portable__queue_inside()) return portable__stream_own("portable_finalize");
  each_stream(1);
  return outcome_of_all(0);
}
