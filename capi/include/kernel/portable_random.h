/* portable_random.h - random numbers by cell, for kernels and host code: C99, C++, CUDA. No state, no seed table, nothing to save for a restart.
 *
 *     #include <portable_random.h>
 *     portable_random_key key = portable_random_key_make(2026, step, 3);
 *     x = portable_random_real64(key, cell, draw);
 *
 * A number is a function of the key (seed, step, series), the cell and the draw. It does not depend on threads, ranks or devices.
 *
 * In this file: all functions; they are inline and need no library, and device code may include it. Not in this file: Fortran's twin
 * (fortran/algorithms/portable_random_mod.F90), which gives the same bits.
 *
 *   Generator  Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3. SC11). A block of four words of 32
 *              bits serves two cells: the even one gets words 0 and 1, the odd one words 2 and 3. The counter is cell/2 in two words, then
 *              the draw, then the retry of integers; the last two are combined with the key by exclusive or.
 *   Key        128 bits: the block of the counter (step, series, 0x6b657921) under the seed. Two of its words are the key of Philox.
 *   Uniform    real64 is (n + 0.5) * 2^-52 with n of 52 bits, real32 (n + 0.5) * 2^-23 with n of 23 bits: never 0 or 1, and exact.
 *   Normal     Wichura, algorithm AS 241 (PPND16), of one uniform number: mean 0, variance 1. Its logarithm is a series of this file, and
 *              no product is contracted with a sum, so the bits are the same everywhere; -ffast-math in the user's code changes last bits.
 *   Integer    Lemire's multiplication with rejection: all values of the interval have the same probability.
 *   Arguments  All cells and draws are valid, also negative ones. Threads: any.  Since: 0.1
 */
#ifndef PORTABLE_RANDOM_H
#define PORTABLE_RANDOM_H

#if defined(__CUDACC_RTC__)
#include <stddef.h>
#include <stdint.h>
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#endif
#include "portable_product.h"

#if defined(__CUDACC__)
#define PORTABLE__RANDOM static __inline__ __host__ __device__
#else
#define PORTABLE__RANDOM static inline
#endif

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
#define PORTABLE__ROOT(x) __dsqrt_rn(x)
#else
#define PORTABLE__ROOT(x) sqrt(x)
#endif

/* Made by portable_random_key_make: 16 bytes, which a program may copy, keep and pass to kernels.  Since: 0.1 */
typedef struct portable_random_key { uint32_t word[4]; } portable_random_key;

/* Four words of a block.  Since: 0.1 */
typedef struct portable_random_block { uint32_t word[4]; } portable_random_block;

/* Philox4x32-10 of a counter and a key, as the paper and Random123 define it.  Since: 0.1 */
PORTABLE__RANDOM portable_random_block portable_random_philox4x32(portable_random_block c, uint32_t key0, uint32_t key1) {
  int round;
  for (round = 0; round < 10; round++) {
    const uint64_t p0 = (uint64_t)0xD2511F53u * c.word[0], p1 = (uint64_t)0xCD9E8D57u * c.word[2];
    c.word[0] = (uint32_t)(p1 >> 32) ^ c.word[1] ^ key0;
    c.word[1] = (uint32_t)p1;
    c.word[2] = (uint32_t)(p0 >> 32) ^ c.word[3] ^ key1;
    c.word[3] = (uint32_t)p0;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

/* The key of a seed, a time step and a series, which tells uses of random numbers apart.  Since: 0.1 */
PORTABLE__RANDOM portable_random_key portable_random_key_make(int64_t seed, int64_t step, int32_t series) {
  portable_random_block c;
  portable_random_key key;
  int k;
  c.word[0] = (uint32_t)(uint64_t)step;
  c.word[1] = (uint32_t)((uint64_t)step >> 32);
  c.word[2] = (uint32_t)series;
  c.word[3] = 0x6b657921u;
  c = portable_random_philox4x32(c, (uint32_t)(uint64_t)seed, (uint32_t)((uint64_t)seed >> 32));
  for (k = 0; k < 4; k++) key.word[k] = c.word[k];
  return key;
}

/* A word is the lower half of 64 bits where compilers have a fast product of those: loops over cells become vectors without moving halves about. gcc
 * has none on x86-64 without AVX-512, and a slow one in Intel's vectors of 256 bits. -march of an AMD processor has SSE4a; that of an Intel one has AES and
 * no SSE4a; -march=x86-64-v4 has neither, and vectors of 512 bits. */
#if defined(__x86_64__) && !defined(__clang__) && !(defined(__AVX512DQ__) && (defined(__SSE4A__) || !defined(__AES__)))
#define PORTABLE__WORD uint32_t
#else
#define PORTABLE__WORD uint64_t
#endif

/* A round; written out, because compilers do not unroll loops at -O2. */
#define PORTABLE__ROUND(n)                                                                                                           \
  p0 = (uint64_t)0xD2511F53u * (uint32_t)x0, p1 = (uint64_t)0xCD9E8D57u * (uint32_t)x2,                                              \
  x0 = (PORTABLE__WORD)(p1 >> 32) ^ x1 ^ (uint32_t)(key.word[0] + (n) * 0x9E3779B9u), x1 = (PORTABLE__WORD)p1,                       \
  x2 = (PORTABLE__WORD)(p0 >> 32) ^ x3 ^ (uint32_t)(key.word[1] + (n) * 0xBB67AE85u), x3 = (PORTABLE__WORD)p0

/* The first nine rounds for cells 2 * pair and 2 * pair + 1. */
#define PORTABLE__NINE_ROUNDS(pair, draw, retry)                                                                                     \
  PORTABLE__WORD x0 = (PORTABLE__WORD)(pair), x1 = (PORTABLE__WORD)((pair) >> 32), x2 = (uint32_t)(draw) ^ key.word[2], x3 = (retry) ^ key.word[3]; \
  uint64_t p0, p1;                                                                                                                   \
  PORTABLE__ROUND(0u), PORTABLE__ROUND(1u), PORTABLE__ROUND(2u), PORTABLE__ROUND(3u), PORTABLE__ROUND(4u), PORTABLE__ROUND(5u),      \
    PORTABLE__ROUND(6u), PORTABLE__ROUND(7u), PORTABLE__ROUND(8u)

/* The block of both cells. */
PORTABLE__RANDOM portable_random_block portable__random_block(portable_random_key key, uint64_t pair, int32_t draw, uint32_t retry) {
  portable_random_block b;
  PORTABLE__NINE_ROUNDS(pair, draw, retry);
  PORTABLE__ROUND(9u);
  b.word[0] = (uint32_t)x0;
  b.word[1] = (uint32_t)x1;
  b.word[2] = (uint32_t)x2;
  b.word[3] = (uint32_t)x3;
  return b;
}

/* The 64 bits of a half of a block. */
PORTABLE__RANDOM uint64_t portable__random_half(portable_random_block b, int odd) {
  const uint32_t low = odd ? b.word[2] : b.word[0], high = odd ? b.word[3] : b.word[1];
  return (uint64_t)high << 32 | low;
}

/* 64 random bits: the last round has one product, of the half that the cell gets.  Since: 0.1 */
PORTABLE__RANDOM uint64_t portable_random_bits(portable_random_key key, int64_t cell, int32_t draw) {
  const uint64_t pair = (uint64_t)cell >> 1;
  const int odd = (int)(cell & 1);
  PORTABLE__NINE_ROUNDS(pair, draw, 0);
  const PORTABLE__WORD factor = odd ? 0xD2511F53u : 0xCD9E8D57u, word = odd ? x0 : x2;
  const PORTABLE__WORD other = odd ? x3 ^ (uint32_t)(key.word[1] + 9u * 0xBB67AE85u) : x1 ^ (uint32_t)(key.word[0] + 9u * 0x9E3779B9u);
  p0 = (uint64_t)factor * (uint32_t)word;
  return (p0 << 32 | p0 >> 32) ^ (uint32_t)other;
}

/* Uniform numbers of 64 random bits: 1 + n * 2^-52 without its first 1, plus 2^-53; of REAL32 the same with 23 bits. */
PORTABLE__RANDOM double portable__random_uniform64(uint64_t bits) {
  double x;
  bits = bits >> 12 | (uint64_t)0x3FF << 52;
  memcpy(&x, &bits, sizeof x);
  return x - 0.99999999999999988897769753748434596; /* 1 - 2^-53 */
}
PORTABLE__RANDOM float portable__random_uniform32(uint64_t bits) {
  const uint32_t upper = (uint32_t)(bits >> 41) | 0x3F800000u;
  float x;
  memcpy(&x, &upper, sizeof x);
  return x - 0.999999940395355224609375f; /* 1 - 2^-24 */
}

/* A number between 0 and 1, without both.  Since: 0.1 */
PORTABLE__RANDOM double portable_random_real64(portable_random_key key, int64_t cell, int32_t draw) {
  return portable__random_uniform64(portable_random_bits(key, cell, draw));
}
PORTABLE__RANDOM float portable_random_real32(portable_random_key key, int64_t cell, int32_t draw) {
  return portable__random_uniform32(portable_random_bits(key, cell, draw));
}

/* The numbers of cells first to first + n - 1, in order: two cells a block, so about twice as fast as single calls. For a tile of a
 * kernel, or an array; the bits are those of portable_random_real64. n below 1: none.  Since: 0.1 */
PORTABLE__RANDOM void portable_random_range_real64(portable_random_key key, int64_t first, int32_t draw, int64_t n, double *out) {
  const uint64_t cell = (uint64_t)first;
  int64_t i = 0, k, pairs;
  if (n > 0 && (first & 1)) out[i++] = portable_random_real64(key, first, draw);
  pairs = n > i ? (n - i) / 2 : 0;
  for (k = 0; k < pairs; k++) {
    const portable_random_block b = portable__random_block(key, (cell + (uint64_t)(i + 2 * k)) >> 1, draw, 0);
    out[i + 2 * k] = portable__random_uniform64(portable__random_half(b, 0));
    out[i + 2 * k + 1] = portable__random_uniform64(portable__random_half(b, 1));
  }
  i += 2 * pairs;
  if (i < n) out[i] = portable_random_real64(key, (int64_t)(cell + (uint64_t)i), draw);
}

/* -log(p) for p from 2^-53 to 0.5: 2^e * m with m from 0.7 to 1.42, and 2 * atanh((m - 1) / (m + 1)) as a series. */
PORTABLE__RANDOM double portable__random_minus_log(double p) {
  uint64_t bits;
  double m, s, z, sum;
  int e;
  memcpy(&bits, &p, sizeof bits);
  e = (int)(bits >> 52) - 1023;
  bits = (bits & 0xFFFFFFFFFFFFFu) | (uint64_t)0x3FF << 52;
  memcpy(&m, &bits, sizeof m);
  if (m > 1.4142135623730951) {
    m = m * 0.5;
    e = e + 1;
  }
  s = (m - 1.0) / (m + 1.0);
  z = PORTABLE__PRODUCT64(s, s);
  sum = 1.0 / 21.0;
  sum = 1.0 / 19.0 + PORTABLE__PRODUCT64(sum, z);
  sum = 1.0 / 17.0 + PORTABLE__PRODUCT64(sum, z);
  sum = 1.0 / 15.0 + PORTABLE__PRODUCT64(sum, z);
  sum = 1.0 / 13.0 + PORTABLE__PRODUCT64(sum, z);
  sum = 1.0 / 11.0 + PORTABLE__PRODUCT64(sum, z);
  sum = 1.0 / 9.0 + PORTABLE__PRODUCT64(sum, z);
  sum = 1.0 / 7.0 + PORTABLE__PRODUCT64(sum, z);
  sum = 1.0 / 5.0 + PORTABLE__PRODUCT64(sum, z);
  sum = 1.0 / 3.0 + PORTABLE__PRODUCT64(sum, z);
  sum = PORTABLE__PRODUCT64(sum, z);
  sum = PORTABLE__PRODUCT64(sum, s) + s;
  return PORTABLE__PRODUCT64((double)-e, 0.69314718055994530942) - PORTABLE__PRODUCT64(2.0, sum);
}

#define PORTABLE__HORNER(x, r, c7, c6, c5, c4, c3, c2, c1, c0)                                                                       \
  x = c6 + PORTABLE__PRODUCT64(c7, r), x = c5 + PORTABLE__PRODUCT64(x, r), x = c4 + PORTABLE__PRODUCT64(x, r),                         \
  x = c3 + PORTABLE__PRODUCT64(x, r), x = c2 + PORTABLE__PRODUCT64(x, r), x = c1 + PORTABLE__PRODUCT64(x, r), x = c0 + PORTABLE__PRODUCT64(x, r)

/* The normal number of q = p - 0.5 from -0.425 to 0.425. */
PORTABLE__RANDOM double portable__random_middle(double q) {
  double r, above, below;
  r = 0.180625 - PORTABLE__PRODUCT64(q, q);
  PORTABLE__HORNER(above, r, 2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
                   1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080e0);
  PORTABLE__HORNER(below, r, 5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
                   5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0);
  return PORTABLE__PRODUCT64(q, above) / below;
}

/* The normal number of any other p. */
PORTABLE__RANDOM double portable__random_tail(double p) {
  const double q = p - 0.5;
  double r, above, below;
  r = PORTABLE__ROOT(portable__random_minus_log(q < 0.0 ? p : 1.0 - p));
  if (r <= 5.0) {
    r = r - 1.6;
    PORTABLE__HORNER(above, r, 7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
                     3.64784832476320460504e0, 5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0);
    PORTABLE__HORNER(below, r, 1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
                     6.89767334985100004550e-1, 1.67638483018380384940e0, 2.05319162663775882187e0, 1.0);
  } else {
    r = r - 5.0;
    PORTABLE__HORNER(above, r, 2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
                     2.96560571828504891230e-1, 1.78482653991729133580e0, 5.46378491116411436990e0, 6.65790464350110377720e0);
    PORTABLE__HORNER(below, r, 2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
                     1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0);
  }
  r = above / below;
  return q < 0.0 ? -r : r;
}

/* The normal number whose distribution function has the value p, for the numbers p that portable_random_real64 gives. */
PORTABLE__RANDOM double portable__random_quantile(double p) {
  const double q = p - 0.5;
  return q >= -0.425 && q <= 0.425 ? portable__random_middle(q) : portable__random_tail(p);
}

/* A number of the normal distribution with mean 0 and variance 1; between -8.3 and 8.3.  Since: 0.1 */
PORTABLE__RANDOM double portable_random_normal(portable_random_key key, int64_t cell, int32_t draw) {
  return portable__random_quantile(portable_random_real64(key, cell, draw));
}

/* The two halves of the product of two words of 64 bits. */
PORTABLE__RANDOM uint64_t portable__random_multiply(uint64_t a, uint64_t b, uint64_t *low) {
  const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  const uint64_t first = a0 * b0, middle = a1 * b0 + (first >> 32), other = a0 * b1 + (uint32_t)middle;
  *low = other << 32 | (uint32_t)first;
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* An integer from the lesser one of the two bounds to the greater one, both included.  Since: 0.1 */
PORTABLE__RANDOM int64_t portable_random_int64(portable_random_key key, int64_t cell, int32_t draw, int64_t lower, int64_t upper) {
  const uint64_t least = (uint64_t)(lower < upper ? lower : upper), range = (uint64_t)(lower < upper ? upper : lower) - least + 1;
  uint64_t bits = portable_random_bits(key, cell, draw), low, high;
  uint32_t retry = 0;
  if (range == 0) return (int64_t)(least + bits);
  high = portable__random_multiply(bits, range, &low);
  if (low < range) {
    const uint64_t refused = (0 - range) % range;
    while (low < refused) {
      bits = portable__random_half(portable__random_block(key, (uint64_t)cell >> 1, draw, ++retry), (int)(cell & 1));
      high = portable__random_multiply(bits, range, &low);
    }
  }
  return (int64_t)(least + high);
}

#endif
