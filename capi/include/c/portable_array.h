/* portable_array.h - arrays that know their shape: bounds, strides, order, who owns the memory. Part of portable.h; include that.
 *
 * In this file: the descriptor, making and dropping arrays, views of them, copies, checks. Not in this file: reductions of arrays
 * (portable_reduce_array.h), loops over them (portable_launch.h); one element, and walks over all of them (portable_array_element.h).
 *
 * The rules at the head of portable.h hold. In addition:
 *   Descriptor: a portable_array is a plain value. It may be copied, and put into argument blocks; a copy is one more holder only
 *               after portable_array_retain. Its fields are there to be read; functions change them. One of all bytes 0, or
 *               PORTABLE_ARRAY_NONE, is no array: everything but release and the queries refuses it.
 *   Owner:      the memory of an array that was created is released when its last holder releases it. A view holds it too.
 *               An array that wraps memory of the program's has no owner (0), and retain and release do nothing to it.
 *   Threads:    a descriptor is guarded by its holder, as an int is; owners are counted from any thread.
 *   Dimensions: are counted from 0 in arguments, in the order of the indices, as lower[] and extent[] are; texts of errors count them from 1.
 *   Errors:     an array_out is PORTABLE_ARRAY_NONE after a failure. The text names the array's label.
 */
#ifndef PORTABLE_ARRAY_H
#define PORTABLE_ARRAY_H

#ifndef PORTABLE_REDUCE_ARRAY_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the descriptor ------------------------------------------------------------------------------ */

#define PORTABLE_ARRAY_RANK  15 /* most dimensions */
#define PORTABLE_ARRAY_LABEL 64 /* bytes of a label with its end; a longer one is cut */

/* Kinds of elements are those of portable_reduce.h; or this: elements that are known by their bytes only, structures for instance. */
#define PORTABLE_KIND_BYTES 0

/* Orders other than PORTABLE_ORDER_C (the last index runs fastest) and PORTABLE_ORDER_FORTRAN (the first one does). */
#define PORTABLE_ORDER_PERMUTED 2 /* any: fastest[] says which */

/* Where the memory is. */
#define PORTABLE_SPACE_HOST    0
#define PORTABLE_SPACE_PINNED  1 /* of the host, and known to a device */
#define PORTABLE_SPACE_MANAGED 2 /* reached by host and device */
#define PORTABLE_SPACE_DEVICE(k) (3 + (k)) /* of device k, from 0; the host does not reach it */

/* Flags. */
#define PORTABLE_ARRAY_CHECKED     1u /* PORTABLE_CHECK_ARRAYS was on when it was made; see portable_array_element.h */
#define PORTABLE_ARRAY_HOST_SIDE   2u /* of a twin, or a view of such; see portable_twin.h */
#define PORTABLE_ARRAY_DEVICE_SIDE 4u

/* The owner of the memory. 0: the program owns it. A stale owner is recognised and refused. */
typedef uint64_t portable_array_owner;

typedef struct portable_array {
  uint32_t struct_size;   /* sizeof(portable_array); 0: no array */
  int32_t  kind;          /* PORTABLE_KIND_... */
  void    *data;          /* the element whose indices are all lowest; NULL: no array */
  uint64_t element_bytes;
  portable_array_owner owner;
  int32_t  rank;          /* 0 (one element) to 15 */
  int32_t  space;         /* PORTABLE_SPACE_... */
  int32_t  order;         /* PORTABLE_ORDER_...; of rank 0 and 1 as it was asked for */
  int8_t   fastest[16];   /* [rank]: the dimensions, from the one whose elements are (or were, before a slice) side by side */
  uint32_t flags;         /* PORTABLE_ARRAY_... */
  int64_t  lower[PORTABLE_ARRAY_RANK], extent[PORTABLE_ARRAY_RANK];
  int64_t  stride[PORTABLE_ARRAY_RANK]; /* elements from one index to the next; may be negative */
  char     label[PORTABLE_ARRAY_LABEL]; /* ended by NUL; never empty in an array that is one */
} portable_array;

#define PORTABLE_ARRAY_NONE { 0, 0, NULL, 0, 0, 0, 0, 0, { 0 }, 0, { 0 }, { 0 }, { 0 }, { 0 } }

/* ---- making -------------------------------------------------------------------------------------- */

/* Called with the data and the elements of an array when the last holder has released it, before its memory is released; on
 * that holder's thread. It may call this library, but not use the array. */
typedef void (*portable_array_end)(void *data, int64_t elements, void *payload);

/* Options of a new array; each field says what 0 means. */
typedef struct portable_array_config {
  uint32_t struct_size;   /* sizeof(portable_array_config), set by PORTABLE_ARRAY_CONFIG_INIT */
  int32_t  order;         /* PORTABLE_ORDER_C (0), _FORTRAN, _PERMUTED; of create: PORTABLE_ORDER_BY_RULE(...) of portable_layout.h */
  const int32_t *fastest; /* [rank], of _PERMUTED: the dimensions, the fastest first */
  const int64_t *lower;   /* [rank]; NULL: 0 in C order, 1 in any other */
  int32_t  space;         /* PORTABLE_SPACE_HOST (0) ...; of create with a pool: 0: that of the pool's memory */
  int32_t  zero;          /* of create: 1: all bytes are 0 */
  uint64_t row_bytes;     /* of create: lines along the fastest dimension begin at multiples of it, a power of two; 0: no gaps */
  portable_pool pool;     /* of create: where the memory comes from; 0: the default pool */
  portable_array_end end; /* of create and wrap; a wrapped array that has one has an owner */
  void    *payload;       /* handed to end */
} portable_array_config;

#define PORTABLE_ARRAY_CONFIG_INIT { (uint32_t)sizeof(portable_array_config), 0, NULL, NULL, 0, 0, 0, 0, NULL, NULL }

/* Makes an array with memory of its own, aligned at 64, not set. label may be NULL: "array". element_bytes counts for
 * PORTABLE_KIND_BYTES; for other kinds it is 0 or what they have. config may be NULL: C order, from 0, default pool.
 * Shapes: extents[rank], rank 0 to 15, each 0 or more.
 * Ownership: the caller is the first holder, until portable_array_release. extents, config and label are copied.
 * Returns: 0, ERR_ARG (NULL, kind, rank, a negative extent, order, row_bytes), ERR_OVERFLOW, ERR_NODEVICE (memory that is not the
 * host's, without a pool for it), ERR_NOMEM, ERR_HANDLE (pool), ERR_STATE, ERR_FORK.  Source: YAKL's Array.  Since: 0.1 */
portable_status portable_array_create(const char *label, int32_t kind, size_t element_bytes, int32_t rank, const int64_t *extents,
                                      const portable_array_config *config, portable_array *array_out);

/* Describes memory that is there already; it is never freed. strides are in elements, NULL: without gaps in the order of
 * config. data is the element whose indices are all lowest; NULL only if there is no element.
 * Shapes: extents[rank], strides[rank].
 * Ownership: data stays the program's, and there as long as the array is used; config->end, if set, tells the end of that.
 * Works before portable_init.
 * Returns: as portable_array_create without ERR_NOMEM for the elements; a space is what the program says.  Since: 0.1 */
portable_status portable_array_wrap(const char *label, int32_t kind, size_t element_bytes, void *data, int32_t rank,
                                    const int64_t *extents, const int64_t *strides, const portable_array_config *config,
                                    portable_array *array_out);

/* The pool that arrays of a space come from where config names none: the default pool, or that of a device's memory, which the library
 * makes when it is first asked for. Where no GPU (cuda, hip, opencl) is in use, managed and pinned memory are the default pool's, and where one is the
 * default device, the default pool is of managed memory. DEVICE(k) is memory of the k-th GPU that was found, from 0: with one driver cuda:k, hip:k or
 * opencl:k. On a machine without one PORTABLE_DEVICE=emulated has a device 0: its kernels run on the team, and the host does not reach its memory.
 * Managed and pinned memory belong to the driver of the default device, or of the first one. Sizes: docs/build/cuda-memory.md.
 * Ownership: the pool is the library's.
 * Returns: 0, ERR_ARG (NULL, no space), ERR_NODEVICE (there is no such memory), ERR_NOMEM, ERR_STATE, ERR_FORK.  Since: 0.1 */
portable_status portable_pool_of_space(int32_t space, portable_pool *pool_out);

/* The space that arrays for kernels of a device are in; 0: of the default device. PORTABLE_SPACE_HOST where it computes in the host's memory;
 * of a GPU _MANAGED, or its own _DEVICE(k) with PORTABLE_MANAGED=0, but for bit-for-bit runs (PORTABLE_B4B=1); _DEVICE(0) of `emulated`.
 * Works before portable_init.  Since: 0.1 */
int32_t portable_space_of_device(portable_device device);

/* The pool that arrays for kernels of a device come from; 0 in *pool_out: the default pool, portable_alloc. device 0: the default one.
 * Ownership: the pool is the library's.
 * Returns: as portable_pool_of_space; ERR_NODEVICE also for a number that no device has.  Since: 0.1 */
portable_status portable_pool_of_device(portable_device device, portable_pool *pool_out);

/* The pool of pinned memory that a device can access: in a process with GPUs of two drivers each driver has its own. That of PORTABLE_SPACE_PINNED
 * for devices of the host. device 0: the default one.
 * Ownership: the pool is the library's.
 * Returns: as portable_pool_of_device.  Since: 0.1 */
portable_status portable_pinned_pool_of_device(portable_device device, portable_pool *pool_out);

/* The code that can access an address: PORTABLE_REACH_HOST, host code anywhere; _LAUNCHES, host code in kernels on the memory's own device
 * (`emulated`); _DEVICE, kernels of that device only. Memory that no pool of the library has counts as the host's.
 * Works before portable_init.  Since: 0.1 */
#define PORTABLE_REACH_DEVICE   0
#define PORTABLE_REACH_LAUNCHES 1
#define PORTABLE_REACH_HOST     2
int32_t portable_reach(const void *address);

/* ---- holding ------------------------------------------------------------------------------------- */

/* One more holder: of a copy of the descriptor, which is released like the first one.
 * Returns: 0, ERR_ARG (no array), ERR_HANDLE (released by all). Memory that ended with an earlier run of the library may be held, too.  Since: 0.1 */
portable_status portable_array_retain(const portable_array *array);

/* Takes this holder away and makes *array PORTABLE_ARRAY_NONE; the last one gives the memory back. NULL and no array are accepted
 * and do nothing.
 * Returns: 0, ERR_HANDLE (released by all already), or what portable_free says.  Since: 0.1 */
portable_status portable_array_release(portable_array *array);

/* How many hold the memory: 0 of memory that is wrapped, of no array, and of a stale owner.
 * Source: YAKL's use_count.  Since: 0.1 */
int64_t portable_array_use_count(const portable_array *array);

/* Releases the memory now, although others hold it, and makes *array PORTABLE_ARRAY_NONE. Other holders still release; whatever else
 * they do with it is ERR_STATE. For wrapped memory and for no array it releases nothing.
 * Returns: 0, ERR_ARG (NULL), ERR_HANDLE, ERR_STATE (released already), or what portable_free says.
 * Source: YAKL's deallocate.  Since: 0.1 */
portable_status portable_array_deallocate(portable_array *array);

/* 1: the array's memory is there; else 0.  Source: YAKL's initialized.  Since: 0.1 */
int32_t portable_array_is_allocated(const portable_array *array);

/* The same for an owner without its array, for headers that have descriptors of their own. 0 does nothing.
 * Returns: as portable_array_retain and portable_array_release; use_count 0 of no owner.  Since: 0.1 */
portable_status portable_array_owner_retain(portable_array_owner owner);
portable_status portable_array_owner_release(portable_array_owner owner);
portable_status portable_array_owner_deallocate(portable_array_owner owner);
int64_t portable_array_owner_use_count(portable_array_owner owner);

/* ---- views --------------------------------------------------------------------------------------- */
/* Each of them makes a descriptor of the same memory, and one more holder: *view_out is released like any array. view_out may be the
 * same as array: then the view takes the holder's place. The label is the array's. */

/* Indices of one dimension: first, first+step, ... up to last; step may be negative. step 0: the index `first` alone, and the
 * dimension is dropped. */
typedef struct portable_array_range {
  int64_t first, last, step;
} portable_array_range;

#define PORTABLE_RANGE_ALL              { INT64_MIN, INT64_MAX, 1 } /* the whole dimension */
#define PORTABLE_RANGE(first, last)     { (first), (last), 1 }
#define PORTABLE_RANGE_INDEX(index)     { (index), (index), 0 }
#define PORTABLE_RANGE_REVERSED         { INT64_MAX, INT64_MIN, -1 } /* the whole dimension, the last index first */

/* Whole dimensions, parts of them, single indices. A range from INT64_MIN begins at the lower bound, one to INT64_MAX ends at the
 * upper one (a negative step: the other way round). A whole dimension keeps its bounds; a part of one begins at 0 in C order, else at 1.
 * A range that is empty may name any bounds.
 * Shapes: ranges[rank].
 * Returns: 0, ERR_ARG (NULL, a range out of bounds), ERR_STATE, ERR_HANDLE.  Source: YAKL's slice.  Since: 0.1 */
portable_status portable_array_slice(const portable_array *array, const portable_array_range *ranges, portable_array *view_out);

/* The indices first to last of the slowest dimension, the others whole.
 * Returns: as portable_array_slice.  Source: YAKL's subset_slowest_dimension.  Since: 0.1 */
portable_status portable_array_subset_slowest(const portable_array *array, int64_t first, int64_t last, portable_array *view_out);

/* The same elements, in the order they lie in, under another shape of the same count. The array has no gaps. C and
 * Fortran order are kept; a permuted one only with its rank. lower may be NULL.
 * Shapes: extents[rank], lower[rank].
 * Returns: 0, ERR_ARG (another count, gaps, rank), ERR_STATE, ERR_HANDLE.  Source: YAKL's reshape.  Since: 0.1 */
portable_status portable_array_reshape(const portable_array *array, int32_t rank, const int64_t *extents, const int64_t *lower,
                                       portable_array *view_out);

/* All elements, in the order they lie in, as one dimension from lower on.
 * Returns: as portable_array_reshape.  Source: YAKL's collapse.  Since: 0.1 */
portable_status portable_array_collapse(const portable_array *array, int64_t lower, portable_array *view_out);

/* The dimensions in another order: dimension d of the view is dimension dims[d] of the array. dims NULL: reversed, the transpose.
 * An array in C order becomes one in Fortran order by the latter, and the other way round.
 * Shapes: dims[rank].
 * Returns: 0, ERR_ARG (dims is no permutation), ERR_STATE, ERR_HANDLE.  Since: 0.1 */
portable_status portable_array_permute(const portable_array *array, const int32_t *dims, portable_array *view_out);

/* Other lower bounds for the same elements; lower NULL: 0 in C order, else 1.
 * Shapes: lower[rank].
 * Returns: 0, ERR_ARG, ERR_OVERFLOW (an upper bound), ERR_STATE, ERR_HANDLE.  Since: 0.1 */
portable_status portable_array_rebase(const portable_array *array, const int64_t *lower, portable_array *view_out);

/* ---- contents ------------------------------------------------------------------------------------ */
/* launch may be NULL: the default device, waited for; it may be a cuda device, which then does what it reaches, and memory of one it must be, or
 * the program named no other. */

/* Sets all elements to *value, of the array's kind; NULL: all bytes 0.
 * Returns: 0, ERR_ARG, ERR_STATE, ERR_HANDLE, and what portable_parallel_for says.  Source: YAKL's operator=.  Since: 0.1 */
portable_status portable_array_fill(const portable_array *array, const void *value, const portable_launch_config *launch);

/* Copies all elements. Both have the same kind (or one real32 and the other real64, which converts) and the same count of elements.
 * Arrays of the same shape, dimensions of one index left aside, may have any orders, strides and bounds: the element at the i-th index of
 * each dimension goes to the element there. With other shapes both must be without gaps, and elements are taken in the order they lie in.
 * Memory of the two may be the same only if they are the same elements.
 * Returns: 0, ERR_ARG (kind, count, shape, memory that they share otherwise), ERR_STATE, ERR_HANDLE, and what portable_parallel_for says.  Source: YAKL's deep_copy_to.
 * Since: 0.1 */
portable_status portable_array_copy(const portable_array *from, const portable_array *to, const portable_launch_config *launch);

/* The same; into an asynchronous stream it returns at once. Memory of pools is kept until the stream has passed the copy, the program's own must be.
 * Returns: as portable_array_copy; what fails later is the stream's error.  Since: 0.1 */
portable_status portable_array_copy_start(const portable_array *from, const portable_array *to, const portable_launch_config *launch);

/* A new array of the same kind, shape, bounds and order without gaps, in memory of the host, or in memory that the default device
 * computes in. The copies have the elements, too. Label as the array's.
 * Ownership: caller is the holder of *array_out.
 * Returns: as portable_array_create and portable_array_copy.  Source: YAKL's createHostCopy ... createDeviceObject.  Since: 0.1 */
portable_status portable_array_host_copy(const portable_array *array, portable_array *array_out);
portable_status portable_array_device_copy(const portable_array *array, portable_array *array_out);
portable_status portable_array_host_object(const portable_array *array, portable_array *array_out);
portable_status portable_array_device_object(const portable_array *array, portable_array *array_out);

/* *equal_out is 1 when both have the same kind and shape (bounds and orders may differ) and all elements the same bytes, else 0.
 * Returns: 0, ERR_ARG, ERR_STATE, ERR_HANDLE.  Since: 0.1 */
portable_status portable_array_equal(const portable_array *a, const portable_array *b, int32_t *equal_out);

/* A number that depends on the elements' bytes and place by index, not on order, strides, bounds or threads.
 * Returns: 0, ERR_ARG, ERR_STATE, ERR_HANDLE.  Since: 0.1 */
portable_status portable_array_checksum(const portable_array *array, uint64_t *checksum_out);

/* The address of the first element, for code that computes in `space`: of host code, or of a kernel of a device.
 * Returns: 0, ERR_ARG (NULL; memory that is not reached from there: a host array in a device kernel, or the reverse), ERR_STATE,
 * ERR_HANDLE.  Since: 0.1 */
portable_status portable_array_data(const portable_array *array, int32_t space, void **data_out);

/* The address of one element, checked whatever is switched on.
 * Shapes: index[rank].
 * Returns: 0, ERR_ARG (NULL, rank, an index out of bounds: names array, dimension, index and bounds; device memory), ERR_STATE,
 * ERR_HANDLE.  Since: 0.1 */
portable_status portable_array_locate(const portable_array *array, int32_t rank, const int64_t *index, void **element_out);

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_array_mod; not for users. */

/* An array as Fortran points to it: a part big(first:last:step, ...) of an array without gaps that begins at data. */
struct portable__fortran_view {
  void *data;
  int64_t big[PORTABLE_ARRAY_RANK], first[PORTABLE_ARRAY_RANK], last[PORTABLE_ARRAY_RANK], step[PORTABLE_ARRAY_RANK];
  int32_t whole; /* 1: all of it */
};

/* Where the elements of a pointer lie: the first one, and the next one of each dimension. As portable__fortran_section, of any rank. */
struct portable__fortran_parts {
  const void *data, *next[PORTABLE_ARRAY_RANK];
  int64_t extent[PORTABLE_ARRAY_RANK];
  int32_t kind, rank;
};

/* portable_array_create and portable_array_wrap into a handle that holds no array yet, in Fortran's order; order and
 * fastest (from 1) may say another one. rank is that of the extents; ranks of other arguments are -1 where they are not there. */
portable_status portable__fortran_array_create(int32_t version, const char *label, size_t label_bytes, int32_t kind, int32_t rank,
                                               const int64_t *extents, int32_t lower_rank, const int64_t *lower, int32_t order,
                                               int32_t fastest_rank, const int32_t *fastest, int32_t zero, int64_t row_bytes,
                                               int32_t space, portable_pool pool, portable_array *array);
portable_status portable__fortran_array_wrap(int32_t version, const char *label, size_t label_bytes,
                                             const struct portable__fortran_parts *parts, const int64_t *lower, portable_array *array);
/* For a pointer of that kind and rank. */
portable_status portable__fortran_array_get(int32_t version, const portable_array *array, int32_t kind, int32_t rank,
                                            struct portable__fortran_view *view_out);

/* The contents of C descriptors as portable_cfi.c, which the program compiles, reads them: steps in bytes. The library says what is wrong with it. */
struct portable__array_steps {
  void *data;
  uint64_t element_bytes;
  int64_t lower[PORTABLE_ARRAY_RANK], extent[PORTABLE_ARRAY_RANK], step[PORTABLE_ARRAY_RANK];
  int32_t kind, rank, lower_rank; /* -1: a pointer that is not associated, or no bounds */
};
portable_status portable__fortran_array_from_cfi(const char *label, const struct portable__array_steps *steps, const portable_array_config *config,
                                           portable_array *array_out);
portable_status portable__fortran_array_describe(int32_t version, const char *label, size_t label_bytes,
                                                   const struct portable__array_steps *steps, portable_array *array);
portable_status portable__fortran_array_to_cfi(const portable_array *array, int32_t kind, int32_t rank, struct portable__array_steps *steps_out);

#ifdef __cplusplus
}
#endif

#endif
