/* ranks.c [plain]: what the library costs each of many ranks of a node: time of the start, memory, threads, huge pages; one launch, one array
 * and one exchange with neighbours. Rank 0 prints the mean and the largest number of all ranks. plain: one process without MPI, which prints its own.
 * Not in this file: limits (run_ranks.sh). */
#include "check.h"

#include <mpi.h>
#include <portable_mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { START, LAUNCH, RSS, PRIVATE, ALL, HUGE, THREADS, POOL, NUMBERS };
static const char *const names[NUMBERS] = {"start, us", "first launch, us", "resident, KiB", "of it private, KiB", "private with MPI and Go, KiB", "huge pages, KiB", "threads", "pool, KiB"};

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Adds `sign` times the numbers of the kernel for this process. */
static void look(double *n, int sign) {
  char line[256];
  double x;
  FILE *f = fopen("/proc/self/smaps_rollup", "r");
  while (f && fgets(line, sizeof line, f)) {
    if (sscanf(line, "Rss: %lf", &x) == 1) n[RSS] += sign * x;
    if (sscanf(line, "Private_Clean: %lf", &x) == 1 || sscanf(line, "Private_Dirty: %lf", &x) == 1) n[PRIVATE] += sign * x, n[ALL] += sign > 0 ? x : 0;
    if (sscanf(line, "AnonHugePages: %lf", &x) == 1) n[HUGE] += sign * x;
  }
  if (f) fclose(f);
  f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "Threads: %lf", &x) == 1) n[THREADS] = x; /* all: those of Go run before main */
  if (f) fclose(f);
}

static void kernel(const portable_tile *t, void *args) {
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) ((double *)args)[i] = (double)i;
}

static void exchange(int ranks, double *u) {
  const int64_t global = 100 * (int64_t)ranks, extent = 102;
  const int32_t periodic = 1;
  portable_halo_box_options o = PORTABLE_HALO_BOX_OPTIONS_INIT;
  portable_halo halo;
  portable_fields fields;
  portable_array a;
  o.rank = 1;
  o.global = &global;
  o.periodic = &periodic;
  CHECK_STATUS(portable_mpi_halo_box("ring", MPI_COMM_WORLD, &o, &halo), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("u", PORTABLE_KIND_REAL64, 0, u, 1, &extent, NULL, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("ring", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "u", &a, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
  CHECK(u[0] == 100 && u[101] == 1);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
}

int main(int argc, char **argv) {
  double n[NUMBERS] = {0}, sum[NUMBERS], most[NUMBERS], begin;
  const int plain = argc > 1 && strcmp(argv[1], "plain") == 0;
  const portable_bounds bounds = portable_bounds_1(102);
  void *block = NULL;
  portable_pool pool;
  portable_stats stats;
  int rank = 0, ranks = 1;
  if (!plain) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  look(n, -1);
  begin = seconds();
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  n[START] = 1e6 * (seconds() - begin);
  CHECK_STATUS(portable_alloc(102 * sizeof(double), "u", &block), PORTABLE_OK);
  begin = seconds();
  CHECK_STATUS(portable_parallel_for("set", &bounds, kernel, block, 0, NULL), PORTABLE_OK);
  n[LAUNCH] = 1e6 * (seconds() - begin);
  look(n, 1);
  stats.struct_size = sizeof stats;
  CHECK_STATUS(portable_pool_default(&pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_stats(pool, &stats), PORTABLE_OK);
  n[POOL] = (double)stats.reserved_bytes / 1024;
  memcpy(sum, n, sizeof n);
  memcpy(most, n, sizeof n);
  if (!plain) {
    exchange(ranks, (double *)block);
    MPI_Reduce(n, sum, NUMBERS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(n, most, NUMBERS, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; i < NUMBERS && rank == 0; i++) printf("%d ranks: %s: mean %.0f, most %.0f\n", ranks, names[i], sum[i] / ranks, most[i]);
  CHECK_STATUS(portable_free(block), PORTABLE_OK);
  if (!plain) MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  rank = check_end();
  if (!plain) MPI_Finalize();
  return rank;
}
