// max_stable_dt.cu - the kernels of max_stable_dt.f90 and max_stable_dt.cpp for devices. An
// iteration passes its value to the result; the library adds the values up, in the host's order.
#include <portable_device_reduce.h>

struct dt_args {
  portable_view<const double, 2, PORTABLE_ORDER_FORTRAN> height, u, v;
  double cfl, grav, dx, dy;
};

// The step that one cell allows.
PORTABLE_FUNCTION double step_of(const dt_args *a, double height, double u, double v) {
  const double eps = 2.220446049250313e-16, gw = sqrt(a->grav * height);
  const double along = a->cfl * a->dx / (fabs(u) + gw + eps), across = a->cfl * a->dy / (fabs(v) + gw + eps);
  return along < across ? along : across;
}

#define LEAST(RESULT) RESULT(MIN, double, dt)
PORTABLE_REDUCE_KERNEL_2(max_stable_dt, dt_args, a, i, j, give, LEAST) { give->dt = step_of(a, a->height(i, j), a->u(i, j), a->v(i, j)); }
// The loops of the C++ program count from the slowest index to the fastest.
PORTABLE_REDUCE_KERNEL_2(largest_stable_dt, dt_args, a, j, i, give, LEAST) { give->dt = step_of(a, a->height(i, j), a->u(i, j), a->v(i, j)); }

struct cells_args {
  dt_args of;
  portable_view<double, 2, PORTABLE_ORDER_FORTRAN> dt;
};
PORTABLE_KERNEL(dt_of_each_cell, cells_args, a) {
  PORTABLE_FOR_2(j, i) { a->dt(i, j) = step_of(&a->of, a->of.height(i, j), a->of.u(i, j), a->of.v(i, j)); }
}
