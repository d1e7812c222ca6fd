// diffusion.cu - the kernels of diffusion.f90 for devices. The views have the bounds of the
// pointers: 0 to n+1 in each direction.
#include <portable_device.h>

typedef portable_view<double, 3, PORTABLE_ORDER_FORTRAN> field;

struct diffusion_args {
  field f, fn;
  double ce, cc; // weights of a neighbour and of the cell itself
};

PORTABLE_KERNEL(diffusion, diffusion_args, a) {
  const field &f = a->f, &fn = a->fn;
  PORTABLE_FOR_3(i, j, k) {
    fn(i, j, k) = a->cc * f(i, j, k) + a->ce * (f(i - 1, j, k) + f(i + 1, j, k) + f(i, j - 1, k) + f(i, j + 1, k) + f(i, j, k - 1) +
                                                f(i, j, k + 1));
  }
}

// Walls: nothing flows through, so the halo repeats its neighbour.
struct wall_args {
  field fn;
  int32_t n;
};

PORTABLE_KERNEL(wall_yz, wall_args, a) {
  const field &fn = a->fn;
  PORTABLE_FOR_2(j, k) {
    fn(0, j, k) = fn(1, j, k);
    fn(a->n + 1, j, k) = fn(a->n, j, k);
  }
}

PORTABLE_KERNEL(wall_xz, wall_args, a) {
  const field &fn = a->fn;
  PORTABLE_FOR_2(i, k) {
    fn(i, 0, k) = fn(i, 1, k);
    fn(i, a->n + 1, k) = fn(i, a->n, k);
  }
}

PORTABLE_KERNEL(wall_xy, wall_args, a) {
  const field &fn = a->fn;
  PORTABLE_FOR_2(i, j) {
    fn(i, j, 0) = fn(i, j, 1);
    fn(i, j, a->n + 1) = fn(i, j, a->n);
  }
}
