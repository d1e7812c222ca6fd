/* graph.c - the life of graphs: begin, end, destroy, and their end with the library. Main function:
 * portable_graph_end, which lets Go plan (exec/replay). Records are reused, never freed. Locks: a
 * graph's; `counting` for the observer bit that is on while any thread records, and for what graphs
 * leave at the stop. Threads: any. */
#include <stdlib.h>
#include <string.h>

#include "../../capi/include/graph/portable_graph.h"
#include "../../internal/backend/cuda/devices.h"
#include "../../internal/edge/above.h"
#include "../../internal/edge/calls.h"
#include "../../internal/memcheck/hazard.h"
#include "../../internal/observe/watch.h"
#include "../stream/queue_node.h"
#include "graph.h"

struct portable__slot_table portable__graphs = PORTABLE__SLOT_TABLE(PORTABLE__KIND_GRAPH, struct portable__graph);

/* ---- finding and refusing ---- */

portable_status portable__graph_refused(struct portable__graph_asked asked, portable_status otherwise) {
  portable_status status;
  PORTABLE__EXPLAINED(&status, asked.call, asked.label, otherwise, portable__graph_go.refuse(&asked));
  return status;
}

struct portable__graph *portable__graph_enter(const char *call, uint64_t graph, portable_status *status_out) {
  *status_out = PORTABLE_OK;
  if (PORTABLE__UNLIKELY(atomic_load_explicit(&portable__forked, memory_order_relaxed) || !portable_is_initialized())) {
    *status_out = portable__not_running(call);
    return NULL;
  }
  if (PORTABLE__UNLIKELY(portable__running_job || portable__queue_inside())) {
    *status_out = PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_STATE, .call = call, .why = PORTABLE__GRAPH_INSIDE);
    return NULL;
  }
  struct portable__graph *g = portable__slot_hold(&portable__graphs, graph);
  if (PORTABLE__LIKELY(g != NULL)) {
    pthread_mutex_lock(&g->lock);
    if (PORTABLE__LIKELY(g->handle == graph && g->state != PORTABLE__GRAPH_GONE)) return g;
    portable__graph_leave(g);
  }
  *status_out = PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_HANDLE, .call = call, .why = PORTABLE__GRAPH_STALE, .graph = graph);
  return NULL;
}

void portable__graph_leave(struct portable__graph *g) {
  pthread_mutex_unlock(&g->lock);
  portable__slot_release(g);
}

/* ---- launches of a thread that records, and its allocations, are seen ---- */

/* Nothing is notified: the bit lets launches and allocations ask whether their thread records. */
static const struct portable__watcher watcher = {.memory = 1};
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static int32_t recordings;

static void count(int32_t change) {
  pthread_mutex_lock(&counting);
  recordings += change;
  if (change > 0 && recordings == 1) portable__watch_on(PORTABLE__RECORDS, &watcher);
  if (change < 0 && recordings == 0) portable__watch_off(PORTABLE__RECORDS);
  pthread_mutex_unlock(&counting);
}

/* ---- begin ---- */

static struct portable__graph *make(int32_t device) {
  static _Atomic uint32_t serials;
  struct portable__graph *g = portable__slot_take(&portable__graphs);
  if (!g) return NULL;
  if (!g->slot.used_before) {
    pthread_mutex_init(&g->lock, NULL);
    pthread_mutex_init(&g->changing, NULL);
  }
  pthread_mutex_lock(&g->lock);
  g->state = PORTABLE__GRAPH_RECORDS;
  g->device = device;
  g->serial = (atomic_fetch_add(&serials, 1) + 1) & 0x7fffffff;
  g->status = PORTABLE_OK;
  g->last = (struct portable__point){NULL, 0};
  g->first = NULL;
  g->end = &g->first;
  g->payloads = NULL;
  g->driver = NULL;
  g->launches = 0;
  g->handle = portable__slot_publish(&portable__graphs, g);
  pthread_mutex_unlock(&g->lock);
  return g;
}

/* Frees what the graph has, and its slot. Locked. */
static void let_go(struct portable__graph *g) {
  g->state = PORTABLE__GRAPH_GONE;
  portable__graph_capture_end(g);
  for (size_t i = 0; i < g->node_count; i++) {
    free(g->nodes[i]->large);
    free(g->nodes[i]);
  }
  for (struct portable__graph_change *c; (c = g->first); free(c)) g->first = c->next;
  free(g->nodes);
  free(g->entries);
  free(g->streams);
  free(g->steps);
  free(g->skipped);
  g->nodes = NULL;
  g->entries = NULL;
  g->streams = NULL;
  g->steps = NULL;
  g->skipped = NULL;
  g->stream_count = g->stream_room = g->entry_count = g->entry_room = g->node_count = g->node_room = g->step_count = 0;
  if (portable__slot_retract(&portable__graphs, g->handle)) portable__slot_give(&portable__graphs, g);
}

portable_status portable_graph_begin(portable_stream stream, portable_graph *graph_out) {
  static const char function[] = "portable_graph_begin";
  portable_status status;
  int32_t device, kind;
  if (graph_out) *graph_out = 0;
  PORTABLE__CALL(function);
  if (!graph_out) return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_ARG, .call = function, .missing = "graph_out");
  if (atomic_load_explicit(&portable__forked, memory_order_relaxed)) return portable__not_running(function);
  if (portable__running_job || portable__queue_inside()) return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_STATE, .call = function, .why = PORTABLE__GRAPH_INSIDE);
  if (portable__graph_recording())
    return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_STATE, .call = function, .why = PORTABLE__GRAPH_TWICE, .graph = portable__recording);
  const portable_stream named = stream;
  struct portable__stream *s = portable__stream_of(function, &stream, &status);
  if (!s) return status;
  if (!portable__stream_facts(named, &device, &kind) || kind != PORTABLE_STREAM_ASYNC)
    return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_STATE, .call = function, .why = PORTABLE__GRAPH_SYNC, .at = named);
  struct portable__graph *g = make(device);
  if (!g) return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_NOMEM, .call = function, .why = PORTABLE__GRAPH_NO_MEMORY);
  pthread_mutex_lock(&g->lock);
  status = portable__graph_join(function, g, s, stream);
  if (status == PORTABLE_OK) {
    *graph_out = portable__recording = g->handle;
    count(1);
  } else {
    let_go(g);
  }
  pthread_mutex_unlock(&g->lock);
  return status;
}

/* ---- end ---- */

/* Go makes the plan. Locked. */
static portable_status plan(struct portable__graph *g, uint32_t last) {
  static const char function[] = "portable_graph_end";
  struct portable__graph_recording r = {.graph = g->handle, .entries = g->entries, .count = g->entry_count, .last = last};
  struct portable__crossing crossing;
  portable_status status = PORTABLE_OK;
  g->steps = calloc(g->entry_count + 1, sizeof *g->steps);
  g->skipped = calloc(g->entry_count + 2, 1);
  if (!g->steps || !g->skipped) status = PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_NOMEM, .call = function, .why = PORTABLE__GRAPH_NO_MEMORY);
  r.steps = g->steps;
  if (status == PORTABLE_OK && (status = portable__cross_in(&crossing)) == PORTABLE_OK) {
    status = portable__graph_go.plan(&r);
    portable__cross_out(&crossing);
  }
  g->step_count = r.step_count;
  return status;
}

portable_status portable_graph_end(portable_graph graph) {
  static const char function[] = "portable_graph_end";
  PORTABLE__CALL(function);
  portable_status status;
  struct portable__graph *g = portable__graph_enter(function, graph, &status);
  if (!g) return status;
  if (g->state != PORTABLE__GRAPH_RECORDS || portable__recording != graph) {
    status = PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_STATE, .call = function, .graph = graph,
                                     .why = g->state == PORTABLE__GRAPH_RECORDS ? PORTABLE__GRAPH_OTHER_THREAD : PORTABLE__GRAPH_NO_BEGIN);
  } else {
    const uint32_t last = g->streams[0].stream->place;
    portable__graph_release(g);
    portable__recording = 0;
    count(-1);
    status = g->status;
    if (status == PORTABLE_OK)
      status = plan(g, last);
    else
      portable__set_error(g->text, strlen(g->text));
    if (status == PORTABLE_OK && portable__cuda_index(g->device) >= 0) status = portable__graph_capture(g);
    g->state = status == PORTABLE_OK ? PORTABLE__GRAPH_READY : PORTABLE__GRAPH_IS_BROKEN;
  }
  portable__graph_leave(g);
  return status;
}

/* ---- destroy ---- */

/* Calls what portable_stream_release has left, first the last one. Without locks: the functions are the program's. */
static void give_up(struct portable__graph_payload *p) {
  while (p) {
    struct portable__graph_payload *const next = p->next;
    PORTABLE__CALLBACK(p->function(PORTABLE_OK, p->payload));
    free(p);
    p = next;
  }
}

portable_status portable_graph_destroy(portable_graph graph) {
  static const char function[] = "portable_graph_destroy";
  if (!graph) return PORTABLE_OK;
  PORTABLE__CALL(function);
  struct portable__crossing crossing;
  portable_status status;
  struct portable__graph *g = portable__graph_enter(function, graph, &status);
  if (!g) return status;
  if (g->state == PORTABLE__GRAPH_RECORDS) {
    portable__graph_release(g);
    count(-1);
  }
  const struct portable__point last = g->last;
  g->state = PORTABLE__GRAPH_GONE; /* for all other calls; the handle is retracted after the wait, which holds no lock */
  pthread_mutex_unlock(&g->lock);
  portable__point_await(last);
  if (portable__hazards()) portable__hazard_waited(last);
  pthread_mutex_lock(&g->lock);
  struct portable__graph_payload *payloads = g->payloads;
  let_go(g);
  portable__graph_leave(g);
  give_up(payloads);
  if ((status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  portable__graph_go.ended(graph);
  portable__cross_out(&crossing);
  return PORTABLE_OK;
}

portable_status portable_graph_nodes(portable_graph graph, int32_t *count_out) {
  static const char function[] = "portable_graph_nodes";
  portable_status status;
  if (!count_out) return PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_ARG, .call = function, .missing = "count_out");
  *count_out = 0;
  PORTABLE__CALL(function);
  struct portable__graph *g = portable__graph_enter(function, graph, &status);
  if (!g) return status;
  *count_out = (int32_t)g->node_count;
  portable__graph_leave(g);
  return PORTABLE_OK;
}

void portable__graph_spoil(uint64_t graph) {
  struct portable__graph *g = portable__slot_hold(&portable__graphs, graph);
  if (!g) return;
  struct portable__point last = {NULL, 0};
  pthread_mutex_lock(&g->lock);
  if (g->handle == graph && (g->state == PORTABLE__GRAPH_READY || g->state == PORTABLE__GRAPH_GONE)) {
    last = g->last; /* a thread that destroys the graph may wait for it, too */
    if (g->state == PORTABLE__GRAPH_READY) g->state = PORTABLE__GRAPH_IS_SPOILED;
  } else if (g->handle == graph && g->state == PORTABLE__GRAPH_RECORDS && g->status == PORTABLE_OK) {
    static const char text[] = "portable_graph_end: a pool was destroyed during the recording, or a block was freed under valgrind or AddressSanitizer, and the graph uses it";
    g->status = PORTABLE_ERR_STATE;
    memcpy(g->text, text, sizeof text);
  }
  pthread_mutex_unlock(&g->lock);
  portable__point_await(last);
  portable__slot_release(g);
}

static struct portable__graph_payload *left; /* of graphs that have ended with the library; `counting` guards it */

void portable__graphs_end(void) {
  portable_graph handle;
  for (uint32_t i = 0; i < portable__slot_count(&portable__graphs); i++) {
    struct portable__graph *g = portable__slot_at(&portable__graphs, i, &handle);
    if (!g) continue;
    pthread_mutex_lock(&g->lock);
    if (g->state == PORTABLE__GRAPH_RECORDS) {
      portable__graph_release(g);
      count(-1);
    }
    if (g->state != PORTABLE__GRAPH_GONE) {
      struct portable__graph_payload **end = &g->payloads;
      while (*end) end = &(*end)->next;
      pthread_mutex_lock(&counting);
      *end = left;
      left = g->payloads;
      pthread_mutex_unlock(&counting);
      let_go(g);
    }
    pthread_mutex_unlock(&g->lock);
  }
}

void portable__graphs_give_up(void) {
  pthread_mutex_lock(&counting);
  struct portable__graph_payload *payloads = left;
  left = NULL;
  pthread_mutex_unlock(&counting);
  give_up(payloads);
}
