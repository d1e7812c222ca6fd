/* portable_scan.h - scans of arrays: running sums, products, least and largest values. Part of portable.h; include that.
 *
 * In this file: scans of arrays that are in memory. Not in this file: one value of a whole array (portable_reduce_array.h),
 * which elements are chosen and packing them (portable_filter.h).
 *
 * The rules at the head of portable.h hold. In addition:
 *   Order:    a line is cut into leaves of 2048 elements, a leaf into runs of 8; a value is C + (L + R), where R is the running sum in the
 *             run, L that of the runs before in the leaf, C that of the leaves before, each added up from the first to the last.
 *             So it is bit for bit the same for any number of threads, any device, each run, and for a section of an array
 *             and its contiguous copy; and sums of what is not negative never fall. The last one is not the bits of
 *             portable_reduce_array, which adds in another order.
 *   NaN:      least and largest values leave NaN out, unless there is nothing else so far.
 *   Integers: wrap.
 */
#ifndef PORTABLE_SCAN_H
#define PORTABLE_SCAN_H

#ifndef PORTABLE_REDUCE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PORTABLE_SCAN_EXCLUSIVE 1u /* element i of the result is of the elements before i only */

/* Options of a scan; 0 in a field means: nothing. */
typedef struct portable_scan_options {
  uint32_t struct_size;   /* sizeof(portable_scan_options), set by PORTABLE_SCAN_OPTIONS_INIT */
  uint32_t flags;         /* PORTABLE_SCAN_EXCLUSIVE */
  int32_t  order;         /* which index runs fastest: PORTABLE_ORDER_C (0), PORTABLE_ORDER_FORTRAN */
  int32_t  dim;           /* 1 to rank: each line along that dimension is scanned separately */
  const int64_t *strides; /* [rank]: bytes from one element to the next in each dimension, also negative; NULL: contiguous */
  const int64_t *out_strides; /* the same for the result; NULL: contiguous */
  const void    *initial; /* one element that comes before the first one of each line; NULL: none */
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_scan_options;

#define PORTABLE_SCAN_OPTIONS_INIT { (uint32_t)sizeof(portable_scan_options), 0, 0, 0, NULL, NULL, NULL, NULL }

/* Scans the array of the kind `kind`, whose first element (all indices lowest) is at data, into an array of the same extents at
 * out: element i becomes the sum (PORTABLE_REDUCE_SUM), _PRODUCT, least (_MIN) or largest (_MAX) of the elements up to i, in the order of
 * the array, or along dim. Exclusive: of those before i; the first one is then *initial, or of none: 0, 1, the largest,
 * the least finite number. It is a launch of the name `label` (NULL: "unlabelled"), and reads and writes memory once, as a rule; small arrays are
 * scanned by the calling thread alone.
 * Shapes: extents[rank], rank 1 to 8, in the order of the indices; strides as they are there.
 * Kinds: PORTABLE_KIND_INT8 to _REAL64. Strides in bytes.
 * Ownership: data is only read, out only written, both during the call. out may be data with the same strides; no other
 * overlap, nor elements of out among themselves.  Threads: as portable_parallel_for; inside a kernel the calling thread does all.
 * Returns: 0, ERR_ARG (NULL, an operation or a kind that there is not, rank, extents, dim, order, flags, overlap), ERR_OVERFLOW (more bytes than
 * int64_t counts), ERR_NODEVICE, ERR_HANDLE (no such stream), ERR_NOMEM, ERR_STATE, ERR_FORK; out is not touched then.
 * Source: MPI_Scan, std::inclusive_scan.  Since: 0.1 */
portable_status portable_scan(const char *label, int32_t op, int32_t kind, const void *data, int32_t rank, const int64_t *extents,
                              const portable_scan_options *options, void *out);

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_algorithm_mod; not for users. */

struct portable__fortran_section;

/* portable_scan of sections; dim below 0 for one that is no dimension. initial may be NULL. */
portable_status portable__fortran_scan(int32_t version, const char *label, size_t label_bytes, int32_t op,
                                       const struct portable__fortran_section *array, const struct portable__fortran_section *out,
                                       int32_t dim, int32_t exclusive, const void *initial);

#ifdef __cplusplus
}
#endif

#endif
