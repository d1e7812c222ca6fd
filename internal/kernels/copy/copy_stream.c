/* copy_stream.c - see copy.h: blocks of elements of 8 bytes that go past the caches, in whole cache lines, so that what is written is
 * not read before. Not in this file: all other blocks (copy_block.c).
 *
 * Four rules, seen on a machine whose memcpy does the same: what is written comes in runs of two cache lines, or processors write
 * half as fast; a line that is read is used up at once, because lines that are powers of two apart drive each other out; lines are
 * asked for some time before; and instructions are few. */
#include "copy_block.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* at -O2 it makes vectors of next to nothing */
#endif

#ifdef __SSE2__
#include <emmintrin.h>
#include <string.h>

#include "../base/least.h"
#include "../base/processor.h"

#define ROW 32       /* elements of rows that follow one another are fewer, to be written as one line */
#define AHEAD 8192   /* bytes of what is read that are asked for beforehand: in one line, */
#define AHEAD_SHORT 512 /* and in each of many */
#define TALL 16      /* lines that are read together: two cache lines that are written */
#define WIDE 8       /* elements of each: one cache line that is read */
#define LINE 8       /* elements of a cache line */

static __m128d two(const char *f, const char *g) {
  double low, high; /* wherever they are: a program's array may begin at any address */
  memcpy(&low, f, sizeof low);
  memcpy(&high, g, sizeof high);
  return _mm_set_pd(high, low);
}
static __m128d pair(const char *f) { return _mm_loadu_pd((const double *)(const void *)f); }

/* Elements until a cache line begins. */
static int64_t until_line(const char *t) { return (int64_t)(-(uintptr_t)t & 63) / 8; }

/* ---- transpositions ---- */

/* A tile: TALL lines of WIDE elements to WIDE runs of TALL. By way of the first-level cache, because registers do not hold them. */
static inline void turn_sse2(const char *f, int64_t from_n, double *run, int64_t lines) {
  for (int64_t i = 0; i < lines; i += 2, f += 2 * from_n)
    for (int64_t j = 0; j < WIDE; j += 2) {
      const __m128d x = pair(f + 8 * j), y = pair(f + from_n + 8 * j);
      _mm_store_pd(run + j * lines + i, _mm_unpacklo_pd(x, y));
      _mm_store_pd(run + (j + 1) * lines + i, _mm_unpackhi_pd(x, y));
    }
}
static inline void tile_sse2(const char *f, int64_t from_n, char *t, int64_t to_m) {
  double run[WIDE][TALL] __attribute__((aligned(64)));
  turn_sse2(f, from_n, run[0], TALL);
  for (int64_t j = 0; j < WIDE; j++, t += to_m)
    for (int64_t i = 0; i < TALL; i += 2) _mm_stream_pd((double *)(void *)t + i, _mm_load_pd(&run[j][i]));
}
/* The same where lines begin anywhere within a cache line: it is of more lines, and each run begins with its first cache line. */
static inline void odd_tile_sse2(const char *f, int64_t from_n, char *t, int64_t to_m) {
  double run[WIDE][TALL + LINE] __attribute__((aligned(64)));
  turn_sse2(f, from_n, run[0], TALL + LINE);
  for (int64_t j = 0; j < WIDE; j++, t += to_m) {
    const int64_t head = until_line(t);
    for (int64_t i = 0; i < TALL; i += 2) _mm_stream_pd((double *)(void *)t + head + i, _mm_loadu_pd(&run[j][head + i]));
  }
}

#define TILES(name, tile) \
  static void name(const struct portable__copy_block *b, int64_t n, int64_t m) { \
    for (int64_t i = 0; i < n; i += TALL) \
      for (int64_t j = 0; j < m; j += WIDE) { \
        const char *f = b->from + i * b->from_n + 8 * j; \
        for (int64_t k = 0; k < TALL; k++) __builtin_prefetch(f + k * b->from_n + AHEAD_SHORT, 0, 2); \
        tile(f, b->from_n, b->to + 8 * i + j * b->to_m, b->to_m); \
      } \
  }
TILES(tiles_sse2, tile_sse2)
TILES(odd_tiles_sse2, odd_tile_sse2)

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define AVX512 __attribute__((target("avx512f")))

/* Eight lines of eight elements, turned. */
AVX512 static inline void turn_avx512(const char *f, int64_t from_n, __m512d *out) {
  __m512d x[8];
  for (int k = 0; k < 8; k += 2) {
    const __m512d a = _mm512_loadu_pd(f + k * from_n), b = _mm512_loadu_pd(f + (k + 1) * from_n);
    x[k] = _mm512_unpacklo_pd(a, b);
    x[k + 1] = _mm512_unpackhi_pd(a, b);
  }
  for (int k = 0; k < 2; k++) {
    const __m512d a = _mm512_shuffle_f64x2(x[k], x[2 + k], 0x88), b = _mm512_shuffle_f64x2(x[k], x[2 + k], 0xdd);
    const __m512d c = _mm512_shuffle_f64x2(x[4 + k], x[6 + k], 0x88), d = _mm512_shuffle_f64x2(x[4 + k], x[6 + k], 0xdd);
    out[k] = _mm512_shuffle_f64x2(a, c, 0x88);
    out[4 + k] = _mm512_shuffle_f64x2(a, c, 0xdd);
    out[2 + k] = _mm512_shuffle_f64x2(b, d, 0x88);
    out[6 + k] = _mm512_shuffle_f64x2(b, d, 0xdd);
  }
}
AVX512 static inline void tile_avx512(const char *f, int64_t from_n, char *t, int64_t to_m) {
  __m512d low[8], high[8];
  turn_avx512(f, from_n, low);
  turn_avx512(f + 8 * from_n, from_n, high);
  for (int j = 0; j < WIDE; j++, t += to_m) {
    _mm512_stream_pd((double *)(void *)t, low[j]);
    _mm512_stream_pd((double *)(void *)(t + 64), high[j]);
  }
}
AVX512 static inline void odd_tile_avx512(const char *f, int64_t from_n, char *t, int64_t to_m) {
  double run[WIDE][TALL + LINE] __attribute__((aligned(64)));
  for (int64_t i = 0; i < TALL + LINE; i += 8) {
    __m512d x[8];
    turn_avx512(f + i * from_n, from_n, x);
    for (int j = 0; j < WIDE; j++) _mm512_store_pd(&run[j][i], x[j]);
  }
  for (int64_t j = 0; j < WIDE; j++, t += to_m) {
    const int64_t head = until_line(t);
    for (int64_t i = 0; i < TALL; i += 8) _mm512_stream_pd((double *)(void *)t + head + i, _mm512_loadu_pd(&run[j][head + i]));
  }
}
AVX512 TILES(tiles_avx512, tile_avx512)
AVX512 TILES(odd_tiles_avx512, odd_tile_avx512)
#else
#define tiles_avx512 tiles_sse2
#define odd_tiles_avx512 odd_tiles_sse2
#endif

/* Gives the lines that are done, all from the first one on. */
static int64_t transpose(const struct portable__copy_plan *p, const struct portable__copy_block *b) {
  const int64_t n = b->n / TALL * TALL, m = b->m / WIDE * WIDE;
  struct portable__copy_block rest = *b;
  if (portable__copy_is_even(b)) {
    portable__processor_has(PORTABLE__AVX512) ? tiles_avx512(b, n, m) : tiles_sse2(b, n, m);
    rest.to += n * 8;
    rest.from += n * b->from_n;
    rest.n -= n;
    rest.m = m;
    if (rest.n) portable__copy8(&rest, 1);
    return m;
  }
  if (!p->whole || n < b->n || b->after < LINE) return 0;
  portable__processor_has(PORTABLE__AVX512) ? odd_tiles_avx512(b, n, m) : odd_tiles_sse2(b, n, m);
  for (int64_t j = 0; b->before == 0 && j < m; j++) {
    rest.to = b->to + j * b->to_m;
    rest.from = b->from + 8 * j;
    rest.n = until_line(rest.to);
    rest.m = 1;
    portable__copy8(&rest, 0);
  }
  return m;
}

/* ---- few lines that are written, as arrays that records are taken apart to ---- */

/* Two cache lines of each in turn, so that what is read goes on evenly. Their cache lines begin at different elements. */
static void columns(const struct portable__copy_plan *p, const struct portable__copy_block *b) {
  int64_t begin[PORTABLE__COPY_FEW], end[PORTABLE__COPY_FEW], most = 0;
  struct portable__copy_block part = *b;
  part.m = 1;
  for (int64_t j = 0; j < b->m; j++) {
    const char *line = b->to + j * b->to_m;
    const int64_t head = p->whole ? portable__copy_head(b, line) / 8 : 0;
    end[j] = b->n + (p->whole ? portable__copy_tail(b, line) / 8 : 0);
    begin[j] = least(head + until_line(line + 8 * head), end[j]);
    if (begin[j] > most) most = begin[j];
    part.to = b->to + j * b->to_m + 8 * head;
    part.from = b->from + j * b->from_m + head * b->from_n;
    part.n = begin[j] - head;
    portable__copy8(&part, 0);
  }
  /* The records of a step of the loop are so many lines of the cache. */
  const int64_t record = b->from_n < 0 ? -b->from_n : b->from_n, lines = record < 64 ? (TALL * record + 63) / 64 : TALL;
  const int64_t apart = record < 64 && b->from_n > 0 ? 64 : b->from_n, ahead = record < AHEAD ? AHEAD / (record + 1) * b->from_n : TALL * b->from_n;
  int64_t i = 0;
  for (; i + TALL + most <= b->n; i += TALL) {
    const char *line = b->from + i * b->from_n;
    for (int64_t k = 0; k < lines; k++) __builtin_prefetch(line + ahead + k * apart);
    for (int64_t j = 0; j < b->m; j++) {
      const char *f = line + j * b->from_m + begin[j] * b->from_n;
      double *t = (double *)(void *)(b->to + j * b->to_m) + begin[j] + i;
      for (int k = 0; k < TALL; k += 2, f += 2 * b->from_n) _mm_stream_pd(t + k, two(f, f + b->from_n));
    }
  }
  for (int64_t j = 0; j < b->m; j++) {
    part.to = b->to + j * b->to_m + 8 * (begin[j] + i);
    part.from = b->from + j * b->from_m + (begin[j] + i) * b->from_n;
    part.n = end[j] - begin[j] - i;
    portable__copy8(&part, 0);
  }
}

/* ---- short rows that follow one another where they are written, as records do ---- */

/* Whole cache lines of them at a time. Eight rows are n lines. */
static void rows(const struct portable__copy_block *b) {
  int64_t at[8 * ROW];
  struct portable__copy_block rest = *b;
  const int64_t n = b->n, row = 8 * n;
  int64_t j = 0;
  for (int64_t e = 0; e < 8 * n; e++) at[e] = e % n * b->from_n + e / n * b->from_m;
  while (j < b->m && (uintptr_t)(b->to + j * row) % 64) j++; /* within eight rows, if ever */
  if (j > 8) j = b->m;
  rest.m = j;
  portable__copy8(&rest, 0);
  for (; j + 8 <= b->m; j += 8) {
    const char *f = b->from + j * b->from_m;
    double *t = (double *)(void *)(b->to + j * row);
    for (int64_t e = 0; e < 8 * n; e += 2) _mm_stream_pd(t + e, two(f + at[e], f + at[e + 1]));
  }
  rest = *b;
  rest.to += j * row;
  rest.from += j * b->from_m;
  rest.m -= j;
  portable__copy8(&rest, 0);
}

/* ---- which of them ---- */

int64_t portable__copy_stream8(const struct portable__copy_plan *p, const struct portable__copy_block *b) {
  if (b->n < ROW && b->to_m == 8 * b->n && b->before + b->after == 0 && b->m >= 16) {
    rows(b);
    return b->m;
  }
  if (((uintptr_t)b->to | (uintptr_t)b->to_m) % 8) return 0;
  if (p->transposes && p->depth >= PORTABLE__COPY_FEW) return b->from_m == 8 ? transpose(p, b) : 0;
  for (int64_t j = 0; j < b->m; j += PORTABLE__COPY_FEW) {
    struct portable__copy_block few = *b;
    few.to += j * b->to_m;
    few.from += j * b->from_m;
    few.m = b->m - j < PORTABLE__COPY_FEW ? b->m - j : PORTABLE__COPY_FEW;
    columns(p, &few);
  }
  return b->m;
}
#else
int64_t portable__copy_stream8(const struct portable__copy_plan *p, const struct portable__copy_block *b) { return p == NULL && b == NULL; }
#endif
