// rank_mismatch.cpp - bounds of C++ with a kernel of tiles that has more loops than they have dimensions: it writes nothing. Kernels of
// indices have as many as the bounds, or do not compile.
#include <portable.hpp>

#include <cstdio>
#include <vector>

int main() {
  int wrong = 0;
  portable::init();
  {
    constexpr int nx = 40, ny = 20, guard = 64;
    std::vector<double> x(guard + nx * ny, -1.0);
    double *const first = x.data() + guard;
    const portable_bounds pair = portable::fortran::Bounds<1>({ny, nx}).c_bounds(), plane = portable::fortran::Bounds<2>({1, ny}, {1, nx}).c_bounds();
    const auto two_loops = [](const portable_tile *t, void *args) {
      double *const at = *static_cast<double **>(args);
      for (std::int64_t j = t->lower[0]; j <= t->upper[0]; j++)
        for (std::int64_t i = t->lower[1]; i <= t->upper[1]; i++) at[(j - 1) * nx + i - 1] = 7;
    };
    const auto written = [&] {
      int n = 0;
      for (double value : x) n += value > 0;
      return n;
    };
    portable::check(portable_parallel_for("two loops", &pair, two_loops, const_cast<double **>(&first), sizeof first, nullptr));
    if (written() != 0) wrong = std::printf("a kernel of two loops over one dimension has written %d elements\n", written());
    portable::check(portable_parallel_for("two loops", &plane, two_loops, const_cast<double **>(&first), sizeof first, nullptr));
    if (written() != nx * ny) wrong = std::printf("a kernel of two loops over two dimensions has written %d elements\n", written());
  }
  portable::finalize();
  return wrong != 0;
}
