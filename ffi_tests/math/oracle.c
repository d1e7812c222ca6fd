/* oracle.c [COUNT [SEED]] - the functions of portable_math.h against GNU MPFR: the largest error of COUNT arguments for each function, a third of them
 * next to places where functions are hard, in units of the last place, is below the bound that docs/fortran/math.md tells. `oracle COUNT SEED print` prints the table of that page. Not in this file: bits
 * and special arguments (bits.c). */
#include "table.h"
#include "vectors.h"

#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct worst { double error, x, y; };

static mpfr_t exact, rest, first, second;

/* The distance of a result from the exact number, in units of the last place of a type with `digits` bits and the least exponent `least`. */
static double error_of(double got, int digits, int least) {
  const double greatest = digits == 24 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
  if (mpfr_nan_p(exact)) return got != got ? 0 : INFINITY;
  if (got != got) return INFINITY;
  if (got == INFINITY || got == -INFINITY) { /* right from half a unit above the greatest number on */
    mpfr_set_d(rest, greatest, MPFR_RNDN);
    mpfr_mul_d(rest, rest, 1 + (digits == 24 ? 0x1p-25 : 0x1p-54), MPFR_RNDN);
    return mpfr_cmpabs(exact, rest) >= 0 && (mpfr_sgn(exact) > 0) == (got > 0) ? 0 : INFINITY;
  }
  if (mpfr_inf_p(exact)) return INFINITY;
  long exponent = mpfr_zero_p(exact) ? least : mpfr_get_exp(exact);
  if (exponent < least) exponent = least;
  mpfr_sub_d(rest, exact, got, MPFR_RNDN);
  mpfr_mul_2si(rest, rest, digits - exponent, MPFR_RNDN);
  return fabs(mpfr_get_d(rest, MPFR_RNDN));
}

static int log_gamma_exact(mpfr_t r, const mpfr_t x, mpfr_rnd_t how) {
  int sign;
  return mpfr_lgamma(r, &sign, x, how);
}
#define mpfr_log_gamma log_gamma_exact

static void note(struct worst *w, double error, double x, double y) {
  if (!(error > w->error)) return;
  w->error = error;
  w->x = x;
  w->y = y;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long count;
static uint64_t seed;

/* Next to its zeros below 0, log_gamma is held to an error of 2^-50 in all. */
static double forgiven(const char *name, double error, double x) {
  if (strcmp(name, "log_gamma") || x > 0 || fabs(portable_log_gamma_real64(x)) > 0.25) return error;
  return fabs(mpfr_get_d(exact, MPFR_RNDN) - portable_log_gamma_real64(x)) < 0x1p-50 ? 0 : INFINITY;
}

/* An argument next to one where functions are hard: zeros, poles, multiples of pi/2 (the double number that is nearest to one, too), the ends of
 * results and of arguments, subnormal numbers. */
static double hard(uint64_t *state, double least, double greatest) {
  static const double places[] = {0, 1, -1, 2, 0.5, 0x1p-1022, 0x1p-1060, 0x1.fffffffffffffp1023, 0x1.62e42fefa39efp9, -0x1.6232bdd7abcd2p9, -0x1.74910d52d3051p9,
                                  0x1.633ce8fb9f87dp9, 19, 0x1p-28, 0x1p28, 26.5, -6, 0x1.573fae561f647p7, 0x1.76c8b4395810p0, 0x1.6ac5b262ca1ffp849, 0x1p-26};
  enum { PLACES = sizeof places / sizeof *places };
  for (int attempt = 0; attempt < 8; attempt++) {
    const uint64_t how = next(state) >> 32, which = how % (PLACES + 3), relative = how >> 5 & 1, large = how >> 6 & 1;
    const double part = (double)(next(state) >> 11) * 0x1p-53, width = ldexp(part - 0.5, -(int)(how / 128 % 62));
    double x = which < PLACES ? places[which] : which == PLACES ? -(double)(how / 8192 % 185) : (double)(how / 8192 % 250000) * 0x1.921fb54442d18p0;
    x = relative ? x + x * width : x + width;
    if (which > PLACES && large) x = ldexp(x, (int)(how / 8192 % 900));
    if (x >= least && x <= greatest) return x;
  }
  return argument(state, least, greatest);
}

/* Pairs whose result lies next to 1, to the ends of results, or among subnormal numbers; sides of very different lengths. */
static void hard_pair(uint64_t *state, double *x, double *y) {
  const uint64_t how = next(state) >> 32;
  const double part = (double)(next(state) >> 11) * 0x1p-53, other = (double)(next(state) >> 11) * 0x1p-53;
  const int power = (int)(how / 64 % 60);
  switch (how % 8) {
    case 0: *x = 1 + ldexp(part - 0.5, -power), *y = ldexp(other - 0.5, power + 10); return;
    case 1: *x = part * 10, *y = -308 * (1 + 0.05 * other) / log10(*x + 1e-3); return;
    case 2: *x = ldexp(1 + part, -1074 + power), *y = other; return;
    case 3: *x = -part * 10, *y = (double)(how / 4096 % 200) - 100; return;
    case 4: *x = ldexp(part, -1070 + power), *y = ldexp(other, -1070 + power); return;
    case 5: *x = ldexp(part, 1023), *y = ldexp(other, 1023); return;
    case 6: *x = part, *y = ldexp(other - 0.5, -power); return;
    default: *x = ldexp(part - 0.5, -1020), *y = -ldexp(other, -1020 + power); return;
  }
}

#define RUN_ONE(name, least, greatest)                                                   \
  static void run_##name(struct worst *w64, struct worst *w32) {                         \
    uint64_t state = 88172645463325252u ^ seed * 0x9e3779b97f4a7c15u;                    \
    for (long i = 0; i < count; i++) {                                                   \
      const double x = i % 3 ? argument(&state, least, greatest) : hard(&state, least, greatest); \
      const float f = (float)x;                                                          \
      mpfr_set_d(first, x, MPFR_RNDN);                                                   \
      mpfr_##name(exact, first, MPFR_RNDN);                                              \
      note(w64, forgiven(#name, error_of(portable_##name##_real64(x), 53, -1021), x), x, 0); \
      mpfr_set_d(first, (double)f, MPFR_RNDN);                                           \
      mpfr_##name(exact, first, MPFR_RNDN);                                              \
      note(w32, forgiven(#name, error_of((double)portable_##name##_real32(f), 24, -125), (double)f), (double)f, 0); \
    }                                                                                    \
  }
#define RUN_TWO(name, least, greatest)                                                   \
  static void run_##name(struct worst *w64, struct worst *w32) {                         \
    uint64_t state = 88172645463325252u ^ seed * 0x9e3779b97f4a7c15u;                    \
    for (long i = 0; i < count; i++) {                                                   \
      double x, y;                                                                       \
      if (i % 3) arguments(&state, &x, &y); else hard_pair(&state, &x, &y);              \
      const float f = (float)x, g = (float)y;                                            \
      mpfr_set_d(first, x, MPFR_RNDN);                                                   \
      mpfr_set_d(second, y, MPFR_RNDN);                                                  \
      mpfr_##name(exact, first, second, MPFR_RNDN);                                      \
      note(w64, error_of(portable_##name##_real64(x, y), 53, -1021), x, y);              \
      mpfr_set_d(first, (double)f, MPFR_RNDN);                                           \
      mpfr_set_d(second, (double)g, MPFR_RNDN);                                          \
      mpfr_##name(exact, first, second, MPFR_RNDN);                                      \
      note(w32, error_of((double)portable_##name##_real32(f, g), 24, -125), (double)f, (double)g); \
    }                                                                                    \
  }
OF_ONE(RUN_ONE)
OF_TWO(RUN_TWO)

/* The best time of a call, in nanoseconds, of the library's function, of libm's, and of libmvec's. */
static volatile double unused;
#define BEST(to, call)                                          \
  for (int k = 0; k < 60; k++) {                                \
    double total = 0;                                           \
    const double begin = seconds();                             \
    for (int i = 0; i < 1000; i++) {                            \
      const double x = lower + i * (upper - lower) * 0.001;     \
      total += call;                                            \
    }                                                           \
    const double took = (seconds() - begin) * 1e6;              \
    unused = total;                                             \
    if (took < to) to = took;                                   \
  }
#define TIME(name, least, greatest)                                                           \
  static double time_##name(double *ours, double *theirs) {                                   \
    const double lower = least < -5 ? -5 : least == 0 ? 0.1 : least, upper = greatest > 5 ? 5 : greatest; \
    BEST(*ours, CALL(portable_##name##_real64)) BEST(*theirs, CALL(LIBM(name)))               \
    return vector_time(#name, FIRST(lower), FIRST(upper));                                    \
  }
#define LIBM_exp exp
#define LIBM_log log
#define LIBM_log10 log10
#define LIBM_sin sin
#define LIBM_cos cos
#define LIBM_tan tan
#define LIBM_asin asin
#define LIBM_acos acos
#define LIBM_atan atan
#define LIBM_sinh sinh
#define LIBM_cosh cosh
#define LIBM_tanh tanh
#define LIBM_asinh asinh
#define LIBM_acosh acosh
#define LIBM_atanh atanh
#define LIBM_erf erf
#define LIBM_erfc erfc
#define LIBM_gamma tgamma
#define LIBM_log_gamma lgamma
#define LIBM_pow pow
#define LIBM_atan2 atan2
#define LIBM_hypot hypot
#define LIBM(name) LIBM_##name
#define CALL(f) f(x)
#define FIRST(x) (x)
OF_ONE(TIME)
#undef CALL
#undef FIRST
#define CALL(f) f(x + 5.1, 1.3)
#define FIRST(x) ((x) + 5.1)
OF_TWO(TIME)

int main(int argc, char **argv) {
#define ROW(name, least, greatest) {#name, run_##name, time_##name},
  static const struct {
    const char *name;
    void (*run)(struct worst *, struct worst *);
    double (*time)(double *, double *);
  } rows[] = {OF_ONE(ROW) OF_TWO(ROW)};
  const int print = argc > 3;
  int failures = 0;
  count = argc > 1 ? atol(argv[1]) : 20000;
  seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
  mpfr_inits2(160, exact, rest, (mpfr_ptr)0);
  mpfr_inits2(53, first, second, (mpfr_ptr)0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct worst w64 = {0, 0, 0}, w32 = {0, 0, 0};
    double ours = 1e9, theirs = 1e9;
    rows[i].run(&w64, &w32);
    if (print) {
      const double vectors = rows[i].time(&ours, &theirs);
      printf("| `%s` | %.3f | %.4f | %.1f | %.1f | %.1f |\n", rows[i].name, w64.error, w32.error, ours, theirs, vectors);
    }
    if (w64.error < 0.9 && w32.error < 0.501) continue;
    failures++;
    printf("%s: real64 is wrong by %.4f at (%a, %a), real32 by %.5f at (%a, %a)\n", rows[i].name, w64.error, w64.x, w64.y, w32.error, w32.x, w32.y);
  }
  mpfr_clears(exact, rest, first, second, (mpfr_ptr)0);
  mpfr_free_cache();
  return failures > 0;
}
