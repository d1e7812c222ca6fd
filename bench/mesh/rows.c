/* rows.c - times sums of rows: segmented_reduce and a loop of OpenMP over rows on the same threads,
 * for balanced rows, rows through an index, and one row that has half of all elements. usage:
 * bench_rows portable rows [N]: with N the sizes are divided by it. Not in this file: fluxes. */
#include <omp.h>
#include <portable_mesh.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"

static int rounds = 20;

struct rows {
  int64_t count, entries;
  int32_t *row, *index;
  double *x, *sums;
};

static void ours(const struct rows *r) {
  portable_segmented_options o = PORTABLE_SEGMENTED_OPTIONS_INIT;
  o.index = r->index;
  o.index_count = r->entries;
  if (portable_segmented_reduce("rows", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, r->x, r->entries, PORTABLE_KIND_INT32, r->row, r->count, &o, r->sums) == PORTABLE_OK) return;
  fprintf(stderr, "rows: %s\n", portable_last_error());
  exit(1);
}

/* Both schedules; the better one counts. */
static void openmp(const struct rows *r, int dynamic) {
  const int32_t *const row = r->row, *const index = r->index;
  const double *const x = r->x;
#define LOOP(element)                                            \
  for (int64_t i = 0; i < r->count; i++) {                       \
    double s = 0;                                                \
    for (int32_t k = row[i]; k < row[i + 1]; k++) s += x[element]; \
    r->sums[i] = s;                                              \
  }
  if (index && dynamic) {
#pragma omp parallel for schedule(dynamic, 1024)
    LOOP(index[k])
  } else if (index) {
#pragma omp parallel for schedule(static)
    LOOP(index[k])
  } else if (dynamic) {
#pragma omp parallel for schedule(dynamic, 1024)
    LOOP(k)
  } else {
#pragma omp parallel for schedule(static)
    LOOP(k)
  }
}

/* Reads the same elements and does next to nothing with them: what the memory gives. */
static void stream(const struct rows *r, int threads) {
  const double *const x = r->x;
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(threads)
  for (int64_t k = 0; k < r->entries; k++) {
    uint64_t bits;
    memcpy(&bits, &x[k], sizeof bits);
    sum += bits;
  }
  if (sum == 1) puts("the sum is used");
}

enum { OURS, STATIC, DYNAMIC, STREAM }; /* STREAM + n: by n threads */

/* The least of 20 rounds of few elements was up to twice that of 2000. */
static double best(const struct rows *r, int who) {
  const int all = r->entries <= 1000000 && rounds > 1 ? 50 * rounds : rounds;
  double least = 0;
  for (int round = 0; round <= all; round++) {
    const double begin = now();
    if (who == OURS)
      ours(r);
    else if (who < STREAM)
      openmp(r, who == DYNAMIC);
    else
      stream(r, who - STREAM);
    const double took = now() - begin;
    if (round == 1 || (round > 1 && took < least)) least = took;
  }
  return least;
}

/* each: elements of a row; index 1: through an index, at random within 1000 elements; half 1: one row has half of the elements. */
static void measure(const char *what, int64_t entries, int32_t each, int indexed, int half) {
  struct rows r = {entries / each, entries, NULL, NULL, NULL, NULL};
  if (half) r.count = entries / 2 / each + 1;
  r.row = malloc((size_t)(r.count + 1) * sizeof *r.row);
  r.index = indexed ? malloc((size_t)entries * sizeof *r.index) : NULL;
  r.x = malloc((size_t)entries * sizeof *r.x);
  r.sums = malloc((size_t)r.count * sizeof *r.sums);
  if (!r.row || !r.x || !r.sums || (indexed && !r.index)) exit(1);
  r.row[0] = 0;
  for (int64_t i = 0; i < r.count; i++) r.row[i + 1] = r.row[i] + (half && i == r.count / 3 ? (int32_t)(entries - entries / 2) : each);
  r.entries = r.row[r.count] < entries ? r.row[r.count] : entries;
  r.row[r.count] = (int32_t)r.entries;
  for (int64_t k = 0; k < entries; k++) r.x[k] = (double)(k % 1000) * 1e-3;
  for (int64_t k = 0; indexed && k < entries; k++) r.index[k] = (int32_t)((k / 1000 * 1000 + k * 7919 % 1000) % r.entries);
  if (half) {
    const int32_t threads = portable_num_threads();
    for (int way = 0; way < 2; way++) {
      const char *const by = way ? ", one thread" : "";
      if (way) portable_set_num_threads(1);
      printf("%s%s\t%.4g\tns\n", what, by, best(&r, OURS) / (double)entries);
      printf("%s, a stream that reads them%s\t%.4g\tns\n", what, by, best(&r, STREAM + (way ? 1 : threads)) / (double)entries);
    }
    portable_set_num_threads(threads);
  } else {
    const double still = best(&r, STATIC), dynamic = best(&r, DYNAMIC);
    printf("%s\t%.4g\tns\n", what, best(&r, OURS) / (double)entries);
    printf("%s, OpenMP\t%.4g\tns\n", what, (still < dynamic ? still : dynamic) / (double)entries);
  }
  free(r.row);
  free(r.index);
  free(r.x);
  free(r.sums);
}

int main(int argc, char **argv) {
  const int64_t divisor = argc > 3 ? atoll(argv[3]) : 1;
  if (divisor > 1) rounds = 1;
  if (portable_init(NULL) != PORTABLE_OK) return 1;
  omp_set_num_threads(portable_num_threads());
  measure("rows of 3 through an index, 6 M elements", 6000000 / divisor, 3, 1, 0);
  measure("rows of 3 through an index, 60 000 elements", 60000 / divisor, 3, 1, 0);
  measure("rows of 8, 8 M elements", 8000000 / divisor, 8, 0, 0);
  measure("rows of 50, 8 M elements", 8000000 / divisor, 50, 0, 0);
  measure("one row of half of 8 M elements", 8000000 / divisor, 8, 0, 1);
  measure("one row of half of 1 M elements", 1000000 / divisor, 8, 0, 1); /* 8 MB, in the caches */
  return portable_finalize() != PORTABLE_OK;
}
