/* random.c - see random.h: cells in order, into memory as it lies. Main functions: numbers, range.
 * Vectors are in random_lanes.h, the generator in portable_random.h. Threads: any. */
#define PORTABLE__MATH_UNFUSED 1
#include "random.h"

#include <string.h>

#include "../base/least.h"
#include "../base/processor.h"
#include "../base/walk.h"

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("O3", "fp-contract=off") /* the loops over normal numbers are to be vectorised */
#endif

#define BLOCK 512   /* numbers that are made at a time before they are moved or changed */
#define LONG_RUN 64 /* elements without a gap that are worth being written at once */
#define FEW 16      /* numbers that are not worth the preparation of vectors */

/* ---- uniform numbers of pairs of cells ---- */

/* Numbers of so many pairs of cells, from an even cell on. Gives the pairs that are done: the last few may be left. */
typedef int64_t (*pairs_of)(portable_random_key key, uint64_t cell, int32_t draw, int64_t pairs, void *out);

/* q, but not beyond 0.425 on either side. Bits are compared, because compilers make no vectors of comparisons that may trap. */
static inline double between(double q) {
  const double most = 0.425;
  uint64_t bits, limit;
  memcpy(&bits, &q, sizeof bits);
  memcpy(&limit, &most, sizeof limit);
  const uint64_t sign = bits >> 63 << 63, magnitude = bits ^ sign;
  bits = sign | (magnitude < limit ? magnitude : limit);
  memcpy(&q, &bits, sizeof q);
  return q;
}

/* Uniform numbers become normal ones, those of the tails wrong ones. */
typedef void (*middle_of)(double *x, int64_t count);
#define MIDDLE(name) \
  static void name(double *x, int64_t count) { \
    for (int64_t i = 0; i < count; i++) x[i] = portable__random_middle(between(x[i] - 0.5)); \
  }

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
/* The keys of the ten rounds. */
struct rounds {
  uint32_t key[2][10];
};

static inline struct rounds rounds_of(portable_random_key key) {
  struct rounds r;
  for (uint32_t n = 0; n < 10; n++) {
    r.key[0][n] = key.word[0] + n * 0x9E3779B9u;
    r.key[1][n] = key.word[1] + n * 0xBB67AE85u;
  }
  return r;
}

#if defined(__x86_64__)
#include <immintrin.h>

#define NAME(x) x##_sse2
#define TARGET
#define LANES 2
#define PRODUCT(a, b) (NAME(words)) _mm_mul_epu32((__m128i)(a), (__m128i)(b))
#define LOWER(a, b) _mm_unpacklo_pd(a, b)
#define UPPER(a, b) _mm_unpackhi_pd(a, b)
#define IN_ORDER {0, 2}
#define TURNED {0, 2}
#include "random_lanes.h"

#define NAME(x) x##_avx2
#define TARGET __attribute__((target("avx2")))
#define LANES 4
#define PRODUCT(a, b) (NAME(words)) _mm256_mul_epu32((__m256i)(a), (__m256i)(b))
#define LOWER(a, b) _mm256_unpacklo_pd(a, b)
#define UPPER(a, b) _mm256_unpackhi_pd(a, b)
#define IN_ORDER {0, 2, 4, 6}
#define TURNED {0, 4, 2, 6}
#include "random_lanes.h"

#define NAME(x) x##_avx512
#define TARGET __attribute__((target("avx512f")))
#define LANES 8
#define PRODUCT(a, b) (NAME(words)) _mm512_mul_epu32((__m512i)(a), (__m512i)(b))
#define LOWER(a, b) _mm512_unpacklo_pd(a, b)
#define UPPER(a, b) _mm512_unpackhi_pd(a, b)
#define IN_ORDER {0, 2, 4, 6, 8, 10, 12, 14}
#define TURNED {0, 8, 2, 10, 4, 12, 6, 14}
#include "random_lanes.h"

static pairs_of choose(int32_t kind) {
  const int small = kind == PORTABLE_KIND_REAL32;
  if (portable__processor_has(PORTABLE__AVX512)) return small ? pairs_32_avx512 : pairs_64_avx512;
  if (portable__processor_has(PORTABLE__AVX2)) return small ? pairs_32_avx2 : pairs_64_avx2;
  return small ? pairs_32_sse2 : pairs_64_sse2;
}
static middle_of choose_middle(void) {
  return portable__processor_has(PORTABLE__AVX512) ? middle_avx512 : portable__processor_has(PORTABLE__AVX2) ? middle_avx2 : middle_sse2;
}
#else
#include <arm_neon.h>

#define NAME(x) x##_neon
#define TARGET
#define LANES 2
#define PRODUCT(a, b) (NAME(words)) vmull_u32(vmovn_u64((uint64x2_t)(a)), vmovn_u64((uint64x2_t)(b)))
#define LOWER(a, b) vzip1q_f64((float64x2_t)(a), (float64x2_t)(b))
#define UPPER(a, b) vzip2q_f64((float64x2_t)(a), (float64x2_t)(b))
#define IN_ORDER {0, 2}
#define TURNED {0, 2}
#include "random_lanes.h"

static pairs_of choose(int32_t kind) { return kind == PORTABLE_KIND_REAL32 ? pairs_32_neon : pairs_64_neon; }
static middle_of choose_middle(void) { return middle_neon; }
#endif
#else
MIDDLE(middle)
/* The compiler makes vectors of the loop over pairs, if the processor has them. */
static int64_t pairs_64(portable_random_key key, uint64_t cell, int32_t draw, int64_t pairs, void *out) {
  portable_random_range_real64(key, (int64_t)cell, draw, 2 * pairs, out);
  return pairs;
}
static int64_t pairs_none(portable_random_key key, uint64_t cell, int32_t draw, int64_t pairs, void *out) {
  (void)key, (void)cell, (void)draw, (void)pairs, (void)out;
  return 0;
}
static pairs_of choose(int32_t kind) { return kind == PORTABLE_KIND_REAL32 ? pairs_none : pairs_64; }
static middle_of choose_middle(void) { return middle; }
#endif

static void single(const struct portable__random_fill *f, int32_t kind, int64_t cell, char *to) {
  if (kind == PORTABLE_KIND_REAL32) {
    const float x = portable_random_real32(f->key, cell, f->draw);
    memcpy(to, &x, sizeof x);
  } else {
    const double x = portable_random_real64(f->key, cell, f->draw);
    memcpy(to, &x, sizeof x);
  }
}

/* Uniform numbers of cells from `cell` on, one behind the other, at any address. */
static void uniform(const struct portable__random_fill *f, int32_t kind, int64_t cell, int64_t count, char *to) {
  const int64_t bytes = kind == PORTABLE_KIND_REAL32 ? 4 : 8;
  int64_t i = 0;
  if (count > FEW) {
    if (cell & 1) single(f, kind, cell, to), i = 1;
    i += 2 * choose(kind)(f->key, (uint64_t)(cell + i), f->draw, (count - i) / 2, to + i * bytes);
  }
  for (; i < count; i++) single(f, kind, cell + i, to + i * bytes);
}

/* ---- normal numbers ---- */

/* x: uniform numbers, which become normal ones. All are computed as those of the middle; the others, which are noted without a branch, again. */
static void make_normal(double *x, int64_t count) {
  double tail[BLOCK + 1];
  int32_t at[BLOCK + 1];
  int64_t tails = 0;
  for (int64_t i = 0; i < count; i++) {
    const double q = x[i] - 0.5;
    tail[tails] = x[i];
    at[tails] = (int32_t)i;
    tails += (q < -0.425) | (q > 0.425);
  }
  choose_middle()(x, count);
  for (int64_t k = 0; k < tails; k++) x[at[k]] = portable__random_tail(tail[k]);
}

static void normal(const struct portable__random_fill *f, int64_t cell, int64_t count, char *to) {
  double x[BLOCK];
  float small[BLOCK];
  for (int64_t done = 0, n; done < count; done += n) {
    n = least(count - done, BLOCK);
    uniform(f, PORTABLE_KIND_REAL64, cell + done, n, (char *)x);
    make_normal(x, n);
    if (f->kind == PORTABLE_KIND_REAL64) {
      memcpy(to + done * (int64_t)sizeof *x, x, (size_t)n * sizeof *x);
      continue;
    }
    for (int64_t i = 0; i < n; i++) small[i] = (float)x[i];
    memcpy(to + done * (int64_t)sizeof *small, small, (size_t)n * sizeof *small);
  }
}

static void numbers(const struct portable__random_fill *f, int64_t cell, int64_t count, char *to) {
  if (f->distribution == PORTABLE_RANDOM_NORMAL)
    normal(f, cell, count, to);
  else
    uniform(f, f->kind, cell, count, to);
}

/* ---- ranges ---- */

void portable__random_range(const struct portable__random_fill *f, int64_t from, int64_t to) {
  const int32_t bytes = f->kind == PORTABLE_KIND_REAL32 ? 4 : 8;
  char block[BLOCK * sizeof(double)];
  struct portable__walk w = {.data = f->at};
  if (from >= to) return;
  portable__walk_to(f->axis, f->axes, from, &w);
  while (from < to) {
    const int64_t run = portable__walk_run(f->axis, &w, to - from);
    if (f->axis[0].step == bytes && run >= LONG_RUN) {
      numbers(f, f->first + from, run, (char *)(uintptr_t)w.data);
      portable__walk_on(f->axis, f->axes, run, &w);
      from += run;
      continue;
    }
    const int64_t n = least(to - from, BLOCK);
    numbers(f, f->first + from, n, block);
    for (int64_t done = 0, part; done < n; done += part) {
      part = portable__walk_run(f->axis, &w, n - done);
      portable__bring((char *)(uintptr_t)w.data, f->axis[0].step, block + done * bytes, bytes, part, bytes);
      portable__walk_on(f->axis, f->axes, part, &w);
    }
    from += n;
  }
}
