// bounds.cpp - what programs of YAKL ask of bounds: nIter, unpackIndices, lbound, dim, stride, LBnd; functions that are deduced from them.
// Not in this file: which iterations run (../arrays/yakl_rules.cpp).
#include "YAKL.h"
#include "expect.h"

template <int N, bool simple> int rank_of(yakl::c::Bounds<N, simple> const &) { return N * 10 + simple; }

// All iterations by their numbers, as a launcher of the program's would run them.
template <class B, class F> static void each(B const &bounds, F const &f) {
  int index[8];
  for (yakl::index_t i = 0; i < bounds.nIter; i++) {
    bounds.unpackIndices(i, index);
    f(index);
  }
}

int main() {
  yakl::init();
  {
    using yakl::c::Bounds;
    Bounds<3> const box(2, {-1, 2}, {0, 6, 3});
    EXPECT(box.nIter == 2 * 4 * 2 && box.lbound(1) == -1 && box.dim(1) == 4 && box.stride(2) == 3 && box.dim(2) == 2);
    int index[3];
    box.unpackIndices(0, index);
    EXPECT(index[0] == 0 && index[1] == -1 && index[2] == 0);
    box.unpackIndices(13, index);
    EXPECT(index[0] == 1 && index[1] == 1 && index[2] == 3);
    int seen[2][4][2] = {};
    each(box, [&](int const *i) { seen[i[0]][i[1] + 1][i[2] / 3]++; });
    int calls = 0;
    yakl::Array<int, 3, yakl::memHost, yakl::styleC> ran("ran", 2, 4, 2);
    ran = 0;
    yakl::c::parallel_for("box", box, YAKL_LAMBDA(int k, int j, int i) { ran(k, j + 1, i / 3) += 1; });
    yakl::fence();
    for (int k = 0; k < 16; k++) calls += ran.data()[k] == 1 && seen[k / 8][k / 2 % 4][k % 2] == 1;
    EXPECT(calls == 16);

    EXPECT(rank_of(Bounds<2>(3, 4)) == 20 && rank_of(yakl::c::SimpleBounds<4>(1, 2, 3, 4)) == 41 && yakl::c::SimpleBounds<4>(1, 2, 3, 4).nIter == 24);
    yakl::fortran::SimpleBounds<2> const simple(3, 4);
    yakl::fortran::Bounds<2, true> const same(3, 4);
    EXPECT(simple.nIter == 12 && same.lbound(0) == 1 && same.dim(1) == 4);
    int last[2];
    simple.unpackIndices(11, last);
    EXPECT(last[0] == 3 && last[1] == 4);
    EXPECT(Bounds<1>(0).nIter == 0 && Bounds<2>(5, {3, 2}).nIter == 0 && Bounds<1>({0, 3, 10}).nIter == 0);
    yakl::Array<double, 2, yakl::memDevice, yakl::styleC> a("a", 6, 7);
    EXPECT(Bounds<2>(a.extent(0), a.dimension[1]).nIter == a.totElems());

    yakl::c::LBnd const c(5), r({2, 9}), s(1, 10, 3);
    EXPECT(c.l == 0 && c.u == 4 && c.s == 1 && c.valid() && c.to_scalar() == 5 && r.l == 2 && r.u == 9 && s.s == 3 && yakl::c::LBnd::default_lbound == 0);
    yakl::fortran::LBnd const f(5);
    EXPECT(f.l == 1 && f.u == 5 && f.to_scalar() == 5 && yakl::fortran::LBnd::default_lbound == 1);
    EXPECT(yakl::fortran::Bounds<2>(f, yakl::fortran::LBnd(0, 2)).nIter == 15);
    yakl::LaunchConfig<64> const config = yakl::LaunchConfig<64>().set_inner_size(32);
    EXPECT(config.get_inner_size() == 32 && yakl::DefaultLaunchConfig().get_inner_size() == YAKL_DEFAULT_VECTOR_LEN);
    yakl::Array<int, 1, yakl::memHost, yakl::styleC> sum("sum", 3);
    sum = 0;
    yakl::c::parallel_outer(3, YAKL_LAMBDA(int k, yakl::InnerHandler handler) {
      yakl::c::parallel_inner(4, [&](int i) { yakl::atomicAdd(sum(k), i); }, handler);
    }, config);
    EXPECT(yakl::intrinsics::sum(sum) == 18);
  }
  yakl::finalize();
  return checks::failures != 0;
}
