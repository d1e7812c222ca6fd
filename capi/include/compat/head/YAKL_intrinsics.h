// YAKL_intrinsics.h - yakl::intrinsics of YAKL's HEAD: the library's functions of Fortran, for its arrays. Part of compat/head/YAKL.h; include that.
//
// In this file: functions whose result is an array of YAKL's, or of another type than the library's. Not in this file: what they compute
// (portable_intrinsics.hpp, portable_matrix.hpp). Each is done when it returns.
// Errors: portable::Error, as portable_intrinsics.hpp.
// Source: YAKL's intrinsics.
#ifndef PORTABLE_YAKL_HEAD_INTRINSICS
#define PORTABLE_YAKL_HEAD_INTRINSICS

#ifndef PORTABLE_YAKL_HEAD
#error "include YAKL.h, which includes this"
#endif

namespace yakl {

namespace internal {

// The number of the first least, or greatest, element, in the order they lie in.
template <class A, class F> portable::index_t place_of(const char *function, std::int32_t operation, const A &a, const F &better) {
  if (a.size() == 0) throw portable::Error(PORTABLE_ERR_ARG, std::string(function) + " of an array without elements");
  return portable::detail::reduce_all<portable::index_t>(function, operation, a, {}, [&better](const auto *p, const auto *end) {
    portable::index_t best = 0;
    for (portable::index_t k = 1; k < end - p; k++)
      if (better(p[k], p[best]) || (portable::detail::is_nan(p[best]) && !portable::detail::is_nan(p[k]))) best = k;
    return best;
  });
}

} // namespace internal

namespace intrinsics {

using portable::detail::IfArray;

using portable::intrinsics::abs;
using portable::intrinsics::all;
using portable::intrinsics::any;
using portable::intrinsics::epsilon;
using portable::intrinsics::huge;
using portable::intrinsics::maxval;
using portable::intrinsics::merge;
using portable::intrinsics::minval;
using portable::intrinsics::product;
using portable::intrinsics::sign;
using portable::intrinsics::sum;
using portable::intrinsics::tiny;

template <class A, IfArray<A> = 0> std::size_t count(const A &a) { return static_cast<std::size_t>(portable::intrinsics::count(a)); }
template <class A, IfArray<A> = 0> KOKKOS_INLINE_FUNCTION bool allocated(const A &a) { return a.is_allocated(); }
template <class A, IfArray<A> = 0> KOKKOS_INLINE_FUNCTION bool associated(const A &a) { return a.is_allocated(); }
// Dimensions are counted as the array's indices: from 0, or from 1.
template <class A, IfArray<A> = 0> KOKKOS_INLINE_FUNCTION auto size(const A &a) { return a.size(); }
template <class A, IfArray<A> = 0> KOKKOS_INLINE_FUNCTION auto size(const A &a, std::integral auto d) { return a.extents()(d); }
template <class A, IfArray<A> = 0> KOKKOS_INLINE_FUNCTION auto shape(const A &a) { return a.extents(); }
template <class A, IfArray<A> = 0> KOKKOS_INLINE_FUNCTION auto lbound(const A &a) { return a.lbounds(); }
template <class A, IfArray<A> = 0> KOKKOS_INLINE_FUNCTION auto lbound(const A &a, std::integral auto d) { return a.lbounds()(d); }
template <class A, IfArray<A> = 0> KOKKOS_INLINE_FUNCTION auto ubound(const A &a) { return a.ubounds(); }
template <class A, IfArray<A> = 0> KOKKOS_INLINE_FUNCTION auto ubound(const A &a, std::integral auto d) { return a.ubounds()(d); }

template <class A, class B, IfArray<A> = 0> KOKKOS_INLINE_FUNCTION bool same_shape(const A &a, const B &b) {
  constexpr int rank = portable::detail::ArrayTraits<A>::rank;
  if constexpr (rank == portable::detail::ArrayTraits<B>::rank) {
    for (int d = 0; d < rank; d++)
      if (a.extent(d) != b.extent(d)) return false;
    return true;
  } else {
    return false;
  }
}

// The indices of the first least, or greatest, element, one for each dimension, also of rank 1. NaN is left out.
template <class A, IfArray<A> = 0> auto minloc(const A &a) {
  return a.unpack_global_index(internal::place_of("minloc", PORTABLE_REDUCE_MINLOC, a, [](const auto &x, const auto &y) { return x < y; }));
}
template <class A, IfArray<A> = 0> auto maxloc(const A &a) {
  return a.unpack_global_index(internal::place_of("maxloc", PORTABLE_REDUCE_MAXLOC, a, [](const auto &x, const auto &y) { return x > y; }));
}

// The first index is the row (matmul_rc), or the column (matmul_cr). The second one may be a vector.
template <class T, class U, auto rows, auto inner, auto columns>
KOKKOS_INLINE_FUNCTION auto matmul_rc(const SArray<T, rows, inner> &a, const SArray<U, inner, columns> &b) {
  SArray<decltype(T() * U()), rows, columns> c;
  for (index_t j = 0; j < static_cast<index_t>(columns); j++)
    for (index_t i = 0; i < static_cast<index_t>(rows); i++) {
      c(i, j) = 0;
      for (index_t k = 0; k < static_cast<index_t>(inner); k++) c(i, j) += a(i, k) * b(k, j);
    }
  return c;
}
template <class T, class U, auto rows, auto inner> KOKKOS_INLINE_FUNCTION auto matmul_rc(const SArray<T, rows, inner> &a, const SArray<U, inner> &b) {
  SArray<decltype(T() * U()), rows> c;
  for (index_t i = 0; i < static_cast<index_t>(rows); i++) {
    c(i) = 0;
    for (index_t k = 0; k < static_cast<index_t>(inner); k++) c(i) += a(i, k) * b(k);
  }
  return c;
}
template <class T, class U, auto inner, auto rows, auto columns>
KOKKOS_INLINE_FUNCTION auto matmul_cr(const SArray<T, inner, rows> &a, const SArray<U, columns, inner> &b) {
  return matmul_rc(b, a); // both are stored as their transposes
}
template <class T, class U, auto inner, auto rows> KOKKOS_INLINE_FUNCTION auto matmul_cr(const SArray<T, inner, rows> &a, const SArray<U, inner> &b) {
  SArray<decltype(T() * U()), rows> c;
  for (index_t i = 0; i < static_cast<index_t>(rows); i++) {
    c(i) = 0;
    for (index_t k = 0; k < static_cast<index_t>(inner); k++) c(i) += a(k, i) * b(k);
  }
  return c;
}
template <class T, auto n0, auto n1> KOKKOS_INLINE_FUNCTION SArray<std::remove_cv_t<T>, n1, n0> transpose(const SArray<T, n0, n1> &a) {
  SArray<std::remove_cv_t<T>, n1, n0> t;
  for (index_t i = 0; i < static_cast<index_t>(n0); i++)
    for (index_t j = 0; j < static_cast<index_t>(n1); j++) t(j, i) = a(i, j);
  return t;
}
// By elimination with pivots, of float and double; NaN where there is no inverse.
template <class T, auto n> requires std::is_floating_point_v<T> KOKKOS_INLINE_FUNCTION SArray<T, n, n> matinv(const SArray<T, n, n> &a) {
  SArray<T, n, n> inverse, rows = a, work;
  portable::detail::invert(static_cast<int>(n), rows.data(), work.data());
  inverse = rows;
  return inverse;
}

} // namespace intrinsics
} // namespace yakl

#endif
