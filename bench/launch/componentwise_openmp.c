/* componentwise_openmp.c - the operations of componentwise.h as a programmer writes them for
 * OpenMP. */
#include <math.h>

#include "componentwise.h"

void start(void) {}

void fill(int64_t n, double value, double *c) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++) c[i] = value;
}

void add(int64_t n, const double *a, const double *b, double *c) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++) c[i] = a[i] + b[i];
}

void root(int64_t n, const double *a, double *c) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++) c[i] = sqrt(a[i]);
}

void less(int64_t n, const double *a, const double *b, int32_t *mask) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++) mask[i] = a[i] < b[i];
}

void sine(int64_t n, const double *a, double *c) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) c[i] = sin(a[i]);
}

void add_second(int64_t n, const double *a, const double *b, double *c) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++) c[2 * i] = a[2 * i] + b[2 * i];
}

void add_inside(int64_t n, const double *a, const double *b, double *c) {
#pragma omp parallel for schedule(static)
  for (int64_t j = 1; j < n - 1; j++) {
#pragma omp simd
    for (int64_t i = 1; i < n - 1; i++) c[j * n + i] = a[j * n + i] + b[j * n + i];
  }
}
