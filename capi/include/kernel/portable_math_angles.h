/* portable_math_angles.h - atan, atan2, asin, acos and hypot of portable_math.h; programs include that file.
 *
 * An angle comes from two sides as pairs: their ratio lies near j/8, the angle is atan(j/8) and the angle of the rest, whose tangent is below
 * 0.07 and goes into the series. asin and acos are angles of x and the root of 1 - x^2. Not in this file: sin, cos, tan
 * (portable_math_circular.h).  Threads: any.
 */
#ifndef PORTABLE_MATH_ANGLES_H
#define PORTABLE_MATH_ANGLES_H

#include "portable_math_pairs.h"

/* atan(a / b) as a pair, for a from 0 to b, b positive; both below 2^900 and above 2^-400, or a = 0. */
PORTABLE__MATH portable__pair portable__lower_angle(portable__pair a, portable__pair b) {
  static const double angles[9][2] = {{0, 0},
                                      {0.12435499454676144, -3.1253241424539383e-18},
                                      {0.24497866312686414, 1.0698755618734451e-17},
                                      {0.35877067027057225, -2.4623815582638635e-17},
                                      {0.4636476090008061, 2.2698777452961687e-17},
                                      {0.5585993153435624, -5.4556305485916264e-18},
                                      {0.6435011087932844, 1.5834785051444286e-17},
                                      {0.7188299996216245, -2.1478388444456983e-17},
                                      {0.7853981633974483, 3.061616997868383e-17}};
  const double j = portable__nearest(8 * (a.high / b.high));
  portable__pair t;
  double z, p;
  if (j == 0) {
    t = portable__pair_quotient(a, b);
  } else {
    const portable__pair c = portable__pair_of(0.125 * j, 0);
    t = portable__pair_quotient(portable__pair_sum(a, portable__pair_negative(portable__pair_product(b, c))), portable__pair_sum(b, portable__pair_product(a, c)));
  }
  z = PORTABLE__TIMES(t.high, t.high);
  p = PORTABLE__STEP(-1.0 / 15, z, 1.0 / 17);
  p = PORTABLE__STEP(1.0 / 13, z, p);
  p = PORTABLE__STEP(-1.0 / 11, z, p);
  p = PORTABLE__STEP(1.0 / 9, z, p);
  p = PORTABLE__STEP(-1.0 / 7, z, p);
  p = PORTABLE__STEP(1.0 / 5, z, p);
  p = PORTABLE__STEP(-1.0 / 3, z, p);
  t = portable__fast_sum(t.high, PORTABLE__STEP(t.low, PORTABLE__TIMES(t.high, z), p));
  return portable__pair_sum(portable__pair_of(angles[(int)j][0], angles[(int)j][1]), t);
}

/* The angle from the side b to the side a, from 0 to pi/2; both are at least 0, and not both 0. */
PORTABLE__MATH portable__pair portable__angle(portable__pair a, portable__pair b) {
  if (a.high <= b.high) return portable__lower_angle(a, b);
  return portable__pair_sum(portable__pair_of(1.5707963267948966, 6.123233995736766e-17), portable__pair_negative(portable__lower_angle(b, a)));
}

/* The arc tangent, from -pi/2 to pi/2.  Since: 0.1 */
PORTABLE__MATH double portable__atan(double x) {
  const double a = portable__magnitude(x);
  if (x != x) return x + x;
  if (a < 7.450580596923828e-09 /* 2^-27 */) return x;
  if (a > 1.152921504606847e+18 /* 2^60 */) return portable__with_sign(1.5707963267948966, x);
  return portable__with_sign(portable__angle(portable__pair_of(a, 0), portable__pair_of(1.0, 0)).high, x);
}

/* The angle of the point (x, y), from -pi to pi; zeros have signs.  Since: 0.1 */
PORTABLE__MATH double portable__atan2(double y, double x) {
  const double pi = 3.141592653589793, infinity = portable__infinity();
  const int left = (int)(portable__bits_of(x) >> 63);
  double a = portable__magnitude(y), b = portable__magnitude(x);
  portable__pair v;
  int distance;
  if (x != x || y != y) return x + y;
  if (a == 0) return portable__with_sign(left ? pi : 0, y);
  if (b == 0) return portable__with_sign(0.5 * pi, y);
  if (a == infinity && b == infinity) return portable__with_sign(left ? 2.356194490192345 : 0.25 * pi, y);
  if (a == infinity) return portable__with_sign(0.5 * pi, y);
  if (b == infinity) return portable__with_sign(left ? pi : 0, y);
  if (a < 2.2250738585072014e-308 /* 2^-1022 */) a *= 1.8014398509481984e+16 /* 2^54 */, b = b < 8.452712498170644e+270 /* 2^900 */ ? b * 1.8014398509481984e+16 /* 2^54 */ : b;
  if (b < 2.2250738585072014e-308 /* 2^-1022 */) b *= 1.8014398509481984e+16 /* 2^54 */, a = a < 8.452712498170644e+270 /* 2^900 */ ? a * 1.8014398509481984e+16 /* 2^54 */ : a;
  distance = (int)(portable__bits_of(a) >> 52) - (int)(portable__bits_of(b) >> 52);
  if (distance > 60) return portable__with_sign(0.5 * pi, y);
  if (distance < -60) return portable__with_sign(left ? pi : portable__magnitude(y) / portable__magnitude(x), y);
  distance = 1023 - (int)(portable__bits_of(a > b ? a : b) >> 52);
  v = portable__angle(portable__pair_of(portable__scaled(a, distance), 0), portable__pair_of(portable__scaled(b, distance), 0));
  if (left) v = portable__pair_sum(portable__pair_of(pi, 1.2246467991473532e-16), portable__pair_negative(v));
  return portable__with_sign(v.high, y);
}

/* The root of 1 - x^2 as a pair, |x| below 1. */
PORTABLE__MATH portable__pair portable__other_side(double x) {
  const portable__pair square = portable__two_product(x, x);
  return portable__pair_root(portable__pair_sum(portable__pair_of(1.0, 0), portable__pair_negative(square)));
}

/* The arc sine, from -pi/2 to pi/2.  Since: 0.1 */
PORTABLE__MATH double portable__asin(double x) {
  const double a = portable__magnitude(x);
  if (!(a <= 1)) return portable__not_a_number();
  if (a < 7.450580596923828e-09 /* 2^-27 */) return x;
  if (a == 1) return portable__with_sign(1.5707963267948966, x);
  return portable__with_sign(portable__angle(portable__pair_of(a, 0), portable__other_side(x)).high, x);
}

/* The arc cosine, from 0 to pi.  Since: 0.1 */
PORTABLE__MATH double portable__acos(double x) {
  const double a = portable__magnitude(x);
  portable__pair v;
  if (!(a <= 1)) return portable__not_a_number();
  if (a < 8.673617379884035e-19 /* 2^-60 */) return 1.5707963267948966;
  if (a == 1) return x > 0 ? 0 : 3.141592653589793;
  v = portable__angle(portable__other_side(x), portable__pair_of(a, 0));
  if (x < 0) v = portable__pair_sum(portable__pair_of(3.141592653589793, 1.2246467991473532e-16), portable__pair_negative(v));
  return v.high;
}

/* The root of x^2 + y^2, without overflow on the way.  Since: 0.1 */
PORTABLE__MATH double portable__hypot(double x, double y) {
  const double infinity = portable__infinity();
  double a = portable__magnitude(x), b = portable__magnitude(y), t;
  portable__pair v;
  int k;
  if (a == infinity || b == infinity) return infinity;
  if (x != x || y != y) return x + y;
  if (a < b) {
    t = a;
    a = b;
    b = t;
  }
  if (b == 0) return a;
  k = (int)(portable__bits_of(a) >> 52) - 1023;
  if (k == -1023) k = -1074;
  a = portable__scaled(a, -k);
  b = portable__scaled(b, -k);
  if (b < 8.673617379884035e-19 /* 2^-60 */) return portable__scaled(a, k);
  v = portable__pair_root(portable__pair_sum(portable__two_product(a, a), portable__two_product(b, b)));
  return portable__scaled(v.high + v.low, k);
}

#endif
