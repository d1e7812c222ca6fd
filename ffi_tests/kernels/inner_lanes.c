/* inner_lanes.c - sums by PORTABLE_INNER_SUM and PORTABLE_INNER_SCAN on the host, for inner_sums.f90. */
#include <portable.h>
#include <portable_device.h>

static const portable_team team = {.size = 1};

double c_sum_of_squares(const double *x, int64_t n);
float c_sum_single(const float *x, int64_t n);
void c_scan(const double *x, double *y, double *z, int64_t n);

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

/* z: in place. */
void c_scan(const double *x, double *y, double *z, int64_t n) {
  double total = 0.25, all = 0;
  for (int64_t k = 0; k < n; k++) z[k] = x[k];
  PORTABLE_INNER_SCAN(&team, double, total, y[k], k, 0, n - 1, x[k]);
  PORTABLE_INNER_SCAN_EXCLUSIVE(&team, double, all, z[k], k, 0, n - 1, z[k]);
}
