/* table.h - the functions of portable_math.h with intervals of their arguments, for the programs of this folder. Not in this file: checks. A program
 * that defines PORTABLE__ELEMENTARY before gets them compiled into itself, with its own flags, instead of the library's. */
#ifndef TABLE_H
#define TABLE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef PORTABLE__ELEMENTARY
#include <portable_math_functions.h>
#else
#include <portable_math.h>
#endif

/* name, least and greatest argument: negative arguments come by a sign of their own if the least is below 0 */
#define OF_ONE(X)                                                                                                                              \
  X(exp, -745, 709) X(log, 0, 0x1p1023) X(log10, 0, 0x1p1023) X(sin, -0x1p1023, 0x1p1023) X(cos, -0x1p1023, 0x1p1023) X(tan, -0x1p1023, 0x1p1023) \
  X(asin, -1, 1) X(acos, -1, 1) X(atan, -0x1p1023, 0x1p1023) X(sinh, -710, 710) X(cosh, -710, 710) X(tanh, -25, 25)                              \
  X(asinh, -0x1p1023, 0x1p1023) X(acosh, 1, 0x1p1023) X(atanh, -1, 1) X(erf, -6, 6) X(erfc, -6, 27) X(gamma, -184, 171) X(log_gamma, -1000, 0x1p1000)
#define OF_TWO(X) X(pow, -0x1p1023, 0x1p1023) X(atan2, -0x1p1023, 0x1p1023) X(hypot, -0x1p1023, 0x1p1023)

/* Numbers that no library makes otherwise: Marsaglia's xorshift (Journal of Statistical Software 8, 2003). */
static inline uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

static inline double of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* An argument between bounds: all exponents alike, numbers up to 4, or all numbers alike, by turns. */
static inline double argument(uint64_t *state, double least, double greatest) {
  const uint64_t how = next(state) >> 32;
  const double part = (double)(next(state) >> 11) * 0x1p-53;
  volatile double width = 2 * part * (greatest / 2 - least / 2); /* volatile: no compiler may join the product with a sum */
  double x = how % 4 < 2 ? of_bits(next(state) & 0x7fffffffffffffff) : 4 * part;
  if (how & 8 && least < 0) x = -x;
  return how % 4 < 3 && x >= least && x <= greatest ? x : least + width;
}

/* A pair for pow whose power often lies between 0 and infinity, and for sides of angles of like size. */
static inline void arguments(uint64_t *state, double *x, double *y) {
  const uint64_t how = next(state) >> 32;
  *x = argument(state, -0x1p1023, 0x1p1023);
  *y = how % 2 ? argument(state, -0x1p1023, 0x1p1023) : argument(state, -1000, 1000);
  if (how % 8 == 2) *x = 0.5 + *y / 1024;
  if (how % 8 == 4) *y = *x * 1.25;
  if (how % 8 == 6) *x = *x < 0 ? -*x : *x;
}

#endif
