/* portable_componentwise.h - operations on arrays element by element: c = a + b, c = sqrt(a), mask = a < b, merge and fill.
 * Part of portable.h; include that.
 *
 * In this file: operations whose result is an array of the operands' shape. Not in this file: reductions (portable_reduce_array.h).
 *
 * The rules at the head of portable.h hold. In addition:
 *   Bits:     of each element those of the operation of C in the program's own loop. Functions are the C library's. min and max
 *             leave NaN out; of equal values they give the second one. On a CUDA device functions are the GPU's, within 2 units
 *             in the last place; all other results have the host's bits.
 *   Integers: wrap. Division is C's and Fortran's, towards 0. A division by zero is an error, known before any element
 *             is written, and never a signal.
 *   Streams:  in an asynchronous stream the work is done in its turn: operands and result stay until it is, extents, strides and
 *             single values may go. Integer division, mod and power first look at their operands, and wait for that.
 */
#ifndef PORTABLE_COMPONENTWISE_H
#define PORTABLE_COMPONENTWISE_H

#ifndef PORTABLE_REDUCE_ARRAY_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- operations ---------------------------------------------------------------------------------- */

/* Operations on two operands of one kind, INT32, INT64, REAL32 or REAL64; the result is of that kind. */
#define PORTABLE_BINARY_ADD       1
#define PORTABLE_BINARY_SUBTRACT  2
#define PORTABLE_BINARY_MULTIPLY  3
#define PORTABLE_BINARY_DIVIDE    4
#define PORTABLE_BINARY_MOD       5 /* the remainder, of the sign of a: C's % and fmod, Fortran's MOD */
#define PORTABLE_BINARY_POWER     6 /* pow; of integers 1/a**-b, towards 0, where b is below 0 */
#define PORTABLE_BINARY_MIN       7
#define PORTABLE_BINARY_MAX       8
#define PORTABLE_BINARY_SIGN      9 /* the magnitude of a with the sign of b: copysign, Fortran's SIGN */
#define PORTABLE_BINARY_ATAN2    10 /* of reals: atan2(a, b) */
/* The result is logical. Equal and unequal take logical operands too. */
#define PORTABLE_BINARY_LESS          11
#define PORTABLE_BINARY_GREATER       12
#define PORTABLE_BINARY_LESS_EQUAL    13
#define PORTABLE_BINARY_GREATER_EQUAL 14
#define PORTABLE_BINARY_EQUAL         15
#define PORTABLE_BINARY_UNEQUAL       16
/* Operations on logicals, and on numbers, which are true when they are not 0. */
#define PORTABLE_BINARY_AND           17
#define PORTABLE_BINARY_OR            18

/* Operations on one operand; the result is of its kind. */
#define PORTABLE_UNARY_PLUS    1
#define PORTABLE_UNARY_NEGATE  2
#define PORTABLE_UNARY_ABS     3
/* Operations on reals. */
#define PORTABLE_UNARY_SQRT    4
#define PORTABLE_UNARY_CBRT    5
#define PORTABLE_UNARY_SIN     6
#define PORTABLE_UNARY_COS     7
#define PORTABLE_UNARY_TAN     8
#define PORTABLE_UNARY_ASIN    9
#define PORTABLE_UNARY_ACOS   10
#define PORTABLE_UNARY_ATAN   11
#define PORTABLE_UNARY_EXP    12
#define PORTABLE_UNARY_LOG    13
#define PORTABLE_UNARY_LOG10  14
#define PORTABLE_UNARY_LOG2   15
#define PORTABLE_UNARY_FLOOR  16 /* the results of these three are real, as in C */
#define PORTABLE_UNARY_CEIL   17
#define PORTABLE_UNARY_ROUND  18 /* halves away from 0: C's round, Fortran's ANINT */
/* The result is logical. */
#define PORTABLE_UNARY_ISNAN  19 /* of reals */
#define PORTABLE_UNARY_ISINF  20
#define PORTABLE_UNARY_NOT    21 /* of logicals and numbers */

/* ---- arrays -------------------------------------------------------------------------------------- */

#define PORTABLE_ONE_A    1u /* a is one value for all elements: it is read at the call */
#define PORTABLE_ONE_B    2u
#define PORTABLE_ONE_MASK 4u

/* Options; 0 in a field means: nothing. */
typedef struct portable_componentwise_options {
  uint32_t struct_size; /* sizeof(portable_componentwise_options), set by PORTABLE_COMPONENTWISE_OPTIONS_INIT */
  uint32_t flags;       /* PORTABLE_ONE_... */
  int32_t  order;       /* which index of contiguous arrays runs fastest: PORTABLE_ORDER_C (0), PORTABLE_ORDER_FORTRAN */
  int32_t  result_kind; /* of results that are logical: PORTABLE_KIND_LOGICAL...; 0: the operands' if they are logical, else
                           LOGICAL32, which is int32_t 0 or 1 */
  const int64_t *a_strides; /* [rank]: bytes from one element to the next in each dimension, also negative; NULL: contiguous */
  const int64_t *b_strides;
  const int64_t *mask_strides;
  const int64_t *result_strides;
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_componentwise_options;

#define PORTABLE_COMPONENTWISE_OPTIONS_INIT { (uint32_t)sizeof(portable_componentwise_options), 0, 0, 0, NULL, NULL, NULL, NULL, NULL }

/* For all that follow:
 * Shapes: extents[rank], rank 1 to 8, in the order of the indices; data pointers point to the element with all indices lowest. An
 * extent of 0 is no element.
 * Ownership: operands are only read. The result may be an operand itself, element by element; any other memory that it
 * shares with an operand array, or with itself, is refused. It is not touched after a failure that is known at the call.
 * Threads: from any thread, also inside a kernel (runs inline). It is a launch of the name `label` (NULL: "unlabelled"), of
 * few elements by the calling thread alone.
 * Returns: 0, ERR_ARG (NULL, an operation that the kind does not have, rank, extents, flags, overlap, a division by zero: the text
 * names the first index), ERR_OVERFLOW (more bytes than int64_t counts), ERR_NODEVICE, ERR_HANDLE, ERR_NOMEM, ERR_STATE, ERR_FORK. */

/* result = a op b, element by element, op being PORTABLE_BINARY_... of elements of `kind`.
 * Source: YAKL's componentwise operators.  Since: 0.1 */
portable_status portable_binary(const char *label, int32_t op, int32_t kind, const void *a, const void *b, void *result, int32_t rank,
                                const int64_t *extents, const portable_componentwise_options *options);

/* result = op a, element by element, op being PORTABLE_UNARY_...  Source: YAKL's componentwise operators.  Since: 0.1 */
portable_status portable_unary(const char *label, int32_t op, int32_t kind, const void *a, void *result, int32_t rank, const int64_t *extents,
                               const portable_componentwise_options *options);

/* result = mask ? a : b, element by element: elements of any kind but EXACT, the mask of PORTABLE_KIND_LOGICAL...
 * Source: Fortran's MERGE.  Since: 0.1 */
portable_status portable_merge(const char *label, int32_t kind, const void *a, const void *b, int32_t mask_kind, const void *mask,
                               void *result, int32_t rank, const int64_t *extents, const portable_componentwise_options *options);

/* Writes the value, of element_bytes bytes, into each element. The value is read at the call; element_bytes is 1 or more, of
 * structures too.  Source: Kokkos' deep_copy of a value.  Since: 0.1 */
portable_status portable_fill(const char *label, const void *value, int64_t element_bytes, void *result, int32_t rank, const int64_t *extents,
                              const portable_componentwise_options *options);

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_componentwise_mod; not for users. */

/* result = a op b, result = op a (b->kind 0), merge (mask->kind not 0), fill (a of rank 0, b->kind 0). op: the text that Fortran
 * says. Sections of rank 0 are one value for all. */
portable_status portable__fortran_componentwise(int32_t version, const char *label, size_t label_bytes, const char *op, size_t op_bytes,
                                                const struct portable__fortran_section *result,
                                                const struct portable__fortran_section *a, const struct portable__fortran_section *b,
                                                const struct portable__fortran_section *mask);

#ifdef __cplusplus
}
#endif

#endif
