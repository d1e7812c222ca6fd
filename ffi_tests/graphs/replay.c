/* replay.c - graphs that run: A -> {B, C} -> D against launches, changed arguments, errors, callbacks, teams, block kernels, kernel objects, calls on arrays, two
 * streams at once, observers, a destroy during launches. Not in this file: what is refused (refused.c), memory (memory.c). */
#include "destroyer.h"
#include "graphs.h"

#include <portable_blocks.h>
#include <portable_componentwise.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4001, DEPTH = 300 };

static int replays = 10000; /* or TEST_REPLAYS */

static double a[N], b[N], c[N], d[N];

struct axpy {
  double *y;
  const double *x, *z;
  double factor;
};

/* The fraction of factor * x + z + 3 * y: it depends on the order of the calls, and never settles. */
static void axpy(const portable_tile *t, void *args) {
  const struct axpy *k = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    const double v = k->factor * k->x[i] + k->z[i] + 3 * k->y[i];
    k->y[i] = v - (double)(int64_t)v;
  }
}

static void fill(void) {
  for (int i = 0; i < N; i++) {
    a[i] = 1.0 / (i + 1);
    b[i] = 0.1;
    c[i] = (i % 7) / 7.0;
    d[i] = 1.0 / (i % 5 + 2);
  }
}

static const struct axpy kernel_a = {a, d, d, 1e-3}, kernel_b = {b, a, a, 0.5}, kernel_c = {c, a, a, 0.25}, kernel_d = {d, b, c, 0.125};

/* A -> {B, C} -> D, into whatever the streams do with it. */
static void put_all(portable_stream one, portable_stream two, portable_event ready, portable_event both, double factor) {
  struct axpy of_b = kernel_b;
  of_b.factor = factor;
  CHECK_STATUS(graphs_launch("A", one, N, axpy, &kernel_a, sizeof kernel_a), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(ready, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(two, ready), PORTABLE_OK);
  CHECK_STATUS(graphs_launch("B", one, N, axpy, &of_b, sizeof of_b), PORTABLE_OK);
  CHECK_STATUS(graphs_launch("C", two, N, axpy, &kernel_c, sizeof kernel_c), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(both, two), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(one, both), PORTABLE_OK);
  CHECK_STATUS(graphs_launch("D", one, N, axpy, &kernel_d, sizeof kernel_d), PORTABLE_OK);
}

static double expected[4][N];

static void keep(void) {
  memcpy(expected[0], a, sizeof a);
  memcpy(expected[1], b, sizeof b);
  memcpy(expected[2], c, sizeof c);
  memcpy(expected[3], d, sizeof d);
}

static int same(void) {
  return !memcmp(expected[0], a, sizeof a) && !memcmp(expected[1], b, sizeof b) && !memcmp(expected[2], c, sizeof c) && !memcmp(expected[3], d, sizeof d);
}

static double factor_of(int step) { return 0.5 + 0.001 * (step % 13); }

/* Bit for bit as launches, with the same arguments and with others in each step. */
static void diamond(void) {
  portable_stream one = graphs_stream(), two = graphs_stream();
  portable_event ready, both;
  portable_graph graph = 0;
  int32_t nodes = -1;
  CHECK_STATUS(portable_event_create(&ready), PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&both), PORTABLE_OK);
  for (int changes = 0; changes < 2; changes++) {
    fill();
    for (int i = 0; i < replays; i++) put_all(one, two, ready, both, changes ? factor_of(i) : 0.5);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    keep();
    fill();
    CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
    put_all(one, two, ready, both, 0.5);
    CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    CHECK(a[0] == 1 && b[1] == 0.1); /* nothing has run */
    CHECK_STATUS(portable_graph_nodes(graph, &nodes), PORTABLE_OK);
    CHECK(nodes == 4);
    for (int i = 0; i < replays; i++) {
      struct axpy of_b = kernel_b;
      of_b.factor = factor_of(i);
      if (changes) CHECK_STATUS(portable_graph_update(graph, 1, &of_b, sizeof of_b), PORTABLE_OK);
      CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
    }
    CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
    CHECK(same());
    CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  }
  put_all(one, two, ready, both, 1); /* the streams and the events are as before */
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(!same());
  CHECK_STATUS(portable_event_destroy(ready), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(both), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(two), PORTABLE_OK);
}

struct maybe {
  int64_t *runs;
  int64_t fails;
};

static void maybe(const portable_tile *t, void *args) {
  const struct maybe *m = args;
  if (m->fails) portable_kernel_fail(t, 7, "as its argument says");
  ++*m->runs;
}

static int64_t runs[6];
static portable_status called_with[2];

static void note(portable_status status, void *payload) { *(portable_status *)payload = status; }

/* An error in B skips D and what comes after it, and comes out once; C runs. Callbacks are called. */
static void errors(void) {
  portable_stream one = graphs_stream(), two = graphs_stream();
  portable_event ready, both;
  portable_graph graph;
  struct maybe m = {runs, 0};
  CHECK_STATUS(portable_event_create(&ready), PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&both), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(graphs_launch("A", one, 1, maybe, &m, sizeof m), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(ready, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(two, ready), PORTABLE_OK);
  m.runs = &runs[1];
  CHECK_STATUS(graphs_launch("B", one, 1, maybe, &m, sizeof m), PORTABLE_OK);
  m.runs = &runs[2];
  CHECK_STATUS(graphs_launch("C", two, 1, maybe, &m, sizeof m), PORTABLE_OK);
  CHECK_STATUS(portable_stream_call(two, note, &called_with[0]), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(both, two), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(one, both), PORTABLE_OK);
  m.runs = &runs[3];
  CHECK_STATUS(graphs_launch("D", one, 1, maybe, &m, sizeof m), PORTABLE_OK);
  CHECK_STATUS(portable_stream_call(one, note, &called_with[1]), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  struct maybe bad = {&runs[1], 1};
  called_with[0] = called_with[1] = 99;
  CHECK_STATUS(portable_graph_launch(graph, two), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(two), PORTABLE_OK);
  CHECK(runs[0] == 1 && runs[1] == 1 && runs[2] == 1 && runs[3] == 1 && called_with[0] == PORTABLE_OK && called_with[1] == PORTABLE_OK);
  CHECK_STATUS(portable_graph_update(graph, 1, &bad, sizeof bad), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("'B'");
  CHECK_TEXT("code 7: as its argument says");
  CHECK(runs[0] == 2 && runs[1] == 2 && runs[2] == 2 && runs[3] == 1 && called_with[0] == PORTABLE_OK && called_with[1] == PORTABLE_ERR_KERNEL);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  /* The next launches are skipped until the error has come out, and their changes count. */
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  bad.fails = 0;
  CHECK_STATUS(portable_graph_update(graph, 1, &bad, sizeof bad), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_ERR_KERNEL);
  CHECK(runs[0] == 3 && runs[3] == 1 && called_with[0] == PORTABLE_ERR_KERNEL);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  CHECK(runs[0] == 4 && runs[1] == 4 && runs[2] == 4 && runs[3] == 2);
  /* C fails after B: the first error comes out, and both nodes after them are skipped. */
  bad.fails = 1;
  CHECK_STATUS(portable_graph_update(graph, 1, &bad, sizeof bad), PORTABLE_OK);
  bad.runs = &runs[2];
  CHECK_STATUS(portable_graph_update(graph, 2, &bad, sizeof bad), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("'B'");
  CHECK(runs[3] == 2 && called_with[0] == PORTABLE_ERR_KERNEL);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(ready), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(both), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(two), PORTABLE_OK);
}

static void count_team(const portable_team *team, void *args) {
  struct maybe *m = *(struct maybe **)args;
  if (team->index[0] == 0) *m->runs += m->fails;
}

static void add_one(const portable_tile *t, void *args) {
  int64_t *const n = *(int64_t **)args;
  (void)t;
  *n += 1; /* one at a time, or a sum is lost */
}

/* Replays of one graph in two streams do not overlap; long argument blocks and outer iterations are replayed and changed. */
static void shared(void) {
  struct long_block {
    int64_t *at;
    char ballast[4000];
  } block = {runs, {0}};
  static struct maybe of_team, other;
  struct maybe *team = &of_team;
  portable_stream one = graphs_stream(), two = graphs_stream();
  portable_bounds bounds = portable_bounds_1(5);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_graph graph;
  runs[0] = runs[4] = runs[5] = 0;
  of_team.runs = &runs[4];
  of_team.fails = 1;
  other.runs = &runs[5];
  other.fails = 10;
  config.stream = one;
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  for (int i = 0; i < DEPTH; i++) CHECK_STATUS(graphs_launch("one more", one, 1, add_one, &block, sizeof block), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_outer("team", &bounds, count_team, &team, sizeof team, 64, &config), PORTABLE_OK);
  block.at = NULL;
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  for (int i = 0; i < 100; i++) CHECK_STATUS(portable_graph_launch(graph, i % 3 ? one : two), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(runs[0] == 100 * DEPTH && runs[4] == 100);
  team = &other;
  CHECK_STATUS(portable_graph_update(graph, DEPTH, &team, sizeof team), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK); /* waits */
  CHECK(runs[4] == 100 && runs[5] == 10 && runs[0] == 101 * DEPTH);
  /* A graph without nodes is right. */
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(two), PORTABLE_OK);
}

struct turned {
  int64_t *line;
  int64_t add, leaves; /* leaves: the thread that comes to no second barrier */
};

/* Each block of 8 turns its part of the line around, and adds. */
static void turn(const portable_thread_block *b, void *args) {
  const struct turned *t = args;
  int64_t *shared = b->scratch, *mine = t->line + 8 * b->index[0];
  shared[b->member] = mine[b->member];
  portable_block_wait(b, "turn", 1);
  if (b->member + 1 == t->leaves) return;
  portable_block_wait(b, "turn", 2);
  mine[b->member] = shared[7 - b->member] + t->add;
}

static int64_t lines[4][40];

static portable_status put_blocks(const char *label, portable_stream stream, int line) {
  const struct turned t = {lines[line], line, 0};
  const int32_t threads[] = {8};
  const portable_bounds grid = portable_bounds_1(5);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.stream = stream;
  return portable_parallel_blocks(label, &grid, threads, turn, &t, sizeof t, 64, &config);
}

static void check_line(int line, int64_t add, int turns) {
  int wrong = 0;
  for (int i = 0; i < 40; i++) wrong += lines[line][i] != (turns % 2 ? i / 8 * 8 + 7 - i % 8 : i) + add;
  CHECK(wrong == 0);
}

/* Block kernels in A -> {B, C} -> D: their blocks are changed; a barrier that one thread does not come to skips D. */
static void blocks(void) {
  portable_stream one = graphs_stream(), two = graphs_stream();
  portable_event ready, both;
  portable_graph graph;
  struct turned other = {lines[1], 100, 0};
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 40; i++) lines[k][i] = i;
  CHECK_STATUS(portable_event_create(&ready), PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&both), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(put_blocks("A", one, 0), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(ready, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(two, ready), PORTABLE_OK);
  CHECK_STATUS(put_blocks("B", one, 1), PORTABLE_OK);
  CHECK_STATUS(put_blocks("C", two, 2), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(both, two), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(one, both), PORTABLE_OK);
  CHECK_STATUS(put_blocks("D", one, 3), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  for (int i = 0; i < 99; i++) CHECK_STATUS(portable_graph_launch(graph, i % 2 ? one : two), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  for (int k = 0; k < 4; k++) check_line(k, 99 * k, 99);
  CHECK_STATUS(portable_graph_update(graph, 1, &other, sizeof other - 8), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_graph_update 'B': the argument block has 16 bytes, the recorded one 24");
  CHECK_STATUS(portable_graph_update(graph, 1, &other, sizeof other), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  check_line(1, 99 + 100, 100);
  other.leaves = 3;
  CHECK_STATUS(portable_graph_update(graph, 1, &other, sizeof other), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_blocks 'B': the kernel failed with code");
  CHECK_TEXT("come to the barrier at turn:2: thread (");
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  check_line(2, 2 * 101, 101);
  check_line(3, 3 * 100, 100);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(ready), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(both), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(two), PORTABLE_OK);
}

/* A launch of a kernel object, which may end before the graph. */
static void objects(void) {
  portable_stream one = graphs_stream();
  portable_graph graph;
  portable_kernel kernel;
  portable_bounds bounds = portable_bounds_1(1);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  struct maybe m = {runs, 0}, other = {&runs[1], 0};
  runs[0] = runs[1] = 0;
  config.stream = one;
  CHECK_STATUS(portable_kernel_create("object", sizeof m, NULL, 0, &kernel), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(kernel, maybe), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(portable_launch(kernel, &bounds, &m, &config), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);
  for (int i = 0; i < 3; i++) CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_graph_update(graph, 0, &other, sizeof other), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  CHECK(runs[0] == 3 && runs[1] == 1);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(one), PORTABLE_OK);
}

/* Calls on arrays that only queue work are nodes: a value is the one of the call. Calls that wait are refused. */
static void array_calls(void) {
  static double to[N], sum[N];
  static int32_t ones[N];
  portable_stream one = graphs_stream();
  portable_graph graph;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_componentwise_options options = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  const int64_t n = N, few = 5;
  double value = 2.5;
  int wrong = 0;
  config.stream = one;
  options.launch = &config;
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(portable_fill("all", &value, sizeof value, to, 1, &n, &options), PORTABLE_OK);
  value = 1;
  CHECK_STATUS(portable_fill("few", &value, sizeof value, to, 1, &few, &options), PORTABLE_OK);
  value = 0;
  CHECK_STATUS(portable_binary("sum", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, sum, to, sum, 1, &n, &options), PORTABLE_OK);
  CHECK_STATUS(portable_binary("tested", PORTABLE_BINARY_DIVIDE, PORTABLE_KIND_INT32, ones, ones, ones, 1, &n, &options), PORTABLE_ERR_STATE);
  CHECK_TEXT("binary 'tested': the launch would be waited for");
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK(memcmp(to, sum, sizeof to) == 0 && to[N - 1] < 1); /* nothing has run */
  for (int i = 0; i < 3; i++) CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  for (int i = 0; i < N; i++) {
    const double right = i < few ? 3 : 7.5;
    wrong += memcmp(&sum[i], &right, sizeof right) != 0;
  }
  CHECK(wrong == 0);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(one), PORTABLE_OK);
}

static _Atomic int seen;

static void see(const portable_hook_event *e, void *user) {
  (void)user;
  if (e->event == PORTABLE_EVENT_LAUNCH_BEGIN && !strcmp(e->label, "watched")) atomic_fetch_add(&seen, 1);
}

/* An observer sees each replay of each node, and not its recording. */
static void observed(void) {
  portable_stream one = graphs_stream();
  portable_graph graph;
  portable_hook hook;
  int64_t *at = runs;
  runs[0] = 0;
  CHECK_STATUS(portable_hook_add(see, NULL, PORTABLE_EVENT_LAUNCH_BEGIN, &hook), PORTABLE_OK);
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  for (int i = 0; i < 3; i++) CHECK_STATUS(graphs_launch("watched", one, 1, add_one, &at, sizeof at), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK(atomic_load(&seen) == 0);
  for (int i = 0; i < 5; i++) CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_OK);
  CHECK(atomic_load(&seen) == 15 && runs[0] == 15);
  CHECK_STATUS(portable_hook_remove(hook), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(one), PORTABLE_OK);
}

static _Atomic int gate_open, gate_reached;

static void stand(portable_status status, void *payload) {
  (void)status, (void)payload;
  atomic_store(&gate_reached, 1);
  for (time_t end = time(NULL) + 60; !atomic_load(&gate_open) && time(NULL) <= end;) sched_yield();
  CHECK(atomic_load(&gate_open));
}

/* Neither a launch that waits in its stream nor a destroy that waits for it keeps other threads from calls of the graph. */
static void waits_without_lock(void) {
  portable_stream one = graphs_stream(), two = graphs_stream();
  portable_graph graph;
  pthread_t thread;
  int64_t *at = runs;
  runs[0] = 0;
  CHECK_STATUS(portable_graph_begin(one, &graph), PORTABLE_OK);
  CHECK_STATUS(graphs_launch("one", one, 1, add_one, &at, sizeof at), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK_STATUS(portable_stream_call(one, stand, NULL), PORTABLE_OK);
  while (!atomic_load(&gate_reached)) sched_yield();
  CHECK_STATUS(portable_graph_launch(graph, one), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, two), PORTABLE_OK); /* it waits for the one before */
  CHECK_STATUS(portable_graph_update(graph, 0, &at, sizeof at), PORTABLE_OK);
  CHECK(pthread_create(&thread, NULL, destroys, &graph) == 0);
  CHECK(destroyer_begun(graph));
  CHECK_STATUS(portable_graph_launch(graph, two), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_graph_update(graph, 0, &at, sizeof at), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_ERR_HANDLE);
  CHECK(runs[0] == 0);
  atomic_store(&gate_open, 1);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(runs[0] == 2);
  CHECK_STATUS(portable_stream_destroy(one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(two), PORTABLE_OK);
}

/* clean: what several threads do at once, for a tool that finds races. */
int main(int argc, char **argv) {
  const int clean = argc > 1 && strcmp(argv[1], "clean") == 0;
  const char *fewer = getenv("TEST_REPLAYS");
  if (fewer) replays = atoi(fewer);
  CHECK(replays > 0);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  if (!clean) {
    diamond();
    errors();
  }
  shared();
  waits_without_lock();
  if (!clean) {
    blocks();
    objects();
    array_calls();
    observed();
  }
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
