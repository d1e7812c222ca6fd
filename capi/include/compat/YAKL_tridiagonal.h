// YAKL_tridiagonal.h - YAKL's tridiagonal and tridiagonal_periodic of small arrays, over portable_solvers.hpp.
//
// In this file: these names. Not in this file: whole arrays of systems, which portable::solve_tridiagonal solves; the method
// (portable_solvers.h). A matrix with a pivot of 0 gives NaN.  Source: YAKL.  Since: 0.1
#ifndef PORTABLE_YAKL_TRIDIAGONAL_H
#define PORTABLE_YAKL_TRIDIAGONAL_H

#include "YAKL.h"

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

// a(i) x(i-1) + b(i) x(i) + c(i) x(i+1) = d(i); d becomes x. YAKL may change b and c too; here they stay.
template <class real, index_t n>
YAKL_INLINE void tridiagonal(SArray<real, 1, n> const &a, SArray<real, 1, n> const &b, SArray<real, 1, n> &c, SArray<real, 1, n> &d) {
  real work[n];
  portable::tridiagonal_column(static_cast<std::int64_t>(n), 1, a.data(), b.data(), c.data(), d.data(), work);
}

// The same; a(0) belongs to x(n-1), c(n-1) to x(0).
template <class real, index_t n>
YAKL_INLINE void tridiagonal_periodic(SArray<real, 1, n> const &a, SArray<real, 1, n> &b, SArray<real, 1, n> &c, SArray<real, 1, n> &d) {
  real work[2 * n];
  portable::tridiagonal_column(static_cast<std::int64_t>(n), 1, a.data(), b.data(), c.data(), d.data(), work, true);
}

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
