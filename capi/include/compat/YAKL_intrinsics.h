// YAKL_intrinsics.h - yakl::intrinsics: the library's functions of Fortran, for arrays of YAKL. Included by YAKL.h.
//
// In this file: functions that give an array of YAKL's where the library's gives its own, and those that YAKL gives a stream. A function with a
// stream waits for all that is in it, and is done when it returns. Not in this file: what they compute (portable_intrinsics.hpp, portable_matrix.hpp).
// Source: YAKL's intrinsics.
#ifndef YAKL_INTRINSICS_H
#define YAKL_INTRINSICS_H

#include "YAKL.h"

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {
namespace intrinsics {

using portable::detail::IfArray;

using portable::intrinsics::all;
using portable::intrinsics::allocated;
using portable::intrinsics::any;
using portable::intrinsics::associated;
using portable::intrinsics::epsilon;
using portable::intrinsics::huge;
using portable::intrinsics::lbound;
using portable::intrinsics::maxloc;
using portable::intrinsics::maxval;
using portable::intrinsics::minloc;
using portable::intrinsics::minval;
using portable::intrinsics::mod;
using portable::intrinsics::product;
using portable::intrinsics::shape;
using portable::intrinsics::size;
using portable::intrinsics::sum;
using portable::intrinsics::tiny;
using portable::intrinsics::ubound;

PORTABLE__EITHER_SIDE template <class A, IfArray<A> = 0> YAKL_INLINE int count(const A &mask) {
  return portable::detail::to_int(portable::intrinsics::count(mask), "intrinsics::count");
}
template <class A, IfArray<A> = 0> int count(const A &mask, const Stream &stream) {
  return portable::detail::to_int(portable::intrinsics::count(mask, stream), "intrinsics::count");
}

using portable::intrinsics::abs;
template <class A, IfArray<A> = 0> auto abs(const A &a, const Stream &stream) {
  stream.fence();
  return abs(a);
}
using portable::intrinsics::sign;
template <class A, class B, IfArray<A> = 0> auto sign(const A &a, const B &b, const Stream &stream) {
  stream.fence();
  return sign(a, b);
}
using portable::intrinsics::merge;
template <class A, class B, class M, IfArray<M> = 0> auto merge(const A &yes, const B &no, const M &mask, const Stream &stream) {
  stream.fence();
  return merge(yes, no, mask);
}

template <class T, int rank, int mem, int style> using Packed = Array<std::remove_cv_t<T>, 1, mem, style>;
template <class T, int rank, int mem, int style> Packed<T, rank, mem, style> pack(const Array<T, rank, mem, style> &a) {
  return portable::intrinsics::pack(a);
}
template <class T, int rank, int mem, int style, class M>
Packed<T, rank, mem, style> pack(const Array<T, rank, mem, style> &a, const Array<M, rank, mem, style> &mask) {
  return portable::intrinsics::pack(a, mask);
}

// The first index is the row (matmul_rc), or the column (matmul_cr).
template <class T, index_t rows, index_t inner, index_t columns>
YAKL_INLINE SArray<T, 2, rows, columns> matmul_rc(const SArray<T, 2, rows, inner> &a, const SArray<T, 2, inner, columns> &b) {
  return portable::intrinsics::matmul_rc(a, b);
}
template <class T, index_t rows, index_t inner> YAKL_INLINE SArray<T, 1, rows> matmul_rc(const SArray<T, 2, rows, inner> &a, const SArray<T, 1, inner> &b) {
  return portable::intrinsics::matmul_rc(a, b);
}
template <class T, int rows, int inner, int columns>
YAKL_INLINE FSArray<T, 2, SB<rows>, SB<columns>> matmul_rc(const FSArray<T, 2, SB<rows>, SB<inner>> &a, const FSArray<T, 2, SB<inner>, SB<columns>> &b) {
  return portable::intrinsics::matmul_rc(a, b);
}
template <class T, int rows, int inner>
YAKL_INLINE FSArray<T, 1, SB<rows>> matmul_rc(const FSArray<T, 2, SB<rows>, SB<inner>> &a, const FSArray<T, 1, SB<inner>> &b) {
  return portable::intrinsics::matmul_rc(a, b);
}
template <class T, index_t inner, index_t rows, index_t columns>
YAKL_INLINE SArray<T, 2, columns, rows> matmul_cr(const SArray<T, 2, inner, rows> &a, const SArray<T, 2, columns, inner> &b) {
  return portable::intrinsics::matmul_cr(a, b);
}
template <class T, index_t inner, index_t rows> YAKL_INLINE SArray<T, 1, rows> matmul_cr(const SArray<T, 2, inner, rows> &a, const SArray<T, 1, inner> &b) {
  return portable::intrinsics::matmul_cr(a, b);
}
template <class T, int inner, int rows, int columns>
YAKL_INLINE FSArray<T, 2, SB<columns>, SB<rows>> matmul_cr(const FSArray<T, 2, SB<inner>, SB<rows>> &a, const FSArray<T, 2, SB<columns>, SB<inner>> &b) {
  return portable::intrinsics::matmul_cr(a, b);
}
template <class T, int inner, int rows>
YAKL_INLINE FSArray<T, 1, SB<rows>> matmul_cr(const FSArray<T, 2, SB<inner>, SB<rows>> &a, const FSArray<T, 1, SB<inner>> &b) {
  return portable::intrinsics::matmul_cr(a, b);
}

template <class T, index_t n0, index_t n1> YAKL_INLINE SArray<T, 2, n1, n0> transpose(const SArray<T, 2, n0, n1> &a) {
  return portable::intrinsics::transpose(a);
}
template <class T, class B0, class B1> YAKL_INLINE FSArray<T, 2, B1, B0> transpose(const FSArray<T, 2, B0, B1> &a) {
  return portable::intrinsics::transpose(a);
}
template <class T, int mem, int style> Array<std::remove_cv_t<T>, 2, mem, style> transpose(const Array<T, 2, mem, style> &a, const Stream &stream = Stream()) {
  if (!stream.is_default_stream()) stream.fence();
  return portable::intrinsics::transpose(a);
}

template <index_t n, class T> YAKL_INLINE SArray<T, 2, n, n> matinv_ge(const SArray<T, 2, n, n> &a) { return portable::intrinsics::matinv_ge(a); }
template <int n, class T> YAKL_INLINE FSArray<T, 2, SB<n>, SB<n>> matinv_ge(const FSArray<T, 2, SB<n>, SB<n>> &a) {
  return portable::intrinsics::matinv_ge(a);
}
template <class M> YAKL_INLINE auto matinv(const M &a) { return matinv_ge(a); }

} // namespace intrinsics
} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
