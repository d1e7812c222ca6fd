/* operations.c - the operations of this room for rooms below it (internal/edge/above.h). */
#include "../../internal/edge/above.h"
#include "queue.h"
#include "stream.h"

_Static_assert(offsetof(struct portable__stream, slot) == 0, "internal/memcheck/hazard.c takes a stream for its slot");

static int completed(uint32_t number, struct portable__point *point_out) {
  portable_stream handle;
  if (number >= portable__slot_count(&portable__streams)) return -1;
  struct portable__stream *s = portable__slot_at(&portable__streams, number, &handle);
  if (!s) return 0;
  *point_out = (struct portable__point){s, atomic_load(&s->done)};
  return 1;
}

const struct portable__above_stream portable__above_stream = {
    .fence = portable_fence,
    .live = portable__streams_live,
    .kind = portable_stream_kind,
    .device = portable_stream_device,
    .free_unfenced = portable__free_unfenced,
    .completed = completed,
    .end_of = portable__queue_end_of,
    .facts = portable__stream_facts,
    .launch = portable__stream_launch,
    .find = portable__stream_of,
    .settle = portable__stream_settle,
    .uses = portable__stream_uses,
};
