// finite_volume.cpp - a finite-volume step as programs of YAKL version 1 are written: 4-D arrays
// with halos, stencils in SArrays, a matrix that kernels capture. Compiled with compat/YAKL.h, and
// with plain/YAKL.h, which has plain loops over plain arrays. Runs on one thread.
// usage: bench_finite_volume_ENGINE ENGINE rows|sum [N]: prints name, value, unit, between tabs:
// the best time of each kernel and of a step, with rows of 64 and of 10 cells; or sums, whose bits
// both must have. With N it does an Nth of the work.
#include "YAKL.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

typedef double real;
typedef yakl::Array<real, 4, yakl::memDevice, yakl::styleC> real4d;
typedef yakl::SArray<real, 2, 5, 2> Matrix; // values at both ends of a cell from the averages of five
using yakl::SArray;
using yakl::c::Bounds;
using yakl::c::parallel_for;

constexpr int halo = 2, variables = 5;
constexpr int density = 0, momentum_x = 1, momentum_y = 2, momentum_z = 3, energy = 4;
constexpr real gas = 0.4;

// Polynomials of degree 4 whose averages over five cells are given, at the ends of the third cell.
static Matrix ends() {
  Matrix m;
  const real left[] = {-3, 27, 47, -13, 2};
  for (int s = 0; s < 5; s++) {
    m(s, 0) = left[s] / 60;
    m(s, 1) = left[4 - s] / 60;
  }
  return m;
}

YAKL_INLINE SArray<real, 1, 2> reconstruct(SArray<real, 1, 5> const &stencil, Matrix const &m) {
  SArray<real, 1, 2> edges;
  for (int e = 0; e < 2; e++) {
    real sum = 0;
    for (int s = 0; s < 5; s++) sum += m(s, e) * stencil(s);
    edges(e) = sum;
  }
  return edges;
}

// Edges of all cells along x, which the fluxes use.
static void edges_x(real4d const &state, real4d const &lower, real4d const &upper, Matrix const &m, int nz, int ny, int nx) {
  parallel_for("edges_x", Bounds<4>(variables, nz, ny, nx), YAKL_LAMBDA(int l, int k, int j, int i) {
    SArray<real, 1, 5> stencil;
    for (int s = 0; s < 5; s++) stencil(s) = state(l, halo + k, halo + j, i + s);
    SArray<real, 1, 2> const edges = reconstruct(stencil, m);
    lower(l, k, j, i) = edges(0);
    upper(l, k, j, i) = edges(1);
  });
}

// Rusanov's flux through the faces across x, with periodic ends.
static void fluxes_x(real4d const &lower, real4d const &upper, real4d const &flux, int nz, int ny, int nx) {
  parallel_for("fluxes_x", Bounds<3>(nz, ny, nx + 1), YAKL_LAMBDA(int k, int j, int i) {
    int const before = i == 0 ? nx - 1 : i - 1, behind = i == nx ? 0 : i;
    SArray<real, 1, variables> left, right;
    for (int l = 0; l < variables; l++) {
      left(l) = upper(l, k, j, before);
      right(l) = lower(l, k, j, behind);
    }
    real const ul = left(momentum_x) / left(density), ur = right(momentum_x) / right(density);
    real const squares_l = left(momentum_x) * left(momentum_x) + left(momentum_y) * left(momentum_y) + left(momentum_z) * left(momentum_z);
    real const squares_r = right(momentum_x) * right(momentum_x) + right(momentum_y) * right(momentum_y) + right(momentum_z) * right(momentum_z);
    real const pl = gas * (left(energy) - squares_l / (2 * left(density))), pr = gas * (right(energy) - squares_r / (2 * right(density)));
    real const cl = std::abs(ul) + std::sqrt((1 + gas) * pl / left(density)), cr = std::abs(ur) + std::sqrt((1 + gas) * pr / right(density));
    real const speed = cl > cr ? cl : cr;
    for (int l = 0; l < variables; l++) {
      real const fl = left(l) * ul + (l == momentum_x ? pl : l == energy ? pl * ul : 0);
      real const fr = right(l) * ur + (l == momentum_x ? pr : l == energy ? pr * ur : 0);
      flux(l, k, j, i) = (fl + fr - speed * (right(l) - left(l))) / 2;
    }
  });
}

static void advance(real4d const &state, real4d const &flux, real dt_dx, int nz, int ny, int nx) {
  parallel_for("advance", Bounds<4>(variables, nz, ny, nx), YAKL_LAMBDA(int l, int k, int j, int i) {
    state(l, halo + k, halo + j, halo + i) -= dt_dx * (flux(l, k, j, i + 1) - flux(l, k, j, i));
  });
}

static void halos_x(real4d const &state, int nz, int ny, int nx) {
  parallel_for("halos_x", Bounds<4>(variables, nz, ny, halo), YAKL_LAMBDA(int l, int k, int j, int i) {
    state(l, halo + k, halo + j, i) = state(l, halo + k, halo + j, nx + i);
    state(l, halo + k, halo + j, halo + nx + i) = state(l, halo + k, halo + j, halo + i);
  });
}

// A smoothing over 3 x 3 x 3 cells, by a small array of the 27.
static void smooth(real4d const &state, real4d const &out, int nz, int ny, int nx) {
  parallel_for("smooth", Bounds<4>(variables, nz, ny, nx), YAKL_LAMBDA(int l, int k, int j, int i) {
    SArray<real, 3, 3, 3, 3> cells;
    for (int c = 0; c < 3; c++)
      for (int b = 0; b < 3; b++)
        for (int a = 0; a < 3; a++) cells(c, b, a) = state(l, halo + k - 1 + c, halo + j - 1 + b, halo + i - 1 + a);
    real sum = 0;
    for (int c = 0; c < 3; c++)
      for (int b = 0; b < 3; b++)
        for (int a = 0; a < 3; a++) sum += cells(c, b, a) / (1 << ((c != 1) + (b != 1) + (a != 1)));
    out(l, k, j, i) = sum / 8;
  });
}

static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Steps of nz x ny x nx cells, sizes that the compiler does not know; gives a sum of the result.
static double run(int nz, int ny, int nx, int steps, bool each) {
  double least[5] = {1e30, 1e30, 1e30, 1e30, 1e30}, total = 0, all = 0;
  real4d state("state", variables, nz + 2 * halo, ny + 2 * halo, nx + 2 * halo), flux("flux", variables, nz, ny, nx + 1);
  real4d lower("lower", variables, nz, ny, nx), upper("upper", variables, nz, ny, nx), out("out", variables, nz, ny, nx);
  Matrix const m = ends();
  parallel_for("begin", Bounds<4>(variables, nz + 2 * halo, ny + 2 * halo, nx + 2 * halo), YAKL_LAMBDA(int l, int k, int j, int i) {
    real const x = (i - halo + 0.5) / nx, wave = std::sin(6.283185307179586 * x) * 0.1;
    state(l, k, j, i) = l == density ? 1 + wave : l == energy ? 2.5 + 0.5 * wave + 0.001 * (k + j) : 0.2 * (1 + wave);
  });
  for (int step = 0; step < steps; step++) {
    double const times[] = {now(), (halos_x(state, nz, ny, nx), now()), (edges_x(state, lower, upper, m, nz, ny, nx), now()),
                            (fluxes_x(lower, upper, flux, nz, ny, nx), now()), (advance(state, flux, 0.2, nz, ny, nx), now()),
                            (smooth(state, out, nz, ny, nx), now())};
    for (int f = 0; f < 5; f++) least[f] = std::min(least[f], times[f + 1] - times[f]);
  }
  for (real x : out) total += x;
  static const char *const names[] = {"halos", "edges", "fluxes", "advance", "smooth"};
  for (int f = 0; f < 5; f++) {
    if (each) std::printf("finite volumes, rows of %d: %s\t%.6g\tus\n", nx, names[f], least[f] * 1e6);
    all += least[f];
  }
  if (each) std::printf("finite volumes, rows of %d: a step\t%.6g\tus\n", nx, all * 1e6);
  return total;
}

int main(int argc, char **argv) {
  bool const rows = argc > 2 && std::strcmp(argv[2], "rows") == 0;
  int const part = argc > 3 ? std::max(1, std::atoi(argv[3])) : 1, steps = std::max(2, 200 / part);
  setenv("PORTABLE_DEVICE", "serial", 1);
  yakl::init();
  double const wide = run(40, 40, 64, steps, rows), narrow = run(20, 20, 10, rows ? 10 * steps : 20, rows);
  yakl::finalize();
  if (!(wide > 0)) return 1;
  if (!rows) std::printf("sums\t%.17g %.17g\t\n", wide, narrow);
}
