/* fft_line.h - a contiguous line, cut into lanes of vectors; fft_avx2.h and fft_16.h include this file.
 *
 * Lane l has the elements l, l + JOINED, ... of the line: their transforms are the same passes over fewer vectors. The last pass joins the lanes of one
 * vector of AVX2 or of two of 16 bytes (PARTS), so its radix is their number. Each element goes through the operations of fft_form.h, so a line has the same bits both ways. Threads: any. */

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

/* The numbers k + q of the lanes in part h of as many as are joined. Past the last number the last one is taken again. */
#define REAL(q, h) x[2 * ((k + (q) < ls ? k + (q) : ls - 1) * PARTS + (h))]
#define IMAGINARY(q, h) x[2 * ((k + (q) < ls ? k + (q) : ls - 1) * PARTS + (h)) + 1]
#if BYTES == 8
#define JOINED 4
#define EACH PORTABLE__FFT_EACH_4
#define REST PORTABLE__FFT_REST_4
#define DFT PORTABLE__FFT_DFT_4
#define OUT PORTABLE__FFT_OUT_4
#else
#define JOINED 8
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
    STORE(p, FIRST_PAIRS(a, b));
    STORE(p + VECTOR, LAST_PAIRS(a, b));
  } else {
    for (int64_t l = 0; l < count; l++) {
      const T part[2] = {a[l], b[l]};
      __builtin_memcpy(p + l * (int64_t)sizeof part, part, sizeof part);
    }
  }
}

#undef PUT
#define FACTOR(l) const V c##l = LOAD(w + ((l) - 1) * ls + k), d##l = LOAD(w + (JOINED + (l) - 2) * ls + k);
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
static const struct line_form WIDE(line_form) = {.joined = JOINED, .first = SIX(line_first), .last = WIDE(line_last), .planes = WIDE(line_planes),
                                                 .to_real = WIDE(line_to_real), .from_real = WIDE(line_from_real)};
#undef SIX
#undef GET
#undef PUT
#undef FIRST
#undef TURNED
#undef PARTS
#undef JOINED
#undef REAL
#undef IMAGINARY
#undef ROWS
#undef EACH
#undef REST
#undef DFT
#undef OUT
#undef FACTOR
#undef TURN
