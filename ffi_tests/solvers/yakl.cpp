// yakl.cpp - solvers of C++: whole arrays, one system, and YAKL's names for small arrays, all with the bits of portable_solvers.h; exceptions.
#include <YAKL_pentadiagonal.h>
#include <YAKL_tridiagonal.h>

#include <cstring>
#include <vector>

#include "check.hpp"

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

static void inverse() {
  yakl::SArray<double, 2, 3, 3> a;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) a(i, j) = i == j ? 0 : i + 2 * j; // rows are exchanged
  const auto product = yakl::intrinsics::matmul_rc(yakl::intrinsics::matinv(a), a);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) CHECK(std::abs(product(i, j) - (i == j)) < 1e-14);
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
