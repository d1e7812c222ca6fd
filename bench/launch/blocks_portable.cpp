// blocks_portable.cpp - the loops of blocks.h with portable.hpp: lambdas, outer and inner loops,
// team scratch, atomics.
#include <portable.hpp>

#include <algorithm>

#include "blocks.h"

using namespace portable::c;
using portable::InnerHandler;
using portable::OuterConfig;

void start() { portable::check(portable_init(nullptr)); }

int threads() { return portable_num_threads(); }

void daxpy(std::int64_t n, double a, const double *x, double *y) {
  portable::parallel_for("daxpy", Bounds<1, portable::Order::last_fastest, std::int64_t>(n), [=](std::int64_t i) { y[i] = a * x[i] + y[i]; });
}

void dgemm(int n, double alpha, const double *a, const double *b, double beta, double *c) {
  const int down = (n - 1) / block_rows + 1, across = (n - 1) / block_columns + 1;
  parallel_outer("dgemm", Bounds<2>(down, across), [=](int block_i, int block_j, InnerHandler inner) {
    const int i0 = block_i * block_rows, j0 = block_j * block_columns;
    const int height = std::min(block_rows, n - i0), width = std::min(block_columns, n - j0);
    double *tile_a = inner.scratch<double>(block_rows * block_depth);
    double *tile_b = inner.scratch<double>(block_depth * block_columns, block_rows * block_depth * sizeof(double));
    for (int k0 = 0; k0 < n; k0 += block_depth) {
      const int depth = std::min(block_depth, n - k0);
      parallel_inner(Bounds<2>(height, depth), [=](int i, int k) { tile_a[i * block_depth + k] = alpha * a[(i0 + i) * n + k0 + k]; }, inner);
      parallel_inner(Bounds<2>(depth, width), [=](int k, int j) { tile_b[k * block_columns + j] = b[(k0 + k) * n + j0 + j]; }, inner);
      fence_inner(inner);
      parallel_inner(height, [=](int i) {
        double *__restrict row = c + (i0 + i) * n + j0;
        const double *__restrict tile = tile_b;
        if (k0 == 0)
          for (int j = 0; j < width; j++) row[j] *= beta;
        for (int k = 0; k < depth; k++) {
          const double factor = tile_a[i * block_depth + k];
          for (int j = 0; j < width; j++) row[j] += factor * tile[k * block_columns + j];
        }
      }, inner);
      fence_inner(inner);
    }
  }, OuterConfig().set_scratch((block_rows + block_columns) * block_depth * sizeof(double)));
}

template <class T> static void add(std::int64_t times, bool together, T *sum) {
  const int n = threads();
  portable::c::parallel_for("add", n, [=](int i) {
    T *mine = sum + (together ? 0 : 16 * i);
    for (std::int64_t k = 0; k < times; k++) portable::atomicAdd(*mine, T(1));
  });
}

void add_integers(std::int64_t times, bool together, std::int64_t *sum) { add(times, together, sum); }
void add_reals(std::int64_t times, bool together, double *sum) { add(times, together, sum); }
