/* library.c - PORTABLE_FFT_LIBRARY: real64 goes through the user's library, along each dimension, in place, on several threads; a kind that it lacks, and
 * all kinds if it is no such library, go through ours, with a warning that names the variable.
 *   library used|lacks|missing */
#include <dlfcn.h>
#include <math.h>

#include "check.h"
#include "fft.h"

#define N 20
#define LINES 50

static double in[2 * (N + 2) * LINES], out[2 * (N + 2) * LINES];
static float in32[2 * N * LINES], out32[2 * N * LINES];

/* Whether the transform of a line, with these strides in numbers, is the sum. */
static int is_right(const double *line, int64_t step, const double *result, int64_t out_step, int real) {
  double given[2 * N];
  wide wanted[2 * N];
  int right = 1;
  for (int j = 0; j < N; j++) given[2 * j] = line[(real ? 1 : 2) * j * step], given[2 * j + 1] = real ? 0 : line[2 * j * step + 1];
  sum_up(N, 0, given, wanted);
  for (int k = 0; k < (real ? N / 2 + 1 : N); k++)
    right &= fabs((double)wanted[2 * k] - result[2 * k * out_step]) < 1e-12 && fabs((double)wanted[2 * k + 1] - result[2 * k * out_step + 1]) < 1e-12;
  return right;
}

static int *counter(const char *name) {
  void *library = dlopen(getenv("PORTABLE_FFT_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  return library ? dlsym(library, name) : NULL;
}

int main(int argc, char **argv) {
  const int used = argc > 1 && strcmp(argv[1], "used") == 0;
  const int64_t extents[2] = {N, LINES}, across[2] = {LINES, N};
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  portable_fft plan = 0, other = 0, real = 0;
  o.order = PORTABLE_ORDER_FORTRAN;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int i = 0; i < 2 * N * LINES; i++) in[i] = number(), in32[i] = (float)in[i];
  CHECK_STATUS(portable_fft_create("plan", PORTABLE_FFT_C2C, N, 1, &plan), PORTABLE_OK);
  CHECK_STATUS(portable_fft_create("other", PORTABLE_FFT_C2C, N, 2, &other), PORTABLE_OK);
  CHECK_STATUS(portable_fft_create("real", PORTABLE_FFT_R2C, N, 1, &real), PORTABLE_OK);
  int *const executed = used ? counter("fake_fftw_executed") : NULL, *const plans = used ? counter("fake_fftw_plans") : NULL;
  CHECK(!used || (executed && plans && *plans == 6));
  CHECK_STATUS(portable_fft_forward("lines", plan, PORTABLE_KIND_REAL64, in, out, 2, extents, &o), PORTABLE_OK);
  for (int l = 0; l < LINES; l++) CHECK(is_right(in + 2 * N * l, 1, out + 2 * N * l, 1, 0));
  CHECK(!used || *executed == LINES);
  CHECK_STATUS(portable_fft_forward("across", other, PORTABLE_KIND_REAL64, in, out, 2, across, &o), PORTABLE_OK);
  for (int l = 0; l < LINES; l++) CHECK(is_right(in + 2 * l, LINES, out + 2 * l, LINES, 0));
  CHECK_STATUS(portable_fft_forward("real", real, PORTABLE_KIND_REAL64, in, out, 2, extents, &o), PORTABLE_OK);
  for (int l = 0; l < LINES; l++) CHECK(is_right(in + N * l, 1, out + 2 * (N / 2 + 1) * l, 1, 1));
  static double back[N * LINES], kept[2 * (N + 2) * LINES];
  memcpy(kept, out, sizeof out);
  CHECK_STATUS(portable_fft_backward("real", real, PORTABLE_KIND_REAL64, out, back, 2, extents, &o), PORTABLE_OK);
  CHECK(memcmp(kept, out, sizeof out) == 0); /* in is only read */
  for (int i = 0; i < N * LINES; i++) CHECK(fabs(back[i] / N - in[i]) < 1e-12);
  CHECK(!used || *executed == 4 * LINES);
  memcpy(out, in, sizeof in);
  CHECK_STATUS(portable_fft_forward("in place", plan, PORTABLE_KIND_REAL64, out, out, 2, extents, &o), PORTABLE_OK);
  for (int l = 0; l < LINES; l++) CHECK(is_right(in + 2 * N * l, 1, out + 2 * N * l, 1, 0));
  CHECK(!used || *executed == 5 * LINES);
  CHECK_STATUS(portable_fft_forward("real32", plan, PORTABLE_KIND_REAL32, in32, out32, 2, extents, &o), PORTABLE_OK);
  for (int i = 0; i < 2 * N * LINES; i++) CHECK(fabs((double)out32[i] - out[i]) < 1e-4);
  CHECK(!used || *executed == 5 * LINES);
  CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
  CHECK_STATUS(portable_fft_destroy(other), PORTABLE_OK);
  CHECK_STATUS(portable_fft_destroy(real), PORTABLE_OK);
  CHECK(!used || *plans == 0);
  return check_end();
}
