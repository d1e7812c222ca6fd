// column_physics.cu - the kernel of column_physics.f90 and column_arrays.f90 for devices: one thread works on one column. The work array
// is the thread's own, so the levels are limited.
#include <portable_device.h>

#define MOST_LEVELS 256

// One column, whose levels lie side by side: k and t point to that of number 1.
PORTABLE_FUNCTION void diffuse(int n, const double *k, double *t) {
  double upper[MOST_LEVELS];
  // no flux through bottom and top
  double pivot = 1 + k[0];
  t[0] = t[0] / pivot;
  for (int l = 1; l < n; l++) {
    upper[l] = -k[l - 1] / pivot;
    pivot = 1 + k[l - 1] + (l < n - 1 ? k[l] : 0.0) + k[l - 1] * upper[l];
    t[l] = (t[l] + k[l - 1] * t[l - 1]) / pivot;
  }
  for (int l = n - 2; l >= 0; l--) t[l] = t[l] - upper[l + 1] * t[l + 1];
}

struct column_args {
  portable_view<const double, 2, PORTABLE_ORDER_FORTRAN> k; // level, column
  portable_view<double, 2, PORTABLE_ORDER_FORTRAN> t;
  int32_t levels;
};

PORTABLE_KERNEL(column_physics, column_args, a) {
  if (a->levels > MOST_LEVELS) {
    PORTABLE_FAIL(1, "more levels than MOST_LEVELS of column_physics.cu");
    return;
  }
  PORTABLE_FOR_1(column) { diffuse(a->levels, &a->k(1, column), &a->t(1, column)); }
}

// The same of column_arrays.f90: one diffusivity for all columns.
struct columns_args {
  portable_view<const double, 1> k;
  portable_view<double, 3, PORTABLE_ORDER_FORTRAN> t; // level, i, j
  int32_t levels;
};

PORTABLE_KERNEL(column_arrays, columns_args, a) {
  if (a->levels > MOST_LEVELS) {
    PORTABLE_FAIL(1, "more levels than MOST_LEVELS of column_physics.cu");
    return;
  }
  PORTABLE_FOR_2(i, j) { diffuse(a->levels, &a->k(1), &a->t(1, i, j)); }
}
