/* componentwise_main.c - times the operations of componentwise_portable.c or
 * componentwise_openmp.c, and tests their results. usage: bench_componentwise_ENGINE ENGINE [N].
 * Prints name, value and unit, a line each, separated by tabs. With N it does an Nth of the work,
 * to test that it works. */
#define _POSIX_C_SOURCE 200112L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "componentwise.h"

enum { ROUNDS = 20 };

static double *a, *b, *c;
static int32_t *mask;
static int64_t n = 16777216, side;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_fill(void) { fill(n, 2, c); }
static void run_add(void) { add(n, a, b, c); }
static void run_root(void) { root(n, a, c); }
static void run_less(void) { less(n, a, b, mask); }
static void run_sine(void) { sine(n / 16, a, c); }
static void run_second(void) { add_second(n / 2, a, b, c); }
static void run_inside(void) { add_inside(side, a, b, c); }

/* The best of some rounds, as bytes of the elements that are named. */
static void measure(const char *name, void (*run)(void), double bytes) {
  double best = 1e30;
  run();
  for (int i = 0; i < ROUNDS; i++) {
    double before = now();
    run();
    double t = now() - before;
    if (t < best) best = t;
  }
  printf("%s\t%.6g\tGB/s\n", name, 1e-9 * bytes / (best > 1e-9 ? best : 1e-9));
}

static void look(int right, const char *what) {
  if (right) return;
  fprintf(stderr, "%s: the result is wrong\n", what);
  exit(1);
}

static void *room(size_t bytes) {
  void *p = NULL;
  look(posix_memalign(&p, 2 << 20, bytes) == 0, "memory");
  return p;
}

int main(int argc, char **argv) {
  if (argc > 2) n /= atol(argv[2]) > 0 ? atol(argv[2]) : 1;
  side = (int64_t)sqrt((double)n);
  start();
  a = room((size_t)n * 8), b = room((size_t)n * 8), c = room((size_t)n * 8), mask = room((size_t)n * 4);
  fill(n, 0, a), fill(n, 0, b), fill(n, 0, c), fill(n / 2, 0, (double *)(void *)mask); /* by the threads that use it */
  for (int64_t i = 0; i < n; i++) a[i] = (double)(i % 1000), b[i] = 500;
  measure("c = value, 16.8 M elements", run_fill, 8.0 * (double)n);
  for (int64_t i = 0; i < n; i++) look(c[i] == 2, "fill");
  measure("c = a + b, 16.8 M elements", run_add, 24.0 * (double)n);
  for (int64_t i = 0; i < n; i++) look(c[i] == a[i] + b[i], "add");
  measure("c = sqrt(a), 16.8 M elements", run_root, 16.0 * (double)n);
  for (int64_t i = 0; i < n; i++) look(c[i] == sqrt(a[i]), "sqrt");
  measure("mask = a < b, 16.8 M elements", run_less, 20.0 * (double)n);
  for (int64_t i = 0; i < n; i++) look(mask[i] == (a[i] < b[i]), "less");
  measure("c = sin(a), 1 M elements", run_sine, 16.0 * (double)(n / 16));
  for (int64_t i = 0; i < n / 16; i++) look(c[i] == sin(a[i]), "sin");
  measure("c = a + b, every second of 16.8 M elements", run_second, 12.0 * (double)n);
  for (int64_t i = 0; i < n / 2; i++) look(c[2 * i] == a[2 * i] + b[2 * i], "every second");
  measure("c = a + b, the inside of 4096 x 4096", run_inside, 24.0 * (double)(side - 2) * (double)(side - 2));
  for (int64_t i = 1; i < side - 1; i++) look(c[i * side + i] == a[i * side + i] + b[i * side + i], "the inside");
  return 0;
}
