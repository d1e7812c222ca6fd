/* destroy.c - the end of a stream while it has work and others use it: what it keeps is kept until it has passed, who fences waits for it,
 * a call that comes too late is refused. Not in this file: the end of the library (ends.c). */
#include "streams.h"

#include <pthread.h>

enum { BYTES = 100000 };

static portable_stream s;

static void *destroys(void *argument) {
  (void)argument;
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  return NULL;
}

static void nothing(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

/* Another thread destroys the stream, which has work: nothing more goes in. */
static pthread_t begin(void) {
  pthread_t thread;
  portable_status status = PORTABLE_OK;
  CHECK(pthread_create(&thread, NULL, destroys, NULL) == 0);
  for (double end = streams_now() + 60; status == PORTABLE_OK && streams_now() < end;) status = streams_launch(s, 1, nothing, NULL, 0);
  CHECK(status == PORTABLE_ERR_HANDLE);
  CHECK_TEXT("was ended while something was put into it");
  return thread;
}

static void *block;
static _Atomic int freed, done;

static void frees(portable_status status, void *payload) {
  portable_event e = 0;
  (void)payload;
  CHECK(status == PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK); /* the stream has not ended yet */
  CHECK(!streams_event_done(e) && !streams_done(s));
  CHECK_STATUS(portable_event_destroy(e), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_free(block), PORTABLE_OK);
  atomic_store(&freed, 1);
}

/* A block that is freed while its stream is destroyed belongs to it until all is done. */
static void keeps_blocks(portable_pool pool) {
  struct gate g, later, *pl = &later;
  void *other = NULL;
  s = streams_new();
  CHECK_STATUS(portable_alloc(BYTES, "kept", &block), PORTABLE_OK);
  CHECK_STATUS(portable_add_stream_dependency(block, s), PORTABLE_OK);
  atomic_init(&later.open, 0);
  atomic_init(&later.reached, 0);
  streams_hold(s, &g);
  CHECK_STATUS(portable_stream_call(s, frees, NULL), PORTABLE_OK);
  CHECK_STATUS(streams_launch(s, 1, streams_gate, &pl, sizeof pl), PORTABLE_OK); /* stands for a kernel that uses the block */
  pthread_t thread = begin();
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("by another thread");
  streams_go(&g);
  CHECK(streams_await(&freed) && streams_await(&later.reached));
  CHECK(check_stats(pool).waiting_blocks == 1);
  CHECK_STATUS(portable_alloc(BYTES, "other", &other), PORTABLE_OK);
  CHECK(other != block);
  CHECK_STATUS(portable_free(other), PORTABLE_OK);
  streams_go(&later);
  pthread_join(thread, NULL);
  CHECK(check_stats(pool).waiting_blocks == 0);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_ERR_HANDLE);
}

static void ends(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
  atomic_store(&done, 1);
}

static void *fences(void *argument) {
  portable_status status = argument ? portable_stream_fence(s) : portable_fence();
  CHECK(status == PORTABLE_OK || (argument && status == PORTABLE_ERR_HANDLE)); /* which comes only after the end */
  CHECK(atomic_load(&done));
  return NULL;
}

/* Fences wait for a stream that a thread destroys as for any. */
static void is_fenced(void) {
  for (int round = 0; round < 20; round++) {
    struct gate g;
    pthread_t one, all;
    s = streams_new();
    streams_hold(s, &g);
    atomic_store(&done, 0);
    CHECK_STATUS(streams_launch(s, 1, ends, NULL, 0), PORTABLE_OK);
    pthread_t thread = begin();
    CHECK(pthread_create(&one, NULL, fences, &s) == 0 && pthread_create(&all, NULL, fences, NULL) == 0);
    for (int i = 0; i < 200; i++) sched_yield();
    streams_go(&g);
    pthread_join(one, NULL);
    pthread_join(all, NULL);
    pthread_join(thread, NULL);
  }
}

static _Atomic long put_in;
static _Atomic int refused;

static void *fills(void *argument) {
  portable_status status;
  (void)argument;
  while ((status = streams_launch(s, 1, nothing, NULL, 0)) == PORTABLE_OK) atomic_fetch_add(&put_in, 1);
  CHECK(status == PORTABLE_ERR_HANDLE);
  CHECK_TEXT("was ended while something was put into it");
  atomic_store(&refused, 1);
  return NULL;
}

/* A thread that waits for room in a full queue is refused when the stream's end begins, not when its work goes on. */
static void while_full(void) {
  struct gate g;
  pthread_t filler, thread;
  s = streams_new();
  streams_hold(s, &g);
  CHECK(pthread_create(&filler, NULL, fills, NULL) == 0);
  /* Until it waits. (Streams of a driver have no end of room.) */
  const double end = streams_now() + 2;
  for (long before = -1, now = 0; (now != before || now == 0) && streams_now() < end; now = atomic_load(&put_in)) {
    before = now;
    nanosleep(&(struct timespec){0, 50000000}, NULL);
  }
  CHECK(pthread_create(&thread, NULL, destroys, NULL) == 0);
  CHECK(streams_await(&refused));
  streams_go(&g);
  pthread_join(filler, NULL);
  pthread_join(thread, NULL);
}

static _Atomic int stop;
static _Atomic uint64_t current;
static _Atomic long accepted, counted;

static void counts(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) atomic_fetch_add(&counted, 1);
}

static void *launches(void *argument) {
  char large[2000] = {0};
  (void)argument;
  while (!stop) {
    if (accepted - counted > 20) {
      sched_yield();
      continue;
    }
    portable_stream to = atomic_load(&current);
    portable_status status = streams_launch(to, 3, counts, large, sizeof large);
    if (status == PORTABLE_OK) atomic_fetch_add(&accepted, 1);
    if (status != PORTABLE_OK) CHECK(status == PORTABLE_ERR_HANDLE);
  }
  return NULL;
}

/* Streams come and go under a thread that launches into whichever there is: a launch is accepted and runs, or is refused. */
static void under_launches(void) {
  pthread_t threads[2];
  current = streams_new();
  for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, launches, NULL) == 0);
  for (int round = 0; round < 100; round++) {
    portable_stream old = atomic_load(&current);
    if (round % 2) atomic_store(&current, streams_new());
    for (int i = 0; i < 5; i++) sched_yield();
    CHECK_STATUS(portable_stream_destroy(old), PORTABLE_OK);
    if (round % 2 == 0) atomic_store(&current, streams_new());
  }
  stop = 1;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  CHECK_STATUS(portable_stream_destroy(current), PORTABLE_OK);
  CHECK(counted == accepted);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  portable_pool pool = check_default_pool();
  keeps_blocks(pool);
  is_fenced();
  while_full();
  under_launches();
  return check_end();
}
