// matrix_product.cu - the kernels of matrix_product.f90 and matrix_product.cpp for devices: a block
// of threads does a block of C, with the tiles in its shared memory. The sum of each element goes
// in the order of k, as on the host.
#include <portable_device.h>

// As in the program that launches it: a block of C, and the depth of a tile.
#define F_ROWS 64
#define F_COLUMNS 32
#define F_DEPTH 64

PORTABLE_FUNCTION int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }

struct product_args {
  portable_view<const double, 2, PORTABLE_ORDER_FORTRAN> a, b;
  portable_view<double, 2, PORTABLE_ORDER_FORTRAN> c;
  double alpha, beta;
  int32_t n;
};

// From Fortran: the tile of A, whose rows lie side by side, as do those of C.
PORTABLE_TEAM_KERNEL(matrix_product, product_args, team, a) {
  double *tile = (double *)team->scratch;
  const int64_t i0 = 1 + (team->index[0] - 1) * F_ROWS, j0 = 1 + (team->index[1] - 1) * F_COLUMNS;
  const int64_t height = lesser(F_ROWS, a->n - i0 + 1), width = lesser(F_COLUMNS, a->n - j0 + 1);
  for (int64_t k0 = 1; k0 <= a->n; k0 += F_DEPTH) {
    const int64_t steps = lesser(F_DEPTH, a->n - k0 + 1);
    PORTABLE_INNER_FOR(team, e, 0, steps * F_ROWS - 1) {
      const int64_t i = e % F_ROWS, k = e / F_ROWS;
      if (i < height) tile[e] = a->alpha * a->a(i0 + i, k0 + k);
    }
    portable_fence_inner(team); // the tile is there
    PORTABLE_INNER_FOR(team, e, 0, width * F_ROWS - 1) {
      const int64_t i = e % F_ROWS, j = e / F_ROWS;
      if (i < height) {
        double sum = a->c(i0 + i, j0 + j);
        if (k0 == 1) sum = a->beta * sum;
        for (int64_t k = 0; k < steps; k++) sum = sum + tile[k * F_ROWS + i] * a->b(k0 + k, j0 + j);
        a->c(i0 + i, j0 + j) = sum;
      }
    }
    portable_fence_inner(team); // no thread needs it any more
  }
}

#define C_ROWS 64
#define C_COLUMNS 64
#define C_DEPTH 32

struct matrix_args {
  portable_view<const double, 2, PORTABLE_ORDER_C> a, b;
  portable_view<double, 2, PORTABLE_ORDER_C> c;
  double alpha, beta;
  int32_t n;
};

// From C++: tiles of A and B; columns of B and C lie side by side.
PORTABLE_TEAM_KERNEL(matrix_product_of_rows, matrix_args, team, a) {
  double *tile_a = (double *)team->scratch, *tile_b = tile_a + C_ROWS * C_DEPTH;
  const int64_t i0 = team->index[0] * C_ROWS, j0 = team->index[1] * C_COLUMNS;
  const int64_t height = lesser(C_ROWS, a->n - i0), width = lesser(C_COLUMNS, a->n - j0);
  for (int64_t k0 = 0; k0 < a->n; k0 += C_DEPTH) {
    const int64_t steps = lesser(C_DEPTH, a->n - k0);
    PORTABLE_INNER_FOR(team, e, 0, height * C_DEPTH - 1) {
      const int64_t i = e / C_DEPTH, k = e % C_DEPTH;
      if (k < steps) tile_a[e] = a->alpha * a->a(i0 + i, k0 + k);
    }
    PORTABLE_INNER_FOR(team, e, 0, steps * C_COLUMNS - 1) {
      const int64_t k = e / C_COLUMNS, j = e % C_COLUMNS;
      if (j < width) tile_b[e] = a->b(k0 + k, j0 + j);
    }
    portable_fence_inner(team); // both tiles are there
    PORTABLE_INNER_FOR(team, e, 0, height * C_COLUMNS - 1) {
      const int64_t i = e / C_COLUMNS, j = e % C_COLUMNS;
      if (j < width) {
        double sum = a->c(i0 + i, j0 + j);
        if (k0 == 0) sum = a->beta * sum;
        for (int64_t k = 0; k < steps; k++) sum = sum + tile_a[i * C_DEPTH + k] * tile_b[k * C_COLUMNS + j];
        a->c(i0 + i, j0 + j) = sum;
      }
    }
    portable_fence_inner(team); // no thread needs them any more
  }
}
