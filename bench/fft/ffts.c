/* ffts.c - times Fourier transforms of lines that are contiguous and of lines side by side, on one
 * thread and on two, next to FFTW where it was found (FFTW_MEASURE, one thread). Results are
 * compared. usage: bench_ffts portable ffts [N]. Prints name, value and unit, a line each,
 * separated by tabs. With N it does a part of the work, to test that it works. */
#include <portable.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"

#if HAS_FFTW
#include <fftw3.h>
#endif

#define TOTAL (1 << 18) /* numbers of all lines: 4 MB of complex ones */

static int rounds = 12, repeats = 8;
static int64_t total = TOTAL;
static double *in, *out, *theirs;

static void stop(const char *what) {
  fprintf(stderr, "%s: %s\n", what, portable_last_error());
  exit(1);
}


static void row(const char *engine, const char *type, int64_t n, const char *way, const char *threads, double best, int64_t numbers) {
  printf("%s%s of %d, %s, %s, a number\t%.4g\tns\n", engine, type, (int)n, way, threads, best / (double)numbers);
}

static double ours(portable_fft plan, const int64_t *extents) {
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  double best = 0;
  o.order = PORTABLE_ORDER_FORTRAN;
  for (int round = 0; round <= rounds; round++) {
    const double begin = now();
    for (int i = 0; i < repeats; i++)
      if (portable_fft_forward("lines", plan, PORTABLE_KIND_REAL64, in, out, 2, extents, &o) != PORTABLE_OK) stop("forward");
    const double took = (now() - begin) / repeats;
    if (round == 1 || (round > 1 && took < best)) best = took;
  }
  return best;
}

#if HAS_FFTW
static double fftw(int real, int64_t n, int64_t lines, int side_by_side) {
  const int length = (int)n, many = (int)lines, half = real ? length / 2 + 1 : length;
  double best = 0;
  fftw_plan plan = real ? fftw_plan_many_dft_r2c(1, &length, many, in, NULL, side_by_side ? many : 1, side_by_side ? 1 : length, (fftw_complex *)(void *)theirs,
                                                 NULL, side_by_side ? many : 1, side_by_side ? 1 : half, FFTW_MEASURE)
                        : fftw_plan_many_dft(1, &length, many, (fftw_complex *)(void *)in, NULL, side_by_side ? many : 1, side_by_side ? 1 : length,
                                             (fftw_complex *)(void *)theirs, NULL, side_by_side ? many : 1, side_by_side ? 1 : length, FFTW_FORWARD, FFTW_MEASURE);
  for (int64_t i = 0; i < 2 * total; i++) in[i] = sin((double)i); /* planning has written there */
  for (int round = 0; round <= rounds; round++) {
    const double begin = now();
    for (int i = 0; i < repeats; i++) fftw_execute(plan);
    const double took = (now() - begin) / repeats;
    if (round == 1 || (round > 1 && took < best)) best = took;
  }
  fftw_destroy_plan(plan);
  return best;
}
#endif

static void measure(int real, int64_t n, int side_by_side) {
  const int64_t lines = total / n > 0 ? total / n : 1, extents[2] = {side_by_side ? lines : n, side_by_side ? n : lines};
  const char *const type = real ? "r2c" : "c2c", *const way = side_by_side ? "side by side" : "contiguous";
  portable_fft plan = 0;
  if (portable_fft_create("lines", real ? PORTABLE_FFT_R2C : PORTABLE_FFT_C2C, n, side_by_side ? 2 : 1, &plan) != PORTABLE_OK) stop("create");
#if HAS_FFTW
  row("FFTW: ", type, n, way, "one thread", fftw(real, n, lines, side_by_side), n * lines);
#endif
  for (int threads = 1; threads <= 2; threads++) {
    if (portable_set_num_threads(threads) != PORTABLE_OK) stop("threads");
    row("", type, n, way, threads == 1 ? "one thread" : "two threads", ours(plan, extents), n * lines);
  }
#if HAS_FFTW
  const int64_t written = 2 * (real ? n / 2 + 1 : n) * lines;
  for (int64_t i = 0; i < written; i++)
    if (fabs(out[i] - theirs[i]) > 1e-10) {
      fprintf(stderr, "%s of %d: FFTW gives another number\n", type, (int)n);
      exit(1);
    }
#endif
  portable_fft_destroy(plan);
}

int main(int argc, char **argv) {
  static const int64_t few[] = {2, 3, 4, 6}; /* real lines that are contiguous */
  static const int64_t lengths[] = {16, 60, 64, 100, 128, 243, 360, 512, 1000, 1024, 2187, 3600, 4096};
  const int64_t divisor = argc > 3 ? atoll(argv[3]) : 1;
  if (divisor > 1) rounds = repeats = 1, total = TOTAL / 64;
  if (portable_init(NULL) != PORTABLE_OK) stop("init");
  const size_t bytes = (size_t)(2 * total + 2 * total / 8 + 8192) * sizeof(double);
  if (portable_alloc(bytes, "in", (void **)&in) != PORTABLE_OK || portable_alloc(bytes, "out", (void **)&out) != PORTABLE_OK ||
      portable_alloc(bytes, "theirs", (void **)&theirs) != PORTABLE_OK)
    stop("memory");
  for (int64_t i = 0; i < 2 * total; i++) in[i] = sin((double)i);
  memset(out, 0, bytes);
  memset(theirs, 0, bytes);
  for (size_t i = 0; i < sizeof few / sizeof *few; i++) measure(1, few[i], 0);
  for (int real = 0; real < 2; real++)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
      for (int side_by_side = 0; side_by_side < 2; side_by_side++) measure(real, lengths[i], side_by_side);
  portable_free(in);
  portable_free(out);
  portable_free(theirs);
  return portable_finalize() != PORTABLE_OK;
}
