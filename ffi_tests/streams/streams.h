/* streams.h - what the programs of this folder share: a kernel that holds its stream up until the program lets it go, so that nothing
 * depends on time. C only. */
#ifndef STREAMS_H
#define STREAMS_H

#include "check.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

struct gate {
  _Atomic int open, reached;
};

static inline double streams_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits until the flag is set. A library that never sets it fails a test, and does not hang it. */
static inline int streams_await(_Atomic int *flag) {
  double end = streams_now() + 60;
  while (!atomic_load(flag)) {
    if (streams_now() > end) return 0;
    sched_yield();
  }
  return 1;
}

static inline void streams_gate(const portable_tile *t, void *args) {
  struct gate *g = *(struct gate **)args;
  atomic_store(&g->reached, 1);
  if (!streams_await(&g->open)) portable_kernel_fail(t, 99, "the gate stays closed");
}

/* The same kernel for anything else: its arguments are the block itself. */
static inline portable_status streams_launch(portable_stream stream, int64_t n, portable_kernel_function kernel, const void *args, size_t bytes) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(n);
  config.stream = stream;
  return portable_parallel_for("test", &b, kernel, args, bytes, &config);
}

/* From now on the stream stands still, until streams_go. */
static inline void streams_hold(portable_stream stream, struct gate *g) {
  atomic_store(&g->open, 0);
  atomic_store(&g->reached, 0);
  CHECK_STATUS(streams_launch(stream, 1, streams_gate, &g, sizeof g), PORTABLE_OK);
  CHECK(streams_await(&g->reached));
}

static inline void streams_go(struct gate *g) { atomic_store(&g->open, 1); }

/* The default stream of a device of CUDA is asynchronous: waits are put into it, and host kernels say their device by the number of `threads`. */
static inline int streams_default_waits(void) { return portable_stream_kind(0) == PORTABLE_STREAM_SYNC; }

static inline portable_stream streams_new(void) {
  portable_stream s = 0;
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &s), PORTABLE_OK);
  CHECK(s != 0);
  return s;
}

static inline int streams_done(portable_stream s) {
  int32_t done = -1;
  CHECK_STATUS(portable_stream_query(s, &done), PORTABLE_OK);
  return done;
}

static inline int streams_event_done(portable_event e) {
  int32_t done = -1;
  CHECK_STATUS(portable_event_query(e, &done), PORTABLE_OK);
  return done;
}

#endif
