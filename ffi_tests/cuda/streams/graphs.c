/* graphs.c - graphs of a CUDA device, which become those of the driver: A -> {B, C} -> D against launches, changed arguments, other work of the device, what
 * is refused, blocks that are kept. With the fake driver, which runs the last node first that may run. Not in this file: graphs of the host (graphs). */
#include "../../graphs/destroyer.h"
#include "device_streams.h"

#include <portable_graph.h>
#include <pthread.h>
#include <stddef.h>

#include "graph_body.h"

enum { N = 500, REPLAYS = 300, TRIALS = 40, LAUNCHES = 40 };

static portable_kernel kernel, big;
static portable_stream one, two;
static portable_event ready, both;
static int64_t *a, *b, *c, *d, *expected;

static const portable_argument arguments[] = {
    {"y", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_BOTH, offsetof(mix_args, y), sizeof(void *)},
    {"x", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_READ, offsetof(mix_args, x), sizeof(void *)},
    {"z", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_READ, offsetof(mix_args, z), sizeof(void *)},
    {"factor", PORTABLE_ARGUMENT_INT64, 0, offsetof(mix_args, factor), sizeof(int64_t)},
};

static portable_kernel kernel_of(const char *label, size_t bytes, size_t count, portable_kernel_function host) {
  portable_kernel k = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = GRAPH_BODY;
  CHECK_STATUS(portable_kernel_create(label, bytes, arguments, count, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(k, host), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  return k;
}

static int64_t *memory(const char *label) {
  void *to = NULL;
  CHECK_STATUS(portable_alloc(N * sizeof(int64_t), label, &to), PORTABLE_OK);
  return to;
}

static portable_status launch(portable_stream stream, int64_t *y, const int64_t *x, const int64_t *z, int64_t factor) {
  const mix_args args = {y, x, z, factor};
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds n = portable_bounds_1(N);
  config.stream = stream;
  return portable_launch(kernel, &n, &args, &config);
}

static void put_all(int64_t factor) {
  CHECK_STATUS(launch(one, a, d, d, 5), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(ready, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(two, ready), PORTABLE_OK);
  CHECK_STATUS(launch(one, b, a, a, factor), PORTABLE_OK);
  CHECK_STATUS(launch(two, c, a, a, 11), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(both, two), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(one, both), PORTABLE_OK);
  CHECK_STATUS(launch(one, d, b, c, 13), PORTABLE_OK);
}

static void fill_all(void) {
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 2 * i, c[i] = i % 7, d[i] = -i;
}

static void diamond(void) {
  portable_graph graph = 0;
  int32_t nodes;
  for (int changes = 0; changes < 2; changes++) {
    fill_all();
    for (int i = 0; i < REPLAYS; i++) put_all(changes ? i : 7);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    memcpy(expected, d, N * sizeof *d);
    fill_all();
    CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
    put_all(7);
    CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    CHECK(a[3] == 3 && d[3] == -3); /* nothing has run */
    CHECK_STATUS(portable_graph_nodes(graph, &nodes), PORTABLE_OK);
    CHECK(nodes == 4);
    for (int i = 0; i < REPLAYS; i++) {
      const mix_args of_b = {b, a, a, i};
      if (changes) CHECK_STATUS(portable_graph_update(graph, 1, &of_b, sizeof of_b), PORTABLE_OK);
      CHECK_STATUS(portable_graph_launch(graph, i % 5 ? one : two), PORTABLE_OK);
    }
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    CHECK(memcmp(expected, d, N * sizeof *d) == 0);
    CHECK_STATUS(portable_graph_update(graph, 1, &graph, sizeof graph), PORTABLE_ERR_ARG);
    CHECK_TEXT("portable_graph_update 'mix': the argument block has 8 bytes, the recorded one 32");
    CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  }
}

static uint32_t seen;

static void note(portable_status status, void *payload) {
  (void)status;
  *(uint32_t *)payload = words[0][3];
}

/* Changes of a launch that waits behind work of the host are for that launch, not for the ones before. */
static void behind_the_host(void) {
  struct gate gate;
  portable_graph graph;
  fill_all();
  for (int i = 0; i < 3; i++) CHECK_STATUS(launch(one, b, a, a, i + 1), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  memcpy(expected, b, N * sizeof *b);
  fill_all();
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(launch(one, b, a, a, 1), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  hold(one, &gate);
  for (int64_t i = 0; i < 3; i++) {
    const mix_args of_b = {b, a, a, i + 1};
    CHECK_STATUS(portable_graph_update(graph, 0, &of_b, sizeof of_b), PORTABLE_OK);
    CHECK_STATUS(portable_graph_launch(graph, i % 2 ? two : one), PORTABLE_OK);
  }
  go(&gate);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK); /* waits for all of them */
  CHECK(memcmp(expected, b, N * sizeof *b) == 0);
}

/* Work of the program's for the device is captured, too; callbacks and kernels of the host are not. */
static void other_work(void) {
  portable_graph graph;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds n = portable_bounds_1(N);
  static large_args many;
  void *p;
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(put(one, 0, 41), PORTABLE_OK);
  CHECK_STATUS(put(one, 1, 42), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  for (int i = 0; i < 3; i++) {
    words[0][5] = words[1][5] = 0;
    CHECK_STATUS(portable_graph_launch(graph, two), PORTABLE_OK);
    CHECK_STATUS(portable_stream_call(two, note, &seen), PORTABLE_OK);
    CHECK_STATUS(portable_stream_fence(two), PORTABLE_OK);
    CHECK(words[0][5] == 41 && words[1][5] == 42 && seen == 41);
  }
  CHECK_STATUS(portable_graph_update(graph, 0, &n, sizeof n), PORTABLE_ERR_ARG);
  CHECK_TEXT("has no argument block");
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  for (int what = 0; what < 3; what++) {
    many.y = a;
    config.stream = one;
    CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
    CHECK_STATUS(put(0, 0, 41), PORTABLE_ERR_STATE); /* the default stream */
    CHECK_TEXT("names no stream that records");
    CHECK_STATUS(portable_alloc(100, "during", &p), PORTABLE_ERR_STATE);
    CHECK_STATUS(portable_fence(), PORTABLE_ERR_STATE);
    CHECK_STATUS(what == 0   ? portable_stream_call(one, note, &seen)
                 : what == 1 ? add(one, "on the host", 0, 0)
                             : portable_launch(big, &n, &many, &config), PORTABLE_ERR_STATE);
    CHECK_TEXT(what < 2 ? "it runs on the host" : "launch 'large': a graph of a GPU takes only launches whose argument block is small enough");
    CHECK_STATUS(portable_graph_end(graph), PORTABLE_ERR_STATE);
    CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_ERR_STATE);
    CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  }
}

/* A graph on a device that is begun in one stream and works in others only; empty ones; one that is given up. */
static void forms(void) {
  portable_graph graph;
  fill_all();
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(ready, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(two, ready), PORTABLE_OK);
  CHECK_STATUS(launch(two, b, a, a, 1), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(both, two), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(one, both), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  CHECK(b[10] == 2 * 10 + 3 * 20 + 1);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(launch(one, b, a, a, 1), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(b[10] == 81);
}

/* A block that is freed stays until the graph has ended. */
static void kept(void) {
  portable_graph graph;
  int64_t *mine = memory("mine"), *again;
  for (int i = 0; i < N; i++) mine[i] = 1;
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(launch(one, mine, a, a, 0), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK_STATUS(portable_free(mine), PORTABLE_OK);
  for (int i = 0; i < 3; i++) CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  CHECK(device_done(one) == 1);
  again = memory("again");
  CHECK(again != mine);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_free(again), PORTABLE_OK);
}

static struct destroyer other = {.trials = TRIALS};

/* Another thread destroys the recording at any place, in each second trial before its end: later calls are those of streams without graph. */
static void destroyed_meanwhile(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, destroyer_thread, &other) == 0);
  for (int i = 0; i < TRIALS; i++) {
    portable_graph graph;
    CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
    atomic_store(&other.recorded, graph);
    for (uint32_t k = 0; k < LAUNCHES || (i % 2 && portable_graph_nodes(graph, &(int32_t){0}) == PORTABLE_OK); k++) {
      CHECK_STATUS(put(one, 0, k), PORTABLE_OK);
      CHECK_STATUS(launch(one, b, a, a, 1), PORTABLE_OK);
      CHECK_STATUS(portable_event_record(ready, one), PORTABLE_OK);
      const portable_status waits = portable_stream_wait_event(two, ready);
      CHECK(waits == PORTABLE_OK || (waits == PORTABLE_ERR_STATE && strstr(portable_last_error(), "or one that was destroyed")));
    }
    const portable_status status = portable_graph_end(graph);
    CHECK(status == PORTABLE_OK || status == PORTABLE_ERR_HANDLE);
    CHECK(await(&other.destroyed, 1));
    atomic_store(&other.destroyed, 0);
    CHECK_STATUS(put(one, 0, 77), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    CHECK(words[0][9] == 77);
  }
  CHECK(pthread_join(thread, NULL) == 0);
}

/* Two nodes that do the same to two arrays, which differ between the nodes only. */
static struct {
  portable_graph graph;
  _Atomic int over, looks, torn;
} pieces;

static void look(portable_status status, void *payload) {
  (void)payload;
  CHECK_STATUS(status, PORTABLE_OK);
  atomic_fetch_add(&pieces.torn, b[7] != c[7]);
  atomic_fetch_add(&pieces.looks, 1);
}

/* Puts work into the stream, and changes a node to what it is, while another thread launches the graph. */
static void *looks(void *payload) {
  const mix_args same = {b, a, a, 3};
  (void)payload;
  while (!atomic_load(&pieces.over)) {
    CHECK_STATUS(portable_stream_call(one, look, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_graph_update(pieces.graph, 0, &same, sizeof same), PORTABLE_OK);
    CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  }
  return NULL;
}

/* Each launch is one piece of work of its stream, also node by node: work of another thread is before or after all nodes. */
static void one_piece(void) {
  pthread_t thread;
  fill_all();
  memcpy(c, b, N * sizeof *b);
  CHECK_STATUS(portable_graph_begin(one, &pieces.graph), PORTABLE_OK);
  CHECK_STATUS(launch(one, b, a, a, 3), PORTABLE_OK);
  CHECK_STATUS(launch(one, c, a, a, 3), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(pieces.graph), PORTABLE_OK);
  CHECK(pthread_create(&thread, NULL, looks, NULL) == 0);
  for (int i = 0; i < REPLAYS || atomic_load(&pieces.looks) < TRIALS; i++) {
    CHECK_STATUS(portable_graph_launch(pieces.graph, one), PORTABLE_OK);
    if (i % 4 == 0) CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK); /* else thousands of launches are before each look */
  }
  atomic_store(&pieces.over, 1);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK_STATUS(portable_graph_destroy(pieces.graph), PORTABLE_OK);
  CHECK(atomic_load(&pieces.torn) == 0);
  CHECK(b[7] == c[7]);
}

/* Neither a launch that waits behind work of the host nor a destroy that waits for it keeps other threads from calls of the graph. */
static void waits_without_lock(void) {
  struct gate gate;
  pthread_t thread;
  portable_graph graph;
  int32_t nodes;
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(launch(one, b, a, a, 1), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  hold(one, &gate);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, two), PORTABLE_OK); /* it waits for the one before */
  CHECK(pthread_create(&thread, NULL, destroys, &graph) == 0);
  CHECK(destroyer_begun(graph));
  CHECK_STATUS(portable_graph_nodes(graph, &nodes), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_graph_launch(graph, two), PORTABLE_ERR_HANDLE);
  CHECK(!atomic_load(&gate.open));
  go(&gate);
  CHECK(pthread_join(thread, NULL) == 0);
}

/* The driver refuses: the end of the recording says which call, and nothing is left. */
static void refused(const char *call) {
  portable_graph graph;
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  put_all(7);
  const portable_status status = portable_graph_end(graph);
  if (strcmp(call, "cuGraphLaunch") != 0) {
    CHECK(status == PORTABLE_ERR_DEVICE || status == PORTABLE_ERR_NOMEM);
    CHECK_TEXT(call);
  } else {
    CHECK_STATUS(status, PORTABLE_OK);
    CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_ERR_NOMEM);
    CHECK_TEXT(call);
  }
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  put_all(7);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
}

/* Node by node, where the second launch fails: the first one still runs, and the graph keeps the memory until it has. */
static void failed_behind_the_first(void) {
  portable_graph graph;
  void *again;
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(launch(one, a, b, b, 3), PORTABLE_OK);
  CHECK_STATUS(launch(one, a, b, b, 5), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  const portable_status status = portable_graph_launch(graph, one);
  if (portable_checks() & PORTABLE_CHECK_LAUNCH) { /* on the stream's thread: the error comes with the next fence, once */
    CHECK_STATUS(status, PORTABLE_OK);
    CHECK_STATUS(portable_stream_fence(one), PORTABLE_ERR_DEVICE);
    CHECK_TEXT("'mix'");
    CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  } else {
    CHECK(status != PORTABLE_OK);
  }
  CHECK_STATUS(portable_free(a), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(N * sizeof *a, "a", &again), PORTABLE_OK);
  CHECK(again == a);
  for (int i = 0; i < N; i++) a[i] = 17;
  portable_stream_fence(one); /* whether it still has the error of the launch or not */
  for (int i = 0; i < N; i++) CHECK(a[i] == 17);
}

int main(int argc, char **argv) {
  device_start();
  device_words();
  kernel = kernel_of("mix", sizeof(mix_args), 4, mix);
  big = kernel_of("large", sizeof(large_args), 1, large);
  one = device_stream(device);
  two = device_stream(device);
  CHECK_STATUS(portable_event_create(&ready), PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&both), PORTABLE_OK);
  a = memory("a"), b = memory("b"), c = memory("c"), d = memory("d"), expected = memory("expected");
  if (argc > 1 && strcmp(argv[1], "clean") == 0) { /* what several threads do at once, for a tool that finds races */
    destroyed_meanwhile();
    one_piece();
    waits_without_lock();
  } else if (argc > 1) {
    strcmp(argv[1], "second") == 0 ? failed_behind_the_first() : refused(argv[1]);
  } else {
    diamond();
    behind_the_host();
    other_work();
    forms();
    kept();
    destroyed_meanwhile();
    one_piece();
    waits_without_lock();
  }
  int64_t *all[] = {a, b, c, d, expected};
  for (int i = 0; i < 5; i++) CHECK_STATUS(portable_free(all[i]), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(ready), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(both), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(two), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(big), PORTABLE_OK);
  return device_end();
}
