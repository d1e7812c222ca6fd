/* portable_math_pairs.h - numbers of twice the precision, as unevaluated sums of two real64, for portable_math.h; programs include that file.
 *
 * Not in this file: functions of users. A pair is high + low with |low| at most half a unit in the last place of high. Sums follow Knuth and
 * Dekker (Numerische Mathematik 18, 1971), products Dekker and Veltkamp, or one fused instruction of a GPU, which gives the same two numbers.
 * No compiler may join a product with a sum, so every product is written PORTABLE__TIMES.  Threads: any.
 */
#ifndef PORTABLE_MATH_PAIRS_H
#define PORTABLE_MATH_PAIRS_H

#if !defined(__CUDACC_RTC__)
#include <math.h>
#include <stdint.h>
#include <string.h>
#else
#include <stdint.h>
#endif
#include "portable_product.h"

#if defined(__CUDACC__)
#define PORTABLE__MATH static __inline__ __host__ __device__
#elif defined(__CUDACC_RTC__)
#define PORTABLE__MATH static __inline__ __device__
#else
#define PORTABLE__MATH static inline
#endif
#if defined(PORTABLE__MATH_UNFUSED) /* the flags of the file say that nothing is fused */
#define PORTABLE__TIMES(a, b) ((a) * (b))
#else
#define PORTABLE__TIMES(a, b) PORTABLE__PRODUCT64(a, b)
#endif
/* a + b * x, rounded twice: a step of Horner's rule. */
#define PORTABLE__STEP(a, x, b) ((a) + PORTABLE__TIMES(x, b))

typedef struct portable__pair { double high, low; } portable__pair;

PORTABLE__MATH uint64_t portable__bits_of(double x) {
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
  return (uint64_t)__double_as_longlong(x);
#else
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
#endif
}

PORTABLE__MATH double portable__of_bits(uint64_t bits) {
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
  return __longlong_as_double((long long)bits);
#else
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
#endif
}

PORTABLE__MATH double portable__magnitude(double x) { return portable__of_bits(portable__bits_of(x) & 0x7fffffffffffffffu); }

/* The magnitude of x with the sign of s. */
PORTABLE__MATH double portable__with_sign(double x, double s) {
  return portable__of_bits((portable__bits_of(x) & 0x7fffffffffffffffu) | (portable__bits_of(s) & 0x8000000000000000u));
}

PORTABLE__MATH double portable__root(double x) {
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
  return __dsqrt_rn(x);
#else
  return sqrt(x);
#endif
}

PORTABLE__MATH double portable__infinity(void) { return portable__of_bits(0x7ff0000000000000u); }
PORTABLE__MATH double portable__not_a_number(void) { return portable__of_bits(0x7ff8000000000000u); }

/* The integer nearest to x; |x| below 2^51. */
PORTABLE__MATH double portable__nearest(double x) { return (x + 6755399441055744.0 /* 1.5 * 2^52 */) - 6755399441055744.0 /* 1.5 * 2^52 */; }

/* x * 2^k for k from -2200 to 2200, rounded once where the result is subnormal. */
PORTABLE__MATH double portable__scaled(double x, int k) {
  int third, rest;
  double step;
  if (k > -1000 && k < 1000) return x * portable__of_bits((uint64_t)(k + 1023) << 52);
  /* Steps go in one direction: a step before the last never leaves the normal numbers unless the result does. */
  third = k / 3;
  rest = k - 2 * third;
  step = portable__of_bits((uint64_t)(third + 1023) << 52);
  return x * step * step * portable__of_bits((uint64_t)(rest + 1023) << 52);
}

PORTABLE__MATH portable__pair portable__pair_of(double high, double low) {
  portable__pair p;
  p.high = high;
  p.low = low;
  return p;
}

/* a + b without error. */
PORTABLE__MATH portable__pair portable__two_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return portable__pair_of(s, (a - (s - t)) + (b - t));
}

/* a + b without error, for |a| at least |b|, or a = 0. */
PORTABLE__MATH portable__pair portable__fast_sum(double a, double b) {
  const double s = a + b;
  return portable__pair_of(s, b - (s - a));
}

/* a * b without error, for magnitudes below 2^995 whose product is not subnormal. */
PORTABLE__MATH portable__pair portable__two_product(double a, double b) {
  const double p = PORTABLE__TIMES(a, b);
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
  return portable__pair_of(p, __fma_rn(a, b, -p));
#else
  const double ca = PORTABLE__TIMES(134217729.0, a), cb = PORTABLE__TIMES(134217729.0, b);
  const double ah = ca - (ca - a), bh = cb - (cb - b), al = a - ah, bl = b - bh;
  const double low = ((PORTABLE__TIMES(ah, bh) - p) + PORTABLE__TIMES(ah, bl) + PORTABLE__TIMES(al, bh)) + PORTABLE__TIMES(al, bl);
  return portable__pair_of(p, low);
#endif
}

PORTABLE__MATH portable__pair portable__pair_sum(portable__pair a, portable__pair b) {
  portable__pair s = portable__two_sum(a.high, b.high);
  const portable__pair t = portable__two_sum(a.low, b.low);
  s = portable__fast_sum(s.high, s.low + t.high);
  return portable__fast_sum(s.high, s.low + t.low);
}

PORTABLE__MATH portable__pair portable__pair_negative(portable__pair a) { return portable__pair_of(-a.high, -a.low); }

PORTABLE__MATH portable__pair portable__pair_product(portable__pair a, portable__pair b) {
  const portable__pair p = portable__two_product(a.high, b.high);
  return portable__fast_sum(p.high, p.low + (PORTABLE__TIMES(a.high, b.low) + PORTABLE__TIMES(a.low, b.high)));
}

PORTABLE__MATH portable__pair portable__pair_quotient(portable__pair a, portable__pair b) {
  const double q = a.high / b.high;
  const portable__pair p = portable__two_product(q, b.high);
  const double rest = (((a.high - p.high) - p.low) + a.low) - PORTABLE__TIMES(q, b.low);
  return portable__fast_sum(q, rest / b.high);
}

/* The square root of a positive pair. */
PORTABLE__MATH portable__pair portable__pair_root(portable__pair a) {
  const double s = portable__root(a.high);
  const portable__pair p = portable__two_product(s, s);
  return portable__fast_sum(s, (((a.high - p.high) - p.low) + a.low) / (s + s));
}

#endif
