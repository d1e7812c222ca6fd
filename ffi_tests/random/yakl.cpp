// yakl.cpp - yakl::Random as programs of YAKL version 1 use it: seeded by the index in kernels, one generator on the host, copies. Nothing in it names
// this library. Not in this file: its bits (bits.cpp, fill.c).
#include "YAKL.h"

#include <cstdio>
#include <set>
#include <vector>

typedef yakl::Array<double, 2, yakl::memDevice, yakl::styleC> real2d;
typedef yakl::Array<float, 1, yakl::memDevice, yakl::styleC> float1d;

static int failures = 0;
static void expect(bool ok, char const *what) {
  if (ok) return;
  failures++;
  std::printf("wrong: %s\n", what);
}

static void kernels() {
  using yakl::c::Bounds;
  using yakl::c::parallel_for;
  int const nz = 300, nx = 400;
  real2d theta("theta", nz, nx), again("again", nz, nx);
  float1d noise("noise", nx);
  auto perturb = [&](real2d const &t) {
    parallel_for("perturb", Bounds<2>(nz, nx), YAKL_LAMBDA(int k, int i) {
      yakl::Random rand(static_cast<unsigned long long>(k * nx + i));
      t(k, i) = 300 + rand.genFP<double>(-1, 1);
    });
  };
  perturb(theta);
  perturb(again);
  parallel_for("noise", Bounds<1>(nx), YAKL_LAMBDA(int i) {
    yakl::Random rand(static_cast<unsigned long long>(i));
    rand.gen();
    noise(i) = rand.genFP<float>();
  });
  yakl::fence();
  double sum = 0, squares = 0;
  int differ = 0;
  std::set<double> distinct;
  for (int k = 0; k < nz; k++)
    for (int i = 0; i < nx; i++) {
      double const x = theta(k, i) - 300;
      expect(x > -1 && x < 1, "between the bounds");
      sum += x;
      squares += x * x;
      distinct.insert(x);
      differ += theta(k, i) != again(k, i);
    }
  double const n = nz * nx;
  expect(differ == 0, "the same in each run");
  expect(sum / n < 0.008 && sum / n > -0.008, "the mean");
  expect(squares / n > 0.328 && squares / n < 0.339, "the variance");
  expect(distinct.size() > 0.999 * n, "seeds give different numbers");
  for (int i = 0; i < nx; i++) expect(noise(i) > 0 && noise(i) < 1, "float between 0 and 1");
}

static void host() {
  yakl::Random a, b(1368976481L), c(7);
  expect(a.gen() == b.gen(), "the seed that YAKL has if none is given");
  unsigned long long const first = c.gen(), second = c.gen();
  expect(first != second, "numbers follow one another");
  yakl::Random copy(c), other(99);
  other = c;
  unsigned long long const third = c.gen();
  expect(copy.gen() == third && other.gen() == third, "a copy goes on where it was made");
  c.set_seed(7);
  expect(c.gen() == first && c.gen() == second && c.gen() == third, "a seed begins again");
  std::vector<int> hits(16);
  for (int i = 0; i < 160000; i++) hits[static_cast<std::size_t>(c.gen() >> 60)]++;
  for (int h : hits) expect(h > 9500 && h < 10500, "upper bits are even");
  for (int i = 0; i < 100000; i++) {
    double const x = c.genFP<double>();
    expect(x > 0 && x < 1, "double between 0 and 1");
  }
  expect(c.genFP<double>(3, 3) == 3, "equal bounds");
}

int main() {
  yakl::init();
  kernels();
  host();
  yakl::finalize();
  return failures != 0;
}
