// yakl.cpp - solvers of C++: whole arrays, one system, and YAKL's names for small arrays, all with the bits of portable_solvers.h; exceptions.
#include <YAKL_pentadiagonal.h>
#include <YAKL_tridiagonal.h>

#include <cstring>
#include <vector>

#include "check.hpp"
#include "inverses.h"

template <class T> T number() {
  static std::uint64_t state = 5;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<T>(state >> 40) / static_cast<T>(1 << 24);
}

template <class T> void small() {
  constexpr unsigned n = 12;
  yakl::SArray<T, 1, n> a, b, c, d, e, f, x;
  T y[n], work[4 * n];
  for (int turn = 0; turn < 4; turn++) {
    for (unsigned i = 0; i < n; i++) {
      a(i) = number<T>(), b(i) = number<T>(), c(i) = number<T>() + T(6), d(i) = number<T>(), e(i) = number<T>(), f(i) = number<T>();
      y[i] = x(i) = f(i);
    }
    const bool periodic = turn % 2 == 1;
    if (turn < 2) {
      CHECK(portable::tridiagonal_column(n, 1, b.data(), c.data(), d.data(), y, work, periodic) == 0);
      if (periodic)
        yakl::tridiagonal_periodic(b, c, d, x);
      else
        yakl::tridiagonal(b, c, d, x);
      for (unsigned i = 0; i < n; i++) {
        const T left = b(i) * x((i + n - 1) % n), right = d(i) * x((i + 1) % n), sum = (periodic || i > 0 ? left : T(0)) + c(i) * x(i) + (periodic || i < n - 1 ? right : T(0));
        CHECK(std::abs(sum - f(i)) < T(sizeof(T) == 4 ? 1e-6 : 1e-14));
      }
    } else {
      CHECK(portable::pentadiagonal_column(n, 1, a.data(), b.data(), c.data(), d.data(), e.data(), y, work, periodic) == 0);
      if (periodic)
        yakl::pentadiagonal_periodic(a, b, c, d, e, f, x);
      else
        yakl::pentadiagonal(a, b, c, d, e, f, x);
    }
    CHECK(std::memcmp(x.data(), y, sizeof y) == 0);
  }
}

template <class T> void whole() {
  const std::int64_t extents[2] = {50, 40};
  std::vector<T> low(2000), mid(2000), up(2000), x(2000), y(40), work(160);
  for (std::size_t i = 0; i < 2000; i++) low[i] = number<T>(), mid[i] = number<T>() + T(5), up[i] = number<T>(), x[i] = number<T>();
  portable_solve_options o = PORTABLE_SOLVE_OPTIONS_INIT;
  o.dim = 2;
  for (int five = 0; five < 2; five++) {
    std::memcpy(y.data(), &x[7 * 40], 40 * sizeof(T));
    if (five) {
      portable::solve_pentadiagonal("five", low.data(), up.data(), mid.data(), low.data(), up.data(), x.data(), 2, extents, &o);
      portable::pentadiagonal_column(40, 1, &low[280], &up[280], &mid[280], &low[280], &up[280], y.data(), work.data());
    } else {
      portable::solve_tridiagonal("three", low.data(), mid.data(), up.data(), x.data(), 2, extents, &o);
      portable::tridiagonal_column(40, 1, &low[280], &mid[280], &up[280], y.data(), work.data());
    }
    CHECK(std::memcmp(y.data(), &x[7 * 40], 40 * sizeof(T)) == 0);
  }
  const std::string text = checks::error_of([&] { portable::solve_tridiagonal("three", low.data(), mid.data(), up.data(), mid.data(), 2, extents, &o); });
  CHECK(text.find("overlaps diag") != std::string::npos);
}

static void add(std::uint64_t *sum, double x) { inverses_add64(sum, x); }
static void add(std::uint64_t *sum, float x) { inverses_add32(sum, x); }

// The matrices of inverses.c, of n rows to 8, in both styles.
template <class T, int n> void inverses(std::uint64_t *sum, std::uint64_t *fortran) {
  yakl::SArray<T, 2, n, n> a;
  yakl::FSArray<T, 2, yakl::SB<n>, yakl::SB<n>> f;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      f(i, j) = a(i - 1, j - 1) = i == j && i < 2 ? 0 : static_cast<T>((17 * i * i + 29 * j + 11 * i * j * j * j + n) % 101 - 50) / 8;
  const auto of_a = yakl::intrinsics::matinv(a);
  const auto of_f = yakl::intrinsics::matinv_ge(f);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) add(sum, of_a(i, j)), add(fortran, of_f(i + 1, j + 1));
  if constexpr (n < 8) inverses<T, n + 1>(sum, fortran);
}

static void inverse() {
  std::uint64_t c = INVERSES_BEGIN, fortran = INVERSES_BEGIN;
  inverses<double, 2>(&c, &fortran);
  CHECK(c == INVERSES_SUM64 && fortran == INVERSES_SUM64);
  c = fortran = INVERSES_BEGIN;
  inverses<float, 2>(&c, &fortran);
  CHECK(c == INVERSES_SUM32 && fortran == INVERSES_SUM32);
  const auto none = yakl::intrinsics::matinv(yakl::SArray<double, 2, 2, 2>(0.));
  CHECK(none(0, 0) != none(0, 0) && none(1, 0) != none(1, 0));
}

int main() {
  return checks::run([] {
    inverse();
    small<double>();
    small<float>();
    whole<double>();
    whole<float>();
  });
}
