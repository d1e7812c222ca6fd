/* portable_solve.h - many tridiagonal or pentadiagonal systems in one call. Part of portable.h; include that.
 *
 * In this file: the systems of whole arrays, along any dimension. Not in this file: one system inside a kernel, and the method
 * (portable_solvers.h).
 *
 * The rules at the head of portable.h hold. In addition:
 *   Bits:     of a system those of portable_solvers.h: they do not depend on threads, device, strides, the dimension, other systems, or on
 *             PORTABLE_SOLVE_ONE.
 *   NaN:      stays in its system, and is no error.
 *   Zero:     a pivot of 0 is an error, ERR_ARG, after all systems are done: its system becomes NaN, and the text names the first such
 *             system in array element order, and the row. No signal is raised. Rows are not exchanged: for such matrices take LAPACK.
 */
#ifndef PORTABLE_SOLVE_H
#define PORTABLE_SOLVE_H

#ifndef PORTABLE_REDUCE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PORTABLE_SOLVE_PERIODIC 1u /* the last row is followed by the first one */
#define PORTABLE_SOLVE_ONE      2u /* the diagonals are vectors of one matrix for all systems, which is factored once */

/* Options; 0 in a field means: nothing. */
typedef struct portable_solve_options {
  uint32_t struct_size; /* sizeof(portable_solve_options), set by PORTABLE_SOLVE_OPTIONS_INIT */
  uint32_t flags;       /* PORTABLE_SOLVE_... */
  int32_t  order;       /* which index of contiguous arrays runs fastest: PORTABLE_ORDER_C (0), PORTABLE_ORDER_FORTRAN */
  int32_t  dim;         /* 1 to rank: the dimension that counts the rows of a system; 0 is for rank 1 */
  const int64_t *rhs_strides; /* [rank]: bytes from one element to the next in each dimension, also negative; NULL: contiguous */
  const int64_t *lower_strides; /* [rank], of PORTABLE_SOLVE_ONE [1]; 0 takes the same element again */
  const int64_t *diag_strides;
  const int64_t *upper_strides;
  const int64_t *lower2_strides; /* of pentadiagonal systems */
  const int64_t *upper2_strides;
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_solve_options;

#define PORTABLE_SOLVE_OPTIONS_INIT { (uint32_t)sizeof(portable_solve_options), 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/* Solves lower[i] x[i-1] + diag[i] x[i] + upper[i] x[i+1] = rhs[i] for each line of rhs along dim; rhs becomes x. The first element of
 * lower and the last one of upper are not used, unless the systems are periodic: there they belong to x of the last and the first row.
 * Shapes: extents[rank], rank 1 to 8, of rhs and each diagonal, in the order of the indices; with PORTABLE_SOLVE_ONE a diagonal has
 * extents[dim-1] elements. Pointers point to the element with all indices lowest. Any extent may be 0, 1 or 2; coefficients that belong to one
 * unknown of a short periodic system are added.
 * Kinds: PORTABLE_KIND_REAL32, _REAL64.
 * Ownership: the diagonals are only read, and may share memory with one another; rhs shares none with them, nor with itself.
 * Threads: as portable_parallel_for; inside a kernel the calling thread does all. It is a launch of the name `label` (NULL: "unlabelled"); in
 * a stream it is done in its turn, and the call waits for the end.
 * Returns: 0, ERR_ARG (NULL, kind, rank, extents, dim, order, flags, overlap; a pivot of 0), ERR_OVERFLOW (more bytes than int64_t
 * counts), ERR_NODEVICE, ERR_HANDLE (no such stream), ERR_POINTER, ERR_NOMEM, ERR_STATE, ERR_FORK. rhs is not touched, but for a pivot of 0;
 * with ERR_NOMEM some systems may be solved.
 * Source: YAKL's tridiagonal.  Since: 0.1 */
portable_status portable_solve_tridiagonal(const char *label, int32_t kind, const void *lower, const void *diag, const void *upper, void *rhs, int32_t rank,
                                           const int64_t *extents, const portable_solve_options *options);

/* The same with two diagonals on each side: lower2[i] x[i-2] + lower[i] x[i-1] + diag[i] x[i] + upper[i] x[i+1] + upper2[i] x[i+2] = rhs[i].
 * Source: YAKL's pentadiagonal.  Since: 0.1 */
portable_status portable_solve_pentadiagonal(const char *label, int32_t kind, const void *lower2, const void *lower, const void *diag, const void *upper,
                                             const void *upper2, void *rhs, int32_t rank, const int64_t *extents, const portable_solve_options *options);

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_solvers_mod; not for users. */

struct portable__fortran_section;

/* bands: lower2, lower, diag, upper, upper2; of tridiagonal systems lower2 and upper2 have the kind 0. dim 0: none was given; below 0: one that
 * is no dimension. */
portable_status portable__fortran_solve(int32_t version, const char *label, size_t label_bytes, const struct portable__fortran_section *bands,
                                        const struct portable__fortran_section *rhs, int32_t dim, int32_t periodic);

#ifdef __cplusplus
}
#endif

#endif
