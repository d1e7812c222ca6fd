// handlers.cpp - parallel_outer and the inner calls from C++, under YAKL's names: results against serial loops, scratch, exceptions.
// Not in this file: what C shows already (teams.c).
#include "portable.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

static int failures;
#define CHECK(condition) ((condition) ? void() : (failures++, void(std::printf("%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition))))

using portable::InnerHandler;
using portable::OuterConfig;

template <class F> static bool fails(F f, portable_status status, const char *part) {
  try {
    f();
  } catch (const portable::Error &e) {
    if (e.status() == status && std::strstr(e.what(), part)) return true;
    std::printf("%s (%d)\n", e.what(), static_cast<int>(e.status()));
  }
  return false;
}

// YAKL's example of the two levels: a vertical sum in each column, then what depends on it. Two-dimensional outside and inside.
static void columns() {
  using namespace portable::c;
  constexpr int ny = 9, nx = 13, nz = 300, pairs = 4; // nz is longer than a block of 128
  std::vector<double> q(ny * nx * nz * pairs), expected(q.size());
  for (std::size_t i = 0; i < q.size(); i++) q[i] = expected[i] = std::sin(static_cast<double>(i));
  double *p = q.data();
  parallel_outer("columns", Bounds<2>(ny, nx), [=](int j, int i, InnerHandler inner) {
    double *column = p + (j * nx + i) * nz * pairs;
    double *mean = inner.scratch<double>(pairs), *count = inner.scratch<double>(1, pairs * sizeof(double));
    single_inner([=] { *count = nz; }, inner);
    parallel_inner(pairs, [=](int l) {
      mean[l] = 0;
      for (int k = 0; k < nz; k++) mean[l] += column[k * pairs + l];
    }, inner);
    fence_inner(inner);
    parallel_inner(Bounds<2>(nz, pairs), [=](int k, int l) { column[k * pairs + l] -= mean[l] / *count; }, inner);
  }, OuterConfig(portable::LaunchConfig().set_inner_size(128)).set_scratch((pairs + 1) * sizeof(double)));
  for (int c = 0; c < ny * nx; c++)
    for (int l = 0; l < pairs; l++) {
      double mean = 0;
      auto at = [&](int k) -> double & { return expected[static_cast<std::size_t>((c * nz + k) * pairs + l)]; };
      for (int k = 0; k < nz; k++) mean += at(k);
      for (int k = 0; k < nz; k++) at(k) -= mean / nz;
    }
  CHECK(std::memcmp(q.data(), expected.data(), q.size() * sizeof(double)) == 0);
}

// From 1 on, with strides, the first index fastest, and 64-bit indices.
static void spaces() {
  namespace f = portable::fortran;
  std::vector<int> times(11 * 11);
  int *t = times.data();
  f::parallel_outer("outer", 11, [=](int j, InnerHandler inner) { f::parallel_inner({1, 11, 2}, [=](int i) { t[(j - 1) * 11 + i - 1]++; }, inner); });
  for (std::size_t i = 0; i < times.size(); i++) CHECK(times[i] == (i % 11 % 2 == 0));
  std::vector<long> order;
  portable::parallel_outer(f::Bounds<1, portable::Order::last_fastest, std::int64_t>(std::int64_t{1}), [&](std::int64_t, InnerHandler inner) {
    portable::parallel_inner(f::Bounds<2, portable::Order::first_fastest, std::int64_t>({1, 3, 2}, {5, 6}),
                             [&](std::int64_t i, std::int64_t j) { order.push_back(10 * i + j); }, inner);
    portable::parallel_inner(f::Bounds<2, portable::Order::last_fastest, std::int64_t>({5, 4}, {1, 3}),
                             [&](std::int64_t, std::int64_t) { order.push_back(-1); }, inner);
  });
  CHECK((order == std::vector<long>{15, 35, 16, 36}));
  /* From end to end of the integer: the distance does not fit it. */
  const std::int64_t low = std::numeric_limits<std::int64_t>::min(), step = std::int64_t{3} << 59;
  std::vector<std::int64_t> seen;
  portable::parallel_outer(f::Bounds<1>(1), [&](int, InnerHandler inner) {
    portable::parallel_inner(f::Bounds<1, portable::Order::last_fastest, std::int64_t>({low, -(low + 2), step}),
                             [&](std::int64_t i) { seen.push_back(i); }, inner);
  });
  CHECK(seen.size() == 11);
  for (std::size_t k = 0; k < seen.size(); k++) CHECK(static_cast<std::uint64_t>(seen[k]) == (std::uint64_t{1} << 63) + k * static_cast<std::uint64_t>(step));
}

static void sums() {
  using namespace portable::c;
  std::vector<double> out(3 * 50);
  double *o = out.data();
  parallel_outer("sums", 50, [=](int j, InnerHandler inner) {
    auto f = [=](int a, int b) { return a == 3 ? std::nan("") : j + 0.5 * a - b; };
    o[3 * j] = portable::inner_sum(Bounds<1>(1000), [=](int k) { return 1.0 / (j + k + 1); }, inner);
    o[3 * j + 1] = portable::inner_min(Bounds<2>(4, 7), f, inner);
    o[3 * j + 2] = portable::inner_max(Bounds<2>(4, 7), f, inner);
    if (portable::inner_sum(Bounds<1>(0), [](int k) { return k; }, inner) != 0) throw std::logic_error("a sum of nothing");
  });
  parallel_outer("ends", 1, [](int, InnerHandler inner) {
    const double infinity = std::numeric_limits<double>::infinity();
    const auto above = [=](int) { return infinity; };
    const auto below = [=](int) { return -infinity; };
    const auto small = [](int k) { return static_cast<short>(k - 2); };
    CHECK(portable::inner_min(Bounds<1>(3), above, inner) >= infinity && portable::inner_max(Bounds<1>(3), below, inner) <= -infinity);
    CHECK(std::isfinite(portable::inner_min(Bounds<1>(0), above, inner)) && std::isfinite(portable::inner_max(Bounds<1>(0), below, inner)));
    CHECK(portable::inner_sum(Bounds<1>(6), small, inner) == 3 && portable::inner_min(Bounds<1>(6), small, inner) == -2 &&
          portable::inner_max(Bounds<1>(6), small, inner) == 3 && portable::inner_max(Bounds<1>(0), small, inner) == -32768);
  });
  for (int j = 0; j < 50; j++) {
    double sum = 0;
    for (int k = 0; k < 1000; k++) sum += 1.0 / (j + k + 1);
    const double *row = o + 3 * j;
    CHECK(std::memcmp(row, &sum, sizeof sum) == 0 && row[1] == j - 6.0 && row[2] == j + 1.0);
  }
}

static void errors() {
  using namespace portable::c;
  const auto nothing = [](int, InnerHandler) {};
  CHECK(fails([&] { parallel_outer("big", 3, nothing, OuterConfig().set_scratch(PORTABLE_SCRATCH_MAX + 1)); }, PORTABLE_ERR_ARG, "big"));
  CHECK(fails([] { parallel_outer("small", 3, [](int, InnerHandler i) { i.scratch<double>(5); }, OuterConfig().set_scratch(39)); },
              PORTABLE_ERR_ARG, "5 elements of 8 bytes"));
  CHECK(fails([] { parallel_outer("odd", 3, [](int, InnerHandler i) { i.scratch<double>(1, 4); }, OuterConfig().set_scratch(64)); },
              PORTABLE_ERR_ARG, "from byte 4"));
  CHECK(fails([] { parallel_outer("stride", 3, [](int, InnerHandler i) { parallel_inner({0, 5, 0}, [](int) {}, i); }); }, PORTABLE_ERR_ARG,
              "parallel_inner: the stride of dimension 1 is 0"));
  try {
    parallel_outer("throws", 100, [](int j, InnerHandler inner) {
      parallel_inner(10, [=](int k) { if (j == 57 && k == 3) throw std::runtime_error("57, 3"); }, inner);
    });
    CHECK(false);
  } catch (const std::runtime_error &e) {
    CHECK(std::strcmp(e.what(), "57, 3") == 0);
  }
}

int main() {
  portable::check(portable_init(nullptr));
  for (int round = 0; round < 10; round++) columns();
  spaces();
  sums();
  errors();
  portable::check(portable_finalize());
  return failures != 0;
}
