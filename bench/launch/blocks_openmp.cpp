// blocks_openmp.cpp - the loops of blocks.h as a programmer writes them for OpenMP: plain loops,
// arrays on the stack, `omp atomic`.
#include <omp.h>

#include <algorithm>

#include "blocks.h"

void start() {}

int threads() { return omp_get_max_threads(); }

void daxpy(std::int64_t n, double a, const double *x, double *y) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

void dgemm(int n, double alpha, const double *a, const double *b, double beta, double *c) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int i0 = 0; i0 < n; i0 += block_rows) {
    for (int j0 = 0; j0 < n; j0 += block_columns) {
      alignas(64) double tile_a[block_rows * block_depth], tile_b[block_depth * block_columns];
      const int height = std::min(block_rows, n - i0), width = std::min(block_columns, n - j0);
      for (int k0 = 0; k0 < n; k0 += block_depth) {
        const int depth = std::min(block_depth, n - k0);
        for (int i = 0; i < height; i++)
          for (int k = 0; k < depth; k++) tile_a[i * block_depth + k] = alpha * a[(i0 + i) * n + k0 + k];
        for (int k = 0; k < depth; k++)
          for (int j = 0; j < width; j++) tile_b[k * block_columns + j] = b[(k0 + k) * n + j0 + j];
        for (int i = 0; i < height; i++) {
          double *__restrict row = c + (i0 + i) * n + j0;
          const double *__restrict tile = tile_b;
          if (k0 == 0)
            for (int j = 0; j < width; j++) row[j] *= beta;
          for (int k = 0; k < depth; k++) {
            const double factor = tile_a[i * block_depth + k];
            for (int j = 0; j < width; j++) row[j] += factor * tile[k * block_columns + j];
          }
        }
      }
    }
  }
}

template <class T> static void add(std::int64_t times, bool together, T *sum) {
#pragma omp parallel
  {
    T *mine = sum + (together ? 0 : 16 * omp_get_thread_num());
    for (std::int64_t k = 0; k < times; k++) {
#pragma omp atomic
      *mine += 1;
    }
  }
}

void add_integers(std::int64_t times, bool together, std::int64_t *sum) { add(times, together, sum); }
void add_reals(std::int64_t times, bool together, double *sum) { add(times, together, sum); }
