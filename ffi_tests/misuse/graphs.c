/* graphs.c - misuse of graphs: too early, stale handles, calls that a recording refuses, recordings that cannot be replayed, wrong
 * arguments. After each the stream works. Not in this file: several threads, fork, kernels that call (graphs/refused.c), devices. */
#include "misuse.h"

#include <portable_graph.h>

static portable_stream s, other;
static portable_graph ready, graph; /* ready: of one node `node` with one pointer; graph: that of the kind */
static portable_event e;
static void *word;
static int32_t number;

static portable_status node(portable_stream to, const void *args, size_t bytes) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  const portable_bounds one = portable_bounds_1(1);
  config.stream = to;
  return portable_parallel_for("node", &one, nothing, args, bytes, &config);
}

static void begin_graphs(void) {
  begin_running();
  s = new_stream();
  other = new_stream();
  e = new_event();
  graph = 0;
  MUST(portable_graph_begin(s, &ready) == 0 && node(s, &word, sizeof word) == 0 && portable_graph_end(ready) == 0);
}

/* The streams take work, the graph of before runs, and nothing is recorded. */
static void end_graphs(void) {
  MUST(portable_graph_destroy(graph) == 0);
  MUST(portable_graph_launch(ready, s) == 0 && node(other, &word, sizeof word) == 0 && portable_fence() == 0);
  MUST(portable_graph_destroy(ready) == 0);
  MUST(portable_stream_destroy(s) == 0 && portable_stream_destroy(other) == 0 && portable_event_destroy(e) == 0);
  end_running();
}

static void begin_recording(void) {
  begin_graphs();
  MUST(portable_graph_begin(s, &graph) == 0 && node(s, &word, sizeof word) == 0);
}

/* The misuse has not broken the recording. */
static void end_recording(void) {
  MUST(portable_graph_end(graph) == 0 && portable_graph_nodes(graph, &number) == 0 && number == 1);
  MUST(portable_graph_launch(graph, s) == 0 && portable_stream_fence(s) == 0);
  end_graphs();
}

/* ---- without a recording ---- */

static portable_stream default_stream(void) { return portable_device_stream(1); }

static void graph_before_init(void) { ASK(portable_graph_begin(1, &graph)); }
static void graph_launch_before_init(void) { ASK(portable_graph_launch(1, 1)); }

#define NO_GRAPH "is not a graph, or the graph was destroyed"
#define BAD_GRAPHS(X) \
  X(graph_no_out, portable_graph_begin(s, NULL), ERROR(ARG, "portable_graph_begin: graph_out is NULL")) \
  X(graph_no_stream, portable_graph_begin(12345, &graph), ERROR(HANDLE, "portable_graph_begin: 0x3039 is not a stream")) \
  X(graph_default_stream, portable_graph_begin(default_stream(), &graph), ERROR(STATE, "portable_graph_begin: a graph takes only asynchronous streams")) \
  X(graph_end_of_none, portable_graph_end(12345), ERROR(HANDLE, "portable_graph_end: 0x3039 " NO_GRAPH)) \
  X(graph_end_of_stream, portable_graph_end(s), ERROR(HANDLE, "portable_graph_end: 0x && " NO_GRAPH)) \
  X(graph_end_twice, portable_graph_end(ready), ERROR(STATE, "portable_graph_end: 0x && does not record: portable_graph_end needs a portable_graph_begin before it")) \
  X(graph_launch_of_none, portable_graph_launch(12345, s), ERROR(HANDLE, "portable_graph_launch: 0x3039 " NO_GRAPH)) \
  X(graph_launch_no_stream, portable_graph_launch(ready, 12345), ERROR(HANDLE, "portable_graph_launch: 0x3039 is not a stream")) \
  X(graph_launch_default, portable_graph_launch(ready, 0), ERROR(STATE, "portable_graph_launch: a graph takes only asynchronous streams")) \
  X(graph_destroy_of_none, portable_graph_destroy(12345), ERROR(HANDLE, "portable_graph_destroy: 0x3039 " NO_GRAPH)) \
  X(graph_nodes_no_out, portable_graph_nodes(ready, NULL), ERROR(ARG, "portable_graph_nodes: count_out is NULL")) \
  X(graph_nodes_of_none, portable_graph_nodes(12345, &number), ERROR(HANDLE, "portable_graph_nodes: 0x3039 " NO_GRAPH)) \
  X(graph_update_of_none, portable_graph_update(12345, 0, &word, sizeof word), ERROR(HANDLE, "portable_graph_update: 0x3039 " NO_GRAPH)) \
  X(graph_update_null, portable_graph_update(ready, 0, NULL, sizeof word), ERROR(ARG, "portable_graph_update: args is NULL")) \
  X(graph_update_no_node, portable_graph_update(ready, 1, &word, sizeof word), ERROR(ARG, "portable_graph_update: no node has this number; the graph has 1")) \
  X(graph_update_size, portable_graph_update(ready, 0, &word, 4), ERROR(ARG, "portable_graph_update 'node': the argument block has 4 bytes, the recorded one 8"))
BAD_GRAPHS(CALL_FUNCTION)

/* Destroyed, and used again. */
static void graph_gone(void) {
  MUST(portable_graph_begin(s, &graph) == 0 && portable_graph_end(graph) == 0 && portable_graph_destroy(graph) == 0);
  ASK(portable_graph_launch(graph, s));
  graph = 0;
}

/* A node without an argument block gets one. */
static void graph_update_no_block(void) {
  MUST(portable_graph_begin(s, &graph) == 0 && node(s, NULL, 0) == 0 && portable_graph_end(graph) == 0);
  ASK(portable_graph_update(graph, 0, &word, sizeof word));
}

/* An event from before the recording: the end repeats the refusal, and the graph cannot be launched. */
static void graph_earlier_event(void) {
  MUST(portable_event_record(e, other) == 0 && portable_graph_begin(s, &graph) == 0);
  ASK(portable_stream_wait_event(s, e));
  MUST(portable_graph_end(graph) == PORTABLE_ERR_STATE && portable_graph_launch(graph, s) == PORTABLE_ERR_STATE);
}

/* A launch of a graph whose end was refused. */
static void graph_launch_broken(void) {
  MUST(portable_graph_begin(s, &graph) == 0 && portable_graph_launch(ready, s) == PORTABLE_ERR_STATE && portable_graph_end(graph) == PORTABLE_ERR_STATE);
  ASK(portable_graph_launch(graph, s));
}

/* Work of another stream that the first one does not wait for. */
static void graph_not_joined(void) {
  MUST(portable_graph_begin(s, &graph) == 0 && portable_event_record(e, s) == 0 && portable_stream_wait_event(other, e) == 0);
  MUST(node(other, &word, sizeof word) == 0);
  ASK(portable_graph_end(graph));
}

/* A graph in a graph. */
static void graph_in_graph(void) {
  MUST(portable_graph_begin(s, &graph) == 0);
  ASK(portable_graph_launch(ready, s));
  MUST(portable_graph_end(graph) == PORTABLE_ERR_STATE);
}

/* An event that was recorded in a graph, outside of it. */
static void graph_event_outside(void) {
  MUST(portable_graph_begin(s, &graph) == 0 && portable_event_record(e, s) == 0 && portable_graph_end(graph) == 0);
  ASK(portable_event_wait(e));
}

/* A pool is destroyed, and the graph uses its blocks. */
static void graph_pool_gone(void) {
  portable_pool pool = new_pool();
  void *p;
  MUST(portable_pool_alloc(pool, 100, "p", &p) == 0 && portable_graph_begin(s, &graph) == 0 && node(s, &p, sizeof p) == 0);
  MUST(portable_graph_end(graph) == 0 && portable_pool_free(pool, p) == 0 && portable_pool_destroy(pool) == 0);
  ASK(portable_graph_launch(graph, s));
}

static const struct kind kinds_of_graphs[] = {
    BAD_GRAPHS(CALL_ROW)
    {KIND(graph_gone), ERROR(HANDLE, "portable_graph_launch: 0x && " NO_GRAPH)},
    {KIND(graph_update_no_block), ERROR(ARG, "portable_graph_update 'node': the node has no argument block")},
    {KIND(graph_earlier_event), ERROR(STATE, "portable_stream_wait_event: the event was recorded outside of the graph")},
    {KIND(graph_launch_broken), ERROR(STATE, "portable_graph_launch: 0x && cannot be launched, because portable_graph_end refused it")},
    {KIND(graph_not_joined), ERROR(STATE, "portable_graph_end: nothing waits for the last work of one of the recorded streams (node 0, counted from 0)")},
    {KIND(graph_in_graph), ERROR(STATE, "portable_graph_launch && no other graphs")},
    {KIND(graph_event_outside), ERROR(STATE, "portable_event_wait && the event was recorded into a graph")},
    {KIND(graph_pool_gone), ERROR(STATE, "portable_graph_launch: 0x && uses blocks whose pool was destroyed")},
};
const struct table graphs_table = TABLE(kinds_of_graphs, begin_graphs, end_graphs);

/* ---- while a thread records ---- */

static double values[4] = {1, 2, 3, 4}, total;
static const int64_t four = 4;

#define WHILE_RECORDING(X) \
  X(recording_begin, portable_graph_begin(other, &(portable_graph){0}), ERROR(STATE, "portable_graph_begin: 0x && is recorded by this thread: end it first")) \
  X(recording_fence, portable_fence(), ERROR(STATE, "portable_fence: this thread records a graph")) \
  X(recording_stream_fence, portable_stream_fence(s), ERROR(STATE, "portable_stream_fence: the stream records a graph")) \
  X(recording_stream_query, portable_stream_query(s, &number), ERROR(STATE, "portable_stream_query: the stream records a graph")) \
  X(recording_stream_destroy, portable_stream_destroy(s), ERROR(STATE, "portable_stream_destroy: the stream records a graph")) \
  X(recording_alloc, portable_alloc(100, "p", &word), ERROR(STATE, "portable_alloc && this thread records a graph, whose replays would not repeat the allocation")) \
  X(recording_launch, node(0, NULL, 0), ERROR(STATE, "parallel_for 'node': this thread records a graph, and the launch names no stream that records")) \
  X(recording_reduce, portable_reduce_array("sum", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 1, &four, NULL, &total), ERROR(STATE, "this thread records a graph")) \
  X(recording_replay, portable_graph_launch(graph, other), ERROR(STATE, "portable_graph_launch: 0x && still records: call portable_graph_end first")) \
  X(recording_update, portable_graph_update(graph, 0, &word, sizeof word), ERROR(STATE, "portable_graph_update: 0x && still records: call portable_graph_end first")) \
  X(recording_dependency, portable_add_stream_dependency(&total, s), ERROR(POINTER, "portable_add_stream_dependency: no live block of any pool holds 0x"))
WHILE_RECORDING(CALL_FUNCTION)

static const struct kind kinds_of_recordings[] = {
    WHILE_RECORDING(CALL_ROW)};
const struct table recordings_table = TABLE(kinds_of_recordings, begin_recording, end_recording);

static const struct kind kinds_of_early_graphs[] = {
    {KIND(graph_before_init), ERROR(STATE, "portable_graph_begin: the library does not run")},
    {KIND(graph_launch_before_init), ERROR(STATE, "portable_graph_launch: the library does not run")},
};
const struct table early_graphs_table = TABLE(kinds_of_early_graphs, NULL, NULL);
