/* rows.h - the measurements of both programs of this folder: sizes, the clock, one line for each
 * row. C and C++. A row is the least time of `REPEATS` repetitions, each of which is waited for. If
 * its name says "queued", it is the calling thread's time to put work into an empty stream. */
#ifndef BENCH_CUDA_ROWS_H
#define BENCH_CUDA_ROWS_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

static int small; /* 1: only to see that it works */
#define ELEMENTS (small ? 5000 : (int64_t)1 << 26) /* of triad, sum: 512 MB of real64 each */
#define CUBE (small ? 9 : 400)                     /* inner points of the stencil along each side, and one more on both */
#define PLANE (small ? 70 : 8192)                  /* cells of max_stable_dt along each side */
#define MATRIX (small ? 64 : 2048)                 /* of the product; a multiple of TILE */
#define TILE 32
#define QUEUED (small ? 4 : 256) /* launches in a row; a queue of the device holds more */
#define PAIRS (small ? 100 : 1000)
#define REPEATS (small ? 1 : 20)

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sizes of blocks as programs with many fields have them: bytes of block k. */
static inline int64_t block_bytes(int k) {
  static const int64_t of[8] = {80, 4096, 80 << 10, 1 << 20, 300 << 10, 5 << 20, 512, 16 << 20};
  return of[k % 8];
}

static inline void row(const char *name, double least, double bytes) {
  printf("%s|%.9e|%.4e\n", name, least, bytes);
  fflush(stdout);
}

/* Runs `what` REPEATS times, and once before, and prints the least time for one of `each`. */
#define MEASURE(name, each, bytes, what)                         \
  do {                                                           \
    double least = 1e30;                                         \
    for (int round_ = -1; round_ < REPEATS; round_++) {          \
      double begin_ = seconds();                                 \
      what;                                                      \
      double took_ = (seconds() - begin_) / (double)(each);      \
      if (round_ >= 0 && took_ < least) least = took_;           \
    }                                                            \
    row(name, least, (double)(bytes));                           \
  } while (0)

#endif
