/* axpy_kernel.h - the kernel of axpy.c: one body, which the host's compiler and the library, for
 * devices, both compile. */
#include <portable_device.h>

typedef struct axpy_block {
  double a;
  const double *x;
  double *y;
} axpy_block;

PORTABLE_KERNEL(axpy_kernel, axpy_block, b) {
  PORTABLE_FOR_1(i) { b->y[i] = b->a * b->x[i] + b->y[i]; }
}
