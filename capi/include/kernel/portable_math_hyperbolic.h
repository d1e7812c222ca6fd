/* portable_math_hyperbolic.h - sinh, cosh, tanh and their inverses of portable_math.h; programs include that file.
 *
 * Below 1, sinh and cosh are Taylor's series; above, they come from the exponential as a pair and its reciprocal. The inverses are logarithms
 * of 1 + u, with u as a pair that loses nothing (Abramowitz, Stegun 4.6.20).  Threads: any.
 */
#ifndef PORTABLE_MATH_HYPERBOLIC_H
#define PORTABLE_MATH_HYPERBOLIC_H

#include "portable_math_exponential.h"

/* sinh(x) for |x| at most 1. */
PORTABLE__MATH portable__pair portable__sinh_series(double x) {
  const portable__pair square = portable__two_product(x, x);
  const double z = square.high;
  double s = PORTABLE__STEP(1.0 / 355687428096000.0, z, 1.0 / 121645100408832000.0);
  portable__pair cube;
  s = PORTABLE__STEP(1.0 / 1307674368000.0, z, s);
  s = PORTABLE__STEP(1.0 / 6227020800.0, z, s);
  s = PORTABLE__STEP(1.0 / 39916800, z, s);
  s = PORTABLE__STEP(1.0 / 362880, z, s);
  s = PORTABLE__STEP(1.0 / 5040, z, s);
  s = PORTABLE__STEP(1.0 / 120, z, s);
  cube = portable__pair_product(portable__pair_of(x, 0), square);
  cube = portable__pair_product(cube, portable__pair_sum(portable__pair_of(0.16666666666666666, 9.25185853854297e-18), portable__pair_of(PORTABLE__TIMES(z, s), 0)));
  return portable__pair_sum(portable__pair_of(x, 0), cube);
}

/* cosh(x) for |x| at most 1. */
PORTABLE__MATH portable__pair portable__cosh_series(double x) {
  const portable__pair square = portable__two_product(x, x);
  const double z = square.high;
  double c = PORTABLE__STEP(1.0 / 6402373705728000.0, z, 1.0 / 2432902008176640000.0);
  c = PORTABLE__STEP(1.0 / 20922789888000.0, z, c);
  c = PORTABLE__STEP(1.0 / 87178291200.0, z, c);
  c = PORTABLE__STEP(1.0 / 479001600, z, c);
  c = PORTABLE__STEP(1.0 / 3628800, z, c);
  c = PORTABLE__STEP(1.0 / 40320, z, c);
  c = PORTABLE__STEP(1.0 / 720, z, c);
  c = PORTABLE__STEP(1.0 / 24, z, c);
  return portable__pair_sum(portable__pair_sum(portable__pair_of(1.0, 0), portable__pair_of(0.5 * z, 0.5 * square.low)),
                            portable__pair_of(PORTABLE__TIMES(PORTABLE__TIMES(z, z), c), 0));
}

/* (e^a + sign * e^-a) / 2 for a from 1 to 711. */
PORTABLE__MATH double portable__half_sum(double a, double sign) {
  int k;
  const portable__pair e = portable__exp_pair(portable__pair_of(a, 0), 1, &k);
  portable__pair r = portable__pair_quotient(portable__pair_of(sign, 0), e);
  if (k < 60) {
    const double down = portable__scaled(1.0, -2 * k);
    r = portable__pair_sum(e, portable__pair_of(r.high * down, r.low * down));
  } else {
    r = e;
  }
  return portable__scaled(r.high + r.low, k - 1);
}

/* The hyperbolic sine.  Since: 0.1 */
PORTABLE__MATH double portable__sinh(double x) {
  const double a = portable__magnitude(x);
  if (x != x) return x + x;
  if (a < 7.450580596923828e-09 /* 2^-27 */) return x;
  if (a <= 1) return portable__sinh_series(x).high;
  return portable__with_sign(a > 711 ? portable__infinity() : portable__half_sum(a, -1.0), x);
}

/* The hyperbolic cosine.  Since: 0.1 */
PORTABLE__MATH double portable__cosh(double x) {
  const double a = portable__magnitude(x);
  if (x != x) return x + x;
  if (a <= 1) return portable__cosh_series(x).high;
  return a > 711 ? portable__infinity() : portable__half_sum(a, 1.0);
}

/* The hyperbolic tangent.  Since: 0.1 */
PORTABLE__MATH double portable__tanh(double x) {
  const double a = portable__magnitude(x);
  portable__pair e;
  int k;
  if (x != x) return x + x;
  if (a < 7.450580596923828e-09 /* 2^-27 */) return x;
  if (a <= 1) return portable__pair_quotient(portable__sinh_series(x), portable__cosh_series(x)).high;
  if (a > 22) return portable__with_sign(1, x);
  e = portable__exp_pair(portable__pair_of(2 * a, 0), 1, &k);
  e = portable__pair_of(portable__scaled(e.high, k), portable__scaled(e.low, k));
  e = portable__pair_quotient(portable__pair_of(-2.0, 0), portable__pair_sum(e, portable__pair_of(1.0, 0)));
  return portable__with_sign(portable__pair_sum(portable__pair_of(1.0, 0), e).high, x);
}

#define PORTABLE__LN2_PAIR portable__pair_of(0.6931471805599453, 2.3190468138462996e-17)

/* The inverse of sinh.  Since: 0.1 */
PORTABLE__MATH double portable__asinh(double x) {
  const double a = portable__magnitude(x);
  const portable__pair one = portable__pair_of(1.0, 0), p = portable__pair_of(a, 0);
  portable__pair square, u;
  if (!(a < portable__infinity())) return x + x;
  if (a < 7.450580596923828e-09 /* 2^-27 */) return x;
  if (a > 1.152921504606847e+18 /* 2^60 */) return portable__with_sign(portable__pair_sum(portable__log_pair(p), PORTABLE__LN2_PAIR).high, x);
  square = portable__two_product(a, a);
  u = portable__pair_sum(one, portable__pair_root(portable__pair_sum(one, square)));
  u = portable__pair_sum(p, portable__pair_quotient(square, u));
  return portable__with_sign(portable__log1p_pair(u).high, x);
}

/* The inverse of cosh, for x at least 1.  Since: 0.1 */
PORTABLE__MATH double portable__acosh(double x) {
  portable__pair t, u;
  if (!(x >= 1)) return portable__not_a_number();
  if (x == portable__infinity()) return x;
  if (x > 1.152921504606847e+18 /* 2^60 */) return portable__pair_sum(portable__log_pair(portable__pair_of(x, 0)), PORTABLE__LN2_PAIR).high;
  if (x == 1) return 0;
  t = portable__two_sum(x, -1.0);
  u = portable__pair_product(t, portable__pair_sum(t, portable__pair_of(2.0, 0)));
  return portable__log1p_pair(portable__pair_sum(t, portable__pair_root(u))).high;
}

/* The inverse of tanh, for x from -1 to 1.  Since: 0.1 */
PORTABLE__MATH double portable__atanh(double x) {
  const double a = portable__magnitude(x);
  portable__pair u;
  if (!(a <= 1)) return portable__not_a_number();
  if (a < 7.450580596923828e-09 /* 2^-27 */) return x;
  if (a == 1) return portable__with_sign(portable__infinity(), x);
  u = portable__pair_quotient(portable__pair_of(2 * a, 0), portable__two_sum(1.0, -a));
  return portable__with_sign(0.5 * portable__log1p_pair(u).high, x);
}

#endif
