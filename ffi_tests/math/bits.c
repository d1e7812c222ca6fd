/* bits.c - the functions of portable_math.h: each result has the bits that it has had since the function came, whatever compiles this file, and special
 * arguments give what IEEE 754 says. A change of bits is a change for users: it needs a note in CHANGELOG.md, and a new number here. Not in this file:
 * how good results are (oracle.c). */
#include "table.h"

#include <fenv.h>
#include <stdio.h>

static int failures;

/* A program that traps is not stopped by a finite result. */
static void raised(const char *name, double x, double y, double result) {
  const int flags = fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
  feclearexcept(FE_ALL_EXCEPT);
  if (flags == 0 || !(result - result == 0) || failures++ > 20) return;
  printf("%s of (%a, %a) is %a and raised%s%s%s\n", name, x, y, result, flags & FE_INVALID ? " invalid" : "", flags & FE_DIVBYZERO ? " divbyzero" : "", flags & FE_OVERFLOW ? " overflow" : "");
}

static uint64_t bits_of(double x) {
  uint64_t n;
  memcpy(&n, &x, sizeof n);
  return x != x ? 1 : n; /* all NaN are alike */
}

static uint64_t add(uint64_t sum, double x) { return (sum ^ bits_of(x)) * 0x100000001b3u; }

#define SUM_OF_ONE(name, least, greatest)                                                        \
  static uint64_t sum_##name(void) {                                                             \
    uint64_t state = 88172645463325252u, sum = 0xcbf29ce484222325u;                              \
    for (int i = 0; i < 20000; i++) {                                                            \
      const double x = argument(&state, least, greatest);                                        \
      const float f = (float)x;                                                                  \
      feclearexcept(FE_ALL_EXCEPT);                                                              \
      const double r = portable_##name##_real64(x);                                              \
      raised(#name, x, 0, r);                                                                    \
      const float s = portable_##name##_real32(f);                                               \
      raised(#name, (double)f, 0, (double)s);                                                    \
      sum = add(add(sum, r), (double)s);                                                         \
    }                                                                                            \
    return sum;                                                                                  \
  }
#define SUM_OF_TWO(name, least, greatest)                                                        \
  static uint64_t sum_##name(void) {                                                             \
    uint64_t state = 88172645463325252u, sum = 0xcbf29ce484222325u;                              \
    for (int i = 0; i < 20000; i++) {                                                            \
      double x, y;                                                                               \
      arguments(&state, &x, &y);                                                                 \
      const float f = (float)x, g = (float)y;                                                    \
      feclearexcept(FE_ALL_EXCEPT);                                                              \
      const double r = portable_##name##_real64(x, y);                                           \
      raised(#name, x, y, r);                                                                    \
      const float s = portable_##name##_real32(f, g);                                            \
      raised(#name, (double)f, (double)g, (double)s);                                            \
      sum = add(add(sum, r), (double)s);                                                         \
    }                                                                                            \
    return sum;                                                                                  \
  }
OF_ONE(SUM_OF_ONE)
OF_TWO(SUM_OF_TWO)

static const struct {
  const char *name;
  uint64_t (*sum)(void);
  uint64_t known;
} sums[] = {
  {"exp", sum_exp, 0xdc354db0b35fe560u},
  {"log", sum_log, 0x1d65713e85f79b07u},
  {"log10", sum_log10, 0x508f2c602dbe9c9eu},
  {"sin", sum_sin, 0x996b0478f48e020cu},
  {"cos", sum_cos, 0x17fd80be6d2ebfa4u},
  {"tan", sum_tan, 0x52233257e42f046eu},
  {"asin", sum_asin, 0x212e6d1494f759f5u},
  {"acos", sum_acos, 0xa30e6a41e5d344eau},
  {"atan", sum_atan, 0xf2cd61925d6473a8u},
  {"sinh", sum_sinh, 0xe24eadefd5120fd9u},
  {"cosh", sum_cosh, 0x328b656c764e4197u},
  {"tanh", sum_tanh, 0x4c0a77ef58488184u},
  {"asinh", sum_asinh, 0xf57fc2df9387ef83u},
  {"acosh", sum_acosh, 0x35544d48eb5389c6u},
  {"atanh", sum_atanh, 0x62f39ae1b37c7402u},
  {"erf", sum_erf, 0xaec07369f2d739e4u},
  {"erfc", sum_erfc, 0xef2eefdc7584c4cu},
  {"gamma", sum_gamma, 0x741b1d0298cabd1au},
  {"log_gamma", sum_log_gamma, 0xb306b3b4a0fcd03du},
  {"pow", sum_pow, 0xa0eb0b652fcd3521u},
  {"atan2", sum_atan2, 0xf6024c0577463466u},
  {"hypot", sum_hypot, 0xf52d4ae5d837fcf1u},
};

static void is(const char *what, double got, double wanted) {
  if (bits_of(got) == bits_of(wanted)) return;
  failures++;
  printf("%s gave %a, not %a\n", what, got, wanted);
}
#define IS(call, wanted) is(#call, portable_##call, wanted)

int main(void) {
#ifdef __FMA__
  if (!__builtin_cpu_supports("fma") || !__builtin_cpu_supports("avx2")) return 77;
#endif
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
    const uint64_t sum = sums[i].sum();
    if (sum == sums[i].known) continue;
    failures++;
    printf("%s: the sum of 20000 results is 0x%llx, not 0x%llx\n", sums[i].name, (unsigned long long)sum, (unsigned long long)sums[i].known);
  }
  const double inf = INFINITY, nan = NAN, pi = 0x1.921fb54442d18p+1;
  IS(exp_real64(0), 1); IS(exp_real64(-0.0), 1); IS(exp_real64(inf), inf); IS(exp_real64(-inf), 0); IS(exp_real64(nan), nan);
  IS(exp_real64(710), inf); IS(exp_real64(-746), 0); IS(exp_real64(-745.1), 0x1p-1074); IS(exp_real64(709.782712893384), 0x1.fffffffffff2ap+1023);
  IS(log_real64(1), 0); IS(log_real64(0), -inf); IS(log_real64(-0.0), -inf); IS(log_real64(-1), nan); IS(log_real64(inf), inf); IS(log_real64(0x1p-1074), -0x1.74385446d71c3p+9);
  IS(log10_real64(1000), 3); IS(log10_real64(1e22), 22); IS(log10_real64(0), -inf); IS(log10_real64(-inf), nan); IS(log10_real64(inf), inf);
  IS(sin_real64(-0.0), -0.0); IS(sin_real64(inf), nan); IS(sin_real64(0x1.6ac5b262ca1ffp+849), 1); IS(cos_real64(0), 1); IS(cos_real64(-inf), nan); IS(cos_real64(0x1.6ac5b262ca1ffp+849), -0x1.14ae72e6ba22fp-61);
  IS(tan_real64(-0.0), -0.0); IS(tan_real64(nan), nan); IS(asin_real64(-0.0), -0.0); IS(asin_real64(1), pi / 2); IS(asin_real64(-1), -pi / 2); IS(asin_real64(1.5), nan);
  IS(acos_real64(1), 0); IS(acos_real64(-1), pi); IS(acos_real64(0), pi / 2); IS(acos_real64(-2), nan); IS(atan_real64(-0.0), -0.0); IS(atan_real64(-inf), -pi / 2);
  IS(atan2_real64(0, 1), 0); IS(atan2_real64(-0.0, 1), -0.0); IS(atan2_real64(0, -1), pi); IS(atan2_real64(-0.0, -0.0), -pi); IS(atan2_real64(0, 0), 0);
  IS(atan2_real64(1, 0), pi / 2); IS(atan2_real64(inf, inf), pi / 4); IS(atan2_real64(-inf, -inf), -0x1.2d97c7f3321d2p+1); IS(atan2_real64(1, -inf), pi);
  IS(atan2_real64(-1, inf), -0.0); IS(atan2_real64(nan, 0), nan); IS(atan2_real64(0x1p-1074, 0x1p-1074), pi / 4); IS(atan2_real64(0x1p1023, 0x1p1023), pi / 4);
  IS(atan2_real64(0x1p-1074, 1), 0x1p-1074); IS(atan2_real64(3, 0x1p-1074), pi / 2);
  IS(hypot_real64(-3, 4), 5); IS(hypot_real64(inf, nan), inf); IS(hypot_real64(nan, 1), nan); IS(hypot_real64(0, -0.0), 0); IS(hypot_real64(0x1p1023, 0x1p1023), 0x1.6a09e667f3bcdp+1023);
  IS(hypot_real64(0x1p-1074, 0), 0x1p-1074); IS(hypot_real64(0x3p-1074, 0x4p-1074), 0x5p-1074); IS(hypot_real64(0x1.8p1023, 0x1.8p1023), inf);
  IS(sinh_real64(-0.0), -0.0); IS(sinh_real64(-inf), -inf); IS(sinh_real64(711), inf); IS(cosh_real64(0), 1); IS(cosh_real64(-inf), inf); IS(tanh_real64(-0.0), -0.0); IS(tanh_real64(-inf), -1);
  IS(asinh_real64(-inf), -inf); IS(asinh_real64(-0.0), -0.0); IS(acosh_real64(1), 0); IS(acosh_real64(0.5), nan); IS(acosh_real64(inf), inf); IS(atanh_real64(1), inf); IS(atanh_real64(-2), nan);
  IS(erf_real64(-0.0), -0.0); IS(erf_real64(inf), 1); IS(erf_real64(-inf), -1); IS(erfc_real64(inf), 0); IS(erfc_real64(-inf), 2); IS(erfc_real64(0), 1); IS(erfc_real64(nan), nan);
  IS(gamma_real64(1), 1); IS(gamma_real64(5), 24); IS(gamma_real64(23), 0x1.e77526159f06cp+69); IS(gamma_real64(0.0), inf); IS(gamma_real64(-0.0), -inf); IS(gamma_real64(-3), nan); IS(gamma_real64(-inf), nan);
  IS(gamma_real64(172), inf); IS(gamma_real64(-200.5), -0.0); IS(gamma_real64(-201.5), 0); IS(gamma_real64(-0x1.8000000000001p51), -0.0);
  IS(log_gamma_real64(1), 0); IS(log_gamma_real64(2), 0); IS(log_gamma_real64(-1), inf); IS(log_gamma_real64(-inf), inf); IS(log_gamma_real64(0x1p1023), inf); IS(log_gamma_real64(0x1p1000), 0x1.5a12d6d005c94p+1009);
  IS(pow_real64(nan, 0), 1); IS(pow_real64(1, nan), 1); IS(pow_real64(-1, inf), 1); IS(pow_real64(0.5, -inf), inf); IS(pow_real64(2, -inf), 0); IS(pow_real64(-0.0, 3), -0.0);
  IS(pow_real64(-0.0, -3), -inf); IS(pow_real64(-0.0, 2), 0); IS(pow_real64(0, -0.5), inf); IS(pow_real64(-inf, 3), -inf); IS(pow_real64(-inf, -3), -0.0); IS(pow_real64(inf, 0.5), inf);
  IS(pow_real64(-2, 3), -8); IS(pow_real64(-2, 0.5), nan); IS(pow_real64(-1, 0x1p60), 1); IS(pow_real64(-1, 0x1.fffffffffffffp52), -1); IS(pow_real64(10, 308), 1e308); IS(pow_real64(2, -1074), 0x1p-1074);
  IS(exp_real32(1), 0x1.5bf0a8p+1f); IS(pow_real32(2, 0.5f), 0x1.6a09e6p+0f); IS(exp_real32(-104), 0); IS(exp_real32(89), inf); IS(gamma_real32(36), inf); IS(atan2_real32(-0.0f, -1), -0x1.921fb6p+1f);
  if (failures == 0) return 0;
  printf("%d failures\n", failures);
  return 1;
}
