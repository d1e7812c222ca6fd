/* axpy.c - y = a x + y from C: the loop as it was, and the same loop as a kernel object with an
 * argument block. Both must give the same bits. axpy_c [ELEMENTS]. Exit status: 0 when they do. */
#include <math.h>
#include <portable.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The kernel's body is in a file of its own, which is compiled here for the host, and is a text here for devices. */
#include "axpy_kernel.h"
PORTABLE_CUDA_FILE(axpy_source, "axpy_kernel.h");

static portable_kernel axpy_object;

static void axpy_serial(int64_t n, double a, const double *restrict x, double *restrict y) {
  for (int64_t i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

/* Says what the argument block holds, and which versions of the kernel there are. */
static portable_status axpy_create(void) {
  static const portable_argument arguments[] = {
    {"a", PORTABLE_ARGUMENT_REAL64, 0, offsetof(axpy_block, a), sizeof(double)},
    {"x", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_READ, offsetof(axpy_block, x), sizeof(double *)},
    {"y", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_BOTH, offsetof(axpy_block, y), sizeof(double *)}};
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.code = axpy_source;
  code.bytes = axpy_source_bytes;
  code.entry = "axpy_kernel";
  code.file = "axpy_kernel.h";
  portable_status status = portable_kernel_create("axpy", sizeof(axpy_block), arguments, 3, &axpy_object);
  if (status == PORTABLE_OK) status = portable_kernel_set_host(axpy_object, axpy_kernel);
  if (status == PORTABLE_OK) status = portable_kernel_set_cuda(axpy_object, &code);
  return status;
}

/* The engine copies the block at the launch; a kernel reads it only. */
static portable_status axpy(int64_t n, double a, const double *x, double *y) {
  const portable_bounds bounds = portable_bounds_1(n);
  const axpy_block block = {a, x, y};
  return portable_launch(axpy_object, &bounds, &block, NULL);
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
  if (axpy_create() != PORTABLE_OK) return failed();
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
  if (portable_fence() != PORTABLE_OK) return failed(); /* on a GPU launches return before they are done */
  double finish = now();
  printf("axpy of %lld elements: serial %.3f ms, parallel_for on %d threads %.3f ms\n", (long long)n, 100 * (middle - start),
         (int)portable_num_threads(), 100 * (finish - middle));
  int differ = memcmp(y, expected, bytes);
  if (differ) fprintf(stderr, "axpy: the results differ\n");
  free(expected);
  portable_kernel_destroy(axpy_object);
  portable_free(y);
  portable_free(x);
  return portable_finalize() != PORTABLE_OK || differ != 0;
}
