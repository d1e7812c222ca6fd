/* solve_turn.h - turns contiguous lanes to rows of lanes, and back, by blocks of registers; part of solve.c. Not in this file: which lanes are
 * contiguous. Threads: any. */
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "../base/turn.h"

/* Lane l begins at base + offset[l]; a row lies `pitch` bytes after the one before. back: rows go to lanes. Each function gives how many of
 * `count` rows are done; width is a multiple of the lanes. */
typedef int64_t turn_function(char *base, const int64_t *offset, int64_t width, char *rows, int64_t pitch, int64_t count, int back);

#define LANE(l) (base + offset[l])
static int64_t turn8_pairs(char *base, const int64_t *offset, int64_t width, char *rows, int64_t pitch, int64_t count, int back) {
  const int64_t done = count / 2 * 2;
  for (int64_t l = 0; l < width; l += 2)
    for (int64_t i = 0; i < done; i += 2) {
      char *const a = LANE(l) + i * 8, *const b = LANE(l + 1) + i * 8, *const upper = rows + i * pitch + l * 8, *const lower = upper + pitch;
      portable__turn_8(back ? upper : a, back ? lower : b, back ? a : upper, back ? b : lower);
    }
  return done;
}

static int64_t turn4_fours(char *base, const int64_t *offset, int64_t width, char *rows, int64_t pitch, int64_t count, int back) {
  const int64_t done = count / 4 * 4;
  for (int64_t l = 0; l < width; l += 4)
    for (int64_t i = 0; i < done; i += 4) {
      char *in[4], *out[4];
      for (int k = 0; k < 4; k++) {
        char *const lane = LANE(l + k) + i * 4, *const row = rows + (i + k) * pitch + l * 4;
        in[k] = back ? row : lane;
        out[k] = back ? lane : row;
      }
      portable__turn_4((const char *const *)in, out);
    }
  return done;
}

#if defined(__x86_64__)
/* Four rows of four lanes, which begin at a to d; the rows begin at r0 and lie `pitch` bytes apart. */
#define HALVES(low, high) _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd((const double *)(const void *)(low))), _mm_loadu_pd((const double *)(const void *)(high)), 1)
#define LOAD(at) _mm256_loadu_pd((const double *)(const void *)(at))
#define STORE(at, x) _mm256_storeu_pd((double *)(void *)(at), x)
__attribute__((target("avx2"), always_inline)) static inline void square(char *a, char *b, char *c, char *d, char *r0, int64_t pitch, const int back) {
  char *const r1 = r0 + pitch, *const r2 = r1 + pitch, *const r3 = r2 + pitch;
  if (back) {
    const __m256d p = LOAD(r0), q = LOAD(r1), r = LOAD(r2), s = LOAD(r3);
    const __m256d ac = _mm256_unpacklo_pd(p, q), bd = _mm256_unpackhi_pd(p, q), ac2 = _mm256_unpacklo_pd(r, s), bd2 = _mm256_unpackhi_pd(r, s);
    STORE(a, _mm256_permute2f128_pd(ac, ac2, 0x20));
    STORE(b, _mm256_permute2f128_pd(bd, bd2, 0x20));
    STORE(c, _mm256_permute2f128_pd(ac, ac2, 0x31));
    STORE(d, _mm256_permute2f128_pd(bd, bd2, 0x31));
  } else {
    const __m256d p = HALVES(a, c), q = HALVES(b, d), r = HALVES(a + 16, c + 16), s = HALVES(b + 16, d + 16);
    STORE(r0, _mm256_unpacklo_pd(p, q));
    STORE(r1, _mm256_unpackhi_pd(p, q));
    STORE(r2, _mm256_unpacklo_pd(r, s));
    STORE(r3, _mm256_unpackhi_pd(r, s));
  }
}

__attribute__((target("avx2"), always_inline)) static inline int64_t turn_squares(char *base, const int64_t *offset, int64_t width, char *rows, int64_t pitch,
                                                                                  int64_t count, const int back) {
  const int64_t done = count / 4 * 4;
  for (int64_t l = 0; l < width; l += 4) {
    char *a = LANE(l), *b = LANE(l + 1), *c = LANE(l + 2), *d = LANE(l + 3), *row = rows + l * 8;
    for (int64_t i = 0; i < done; i += 4) {
      square(a, b, c, d, row, pitch, back);
      a += 32, b += 32, c += 32, d += 32, row += 4 * pitch;
    }
  }
  return done;
}
__attribute__((target("avx2"))) static int64_t turn8_avx2(char *base, const int64_t *offset, int64_t width, char *rows, int64_t pitch, int64_t count, int back) {
  return back ? turn_squares(base, offset, width, rows, pitch, count, 1) : turn_squares(base, offset, width, rows, pitch, count, 0);
}
#undef HALVES
#undef LOAD
#undef STORE
#endif
#undef LANE

static turn_function *turn_of(int32_t bytes) {
  if (bytes == 4) return turn4_fours;
#if defined(__x86_64__)
  if (portable__processor_has(PORTABLE__AVX2)) return turn8_avx2;
#endif
  return turn8_pairs;
}
