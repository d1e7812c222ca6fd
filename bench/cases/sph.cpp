// sph.cpp - times 5 steps of 60 000 smoothed particles in two dimensions, a square of water that
// begins to fall: cells of cell_list_build, and a launch over particles that meets those of
// cells_around, next to OpenMP's loops over cells that are counted by hand. A serial loop over a
// grid of lists checks both. usage: bench_sph portable sph [N]: with N the sizes are divided by it.
// Not in this file: the whole example with walls and fronts (examples/dam_break).
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

constexpr int steps = 5;
constexpr double pi = 3.14159265358979324, gravity = 9.81, rest = 1000, viscosity = 0.1;

// A square of n x n particles, 1 m wide.
struct Water {
  double distance, h, mass, sound, stiffness, dt, low[2], high[2];
  explicit Water(int across)
      : distance(1.0 / across), h(0.87 * std::sqrt(2.0) * distance), mass(rest * distance * distance), sound(44), stiffness(rest * sound * sound / 7), dt(0.1 * h / sound),
        low{-0.5, -0.5}, high{1.5, 1.5} {}
};

struct Fields {
  double *x, *y, *u, *v, *density, *over, *ax, *ay, *change; // over: pressure over density squared
};

// The rates of a particle; meet adds what particle j gives to those of particle i.
struct Rates {
  double ax = 0, ay = 0, change = 0;
};
inline void meet(const Fields &p, const Water &w, double scale, int i, int j, Rates &r) {
  const double dx = p.x[i] - p.x[j], dy = p.y[i] - p.y[j], square = dx * dx + dy * dy;
  if (square >= 4 * w.h * w.h || j == i) return;
  double slope = 1 - 0.5 * std::sqrt(square) / w.h;
  slope = scale * slope * slope * slope; // the gradient of Wendland's kernel is slope*(dx, dy)
  const double meets = (p.u[i] - p.u[j]) * dx + (p.v[i] - p.v[j]) * dy;
  double push = p.over[i] + p.over[j];
  if (meets < 0) push -= viscosity * w.sound * w.h * meets / (square + 0.01 * w.h * w.h) / (0.5 * (p.density[i] + p.density[j]));
  r.change += meets * slope;
  r.ax -= push * slope * dx;
  r.ay -= push * slope * dy;
}
inline void put(const Fields &p, const Water &w, int i, const Rates &r) {
  p.ax[i] = w.mass * r.ax;
  p.ay[i] = w.mass * r.ay - gravity;
  p.change[i] = w.mass * r.change;
}
inline double scale_of(const Water &w) { return -5 * 7 / (4 * pi * w.h * w.h * w.h * w.h); }

inline void advance(const Fields &p, const Water &w, int i) {
  p.x[i] += w.dt * p.u[i] + 0.5 * w.dt * w.dt * p.ax[i];
  p.y[i] += w.dt * p.v[i] + 0.5 * w.dt * w.dt * p.ay[i];
  p.u[i] += w.dt * p.ax[i];
  p.v[i] += w.dt * p.ay[i];
  p.density[i] += w.dt * p.change[i];
  const double ratio = p.density[i] / rest, square = ratio * ratio;
  p.over[i] = w.stiffness * (square * square * square * ratio - 1) / (p.density[i] * p.density[i]);
}

void ours(const Fields &p, const Water &w, int n, portable::CellList &cells) {
  const double scale = scale_of(w);
  for (int step = 0; step < steps; step++) {
    cells.build("cells", {static_cast<const double *>(p.x), static_cast<const double *>(p.y)}, n, 2 * w.h, {w.low[0], w.low[1]}, {w.high[0], w.high[1]});
    const portable_cell_list view = cells.view();
    portable::parallel_for("rates", portable::c::Bounds<1>(n), PORTABLE_LAMBDA(int k) {
      std::int64_t runs[PORTABLE_CELL_RUNS][2];
      const std::int32_t count = portable_cells_around(&view, k, runs), i = view.order[k];
      Rates r;
      for (std::int32_t a = 0; a < count; a++)
        for (std::int64_t at = runs[a][0]; at < runs[a][1]; at++) meet(p, w, scale, i, view.order[at], r);
      put(p, w, i, r);
    });
    portable::parallel_for("advance", portable::c::Bounds<1>(n), PORTABLE_LAMBDA(int i) { advance(p, w, i); });
  }
  portable::fence();
}

// Cells as a program counts them by hand: one thread brings the particles into the order of cells.
struct Counted {
  std::vector<int> cell, start, order;
};
void theirs(const Fields &p, const Water &w, int n, Counted &c) {
  const double scale = scale_of(w);
  const int nx = static_cast<int>((w.high[0] - w.low[0]) / (2 * w.h)), ny = static_cast<int>((w.high[1] - w.low[1]) / (2 * w.h));
  const double sx = nx / (w.high[0] - w.low[0]), sy = ny / (w.high[1] - w.low[1]);
  int *const cell = c.cell.data(), *const start = c.start.data(), *const order = c.order.data();
  for (int step = 0; step < steps; step++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) cell[i] = std::min(static_cast<int>((p.x[i] - w.low[0]) * sx), nx - 1) + nx * std::min(static_cast<int>((p.y[i] - w.low[1]) * sy), ny - 1);
    std::fill(start, start + nx * ny + 2, 0);
    for (int i = 0; i < n; i++) start[cell[i] + 2]++;
    for (int k = 2; k < nx * ny + 2; k++) start[k] += start[k - 1];
    for (int i = 0; i < n; i++) order[start[cell[i] + 1]++] = i;
#pragma omp parallel for schedule(dynamic, 1024)
    for (int k = 0; k < n; k++) {
      const int i = order[k], cx = cell[i] % nx, cy = cell[i] / nx;
      Rates r;
      for (int y = std::max(cy - 1, 0); y <= std::min(cy + 1, ny - 1); y++)
        for (int at = start[y * nx + std::max(cx - 1, 0)], end = start[y * nx + std::min(cx + 1, nx - 1) + 1]; at < end; at++) meet(p, w, scale, i, order[at], r);
      put(p, w, i, r);
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) advance(p, w, i);
  }
}

// A serial loop over a grid of lists, whose cells are larger.
void reference(const Fields &p, const Water &w, int n) {
  const int cells = static_cast<int>((w.high[0] - w.low[0]) / (3 * w.h));
  const double scale = scale_of(w), per_length = cells / (w.high[0] - w.low[0]);
  const auto along = [&](double at, double low) { return static_cast<std::size_t>((at - low) * per_length); };
  const std::size_t side = static_cast<std::size_t>(cells) + 2;
  for (int step = 0; step < steps; step++) {
    std::vector<std::vector<int>> grid(side * side);
    for (int i = 0; i < n; i++) grid[along(p.x[i], w.low[0]) + side * along(p.y[i], w.low[1])].push_back(i);
    for (int i = 0; i < n; i++) {
      const std::size_t cx = along(p.x[i], w.low[0]), cy = along(p.y[i], w.low[1]);
      Rates r;
      for (std::size_t y = cy - 1; y <= cy + 1; y++)
        for (std::size_t x = cx - 1; x <= cx + 1; x++)
          for (const int j : grid[x + side * y]) meet(p, w, scale, i, j, r);
      put(p, w, i, r);
    }
    for (int i = 0; i < n; i++) advance(p, w, i);
  }
}

constexpr int fields = 9;
Fields of(std::vector<double> *rows) {
  return {rows[0].data(), rows[1].data(), rows[2].data(), rows[3].data(), rows[4].data(), rows[5].data(), rows[6].data(), rows[7].data(), rows[8].data()};
}

// A square of water, whose particles are a little off the lattice, by a seed, and move at random.
void set(const Fields &p, const Water &w, int across) {
  std::uint64_t state = 88172645463325252u;
  const auto any = [&] { // uniform between -1 and 1
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-52 - 1;
  };
  for (int j = 0, i = 0; j < across; j++)
    for (int k = 0; k < across; k++, i++) {
      p.x[i] = (k + 0.5 + 0.1 * any()) * w.distance;
      p.y[i] = (j + 0.5 + 0.1 * any()) * w.distance;
      p.u[i] = 0.1 * any();
      p.v[i] = 0.1 * any();
      p.density[i] = rest * (1 + 0.001 * any());
      p.over[i] = w.stiffness * (std::pow(p.density[i] / rest, 7) - 1) / (p.density[i] * p.density[i]);
    }
}

// The same sums in another order.
void compare(const char *engine, const std::vector<double> *got, const std::vector<double> *want) {
  for (int row = 0; row < 5; row++)
    for (std::size_t i = 0; i < want[row].size(); i++) {
      const double most = 1e-10 * std::max(1.0, std::fabs(want[row][i]));
      if (std::fabs(got[row][i] - want[row][i]) <= most) continue;
      std::fprintf(stderr, "sph: %s: number %d of particle %zu is %.17g, by the serial loop %.17g\n", engine, row, i, got[row][i], want[row][i]);
      std::exit(1);
    }
}

} // namespace

int main(int argc, char **argv) {
  const int divisor = argc > 3 ? std::atoi(argv[3]) : 1, rounds = divisor > 1 ? 1 : 10;
  const int across = std::max(20, static_cast<int>(245 / std::sqrt(std::max(1, divisor)))), n = across * across;
  const Water w(across);
  portable::init();
  omp_set_num_threads(portable_num_threads());
  {
    std::vector<double> rows[3][fields];
    for (auto &engine : rows)
      for (auto &row : engine) row.resize(static_cast<std::size_t>(n));
    const Fields a = of(rows[0]), b = of(rows[1]), c = of(rows[2]);
    const std::size_t cells = static_cast<std::size_t>(4 / (4 * w.h * w.h)) + 16;
    Counted counted{std::vector<int>(static_cast<std::size_t>(n)), std::vector<int>(cells), std::vector<int>(static_cast<std::size_t>(n))};
    portable::CellList list;
    const auto took = in_turns(rounds, [&] { set(a, w, across), set(b, w, across); }, [&] { ours(a, w, n, list); }, [&] { theirs(b, w, n, counted); });
    set(a, w, across), set(c, w, across);
    ours(a, w, n, list);
    reference(c, w, n);
    compare("portable", rows[0], rows[2]);
    compare("OpenMP", rows[1], rows[2]);
    std::printf("SPH, 60 025 particles, 5 steps\t%.4g\tms\nSPH, 60 025 particles, 5 steps, OpenMP\t%.4g\tms\n", took[0] / 1e6, took[1] / 1e6);
  }
  portable::finalize();
  return 0;
}
