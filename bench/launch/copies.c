/* copies.c - copies of arrays from one layout to another, compared with memcpy by the same threads:
 * with the blocks of internal/kernels/copy/copy.c and the launch engine, or (COPIES_PLAIN) as plain
 * loops with OpenMP. usage: bench_copies_ENGINE ENGINE [N]. Prints name, value and unit, a line
 * each, separated by tabs; bytes read and bytes written both count. With N the arrays are smaller,
 * to test that it works. Only a sum is compared here; the tests of copies are in
 * internal/kernels. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef COPIES_PLAIN
#include <omp.h>
#else
#include "../../internal/kernels/copy/copy.h"
#include "../checked.h"
#endif

enum { ROUNDS = 5, FIELDS = 5 };

static int64_t n = 512;       /* of a cube's edge */
static int64_t elements, records;
static double *a, *b;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#ifdef COPIES_PLAIN

static void start(void) {
  a = malloc(sizeof *a * (size_t)elements);
  b = malloc(sizeof *b * (size_t)elements);
}
static void stop(void) {
  free(a);
  free(b);
}

static void fill(void) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < elements; i++) a[i] = (double)(i % 1021), b[i] = 0;
}

static void run_memcpy(void) {
#pragma omp parallel
  {
    int64_t from = elements * omp_get_thread_num() / omp_get_num_threads(), to = elements * (omp_get_thread_num() + 1) / omp_get_num_threads();
    memcpy(b + from, a + from, sizeof *a * (size_t)(to - from));
  }
}

/* The order of the loops with adjacent writes; compilers keep it. */
static void run_kij_to_ijk(void) {
#pragma omp parallel for schedule(static)
  for (int64_t k = 0; k < n; k++)
    for (int64_t j = 0; j < n; j++)
      for (int64_t i = 0; i < n; i++) b[i + n * (j + n * k)] = a[k + n * (i + n * j)];
}

static void run_ijk_to_kij(void) {
#pragma omp parallel for schedule(static)
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      for (int64_t k = 0; k < n; k++) b[k + n * (i + n * j)] = a[i + n * (j + n * k)];
}

static void run_to_fields(void) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < records; r++)
    for (int f = 0; f < FIELDS; f++) b[f * records + r] = a[r * FIELDS + f];
}

static void run_to_records(void) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < records; r++)
    for (int f = 0; f < FIELDS; f++) b[r * FIELDS + f] = a[f * records + r];
}

#else

static void start(void) {
  check(portable_init(NULL));
  check(portable_alloc(sizeof *a * (size_t)elements, "from", (void **)&a));
  check(portable_alloc(sizeof *b * (size_t)elements, "to", (void **)&b));
}
static void stop(void) {
  check(portable_free(a));
  check(portable_free(b));
  check(portable_finalize());
}

static void launch(const char *label, int64_t count, portable_kernel_function kernel, const void *args, size_t bytes) {
  portable_bounds bounds = portable_bounds_1(count);
  check(portable_parallel_for(label, &bounds, kernel, args, bytes, NULL));
}

static void fill_kernel(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) a[i] = (double)(i % 1021), b[i] = 0;
}
static void fill(void) { launch("fill", elements, fill_kernel, NULL, 0); }

static void memcpy_kernel(const portable_tile *t, void *args) {
  (void)args;
  memcpy(b + t->lower[0], a + t->lower[0], sizeof *a * (size_t)(t->upper[0] - t->lower[0] + 1));
}
static void run_memcpy(void) { launch("memcpy", elements, memcpy_kernel, NULL, 0); }

static void copy_kernel(const portable_tile *t, void *args) { portable__copy_units(args, t->lower[0], t->upper[0] + 1); }

/* As exec/algorithm/copy.c does it. */
static void copy(int32_t rank, const struct portable__copy_axis *axes) {
  struct portable__copy c = {(char *)b, (const char *)a, sizeof *a, PORTABLE__COPY_SAME, rank, {{0, 0, 0}}};
  struct portable__copy_plan plan;
  memcpy(c.axis, axes, sizeof *axes * (size_t)rank);
  portable__copy_plan(&c, -1, 0, &plan);
  launch("copy", plan.units, copy_kernel, &plan, sizeof plan);
}

static void run_kij_to_ijk(void) {
  copy(3, (const struct portable__copy_axis[]){{n, 8, 8 * n}, {n, 8 * n, 8 * n * n}, {n, 8 * n * n, 8}});
}
static void run_ijk_to_kij(void) {
  copy(3, (const struct portable__copy_axis[]){{n, 8 * n, 8}, {n, 8 * n * n, 8 * n}, {n, 8, 8 * n * n}});
}
static void run_to_fields(void) { copy(2, (const struct portable__copy_axis[]){{records, 8, 8 * FIELDS}, {FIELDS, 8 * records, 8}}); }
static void run_to_records(void) { copy(2, (const struct portable__copy_axis[]){{records, 8 * FIELDS, 8}, {FIELDS, 8, 8 * records}}); }

#endif

struct way {
  const char *name;
  void (*run)(void);
  double seconds;
};

int main(int argc, char **argv) {
  struct way ways[] = {{"memcpy, 512^3 real(8)", run_memcpy, 1e9}, {"copy KIJ to IJK, 512^3 real(8)", run_kij_to_ijk, 1e9},
                       {"copy IJK to KIJ, 512^3 real(8)", run_ijk_to_kij, 1e9}, {"copy records of 5 to fields, 26.8 M", run_to_fields, 1e9},
                       {"copy fields to records of 5, 26.8 M", run_to_records, 1e9}};
  long part = argc > 2 ? atol(argv[2]) : 1;
  if (part > 1) n = (int64_t)(512 / cbrt((double)part));
  elements = n * n * n;
  records = elements / FIELDS;
  start();
  if (!a || !b) return 1;
  fill();
  for (int round = 0; round < ROUNDS; round++)
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
      double begin = now();
      ways[w].run();
      double took = now() - begin;
      if (took < ways[w].seconds) ways[w].seconds = took;
      double sum = 0, should = 0;
      int64_t count = w < 3 ? elements : records * FIELDS;
      for (int64_t i = 0; round == 0 && i < count; i++) sum += b[i], should += a[i];
      if (sum != should) return fprintf(stderr, "%s: the sum is %g, not %g\n", ways[w].name, sum, should), 1;
    }
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
    printf("%s\t%.4g\tGB/s\n", ways[w].name, 2e-9 * (double)(w < 3 ? elements : records * FIELDS) * sizeof *a / ways[w].seconds);
  stop();
  return 0;
}
