/* portable_mesh.h - meshes without a structure: lists of rows (CSR), which faces each cell has for instance, and sums over rows. Includes portable.h.
 *
 *     portable_csr faces = PORTABLE_CSR_INIT;
 *     status = portable_csr_build("faces", PORTABLE_KIND_INT32, cell_of_face, nfaces, 2, ncells, NULL, &faces);
 *     status = portable_segmented_reduce("total", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, flux, nfaces, faces.kind, faces.row, ncells, &options, total);
 *
 * In this file: how rows are made, and their reductions. Not in this file: the descriptor, and what kernels need (portable_mesh_views.h, for device code too);
 * loops over rows, which are a kernel's own; C++ (portable_mesh.hpp); Fortran (portable_mesh_mod).
 *
 * The rules at the head of portable.h hold. In addition:
 *   Rows:    row r has the entries row[r] - lower to row[r + 1] - 1 - lower of col; row has rows + 1 numbers, which never decrease.
 *   Order:   a row lists what it has in ascending order, so loops over a row have one order, for any number of threads and on any device.
 *   Kinds:   row and col are of one kind, PORTABLE_KIND_INT32 or _INT64.
 *   Memory:  a descriptor that portable_csr_build and its like have made owns one block of the default pool, which portable_csr_free frees. A copy of
 *            the descriptor is a view. A program may also fill a descriptor with arrays of its own; memory is NULL then.
 *   Devices: a CUDA device does a call if it can access all arrays, with the numbers and bits of the host. Where it cannot access the default pool
 *            (PORTABLE_MANAGED=0), it makes lists of arrays that the host cannot access, and their block is in its own memory.
 */
#ifndef PORTABLE_MESH_H
#define PORTABLE_MESH_H

#include "portable.h"
#include "portable_mesh_views.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PORTABLE_CSR_INIT { 0, 0, NULL, NULL, NULL, PORTABLE_KIND_INT32, 0 }

typedef struct portable_csr_options {
  uint32_t struct_size; /* sizeof(portable_csr_options), set by PORTABLE_CSR_OPTIONS_INIT */
  int32_t  lower;       /* 0, or 1: rows, items, positions and columns count from 1 */
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_csr_options;

#define PORTABLE_CSR_OPTIONS_INIT { (uint32_t)sizeof(portable_csr_options), 0, NULL }

/* Makes the lists of the items of each row: item i is in the rows row_of[i*each] to row_of[i*each + each - 1], counted from lower; lower - 1 means
 * none. An item that names a row twice is listed twice. Two cells of each face give the faces of each cell.
 * Shapes: row_of[items][each] of kind.
 * Ownership: *csr_out is written on success only, and what it held is not freed. Scratch: the default pool gives what portable_sort_by_key takes, and
 * 2 * items * each numbers of kind.
 * Threads: any, at any time; it is waited for, in an asynchronous stream too.
 * Returns: 0, ERR_ARG (NULL, kind, a negative count, lower, a row out of range, which the text names), ERR_OVERFLOW (entries that do not fit kind),
 * ERR_NOMEM, ERR_NODEVICE, ERR_HANDLE, ERR_STATE, ERR_FORK, ERR_POINTER (arrays of which neither host nor device can access all).
 * Source: CSR graphs of METIS and Kokkos' StaticCrsGraph.  Since: 0.1 */
portable_status portable_csr_build(const char *label, int32_t kind, const void *row_of, int64_t items, int32_t each, int64_t rows,
                                   const portable_csr_options *options, portable_csr *csr_out);

/* Makes rows of given lengths, whose columns the program fills. Shape: counts[rows] of kind.
 * Returns: as portable_csr_build; ERR_ARG for a negative count, whose row the text names.  Source: Kokkos' create_staticcrsgraph.  Since: 0.1 */
portable_status portable_csr_counts(const char *label, int32_t kind, const void *counts, int64_t rows, const portable_csr_options *options,
                                    portable_csr *csr_out);

/* Makes the lists of the rows in which each column stands, ascending. columns: how many there are. *csr_out has lower and kind of csr; options say only
 * where it runs.
 * Returns: as portable_csr_build; ERR_ARG for rows that decrease and columns out of range, which the text names.  Since: 0.1 */
portable_status portable_csr_transpose(const char *label, const portable_csr *csr, int64_t columns, const portable_csr_options *options,
                                       portable_csr *csr_out);

/* Frees the memory and makes *csr empty; NULL and an empty descriptor do nothing. Copies are stale then. Returns: as portable_free.  Since: 0.1 */
portable_status portable_csr_free(portable_csr *csr);

/* ---- reductions of rows ------------------------------------------------------------------------------ */

/* Options of a reduction of rows. */
typedef struct portable_segmented_options {
  uint32_t struct_size; /* sizeof(portable_segmented_options), set by PORTABLE_SEGMENTED_OPTIONS_INIT */
  int32_t  lower;       /* 0, or 1: row and index count from 1 */
  const void *index;    /* [index_count] of index_kind: entry k of a row is data[index[k]]; NULL: it is data[k] */
  int64_t  index_count;
  int32_t  index_kind;  /* PORTABLE_KIND_INT32 or _INT64 */
  int32_t  reserved;
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_segmented_options;

#define PORTABLE_SEGMENTED_OPTIONS_INIT { (uint32_t)sizeof(portable_segmented_options), 0, NULL, 0, PORTABLE_KIND_INT32, 0, NULL }

/* Reduces each row to one value: result_out[r] is that of the elements row[r] - lower to row[r + 1] - 1 - lower. op: PORTABLE_REDUCE_SUM, _PRODUCT, _MIN
 * or _MAX; kind: PORTABLE_KIND_INT32, _INT64, _REAL32 or _REAL64; integers wrap. A row without elements gives 0, 1, or the largest or the least
 * number of the kind. _MIN and _MAX leave NaNs out, but for a row of NaNs alone.
 * Bits: a row is cut from its own beginning into leaves of 2048 elements. Element k of a leaf is in lane k mod 8; lanes are combined in pairs (l and l + 4,
 * l + 2, l + 1), leaves in pairs of neighbours, of neighbours of those, and so on. So they do not depend on threads, device or other rows.
 * One long row is shared out among all threads.
 * Shapes: data[count] and result_out[rows] of kind, row[rows + 1] of row_kind (PORTABLE_KIND_INT32 or _INT64).
 * Ownership: result_out shares memory with no other argument; after an error its content is not defined. Scratch: the default pool gives 16 bytes for
 * 1024 entries.
 * Threads: any, at any time, in kernels too; it is waited for, in an asynchronous stream too.
 * Returns: 0, ERR_ARG (NULL, kind, op, a count, shared memory; the row that decreases or leaves the array, the first index out of range: the text names it),
 * ERR_OVERFLOW, ERR_NOMEM, ERR_NODEVICE, ERR_HANDLE, ERR_STATE, ERR_FORK, ERR_KERNEL, ERR_POINTER (arrays of which neither host nor device can
 * access all).
 * Source: CUB's DeviceSegmentedReduce.  Since: 0.1 */
portable_status portable_segmented_reduce(const char *label, int32_t op, int32_t kind, const void *data, int64_t count, int32_t row_kind, const void *row,
                                          int64_t rows, const portable_segmented_options *options, void *result_out);

/* ---- another order ------------------------------------------------------------------------------------ */

/* An array that is reordered: [count] elements of element_bytes bytes, `stride` bytes apart, which may be negative. */
typedef struct portable_reorder_array {
  void   *data;
  size_t  element_bytes;
  int64_t stride;
} portable_reorder_array;

/* Puts several arrays into one new order: element i gets the value that element order[i] had, as by a = a(order) in Fortran. order is a permutation of the
 * numbers of elements, as portable_sort_index gives it.
 * Shapes: order[count] of index_kind (PORTABLE_KIND_INT32 or _INT64), counted from options->lower; arrays[array_count].
 * Ownership: arrays share memory neither with order nor with each other. Scratch: the default pool gives a copy of the largest array.
 * Threads: any; it is waited for, in an asynchronous stream too.
 * Errors: a refusal leaves all arrays as they were; after an earlier error of its stream, some arrays may be in order.
 * Returns: 0, ERR_ARG (NULL, kind, count, shared memory; a number out of range or twice there, which the text names), ERR_OVERFLOW, ERR_NOMEM, ERR_NODEVICE, ERR_HANDLE,
 * ERR_STATE, ERR_FORK, ERR_POINTER.  Source: Cabana's permute.  Since: 0.1 */
portable_status portable_reorder(const char *label, int32_t index_kind, const void *order, int64_t count, const portable_reorder_array *arrays,
                                 int32_t array_count, const portable_csr_options *options);

/* ---- for the Fortran module ------------------------------------------------------------------------ */
/* Called by portable_mesh_mod; not for users. All of them count from 1. config: NULL or a portable_launch_config. */

portable_status portable__fortran_csr_build(int32_t version, const char *label, size_t label_bytes, int32_t kind, const void *row_of, int64_t items,
                                            int64_t each, int64_t rows, const struct portable_launch_config *config, portable_csr *csr);
portable_status portable__fortran_csr_counts(int32_t version, const char *label, size_t label_bytes, int32_t kind, const void *counts, int64_t rows,
                                             const struct portable_launch_config *config, portable_csr *csr);
portable_status portable__fortran_csr_transpose(int32_t version, const char *label, size_t label_bytes, const portable_csr *from, int64_t columns,
                                                const struct portable_launch_config *config, portable_csr *csr);
portable_status portable__fortran_csr_free(portable_csr *csr);
/* The last dimension of each array has as many indices as order has numbers. */
portable_status portable__fortran_reorder(int32_t version, const char *label, size_t label_bytes, int32_t index_kind, const void *order, int64_t count,
                                          const struct portable__fortran_argument *arrays, int32_t array_count, const struct portable_launch_config *config);
/* row_kind is that of index, too; index NULL: none. */
portable_status portable__fortran_segmented(int32_t version, const char *label, size_t label_bytes, int32_t op, int32_t kind, const void *data, int64_t count,
                                            int32_t row_kind, const void *row, int64_t row_count, const void *index, int64_t index_count,
                                            const struct portable_launch_config *config, void *results, int64_t result_count);

#ifdef __cplusplus
}
#endif

#endif
