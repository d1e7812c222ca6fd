/* inverses.c - inverses of small matrices: that they are right, in place too, a matrix without inverse, a NaN, no signals, and bits that Fortran
 * (inverses.f90) and C++ (yakl.cpp) have too. Not in this file: systems. */
#include "check.h"

#include <fenv.h>
#include <math.h>
#include <portable_solvers.h>
#include <string.h>

#include "inverses.h"

static double work[64];

static double element(int n, int i, int j) { return i == j && i < 2 ? 0 : ((17 * i * i + 29 * j + 11 * i * j * j * j + n) % 101 - 50) / 8.; }

static void right(void) {
  uint64_t sum64 = INVERSES_BEGIN, sum32 = INVERSES_BEGIN;
  for (int n = 2; n <= 8; n++) {
    double a[64], b[64], most = 0;
    float a32[64], b32[64], work32[64];
    for (int i = 0; i < n * n; i++) a[i] = b[i] = element(n, i / n + 1, i % n + 1), a32[i] = (float)a[i];
    CHECK(portable_matinv_real64(n, b, b, work) == 0);
    CHECK(portable_matinv_real32(n, a32, b32, work32) == 0);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
        most = fmax(most, fabs(sum - (i == j)));
        most = fmax(most, fabs(b[i * n + j] - b32[i * n + j]) * 1e-8);
        inverses_add64(&sum64, b[i * n + j]);
        inverses_add32(&sum32, b32[i * n + j]);
      }
    CHECK(most < 1e-11);
    if (!(most < 1e-11)) printf("  n %d: %g\n", n, most);
  }
  CHECK(sum64 == INVERSES_SUM64 && sum32 == INVERSES_SUM32);
  if (sum64 != INVERSES_SUM64 || sum32 != INVERSES_SUM32) printf("  sums 0x%llx, 0x%llx\n", (unsigned long long)sum64, (unsigned long long)sum32);
}

static void odd(void) {
  double one[1] = {4}, two[4] = {1, 2, 2, 4}, three[9] = {0, 1, 2, 0, 3, 4, 0, 5, 7}, to[9] = {7};
  const double nan = strtod("nan", NULL);
  feclearexcept(FE_ALL_EXCEPT);
  CHECK(portable_matinv_real64(0, one, to, work) == 0 && to[0] == 7);
  CHECK(portable_matinv_real64(-3, one, to, work) == 0 && to[0] == 7);
  CHECK(portable_matinv_real64(1, one, to, work) == 0 && to[0] == 0.25);
  CHECK(portable_matinv_real64(2, two, to, work) == 2 && to[0] != to[0] && to[3] != to[3]);
  CHECK(portable_matinv_real64(3, three, to, work) == 1);
  for (int i = 0; i < 9; i++) CHECK(to[i] != to[i]);
  three[0] = 1;
  three[4] = nan;
  CHECK(portable_matinv_real64(3, three, to, work) == 0 && to[4] != to[4]);
  CHECK(!fetestexcept(FE_INVALID | FE_DIVBYZERO));
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  right();
  odd();
  return check_end();
}
