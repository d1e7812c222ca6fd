/* portable_reduce_array.h - reductions of arrays: sum, product, least and largest value and where they are, what is
 * true. Part of portable.h; include that.
 *
 * In this file: reductions of arrays that are in memory. Not in this file: reductions of what a kernel computes
 * (portable_reduce.h).
 *
 * The rules at the head of portable.h hold. What is more:
 *   Order:    a result depends on the values and their order in the array alone: it is bit for bit the same for any number of
 *             threads, any device, each run, and for a section of an array and its contiguous copy.
 *   NaN:      as MINVAL and MINLOC of Fortran: a NaN is left out, unless there is nothing else.
 *   Integers: wrap; a sum is of the array's own kind.
 */
#ifndef PORTABLE_REDUCE_ARRAY_H
#define PORTABLE_REDUCE_ARRAY_H

#ifndef PORTABLE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What to do. */
#define PORTABLE_REDUCE_SUM     1
#define PORTABLE_REDUCE_PRODUCT 2
#define PORTABLE_REDUCE_MIN     3 /* of no element: the largest number, or infinity */
#define PORTABLE_REDUCE_MAX     4
#define PORTABLE_REDUCE_MINLOC  5 /* indices of the first least element, from 0; -1 where there is none */
#define PORTABLE_REDUCE_MAXLOC  6
#define PORTABLE_REDUCE_ANY     7
#define PORTABLE_REDUCE_ALL     8
#define PORTABLE_REDUCE_COUNT   9

/* Of what. A logical is true when it is not 0. Integers and reals have all operations but any, all and count; complex numbers sum and
 * product; logicals any, all and count. */
#define PORTABLE_KIND_INT8       1
#define PORTABLE_KIND_INT16      2
#define PORTABLE_KIND_INT32      3
#define PORTABLE_KIND_INT64      4
#define PORTABLE_KIND_REAL32     5
#define PORTABLE_KIND_REAL64     6
#define PORTABLE_KIND_COMPLEX32  7 /* two of real32 */
#define PORTABLE_KIND_COMPLEX64  8
#define PORTABLE_KIND_LOGICAL8   9 /* of one byte: C's _Bool */
#define PORTABLE_KIND_LOGICAL16 10
#define PORTABLE_KIND_LOGICAL32 11
#define PORTABLE_KIND_LOGICAL64 12

/* Flags of portable_array_options. */
#define PORTABLE_REDUCE_WIDE 1u /* real32 and complex32 are added up and multiplied in real64, and rounded once */

/* What is rarely said about a reduction of an array; 0 in a field means: nothing. */
typedef struct portable_array_options {
  uint32_t struct_size;   /* sizeof(portable_array_options), set by PORTABLE_ARRAY_OPTIONS_INIT */
  uint32_t flags;         /* PORTABLE_REDUCE_WIDE */
  int32_t  order;         /* which index runs fastest: PORTABLE_ORDER_C (0), PORTABLE_ORDER_FORTRAN */
  int32_t  dim;           /* 1 to rank: reduces along that dimension only; the result is an array of the others */
  const int64_t *strides; /* [rank]: bytes from one element to the next in each dimension, also negative; NULL: contiguous */
  const void    *mask;    /* logical array of the same extents: elements where it is not true are left out. Not for any, all, count */
  const int64_t *mask_strides; /* as strides; all 0: one logical for all */
  int32_t  mask_kind;     /* PORTABLE_KIND_LOGICAL... */
  int32_t  reserved;
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_array_options;

#define PORTABLE_ARRAY_OPTIONS_INIT { (uint32_t)sizeof(portable_array_options), 0, 0, 0, NULL, NULL, NULL, 0, 0, NULL }

/* Reduces the array of the kind `kind`, whose first element (all indices lowest) is at data, to *result_out. It is a launch of the
 * name `label` (NULL: "unlabelled"); small arrays are reduced by the calling thread alone.
 * Shapes: extents[rank], rank 1 to 8, in the order of the indices. The result has the array's kind; any and all give int32_t (0 or 1),
 * count int64_t, minloc and maxloc int64_t[rank]. With dim: an array of such results, contiguous, over the other dimensions in
 * their order; minloc and maxloc then give one index each.
 * Ownership: everything but *result_out is only read during the call. result_out is not touched after a failure.
 * Returns: 0, ERR_ARG (NULL, an operation that the kind does not have, rank, extents, dim, flags, mask), ERR_OVERFLOW (more elements than
 * int64_t counts), ERR_NODEVICE, ERR_NOMEM, ERR_STATE, ERR_FORK.  Source: Fortran's SUM to COUNT.  Since: 0.1 */
portable_status portable_reduce_array(const char *label, int32_t op, int32_t kind, const void *data, int32_t rank,
                                      const int64_t *extents, const portable_array_options *options, void *result_out);

#ifdef __cplusplus
}
#endif

#endif
