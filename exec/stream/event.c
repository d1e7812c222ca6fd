/* event.c - events, and the memory that streams keep. An event is a slot with a point in a stream
 * (exec/streams.go, at the end): recording replaces the point, waiters have copies. The pool's use
 * of points is Go (capi/exports_stream.go). Main functions: portable_event_record,
 * portable_stream_wait_event. Lock: `lock` guards the points of all events, and is taken last.
 * Threads: any. */
#include "questions.h"
#include "stream.h"
#include "../../gator/front/front.h"
#include "../../internal/edge/above.h"
#include "../../internal/edge/calls.h"
#include "../../internal/memcheck/hazard.h"
#include "../launch/kernel_record.h"
#include "queue_device.h"
#include "uses.h"

struct event {
  struct portable__slot_head slot;
  struct portable__point point;
};

static struct portable__slot_table events = PORTABLE__SLOT_TABLE(PORTABLE__KIND_EVENT, struct event);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* In a forked child, a thread of the parent may hold a lock for ever. */
static portable_status usable(void) {
  struct portable__crossing crossing;
  if (PORTABLE__LIKELY(!atomic_load_explicit(&portable__forked, memory_order_relaxed))) return PORTABLE_OK;
  portable_status status = portable__cross_in(&crossing);
  if (status == PORTABLE_OK) portable__cross_out(&crossing);
  return status;
}

/* Reads or sets the point of an event. */
static portable_status point_of(const char *function, portable_event event, struct portable__point *point, int set) {
  portable_status status = usable();
  if (status != PORTABLE_OK) return status;
  pthread_mutex_lock(&lock);
  struct event *e = portable__slot_find(&events, event);
  if (e && set) e->point = *point;
  if (e && !set) *point = e->point;
  pthread_mutex_unlock(&lock);
  if (e) return PORTABLE_OK;
  return PORTABLE__STREAM_REFUSED(PORTABLE_ERR_HANDLE, .call = function, .event = event, .facts = PORTABLE__NAMES_EVENT);
}

/* Reads the point of an event; a place in a graph is refused. */
static portable_status real_point(const char *function, portable_event event, struct portable__point *point) {
  portable_status status = point_of(function, event, point, 0);
  if (status != PORTABLE_OK || PORTABLE__LIKELY(point->number < PORTABLE__PLACE)) return status;
  *point = (struct portable__point){NULL, 0};
  return portable__above_graph.refuse(function, NULL, PORTABLE__GRAPH_PLACE);
}

portable_status portable_event_create(portable_event *event_out) {
  if (!event_out) return PORTABLE__STREAM_REFUSED(PORTABLE_ERR_ARG, .call = "portable_event_create", .missing = "event_out");
  *event_out = 0;
  portable_status status = usable();
  if (status != PORTABLE_OK) return status;
  struct event *e = portable__slot_take(&events);
  if (!e) return PORTABLE__STREAM_REFUSED(PORTABLE_ERR_NOMEM, .call = "portable_event_create", .facts = PORTABLE__NO_RECORD);
  e->point = (struct portable__point){NULL, 0};
  *event_out = portable__slot_publish(&events, e);
  return PORTABLE_OK;
}

portable_status portable_event_destroy(portable_event event) {
  struct portable__point point;
  portable_status status = usable();
  if (!event || status != PORTABLE_OK) return status;
  pthread_mutex_lock(&lock); /* a thread that found the event still reads its point */
  struct event *e = portable__slot_retract(&events, event);
  pthread_mutex_unlock(&lock);
  if (!e) return point_of("portable_event_destroy", event, &point, 0);
  portable__slot_give(&events, e);
  return PORTABLE_OK;
}

portable_status portable_event_record(portable_event event, portable_stream stream) {
  PORTABLE__CALL("portable_event_record"); /* the default stream of a device may begin with it */
  portable_status status;
  struct portable__stream *s = portable__stream_of("portable_event_record", &stream, &status);
  if (!s) return status;
  struct portable__point point = {NULL, 0};
  status = portable__queue_records(s) ? portable__above_graph.mark(s, &point) : PORTABLE__NOT_HERE;
  if (status == PORTABLE__NOT_HERE)
    portable__queue_mark(point = portable__queue_end_of(s, stream));
  else if (status != PORTABLE_OK)
    return status;
  return point_of("portable_event_record", event, &point, 1);
}

portable_status portable_event_query(portable_event event, int32_t *done_out) {
  struct portable__point point;
  if (!done_out) return PORTABLE__STREAM_REFUSED(PORTABLE_ERR_ARG, .call = "portable_event_query", .missing = "done_out");
  *done_out = 0;
  portable_status status = real_point("portable_event_query", event, &point);
  if (status == PORTABLE_OK) *done_out = portable__point_done(point);
  if (*done_out && portable__hazards()) portable__hazard_waited(point);
  return status;
}

portable_status portable_event_wait(portable_event event) {
  PORTABLE__CALL("portable_event_wait");
  struct portable__point point;
  portable_status status = real_point("portable_event_wait", event, &point);
  return status == PORTABLE_OK ? portable__wait_for("portable_event_wait", point) : status;
}

portable_status portable_stream_wait_event(portable_stream stream, portable_event event) {
  PORTABLE__CALL("portable_stream_wait_event");
  struct portable__point point;
  portable_status status;
  struct portable__stream *s = portable__stream_of("portable_stream_wait_event", &stream, &status);
  if (!s) return status;
  status = point_of("portable_stream_wait_event", event, &point, 0);
  if (status != PORTABLE_OK) return status;
  if (PORTABLE__UNLIKELY(point.number >= PORTABLE__PLACE || portable__queue_records(s)) &&
      (status = portable__above_graph.follow(s, stream, point)) != PORTABLE__NOT_HERE)
    return status;
  if (s->kind == PORTABLE_STREAM_SYNC && !portable__queue_side(s)) return portable__wait_for("portable_stream_wait_event", point);
  if (portable__hazards()) portable__hazard_waits(s, point);
  if (point.stream == s || portable__point_done(point)) return PORTABLE_OK;
  return portable__queue_wait(s, stream, point);
}

/* ---- memory ---- */

portable_status portable_add_stream_dependency(const void *ptr, portable_stream stream) {
  PORTABLE__CALL("portable_add_stream_dependency");
  struct portable__crossing crossing;
  portable_status status;
  struct portable__stream *s = portable__stream_of("portable_add_stream_dependency", &stream, &status);
  if (!s) return status;
  if (portable__queue_records(s) && (status = portable__above_graph.keep(s, ptr)) != PORTABLE__NOT_HERE) return status;
  if ((status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__stream_go.depend_open(s, (uint64_t *)(void *)&s->done, portable__queue_side(s) != NULL, stream, (uintptr_t)ptr);
  portable__cross_out(&crossing);
  if (status == PORTABLE_OK && portable__hazards()) portable__hazard_keeps(ptr, s);
  return status;
}

void portable__stream_uses(portable_stream stream, const uintptr_t *addresses, size_t count) {
  struct portable__crossing crossing;
  portable_status status;
  const portable_stream named = stream;
  struct portable__stream *s = portable__stream_of("portable_launch", &stream, &status);
  if (!s || s->kind == PORTABLE_STREAM_SYNC) return;
  if (PORTABLE__UNLIKELY(stream != named)) return; /* a device's default stream: portable__free_unfenced keeps all blocks */
  struct portable__point point = portable__queue_end_of(s, stream);
  if (!point.stream) return;
  if (portable__queue_side(s) != NULL) {
    portable__uses_note(s, point.number, addresses, count);
    return;
  }
  if (portable__cross_in(&crossing) != PORTABLE_OK) return;
  portable__stream_go.depend(s, (uint64_t *)(void *)&s->done, 0, point.number, (uintptr_t *)(void *)(uintptr_t)addresses, count);
  portable__cross_out(&crossing);
}

void portable__free_unfenced(const void *ptr) {
  uint32_t bits = atomic_load(&portable__unfenced);
  uintptr_t address = (uintptr_t)ptr;
  struct portable__crossing crossing;
  if (ptr && bits & PORTABLE__NOTED) portable__uses_tell();
  bits &= ~(PORTABLE__NOTED | PORTABLE__FOREIGN);
  if (!ptr || bits == 0 || portable__cross_in(&crossing) != PORTABLE_OK) return;
  for (int32_t i = 0; bits >> i; i++) {
    portable_stream handle;
    struct portable__stream *s = bits >> i & 1 ? portable__stream_default_made(i, &handle) : NULL;
    struct portable__point point = s ? portable__queue_end_of(s, handle) : (struct portable__point){NULL, 0};
    if (point.stream) portable__stream_go.depend(s, (uint64_t *)(void *)&s->done, 1, point.number, &address, 1);
  }
  portable__cross_out(&crossing);
}

int32_t portable__stream_sure(void *stream, uint64_t number) { return portable__queue_reached(stream) >= number; }

uint64_t portable__stream_end(void *stream, portable_stream handle) { return portable__queue_end_of(stream, handle).number; }

int32_t portable__stream_asks(void *stream, uint64_t number) { return portable__point_done((struct portable__point){stream, number}); }

void portable__stream_await(void *stream, uint64_t number) { portable__point_await((struct portable__point){stream, number}); }
