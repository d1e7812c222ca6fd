/* fft_butterflies.h - discrete Fourier transforms of 2, 3, 4, 5, 7 and 8 numbers, as macros over the variables r0.. and i0.. of the type V, whose
 * elements are T. Result j of DFT_n is in the variables that OUT_n lists as (j, variable).
 * The forms are those of textbooks: sums and differences of numbers k and n-k, with the cosines and sines of 2 pi/n. Not in this file: loops. */

#define EACH_2(F) F(0) F(1)
#define EACH_3(F) EACH_2(F) F(2)
#define EACH_4(F) EACH_3(F) F(3)
#define EACH_5(F) EACH_4(F) F(4)
#define EACH_7(F) EACH_5(F) F(5) F(6)
#define EACH_8(F) EACH_7(F) F(7)
#define REST_2(F) F(1)
#define REST_3(F) REST_2(F) F(2)
#define REST_4(F) REST_3(F) F(3)
#define REST_5(F) REST_4(F) F(4)
#define REST_7(F) REST_5(F) F(5) F(6)
#define REST_8(F) REST_7(F) F(7)
#define OUT_2(F) F(0, 0) F(1, 1)
#define OUT_3(F) OUT_2(F) F(2, 2)
#define OUT_4(F) OUT_3(F) F(3, 3)
#define OUT_5(F) OUT_4(F) F(4, 4)
#define OUT_7(F) OUT_5(F) F(5, 5) F(6, 6)
#define OUT_8(F) F(0, 0) F(1, 2) F(2, 4) F(3, 6) F(4, 1) F(5, 3) F(6, 5) F(7, 7)

#define SUM_OF(a, b)          \
  do {                        \
    const V r = r##a, i = i##a; \
    r##a = r + r##b;          \
    i##a = i + i##b;          \
    r##b = r - r##b;          \
    i##b = i - i##b;          \
  } while (0)

/* a + -i b, a - -i b. */
#define SUM_TURNED(a, b)                        \
  do {                                          \
    const V r = r##a, i = i##a, t = r##b, u = i##b; \
    r##a = r + u;                               \
    i##a = i - t;                               \
    r##b = r - u;                               \
    i##b = i + t;                               \
  } while (0)

#define FOUR(a, b, c, d)                   \
  do {                                     \
    SUM_OF(a, c);                          \
    SUM_OF(b, d);                          \
    const V r = r##a, i = i##a;            \
    r##a = r + r##b;                       \
    i##a = i + i##b;                       \
    const V t = r - r##b, u = i - i##b;    \
    r##b = r##c + i##d;                    \
    i##b = i##c - r##d;                    \
    const V p = r##c - i##d, q = i##c + r##d; \
    r##c = t;                              \
    i##c = u;                              \
    r##d = p;                              \
    i##d = q;                              \
  } while (0)

#define DFT_2 SUM_OF(0, 1);

#define DFT_3                                                       \
  do {                                                              \
    SUM_OF(1, 2);                                                   \
    const V r = r0 - r1 * (T)0.5, i = i0 - i1 * (T)0.5;             \
    const V t = r2 * (T)0.86602540378443864676, u = i2 * (T)0.86602540378443864676; \
    r0 = r0 + r1;                                                   \
    i0 = i0 + i1;                                                   \
    r1 = r + u;                                                     \
    i1 = i - t;                                                     \
    r2 = r - u;                                                     \
    i2 = i + t;                                                     \
  } while (0);

#define DFT_4 FOUR(0, 1, 2, 3);

#define COS_5_1 (T)0.30901699437494742410
#define COS_5_2 (T)0.80901699437494742410 /* with the sign - */
#define SIN_5_1 (T)0.95105651629515357212
#define SIN_5_2 (T)0.58778525229247312917

#define DFT_5                                                        \
  do {                                                               \
    SUM_OF(1, 4);                                                    \
    SUM_OF(2, 3);                                                    \
    const V ar = r0 + r1 * COS_5_1 - r2 * COS_5_2, ai = i0 + i1 * COS_5_1 - i2 * COS_5_2; \
    const V br = r0 - r1 * COS_5_2 + r2 * COS_5_1, bi = i0 - i1 * COS_5_2 + i2 * COS_5_1; \
    const V cr = r4 * SIN_5_1 + r3 * SIN_5_2, ci = i4 * SIN_5_1 + i3 * SIN_5_2; \
    const V dr = r4 * SIN_5_2 - r3 * SIN_5_1, di = i4 * SIN_5_2 - i3 * SIN_5_1; \
    r0 = r0 + r1 + r2;                                               \
    i0 = i0 + i1 + i2;                                               \
    r1 = ar + ci;                                                    \
    i1 = ai - cr;                                                    \
    r4 = ar - ci;                                                    \
    i4 = ai + cr;                                                    \
    r2 = br + di;                                                    \
    i2 = bi - dr;                                                    \
    r3 = br - di;                                                    \
    i3 = bi + dr;                                                    \
  } while (0);

#define COS_7_1 (T)0.62348980185873353053
#define COS_7_2 (T)0.22252093395631440429 /* with the sign - */
#define COS_7_3 (T)0.90096886790241912624 /* with the sign - */
#define SIN_7_1 (T)0.78183148246802980871
#define SIN_7_2 (T)0.97492791218182360702
#define SIN_7_3 (T)0.43388373911755812048

#define DFT_7                                                        \
  do {                                                               \
    SUM_OF(1, 6);                                                    \
    SUM_OF(2, 5);                                                    \
    SUM_OF(3, 4);                                                    \
    const V ar = r0 + r1 * COS_7_1 - r2 * COS_7_2 - r3 * COS_7_3, ai = i0 + i1 * COS_7_1 - i2 * COS_7_2 - i3 * COS_7_3; \
    const V br = r0 - r1 * COS_7_2 - r2 * COS_7_3 + r3 * COS_7_1, bi = i0 - i1 * COS_7_2 - i2 * COS_7_3 + i3 * COS_7_1; \
    const V cr = r0 - r1 * COS_7_3 + r2 * COS_7_1 - r3 * COS_7_2, ci = i0 - i1 * COS_7_3 + i2 * COS_7_1 - i3 * COS_7_2; \
    const V pr = r6 * SIN_7_1 + r5 * SIN_7_2 + r4 * SIN_7_3, pi = i6 * SIN_7_1 + i5 * SIN_7_2 + i4 * SIN_7_3; \
    const V qr = r6 * SIN_7_2 - r5 * SIN_7_3 - r4 * SIN_7_1, qi = i6 * SIN_7_2 - i5 * SIN_7_3 - i4 * SIN_7_1; \
    const V sr = r6 * SIN_7_3 - r5 * SIN_7_1 + r4 * SIN_7_2, si = i6 * SIN_7_3 - i5 * SIN_7_1 + i4 * SIN_7_2; \
    r0 = r0 + r1 + r2 + r3;                                          \
    i0 = i0 + i1 + i2 + i3;                                          \
    r1 = ar + pi;                                                    \
    i1 = ai - pr;                                                    \
    r6 = ar - pi;                                                    \
    i6 = ai + pr;                                                    \
    r2 = br + qi;                                                    \
    i2 = bi - qr;                                                    \
    r5 = br - qi;                                                    \
    i5 = bi + qr;                                                    \
    r3 = cr + si;                                                    \
    i3 = ci - sr;                                                    \
    r4 = cr - si;                                                    \
    i4 = ci + sr;                                                    \
  } while (0);

#define ROOT_HALF (T)0.70710678118654752440

#define DFT_8                              \
  do {                                     \
    FOUR(0, 2, 4, 6);                      \
    FOUR(1, 3, 5, 7);                      \
    const V r = r3, t = r7;                \
    r3 = (r + i3) * ROOT_HALF;             \
    i3 = (i3 - r) * ROOT_HALF;             \
    r7 = (i7 - t) * ROOT_HALF;             \
    i7 = (i7 + t) * -ROOT_HALF;            \
    SUM_OF(0, 1);                          \
    SUM_OF(2, 3);                          \
    SUM_TURNED(4, 5);                      \
    SUM_OF(6, 7);                          \
  } while (0);
