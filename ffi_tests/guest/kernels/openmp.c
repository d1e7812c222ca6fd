/* openmp.c - launches next to OpenMP: inside a parallel region each thread's launch runs on that thread; regions and launches
 * that take turns get the right sums, and neither starves the other: what a pair takes is printed, not judged. Not in
 * this file: the pool and OpenMP (../process/openmp.c). */
#define _GNU_SOURCE
#include "guest.h"

#include <omp.h>
#include <stdatomic.h>

enum { N = 20000, PAIRS = 3000 };

static double x[N], y[N];

static void axpy(const portable_tile *t, void *args) {
  double a = *(double *)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) y[i] += a * x[i];
}

static void count(const portable_tile *t, void *args) {
  CHECK(t->workers == 1 && t->worker == 0);
  *(int64_t *)args += t->upper[0] - t->lower[0] + 1;
}

static void inside_regions(void) {
  portable_bounds b = portable_bounds_1(1000);
  int wrong = 0, active = 0;
#pragma omp parallel reduction(+ : wrong)
  {
#pragma omp single
    active = omp_in_parallel();
    for (int round = 0; round < 200; round++) {
      int64_t mine = 0;
      if (active && portable_parallel_for("inside", &b, count, &mine, 0, NULL) != 0) wrong++;
      if (active && mine != 1000) wrong++;
    }
#pragma omp for
    for (int i = 0; i < 64; i++) {
      int64_t mine = 0;
      if (active && (portable_parallel_for("inside", &b, count, &mine, 0, NULL) != 0 || mine != 1000)) wrong++;
    }
  }
  CHECK(wrong == 0);
}

static void region(double a) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++) y[i] += a * x[i];
}

/* Microseconds a pair, of the best and of the middle one of 15 rounds. */
static void alternate(double *best, double *middle) {
  enum { ROUNDS = 15 };
  portable_bounds b = portable_bounds_1(N);
  double a = 1, took[ROUNDS];
  for (int i = 0; i < N; i++) {
    x[i] = 1;
    y[i] = 0;
  }
  for (int r = 0; r < ROUNDS; r++) {
    double begin = guest_seconds();
    for (int k = 0; k < PAIRS / ROUNDS; k++) {
      CHECK_STATUS(portable_parallel_for("axpy", &b, axpy, &a, 0, NULL), PORTABLE_OK);
      region(a);
    }
    took[r] = (guest_seconds() - begin) / (PAIRS / ROUNDS) * 1e6;
    for (int k = r; k > 0 && took[k] < took[k - 1]; k--) {
      double t = took[k];
      took[k] = took[k - 1];
      took[k - 1] = t;
    }
  }
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += y[i] < 2 * PAIRS || y[i] > 2 * PAIRS;
  CHECK(wrong == 0);
  *best = took[0];
  *middle = took[ROUNDS / 2];
}

int main(void) {
  double best, middle;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  inside_regions();
  alternate(&best, &middle);
  printf("OpenMP %d threads, launches %d: an alternating pair takes %.1f us at best, %.1f us usually\n", omp_get_max_threads(),
         (int)portable_num_threads(), best, middle);
  return check_end();
}
