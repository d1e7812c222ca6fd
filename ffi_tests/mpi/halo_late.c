/* halo_late.c late: in each exchange another rank comes late; the others wait for it, and all cells are right. dead: one rank is killed during an
 * exchange; the launcher ends the others (run_dead.sh), which wait in portable_halo_end. Not in this file: errors of ranks that live (halo_refused.c). */
#include "check.h"

#include <mpi.h>
#include <portable_mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 5000 };

int main(int argc, char **argv) {
  static double u[CELLS + 2];
  const int32_t periodic = 1;
  portable_halo_box_options o = PORTABLE_HALO_BOX_OPTIONS_INIT;
  portable_halo halo;
  portable_fields fields;
  portable_array a;
  int64_t global, extent = CELLS + 2;
  int rank, ranks, step;
  const int dead = argc > 1 && strcmp(argv[1], "dead") == 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  global = (int64_t)ranks * CELLS;
  o.rank = 1;
  o.global = &global;
  o.periodic = &periodic;
  CHECK_STATUS(portable_mpi_halo_box("line", MPI_COMM_WORLD, &o, &halo), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("u", PORTABLE_KIND_REAL64, 0, u, 1, &extent, NULL, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("state", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "u", &a, 0, NULL), PORTABLE_OK);
  for (step = 0; step < ranks + 2; step++) {
    u[1] = 1000 * rank + step;
    u[CELLS] = -u[1];
    if (dead && step == 2 && rank == ranks - 1) raise(SIGKILL);
    if (step % ranks == rank) usleep(100000);
    CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
    if ((step + 1) % ranks == rank) usleep(100000);
    CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
    CHECK(u[0] == -(1000 * ((rank + ranks - 1) % ranks) + step) && u[CELLS + 1] == 1000 * ((rank + 1) % ranks) + step);
  }
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  step = check_end();
  MPI_Finalize();
  return step;
}
