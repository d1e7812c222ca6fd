/* halo_lists.c - halos of lists on ranks: cells of a random graph, whose ghost cells are copies of cells of random owners, some of
 * them several times. Each ghost equals its owner's cell, additions are exact. Not in this file: boxes (halo.c). */
#include "halo.h"

enum { OWN = 9, GHOSTS = 14, LEVELS = 3, RANKS = 8 };

/* The owner and the cell of ghost g of a rank; all ranks compute the same. A rank has some ghosts of its own cells. */
static int owner_of(int rank, int g, int ranks) { return (rank * 7 + g * 5 + g / 3) % ranks; }
static int cell_of_ghost(int rank, int g) { return (rank + g * 4) % OWN; }

/* Ghosts of no neighbour come from nowhere: some ranks have few neighbours. */
static int has(int rank, int g) { return g < GHOSTS - 4 * (rank % 3); }

static void make(int rank, int ranks, portable_halo *halo) {
  portable_halo_lists_options o = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  int32_t neighbour[RANKS];
  int64_t send_row[RANKS + 1] = {1}, recv_row[RANKS + 1] = {1}, send[RANKS * GHOSTS], receive[GHOSTS];
  int i, g, sends = 0, receives = 0;
  for (i = 0; i < ranks; i++) {
    const int peer = (rank + i * (ranks > 2 ? ranks - 1 : 1)) % ranks; /* in no order */
    neighbour[i] = (int32_t)peer;
    for (g = 0; g < GHOSTS; g++) {
      if (has(peer, g) && owner_of(peer, g, ranks) == rank) send[sends++] = 1 + cell_of_ghost(peer, g);
      if (has(rank, g) && owner_of(rank, g, ranks) == peer) receive[receives++] = 1 + OWN + g;
    }
    send_row[i + 1] = sends + 1;
    recv_row[i + 1] = receives + 1;
  }
  o.neighbours = ranks;
  o.neighbour = neighbour;
  o.send_row = send_row;
  o.send_index = send;
  o.recv_row = recv_row;
  o.recv_index = receive;
  o.base = 1;
  CHECK_STATUS(portable_mpi_halo_lists("graph", MPI_COMM_WORLD, &o, halo), PORTABLE_OK);
}

static void check_refused(int rank, int ranks) {
  portable_halo_lists_options o = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  const int32_t neighbour[1] = {(int32_t)((rank + 1) % ranks)}, outside[1] = {(int32_t)ranks};
  const int64_t row[2] = {0, 2}, none[2] = {0, 0}, cells[2] = {0, 1};
  portable_halo halo = 7;
  o.neighbours = 1;
  o.neighbour = neighbour;
  o.send_row = row;
  o.send_index = cells;
  o.recv_row = none;
  /* no rank receives what is sent */
  CHECK_STATUS(portable_mpi_halo_lists("lost", MPI_COMM_WORLD, &o, &halo), PORTABLE_ERR_ARG);
  CHECK_TEXT(ranks == 1 ? "portable_halo_lists 'lost': neighbour 1 is this rank: 2 cells are sent and 0 received"
                        : "portable_halo_lists 'lost': rank 0 sends to a neighbour another number of cells than that one receives from it");
  CHECK(halo == 0);
  /* one rank is wrong: all of them get an error */
  o.neighbour = rank == ranks - 1 ? outside : neighbour;
  o.send_row = none;
  CHECK_STATUS(portable_mpi_halo_lists("one", MPI_COMM_WORLD, &o, &halo), PORTABLE_ERR_ARG);
  CHECK_TEXT(rank == ranks - 1 ? "neighbour 1 is rank" : "another rank has an error");
}

int main(int argc, char **argv) {
  static double levels[OWN + GHOSTS][LEVELS];
  static int64_t cells[OWN + GHOSTS], copies[RANKS][OWN];
  const int64_t extents[2] = {OWN + GHOSTS, LEVELS};
  portable_fields fields, one;
  portable_array a, b;
  portable_halo halo;
  int rank, ranks, g, k, r, step;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("levels", PORTABLE_KIND_REAL64, 0, levels, 2, extents, NULL, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("cells", PORTABLE_KIND_INT64, 0, cells, 1, extents, NULL, NULL, &b), PORTABLE_OK);
  make(rank, ranks, &halo);
  CHECK_STATUS(portable_fields_create("state", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "levels", &a, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "cells", &b, 0, NULL), PORTABLE_OK);
  forget_messages();
  for (step = 0; step < 3 && !check_failures; step++) {
    for (k = 0; k < OWN + GHOSTS; k++) {
      cells[k] = k < OWN ? 1000 * rank + 10 * k + step : -1;
      for (r = 0; r < LEVELS; r++) levels[k][r] = k < OWN ? cells[k] + r / 8.0 : -1;
    }
    CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
    for (g = 0; g < GHOSTS; g++) {
      const int64_t want = has(rank, g) ? 1000 * owner_of(rank, g, ranks) + 10 * cell_of_ghost(rank, g) + step : -1;
      CHECK(cells[OWN + g] == want);
      for (r = 0; r < LEVELS; r++) CHECK(levels[OWN + g][r] == (want < 0 ? -1 : (double)want + r / 8.0));
    }
  }
  CHECK(!doubled && sent <= ranks - 1 && received <= ranks - 1 && (ranks == 1 || sent + received > 0) && other_messages == 0);

  /* each ghost has a bit of its own, so that a sum tells which ones are in it */
  for (k = 0; k < OWN; k++) cells[k] = 0;
  for (g = 0; g < GHOSTS; g++) cells[OWN + g] = (int64_t)1 << (g + 14 * (rank % 4));
  for (r = 0; r < ranks; r++)
    for (g = 0; g < GHOSTS; g++)
      if (has(r, g)) copies[owner_of(r, g, ranks)][cell_of_ghost(r, g)] += (int64_t)1 << (g + 14 * (r % 4));
  CHECK_STATUS(portable_fields_create("one", &one), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(one, "cells", &b, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_add(halo, one, NULL), PORTABLE_OK);
  for (k = 0; k < OWN; k++) CHECK(cells[k] == copies[rank][k]);
  check_refused(rank, ranks);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_destroy(one), PORTABLE_OK);
  MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  k = check_end();
  MPI_Finalize();
  return k;
}
