/* fft.h - what the tests of transforms share: random numbers, and the sum that defines a transform, in quadruple precision where the compiler has it.
 * C only. Needs check.h. */
#ifndef FFT_H
#define FFT_H

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 wide;
#else
typedef long double wide;
#endif

static inline double number(void) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) / 9007199254740992.0 - 0.5;
}

/* The cosine and the sine of 2 pi k/n, by their series around a multiple of an eighth of a turn. */
static inline void turn(int64_t k, int64_t n, wide *cosine, wide *sine) {
  static const wide pi = (wide)3.14159265358979311600 + (wide)1.22464679914735320717e-16 + (wide)-2.99476980971833967e-33;
  const int64_t quarter = (8 * k / n + 1) / 2 % 4;
  const wide x = (2 * pi * (wide)k) / (wide)n - (wide)((8 * k / n + 1) / 2) * (pi / 2);
  wide c = 0, s = 0, term = 1;
  for (int i = 0; i < 40; i++) {
    if (i % 2)
      s += i % 4 == 1 ? term : -term;
    else
      c += i % 4 == 0 ? term : -term;
    term = term * x / (i + 1);
  }
  *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
  *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}

/* out[2 n] becomes the transform of in[2 n]: pairs of real and imaginary parts. */
static inline void sum_up(int64_t n, int backward, const double *in, wide *out) {
  wide *const w = malloc((size_t)(2 * n) * sizeof *w);
  for (int64_t k = 0; k < n; k++) turn(k, n, &w[2 * k], &w[2 * k + 1]);
  for (int64_t k = 0; k < n; k++) {
    wide r = 0, i = 0;
    for (int64_t j = 0; j < n; j++) {
      const wide c = w[2 * (j * k % n)], s = backward ? w[2 * (j * k % n) + 1] : -w[2 * (j * k % n) + 1];
      r += (wide)in[2 * j] * c - (wide)in[2 * j + 1] * s;
      i += (wide)in[2 * j] * s + (wide)in[2 * j + 1] * c;
    }
    out[2 * k] = r;
    out[2 * k + 1] = i;
  }
  free(w);
}

#endif
