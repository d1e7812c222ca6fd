/* portable_mpi.h - what a program with MPI would have to write by hand: the timers of all ranks in one report. For C and C++; its
 * twin in Fortran is portable_mpi.F90. Include it where mpi.h is included: the library itself knows nothing of MPI.
 *
 * All of it is inline, compiled by your compiler with your MPI. */
#ifndef PORTABLE_MPI_H
#define PORTABLE_MPI_H

#include <mpi.h>
#include <stdlib.h>

#include "portable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gathers the timers of the ranks of a communicator and prints them, merged, on its rank 0: path NULL: to standard error; else into a
 * file, as JSON where its name ends in .json. Collective: all ranks call it, between MPI_Init and MPI_Finalize, while the library runs.
 * Where timers are off on all ranks nothing is printed. path counts on rank 0 only.
 * Returns: the same on all ranks: 0, ERR_ARG (the file cannot be written, or a rank has 2 GiB of timers), ERR_NOMEM, ERR_STATE (a
 * rank where the library does not run). The text is that of the rank where it failed.  Since: 0.1 */
PORTABLE_INLINE portable_status portable_mpi_timers_print(MPI_Comm comm, const char *path) {
  int rank = 0, ranks = 1, all = 0, mine[3] = {0, 0, 0}; /* bytes, status, timers are on or there are some */
  int *theirs = NULL, *sizes = NULL, *places = NULL;
  char *pack = NULL, *packs = NULL;
  size_t needed = 0;
  int32_t i, status;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  mine[1] = portable_timers_pack(NULL, 0, &needed);
  if (mine[1] == PORTABLE_OK) {
    const size_t room = needed + 4096; /* another thread may have more labels by now */
    pack = (char *)malloc(room);
    mine[1] = !pack || room > 0x7fffffff ? PORTABLE_ERR_NOMEM : portable_timers_pack(pack, room, &needed);
    mine[0] = mine[1] == PORTABLE_OK ? (int)needed : 0;
    mine[2] = portable_timers_enabled() != PORTABLE_TIMERS_OFF;
  }
  if (rank == 0) {
    theirs = (int *)malloc(5 * (size_t)ranks * sizeof(int));
    if (!theirs) mine[1] = PORTABLE_ERR_NOMEM;
  }
  status = mine[1];
  MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT32_T, MPI_MIN, comm); /* errors are negative */
  MPI_Allreduce(MPI_IN_PLACE, &mine[2], 1, MPI_INT, MPI_MAX, comm);
  if (status == PORTABLE_OK && mine[2]) {
    MPI_Gather(mine, 3, MPI_INT, theirs, 3, MPI_INT, 0, comm);
    if (rank == 0) {
      sizes = theirs + 3 * ranks;
      places = sizes + ranks;
      for (i = 0; i < ranks; i++) {
        sizes[i] = theirs[3 * i];
        places[i] = all;
        if (sizes[i] > 0x7fffffff - all) status = PORTABLE_ERR_NOMEM;
        if (status == PORTABLE_OK) all += sizes[i];
      }
      packs = status == PORTABLE_OK ? (char *)malloc((size_t)all) : NULL;
      if (!packs) status = PORTABLE_ERR_NOMEM;
    }
    MPI_Bcast(&status, 1, MPI_INT32_T, 0, comm);
    if (status == PORTABLE_OK) {
      MPI_Gatherv(pack, mine[0], MPI_BYTE, packs, sizes, places, MPI_BYTE, 0, comm);
      if (rank == 0) status = portable_timers_merged_print(packs, (size_t)all, path);
      MPI_Bcast(&status, 1, MPI_INT32_T, 0, comm);
    }
  }
  free(packs);
  free(theirs);
  free(pack);
  return status;
}

#ifdef __cplusplus
}
#endif

#endif
