/* streams.c - two streams: one computes a field piece by piece into two buffers, the other copies
 * each finished buffer to where the output goes, while the first one is at the next piece. Events
 * say when a buffer is full and when it is free again. streams_c [CELLS PIECES]. Exit status: 0
 * when the result has the bits of the serial loop. */
#include <portable.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The kernels' bodies are in a file of its own, which is compiled here for the host, and is a text here for devices. */
#include "streams_kernels.h"
PORTABLE_CUDA_FILE(streams_source, "streams_kernels.h");

static void check(portable_status status) {
  if (status == PORTABLE_OK) return;
  fprintf(stderr, "streams: %s\n", portable_last_error());
  exit(1);
}

static portable_kernel kernel(const char *label, portable_kernel_function host) {
  static const portable_argument arguments[] = {
    {"from", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_READ, offsetof(piece, from), sizeof(double *)},
    {"to", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_WRITE, offsetof(piece, to), sizeof(double *)},
    {"first", PORTABLE_ARGUMENT_INT64, 0, offsetof(piece, first), sizeof(int64_t)},
    {"base", PORTABLE_ARGUMENT_INT64, 0, offsetof(piece, base), sizeof(int64_t)},
    {"n", PORTABLE_ARGUMENT_INT64, 0, offsetof(piece, n), sizeof(int64_t)}};
  portable_kernel made;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.code = streams_source;
  code.bytes = streams_source_bytes;
  code.file = "streams_kernels.h";
  check(portable_kernel_create(label, sizeof(piece), arguments, 5, &made));
  check(portable_kernel_set_host(made, host));
  check(portable_kernel_set_cuda(made, &code));
  return made;
}

static void launch(portable_kernel k, int64_t n, piece p, portable_stream stream) {
  const portable_bounds b = portable_bounds_1(n);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  c.stream = stream;
  check(portable_launch(k, &b, &p, &c));
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
  const portable_kernel compute_kernel = kernel("compute", compute), copy_kernel = kernel("copy", copy);
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
    launch(compute_kernel, n, (piece){NULL, pb[b], k * n, 0, n}, computing);
    check(portable_event_record(full[b], computing));
    check(portable_stream_wait_event(copying, full[b]));
    launch(copy_kernel, n, (piece){pb[b], output, k * n, 0, n}, copying);
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
  check(portable_kernel_destroy(compute_kernel));
  check(portable_kernel_destroy(copy_kernel));

  printf("streams: %lld pieces of %lld cells: serial %.3f ms, two streams on %d threads %.3f ms\n", (long long)pieces, (long long)n,
         1000 * (middle - start), (int)portable_num_threads(), 1000 * (finish - middle));
  int differ = memcmp(output, expected, all);
  if (differ) fprintf(stderr, "streams: the results differ\n");
  free(expected);
  portable_free(output);
  return portable_finalize() != PORTABLE_OK || differ != 0;
}
