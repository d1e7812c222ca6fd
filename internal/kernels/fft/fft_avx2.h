/* fft_avx2.h - instructions of AVX2 that fft_line.h and fft_lanes.h use, for reals of BYTES bytes. A block is
 * as many complex numbers, one behind the other, as a vector has lanes. EVEN and ODD of its two vectors are the real and the imaginary parts, in the
 * order of ORDER_OF_LANES, because no single instruction gives the order of memory; ZIP_LOW and ZIP_HIGH are the reverse. Only macros. */

#define V WIDE(lanes)
#define LANES ((int)(VECTOR / sizeof(T)))
#define BLOCK (2 * VECTOR) /* bytes of a block */
#define FORM TARGET __attribute__((always_inline)) static inline

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

