/* exact.c - a sum over all ranks whose bits do not depend on how many there are: each rank adds up its part of one long array, by a launch,
 * and MPI adds up the words. Every run prints the same line, which run_exact.sh compares. Not in this file: what an exact
 * sum is (internal/kernels). */
#include <mpi.h>
#include <portable.h>

#include <stdio.h>
#include <string.h>

enum { N = 100003 };

static double x[N];

static void add(const portable_tile *t, void *args, void *const *partial) {
  (void)args;
  portable_exact_add_array(partial[0], x + t->lower[0], (size_t)(t->upper[0] - t->lower[0] + 1));
  double *plain = partial[1];
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) *plain += x[i];
}

int main(int argc, char **argv) {
  int rank, ranks;
  portable_exact sum;
  double plain = 0, plain_sum = 0;
  portable_bounds b;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (portable_init(NULL) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < N; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    x[i] = ((double)(state >> 11) - 0x1p52) * (i % 3 ? 0x1p-90 : 0x1p-50);
  }
  int64_t lower = (int64_t)N * rank / ranks, upper = (int64_t)N * (rank + 1) / ranks - 1;
  portable_reduction r[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_EXACT, &sum),
                            PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &plain)};
  if (portable_bounds_make(1, PORTABLE_ORDER_C, &lower, &upper, NULL, &b) != 0 ||
      portable_parallel_reduce("sum", &b, add, NULL, 0, r, 2, NULL) != 0) {
    printf("rank %d: %s\n", rank, portable_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Allreduce(MPI_IN_PLACE, sum.word, PORTABLE_EXACT_WORDS, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&plain, &plain_sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double value = portable_exact_value(&sum);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  portable_exact_normalise(&sum);
  uint64_t words = 0;
  for (int i = 0; i < PORTABLE_EXACT_WORDS; i++) words = words * 31 + (uint64_t)sum.word[i];
  if (rank == 0) {
    double error = plain_sum - value;
    if (error > 1e-3 || error < -1e-3) printf("the plain sum is far away: %.17g\n", plain_sum);
    printf("exact sum %016llx words %016llx\n", (unsigned long long)bits, (unsigned long long)words);
  }
  int bad = portable_finalize() != 0;
  MPI_Finalize();
  return bad;
}
