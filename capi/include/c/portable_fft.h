/* portable_fft.h - discrete Fourier transforms of the lines of arrays, along any dimension. Part of portable.h; include that.
 *
 *     portable_fft plan;
 *     portable_fft_create("waves", PORTABLE_FFT_R2C, nx, 1, &plan);
 *     portable_fft_forward("to waves", plan, PORTABLE_KIND_REAL64, x, waves, 2, extents, &options);
 *
 * In this file: plans, and the two directions. Not in this file: transforms over several dimensions, which are a call for each dimension;
 * transforms over several processes.
 *
 * The rules at the head of portable.h hold. In addition:
 *   Forward:  number k of the result is the sum of x[j] exp(-2 pi i j k / n) over j. Backward has + in place of -. Neither divides: forward and
 *             backward after one another give n times the line.
 *   Lengths:  any from 1. Products of 2, 3, 5 and 7 are fastest (radices 2, 3, 4, 5, 7, 8); other ones take Bluestein's method, which is four to six times as long.
 *   Bits:     of a line depend on its numbers and the plan; not on threads, devices, other lines, strides or the dimension. A library of
 *             PORTABLE_FFT_LIBRARY gives its own bits.
 *   Error:    relative to the root mean square of the result, some units of the last place times the logarithm of n.
 *   NaN:      stays in its line, and is no error.
 */
#ifndef PORTABLE_FFT_H
#define PORTABLE_FFT_H

#ifndef PORTABLE_REDUCE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A plan: length, type and dimension, and the tables for them. 0 is none; a handle of a destroyed plan is recognised and refused. */
typedef uint64_t portable_fft;

#define PORTABLE_FFT_C2C 0 /* n complex numbers to n complex numbers */
#define PORTABLE_FFT_R2C 1 /* n real numbers to their first n/2+1 complex numbers; the other ones are conjugates of these */

/* Makes a plan for lines of n numbers along dimension dim, counted from 1. It serves both kinds of reals and both directions.
 * Units: its tables take some 25 n bytes of the system's memory, for lengths by Bluestein's method 150 n.
 * Ownership: caller owns the handle until portable_fft_destroy, also over a stop and a start of the library. label (NULL: "fft") is for messages.
 * Threads: any, also before portable_init; several threads may use one plan at once.
 * Returns: 0, ERR_ARG (plan_out NULL, type, n below 1, dim not 1 to 8), ERR_OVERFLOW, ERR_NOMEM, ERR_FORK. *plan_out is 0 then.
 * Source: FFTW's plans.  Since: 0.1 */
portable_status portable_fft_create(const char *label, int32_t type, int64_t n, int32_t dim, portable_fft *plan_out);

/* Ends a plan. 0 is accepted and does nothing. Waits for the calls of other threads that use the plan.
 * Threads: any; not inside a kernel of such a call.  Returns: 0, ERR_HANDLE.  Since: 0.1 */
portable_status portable_fft_destroy(portable_fft plan);

/* Options; 0 in a field means: nothing. */
typedef struct portable_fft_options {
  uint32_t struct_size; /* sizeof(portable_fft_options), set by PORTABLE_FFT_OPTIONS_INIT */
  uint32_t flags;       /* 0 */
  int32_t  order;       /* which index of contiguous arrays runs fastest: PORTABLE_ORDER_C (0), PORTABLE_ORDER_FORTRAN */
  int32_t  reserved;    /* 0; anything else is an error */
  const int64_t *in_strides;  /* [rank]: bytes from one element to the next in each dimension, also negative; NULL: contiguous */
  const int64_t *out_strides;
  int64_t  part_stride; /* bytes from the real to the imaginary part of complex numbers, for example of parts in two arrays, contiguous each where strides are NULL; 0: side by side */
  const struct portable_launch_config *launch; /* device, stream, schedule; NULL: the default ones */
} portable_fft_options;

#define PORTABLE_FFT_OPTIONS_INIT { (uint32_t)sizeof(portable_fft_options), 0, 0, 0, NULL, NULL, 0, NULL }

/* Transforms all lines along the plan's dimension, from in to out. forward of R2C reads real numbers and writes complex ones; backward reads complex
 * numbers, without the imaginary parts of the first one and, if n is even, of the last one, and writes real ones.
 * Shapes: extents[rank], rank 1 to 8, in the order of the indices, of the side with n numbers: extents[dim-1] is n. The other side of R2C
 * has n/2+1 there. Any other extent may be 0. Pointers point to the element with all indices lowest.
 * Kinds: PORTABLE_KIND_REAL32, _REAL64: of real numbers, and of the parts of complex ones.
 * Ownership: in is only read. out shares no memory with in, or is in: then each line of out lies where the line of in lies, with the same strides
 * in all other dimensions; of R2C a complex number lies where two real numbers lie, so the lines need room for 2(n/2+1) real numbers.
 * Threads: as portable_parallel_for; inside a kernel the calling thread does all. It is a launch of the name `label` (NULL: "unlabelled"); in
 * a stream it is done in its turn, and the call waits for the end.
 * Returns: 0, ERR_ARG (NULL, kind, rank, extents, order, flags, reserved, overlap), ERR_OVERFLOW (more bytes than int64_t counts), ERR_NODEVICE, ERR_HANDLE (no
 * such plan or stream), ERR_POINTER, ERR_NOMEM, ERR_STATE, ERR_FORK. out is not touched then; with ERR_NOMEM some lines may be done.
 * Source: YAKL's RealFFT1D, FFTW.  Since: 0.1 */
portable_status portable_fft_forward(const char *label, portable_fft plan, int32_t kind, const void *in, void *out, int32_t rank, const int64_t *extents,
                                     const portable_fft_options *options);
portable_status portable_fft_backward(const char *label, portable_fft plan, int32_t kind, const void *in, void *out, int32_t rank, const int64_t *extents,
                                      const portable_fft_options *options);

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_fft_mod; not for users. */

struct portable__fortran_section;

portable_status portable__fortran_fft_create(int32_t version, const char *type, size_t type_bytes, const char *label, size_t label_bytes, int64_t n, int32_t dim,
                                             portable_fft *plan_out);
portable_status portable__fortran_fft(int32_t version, int32_t backward, const char *label, size_t label_bytes, portable_fft plan,
                                      const struct portable__fortran_section *in, const struct portable__fortran_section *out);

#ifdef __cplusplus
}
#endif

#endif
