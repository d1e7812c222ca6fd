/* portable_math_exponential.h - exp, log, log10 and pow of portable_math.h; programs include that file.
 *
 * Exponential: x = (k + j/32) ln 2 + r, |r| at most 0.011, 2^(j/32) from a table, Taylor's series of r (Cody, Waite 1980; Tang, ACM TOMS 15,
 * 1989). Logarithm: x = 2^k m, m between the roots of 1/2 and 2, 1/c near m from a table, the series of log(c m). pow is the exponential of
 * y log x, both as pairs. Coefficients are those of the series.  Threads: any.
 */
#ifndef PORTABLE_MATH_EXPONENTIAL_H
#define PORTABLE_MATH_EXPONENTIAL_H

#include "portable_math_pairs.h"

#define PORTABLE__LN2_HIGH 0.6931471805598903 /* 42 bits: multiples up to 2^11 are exact */
#define PORTABLE__LN2_LOW 5.497923018708371e-14

/* The exponential of x is the result times 2^*k; |x| is below 1500. The pair has 67 bits if fine, else 58, and its low part may be large. */
PORTABLE__MATH portable__pair portable__exp_pair(portable__pair x, int fine, int *k) {
  static const double powers[32][2] = {
    {1.0, 0}, {1.0218971486541166, 5.109225028973444e-17}, {1.0442737824274138, 8.551889705537965e-17},
    {1.0671404006768237, -7.899853966841582e-17}, {1.0905077326652577, -3.046782079812471e-17}, {1.1143867425958924, 1.0410278456845571e-16},
    {1.1387886347566916, 8.912812676025408e-17}, {1.1637248587775775, 3.8292048369240935e-17}, {1.189207115002721, 3.982015231465646e-17},
    {1.215247359980469, -7.712630692681488e-17}, {1.241857812073484, 4.658027591836937e-17}, {1.2690509571917332, 2.667932131342186e-18},
    {1.2968395546510096, 2.5382502794888315e-17}, {1.3252366431597413, -2.8587312100388614e-17}, {1.3542555469368927, 7.70094837980299e-17},
    {1.383909881963832, -6.770511658794786e-17}, {1.4142135623730951, -9.667293313452913e-17}, {1.4451808069770467, -3.0237581349939873e-17},
    {1.4768261459394993, -3.483994556892796e-17}, {1.5091644275934228, -1.016455327754295e-16}, {1.5422108254079407, 7.949834809697621e-17},
    {1.5759808451078865, -1.0136916471278304e-17}, {1.6104903319492543, 2.4707192569797888e-17}, {1.645755478153965, -1.0125679913674773e-16},
    {1.681792830507429, 8.199010020581497e-17}, {1.718619298122478, -1.851380418263111e-17}, {1.7562521603732995, 2.960140695448873e-17},
    {1.7947090750031072, 1.8227458427912087e-17}, {1.8340080864093424, 3.283107224245627e-17}, {1.8741676341103, -6.122763413004143e-17},
    {1.9152065613971474, -1.0619946056195963e-16}, {1.9571441241754002, 8.960767791036668e-17}};
  const double n = portable__nearest(PORTABLE__TIMES(x.high, 46.16624130844683));
  const double middle = x.high - PORTABLE__TIMES(n, 0.021660849392446835), last = PORTABLE__TIMES(n, 5.145609244655338e-14);
  const int steps = (int)n;
  const double high = powers[steps & 31][0], low = powers[steps & 31][1];
  const portable__pair r = fine ? portable__two_sum(middle, x.low - last) : portable__pair_of(middle + (x.low - last), 0);
  const double z = PORTABLE__TIMES(r.high, r.high);
  double odd = PORTABLE__STEP(1.0 / 120, z, 1.0 / 5040), even = PORTABLE__STEP(1.0 / 24, z, 1.0 / 720);
  odd = PORTABLE__STEP(1.0 / 6, z, odd);
  even = PORTABLE__STEP(0.5, z, even);
  const double rest = PORTABLE__TIMES(z, PORTABLE__STEP(even, r.high, odd));
  *k = steps >> 5;
  if (!fine) return portable__pair_of(high, low + PORTABLE__TIMES(high, r.high + rest));
  const portable__pair t = portable__two_product(high, r.high), s = portable__fast_sum(high, t.high);
  return portable__fast_sum(s.high, s.low + (t.low + (PORTABLE__STEP(low, low, r.high) + PORTABLE__TIMES(high, PORTABLE__STEP(rest, r.low, 1.0 + r.high)))));
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

/* log x is base + rest + log(1 + h + low), |h| below 1/79, and base is 0 or larger than h; c / 2^k is near 1/x. */
typedef struct portable__logarithm { double base, rest, h, low, c; int k; } portable__logarithm;

/* x is positive and finite. c is near 1/m and has 10 bits, so c m - 1 is known without error; its table has c and -log c, whose first part is a
 * multiple of 2^-42 (Tang, ACM TOMS 16, 1990). */
PORTABLE__MATH portable__logarithm portable__log_reduced(double x) {
  static const double near[47][3] = {
    {1.421875, -0.35197642315711164, -6.654491643324795e-14}, {1.390625, -0.32975328637257917, 1.1118671389559323e-13},
    {1.361328125, -0.30846078572108127, 6.51660035646737e-14}, {1.333984375, -0.2881702345312078, -7.445357054751763e-14},
    {1.306640625, -0.26745943508876735, 4.6684676570510833e-14}, {1.279296875, -0.2463106105958559, 1.1177156288837231e-13},
    {1.255859375, -0.22782009919819757, 8.596509314011835e-14}, {1.23046875, -0.20739519434596332, -1.0726867577289733e-13},
    {1.20703125, -0.18816383241824042, 5.743078393200756e-14}, {1.185546875, -0.1702041660200848, 9.433537664581756e-14},
    {1.1640625, -0.15191604202573217, -1.0980754099855238e-13}, {1.142578125, -0.13328722219239353, 4.4819840726013836e-14},
    {1.123046875, -0.11604541575775329, -8.936559926276793e-14}, {1.103515625, -0.0985011061068235, -1.0965899689943145e-13},
    {1.083984375, -0.08064348870698268, 5.595440532347099e-14}, {1.06640625, -0.06429435070549516, 9.790518511990216e-14},
    {1.048828125, -0.04767346946937323, 1.6328004423783634e-14}, {1.033203125, -0.03266380681884584, 5.4245058792756725e-14},
    {1.015625, -0.015504186535963527, -1.7274567499706107e-15}, {1.0, 0, 0},
    {0.984375, 0.01574835696806076, 7.840703382506278e-14}, {0.96875, 0.03174869831468641, -1.0610652735224087e-13},
    {0.955078125, 0.04596213556465045, -1.4693284460141064e-14}, {0.94140625, 0.060380510988807146, 1.0033424888676119e-13},
    {0.927734375, 0.07500982100486908, -2.5061174934837362e-15}, {0.9140625, 0.08985632912185793, 3.1218748807418837e-15},
    {0.90234375, 0.10275973395778237, -1.3438406228830954e-14}, {0.888671875, 0.11802720608852724, 3.013227959910772e-14},
    {0.876953125, 0.13130173729723538, 1.811460150533731e-14}, {0.865234375, 0.14475485499428942, 8.272973285564614e-14},
    {0.853515625, 0.1583914299440039, -8.626913488119114e-14}, {0.841796875, 0.172216534935842, -8.199467511461324e-14},
    {0.83203125, 0.1838852787700489, 8.84637355812087e-14}, {0.8203125, 0.19806991376208316, 1.0634128304268335e-14},
    {0.810546875, 0.21004610480872543, 8.405546663347035e-14}, {0.80078125, 0.2221674653410446, 1.0970699320566433e-13},
    {0.791015625, 0.23443755793300625, -3.76018844589075e-14}, {0.78125, 0.2468600779316148, -8.899851356560444e-14},
    {0.771484375, 0.2594388601382889, 9.704226792067357e-14}, {0.76171875, 0.2721778859158803, -6.465103064005256e-14},
    {0.75390625, 0.28248725557477883, -1.0190482133505088e-13}, {0.744140625, 0.29552524991277096, 3.586053092023274e-14},
    {0.736328125, 0.3060794375915066, -9.55418156600115e-15}, {0.7265625, 0.3194307707663029, 5.834357420090924e-14},
    {0.71875, 0.33024168687052224, 5.4612144489920215e-14}, {0.7109375, 0.3411707574027787, -1.156568624616423e-14},
    {0.703125, 0.35222059358943625, -8.414918193489195e-14}};
  portable__logarithm l;
  const double m = portable__split(x, &l.k), n = l.k;
  const double *const c = near[(int)PORTABLE__STEP(0.5, m, 64.0) - 45];
  const double top = portable__of_bits(portable__bits_of(m) & 0xfffffffff8000000u);
  const portable__pair r = portable__fast_sum(PORTABLE__TIMES(top, c[0]) - 1.0, PORTABLE__TIMES(m - top, c[0]));
  l.base = PORTABLE__TIMES(n, PORTABLE__LN2_HIGH) + c[1];
  l.rest = PORTABLE__TIMES(n, PORTABLE__LN2_LOW) + c[2];
  l.h = r.high;
  l.low = r.low;
  l.c = c[0];
  return l;
}

/* The natural logarithm.  Since: 0.1 */
PORTABLE__MATH double portable__log(double x) {
  if (!(x > 0) || x == portable__infinity()) return x == 0 ? -portable__infinity() : x < 0 ? portable__not_a_number() : x + x;
  const portable__logarithm l = portable__log_reduced(x);
  const double h = l.h, z = PORTABLE__TIMES(h, h);
  const double odd = PORTABLE__STEP(1.0 / 3, z, PORTABLE__STEP(1.0 / 5, z, PORTABLE__STEP(1.0 / 7, z, 1.0 / 9)));
  const double even = PORTABLE__STEP(1.0 / 4, z, PORTABLE__STEP(1.0 / 6, z, 1.0 / 8));
  const double cube = PORTABLE__TIMES(PORTABLE__TIMES(h, z), odd - PORTABLE__TIMES(h, even));
  const portable__pair s = portable__fast_sum(l.base, h);
  return s.high + (s.low + (l.rest + (l.low + (cube - 0.5 * z))));
}

/* base + rest + log(1 + h + low), as a pair to 68 bits. */
PORTABLE__MATH portable__pair portable__log_near(double base, double rest, double h, double low) {
  const double top = portable__of_bits(portable__bits_of(h) & 0xfffffffff8000000u), bottom = h - top, z = PORTABLE__TIMES(h, h);
  double odd = PORTABLE__STEP(1.0 / 9, z, 1.0 / 11), even = PORTABLE__STEP(1.0 / 10, z, 1.0 / 12);
  odd = PORTABLE__STEP(1.0 / 7, z, odd);
  even = PORTABLE__STEP(1.0 / 8, z, even);
  odd = PORTABLE__STEP(1.0 / 5, z, odd);
  even = PORTABLE__STEP(1.0 / 6, z, even);
  odd = PORTABLE__STEP(1.0 / 3, z, odd);
  even = PORTABLE__STEP(1.0 / 4, z, even);
  const double cube = PORTABLE__TIMES(PORTABLE__TIMES(h, z), odd - PORTABLE__TIMES(h, even));
  /* h^2/2 as a pair: the square of 26 bits is exact. */
  const double half = PORTABLE__TIMES(0.5 * top, top), half_low = PORTABLE__TIMES(0.5 * bottom, h + top);
  const portable__pair s = portable__fast_sum(base, h), t = portable__fast_sum(s.high, -half);
  return portable__fast_sum(t.high, t.low + (s.low + (rest + ((low - PORTABLE__TIMES(low, h)) + (cube - half_low)))));
}

/* The logarithm of a positive, finite pair, as a pair. */
PORTABLE__MATH portable__pair portable__log_pair(portable__pair x) {
  const portable__logarithm l = portable__log_reduced(x.high);
  return portable__log_near(l.base, l.rest, l.h, x.low == 0 ? l.low : l.low + PORTABLE__TIMES(portable__scaled(x.low, -l.k), l.c));
}

/* log(1 + u) for a pair u above -0.42, as a pair. */
PORTABLE__MATH portable__pair portable__log1p_pair(portable__pair u) {
  if (portable__magnitude(u.high) < 0.0078125) return portable__log_near(0, 0, u.high, u.low);
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
  p = portable__exp_pair(p, 0, &k);
  return sign * portable__scaled(p.high + p.low, k);
}

#endif
