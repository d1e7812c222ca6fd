/* stream.c - streams as the program sees them: finds the stream of a handle, launches, waits;
 * starts and ends streams as exec/streams.go plans. Main function: portable__stream_of. Locks: none
 * of its own; Go starts and closes streams under a lock that is taken before the lock of a stream.
 * Threads: any. */
#include <stdio.h>
#include <string.h>

#include "../launch/kernel_record.h"
#include "../launch/launch.h"
#include "questions.h"
#include "stream.h"
#include "../../internal/backend/cuda/devices.h"
#include "../../internal/edge/above.h"
#include "../../internal/edge/calls.h"
#include "../../internal/memcheck/hazard.h"
#include "queue_device.h"
#include "../../internal/observe/watch.h"

struct portable__slot_table portable__streams = PORTABLE__SLOT_TABLE(PORTABLE__KIND_STREAM, struct portable__stream);

static _Atomic int32_t live; /* streams that may have work: asynchronous ones, and all of CUDA devices, to which the program may add work */

static struct portable__stream of_device = {.kind = PORTABLE_STREAM_SYNC}; /* all default streams of the host's devices */

/* Default streams of CUDA devices, by the device's index; NULL: not yet used. Written under the lock of exec.Streams. */
static struct {
  struct portable__stream *_Atomic stream;
  _Atomic portable_stream handle;
} defaults[PORTABLE__CUDA_MOST];

/* ---- finding ---- */

portable_status portable__stream_refused(struct portable__stream_asked asked, portable_status otherwise) {
  portable_status status;
  PORTABLE__EXPLAINED(&status, asked.call, NULL, otherwise, portable__stream_go.refuse(&asked));
  return status;
}

/* The device of a default stream; 0: the handle is not of one. */
static int32_t default_of(portable_stream handle) {
  if (handle == 0) return portable_default_device();
  if (handle < PORTABLE__STREAM_OF(1) || handle > PORTABLE__STREAM_OF(portable_device_count())) return 0;
  return (int32_t)(handle - PORTABLE__STREAM_OF(0));
}

/* 1: an internal stream, whose handle the program never gets. */
static int is_internal(const struct portable__stream *s) {
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
  int32_t index = portable__cuda_index(device);
  *status_out = PORTABLE_OK;
  struct portable__stream *s = portable__stream_default_made(index, handle_out);
  if (PORTABLE__LIKELY(s != NULL)) return s;
  if ((*status_out = portable__cross_in(&crossing)) != PORTABLE_OK) return NULL;
  *status_out = portable__stream_go.create_default(function, device, handle_out);
  portable__cross_out(&crossing);
  return *status_out == PORTABLE_OK ? portable__slot_find(&portable__streams, *handle_out) : NULL;
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
  *status_out = PORTABLE__STREAM_REFUSED(PORTABLE_ERR_HANDLE, .call = function, .stream = *handle, .facts = PORTABLE__NAMES_STREAM);
  return NULL;
}

/* Another stream may take the record between the two looks, so only equal looks count. */
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

/* ---- start and end ---- */

portable_status portable_stream_create(portable_device device, int32_t kind, portable_stream *stream_out) {
  static const char function[] = "portable_stream_create";
  struct portable__crossing crossing;
  portable_status status;
  if (stream_out) *stream_out = 0;
  if (!stream_out || (kind != PORTABLE_STREAM_ASYNC && kind != PORTABLE_STREAM_SYNC)) {
    PORTABLE__EXPLAINED(&status, function, NULL, PORTABLE_ERR_ARG, portable__stream_go.create(device, kind, 0, stream_out));
    return status;
  }
  PORTABLE__CALL(function);
  if (!portable_is_initialized()) return portable__not_running(function);
  if ((status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__stream_go.create(device, kind, 0, stream_out);
  portable__cross_out(&crossing);
  return status;
}

struct portable__stream_started portable__stream_start(const char *function, int32_t device, int32_t kind, int32_t is_default, uintptr_t native,
                                                       uint64_t stack_bytes) {
  struct portable__stream_started is = {0};
  int32_t index = portable__cuda_index(device);
  if (is_default && portable__stream_default_made(index, &is.handle)) return is;
  struct portable__device_side *side = index < 0 ? NULL : portable__side_make(function, index, is_default, (void *)native, &is.status);
  if (is.status != PORTABLE_OK) return is;
  struct portable__stream *s = portable__slot_take(&portable__streams);
  if (s) {
    s->device = device;
    s->kind = kind;
    is.reason = portable__queue_start(s, stack_bytes, side);
    if (is.reason) portable__slot_give(&portable__streams, s);
  }
  if (!s || is.reason) {
    if (side) portable__side_end(side);
    return is;
  }
  if (kind == PORTABLE_STREAM_ASYNC || side) atomic_fetch_add(&live, 1);
  is.handle = portable__slot_publish(&portable__streams, s);
  if (!is_default) return is;
  atomic_store(&defaults[index].handle, is.handle);
  atomic_store_explicit(&defaults[index].stream, s, memory_order_release);
  return is;
}

/* The calling thread gets the error and the floating-point exceptions of the stream. */
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

/* The wait is C: a thread that is cancelled here must leave no frames of Go. */
static portable_status destroy(portable_stream stream) {
  static const char function[] = "portable_stream_destroy";
  portable_status status;
  struct portable__outcome out;
  struct portable__stream *s = portable__stream_of(function, &stream, &status);
  if (!s) return status;
  const uint32_t ends = PORTABLE__NAMES_STREAM | PORTABLE__STREAM_LIVE | PORTABLE__ENDS_STREAM;
  if (s == &of_device || is_internal(s))
    return PORTABLE__STREAM_REFUSED(PORTABLE_ERR_HANDLE, .call = function, .stream = stream, .facts = ends,
                                    .default_of = s == &of_device ? default_of(stream) : s->device);
  if (portable__queue_inside() == s) return portable__stream_own(function);
  if (portable__queue_records(s)) return portable__above_graph.refuse(function, NULL, PORTABLE__GRAPH_STREAM);
  if (!portable__queue_claim(s, stream))
    return PORTABLE__STREAM_REFUSED(PORTABLE_ERR_HANDLE, .call = function, .stream = stream, .facts = ends | PORTABLE__STREAM_ENDS);
  status = portable__wait_for(function, portable__queue_end_of(s, stream));
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

int32_t portable__streams_shut(int32_t shut) {
  int32_t busy = 0;
  portable_stream handle;
  for (uint32_t i = 0; i < portable__slot_count(&portable__streams); i++) {
    struct portable__stream *s = portable__slot_at(&portable__streams, i, &handle);
    if (!s || (s->kind == PORTABLE_STREAM_SYNC && !portable__queue_side(s))) continue;
    int device = portable__queue_side(s) != NULL, ours = !device || pthread_mutex_trylock(&s->turn) == 0;
    pthread_mutex_lock(&s->lock);
    if (portable__slot_find(&portable__streams, handle) == s) s->shut = (s->shut & ~PORTABLE__SHUT) | (shut ? PORTABLE__SHUT : 0);
    busy += !portable__side_done(s, atomic_load(&s->queued)) || !ours;
    pthread_mutex_unlock(&s->lock);
    if (device && ours) pthread_mutex_unlock(&s->turn);
  }
  return busy;
}

int32_t portable__streams_end(char *text, size_t bytes) {
  int32_t ended = 0, counted = 0;
  portable_stream handle;
  struct portable__outcome out;
  text[0] = '\0';
  for (uint32_t i = 0; i < portable__slot_count(&portable__streams); i++) {
    struct portable__stream *s = portable__slot_at(&portable__streams, i, &handle);
    if (!s || !portable__queue_claim(s, handle)) continue; /* another thread destroys it now */
    counted += s->kind == PORTABLE_STREAM_ASYNC || portable__queue_side(s);
    portable__queue_end(s, handle, &out);
    if (out.status != PORTABLE_OK && !text[0]) snprintf(text, bytes, "%s", out.text);
    ended += !is_internal(s);
    portable__slot_give(&portable__streams, s);
  }
  for (int32_t i = 0; i < PORTABLE__CUDA_MOST; i++) atomic_store(&defaults[i].stream, NULL);
  atomic_fetch_sub(&live, counted);
  return ended;
}

int32_t portable__streams_counted(void) { return atomic_load(&live); }

int portable__streams_inside(void) { return portable__queue_inside() != NULL; }

int32_t portable__streams_live(void) { return portable__streams_inside() ? 0 : atomic_load(&live); }

/* ---- launches ---- */

portable_status portable__stream_launch(struct portable__stream *s, portable_stream handle, const struct portable__job *job, const void *args,
                                        size_t args_bytes, int waits) {
  char function[PORTABLE__LABEL_MAX + 64];
  struct portable__point at;
  if (waits) snprintf(function, sizeof function, "%s '%.*s', which is waited for", job->call, PORTABLE__LABEL_MAX, job->label);
  if (waits && portable__queue_inside() == s) return portable__stream_own(function);
  if (waits && portable__queue_records(s)) return portable__above_graph.refuse(job->call, job->label, PORTABLE__GRAPH_WAITS);
  portable_status status = portable__queue_job(s, handle, job, args, args_bytes, &at);
  if (status == PORTABLE_OK && portable__hazards() && at.number < PORTABLE__PLACE) portable__hazard_launch(s, at.number, job->label, args, args_bytes);
  if (status != PORTABLE_OK || !waits) return status;
  status = portable__stream_settle(function, s, handle, at);
  if (status == PORTABLE_ERR_STATE) portable__queue_cancel(at); /* it would run after the end of its arguments */
  return status;
}

portable_status portable_stream_call(portable_stream stream, portable_stream_function function, void *payload) {
  PORTABLE__CALL("portable_stream_call");
  portable_status status;
  if (!function) return PORTABLE__STREAM_REFUSED(PORTABLE_ERR_ARG, .call = "portable_stream_call", .missing = "the function");
  struct portable__stream *s = portable__stream_of("portable_stream_call", &stream, &status);
  if (!s) return status;
  if (s->kind == PORTABLE_STREAM_ASYNC) return portable__queue_call(s, stream, function, payload);
  PORTABLE__CALLBACK(function(PORTABLE_OK, payload));
  return PORTABLE_OK;
}

portable_status portable_stream_release(portable_stream stream, portable_stream_function function, void *payload) {
  struct portable__stream *s = portable__slot_find(&portable__streams, stream);
  const portable_status status = s && function && portable__queue_records(s) ? portable__above_graph.release(s, function, payload) : PORTABLE__NOT_HERE;
  return status == PORTABLE__NOT_HERE ? portable_stream_call(stream, function, payload) : status;
}

/* ---- waiting ---- */

portable_status portable_stream_fence(portable_stream stream) {
  PORTABLE__CALL("portable_stream_fence"); /* the default stream of a device may begin with it */
  portable_status status;
  struct portable__stream *s = portable__stream_of("portable_stream_fence", &stream, &status);
  if (!s || (s->kind == PORTABLE_STREAM_SYNC && !portable__queue_side(s))) return status;
  static const char function[] = "portable_stream_fence";
  if (portable__queue_inside() == s) return portable__stream_own(function);
  if (portable__queue_records(s)) return portable__above_graph.refuse(function, NULL, PORTABLE__GRAPH_STREAM);
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
  if (!done_out) return PORTABLE__STREAM_REFUSED(PORTABLE_ERR_ARG, .call = "portable_stream_query", .missing = "done_out");
  *done_out = 0;
  PORTABLE__CALL("portable_stream_query");
  struct portable__stream *s = portable__stream_of("portable_stream_query", &stream, &status);
  if (!s) return status;
  if (portable__queue_records(s)) return portable__above_graph.refuse("portable_stream_query", NULL, PORTABLE__GRAPH_STREAM);
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

/* The thread that has waited for all streams gets all their exceptions, and one error. */
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
  if (PORTABLE__UNLIKELY(portable__recording) && portable__above_graph.recording())
    return portable__above_graph.refuse("portable_fence", NULL, PORTABLE__GRAPH_FENCE);
  if (portable__running_job || portable__queue_inside()) {
    if (each_stream(0) == 0) return PORTABLE_OK;
    return PORTABLE__STREAM_REFUSED(PORTABLE_ERR_STATE, .call = "portable_fence", .facts = PORTABLE__BUSY_INSIDE);
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
