/* portable_solvers.h - tridiagonal and pentadiagonal systems inside kernels: one system, solved by the calling thread. One text for C, C++
 * and device code.
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

#if defined(__CUDACC__)
#define PORTABLE__SOLVER static __inline__ __host__ __device__
#elif defined(__GNUC__)
#define PORTABLE__SOLVER static inline __attribute__((unused))
#else
#define PORTABLE__SOLVER static inline
#endif

/* Products that no compiler joins with a sum. */
#define PORTABLE__NO_JOINS
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
#define PORTABLE__PRODUCT64(a, b) __dmul_rn(a, b)
#define PORTABLE__PRODUCT32(a, b) __fmul_rn(a, b)
#elif defined(__clang__)
#define PORTABLE__PRODUCT64(a, b) ((a) * (b))
#define PORTABLE__PRODUCT32(a, b) ((a) * (b))
#undef PORTABLE__NO_JOINS
#define PORTABLE__NO_JOINS _Pragma("clang fp contract(off)")
#elif defined(__GNUC__) && __GNUC__ >= 12 && !defined(__CUDACC__)
#define PORTABLE__PRODUCT64(a, b) __builtin_assoc_barrier((a) * (b))
#define PORTABLE__PRODUCT32(a, b) __builtin_assoc_barrier((a) * (b))
#else
#define PORTABLE__PRODUCT64(a, b) portable__product_real64(a, b)
#define PORTABLE__PRODUCT32(a, b) portable__product_real32(a, b)
#if defined(__GNUC__) && defined(__x86_64__)
#define PORTABLE__ALONE(x) __asm__("" : "+x"(x))
#elif defined(__GNUC__) && defined(__aarch64__)
#define PORTABLE__ALONE(x) __asm__("" : "+w"(x))
#else
#define PORTABLE__ALONE(x) *(volatile char *)&(x)
#endif
PORTABLE__SOLVER double portable__product_real64(double a, double b) {
  double product = a * b;
  PORTABLE__ALONE(product);
  return product;
}
PORTABLE__SOLVER float portable__product_real32(float a, float b) {
  float product = a * b;
  PORTABLE__ALONE(product);
  return product;
}
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
#define PORTABLE__READ const PORTABLE__REAL *
#define PORTABLE__WRITE PORTABLE__REAL *
#define PORTABLE__REAL double
#define PORTABLE__NAMED(name) name##_real64
#define PORTABLE__PRODUCT(a, b) PORTABLE__PRODUCT64(a, b)
#include "portable_solver_columns.h"
#undef PORTABLE__REAL
#undef PORTABLE__NAMED
#undef PORTABLE__PRODUCT
#define PORTABLE__REAL float
#define PORTABLE__NAMED(name) name##_real32
#define PORTABLE__PRODUCT(a, b) PORTABLE__PRODUCT32(a, b)
#include "portable_solver_columns.h"
#undef PORTABLE__REAL
#undef PORTABLE__NAMED
#undef PORTABLE__PRODUCT
#undef PORTABLE__READ
#undef PORTABLE__WRITE

#endif
