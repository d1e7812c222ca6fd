// axpy.cu - the kernel of axpy.f90 and axpy_arrays.f90 for devices: what stood in the loop, with
// the indices of Fortran.
#include <portable_device.h>

struct axpy_args {
  portable_view<const double, 1> x;
  portable_view<double, 1> y;
  double a;
};

PORTABLE_KERNEL(axpy, axpy_args, args) {
  PORTABLE_FOR_1(i) { args->y(i) = args->a * args->x(i) + args->y(i); }
}
