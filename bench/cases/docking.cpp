// docking.cpp - times a docking kernel in the manner of miniBUDE: energies of a ligand of 26 atoms
// in 65 536 poses at a protein of 938, in single precision, a launch over blocks of poses, next to
// the same loop of OpenMP, compared with a serial loop in double precision. The deck is made from a
// seed. usage: bench_docking portable docking [N]: with N there are N times fewer poses.
// Not in this file: how turns are taken (turns.hpp).
#include <omp.h>
#include <portable.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "turns.hpp"

namespace {

constexpr int ligand_atoms = 26, protein_atoms = 938, types = 34;
constexpr int block = 64; // poses of one iteration: lanes of vectors
constexpr double repulsion = 40, charge_range = 4, water_range = 2;

struct Atom {
  float x, y, z;
  std::int32_t type;
};
struct Type {
  float radius, charge, water; // water: above 0 likes it
};
// A pose is three rotations and a shift. Its energy is a sum over all pairs of an atom of the ligand and one of the protein, of three terms in the gap
// between their spheres: they repel where they overlap, charges act up to charge_range angstroms, water between likes and dislikes up to water_range.
// pose[6 * poses]: all first angles, all second ones, all third ones, then the shifts.
template <class Atoms, class Types, class Numbers> struct Deck {
  Atoms ligand, protein;
  Types type;
  Numbers pose, energy;
};
using Ours = Deck<portable::Array<Atom, 1>, portable::Array<Type, 1>, portable::Array<float, 1>>;
using Theirs = Deck<Atom *, Type *, float *>;
template <class T> inline T &at(const portable::Array<T, 1> &r, int i) { return r(i); }
template <class T> inline T &at(T *r, int i) { return r[i]; }

inline float above(float x, float least) { return x > least ? x : least; }

// The energies of the poses of a block.
template <class D> inline void energies(const D &d, int poses, int first) {
  float turn[3][3][block], shift[3][block], sum[block];
  for (int k = 0; k < block; k++) {
    const float a = at(d.pose, first + k), b = at(d.pose, poses + first + k), c = at(d.pose, 2 * poses + first + k);
    const float sa = std::sin(a), ca = std::cos(a), sb = std::sin(b), cb = std::cos(b), sc = std::sin(c), cc = std::cos(c);
    turn[0][0][k] = cb * cc, turn[0][1][k] = sa * sb * cc - ca * sc, turn[0][2][k] = ca * sb * cc + sa * sc;
    turn[1][0][k] = cb * sc, turn[1][1][k] = sa * sb * sc + ca * cc, turn[1][2][k] = ca * sb * sc - sa * cc;
    turn[2][0][k] = -sb, turn[2][1][k] = sa * cb, turn[2][2][k] = ca * cb;
    for (int i = 0; i < 3; i++) shift[i][k] = at(d.pose, (3 + i) * poses + first + k);
    sum[k] = 0;
  }
  for (int l = 0; l < ligand_atoms; l++) {
    const Atom a = at(d.ligand, l);
    const Type s = at(d.type, a.type);
    float x[block], y[block], z[block];
    for (int k = 0; k < block; k++) {
      x[k] = turn[0][0][k] * a.x + turn[0][1][k] * a.y + turn[0][2][k] * a.z + shift[0][k];
      y[k] = turn[1][0][k] * a.x + turn[1][1][k] * a.y + turn[1][2][k] * a.z + shift[1][k];
      z[k] = turn[2][0][k] * a.x + turn[2][1][k] * a.y + turn[2][2][k] * a.z + shift[2][k];
    }
    for (int p = 0; p < protein_atoms; p++) {
      const Atom b = at(d.protein, p);
      const Type t = at(d.type, b.type);
      const float touching = s.radius + t.radius, overlap = float(repulsion) / touching, charges = s.charge * t.charge, water = s.water * t.water;
      for (int k = 0; k < block; k++) {
        const float dx = x[k] - b.x, dy = y[k] - b.y, dz = z[k] - b.z;
        const float gap = std::sqrt(dx * dx + dy * dy + dz * dz) - touching, apart = above(gap, 0);
        sum[k] += above(-gap, 0) * overlap + charges * above(1 - apart / float(charge_range), 0) - water * above(1 - apart / float(water_range), 0);
      }
    }
  }
  for (int k = 0; k < block; k++) at(d.energy, first + k) = sum[k];
}

void run(const Ours &d, int poses) {
  portable::parallel_for("dock", portable::c::Bounds<1>(poses / block), PORTABLE_LAMBDA(int b) { energies(d, poses, b * block); });
  portable::fence();
}

void run(const Theirs &d, int poses) {
#pragma omp parallel for schedule(static)
  for (int b = 0; b < poses / block; b++) energies(d, poses, b * block);
}

// ---- the deck ----

struct Memory {
  std::vector<Atom> ligand, protein;
  std::vector<Type> type;
  std::vector<float> pose, energy;
  explicit Memory(int poses) : pose(6 * static_cast<std::size_t>(poses)), energy(static_cast<std::size_t>(poses)) {
    std::uint64_t state = 88172645463325252u;
    const auto any = [&](double low, double high) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      return low + (high - low) * static_cast<double>(state >> 11) * 0x1p-53;
    };
    const auto atom = [&](double from, double to) { // between two spheres
      for (;;) {
        const double x = any(-to, to), y = any(-to, to), z = any(-to, to), r = std::sqrt(x * x + y * y + z * z);
        if (r >= from && r <= to) return Atom{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), static_cast<std::int32_t>(any(0, types))};
      }
    };
    for (int i = 0; i < types; i++)
      type.push_back({static_cast<float>(any(1.2, 2.2)), i % 3 ? 0 : static_cast<float>(any(-3, 3)), static_cast<float>(any(-1, 1))});
    for (int i = 0; i < ligand_atoms; i++) ligand.push_back(atom(0, 4));
    for (int i = 0; i < protein_atoms; i++) protein.push_back(atom(6, 16));
    for (std::size_t i = 0; i < pose.size(); i++) pose[i] = static_cast<float>(i / energy.size() < 3 ? any(-3.14159, 3.14159) : any(-3, 3));
  }
};

// The energy of one pose, turned about one axis after the other, and the sum of all terms without their signs.
void reference(const Memory &m, std::size_t pose, double *energy, double *size) {
  const std::size_t poses = m.energy.size();
  double sum = 0, whole = 0;
  for (const Atom &a : m.ligand) {
    double at[3] = {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
    for (std::size_t axis = 0; axis < 3; axis++) {
      const double angle = static_cast<double>(m.pose[axis * poses + pose]), c = std::cos(angle), s = std::sin(angle);
      double &u = at[(axis + 1) % 3], &v = at[(axis + 2) % 3];
      const double before = u;
      u = c * before - s * v;
      v = s * before + c * v;
    }
    for (std::size_t axis = 0; axis < 3; axis++) at[axis] += static_cast<double>(m.pose[(3 + axis) * poses + pose]);
    const Type &s = m.type[static_cast<std::size_t>(a.type)];
    for (const Atom &b : m.protein) {
      const Type &t = m.type[static_cast<std::size_t>(b.type)];
      const double dx = at[0] - static_cast<double>(b.x), dy = at[1] - static_cast<double>(b.y), dz = at[2] - static_cast<double>(b.z);
      const double touching = static_cast<double>(s.radius) + static_cast<double>(t.radius), gap = std::sqrt(dx * dx + dy * dy + dz * dz) - touching;
      double term[3] = {0, 0, 0};
      if (gap < 0) term[0] = -gap / touching * repulsion;
      if (gap < charge_range) term[1] = static_cast<double>(s.charge) * static_cast<double>(t.charge) * (gap > 0 ? 1 - gap / charge_range : 1);
      if (gap < water_range) term[2] = -static_cast<double>(s.water) * static_cast<double>(t.water) * (gap > 0 ? 1 - gap / water_range : 1);
      for (const double x : term) sum += x, whole += std::fabs(x);
    }
  }
  *energy = sum;
  *size = whole;
}

// Each pose of few, each 16th of many.
template <class D> void compare(const char *engine, const D &d, const Memory &m) {
  for (std::size_t pose = 0; pose < m.energy.size(); pose += m.energy.size() > 4096 ? 16 : 1) {
    double want, size;
    reference(m, pose, &want, &size);
    const double got = static_cast<double>(at(d.energy, static_cast<int>(pose)));
    if (std::fabs(got - want) <= 1e-6 * size) continue;
    std::fprintf(stderr, "docking: %s: pose %d has the energy %.9g, and %.9g in double precision, where terms of %g are added\n", engine, static_cast<int>(pose), got, want, size);
    std::exit(1);
  }
}

} // namespace

int main(int argc, char **argv) {
  const int divisor = argc > 3 ? std::atoi(argv[3]) : 1, rounds = divisor > 1 ? 1 : 8;
  const int poses = std::max(3 * block, 65536 / std::max(1, divisor) / block * block);
  portable::init();
  omp_set_num_threads(portable_num_threads());
  {
    Memory m(poses);
    const Theirs theirs{m.ligand.data(), m.protein.data(), m.type.data(), m.pose.data(), m.energy.data()};
    const Ours ours{{"ligand", ligand_atoms}, {"protein", protein_atoms}, {"types", types}, {"poses", 6 * poses}, {"energies", poses}};
    std::copy(m.ligand.begin(), m.ligand.end(), ours.ligand.begin());
    std::copy(m.protein.begin(), m.protein.end(), ours.protein.begin());
    std::copy(m.type.begin(), m.type.end(), ours.type.begin());
    std::copy(m.pose.begin(), m.pose.end(), ours.pose.begin());
    const auto took = in_turns(rounds, [] {}, [&] { run(ours, poses); }, [&] { run(theirs, poses); });
    compare("portable", ours, m);
    compare("OpenMP", theirs, m);
    std::printf("docking of 26 atoms at 938, 65 536 poses\t%.4g\tms\ndocking of 26 atoms at 938, 65 536 poses, OpenMP\t%.4g\tms\n", took[0] / 1e6, took[1] / 1e6);
  }
  portable::finalize();
  return 0;
}
