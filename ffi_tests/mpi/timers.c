/* timers.c profile_one|profile_all - timers on the ranks of MPI: reports of rank 0 only, or of each rank, and a file of each rank.
 * run_mpi.sh looks at what is printed. Not in this file: what timers measure (../timers). */
#include <mpi.h>
#include <portable.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;

static void must(portable_status status) {
  if (status == PORTABLE_OK) return;
  printf("rank %d: %s\n", rank, portable_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void kernel(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

int main(int argc, char **argv) {
  portable_bounds b = portable_bounds_1(100);
  int all = argc > 1 && strcmp(argv[1], "profile_all") == 0;
  portable_timer_stats s;
  s.struct_size = sizeof s;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  setenv("PORTABLE_PROFILE", all ? "all,json=mpi_timers.json" : "1", 1);
  must(portable_init(NULL));
  must(portable_timer_start("main"));
  for (int i = 0; i <= rank; i++) {
    must(portable_timer_start("exchange"));
    MPI_Barrier(MPI_COMM_WORLD);
    must(portable_timer_stop("exchange"));
    must(portable_parallel_for("loop", &b, kernel, NULL, 0, NULL));
  }
  for (int i = rank + 1; i < ranks; i++) MPI_Barrier(MPI_COMM_WORLD);
  must(portable_timer_stop("main"));
  must(portable_timer_get("loop", PORTABLE_TIMERS_OF_THREAD, &s));
  if (s.count != rank + 1) printf("rank %d: %d launches\n", rank, (int)s.count);
  for (int turn = 0; turn < ranks; turn++) { /* one after the other, so that the reports are not mixed */
    if (turn == rank) must(portable_finalize());
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return s.count != rank + 1;
}
