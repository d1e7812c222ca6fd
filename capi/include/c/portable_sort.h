/* portable_sort.h - sorting of arrays: keys, keys with values that move along, and the order of keys as indices. Part of
 * portable.h; include that.
 *
 * In this file: arrays that are in memory. Not in this file: reductions of arrays (portable_reduce_array.h).
 *
 * The rules at the head of portable.h hold. In addition:
 *   Order:   ascending, or descending where asked. Reals: -infinity to infinity, -0.0 before 0.0 (after it, descending), and NaN last
 *            in both directions, NaNs among themselves by their bits.
 *   Stable:  keys with the same bits keep their order. So the result is the same for any number of threads, any device, each run, and
 *            for a section of an array and its contiguous copy.
 *   Memory:  the default pool gives scratch memory for the time of the call, of count * (element) bytes: 4 or 8 for each key that is in an
 *            aligned contiguous array, twice that for others; 16 or 32 for a key with its value or index; and value_bytes more where they are
 *            not 1, 2, 4 or 8.
 */
#ifndef PORTABLE_SORT_H
#define PORTABLE_SORT_H

#ifndef PORTABLE_REDUCE_ARRAY_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PORTABLE_SORT_DESCENDING 1u

/* Options of a sort; 0 in a field means: nothing. Strides are bytes from one element to the next, also negative;
 * 0: contiguous. They are at least as large as the element. */
typedef struct portable_sort_options {
  uint32_t struct_size;  /* sizeof(portable_sort_options), set by PORTABLE_SORT_OPTIONS_INIT */
  uint32_t flags;        /* PORTABLE_SORT_DESCENDING */
  int64_t  stride;       /* of the keys */
  int64_t  value_stride; /* of the values, or of the indices */
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_sort_options;

#define PORTABLE_SORT_OPTIONS_INIT { (uint32_t)sizeof(portable_sort_options), 0, 0, 0, NULL }

/* Sorts count keys of the kind `kind` (PORTABLE_KIND_INT8 to _REAL64 of portable_reduce.h), the first of which is at keys, in place. It is
 * some launches of the name `label` (NULL: "unlabelled"), one after the other; few keys are sorted by the calling thread, in one launch.
 * Threads: any, at any time, in kernels too; the keys are the call's while it runs. It is waited for, in an asynchronous stream too.
 * Errors: a call that fails leaves the keys as they are. Other work that enters its stream meanwhile, and fails, may be reported by the sort, when the keys
 * are in order.
 * Returns: 0, ERR_ARG (NULL, kind, count, stride, flags), ERR_OVERFLOW (more bytes than int64_t counts), ERR_NOMEM (scratch memory),
 * ERR_NODEVICE, ERR_HANDLE, ERR_STATE, ERR_FORK, ERR_KERNEL (what was in the stream before has failed).
 * Source: std::stable_sort, Kokkos::sort.  Since: 0.1 */
portable_status portable_sort(const char *label, int32_t kind, void *keys, int64_t count, const portable_sort_options *options);

/* The same, and moves along the values, of value_bytes bytes each, from 1 on: the value that stood with a key stands with it afterwards.
 * Keys and values that share memory are refused. A call that fails leaves both as they are.
 * Source: Kokkos' sort_by_key.  Since: 0.1 */
portable_status portable_sort_by_key(const char *label, int32_t kind, void *keys, void *values, size_t value_bytes, int64_t count,
                                     const portable_sort_options *options);

/* Gives the order of the keys and leaves them where they are: indices_out[0] is the index of the key that a sort puts first, and so on.
 * Indices count from lower and are of index_kind, PORTABLE_KIND_INT32 or _INT64. indices_out is not touched after a failure.
 * Returns: as portable_sort; ERR_ARG also where keys and indices share memory, ERR_OVERFLOW where the largest index does not fit its kind.
 * Source: numpy.argsort.  Since: 0.1 */
portable_status portable_sort_index(const char *label, int32_t kind, const void *keys, int64_t count, int32_t index_kind, int64_t lower,
                                    const portable_sort_options *options, void *indices_out);

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_sort_mod; not for users. Sections are of rank 1. */

portable_status portable__fortran_sort(int32_t version, const char *label, size_t label_bytes, int32_t descending,
                                       const struct portable__fortran_section *keys);
portable_status portable__fortran_sort_by_key(int32_t version, const char *label, size_t label_bytes, int32_t descending,
                                              const struct portable__fortran_section *keys,
                                              const struct portable__fortran_section *values);
/* Indices count from 1. */
portable_status portable__fortran_sort_index(int32_t version, const char *label, size_t label_bytes, int32_t descending,
                                             const struct portable__fortran_section *keys,
                                             const struct portable__fortran_section *indices);

#ifdef __cplusplus
}
#endif

#endif
