/* waits.c - threads inside a stream, in a kernel or a callback, that wait for another one: allowed, unless the other one waits for theirs,
 * by whatever way. Not in this file: waiting for the own stream (errors.c). */
#include "streams.h"

static portable_stream a, b, c;
static portable_event at_a, at_b, at_c, before;
static _Atomic int ran, refused, passed;
static int plain_destroy;

static void nothing(const portable_tile *t, void *args) {
  (void)args;
  atomic_fetch_add(&ran, (int)(t->upper[0] - t->lower[0] + 1));
}

static void make(void) {
  a = streams_new(), b = streams_new(), c = streams_new();
  portable_event *const all[] = {&at_a, &at_b, &at_c, &before};
  for (int i = 0; i < 4; i++) CHECK_STATUS(portable_event_create(all[i]), PORTABLE_OK);
  ran = refused = passed = 0;
}

static void unmake(void) {
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  const portable_event all[] = {at_a, at_b, at_c, before};
  for (int i = 0; i < 4; i++) CHECK_STATUS(portable_event_destroy(all[i]), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(a), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(b), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(c), PORTABLE_OK);
}

static void follows(portable_stream s, portable_event e, portable_stream of) {
  CHECK_STATUS(portable_event_record(e, of), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(s, e), PORTABLE_OK);
}

/* All ways to wait for stream b, which waits for the one that this is inside. */
static void all_ways(void) {
  portable_bounds bounds = portable_bounds_1(5);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  int here = 0;
  CHECK_STATUS(portable_event_wait(before), PORTABLE_OK); /* what b has done before it waits */
  CHECK_STATUS(portable_event_wait(at_b), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_event_wait: called inside a kernel or a callback of a stream for which the other stream waits");
  if (streams_default_waits()) {
    CHECK_STATUS(portable_stream_wait_event(0, at_b), PORTABLE_ERR_STATE);
    CHECK_TEXT("portable_stream_wait_event: called inside");
  }
  CHECK_STATUS(portable_stream_fence(b), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_stream_fence: called inside");
  CHECK_STATUS(portable_stream_destroy(b), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_stream_destroy: called inside");
  config.stream = b;
  CHECK_STATUS(portable__fortran_parallel_for(PORTABLE_VERSION, "waits ", 6, &bounds, nothing, &here, 0, &config, 4, 2), PORTABLE_ERR_STATE);
  CHECK_TEXT("parallel_for 'waits', which is waited for: called inside");
  CHECK_STATUS(streams_launch(b, 7, nothing, NULL, 0), PORTABLE_OK); /* it goes on */
}

static void in_kernel(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) all_ways();
}

static void in_callback(portable_status status, void *payload) {
  (void)status;
  (void)payload;
  all_ways();
}

/* b waits for a, directly or by c. */
static void circle(int by_c, int callback) {
  struct gate g, h;
  make();
  streams_hold(a, &g);
  streams_hold(b, &h);
  CHECK_STATUS(portable_event_record(before, b), PORTABLE_OK);
  if (callback)
    CHECK_STATUS(portable_stream_call(a, in_callback, NULL), PORTABLE_OK);
  else
    CHECK_STATUS(streams_launch(a, 100, in_kernel, NULL, 0), PORTABLE_OK);
  if (by_c) {
    follows(c, at_a, a);
    follows(b, at_c, c);
  } else {
    follows(b, at_a, a);
  }
  CHECK_STATUS(portable_event_record(at_b, b), PORTABLE_OK);
  streams_go(&h);
  streams_go(&g);
  CHECK_STATUS(portable_stream_fence(a), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(b), PORTABLE_OK);
  CHECK(ran == 7); /* the procedure that no call could wait for has not run */
  unmake();
}

static _Atomic int both;

static void waits_for(portable_status status, void *payload) {
  portable_event e = *(portable_event *)payload;
  (void)status;
  atomic_fetch_add(&both, 1);
  for (double end = streams_now() + 60; atomic_load(&both) < 2 && streams_now() < end;) sched_yield();
  portable_status answer = portable_event_wait(e);
  CHECK(answer == PORTABLE_OK || answer == PORTABLE_ERR_STATE);
  atomic_fetch_add(answer == PORTABLE_OK ? &passed : &refused, 1);
}

/* Neither waits in its queue, but both of their callbacks do: one of them is refused, and the other one then gets on. */
static void each_for_the_other(void) {
  for (int round = 0; round < 50; round++) {
    struct gate g, h;
    make();
    both = 0;
    streams_hold(a, &g);
    streams_hold(b, &h);
    CHECK_STATUS(portable_stream_call(a, waits_for, &at_b), PORTABLE_OK);
    CHECK_STATUS(portable_stream_call(b, waits_for, &at_a), PORTABLE_OK);
    CHECK_STATUS(portable_event_record(at_a, a), PORTABLE_OK);
    CHECK_STATUS(portable_event_record(at_b, b), PORTABLE_OK);
    streams_go(&g);
    streams_go(&h);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    CHECK(passed == 1 && refused == 1);
    unmake();
  }
}

static void fences_own(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) atomic_fetch_add(portable_stream_fence(a) == PORTABLE_ERR_STATE ? &refused : &passed, 1);
}

static void launches_by_default(portable_status status, void *payload) {
  (void)status;
  (void)payload;
  CHECK_STATUS(streams_launch(0, 1000, fences_own, NULL, 0), PORTABLE_OK);
}

/* A launch that a callback makes is inside the stream too, on all threads. */
static void launched_inside(void) {
  make();
  CHECK_STATUS(portable_stream_call(a, launches_by_default, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(a), PORTABLE_OK);
  CHECK(refused == 1000 && passed == 0);
  unmake();
}

static portable_pool pool;

static void destroys_pool(portable_status status, void *payload) {
  (void)status;
  (void)payload;
  CHECK_STATUS(portable_pool_destroy(pool), plain_destroy ? PORTABLE_OK : PORTABLE_ERR_STATE);
  if (!plain_destroy) CHECK_TEXT("portable_pool_destroy: called inside a kernel or a callback of a stream while streams use blocks of the pool");
}

/* The end of a pool waits for the streams that use its blocks. */
static void pools(void) {
  void *p = NULL;
  make();
  for (plain_destroy = 0; plain_destroy < 2; plain_destroy++) {
    struct gate g;
    if (!plain_destroy) CHECK_STATUS(portable_pool_create(NULL, &pool), PORTABLE_OK);
    streams_hold(a, &g);
    if (!plain_destroy) {
      CHECK_STATUS(portable_pool_alloc(pool, 1000, "used", &p), PORTABLE_OK);
      CHECK_STATUS(portable_add_stream_dependency(p, a), PORTABLE_OK);
      CHECK_STATUS(portable_pool_free(pool, p), PORTABLE_OK);
      CHECK_STATUS(portable_stream_call(b, destroys_pool, NULL), PORTABLE_OK);
      CHECK_STATUS(portable_stream_fence(b), PORTABLE_OK);
    }
    CHECK_STATUS(portable_stream_call(a, destroys_pool, NULL), PORTABLE_OK);
    if (!plain_destroy) { /* another block, which the callback's stream has not passed */
      CHECK_STATUS(portable_pool_alloc(pool, 1000, "used", &p), PORTABLE_OK);
      CHECK_STATUS(portable_add_stream_dependency(p, a), PORTABLE_OK);
      CHECK_STATUS(portable_pool_free(pool, p), PORTABLE_OK);
    }
    streams_go(&g);
    CHECK_STATUS(portable_stream_fence(a), PORTABLE_OK);
  }
  unmake();
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int i = 0; i < 4; i++) circle(i / 2, i % 2);
  each_for_the_other();
  launched_inside();
  pools();
  return check_end();
}
