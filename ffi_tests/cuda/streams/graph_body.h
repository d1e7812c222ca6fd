/* graph_body.h - the kernels of graphs.c: included by the program, and compiled by NVRTC from the same file. */
#include <portable_device.h>

typedef struct mix_args {
  int64_t *y;
  const int64_t *x, *z;
  int64_t factor;
} mix_args;

/* It depends on the order of the calls, and never settles. */
PORTABLE_KERNEL(mix, mix_args, a) {
  PORTABLE_FOR_1(i) { a->y[i] = a->factor * a->x[i] + a->z[i] + 3 * a->y[i] + 1; }
}

typedef struct large_args {
  int64_t *y;
  char ballast[5000];
} large_args;

PORTABLE_KERNEL(large, large_args, a) {
  PORTABLE_FOR_1(i) { a->y[i] += 1; }
}
