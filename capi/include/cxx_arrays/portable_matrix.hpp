// portable_matrix.hpp - products, transposes and inverses of matrices. Part of portable.hpp; include that.
//
// In this file: matmul_rc, matmul_cr, transpose, matinv_ge and matinv of portable::intrinsics. Small arrays are multiplied and inverted where they are,
// also in kernels: sizes are those of a few variables at one place. Not in this file: products of large matrices; that is the business of BLAS.
// Source: YAKL's intrinsics.  Since: 0.1
#ifndef PORTABLE_MATRIX_HPP
#define PORTABLE_MATRIX_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include "portable_solvers.h"

namespace portable {
namespace detail {

// c(row, column) += a(row, k) * b(k, column) over indices from `first` on.
template <int first, class A, class B, class C> PORTABLE__HOST_DEVICE PORTABLE__INLINE void multiply(const A &a, const B &b, const C &c, int rows, int inner, int columns) {
  for (int j = first; j < first + columns; j++)
    for (int i = first; i < first + rows; i++) {
      typename C::type s = 0;
      for (int k = first; k < first + inner; k++) s = static_cast<typename C::type>(s + a(i, k) * b(k, j));
      c(i, j) = s;
    }
}

// portable_solvers.h for each kind of real.
PORTABLE__HOST_DEVICE PORTABLE__INLINE void invert(int n, double *a, double *work) { portable_matinv_real64(n, a, a, work); }
PORTABLE__HOST_DEVICE PORTABLE__INLINE void invert(int n, float *a, float *work) { portable_matinv_real32(n, a, a, work); }

// first: the lower bound. Rows lie one after the other, whatever the order of M's memory is, so that all languages have the same bits.
template <int first, int n, class M> PORTABLE__HOST_DEVICE PORTABLE__INLINE M inverse(const M &a) {
  using T = typename M::type;
  static_assert(std::is_same<T, double>::value || std::is_same<T, float>::value, "matrices of float and double have an inverse");
  constexpr std::size_t elements = static_cast<std::size_t>(n * n);
  T rows[elements], work[elements];
  M inverse;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) rows[i * n + j] = a(first + i, first + j);
  invert(n, rows, work);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) inverse(first + i, first + j) = rows[i * n + j];
  return inverse;
}

// `slow` lines of `fast` elements become `fast` lines, in memory that only a device accesses.
template <class T> void turn_on_device(const char *label, const T *from, T *to, index_t slow, index_t fast) {
  const index_t extents[2] = {slow, fast}, turned[2] = {fast, slow};
  const std::int32_t dims[2] = {1, 0};
  portable_array a = PORTABLE_ARRAY_NONE, other_way = PORTABLE_ARRAY_NONE, b = PORTABLE_ARRAY_NONE;
  check(portable_array_wrap(label, PORTABLE_KIND_BYTES, sizeof(T), const_cast<std::remove_cv_t<T> *>(from), 2, extents, nullptr, nullptr, &a));
  check(portable_array_permute(&a, dims, &other_way));
  check(portable_array_wrap(label, PORTABLE_KIND_BYTES, sizeof(T), const_cast<std::remove_cv_t<T> *>(to), 2, turned, nullptr, nullptr, &b));
  const portable_status status = portable_array_copy(&other_way, &b, nullptr);
  portable_array_release(&other_way);
  check(status);
}

} // namespace detail

namespace intrinsics {

// The first index is the row (matmul_rc), or the column (matmul_cr). The right one may be a vector.
template <class T, unsigned rows, unsigned inner, unsigned columns>
PORTABLE__HOST_DEVICE PORTABLE__INLINE SArray<T, 2, rows, columns> matmul_rc(const SArray<T, 2, rows, inner> &a, const SArray<T, 2, inner, columns> &b) {
  SArray<T, 2, rows, columns> c;
  detail::multiply<0>(a, b, c, static_cast<int>(rows), static_cast<int>(inner), static_cast<int>(columns));
  return c;
}
template <class T, unsigned rows, unsigned inner>
PORTABLE__HOST_DEVICE PORTABLE__INLINE SArray<T, 1, rows> matmul_rc(const SArray<T, 2, rows, inner> &a, const SArray<T, 1, inner> &b) {
  SArray<T, 1, rows> c;
  for (unsigned i = 0; i < rows; i++) {
    T s = 0;
    for (unsigned k = 0; k < inner; k++) s = static_cast<T>(s + a(i, k) * b(k));
    c(i) = s;
  }
  return c;
}
template <class T, int rows, int inner, int columns>
PORTABLE__HOST_DEVICE PORTABLE__INLINE FSArray<T, 2, SB<rows>, SB<columns>> matmul_rc(const FSArray<T, 2, SB<rows>, SB<inner>> &a,
                                                                const FSArray<T, 2, SB<inner>, SB<columns>> &b) {
  FSArray<T, 2, SB<rows>, SB<columns>> c;
  detail::multiply<1>(a, b, c, rows, inner, columns);
  return c;
}
template <class T, int rows, int inner>
PORTABLE__HOST_DEVICE PORTABLE__INLINE FSArray<T, 1, SB<rows>> matmul_rc(const FSArray<T, 2, SB<rows>, SB<inner>> &a, const FSArray<T, 1, SB<inner>> &b) {
  FSArray<T, 1, SB<rows>> c;
  for (int i = 1; i <= rows; i++) {
    T s = 0;
    for (int k = 1; k <= inner; k++) s = static_cast<T>(s + a(i, k) * b(k));
    c(i) = s;
  }
  return c;
}
// (a b)(column, row) = sum of a(k, row) b(column, k): the product of rows and columns with its arguments changed over.
template <class T, unsigned inner, unsigned rows, unsigned columns>
PORTABLE__HOST_DEVICE PORTABLE__INLINE SArray<T, 2, columns, rows> matmul_cr(const SArray<T, 2, inner, rows> &a, const SArray<T, 2, columns, inner> &b) {
  return matmul_rc(b, a);
}
template <class T, unsigned inner, unsigned rows>
PORTABLE__HOST_DEVICE PORTABLE__INLINE SArray<T, 1, rows> matmul_cr(const SArray<T, 2, inner, rows> &a, const SArray<T, 1, inner> &b) {
  SArray<T, 1, rows> c;
  for (unsigned i = 0; i < rows; i++) {
    T s = 0;
    for (unsigned k = 0; k < inner; k++) s = static_cast<T>(s + a(k, i) * b(k));
    c(i) = s;
  }
  return c;
}
template <class T, int inner, int rows, int columns>
PORTABLE__HOST_DEVICE PORTABLE__INLINE FSArray<T, 2, SB<columns>, SB<rows>> matmul_cr(const FSArray<T, 2, SB<inner>, SB<rows>> &a,
                                                                const FSArray<T, 2, SB<columns>, SB<inner>> &b) {
  return matmul_rc(b, a);
}
template <class T, int inner, int rows>
PORTABLE__HOST_DEVICE PORTABLE__INLINE FSArray<T, 1, SB<rows>> matmul_cr(const FSArray<T, 2, SB<inner>, SB<rows>> &a, const FSArray<T, 1, SB<inner>> &b) {
  FSArray<T, 1, SB<rows>> c;
  for (int i = 1; i <= rows; i++) {
    T s = 0;
    for (int k = 1; k <= inner; k++) s = static_cast<T>(s + a(k, i) * b(k));
    c(i) = s;
  }
  return c;
}

// a(j, i) at (i, j).
template <class T, unsigned n0, unsigned n1> PORTABLE__HOST_DEVICE PORTABLE__INLINE SArray<T, 2, n1, n0> transpose(const SArray<T, 2, n0, n1> &a) {
  SArray<T, 2, n1, n0> t;
  for (unsigned i = 0; i < n0; i++)
    for (unsigned j = 0; j < n1; j++) t(j, i) = a(i, j);
  return t;
}
template <class T, class B0, class B1> PORTABLE__HOST_DEVICE PORTABLE__INLINE FSArray<T, 2, B1, B0> transpose(const FSArray<T, 2, B0, B1> &a) {
  FSArray<T, 2, B1, B0> t;
  for (int j = B1::lower(); j <= B1::upper(); j++)
    for (int i = B0::lower(); i <= B0::upper(); i++) t(j, i) = a(i, j);
  return t;
}
// A new array; blocks of it are shared out, and each is read and written while it is in the cache.
template <class T, int mem, int style> Array<std::remove_cv_t<T>, 2, mem, style> transpose(const Array<T, 2, mem, style> &a) {
  using R = Array<std::remove_cv_t<T>, 2, mem, style>;
  const bool there = std::is_trivially_copyable<T>::value && detail::only_on_device(a);
  detail::must_be_there(a, "transpose", !there);
  R t;
  if constexpr (style == styleC)
    t = R(a.label(), a.extent(1), a.extent(0));
  else
    t = R(a.label(), Bnd(a.lower_bound(1), a.upper_bound(1)), Bnd(a.lower_bound(0), a.upper_bound(0)));
  // In memory both are a matrix of `slow` lines of `fast` elements, which becomes one of `fast` lines.
  const index_t fast = a.extent(style == styleC ? 1 : 0), slow = a.extent(style == styleC ? 0 : 1);
  if (there) {
    detail::turn_on_device(a.label(), a.data(), t.data(), slow, fast);
    return t;
  }
  detail::fence_elements(a);
  constexpr index_t block = 16;
  const auto *const from = a.data();
  auto *const to = t.data();
  portable::parallel_for("transpose", c::Bounds<2, Order::last_fastest, index_t>((slow + block - 1) / block, (fast + block - 1) / block),
                         [=](index_t bs, index_t bf) {
                           const index_t s1 = (bs + 1) * block < slow ? (bs + 1) * block : slow, f1 = (bf + 1) * block < fast ? (bf + 1) * block : fast;
                           for (index_t f = bf * block; f < f1; f++)
                             for (index_t s = bs * block; s < s1; s++) to[f * slow + s] = from[s * fast + f];
                         });
  return t;
}

// The inverse, with the bits of C and Fortran; NaN where the matrix has none. T: float, double.
template <unsigned n, class T> PORTABLE__HOST_DEVICE PORTABLE__INLINE SArray<T, 2, n, n> matinv_ge(const SArray<T, 2, n, n> &a) {
  return detail::inverse<0, static_cast<int>(n)>(a);
}
template <int n, class T> PORTABLE__HOST_DEVICE PORTABLE__INLINE FSArray<T, 2, SB<n>, SB<n>> matinv_ge(const FSArray<T, 2, SB<n>, SB<n>> &a) { return detail::inverse<1, n>(a); }
// The name of later versions of YAKL.
template <class M> PORTABLE__HOST_DEVICE PORTABLE__INLINE auto matinv(const M &a) { return matinv_ge(a); }

} // namespace intrinsics
} // namespace portable

#endif
