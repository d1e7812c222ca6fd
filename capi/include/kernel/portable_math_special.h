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
    {0x1.1d16b5809eaf6p-1, 0x1.043e5f49b4044p-55, -0x1.babd0e4f1a24dp-2, 0x1.2577420fcd08ap-2, -0x1.59c35c06f8007p-3,
     0x1.72d46a9b2e7d4p-4, -0x1.6fce5df0aec86p-5, 0x1.552fe75cce8ffp-6, -0x1.2a7f4ff6de376p-7,
     0x1.efce943a006d1p-9, -0x1.88ee78b4e327bp-10, 0x1.2c1238408959bp-11, -0x1.b62724906617fp-13},
    {0x1.db747ee409ac5p-2, -0x1.55a083acba9f3p-56, -0x1.4369f60195edcp-2, 0x1.80ef8f454cf91p-3, -0x1.9d5868de0b587p-4,
     0x1.9831c2c844c5ep-5, -0x1.779dd2a3d2d7dp-6, 0x1.452649151d6a2p-7, -0x1.0ab3835474ec7p-8,
     0x1.a0ee5f44c3b93p-10, -0x1.37fdb60b924aap-11, 0x1.c2f23aabebb55p-13, -0x1.387f7ed7f9916p-14},
    {0x1.9531e09b149b5p-2, -0x1.aa513235e9c37p-58, -0x1.e78b356770fbbp-3, 0x1.05e72521ca1bbp-3, -0x1.01343a2c92267p-4,
     0x1.d4e711a2d791dp-6, -0x1.910a5d7c057afp-7, 0x1.446c5193b941dp-8, -0x1.f38c6d3ca9148p-10,
     0x1.6fd8d831bfdd4p-11, -0x1.041db9cd039dbp-12, 0x1.640e780ceea15p-14, -0x1.d4aebc6b57c53p-16},
    {0x1.5f88f52f3c76bp-2, -0x1.b7eb97a02d0e7p-57, -0x1.797a639d8129dp-3, 0x1.701342cbcea7dp-4, -0x1.4bcdb9d9083c4p-5,
     0x1.17eba60d2efbdp-6, -0x1.bdf24bcca8d5cp-8, 0x1.51aba01e88a08p-9, -0x1.e8ae68dbd2b85p-11,
     0x1.535ebe4e7b38fp-12, -0x1.c5f9b59840ff2p-14, 0x1.2681f63d17129p-15, -0x1.7070c828d91acp-17},
    {0x1.3583f6644327bp-2, -0x1.88eb8ebfdccaep-56, -0x1.2b11e6959934cp-3, 0x1.0a15ac2adab36p-4, -0x1.ba018e6428104p-6,
     0x1.5a142948a758ep-7, -0x1.014eae282ef7ap-8, 0x1.6d609f850717ep-10, -0x1.f1b43d5865d05p-12,
     0x1.465e54bb6234bp-13, -0x1.9d61a08b071dap-15, 0x1.fcdda4901ad15p-17, -0x1.2ec2cd73bd074p-18},
    {0x1.13e5743b60480p-2, 0x1.ca1dfca5d5331p-56, -0x1.e36580c7f734ap-4, 0x1.8a6efeed233adp-5, -0x1.2ef92f6f10797p-6,
     0x1.b99589d40d37fp-8, -0x1.33237c3ee9c63p-9, 0x1.99b60e586134bp-11, -0x1.070e0cc176e4fp-12,
     0x1.4631625d248bdp-14, -0x1.87a5b46b35ad8p-16, 0x1.c9e257a15716dp-18, -0x1.0359c6056b8fcp-19},
  };
  /* (sqrt(pi) x e^(x^2) erfc(x) - 1) x^2 as a polynomial of 1/x^2: x from 2 to 4, x from 4 on. */
  static const double middle[20] = {
    -0x1.ffffff8e1fe72p-2, 0x1.7fffda2e12d7bp-1, -0x1.dffa0ad0a1335p+0, 0x1.a3b3fb8b9b863p+2, -0x1.d5cc6adc2b5cep+4,
    0x1.3b77d0cedc19cp+7, -0x1.dbdc2c6b62507p+9, 0x1.772cc5d0840ddp+12, -0x1.20f50d5c1d09ap+15, 0x1.9bd6a9aa2e09dp+17,
    -0x1.04ff0ac6b996ep+20, 0x1.1dcde6b322729p+22, -0x1.0843aaf41608bp+24, 0x1.94036da5670cdp+25, -0x1.f30d46dd40adbp+26,
    0x1.e3fa10988248bp+27, -0x1.61f05c5ac33ffp+28, 0x1.6e639a51a7ddep+28, -0x1.dde7e09ccb820p+27, 0x1.27068ba928d76p+26};
  static const double far[16] = {
    -0x1.ffffffffffffep-2, 0x1.7fffffffff837p-1, -0x1.dfffffff54a32p+0, 0x1.a3ffffc1b7adbp+2, -0x1.d87ff246f74f7p+4,
    0x1.44d7014d42136p+7, -0x1.07e2a9c4ff380p+10, 0x1.edf1b4f6b20ddp+12, -0x1.03aa09c86e0f9p+16, 0x1.271ffe78af949p+19,
    -0x1.5404a89c221edp+22, 0x1.6b8145d879cf8p+25, -0x1.4641c84a6ca06p+28, 0x1.b880316c7d8a1p+30, -0x1.8213fc86c19dbp+32,
    0x1.43d492cfed9fep+33};
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
    g = portable__pair_quotient(portable__pair_product(g, portable__pair_of(0x1.20dd750429b6dp-1, 0x1.1ae3a914fed80p-57)), portable__pair_of(a, 0));
  }
  return portable__pair_product(e, g);
}

/* erf(a) as a pair, for a from 2^-900 to 1/2. */
PORTABLE__MATH portable__pair portable__erf_series(double a) {
  static const double series[13] = {-1.0 / 3, 1.0 / 10, -1.0 / 42, 1.0 / 216, -1.0 / 1320, 1.0 / 9360, -1.0 / 75600, 1.0 / 685440, -1.0 / 6894720,
                                    1.0 / 76204800, -1.0 / 918086400, 1.0 / 11975040000.0, -1.0 / 168129561600.0};
  const double z = PORTABLE__TIMES(a, a);
  portable__pair p = portable__fast_sum(1.0, PORTABLE__TIMES(z, portable__polynomial(series, 13, z)));
  p = portable__pair_product(p, portable__pair_of(0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56)); /* 2 / sqrt(pi) */
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
  if (a < 0x1p-900) return PORTABLE__TIMES(x * 0x1p100, 0x1.20dd750429b6dp+0) * 0x1p-100;
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
  if (a < 0x1p-60) return 1;
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
  const portable__pair rest = portable__two_sum(0x1.acfe390c97d69p-2, PORTABLE__TIMES(r, portable__polynomial(series, 7, PORTABLE__TIMES(r, r))));
  return portable__pair_sum(portable__pair_product(factor, log), portable__pair_of(rest.high, rest.low + 0x1.3494bc9001442p-56));
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
  v = portable__pair_product(portable__pair_of(r, 0), portable__pair_of(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53));
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
  if (x < 0 && (x <= -0x1p52 || x == portable__nearest_integer(x))) return portable__not_a_number();
  if (portable__magnitude(x) < 0x1p-60) return 1 / x;
  if (x > 172) return portable__infinity();
  if (x > 0) {
    g = portable__gamma_pair(portable__pair_of(x, 0), &k);
    return portable__scaled(g.high + g.low, k);
  }
  /* gamma(x) gamma(1 - x) = pi / sin(pi x) */
  g = portable__sine_of_half_turns(x);
  if (x < -184) return portable__with_sign(0, g.high);
  g = portable__pair_product(g, portable__gamma_pair(portable__two_sum(1.0, -x), &k));
  g = portable__pair_quotient(portable__pair_of(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53), g);
  return portable__scaled(g.high + g.low, -k);
}

/* log gamma(2 + u) for |u| at most 1/2: (1 - Euler's constant) u + (zeta(2) - 1)/2 u^2 - (zeta(3) - 1)/3 u^3 ... */
PORTABLE__MATH portable__pair portable__log_gamma_series(portable__pair u) {
  static const double series[29] = {
    -0x1.13e001a557607p-4, 0x1.51322ac7d8483p-6, -0x1.e404fc218f5f2p-8, 0x1.7add6eadb6c30p-9, -0x1.38ac5c2bf8e08p-10,
    0x1.0b36af86396e9p-11, -0x1.d3fd4c76d2fc8p-13, 0x1.a127b0f17d65ap-14, -0x1.78de5bd7c81efp-15, 0x1.580dcee66eb02p-16,
    -0x1.3cbc963ce2243p-17, 0x1.2597a39f34aacp-18, -0x1.11b2eb7679541p-19, 0x1.0064cdeb22f0fp-20, -0x1.e2600d93cfd2fp-22,
    0x1.c76bbb3f07a4dp-23, -0x1.af5a6cbbf8a97p-24, 0x1.99b93c2070b0fp-25, -0x1.862c734df3eacp-26, 0x1.7469daccfadcdp-27,
    -0x1.6434a8447aeadp-28, 0x1.555a877ffd2c3p-29, -0x1.47b1679258d0ep-30, 0x1.3b15d2b2fc10cp-31, -0x1.2f69a9fabe3e0p-32,
    0x1.24932a337434cp-33, -0x1.1a7c26ec2523cp-34, 0x1.11116e693ed98p-35, -0x1.08424cbc543d8p-36};
  portable__pair s = portable__two_sum(0x1.4a34cc4a60fa6p-2, PORTABLE__TIMES(u.high, portable__polynomial(series, 29, u.high)));
  s = portable__pair_product(u, portable__pair_of(s.high, s.low + 0x1.1873d8912200cp-56));
  return portable__pair_product(u, portable__pair_sum(portable__pair_of(0x1.b0ee6072093cep-2, 0x1.6cb90701fbfabp-58), s));
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
  if (a < 0x1p-60) return -portable__log(a);
  if (x > 0x1p900) { /* x log x - x; products of pairs overflow early */
    g = portable__pair_sum(portable__log_pair(portable__pair_of(x, 0)), portable__pair_of(-1.0, 0));
    g = portable__pair_product(portable__pair_of(x * 0x1p-100, 0), g);
    return portable__scaled(g.high + g.low, 100);
  }
  if (x > 0) return portable__log_gamma_pair(portable__pair_of(x, 0)).high;
  if (a >= 0x1p52 || x == portable__nearest_integer(x)) return infinity;
  g = portable__sine_of_half_turns(x);
  if (g.high < 0) g = portable__pair_negative(g);
  g = portable__log_pair(portable__pair_quotient(portable__pair_of(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53), g));
  return portable__pair_sum(g, portable__pair_negative(portable__log_gamma_pair(portable__two_sum(1.0, a)))).high;
}

#endif
