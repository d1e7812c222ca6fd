/* portable_filter.h - what a mask or a predicate chooses: packing it, the list of where it is, and scattering it back. Part of portable.h;
 * include that.
 *
 * In this file: filters of arrays, and of what a kernel says. Not in this file: how many are chosen, without more
 * (PORTABLE_REDUCE_COUNT).
 *
 * The rules at the head of portable_launch.h hold. In addition:
 *   Order:    what is chosen stays in the order of the array, for any number of threads, any device, each run.
 *   Logicals: true is what is not 0, as everywhere.
 *   Room:     where the result has less room than is needed, that is an error that says how much is needed; the number of the chosen is
 *             given all the same, and what fits is there.
 */
#ifndef PORTABLE_FILTER_H
#define PORTABLE_FILTER_H

#ifndef PORTABLE_REDUCE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Options of a filter; 0 in a field means: nothing. */
typedef struct portable_filter_options {
  uint32_t struct_size;   /* sizeof(portable_filter_options), set by PORTABLE_FILTER_OPTIONS_INIT */
  int32_t  order;         /* which index runs fastest: PORTABLE_ORDER_C (0), PORTABLE_ORDER_FORTRAN */
  const int64_t *strides; /* [rank]: bytes from one element of the array to the next in each dimension, also negative; NULL: contiguous */
  const int64_t *mask_strides; /* the same for the mask; all 0: one logical for all */
  int64_t        packed_stride; /* bytes from one element to the next in the packed vector or list; 0: contiguous */
  const void    *rest;    /* portable_pack: a vector of `room` elements whose last ones go behind the chosen ones, as VECTOR of PACK; NULL: what is
                             behind them stays */
  int64_t        rest_stride; /* 0: contiguous */
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_filter_options;

#define PORTABLE_FILTER_OPTIONS_INIT { (uint32_t)sizeof(portable_filter_options), 0, NULL, NULL, 0, NULL, 0, NULL }

/* Copies the elements of an array whose mask is true, one behind the other, to out[0..room-1], and how many are chosen to *count_out. It is a
 * launch of the name `label` (NULL: "unlabelled"), and reads and writes memory once, as a rule; small arrays are done by the calling thread alone.
 * Shapes: extents[rank], rank 1 to 8, of array and mask, in the order of the indices; strides as they are there. Strides and
 * element_bytes (1 or more: elements may be structs) in bytes. mask_kind: PORTABLE_KIND_LOGICAL8 to _LOGICAL64.
 * Ownership: data and mask are only read, out only written, both during the call; out overlaps neither, and its elements not one another.
 * Threads: as portable_parallel_for; inside a kernel the calling thread does all.
 * Returns: 0, ERR_ARG (NULL, rank, extents, order, mask_kind, overlap), ERR_OVERFLOW (room is too small; more bytes than int64_t counts),
 * ERR_NODEVICE, ERR_HANDLE (no such stream), ERR_NOMEM, ERR_STATE, ERR_FORK.  Source: Fortran's PACK.  Since: 0.1 */
portable_status portable_pack(const char *label, int64_t element_bytes, const void *data, int32_t rank, const int64_t *extents, int32_t mask_kind,
                              const void *mask, const portable_filter_options *options, void *out, int64_t room, int64_t *count_out);

/* The way back: the elements of the array whose mask is true become vector[0], vector[1], ...; the others stay. count is the number of
 * elements of the vector; *count_out (which may be NULL) how many are true.
 * The rules are those of portable_pack, data being what is written; ERR_OVERFLOW: the vector is too short.
 * Source: Fortran's UNPACK.  Since: 0.1 */
portable_status portable_unpack(const char *label, int64_t element_bytes, const void *vector, int64_t count, int32_t rank, const int64_t *extents,
                                int32_t mask_kind, const void *mask, const portable_filter_options *options, void *data,
                                int64_t *count_out);

/* Writes the numbers of the elements whose mask is true, from `lower` for the first element on, in the order of the array, to
 * indices[0..room-1], and how many they are to *count_out. index_kind: PORTABLE_KIND_INT32 or _INT64.
 * The rules are those of portable_pack; ERR_OVERFLOW also for a number that does not fit index_kind.  Since: 0.1 */
portable_status portable_filter_indices(const char *label, int32_t rank, const int64_t *extents, int32_t mask_kind, const void *mask,
                                        const portable_filter_options *options, int64_t lower, int32_t index_kind, void *indices,
                                        int64_t room, int64_t *count_out);

/* A predicate as a kernel: sets chosen[0], chosen[1], ... for the indices of the tile, in their order, to whether they are chosen. chosen
 * is the tile's own memory, all 0 before. */
typedef void (*portable_filter_function)(const portable_tile *tile, void *args, unsigned char *chosen);

/* Runs the predicate over an index space of one dimension, and writes the indices that it chooses, in their order, to indices[0..room-1], and
 * how many they are to *count_out. The predicate is called with one tile at a time, from several threads at once; tile->number says which.
 * Ownership: bounds, args and config are only read during the call; args_bytes bytes of args are copied at the launch, with 0 the
 * predicate gets args itself.
 * Returns: as portable_parallel_for; ERR_ARG (rank, index_kind), ERR_OVERFLOW (room is too small; an index does not fit index_kind). After
 * ERR_KERNEL and errors of the call indices are undefined and *count_out is 0.  Since: 0.1 */
portable_status portable_parallel_filter(const char *label, const portable_bounds *bounds, portable_filter_function predicate, const void *args,
                                         size_t args_bytes, int32_t index_kind, void *indices, int64_t room, int64_t *count_out,
                                         const portable_launch_config *config);

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_algorithm_mod and portable_core_mod; not for users. */

struct portable__fortran_section;

/* portable_pack, _unpack (unpack 1: vector is read, array written). count_out is a default integer of integer_bytes. vector and rest have
 * rank 1; rest->kind 0: none. */
portable_status portable__fortran_pack(int32_t version, const char *label, size_t label_bytes, int32_t unpack, int64_t element_bytes,
                                       const struct portable__fortran_section *array, const struct portable__fortran_section *mask,
                                       const struct portable__fortran_section *vector, const struct portable__fortran_section *rest,
                                       int32_t integer_bytes, void *count_out);
portable_status portable__fortran_indices(int32_t version, const char *label, size_t label_bytes, const struct portable__fortran_section *mask,
                                          int64_t lower, const struct portable__fortran_section *indices, int32_t integer_bytes,
                                          void *count_out);

/* portable_parallel_filter of a subroutine with a tile and an array of default logicals. held: the procedure by another way, as in
 * portable__fortran_parallel_reduce. */
portable_status portable__fortran_parallel_filter(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                  void (*kernel)(void), void (*const *held)(void), const portable_launch_config *config,
                                                  int32_t integer_bytes, int32_t wide, int32_t index_kind, void *indices, int64_t stride,
                                                  int64_t room, void *count_out);

#ifdef __cplusplus
}
#endif

#endif
