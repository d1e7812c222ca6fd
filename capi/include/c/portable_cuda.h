/* portable_cuda.h - the CUDA version of a kernel object, arrays in its argument block, and the way to NVIDIA's libraries. Part of portable.h;
 * include that.
 *
 * Nothing of CUDA is needed to compile or link a program that uses this. Without a device, or in an archive that was built without support for
 * CUDA, setting a device version succeeds and is never used: launches run on the device that there is, with the host's version.
 *
 * The code of a kernel is CUDA C, or what a compiler has made of it. Its entry is
 *     extern "C" __global__ void NAME(const portable_launch_space space, ARGUMENTS);
 * which PORTABLE_KERNEL of portable_device.h writes, or a hand. ARGUMENTS are the kernel's argument block: one structure by value, or its fields
 * in their order. For a block above 3840 bytes it is one pointer to the block (portable_args<T> is right for both).
 *
 * Which threads there are: the index that runs fastest lies along x, the next one along y, all others along z. An entry gets along with any
 * grid, as PORTABLE_FOR_... does: the grid of a large space is smaller than the space.
 *   block      code->block_size, else the launch's, else what PORTABLE_TUNING says for the label, else 256 threads, or as many as the
 *              kernel's registers allow. config.tile is the shape of a block, where it is not 0.
 *   stride     is heeded by PORTABLE_FOR_...; a launch with strides says so (config.strided), as on the host.
 */
#ifndef PORTABLE_CUDA_H
#define PORTABLE_CUDA_H

#ifndef PORTABLE_ARRAY_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- code ---------------------------------------------------------------------------------------- */

#define PORTABLE_CUDA_SOURCE      0 /* text of CUDA C in memory */
#define PORTABLE_CUDA_SOURCE_FILE 1 /* a file of it, read at the first launch; in the working folder, PORTABLE_CUDA_PATH, or the folder of the executable */
#define PORTABLE_CUDA_IMAGE       2 /* PTX, cubin or fatbin in memory; on an AMD GPU a code object, on a device of OpenCL SPIR-V */
#define PORTABLE_CUDA_IMAGE_FILE  3

/* A kernel's code for CUDA devices; begin with PORTABLE_CUDA_CODE_INIT. */
typedef struct portable_cuda_code {
  uint32_t    struct_size;
  int32_t     form;         /* PORTABLE_CUDA_SOURCE, ... */
  const char *code;         /* the text or image, or the path of the file */
  size_t      bytes;        /* of code; 0: it ends with NUL */
  const char *entry;        /* name of the __global__ function; NULL: the kernel's label */
  const char *options;      /* of NVRTC, with blanks between; they come after the library's own. NULL: none */
  const char *file;         /* where the text stands, for messages of the compiler; NULL: the path, or the label */
  int32_t     line;         /* the line of that file on which the text begins; 0: the first one */
  int32_t     block_size;   /* threads of a block; 0: see above */
  size_t      shared_bytes; /* dynamic shared memory of each block, in addition to a team's scratch */
} portable_cuda_code;

#define PORTABLE_CUDA_CODE_INIT { (uint32_t)sizeof(portable_cuda_code), 0, NULL, 0, NULL, NULL, NULL, 0, 0, 0 }

/* The same by names that belong to no vendor: the code runs on every GPU that docs/build/devices.md lists.  Since: 0.1 */
typedef portable_cuda_code portable_device_code;
#define PORTABLE_DEVICE_CODE_INIT PORTABLE_CUDA_CODE_INIT
#define PORTABLE_DEVICE_SOURCE PORTABLE_CUDA_SOURCE
#define PORTABLE_DEVICE_SOURCE_FILE PORTABLE_CUDA_SOURCE_FILE
#define PORTABLE_DEVICE_IMAGE PORTABLE_CUDA_IMAGE
#define PORTABLE_DEVICE_IMAGE_FILE PORTABLE_CUDA_IMAGE_FILE
#define portable_kernel_set_device_code portable_kernel_set_cuda
#define portable_kernel_device_log portable_kernel_cuda_log

/* Gives the kernel its implementation for CUDA devices; NULL takes it away. It is compiled at the first launch on a device (or by
 * portable_kernel_prepare), for the architecture of that device, and kept on disk (PORTABLE_CACHE). Code that does not compile is not
 * compiled again before it is set again. Another one may be set at any time; launches that are in streams keep the one that they had.
 * Ownership: all of code is copied.  Threads: safe, also before portable_init.
 * Returns: 0, ERR_HANDLE, ERR_ARG (struct_size, form, no code, an entry that is no name), ERR_NOMEM, ERR_FORK.  Since: 0.1 */
portable_status portable_kernel_set_cuda(portable_kernel kernel, const portable_cuda_code *code);

/* Compiles and loads the kernel for a device now (0: the default one), so that no launch takes long. On other devices: nothing to do.
 * Returns: 0, ERR_HANDLE, ERR_NODEVICE, ERR_STATE, ERR_ARG (the code does not compile: the text begins with the compiler's first errors; the
 * entry is not in it; the file is not to be read), ERR_DEVICE, ERR_NOMEM.  Since: 0.1 */
portable_status portable_kernel_prepare(portable_kernel kernel, portable_device device);

/* Copies the compiler's text of its last compilation of the kernel, with warnings, into text[room], cut and ended by NUL. *needed_out, where
 * it is not NULL, gets the bytes that all of it needs. "" where it has said nothing, or the code came from the disk.
 * Returns: 0, ERR_HANDLE, ERR_ARG (text NULL with room).  Since: 0.1 */
portable_status portable_kernel_cuda_log(portable_kernel kernel, char *text, size_t room, size_t *needed_out);

/* Declares text[] of CUDA C, which is also compiled as host code here: one body for both. No # lines stand in it. Messages of the compiler have
 * the line of the macro's end (name_line).  Since: 0.1 */
#if !defined(__cplusplus) || __cplusplus >= 201103L
#define PORTABLE_CUDA_TEXT(name, ...) \
  static const char name[] = #__VA_ARGS__; \
  enum { name##_line = __LINE__ }; \
  __VA_ARGS__
#endif

/* Declares name and name_bytes: the file's bytes, taken in by the assembler, which looks for the file where #include does with -I. The
 * host code may #include the same file.  Since: 0.1 */
#if defined(__GNUC__) && defined(__ELF__)
/* Not by a table of the linker's, whose entries have no offsets within a section on aarch64. */
#define PORTABLE__IN_THIS_FILE __attribute__((visibility("hidden")))
#define PORTABLE_CUDA_FILE(name, path)                                                                         \
  __asm__(".pushsection .rodata\n"                                                                             \
          ".balign 16\n" #name ":\n.incbin \"" path "\"\n.byte 0\n"                                            \
          ".balign 8\n" #name "_bytes:\n.quad . - " #name " - 1\n"                                             \
          ".popsection\n");                                                                                    \
  extern const char name[] PORTABLE__IN_THIS_FILE;                                                             \
  extern const size_t name##_bytes PORTABLE__IN_THIS_FILE
#endif

/* ---- arrays in argument blocks ------------------------------------------------------------------- */

/* Makes the view of an array for an argument block; the types are in portable_device_view.h. It has the array's bounds and strides, in elements.
 * Ownership: the view holds nothing.
 * Returns: 0, ERR_ARG (NULL, no array, a rank that is not the array's or above 8, view_bytes that do not belong to the rank), ERR_STATE
 * (deallocated), ERR_HANDLE.  Since: 0.1 */
portable_status portable_view_of(const portable_array *array, int32_t rank, void *view_out, size_t view_bytes);

/* The same for memory without an array: without gaps, in an order. lower NULL: 0 in C order, 1 in Fortran's.
 * Shapes: lower[rank], extents[rank].
 * Returns: 0, ERR_ARG.  Since: 0.1 */
portable_status portable_view_make(void *data, int32_t rank, int32_t order, const int64_t *lower, const int64_t *extents, void *view_out,
                                   size_t view_bytes);

/* ---- teams --------------------------------------------------------------------------------------- */

/* The implementation for the devices of the host of a kernel of two levels (PORTABLE_TEAM_KERNEL, portable_hierarchy.h).
 * Returns: 0, ERR_HANDLE.  Since: 0.1 */
portable_status portable_kernel_set_host_team(portable_kernel kernel, portable_team_function function);

/* portable_launch for such a kernel: a block, or a thread of the host, for each outer iteration. On a CUDA device scratch_bytes is shared memory:
 * 48 KiB everywhere, more on most.
 * Returns: as portable_launch; ERR_ARG (more scratch than the device has; the text says how much that is).  Since: 0.1 */
portable_status portable_launch_outer(portable_kernel kernel, const portable_bounds *bounds, const void *args, size_t scratch_bytes,
                                      const portable_launch_config *config);

/* ---- NVIDIA's libraries -------------------------------------------------------------------------- */

/* The CUstream of a stream of a CUDA device (the default one: portable_device_stream), for cuBLAS and others. Work that is put into it directly comes
 * after all that the library has put in before, and before all that comes later.
 * Ownership: borrowed until the stream is destroyed.
 * Returns: 0, ERR_ARG (NULL), ERR_HANDLE, ERR_NODEVICE (the stream is not one of a CUDA device).  Since: 0.1 */
portable_status portable_stream_native(portable_stream stream, void **native_out);

/* Makes an asynchronous stream of a CUstream (cudaStream_t) of the program's, of a CUDA device (0: the default one): work of both is in one order, as
 * with portable_stream_native. The CUstream stays the program's, and must exist until the stream has ended.
 * Ownership: caller owns the stream until portable_stream_destroy, or until the library stops; neither ends native.
 * Returns: 0, ERR_ARG (NULL), ERR_NODEVICE (device is not a CUDA device), ERR_STATE, ERR_NOMEM, ERR_FORK.  Threads: any.
 * Source: YAKL's Stream(cudaStream_t).  Since: 0.1 */
portable_status portable_stream_adopt(portable_device device, void *native, portable_stream *stream_out);

/* Puts work of the program's own into the stream of a CUDA device, as one launch with a label: in order, timed, shown to tools, with its
 * error. enqueue gets the CUstream, with the device's context current, and puts kernels or library calls into it; what it gives is the launch's
 * status (ERR_DEVICE where it is above 0). It may be called later and on another thread, where other work must be waited for; it calls nothing of this library.
 * payload_bytes of payload are copied (0: payload is handed on as it is). stream 0: the device's default stream; device 0: the default one.
 * Returns: 0, ERR_ARG, ERR_HANDLE, ERR_NODEVICE (not a CUDA device), ERR_NOMEM, ERR_STATE, and what enqueue gives.  Since: 0.1 */
typedef portable_status (*portable_device_function)(void *native, void *payload);
portable_status portable_device_enqueue(const char *label, portable_device device, portable_stream stream, portable_device_function enqueue,
                                        const void *payload, size_t payload_bytes);

/* The grid and block that the library would take for a space on a device: for kernels that the program launches without the library.
 * block_size 0: 256. grid_out[3] and block_out[3] are x, y, z.
 * Returns: 0, ERR_ARG, ERR_OVERFLOW, ERR_NODEVICE.  Since: 0.1 */
struct portable_launch_space;
portable_status portable_device_space(const char *label, const portable_bounds *bounds, portable_device device, int32_t block_size,
                                      struct portable_launch_space *space_out, uint32_t *grid_out, uint32_t *block_out);

/* A reduction whose kernel the program launches: portable_parallel_reduce on a CUDA device, with its bits and errors. enqueue puts a kernel of `blocks` blocks
 * of `threads` threads into native, in which each thread calls portable__reduce_leaves (portable_device_leaf.h) with *space; what it gives is the
 * launch's status. It returns after the end. config: device, stream and tile are used; NULL: the default device.
 * Ownership: payload is handed on as it is.
 * Returns: as portable_parallel_reduce; ERR_NODEVICE (not a CUDA device), ERR_ARG (enqueue NULL; complex numbers, exact sums, users' operations),
 * ERR_STATE (inside of a kernel), ERR_POINTER (a result is in memory that the host does not reach), and what enqueue gives.  Since: 0.1 */
typedef portable_status (*portable_device_reduce_function)(void *native, struct portable_launch_space *space, uint32_t blocks, uint32_t threads, void *payload);
portable_status portable_device_reduce(const char *label, const portable_bounds *bounds, portable_device_reduce_function enqueue, void *payload,
                                       const portable_reduction *results, size_t result_count, const portable_launch_config *config);

/* ---- for portable_device.h ----------------------------------------------------------------------- */

/* The order of the space that a tile is of: PORTABLE_ORDER_C for one that is of no launch.  Since: 0.1 */
int32_t portable_tile_order(const portable_tile *tile);

/* For portable_device_view.h: an index of a view is out of bounds. On the host it fails the kernel that the calling thread is in; outside of a
 * kernel it is printed. Gives the place that stands for the element.  Since: 0.1 */
void *portable_view_outside(const void *data, int32_t argument, int32_t rank, int32_t dimension, int64_t index, int64_t lower, int64_t extent);

#ifdef __cplusplus
}
#endif

#endif
