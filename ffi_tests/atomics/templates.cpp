// templates.cpp - atomicAdd, atomicMin, atomicMax from C++: every type they are for, old values, and a histogram in a launch.
// Not in this file: NaN, zeros and many updates at once (atomics.c).
#include "portable.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

static int failures;
#define CHECK(condition) ((condition) ? void() : (failures++, void(std::printf("%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition))))

using portable::atomicAdd;
using portable::atomicMax;
using portable::atomicMin;

// Gives what the three do to one value after another, against plain arithmetic.
template <class T> static void one_type() {
  T x = 10;
  CHECK(!(atomicAdd(x, 5) < 10) && x == T(15));
  CHECK(atomicMin(x, 20) == T(15) && x == T(15));
  CHECK(atomicMin(x, 3) == T(15) && x == T(3));
  CHECK(atomicMax(x, 1) == T(3) && x == T(3));
  CHECK(atomicMax(x, 100) == T(3) && x == T(100));
}

static void nan_is_left_out() {
  double x = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(atomicMin(x, 2.0)) && x > 1.5 && x < 2.5);
  atomicMax(x, std::numeric_limits<double>::quiet_NaN());
  CHECK(x > 1.5 && x < 2.5);
}

static void histogram() {
  constexpr int n = 20000, bins = 16;
  std::vector<int> count(bins);
  std::vector<double> weight(bins);
  double least = 1e9;
  long long most = -1;
  int *c = count.data();
  double *w = weight.data();
  portable::c::parallel_for("histogram", n, [=, &least, &most](int i) {
    atomicAdd(c[i % bins], 1);
    atomicAdd(w[i % bins], 0.25); // exact, so the order does not show
    atomicMin(least, -0.5 * i);
    atomicMax(most, i * 1000000000000ll);
  });
  for (int b = 0; b < bins; b++) CHECK(count[static_cast<unsigned>(b)] == n / bins && weight[static_cast<unsigned>(b)] == n / bins * 0.25);
  CHECK(least == -0.5 * (n - 1) && most == (n - 1) * 1000000000000ll);
}

int main() {
  one_type<int>();
  one_type<unsigned>();
  one_type<long>();
  one_type<unsigned long>();
  one_type<long long>();
  one_type<std::uint64_t>();
  one_type<float>();
  one_type<double>();
  nan_is_left_out();
  portable::check(portable_init(nullptr));
  for (int round = 0; round < 20; round++) histogram();
  portable::check(portable_finalize());
  return failures != 0;
}
