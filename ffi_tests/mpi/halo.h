/* halo.h - what the tests of halos on ranks share: cells of a box, values of elements, counts of
 * messages by MPI's profiling interface. Not in this file: any test. */
#ifndef HALO_H
#define HALO_H

#include "check.h"

#include <mpi.h>
#include <portable_mpi.h>

/* Messages that were started since the last look, and whether a peer had two in one direction. */
static int sent, received, doubled;
static int no_memory; /* MPI has none for messages */
static int peers_of_set[2][64];

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request) {
  if (no_memory) return MPI_ERR_NO_MEM;
  sent++;
  if (peer < 64) doubled |= ++peers_of_set[0][peer] > 1;
  return PMPI_Send_init(buffer, count, type, peer, tag, comm, request);
}

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request) {
  received++;
  if (peer < 64) doubled |= ++peers_of_set[1][peer] > 1;
  return PMPI_Recv_init(buffer, count, type, peer, tag, comm, request);
}

static int started, other_messages;
int MPI_Startall(int count, MPI_Request requests[]) {
  started += count;
  return PMPI_Startall(count, requests);
}
int MPI_Send(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  other_messages++;
  return PMPI_Send(buffer, count, type, peer, tag, comm);
}
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request) {
  other_messages++;
  return PMPI_Isend(buffer, count, type, peer, tag, comm, request);
}

static inline void forget_messages(void) {
  sent = received = started = doubled = 0;
  memset(peers_of_set, 0, sizeof peers_of_set);
}

/* A box, and this rank's part of it. */
typedef struct box {
  int32_t rank, periodic[3], faces;
  int64_t global[3], width[3], first[3], last[3];
} box;

/* The number of the cell at a place of a field, whose ghost cells are counted; -1: outside of the domain, or not exchanged. */
static inline int64_t cell_of(const box *b, const int64_t *at, int *ghost) {
  int64_t number = 0;
  int outside = 0, d;
  for (d = 0; d < b->rank; d++) {
    int64_t x = b->first[d] + at[d] - b->width[d];
    outside += x < b->first[d] || x > b->last[d];
    if (x < 0 || x >= b->global[d]) {
      if (!b->periodic[d]) number = -1;
      x = (x + b->global[d]) % b->global[d];
    }
    if (number >= 0) number = number * b->global[d] + x;
  }
  *ghost = outside > 0;
  return b->faces && outside > 1 ? -1 : number;
}

/* An element's bytes: of its cell, its other index and its field. */
static inline void value_of(int64_t cell, int64_t other, int field, size_t bytes, unsigned char *to) {
  uint64_t x = (uint64_t)(cell + 1) * 0x9e3779b97f4a7c15u + (uint64_t)other * 0xbf58476d1ce4e5b9u + (uint64_t)field * 77;
  size_t i;
  for (i = 0; i < bytes; i++) {
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    to[i] = (unsigned char)(x >> 40);
  }
}

#endif
