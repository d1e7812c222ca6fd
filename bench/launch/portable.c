/* portable.c - the loops of engines.h as launches: on threads, or with OpenMP on the device
 * openmp. */
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "../checked.h"
#include "engines.h"

static void empty(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) body(i);
}

static void outer(const portable_tile *t, void *args) {
  portable_bounds b = portable_bounds_1(*(int64_t *)args);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) check(portable_parallel_for("inner", &b, empty, NULL, 0, NULL));
}

static void work(const portable_tile *t, void *args) {
  double *data = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) data[i] = data[i] * 0.999999 + 1e-6;
}

#ifdef _OPENMP
void engine_start(int threads) {
  portable_device device;
  check(portable_init(NULL));
  check(portable_device_find("openmp", &device));
  check(portable_set_default_device(device));
  if (threads) omp_set_num_threads(threads);
}

int engine_threads(void) { return omp_get_max_threads(); }
#else
void engine_start(int threads) {
  check(portable_init(NULL));
  if (threads) check(portable_set_num_threads(threads));
}

int engine_threads(void) { return portable_num_threads(); }
#endif

void engine_loop(int64_t n) {
  portable_bounds b = portable_bounds_1(n);
  check(portable_parallel_for("empty", &b, empty, NULL, 0, NULL));
}

void engine_nested(int64_t n, int64_t inner) {
  portable_bounds b = portable_bounds_1(n);
  check(portable_parallel_for("outer", &b, outer, &inner, sizeof inner, NULL));
}

void engine_work(double *data, int64_t n) {
  portable_bounds b = portable_bounds_1(n);
  check(portable_parallel_for("work", &b, work, data, 0, NULL));
}
