/* portable_random_fill.h - arrays of random numbers by cell, on the threads of the library or on a device. Part of portable.h; include that.
 *
 *     #include <portable.h>
 *     #include <portable_random.h>
 *     status = portable_random_fill("noise", PORTABLE_KIND_REAL64, portable_random_key_make(2026, step, 3), x, 1, &n, NULL);
 *
 * In this file: the call for whole arrays. Not in this file: keys, single numbers, numbers inside kernels (portable_random.h).
 * The rules at the head of portable.h hold. */
#ifndef PORTABLE_RANDOM_FILL_H
#define PORTABLE_RANDOM_FILL_H

#ifndef PORTABLE_REDUCE_ARRAY_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct portable_random_key; /* of portable_random.h */

#define PORTABLE_RANDOM_UNIFORM 0 /* between 0 and 1, without both: portable_random_real64, _real32 */
#define PORTABLE_RANDOM_NORMAL  1 /* mean 0, variance 1: portable_random_normal, rounded for REAL32 */

/* Options of a fill; 0 in a field means: nothing.  Since: 0.1 */
typedef struct portable_random_options {
  uint32_t struct_size;   /* sizeof(portable_random_options), set by PORTABLE_RANDOM_OPTIONS_INIT */
  int32_t  order;         /* which index runs fastest, in numbering cells too: PORTABLE_ORDER_C (0), PORTABLE_ORDER_FORTRAN */
  int32_t  distribution;  /* PORTABLE_RANDOM_UNIFORM (0), PORTABLE_RANDOM_NORMAL */
  int32_t  draw;
  int64_t  first;         /* the cell of the first element */
  const int64_t *strides; /* [rank]: bytes from one element to the next in each dimension, also negative; NULL: contiguous */
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_random_options;

#define PORTABLE_RANDOM_OPTIONS_INIT { (uint32_t)sizeof(portable_random_options), 0, 0, 0, 0, NULL, NULL }

/* Writes the number of cell first + n into element n, counted from 0 with the indices in their order: the bits of single calls, for any
 * number of threads and any device. It is a launch of the name `label` (NULL: "unlabelled"), of few elements by the calling thread alone.
 * Shapes: extents[rank], rank 1 to 8, in the order of the indices; data points to the element with all indices lowest. An extent of 0 is
 * no element. kind: PORTABLE_KIND_REAL32 or _REAL64.
 * Ownership: data is only written; in an asynchronous stream until the stream has passed the launch. It is not touched after a failure.
 * Threads: from any thread, also inside a kernel (runs inline).
 * Returns: 0, ERR_ARG (NULL, kind, distribution, rank, extents, order, elements that overlap), ERR_OVERFLOW (more bytes than int64_t counts,
 * cells beyond int64_t), ERR_NODEVICE, ERR_HANDLE (no such stream), ERR_NOMEM, ERR_STATE, ERR_FORK.
 * Source: cuRAND's curandGenerateUniformDouble, with numbers by cell.  Since: 0.1 */
portable_status portable_random_fill(const char *label, int32_t kind, struct portable_random_key key, void *data, int32_t rank, const int64_t *extents,
                                     const portable_random_options *options);

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_random_fill_mod; not for users. */

/* portable_random_fill of a section; distribution: the text that Fortran says. */
portable_status portable__fortran_random_fill(int32_t version, const char *label, size_t label_bytes, const struct portable_random_key *key,
                                              const struct portable__fortran_section *array, int64_t first, int32_t draw,
                                              const char *distribution, size_t distribution_bytes);

#ifdef __cplusplus
}
#endif

#endif
