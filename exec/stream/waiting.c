/* waiting.c - who waits for whom: a thread inside a stream, in a kernel or a callback of it, must not wait for what can only come after
 * its own end. In C because it looks into the queues.
 *
 * Queues alone never wait in a circle: an event is a point that is in its stream before anybody waits for it, so each wait looks back in
 * time. A circle needs a thread inside a stream that waits at run time: for a point in another stream which stands
 * behind a wait, or another thread's wait, for this one.
 *
 * Locks: `deciding` lets one thread after the other say that it waits and look whether it may, so of those in a circle the last one
 * is refused, and only that one. It is taken before the lock of a stream. */
#include <stdlib.h>

#include "../../internal/memcheck/hazard.h"
#include "queue.h"

static pthread_mutex_t deciding = PTHREAD_MUTEX_INITIALIZER;

/* How much of each stream must be done for the wait to end, and for how much of that we have looked what it waits for. */
struct needed {
  struct portable__stream *stream;
  uint64_t number, looked;
};

struct circle {
  struct needed *of; /* by the number of the stream's slot */
  uint32_t count;
  int more;
};

static void need(struct portable__point point, void *payload) {
  struct circle *c = payload;
  if (!point.stream || point.stream->slot.number >= c->count) return;
  struct needed *n = &c->of[point.stream->slot.number];
  if (n->number >= point.number) return;
  n->stream = point.stream;
  n->number = point.number;
  c->more = 1;
}

/* What a stream must do first is added. 1: it is the end of what the calling thread does now. */
static int look(struct circle *c, struct needed *n, struct portable__stream *own) {
  int found = 0;
  n->looked = n->number;
  pthread_mutex_lock(&n->stream->lock);
  if (portable__queue_reached(n->stream) < n->number) { /* a device gets on by itself */
    found = n->stream == own;
    portable__queue_waits(n->stream, n->number, need, c);
  }
  pthread_mutex_unlock(&n->stream->lock);
  return found;
}

/* 1: the point comes only after the end of what the stream does now. Without memory to find out: 0. */
static int waits_for(struct portable__stream *own, struct portable__point point) {
  struct circle c = {.count = portable__slot_count(&portable__streams)};
  int found = 0;
  if (!(c.of = calloc(c.count, sizeof *c.of))) return 0;
  need(point, &c);
  while (c.more && !found) {
    c.more = 0;
    for (uint32_t i = 0; i < c.count && !found; i++)
      if (c.of[i].number > c.of[i].looked) found = look(&c, &c.of[i], own);
  }
  free(c.of);
  return found;
}

portable_status portable__stream_own(const char *function) {
  return portable__fail(PORTABLE_ERR_STATE, "%s: called inside a kernel or a callback of the stream that it waits for, which would wait "
                        "for itself; call it where the kernel is launched", function);
}

portable_status portable__wait_for(const char *function, struct portable__point point) {
  struct portable__stream *own = portable__queue_inside();
  if (!own) {
    portable__point_await(point);
    if (portable__hazards()) portable__hazard_waited(point);
  }
  if (!own || portable__point_done(point)) return PORTABLE_OK;
  if (own == point.stream) return portable__stream_own(function);
  struct portable__waiter waiter = {point, NULL};
  pthread_mutex_lock(&deciding);
  int circle = waits_for(own, point);
  if (!circle) {
    pthread_mutex_lock(&own->lock);
    waiter.next = own->waiters;
    own->waiters = &waiter;
    pthread_mutex_unlock(&own->lock);
  }
  pthread_mutex_unlock(&deciding);
  if (circle)
    return portable__fail(PORTABLE_ERR_STATE, "%s: called inside a kernel or a callback of a stream for which the other stream waits, so that "
                          "both would wait for ever; order them by portable_stream_wait_event, or wait where the kernel is launched",
                          function);
  portable__point_await(point);
  pthread_mutex_lock(&own->lock);
  struct portable__waiter **at = &own->waiters;
  while (*at != &waiter) at = &(*at)->next;
  *at = waiter.next;
  pthread_mutex_unlock(&own->lock);
  return PORTABLE_OK;
}
