/* exact_array.c - arrays into an exact sum, some hundred values at a time. Not in this file: single values (exact.c).
 *
 * A number C = 1.5 * 2^52 * u is so large that adding a small x to it rounds x to a multiple of u: t = C + x holds the upper part
 * of x, (t - C) is that part, and x - (t - C), which is exact, the lower one. Sums of upper parts go on in t, exactly,
 * as long as they stay in the binade of C; and what has been added to C is, in units of u, the difference of the bit patterns
 * of t and C. Two such levels hold 95 bits below the sum of the magnitudes: where that leaves nothing over, a block
 * costs some eight additions a value, which compilers do in vectors, and two additions to the sum. Else four levels are
 * tried, which hold 185 bits; and else the values are added one by one.
 *
 * The block runs in the default floating-point modes: flushing and other roundings would lose bits, and nothing traps. */
#include <float.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <fenv.h>
#endif

#include "exact_add.h"
#include "../base/processor.h"

#ifdef __FAST_MATH__
#error "exact sums cannot be compiled with -ffast-math"
#endif

/* Vectors that are wider than the processor's go through memory. */
#if defined(__aarch64__)
#define WIDTH 2
#define ALL(x) {(x), (x)}
#define EACH(v, op) ((v)[0] op (v)[1])
#else
#define WIDTH 4
#define ALL(x) {(x), (x), (x), (x)}
#define EACH(v, op) ((v)[0] op (v)[1] op (v)[2] op (v)[3])
#endif
#define LANES (2 * WIDTH) /* sums side by side: two vectors, each of which hides the latency of the other */
#define BLOCK (64 * LANES)

typedef int (*block_function)(portable_exact *, const double *, size_t);

#if defined(__GNUC__) && (FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16) /* 16: as 0, on a processor with arithmetic of 16 bits */

typedef double vector __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));
typedef int64_t integers __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

/* Where t of a level begins: 1.5 * 2^52 of its unit, as bits; and the place of its unit among the bits of a sum. */
#define BEGIN(level) ALL((e + 3 - 45 * (level)) << 52 | INT64_C(1) << 51)
#define POSITION(level) ((uint32_t)(e + 2 - 45 * (level)))
/* Moves the upper part of x into t. */
#define SPLIT(t, x) (s = (t) + (x), (x) -= s - (t), (t) = s)
/* Adds the contents of the level to the sum. */
#define COLLECT(level, ta, tb, begin) \
  do { \
    const integers part = ((integers)(ta) - (begin)) + ((integers)(tb) - (begin)); \
    const int64_t units = EACH(part, +); \
    portable__exact_add_bits(sum, (uint64_t)(units < 0 ? -units : units), POSITION(level), units < 0); \
  } while (0)

/* Adds n values, a multiple of LANES and at most BLOCK, by two or four levels. 0: nothing done, because they are too far apart,
 * or not finite. */
static inline __attribute__((always_inline)) int add_block(portable_exact *sum, const double *values, size_t n, int levels) {
  const vector *v = (const vector *)(const void *)values;
  const size_t vectors = n / WIDTH;
  const integers sign_off = ALL(INT64_MAX);
  vector s0 = ALL(0.0), s1 = ALL(0.0);
  for (size_t i = 0; i < vectors; i += 2) {
    s0 += (vector)((integers)v[i] & sign_off);
    s1 += (vector)((integers)v[i + 1] & sign_off);
  }
  s0 += s1;
  /* Sums of magnitudes never fall, so no value is larger than this one. NaN and infinity show in its exponent. */
  double bound = EACH(s0, +);
  int64_t bits;
  memcpy(&bits, &bound, sizeof bits);
  const int64_t e = bits >> 52;
  if (bits == 0) return 1;
  if (e < 300 || e > 2000) return 0;
  /* bound < 2^(e-1022) =: B. The unit of the first level is B * 2^-50, with a bit to spare for the rounding of bound. The part that it leaves
   * is at most half of it, and n / LANES <= 2^6 values are in a lane: so each level's unit is 2^-45 of the one before. */
  const integers begin0 = BEGIN(0), begin1 = BEGIN(1), begin2 = BEGIN(2), begin3 = BEGIN(3);
  vector a0 = (vector)begin0, b0 = a0, a1 = (vector)begin1, b1 = a1, a2 = (vector)begin2, b2 = a2, a3 = (vector)begin3, b3 = a3;
  integers rest = ALL(0);
  for (size_t i = 0; i < vectors; i += 2) {
    vector x = v[i], y = v[i + 1], s;
    SPLIT(a0, x);
    SPLIT(b0, y);
    SPLIT(a1, x);
    SPLIT(b1, y);
    if (levels > 2) {
      SPLIT(a2, x);
      SPLIT(b2, y);
      SPLIT(a3, x);
      SPLIT(b3, y);
    }
    rest |= (integers)x | (integers)y;
  }
  rest &= sign_off; /* -0 is nothing */
  if (EACH(rest, |)) return 0;
  COLLECT(0, a0, b0, begin0);
  COLLECT(1, a1, b1, begin1);
  if (levels > 2) {
    COLLECT(2, a2, b2, begin2);
    COLLECT(3, a3, b3, begin3);
  }
  return 1;
}

static int add_block_plain(portable_exact *sum, const double *values, size_t n) {
  return add_block(sum, values, n, 2) || add_block(sum, values, n, 4);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static int add_block_avx2(portable_exact *sum, const double *values, size_t n) {
  return add_block(sum, values, n, 2) || add_block(sum, values, n, 4);
}

static block_function choose(void) {
  return portable__processor_has(PORTABLE__AVX2) ? add_block_avx2 : add_block_plain;
}
#else
static block_function choose(void) { return add_block_plain; }
#endif

#else /* a compiler without vectors, or a processor that computes with more digits than it stores */

static int add_none(portable_exact *sum, const double *values, size_t n) {
  (void)sum, (void)values, (void)n;
  return 0;
}
static block_function choose(void) { return add_none; }

#endif

/* Values of one array, whose neighbours are alike: after a block that had to be done one by one the next few are
 * done so at once. */
struct feeding {
  block_function block;
  int singly;
};

#define SINGLY 8 /* blocks */
#define SHORT 16 /* values that are not worth a block */

static void feed(struct feeding *f, portable_exact *sum, const double *values, size_t n) {
  if (n >= SHORT && f->singly == 0) {
    size_t whole = n / LANES * LANES;
    if (f->block(sum, values, whole)) {
      values += whole;
      n -= whole;
    } else {
      f->singly = SINGLY;
    }
  }
  if (f->singly > 0) f->singly--;
  for (size_t i = 0; i < n; i++) portable__exact_add(sum, values[i]);
}

#if defined(__x86_64__)
typedef unsigned environment;
static inline void enter(environment *e) {
  *e = _mm_getcsr();
  _mm_setcsr(0x1f80);
  __asm__ volatile("" ::: "memory"); /* no load of a value, and so no conversion, goes before */
}
static inline void leave(const environment *e) { _mm_setcsr(*e); }
#else
typedef fenv_t environment;
static inline void enter(environment *e) {
  fegetenv(e);
  fesetenv(FE_DFL_ENV);
}
static inline void leave(const environment *e) { fesetenv(e); }
#endif

void portable_exact_add_array(portable_exact *sum, const double *values, size_t count) {
  struct feeding f = {choose(), 0};
  environment e;
  enter(&e);
  for (size_t i = 0; i < count; i += BLOCK) feed(&f, sum, values + i, count - i < BLOCK ? count - i : BLOCK);
  leave(&e);
}

void portable_exact_add_array32(portable_exact *sum, const float *values, size_t count) {
  struct feeding f = {choose(), 0};
  double wide[BLOCK];
  environment e;
  enter(&e);
  for (size_t i = 0; i < count; i += BLOCK) {
    size_t n = count - i < BLOCK ? count - i : BLOCK;
    for (size_t k = 0; k < n; k++) wide[k] = (double)values[i + k];
    feed(&f, sum, wide, n);
  }
  leave(&e);
}
