// members.cpp - types and public members of arrays that programs of YAKL use: functions that are deduced from an SArray or an Array, dimension[], myData,
// lbounds[], views and results that are arrays of YAKL's again.
// Not in this file: output (output.cpp), ArrayIR (interchange.cpp).
#include "YAKL.h"
#include "expect.h"

using yakl::Array;
using yakl::FSArray;
using yakl::index_t;
using yakl::SArray;
using yakl::SB;
using yakl::memDevice;
using yakl::memHost;
using yakl::styleC;
using yakl::styleFortran;
typedef Array<double, 1, memDevice, styleC> real1d;
typedef Array<double, 2, memDevice, styleC> real2d;
typedef Array<double, 3, memDevice, styleC> real3d;
typedef Array<double const, 2, memDevice, styleC> realConst2d;
typedef Array<double, 2, memDevice, styleFortran> real2d_f;

// ---- deduction ----

template <index_t n> YAKL_INLINE double last(SArray<double, 1, n> const &a) { return a(n - 1); }
template <class T, std::size_t n> T total(SArray<T, 1, n> const &a) {
  T s = 0;
  for (std::size_t i = 0; i < n; i++) s += a(i);
  return s;
}
template <class T, int rank, index_t D0, index_t D1, index_t D2, index_t D3> index_t extents(SArray<T, rank, D0, D1, D2, D3> const &) {
  return D0 + 10 * D1 + 100 * D2 + 1000 * D3;
}
template <class T, int l, int u> int lowest(FSArray<T, 1, SB<l, u>> const &) { return l; }
template <class T, int rank, int mem, int style> int code(Array<T, rank, mem, style> const &) { return std::is_const<T>::value * 1000 + rank * 100 + mem * 10 + style; }
// An overload for each style, and one for what is no array.
template <class T, int rank, int mem> int which(Array<T, rank, mem, styleC> const &) { return 1; }
template <class T, int rank, int mem> int which(Array<T, rank, mem, styleFortran> const &) { return 2; }
template <class T, typename std::enable_if<std::is_arithmetic<T>::value, int>::type = 0> int which(T) { return 3; }

static void deduction() {
  static_assert(std::is_same<index_t, std::size_t>::value, "index_t is size_t");
  static_assert(std::is_trivially_copyable<SArray<double, 1, 3>>::value, "a small array is copied as its bytes");
  SArray<double, 1, 3> s;
  for (int i = 0; i < 3; i++) s(i) = i + 1;
  EXPECT(last(s) == 3 && total(s) == 6);
  SArray<int, 3, 2, 3, 4> t;
  EXPECT(extents(t) == 1000 + 100 * 4 + 10 * 3 + 2);
  EXPECT(extents(SArray<float, 2, 5, 6>(2.f)) == 1100 + 60 + 5);
  EXPECT(lowest(FSArray<double, 1, SB<-2, 4>>()) == -2);
  real2d a("a", 3, 4);
  realConst2d b = a;
  real2d_f f("f", {0, 4}, 3);
  EXPECT(code(a) == 200 + memDevice * 10 + styleC && code(b) == 1000 + code(a) && code(f) == 200 + memDevice * 10 + styleFortran);
  EXPECT(which(a) == 1 && which(f) == 2 && which(3.5) == 3);
  static_assert(SArray<int, 2, 3, 5>::size() == 15 && FSArray<int, 1, SB<0, 3>>::totElems() == 4, "sizes are constants");
  static_assert(std::is_same<decltype(SArray<int, 1, 3>::size()), index_t>::value, "a size is an index_t");
}

// ---- members ----

static void members() {
  real3d a("a", 2, 3, 4);
  EXPECT(a.dimension[0] == 2 && a.dimension[1] == 3 && a.dimension[2] == 4 && a.myData == a.data());
  static_assert(std::is_same<decltype(a.dimension[0]), index_t &>::value && std::is_same<decltype(a.size()), index_t>::value &&
                    std::is_same<decltype(a.extent(0)), index_t>::value,
                "extents are index_t");
  EXPECT(std::max(a.dimension[1], index_t(2)) == 3 && a.totElems() == 24 && a.get_elem_count() == 24 && a.extent(2) == 4);
  real2d_f f("f", {-1, 3}, 6);
  EXPECT(f.lbounds[0] == -1 && f.lbounds[1] == 1 && f.dimension[0] == 5 && f.dimension[1] == 6);
  // A loop over plain memory, with sizes of the members.
  for (index_t i = 0; i < a.dimension[0] * a.dimension[1] * a.dimension[2]; i++) a.myData[i] = double(i);
  EXPECT(a(1, 2, 3) == 23 && yakl::intrinsics::sum(a) == 23. * 24 / 2);
  // Inside a kernel, through a copy of the array.
  yakl::c::parallel_for("members", yakl::c::Bounds<2>(2, 3), YAKL_LAMBDA(int k, int j) {
    for (index_t i = 0; i < a.dimension[2]; i++) a.myData[(k * a.dimension[1] + j) * a.dimension[2] + i] = 1;
  });
  EXPECT(yakl::intrinsics::sum(a) == 24);
  static_assert(sizeof(real3d) <= 6 * sizeof(void *), "an array of YAKL's holds no more than an address, a holder, a label and its extents");
  a.set_label("first");
  EXPECT(std::string(a.label()) == "first");
  a.set_label(std::string("sec") + "ond");
  EXPECT(std::string(a.label()) == "second");
}

// ---- views, copies and results are arrays of YAKL's ----

static void views() {
  real3d a("a", 2, 3, 4);
  a = 0;
  auto row = a.slice<1>(1, 2, yakl::COLON);
  static_assert(std::is_same<decltype(row), real1d>::value, "a slice");
  row = 5;
  EXPECT(row.dimension[0] == 4 && a(1, 2, 0) == 5 && a.use_count() == 2);
  static_assert(std::is_same<decltype(a.slice<2>({0, yakl::COLON, yakl::COLON})), real2d>::value, "a slice by Dims");
  static_assert(std::is_same<decltype(a.reshape(6, 4)), real2d>::value && std::is_same<decltype(a.collapse()), real1d>::value &&
                    std::is_same<decltype(a.reshape<2>({4, 6})), real2d>::value && std::is_same<decltype(a.subset_slowest_dimension(1)), real3d>::value,
                "other shapes");
  EXPECT(a.reshape(6, 4).dimension[0] == 6 && a.reshape<2>({4, 6}).dimension[1] == 6 && a.collapse().dimension[0] == 24);
  EXPECT(a.subset_slowest_dimension(1, 1).dimension[0] == 1 && a.subset_slowest_dimension(1, 1)(0, 2, 3) == 5);
  auto host = a.createHostCopy();
  static_assert(std::is_same<decltype(host), Array<double, 3, memHost, styleC>>::value, "a host copy");
  static_assert(std::is_same<decltype(host.createDeviceCopy()), real3d>::value && std::is_same<decltype(a.createDeviceObject<int>()), Array<int, 3, memDevice, styleC>>::value,
                "device copies and objects");
  EXPECT(host.dimension[1] == 3 && yakl::intrinsics::sum(host) == 20);
  auto lengths = a.get_dimensions();
  static_assert(std::is_same<decltype(lengths), SArray<index_t, 1, 3>>::value, "extents as an SArray");
  EXPECT(lengths(0) == 2 && lengths(2) == 4 && a.get_ubounds()(1) == 2);
  Array<float, 3, memHost, styleC> like("like", a.get_dimensions());
  EXPECT(like.dimension[2] == 4);
  real2d_f f("f", {0, 2}, {2, 3});
  static_assert(std::is_same<decltype(f.get_lbounds()), FSArray<int, 1, SB<2>>>::value, "bounds as an FSArray");
  EXPECT(f.get_lbounds()(2) == 2 && f.get_ubounds()(1) == 2 && f.reshape({0, 1}, 3).lbounds[0] == 0);
  f = 1;
  EXPECT(yakl::intrinsics::sum(f.reshape({0, 1}, 3)) == 6 && f.slice<1>(yakl::COLON, 3).lbounds[0] == 0);

  using yakl::componentwise::operator*;
  using yakl::componentwise::operator>;
  auto twice = a * 2.;
  static_assert(std::is_same<decltype(twice), real3d>::value && std::is_same<decltype(a > 1.), Array<bool, 3, memDevice, styleC>>::value, "operators");
  EXPECT(twice.dimension[1] == 3 && yakl::intrinsics::sum(twice) == 40 && yakl::intrinsics::count(a > 1.) == 4);
  auto some = yakl::intrinsics::pack(a, a > 1.);
  static_assert(std::is_same<decltype(some), real1d>::value, "pack");
  EXPECT(some.dimension[0] == 4 && yakl::intrinsics::pack(a).dimension[0] == 24);
  SArray<double, 2, 2, 3> m;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++) m(i, j) = i + 2 * j;
  auto square = yakl::intrinsics::matmul_rc(m, yakl::intrinsics::transpose(m));
  static_assert(std::is_same<decltype(square), SArray<double, 2, 2, 2>>::value, "matmul_rc");
  EXPECT(square(0, 0) == 4 + 16 && square(0, 1) == 2 * 3 + 4 * 5 && square(1, 1) == 1 + 9 + 25);
  SArray<double, 1, 3> v(1.);
  EXPECT(yakl::intrinsics::matmul_rc(m, v)(1) == 9 && yakl::intrinsics::matmul_cr(yakl::intrinsics::transpose(m), v)(1) == 9);
  static_assert(std::is_same<decltype(yakl::intrinsics::matinv_ge(square)), SArray<double, 2, 2, 2>>::value && std::is_same<decltype(m * m), SArray<double, 2, 2, 3>>::value,
                "matinv_ge, small operators");
  auto turned = yakl::intrinsics::transpose(a.slice<2>(1, yakl::COLON, yakl::COLON));
  static_assert(std::is_same<decltype(turned), real2d>::value, "transpose");
  EXPECT(turned.dimension[0] == 4 && turned(3, 2) == 5);
  FSArray<double, 2, SB<2>, SB<2>> g;
  g = 0;
  g(1, 1) = 2;
  g(2, 2) = 4;
  static_assert(std::is_same<decltype(yakl::intrinsics::matinv_ge(g)), FSArray<double, 2, SB<2>, SB<2>>>::value, "inverse of an FSArray");
  EXPECT(yakl::intrinsics::matinv_ge(g)(2, 2) == 0.25 && yakl::intrinsics::matmul_rc(g, g)(1, 1) == 4 && yakl::intrinsics::minloc(m.get_dimensions()) == 0);
}

// A member of a class that is assigned, emptied, and handed over by value.
struct Holder {
  real2d state;
  void set(real2d const &s) { state = s; }
  real2d get() const { return state; }
};

static void sharing() {
  Holder h;
  EXPECT(!h.state.initialized() && h.state.dimension[0] == 0);
  h.set(real2d("state", 2, 2));
  h.get() = 7;
  EXPECT(h.state(1, 1) == 7 && h.state.use_count() == 1);
  realConst2d read = h.get();
  EXPECT(read(0, 0) == 7 && read.dimension[1] == 2);
  h.state = real2d();
  EXPECT(!h.state.initialized() && read.use_count() == 1);
  std::vector<real2d> fields;
  for (int i = 0; i < 3; i++) fields.push_back(real2d("field", 2, i + 1));
  std::swap(fields[0], fields[2]);
  EXPECT(fields[0].dimension[1] == 3 && fields[2].dimension[1] == 1);
  double memory[6] = {1, 2, 3, 4, 5, 6};
  Array<double, 2, memHost, styleC> wrapped("wrapped", memory, 2, 3);
  EXPECT(wrapped.myData == memory && wrapped(1, 0) == 4);
}

int main() {
  yakl::init();
  {
    deduction();
    members();
    views();
    sharing();
  }
  yakl::finalize();
  return checks::failures != 0;
}
