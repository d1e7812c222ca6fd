// small.cpp - SArray and SArray_F of YAKL's HEAD: any number of dimensions, in kernels and without the library's start; what debug macros check.
// Not in this file: matrices (intrinsics.cpp).
#include "../expect.h"
#include "YAKL.h"

using yakl::Bnds;
using yakl::SArray;
using yakl::SArray_F;

template <class A> requires yakl::is_SArray<A> && A::is_fstyle && (A::rank == 2)
static auto trace(A const &a) {
  typename A::non_const_value_type result = 0;
  for (ptrdiff_t i = a.lbounds()(1); i <= a.ubounds()(1); i++) result += a(i, i);
  return result;
}

static void shapes() {
  SArray<double, 2, 3, 4, 2, 2> const a{};
  static_assert(decltype(a)::rank == 5 && a.size() == 96 && decltype(a)::is_cstyle && a.extent<2>() == 4);
  a(1, 2, 3, 1, 1) = 5; // through a const array, as in kernels
  EXPECT(a.data()[95] == 5 && a.extents()(1) == 3 && a.lbounds()(4) == 0 && a.ubounds()(0) == 1 && a.extent(3) == 2);
  EXPECT(a.unpack_global_index(95)(2) == 3 && a.unpack_global_index(48)(0) == 1 && a.unpack_global_index(3)(3) == 1);
  EXPECT(a.is_allocated() && a.span_is_contiguous() && a.end() - a.begin() == 96);
  SArray_F<int, Bnds{-1, 1}, Bnds{2, 4}> f;
  f = 2;
  f(-1, 4) = 7;
  EXPECT(f.data()[6] == 7 && f.lbounds()(1) == -1 && f.ubounds()(2) == 4 && f.extents()(2) == 3);
  EXPECT(f.unpack_global_index(6)(1) == -1 && f.unpack_global_index(6)(2) == 4);
  SArray_F<float, Bnds{1, 3}, Bnds{1, 3}> m;
  m = 1.5f;
  EXPECT(trace(m) == 4.5f);
  static_assert(std::is_same_v<SArray<int, 3, 2>::TypeAs<float>, SArray<float, 3, 2>> && !yakl::is_SArray<double>);
  SArray<int, 3> b = {1, 2, 3}, copy = b;
  copy(0) = 9;
  EXPECT(b(0) == 1 && b(2) == 3);
}

static void in_kernels() {
  yakl::Array<double *> out("out", 10);
  SArray<double, 3> const weights = {0.25, 0.5, 0.25};
  yakl::parallel_for("stencil", 10, KOKKOS_LAMBDA(int i) {
    SArray<double, 3> stencil;
    for (int k = 0; k < 3; k++) stencil(k) = i + k;
    out(i) = 0;
    for (int k = 0; k < 3; k++) out(i) += weights(k) * stencil(k);
  });
  EXPECT(out.createHostCopy()(9) == 10 && yakl::intrinsics::sum(out) == 55);
}

static void output() {
  std::ostringstream text;
  text << SArray<int, 3>{1, 2, 3} << SArray_F<int, Bnds{0, 1}>{4, 5};
  EXPECT(text.str() == "yakl::SArray: 1 , 2 , 3\nyakl::SArray_F: 4 , 5\n");
}

// KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK: an index out of bounds is an error, which names bounds and index.
static void checked() {
  if constexpr (yakl::kokkos_bounds_debug) {
    std::string text;
    SArray_F<int, Bnds{-1, 1}> a{};
    volatile int i = 2;
    try {
      a(i) = 1;
    } catch (std::exception const &e) {
      text = e.what();
    }
    EXPECT(text.find("SArray_F: index 1 of 1 is 2, outside of its bounds -1 to 1") != std::string::npos);
    yakl::Array<int *> b("b", 3);
    text.clear();
    try {
      yakl::parallel_for("beyond", 4, KOKKOS_LAMBDA(int k) { b(k) = k; });
    } catch (std::exception const &e) {
      text = e.what();
    }
    EXPECT(text.find("'b'") != std::string::npos && text.find("3") != std::string::npos);
  }
}

int main() {
  shapes(); // before the start: they need none
  output();
  Kokkos::initialize();
  yakl::init();
  in_kernels();
  checked();
  yakl::finalize();
  Kokkos::finalize();
  return checks::failures != 0;
}
