/* streams.c - two streams: one computes a field piece by piece into two buffers, the other copies each finished buffer to where the
 * output goes, while the first one is at the next piece. Events say when a buffer is full and when it is free again.
 * streams_c [CELLS PIECES]. Exit status: 0 when the result has the bits of the serial loop. */
#include <math.h>
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct piece {
  const double *from;
  double *to;
  int64_t first;
};

/* A value that takes some work, of the number of a cell only. */
static double field(int64_t i) {
  double f = 1 / (double)(i + 1);
  for (int k = 0; k < 40; k++) f += 0.01 * (cos(f) - f);
  return f;
}

static void compute(const portable_tile *t, void *args) {
  const struct piece *p = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) p->to[i] = field(p->first + i);
}

static void copy(const portable_tile *t, void *args) {
  const struct piece *p = args;
  memcpy(p->to + p->first + t->lower[0], p->from + t->lower[0], (size_t)(t->upper[0] - t->lower[0] + 1) * sizeof(double));
}

static void check(portable_status status) {
  if (status == PORTABLE_OK) return;
  fprintf(stderr, "streams: %s\n", portable_last_error());
  exit(1);
}

static void launch(const char *label, int64_t n, portable_kernel_function kernel, struct piece p, portable_stream stream) {
  const portable_bounds b = portable_bounds_1(n);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  c.stream = stream;
  check(portable_parallel_for(label, &b, kernel, &p, sizeof p, &c));
}

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  int64_t n = argc > 1 ? atoll(argv[1]) : 5000, pieces = argc > 2 ? atoll(argv[2]) : 50;
  size_t bytes = (size_t)n * sizeof(double), all = bytes * (size_t)pieces;
  void *po = NULL, *pb[2] = {NULL, NULL};
  portable_stream computing, copying;
  portable_event full[2], empty[2];
  check(portable_init(NULL));
  check(portable_alloc(all, "output", &po));
  double *output = po, *expected = malloc(all);
  if (!expected) return 1;
  double start = now();
  for (int64_t i = 0; i < n * pieces; i++) expected[i] = field(i);
  double middle = now();

  check(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &computing));
  check(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &copying));
  for (int b = 0; b < 2; b++) {
    check(portable_alloc(bytes, "buffer", &pb[b]));
    check(portable_event_create(&full[b]));
    check(portable_event_create(&empty[b])); /* counts as done: both buffers are free */
  }
  for (int64_t k = 0; k < pieces; k++) {
    int b = (int)(k % 2);
    check(portable_stream_wait_event(computing, empty[b]));
    launch("compute", n, compute, (struct piece){NULL, pb[b], k * n}, computing);
    check(portable_event_record(full[b], computing));
    check(portable_stream_wait_event(copying, full[b]));
    launch("copy", n, copy, (struct piece){pb[b], output, k * n}, copying);
    check(portable_event_record(empty[b], copying));
  }
  /* The launches are queued, not done: the buffers go back to the pool when the streams have passed them. */
  for (int b = 0; b < 2; b++) {
    check(portable_add_stream_dependency(pb[b], computing));
    check(portable_add_stream_dependency(pb[b], copying));
    check(portable_free(pb[b]));
  }
  check(portable_fence());
  double finish = now();
  for (int b = 0; b < 2; b++) {
    check(portable_event_destroy(full[b]));
    check(portable_event_destroy(empty[b]));
  }
  check(portable_stream_destroy(computing));
  check(portable_stream_destroy(copying));

  printf("streams: %lld pieces of %lld cells: serial %.3f ms, two streams on %d threads %.3f ms\n", (long long)pieces, (long long)n,
         1000 * (middle - start), (int)portable_num_threads(), 1000 * (finish - middle));
  int differ = memcmp(output, expected, all);
  if (differ) fprintf(stderr, "streams: the results differ\n");
  free(expected);
  portable_free(output);
  return portable_finalize() != PORTABLE_OK || differ != 0;
}
