/* dmplex.c - a mesh of triangles from PETSc's DMPlex, cut and with one layer of ghost cells; its PetscSF tells the owner of each ghost cell, from which
 * halo_lists makes the exchange of fields of any kinds. Each ghost cell gets the values of its centroid, which only its owner has computed.
 * Not in this file: solvers of PETSc (dmda.c). */
#include "check.h"

#include <mpi.h>
#include <petscdmplex.h>
#include <petscsf.h>
#include <portable_mpi.h>
#include <stdlib.h>

#define P(call) CHECK((call) == 0)
enum { RANKS = 16 };

/* The unit square as triangles, all of them on one rank. */
static DM triangles(int here) {
  enum { X = 9, Y = 7 };
  static PetscInt corner[2 * X * Y][3];
  static PetscReal at[(X + 1) * (Y + 1)][2];
  DM whole = NULL;
  for (int j = 0; j <= Y; j++)
    for (int i = 0; i <= X; i++) at[j * (X + 1) + i][0] = (PetscReal)i / X, at[j * (X + 1) + i][1] = (PetscReal)j / Y;
  for (int j = 0; j < Y; j++)
    for (int i = 0; i < X; i++) {
      const PetscInt v = j * (X + 1) + i;
      PetscInt(*const c)[3] = &corner[2 * (j * X + i)];
      c[0][0] = c[1][0] = v;
      c[0][1] = v + 1;
      c[0][2] = c[1][1] = v + X + 2;
      c[1][2] = v + X + 1;
    }
  P(DMPlexCreateFromCellListPetsc(PETSC_COMM_WORLD, 2, here ? 2 * X * Y : 0, here ? (X + 1) * (Y + 1) : 0, 3, PETSC_TRUE, &corner[0][0], 2, &at[0][0], &whole));
  return whole;
}

/* The halo of the cells of a mesh: a rank knows which cells it reads, and sends their numbers to the owners. */
static portable_halo halo_of(DM mesh, PetscInt cells, int ranks) {
  portable_halo_lists_options o = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  int32_t neighbour[RANKS];
  int64_t send_row[RANKS + 1] = {0}, recv_row[RANKS + 1] = {0}, *send = calloc((size_t)(cells + 1) * RANKS, sizeof *send), *recv = calloc((size_t)cells + 1, sizeof *recv);
  int64_t *wanted = calloc((size_t)cells + 1, sizeof *wanted);
  int wants[RANKS] = {0}, wants_at[RANKS] = {0}, sends[RANKS], sends_at[RANKS] = {0};
  const PetscInt *leaf;
  const PetscSFNode *owner;
  PetscInt leaves;
  PetscSF sf;
  portable_halo halo = 0;
  int count = 0;
  P(DMGetPointSF(mesh, &sf));
  P(PetscSFGetGraph(sf, NULL, &leaves, &leaf, &owner));
  for (int p = 0; p < ranks; p++) { /* ghost cells by owner; cells are the first points of a mesh, on each rank */
    wants_at[p] = count;
    for (PetscInt i = 0; i < leaves; i++) {
      const PetscInt point = leaf ? leaf[i] : i;
      if (owner[i].rank != p || point >= cells) continue;
      recv[count] = point;
      wanted[count++] = owner[i].index;
      wants[p]++;
    }
  }
  MPI_Alltoall(wants, 1, MPI_INT, sends, 1, MPI_INT, PETSC_COMM_WORLD);
  for (int p = 1; p < ranks; p++) sends_at[p] = sends_at[p - 1] + sends[p - 1];
  MPI_Alltoallv(wanted, wants, wants_at, MPI_INT64_T, send, sends, sends_at, MPI_INT64_T, PETSC_COMM_WORLD);
  for (int p = 0; p < ranks; p++) {
    neighbour[p] = p;
    send_row[p + 1] = send_row[p] + sends[p];
    recv_row[p + 1] = recv_row[p] + wants[p];
  }
  o.neighbours = ranks;
  o.neighbour = neighbour;
  o.send_row = send_row;
  o.send_index = send;
  o.recv_row = recv_row;
  o.recv_index = recv;
  CHECK_STATUS(portable_mpi_halo_lists("mesh", PETSC_COMM_WORLD, &o, &halo), PORTABLE_OK);
  CHECK(ranks == 1 || count > 0);
  free(wanted);
  free(recv);
  free(send);
  return halo;
}

int main(int argc, char **argv) {
  portable_fields fields;
  portable_array heights, moments;
  portable_halo halo;
  PetscInt begin, end, leaves;
  int64_t extent, two[2];
  int ranks, rank, *ghost;
  double (*centroid)[2], *h;
  float (*m)[2];
  const PetscInt *leaf;
  DM whole, mesh = NULL;
  PetscSF sf;
  P(PetscInitialize(&argc, &argv, NULL, NULL));
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  whole = triangles(rank == 0);
  P(DMSetBasicAdjacency(whole, PETSC_TRUE, PETSC_FALSE)); /* ghost cells are those across an edge */
  P(DMPlexDistribute(whole, 1, NULL, &mesh));
  if (!mesh) mesh = whole; /* one rank */
  P(DMPlexGetHeightStratum(mesh, 0, &begin, &end));
  CHECK(begin == 0 && end > 0);
  ghost = calloc((size_t)end, sizeof *ghost);
  centroid = calloc((size_t)end, sizeof *centroid);
  P(DMGetPointSF(mesh, &sf));
  P(PetscSFGetGraph(sf, NULL, &leaves, &leaf, NULL));
  for (PetscInt i = 0; i < leaves; i++)
    if ((leaf ? leaf[i] : i) < end) ghost[leaf ? leaf[i] : i] = 1;

  extent = two[0] = end;
  two[1] = 2;
  CHECK_STATUS(portable_array_create("h", PORTABLE_KIND_REAL64, 0, 1, &extent, NULL, &heights), PORTABLE_OK);
  CHECK_STATUS(portable_array_create("m", PORTABLE_KIND_REAL32, 0, 2, two, NULL, &moments), PORTABLE_OK);
  h = heights.data;
  m = moments.data;
  for (PetscInt c = 0; c < end; c++) {
    P(DMPlexComputeCellGeometryFVM(mesh, c, NULL, centroid[c], NULL));
    h[c] = ghost[c] ? -1 : 2 * centroid[c][0] + 3 * centroid[c][1];
    for (int k = 0; k < 2; k++) m[c][k] = ghost[c] ? -1 : (float)centroid[c][k];
  }
  halo = halo_of(mesh, end, ranks);
  CHECK_STATUS(portable_fields_create("mesh", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "h", &heights, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "m", &moments, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
  for (PetscInt c = 0; c < end; c++) {
    CHECK(h[c] == 2 * centroid[c][0] + 3 * centroid[c][1]);
    for (int k = 0; k < 2; k++) CHECK(m[c][k] == (float)centroid[c][k]);
  }
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&heights), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&moments), PORTABLE_OK);
  if (mesh != whole) P(DMDestroy(&mesh));
  P(DMDestroy(&whole));
  free(centroid);
  free(ghost);
  MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  const int failed = check_end();
  P(PetscFinalize());
  return failed;
}
