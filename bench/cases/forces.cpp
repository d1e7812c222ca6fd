// forces.cpp - times the forces between 10^6 particles in a box that lie in no order: cells of
// cell_list_build, arrays brought into the order of cells by reorder, so that each run of
// cells_around is a loop over neighbouring elements, next to OpenMP's loop over linked lists of
// cells, also of particles that lie in the order of cells before. A serial loop over all pairs
// checks some particles. usage: bench_forces portable forces [N]: with N the sizes are divided by
// it. Not in this file: lists alone (../mesh/particles.cpp).
#include <omp.h>
#include <portable.hpp>
#include <portable_particles.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "turns.hpp"

namespace {

struct Particles {
  std::vector<double> x, y, z, fx, fy, fz;
  std::vector<int> number; // of each place, as it was at the beginning
};

// A soft push of particles nearer than the cutoff, which falls to 0 there.
struct Push {
  double square; // of the cutoff
  double operator()(double r2) const { return r2 < square ? 1 - r2 / square : 0; }
};

void ours(Particles &p, int n, double cutoff, portable::CellList &cells) {
  cells.build<double>("cells", {p.x.data(), p.y.data(), p.z.data()}, n, cutoff, {0, 0, 0}, {1, 1, 1});
  portable::reorder("particles", cells.order(), n, p.x.data(), p.y.data(), p.z.data(), p.number.data());
  const portable_cell_list view = cells.view();
  const double *const x = p.x.data(), *const y = p.y.data(), *const z = p.z.data();
  double *const fx = p.fx.data(), *const fy = p.fy.data(), *const fz = p.fz.data();
  const Push push{cutoff * cutoff};
  portable::parallel_for("forces", portable::c::Bounds<1>(n), PORTABLE_LAMBDA(int i) {
    std::int64_t runs[PORTABLE_CELL_RUNS][2];
    const std::int32_t count = portable_cells_around(&view, i, runs);
    double sx = 0, sy = 0, sz = 0;
    for (std::int32_t a = 0; a < count; a++)
#pragma omp simd reduction(+ : sx, sy, sz)
      for (std::int64_t j = runs[a][0]; j < runs[a][1]; j++) {
        const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j], f = push(dx * dx + dy * dy + dz * dz);
        sx += f * dx, sy += f * dy, sz += f * dz;
      }
    fx[i] = sx, fy[i] = sy, fz[i] = sz;
  });
  portable::fence();
}

// The last particle of each cell, and the one before each particle, -1: none.
struct Linked {
  std::vector<int> last, before;
};
void theirs(Particles &p, int n, double cutoff, Linked &c) {
  const int side = static_cast<int>(1 / cutoff);
  const double *const x = p.x.data(), *const y = p.y.data(), *const z = p.z.data();
  int *const last = c.last.data(), *const before = c.before.data();
  const auto along = [side](double at) { return std::min(static_cast<int>(at * side), side - 1); };
  const Push push{cutoff * cutoff};
  std::fill(c.last.begin(), c.last.end(), -1);
  for (int i = 0; i < n; i++) {
    int &head = last[along(x[i]) + side * (along(y[i]) + side * along(z[i]))];
    before[i] = head, head = i;
  }
#pragma omp parallel for schedule(dynamic, 1024)
  for (int i = 0; i < n; i++) {
    const int cx = along(x[i]), cy = along(y[i]), cz = along(z[i]);
    double sx = 0, sy = 0, sz = 0;
    for (int k = std::max(cz - 1, 0); k <= std::min(cz + 1, side - 1); k++)
      for (int m = std::max(cy - 1, 0); m <= std::min(cy + 1, side - 1); m++)
        for (int l = std::max(cx - 1, 0); l <= std::min(cx + 1, side - 1); l++)
          for (int j = last[l + side * (m + side * k)]; j >= 0; j = before[j]) {
            const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j], f = push(dx * dx + dy * dy + dz * dz);
            sx += f * dx, sy += f * dy, sz += f * dz;
          }
    p.fx[i] = sx, p.fy[i] = sy, p.fz[i] = sz;
  }
}

// Uniform in the box, by a seed.
void set(Particles &p, int n) {
  std::uint64_t state = 88172645463325252u;
  const auto any = [&] {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (auto *row : {&p.x, &p.y, &p.z, &p.fx, &p.fy, &p.fz}) row->resize(static_cast<std::size_t>(n));
  p.number.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; i++) p.x[i] = any(), p.y[i] = any(), p.z[i] = any(), p.number[i] = i;
}

// The same sums in another order; each 10 000th also over all pairs. b: in the order of numbers.
void compare(const Particles &a, const Particles &b, int n, double cutoff) {
  const Push push{cutoff * cutoff};
  const auto differ = [](double got, double want) { return std::fabs(got - want) > 1e-12; };
  for (int k = 0; k < n; k++) {
    const int i = a.number[k];
    bool wrong = differ(a.fx[k], b.fx[i]) || differ(a.fy[k], b.fy[i]) || differ(a.fz[k], b.fz[i]);
    if (i % 10000 == 0) {
      double sum = 0;
      for (int j = 0; j < n; j++) {
        const double dx = b.x[i] - b.x[j], dy = b.y[i] - b.y[j], dz = b.z[i] - b.z[j];
        sum += push(dx * dx + dy * dy + dz * dz) * dx;
      }
      wrong = wrong || differ(a.fx[k], sum);
    }
    if (!wrong) continue;
    std::fprintf(stderr, "forces: particle %d: %.17g %.17g %.17g, by linked lists %.17g %.17g %.17g\n", i, a.fx[k], a.fy[k], a.fz[k], b.fx[i], b.fy[i], b.fz[i]);
    std::exit(1);
  }
}

} // namespace

int main(int argc, char **argv) {
  const int divisor = argc > 3 ? std::max(1, std::atoi(argv[3])) : 1, n = 1000000 / divisor;
  const double cutoff = 2.0 / std::cbrt(static_cast<double>(n)); // 8 particles in a cell
  portable::init();
  omp_set_num_threads(portable_num_threads());
  {
    Particles a, b, c;
    portable::CellList cells;
    const std::size_t side = static_cast<std::size_t>(1 / cutoff);
    Linked lists{std::vector<int>(side * side * side), std::vector<int>(static_cast<std::size_t>(n))};
    set(c, n);
    ours(c, n, cutoff, cells); // c is in the order of cells
    const auto took = in_turns(divisor > 1 ? 1 : 3, [&] { set(a, n); }, [&] { ours(a, n, cutoff, cells); }, [&] { theirs(c, n, cutoff, lists); });
    set(a, n), set(b, n);
    ours(a, n, cutoff, cells);
    const auto slow = in_turns(1, [] {}, [&] { theirs(b, n, cutoff, lists); });
    compare(a, b, n, cutoff);
    compare(c, b, n, cutoff);
    const char *const name = "forces of 10^6 particles";
    std::printf("%s\t%.4g\tms\n%s, OpenMP and linked lists\t%.4g\tms\n%s, OpenMP and linked lists in the order of cells\t%.4g\tms\n", name, took[0] / 1e6, name,
                slow[0] / 1e6, name, took[1] / 1e6);
  }
  portable::finalize();
  return 0;
}
