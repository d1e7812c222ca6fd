/* portable_particles.h - particles: the cells of a box that they are in, lists of neighbours; merges of sorted arrays; sets of numbers. Includes
 * portable_mesh.h.
 *
 *     portable_cell_list cells = PORTABLE_CELL_LIST_INIT;
 *     status = portable_cell_list_build("cells", PORTABLE_KIND_REAL64, 3, position, count, cutoff, low, high, NULL, &cells);
 *     int64_t runs[PORTABLE_CELL_RUNS][2];                              // in a kernel over the places k = 0 to count - 1
 *     const int32_t n = portable_cells_around(&cells, k, runs);         // particle cells.order[k] meets the particles cells.order[j] of runs
 *
 * In this file: how cells, lists and maps are made. Not in this file: the descriptors, and what kernels need (portable_mesh_views.h, for device code too); forces,
 * which are a kernel's own; C++ (portable_particles.hpp); Fortran (portable_particles_mod).
 *
 * The rules at the head of portable.h hold. In addition:
 *   Order:   sorts are stable, so every list has one order for any number of threads.
 *   Memory:  a descriptor owns one block of the default pool, which its _free releases. A copy of the descriptor is a view. A call that makes a
 *            descriptor again frees the old block when nothing can fail any more; a call that fails leaves the descriptor as it was. So a descriptor
 *            begins with its _INIT.
 *   Devices: as in portable_mesh.h.
 */
#ifndef PORTABLE_PARTICLES_H
#define PORTABLE_PARTICLES_H

#include "portable_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cells --------------------------------------------------------------------------------------------- */

#define PORTABLE_CELL_LIST_INIT { 0, 0, NULL, NULL, NULL, NULL, {0, 0, 0}, {0, 0, 0}, 0, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, 0, 0 }

typedef struct portable_cell_list_options {
  uint32_t struct_size; /* sizeof(portable_cell_list_options), set by PORTABLE_CELL_LIST_OPTIONS_INIT */
  int32_t  periodic[3]; /* 1: what leaves the box there enters on the other side */
  int32_t  lower;       /* 0, or 1: numbers count from 1 */
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_cell_list_options;

#define PORTABLE_CELL_LIST_OPTIONS_INIT { (uint32_t)sizeof(portable_cell_list_options), {0, 0, 0}, 0, NULL }

/* Sorts particles into cells whose edges are longer than cutoff, by so much that rounding hides no pair. There are at most 4 * count + 64 cells:
 * in a box that is almost empty they are larger.
 * Shapes: position[rank], each of them an array [count] of kind, PORTABLE_KIND_REAL32 or _REAL64; low[rank] and high[rank]. A particle on a face of the
 * box is inside. Units: those of the positions, also for cutoff.
 * Ownership: see Memory above. Scratch: the default pool gives what portable_sort_by_key takes.
 * Threads: any, at any time; it is waited for, in an asynchronous stream too.
 * Returns: 0, ERR_ARG (NULL, kind, rank, a count, cutoff not above 0, low not below high, a number that is not finite, cutoff above the length of a
 * periodic dimension, a particle outside or NaN, which the text names), ERR_OVERFLOW (more than 2^31 - 2 particles), ERR_NOMEM, ERR_NODEVICE,
 * ERR_HANDLE, ERR_STATE, ERR_FORK, ERR_POINTER (arrays of which neither host nor device can access all).
 * Source: the linked cells of Cabana and of molecular dynamics.  Since: 0.1 */
portable_status portable_cell_list_build(const char *label, int32_t kind, int32_t rank, const void *const *position, int64_t count, double cutoff,
                                         const double *low, const double *high, const portable_cell_list_options *options, portable_cell_list *cells);

/* Frees the memory and makes *cells empty; NULL and an empty descriptor do nothing. Copies are stale then. Returns: as portable_free.  Since: 0.1 */
portable_status portable_cell_list_free(portable_cell_list *cells);

typedef struct portable_neighbour_options {
  uint32_t struct_size; /* sizeof(portable_neighbour_options), set by PORTABLE_NEIGHBOUR_OPTIONS_INIT */
  int32_t  half;        /* 1: a pair is in the row of the particle with the smaller number only */
  double   cutoff;      /* at most that of the cells; 0: that of the cells */
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_neighbour_options;

#define PORTABLE_NEIGHBOUR_OPTIONS_INIT { (uint32_t)sizeof(portable_neighbour_options), 0, 0, NULL }

/* Lists for each particle, ascending, the others whose distance is at most the cutoff: dx*dx + dy*dy + dz*dz <= cutoff*cutoff in double precision. In a
 * periodic dimension the distance is the shorter one of both ways. Neighbours are counted, then filled in: no size is guessed.
 * position, position_kind: as given to portable_cell_list_build, and unchanged since. list_kind: PORTABLE_KIND_INT32 or _INT64. *list counts from
 * cells->lower. What *list held is freed when nothing can fail any more. Scratch: 8 bytes for each coordinate, one number of list_kind for each particle.
 * Returns: as portable_csr_counts; ERR_ARG also for a particle that has moved to another cell, which the text names.
 * Source: Cabana's VerletList.  Since: 0.1 */
portable_status portable_neighbour_list(const char *label, const portable_cell_list *cells, int32_t position_kind, const void *const *position,
                                        int32_t list_kind, const portable_neighbour_options *options, portable_csr *list);

/* ---- merges -------------------------------------------------------------------------------------------- */

typedef struct portable_merge_options {
  uint32_t struct_size; /* sizeof(portable_merge_options), set by PORTABLE_MERGE_OPTIONS_INIT */
  uint32_t flags;       /* PORTABLE_SORT_DESCENDING: both arrays are in that order */
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_merge_options;

#define PORTABLE_MERGE_OPTIONS_INIT { (uint32_t)sizeof(portable_merge_options), 0, NULL }

/* Merges two arrays that are in order, as portable_sort orders them, to one; of equal elements those of a come first.
 * Shapes: a[a_count], b[b_count] and c_out[a_count + b_count] of kind, PORTABLE_KIND_INT8 to _REAL64.
 * Ownership: c_out shares memory with neither; after an error its content is not defined.
 * Threads: any, at any time, in kernels too; it is waited for, in an asynchronous stream too.
 * Returns: 0, ERR_ARG (NULL, kind, a count, flags, memory that is shared; an array that is not in order, the text names the first place that was seen),
 * ERR_OVERFLOW, ERR_NODEVICE, ERR_HANDLE, ERR_STATE, ERR_FORK, ERR_KERNEL, ERR_POINTER (arrays of which neither host nor device can access
 * all).
 * Source: std::merge; merge path.  Since: 0.1 */
portable_status portable_merge_sorted(const char *label, int32_t kind, const void *a, int64_t a_count, const void *b, int64_t b_count,
                               const portable_merge_options *options, void *c_out);

/* The same for keys, and moves along the values, of value_bytes bytes each: values_a[a_count], values_b[b_count], values_out[a_count + b_count].
 * Source: Thrust's merge_by_key.  Since: 0.1 */
portable_status portable_merge_by_key(const char *label, int32_t kind, const void *keys_a, const void *values_a, int64_t a_count, const void *keys_b,
                                      const void *values_b, int64_t b_count, size_t value_bytes, const portable_merge_options *options, void *keys_out,
                                      void *values_out);

/* ---- sets of numbers ----------------------------------------------------------------------------------- */

#define PORTABLE_INDEX_MAP_INIT { 0, NULL, NULL, NULL, PORTABLE_KIND_INT64, 0 }

/* Adds keys, of the map's kind. A key that is there already, or twice among keys, is added once. New keys get the next numbers, in ascending order of
 * keys. new_out: NULL, or [count]: 1 for the first of equal keys where it is new, else 0. The batch is sorted, made unique and merged: there are no slots
 * that could be full. launch: device, stream, schedule; NULL: the default ones.
 * Ownership: see Memory above. Scratch: 4 numbers for each key of the batch, and what portable_sort_by_key takes.
 * Threads: a map is one thread's while keys are added; it is waited for, in an asynchronous stream too.
 * Returns: 0, ERR_ARG (NULL, a count, a map that was not begun with its INIT, results that share memory with keys or the map), ERR_OVERFLOW (more keys than the kind counts), ERR_NOMEM, ERR_NODEVICE,
 * ERR_HANDLE, ERR_STATE, ERR_FORK, ERR_POINTER. The map is as before after an error.
 * Source: openfpm's vector_sparse.  Since: 0.1 */
portable_status portable_map_insert(const char *label, portable_index_map *map, const void *keys, int64_t count, const struct portable_launch_config *launch,
                                    uint8_t *new_out);

/* Gives the number of each key, or lower - 1 where it is not there. Shapes: keys[count] and numbers_out[count] of the map's kind; numbers_out shares memory with no other argument.
 * Threads: any, at any time, in kernels too. Returns: as portable_map_insert.  Since: 0.1 */
portable_status portable_map_find(const char *label, const portable_index_map *map, const void *keys, int64_t count,
                                  const struct portable_launch_config *launch, void *numbers_out);

/* Frees the memory and makes *map empty; NULL and an empty map do nothing. Copies are stale then. Returns: as portable_free.  Since: 0.1 */
portable_status portable_map_free(portable_index_map *map);

/* ---- for the Fortran module ------------------------------------------------------------------------ */
/* Called by portable_particles_mod; not for users. All of them count from 1. config: NULL or a portable_launch_config. Frees are those above. */

/* boxes: the low ends, then the high ends. sizes: the elements of x, y and z. */
portable_status portable__fortran_cell_list(int32_t version, const char *label, size_t label_bytes, int32_t kind, int32_t rank, const void *const *position,
                                            const int64_t *sizes, double cutoff, const double *box, const int32_t *periodic,
                                            const struct portable_launch_config *config, portable_cell_list *cells);
portable_status portable__fortran_neighbours(int32_t version, const char *label, size_t label_bytes, const portable_cell_list *cells, int32_t kind,
                                             int32_t rank, const void *const *position, const int64_t *sizes, int32_t list_kind, int32_t half, double cutoff,
                                             const struct portable_launch_config *config, portable_csr *list);
/* sizes: the elements of keys_a, keys_b, keys_c, values_a, values_b, values_c. value_bytes 0: there are no values. */
portable_status portable__fortran_merge(int32_t version, const char *label, size_t label_bytes, int32_t kind, int32_t descending, const void *const *arrays,
                                        const int64_t *sizes, int64_t value_bytes, const struct portable_launch_config *config, void *keys, void *values);
portable_status portable__fortran_map_insert(int32_t version, const char *label, size_t label_bytes, portable_index_map *map, const void *keys, int64_t count,
                                             const struct portable_launch_config *config, uint8_t *is_new, int64_t flags);
portable_status portable__fortran_map_find(int32_t version, const char *label, size_t label_bytes, const portable_index_map *map, const void *keys,
                                           int64_t count, int64_t numbers, const struct portable_launch_config *config, void *numbers_out);

#ifdef __cplusplus
}
#endif

#endif
