// column_physics.cu - the kernels of column_physics.f90, column_arrays.f90 and column_blocks.f90
// for devices: one thread works on one column. In the first two the work array is the thread's own,
// so the levels are limited; in the last one it is the scratch of the block.
#include <portable_device.h>

#define MOST_LEVELS 256

// One column, whose levels lie side by side: k and t point to that of number 1.
PORTABLE_FUNCTION void diffuse(int n, const double *k, double *t) {
  double pivot[MOST_LEVELS];
  pivot[0] = 1 + (n > 1 ? k[0] : 0.0); // no flux through bottom and top
  for (int l = 1; l < n; l++) {
    const double factor = k[l - 1] / pivot[l - 1];
    pivot[l] = 1 + k[l - 1] + (l < n - 1 ? k[l] : 0.0) - factor * k[l - 1];
    t[l] = t[l] + factor * t[l - 1];
  }
  t[n - 1] = t[n - 1] / pivot[n - 1];
  for (int l = n - 2; l >= 0; l--) t[l] = (t[l] + k[l] * t[l + 1]) / pivot[l];
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

// That of column_blocks.f90: a team has the columns of a block turned round in its scratch, so that its threads, each
// with a column of its own, find their values side by side.
#define BLOCK_COLUMNS 32

struct block_args {
  portable_view<const double, 2, PORTABLE_ORDER_FORTRAN> k;
  portable_view<double, 2, PORTABLE_ORDER_FORTRAN> t;
  int32_t levels, columns;
};

PORTABLE_TEAM_KERNEL(column_blocks, block_args, team, a) {
  const int n = a->levels, first = (int)(team->index[0] - 1) * BLOCK_COLUMNS;
  const int many = a->columns - first < BLOCK_COLUMNS ? a->columns - first : BLOCK_COLUMNS;
  double *k = (double *)team->scratch, *t = k + n * BLOCK_COLUMNS, *pivot = t + n * BLOCK_COLUMNS;
  PORTABLE_INNER_FOR(team, e, 0, many * n - 1) {
    const int l = (int)(e % n), c = (int)(e / n);
    k[l * BLOCK_COLUMNS + c] = a->k(l + 1, first + c + 1);
    t[l * BLOCK_COLUMNS + c] = a->t(l + 1, first + c + 1);
  }
  portable_fence_inner(team);
  PORTABLE_INNER_FOR(team, c, 0, many - 1) {
    pivot[c] = 1 + (n > 1 ? k[c] : 0.0);
    for (int l = 1; l < n; l++) {
      const int64_t here = l * BLOCK_COLUMNS + c, below = here - BLOCK_COLUMNS;
      const double factor = k[below] / pivot[below];
      pivot[here] = 1 + k[below] + (l < n - 1 ? k[here] : 0.0) - factor * k[below];
      t[here] = t[here] + factor * t[below];
    }
    const int64_t last = (int64_t)(n - 1) * BLOCK_COLUMNS + c;
    t[last] = t[last] / pivot[last];
    for (int l = n - 2; l >= 0; l--) {
      const int64_t here = l * BLOCK_COLUMNS + c, above = here + BLOCK_COLUMNS;
      t[here] = (t[here] + k[here] * t[above]) / pivot[here];
    }
  }
  portable_fence_inner(team);
  PORTABLE_INNER_FOR(team, e, 0, many * n - 1) {
    const int l = (int)(e % n), c = (int)(e / n);
    a->t(l + 1, first + c + 1) = t[l * BLOCK_COLUMNS + c];
  }
}
