// stencil_2d.cu - the kernels of stencil_2d.f90 for devices. The views have the bounds of the
// pointers: 0 to nx+1, 0 to ny+1.
#include <portable_device.h>

typedef portable_view<double, 2, PORTABLE_ORDER_FORTRAN> field;

struct halo_args {
  field u;
  int32_t n; // nx, or ny
};

PORTABLE_KERNEL(halo_in_x, halo_args, a) {
  const field &u = a->u;
  PORTABLE_FOR_1(j) {
    u(0, j) = u(a->n, j);
    u(a->n + 1, j) = u(1, j);
  }
}

PORTABLE_KERNEL(halo_in_y, halo_args, a) {
  const field &u = a->u;
  PORTABLE_FOR_1(i) {
    u(i, 0) = u(i, a->n);
    u(i, a->n + 1) = u(i, 1);
  }
}

struct update_args {
  field u, unew;
  double r;
};

PORTABLE_KERNEL(update, update_args, a) {
  const field &u = a->u, &unew = a->unew;
  PORTABLE_FOR_2(i, j) {
    unew(i, j) = u(i, j) + a->r * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j));
  }
}
