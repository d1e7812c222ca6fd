/* replay.c - launches of graphs and changed arguments. Main function: replay, on the thread of the
 * stream that gets the launch: it runs the steps of Go's plan in their order, without Go. A launch
 * waits for the one before, so a node runs once at a time. Changes of arguments travel with the
 * next launch. Locks: a graph's, in calls of the program; none in a replay. */
#include <stdlib.h>
#include <string.h>

#include "../../capi/include/graph/portable_graph.h"
#include "../../internal/edge/above.h"
#include "../../internal/edge/calls.h"
#include "../../internal/memcheck/hazard.h"
#include "../device/cuda_launch.h"
#include "../launch/launch.h"
#include "../stream/queue_node.h"
#include "graph.h"

/* ---- on the stream's thread ---- */

/* The kernel gets the copy that the node has, in its own launch of the job. */
static portable_status run(struct portable__stream *s, struct portable__node *n) {
  struct portable__job *job = &n->job;
  const int32_t workers = job->workers; /* the team lowers it for a launch */
  job->stream = s;
  atomic_store_explicit(&job->next, 0, memory_order_relaxed);
  atomic_store_explicit(&job->failed, 0, memory_order_relaxed);
  const portable_status status = portable__job_run(job, n->args_bytes);
  job->workers = workers;
  return status;
}

/* After an error: 1: the step needs one that has failed or was skipped. */
static int skips(struct portable__graph *g, size_t step) {
  const uint32_t *needs = g->steps[step].needs;
  return g->skipped[step + 1] = g->skipped[needs[0]] | g->skipped[needs[1]];
}

void *portable__graph_block_of(struct portable__node *n, size_t *bytes_out) {
  struct portable__cuda_node node;
  void *block = NULL;
  *bytes_out = 0;
  if (n->what == PORTABLE__NODE_DEVICE) return portable__cuda_node_of(&n->work, n->args, &node, &block, bytes_out) == 1 && *bytes_out ? block : NULL;
  const size_t offset = n->head;
  if (n->what != PORTABLE__NODE_JOB || n->args_bytes <= offset) return NULL;
  *bytes_out = n->args_bytes - offset;
  return (char *)n->args + offset;
}

struct portable__node *portable__graph_apply_next(struct portable__graph *g, uint64_t launch, uint32_t *node_out) {
  struct portable__node *n = NULL;
  size_t bytes;
  pthread_mutex_lock(&g->changing);
  struct portable__graph_change *c = g->first && g->first->launch <= launch ? g->first : NULL;
  if (c) {
    if (!(g->first = c->next)) g->end = &g->first;
    n = g->nodes[*node_out = c->node];
    void *block = portable__graph_block_of(n, &bytes);
    memcpy(block, c->args, bytes);
  }
  pthread_mutex_unlock(&g->changing);
  free(c);
  return n;
}

static portable_status replay(struct portable__stream *s, portable_status error, void *graph, void *launch) {
  struct portable__graph *g = graph;
  char text[PORTABLE__ERROR_KEPT] = "";
  portable_status first = error;
  for (uint32_t node; portable__graph_apply_next(g, (uint64_t)(uintptr_t)launch, &node);) {}
  if (PORTABLE__UNLIKELY(first != PORTABLE_OK)) memset(g->skipped, 1, g->step_count + 1);
  for (size_t i = 0; i < g->step_count; i++) {
    struct portable__node *n = g->steps[i].node < 0 ? NULL : g->nodes[g->steps[i].node];
    const int skipped = PORTABLE__UNLIKELY(first != PORTABLE_OK) && skips(g, i);
    if (PORTABLE__UNLIKELY(n && n->what == PORTABLE__NODE_CALL)) {
      n->function(skipped ? first : PORTABLE_OK, n->payload);
      continue;
    }
    if (!n || skipped) continue;
    const portable_status status = run(s, n);
    if (PORTABLE__LIKELY(status == PORTABLE_OK)) continue;
    if (first == PORTABLE_OK) {
      memset(g->skipped, 0, g->step_count + 1);
      strncpy(text, portable_last_error(), sizeof text - 1);
      first = status;
    }
    g->skipped[i + 1] = 1;
  }
  if (text[0]) portable__set_error(text, strlen(text));
  return error == PORTABLE_OK ? first : PORTABLE_OK;
}

/* ---- calls of the program ---- */

/* A graph that is ready. Locked. */
static portable_status usable(const char *call, const struct portable__graph *g) {
  if (PORTABLE__LIKELY(g->state == PORTABLE__GRAPH_READY)) return PORTABLE_OK;
  return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_STATE, .call = call, .graph = g->handle,
                                 .why = g->state == PORTABLE__GRAPH_RECORDS     ? PORTABLE__GRAPH_NO_END
                                        : g->state == PORTABLE__GRAPH_IS_BROKEN ? PORTABLE__GRAPH_BROKEN
                                                                                : PORTABLE__GRAPH_SPOILED);
}

/* Copies the argument block that the node has in the last launch. Changes that the launch has not applied yet are those of it and of launches before.
 * Gives the bytes. */
static size_t copy_arguments(struct portable__graph *g, uint32_t node, char *copy) {
  const struct portable__node *n = g->nodes[node];
  size_t bytes;
  pthread_mutex_lock(&g->changing);
  const char *block = portable__graph_block_of(g->nodes[node], &bytes);
  memcpy(copy, n->args, n->args_bytes);
  for (const struct portable__graph_change *c = g->first; c; c = c->next)
    if (c->node == node && block) memcpy(copy + (block - (const char *)n->args), c->args, bytes);
  pthread_mutex_unlock(&g->changing);
  return n->args_bytes;
}

/* The graph keeps the blocks that the node's words name, so a free meanwhile is right. */
static void tell_hazard(struct portable__graph *g, uint32_t node, struct portable__point at, char *copy) {
  const struct portable__node *n = g->nodes[node];
  const size_t bytes = n->args_bytes ? copy_arguments(g, node, copy) : 0;
  uintptr_t word;
  portable__hazard_launch(at.stream, at.number, n->label, n->args_bytes ? copy : n->args, bytes);
  for (size_t i = 0; i + sizeof word <= bytes; i += sizeof word) {
    memcpy(&word, copy + i, sizeof word);
    if (word) portable__hazard_keeps((const void *)word, at.stream);
  }
}

/* The check of memory sees the blocks of each node, as of a launch at this place. The launch may run already. */
PORTABLE__COLD static void tell_hazards(struct portable__graph *g, struct portable__point at) {
  size_t most = 1;
  for (size_t i = 0; i < g->node_count; i++)
    if (g->nodes[i]->args_bytes > most) most = g->nodes[i]->args_bytes;
  char *copy = malloc(most);
  for (uint32_t i = 0; copy && i < g->node_count; i++)
    if (g->nodes[i]->what != PORTABLE__NODE_CALL) tell_hazard(g, i, at, copy);
  free(copy);
}

/* Locked. */
static portable_status put(struct portable__graph *g, struct portable__stream *s, portable_stream named, portable_stream handle) {
  struct portable__point at = {NULL, 0};
  portable_status status = PORTABLE_OK;
  if (g->last.stream && g->last.stream != s && !portable__point_done(g->last)) status = portable__queue_wait(s, handle, g->last);
  if (portable__hazards() && g->last.stream && g->last.stream != s) portable__hazard_waits(s, g->last);
  if (status != PORTABLE_OK) return status;
  g->launches++;
  status = g->driver ? portable__graph_launch_there(g, s, named, handle, &at)
                     : portable__queue_replay(s, handle, replay, g, (void *)(uintptr_t)g->launches, &at);
  if (at.stream) g->last = at; /* nodes before one that failed run, too */
  if (status != PORTABLE_OK) return status;
  if (portable__hazards()) tell_hazards(g, at);
  return status;
}

portable_status portable_graph_launch(portable_graph graph, portable_stream stream) {
  static const char function[] = "portable_graph_launch";
  PORTABLE__CALL(function);
  portable_status status;
  int32_t device, kind;
  const portable_stream named = stream;
  struct portable__graph *g = portable__graph_enter(function, graph, &status);
  if (PORTABLE__UNLIKELY(!g)) return status;
  struct portable__stream *s = (status = usable(function, g)) == PORTABLE_OK ? portable__stream_of(function, &stream, &status) : NULL;
  if (PORTABLE__UNLIKELY(!s)) {
    portable__graph_leave(g);
    return status;
  }
  if (PORTABLE__UNLIKELY(!portable__stream_facts(named, &device, &kind) || kind != PORTABLE_STREAM_ASYNC))
    status = PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_STATE, .call = function, .why = PORTABLE__GRAPH_SYNC, .at = named);
  else if (PORTABLE__UNLIKELY(device != g->device))
    status = PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_ARG, .call = function, .why = PORTABLE__GRAPH_DEVICE, .at = (uint64_t)device, .count = (uint64_t)g->device);
  else
    status = put(g, s, named, stream);
  portable__graph_leave(g);
  return status;
}

/* Locked. */
static portable_status update(struct portable__graph *g, int32_t node, const void *args, size_t args_bytes) {
  static const char function[] = "portable_graph_update";
  if (node < 0 || (size_t)node >= g->node_count)
    return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_ARG, .call = function, .why = PORTABLE__GRAPH_NODE, .at = (uint64_t)(int64_t)node, .count = g->node_count);
  size_t bytes;
  struct portable__node *n = g->nodes[node];
  const void *block = portable__graph_block_of(n, &bytes);
  if (!block)
    return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_ARG, .call = function, .why = PORTABLE__GRAPH_NO_BLOCK, .label = n->what == PORTABLE__NODE_CALL ? NULL : n->label);
  if (args_bytes != bytes)
    return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_ARG, .call = function, .why = PORTABLE__GRAPH_SIZE, .label = n->label, .at = args_bytes, .count = bytes);
  struct portable__graph_change *c = malloc(sizeof *c + args_bytes);
  if (!c) return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_NOMEM, .call = function, .why = PORTABLE__GRAPH_NO_MEMORY);
  int32_t found;
  portable_status status = portable__graph_hold(g, args, args_bytes, &found);
  if (status != PORTABLE_OK) {
    free(c);
    return status;
  }
  c->next = NULL;
  c->node = (uint32_t)node;
  c->launch = g->launches + 1;
  memcpy(c->args, args, args_bytes);
  pthread_mutex_lock(&g->changing);
  *g->end = c;
  g->end = &c->next;
  pthread_mutex_unlock(&g->changing);
  return PORTABLE_OK;
}

portable_status portable_graph_update(portable_graph graph, int32_t node, const void *args, size_t args_bytes) {
  static const char function[] = "portable_graph_update";
  PORTABLE__CALL(function);
  portable_status status;
  if (!args) return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_ARG, .call = function, .missing = "args");
  struct portable__graph *g = portable__graph_enter(function, graph, &status);
  if (!g) return status;
  if ((status = usable(function, g)) == PORTABLE_OK) status = update(g, node, args, args_bytes);
  portable__graph_leave(g);
  return status;
}
