// yakl_rules.cpp - two rules of YAKL version 1 that programs rely on without a name: abs of any number without a namespace, and how often loops
// with a stride run. In this file: all arithmetic types; ranks 1 to 8, both styles, outer and inner loops. With the argument `warned` one loop
// under PORTABLE_CHECK=launch, whose warning the test looks for.
#include "YAKL.h"

#include <cstdio>
#include <cstring>
#include <type_traits>

static int failures = 0;

static void expect(bool right, char const *what, int rank = 0) {
  if (right) return;
  failures++;
  std::printf("wrong: %s, rank %d\n", what, rank);
}

// As programs of YAKL's write it: no std::, and no using.
template <class T> static void abs_of(T below, T above, char const *what) {
  const auto x = abs(below);
  expect(x == above, what);
}

static void all_abs() {
  abs_of<float>(-0.75f, 0.75f, "abs(float)");
  abs_of<double>(-0.75, 0.75, "abs(double)");
  abs_of<long double>(-0.75L, 0.75L, "abs(long double)");
  abs_of<signed char>(-7, 7, "abs(signed char)");
  abs_of<short>(-7, 7, "abs(short)");
  abs_of<int>(-7, 7, "abs(int)");
  abs_of<long>(-70000000000L, 70000000000L, "abs(long)");
  abs_of<long long>(-70000000000LL, 70000000000LL, "abs(long long)");
  static_assert(std::is_same<decltype(abs(-0.75)), double>::value && std::is_same<decltype(abs(-0.75f)), float>::value, "abs keeps the type");
}

// One dimension: its bounds, and the iterations that YAKL runs there.
struct Loop {
  int lower, upper, stride;
  int runs() const { return (upper - lower + 1) / stride; }
};

// An index is one of YAKL's.
static bool belongs(Loop const &loop, int i) { return i >= loop.lower && (i - loop.lower) % loop.stride == 0 && (i - loop.lower) / loop.stride < loop.runs(); }

template <class F, class... I> static void visit(F const &one, I... i) {
  int const index[] = {i...};
  one(index);
}

template <template <int, bool> class Bounds, int N, std::size_t... d, class Launch>
static void rank_of(Loop const *loops, char const *what, std::index_sequence<d...>, Launch const &launch) {
  int calls = 0, outside = 0, expected = 1;
  for (int k = 0; k < N; k++) expected *= loops[k].runs();
  Bounds<N, false> const bounds({loops[d].lower, loops[d].upper, loops[d].stride}...);
  auto const one = [&](int const *index) {
    calls++;
    for (int k = 0; k < N; k++) outside += !belongs(loops[k], index[k]);
  };
  launch(bounds, [&](auto... i) { visit(one, i...); });
  expect(calls == expected && outside == 0 && bounds.count() == expected, what, N);
}

template <template <int, bool> class Bounds, int N, class Launch> static void ranks(Loop const *loops, char const *what, Launch const &launch) {
  rank_of<Bounds, N>(loops, what, std::make_index_sequence<N>(), launch);
  if constexpr (N > 1) ranks<Bounds, N - 1>(loops, what, launch);
}

static void all_ranks() {
  // Strides that divide, that do not, that are longer than the loop; and a loop over nothing.
  Loop const some[] = {{0, 4, 2}, {1, 5, 2}, {-3, 3, 3}, {2, 3, 1}, {1, 4, 4}, {0, 2, 2}, {5, 9, 3}, {0, 1, 2}};
  Loop const none[] = {{0, 4, 10}, {1, 4, 2}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  auto const serial = [](auto const &bounds, auto const &f) { yakl::c::parallel_for("serial", bounds, f); };
  auto const inner = [](auto const &bounds, auto const &f) {
    yakl::fortran::parallel_outer("outer", yakl::fortran::Bounds<1>(1), [&](int, yakl::InnerHandler handler) { yakl::fortran::parallel_inner(bounds, f, handler); });
  };
  ranks<yakl::c::Bounds, 8>(some, "c::Bounds", serial);
  ranks<yakl::fortran::Bounds, 8>(some, "fortran::Bounds", serial);
  ranks<yakl::c::Bounds, 8>(none, "c::Bounds that are shorter than their stride", serial);
  ranks<yakl::c::Bounds, 8>(some, "inner loops", inner);
  int calls = 0;
  yakl::c::parallel_for("one dimension", {0, 4, 2}, [&](int) { calls++; });
  yakl::fortran::parallel_for("one dimension", {1, 5, 2}, [&](int) { calls++; });
  yakl::c::parallel_for({0, 4, 2}, [&](int) { calls++; });
  yakl::fortran::parallel_for({1, 5, 2}, [&](int) { calls++; });
  yakl::c::parallel_outer("outer", {0, 4, 2}, [&](int, yakl::InnerHandler handler) { yakl::c::parallel_inner({0, 4, 2}, [&](int) { calls++; }, handler); });
  expect(calls == 12, "one dimension in braces", 1);
  yakl::fortran::parallel_for("a count", 3, [&](int) { calls++; });
  expect(calls == 15, "a count", 1);
}

// The last element of a row of 5 belongs to no loop of {0, 4, 2}.
static void arrays() {
  yakl::Array<int, 2, yakl::memHost, yakl::styleC> a("a", 2, 5);
  a = 0;
  yakl::c::parallel_for("every second", yakl::c::Bounds<2>(2, {0, 4, 2}), YAKL_LAMBDA(int j, int i) { a(j, i) = 1; });
  expect(yakl::intrinsics::sum(a) == 4 && a(0, 4) == 0 && a(1, 4) == 0, "an array");
}

int main(int argc, char **argv) {
  yakl::init();
  if (argc > 1 && std::strcmp(argv[1], "warned") == 0) {
    arrays();
  } else {
    all_abs();
    all_ranks(); // counts without atomics: on the device `serial`
    arrays();
  }
  yakl::finalize();
  return failures != 0;
}
