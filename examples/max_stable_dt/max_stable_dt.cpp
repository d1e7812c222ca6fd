// max_stable_dt.cpp - the same in C++, with arrays that are indexed as in Fortran: once as in
// YAKL's programs, through an array of the cells' steps and minval; once as one loop, by
// parallel_reduce. Compares both with the serial loop, bit for bit, and prints the times. Usage:
// example_max_stable_dt_cpp [NX NY]
#include <portable.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using portable::Array;
using portable::CudaCode;
using portable::Kernel;
using portable::memDevice;
using portable::styleFortran;
using portable::fortran::Bounds;
using portable::intrinsics::minval;
using portable::intrinsics::size;
using real2d = Array<double, 2, memDevice, styleFortran>;
using realConst2d = Array<const double, 2, memDevice, styleFortran>; // intent(in)

const double cfl = 0.8, g = 9.81, dx = 1000, dy = 800;

// The step that one cell allows [s], of depth [m] and velocity [m/s].
static PORTABLE_INLINE double step_of(double depth, double u, double v) {
  const double wave = std::sqrt(g * depth), eps = portable::intrinsics::epsilon(depth);
  return portable::min(cfl * dx / (std::abs(u) + wave + eps), cfl * dy / (std::abs(v) + wave + eps));
}

// The kernels' versions for GPUs are in max_stable_dt.cu; they get the arguments behind the lambda.
static double by_array(const Kernel &cells, realConst2d depth, realConst2d u, realConst2d v) {
  real2d dt("dt", size(depth, 1), size(depth, 2)); // of the pool, as an automatic array
  cells.launch(Bounds<2>(size(depth, 2), size(depth, 1)),
               [](int j, int i, const auto &h, const auto &eastward, const auto &northward, double, double, double, double, const auto &step) {
                 step(i, j) = step_of(h(i, j), eastward(i, j), northward(i, j));
               },
               depth, u, v, cfl, g, dx, dy, dt);
  return minval(dt);
}

static double by_reduction(const Kernel &largest, realConst2d depth, realConst2d u, realConst2d v) {
  double dt = 0;
  largest.launch_reduce(std::make_tuple(portable::Min<double>(dt)), Bounds<2>(size(depth, 2), size(depth, 1)),
                        [](int j, int i, double &least, const auto &h, const auto &eastward, const auto &northward, double, double, double, double) {
                          const double here = step_of(h(i, j), eastward(i, j), northward(i, j));
                          if (here < least) least = here;
                        },
                        depth, u, v, cfl, g, dx, dy);
  return dt;
}

static double serial(realConst2d depth, realConst2d u, realConst2d v) {
  double dt = 1e300;
  for (int j = 1; j <= size(depth, 2); j++)
    for (int i = 1; i <= size(depth, 1); i++) dt = std::fmin(dt, step_of(depth(i, j), u(i, j), v(i, j)));
  return dt;
}

template <class F> static double timed(const char *what, const F &f) {
  const auto before = std::chrono::steady_clock::now();
  const double dt = f();
  std::printf("%-14s dt = %.9f s, in %.3f ms\n", what, dt,
              std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count());
  return dt;
}

int main(int argc, char **argv) {
  const int nx = argc > 2 ? std::atoi(argv[1]) : 400, ny = argc > 2 ? std::atoi(argv[2]) : 300;
  bool same = false;
  portable::init();
  {
    real2d depth("depth", nx, ny), u("u", nx, ny), v("v", nx, ny);
    parallel_for("fields", Bounds<2>(ny, nx), PORTABLE_LAMBDA(int j, int i) {
      depth(i, j) = 100 + 20 * std::sin(0.1 * i) * std::cos(0.07 * j);
      u(i, j) = 3 * std::sin(0.05 * j);
      v(i, j) = -2 * std::cos(0.03 * i);
    });
    const CudaCode code = CudaCode::file("max_stable_dt.cu");
    const Kernel cells("dt of each cell", CudaCode(code).set_entry("dt_of_each_cell"));
    const Kernel largest("largest stable dt", CudaCode(code).set_entry("largest_stable_dt"));
    portable::fence(); // on a GPU launches have only begun
    const double expected = timed("serial", [&] { return serial(depth, u, v); });
    same = timed("array, minval", [&] { return by_array(cells, depth, u, v); }) == expected &&
           timed("reduction", [&] { return by_reduction(largest, depth, u, v); }) == expected;
  }
  portable::finalize();
  std::printf("%s\n", same ? "all the same" : "NOT the same");
  return same ? 0 : 1;
}
