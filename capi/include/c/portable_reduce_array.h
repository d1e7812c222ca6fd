/* portable_reduce_array.h - reductions of arrays: sum, product, least and largest value and where they are, what is
 * true. Part of portable.h; include that.
 *
 * In this file: reductions of arrays that are in memory. Not in this file: reductions of what a kernel computes
 * (portable_reduce.h).
 *
 * The rules at the head of portable.h hold. In addition:
 *   Order:    a result depends on the values and their order in the array alone: it is bit for bit the same for any number of
 *             threads, any device, each run, and for a section of an array and its contiguous copy.
 *   NaN:      as MINVAL and MINLOC of Fortran: a NaN is left out, unless there is nothing else.
 *   Integers: wrap; a sum is of the array's own kind.
 */
#ifndef PORTABLE_REDUCE_ARRAY_H
#define PORTABLE_REDUCE_ARRAY_H

#ifndef PORTABLE_REDUCE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Operations and kinds are those of portable_reduce.h. Integers and reals have all operations but any, all and count; complex numbers
 * sum and product; logicals any, all and count. Without elements, min and max give the largest and the least finite number, sum 0, product 1.
 * minloc and maxloc give the indices of the first such element, from 0, or -1 without such an element. */

/* Options of a reduction of an array; 0 in a field means: nothing. */
typedef struct portable_array_options {
  uint32_t struct_size;   /* sizeof(portable_array_options), set by PORTABLE_ARRAY_OPTIONS_INIT */
  uint32_t flags;         /* PORTABLE_REDUCE_WIDE, PORTABLE_REDUCE_EXACT (sums of real and complex numbers, along no order) */
  int32_t  order;         /* which index runs fastest: PORTABLE_ORDER_C (0), PORTABLE_ORDER_FORTRAN */
  int32_t  dim;           /* 1 to rank: reduces along that dimension only; the result is an array of the others */
  const int64_t *strides; /* [rank]: bytes from one element to the next in each dimension, also negative; NULL: contiguous */
  const void    *mask;    /* logical array of the same extents: elements where it is not true are left out. Not for any, all, count */
  const int64_t *mask_strides; /* as strides; all 0: one logical for all */
  int32_t  mask_kind;     /* PORTABLE_KIND_LOGICAL... */
  int32_t  reserved;      /* 0; anything else is an error */
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

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_reduce_mod; not for users. */

/* An array or section as its elements lie: the first one, and the second one along each dimension (the first one again where there
 * is no second). kind 0: none. rank 0: one logical for all (masks only). */
struct portable__fortran_section {
  const void *data;
  const void *next[7];
  int64_t extent[7];
  int32_t kind, rank;
  const struct portable_launch_config *launch; /* of the first array of a call: device and stream; NULL: the default ones */
};

/* portable_reduce_array, dim below 0 for one that is no dimension. minloc, maxloc (from 1) and count are default
 * integers, of integer_bytes; any and all logicals of the array's kind. */
portable_status portable__fortran_reduce_array(int32_t version, const char *label, size_t label_bytes, int32_t op,
                                               const struct portable__fortran_section *array,
                                               const struct portable__fortran_section *mask, int32_t dim, uint32_t flags,
                                               int32_t integer_bytes, void *result);

#ifdef __cplusplus
}
#endif

#endif
