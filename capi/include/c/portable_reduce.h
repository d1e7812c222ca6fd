/* portable_reduce.h - reductions as launches: one loop, and what its iterations add up to, multiply to, or have as least or
 * greatest; and live-outs, values that stay where kernels run. Part of portable.h; include that.
 *
 * In this file: reductions of what a kernel computes. Not in this file: reductions of arrays that are in memory
 * (portable_reduce_array.h), sums without rounding outside of launches (portable_exact.h).
 *
 * The rules at the head of portable_launch.h hold. In addition:
 *   Bits:     the index space is cut into leaves whose size depends on the bounds only, each leaf has partial results of
 *             its own, and those are combined along a fixed tree. So the results are the same, bit for bit, for any number
 *             of threads, any schedule, any device, and in each run.
 *   NaN:      least and greatest values leave NaN out; of NaN alone they are infinity and -infinity, and their place is -1.
 *   Integers: wrap on overflow.
 *   Failure:  a launch that fails leaves all destinations as they are.
 */
#ifndef PORTABLE_REDUCE_H
#define PORTABLE_REDUCE_H

#ifndef PORTABLE_LAUNCH_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what and of what ---------------------------------------------------------------------------- */

#define PORTABLE_REDUCE_SUM     1
#define PORTABLE_REDUCE_PRODUCT 2
#define PORTABLE_REDUCE_MIN     3
#define PORTABLE_REDUCE_MAX     4
#define PORTABLE_REDUCE_MINLOC  5
#define PORTABLE_REDUCE_MAXLOC  6
#define PORTABLE_REDUCE_ANY     7
#define PORTABLE_REDUCE_ALL     8
#define PORTABLE_REDUCE_COUNT   9
#define PORTABLE_REDUCE_USER   10 /* combine and identity are the user's */

#define PORTABLE_KIND_INT8       1
#define PORTABLE_KIND_INT16      2
#define PORTABLE_KIND_INT32      3
#define PORTABLE_KIND_INT64      4
#define PORTABLE_KIND_REAL32     5
#define PORTABLE_KIND_REAL64     6
#define PORTABLE_KIND_COMPLEX32  7 /* two of real32 */
#define PORTABLE_KIND_COMPLEX64  8
#define PORTABLE_KIND_LOGICAL8   9 /* of one byte: C's _Bool; a logical is true when it is not 0 */
#define PORTABLE_KIND_LOGICAL16 10
#define PORTABLE_KIND_LOGICAL32 11
#define PORTABLE_KIND_LOGICAL64 12
#define PORTABLE_KIND_EXACT     13 /* a portable_exact */

#define PORTABLE_REDUCE_WIDE 1u /* real32 and complex32 are added up and multiplied in real64, and rounded once */
#define PORTABLE_REDUCE_EXACT 2u /* a sum of real32 or real64 is exact, and rounded once */
#define PORTABLE_REDUCE_INTO 4u /* what the destination holds takes part, as if it came before the first iteration */

/* A value and where it is: the partial result, and the result, of minloc and maxloc. index is whatever the kernel calls the place,
 * most often the number of the iteration, from 0 on; -1 in a result where there was no value.  Since: 0.1 */
typedef struct portable_loc_int8 { int8_t value; int64_t index; } portable_loc_int8;
typedef struct portable_loc_int16 { int16_t value; int64_t index; } portable_loc_int16;
typedef struct portable_loc_int32 { int32_t value; int64_t index; } portable_loc_int32;
typedef struct portable_loc_int64 { int64_t value; int64_t index; } portable_loc_int64;
typedef struct portable_loc_real32 { float value; int64_t index; } portable_loc_real32;
typedef struct portable_loc_real64 { double value; int64_t index; } portable_loc_real64;

/* ---- live-outs ----------------------------------------------------------------------------------- */

/* A value in memory that kernels of all devices reach, to be written by a kernel or by a reduction and read on the host when it
 * is wanted. 0 is none; a handle of a destroyed live-out is recognised and refused. One that is not destroyed is listed at
 * the last portable_finalize as blocks of the pool are, and gone afterwards.  Source: YAKL's ScalarLiveOut. */
typedef uint64_t portable_liveout;

/* Makes a live-out of a kind from INT8 to LOGICAL64. initial points to its first value; NULL: 0. label names it where it is
 * listed; NULL: "liveout".
 * Ownership: caller owns the handle until portable_liveout_destroy.
 * Returns: 0, ERR_ARG (kind, NULL), ERR_STATE, ERR_NOMEM, ERR_FORK.  Since: 0.1 */
portable_status portable_liveout_create(const char *label, int32_t kind, const void *initial, portable_liveout *liveout_out);

/* Waits until all that was launched is done, and copies the value. kind is the one that the live-out was made with.
 * Inside a kernel it waits for nothing.
 * Returns: 0, ERR_HANDLE, ERR_ARG (another kind, NULL), ERR_KERNEL (a launch that was waited for has failed).  Since: 0.1 */
portable_status portable_liveout_host_read(portable_liveout liveout, int32_t kind, void *value_out);
portable_status portable_liveout_host_read_int32(portable_liveout liveout, int32_t *value_out);
portable_status portable_liveout_host_read_int64(portable_liveout liveout, int64_t *value_out);
portable_status portable_liveout_host_read_real32(portable_liveout liveout, float *value_out);
portable_status portable_liveout_host_read_real64(portable_liveout liveout, double *value_out);

/* Waits until all that was launched is done, and sets the value.  Returns: as portable_liveout_host_read.  Since: 0.1 */
portable_status portable_liveout_host_write(portable_liveout liveout, int32_t kind, const void *value);
portable_status portable_liveout_host_write_int32(portable_liveout liveout, int32_t value);
portable_status portable_liveout_host_write_int64(portable_liveout liveout, int64_t value);
portable_status portable_liveout_host_write_real32(portable_liveout liveout, float value);
portable_status portable_liveout_host_write_real64(portable_liveout liveout, double value);

/* The address of the value, for kernels: to be put into an argument block. It is alone in its cache line. Threads of one launch
 * that write it without agreeing on who does, race.
 * Ownership: borrowed until portable_liveout_destroy.
 * Returns: 0, ERR_HANDLE, ERR_ARG (another kind, NULL).  Since: 0.1 */
portable_status portable_liveout_pointer(portable_liveout liveout, int32_t kind, void **pointer_out);

/* Waits until all that was launched is done, and ends a live-out. 0 is accepted and does nothing.
 * Returns: 0, ERR_HANDLE.  Since: 0.1 */
portable_status portable_liveout_destroy(portable_liveout liveout);

/* ---- launches ------------------------------------------------------------------------------------ */

/* into = into op from, for values of the user's. Called on the thread that launches, after the kernels. `into` is always of
 * earlier leaves than `from`. */
typedef void (*portable_combine_function)(void *into, const void *from, void *context);

/* One result of a reduction. Begin with PORTABLE_REDUCTION; fields that it does not name are 0. */
typedef struct portable_reduction {
  uint32_t struct_size; /* sizeof(portable_reduction), set by PORTABLE_REDUCTION */
  int32_t  operation;   /* PORTABLE_REDUCE_... */
  int32_t  kind;        /* PORTABLE_KIND_... of the result; of USER: 0 */
  uint32_t flags;       /* PORTABLE_REDUCE_WIDE, _EXACT, _INTO */
  void    *to;          /* where the result goes: a value of that kind, for minloc and maxloc a portable_loc_... */
  portable_liveout liveout; /* or the live-out that it is left in, of that kind; not for minloc and maxloc */
  /* Of USER only: */
  size_t      bytes;    /* of a value, 1 to 65536 */
  const void *identity; /* what each partial result begins as; NULL: all bytes 0 */
  portable_combine_function combine;
  void       *context;  /* handed to combine */
} portable_reduction;

#define PORTABLE_REDUCTION(operation, kind, to) \
  { (uint32_t)sizeof(portable_reduction), (operation), (kind), 0u, (to), 0, 0, NULL, NULL, NULL }

#define PORTABLE_REDUCTIONS_MOST 64 /* results of one launch */
#define PORTABLE_EXACT_MOST 16      /* exact sums among them */

/* A kernel of a reduction: does its part of the work for each index of the tile, and combines what it finds into
 * *partial[0], *partial[1], ..., one for each result, which it finds as the identity of the operation and does not share:
 *   sum, product     a value of the kind; real64 or complex64 under WIDE
 *   min, max         a value of the kind; the identity is infinity, of integers the largest (least) value
 *   minloc, maxloc   a portable_loc_... of the kind; see PORTABLE_MINLOC
 *   any, all         int32_t, 0 and 1
 *   count            int64_t, 0
 *   exact sums       portable_exact, to be added to by portable_exact_add and portable_exact_add_array
 *   user             `bytes` bytes, aligned as malloc's
 * A variable of the kernel's own, combined into *partial at the end, lets compilers vectorise. */
typedef void (*portable_reduce_function)(const portable_tile *tile, void *args, void *const *partial);

/* The least and greatest of *partial and value, NaN left out, for kernels; no argument is changed but *partial. The argument
 * `partial` is evaluated more than once. */
#define PORTABLE_MIN(partial, v) ((void)((v) < *(partial) ? (*(partial) = (v)) : *(partial)))
#define PORTABLE_MAX(partial, v) ((void)((v) > *(partial) ? (*(partial) = (v)) : *(partial)))
/* The same with the place i of v, for a partial result that is a portable_loc_...; of equal values the lower i stays. */
#define PORTABLE_MINLOC(partial, v, i) \
  ((void)((v) < (partial)->value || ((v) == (partial)->value && (i) < (partial)->index) \
    ? ((partial)->value = (v), (partial)->index = (i)) : 0))
#define PORTABLE_MAXLOC(partial, v, i) \
  ((void)((v) > (partial)->value || ((v) == (partial)->value && (i) < (partial)->index) \
    ? ((partial)->value = (v), (partial)->index = (i)) : 0))

/* Runs the kernel over the index space, as portable_parallel_for does, and puts the results where `results` says. Without
 * an iteration a result is 0 (sum, count), 1 (product), the largest or least number (min, minloc; max, maxloc), false (any), true
 * (all), the identity (user). Kernels are called with one leaf at a time, whose number is tile->number; config->tile, if
 * set, is the leaf, and part of what the bits depend on.
 * Shapes: results[result_count], 1 to 64.
 * Ownership: bounds, args, results and config are only read during the call; destinations written before it returns.
 * Threads: as portable_parallel_for; the same bits inside a kernel and inside an OpenMP region.
 * Returns: as portable_parallel_for; ERR_ARG (result_count, an operation that the kind does not have, no destination or two),
 * ERR_HANDLE (a live-out), ERR_OVERFLOW (a count that does not fit its kind).  Source: Kokkos' parallel_reduce.  Since: 0.1 */
portable_status portable_parallel_reduce(const char *label, const portable_bounds *bounds, portable_reduce_function kernel,
                                         const void *args, size_t args_bytes, const portable_reduction *results,
                                         size_t result_count, const portable_launch_config *config);

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Used by portable_core_mod; not for users. */

/* What Fortran says of the results; the twin of c_reduction in portable_core_mod. */
struct portable__fortran_reduction {
  int32_t kind, count, flags;                     /* kind: of the results; 0 for the bytes of a user's value */
  int32_t place_bytes, place_count;               /* of minloc and maxloc: of one index; how many there are */
  int32_t operation[PORTABLE_REDUCTIONS_MOST];
  int32_t listed;                                 /* 1 and how many arguments portable_arg has made; 0: there is no list */
  portable_liveout liveout;                       /* where results is NULL */
  int64_t bytes;                                  /* of a user's value */
  void *results, *place;
  const void *identity;
  const struct portable__fortran_argument *args;
};

#ifdef __cplusplus
}
#endif

#endif
