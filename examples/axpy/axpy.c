/* axpy.c - y = a x + y from C: the loop as it was, and the same loop as a kernel with an argument block. Both must give the
 * same bits. axpy_c [ELEMENTS]. Exit status: 0 when they do. */
#include <math.h>
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct axpy {
  double a;
  const double *x;
  double *y;
};

static void axpy_serial(int64_t n, double a, const double *restrict x, double *restrict y) {
  for (int64_t i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

/* The engine copies the block at the launch; a kernel reads it only. restrict, because gcc does not vectorise well
 * what may overlap. */
static void axpy_kernel(const portable_tile *t, void *args) {
  const struct axpy *block = args;
  const double a = block->a, *restrict x = block->x;
  double *restrict y = block->y;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) y[i] = a * x[i] + y[i];
}

static portable_status axpy(int64_t n, double a, const double *x, double *y) {
  const portable_bounds bounds = portable_bounds_1(n);
  const struct axpy block = {a, x, y};
  return portable_parallel_for("axpy", &bounds, axpy_kernel, &block, sizeof block, NULL);
}

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int failed(void) {
  fprintf(stderr, "axpy: %s\n", portable_last_error());
  return 1;
}

int main(int argc, char **argv) {
  int64_t n = argc > 1 ? atoll(argv[1]) : 1000000;
  size_t bytes = (size_t)n * sizeof(double);
  void *px = NULL, *py = NULL;
  if (portable_init(NULL) != PORTABLE_OK) return failed();
  if (portable_alloc(bytes, "x", &px) != PORTABLE_OK || portable_alloc(bytes, "y", &py) != PORTABLE_OK) return failed();
  double *x = px, *y = py, *expected = malloc(bytes);
  if (!expected) return 1;
  for (int64_t i = 0; i < n; i++) {
    x[i] = sin((double)i);
    y[i] = expected[i] = 1.0;
  }
  double start = now();
  for (int repeat = 0; repeat < 10; repeat++) axpy_serial(n, 0.1, x, expected);
  double middle = now();
  for (int repeat = 0; repeat < 10; repeat++)
    if (axpy(n, 0.1, x, y) != PORTABLE_OK) return failed();
  double finish = now();
  printf("axpy of %lld elements: serial %.3f ms, parallel_for on %d threads %.3f ms\n", (long long)n, 100 * (middle - start),
         (int)portable_num_threads(), 100 * (finish - middle));
  int differ = memcmp(y, expected, bytes);
  if (differ) fprintf(stderr, "axpy: the results differ\n");
  free(expected);
  portable_free(y);
  portable_free(x);
  return portable_finalize() != PORTABLE_OK || differ != 0;
}
