/* streams.c - measures streams: their cost, the gain of several over one, and of a graph over
 * launches. usage: bench_streams portable streams [N]; see launch.c. Not in this file: launches
 * without streams (launch.c). */
#define _GNU_SOURCE
#include <portable_graph.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../checked.h"
#include "../clock.h"

enum { LONG = 32768, LOOPS = 400 };

static long part = 1;
static _Atomic int open_gate;
static double data[4][LONG];

static long portion(long n) { return n / part > 0 ? n / part : 1; }

static void rest(void) {
  struct timespec t = {0, 2000000};
  nanosleep(&t, NULL);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *values, long n) {
  qsort(values, (size_t)n, sizeof *values, compare);
  return values[n / 2];
}

static void result(const char *name, double ns) { printf("%s\t%.6g\tns\n", name, ns); }

static void empty(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

static void gate(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
  while (!atomic_load(&open_gate)) sched_yield();
}

static void work(const portable_tile *t, void *args) {
  double *x = *(double **)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) x[i] = x[i] * 0.999999 + 1e-6;
}

static void launch(portable_stream stream, int64_t n, portable_kernel_function kernel, const void *args, size_t bytes) {
  portable_bounds b = portable_bounds_1(n);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  c.stream = stream;
  check(portable_parallel_for("bench", &b, kernel, args, bytes, &c));
}

static portable_stream new_stream(portable_device device) {
  portable_stream s;
  check(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &s));
  return s;
}

/* The cost of the launching thread: the stream is busy, so that no thread is woken. */
static void putting_in(portable_stream s) {
  long rounds = portion(50);
  double *took = malloc((size_t)rounds * sizeof *took);
  for (long r = 0; r < rounds; r++) {
    atomic_store(&open_gate, 0);
    launch(s, 1, gate, NULL, 0);
    double t = now();
    for (int i = 0; i < 200; i++) launch(s, 1, empty, &t, sizeof t);
    took[r] = (now() - t) / 200;
    atomic_store(&open_gate, 1);
    check(portable_stream_fence(s));
  }
  result("launch into a busy stream", median(took, rounds));
  free(took);
}

static void waking(portable_stream s) {
  long rounds = portion(200);
  double *took = malloc((size_t)rounds * sizeof *took), *both = malloc((size_t)rounds * sizeof *took);
  for (long r = 0; r < rounds; r++) {
    rest();
    double t = now();
    launch(s, 1, empty, &t, sizeof t);
    took[r] = now() - t;
    check(portable_stream_fence(s));
    both[r] = now() - t;
  }
  result("launch into a sleeping stream", median(took, rounds));
  result("launch into a sleeping stream and fence", median(both, rounds));
  free(took);
  free(both);
}

static void through(portable_stream s) {
  long n = portion(20000);
  double t = now();
  for (long i = 0; i < n; i++) launch(s, 1, empty, &t, sizeof t);
  check(portable_stream_fence(s));
  result("launch into a stream, until it is done", (now() - t) / (double)n);
}

/* Each launch waits for the one before it, which is in the other stream. */
static void between(portable_stream a, portable_stream b) {
  long n = portion(4000);
  portable_event e;
  check(portable_event_create(&e));
  double t = now();
  for (long i = 0; i < n; i++) {
    portable_stream from = i % 2 ? a : b, to = i % 2 ? b : a;
    launch(from, 1, empty, &t, sizeof t);
    check(portable_event_record(e, from));
    check(portable_stream_wait_event(to, e));
  }
  check(portable_fence());
  result("step from stream to stream by an event", (now() - t) / (double)n);
  check(portable_event_destroy(e));
}

/* The same small kernels as launches and as one graph, in turn, so that both see the same machine. */
static void graphs(portable_stream s) {
  enum { NODES = 64 };
  long rounds = portion(2000);
  double *launches = malloc((size_t)rounds * sizeof *launches), *replays = malloc((size_t)rounds * sizeof *replays);
  portable_graph graph;
  check(portable_graph_begin(s, &graph));
  for (int i = 0; i < NODES; i++) launch(s, 1, empty, &rounds, sizeof rounds);
  check(portable_graph_end(graph));
  for (long r = 0; r < rounds; r++) {
    double t = now();
    for (int i = 0; i < NODES; i++) launch(s, 1, empty, &rounds, sizeof rounds);
    check(portable_stream_fence(s));
    launches[r] = now() - t;
    t = now();
    check(portable_graph_launch(graph, s));
    check(portable_stream_fence(s));
    replays[r] = now() - t;
  }
  result("64 empty launches into a stream and a fence", median(launches, rounds));
  result("replay of 64 empty nodes and a fence", median(replays, rounds));
  check(portable_graph_destroy(graph));
  free(launches);
  free(replays);
}

/* The same loops in one stream and in several. */
static void several(const char *what, portable_device device) {
  for (int streams = 1; streams <= 4; streams *= 2) {
    portable_stream s[4];
    char name[100];
    long loops = portion(LOOPS);
    for (int k = 0; k < streams; k++) s[k] = new_stream(device);
    double best = 0;
    for (int round = 0; round < 3; round++) {
      double t = now();
      for (long i = 0; i < loops; i++) {
        double *x = data[i % 4];
        launch(s[i % streams], LONG, work, &x, sizeof x);
      }
      check(portable_fence());
      t = (now() - t) / (double)loops;
      if (round == 0 || t < best) best = t;
    }
    snprintf(name, sizeof name, "loop over %d numbers on %s, in %d stream%s", LONG, what, streams, streams > 1 ? "s" : "");
    result(name, best);
    for (int k = 0; k < streams; k++) check(portable_stream_destroy(s[k]));
  }
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s portable streams [N]\n", argv[0]);
    return 2;
  }
  if (argc > 3) part = strtol(argv[3], NULL, 10);
  if (part < 1) part = 1;
  check(portable_init(NULL));
  portable_stream a = new_stream(0), b = new_stream(0);
  putting_in(a);
  waking(a);
  through(a);
  graphs(a);
  between(a, b);
  check(portable_stream_destroy(a));
  check(portable_stream_destroy(b));
  several("serial", 1);
  several("threads", 2);
  return portable_finalize() != PORTABLE_OK;
}
