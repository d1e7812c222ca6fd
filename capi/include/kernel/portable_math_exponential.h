/* portable_math_exponential.h - exp, log, log10 and pow of portable_math.h; programs include that file.
 *
 * Exponential: x = k ln 2 + r, |r| at most 0.35, Taylor's series of r, whose first terms are summed as a pair (Cody, Waite 1980). Logarithm:
 * x = 2^k m, m between the roots of 1/2 and 2, the series of s = f / (2 + f), f = m - 1 (Abramowitz, Stegun 4.1.27). pow is the exponential
 * of y log x, both as pairs. Coefficients are those of the series.  Threads: any.
 */
#ifndef PORTABLE_MATH_EXPONENTIAL_H
#define PORTABLE_MATH_EXPONENTIAL_H

#include "portable_math_pairs.h"

#define PORTABLE__LN2_HIGH 0.6931471805598903 /* 42 bits: multiples up to 2^11 are exact */
#define PORTABLE__LN2_LOW 5.497923018708371e-14

/* The exponential of x is the result times 2^*k; |x| is below 1500. With fine = 0, half of a unit in the last place more may be lost in low. */
PORTABLE__MATH portable__pair portable__exp_pair(portable__pair x, int fine, int *k) {
  const double n = portable__nearest(PORTABLE__TIMES(x.high, 1.4426950408889634));
  const double middle = x.high - PORTABLE__TIMES(n, PORTABLE__LN2_HIGH);
  portable__pair r = portable__two_sum(middle, -PORTABLE__TIMES(n, PORTABLE__LN2_LOW));
  double half, low, odd, even;
  r = portable__fast_sum(r.high, r.low + x.low);
  const double z = PORTABLE__TIMES(r.high, r.high);
  odd = PORTABLE__STEP(1.0 / 39916800, z, 1.0 / 6227020800.0);
  odd = PORTABLE__STEP(1.0 / 362880, z, odd);
  odd = PORTABLE__STEP(1.0 / 5040, z, odd);
  odd = PORTABLE__STEP(1.0 / 120, z, odd);
  odd = PORTABLE__STEP(1.0 / 6, z, odd);
  even = PORTABLE__STEP(1.0 / 479001600, z, 1.0 / 87178291200.0);
  even = PORTABLE__STEP(1.0 / 3628800, z, even);
  even = PORTABLE__STEP(1.0 / 40320, z, even);
  even = PORTABLE__STEP(1.0 / 720, z, even);
  even = PORTABLE__STEP(1.0 / 24, z, even);
  half = 0.5 * z;
  low = PORTABLE__STEP(r.low, r.high, r.low);
  if (fine) low += 0.5 * portable__two_product(r.high, r.high).low;
  low += PORTABLE__TIMES(PORTABLE__TIMES(r.high, z), PORTABLE__STEP(odd, r.high, even));
  const portable__pair one = portable__fast_sum(1.0, r.high);
  *k = (int)n;
  if (!fine) return portable__pair_of(one.high, one.low + (half + low));
  const portable__pair sum = portable__two_sum(half, low);
  const portable__pair both = portable__two_sum(one.high, sum.high);
  return portable__fast_sum(both.high, both.low + (one.low + sum.low));
}

/* e to the power of x.  Since: 0.1 */
PORTABLE__MATH double portable__exp(double x) {
  int k;
  if (!(x <= 709.782712893384)) return x != x ? x + x : portable__infinity();
  if (x < -745.1332191019412) return 0.0;
  const portable__pair e = portable__exp_pair(portable__pair_of(x, 0), 0, &k);
  return portable__scaled(e.high + e.low, k);
}

/* x = m * 2^k with m from the root of 1/2 to that of 2; x is positive and finite. */
PORTABLE__MATH double portable__split(double x, int *k) {
  int64_t extra = 0, steps;
  uint64_t bits;
  if (x < 2.2250738585072014e-308 /* 2^-1022 */) {
    x *= 1.8014398509481984e+16 /* 2^54 */;
    extra = -54;
  }
  bits = portable__bits_of(x);
  steps = ((int64_t)bits - 0x3fe6a09e667f3bcd) >> 52;
  *k = (int)(steps + extra);
  return portable__of_bits(bits - ((uint64_t)steps << 52));
}

/* The natural logarithm.  Since: 0.1 */
PORTABLE__MATH double portable__log(double x) {
  int k;
  if (!(x > 0) || x == portable__infinity()) return x == 0 ? -portable__infinity() : x < 0 ? portable__not_a_number() : x + x;
  const double f = portable__split(x, &k) - 1.0, n = k;
  const double s = f / (2.0 + f), z = PORTABLE__TIMES(s, s);
  double r = PORTABLE__STEP(2.0 / 19, z, 2.0 / 21);
  r = PORTABLE__STEP(2.0 / 17, z, r);
  r = PORTABLE__STEP(2.0 / 15, z, r);
  r = PORTABLE__STEP(2.0 / 13, z, r);
  r = PORTABLE__STEP(2.0 / 11, z, r);
  r = PORTABLE__STEP(2.0 / 9, z, r);
  r = PORTABLE__STEP(2.0 / 7, z, r);
  r = PORTABLE__STEP(2.0 / 5, z, r);
  r = PORTABLE__STEP(2.0 / 3, z, r);
  /* f - f^2/2 as a pair: the rest is small. */
  const portable__pair square = portable__two_product(f, f);
  const double half = 0.5 * square.high;
  const portable__pair v = portable__fast_sum(f, -half);
  const portable__pair w = portable__fast_sum(PORTABLE__TIMES(n, PORTABLE__LN2_HIGH), v.high);
  const double low = PORTABLE__TIMES(s, PORTABLE__STEP(half, z, r)) - 0.5 * square.low;
  return w.high + (w.low + (PORTABLE__TIMES(n, PORTABLE__LN2_LOW) + (v.low + low)));
}

/* log(1 + f) for |f| at most 0.42, as a pair to 65 bits; low is a correction of f. */
PORTABLE__MATH portable__pair portable__log1p_series(double f, double low) {
  portable__pair s = portable__fast_sum(2.0, f), z, u;
  double t;
  s = portable__pair_quotient(portable__pair_of(f, low), portable__pair_of(s.high, s.low + low));
  z = portable__pair_product(s, s);
  t = PORTABLE__STEP(2.0 / 23, z.high, 2.0 / 25);
  t = PORTABLE__STEP(2.0 / 21, z.high, t);
  t = PORTABLE__STEP(2.0 / 19, z.high, t);
  t = PORTABLE__STEP(2.0 / 17, z.high, t);
  t = PORTABLE__STEP(2.0 / 15, z.high, t);
  t = PORTABLE__STEP(2.0 / 13, z.high, t);
  t = PORTABLE__STEP(2.0 / 11, z.high, t);
  t = PORTABLE__STEP(2.0 / 9, z.high, t);
  t = PORTABLE__STEP(2.0 / 7, z.high, t);
  t = PORTABLE__STEP(2.0 / 5, z.high, t);
  u = portable__fast_sum(0.6666666666666666, PORTABLE__TIMES(z.high, t)); /* 2/3 and the rest */
  u = portable__pair_product(z, portable__pair_of(u.high, u.low + 3.700743415417188e-17));
  u = portable__pair_product(s, u);
  z = portable__fast_sum(2 * s.high, u.high);
  return portable__fast_sum(z.high, z.low + (2 * s.low + u.low));
}

/* The logarithm of a positive, finite pair, as a pair. */
PORTABLE__MATH portable__pair portable__log_pair(portable__pair x) {
  int k;
  const double m = portable__split(x.high, &k), n = k;
  const portable__pair r = portable__log1p_series(m - 1.0, x.low == 0 ? 0 : portable__scaled(x.low, -k));
  const portable__pair s = portable__fast_sum(PORTABLE__TIMES(n, PORTABLE__LN2_HIGH), r.high);
  const portable__pair t = portable__two_sum(PORTABLE__TIMES(n, PORTABLE__LN2_LOW), s.low);
  const portable__pair v = portable__fast_sum(s.high, t.high);
  return portable__fast_sum(v.high, v.low + (t.low + r.low));
}

/* log(1 + u) for a pair u above -0.42, as a pair. */
PORTABLE__MATH portable__pair portable__log1p_pair(portable__pair u) {
  if (portable__magnitude(u.high) < 0.4) return portable__log1p_series(u.high, u.low);
  return portable__log_pair(portable__pair_sum(portable__pair_of(1.0, 0), u));
}

/* The logarithm to base 10.  Since: 0.1 */
PORTABLE__MATH double portable__log10(double x) {
  if (!(x > 0) || x == portable__infinity()) return x == 0 ? -portable__infinity() : x < 0 ? portable__not_a_number() : x + x;
  return portable__pair_product(portable__log_pair(portable__pair_of(x, 0)), portable__pair_of(0.4342944819032518, 1.098319650216765e-17)).high;
}

/* 0: y is no integer, 1: an odd one, 2: an even one. */
PORTABLE__MATH int portable__parity(double y) {
  const double a = portable__magnitude(y);
  if (a >= 9007199254740992.0 /* 2^53 */) return 2;
  if (a != (double)(int64_t)a) return 0;
  return (int64_t)a & 1 ? 1 : 2;
}

/* x to the power of y, as IEEE 754 has it.  Since: 0.1 */
PORTABLE__MATH double portable__pow(double x, double y) {
  const double infinity = portable__infinity(), a = portable__magnitude(x);
  double sign = 1, estimate;
  int k;
  portable__pair l, p;
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;
  if (portable__magnitude(y) == infinity) return a == 1 ? 1 : (a > 1) == (y > 0) ? infinity : 0;
  if (portable__bits_of(x) >> 63) {
    const int parity = portable__parity(y);
    if (parity == 0 && a != 0 && a != infinity) return portable__not_a_number();
    if (parity == 1) sign = -1;
  }
  if (a == 0 || a == infinity) return (a == 0) == (y > 0) ? portable__with_sign(0, sign) : sign * infinity;
  if (a == 1) return sign;
  if (portable__magnitude(y) > 3.6893488147419103e+19 /* 2^65 */) return (a > 1) == (y > 0) ? sign * infinity : portable__with_sign(0, sign);
  l = portable__log_pair(portable__pair_of(a, 0));
  estimate = PORTABLE__TIMES(y, l.high);
  if (estimate > 710) return sign * infinity;
  if (estimate < -746) return portable__with_sign(0, sign);
  p = portable__two_product(y, l.high);
  p = portable__fast_sum(p.high, p.low + PORTABLE__TIMES(y, l.low));
  p = portable__exp_pair(p, 1, &k);
  return sign * portable__scaled(p.high + p.low, k);
}

#endif
