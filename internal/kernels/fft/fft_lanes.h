/* fft_lanes.h - lines to the lanes of vectors and back by AVX2, if they lie side by side or are contiguous; fft.c includes this file once for
 * each kind of real, behind fft_avx2.h, and moves number by number what is refused here. The lines of a group are whole vectors. Rows of lines
 * side by side are read over all vectors of the group, because rows are far apart. Threads: any. */

/* Two vectors of complex numbers of lines side by side: a block, or each part as it lies in memory. */
FORM void WIDE(in)(const char *from, V *to, int64_t part, const int pairs, const int lone, const int exchanged) {
  V r, i = (V){0};
  if (pairs) {
    const V u = LOAD(from), v = LOAD(from + VECTOR);
    r = EVEN(u, v);
    i = ODD(u, v);
  } else {
    r = ORDER(LOAD(from));
    if (!lone) i = ORDER(LOAD(from + part));
  }
  to[exchanged] = r;
  to[!exchanged] = i;
}
FORM void WIDE(out)(const V *from, char *to, int64_t part, const int pairs, const int lone, const int exchanged) {
  const V r = from[exchanged], i = from[!exchanged];
  if (pairs) {
    STORE(to, ZIP_LOW(r, i));
    STORE(to + VECTOR, ZIP_HIGH(r, i));
  } else {
    STORE(to, ORDER(r));
    if (!lone) STORE(to + part, ORDER(i));
  }
}

/* pitch: bytes from a vector's region to that of the next vector of lines. */
FORM void WIDE(rows)(const struct view *v, char *at, int64_t width, char *region, int64_t pitch, const int writes, const int pairs, const int lone,
                     const int exchanged) {
  const int64_t next = pairs ? BLOCK : VECTOR;
  for (int64_t k = 0; k < v->count; k++, at += v->step)
    for (int64_t g = 0; g < width / LANES; g++) {
      V *const x = (V *)(void *)(region + g * pitch) + 2 * k;
      if (writes)
        WIDE(out)(x, at + g * next, v->part, pairs, lone, exchanged);
      else
        WIDE(in)(at + g * next, x, v->part, pairs, lone, exchanged);
    }
}

#if BYTES == 8
/* Contiguous lines: numbers k of four lines. */
#define AT(l) ((double *)(void *)(line[l] + k * 2 * BYTES))
#define SIDES(a, b) _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(AT(a))), _mm_loadu_pd(AT(b)), 1)
FORM void WIDE(along)(char *const *line, V *x, int64_t count, const int writes, const int exchanged) {
  for (int64_t k = 0; k < count; k++, x += 2) {
    if (writes) {
      const __m256d u = (__m256d)ZIP_LOW(x[exchanged], x[!exchanged]), v = (__m256d)ZIP_HIGH(x[exchanged], x[!exchanged]);
      _mm_storeu_pd(AT(0), _mm256_castpd256_pd128(u));
      _mm_storeu_pd(AT(1), _mm256_extractf128_pd(u, 1));
      _mm_storeu_pd(AT(2), _mm256_castpd256_pd128(v));
      _mm_storeu_pd(AT(3), _mm256_extractf128_pd(v, 1));
    } else {
      const V u = (V)SIDES(0, 1), v = (V)SIDES(2, 3);
      x[exchanged] = EVEN(u, v);
      x[!exchanged] = ODD(u, v);
    }
  }
}
#undef AT
#undef SIDES
#else
/* Contiguous lines: numbers k of eight lines. */
#define AT(l) (line[l] + k * 2 * BYTES)
#define SIDES(a, b)                                                                                                                                  \
  _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd((const double *)(const void *)AT(a)), (const double *)(const void *)AT(b)))
#define FOUR_SIDES(a, b, c, d) (V) _mm256_insertf128_ps(_mm256_castps128_ps256(SIDES(a, b)), SIDES(c, d), 1)
FORM void WIDE(apart)(char *const *line, int64_t k, __m256d x, int first) {
  _mm_storel_pd((double *)(void *)AT(first), _mm256_castpd256_pd128(x));
  _mm_storeh_pd((double *)(void *)AT(first + 1), _mm256_castpd256_pd128(x));
  _mm_storel_pd((double *)(void *)AT(first + 2), _mm256_extractf128_pd(x, 1));
  _mm_storeh_pd((double *)(void *)AT(first + 3), _mm256_extractf128_pd(x, 1));
}
FORM void WIDE(along)(char *const *line, V *x, int64_t count, const int writes, const int exchanged) {
  for (int64_t k = 0; k < count; k++, x += 2) {
    if (writes) {
      WIDE(apart)(line, k, (__m256d)ZIP_LOW(x[exchanged], x[!exchanged]), 0);
      WIDE(apart)(line, k, (__m256d)ZIP_HIGH(x[exchanged], x[!exchanged]), 4);
    } else {
      const V u = FOUR_SIDES(0, 1, 2, 3), v = FOUR_SIDES(4, 5, 6, 7);
      x[exchanged] = EVEN(u, v);
      x[!exchanged] = ODD(u, v);
    }
  }
}
#undef AT
#undef SIDES
#undef FOUR_SIDES
#endif

/* 0: the lines lie in another way. */
TARGET static int WIDE(move)(const struct view *v, const struct lines *l, char *region, int64_t pitch, int writes) {
  char *const at = v->at + l->offset[0][v->side];
  const int64_t apart = l->apart[v->side];
  const int pairs = !v->lone && v->part == BYTES;
  if (l->count < l->width) return 0;
  if (pairs && v->step == 2 * BYTES) {
    for (int64_t g = 0; g < l->width; g += LANES, region += pitch) {
      char *line[LANES];
      for (int i = 0; i < LANES; i++) line[i] = v->at + l->offset[g + i][v->side];
      if (writes)
        v->exchanged ? WIDE(along)(line, (V *)(void *)region, v->count, 1, 1) : WIDE(along)(line, (V *)(void *)region, v->count, 1, 0);
      else
        v->exchanged ? WIDE(along)(line, (V *)(void *)region, v->count, 0, 1) : WIDE(along)(line, (V *)(void *)region, v->count, 0, 0);
    }
    return 1;
  }
#define ROWS(writes, pairs, lone) \
  (v->exchanged ? WIDE(rows)(v, at, l->width, region, pitch, writes, pairs, lone, 1) : WIDE(rows)(v, at, l->width, region, pitch, writes, pairs, lone, 0))
  if (pairs && apart == 2 * BYTES)
    writes ? ROWS(1, 1, 0) : ROWS(0, 1, 0);
  else if (!v->lone && apart == BYTES)
    writes ? ROWS(1, 0, 0) : ROWS(0, 0, 0);
  else if (v->lone && apart == BYTES)
    writes ? ROWS(1, 0, 1) : ROWS(0, 0, 1);
  else
    return 0;
  return 1;
#undef ROWS
}

static const unsigned char WIDE(order)[] = ORDER_OF_LANES;
#undef ORDER_OF_LANES
#undef LOAD
#undef STORE
#undef EVEN
#undef ODD
#undef LOWER
#undef UPPER
#undef ZIP_LOW
#undef ZIP_HIGH
#undef REVERSE
#undef ORDER
#undef BLOCK
#undef V
#undef LANES
#undef FORM
