// divided.cpp - work divisions that drive launches from C++: lambdas on the host, and a kernel object with a version for CUDA; results have the bits of
// plain loops. Not in this file: refusals, shapes on a device (divided.c).
#include "portable.hpp"

#include <cstdio>
#include <cstring>
#include <vector>

#include "divided_bodies.h"
#include "gpu.h"

using namespace portable::c;
using portable::InnerHandler;
using portable::LaunchConfig;
using portable::OuterConfig;

namespace {

int failures = 0;

void check(bool good, const char *what) {
  if (!good) failures++, std::printf("divided.cpp: %s\n", what);
}

constexpr int rows = 83, columns = 45;

bool same(const std::vector<double> &a, const double *b) { return std::memcmp(a.data(), b, a.size() * sizeof(double)) == 0; }

void lambdas(const double *in, double *out) {
  const Bounds<2> space(rows, columns);
  const portable_work_division w = portable::divide_work(space, {4, 2}, {8, 4});
  std::vector<double> wanted(rows * columns);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) wanted[i * columns + j] = in[i * columns + j] / 3.0 + 0.25 * i;
  parallel_for("lambda", space, [=](int i, int j) { out[i * columns + j] = in[i * columns + j] / 3.0 + 0.25 * i; }, LaunchConfig().set_division(w));
  check(same(wanted, out), "parallel_for");
  std::memset(out, 0, wanted.size() * sizeof(double));
  const portable_work_division *division = &w;
  parallel_outer("blocks", portable::work_grid<2>(w), [=](int, int, InnerHandler inner) {
    portable::for_parts(*division, inner, [=](const std::int64_t *lower, const std::int64_t *upper) {
      for (std::int64_t i = lower[0]; i <= upper[0]; i++)
        for (std::int64_t j = lower[1]; j <= upper[1]; j++) out[i * columns + j] = in[i * columns + j] / 3.0 + 0.25 * static_cast<double>(i);
    });
  }, OuterConfig(LaunchConfig().set_division(w)));
  check(same(wanted, out), "parallel_outer");
  bool thrown = false;
  try {
    parallel_for("refused", Bounds<2>(rows, columns + 1), [](int, int) {}, LaunchConfig().set_division(w));
  } catch (const portable::Error &e) {
    thrown = std::strstr(e.what(), "the division is of 45 iterations from 0 on by 1 in dimension 2") != nullptr;
  }
  check(thrown, "a division of other bounds");
}

void on_device(const double *in, double *out, std::int64_t *seen) {
  const Bounds<2, portable::Order::first_fastest> space(rows, columns);
  blocks_args args = {portable::divide_work(space, {8, 2}, {2, 4}), in, out, seen, rows};
  portable_kernel kernel = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  portable_bounds grid = portable::work_grid<2, portable::Order::first_fastest>(args.w).c_bounds();
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = BODIES;
  portable::check(portable_kernel_create("blocks", sizeof args, nullptr, 0, &kernel));
  portable::check(portable_kernel_set_host_team(kernel, blocks));
  portable::check(portable_kernel_set_cuda(kernel, &code));
  portable::check(portable_launch_outer(kernel, &grid, &args, 16 * 8 * sizeof(double), &LaunchConfig().set_division(args.w).c_config()));
  portable::fence();
  std::vector<double> wanted(rows * columns);
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++) {
      const int i0 = i / 16 * 16, j0 = j / 8 * 8, i1 = i0 + 15 < rows ? i0 + 15 : rows - 1, j1 = j0 + 7 < columns ? j0 + 7 : columns - 1;
      wanted[i + rows * j] = 3.0 * in[i + rows * j] - in[i0 + i1 - i + rows * (j0 + j1 - j)] / 3.0;
    }
  check(same(wanted, out), "the bits of a device");
  check(seen[0] == (is_gpu(portable_device_name(0)) ? 16 : 0), "the threads of a block");
  portable::check(portable_kernel_destroy(kernel));
}

} // namespace

int main() {
  portable::init();
  void *in = nullptr, *out = nullptr, *seen = nullptr;
  portable::check(portable_alloc(rows * columns * sizeof(double), "in", &in));
  portable::check(portable_alloc(rows * columns * sizeof(double), "out", &out));
  portable::check(portable_alloc(6 * sizeof(std::int64_t), "seen", &seen));
  for (int i = 0; i < rows * columns; i++) static_cast<double *>(in)[i] = 1.0 / (3 * i + 1);
  lambdas(static_cast<double *>(in), static_cast<double *>(out));
  on_device(static_cast<double *>(in), static_cast<double *>(out), static_cast<std::int64_t *>(seen));
  portable_free(in);
  portable_free(out);
  portable_free(seen);
  portable::finalize();
  if (failures == 0) std::printf("divided: all is well\n");
  return failures != 0;
}
