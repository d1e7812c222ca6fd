/* portable_math_circular.h - sin, cos and tan of portable_math.h; programs include that file.
 *
 * The argument is n pi/2 + r, |r| at most pi/4. Below 2^20, pi/2 is taken away in four parts (Cody, Waite 1980); above, the fraction of
 * x * 2/pi comes from 192 bits of 2/pi (Payne, Hanek; SIGNUM 18, 1983). The pair r then goes into Taylor's series. Not in this file: their
 * inverses (portable_math_angles.h).  Threads: any.
 */
#ifndef PORTABLE_MATH_CIRCULAR_H
#define PORTABLE_MATH_CIRCULAR_H

#include "portable_math_pairs.h"

/* The high half of a * b. */
PORTABLE__MATH uint64_t portable__high_product(uint64_t a, uint64_t b) {
  const uint64_t al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
  const uint64_t low = al * bl, one = ah * bl + (low >> 32), two = al * bh + (one & 0xffffffffu);
  return ah * bh + (one >> 32) + (two >> 32);
}

/* 64 bits of 2/pi behind its first `from` bits; bits before the point are 0. */
PORTABLE__MATH uint64_t portable__two_by_pi(int from) {
  static const uint64_t words[20] = {
    0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu,
    0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u,
    0x4f463f669e5fea2du, 0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu, 0};
  const int word = from >> 6, shift = from & 63; /* a negative number of bits gives the words before the first, 0 */
  const uint64_t a = word < 0 ? 0 : words[word], b = word + 1 < 0 ? 0 : words[word + 1];
  return shift == 0 ? a : a << shift | b >> (64 - shift);
}

/* The remainder of a large |x|, and n modulo 4. */
PORTABLE__MATH portable__pair portable__large_remainder(double x, int *quadrant) {
  const uint64_t bits = portable__bits_of(x) & 0x7fffffffffffffffu, m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  const int e = (int)(bits >> 52) - 1075; /* |x| = m * 2^e; 2^(e-i) is a multiple of 4 before bit e - 1 */
  const uint64_t a = portable__two_by_pi(e - 2), b = portable__two_by_pi(e + 62), c = portable__two_by_pi(e + 126);
  uint64_t f2, f1, f0, carry, negative;
  portable__pair r;
  int zeros = 0;
  /* m * (a, b, c) modulo 2^192, of which the first two bits are the quadrant. */
  f0 = m * c;
  f1 = m * b;
  carry = portable__high_product(m, c);
  f1 += carry;
  carry = portable__high_product(m, b) + (f1 < carry);
  f2 = m * a + carry;
  *quadrant = (int)(f2 >> 62);
  f2 = f2 << 2 | f1 >> 62;
  f1 = f1 << 2 | f0 >> 62;
  f0 <<= 2;
  negative = f2 >> 63;
  if (negative) {
    *quadrant = (*quadrant + 1) & 3;
    f0 = ~f0 + 1;
    f1 = ~f1 + (f0 == 0);
    f2 = ~f2 + (f0 == 0 && f1 == 0);
  }
  while (!(f2 >> 63) && zeros < 128) {
    f2 = f2 << 1 | f1 >> 63;
    f1 = f1 << 1 | f0 >> 63;
    f0 <<= 1;
    zeros++;
  }
  r.high = PORTABLE__TIMES((double)(int64_t)(f2 >> 11), 1.1102230246251565e-16 /* 2^-53 */);
  r.low = PORTABLE__TIMES((double)(int64_t)((f2 << 42 | f1 >> 22) & 0x1fffffffffffffu), 1.232595164407831e-32 /* 2^-106 */);
  r = portable__pair_product(r, portable__pair_of(1.5707963267948966, 6.123233995736766e-17));
  r = portable__pair_of(portable__scaled(r.high, -zeros), portable__scaled(r.low, -zeros));
  if (negative) r = portable__pair_negative(r);
  if (portable__bits_of(x) >> 63) {
    *quadrant = -*quadrant & 3;
    r = portable__pair_negative(r);
  }
  return r;
}

/* x - n pi/2 for a finite x, and n modulo 4. */
PORTABLE__MATH portable__pair portable__remainder(double x, int *quadrant) {
  double n, b;
  portable__pair s, t;
  if (portable__magnitude(x) <= 0.7853981633974483) {
    *quadrant = 0;
    return portable__pair_of(x, 0);
  }
  if (portable__magnitude(x) >= 1048576.0 /* 2^20 */) return portable__large_remainder(x, quadrant);
  n = portable__nearest(PORTABLE__TIMES(x, 0.6366197723675814));
  *quadrant = (int)n & 3;
  /* Parts of 33 bits: their products with n are exact. */
  s = portable__two_sum(x - PORTABLE__TIMES(n, 1.5707963267341256), -PORTABLE__TIMES(n, 6.077100506303966e-11));
  t = portable__two_sum(s.high, -PORTABLE__TIMES(n, 2.0222662487111665e-21));
  b = (s.low + t.low) - PORTABLE__TIMES(n, 8.4784276603689e-32);
  return portable__fast_sum(t.high, b);
}

/* The series of the sine behind the cube, over r^5: z is r^2. */
PORTABLE__MATH double portable__sine_tail(double z) {
  double s = PORTABLE__STEP(-1.0 / 1307674368000.0, z, 1.0 / 355687428096000.0);
  s = PORTABLE__STEP(1.0 / 6227020800.0, z, s);
  s = PORTABLE__STEP(-1.0 / 39916800, z, s);
  s = PORTABLE__STEP(1.0 / 362880, z, s);
  s = PORTABLE__STEP(-1.0 / 5040, z, s);
  return PORTABLE__STEP(1.0 / 120, z, s);
}

/* The sine of a remainder: the sum of high and low, of which only high may be large. */
PORTABLE__MATH portable__pair portable__sine_series(portable__pair r) {
  const double z = PORTABLE__TIMES(r.high, r.high);
  const double s = PORTABLE__STEP(-1.0 / 6, z, portable__sine_tail(z));
  return portable__pair_of(r.high, PORTABLE__STEP(PORTABLE__STEP(r.low, -0.5 * z, r.low), PORTABLE__TIMES(r.high, z), s));
}

PORTABLE__MATH portable__pair portable__cosine_series(portable__pair r) {
  const portable__pair square = portable__two_product(r.high, r.high);
  const double z = square.high, half = 0.5 * z, one = 1.0 - half;
  double c = PORTABLE__STEP(1.0 / 20922789888000.0, z, -1.0 / 6402373705728000.0);
  c = PORTABLE__STEP(-1.0 / 87178291200.0, z, c);
  c = PORTABLE__STEP(1.0 / 479001600, z, c);
  c = PORTABLE__STEP(-1.0 / 3628800, z, c);
  c = PORTABLE__STEP(1.0 / 40320, z, c);
  c = PORTABLE__STEP(-1.0 / 720, z, c);
  c = PORTABLE__STEP(1.0 / 24, z, c);
  c = PORTABLE__TIMES(PORTABLE__TIMES(z, z), c);
  return portable__pair_of(one, ((1.0 - one) - half) + ((c - 0.5 * square.low) - PORTABLE__TIMES(r.high, r.low)));
}

/* The sine of x radians.  Since: 0.1 */
PORTABLE__MATH double portable__sin(double x) {
  int n;
  portable__pair v;
  if (!(portable__magnitude(x) < portable__infinity())) return portable__not_a_number();
  if (portable__magnitude(x) < 7.450580596923828e-09 /* 2^-27 */) return x;
  v = portable__remainder(x, &n);
  v = n & 1 ? portable__cosine_series(v) : portable__sine_series(v);
  return n & 2 ? -(v.high + v.low) : v.high + v.low;
}

/* The cosine of x radians.  Since: 0.1 */
PORTABLE__MATH double portable__cos(double x) {
  int n;
  portable__pair v;
  if (!(portable__magnitude(x) < portable__infinity())) return portable__not_a_number();
  v = portable__remainder(x, &n);
  v = n & 1 ? portable__sine_series(v) : portable__cosine_series(v);
  return (n + 1) & 2 ? -(v.high + v.low) : v.high + v.low;
}

/* The sine of a remainder to 60 bits, with the cube as a pair: for quotients. */
PORTABLE__MATH portable__pair portable__fine_sine(portable__pair r) {
  const portable__pair square = portable__two_product(r.high, r.high), cube = portable__two_product(r.high, square.high);
  const portable__pair sixth = portable__two_product(cube.high, 0.16666666666666666);
  const double z = square.high, rest = PORTABLE__STEP(cube.low, r.high, square.low);
  const double s = PORTABLE__TIMES(PORTABLE__TIMES(cube.high, z), portable__sine_tail(z)) - (sixth.low + PORTABLE__STEP(PORTABLE__TIMES(rest, 0.16666666666666666), cube.high, 9.25185853854297e-18));
  const portable__pair v = portable__fast_sum(r.high, -sixth.high);
  return portable__fast_sum(v.high, v.low + (s + PORTABLE__STEP(r.low, -0.5 * z, r.low)));
}

/* The tangent of x radians.  Since: 0.1 */
PORTABLE__MATH double portable__tan(double x) {
  int n;
  portable__pair r, s, c;
  if (!(portable__magnitude(x) < portable__infinity())) return portable__not_a_number();
  if (portable__magnitude(x) < 7.450580596923828e-09 /* 2^-27 */) return x;
  r = portable__remainder(x, &n);
  s = portable__fine_sine(r);
  c = portable__cosine_series(r);
  c = portable__fast_sum(c.high, c.low);
  r = n & 1 ? portable__pair_quotient(portable__pair_negative(c), s) : portable__pair_quotient(s, c);
  return r.high;
}

#endif
