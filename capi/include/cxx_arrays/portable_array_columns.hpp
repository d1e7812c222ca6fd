// portable_array_columns.hpp - systems of few diagonals and random numbers over whole Arrays. Part of portable.hpp; include that.
//
// In this file: solve_tridiagonal, solve_pentadiagonal and random_fill of Array; shapes and order are the arrays'. Rules, errors, bits, threads:
// portable_solve.h, portable_random_fill.h. Not in this file: plain pointers (portable_solvers.hpp), one system (portable_solvers.h).
#ifndef PORTABLE_ARRAY_COLUMNS_HPP
#define PORTABLE_ARRAY_COLUMNS_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {
namespace detail {

// Extents of an array in the order of its indices.
template <class A> struct ExtentsOf {
  std::int64_t of[A::get_rank()];
  explicit ExtentsOf(const A &a) {
    for (int d = 0; d < A::get_rank(); d++) of[d] = a.extent(d);
  }
};

// A diagonal has the shape of rhs, or rank 1 and an element for each row: one matrix for all systems.
template <class D, class X> void diagonal_fits(const char *function, const D &diagonal, const X &rhs, int dim) {
  if constexpr (D::get_rank() == X::get_rank()) {
    must_have_one_shape(diagonal, rhs, function);
  } else {
    must_be_there(diagonal, function);
    if (diagonal.extent(0) != rhs.extent(dim))
      array_error(diagonal.label(), std::string(function) + ": it has " + std::to_string(diagonal.extent(0)) + " elements; the systems have " +
                                        std::to_string(rhs.extent(dim)) + " rows, which is extent " + std::to_string(dim + 1) + " of '" + rhs.label() + "'");
  }
}

template <class D, class X, class... Diagonals>
portable_solve_options system_options(const char *function, const X &rhs, int dim, bool periodic, const D &first, const Diagonals &...more) {
  portable_solve_options o = PORTABLE_SOLVE_OPTIONS_INIT;
  const int at = dimension<X>(dim, function) - (ArrayTraits<X>::style == styleC ? 0 : 1);
  static_assert((std::is_same<ElementOf<D>, ElementOf<X>>::value && ... && std::is_same<ElementOf<Diagonals>, ElementOf<X>>::value),
                "all diagonals have the type of the right-hand side");
  static_assert((std::is_same<std::integral_constant<int, D::get_rank()>, std::integral_constant<int, Diagonals::get_rank()>>::value && ...) &&
                    (D::get_rank() == X::get_rank() || D::get_rank() == 1),
                "the diagonals have the rank of the right-hand side, or all of them have rank 1");
  must_be_there(rhs, function);
  diagonal_fits(function, first, rhs, at);
  (diagonal_fits(function, more, rhs, at), ...);
  o.dim = at + 1;
  o.order = ArrayTraits<X>::style == styleC ? PORTABLE_ORDER_C : PORTABLE_ORDER_FORTRAN;
  o.flags = (periodic ? PORTABLE_SOLVE_PERIODIC : 0u) | (D::get_rank() < X::get_rank() ? PORTABLE_SOLVE_ONE : 0u);
  return o;
}

} // namespace detail

// For each line of rhs along dim, lower(i) x(i-1) + diag(i) x(i) + upper(i) x(i+1) = rhs(i); rhs becomes x. dim counts as in size(a, dim): from 0 for
// C style, from 1 for Fortran style. Diagonals have the shape of rhs, or all of them rank 1: one matrix for all systems.
// Errors: Error with ERR_ARG (shapes, dim, overlap, a pivot of 0, an array without elements yet) and as of portable_solve_tridiagonal.  Since: 0.1
template <class L, class D, class U, class T, int rank, int mem, int style, std::enable_if_t<detail::is_array<D>, int> = 0>
void solve_tridiagonal(const char *label, const L &lower, const D &diag, const U &upper, const Array<T, rank, mem, style> &rhs, int dim, bool periodic = false) {
  static_assert(!std::is_const<T>::value, "the right-hand side becomes the solution");
  const portable_solve_options o = detail::system_options("solve_tridiagonal", rhs, dim, periodic, lower, diag, upper);
  solve_tridiagonal<T>(label, lower.data(), diag.data(), upper.data(), rhs.data(), rank, detail::ExtentsOf<Array<T, rank, mem, style>>(rhs).of, &o);
}

// The same with two diagonals on each side.
template <class L2, class L, class D, class U, class U2, class T, int rank, int mem, int style, std::enable_if_t<detail::is_array<D>, int> = 0>
void solve_pentadiagonal(const char *label, const L2 &lower2, const L &lower, const D &diag, const U &upper, const U2 &upper2,
                         const Array<T, rank, mem, style> &rhs, int dim, bool periodic = false) {
  static_assert(!std::is_const<T>::value, "the right-hand side becomes the solution");
  const portable_solve_options o = detail::system_options("solve_pentadiagonal", rhs, dim, periodic, lower2, lower, diag, upper, upper2);
  solve_pentadiagonal<T>(label, lower2.data(), lower.data(), diag.data(), upper.data(), upper2.data(), rhs.data(), rank,
                         detail::ExtentsOf<Array<T, rank, mem, style>>(rhs).of, &o);
}

// Elements, in the order of the array's memory, get the numbers of the cells from `first` on. Include portable_random.hpp for the key.
// Errors: Error with ERR_ARG (an array without elements yet), and as of portable_random_fill.  Since: 0.1
template <class Key, class T, int rank, int mem, int style>
void random_fill(const char *label, const Key &key, const Array<T, rank, mem, style> &array, std::int64_t first = 0) {
  detail::must_be_there(array, "random_fill", false);
  random_fill(label, key, first, array.data(), static_cast<std::int64_t>(array.size()));
}

} // namespace portable

#endif
