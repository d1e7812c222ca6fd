/* fft_line.h - a contiguous line, cut into the lanes of vectors of AVX2; fft.c includes this file once for each kind of real, behind fft_form.h
 * and fft_avx2.h.
 *
 * Lane l has the elements l, l + LANES, ... of the line: their transforms are the same passes over fewer vectors. The last pass joins the lanes, so its
 * radix is their number. Each element goes through the operations of fft_form.h, so a line has the same bits both ways. Threads: any. */

/* Complex numbers to lanes; exchanged: with their parts exchanged. */
#define GET(l)                                                          \
  const char *const p##l = x + ((l) * m + s) * BLOCK;                   \
  const V u##l = LOAD(p##l), v##l = LOAD(p##l + VECTOR);                \
  V r##l = exchanged ? ODD(u##l, v##l) : EVEN(u##l, v##l), i##l = exchanged ? EVEN(u##l, v##l) : ODD(u##l, v##l);
#define PUT(j, v) y[2 * ((j) * m + s)] = r##v, y[2 * ((j) * m + s) + 1] = i##v;
#define FIRST(n)                                                                                  \
  FORM void WIDE(from_memory_##n)(const char *x, V *restrict y, int64_t m, const int exchanged) { \
    for (int64_t s = 0; s < m; s++) {                                                             \
      PORTABLE__FFT_EACH_##n(GET) PORTABLE__FFT_DFT_##n PORTABLE__FFT_OUT_##n(PUT)                \
    }                                                                                             \
  }                                                                                               \
  TARGET static void WIDE(line_first_##n)(const char *x, void *y, int64_t m, int exchanged) {     \
    if (exchanged)                                                                                \
      WIDE(from_memory_##n)(x, y, m, 1);                                                          \
    else                                                                                          \
      WIDE(from_memory_##n)(x, y, m, 0);                                                          \
  }
FIRST(2)
FIRST(3)
FIRST(4)
FIRST(5)
FIRST(7)
FIRST(8)

/* Vectors k.. as columns, to rows: the elements k.. of each lane. Past the last vector the last one is taken again. */
#if BYTES == 8
#define TURNED(part, a0, a1, a2, a3)                                                       \
  {                                                                                        \
    const V p = part(0), q = part(1), t = part(2), u = part(3);                            \
    const V pq = EVEN(p, q), pq2 = ODD(p, q), tu = EVEN(t, u), tu2 = ODD(t, u);            \
    a0 = LOWER(pq, tu), a1 = LOWER(pq2, tu2), a2 = UPPER(pq, tu), a3 = UPPER(pq2, tu2);    \
  }
#define REAL(q) x[2 * (k + (q) < ls ? k + (q) : ls - 1)]
#define IMAGINARY(q) x[2 * (k + (q) < ls ? k + (q) : ls - 1) + 1]
#define ROWS                                                  \
  V r0, r1, r2, r3, i0, i1, i2, i3;                           \
  TURNED(REAL, r0, r2, r1, r3) TURNED(IMAGINARY, i0, i2, i1, i3)
#define EACH PORTABLE__FFT_EACH_4
#define REST PORTABLE__FFT_REST_4
#define DFT PORTABLE__FFT_DFT_4
#define OUT PORTABLE__FFT_OUT_4
#else
#define ZIP2_LOW(a, b) ((V)_mm256_unpacklo_pd((__m256d)(a), (__m256d)(b)))
#define ZIP2_HIGH(a, b) ((V)_mm256_unpackhi_pd((__m256d)(a), (__m256d)(b)))
#define TURNED(part, a0, a1, a2, a3, a4, a5, a6, a7)                                                                                                  \
  {                                                                                                                                                   \
    const V ab = ZIP_LOW(part(0), part(1)), ab2 = ZIP_HIGH(part(0), part(1)), cd = ZIP_LOW(part(2), part(3)), cd2 = ZIP_HIGH(part(2), part(3));       \
    const V ef = ZIP_LOW(part(4), part(5)), ef2 = ZIP_HIGH(part(4), part(5)), gh = ZIP_LOW(part(6), part(7)), gh2 = ZIP_HIGH(part(6), part(7));       \
    const V p0 = ZIP2_LOW(ab, cd), p1 = ZIP2_HIGH(ab, cd), p2 = ZIP2_LOW(ab2, cd2), p3 = ZIP2_HIGH(ab2, cd2);                                         \
    const V q0 = ZIP2_LOW(ef, gh), q1 = ZIP2_HIGH(ef, gh), q2 = ZIP2_LOW(ef2, gh2), q3 = ZIP2_HIGH(ef2, gh2);                                         \
    a0 = LOWER(p0, q0), a1 = LOWER(p1, q1), a2 = LOWER(p2, q2), a3 = LOWER(p3, q3);                                                                   \
    a4 = UPPER(p0, q0), a5 = UPPER(p1, q1), a6 = UPPER(p2, q2), a7 = UPPER(p3, q3);                                                                   \
  }
#define REAL(q) x[2 * (k + (q) < ls ? k + (q) : ls - 1)]
#define IMAGINARY(q) x[2 * (k + (q) < ls ? k + (q) : ls - 1) + 1]
#define ROWS                                                                                       \
  V r0, r1, r2, r3, r4, r5, r6, r7, i0, i1, i2, i3, i4, i5, i6, i7;                                \
  TURNED(REAL, r0, r1, r4, r5, r2, r3, r6, r7) TURNED(IMAGINARY, i0, i1, i4, i5, i2, i3, i6, i7)
#define EACH PORTABLE__FFT_EACH_8
#define REST PORTABLE__FFT_REST_8
#define DFT PORTABLE__FFT_DFT_8
#define OUT PORTABLE__FFT_OUT_8
#endif

enum { WIDE(PAIRS), WIDE(EXCHANGED), WIDE(PLANES) };

/* Stores the first `count` numbers of a vector of each part. */
FORM void WIDE(put)(char *to, int64_t at, V r, V i, int64_t count, int64_t planes, const int how) {
  if (how == WIDE(PLANES)) {
    T *const re = (T *)(void *)to + at, *const im = re + planes;
    if (count >= LANES) {
      STORE(re, r);
      STORE(im, i);
    } else {
      for (int64_t l = 0; l < count; l++) re[l] = r[l], im[l] = i[l];
    }
    return;
  }
  const V a = how == WIDE(EXCHANGED) ? i : r, b = how == WIDE(EXCHANGED) ? r : i;
  char *const p = to + at * 2 * (int64_t)sizeof(T);
  if (count >= LANES) {
    const V low = ZIP_LOW(a, b), high = ZIP_HIGH(a, b);
    STORE(p, LOWER(low, high));
    STORE(p + VECTOR, UPPER(low, high));
  } else {
    for (int64_t l = 0; l < count; l++) {
      const T part[2] = {a[l], b[l]};
      __builtin_memcpy(p + l * (int64_t)sizeof part, part, sizeof part);
    }
  }
}

#undef PUT
#define FACTOR(l) const V c##l = LOAD(w + ((l) - 1) * ls + k), d##l = LOAD(w + (LANES + (l) - 2) * ls + k);
#define TURN(l)                    \
  {                                \
    const V t = r##l;              \
    r##l = t * c##l - i##l * d##l; \
    i##l = t * d##l + i##l * c##l; \
  }
#define PUT(j, v) WIDE(put)(to, k + (j) * ls, r##v, i##v, left, planes, how);

/* The last pass: lanes to the numbers of the line, in memory. */
FORM void WIDE(across)(const V *x, char *to, int64_t ls, const T *w, int64_t planes, const int how) {
  int64_t k = 0, left = LANES;
  for (; k + LANES <= ls; k += LANES) {
    ROWS REST(FACTOR) REST(TURN) DFT OUT(PUT)
  }
  if ((left = ls - k) > 0) {
    ROWS REST(FACTOR) REST(TURN) DFT OUT(PUT)
  }
}
TARGET static void WIDE(line_last)(const void *x, char *to, int64_t ls, const void *w, int exchanged) {
  if (exchanged)
    WIDE(across)(x, to, ls, w, 0, WIDE(EXCHANGED));
  else
    WIDE(across)(x, to, ls, w, 0, WIDE(PAIRS));
}
/* planes: numbers from a real part to its imaginary part. */
TARGET static void WIDE(line_planes)(const void *x, char *to, int64_t ls, const void *w, int64_t planes) { WIDE(across)(x, to, ls, w, planes, WIDE(PLANES)); }

/* to_real of fft_form.h, from planes to memory; element m of the planes is element 0 again. */
TARGET static void WIDE(line_to_real)(const void *z, int64_t planes, char *to, int64_t m, const void *turns) {
  const T *const re = z, *const im = re + planes, *const w = turns;
  for (int64_t k = 0; k < m; k += LANES) {
    const T *const q = re + m - k - (LANES - 1), *const p = q + planes;
    const V rk = LOAD(re + k), ik = LOAD(im + k), rq = REVERSE(LOAD(q)), iq = REVERSE(LOAD(p)), c = LOAD(w + k), d = LOAD(w + m + 1 + k);
    const V er = (rk + rq) * (T)0.5, ei = (ik - iq) * (T)0.5, hr = (ik + iq) * (T)0.5, hi = (rq - rk) * (T)0.5;
    WIDE(put)(to, k, er + (hr * c - hi * d), ei + (hr * d + hi * c), LANES, 0, WIDE(PAIRS));
  }
  const T er = (re[m] + re[0]) * (T)0.5, ei = (im[m] - im[0]) * (T)0.5, hr = (im[m] + im[0]) * (T)0.5, hi = (re[0] - re[m]) * (T)0.5;
  const T last[2] = {er + (hr * w[m] - hi * w[m + 1 + m]), ei + (hr * w[m + 1 + m] + hi * w[m])};
  __builtin_memcpy(to + m * (int64_t)sizeof last, last, sizeof last);
}

/* from_real of fft_form.h, from memory to lanes. */
TARGET static void WIDE(line_from_real)(const char *x, void *to, int64_t m, const void *turns) {
  const T *const w = turns;
  V *const z = to;
  for (int64_t k = 0; k < m; k += LANES) {
    const char *const p = x + k * 2 * (int64_t)sizeof(T), *const q = x + (m - k - (LANES - 1)) * 2 * (int64_t)sizeof(T);
    const V u = LOAD(p), v = LOAD(p + VECTOR), s = LOAD(q), t = LOAD(q + VECTOR), c = ORDER(LOAD(w + k)), d = ORDER(LOAD(w + m + 1 + k));
    const V a = EVEN(u, v), e = REVERSE(EVEN(s, t));
    V b = ODD(u, v), g = REVERSE(ODD(s, t));
    if (k == 0) b[0] = 0, g[0] = 0;
    const V er = a + e, ei = b - g, fr = a - e, fi = b + g;
    z[2 * (k / LANES) + 1] = er - (fi * c - fr * d);
    z[2 * (k / LANES)] = ei + (fr * c + fi * d);
  }
}

#define SIX(name) {[2] = WIDE(name##_2), [3] = WIDE(name##_3), [4] = WIDE(name##_4), [5] = WIDE(name##_5), [7] = WIDE(name##_7), [8] = WIDE(name##_8)}
static const struct line_form WIDE(line_form) = {.first = SIX(line_first), .last = WIDE(line_last), .planes = WIDE(line_planes),
                                                 .to_real = WIDE(line_to_real), .from_real = WIDE(line_from_real)};
#undef SIX
#undef GET
#undef PUT
#undef FIRST
#undef TURNED
#undef REAL
#undef IMAGINARY
#undef ROWS
#undef EACH
#undef REST
#undef DFT
#undef OUT
#undef FACTOR
#undef TURN
