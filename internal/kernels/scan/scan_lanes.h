/* scan_lanes.h - loops of scan_operations.c, which includes this file, in vectors of AVX2: sums of
 * int32 and int64 in any order, and sums of real64 in theirs, with four runs of 8 in the lanes; on
 * other processors two of them in vectors of 16 bytes. Each function does what is whole and says
 * how many elements it did; the loops without vectors do the rest. Threads: any. */

/* Runs of 8 after the first one of a leaf: *leaf is L of scan.h, all is C. A run is a lane, so R is made of 7 additions of vectors. */
static int64_t through_two(void *to, const void *from, int64_t count, void *leaf_inout, double all) {
  typedef double two __attribute__((vector_size(16), aligned(8)));
  double *y = to, *leaf = leaf_inout;
  const double *x = from;
  const int64_t whole = count / 16 * 16;
  for (int64_t i = 0; i < whole; i += 16) {
    two v[8];
    for (int k = 0; k < 8; k += 2) {
      const two a = *(const two *)(x + i + k), b = *(const two *)(x + i + 8 + k);
      v[k] = PORTABLE__SHUFFLE(two_numbers, a, b, 0, 2);
      v[k + 1] = PORTABLE__SHUFFLE(two_numbers, a, b, 1, 3);
    }
    for (int k = 1; k < 8; k++) v[k] = v[k - 1] + v[k];
    const two runs = {*leaf, *leaf + v[7][0]};
    *leaf = runs[1] + v[7][1];
    for (int k = 0; k < 8; k++) v[k] = all + (runs + v[k]);
    for (int k = 0; k < 8; k += 2) {
      *(two *)(y + i + k) = PORTABLE__SHUFFLE(two_numbers, v[k], v[k + 1], 0, 2);
      *(two *)(y + i + 8 + k) = PORTABLE__SHUFFLE(two_numbers, v[k], v[k + 1], 1, 3);
    }
  }
  return whole;
}

#if defined(__x86_64__)
#include <immintrin.h>

#include "../base/processor.h"

#define TARGET __attribute__((target("avx2")))
#define AT(p) ((__m256i *)(void *)(uintptr_t)(p))
#define LOWER_HALF_ON_TOP(v) _mm256_permute2x128_si256(v, v, 0x08) /* zeros below */

/* *value becomes that of all elements. Inside of a vector the halves are scanned, then the upper one gets the last value of the lower one. */
TARGET static int64_t running_int32_lanes(char *y, const char *x, int64_t count, int32_t *value) {
  const int64_t whole = count / 8 * 8;
  __m256i all = _mm256_set1_epi32(*value);
  for (int64_t i = 0; i < whole; i += 8) {
    __m256i v = _mm256_loadu_si256(AT(x + 4 * i));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    v = _mm256_add_epi32(v, _mm256_shuffle_epi32(LOWER_HALF_ON_TOP(v), 0xff));
    _mm256_storeu_si256(AT(y + 4 * i), _mm256_add_epi32(all, v));
    all = _mm256_add_epi32(all, _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(7)));
  }
  *value = _mm256_cvtsi256_si32(all);
  return whole;
}

TARGET static int64_t running_int64_lanes(char *y, const char *x, int64_t count, int64_t *value) {
  const int64_t whole = count / 4 * 4;
  __m256i all = _mm256_set1_epi64x(*value);
  for (int64_t i = 0; i < whole; i += 4) {
    __m256i v = _mm256_loadu_si256(AT(x + 8 * i));
    v = _mm256_add_epi64(v, _mm256_slli_si256(v, 8));
    v = _mm256_add_epi64(v, _mm256_shuffle_epi32(LOWER_HALF_ON_TOP(v), 0xee));
    _mm256_storeu_si256(AT(y + 8 * i), _mm256_add_epi64(all, v));
    all = _mm256_add_epi64(all, _mm256_permute4x64_epi64(v, 0xff));
  }
  *value = _mm256_extract_epi64(all, 0);
  return whole;
}

#define TOTAL(name, type, lanes, add)                                                                    \
  TARGET static int64_t total_##name##_lanes(const char *x, int64_t count, type *value) {                \
    const int64_t whole = count / (4 * lanes) * (4 * lanes);                                             \
    __m256i sum[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()}; \
    type part[lanes];                                                                                    \
    for (const char *end = x + whole * (int64_t)sizeof(type); x < end; x += 128)                         \
      for (int k = 0; k < 4; k++) sum[k] = add(sum[k], _mm256_loadu_si256(AT(x + 32 * k)));              \
    _mm256_storeu_si256(AT(part), add(add(sum[0], sum[1]), add(sum[2], sum[3])));                        \
    for (int k = 0; k < lanes; k++) *value = sum_##name(*value, part[k]);                                \
    return whole;                                                                                        \
  }
TOTAL(int32, int32_t, 8, _mm256_add_epi32)
TOTAL(int64, int64_t, 4, _mm256_add_epi64)
#undef TOTAL

typedef __m256d four[4];

/* Rows to columns. */
TARGET __attribute__((always_inline)) static inline void turn(four v) {
  const __m256d a = _mm256_unpacklo_pd(v[0], v[1]), b = _mm256_unpackhi_pd(v[0], v[1]);
  const __m256d c = _mm256_unpacklo_pd(v[2], v[3]), d = _mm256_unpackhi_pd(v[2], v[3]);
  v[0] = _mm256_permute2f128_pd(a, c, 0x20);
  v[1] = _mm256_permute2f128_pd(b, d, 0x20);
  v[2] = _mm256_permute2f128_pd(a, c, 0x31);
  v[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

/* Likewise. */
TARGET static int64_t through_lanes(void *to, const void *from, int64_t count, void *leaf_inout, double all) {
  double *y = to, *leaf = leaf_inout;
  const double *x = from;
  const int64_t whole = count / 32 * 32;
  const __m256d before = _mm256_set1_pd(all);
  for (int64_t i = 0; i < whole; i += 32) {
    four low, high;
    for (int k = 0; k < 4; k++) low[k] = _mm256_loadu_pd(x + i + 8 * k), high[k] = _mm256_loadu_pd(x + i + 8 * k + 4);
    turn(low);
    turn(high);
    for (int k = 1; k < 4; k++) low[k] = _mm256_add_pd(low[k - 1], low[k]);
    high[0] = _mm256_add_pd(low[3], high[0]);
    for (int k = 1; k < 4; k++) high[k] = _mm256_add_pd(high[k - 1], high[k]);
    double run[4], running[4];
    _mm256_storeu_pd(run, high[3]);
    running[0] = *leaf;
    for (int k = 1; k < 4; k++) running[k] = running[k - 1] + run[k - 1];
    *leaf = running[3] + run[3];
    const __m256d runs = _mm256_loadu_pd(running);
    for (int k = 0; k < 4; k++) {
      low[k] = _mm256_add_pd(before, _mm256_add_pd(runs, low[k]));
      high[k] = _mm256_add_pd(before, _mm256_add_pd(runs, high[k]));
    }
    turn(low);
    turn(high);
    for (int k = 0; k < 4; k++) _mm256_storeu_pd(y + i + 8 * k, low[k]), _mm256_storeu_pd(y + i + 8 * k + 4, high[k]);
  }
  return whole;
}
#undef AT
#undef LOWER_HALF_ON_TOP
#undef TARGET
#define LANES(call) (portable__processor_has(PORTABLE__AVX2) ? (call) : 0)
#define RUNS(...) (portable__processor_has(PORTABLE__AVX2) ? through_lanes : through_two)(__VA_ARGS__)
#else
#define LANES(call) 0
#define RUNS(...) through_two(__VA_ARGS__)
#endif
