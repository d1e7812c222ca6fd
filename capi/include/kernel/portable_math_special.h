/* portable_math_special.h - erf, erfc, gamma and log_gamma of portable_math.h; programs include that file.
 *
 * erf is its series below 1/2. From there on erfc(x) = e^(-x^2) g(x), where polynomials of least error stand for g: around six points up to
 * 2, in 1/x^2 above. gamma is Stirling's series from 20 on (Abramowitz, Stegun 6.1.40), smaller arguments are raised to that by
 * the product x (x + 1) ..., negative ones reflected. log_gamma is a series of zeta(n) - 1 near its zeros 1 and 2.  Threads: any.
 */
#ifndef PORTABLE_MATH_SPECIAL_H
#define PORTABLE_MATH_SPECIAL_H

#include "portable_math_circular.h"
#include "portable_math_exponential.h"

/* c[0] + c[1] x + ... + c[n-1] x^(n-1). */
PORTABLE__MATH double portable__polynomial(const double *c, int n, double x) {
  double sum = c[n - 1];
  int i;
  for (i = n - 2; i >= 0; i--) sum = PORTABLE__STEP(c[i], x, sum);
  return sum;
}

/* erfc(a) as a pair times 2^*k, for a from 1/2 to 28. */
PORTABLE__MATH portable__pair portable__erfc_pair(double a, int *k) {
  /* e^(x^2) erfc(x) around 5/8, 7/8 ... 15/8: the value as a pair, then the polynomial of the distance. */
  static const double near[6][13] = {
    {0.5568138808733625, 2.8215672146600085e-17, -0.43236181600380946, 0.28658774587098235, -0.16882964988963087,
     0.09053460734403923, -0.04489820811928617, 0.020824409427611986, -0.009109415097314982,
     0.0037827068272243487, -0.0014989148305374611, 0.0005723403374459536, -0.00020892758449232368},
    {0.464311583202669, -1.851963727754574e-17, -0.3158338964908418, 0.18795692377318265, -0.10091439212620489,
     0.04982841533105707, -0.02292581148439642, 0.009922776875309684, -0.0040695376996670645,
     0.0015904660842271697, -0.000595075719908374, 0.00021502790820934295, -7.450533610118092e-05},
    {0.3956980795529959, -5.777675056089129e-18, -0.2380584881012718, 0.12788228043906522, -0.06279394840488238,
     0.028619544241672224, -0.012238784453113853, 0.004950303951521765, -0.001905626456541647,
     0.0007016125657343616, -0.0002480660594423014, 8.489048941743461e-05, -2.793565765324094e-05},
    {0.3432958898621254, -1.1924063146768541e-17, -0.18431546997466777, 0.08986211864695721, -0.04050337122340111,
     0.017084991607347656, -0.00680460310528316, 0.002576220794496157, -0.0009320855856257282,
     0.0003236485398748151, -0.0001082361762919091, 3.510804933945712e-05, -1.0980384176747408e-05},
    {0.30226120936348594, -2.1300243845955138e-17, -0.14603023666418335, 0.064962074784188, -0.026977910093251914,
     0.010561485441310105, -0.003926198500433626, 0.0013938042986928185, -0.00047464758019928637,
     0.00015562461872444875, -4.927889775549798e-05, 1.5165382393619986e-05, -4.511489681159013e-06},
    {0.2694299851646704, 2.4834579724134718e-17, -0.11801672272799837, 0.04814863004967349, -0.01849202758990706,
     0.006738039159292052, -0.002343281666486828, 0.0007814620139901888, -0.00025086868489918463,
     7.777044943882684e-05, -2.3343997253312234e-05, 6.823005521763463e-06, -1.9323131279148252e-06},
  };
  /* (sqrt(pi) x e^(x^2) erfc(x) - 1) x^2 as a polynomial of 1/x^2: x from 2 to 4, x from 4 on. */
  static const double middle[20] = {
    -0.4999999933715805, 0.7499988728754227, -1.8749090918874576, 6.557860266051736, -29.362406597172416,
    157.734014953964, -951.7201055746126, 6002.798294559322, -36986.526093394685, 210861.32550597648,
    -1069040.6735168356, 4682617.674936094, -17318826.95346121, 52954843.29220734, -130823451.45707266,
    253743236.7659038, -371131845.6726684, 384186789.1034831, -250560260.89984226, 77339182.64311776};
  static const double far[16] = {
    -0.4999999999999999, 0.7499999999997787, -1.8749999998441464, 6.562499941994896, -29.53123691292873,
    162.41993180686558, -1055.5416119091387, 7903.1066805796845, -66474.03821456795, 604415.9522321607,
    -5570858.152473909, 47645323.69121736, -342105220.65152013, 1847594075.122597, -6477315206.756312,
    10865943967.856441};
  const portable__pair square = portable__two_product(a, a);
  const portable__pair e = portable__exp_pair(portable__pair_negative(square), 1, k);
  portable__pair g;
  if (a < 2) {
    const int j = (int)(4 * a) - 2;
    const double distance = a - (0.625 + 0.25 * j);
    g = portable__fast_sum(near[j][0], PORTABLE__STEP(near[j][1], distance, portable__polynomial(near[j] + 2, 11, distance)));
  } else {
    const double q = 1.0 / square.high;
    g = portable__fast_sum(1.0, PORTABLE__TIMES(q, a < 4 ? portable__polynomial(middle, 20, q) : portable__polynomial(far, 16, q)));
    g = portable__pair_quotient(portable__pair_product(g, portable__pair_of(0.5641895835477563, 7.66772980658294e-18)), portable__pair_of(a, 0));
  }
  return portable__pair_product(e, g);
}

/* erf(a) as a pair, for a from 2^-900 to 1/2. */
PORTABLE__MATH portable__pair portable__erf_series(double a) {
  static const double series[13] = {-1.0 / 3, 1.0 / 10, -1.0 / 42, 1.0 / 216, -1.0 / 1320, 1.0 / 9360, -1.0 / 75600, 1.0 / 685440, -1.0 / 6894720,
                                    1.0 / 76204800, -1.0 / 918086400, 1.0 / 11975040000.0, -1.0 / 168129561600.0};
  const double z = PORTABLE__TIMES(a, a);
  portable__pair p = portable__fast_sum(1.0, PORTABLE__TIMES(z, portable__polynomial(series, 13, z)));
  p = portable__pair_product(p, portable__pair_of(1.1283791670955126, 1.533545961316588e-17)); /* 2 / sqrt(pi) */
  return portable__pair_product(p, portable__pair_of(a, 0));
}

/* 1 - erf(x) or 2 - erf(x), as a whole number less erfc(a). */
PORTABLE__MATH double portable__less_erfc(double whole, double a) {
  int k;
  const portable__pair c = portable__erfc_pair(a, &k);
  return portable__pair_sum(portable__pair_of(whole, 0), portable__pair_of(-portable__scaled(c.high, k), -portable__scaled(c.low, k))).high;
}

/* The error function.  Since: 0.1 */
PORTABLE__MATH double portable__erf(double x) {
  const double a = portable__magnitude(x);
  if (x != x) return x + x;
  if (a > 6) return portable__with_sign(1, x);
  if (a < 1.1830521861667747e-271 /* 2^-900 */) return PORTABLE__TIMES(x * 1.2676506002282294e+30 /* 2^100 */, 1.1283791670955126) * 7.888609052210118e-31 /* 2^-100 */;
  return portable__with_sign(a < 0.5 ? portable__erf_series(a).high : portable__less_erfc(1.0, a), x);
}

/* The complement of the error function, 1 - erf(x).  Since: 0.1 */
PORTABLE__MATH double portable__erfc(double x) {
  const double a = portable__magnitude(x);
  portable__pair c;
  int k;
  if (x != x) return x + x;
  if (x > 28) return 0;
  if (x < -6) return 2;
  if (a < 8.673617379884035e-19 /* 2^-60 */) return 1;
  if (a < 0.5) {
    c = portable__erf_series(a);
    return portable__pair_sum(portable__pair_of(1.0, 0), x > 0 ? portable__pair_negative(c) : c).high;
  }
  if (x < 0) return portable__less_erfc(2.0, a);
  c = portable__erfc_pair(a, &k);
  return portable__scaled(c.high + c.low, k);
}

/* log gamma(x) by Stirling's series, for a pair from 20 on. */
PORTABLE__MATH portable__pair portable__stirling(portable__pair x) {
  static const double series[7] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156};
  const double r = 1.0 / x.high;
  const portable__pair log = portable__pair_sum(portable__log_pair(x), portable__pair_of(-1.0, 0)), factor = portable__pair_sum(x, portable__pair_of(-0.5, 0));
  const portable__pair rest = portable__two_sum(0.4189385332046727, PORTABLE__TIMES(r, portable__polynomial(series, 7, PORTABLE__TIMES(r, r))));
  return portable__pair_sum(portable__pair_product(factor, log), portable__pair_of(rest.high, rest.low + 1.6728209650585413e-17));
}

/* x (x + 1) ..., until the last factor plus 1, *raised, is 20 or more. */
PORTABLE__MATH portable__pair portable__rising(portable__pair x, portable__pair *raised) {
  portable__pair product = portable__pair_of(1.0, 0);
  while (x.high < 20) {
    product = portable__pair_product(product, x);
    x = portable__pair_sum(x, portable__pair_of(1.0, 0));
  }
  *raised = x;
  return product;
}

/* gamma(x) as a pair times 2^*k, for a positive pair below 185. */
PORTABLE__MATH portable__pair portable__gamma_pair(portable__pair x, int *k) {
  const portable__pair product = portable__rising(x, &x);
  return portable__pair_quotient(portable__exp_pair(portable__stirling(x), 1, k), product);
}

/* The integer nearest to x; |x| is below 2^52. */
PORTABLE__MATH double portable__nearest_integer(double x) {
  const double n = (double)(int64_t)x, rest = x - n;
  return rest > 0.5 ? n + 1 : rest < -0.5 ? n - 1 : n;
}

/* sin(pi x) as a pair for an x that is no integer; |x| is below 2^52. */
PORTABLE__MATH portable__pair portable__sine_of_half_turns(double x) {
  const double n = portable__nearest_integer(x);
  double r = x - n;
  portable__pair v;
  int cosine = 0;
  if (portable__magnitude(r) > 0.25) { /* |sin| is the cosine of the distance from 1/2 */
    cosine = 1;
    r = 0.5 - portable__magnitude(r);
  }
  v = portable__pair_product(portable__pair_of(r, 0), portable__pair_of(3.141592653589793, 1.2246467991473532e-16));
  v = cosine ? portable__cosine_series(v) : portable__sine_series(v);
  v = portable__fast_sum(v.high, v.low);
  if (cosine && x - n < 0) v = portable__pair_negative(v);
  return (int64_t)n & 1 ? portable__pair_negative(v) : v;
}

/* The gamma function.  Since: 0.1 */
PORTABLE__MATH double portable__gamma(double x) {
  portable__pair g;
  int k;
  if (x != x) return x + x;
  if (x == 0) return 1 / x;
  if (x == portable__infinity()) return x;
  if (x < 0 && (x <= -4503599627370496.0 /* 2^52 */ || x == portable__nearest_integer(x))) return portable__not_a_number();
  if (portable__magnitude(x) < 8.673617379884035e-19 /* 2^-60 */) return 1 / x;
  if (x > 172) return portable__infinity();
  if (x > 0) {
    g = portable__gamma_pair(portable__pair_of(x, 0), &k);
    return portable__scaled(g.high + g.low, k);
  }
  /* gamma(x) gamma(1 - x) = pi / sin(pi x) */
  g = portable__sine_of_half_turns(x);
  if (x < -184) return portable__with_sign(0, g.high);
  g = portable__pair_product(g, portable__gamma_pair(portable__two_sum(1.0, -x), &k));
  g = portable__pair_quotient(portable__pair_of(3.141592653589793, 1.2246467991473532e-16), g);
  return portable__scaled(g.high + g.low, -k);
}

/* log gamma(2 + u) for |u| at most 1/2: (1 - Euler's constant) u + (zeta(2) - 1)/2 u^2 - (zeta(3) - 1)/3 u^3 ... */
PORTABLE__MATH portable__pair portable__log_gamma_series(portable__pair u) {
  static const double series[29] = {
    -0.0673523010531981, 0.020580808427784546, -0.007385551028673986, 0.0028905103307415234, -0.001192753911703261,
    0.0005096695247430425, -0.00022315475845357939, 9.945751278180853e-05, -4.492623673813314e-05, 2.050721277567069e-05,
    -9.439488275268397e-06, 4.374866789907488e-06, -2.039215753801366e-06, 9.55141213040742e-07, -4.492469198764566e-07,
    2.1207184805554665e-07, -1.0043224823968099e-07, 4.7698101693639804e-08, -2.2711094608943164e-08, 1.0838659214896955e-08,
    -5.183475041970047e-09, 2.4836745438024785e-09, -1.1921401405860912e-09, 5.731367241678862e-10, -2.7595228851242334e-10,
    1.330476437424449e-10, -6.4229645638381e-11, 3.1044247747322276e-11, -1.5021384080754142e-11};
  portable__pair s = portable__two_sum(0.3224670334241132, PORTABLE__TIMES(u.high, portable__polynomial(series, 29, u.high)));
  s = portable__pair_product(u, portable__pair_of(s.high, s.low + 1.520336175199238e-17));
  return portable__pair_product(u, portable__pair_sum(portable__pair_of(0.42278433509846713, 4.942915152430645e-18), s));
}

/* log gamma of a positive pair. */
PORTABLE__MATH portable__pair portable__log_gamma_pair(portable__pair x) {
  portable__pair product;
  if (x.high >= 1.5 && x.high <= 2.5) return portable__log_gamma_series(portable__pair_sum(x, portable__pair_of(-2.0, 0)));
  if (x.high >= 0.5 && x.high < 1.5) {
    const portable__pair u = portable__pair_sum(x, portable__pair_of(-1.0, 0));
    return portable__pair_sum(portable__log_gamma_series(u), portable__pair_negative(portable__log1p_pair(u)));
  }
  if (x.high < 0.5) {
    product = portable__pair_product(x, portable__pair_sum(x, portable__pair_of(1.0, 0)));
    return portable__pair_sum(portable__log_gamma_series(x), portable__pair_negative(portable__log_pair(product)));
  }
  product = portable__rising(x, &x);
  x = portable__stirling(x);
  return product.high == 1 ? x : portable__pair_sum(x, portable__pair_negative(portable__log_pair(product)));
}

/* The logarithm of |gamma(x)|. Next to its zeros between negative integers the error is 2^-50, not one of the last place.  Since: 0.1 */
PORTABLE__MATH double portable__log_gamma(double x) {
  const double a = portable__magnitude(x), infinity = portable__infinity();
  portable__pair g;
  if (x != x) return x + x;
  if (a == infinity || x == 0) return infinity;
  if (a < 8.673617379884035e-19 /* 2^-60 */) return -portable__log(a);
  if (x > 8.452712498170644e+270 /* 2^900 */) { /* x log x - x; products of pairs overflow early */
    g = portable__pair_sum(portable__log_pair(portable__pair_of(x, 0)), portable__pair_of(-1.0, 0));
    g = portable__pair_product(portable__pair_of(x * 7.888609052210118e-31 /* 2^-100 */, 0), g);
    return portable__scaled(g.high + g.low, 100);
  }
  if (x > 0) return portable__log_gamma_pair(portable__pair_of(x, 0)).high;
  if (a >= 4503599627370496.0 /* 2^52 */ || x == portable__nearest_integer(x)) return infinity;
  g = portable__sine_of_half_turns(x);
  if (g.high < 0) g = portable__pair_negative(g);
  g = portable__log_pair(portable__pair_quotient(portable__pair_of(3.141592653589793, 1.2246467991473532e-16), g));
  return portable__pair_sum(g, portable__pair_negative(portable__log_gamma_pair(portable__two_sum(1.0, a)))).high;
}

#endif
