// whole_arrays.cpp - systems and random numbers over Arrays of C++, in both styles: the bits of one system at a time, one matrix, refusals. Not in
// this file: plain pointers, names of YAKL (yakl.cpp).
#include <portable_random.hpp>

#include <cstring>
#include <string>

#include "check.hpp"

using portable::Array;
using portable::memHost;

// The system of column (i, j), solved alone; level is its place in the array.
template <class A, class Place> void column(const A &x, const A &before, const A &low, const A &mid, const A &up, int levels, bool periodic, Place place) {
  using T = typename A::type;
  T a[9], b[9], c[9], y[9], work[18];
  for (int k = 0; k < levels; k++) a[k] = place(low, k), b[k] = place(mid, k), c[k] = place(up, k), y[k] = place(before, k);
  CHECK(portable::tridiagonal_column(levels, 1, a, b, c, y, work, periodic) == 0);
  for (int k = 0; k < levels; k++) {
    const T found = place(x, k);
    CHECK(std::memcmp(&found, &y[k], sizeof found) == 0);
  }
}

template <class T, int style> void systems() {
  using A = Array<T, 3, memHost, style>;
  using One = Array<T, 1, memHost, style>;
  constexpr int first = style == portable::styleC ? 0 : 1;
  const portable::RandomKey key{7};
  const A low("low", 6, 9, 5), mid("mid", 6, 9, 5), up("up", 6, 9, 5), x("x", 6, 9, 5), before("before", 6, 9, 5);
  portable::random_fill("low", key, low);
  portable::random_fill("up", key, up, 1000);
  portable::random_fill("x", key, before, 2000);
  portable::random_fill("mid", key, mid, 3000);
  for (portable::index_t k = 0; k < mid.size(); k++) mid.data()[k] += 3;
  T third;
  CHECK((portable_random_real64(key.key, 2002, 0) == static_cast<double>(before.data()[2])) == (sizeof(T) == 8));
  third = sizeof(T) == 8 ? static_cast<T>(portable_random_real64(key.key, 2002, 0)) : static_cast<T>(portable_random_real32(key.key, 2002, 0));
  CHECK(before.data()[2] == third);
  for (const bool periodic : {false, true}) {
    before.deep_copy_to(x);
    portable::solve_tridiagonal("heat", low, mid, up, x, first + 1, periodic);
    for (int i = first; i < first + 6; i++)
      for (int j = first; j < first + 5; j++) column(x, before, low, mid, up, 9, periodic, [=](const A &a, int k) { return a(i, first + k, j); });
    // One matrix: that of column (first, first).
    const One a("a", 9), b("b", 9), c("c", 9);
    const A same_low("low", 6, 9, 5), same_mid("mid", 6, 9, 5), same_up("up", 6, 9, 5);
    for (int i = first; i < first + 6; i++)
      for (int k = first; k < first + 9; k++)
        for (int j = first; j < first + 5; j++) {
          same_low(i, k, j) = a(k) = low(first, k, first);
          same_mid(i, k, j) = b(k) = mid(first, k, first);
          same_up(i, k, j) = c(k) = up(first, k, first);
        }
    before.deep_copy_to(x);
    portable::solve_tridiagonal("heat", a, b, c, x, first + 1, periodic);
    const A each("each", 6, 9, 5);
    before.deep_copy_to(each);
    portable::solve_tridiagonal("heat", same_low, same_mid, same_up, each, first + 1, periodic);
    CHECK(std::memcmp(x.data(), each.data(), static_cast<std::size_t>(x.size()) * sizeof(T)) == 0);
    // Five diagonals whose outer ones are 0 are three.
    const A none("none", 6, 9, 5);
    for (portable::index_t k = 0; k < none.size(); k++) none.data()[k] = 0;
    before.deep_copy_to(each);
    portable::solve_pentadiagonal("heat", none, same_low, same_mid, same_up, none, each, first + 1, periodic);
    for (portable::index_t k = 0; k < x.size(); k++) CHECK(std::abs(x.data()[k] - each.data()[k]) < T(1e-5));
  }
  // Refusals say which array and what was found; nothing is changed.
  const A other("other", 6, 8, 5), missing;
  const One few("few", 8);
  before.deep_copy_to(x);
  const auto error = [&](auto call) { return checks::error_of(call); };
  const std::string shape = error([&] { portable::solve_tridiagonal("heat", low, other, up, x, first + 1); });
  CHECK(shape.find("'other'") != std::string::npos && shape.find("dimension 2 is 8, and that of 'x' is 9") != std::string::npos);
  const std::string rows = error([&] { portable::solve_tridiagonal("heat", few, few, few, x, first + 1); });
  CHECK(rows.find("'few'") != std::string::npos && rows.find("8 elements; the systems have 9 rows, which is extent 2 of 'x'") != std::string::npos);
  const std::string dim = error([&] { portable::solve_tridiagonal("heat", low, mid, up, x, first + 3); });
  CHECK(dim.find("solve_tridiagonal of dimension " + std::to_string(first + 3) + "; the array has " + std::to_string(first)) != std::string::npos);
  const std::string twice = error([&] { portable::solve_tridiagonal("heat", low, x, up, x, first + 1); });
  CHECK(twice.find("overlaps diag") != std::string::npos);
  const std::string gone = error([&] { portable::solve_tridiagonal("heat", low, missing, up, x, first + 1); });
  CHECK(gone.find("no elements yet") != std::string::npos);
  const std::string nothing = error([&] { portable::random_fill("noise", key, missing); });
  CHECK(nothing.find("random_fill of an array that has no elements yet") != std::string::npos);
  CHECK(std::memcmp(x.data(), before.data(), static_cast<std::size_t>(x.size()) * sizeof(T)) == 0);
}

int main() {
  return checks::run([] {
    systems<double, portable::styleC>();
    systems<float, portable::styleC>();
    systems<double, portable::styleFortran>();
    systems<float, portable::styleFortran>();
  });
}
