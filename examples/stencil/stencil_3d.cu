// stencil_3d.cu - the kernels of stencil_3d.f90 for devices. The views have the bounds of the
// pointers, which begin at 0.
#include <portable_device.h>

typedef portable_view<double, 3, PORTABLE_ORDER_FORTRAN> field;

struct halo_args {
  field u;
  int32_t n; // nx, ny or nz
};

PORTABLE_KERNEL(halo_in_x, halo_args, a) {
  const field &u = a->u;
  PORTABLE_FOR_2(j, k) {
    u(0, j, k) = u(a->n, j, k);
    u(a->n + 1, j, k) = u(1, j, k);
  }
}

PORTABLE_KERNEL(halo_in_y, halo_args, a) {
  const field &u = a->u;
  PORTABLE_FOR_2(i, k) {
    u(i, 0, k) = u(i, a->n, k);
    u(i, a->n + 1, k) = u(i, 1, k);
  }
}

PORTABLE_KERNEL(halo_in_z, halo_args, a) {
  const field &u = a->u;
  PORTABLE_FOR_2(i, j) {
    u(i, j, 0) = u(i, j, a->n);
    u(i, j, a->n + 1) = u(i, j, 1);
  }
}

struct update_args {
  field u, unew;
  double r;
};

PORTABLE_KERNEL(update, update_args, a) {
  const field &u = a->u, &unew = a->unew;
  PORTABLE_FOR_3(i, j, k) {
    unew(i, j, k) = u(i, j, k) + a->r * (u(i - 1, j, k) + u(i + 1, j, k) + u(i, j - 1, k) + u(i, j + 1, k) + u(i, j, k - 1) +
                                         u(i, j, k + 1) - 6 * u(i, j, k));
  }
}
