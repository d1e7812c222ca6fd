/* memory.c - blocks of pools that a graph uses: they stay until the graph is destroyed, or until their pool is. Not in this file: blocks that streams use
 * (streams/memory.c). */
#include "graphs.h"

enum { N = 1000 };

struct block {
  double *x; /* found by its address in the argument block */
  int64_t add;
};

static void add(const portable_tile *t, void *args) {
  const struct block *b = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) b->x[i] += (double)b->add;
}

static double *take(portable_pool pool, const char *label) {
  void *p = NULL;
  CHECK_STATUS(portable_pool_alloc(pool, N * sizeof(double), label, &p), PORTABLE_OK);
  for (int i = 0; i < N; i++) ((double *)p)[i] = 1;
  return p;
}

/* 1: a new block has the address. Blocks of its size are taken until one has, or there are 50. */
static int is_again(portable_pool pool, const void *address) {
  void *p[50];
  int found = 0;
  for (int i = 0; i < 50; i++) {
    CHECK_STATUS(portable_pool_alloc(pool, N * sizeof(double), "new", &p[i]), PORTABLE_OK);
    memset(p[i], 0xff, N * sizeof(double));
    found |= p[i] == address;
  }
  for (int i = 0; i < 50; i++) CHECK_STATUS(portable_pool_free(pool, p[i]), PORTABLE_OK);
  return found;
}

/* A block that was freed meanwhile is not given away; after the graph it is. So are blocks of changed arguments and of declared dependencies. */
static void kept(portable_pool pool, portable_stream s) {
  double *x = take(pool, "x"), *y = take(pool, "y"), *z = take(pool, "z"), seen = 0;
  struct block b = {x + 3, 1}; /* also from inside of the block */
  portable_graph graph;
  CHECK_STATUS(portable_graph_begin(s, &graph), PORTABLE_OK);
  CHECK_STATUS(graphs_launch("add", s, N - 3, add, &b, sizeof b), PORTABLE_OK);
  CHECK_STATUS(portable_add_stream_dependency(z, s), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, x), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, z), PORTABLE_OK);
  CHECK(!is_again(pool, x) && !is_again(pool, z));
  for (int i = 0; i < 100; i++) CHECK_STATUS(portable_graph_launch(graph, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(!is_again(pool, x));
  memcpy(&seen, x + N - 1, sizeof seen); /* the block is freed and kept */
  CHECK(seen == 101);
  b.x = y;
  CHECK_STATUS(portable_graph_update(graph, 0, &b, sizeof b), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, y), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(!is_again(pool, y));
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  if (!(portable_checks() & PORTABLE_CHECK_MEMORY)) CHECK(is_again(pool, x) && is_again(pool, y) && is_again(pool, z)); /* guarded blocks rest longer */
}

/* A block that is freed during the recording, after its launch, is kept, too. */
static void freed_at_once(portable_pool pool, portable_stream s) {
  struct block b = {take(pool, "x"), 1};
  portable_graph graph;
  CHECK_STATUS(portable_graph_begin(s, &graph), PORTABLE_OK);
  CHECK_STATUS(graphs_launch("add", s, N, add, &b, sizeof b), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, b.x), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK(!is_again(pool, b.x));
  CHECK_STATUS(portable_graph_launch(graph, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  if (!(portable_checks() & PORTABLE_CHECK_MEMORY)) CHECK(is_again(pool, b.x));
}

/* A pool that is destroyed waits for the launches, not for the graph, and the graph is not launched any more. */
static void destroyed(portable_stream s) {
  portable_pool pool;
  portable_graph graph, recording;
  CHECK_STATUS(portable_pool_create(NULL, &pool), PORTABLE_OK);
  struct block b = {take(pool, "of the pool"), 1};
  CHECK_STATUS(portable_graph_begin(s, &graph), PORTABLE_OK);
  CHECK_STATUS(graphs_launch("add", s, N, add, &b, sizeof b), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, s), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, b.x), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, s), PORTABLE_ERR_STATE);
  CHECK_TEXT("uses blocks whose pool was destroyed");
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  /* The same during a recording. */
  CHECK_STATUS(portable_pool_create(NULL, &pool), PORTABLE_OK);
  b.x = take(pool, "of the pool");
  CHECK_STATUS(portable_graph_begin(s, &recording), PORTABLE_OK);
  CHECK_STATUS(portable_add_stream_dependency(b.x, s), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, b.x), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(recording), PORTABLE_ERR_STATE);
  CHECK_TEXT("a pool was destroyed during the recording");
  CHECK_STATUS(portable_graph_destroy(recording), PORTABLE_OK);
}

int main(void) {
  portable_pool pool;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  portable_stream s = graphs_stream();
  CHECK_STATUS(portable_pool_create(NULL, &pool), PORTABLE_OK);
  kept(check_default_pool(), s);
  kept(pool, s);
  freed_at_once(check_default_pool(), s);
  freed_at_once(pool, s);
  destroyed(s);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
