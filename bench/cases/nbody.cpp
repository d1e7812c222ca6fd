// nbody.cpp - times 5 steps of 16 x 1024 particles that attract one another, in single precision
// and as a structure of arrays: a launch over blocks of particles, next to the same loop of
// OpenMP on as many threads. Positions, velocities and energies are compared with a serial loop
// in double precision. usage: bench_nbody portable nbody [N]: with N the sizes are divided by it.
// Not in this file: particles within a cutoff (../mesh/particles.cpp).
#include <omp.h>
#include <portable.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "turns.hpp"

namespace {

constexpr double eps2 = 0.01, dt = 1e-4;
constexpr int steps = 5;
constexpr int block = 64; // particles that one iteration pulls: lanes of vectors

using Row = portable::Array<float, 1>;
struct Ours {
  Row x, y, z, vx, vy, vz, m;
};
struct Theirs {
  float *x, *y, *z, *vx, *vy, *vz, *m;
};
inline float &at(const Row &r, int i) { return r(i); }
inline float &at(float *r, int i) { return r[i]; }

// All n particles pull those of a block. Lanes are particles, so the sums of each have one order.
template <class P> inline void pull(const P &p, int n, int first) {
  float x[block], y[block], z[block], ax[block], ay[block], az[block];
  for (int k = 0; k < block; k++) {
    x[k] = at(p.x, first + k), y[k] = at(p.y, first + k), z[k] = at(p.z, first + k);
    ax[k] = ay[k] = az[k] = 0;
  }
  for (int j = 0; j < n; j++) {
    const float xj = at(p.x, j), yj = at(p.y, j), zj = at(p.z, j), pull = at(p.m, j) * float(dt);
    for (int k = 0; k < block; k++) {
      const float dx = xj - x[k], dy = yj - y[k], dz = zj - z[k];
      const float r2 = dx * dx + dy * dy + dz * dz + float(eps2), s = pull / std::sqrt(r2 * r2 * r2);
      ax[k] += dx * s, ay[k] += dy * s, az[k] += dz * s;
    }
  }
  for (int k = 0; k < block; k++) at(p.vx, first + k) += ax[k], at(p.vy, first + k) += ay[k], at(p.vz, first + k) += az[k];
}

template <class P> inline void move(const P &p, int i) {
  at(p.x, i) += at(p.vx, i) * float(dt);
  at(p.y, i) += at(p.vy, i) * float(dt);
  at(p.z, i) += at(p.vz, i) * float(dt);
}

void run(const Ours &p, int n) {
  for (int step = 0; step < steps; step++) {
    portable::parallel_for("pull", portable::c::Bounds<1>(n / block), PORTABLE_LAMBDA(int b) { pull(p, n, b * block); });
    portable::parallel_for("move", portable::c::Bounds<1>(n), PORTABLE_LAMBDA(int i) { move(p, i); });
  }
  portable::fence();
}

void run(const Theirs &p, int n) {
  for (int step = 0; step < steps; step++) {
#pragma omp parallel for schedule(static)
    for (int b = 0; b < n / block; b++) pull(p, n, b * block);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) move(p, i);
  }
}

// x, y, z, vx, vy, vz and masses of the beginning, from a seed.
struct Start {
  std::vector<float> row[7];
};
Start start(int n) {
  std::uint64_t state = 88172645463325252u;
  const auto any = [&] { // uniform between -1 and 1
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<float>(static_cast<double>(state >> 11) * 0x1p-52 - 1);
  };
  Start s;
  for (auto &row : s.row) row.resize(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); i++) {
    for (int d = 0; d < 3; d++) s.row[d][i] = 2 * any();
    for (int d = 3; d < 6; d++) s.row[d][i] = any() / 10;
    s.row[6][i] = (2 + any()) / 100;
  }
  return s;
}

using State = std::vector<double>; // x, y, z, vx, vy, vz of each particle

State reference(const Start &s, int n) {
  State p;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); i++)
    for (int d = 0; d < 6; d++) p.push_back(static_cast<double>(s.row[d][i]));
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double *const a = &p[6 * static_cast<std::size_t>(i)];
        const double *const b = &p[6 * static_cast<std::size_t>(j)];
        const double dx = b[0] - a[0], dy = b[1] - a[1], dz = b[2] - a[2], r2 = dx * dx + dy * dy + dz * dz + eps2;
        const double f = static_cast<double>(s.row[6][static_cast<std::size_t>(j)]) * dt / (r2 * std::sqrt(r2));
        a[3] += f * dx, a[4] += f * dy, a[5] += f * dz;
      }
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); i++)
      for (int d = 0; d < 3; d++) p[6 * i + d] += p[6 * i + 3 + d] * dt;
  }
  return p;
}

// The energy of motion, and that of all pairs.
double energy(const State &p, const Start &s) {
  const std::vector<float> &m = s.row[6];
  double sum = 0;
  for (std::size_t i = 0; i < m.size(); i++) {
    const double *const a = &p[6 * i];
    double pairs = 0;
    for (std::size_t j = 0; j < i; j++) {
      const double *const b = &p[6 * j], dx = b[0] - a[0], dy = b[1] - a[1], dz = b[2] - a[2];
      pairs += static_cast<double>(m[j]) / std::sqrt(dx * dx + dy * dy + dz * dz + eps2);
    }
    sum += static_cast<double>(m[i]) * (0.5 * (a[3] * a[3] + a[4] * a[4] + a[5] * a[5]) - pairs);
  }
  return sum;
}

template <class P> State state(const P &p, int n) {
  State all;
  for (int i = 0; i < n; i++)
    for (const auto &row : {p.x, p.y, p.z, p.vx, p.vy, p.vz}) all.push_back(static_cast<double>(at(row, i)));
  return all;
}

// Numbers of single precision, of which a velocity is the sum of n small ones in each step.
void compare(const char *engine, const State &got, const State &want, double got_energy, double want_energy) {
  double most = 0;
  for (std::size_t k = 0; k < want.size(); k++) most = std::max(most, std::isfinite(got[k]) ? std::fabs(got[k] - want[k]) : HUGE_VAL);
  const double of_energy = std::fabs(got_energy / want_energy - 1);
  if (most <= 2e-6 && of_energy <= 1e-7) return;
  std::fprintf(stderr, "nbody: %s: positions and velocities differ by %g from those in double precision, the energy %.9g of %.9g by %g of it\n", engine, most, got_energy,
               want_energy, of_energy);
  std::exit(1);
}

template <class P> void set(const P &p, int n, const Start &s) {
  const decltype(p.x) *const rows[] = {&p.x, &p.y, &p.z, &p.vx, &p.vy, &p.vz, &p.m};
  for (int d = 0; d < 7; d++)
    for (int i = 0; i < n; i++) at(*rows[d], i) = s.row[d][static_cast<std::size_t>(i)];
}

} // namespace

int main(int argc, char **argv) {
  const int divisor = argc > 3 ? std::atoi(argv[3]) : 1, rounds = divisor > 1 ? 1 : 10;
  const int n = std::max(3 * block, 16 * 1024 / std::max(1, divisor) / block * block);
  portable::init();
  omp_set_num_threads(portable_num_threads());
  {
    const Start s = start(n);
    const Ours ours{{"x", n}, {"y", n}, {"z", n}, {"vx", n}, {"vy", n}, {"vz", n}, {"m", n}};
    std::vector<float> rows[7];
    for (auto &row : rows) row.resize(static_cast<std::size_t>(n));
    const Theirs theirs{rows[0].data(), rows[1].data(), rows[2].data(), rows[3].data(), rows[4].data(), rows[5].data(), rows[6].data()};
    const auto took = in_turns(rounds, [&] { set(ours, n, s), set(theirs, n, s); }, [&] { run(ours, n); }, [&] { run(theirs, n); });
    run(ours, n); // begin has set both again
    const State want = reference(s, n), got = state(ours, n), other = state(theirs, n);
    const double expected = energy(want, s);
    compare("portable", got, want, energy(got, s), expected);
    compare("OpenMP", other, want, energy(other, s), expected);
    std::printf("N-body, 16 384 particles, 5 steps\t%.4g\tms\nN-body, 16 384 particles, 5 steps, OpenMP\t%.4g\tms\n", took[0] / 1e6, took[1] / 1e6);
  }
  portable::finalize();
  return 0;
}
