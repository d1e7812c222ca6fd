// YAKL_pentadiagonal.h - YAKL's pentadiagonal and pentadiagonal_periodic of small arrays, over portable_solvers.hpp.
//
// In this file: these names. Not in this file: whole arrays of systems, which portable::solve_pentadiagonal solves; the method
// (portable_solvers.h). A matrix with a pivot of 0 gives NaN.  Source: YAKL.  Since: 0.1
#ifndef PORTABLE_YAKL_PENTADIAGONAL_H
#define PORTABLE_YAKL_PENTADIAGONAL_H

#include "YAKL.h"

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

// a(i) u(i-2) + b(i) u(i-1) + c(i) u(i) + d(i) u(i+1) + e(i) u(i+2) = f(i).
template <index_t n, class real>
YAKL_INLINE void pentadiagonal(SArray<real, 1, n> const &a, SArray<real, 1, n> const &b, SArray<real, 1, n> const &c, SArray<real, 1, n> const &d,
                               SArray<real, 1, n> const &e, SArray<real, 1, n> const &f, SArray<real, 1, n> &u) {
  real work[2 * n];
  for (index_t i = 0; i < n; i++) u(i) = f(i);
  portable::pentadiagonal_column(static_cast<std::int64_t>(n), 1, a.data(), b.data(), c.data(), d.data(), e.data(), u.data(), work);
}

// The same; u before the first element is that at the end, and the other way round.
template <index_t n, class real>
YAKL_INLINE void pentadiagonal_periodic(SArray<real, 1, n> const &a, SArray<real, 1, n> const &b, SArray<real, 1, n> const &c, SArray<real, 1, n> const &d,
                                        SArray<real, 1, n> const &e, SArray<real, 1, n> const &f, SArray<real, 1, n> &x) {
  real work[4 * n];
  for (index_t i = 0; i < n; i++) x(i) = f(i);
  portable::pentadiagonal_column(static_cast<std::int64_t>(n), 1, a.data(), b.data(), c.data(), d.data(), e.data(), x.data(), work, true);
}

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
