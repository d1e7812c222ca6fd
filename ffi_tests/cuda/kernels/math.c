/* math.c - the functions of portable_math.h in a kernel on a CUDA device have the bits of the host. The device has them inline, the host from the
 * library. Not in this file: values (ffi_tests/math). */
#include "check.h"

#include "math_body.h"

#include <math.h>
#include "gpu.h"

#define N 6000

static void *memory(size_t bytes) {
  void *to = NULL;
  CHECK_STATUS(portable_alloc(bytes, "numbers", &to), PORTABLE_OK);
  memset(to, 0, bytes);
  return to;
}

int main(void) {
  portable_device device = 0, serial = 0;
  portable_kernel kernel = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds bounds = portable_bounds_1(N);
  const char *names[MATH_FUNCTIONS] = {"exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
                                       "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "gamma", "log_gamma", "pow", "atan2", "hypot"};
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find(gpu(""), &device), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("serial", &serial), PORTABLE_OK);
  double *x = memory(N * sizeof *x), *y = memory(N * sizeof *y);
  /* Exponents from -300 to 300 and numbers around 1; all signs; a few special ones. */
  for (int i = 0; i < N; i++) {
    const double part = 1 + 0.618 * (i % 997) / 997, sign = i % 3 ? 1 : -1;
    x[i] = sign * (i % 2 ? ldexp(part, i % 601 - 300) : (i % 1024) * 0.0078125);
    y[i] = (i % 5 ? 1 : -1) * (i % 4 ? 0.37 * (i % 53) : ldexp(part, i % 61 - 30));
  }
  x[0] = NAN, x[1] = INFINITY, x[2] = -INFINITY, x[3] = 0x1p-1074, x[4] = -0.0;
  math_args of_device = {N, x, y, memory(MATH_FUNCTIONS * N * sizeof(double)), memory(MATH_FUNCTIONS * N * sizeof(float))};
  math_args of_host = {N, x, y, memory(MATH_FUNCTIONS * N * sizeof(double)), memory(MATH_FUNCTIONS * N * sizeof(float))};
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = MATH_BODY;
  code.entry = "math_functions";
  CHECK_STATUS(portable_kernel_create("functions", sizeof of_host, NULL, 0, &kernel), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(kernel, math_functions), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(kernel, &code), PORTABLE_OK);
  config.device = device;
  CHECK_STATUS(portable_launch(kernel, &bounds, &of_device, &config), PORTABLE_OK);
  config.device = serial;
  CHECK_STATUS(portable_launch(kernel, &bounds, &of_host, &config), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  for (int f = 0; f < MATH_FUNCTIONS; f++) {
    int wrong64 = 0, wrong32 = 0, numbers = 0;
    for (int i = f * N; i < (f + 1) * N; i++) {
      const double a = of_device.r64[i], b = of_host.r64[i];
      const float c = of_device.r32[i], d = of_host.r32[i];
      wrong64 += a == a || b == b ? memcmp(&a, &b, sizeof a) != 0 : 0;
      wrong32 += c == c || d == d ? memcmp(&c, &d, sizeof c) != 0 : 0;
      numbers += b == b && b != 0;
    }
    if (wrong64 + wrong32 > 0 || numbers < N / 20) printf("%s: %d and %d of %d results differ, %d are numbers\n", names[f], wrong64, wrong32, N, numbers);
    CHECK(wrong64 == 0);
    CHECK(wrong32 == 0);
    CHECK(numbers >= N / 20);
  }
  portable_free(x);
  portable_free(y);
  portable_free(of_device.r64);
  portable_free(of_device.r32);
  portable_free(of_host.r64);
  portable_free(of_host.r32);
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);
  return check_end();
}
