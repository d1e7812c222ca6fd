/* portable_device_fft.h - discrete Fourier transforms of 2, 3, 4, 5, 7 and 8 numbers, for the library's own code on host and devices; not for users.
 *
 * Macros over the variables r0.. and i0.. of the type PORTABLE__FFT_V, whose elements are PORTABLE__FFT_T; PORTABLE__FFT_PRODUCT(a, b) is a product that no
 * compiler joins with a sum. Result j of PORTABLE__FFT_DFT_n is in the variables that PORTABLE__FFT_OUT_n lists as (j, variable). The forms are those of
 * textbooks: sums and differences of numbers k and n-k, with the cosines and sines of 2 pi/n. Not in this file: loops.  Since: 0.1 */
#ifndef PORTABLE_DEVICE_FFT_H
#define PORTABLE_DEVICE_FFT_H

#define PORTABLE__FFT_EACH_2(F) F(0) F(1)
#define PORTABLE__FFT_EACH_3(F) PORTABLE__FFT_EACH_2(F) F(2)
#define PORTABLE__FFT_EACH_4(F) PORTABLE__FFT_EACH_3(F) F(3)
#define PORTABLE__FFT_EACH_5(F) PORTABLE__FFT_EACH_4(F) F(4)
#define PORTABLE__FFT_EACH_7(F) PORTABLE__FFT_EACH_5(F) F(5) F(6)
#define PORTABLE__FFT_EACH_8(F) PORTABLE__FFT_EACH_7(F) F(7)
#define PORTABLE__FFT_REST_2(F) F(1)
#define PORTABLE__FFT_REST_3(F) PORTABLE__FFT_REST_2(F) F(2)
#define PORTABLE__FFT_REST_4(F) PORTABLE__FFT_REST_3(F) F(3)
#define PORTABLE__FFT_REST_5(F) PORTABLE__FFT_REST_4(F) F(4)
#define PORTABLE__FFT_REST_7(F) PORTABLE__FFT_REST_5(F) F(5) F(6)
#define PORTABLE__FFT_REST_8(F) PORTABLE__FFT_REST_7(F) F(7)
#define PORTABLE__FFT_OUT_2(F) F(0, 0) F(1, 1)
#define PORTABLE__FFT_OUT_3(F) PORTABLE__FFT_OUT_2(F) F(2, 2)
#define PORTABLE__FFT_OUT_4(F) PORTABLE__FFT_OUT_3(F) F(3, 3)
#define PORTABLE__FFT_OUT_5(F) PORTABLE__FFT_OUT_4(F) F(4, 4)
#define PORTABLE__FFT_OUT_7(F) PORTABLE__FFT_OUT_5(F) F(5, 5) F(6, 6)
#define PORTABLE__FFT_OUT_8(F) F(0, 0) F(1, 2) F(2, 4) F(3, 6) F(4, 1) F(5, 3) F(6, 5) F(7, 7)

#define PORTABLE__FFT_SUM(a, b) \
  do { \
    const PORTABLE__FFT_V r = r##a, i = i##a; \
    r##a = r + r##b; \
    i##a = i + i##b; \
    r##b = r - r##b; \
    i##b = i - i##b; \
  } while (0)

/* a + -i b, a - -i b. */
#define PORTABLE__FFT_SUM_TURNED(a, b) \
  do { \
    const PORTABLE__FFT_V r = r##a, i = i##a, t = r##b, u = i##b; \
    r##a = r + u; \
    i##a = i - t; \
    r##b = r - u; \
    i##b = i + t; \
  } while (0)

#define PORTABLE__FFT_FOUR(a, b, c, d) \
  do { \
    PORTABLE__FFT_SUM(a, c); \
    PORTABLE__FFT_SUM(b, d); \
    const PORTABLE__FFT_V r = r##a, i = i##a; \
    r##a = r + r##b; \
    i##a = i + i##b; \
    const PORTABLE__FFT_V t = r - r##b, u = i - i##b; \
    r##b = r##c + i##d; \
    i##b = i##c - r##d; \
    const PORTABLE__FFT_V p = r##c - i##d, q = i##c + r##d; \
    r##c = t; \
    i##c = u; \
    r##d = p; \
    i##d = q; \
  } while (0)

#define PORTABLE__FFT_DFT_2 PORTABLE__FFT_SUM(0, 1);

#define PORTABLE__FFT_DFT_3 \
  do { \
    PORTABLE__FFT_SUM(1, 2); \
    const PORTABLE__FFT_V r = r0 - PORTABLE__FFT_PRODUCT(r1, (PORTABLE__FFT_T)0.5); \
    const PORTABLE__FFT_V i = i0 - PORTABLE__FFT_PRODUCT(i1, (PORTABLE__FFT_T)0.5); \
    const PORTABLE__FFT_V t = PORTABLE__FFT_PRODUCT(r2, (PORTABLE__FFT_T)0.86602540378443864676); \
    const PORTABLE__FFT_V u = PORTABLE__FFT_PRODUCT(i2, (PORTABLE__FFT_T)0.86602540378443864676); \
    r0 = r0 + r1; \
    i0 = i0 + i1; \
    r1 = r + u; \
    i1 = i - t; \
    r2 = r - u; \
    i2 = i + t; \
  } while (0);

#define PORTABLE__FFT_DFT_4 PORTABLE__FFT_FOUR(0, 1, 2, 3);

#define PORTABLE__FFT_COS_5_1 (PORTABLE__FFT_T)0.30901699437494742410
#define PORTABLE__FFT_COS_5_2 (PORTABLE__FFT_T)0.80901699437494742410 /* with the sign - */
#define PORTABLE__FFT_SIN_5_1 (PORTABLE__FFT_T)0.95105651629515357212
#define PORTABLE__FFT_SIN_5_2 (PORTABLE__FFT_T)0.58778525229247312917

#define PORTABLE__FFT_DFT_5 \
  do { \
    PORTABLE__FFT_SUM(1, 4); \
    PORTABLE__FFT_SUM(2, 3); \
    const PORTABLE__FFT_V ar = r0 + PORTABLE__FFT_PRODUCT(r1, PORTABLE__FFT_COS_5_1) - PORTABLE__FFT_PRODUCT(r2, PORTABLE__FFT_COS_5_2); \
    const PORTABLE__FFT_V ai = i0 + PORTABLE__FFT_PRODUCT(i1, PORTABLE__FFT_COS_5_1) - PORTABLE__FFT_PRODUCT(i2, PORTABLE__FFT_COS_5_2); \
    const PORTABLE__FFT_V br = r0 - PORTABLE__FFT_PRODUCT(r1, PORTABLE__FFT_COS_5_2) + PORTABLE__FFT_PRODUCT(r2, PORTABLE__FFT_COS_5_1); \
    const PORTABLE__FFT_V bi = i0 - PORTABLE__FFT_PRODUCT(i1, PORTABLE__FFT_COS_5_2) + PORTABLE__FFT_PRODUCT(i2, PORTABLE__FFT_COS_5_1); \
    const PORTABLE__FFT_V cr = PORTABLE__FFT_PRODUCT(r4, PORTABLE__FFT_SIN_5_1) + PORTABLE__FFT_PRODUCT(r3, PORTABLE__FFT_SIN_5_2); \
    const PORTABLE__FFT_V ci = PORTABLE__FFT_PRODUCT(i4, PORTABLE__FFT_SIN_5_1) + PORTABLE__FFT_PRODUCT(i3, PORTABLE__FFT_SIN_5_2); \
    const PORTABLE__FFT_V dr = PORTABLE__FFT_PRODUCT(r4, PORTABLE__FFT_SIN_5_2) - PORTABLE__FFT_PRODUCT(r3, PORTABLE__FFT_SIN_5_1); \
    const PORTABLE__FFT_V di = PORTABLE__FFT_PRODUCT(i4, PORTABLE__FFT_SIN_5_2) - PORTABLE__FFT_PRODUCT(i3, PORTABLE__FFT_SIN_5_1); \
    r0 = r0 + r1 + r2; \
    i0 = i0 + i1 + i2; \
    r1 = ar + ci; \
    i1 = ai - cr; \
    r4 = ar - ci; \
    i4 = ai + cr; \
    r2 = br + di; \
    i2 = bi - dr; \
    r3 = br - di; \
    i3 = bi + dr; \
  } while (0);

#define PORTABLE__FFT_COS_7_1 (PORTABLE__FFT_T)0.62348980185873353053
#define PORTABLE__FFT_COS_7_2 (PORTABLE__FFT_T)0.22252093395631440429 /* with the sign - */
#define PORTABLE__FFT_COS_7_3 (PORTABLE__FFT_T)0.90096886790241912624 /* with the sign - */
#define PORTABLE__FFT_SIN_7_1 (PORTABLE__FFT_T)0.78183148246802980871
#define PORTABLE__FFT_SIN_7_2 (PORTABLE__FFT_T)0.97492791218182360702
#define PORTABLE__FFT_SIN_7_3 (PORTABLE__FFT_T)0.43388373911755812048

#define PORTABLE__FFT_DFT_7 \
  do { \
    PORTABLE__FFT_SUM(1, 6); \
    PORTABLE__FFT_SUM(2, 5); \
    PORTABLE__FFT_SUM(3, 4); \
    const PORTABLE__FFT_V ar = r0 + PORTABLE__FFT_PRODUCT(r1, PORTABLE__FFT_COS_7_1) - PORTABLE__FFT_PRODUCT(r2, PORTABLE__FFT_COS_7_2) - PORTABLE__FFT_PRODUCT(r3, PORTABLE__FFT_COS_7_3); \
    const PORTABLE__FFT_V ai = i0 + PORTABLE__FFT_PRODUCT(i1, PORTABLE__FFT_COS_7_1) - PORTABLE__FFT_PRODUCT(i2, PORTABLE__FFT_COS_7_2) - PORTABLE__FFT_PRODUCT(i3, PORTABLE__FFT_COS_7_3); \
    const PORTABLE__FFT_V br = r0 - PORTABLE__FFT_PRODUCT(r1, PORTABLE__FFT_COS_7_2) - PORTABLE__FFT_PRODUCT(r2, PORTABLE__FFT_COS_7_3) + PORTABLE__FFT_PRODUCT(r3, PORTABLE__FFT_COS_7_1); \
    const PORTABLE__FFT_V bi = i0 - PORTABLE__FFT_PRODUCT(i1, PORTABLE__FFT_COS_7_2) - PORTABLE__FFT_PRODUCT(i2, PORTABLE__FFT_COS_7_3) + PORTABLE__FFT_PRODUCT(i3, PORTABLE__FFT_COS_7_1); \
    const PORTABLE__FFT_V cr = r0 - PORTABLE__FFT_PRODUCT(r1, PORTABLE__FFT_COS_7_3) + PORTABLE__FFT_PRODUCT(r2, PORTABLE__FFT_COS_7_1) - PORTABLE__FFT_PRODUCT(r3, PORTABLE__FFT_COS_7_2); \
    const PORTABLE__FFT_V ci = i0 - PORTABLE__FFT_PRODUCT(i1, PORTABLE__FFT_COS_7_3) + PORTABLE__FFT_PRODUCT(i2, PORTABLE__FFT_COS_7_1) - PORTABLE__FFT_PRODUCT(i3, PORTABLE__FFT_COS_7_2); \
    const PORTABLE__FFT_V pr = PORTABLE__FFT_PRODUCT(r6, PORTABLE__FFT_SIN_7_1) + PORTABLE__FFT_PRODUCT(r5, PORTABLE__FFT_SIN_7_2) + PORTABLE__FFT_PRODUCT(r4, PORTABLE__FFT_SIN_7_3); \
    const PORTABLE__FFT_V pi = PORTABLE__FFT_PRODUCT(i6, PORTABLE__FFT_SIN_7_1) + PORTABLE__FFT_PRODUCT(i5, PORTABLE__FFT_SIN_7_2) + PORTABLE__FFT_PRODUCT(i4, PORTABLE__FFT_SIN_7_3); \
    const PORTABLE__FFT_V qr = PORTABLE__FFT_PRODUCT(r6, PORTABLE__FFT_SIN_7_2) - PORTABLE__FFT_PRODUCT(r5, PORTABLE__FFT_SIN_7_3) - PORTABLE__FFT_PRODUCT(r4, PORTABLE__FFT_SIN_7_1); \
    const PORTABLE__FFT_V qi = PORTABLE__FFT_PRODUCT(i6, PORTABLE__FFT_SIN_7_2) - PORTABLE__FFT_PRODUCT(i5, PORTABLE__FFT_SIN_7_3) - PORTABLE__FFT_PRODUCT(i4, PORTABLE__FFT_SIN_7_1); \
    const PORTABLE__FFT_V sr = PORTABLE__FFT_PRODUCT(r6, PORTABLE__FFT_SIN_7_3) - PORTABLE__FFT_PRODUCT(r5, PORTABLE__FFT_SIN_7_1) + PORTABLE__FFT_PRODUCT(r4, PORTABLE__FFT_SIN_7_2); \
    const PORTABLE__FFT_V si = PORTABLE__FFT_PRODUCT(i6, PORTABLE__FFT_SIN_7_3) - PORTABLE__FFT_PRODUCT(i5, PORTABLE__FFT_SIN_7_1) + PORTABLE__FFT_PRODUCT(i4, PORTABLE__FFT_SIN_7_2); \
    r0 = r0 + r1 + r2 + r3; \
    i0 = i0 + i1 + i2 + i3; \
    r1 = ar + pi; \
    i1 = ai - pr; \
    r6 = ar - pi; \
    i6 = ai + pr; \
    r2 = br + qi; \
    i2 = bi - qr; \
    r5 = br - qi; \
    i5 = bi + qr; \
    r3 = cr + si; \
    i3 = ci - sr; \
    r4 = cr - si; \
    i4 = ci + sr; \
  } while (0);

#define PORTABLE__FFT_ROOT_HALF (PORTABLE__FFT_T)0.70710678118654752440

#define PORTABLE__FFT_DFT_8 \
  do { \
    PORTABLE__FFT_FOUR(0, 2, 4, 6); \
    PORTABLE__FFT_FOUR(1, 3, 5, 7); \
    const PORTABLE__FFT_V three = r3, seven = r7; \
    r3 = PORTABLE__FFT_PRODUCT(three + i3, PORTABLE__FFT_ROOT_HALF); \
    i3 = PORTABLE__FFT_PRODUCT(i3 - three, PORTABLE__FFT_ROOT_HALF); \
    r7 = PORTABLE__FFT_PRODUCT(i7 - seven, PORTABLE__FFT_ROOT_HALF); \
    i7 = PORTABLE__FFT_PRODUCT(i7 + seven, -PORTABLE__FFT_ROOT_HALF); \
    PORTABLE__FFT_SUM(0, 1); \
    PORTABLE__FFT_SUM(2, 3); \
    PORTABLE__FFT_SUM_TURNED(4, 5); \
    PORTABLE__FFT_SUM(6, 7); \
  } while (0);

#endif
