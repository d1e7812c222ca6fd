/* offload.c - blocks of the default pool in loops of OpenMP target and of OpenACC, between launches of the library's: managed memory needs no mapping.
 * Where the compiler has no device to offload to, such loops run on the host, which is what is seen without a GPU. Compiled once for each. */
#include "check.h"

#define N 1000

static void twice(const portable_tile *t, void *args) {
  double *x = *(double **)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) x[i] *= 2;
}

int main(void) {
  void *block = NULL;
  portable_bounds b = portable_bounds_1(N);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(N * sizeof(double), "x", &block), PORTABLE_OK);
  double *x = block;
  for (int i = 0; i < N; i++) x[i] = i;
  CHECK_STATUS(portable_parallel_for("twice", &b, twice, &x, sizeof x, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
#ifdef _OPENACC
#pragma acc parallel loop deviceptr(x)
  for (int i = 0; i < N; i++) x[i] += 1;
#else
#pragma omp target teams distribute parallel for is_device_ptr(x)
  for (int i = 0; i < N; i++) x[i] += 1;
#endif
  CHECK_STATUS(portable_parallel_for("twice", &b, twice, &x, sizeof x, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += x[i] != 2 * (2.0 * i + 1);
  CHECK(wrong == 0);
  CHECK_STATUS(portable_free(block), PORTABLE_OK);
  return check_end();
}
