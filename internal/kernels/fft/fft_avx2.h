/* fft_avx2.h - instructions of AVX2 that fft_line.h and fft_lanes.h use, for reals of BYTES bytes; fft_16.h has the same in vectors of 16 bytes. A
 * block is as many complex numbers, one behind the other, as a vector has lanes. EVEN and ODD of its two vectors are the real and the imaginary parts,
 * in the order of ORDER_OF_LANES, because no single instruction gives the order of memory; ZIP_LOW and ZIP_HIGH are the reverse. FIRST_PAIRS and
 * LAST_PAIRS are both vectors of a block, from parts in the order of memory. ROWS turns vectors that begin at number k, which REAL and IMAGINARY have,
 * to vectors of the numbers k.. of each lane. fft.c includes this file for each kind of real, behind fft_form.h. Pure. */

#define V WIDE(lanes)
#define LANES ((int)(VECTOR / sizeof(T)))
#define BLOCK (2 * VECTOR) /* bytes of a block */
#define FORM TARGET __attribute__((always_inline)) static inline
#define AT(l) (line[l] + k * 2 * BYTES)
#define PARTS 1 /* vectors, whose lanes are the parts of a line that is cut */
#define FIRST_PAIRS(a, b) LOWER(ZIP_LOW(a, b), ZIP_HIGH(a, b))
#define LAST_PAIRS(a, b) UPPER(ZIP_LOW(a, b), ZIP_HIGH(a, b))

#if BYTES == 8
#define ORDER_OF_LANES {0, 2, 1, 3}
#define EACH_LANE(F) F(0, 0) F(1, 2) F(2, 1) F(3, 3) /* a lane, and its line */
#define LOAD(p) ((V)_mm256_loadu_pd((const double *)(const void *)(p)))
#define STORE(p, v) _mm256_storeu_pd((double *)(void *)(p), (__m256d)(v))
#define EVEN(a, b) ((V)_mm256_unpacklo_pd((__m256d)(a), (__m256d)(b)))
#define ODD(a, b) ((V)_mm256_unpackhi_pd((__m256d)(a), (__m256d)(b)))
#define LOWER(a, b) ((V)_mm256_permute2f128_pd((__m256d)(a), (__m256d)(b), 0x20))
#define UPPER(a, b) ((V)_mm256_permute2f128_pd((__m256d)(a), (__m256d)(b), 0x31))
#define ZIP_LOW(a, b) EVEN(a, b)
#define ZIP_HIGH(a, b) ODD(a, b)
#define REVERSE(v) ((V)_mm256_permute4x64_pd((__m256d)(v), 0x1B))
#define ORDER(v) ((V)_mm256_permute4x64_pd((__m256d)(v), 0xD8))
#else
#define ORDER_OF_LANES {0, 1, 4, 5, 2, 3, 6, 7}
#define EACH_LANE(F) F(0, 0) F(1, 1) F(2, 4) F(3, 5) F(4, 2) F(5, 3) F(6, 6) F(7, 7)
#define LOAD(p) ((V)_mm256_loadu_ps((const float *)(const void *)(p)))
#define STORE(p, v) _mm256_storeu_ps((float *)(void *)(p), (__m256)(v))
#define EVEN(a, b) ((V)_mm256_shuffle_ps((__m256)(a), (__m256)(b), 0x88))
#define ODD(a, b) ((V)_mm256_shuffle_ps((__m256)(a), (__m256)(b), 0xDD))
#define LOWER(a, b) ((V)_mm256_permute2f128_ps((__m256)(a), (__m256)(b), 0x20))
#define UPPER(a, b) ((V)_mm256_permute2f128_ps((__m256)(a), (__m256)(b), 0x31))
#define ZIP_LOW(a, b) ((V)_mm256_unpacklo_ps((__m256)(a), (__m256)(b)))
#define ZIP_HIGH(a, b) ((V)_mm256_unpackhi_ps((__m256)(a), (__m256)(b)))
#define REVERSE(v) ((V)_mm256_permutevar8x32_ps((__m256)(v), _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0)))
#define ORDER(v) ((V)_mm256_permutevar8x32_ps((__m256)(v), _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7)))
#endif

/* ---- blocks ---- */

#if BYTES == 8
#define TURNED(part, a0, a1, a2, a3)                                                       \
  {                                                                                        \
    const V p = part(0, 0), q = part(1, 0), t = part(2, 0), u = part(3, 0);                \
    const V pq = EVEN(p, q), pq2 = ODD(p, q), tu = EVEN(t, u), tu2 = ODD(t, u);            \
    a0 = LOWER(pq, tu), a1 = LOWER(pq2, tu2), a2 = UPPER(pq, tu), a3 = UPPER(pq2, tu2);    \
  }
#define ROWS                                                  \
  V r0, r1, r2, r3, i0, i1, i2, i3;                           \
  TURNED(REAL, r0, r2, r1, r3) TURNED(IMAGINARY, i0, i2, i1, i3)
#else
#define ZIP2_LOW(a, b) ((V)_mm256_unpacklo_pd((__m256d)(a), (__m256d)(b)))
#define ZIP2_HIGH(a, b) ((V)_mm256_unpackhi_pd((__m256d)(a), (__m256d)(b)))
#define TURNED(part, a0, a1, a2, a3, a4, a5, a6, a7)                                                                                                  \
  {                                                                                                                                                   \
    const V ab = ZIP_LOW(part(0, 0), part(1, 0)), ab2 = ZIP_HIGH(part(0, 0), part(1, 0)), cd = ZIP_LOW(part(2, 0), part(3, 0)), cd2 = ZIP_HIGH(part(2, 0), part(3, 0));       \
    const V ef = ZIP_LOW(part(4, 0), part(5, 0)), ef2 = ZIP_HIGH(part(4, 0), part(5, 0)), gh = ZIP_LOW(part(6, 0), part(7, 0)), gh2 = ZIP_HIGH(part(6, 0), part(7, 0));       \
    const V p0 = ZIP2_LOW(ab, cd), p1 = ZIP2_HIGH(ab, cd), p2 = ZIP2_LOW(ab2, cd2), p3 = ZIP2_HIGH(ab2, cd2);                                         \
    const V q0 = ZIP2_LOW(ef, gh), q1 = ZIP2_HIGH(ef, gh), q2 = ZIP2_LOW(ef2, gh2), q3 = ZIP2_HIGH(ef2, gh2);                                         \
    a0 = LOWER(p0, q0), a1 = LOWER(p1, q1), a2 = LOWER(p2, q2), a3 = LOWER(p3, q3);                                                                   \
    a4 = UPPER(p0, q0), a5 = UPPER(p1, q1), a6 = UPPER(p2, q2), a7 = UPPER(p3, q3);                                                                   \
  }
#define ROWS                                                                                       \
  V r0, r1, r2, r3, r4, r5, r6, r7, i0, i1, i2, i3, i4, i5, i6, i7;                                \
  TURNED(REAL, r0, r1, r4, r5, r2, r3, r6, r7) TURNED(IMAGINARY, i0, i1, i4, i5, i2, i3, i6, i7)
#endif

/* ---- number k of as many contiguous lines as a vector has lanes ---- */
#if BYTES == 8
#define SIDES(a, b) \
  (V) _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd((const double *)(const void *)AT(a))), _mm_loadu_pd((const double *)(const void *)AT(b)), 1)
FORM void WIDE(take)(char *const *line, int64_t k, V *r, V *i) {
  const V u = SIDES(0, 1), v = SIDES(2, 3);
  *r = EVEN(u, v);
  *i = ODD(u, v);
}
FORM void WIDE(give)(char *const *line, int64_t k, V r, V i) {
  const __m256d u = (__m256d)ZIP_LOW(r, i), v = (__m256d)ZIP_HIGH(r, i);
  _mm_storeu_pd((double *)(void *)AT(0), _mm256_castpd256_pd128(u));
  _mm_storeu_pd((double *)(void *)AT(1), _mm256_extractf128_pd(u, 1));
  _mm_storeu_pd((double *)(void *)AT(2), _mm256_castpd256_pd128(v));
  _mm_storeu_pd((double *)(void *)AT(3), _mm256_extractf128_pd(v, 1));
}
#else
#define TWO_SIDES(a, b) _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd((const double *)(const void *)AT(a)), (const double *)(const void *)AT(b)))
#define SIDES(a) (V) _mm256_insertf128_ps(_mm256_castps128_ps256(TWO_SIDES(a, a + 1)), TWO_SIDES(a + 2, a + 3), 1)
FORM void WIDE(take)(char *const *line, int64_t k, V *r, V *i) {
  const V u = SIDES(0), v = SIDES(4);
  *r = EVEN(u, v);
  *i = ODD(u, v);
}
FORM void WIDE(give_half)(char *const *line, int64_t k, __m256d x, int first) {
  _mm_storel_pd((double *)(void *)AT(first), _mm256_castpd256_pd128(x));
  _mm_storeh_pd((double *)(void *)AT(first + 1), _mm256_castpd256_pd128(x));
  _mm_storel_pd((double *)(void *)AT(first + 2), _mm256_extractf128_pd(x, 1));
  _mm_storeh_pd((double *)(void *)AT(first + 3), _mm256_extractf128_pd(x, 1));
}
FORM void WIDE(give)(char *const *line, int64_t k, V r, V i) {
  WIDE(give_half)(line, k, (__m256d)ZIP_LOW(r, i), 0);
  WIDE(give_half)(line, k, (__m256d)ZIP_HIGH(r, i), 4);
}
#undef TWO_SIDES
#endif
#undef SIDES

#include "fft_line.h"
#include "fft_lanes.h"
