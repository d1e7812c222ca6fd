/* memory.c - blocks that streams still use: kept when they are freed, released when the streams have passed, none lost. The two
 * cases that YAKL v1 loses are the first. Both with the pool's fast path and without. */
#include "streams.h"

#include <stddef.h>

enum { MANY = 3, BYTES = 100000 };

static uint64_t waiting(portable_pool pool) { return check_stats(pool).waiting_blocks; }

static void *block(const char *label) {
  void *p = NULL;
  CHECK_STATUS(portable_alloc(BYTES, label, &p), PORTABLE_OK);
  return p;
}

/* A block that depends on two streams: YAKL v1 asks the first of its events only, and keeps it until the end. */
static void two_streams(portable_pool pool) {
  for (int first = 0; first < 2; first++) {
    struct gate g[2];
    portable_stream s[2] = {streams_new(), streams_new()};
    void *p = block("two streams");
    for (int k = 0; k < 2; k++) {
      CHECK_STATUS(portable_add_stream_dependency(p, s[k]), PORTABLE_OK);
      streams_hold(s[k], &g[k]); /* what comes between the call and the free counts */
    }
    CHECK_STATUS(portable_free(p), PORTABLE_OK);
    CHECK(waiting(pool) == 1);
    CHECK(check_stats(pool).waiting_bytes == BYTES);
    streams_go(&g[first]);
    CHECK_STATUS(portable_stream_fence(s[first]), PORTABLE_OK);
    CHECK(waiting(pool) == 1);
    void *q = block("another");
    CHECK(q != p);
    CHECK_STATUS(portable_free(q), PORTABLE_OK);
    streams_go(&g[1 - first]);
    CHECK_STATUS(portable_stream_fence(s[1 - first]), PORTABLE_OK);
    CHECK(waiting(pool) == 0);
    CHECK(check_stats(pool).occupied_bytes == 0);
    for (int k = 0; k < 2; k++) CHECK_STATUS(portable_stream_destroy(s[k]), PORTABLE_OK);
  }
}

/* Three blocks on one event: YAKL v1 forgets one of them. */
static void three_blocks(portable_pool pool) {
  struct gate g;
  void *p[MANY];
  portable_stream s = streams_new();
  for (int i = 0; i < MANY; i++) {
    p[i] = block("three arrays");
    CHECK_STATUS(portable_add_stream_dependency(p[i], s), PORTABLE_OK);
  }
  streams_hold(s, &g);
  for (int i = 0; i < MANY; i++) CHECK_STATUS(portable_free(p[i]), PORTABLE_OK);
  CHECK(waiting(pool) == MANY);
  streams_go(&g);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(waiting(pool) == 0);
  CHECK(check_stats(pool).occupied_bytes == 0);
  /* A stream that has nothing to do keeps nothing. */
  p[0] = block("idle");
  CHECK_STATUS(portable_add_stream_dependency((char *)p[0] + 4096, s), PORTABLE_OK); /* anywhere inside */
  CHECK_STATUS(portable_free(p[0]), PORTABLE_OK);
  CHECK(waiting(pool) == 0);
  /* Nor does one that has ended, or a default one. */
  p[0] = block("ended");
  CHECK_STATUS(portable_add_stream_dependency(p[0], s), PORTABLE_OK);
  CHECK_STATUS(portable_add_stream_dependency(p[0], 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  s = streams_new(); /* in the same place of the table */
  streams_hold(s, &g);
  CHECK_STATUS(portable_free(p[0]), PORTABLE_OK);
  CHECK(waiting(pool) == 0);
  streams_go(&g);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

struct add {
  const double *x;
  double *y;
  struct gate *gate;
};

static void add(const portable_tile *t, void *args) {
  const struct add *a = args;
  if (a->gate) streams_await(&a->gate->open);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) a->y[i] += a->x[i];
}

static const portable_argument arguments[] = {
    {"x", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_READ, offsetof(struct add, x), sizeof(void *)},
    {"y", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_BOTH, offsetof(struct add, y), sizeof(void *)},
};

/* Each argument that a kernel object declares is kept until the launch has ended, not until the stream is empty. */
static void declared(portable_pool pool) {
  enum { N = 1000 };
  static double sum[N];
  struct gate g, later;
  portable_kernel k = 0;
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(N);
  portable_pool own = 0;
  void *p = block("x"), *q = NULL;
  portable_stream s = c.stream = streams_new();
  CHECK_STATUS(portable_pool_create(NULL, &own), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(own, BYTES, "x", &q), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_create("add", sizeof(struct add), arguments, 2, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(k, add), PORTABLE_OK);
  struct add one = {p, sum, &g}, two = {q, sum, NULL}; /* sum is in no pool */
  for (int i = 0; i < N; i++) ((double *)p)[i] = i;
  for (int i = 0; i < N; i++) ((double *)q)[i] = 2 * i;
  atomic_init(&g.open, 0);
  for (int repeat = 0; repeat < 100; repeat++) {
    CHECK_STATUS(portable_launch(k, &b, &one, &c), PORTABLE_OK);
    CHECK_STATUS(portable_launch(k, &b, &two, &c), PORTABLE_OK);
  }
  struct gate *pl = &later;
  atomic_init(&later.open, 0);
  atomic_init(&later.reached, 0);
  CHECK_STATUS(streams_launch(s, 1, streams_gate, &pl, sizeof pl), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(own, q), PORTABLE_OK);
  CHECK(waiting(pool) == 1 && waiting(own) == 1);
  streams_go(&g);
  CHECK(streams_await(&later.reached)); /* the stream has passed the launches, and is not empty */
  CHECK(waiting(pool) == 0 && waiting(own) == 0);
  streams_go(&later);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  for (int i = 0; i < N; i++) CHECK(sum[i] == 300.0 * i);
  /* In a synchronous launch nothing has to be kept. */
  p = block("x");
  one.x = p;
  one.gate = NULL;
  CHECK_STATUS(portable_launch(k, &b, &one, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK(waiting(pool) == 0);
  /* A pool ends when the streams have passed its blocks. */
  CHECK_STATUS(portable_pool_alloc(own, BYTES, "x", &q), PORTABLE_OK);
  memset(q, 0, BYTES);
  two.x = q;
  CHECK_STATUS(portable_launch(k, &b, &two, &c), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(own, q), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(own), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* Memory is not given to another thread while a stream still writes there. */
static void no_reuse(portable_pool pool) {
  enum { N = 64, ROUNDS = 400 };
  static double ones[BYTES / 8];
  portable_kernel k = 0;
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(BYTES / 8);
  portable_stream s[2] = {streams_new(), streams_new()};
  CHECK_STATUS(portable_kernel_create("add", sizeof(struct add), arguments, 2, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(k, add), PORTABLE_OK);
  for (int i = 0; i < BYTES / 8; i++) ones[i] = 1;
  for (int round = 0; round < ROUNDS; round++) {
    double *y = block("y"), *z = block("z");
    memset(y, 0, BYTES);
    memset(z, 0, BYTES);
    struct add work = {ones, y, NULL};
    c.stream = s[round % 2];
    for (int i = 0; i < 3; i++) CHECK_STATUS(portable_launch(k, &b, &work, &c), PORTABLE_OK);
    CHECK_STATUS(portable_free(y), PORTABLE_OK); /* at once; the next round may have it only when it was passed */
    for (int i = 0; i < BYTES / 8; i += 97) CHECK(z[i] == 0);
    CHECK_STATUS(portable_free(z), PORTABLE_OK);
  }
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(waiting(pool) == 0);
  CHECK_STATUS(portable_pool_check(pool), PORTABLE_OK);
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_stream_destroy(s[i]), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  portable_pool pool = check_default_pool();
  two_streams(pool);
  three_blocks(pool);
  declared(pool);
  no_reuse(pool);
  CHECK(check_stats(pool).waiting_blocks == 0);
  return check_end();
}
