/* portable_kernel.h - kernel objects: a kernel with a name, what its argument block holds, and an implementation for each
 * kind of device. Part of portable.h; include that.
 *
 * A plain function and portable_parallel_for are enough for a loop that runs on the host. A kernel object is for a loop that
 * has, or will have, versions for several devices: the launch takes the one of the device it runs on.
 */
#ifndef PORTABLE_KERNEL_H
#define PORTABLE_KERNEL_H

#ifndef PORTABLE_LAUNCH_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel object. 0 is none; a handle of a destroyed kernel is recognised and refused. */
typedef uint64_t portable_kernel;

/* Kinds of arguments. */
#define PORTABLE_ARGUMENT_BYTES   0 /* anything; copied as it is */
#define PORTABLE_ARGUMENT_INT32   1
#define PORTABLE_ARGUMENT_INT64   2
#define PORTABLE_ARGUMENT_REAL32  3
#define PORTABLE_ARGUMENT_REAL64  4
#define PORTABLE_ARGUMENT_POINTER 5 /* to memory that the device must be able to reach */
#define PORTABLE_ARGUMENT_ARRAY   6 /* a portable_view_1 ... _8 (portable_device_view.h): 16 bytes and 24 for each dimension */
#define PORTABLE_ARGUMENT_LIVEOUT 7 /* a portable_liveout; the kernel finds the address of its value in that place */

/* A kernel's access to the memory of a POINTER or ARRAY. */
#define PORTABLE_ACCESS_READ  1
#define PORTABLE_ACCESS_WRITE 2
#define PORTABLE_ACCESS_BOTH  3

/* One argument of the block: where it lies in it. */
typedef struct portable_argument {
  const char *name;   /* for messages; copied */
  int32_t     kind;   /* PORTABLE_ARGUMENT_... */
  int32_t     access; /* PORTABLE_ACCESS_..., of a POINTER or ARRAY; else 0 */
  size_t      offset; /* bytes from the beginning of the block, as offsetof gives it */
  size_t      bytes;  /* of the argument in the block, as sizeof gives it */
} portable_argument;

/* Makes a kernel object without an implementation. block_bytes is the size of the argument block, or 0; arguments says
 * what is in it, and may be NULL with argument_count 0: a block of bytes.
 * Ownership: caller owns the handle until portable_kernel_destroy; label and arguments are copied.
 * Threads: safe, also before portable_init.
 * Returns: 0, ERR_ARG (an argument outside the block, of a size that its kind does not have, or over another one), ERR_NOMEM, ERR_FORK.
 * Since: 0.1 */
portable_status portable_kernel_create(const char *label, size_t block_bytes, const portable_argument *arguments,
                                       size_t argument_count, portable_kernel *kernel_out);

/* Gives the kernel its implementation for the devices of the host; NULL takes it away. Another one may be set at any time
 * between launches.  Returns: 0, ERR_HANDLE.  Since: 0.1 */
portable_status portable_kernel_set_host(portable_kernel kernel, portable_kernel_function function);

/* Ends a kernel object. 0 is accepted and does nothing. A launch under way keeps what it needs.
 * Returns: 0, ERR_HANDLE.  Since: 0.1 */
portable_status portable_kernel_destroy(portable_kernel kernel);

/* The arguments of a kernel, for tools: the i-th one from 0, whose name is valid until the kernel ends.
 * Returns: 0, ERR_HANDLE, ERR_ARG (there is no such argument).  Since: 0.1 */
portable_status portable_kernel_argument(portable_kernel kernel, size_t i, portable_argument *argument_out);

/* Runs a kernel object over an index space, as portable_parallel_for does with a function. args points to the argument block, of
 * the size that the kernel was made with, and is copied.
 * On a CUDA device the kernel's version for it runs (portable_cuda.h); there, default streams too are asynchronous. A kernel without one runs on
 * `threads` when the stream has come to it.
 * Returns: as portable_parallel_for; ERR_HANDLE (also of a live-out in the block), ERR_STATE (no implementation for the device), ERR_POINTER (an
 * argument is memory that the device does not reach), ERR_ARG (an ARRAY that is not what its argument says).  Since: 0.1 */
portable_status portable_launch(portable_kernel kernel, const portable_bounds *bounds, const void *args,
                                const portable_launch_config *config);

/* The Fortran modules' own: portable_argument of portable_argument_mod and c_cuda_code of portable_c.inc, whose forms they number. */
struct portable__fortran_argument {
  const char *data, *next[7]; /* the first element, and the second one along each dimension */
  int64_t lower[7], extent[7];
  uint64_t liveout;
  char value[16];
  int32_t kind, rank, form, access;
  char name[32];
  int32_t notes, reserved; /* capi/fortran/fortran_block.h */
};
/* One result, as portable_result of portable_list_mod says it. Operations are PORTABLE_REDUCE_..., and those below; 0: there is no such. */
struct portable__fortran_result {
  void *to, *place;
  int32_t kind, operation, into, place_bytes, place_count, reserved;
};
#define PORTABLE__REDUCE_IAND 101
#define PORTABLE__REDUCE_IOR  102
#define PORTABLE__REDUCE_IEOR 103
#define PORTABLE__REDUCE_EQV  104
#define PORTABLE__REDUCE_NEQV 105
/* portable_section of portable_list_mod. */
struct portable__fortran_section_of {
  void *data;
  int64_t big[7], first[7], last[7], step[7];
  int32_t whole, reserved;
};
struct portable__fortran_code {
  int32_t form, block_size;
  int64_t shared_bytes, lines, line_bytes, entry_bytes, options_bytes;
};

#ifdef __cplusplus
}
#endif

#endif
