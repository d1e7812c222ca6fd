// arrays.cpp - Array and Array_F of YAKL's HEAD: types, making, views, copies, output. As its users write them.
// Not in this file: small arrays (small.cpp), functions of arrays (intrinsics.cpp).
#include "../expect.h"
#include "YAKL.h"

using yakl::Array;
using yakl::Array_F;
using yakl::COLON;
typedef Array<double **> real2d;
typedef Array<double ***> real3d;
typedef Array<double const ***, yakl::DeviceSpace> realConst3d;
typedef Array<double **, Kokkos::HostSpace> realHost2d;
typedef Array_F<double **, Kokkos::HostSpace> realHost2d_F;

// ---- functions that take any array ----

template <class A> requires yakl::is_Array<A> && A::is_cstyle && (A::rank() == 2) static int which(A const &) { return 1; }
template <class A> requires yakl::is_Array<A> && A::is_fstyle static int which(A const &) { return 2; }
static double first(realConst3d const &a) { return a.createHostCopy()(0, 1, 2); }

static void types() {
  static_assert(std::is_same_v<yakl::ViewType<float, 4>::type, float ****>);
  static_assert(real3d::rank() == 3 && real3d::on_device && !realHost2d::on_device && realHost2d::is_Array);
  static_assert(std::is_same_v<realConst3d::value_type, double const> && std::is_same_v<realConst3d::non_const_value_type, double>);
  static_assert(std::is_same_v<realHost2d::memory_space, Kokkos::HostSpace>);
  static_assert(!yakl::is_Array<int> && !yakl::is_Array<yakl::SArray<int, 2>>);
  EXPECT(which(realHost2d("h", 1, 1)) == 1 && which(realHost2d_F("f", 1, 1)) == 2);
}

static void making() {
  realHost2d const a("a", 3, 4);
  EXPECT(a.is_allocated() && a.size() == 12 && a.extent(0) == 3 && a.extent(1) == 4 && a.stride(0) == 4 && a.stride(1) == 1 && a.span_is_contiguous());
  EXPECT(a.label() == "a" && a.use_count() == 1);
  double sum = 0;
  for (double x : a) sum += x;
  EXPECT(sum == 0); // as a View of Kokkos: new elements are 0
  EXPECT(!realHost2d().is_allocated());
  realHost2d alias(a.data(), 3, 4);
  alias(2, 3) = 7;
  EXPECT(a(2, 3) == 7 && alias.use_count() == 0);
  std::string const name = "of a string";
  realHost2d_F const f(name, {-3, 4}, 5);
  EXPECT(f.label() == name && f.extent(0) == 8 && f.extent(1) == 5 && f.stride(0) == 1 && f.stride(1) == 8);
  EXPECT(f.lbounds()(1) == -3 && f.lbounds()(2) == 1 && f.ubounds()(1) == 4 && f.ubounds()(2) == 5 && f.extents()(1) == 8);
  realHost2d_F g(f.data(), realHost2d_F::AB{-3, 4}, realHost2d_F::AB{5});
  f(-3, 1) = 1;
  f(4, 5) = 2;
  EXPECT(g(-3, 1) == 1 && g.data()[39] == 2);
  real3d d("d", 2, 3, 4);
  d = 2.5;
  realConst3d const c = d;
  Kokkos::fence();
  EXPECT(c.use_count() == 2 && c.createHostCopy()(1, 2, 3) == 2.5 && first(d) == 2.5);
}

static void views() {
  Array<int ***, Kokkos::HostSpace> a("a", 2, 3, 4);
  for (std::size_t k = 0; k < a.size(); k++) a.data()[k] = static_cast<int>(k);
  auto const plane = a.slice<2>(1, COLON, COLON);
  EXPECT(plane.extent(0) == 3 && plane(2, 3) == 23 && plane.use_count() == 2);
  EXPECT(a.slice<1>(1, 2, 0)(3) == 23 && a.slice<3>(COLON, COLON, COLON)(1, 2, 3) == 23);
  EXPECT(a.subset_slowest_dimension(1).size() == 12 && a.subset_slowest_dimension(1, 1)(0, 0, 0) == 12);
  EXPECT(a.reshape(6, 4)(5, 3) == 23 && a.flatten()(23) == 23 && a.collapse().extent(0) == 24);
  EXPECT(a.unpack_global_index(17)(0) == 1 && a.unpack_global_index(17)(1) == 1 && a.unpack_global_index(17)(2) == 1);
  Array_F<int ***, Kokkos::HostSpace> f("f", {-2, 2}, 3, {10, 19});
  for (std::size_t k = 0; k < f.size(); k++) f.data()[k] = static_cast<int>(k);
  auto const s = f.slice<2>(COLON, COLON, 12);
  EXPECT(s(-2, 1) == 30 && s(2, 3) == 44 && s.lbounds()(1) == -2);
  EXPECT(f.subset_slowest_dimension(11).size() == 30 && f.subset_slowest_dimension(12, 13)(-2, 1, 12) == 30);
  EXPECT(f.reshape({0, 14}, 10)(14, 10) == 149 && f.flatten(5)(5) == 0 && f.collapse()(150) == 149);
  EXPECT(f.unpack_global_index(44)(1) == 2 && f.unpack_global_index(44)(2) == 3 && f.unpack_global_index(44)(3) == 12);
}

static void copies() {
  real2d a("a", 5, 6);
  yakl::parallel_for("fill", yakl::SimpleBounds<2>(5, 6), KOKKOS_LAMBDA(int j, int i) { a(j, i) = j + 0.25 * i; });
  auto const near = a.createHostCopy();
  static_assert(std::is_same_v<std::remove_const_t<decltype(near)>, realHost2d>);
  EXPECT(near(4, 5) == 5.25 && near.label() == "a");
  near(4, 5) = -1;
  auto const far = near.createDeviceCopy();
  EXPECT(far.createHostCopy()(4, 5) == -1 && a.createHostCopy()(4, 5) == 5.25);
  a.deep_copy_to(near);
  EXPECT(near(4, 5) == 5.25);
  Kokkos::deep_copy(near, 3);
  EXPECT(near(0, 0) == 3 && near(4, 5) == 3);
  Kokkos::deep_copy(near, a);
  EXPECT(near(4, 5) == 5.25);
  auto const whole = a.as<int>();
  static_assert(std::is_same_v<std::remove_const_t<decltype(whole)>, Array<int **>>);
  EXPECT(whole.createHostCopy()(4, 5) == 5);
  auto const other = a.clone_object<Kokkos::HostSpace, float>();
  EXPECT(other.extent(1) == 6 && other(4, 5) == 0 && a.createHostObject().size() == 30 && a.createDeviceObject().size() == 30);
  realHost2d_F f("f", {0, 4}, {-1, 4});
  f = 1;
  EXPECT(f.createHostCopy().lbounds()(2) == -1 && f.as<float>().ubounds()(1) == 4 && f.clone_object().lbounds()(1) == 0);
}

static void output() {
  Array<int **, Kokkos::HostSpace> a("a", 1, 3);
  a(0, 1) = 4;
  std::ostringstream c, f;
  c << a;
  EXPECT(c.str() == "Array [a], Dimensions [1,3] = 3 Elements:  0 , 4 , 0\n");
  f << Array_F<int *, Kokkos::HostSpace>("f", {3, 4});
  EXPECT(f.str() == "Array_F [f], Dimensions [2] = 2 Elements:  0 , 0\n");
}

int main(int argc, char **argv) {
  Kokkos::initialize(argc, argv);
  yakl::init();
  types();
  making();
  views();
  copies();
  output();
  yakl::finalize();
  Kokkos::finalize();
  return checks::failures != 0;
}
