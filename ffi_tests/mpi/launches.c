/* launches.c - launches and MPI: arrays that a launch has written go into messages and come back into the next; MPI calls inside a
 * kernel, where MPI allows them on that thread. Each rank's sums are known beforehand. Not in this file: the pool and
 * MPI alone (exchange.c). */
#include <mpi.h>
#include <portable.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 100000, STEPS = 300 };

static double *mine, *theirs;
static int rank, ranks, provided;
static double inside;

static void fail(const char *what) {
  printf("rank %d: %s: %s\n", rank, what, portable_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void set(const portable_tile *t, void *args) {
  int step = *(int *)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) mine[i] = rank + step + 1e-3 * (double)(i % 1000);
}

static void add(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) mine[i] += theirs[i];
}

/* One thread of each rank, whichever it is, takes part in a collective call. */
static void collective(const portable_tile *t, void *args) {
  double value = rank + 1, sum = 0;
  int64_t who = *(int64_t *)args;
  if (who < t->lower[0] || who > t->upper[0]) return;
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  inside = sum;
}

int main(int argc, char **argv) {
  portable_bounds b = portable_bounds_1(N);
  void *p;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (portable_init(NULL) != 0) fail("init");
  /* Bound to a core, or so many ranks on the node: there may be one thread; a second one is asked for, too. */
  for (int32_t threads = 1; threads <= 3; threads++) {
    if (portable_set_num_threads(threads) != 0) fail("threads");
    if (portable_alloc(N * sizeof(double), "mine", &p) != 0) fail("alloc");
    mine = p;
    if (portable_alloc(N * sizeof(double), "theirs", &p) != 0) fail("alloc");
    theirs = p;
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    for (int step = 0; step < STEPS / threads; step++) {
      if (portable_parallel_for("set", &b, set, &step, sizeof step, NULL) != 0) fail("set");
      MPI_Sendrecv(mine, N, MPI_DOUBLE, right, 0, theirs, N, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (portable_parallel_for("add", &b, add, NULL, 0, NULL) != 0) fail("add");
      for (int i = 0; i < N; i += 997)
        if (fabs(mine[i] - (rank + left + 2 * step + 2e-3 * (i % 1000))) > 1e-9) fail("a value");
    }
    if (portable_free(mine) != 0 || portable_free(theirs) != 0) fail("free");
    int64_t last = provided == MPI_THREAD_MULTIPLE ? N - 1 : 0; /* index 0 is always the launching thread's */
    for (int64_t who = 0; who <= last; who += N - 1) {
      inside = 0;
      if (portable_parallel_for("collective", &b, collective, &who, sizeof who, NULL) != 0) fail("collective");
      if (fabs(inside - 0.5 * ranks * (ranks + 1)) > 1e-9) fail("the sum of a collective call inside a kernel");
    }
  }
  if (portable_finalize() != 0) fail("finalize");
  MPI_Finalize();
  return 0;
}
