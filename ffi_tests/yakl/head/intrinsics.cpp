// intrinsics.cpp - yakl::intrinsics and yakl::componentwise of YAKL's HEAD, of large and of small arrays, both styles; ScalarLiveOut.
#include "../expect.h"
#include "YAKL.h"

using yakl::Array;
using yakl::Array_F;
using yakl::Bnds;
using yakl::SArray;
using yakl::SArray_F;
namespace in = yakl::intrinsics;

static void queries() {
  Array<float **> a("a", 3, 4);
  Array_F<double **> f("f", {-1, 3}, {2, 4});
  SArray<int, 2, 5> s;
  s = 0;
  EXPECT(in::size(a) == 12 && in::size(a, 1) == 4 && in::size(f, 1) == 5 && in::size(s, 1) == 5 && in::shape(f)(2) == 3);
  EXPECT(in::lbound(a, 0) == 0 && in::ubound(a, 1) == 3 && in::lbound(f, 1) == -1 && in::ubound(f)(2) == 4);
  EXPECT(in::allocated(a) && in::associated(s) && !in::allocated(Array<float *>()));
  EXPECT(in::epsilon(a) == std::numeric_limits<float>::epsilon() && in::huge(s) == std::numeric_limits<int>::max());
  EXPECT(in::tiny(1.) == std::numeric_limits<double>::min());
  EXPECT(in::same_shape(a, Array<int **>("b", 3, 4)) && !in::same_shape(a, Array<int **>("b", 4, 3)) && !in::same_shape(a, s.data() ? Array<int *>("c", 3) : Array<int *>()));
}

static void reductions() {
  Array<double ***> a("a", 3, 4, 5);
  yakl::parallel_for(yakl::SimpleBounds<3>(3, 4, 5), KOKKOS_LAMBDA(int k, int j, int i) { a(k, j, i) = k == 1 && j == 2 && i > 2 ? -7. : k + j + i; });
  EXPECT(in::minval(a) == -7 && in::maxval(a) == 9 && in::minloc(a)(0) == 1 && in::minloc(a)(1) == 2 && in::minloc(a)(2) == 3);
  EXPECT(in::maxloc(a)(0) == 2 && in::maxloc(a)(1) == 3 && in::maxloc(a)(2) == 4);
  Array_F<int *> f("f", {-4, 5});
  yakl::parallel_for_F(yakl::Bounds_F<1>({-4, 5}), KOKKOS_LAMBDA(int i) { f(i) = i == -2 || i == 3 ? 8 : 1; });
  EXPECT(in::maxloc(f)(1) == -2 && in::sum(f) == 24 && in::product(f) == 64);
  using namespace yakl::componentwise;
  EXPECT(in::count(f > 7) == 2 && in::any(f > 7) && !in::all(f > 7) && in::all(f >= 1));
  SArray_F<int, Bnds{2, 3}, Bnds{-1, 1}> s;
  s = 4;
  s(3, 0) = 1;
  EXPECT(in::minloc(s)(1) == 3 && in::minloc(s)(2) == 0 && in::sum(s) == 21 && in::count(s) == 6);
}

static void matrices() {
  SArray<double, 2, 3> const a = {1, 2, 3, 4, 5, 6};
  SArray<double, 3> const x = {1, 0, -1};
  SArray<float, 3, 2> const b = {1, 2, 3, 4, 5, 6};
  auto const c = in::matmul_rc(a, b);
  static_assert(std::is_same_v<std::remove_const_t<decltype(c)>, SArray<double, 2, 2>>);
  EXPECT(c(0, 0) == 22 && c(0, 1) == 28 && c(1, 0) == 49 && c(1, 1) == 64);
  EXPECT(in::matmul_rc(a, x)(0) == -2 && in::matmul_rc(a, x)(1) == -2);
  EXPECT(in::matmul_cr(in::transpose(a), x)(1) == -2 && in::matmul_cr(in::transpose(a), in::transpose(b))(1, 0) == 28);
  SArray<double, 3, 3> const m = {0, 2, 0, 4, 0, 0, 0, 0, 8}; // needs a pivot
  auto const inverse = in::matinv(m);
  EXPECT(inverse(0, 1) == 0.25 && inverse(1, 0) == 0.5 && inverse(2, 2) == 0.125 && inverse(0, 0) == 0);
}

static void elements() {
  using namespace yakl::componentwise;
  Array<double **> a("a", 2, 3);
  a = -4.;
  auto const b = yakl::componentwise::sqrt(yakl::componentwise::abs(a)) + 2 * a - a;
  static_assert(std::is_same_v<std::remove_const_t<decltype(b)>, Array<double **>>);
  EXPECT(in::sum(b) == -12 && in::sum(a / 2.) == -12 && in::all((a < 0) && (b != a)) && in::sum(-a) == 24 && !in::any(!(a == a)));
  EXPECT(in::sum(yakl::componentwise::pow(a, 2)) == 96 && in::count(yakl::componentwise::isnan(a)) == 0);
  EXPECT(in::sum(in::abs(a)) == 24 && in::sum(in::sign(b, a)) == -12 && in::sum(in::merge(a, b, a == b)) == in::sum(b));
  SArray<int, 3> const s = {1, 2, 3};
  SArray<double, 3> const t = s * 0.5;
  EXPECT(t(2) == 1.5 && in::sum(s + s) == 12);
  EXPECT(yakl::componentwise::binary(3, 4, [](int x, int y) { return x * y; }) == 12 && yakl::componentwise::unary(3, [](int x) { return -x; }) == -3);
  EXPECT(in::sum(yakl::componentwise::binary(s, 2, [](int x, int y) { return x - y; })) == 0 && yakl::componentwise::same_shape(a, b));
  Array_F<float *> f("f", {3, 5});
  f = 1.5f;
  EXPECT((f + f).lbounds()(1) == 3 && in::sum(yakl::componentwise::unary(f, [](float x) { return 2 * x; })) == 9);
}

static void live_out() {
  yakl::ScalarLiveOut<int> result(0);
  yakl::parallel_for("find", 100, KOKKOS_LAMBDA(int i) {
    if (i == 42) result() = i;
  });
  EXPECT(result.hostRead() == 42);
  result.hostWrite(7);
  EXPECT(result.hostRead() == 7);
}

int main() {
  Kokkos::initialize();
  yakl::init();
  queries();
  reductions();
  matrices();
  elements();
  live_out();
  yakl::finalize();
  Kokkos::finalize();
  return checks::failures != 0;
}
