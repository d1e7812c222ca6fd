// loops.cpp - LoopSpec, Bounds, SimpleBounds, Config and parallel_for of YAKL's HEAD, both styles; atomics of Kokkos.
// Not in this file: autotune (tuning.cpp).
#include "../expect.h"
#include "YAKL.h"

using yakl::Array;
using yakl::Bounds;
using yakl::Bounds_F;
using yakl::LoopSpec;
using yakl::LoopSpec_F;
using yakl::parallel_for;
using yakl::parallel_for_F;
using yakl::SimpleBounds;
using yakl::SimpleBounds_F;

static void specs() {
  static_assert(LoopSpec::is_cstyle && !LoopSpec::is_fstyle && LoopSpec_F::is_fstyle && !std::is_same_v<LoopSpec, LoopSpec_F>);
  static_assert(!std::is_constructible_v<Bounds<1>, LoopSpec_F>);
  LoopSpec const n(5), part(-4, 4, 2), uneven(0, 9, 4);
  EXPECT(n.l == 0 && n.u == 4 && n.s == 1 && n.index_range() == 5 && part.index_range() == 5 && part.valid() && !LoopSpec().valid());
  EXPECT(uneven.index_range() == 3 && LoopSpec(4, 4, 3).index_range() == 1); // as Fortran's DO, which YAKL's version 1 does not
  EXPECT(LoopSpec_F(5).l == 1 && LoopSpec_F(5).u == 5 && LoopSpec_F(-3, 7, 2).index_range() == 6);
}

static void bounds() {
  Bounds<3> const b({-1, 1}, 4, {2, 9, 3});
  EXPECT(b.nIter == 36 && b.offs[0] == 12 && b.offs[1] == 3 && b.offs[2] == 1 && b.lbounds[0] == -1 && b.lbounds[2] == 2 && b.strides[2] == 3);
  yakl::index_t k, j, i;
  b.unpack(35, k, j, i);
  EXPECT(k == 1 && j == 3 && i == 8);
  b.unpack(4, k, j, i);
  EXPECT(k == -1 && j == 1 && i == 5);
  SimpleBounds_F<2> const s(3, 4);
  yakl::uindex_t y, x;
  s.unpack(5, y, x);
  EXPECT(s.nIter == 12 && y == 2 && x == 2);
  SimpleBounds<2>(3, 4).unpack(5, y, x);
  EXPECT(y == 1 && x == 1);
}

// Each index once, and no other one: places in a field around the bounds.
template <int N, class B, class Launch> static void each_once(B const &b, Launch const &launch) {
  Array<int *> seen("seen", 4096);
  launch(seen);
  EXPECT(yakl::intrinsics::sum(seen) == static_cast<int>(b.nIter) && yakl::intrinsics::maxval(seen) == (b.nIter > 0 ? 1 : 0));
}

static void launches() {
  each_once<1>(SimpleBounds<1>(7), [](auto &a) { parallel_for(7, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&a(i), 1); }); });
  each_once<1>(SimpleBounds<1>(7), [](auto &a) { parallel_for_F("f", std::size_t{7}, KOKKOS_LAMBDA(int i) { Kokkos::atomic_inc(&a(i)); }); });
  each_once<2>(Bounds<2>({-3, 4, 3}, {5, 9, 2}), [](auto &a) {
    parallel_for(YAKL_AUTO_LABEL(), Bounds<2>({-3, 4, 3}, {5, 9, 2}), KOKKOS_LAMBDA(ptrdiff_t j, ptrdiff_t i) { Kokkos::atomic_inc(&a((j + 3) * 16 + i)); });
  });
  each_once<3>(SimpleBounds<3>(3, 5, 10), [](auto &a) {
    for (int tile : {1, 2, 4, 8}) {
      a = 0;
      parallel_for("tiles", SimpleBounds<3>(3, 5, 10), KOKKOS_LAMBDA(int k, int j, int i) { Kokkos::atomic_add(&a((k * 5 + j) * 10 + i), 1); },
                   yakl::Config<128>{tile, 2});
    }
  });
  each_once<8>(SimpleBounds<8>(1, 2, 1, 2, 1, 2, 1, 2), [](auto &a) {
    parallel_for(SimpleBounds<8>(1, 2, 1, 2, 1, 2, 1, 2),
                 KOKKOS_LAMBDA(int, int b, int, int d, int, int f, int, int h) { Kokkos::atomic_add(&a(((b * 2 + d) * 2 + f) * 2 + h), 1); }, yakl::Config<>{8});
  });
  each_once<2>(SimpleBounds<2>(0, 7), [](auto &a) { parallel_for("none", SimpleBounds<2>(0, 7), KOKKOS_LAMBDA(int, int) { a(0) = -1; }); });
  each_once<2>(Bounds_F<2>(3, {-2, 2}), [](auto &a) {
    parallel_for_F("both styles", Bounds_F<2>(3, {-2, 2}), KOKKOS_LAMBDA(ptrdiff_t j, ptrdiff_t i) { Kokkos::atomic_inc(&a(j * 8 + i + 2)); }, yakl::Config<64>());
  });
  each_once<2>(SimpleBounds_F<2>(2, 3), [](auto &a) { parallel_for_F(SimpleBounds_F<2>(2, 3), KOKKOS_LAMBDA(int j, int i) { Kokkos::atomic_inc(&a(j * 8 + i)); }); });
}

// The types that kernels are called with, and indices that an int does not hold.
static void types() {
  bool simple = false, general = false, wide = false;
  parallel_for(1, [&](auto i) { simple = std::is_same_v<decltype(i), yakl::uindex_t> && i == 0; });
  parallel_for(Bounds<1>({-1, -1}), [&](auto i) { general = std::is_same_v<decltype(i), yakl::index_t> && i == -1; });
  EXPECT(simple && general);
  if constexpr (yakl::index_bits == 64) {
    std::int64_t const far = std::int64_t{5} << 32;
    parallel_for(Bounds<1>({far, far}), [&](auto i) { wide = i == far; });
    EXPECT(wide);
    wide = false;
    parallel_for(Bounds<2>({-far, -far}, 1), [&](auto i, auto j) { wide = i == -far && j == 0; });
    EXPECT(wide);
  }
}

static void atomics() {
  Array<double *, Kokkos::HostSpace> a("a", 4);
  a(2) = 100;
  parallel_for(1000, KOKKOS_LAMBDA(int i) {
    Kokkos::atomic_add(&a(0), 1);
    Kokkos::atomic_max(&a(1), i);
    Kokkos::atomic_min(&a(2), i);
    Kokkos::atomic_sub(&a(3), 1);
  });
  EXPECT(a(0) == 1000 && a(1) == 999 && a(2) == 0 && a(3) == -1000);
  int n = 5;
  EXPECT(Kokkos::atomic_fetch_add(&n, 2) == 5 && Kokkos::atomic_fetch_sub(&n, 1) == 7 && n == 6);
  Kokkos::atomic_dec(&n);
  EXPECT(n == 5 && Kokkos::atomic_fetch_min(&n, 3) == 5 && Kokkos::atomic_fetch_max(&n, 8) == 3 && n == 8);
}

template <class F> static bool throws(F const &f) {
  try {
    f();
  } catch (portable::Error const &) {
    return true;
  }
  return false;
}

// Bounds whose numbers do not fit are no loop over nothing.
static void refused_bounds() {
  std::int64_t const wide = std::int64_t{1} << 40, most = std::numeric_limits<std::int64_t>::max();
  EXPECT(throws([&] { SimpleBounds<2>(wide, wide); }));
  EXPECT(throws([&] { SimpleBounds_F<3>(most, 2, 2); }));
  EXPECT(throws([&] { Bounds<2>({1, wide}, {-wide, wide}); }));
  EXPECT(throws([] { SimpleBounds<1>(~std::uint64_t{0}); }));
  EXPECT(throws([] { Bounds<1>({0, 9, 0}); }));
  EXPECT(throws([] { Bounds_F<2>({9, 1, -1}, 3); }));
  EXPECT(throws([&] { SimpleBounds<1>{wide}; }) == (yakl::index_bits == 32));
  EXPECT(throws([&] { LoopSpec(-wide, 3); }) == (yakl::index_bits == 32));
  EXPECT(SimpleBounds<2>(wide % 7, 0).nIter == 0 && SimpleBounds<1>(-3).nIter == 0 && Bounds<1>({5, 1}).nIter == 0);
}

static void refused() {
  EXPECT(throws([] { yakl::Config<> const c(2, 0); }));
  EXPECT(yakl::Config<64>::Thr == 64 && yakl::Config<>(3).tiles[0] == 3 && yakl::Config<>(3).tiles[1] == 1);
}

int main() {
  Kokkos::initialize();
  yakl::init();
  specs();
  bounds();
  launches();
  types();
  atomics();
  refused();
  refused_bounds();
  yakl::finalize();
  Kokkos::finalize();
  return checks::failures != 0;
}
