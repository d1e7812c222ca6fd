/* portable_halo.h - ghost cells: which cells of which fields a rank gets from its neighbours, and their exchange. Part of portable.h; include that.
 *
 *     portable_fields_create("state", &state);
 *     portable_fields_add(state, "h", &h, 0, NULL);
 *     portable_mpi_halo_box("ghosts", comm, &options, &ghosts);            // portable_mpi.h
 *     portable_halo_begin(ghosts, state, NULL);                            // each step; work on inner cells goes here
 *     portable_halo_end(ghosts, state, NULL);
 *
 * In this file: fields, halos and their exchange, particles that migrate, over any transport. Not in this file: MPI and restart files, which portable_mpi.h and
 * portable_hdf5.h add, compiled by the user.
 *
 * The rules at the head of portable.h hold. In addition:
 *   Cells:      are shared among the ranks of a grid: n cells among p ranks are n/p each, and one more on the first n mod p ranks.
 *   Collective: all ranks call the functions that say so, in the same order, with fields of the same names, kinds and shapes.
 *   Messages:   one for each neighbour, whatever the number of fields is; a rank sends none to itself.
 *   Errors:     of one rank are errors on all of them in a collective call, and in the first exchange of a halo and fields. In later exchanges its
 *               neighbours get an error when they end the exchange; but a rank that gives a handle of nothing has no neighbours to notify.
 *   Devices:    launches on a CUDA device pack there. Messages are in pinned memory, or in that of the device where the transport takes it.
 *   Threads:    a halo and its fields are used by one thread at a time, which may call MPI (MPI_THREAD_FUNNELED).
 */
#ifndef PORTABLE_HALO_H
#define PORTABLE_HALO_H

#ifndef PORTABLE_ARRAY_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A list of fields, and a halo. 0 is none; a handle of a destroyed one is recognised and refused. */
typedef uint64_t portable_fields;
typedef uint64_t portable_halo;

/* ---- fields -------------------------------------------------------------------------------------- */

/* Makes an empty list of fields. label (NULL: "fields") is for messages.
 * Ownership: caller owns the handle until portable_fields_destroy.
 * Returns: 0, ERR_ARG (fields_out NULL), ERR_NOMEM, ERR_FORK.  Since: 0.1 */
portable_status portable_fields_create(const char *label, portable_fields *fields_out);

/* Adds an array of any kind and of rank 1 to 7. name is for messages, and differs from those of the other fields. dims says which dimension of the
 * array, counted from 0, is which one of the halo; count 0: of a box the dimensions that run fastest, in the order of the indices; of lists the
 * one that runs slowest.
 * Shapes: dims[count], count 0 to 3. Extents are tested by the first exchange.
 * Ownership: the list is one more holder of the array. Memory that an array wraps stays until the list is destroyed.
 * Returns: 0, ERR_ARG (NULL, a name that exists, no array, rank, dims), ERR_STATE (an exchange has used the list: make another one), ERR_NOMEM,
 * ERR_HANDLE, ERR_FORK.  Since: 0.1 */
portable_status portable_fields_add(portable_fields fields, const char *name, const portable_array *array, int32_t count, const int32_t *dims);

/* Ends a list. 0 is accepted and does nothing.
 * Returns: 0, ERR_HANDLE, ERR_STATE (between begin and end; portable_halo_cancel ends an exchange).  Since: 0.1 */
portable_status portable_fields_destroy(portable_fields fields);

/* ---- transport ----------------------------------------------------------------------------------- */

/* A message of an exchange. */
typedef struct portable_message {
  void   *data;
  int64_t bytes;    /* a multiple of 16; 0: tells the other rank that this one has an error */
  int32_t rank;     /* the other rank */
  int32_t tag;      /* 0 to 32767; both ranks have the same */
  int32_t receives; /* 1: comes from that rank; 0: goes there */
  int32_t reserved;
} portable_message;

#define PORTABLE_MESSAGE_EMPTY (-1)

/* How the ranks of a halo reach each other: functions over context, called by the thread that uses the halo. Those that give int32_t give 0, or
 * a code that the error names. portable_mpi.h and portable_mpi.F90 have the functions of MPI. */
typedef struct portable_messenger {
  uint32_t struct_size;  /* sizeof(portable_messenger) */
  int32_t  rank, ranks;  /* this rank, counted from 0, and all */
  int32_t  device_memory; /* 1: messages may be in the memory of a CUDA device; 0: not; -1: as MPIX_Query_cuda_support of the program says. The
                             variable PORTABLE_MPI_DEVICE (0 or 1) overrules it */
  void    *context;
  int32_t (*agree)(void *context, int64_t *values, int32_t count, int32_t sum); /* each value becomes the largest of all ranks, or with sum 1 the sum */
  int32_t (*prepare)(void *context, const portable_message *messages, int32_t count, void **set_out); /* messages that are sent again and again */
  int32_t (*start)(void *context, void *set, int32_t first, int32_t count);
  /* Waits for all messages of the set. PORTABLE_MESSAGE_EMPTY - i: message i of the set, which receives bytes, came without any. */
  int32_t (*finish)(void *context, void *set);
  void (*release)(void *context, void *set);
  void (*end)(void *context); /* the halo was destroyed, or not made */
  /* For migrations; NULL: there are none. Data for each rank and from each rank, in pieces of 16 bytes: rank r gets give_count[r] of them from the
     place give_at[r] of give on, and so on. All counts and places NULL: one piece for each rank, in their order. */
  int32_t (*all_to_all)(void *context, const void *give, const int32_t *give_count, const int32_t *give_at, void *take, const int32_t *take_count,
                        const int32_t *take_at);
} portable_messenger;

/* ---- halos --------------------------------------------------------------------------------------- */

/* Options of a structured halo. */
typedef struct portable_halo_box_options {
  uint32_t struct_size;     /* sizeof(portable_halo_box_options), set by PORTABLE_HALO_BOX_OPTIONS_INIT */
  int32_t  rank;            /* dimensions that are shared among ranks, 1 to 3 */
  const int64_t *global;    /* [rank]: cells of all ranks */
  const int64_t *width;     /* [rank]: ghost cells at each side, 0 or more; NULL: 1 */
  const int32_t *periodic;  /* [rank]: 1: the last cell is a neighbour of the first one; NULL: of MPI what the communicator says, else 0 */
  const int32_t *grid;      /* [rank]: ranks along each dimension; NULL: of MPI what the communicator says, else chosen; ranks are numbered as
                               MPI_Cart_create does, along the last dimension first */
  int32_t  faces;           /* 1: only neighbours along one dimension; 0: corners too */
  int32_t  reserved;        /* 0 */
} portable_halo_box_options;

#define PORTABLE_HALO_BOX_OPTIONS_INIT { (uint32_t)sizeof(portable_halo_box_options), 0, NULL, NULL, NULL, NULL, 0, 0 }

/* Makes the halo of a block of cells in a grid of ranks. A field has, in each of these dimensions, the rank's own cells with `width` ghost cells
 * before and after them. Ghost cells outside of the whole domain are not touched. Collective. label (NULL: "halo") names the halo in messages, and
 * its launches. messenger NULL: there is one rank.
 * Ownership: caller owns the handle until portable_halo_destroy; arguments are copied. The messenger's context is the halo's, also after an error.
 * Returns: the same on all ranks, but ERR_FORK: 0, ERR_ARG (NULL, rank, extents, a grid of another number of ranks, a width above the cells of a
 * rank, arguments that differ between ranks), ERR_NOMEM, ERR_DEVICE (the transport failed).  Since: 0.1 */
portable_status portable_halo_box(const char *label, const portable_messenger *messenger, const portable_halo_box_options *options, portable_halo *halo_out);

/* Options of an unstructured halo: for each neighbour the own cells that it needs, and the ghost cells that it owns, in one order. */
typedef struct portable_halo_lists_options {
  uint32_t struct_size;      /* sizeof(portable_halo_lists_options), set by PORTABLE_HALO_LISTS_OPTIONS_INIT */
  int32_t  neighbours;       /* ranks to exchange with; this one may be one of them */
  const int32_t *neighbour;  /* [neighbours]: their ranks */
  const int64_t *send_row, *send_index; /* cells for neighbour i: send_index[send_row[i]] to send_index[send_row[i+1]-1] */
  const int64_t *recv_row, *recv_index; /* ghost cells from neighbour i, alike; rows have neighbours+1 entries */
  int64_t  base;             /* what rows and cells are counted from: 0 or 1 */
} portable_halo_lists_options;

#define PORTABLE_HALO_LISTS_OPTIONS_INIT { (uint32_t)sizeof(portable_halo_lists_options), 0, NULL, NULL, NULL, NULL, NULL, 0 }

/* Makes the halo of lists of cells, for graphs and meshes. A cell may be sent to several neighbours, and several times to one; a ghost cell is
 * received once. All else is as in portable_halo_box.
 * Returns: as portable_halo_box; ERR_ARG also for a rank, a row or a cell that does not exist, a cell received twice or sent and received, and for
 * neighbours whose lists have different lengths.  Source: PetscSF, GHEX.  Since: 0.1 */
portable_status portable_halo_lists(const char *label, const portable_messenger *messenger, const portable_halo_lists_options *options,
                                    portable_halo *halo_out);

/* The first and the last own cell in each dimension, of all cells counted from 0; of an empty block last is first-1.
 * Shapes: first[rank], last[rank] of the options.
 * Returns: 0, ERR_ARG (NULL, a halo of lists), ERR_HANDLE.  Since: 0.1 */
portable_status portable_halo_own(portable_halo halo, int64_t *first, int64_t *last);

/* Bounds of the own cells that read no ghost cell within `width`, and of the others: at most two boxes for each dimension, which share no cell. order is
 * PORTABLE_ORDER_...; lower (NULL: 0 in C order, else 1) has the indices of the first own cell. Bounds without a cell have upper below lower.
 * Shapes: lower[rank], rim_out[6].
 * Returns: 0, ERR_ARG (NULL, order, a halo of lists), ERR_HANDLE.  Since: 0.1 */
portable_status portable_halo_split(portable_halo halo, int32_t order, const int64_t *lower, portable_bounds *inner_out, portable_bounds *rim_out,
                                    int32_t *count_out);

/* Ends a halo. 0 is accepted and does nothing. Call it before the transport ends; over MPI it is collective, because it frees a communicator.
 * Returns: 0, ERR_HANDLE, ERR_STATE (between begin and end).  Since: 0.1 */
portable_status portable_halo_destroy(portable_halo halo);

/* ---- exchange ------------------------------------------------------------------------------------ */

/* Begins an exchange: packs the own cells that neighbours need by one launch, and starts all messages. Until portable_halo_end these own cells may
 * be read and written, ghost cells neither. The first call for a halo and fields plans and is collective; the list of fields stays as it is then.
 * launch: device, stream, schedule; NULL: the default ones. An asynchronous stream is waited for. If the launch fails, the exchange has begun
 * nevertheless, because the neighbours' messages come; they get an error at the end of it, as they do if this rank has an error before its launch.
 * Returns: 0, ERR_ARG (an extent that does not fit, fields that differ between ranks), ERR_STATE (begun, or no field), ERR_HANDLE, ERR_NOMEM,
 * ERR_POINTER, ERR_DEVICE (the transport failed), and what portable_parallel_for says.  Source: GHEX, DMGlobalToLocalBegin.  Since: 0.1 */
portable_status portable_halo_begin(portable_halo halo, portable_fields fields, const portable_launch_config *launch);

/* Ends an exchange: waits for the messages, and unpacks them into the ghost cells by one launch.
 * Returns: as portable_halo_begin; ERR_STATE also if the exchange was not begun, or if a neighbour had an error in it: then no ghost cell is
 * written.  Since: 0.1 */
portable_status portable_halo_end(portable_halo halo, portable_fields fields, const portable_launch_config *launch);

/* Ends all exchanges of a halo that are in progress, and writes no ghost cell: waits for the messages of neighbours, who have begun too. For the
 * way out of an error, before fields and halo are destroyed.
 * Returns: 0 (also if none is in progress), ERR_STATE (a neighbour had an error), ERR_HANDLE, ERR_DEVICE (the transport failed).  Since: 0.1 */
portable_status portable_halo_cancel(portable_halo halo);

/* Adds ghost cells to the cells that they are copies of, on the ranks that own these. Several additions to one cell have a fixed order: that of
 * the directions of a box, or that of the neighbours' ranks. Ghost cells keep their values. Fields are of integer, real or complex kinds.
 * The first call for a halo and fields is collective.
 * Returns: as portable_halo_begin; ERR_ARG also for a field of another kind.  Source: DMLocalToGlobal with ADD_VALUES.  Since: 0.1 */
portable_status portable_halo_add(portable_halo halo, portable_fields fields, const portable_launch_config *launch);

/* ---- particles ----------------------------------------------------------------------------------- */

/* Sends particles to the ranks that own them: all fields of a list move together. A field has room for more particles than are there; the first
 * `count` places along one dimension (dims of portable_fields_add, else the one that runs slowest) are particles. Afterwards the particles that
 * stay are first, in their old order, then those that have come, by source rank and then in the order that they had there. So the same particles
 * have the same bits and places in each run. Places behind the last particle have any values. Collective. label (NULL: "particles") is for messages.
 * messenger NULL: there is one rank.
 * Shapes: owner[count], in memory that the host can access: ranks, counted from 0.
 * Ownership: none; the messenger's functions release and end are not called.
 * Memory: the order of particles (8 bytes each), and the messages.
 * Errors: on all ranks if one has them, before a particle has moved. After an error of the transport, or of the launch that unpacks, which all ranks
 * get too, fields have any values.
 * Returns: 0 and in count_out the number of particles after; ERR_ARG (an owner that is no rank, a field without room for the particles that arrive or
 * are there, fields that differ between ranks, NULL, count), ERR_STATE (an exchange of the list is in progress, memory that was released),
 * ERR_POINTER (owner), ERR_HANDLE, ERR_NOMEM, ERR_DEVICE (the transport failed), and what portable_sort_index and portable_parallel_for say.
 * Source: openfpm's map, Cabana's Migrate.  Since: 0.1 */
portable_status portable_particles_migrate(const char *label, const portable_messenger *messenger, const int32_t *owner, int64_t count,
                                           portable_fields fields, const portable_launch_config *launch, int64_t *count_out);
typedef struct portable_ghosts_options {
  uint32_t struct_size; /* sizeof(portable_ghosts_options), set by PORTABLE_GHOSTS_OPTIONS_INIT */
  int32_t  periodic[3]; /* 1: the particles of all ranks are in a box that repeats along this dimension */
  double   low[3], high[3]; /* of that box, in periodic dimensions; the others are not read */
  const portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_ghosts_options;

#define PORTABLE_GHOSTS_OPTIONS_INIT { (uint32_t)sizeof(portable_ghosts_options), {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, NULL }

/* Makes a halo of the particles that other ranks need: those within cutoff of the smallest box around another rank's particles are ghosts there.
 * They follow the own particles, by source rank and then in the order that they have there, each one once. Where fields is not 0, all its fields get
 * their ghosts at once. portable_halo_begin and _end of this halo update any fields by the same lists, and portable_halo_add sums up forces.
 * Positions are copied as they are, also over a periodic border, so take the shorter distance of both ways, as portable_cell_list_build with the same
 * box does. Particles may move by half of what cutoff is more than that of the forces; then call it again. Collective. label (NULL: "ghosts") names
 * the halo in messages. messenger NULL: there is one rank, and no ghost.
 * Shapes: position[rank], each of them an array [count] of kind, PORTABLE_KIND_REAL32 or _REAL64, in memory that the host can access. Units: those of
 * the positions, also for cutoff. A field has room for own particles and ghosts, as in portable_particles_migrate.
 * Ownership: *halo is 0, or a halo that is destroyed when nothing can fail any more; the caller's until portable_halo_destroy. The messenger's context
 * is the new halo's, also after an error; arguments are copied. Memory: a byte for each particle, and the lists.
 * Threads: as a halo.
 * Returns: the same on all ranks, but ERR_FORK: 0 and in count_out the number of own particles and ghosts; ERR_ARG (NULL, kind, rank, count, cutoff not
 * above 0 or above the length of a periodic dimension, arguments that differ between ranks, a field without room; a particle that has no finite place, or
 * is outside of the periodic box: the text names it and its rank), ERR_STATE, ERR_POINTER, ERR_HANDLE, ERR_NOMEM, ERR_DEVICE (the transport failed), and
 * what portable_parallel_for says. After an error *halo is as before, and places behind the own particles have any values.
 * Source: openfpm's ghost_get, Cabana's Halo.  Since: 0.1 */
portable_status portable_particles_ghosts(const char *label, const portable_messenger *messenger, int32_t kind, int32_t rank, const void *const *position,
                                          int64_t count, double cutoff, const portable_ghosts_options *options, portable_fields fields,
                                          portable_halo *halo, int64_t *count_out);

/* A rank of portable_particles_ghosts that all ranks refuse: lists of another length; and, with d added, array d has another length than the first one. */
#define PORTABLE__GHOSTS_SIZES (INT32_MIN + 1)

/* ---- for portable_hdf5.h -------------------------------------------------------------------------- */
/* Own cells of fields as blocks of the whole domain, in the order of a file: the dimension that runs slowest first. Not for users. */

typedef struct portable__block {
  char    name[PORTABLE_ARRAY_LABEL], kind_name[32];
  int32_t kind, rank, fortran;     /* fortran 1: texts name extents in the reverse order */
  int32_t shared[7];               /* [rank]: the dimension of the halo, counted from 1; 0: ranks do not share it */
  int64_t element_bytes, elements; /* elements: of this rank */
  int64_t signature;               /* the same on all ranks that have the same field */
  int64_t global[7], first[7], count[7];
} portable__block;

typedef struct portable__blocks {
  int32_t fields, ranks;
  portable__block *block; /* [fields] */
  void   *data;           /* elements of one field of this rank, side by side; the largest field fits */
} portable__blocks;

#define PORTABLE__BLOCKS_PACK   0 /* from the field into data */
#define PORTABLE__BLOCKS_UNPACK 1 /* from data into the field */
#define PORTABLE__BLOCKS_HASH   2 /* of data; the sum of all ranks does not depend on their number */

#define PORTABLE__BLOCKS_TEST   0 /* the file can be read */
#define PORTABLE__BLOCKS_CREATE 1 /* makes FILE.new, empty, with disk space for bytes */
#define PORTABLE__BLOCKS_SPACE  2 /* disk space for bytes in FILE.new */
#define PORTABLE__BLOCKS_KEEP   3 /* FILE.new is on disk and becomes FILE */
#define PORTABLE__BLOCKS_REMOVE 4 /* removes FILE.new */

portable_status portable__restart_begin(const char *call, portable_halo halo, portable_fields fields, portable__blocks **blocks_out);
portable_status portable__restart_move(portable__blocks *blocks, int32_t field, int32_t way, uint64_t *hash_out);
/* stamp_out (or NULL), of TEST and CREATE: a number that only ranks get that see this file, not another one of its name. */
portable_status portable__restart_file(const char *call, const char *file, int32_t action, int64_t bytes, uint64_t *stamp_out);
portable_status portable__restart_fail(portable_status status, const char *text); /* gives status, with this text */
void portable__restart_end(portable__blocks *blocks); /* NULL is accepted */

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_fields_mod; not for users. */
struct portable__fortran_section;
portable_status portable__fortran_fields_add(int32_t version, const char *name, size_t name_bytes, const struct portable__fortran_section *section,
                                             int32_t count, const int32_t *dims, portable_fields *fields);
portable_status portable__fortran_fields_add_handle(int32_t version, const char *name, size_t name_bytes, const portable_array *array, int32_t count,
                                                    const int32_t *dims, portable_fields *fields);
portable_status portable__fortran_halo_box(int32_t version, const char *label, size_t label_bytes, const portable_messenger *messenger, int32_t rank,
                                           const int64_t *global, const int64_t *width, const int32_t *periodic, const int32_t *grid, int32_t faces,
                                           portable_halo *halo_out);
portable_status portable__fortran_halo_lists(int32_t version, const char *label, size_t label_bytes, const portable_messenger *messenger, int32_t neighbours,
                                             const int32_t *neighbour, int64_t send_rows, const int64_t *send_row, int64_t sends, const int64_t *send_index,
                                             int64_t recv_rows, const int64_t *recv_row, int64_t recvs, const int64_t *recv_index, portable_halo *halo_out);
portable_status portable__fortran_particles_migrate(int32_t version, const char *label, size_t label_bytes, const portable_messenger *messenger,
                                                    const int32_t *owner, int64_t count, portable_fields fields, const portable_launch_config *launch,
                                                    int64_t *count_out);
/* sizes: of x, y and z; a dimension without an array is -1. box: low and high of each dimension. rank 0: lists of another length. */
portable_status portable__fortran_particles_ghosts(int32_t version, const char *label, size_t label_bytes, const portable_messenger *messenger,
                                                   int32_t kind, int32_t rank, const void *const *position, const int64_t *sizes, double cutoff,
                                                   const double *box, const int32_t *periodic, portable_fields fields,
                                                   const portable_launch_config *launch, portable_halo *halo, int64_t *count_out);

#ifdef __cplusplus
}
#endif

#endif
