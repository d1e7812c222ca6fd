/* merged.c merged FILE - the timers of all ranks in one report (portable_mpi.h): on standard error, which run_mpi.sh looks at, and as JSON in
 * FILE. Not in this file: merging itself (exec/timers_merge_test.go), Fortran (merged.F90). */
#include <portable_mpi.h>

#include <stdio.h>

static int rank, failures;

static void want(portable_status status, portable_status wanted, const char *what) {
  if (status == wanted) return;
  printf("FAILED: rank %d: %s gave %s, not %s: %s\n", rank, what, portable_status_name(status), portable_status_name(wanted), portable_last_error());
  failures++;
}

int main(int argc, char **argv) {
  MPI_Comm backwards;
  int backwards_rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
  want(portable_mpi_timers_print(MPI_COMM_WORLD, NULL), PORTABLE_ERR_STATE, "before portable_init");
  want(portable_init(NULL), PORTABLE_OK, "portable_init");
  want(portable_mpi_timers_print(MPI_COMM_WORLD, NULL), PORTABLE_OK, "timers off"); /* and prints nothing */
  want(portable_timers_enable(PORTABLE_TIMERS_ON), PORTABLE_OK, "portable_timers_enable");
  want(portable_timer_start("main"), PORTABLE_OK, "start");
  for (int i = 0; i <= rank; i++) {
    want(portable_timer_start("work"), PORTABLE_OK, "start");
    want(portable_timer_stop("work"), PORTABLE_OK, "stop");
  }
  if (rank == 1) want(portable_timer_start("only one"), PORTABLE_OK, "start");
  if (rank == 1) want(portable_timer_stop("only one"), PORTABLE_OK, "stop");
  want(portable_timer_stop("main"), PORTABLE_OK, "stop");
  /* The rank of a report is the library's, for each caller. */
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  MPI_Comm_rank(backwards, &backwards_rank);
  want(portable_mpi_timers_print(backwards, backwards_rank == 0 ? argv[2] : "/nowhere"), PORTABLE_OK, "JSON");
  MPI_Comm_free(&backwards);
  want(portable_mpi_timers_print(MPI_COMM_WORLD, NULL), PORTABLE_OK, "standard error");
  want(portable_mpi_timers_print(MPI_COMM_WORLD, "/nonexistent/folder/times"), PORTABLE_ERR_ARG, "a folder that is not there");
  want(portable_finalize(), PORTABLE_OK, "portable_finalize");
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return failures > 0;
}
