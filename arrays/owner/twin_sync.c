/* twin_sync.c - syncs of twins: copies from the newer side to the other one, at once or in a
 * stream. Main function: sync. Not here: the marks (twin_check.c). Lock: portable__twin_lock, not
 * held during a copy; so the sync is a holder of the twin. */
#include "../../exec/stream/queue.h"
#include "../../internal/edge/above.h"
#include "../../internal/edge/calls.h"
#include "questions.h"
#include "twin.h"

#include <stdlib.h>
#include <string.h>

/* A sync in a stream, with its holders until the stream has completed it. */
struct passing {
  portable_twin twin;
  int32_t to;
  portable_array from_array, to_array;
};

static struct portable__twin *find(portable_twin twin) { return portable__slot_find(&portable__twins, twin); }

/* A descriptor without the flag of a side, so that its use changes no mark. */
static portable_array plain(const struct portable__twin_side *s) {
  portable_array a = s->array;
  a.flags &= ~PORTABLE__ARRAY_SIDE;
  return a;
}

/* Runs on the stream's thread, after the copy or after an earlier error of the stream. */
static void passed(portable_status status, void *payload) {
  struct passing *p = payload;
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = find(p->twin);
  if (t) t->side[p->to].arriving--;
  if (t && status != PORTABLE_OK) {
    t->side[!p->to].newer = 0; /* the mark may remain: the stream may run before the caller of sync returns */
    portable__twin_mark(t, !p->to, "not copied by a sync in a stream that had failed", "", NULL);
  }
  pthread_mutex_unlock(&portable__twin_lock);
  portable_array_release(&p->from_array);
  portable_array_release(&p->to_array);
  portable_twin_release(p->twin);
  free(p);
}

/* Starts the sync that holds both arrays and the twin. p belongs to this function, also after a failure. */
static portable_status start(const char *function, struct passing *p, const portable_launch_config *launch) {
  portable_array from = p->from_array, to = p->to_array;
  portable_status status = portable__array_copy_into(function, &from, &to, launch);
  if (status != PORTABLE_OK) {
    passed(PORTABLE_OK, p);
    return status;
  }
  status = portable_stream_call(launch->stream, passed, p);
  if (status == PORTABLE_OK) return status;
  if (portable_stream_fence(launch->stream) != PORTABLE_ERR_STATE) passed(PORTABLE_OK, p); /* else they leak, because a free could be too early */
  return status;
}

/* ---- changes without a mark, under checks ---- */

static portable_status sum(const portable_array *a, uint64_t *sum_out) {
  portable__twin_syncs++;
  portable_status status = portable_array_checksum(a, sum_out);
  portable__twin_syncs--;
  return status;
}

/* Refuses a changed checksum of a side without mark. Called without the lock. */
static portable_status untold(const char *function, const struct portable__twin *t) {
  for (int32_t side = 0; side < 2; side++) {
    const struct portable__twin_side *s = &t->side[side];
    portable_array a = plain(s);
    uint64_t now = 0;
    if (s->newer || a.space >= PORTABLE_SPACE_DEVICE(0)) continue;
    portable_status status = sum(&a, &now);
    if (status != PORTABLE_OK) return status;
    if (now != t->checksum) return portable__twin_refuse(function, t, side, PORTABLE__UNTOLD);
  }
  return PORTABLE_OK;
}

/* ---- public ---- */

static portable_status sync_held(const char *function, portable_twin twin, struct portable__twin *t, int32_t to, const portable_launch_config *launch) {
  int checks = (portable_checks() & PORTABLE_CHECK_ARRAYS) != 0 && !t->one_memory;
  int streams = launch && launch->struct_size >= sizeof *launch && launch->stream && portable_stream_kind(launch->stream) == PORTABLE_STREAM_ASYNC;
  int32_t device, kind;
  struct portable__stream *queue = streams ? portable__above_stream.facts(launch->stream, &device, &kind) : NULL;
  if (queue && portable__queue_records(queue)) return portable__above_graph.refuse(function, NULL, PORTABLE__GRAPH_STREAM); /* a replay would give its holders up again */
  struct passing *p = streams ? malloc(sizeof *p) : NULL;
  if (streams && !p) return portable__fail(PORTABLE_ERR_NOMEM, "%s: no memory", function);
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin now = *t;
  portable_status status = portable__array_live(function, &t->side[to].array); /* also if nothing is copied */
  if (status == PORTABLE_OK) status = portable__twin_conflict(function, t);
  int copies = status == PORTABLE_OK && t->side[!to].newer && !t->one_memory;
  if (status == PORTABLE_OK && t->one_memory && t->side[!to].newer) portable__twin_same(t);
  if (copies && streams) t->side[to].arriving++, t->agreed = 0;
  pthread_mutex_unlock(&portable__twin_lock);
  if (status == PORTABLE_OK && checks && !streams && now.agreed && !now.side[0].arriving && !now.side[1].arriving) status = untold(function, &now);
  portable_array from_array = plain(&now.side[!to]), to_array = plain(&now.side[to]);
  uint64_t agreed = 0;
  if (status != PORTABLE_OK || !copies) {
    free(p);
    return status;
  }
  portable__twin_syncs++;
  if (streams) {
    *p = (struct passing){twin, to, from_array, to_array};
    portable_twin_retain(twin);
    portable_array_retain(&p->from_array);
    portable_array_retain(&p->to_array);
    status = start(function, p, launch);
  } else {
    status = portable__array_copy_into(function, &from_array, &to_array, launch);
    if (status == PORTABLE_OK && checks) status = sum(&to_array, &agreed);
  }
  portable__twin_syncs--;
  if (status != PORTABLE_OK) return status;
  pthread_mutex_lock(&portable__twin_lock);
  if (t->side[!to].changes == now.side[!to].changes) {
    portable__twin_same(t);
    t->agreed = checks && !streams;
    t->checksum = agreed;
  }
  pthread_mutex_unlock(&portable__twin_lock);
  return status;
}

static portable_status sync(const char *function, portable_twin twin, int32_t to, const portable_launch_config *launch) {
  PORTABLE__CALL(function);
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = find(twin);
  if (t) t->holders++;
  pthread_mutex_unlock(&portable__twin_lock);
  if (!t) return portable__twin_none(function, twin);
  portable_status status = sync_held(function, twin, t, to, launch), released = portable_twin_release(twin);
  return status == PORTABLE_OK ? released : status;
}

portable_status portable_twin_sync_host(portable_twin twin, const portable_launch_config *launch) {
  return sync("portable_twin_sync_host", twin, PORTABLE__HOST_SIDE, launch);
}
portable_status portable_twin_sync_device(portable_twin twin, const portable_launch_config *launch) {
  return sync("portable_twin_sync_device", twin, PORTABLE__DEVICE_SIDE, launch);
}
