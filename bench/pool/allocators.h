/* allocators.h - the allocator under test, chosen by the first argument: "portable" or "malloc".
 * Which malloc that is (glibc, tuned glibc, jemalloc, mimalloc) the driver chooses by LD_PRELOAD
 * and tunables, so that every peer runs the same machine code. */
#ifndef BENCH_ALLOCATORS_H
#define BENCH_ALLOCATORS_H

#include <portable.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *(*take_fn)(size_t bytes);
typedef void (*give_fn)(void *p);
extern take_fn take;
extern give_fn give;

/* Nanoseconds of a clock that only goes forward. */
static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A small generator: the same sequence for every peer. */
static inline uint32_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

/* Each phase begins after a pause, so that none inherits spinning threads or a hot core of the one before. */
static inline void pause_50ms(void) {
  struct timespec t = {0, 50000000};
  nanosleep(&t, NULL);
}

static inline int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The middle of n values, which are sorted: what other programs of the machine did to less than half of them is left
 * out. */
static inline double median(double *values, size_t n) {
  qsort(values, n, sizeof *values, by_value);
  return values[n / 2];
}

/* One line for the driver: name, value, unit. */
static inline void result(const char *name, double value, const char *unit) { printf("%s\t%.4g\t%s\n", name, value, unit); }

#endif
