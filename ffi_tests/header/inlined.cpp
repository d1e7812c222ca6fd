// inlined.cpp - lambdas that must become part of the loops over a tile, or of the inner loops of a team. inlined.sh compiles this and looks at the code.
// Not in this file: that the loops are right (../launch/lambdas.cpp).
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

} // namespace model
