/* portable_solvers.h - tridiagonal and pentadiagonal systems and inverses of small matrices inside kernels: one of them, by the calling thread. One
 * text for C, C++ and device code.
 *
 *     double work[60];
 *     portable_tridiagonal_column_real64(60, columns, &lower[i], &diag[i], &upper[i], &rhs[i], work);
 *
 * In this file: functions that are inline and need no library. Not in this file: many systems in one call (portable_solve.h); Fortran's
 * twin (fortran/algorithms/portable_solvers_mod.F90), which gives the same bits.
 *
 *   Method    Gaussian elimination without exchanges of rows (Thomas), row by row, then back substitution. A periodic system is
 *             eliminated in the same order, with the last unknown, or the last two of five diagonals, at the border of the matrix. A
 *             matrix whose diagonal dominates, or that is symmetric and positive definite, needs no exchange; for other ones take LAPACK.
 *   Bits      One order of operations for each system, and no product is contracted with a sum: the bits are the same in all languages,
 *             on all devices, and in portable_solve.h; -ffast-math in the user's code changes last bits.
 *   Zero      A pivot of 0 makes the whole solution NaN, raises no signal, and its row is the result of the function. A NaN in the
 *             arguments is no error.
 *   Threads   any; a column belongs to the thread that solves it.  Since: 0.1
 */
#ifndef PORTABLE_SOLVERS_H
#define PORTABLE_SOLVERS_H

#if defined(__CUDACC_RTC__)
#include <stddef.h>
#include <stdint.h>
#else
#include <stdint.h>
#include <string.h>
#endif
#include "portable_product.h"

#if defined(__CUDACC__)
#define PORTABLE__SOLVER static __inline__ __host__ __device__
#elif defined(__GNUC__)
#define PORTABLE__SOLVER static inline __attribute__((unused))
#else
#define PORTABLE__SOLVER static inline
#endif

/* NaN, as no operation gives it that could raise a signal. */
PORTABLE__SOLVER double portable__solver_nan_real64(void) {
  const uint64_t bits = (uint64_t)0x7FF8 << 48;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
PORTABLE__SOLVER float portable__solver_nan_real32(void) {
  const uint32_t bits = (uint32_t)0x7FC0 << 16;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Row i of n rows, counted from 0, is
 *   tridiagonal:   lower[i] x[i-1] + diag[i] x[i] + upper[i] x[i+1] = rhs[i]
 *   pentadiagonal: lower2[i] x[i-2] + lower[i] x[i-1] + diag[i] x[i] + upper[i] x[i+1] + upper2[i] x[i+2] = rhs[i]
 * and element i of each array is at i * stride. Coefficients of unknowns before the first and behind the last one are not used. In the
 * periodic forms these unknowns are those of the other end: x[-1] is x[n-1], x[n] is x[0]; coefficients of one unknown are added.
 * Afterwards rhs is the solution. n below 1: nothing is done.
 * Shapes: [n] of each array, stride elements apart, also negative. work: so many elements as the comment of each function says.
 * Ownership: lower to upper2 are only read and may be one array; rhs and work share memory with no other argument.
 * Returns: 0, or the number of the first row, from 1, whose pivot is 0; rhs is NaN then.
 * portable_tridiagonal_column_real64(int64_t n, int64_t stride, const double *lower, const double *diag, const double *upper, double *rhs,
 *                                    double *work): work[n].
 * portable_tridiagonal_periodic_column_real64(the same): work[2 * n].
 * portable_pentadiagonal_column_real64(int64_t n, int64_t stride, const double *lower2, const double *lower, const double *diag, const double
 *                                      *upper, const double *upper2, double *rhs, double *work): work[2 * n].
 * portable_pentadiagonal_periodic_column_real64(the same): work[4 * n].
 * ..._real32: the same of float.  Source: YAKL's tridiagonal and pentadiagonal.  Since: 0.1 */

/* The inverse of a matrix of n rows, by Gauss and Jordan with the largest pivot of each column, for n of a few variables at one place; for large
 * matrices take LAPACK. n below 1: nothing is done.
 * Shapes: a[n][n], inverse[n][n], work[n][n]; element (i, j), row i, is at i * n + j. Where the first index is contiguous, as in Fortran, the same
 * call gives the inverse too; its last bits may differ from those of matinv of Fortran, which takes its pivots from rows as here.
 * Ownership: a is only read; it may be `inverse`, but not overlap it in another way. work shares memory with no other argument.
 * Returns: 0, or the number of the first column, from 1, that has no pivot but 0: the matrix has no inverse, and `inverse` is NaN.
 * portable_matinv_real64(int64_t n, const double *a, double *inverse, double *work)
 * portable_matinv_real32(int64_t n, const float *a, float *inverse, float *work)  Source: YAKL's matinv_ge, with pivots.  Since: 0.1 */
#define PORTABLE__READ const PORTABLE__REAL *
#define PORTABLE__WRITE PORTABLE__REAL *
#define PORTABLE__REAL double
#define PORTABLE__BITS uint64_t
#define PORTABLE__NAMED(name) name##_real64
#define PORTABLE__PRODUCT(a, b) PORTABLE__PRODUCT64(a, b)
#include "portable_solver_columns.h"
#include "portable_solver_matrices.h"
#undef PORTABLE__REAL
#undef PORTABLE__BITS
#undef PORTABLE__NAMED
#undef PORTABLE__PRODUCT
#define PORTABLE__REAL float
#define PORTABLE__BITS uint32_t
#define PORTABLE__NAMED(name) name##_real32
#define PORTABLE__PRODUCT(a, b) PORTABLE__PRODUCT32(a, b)
#include "portable_solver_columns.h"
#include "portable_solver_matrices.h"
#undef PORTABLE__REAL
#undef PORTABLE__BITS
#undef PORTABLE__NAMED
#undef PORTABLE__PRODUCT
#undef PORTABLE__READ
#undef PORTABLE__WRITE

#endif
