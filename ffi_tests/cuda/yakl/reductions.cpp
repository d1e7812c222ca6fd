// reductions.cpp - kernels of portable.hpp that nvcc compiles: reductions with the bits of the host, in blocks and over whole index spaces, scratch of a team,
// function objects, kernels that throw. Without nvcc it is a program of the host.
// Not in this file: names of YAKL (../../yakl/device.cpp).
#include <portable.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "../../yakl/expect.h"

using portable::memDevice;
using portable::c::Bounds;
typedef portable::Array<double, 2, memDevice> Real2d;

static bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// One reduction of each kind, where config says.
struct Results {
  double sum, product, least, most, wide;
  float wide_result;
  int whole;
  bool any, all;
  portable::Loc<double> where, where_most;
};
static Results reduce(const Real2d &a, int nj, int ni, const portable::LaunchConfig &config) {
  Results r{};
  portable::parallel_reduce("sums", Bounds<2>(nj, {0, ni - 1, 2}), PORTABLE_LAMBDA(int j, int i, double &s, double &p, int &n) {
    s += a(j, i);
    p *= 1 + a(j, i) * 1e-6;
    n += 1;
  }, config, portable::Sum<double>(r.sum), portable::Product<double>(r.product), portable::Sum<int>(r.whole));
  portable::parallel_reduce("ends", Bounds<2, portable::Order::first_fastest>(nj, ni), PORTABLE_LAMBDA(int j, int i, double &l, double &m, portable::MinLoc<double>::Local &w, portable::MaxLoc<double>::Local &x) {
    if (a(j, i) < l) l = a(j, i);
    if (a(j, i) > m) m = a(j, i);
    w.take(a(j, i), i + ni * j);
    x.take(-a(j, i), i + ni * j);
  }, config, portable::Min<double>(r.least), portable::Max<double>(r.most), portable::MinLoc<double>(r.where), portable::MaxLoc<double>(r.where_most));
  portable::parallel_reduce("truth", Bounds<2>(nj, ni), PORTABLE_LAMBDA(int j, int i, bool &y, bool &z, double &w) {
    y = y || a(j, i) > 1e9;
    z = z && a(j, i) == a(j, i);
    w += a(j, i);
  }, config, portable::Any<>(r.any), portable::All<>(r.all), portable::WideSum<float>(r.wide_result));
  return r;
}

static void reductions() {
  portable::LaunchConfig host, here;
  host.set_device(1);
  const int sizes[][2] = {{1, 1}, {7, 301}, {130, 1000}};
  for (const auto &n : sizes) {
    const int nj = n[0], ni = n[1];
    Real2d a("a", nj, ni);
    portable::parallel_for("values", Bounds<2>(nj, ni), PORTABLE_LAMBDA(int j, int i) { a(j, i) = 1. / (1 + (i * 37 + j * 101) % 1009) - 0.01; });
    portable::fence();
    const Results there = reduce(a, nj, ni, here), at_host = reduce(a, nj, ni, host);
    EXPECT(same(there.sum, at_host.sum) && same(there.product, at_host.product) && there.whole == at_host.whole && there.whole == nj * ((ni + 1) / 2));
    EXPECT(same(there.least, at_host.least) && same(there.most, at_host.most) && there.where.index == at_host.where.index && same(there.where.value, at_host.where.value));
    EXPECT(there.where_most.index == there.where.index && there.any == at_host.any && there.all && at_host.all && there.wide_result == at_host.wide_result);
  }
  // Into an earlier value, into a live-out, of nothing, by the host alone, and of a kernel that is too long for parameters.
  const int n = 5000;
  double sum = 10;
  portable::parallel_reduce("into", Bounds<1>(n), PORTABLE_LAMBDA(int i, double &s) { s += i; }, portable::Sum<double>(sum).into());
  EXPECT(sum == 10 + n * (n - 1.) / 2);
  portable::ScalarLiveOut<double> out(0.);
  portable::parallel_reduce("live-out", Bounds<1>(n), PORTABLE_LAMBDA(int i, double &s) { s += 2 * i; }, portable::Sum<double>(out));
  EXPECT(out.hostRead() == n * (n - 1.));
  portable::parallel_reduce("nothing", Bounds<1>(0), PORTABLE_LAMBDA(int i, double &s) { s += i; }, portable::Sum<double>(sum));
  EXPECT(sum == 0);
  double exact = 1;
  portable::parallel_reduce("exact", Bounds<1>(n), [](int, portable::ExactSum<double>::Local &s) { s += 0.1; }, portable::ExactSum<double>(exact));
  EXPECT(std::abs(exact - 500) < 1e-10);
  portable::SArray<double, 1, 600> table(2.);
  portable::parallel_reduce("large", Bounds<1>(n), PORTABLE_LAMBDA(int i, double &s) { s += table(i % 600); }, portable::Sum<double>(sum));
  EXPECT(sum == 2 * n);
}

// Rows in scratch memory, and their sums in the order of the indices.
static void teams() {
  const int nj = 6, ni = 333;
  Real2d a("a", nj, ni), b("b", nj, ni);
  portable::Array<double, 2, memDevice> totals("totals", nj, 3);
  portable::parallel_for("values", Bounds<2>(nj, ni), PORTABLE_LAMBDA(int j, int i) { a(j, i) = 0.1 * i - 3 * j; });
  const auto rows = PORTABLE_LAMBDA(int j, portable::InnerHandler inner) {
    double *const line = inner.scratch<double>(ni);
    portable::c::parallel_inner(ni, [&](int i) { line[i] = a(j, i); }, inner);
    portable::fence_inner(inner);
    portable::c::parallel_inner(ni, [&](int i) { b(j, i) = line[ni - 1 - i]; }, inner);
    const double sum = portable::inner_sum(Bounds<1>(ni), [&](int i) { return line[i] * 0.3; }, inner);
    const double least = portable::inner_min(Bounds<1>(ni), [&](int i) { return line[i]; }, inner), most = portable::inner_max(Bounds<1>(ni), [&](int i) { return line[i]; }, inner);
    portable::single_inner([&] {
      totals(j, 0) = sum;
      totals(j, 1) = least;
      totals(j, 2) = most;
    }, inner);
  };
  portable::OuterConfig config;
  config.set_scratch(ni * sizeof(double));
  portable::parallel_outer("rows", Bounds<1>(nj), rows, config);
  const auto reversed = b.createHostCopy();
  const auto there = totals.createHostCopy();
  bool right = true;
  for (int j = 0; j < nj; j++) {
    double sum = 0;
    for (int i = 0; i < ni; i++) {
      const double x = 0.1 * i - 3 * j;
      sum += x * 0.3;
      right = right && same(reversed(j, ni - 1 - i), x);
    }
    right = right && same(there(j, 0), sum) && there(j, 1) == -3. * j && there(j, 2) == 0.1 * (ni - 1) - 3 * j;
  }
  EXPECT(right);
  // More threads than a block has, and more scratch than the usual 48 KiB; then more than there is.
  config.set_scratch(60 * 1024);
  portable::parallel_outer("long", Bounds<1>(nj), rows, config);
  portable::OuterConfig wide(portable::LaunchConfig().set_inner_size(2000));
  wide.set_scratch(ni * sizeof(double));
  portable::parallel_outer("wide", Bounds<1>(nj), rows, wide);
  portable::fence();
  EXPECT(same(totals.createHostCopy()(5, 0), there(5, 0)));
  std::string text;
  try {
    portable::parallel_outer("too much", Bounds<1>(nj), rows, portable::OuterConfig().set_scratch(std::size_t(1) << 30));
  } catch (const portable::Error &e) {
    text = e.what();
  }
  EXPECT(text.find("too much") != std::string::npos && text.find("scratch") != std::string::npos);
}

// A function object, of which the program says that nvcc compiles it for both sides.
struct Fill {
  using runs_on_device = std::true_type;
  Real2d to;
  double value;
  PORTABLE__HOST_DEVICE void operator()(int j, int i) const { to(j, i) = value + i + j; }
};
struct OnHost {
  double *to;
  void operator()(int i) const { to[i] = i; }
};

static void objects() {
  Real2d a("a", 4, 50);
  double plain[20] = {};
  portable::parallel_for("object", Bounds<2>(4, 50), Fill{a, 3});
  portable::parallel_for("host", Bounds<1>(20), OnHost{plain});
  portable::parallel_for("plain", Bounds<1>(20), [&](int i) { plain[i] += 1; });
  const portable::StridedArray<double, 2, memDevice> strided = portable::section(a, portable::ALL, portable::Part(0, 24));
  portable::parallel_for("strided", Bounds<2>(4, 25), PORTABLE_LAMBDA(int j, int i) { strided(j, i) += 1000; });
  const auto b = a.createHostCopy();
  EXPECT(b(3, 24) == 1030 && b(3, 25) == 31);
  EXPECT(b(3, 49) == 55 && plain[19] == 20);
  std::string text;
  try {
    portable::parallel_for("stride", Bounds<1>({0, 5, 0}), PORTABLE_LAMBDA(int i) { a(0, i) = 0; });
  } catch (const portable::Error &e) {
    text = e.what();
  }
  EXPECT(text.find("stride") != std::string::npos);
  text.clear();
  try {
    portable::parallel_for("throws", Bounds<1>(20), [](int i) { if (i == 7) throw std::runtime_error("seven"); });
  } catch (const std::runtime_error &e) {
    text = e.what();
  }
  EXPECT(text == "seven");
}

int main() {
  portable::init();
  reductions();
  teams();
  objects();
  portable::fence();
  portable::finalize();
  return checks::failures != 0;
}
