/* refused.c - calls of graphs, and calls during a recording, that are refused: which status, which text, and that everything works afterwards. Not in this
 * file: what is right (replay.c), memory (memory.c). */
#include "destroyer.h"
#include "graphs.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include <sys/wait.h>
#include <unistd.h>

static int64_t runs;

static void count(const portable_tile *t, void *args) {
  int64_t *const n = *(int64_t **)args;
  (void)t;
  *n += 1;
}

static void nothing(const portable_tile *t, void *args) { (void)t; (void)args; }

static void sum(const portable_tile *t, void *args, void *const *partial) {
  (void)args;
  *(int64_t *)partial[0] += t->upper[0] - t->lower[0] + 1;
}

static portable_status put(portable_stream s) {
  int64_t *at = &runs;
  return graphs_launch("count", s, 1, count, &at, sizeof at);
}

/* A graph of one node. */
static portable_graph one_node(portable_stream s) {
  portable_graph graph = 0;
  CHECK_STATUS(portable_graph_begin(s, &graph), PORTABLE_OK);
  CHECK_STATUS(put(s), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  return graph;
}

static void handles(void) {
  portable_stream s = graphs_stream(), synchronous;
  portable_graph graph = one_node(s), second, recorded;
  int32_t nodes;
  int64_t *at = &runs;
  CHECK_STATUS(portable_graph_begin(s, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_graph_begin: graph_out is NULL");
  CHECK_STATUS(portable_graph_begin(12345, &second), PORTABLE_ERR_HANDLE);
  CHECK(second == 0);
  CHECK_STATUS(portable_graph_begin(portable_device_stream(1), &second), PORTABLE_ERR_STATE);
  CHECK_TEXT("only asynchronous streams that portable_stream_create has made");
  CHECK_STATUS(portable_stream_create(portable_stream_device(s), PORTABLE_STREAM_SYNC, &synchronous), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(synchronous, &second), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_graph_launch(graph, synchronous), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_graph_launch(graph, 0), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_graph_launch(graph, 12345), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_ERR_STATE); /* an end without begin */
  CHECK_TEXT("does not record: portable_graph_end needs a portable_graph_begin before it");
  CHECK_STATUS(portable_graph_end(0), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_graph_end(s), PORTABLE_ERR_HANDLE); /* of another kind */
  CHECK_STATUS(portable_graph_nodes(graph, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_graph_nodes(graph + 1, &nodes), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_graph_update(graph, 0, NULL, sizeof at), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_graph_update(graph, 1, &at, sizeof at), PORTABLE_ERR_ARG);
  CHECK_TEXT("no node has this number; the graph has 1,");
  CHECK_STATUS(portable_graph_update(graph, -1, &at, sizeof at), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_graph_update(graph, 0, &at, 4), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_graph_update 'count': the argument block has 4 bytes, the recorded one 8");
  CHECK_STATUS(portable_graph_update(graph, 0, &at, 16), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_graph_begin(s, &recorded), PORTABLE_OK);
  CHECK_STATUS(graphs_launch("none", s, 1, nothing, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(recorded, s), PORTABLE_ERR_STATE);
  CHECK_TEXT("still records");
  CHECK_STATUS(portable_graph_update(recorded, 0, &at, sizeof at), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_graph_end(recorded), PORTABLE_OK);
  CHECK_STATUS(portable_graph_update(recorded, 0, &at, sizeof at), PORTABLE_ERR_ARG);
  CHECK_TEXT("'none': the node has no argument block");
  runs = 0;
  CHECK_STATUS(portable_graph_launch(graph, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(runs == 1);
  CHECK_STATUS(portable_graph_destroy(recorded), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("is not a graph, or the graph was destroyed");
  CHECK_STATUS(portable_graph_destroy(0), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, s), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_stream_destroy(synchronous), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

/* The recording thread must not do these. None of it breaks the recording. */
static void while_recording(void) {
  portable_stream s = graphs_stream(), other = graphs_stream();
  portable_graph graph, second;
  portable_event before, event;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(8);
  int64_t total = 0;
  int32_t done;
  void *p = NULL, *q = NULL;
  double x[8] = {0}, y = 0;
  int64_t extent = 8;
  portable_reduction result = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_INT64, &total);
  portable_pool pool;
  CHECK_STATUS(portable_pool_create(NULL, &pool), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(1000, "before", &q), PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&before), PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&event), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(before, other), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(s, &graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(other, &second), PORTABLE_ERR_STATE); /* begin twice */
  CHECK_TEXT("is recorded by this thread");
  CHECK(second == 0);
  CHECK_STATUS(portable_fence(), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_fence: this thread records a graph");
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_ERR_STATE);
  CHECK_TEXT("the stream records a graph");
  CHECK_STATUS(portable_stream_query(s, &done), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_alloc(1000, "during", &p), PORTABLE_ERR_STATE);
  CHECK_TEXT("this thread records a graph, whose replays would not repeat the allocation");
  CHECK(p == NULL);
  CHECK_STATUS(portable_pool_alloc(pool, 1000, "during", &p), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_free(q), PORTABLE_OK);
  runs = 0;
  CHECK_STATUS(put(0), PORTABLE_ERR_STATE); /* a synchronous kernel */
  CHECK_TEXT("parallel_for 'count': this thread records a graph, and the launch names no stream that records");
  CHECK(runs == 0);
  config.stream = s;
  CHECK_STATUS(portable_parallel_reduce("sum", &b, sum, NULL, 0, &result, 1, &config), PORTABLE_ERR_STATE);
  CHECK_TEXT("the launch would be waited for");
  CHECK_STATUS(portable_reduce_array("sum", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, &extent, NULL, &y), PORTABLE_ERR_STATE);
  CHECK_STATUS(put(other), PORTABLE_OK); /* no stream of the graph: it runs */
  CHECK_STATUS(portable_stream_fence(other), PORTABLE_OK);
  CHECK(runs == 1);
  CHECK_STATUS(put(s), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(event, s), PORTABLE_OK);
  CHECK_STATUS(portable_event_query(event, &done), PORTABLE_ERR_STATE);
  CHECK_TEXT("the event was recorded into a graph");
  CHECK_STATUS(portable_event_wait(event), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_add_stream_dependency(&runs, s), PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK(runs == 1);
  /* Its events mean nothing outside. */
  CHECK_STATUS(portable_stream_wait_event(other, event), PORTABLE_ERR_STATE);
  CHECK_TEXT("recorded another graph");
  CHECK_STATUS(portable_graph_launch(graph, other), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(runs == 2);
  CHECK_STATUS(portable_alloc(1000, "after", &p), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(before), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(event), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(other), PORTABLE_OK);
}

/* A recording that cannot be right: its end repeats the first refusal, and the streams work. */
static void broken(void) {
  portable_stream s = graphs_stream(), other = graphs_stream(), foreign = 0;
  portable_graph graph, ready = one_node(s);
  portable_event event;
  portable_device device = 0;
  CHECK_STATUS(portable_event_create(&event), PORTABLE_OK);
  /* An event from before begin. */
  CHECK_STATUS(put(other), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(event, other), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(other), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(s, &graph), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(s, event), PORTABLE_ERR_STATE);
  CHECK_TEXT("the event was recorded outside of the graph");
  CHECK_STATUS(put(s), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_stream_wait_event: the event was recorded outside of the graph");
  CHECK_STATUS(portable_graph_launch(graph, s), PORTABLE_ERR_STATE);
  CHECK_TEXT("cannot be launched, because portable_graph_end refused it");
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  /* A graph in a graph. */
  CHECK_STATUS(portable_graph_begin(s, &graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(ready, s), PORTABLE_ERR_STATE);
  CHECK_TEXT("no other graphs");
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  /* Work that nothing waits for. */
  CHECK_STATUS(portable_graph_begin(s, &graph), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(event, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(other, event), PORTABLE_OK);
  CHECK_STATUS(put(s), PORTABLE_OK);
  CHECK_STATUS(put(other), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_ERR_STATE);
  CHECK_TEXT("nothing waits for the last work of one of the recorded streams (node 1, counted from 0)");
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  /* A stream of another device joins, or gets a launch. */
  CHECK_STATUS(portable_device_find(portable_stream_device(s) == 1 ? "threads" : "serial", &device), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &foreign), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(s, &graph), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(event, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(foreign, event), PORTABLE_ERR_ARG);
  CHECK_TEXT("the stream is one of device");
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(ready, foreign), PORTABLE_ERR_ARG);
  CHECK_TEXT("the graph was recorded on device");
  /* A recording that is given up. */
  CHECK_STATUS(portable_graph_begin(s, &graph), PORTABLE_OK);
  CHECK_STATUS(put(s), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  runs = 0;
  CHECK_STATUS(put(s), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(runs == 1);
  CHECK_STATUS(portable_graph_destroy(ready), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(event), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(foreign), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(other), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

struct two {
  portable_stream stream;
  portable_graph graph;
  portable_event event;
};

/* Another thread: its own work goes on, and the recording is none of its own. */
static void *other_thread(void *payload) {
  const struct two *t = payload;
  void *p;
  portable_graph mine;
  portable_stream s = graphs_stream();
  CHECK_STATUS(put(t->stream), PORTABLE_ERR_STATE);
  CHECK_TEXT("another thread records the graph");
  CHECK_STATUS(portable_event_record(t->event, t->stream), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_stream_wait_event(t->stream, t->event), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_graph_end(t->graph), PORTABLE_ERR_STATE);
  CHECK_TEXT("another thread records the graph");
  CHECK_STATUS(portable_graph_begin(t->stream, &mine), PORTABLE_ERR_STATE);
  CHECK_TEXT("the stream records a graph already");
  CHECK_STATUS(portable_alloc(100, "free", &p), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  runs = 0;
  CHECK_STATUS(put(0), PORTABLE_OK);
  mine = one_node(s);
  CHECK_STATUS(portable_graph_launch(mine, s), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(runs == 2);
  CHECK_STATUS(portable_graph_destroy(mine), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  return NULL;
}

static void threads(void) {
  struct two t = {graphs_stream(), 0, 0};
  pthread_t thread;
  CHECK_STATUS(portable_event_create(&t.event), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(t.stream, &t.graph), PORTABLE_OK);
  CHECK(pthread_create(&thread, NULL, other_thread, &t) == 0 && pthread_join(thread, NULL) == 0);
  CHECK_STATUS(portable_graph_end(t.graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(t.graph), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(t.event), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(t.stream), PORTABLE_OK);
}

static void inside(const portable_tile *t, void *args) {
  const struct two *in = *(struct two **)args;
  portable_graph graph = 0;
  int32_t nodes;
  (void)t;
  CHECK_STATUS(portable_graph_begin(in->stream, &graph), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_graph_launch(in->graph, in->stream), PORTABLE_ERR_STATE);
  CHECK_TEXT("called inside a kernel or a callback");
  CHECK_STATUS(portable_graph_destroy(in->graph), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_graph_update(in->graph, 0, &in, sizeof in), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_graph_nodes(in->graph, &nodes), PORTABLE_ERR_STATE);
}

static void inside_kernels(void) {
  struct two in = {graphs_stream(), 0, 0}, *at = &in;
  in.graph = one_node(in.stream);
  CHECK_STATUS(graphs_launch("inside", in.stream, 1, inside, &at, sizeof at), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(in.stream), PORTABLE_OK);
  CHECK_STATUS(graphs_launch("inside", 0, 1, inside, &at, sizeof at), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(in.graph), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(in.stream), PORTABLE_OK);
}

static void forked(void) {
  portable_stream s = graphs_stream();
  portable_graph graph = one_node(s), mine = 0, recording;
  int64_t *at = &runs;
  int32_t nodes;
  void *p;
  CHECK_STATUS(portable_graph_begin(s, &recording), PORTABLE_OK);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    const int before = check_failures;
    CHECK_STATUS(portable_graph_launch(graph, s), PORTABLE_ERR_FORK);
    CHECK_STATUS(portable_graph_begin(s, &mine), PORTABLE_ERR_FORK);
    CHECK_STATUS(portable_graph_end(graph), PORTABLE_ERR_FORK);
    CHECK_STATUS(portable_graph_update(graph, 0, &at, sizeof at), PORTABLE_ERR_FORK);
    CHECK_STATUS(portable_graph_nodes(graph, &nodes), PORTABLE_ERR_FORK);
    CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_ERR_FORK);
    CHECK_STATUS(portable_graph_end(recording), PORTABLE_ERR_FORK);
    CHECK_STATUS(put(s), PORTABLE_ERR_FORK); /* the child records nothing */
    CHECK_STATUS(portable_alloc(1 << 20, "child", &p), PORTABLE_ERR_FORK);
    fflush(NULL);
    _exit(check_failures != before);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK_STATUS(portable_graph_end(recording), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(recording), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

/* ---- a recording that another thread destroys ---- */

enum { TRIALS = 100, LAUNCHES = 40 };
static portable_stream taken_over;

/* In each fifth trial the other thread then records in the same stream, for a moment. */
static void take_over(int trial) {
  portable_graph graph;
  for (int k = 0; trial % 5 == 4 && k < 20; k++) {
    CHECK_STATUS(portable_graph_begin(taken_over, &graph), PORTABLE_OK);
    CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  }
}

static struct destroyer other = {.trials = TRIALS, .then = take_over};
static _Atomic int released;

static void note_release(portable_status status, void *payload) {
  (void)status, (void)payload;
  atomic_fetch_add(&released, 1);
}

/* A call on a stream that has recorded: it is recorded, or done as without a graph; refused only where the other thread records. */
static int right(portable_status status, int trial) {
  if (status == PORTABLE_OK) return 1;
  return trial % 5 == 4 && status == PORTABLE_ERR_STATE && strstr(portable_last_error(), "another thread records the graph");
}

/* The recording ends at any place, in each second trial before the thread has ended it. Later calls are those of a stream without graph, and the end
 * knows it. */
static void destroyed_meanwhile(void) {
  portable_stream s = taken_over = graphs_stream(), two = graphs_stream();
  portable_event event, before;
  pthread_t thread;
  void *block;
  int ended = 0, releases = 0;
  CHECK_STATUS(portable_event_create(&event), PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&before), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(before, two), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(1000, "kept", &block), PORTABLE_OK);
  CHECK(pthread_create(&thread, NULL, destroyer_thread, &other) == 0);
  for (int i = 0; i < TRIALS; i++) {
    portable_graph graph;
    CHECK_STATUS(portable_graph_begin(s, &graph), PORTABLE_OK);
    atomic_store(&other.recorded, graph);
    for (int k = 0; k < LAUNCHES || (i % 2 && portable_graph_nodes(graph, &(int32_t){0}) == PORTABLE_OK); k++) {
      CHECK(right(put(s), i));
      CHECK(right(portable_event_record(event, s), i));
      CHECK(right(portable_add_stream_dependency(block, s), i));
      const portable_status release = portable_stream_release(s, note_release, NULL);
      CHECK(right(release, i));
      releases += release == PORTABLE_OK;
      portable_status waits = portable_stream_wait_event(two, event);
      CHECK(waits == PORTABLE_OK || (waits == PORTABLE_ERR_STATE && strstr(portable_last_error(), "or one that was destroyed")));
      waits = i % 4 == 3 ? portable_stream_wait_event(s, before) : PORTABLE_OK; /* of no recording; breaks this one */
      CHECK(waits == PORTABLE_OK || waits == PORTABLE_ERR_STATE);
    }
    const portable_status status = portable_graph_end(graph);
    CHECK(status == PORTABLE_OK || status == PORTABLE_ERR_HANDLE || status == PORTABLE_ERR_STATE);
    ended += status == PORTABLE_ERR_HANDLE;
    while (!atomic_exchange(&other.destroyed, 0)) sched_yield();
    CHECK_STATUS(portable_graph_nodes(graph, &(int32_t){0}), PORTABLE_ERR_HANDLE);
    CHECK_STATUS(put(s), PORTABLE_OK);
    CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
    CHECK_STATUS(portable_stream_fence(two), PORTABLE_OK);
    CHECK(atomic_load(&released) == releases);
  }
  CHECK(ended >= TRIALS / 2);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK_STATUS(portable_free(block), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(event), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(before), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(two), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

int main(void) {
  portable_graph left, recording;
  portable_stream s;
  CHECK_STATUS(portable_graph_launch(1, 0), PORTABLE_ERR_STATE); /* the library does not run yet */
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  handles();
  while_recording();
  broken();
  threads();
  inside_kernels();
  forked();
  destroyed_meanwhile();
  /* The library stops with a graph, and with a recording. */
  s = graphs_stream();
  left = one_node(s);
  CHECK_STATUS(portable_graph_launch(left, s), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(s, &recording), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(recording), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_graph_destroy(left), PORTABLE_ERR_HANDLE);
  runs = 0;
  CHECK_STATUS(put(0), PORTABLE_OK); /* this thread does not record any more */
  CHECK(runs == 1);
  handles();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
