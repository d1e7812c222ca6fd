/* recorder.c - what happens while a thread records: nodes enter, events stand for places, streams
 * join, other calls are refused. Main function: portable__graph_take. An entry has two others that
 * it comes after; Go makes the plan from them at the end. The first refusal of a node is kept, and
 * the end of the recording repeats it. Threads: the one that records; others are refused. */
#include <stdlib.h>
#include <string.h>

#include "../../internal/edge/above.h"
#include "../device/cuda_launch.h"
#include "../launch/launch.h"
#include "../stream/queue_node.h"
#include "graph.h"

/* Locks and holds the graph that the calling thread records until leave; NULL: it records none. Another thread may destroy the graph meanwhile. */
static struct portable__graph *own(void) {
  if (atomic_load_explicit(&portable__forked, memory_order_relaxed)) return NULL; /* the child may find the lock held for ever */
  struct portable__graph *g = portable__recording ? portable__slot_hold(&portable__graphs, portable__recording) : NULL;
  if (g) {
    pthread_mutex_lock(&g->lock);
    if (PORTABLE__LIKELY(g->handle == portable__recording && g->state == PORTABLE__GRAPH_RECORDS)) return g;
    portable__graph_leave(g);
  }
  portable__recording = 0; /* another thread has destroyed it, or the library has stopped since */
  return NULL;
}

static void leave(struct portable__graph **g) {
  if (*g) portable__graph_leave(*g);
}

/* A variable with this attribute leaves its graph at the end of the function. */
#define LEFT __attribute__((cleanup(leave)))

int portable__graph_recording(void) {
  LEFT struct portable__graph *g = own();
  return g != NULL;
}

portable_status portable__graph_refuse(const char *call, const char *label, int32_t why) {
  const portable_status otherwise = why == PORTABLE__GRAPH_STALE ? PORTABLE_ERR_HANDLE : PORTABLE_ERR_STATE;
  return PORTABLE__GRAPH_REFUSED(otherwise, .call = call, .label = label, .why = why, .graph = portable__recording);
}

/* The one answer to a call on a stream that recorded when it was asked. OK: it records for g, the calling thread's; PORTABLE__NOT_HERE: it
 * records no longer, because another thread has destroyed its graph since; else a refusal. */
static portable_status records_for(struct portable__stream *s, const struct portable__graph *g, const char *call, const char *label) {
  const struct portable__graph *its = atomic_load_explicit(&s->graph, memory_order_relaxed);
  if (!its) return PORTABLE__NOT_HERE;
  return its == g ? PORTABLE_OK : portable__graph_refuse(call, label, PORTABLE__GRAPH_OTHER_THREAD);
}

/* Makes room for one more; 0: no memory. */
static int grow(void *list, size_t bytes, size_t count, size_t *room) {
  void **at = list;
  if (count < *room) return 1;
  void *more = realloc(*at, (*room ? *room * 2 : 16) * bytes);
  if (!more) return 0;
  *at = more;
  *room = *room ? *room * 2 : 16;
  return 1;
}

static portable_status no_memory(const char *call) { return portable__graph_refuse(call, NULL, PORTABLE__GRAPH_NO_MEMORY); }

/* Adds an entry after the last one of the stream; 0: no memory. */
static int add(struct portable__graph *g, struct portable__stream *s, int32_t node, uint32_t also) {
  if (g->entry_count >= UINT32_MAX || !grow(&g->entries, sizeof *g->entries, g->entry_count, &g->entry_room)) return 0;
  g->entries[g->entry_count++] = (struct portable__graph_entry){node, s->slot.number, s->place, also};
  s->place = (uint32_t)g->entry_count;
  return 1;
}

/* Keeps the first refusal. */
static portable_status failed(struct portable__graph *g, portable_status status) {
  if (g->status != PORTABLE_OK) return status;
  g->status = status;
  strncpy(g->text, portable_last_error(), sizeof g->text - 1);
  return status;
}

static const char *call_of(const struct portable__node *n) {
  return n->what == PORTABLE__NODE_CALL     ? "portable_stream_call"
         : n->what == PORTABLE__NODE_REPLAY ? "portable_graph_launch"
         : n->what == PORTABLE__NODE_DEVICE ? "launch"
                                            : n->job.call;
}

/* Why a graph does not take the node; 0: it does. */
static int32_t unfit(struct portable__stream *s, struct portable__node *n) {
  struct portable__cuda_node node;
  void *block;
  size_t bytes;
  if (n->what == PORTABLE__NODE_REPLAY || n->what == PORTABLE__NODE_WAIT) return PORTABLE__GRAPH_NESTED;
  if (!portable__queue_side(s)) return 0;
  if (n->what != PORTABLE__NODE_DEVICE) return PORTABLE__GRAPH_HOST_WORK;
  return (n->args && !n->args_bytes) || n->work.waits || portable__cuda_node_of(&n->work, n->args, &node, &block, &bytes) < 0 ? PORTABLE__GRAPH_LARGE : 0;
}

portable_status portable__graph_hold(const struct portable__graph *g, const void *args, size_t bytes, int32_t *found_out) {
  struct portable__graph_block block = {args, bytes};
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  *found_out = portable__graph_go.hold(g->handle, &block);
  portable__cross_out(&crossing);
  return PORTABLE_OK;
}

/* The place that the stream has come to. */
static struct portable__point place(const struct portable__graph *g, struct portable__stream *s) {
  return (struct portable__point){s, PORTABLE__PLACE | (uint64_t)g->serial << 32 | s->place};
}

portable_status portable__graph_take(struct portable__stream *s, struct portable__node *n, struct portable__point *at_out) {
  LEFT struct portable__graph *g = own();
  const char *const label = n->what == PORTABLE__NODE_JOB || n->what == PORTABLE__NODE_DEVICE ? n->label : NULL;
  portable_status status = records_for(s, g, call_of(n), label);
  int32_t found;
  if (status != PORTABLE_OK) return status;
  if (unfit(s, n))
    status = failed(g, portable__graph_refuse(call_of(n), label, unfit(s, n)));
  else if (n->what != PORTABLE__NODE_CALL && (status = portable__graph_hold(g, n->args, n->args_bytes, &found)) != PORTABLE_OK)
    status = failed(g, status);
  else if (g->node_count >= INT32_MAX || !grow(&g->nodes, sizeof *g->nodes, g->node_count, &g->node_room) || !add(g, s, (int32_t)g->node_count, 0))
    status = failed(g, no_memory(call_of(n)));
  if (status != PORTABLE_OK) return status;
  n->head = n->what == PORTABLE__NODE_JOB ? portable__outer_offset(&n->job) : 0; /* not at a replay, when checks put their own kernel there */
  g->nodes[g->node_count++] = n;
  if (at_out) *at_out = place(g, s);
  return PORTABLE_OK;
}

portable_status portable__graph_mark(struct portable__stream *s, struct portable__point *point_out) {
  LEFT struct portable__graph *g = own();
  const portable_status status = records_for(s, g, "portable_event_record", NULL);
  if (status == PORTABLE_OK) *point_out = place(g, s);
  return status;
}

portable_status portable__graph_join(const char *call, struct portable__graph *g, struct portable__stream *s, portable_stream handle) {
  if (!grow(&g->streams, sizeof *g->streams, g->stream_count, &g->stream_room)) return no_memory(call);
  portable_status status = portable__queue_record(s, handle, g);
  if (status == PORTABLE_OK) g->streams[g->stream_count++] = (struct portable__graph_stream){s, handle};
  if (status == PORTABLE_ERR_STATE) return portable__graph_refuse(call, NULL, PORTABLE__GRAPH_BUSY_STREAM);
  return status;
}

void portable__graph_release(struct portable__graph *g) {
  for (size_t i = 0; i < g->stream_count; i++) portable__queue_record(g->streams[i].stream, g->streams[i].handle, NULL);
  g->stream_count = 0;
}

portable_status portable__graph_follow(struct portable__stream *s, portable_stream handle, struct portable__point point) {
  static const char function[] = "portable_stream_wait_event";
  LEFT struct portable__graph *g = own();
  portable_status status = records_for(s, g, function, NULL);
  const int its = status == PORTABLE_OK, is_place = point.number >= PORTABLE__PLACE;
  if (!its && status != PORTABLE__NOT_HERE) return status;
  if (is_place && (!g || (uint32_t)(point.number >> 32) != (g->serial | UINT32_C(1) << 31))) {
    status = portable__graph_refuse(function, NULL, PORTABLE__GRAPH_OTHER_GRAPH);
    return its ? failed(g, status) : status;
  }
  if (!is_place && !its) return status;
  if (!is_place) return point.stream ? failed(g, portable__graph_refuse(function, NULL, PORTABLE__GRAPH_EARLIER)) : PORTABLE_OK;
  const uint32_t at = (uint32_t)point.number;
  if (its) return s->place == at || add(g, s, -1, at) ? PORTABLE_OK : failed(g, no_memory(function));
  int32_t device, kind;
  if (!portable__stream_facts(handle, &device, &kind) || kind != PORTABLE_STREAM_ASYNC) return failed(g, portable__graph_refuse(function, NULL, PORTABLE__GRAPH_SYNC));
  if (device != g->device)
    return failed(g, PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_ARG, .call = function, .why = PORTABLE__GRAPH_DEVICE, .at = (uint64_t)device, .count = (uint64_t)g->device));
  if ((status = portable__graph_join(function, g, s, handle)) != PORTABLE_OK) return failed(g, status);
  s->place = at;
  return PORTABLE_OK;
}

portable_status portable__graph_keep(struct portable__stream *s, const void *block) {
  static const char function[] = "portable_add_stream_dependency";
  LEFT struct portable__graph *g = own();
  int32_t found = 0;
  portable_status status = records_for(s, g, function, NULL);
  if (status == PORTABLE_OK) status = portable__graph_hold(g, block, 0, &found);
  if (status != PORTABLE_OK || found) return status;
  return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_POINTER, .call = function, .why = PORTABLE__GRAPH_ADDRESS, .at = (uint64_t)(uintptr_t)block);
}

portable_status portable__graph_at_end(struct portable__stream *s, portable_stream_function function, void *payload) {
  static const char call[] = "portable_stream_release";
  LEFT struct portable__graph *g = own();
  const portable_status status = records_for(s, g, call, NULL);
  if (status != PORTABLE_OK) return status;
  struct portable__graph_payload *p = malloc(sizeof *p);
  if (!p) return failed(g, no_memory(call));
  *p = (struct portable__graph_payload){g->payloads, function, payload};
  g->payloads = p;
  return PORTABLE_OK;
}
