/* waiting.c - refuses circles of waits. Main function: portable__wait_for. Queued waits only look
 * back in time; a circle needs a thread inside a stream, in a kernel or callback, that waits for a
 * point which waits for its own stream. Locks: `deciding` lets one thread at a time declare its
 * wait and search, so only the last thread of a circle is refused; it is taken before the lock of a
 * stream. Threads: any. */
#include <stdlib.h>

#include "../../internal/memcheck/hazard.h"
#include "questions.h"
#include "queue.h"

static pthread_mutex_t deciding = PTHREAD_MUTEX_INITIALIZER;

/* The number up to which a stream must be done for the wait to end, and the number up to which its waits were searched. */
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

/* Adds the points that a stream waits for. 1: the point is after the end of the calling thread's own kernel. */
static int look(struct circle *c, struct needed *n, struct portable__stream *own) {
  int found = 0;
  n->looked = n->number;
  pthread_mutex_lock(&n->stream->lock);
  if (portable__queue_reached(n->stream) < n->number) { /* a device continues without the host */
    found = n->stream == own;
    portable__queue_waits(n->stream, n->number, need, c);
  }
  pthread_mutex_unlock(&n->stream->lock);
  return found;
}

/* 1: the point comes only after the end of the stream's present work. 0 also without memory for the search. */
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
  return PORTABLE__STREAM_REFUSED(PORTABLE_ERR_STATE, .call = function, .facts = PORTABLE__OWN_STREAM);
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
  if (circle) return PORTABLE__STREAM_REFUSED(PORTABLE_ERR_STATE, .call = function, .facts = PORTABLE__CIRCLE);
  portable__point_await(point);
  pthread_mutex_lock(&own->lock);
  struct portable__waiter **at = &own->waiters;
  while (*at != &waiter) at = &(*at)->next;
  *at = waiter.next;
  pthread_mutex_unlock(&own->lock);
  return PORTABLE_OK;
}
