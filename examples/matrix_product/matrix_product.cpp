// matrix_product.cpp - C = alpha A B + beta C in tiles: the blocks of C are outer iterations, and
// each team copies the tiles of A and B that it works with into its scratch memory. The matrices
// are Arrays, which are handed to functions and kernels without copying an element. Compared with
// three plain loops. matrix_product_cpp [SIZE]
#include <portable.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using portable::Array;
using portable::CudaCode;
using portable::InnerHandler;
using portable::Kernel;
using portable::memDevice;
using portable::OuterConfig;
using namespace portable::c;
using matrix = Array<double, 2, memDevice>;
using const_matrix = Array<const double, 2, memDevice>; // is read only

constexpr int rows = 64, columns = 64, depth = 32;

// On a GPU the version of matrix_product.cu gets the arguments that stand behind the lambda; so that the lambda needs
// no other, it captures nothing.
static void product(int n, double alpha, const_matrix a, const_matrix b, double beta, matrix c) {
  // Blocks of rows x columns elements; on the host, and with these sizes, one member does a row of the block at a time.
  const std::int64_t elements[] = {rows, columns};
  const portable_bounds space = Bounds<2>(n, n).c_bounds();
  portable_work_division division;
  portable::check(portable_work_divide(&space, nullptr, elements, &division));
  const int down = static_cast<int>(division.blocks[0]), across = static_cast<int>(division.blocks[1]);
  const Kernel kernel("matrix product", CudaCode::file("matrix_product.cu").set_entry("matrix_product_of_rows"));
  kernel.launch_outer(OuterConfig().set_scratch((rows * depth + depth * columns) * sizeof(double)), Bounds<2>(down, across),
                      [](int block_i, int block_j, InnerHandler inner, const auto &A, const auto &B, const auto &C, double factor_a, double factor_c, int size) {
    const int i0 = rows * block_i, j0 = columns * block_j;
    const int height = std::min(rows, size - i0), width = std::min(columns, size - j0);
    double *tile_a = inner.scratch<double>(rows * depth);
    double *tile_b = inner.scratch<double>(depth * columns, rows * depth * sizeof(double));
    for (int k0 = 0; k0 < size; k0 += depth) {
      const int steps = std::min(depth, size - k0);
      // By reference, because an inner loop is over when parallel_inner returns.
      parallel_inner(Bounds<2>(height, steps), [&](int i, int k) { tile_a[i * depth + k] = factor_a * A(i0 + i, k0 + k); }, inner);
      parallel_inner(Bounds<2>(steps, width), [&](int k, int j) { tile_b[k * columns + j] = B(k0 + k, j0 + j); }, inner);
      fence_inner(inner); // both tiles are there
      parallel_inner(height, [&](int i) {
        double *row = &C(i0 + i, j0);
        if (k0 == 0)
          for (int j = 0; j < width; j++) row[j] *= factor_c;
        for (int k = 0; k < steps; k++) {
          const double factor = tile_a[i * depth + k];
          for (int j = 0; j < width; j++) row[j] += factor * tile_b[k * columns + j];
        }
      }, inner);
      fence_inner(inner); // no thread needs them any more
    }
  }, a, b, c, alpha, beta, n);
  portable::fence(); // on a GPU the launch has only begun
}

static void product_serial(int n, double alpha, const_matrix a, const_matrix b, double beta, matrix c) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) c(i, j) *= beta;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) c(i, j) += alpha * a(i, k) * b(k, j);
  }
}

template <class F> static double milliseconds(F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 300;
  bool same = false;
  try {
    portable::init();
    {
      matrix a("A", n, n), b("B", n, n), c("C", n, n), expected("expected", n, n);
      unsigned state = 1;
      // Whole numbers from 0 to 10, so that every sum is exact, in whatever order.
      for (const matrix *m : {&a, &b, &c})
        for (int i = 0; i < n; i++)
          for (int j = 0; j < n; j++) (*m)(i, j) = (state = state * 1664525u + 1013904223u) % 65536u % 11u;
      c.deep_copy_to(expected);
      const double serial = milliseconds([&] { product_serial(n, 2, a, b, -1, expected); });
      const double tiled = milliseconds([&] { product(n, 2, a, b, -1, c); });
      std::printf("matrix product, %d x %d: plain loops %.3f ms, in tiles on %d threads %.3f ms\n", n, n, serial,
                  static_cast<int>(portable_num_threads()), tiled);
      using portable::componentwise::operator==;
      same = portable::intrinsics::all(c == expected);
    }
    portable::finalize();
  } catch (const portable::Error &e) {
    std::fprintf(stderr, "matrix_product: %s\n", e.what());
    return 1;
  }
  if (!same) {
    std::fprintf(stderr, "matrix_product: the results differ\n");
    return 1;
  }
}
