/* portable_mpi.h - what a program with MPI would have to write by hand: ghost cells from neighbours, particles that change ranks, the timers of
 * all ranks in one report.
 * For C and C++; its twin in Fortran is portable_mpi.F90. Include it where mpi.h is included: the library itself knows nothing of MPI.
 * Not in this file: fields and exchanges (portable_halo.h), C++ (portable_mpi.hpp).
 *
 * All of it is inline, compiled by your compiler with your MPI. */
#ifndef PORTABLE_MPI_H
#define PORTABLE_MPI_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- halos --------------------------------------------------------------------------------------- */

/* The transport of a halo: a communicator of its own, so that its messages are no others. */
typedef struct portable__mpi {
  MPI_Comm comm;
  MPI_Datatype sixteen; /* bytes: messages of 2 GiB and more are counted in these */
  int64_t number;       /* above 0: it serves ghost particles, and has this number on all of its ranks */
  struct portable__mpi *next;
} portable__mpi;

typedef struct portable__mpi_set {
  int count;
  MPI_Request *requests;
  MPI_Status *statuses;
  char *takes; /* 1: a message that receives bytes */
} portable__mpi_set;

PORTABLE_INLINE int32_t portable__mpi_agree(void *context, int64_t *values, int32_t count, int32_t sum) {
  return MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, sum ? MPI_SUM : MPI_MAX, ((portable__mpi *)context)->comm);
}

PORTABLE_INLINE void portable__mpi_release(void *context, void *set) {
  portable__mpi_set *const s = (portable__mpi_set *)set;
  int i, ended = 0;
  (void)context;
  MPI_Finalized(&ended);
  for (i = 0; i < s->count && !ended; i++) MPI_Request_free(&s->requests[i]);
  free(s->requests);
  free(s->statuses);
  free(s->takes);
  free(s);
}

PORTABLE_INLINE int32_t portable__mpi_prepare(void *context, const portable_message *messages, int32_t count, void **set_out) {
  const portable__mpi *const mpi = (const portable__mpi *)context;
  portable__mpi_set *const s = (portable__mpi_set *)malloc(sizeof *s);
  int32_t code = MPI_SUCCESS;
  *set_out = NULL;
  if (!s) return MPI_ERR_NO_MEM;
  s->count = 0;
  s->requests = (MPI_Request *)malloc((size_t)count * sizeof *s->requests);
  s->statuses = (MPI_Status *)malloc((size_t)count * sizeof *s->statuses);
  s->takes = (char *)malloc((size_t)count);
  if (!s->requests || !s->statuses || !s->takes) code = MPI_ERR_NO_MEM;
  for (; s->count < count && code == MPI_SUCCESS; s->count += code == MPI_SUCCESS) {
    const portable_message *const m = &messages[s->count];
    const int large = m->bytes > 0x7fffffff, n = (int)(large ? m->bytes / 16 : m->bytes);
    const MPI_Datatype type = large ? mpi->sixteen : MPI_BYTE;
    s->takes[s->count] = (char)(m->receives && m->bytes);
    code = m->receives ? MPI_Recv_init(m->data, n, type, m->rank, m->tag, mpi->comm, &s->requests[s->count])
                       : MPI_Send_init(m->data, n, type, m->rank, m->tag, mpi->comm, &s->requests[s->count]);
  }
  if (code == MPI_SUCCESS) *set_out = s;
  else portable__mpi_release(context, s);
  return code;
}

PORTABLE_INLINE int32_t portable__mpi_start(void *context, void *set, int32_t first, int32_t count) {
  (void)context;
  return MPI_Startall(count, ((portable__mpi_set *)set)->requests + first);
}

PORTABLE_INLINE int32_t portable__mpi_finish(void *context, void *set) {
  portable__mpi_set *const s = (portable__mpi_set *)set;
  int i, bytes = 0, code = MPI_Waitall(s->count, s->requests, s->statuses);
  (void)context;
  for (i = 0; i < s->count && code == MPI_SUCCESS; i++)
    if (s->takes[i] && (code = MPI_Get_count(&s->statuses[i], MPI_BYTE, &bytes)) == MPI_SUCCESS && bytes == 0) return PORTABLE_MESSAGE_EMPTY - i;
  return code;
}

PORTABLE_INLINE void portable__mpi_end(void *context) {
  portable__mpi *const mpi = (portable__mpi *)context;
  int ended = 0;
  MPI_Finalized(&ended);
  if (!ended) {
    MPI_Type_free(&mpi->sixteen);
    MPI_Comm_free(&mpi->comm);
  }
  free(mpi);
}

PORTABLE_INLINE int32_t portable__mpi_all_to_all(void *context, const void *give, const int32_t *give_count, const int32_t *give_at, void *take,
                                                 const int32_t *take_count, const int32_t *take_at) {
  const portable__mpi *const mpi = (const portable__mpi *)context;
  if (!give_count) return MPI_Alltoall(give, 1, mpi->sixteen, take, 1, mpi->sixteen, mpi->comm);
  return MPI_Alltoallv(give, give_count, give_at, mpi->sixteen, take, take_count, take_at, mpi->sixteen, mpi->comm);
}

/* Fills in the messenger over a communicator of its own. */
PORTABLE_INLINE void portable__mpi_over(portable__mpi *mpi, portable_messenger *messenger) {
  int rank, ranks;
  MPI_Comm_rank(mpi->comm, &rank);
  MPI_Comm_size(mpi->comm, &ranks);
  memset(messenger, 0, sizeof *messenger);
  messenger->struct_size = (uint32_t)sizeof *messenger;
  messenger->rank = rank;
  messenger->ranks = ranks;
  messenger->device_memory = -1; /* MPI knows */
  messenger->context = mpi;
  messenger->agree = portable__mpi_agree;
  messenger->prepare = portable__mpi_prepare;
  messenger->start = portable__mpi_start;
  messenger->finish = portable__mpi_finish;
  messenger->release = portable__mpi_release;
  messenger->end = portable__mpi_end;
  messenger->all_to_all = portable__mpi_all_to_all;
}

/* Makes the messenger of a communicator; 0: no memory on some rank. Collective. */
PORTABLE_INLINE int portable__mpi_messenger(MPI_Comm comm, portable_messenger *messenger) {
  portable__mpi *const mpi = (portable__mpi *)malloc(sizeof *mpi);
  int made = mpi != NULL;
  MPI_Allreduce(MPI_IN_PLACE, &made, 1, MPI_INT, MPI_MIN, comm);
  if (!made) {
    free(mpi);
    return 0;
  }
  MPI_Comm_dup(comm, &mpi->comm);
  MPI_Type_contiguous(16, MPI_BYTE, &mpi->sixteen);
  MPI_Type_commit(&mpi->sixteen);
  mpi->number = 0;
  mpi->next = NULL;
  portable__mpi_over(mpi, messenger);
  return 1;
}

/* Transports of ghost particles that no halo has, in ascending order of numbers: a call per step would else copy a communicator each time. */
PORTABLE_INLINE portable__mpi **portable__mpi_idle(void) {
  static portable__mpi *first = NULL;
  return &first;
}

/* Ends all of them: an attribute of MPI_COMM_SELF, which MPI_Finalize deletes first. */
PORTABLE_INLINE int portable__mpi_drop(MPI_Comm comm, int key, void *value, void *extra) {
  portable__mpi *mpi = *portable__mpi_idle(), *next;
  (void)comm, (void)key, (void)value, (void)extra;
  *portable__mpi_idle() = NULL;
  for (; mpi; mpi = next) {
    next = mpi->next;
    portable__mpi_end(mpi);
  }
  return MPI_SUCCESS;
}

/* Ends a transport of ghost particles: it waits for the next call. */
PORTABLE_INLINE void portable__mpi_keep(void *context) {
  portable__mpi *const mpi = (portable__mpi *)context;
  portable__mpi **at = portable__mpi_idle();
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended || !portable_is_initialized()) { /* messages may be in progress */
    portable__mpi_end(mpi);
    return;
  }
  while (*at && (*at)->number < mpi->number) at = &(*at)->next;
  mpi->next = *at;
  *at = mpi;
}

/* A transport that is idle on all ranks and of the same ranks in the same order, else a new one. */
PORTABLE_INLINE int portable__mpi_ghosts_messenger(MPI_Comm comm, portable_messenger *messenger) {
  static int64_t last = 0;
  static int registered = 0;
  portable__mpi **at = portable__mpi_idle(), *mpi;
  int64_t numbers[2] = {0, 0};
  int same = MPI_UNEQUAL, key;
  for (; *at; at = &(*at)->next)
    if (MPI_Comm_compare(comm, (*at)->comm, &same) == MPI_SUCCESS && same == MPI_CONGRUENT) break;
  mpi = *at;
  if (mpi) numbers[0] = mpi->number, numbers[1] = -mpi->number;
  MPI_Allreduce(MPI_IN_PLACE, numbers, 2, MPI_INT64_T, MPI_MIN, comm);
  if (mpi && numbers[0] > 0 && numbers[0] == -numbers[1]) {
    *at = mpi->next;
    portable__mpi_over(mpi, messenger);
  } else {
    if (!portable__mpi_messenger(comm, messenger)) return 0;
    mpi = (portable__mpi *)messenger->context;
    mpi->number = ++last; /* rank 0's number */
    MPI_Bcast(&mpi->number, 1, MPI_INT64_T, 0, mpi->comm);
    if (!registered && MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, portable__mpi_drop, &key, NULL) == MPI_SUCCESS) {
      registered = 1;
      MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
      MPI_Comm_free_keyval(&key);
    }
  }
  messenger->end = portable__mpi_keep;
  return 1;
}

/* portable_halo_box on the ranks of a communicator. Options that are NULL: of a communicator with a Cartesian topology grid and periods are its
 * own; else MPI_Dims_create chooses the grid, with most ranks along the dimension with most cells.
 * Ownership: the halo has a copy of the communicator; destroy it before MPI_Finalize.
 * Returns: as portable_halo_box.  Since: 0.1 */
PORTABLE_INLINE portable_status portable_mpi_halo_box(const char *label, MPI_Comm comm, const portable_halo_box_options *options, portable_halo *halo_out) {
  portable_halo_box_options o = PORTABLE_HALO_BOX_OPTIONS_INIT;
  portable_messenger messenger;
  int topology = MPI_UNDEFINED, ranks = 1, rank, d, k, dims[3] = {0, 0, 0};
  int32_t grid[3] = {1, 1, 1}, periodic[3] = {0, 0, 0};
  if (halo_out) *halo_out = 0;
  if (!portable__mpi_messenger(comm, &messenger)) return PORTABLE_ERR_NOMEM;
  if (!options || options->struct_size != sizeof o || options->rank < 1 || options->rank > 3 || !options->global)
    return portable_halo_box(label, &messenger, options, halo_out); /* refuses them */
  o = *options;
  rank = (int)o.rank;
  MPI_Topo_test(comm, &topology);
  MPI_Comm_size(comm, &ranks);
  if (topology == MPI_CART) {
    int count = 0, *all;
    MPI_Cartdim_get(comm, &count);
    all = (int *)calloc(3 * (size_t)(count > 3 ? count : 3), sizeof *all);
    if (all) MPI_Cart_get(comm, count, all, all + count, all + 2 * count);
    for (d = 0; d < rank && d < count && all; d++) {
      grid[d] = (int32_t)all[d];
      periodic[d] = (int32_t)all[count + d];
    }
    free(all);
  } else {
    MPI_Dims_create(ranks, rank, dims); /* falling: the largest one for the dimension with most cells */
    for (d = 0; d < rank; d++) {
      int before = 0;
      for (k = 0; k < rank; k++) before += o.global[k] > o.global[d] || (o.global[k] == o.global[d] && k < d);
      grid[d] = (int32_t)dims[before];
    }
  }
  if (!o.grid) o.grid = grid;
  if (!o.periodic) o.periodic = periodic;
  return portable_halo_box(label, &messenger, &o, halo_out);
}

/* portable_halo_lists on the ranks of a communicator; neighbours are its ranks.
 * Ownership: as portable_mpi_halo_box.  Returns: as portable_halo_lists.  Since: 0.1 */
PORTABLE_INLINE portable_status portable_mpi_halo_lists(const char *label, MPI_Comm comm, const portable_halo_lists_options *options,
                                                        portable_halo *halo_out) {
  portable_messenger messenger;
  if (halo_out) *halo_out = 0;
  if (!portable__mpi_messenger(comm, &messenger)) return PORTABLE_ERR_NOMEM;
  return portable_halo_lists(label, &messenger, options, halo_out);
}

/* ---- particles ----------------------------------------------------------------------------------- */

/* portable_particles_migrate on the ranks of a communicator; owners are its ranks. It is MPI_Allreduce three times, MPI_Alltoall and MPI_Alltoallv.
 * Returns: as portable_particles_migrate.  Since: 0.1 */
PORTABLE_INLINE portable_status portable_mpi_particles_migrate(const char *label, MPI_Comm comm, const int32_t *owner, int64_t count, portable_fields fields,
                                                               const portable_launch_config *launch, int64_t *count_out) {
  portable__mpi mpi;
  portable_messenger messenger;
  portable_status status;
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  mpi.comm = comm; /* no copy: all of it is collective */
  MPI_Type_contiguous(16, MPI_BYTE, &mpi.sixteen);
  MPI_Type_commit(&mpi.sixteen);
  memset(&messenger, 0, sizeof messenger);
  messenger.struct_size = (uint32_t)sizeof messenger;
  messenger.rank = rank;
  messenger.ranks = ranks;
  messenger.device_memory = -1;
  messenger.context = &mpi;
  messenger.agree = portable__mpi_agree;
  messenger.all_to_all = portable__mpi_all_to_all;
  status = portable_particles_migrate(label, &messenger, owner, count, fields, launch, count_out);
  MPI_Type_free(&mpi.sixteen);
  return status;
}

/* portable_particles_ghosts on the ranks of a communicator. The halo has a copy of it: destroy it before MPI_Finalize. Copies that no halo has any
 * more serve later calls of this function with the same ranks; MPI_Finalize frees them. So a call in each step makes none.
 * Threads: one call at a time.  Returns: as portable_particles_ghosts.  Since: 0.1 */
PORTABLE_INLINE portable_status portable_mpi_particles_ghosts(const char *label, MPI_Comm comm, int32_t kind, int32_t rank, const void *const *position,
                                                              int64_t count, double cutoff, const portable_ghosts_options *options, portable_fields fields,
                                                              portable_halo *halo, int64_t *count_out) {
  portable_messenger messenger;
  if (!portable__mpi_ghosts_messenger(comm, &messenger)) return PORTABLE_ERR_NOMEM;
  return portable_particles_ghosts(label, &messenger, kind, rank, position, count, cutoff, options, fields, halo, count_out);
}

#ifdef __cplusplus
}
#endif

#endif
