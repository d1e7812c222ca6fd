/* fft_form.h - the passes of a complex transform over vectors, for one kind of real; fft.c includes this file once for each kind and set of
 * instructions. T is the type, WIDE(name) the name, TARGET the attribute of the instructions, VECTOR the bytes of their vectors.
 *
 * An element is a vector of real parts and one of imaginary parts. Each pass is out of place and leaves the elements in order (Stockham). After
 * passes of the product ls, element k*n/ls + s is number k of the transform of the elements s, s + n/ls, ... of the line; a pass joins the
 * transforms of s, s + m, s + 2m, ... Not in this file: where lines lie (fft.c), lines cut into lanes (fft_line.h). Threads: any. */

typedef T WIDE(lanes) __attribute__((vector_size(VECTOR), aligned(sizeof(T)), may_alias));
#define V WIDE(lanes)
#define LANES ((int)(VECTOR / sizeof(T)))
#define FORM TARGET __attribute__((always_inline)) static inline

#define GET(l) V r##l = x[2 * ((l) * m + s)], i##l = x[2 * ((l) * m + s) + 1];
#define PUT(j, v) y[2 * ((j) * far + s)] = r##v, y[2 * ((j) * far + s) + 1] = i##v;
#define FACTOR(l) const T c##l = w[((l) - 1) * ls + k], d##l = w[(radix + (l) - 2) * ls + k];
#define TURN(l)                    \
  {                                \
    const V t = r##l;              \
    r##l = t * c##l - i##l * d##l; \
    i##l = t * d##l + i##l * c##l; \
  }

#define PASSES(n)                                                                                                 \
  TARGET static void WIDE(first_##n)(const void *in, void *out, int64_t ls, int64_t m, const void *table) {       \
    const V *restrict const x = in;                                                                               \
    V *restrict const y = out;                                                                                    \
    const int64_t far = m;                                                                                        \
    (void)ls, (void)table;                                                                                        \
    for (int64_t s = 0; s < m; s++) {                                                                             \
      PORTABLE__FFT_EACH_##n(GET) PORTABLE__FFT_DFT_##n PORTABLE__FFT_OUT_##n(PUT)                                \
    }                                                                                                             \
  }                                                                                                               \
  TARGET static void WIDE(pass_##n)(const void *in, void *out, int64_t ls, int64_t m, const void *table) {        \
    enum { radix = n };                                                                                           \
    const T *const w = table;                                                                                     \
    const V *restrict x = in;                                                                                     \
    V *restrict y = out;                                                                                          \
    const int64_t far = ls * m;                                                                                   \
    for (int64_t k = 0; k < ls; k++, x += 2 * radix * m, y += 2 * m) {                                            \
      PORTABLE__FFT_REST_##n(FACTOR)                                                                              \
      for (int64_t s = 0; s < m; s++) {                                                                           \
        PORTABLE__FFT_EACH_##n(GET) PORTABLE__FFT_REST_##n(TURN) PORTABLE__FFT_DFT_##n PORTABLE__FFT_OUT_##n(PUT) \
      }                                                                                                           \
    }                                                                                                             \
  }
PASSES(2)
PASSES(3)
PASSES(4)
PASSES(5)
PASSES(7)
PASSES(8)

/* Vectors of several groups of lines may lie together: element k of group g, of w groups, is number k*w + g. A pass has w*m in place of m. */
#define RE(x, k) (x)[2 * ((k) * w + g)]
#define IM(x, k) (x)[2 * ((k) * w + g) + 1]

/* Number k of the transform of 2m real numbers, from that of the m complex ones whose parts they are, in z. */
FORM void WIDE(join)(V zr, V zi, V qr, V qi, T c, T d, V *re, V *im) {
  const V er = (zr + qr) * (T)0.5, ei = (zi - qi) * (T)0.5, hr = (zi + qi) * (T)0.5, hi = (qr - zr) * (T)0.5;
  *re = er + (hr * c - hi * d);
  *im = ei + (hr * d + hi * c);
}
FORM void WIDE(joined)(const V *z, const int m, const int k, const T *turn, V *re, V *im) {
  const int p = k < m ? k : 0, q = k ? m - k : 0;
  WIDE(join)(z[2 * p], z[2 * p + 1], z[2 * q], z[2 * q + 1], turn[k], turn[m + 1 + k], re, im);
}

/* All of its m + 1 numbers. */
FORM void WIDE(to_reals)(const void *in, void *out, int64_t m, const int64_t w, const void *turns) {
  const V *restrict const z = in;
  V *restrict const x = out;
  const T *const turn = turns;
  for (int64_t k = 0; k <= m; k++) {
    const int64_t p = k < m ? k : 0, q = k ? m - k : 0;
    for (int64_t g = 0; g < w; g++) {
      V re, im;
      WIDE(join)(RE(z, p), IM(z, p), RE(z, q), IM(z, q), turn[k], turn[m + 1 + k], &re, &im);
      RE(x, k) = re;
      IM(x, k) = im;
    }
  }
}

/* The reverse, times two, with the parts of each number exchanged. Imaginary parts of the first and the last number are not used. */
FORM void WIDE(from_reals)(const void *in, void *out, int64_t m, const int64_t w, const void *turns) {
  const V *restrict const x = in;
  V *restrict const z = out;
  const T *const turn = turns;
  for (int64_t k = 0; k < m; k++)
    for (int64_t g = 0; g < w; g++) {
      const V b = k ? IM(x, k) : (V){0}, d = k ? IM(x, m - k) : (V){0};
      const V er = RE(x, k) + RE(x, m - k), ei = b - d, fr = RE(x, k) - RE(x, m - k), fi = b + d;
      IM(z, k) = er - (fi * turn[k] - fr * turn[m + 1 + k]);
      RE(z, k) = ei + (fr * turn[k] + fi * turn[m + 1 + k]);
    }
}

TARGET static void WIDE(to_real)(const void *in, void *out, int64_t m, int64_t w, const void *turns) {
  if (w == 1)
    WIDE(to_reals)(in, out, m, 1, turns);
  else
    WIDE(to_reals)(in, out, m, w, turns);
}
TARGET static void WIDE(from_real)(const void *in, void *out, int64_t m, int64_t w, const void *turns) {
  if (w == 1)
    WIDE(from_reals)(in, out, m, 1, turns);
  else
    WIDE(from_reals)(in, out, m, w, turns);
}

/* Half of the numbers of an odd real line to all of them, with their parts exchanged. */
TARGET static void WIDE(complete)(void *line, int64_t n, int64_t w) {
  V *const x = line;
  for (int64_t k = n / 2; k >= 0; k--)
    for (int64_t g = 0; g < w; g++) {
      const V r = RE(x, k), i = k ? IM(x, k) : (V){0};
      RE(x, k) = i;
      IM(x, k) = r;
      if (k == 0) continue;
      RE(x, n - k) = -i;
      IM(x, n - k) = r;
    }
}
#undef RE
#undef IM
#define RE(x, k) (x)[2 * (k)]
#define IM(x, k) (x)[2 * (k) + 1]

/* Multiplies `count` elements by numbers; the parts are exchanged before (from) and afterwards (to). */
FORM void WIDE(multiply)(V *x, int64_t count, const T *c, const T *d, int from, int to) {
  for (int64_t k = 0; k < count; k++) {
    const V r = from ? IM(x, k) : RE(x, k), i = from ? RE(x, k) : IM(x, k);
    const V p = r * c[k] - i * d[k], q = r * d[k] + i * c[k];
    RE(x, k) = to ? q : p;
    IM(x, k) = to ? p : q;
  }
}
TARGET static void WIDE(times_chirp)(void *x, int64_t m, const void *w) { WIDE(multiply)(x, m, w, (const T *)w + m, 0, 0); }
TARGET static void WIDE(times_spectrum)(void *x, int64_t m, const void *w) { WIDE(multiply)(x, m, w, (const T *)w + m, 0, 1); }
TARGET static void WIDE(times_last)(void *x, int64_t m, const void *w) { WIDE(multiply)(x, m, w, (const T *)w + m, 1, 0); }

#define SIX(name) {[2] = WIDE(name##_2), [3] = WIDE(name##_3), [4] = WIDE(name##_4), [5] = WIDE(name##_5), [7] = WIDE(name##_7), [8] = WIDE(name##_8)}
static const struct form WIDE(form) = {.lanes = LANES, .bytes = (int)sizeof(T), .first = SIX(first), .pass = SIX(pass), .to_real = WIDE(to_real),
                                       .from_real = WIDE(from_real), .complete = WIDE(complete), .times_chirp = WIDE(times_chirp), .times_spectrum = WIDE(times_spectrum),
                                       .times_last = WIDE(times_last)};
#undef SIX
#undef RE
#undef IM
#undef PASSES
#undef TURN
#undef FACTOR
#undef PUT
#undef GET
#undef FORM
#undef LANES
#undef V
