// inlined.cpp - lambdas that must become part of the loops over a tile, or of the inner loops of a team. inlined.sh compiles this and looks at the code.
// Not in this file: that the loops are right (../../launch/lambdas.cpp).
#include "portable.hpp"

namespace model {

double *x, *y;
constexpr int nx = 512, ny = 512, nz = 64;

// In a function that is not static, as users write.
void axpy(double a, int n) {
  double *px = x, *py = y;
  portable::c::parallel_for("axpy", n, [=](int i) { py[i] += a * px[i]; });
}

void diffuse(double k) {
  double *in = x, *out = y;
  portable::parallel_for("diffuse", portable::fortran::Bounds<3>(nz, ny, nx), [=](int c, int b, int a) {
    auto at = [](int r, int q, int p) { return (static_cast<long>(r) * (ny + 2) + q) * (nx + 2) + p; };
    out[at(c, b, a)] = in[at(c, b, a)] + k * (in[at(c, b, a - 1)] + in[at(c, b, a + 1)] + in[at(c, b - 1, a)] + in[at(c, b + 1, a)] +
                                              in[at(c - 1, b, a)] + in[at(c + 1, b, a)] - 6 * in[at(c, b, a)]);
  });
}

void inner(double a) {
  double *px = x, *py = y;
  portable::c::parallel_outer("inner", nz, [=](int k, portable::InnerHandler handler) {
    double *work = handler.scratch<double>(nx);
    portable::c::parallel_inner(nx, [=](int i) { work[i] = a * px[k * nx + i]; }, handler);
    portable::fence_inner(handler);
    portable::c::parallel_inner({1, nx - 2}, [=](int i) { py[k * nx + i] = 0.5 * work[i - 1] + work[i] + 0.5 * work[i + 1]; }, handler);
  }, portable::OuterConfig().set_scratch(nx * sizeof(double)));
}

// The same through arrays: those that a kernel captures are its own, so their addresses and extents stay in registers.
using Real2 = portable::Array<double, 2, portable::memDevice, portable::styleC>;
using Real3 = portable::Array<double, 3, portable::memDevice, portable::styleFortran>;
using Int1 = portable::Array<std::int64_t, 1, portable::memDevice, portable::styleC>;

void smooth(const Real2 &in, const Real2 &out, double k) {
  portable::parallel_for("smooth", portable::c::Bounds<2>({1, ny - 2}, {1, nx - 2}), [=](int j, int i) {
    out(j, i) = in(j, i) + k * (in(j, i - 1) + in(j, i + 1) + in(j - 1, i) + in(j + 1, i) - 4 * in(j, i));
  });
}

void diffuse(const Real3 &in, const Real3 &out, double k) {
  portable::parallel_for("diffuse", portable::fortran::Bounds<3>(nz, ny, nx), [=](int c, int b, int a) {
    out(a, b, c) = in(a, b, c) + k * (in(a - 1, b, c) + in(a + 1, b, c) + in(a, b - 1, c) + in(a, b + 1, c) + in(a, b, c - 1) +
                                      in(a, b, c + 1) - 6 * in(a, b, c));
  });
}

// Elements of the type of the extents, which a store could change if the kernel's copy of the array were not its own.
void shift(const Int1 &in, const Int1 &out, std::int64_t by, const Real2 &weight) {
  portable::c::parallel_for("shift", nx, [=](int i) {
    out(i) = in(i) + by;
    weight(0, i) = 2.5 * weight(1, i);
  });
}

} // namespace model
