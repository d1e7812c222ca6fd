/* inner_lanes.c - sums by PORTABLE_INNER_SUM on the host, for inner_sums.f90. */
#include <portable.h>
#include <portable_device.h>

static const portable_team team = {.size = 1};

double c_sum_of_squares(const double *x, int64_t n);
float c_sum_single(const float *x, int64_t n);

double c_sum_of_squares(const double *x, int64_t n) {
  double sum = 0;
  PORTABLE_INNER_SUM(&team, double, sum, k, 0, n - 1, x[k] * x[k]);
  return sum;
}

float c_sum_single(const float *x, int64_t n) {
  float sum = 0;
  PORTABLE_INNER_SUM(&team, float, sum, k, 0, n - 1, x[k]);
  return sum;
}
