/* random.c - a field of random numbers whose bits do not depend on the number of ranks: each rank fills its part by global cells, the first one
 * compares all parts with single calls. Not in this file: the bits themselves (ffi_tests/random). */
#include <mpi.h>
#include <portable.h>
#include <portable_random.h>

#include <stdio.h>
#include <stdlib.h>

enum { N = 100003 };

static double part[N], all[N];

int main(int argc, char **argv) {
  int rank, ranks, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (portable_init(NULL) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  const portable_random_key key = portable_random_key_make(2026, 17, 3);
  const int64_t first = ((int64_t)1 << 33) - 5;
  int *counts = calloc((size_t)ranks, sizeof *counts), *places = calloc((size_t)ranks, sizeof *places);
  for (int r = 0; r < ranks; r++) {
    places[r] = (int)((int64_t)N * r / ranks);
    counts[r] = (int)((int64_t)N * (r + 1) / ranks) - places[r];
  }
  for (int distribution = PORTABLE_RANDOM_UNIFORM; distribution <= PORTABLE_RANDOM_NORMAL; distribution++) {
    portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
    const int64_t count = counts[rank];
    o.distribution = distribution;
    o.first = first + places[rank];
    if (portable_random_fill("part", PORTABLE_KIND_REAL64, key, part, 1, &count, &o) != 0 || portable_fence() != 0) {
      fprintf(stderr, "%s\n", portable_last_error());
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Gatherv(part, counts[rank], MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int64_t n = 0; n < N && rank == 0; n++)
      wrong += all[n] != (distribution ? portable_random_normal(key, first + n, 0) : portable_random_real64(key, first + n, 0));
  }
  if (wrong) printf("FAILED: %d numbers differ on %d ranks\n", wrong, ranks);
  free(counts);
  free(places);
  portable_finalize();
  MPI_Finalize();
  return wrong != 0;
}
