/* oracle.c - transforms are right: against the sum that defines them, both types, kinds and directions, one line and many; a single 1; the sum of
 * squares (Parseval); forward and backward. Not in this file: layouts (arrays.c). */
#include "check.h"

#include <math.h>

#include "fft.h"

#define MOST 1024
#define LINES 9 /* more than a vector has lanes, and no multiple of them */

static double given[2 * MOST];
static wide wanted[2 * MOST];
static double in64[2 * (MOST + 2) * LINES], out64[2 * (MOST + 2) * LINES], back64[2 * (MOST + 2) * LINES];
static float in32[2 * (MOST + 2) * LINES], out32[2 * (MOST + 2) * LINES], back32[2 * (MOST + 2) * LINES];

static double read(const void *p, int kind, int64_t i) { return kind == PORTABLE_KIND_REAL64 ? ((const double *)p)[i] : (double)((const float *)p)[i]; }
static void put(void *p, int kind, int64_t i, double x) {
  if (kind == PORTABLE_KIND_REAL64)
    ((double *)p)[i] = x;
  else
    ((float *)p)[i] = (float)x;
}

static double limit(int kind, int64_t n) { return (kind == PORTABLE_KIND_REAL64 ? 2.3e-16 : 1.2e-7) * (2 + log2((double)n)); }

/* Lines side by side or one behind the other: where number i of a line is, in numbers. */
static int64_t place(int side_by_side, int64_t lines, int64_t length, int64_t line, int64_t i) { return side_by_side ? i * lines + line : line * length + i; }

static void compare(portable_fft plan, int type, int kind, int64_t n, int64_t lines, int side_by_side, int backward) {
  void *const in = kind == PORTABLE_KIND_REAL64 ? (void *)in64 : in32, *const out = kind == PORTABLE_KIND_REAL64 ? (void *)out64 : out32;
  const int real = type == PORTABLE_FFT_R2C, reads_real = real && !backward, writes_real = real && backward;
  const int64_t half = n / 2 + 1, read_length = real && backward ? half : n, write_length = real && !backward ? half : n;
  const int64_t extents[2] = {side_by_side ? n : lines, side_by_side ? lines : n};
  for (int64_t line = 0; line < lines; line++)
    for (int64_t i = 0; i < read_length; i++) {
      const int64_t at = place(side_by_side, lines, read_length, line, i);
      const double r = line ? number() : given[2 * i], m = line ? number() : given[2 * i + 1];
      put(in, kind, reads_real ? at : 2 * at, r);
      if (!reads_real) put(in, kind, 2 * at + 1, m); /* also where the imaginary part must not matter */
    }
  CHECK_STATUS((backward ? portable_fft_backward : portable_fft_forward)("oracle", plan, kind, in, out, 2, extents, NULL), PORTABLE_OK);
  double error = 0, size = 0;
  for (int64_t i = 0; i < write_length; i++) {
    const int64_t at = place(side_by_side, lines, write_length, 0, i);
    const double r = (double)(wanted[2 * i] - (wide)read(out, kind, writes_real ? at : 2 * at));
    const double m = writes_real ? 0 : (double)(wanted[2 * i + 1] - (wide)read(out, kind, 2 * at + 1));
    error += r * r + m * m;
    size += (double)(wanted[2 * i] * wanted[2 * i]) + (writes_real ? 0 : (double)(wanted[2 * i + 1] * wanted[2 * i + 1]));
  }
  if (sqrt(error) > limit(kind, n) * sqrt(size)) printf("n %d, type %d, kind %d, %d lines, backward %d: error %g\n", (int)n, type, kind, (int)lines, backward, sqrt(error / size));
  CHECK(sqrt(error) <= limit(kind, n) * sqrt(size));
}

/* The first line has the numbers of the sum: for backward real transforms, those of a real line. */
static void length(int64_t n) {
  for (int type = PORTABLE_FFT_C2C; type <= PORTABLE_FFT_R2C; type++)
    for (int dim = n < 200 ? 1 : 2; dim <= 2; dim++) { /* dim 2: one line behind the other */
      portable_fft plan = 0;
      CHECK_STATUS(portable_fft_create(NULL, type, n, dim, &plan), PORTABLE_OK);
      for (int kind = PORTABLE_KIND_REAL32; kind <= PORTABLE_KIND_REAL64; kind++)
        for (int backward = 0; backward < 2; backward++) {
          for (int64_t i = 0; i < n; i++) {
            given[2 * i] = kind == PORTABLE_KIND_REAL64 ? number() : (double)(float)number();
            given[2 * i + 1] = type == PORTABLE_FFT_R2C && !backward ? 0 : kind == PORTABLE_KIND_REAL64 ? number() : (double)(float)number();
          }
          for (int64_t i = 0; i < n && type == PORTABLE_FFT_R2C && backward; i++) { /* number n-i is the conjugate of number i */
            const int64_t other = (n - i) % n;
            if (i == other) given[2 * i + 1] = 0;
            given[2 * other] = given[2 * i];
            given[2 * other + 1] = -given[2 * i + 1];
          }
          sum_up(n, backward, given, wanted);
          if (type == PORTABLE_FFT_R2C && backward) given[1] = 7; /* the imaginary parts that are not used */
          if (type == PORTABLE_FFT_R2C && backward && n % 2 == 0) given[2 * (n / 2) + 1] = -7;
          compare(plan, type, kind, n, 1, dim == 1, backward);
          compare(plan, type, kind, n, LINES, dim == 1, backward);
        }
      CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
    }
}

/* A single 1 becomes numbers on the unit circle; the sum of squares is kept, and backward undoes forward. */
static void identities(int64_t n) {
  portable_fft plan = 0;
  const int64_t extents[1] = {n};
  double before = 0, after = 0, apart = 0;
  CHECK_STATUS(portable_fft_create("identities", PORTABLE_FFT_C2C, n, 1, &plan), PORTABLE_OK);
  memset(in64, 0, sizeof in64);
  in64[2 * (n / 3)] = 1;
  CHECK_STATUS(portable_fft_forward("delta", plan, PORTABLE_KIND_REAL64, in64, out64, 1, extents, NULL), PORTABLE_OK);
  for (int64_t k = 0; k < n; k++) {
    wide c, s;
    turn(n / 3 * k % n, n, &c, &s);
    CHECK(hypot(out64[2 * k] - (double)c, out64[2 * k + 1] + (double)s) < 4e-15);
  }
  for (int64_t i = 0; i < 2 * n; i++) in64[i] = number(), in32[i] = (float)in64[i], before += in64[i] * in64[i];
  CHECK_STATUS(portable_fft_forward("parseval", plan, PORTABLE_KIND_REAL64, in64, out64, 1, extents, NULL), PORTABLE_OK);
  for (int64_t i = 0; i < 2 * n; i++) after += out64[i] * out64[i];
  CHECK(fabs(after / (double)n - before) < 1e-13 * before);
  CHECK_STATUS(portable_fft_backward("back", plan, PORTABLE_KIND_REAL64, out64, back64, 1, extents, NULL), PORTABLE_OK);
  for (int64_t i = 0; i < 2 * n; i++) apart = fmax(apart, fabs(back64[i] / (double)n - in64[i]));
  CHECK(apart < 2e-15);
  CHECK_STATUS(portable_fft_forward("single", plan, PORTABLE_KIND_REAL32, in32, out32, 1, extents, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fft_backward("single", plan, PORTABLE_KIND_REAL32, out32, back32, 1, extents, NULL), PORTABLE_OK);
  for (int64_t i = apart = 0; i < 2 * n; i++) apart = fmax(apart, fabs((double)back32[i] / (double)n - (double)in32[i]));
  CHECK(apart < 1e-6);
  CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
}

int main(void) {
  static const int64_t lengths[] = {97, 101, 120, 210, 243, 256, 343, 512, 625, 1000, 1009, 1024};
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int64_t n = 1; n <= 64; n++) length(n), identities(n);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) length(lengths[i]), identities(lengths[i]);
  return check_end();
}
