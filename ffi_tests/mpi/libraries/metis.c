/* metis.c - METIS cuts a graph into the parts of the ranks; halo_lists exchanges the nodes at the cuts. Each rank averages over neighbours for some
 * steps, and has the bits of one rank that has the whole graph. Every rank has the graph and calls METIS, which gives all of them the same parts.
 * Not in this file: lists of random graphs (halo_lists.c). */
#include "check.h"

#include <metis.h>
#include <mpi.h>
#include <portable_mpi.h>
#include <stdlib.h>

enum { N = 24, NODES = N * N, STEPS = 10 };

/* The graph: a torus of N x N nodes with one diagonal. */
static idx_t first[NODES + 1], to[6 * NODES], part[NODES];

static void graph(void) {
  static const int step[6][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {1, 1}};
  for (int i = 0; i < NODES; i++) {
    for (int k = 0; k < 6; k++) to[6 * i + k] = (i / N + step[k][0] + N) % N * N + (i % N + step[k][1] + N) % N;
    first[i + 1] = 6 * (i + 1);
  }
}

/* The nodes of this rank in ascending order, then those that it reads, by owner; local[i] is the place of node i, -1: none. */
static int own, all, node[NODES], local[NODES];

static portable_halo halo_of(int rank, int ranks) {
  portable_halo_lists_options o = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  static int32_t neighbour[64];
  static int64_t send_row[65], recv_row[65], send[NODES * 6], recv[NODES];
  portable_halo halo = 0;
  for (int i = 0; i < NODES; i++) local[i] = -1;
  for (int i = 0; i < NODES; i++)
    if (part[i] == rank) node[local[i] = own++] = i;
  all = own;
  for (int p = 0; p < ranks; p++) {
    const int n = o.neighbours;
    int64_t sends = send_row[n], recvs = recv_row[n];
    for (int i = 0; i < NODES && p != rank; i++) {
      int reads = 0; /* the other one, of its rank, is read by this one or reads it: the graph is symmetric */
      for (idx_t k = first[i]; k < first[i + 1]; k++) reads |= part[to[k]] == (part[i] == p ? rank : p);
      if (part[i] == p && reads) node[local[i] = all] = i, recv[recvs++] = all++;
      if (part[i] == rank && reads) send[sends++] = local[i];
    }
    if (sends == send_row[n] && recvs == recv_row[n]) continue;
    neighbour[n] = p;
    send_row[n + 1] = sends;
    recv_row[n + 1] = recvs;
    o.neighbours++;
  }
  o.neighbour = neighbour;
  o.send_row = send_row;
  o.send_index = send;
  o.recv_row = recv_row;
  o.recv_index = recv;
  CHECK_STATUS(portable_mpi_halo_lists("graph", MPI_COMM_WORLD, &o, &halo), PORTABLE_OK);
  return halo;
}

static double mean(const double *u, int i, const int *place) {
  double sum = 0;
  for (idx_t k = first[i]; k < first[i + 1]; k++) sum += u[place ? place[to[k]] : to[k]];
  return u[place ? place[i] : i] / 3 + sum / 9;
}

static double u[NODES], next[NODES], whole[NODES], whole_next[NODES];

static void update(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) next[i] = mean(u, node[i], local);
}

int main(int argc, char **argv) {
  idx_t nodes = NODES, weights = 1, parts, cut;
  portable_fields fields;
  portable_array a;
  portable_halo halo;
  int64_t extent;
  int rank, ranks, failed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  graph();
  parts = ranks;
  if (ranks > 1) CHECK(METIS_PartGraphKway(&nodes, &weights, first, to, NULL, NULL, NULL, &parts, NULL, NULL, NULL, &cut, part) == METIS_OK);
  halo = halo_of(rank, ranks);
  CHECK(own > 0 && (ranks == 1 || (own < NODES && all > own)));
  extent = all;
  CHECK_STATUS(portable_array_wrap("u", PORTABLE_KIND_REAL64, 0, u, 1, &extent, NULL, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("graph", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "u", &a, 0, NULL), PORTABLE_OK);
  for (int i = 0; i < NODES; i++) whole[i] = i % 7 + i / 11.0;
  for (int i = 0; i < own; i++) u[i] = whole[node[i]];
  for (int step = 0; step < STEPS; step++) {
    const portable_bounds bounds = portable_bounds_1(own);
    CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_parallel_for("mean", &bounds, update, NULL, 0, NULL), PORTABLE_OK);
    for (int i = 0; i < own; i++) u[i] = next[i];
    for (int i = 0; i < NODES; i++) whole_next[i] = mean(whole, i, NULL);
    for (int i = 0; i < NODES; i++) whole[i] = whole_next[i];
  }
  for (int i = 0; i < own; i++) CHECK(u[i] == whole[node[i]]);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  failed = check_end();
  MPI_Finalize();
  return failed;
}
