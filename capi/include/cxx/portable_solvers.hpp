// portable_solvers.hpp - systems of three and five diagonals for C++: whole arrays over plain pointers, and one system inside kernels. Part of
// portable.hpp; include that.
//
// In this file: the functions of portable_solve.h and portable_solvers.h with kinds taken from the types, and exceptions. Rules, shapes,
// ownership, threads: there.
#ifndef PORTABLE_SOLVERS_HPP
#define PORTABLE_SOLVERS_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include "portable_solvers.h"

namespace portable {

// Solves all systems of rhs; options say dim, order, strides, PORTABLE_SOLVE_PERIODIC and _ONE. T: float, double.
//   portable_solve_options o = PORTABLE_SOLVE_OPTIONS_INIT;
//   o.dim = 2;
//   portable::solve_tridiagonal("vdiff", lower, diag, upper, rhs, 2, extents, &o);
// Errors: Error with ERR_ARG (overlap, a pivot of 0, ...) and what portable_solve_tridiagonal returns.  Since: 0.1
template <class T>
void solve_tridiagonal(const char *label, const T *lower, const T *diag, const T *upper, T *rhs, std::int32_t rank, const std::int64_t *extents,
                       const portable_solve_options *options = nullptr) {
  static_assert(std::is_floating_point<T>::value, "of float and double");
  check(portable_solve_tridiagonal(label, detail::kind_of<T>(), lower, diag, upper, rhs, rank, extents, options));
}
template <class T>
void solve_pentadiagonal(const char *label, const T *lower2, const T *lower, const T *diag, const T *upper, const T *upper2, T *rhs, std::int32_t rank,
                         const std::int64_t *extents, const portable_solve_options *options = nullptr) {
  static_assert(std::is_floating_point<T>::value, "of float and double");
  check(portable_solve_pentadiagonal(label, detail::kind_of<T>(), lower2, lower, diag, upper, upper2, rhs, rank, extents, options));
}

// One system, on the calling thread: 0, or the row from 1 of the first pivot of 0. work: n numbers; periodic, or of five diagonals, 2 n; both, 4 n.
// Since: 0.1
PORTABLE__HOST_DEVICE PORTABLE__INLINE std::int64_t tridiagonal_column(std::int64_t n, std::int64_t stride, const double *lower, const double *diag, const double *upper,
                                                 double *rhs, double *work, bool periodic = false) {
  return periodic ? portable_tridiagonal_periodic_column_real64(n, stride, lower, diag, upper, rhs, work)
                  : portable_tridiagonal_column_real64(n, stride, lower, diag, upper, rhs, work);
}
PORTABLE__HOST_DEVICE PORTABLE__INLINE std::int64_t tridiagonal_column(std::int64_t n, std::int64_t stride, const float *lower, const float *diag, const float *upper, float *rhs,
                                                 float *work, bool periodic = false) {
  return periodic ? portable_tridiagonal_periodic_column_real32(n, stride, lower, diag, upper, rhs, work)
                  : portable_tridiagonal_column_real32(n, stride, lower, diag, upper, rhs, work);
}
PORTABLE__HOST_DEVICE PORTABLE__INLINE std::int64_t pentadiagonal_column(std::int64_t n, std::int64_t stride, const double *lower2, const double *lower, const double *diag,
                                                   const double *upper, const double *upper2, double *rhs, double *work, bool periodic = false) {
  return periodic ? portable_pentadiagonal_periodic_column_real64(n, stride, lower2, lower, diag, upper, upper2, rhs, work)
                  : portable_pentadiagonal_column_real64(n, stride, lower2, lower, diag, upper, upper2, rhs, work);
}
PORTABLE__HOST_DEVICE PORTABLE__INLINE std::int64_t pentadiagonal_column(std::int64_t n, std::int64_t stride, const float *lower2, const float *lower, const float *diag,
                                                   const float *upper, const float *upper2, float *rhs, float *work, bool periodic = false) {
  return periodic ? portable_pentadiagonal_periodic_column_real32(n, stride, lower2, lower, diag, upper, upper2, rhs, work)
                  : portable_pentadiagonal_column_real32(n, stride, lower2, lower, diag, upper, upper2, rhs, work);
}

} // namespace portable

#endif
