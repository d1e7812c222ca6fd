/* openmp.c - the loops of engines.h under OpenMP: libgomp's or libomp's, as the compiler links. */
#include <omp.h>

#include "engines.h"

void engine_start(int threads) {
  if (threads) omp_set_num_threads(threads);
}

int engine_threads(void) { return omp_get_max_threads(); }

void engine_loop(int64_t n) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) body(i);
}

void engine_nested(int64_t outer, int64_t inner) {
#pragma omp parallel for schedule(static)
  for (int64_t k = 0; k < outer; k++) engine_loop(inner);
}

void engine_work(double *data, int64_t n) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) data[i] = data[i] * 0.999999 + 1e-6;
}
