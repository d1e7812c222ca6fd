/* portable_launch.h - loops: bounds, tiles, kernels and launches. Part of portable.h; include that.
 *
 * In this file: what a loop over an index space needs, and the devices it runs on. Not in this file:
 * reductions (portable_reduce.h), timers (portable_timer.h).
 *
 * The rules at the head of portable.h hold. In addition:
 *   Indices:  int64_t; bounds are inclusive on both sides, as in Fortran. upper < lower is no iteration.
 *   Kernels:  are called with a tile (a box of the index space), never with one index, and from several threads
 *             at once. A kernel may call this library: a launch inside a kernel runs inline, on the calling thread. A kernel
 *             returns: no longjmp or C++ exception leaves it (portable.hpp catches those), no thread ends in it.
 *   Order:    with the static schedule, which worker's number a tile has depends on the bounds and the number of threads only. The
 *             thread that launched also runs, one after the other and under their numbers, the parts of workers that come late.
 */
#ifndef PORTABLE_LAUNCH_H
#define PORTABLE_LAUNCH_H

#ifndef PORTABLE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- bounds -------------------------------------------------------------------------------------- */

#define PORTABLE_LOOP_RANK 8 /* most dimensions of an index space */

/* Which index runs fastest: the last one (C) or the first (Fortran). */
#define PORTABLE_ORDER_C       0
#define PORTABLE_ORDER_FORTRAN 1

/* An index space. Made by the functions below only; copied and kept as the user likes. */
typedef struct portable_bounds {
  uint32_t struct_size;
  int32_t  rank;  /* 1 to 8 */
  int32_t  order; /* PORTABLE_ORDER_... */
  int32_t  notes; /* how they were made, for checks; 0: nothing to say */
  int64_t  lower[PORTABLE_LOOP_RANK], upper[PORTABLE_LOOP_RANK], stride[PORTABLE_LOOP_RANK];
} portable_bounds;

/* Notes: made by lower and upper of one dimension, which may have been meant as two extents; and, shifted by d, that dimension d ends one
 * iteration early, because YAKL's do (compat/YAKL.h). */
#define PORTABLE_BOUNDS_PAIR  256
#define PORTABLE_BOUNDS_EARLY 1

/* Makes bounds. lower may be NULL: 0 in C order, 1 in Fortran order; stride may be NULL: 1. A stride that is not
 * positive, or more iterations than fit into int64_t, are reported at the launch, which knows the label.
 * Shapes: lower[rank], upper[rank], stride[rank], in the order of the indices.
 * Threads: safe, also before portable_init.  Source: YAKL's Bounds.
 * Returns: 0, ERR_ARG (rank, order, NULL).  Since: 0.1 */
portable_status portable_bounds_make(int32_t rank, int32_t order, const int64_t *lower, const int64_t *upper,
                                     const int64_t *stride, portable_bounds *bounds_out);

/* Bounds in C order from 0 to n-1 in each dimension; n below 1 is no iteration.  Since: 0.1 */
portable_bounds portable_bounds_1(int64_t n);
portable_bounds portable_bounds_2(int64_t n0, int64_t n1);
portable_bounds portable_bounds_3(int64_t n0, int64_t n1, int64_t n2);

/* The number of iterations: 0 for an empty space, -1 where a launch would refuse the bounds.  Since: 0.1 */
int64_t portable_bounds_count(const portable_bounds *bounds);

/* ---- tiles --------------------------------------------------------------------------------------- */

/* A box of the index space, and what a kernel may know of its launch. Made by the library, valid during the call
 * of the kernel. upper is the last index of the tile that belongs to the space, so lower + k * stride == upper
 * for some k >= 0. Dimensions above rank have lower = 1, upper = 0 and stride = 1: a loop over
 * one that the bounds do not have does nothing. */
typedef struct portable_tile {
  int64_t lower[PORTABLE_LOOP_RANK], upper[PORTABLE_LOOP_RANK], stride[PORTABLE_LOOP_RANK];
  int32_t rank;
  int32_t worker;  /* 0 to workers-1, each on one thread at a time: 0 on the one that launched, which may run others' too */
  int32_t workers; /* of this launch */
  int32_t device;  /* portable_device */
  int64_t number;  /* of the tile, where the launch numbers them (reductions), else 0 */
  void   *launch;  /* the library's */
  int64_t fortran[3 * PORTABLE_LOOP_RANK]; /* the Fortran module's: the same as default integers */
} portable_tile;

/* A kernel: does its part of the work for each index of the tile. args is the launch's copy of the argument block,
 * which all threads share, so a kernel does not write there. */
typedef void (*portable_kernel_function)(const portable_tile *tile, void *args);

/* From a kernel: the work failed. The kernel should return soon; tiles that have not begun are left out, and the
 * launch returns ERR_KERNEL with code and text. The first call wins. text may be NULL; up to 511 bytes are kept.
 * Threads: from any thread that runs the kernel.  Since: 0.1 */
void portable_kernel_fail(const portable_tile *tile, int32_t code, const char *text);

/* ---- devices ------------------------------------------------------------------------------------- */

/* A device by number, from 1 to portable_device_count(); 0 stands for the default one. */
typedef int32_t portable_device;

/* A stream. 0 is the default stream of the device that a launch names; portable_device_stream gives the default
 * stream of a device by its own name. The default stream of serial and threads is synchronous: when a launch
 * returns, its work is done. Others are made by portable_stream_create (portable_stream.h). */
typedef uint64_t portable_stream;

/* How many devices there are ("serial" and "threads" always), after portable_init; 0 before. More when portable_device_find has looked for
 * those of a driver.  Since: 0.1 */
int32_t portable_device_count(void);

/* The name of a device, "" for none. Ownership: static text.  Since: 0.1 */
const char *portable_device_name(portable_device device);

/* The device of a name, as PORTABLE_DEVICE takes it. "cuda" and "cuda:N" open NVIDIA's driver, "hip" and "hip:N" AMD's, "opencl" and "opencl:N" those of
 * OpenCL, "auto" NVIDIA's and, without a device, AMD's, where that was not done yet; their devices come behind the others (portable_devices.h).
 * Returns: 0, ERR_NODEVICE (the text lists the devices), ERR_STATE, ERR_ARG.  Since: 0.1 */
portable_status portable_device_find(const char *name, portable_device *device_out);

/* The device of launches that name none: PORTABLE_DEVICE, or threads.
 * Returns: 0, ERR_NODEVICE, ERR_STATE.  Since: 0.1 */
portable_status portable_set_default_device(portable_device device);
portable_device portable_default_device(void);

/* The default stream of a device, to be named in a launch; 0 for a device that does not exist.  Since: 0.1 */
portable_stream portable_device_stream(portable_device device);

/* How many threads a launch on `threads` uses, the calling one included; 0 before portable_init. Setting it waits
 * for a launch under way on another thread.
 * Returns: 0, ERR_ARG (n < 1 or above 4095, or called inside a kernel), ERR_STATE, ERR_NOMEM (threads could
 * not be made; the number is then what could be made).  Since: 0.1 */
int32_t portable_num_threads(void);
portable_status portable_set_num_threads(int32_t n);

/* 1: the calling thread runs a kernel, so that launches run inline.  Threads: safe, also before portable_init.  Since: 0.1 */
int32_t portable_in_kernel(void);

/* ---- launches ------------------------------------------------------------------------------------ */

#define PORTABLE_SCHEDULE_DEFAULT 0 /* PORTABLE_SCHEDULE, or static */
#define PORTABLE_SCHEDULE_STATIC  1 /* each thread gets one contiguous part, the same for the same bounds */
#define PORTABLE_SCHEDULE_DYNAMIC 2 /* threads take parts as they come free */

/* How to launch; 0 in a field means: the engine chooses. */
typedef struct portable_launch_config {
  uint32_t        struct_size; /* sizeof(portable_launch_config), set by PORTABLE_LAUNCH_CONFIG_INIT */
  portable_device device;
  portable_stream stream;
  int32_t         schedule;     /* PORTABLE_SCHEDULE_... */
  int32_t         block_size;   /* threads of a block, on devices that have blocks */
  int32_t         bit_for_bit;  /* 1: runs serially on the host under PORTABLE_B4B=1 */
  int32_t         strided;      /* 1: the kernel heeds tile->stride; without it a stride other than 1 is refused */
  int64_t         tile[PORTABLE_LOOP_RANK]; /* most iterations of a tile in each dimension, in the order of the
                                               indices; all 0: parts as large as they can be */
  int32_t         cut;      /* tiles begin at lower + cut * k * stride along the index that runs fastest, for whole k: a vector loop has
                               its remainder in the last tile only. A smaller tile gets this size; 0 and 1: anywhere. Reductions: part
                               of what the bits depend on, if it is more than 16. Devices with blocks ignore it */
  int32_t         reserved; /* 0; anything else is an error */
  const struct portable_work_division *division; /* drives the launch (portable_division.h); read during the call only. NULL: none. Tile and
                                                    cut are then 0, block_size is 0 or the threads of a block */
} portable_launch_config;

#define PORTABLE_LAUNCH_CONFIG_INIT { (uint32_t)sizeof(portable_launch_config), 0, 0, 0, 0, 0, 0, { 0, 0, 0, 0, 0, 0, 0, 0 }, 0, 0, NULL }

/* Runs the kernel over the index space. args_bytes bytes of args are copied at the launch and the kernel gets the
 * copy; with args_bytes 0 it gets args itself. label names the launch in messages, reports and tools; NULL: "unlabelled".
 * config may be NULL.
 * Ownership: bounds, args and config are only read during the call. The label too.
 * Threads: from any thread, several at once, inside a kernel (runs inline) and inside an OpenMP region (inline).
 * Returns: 0, ERR_ARG (NULL, invalid bounds, stride <= 0, stride /= 1 without strided, a schedule that there is not, a tile
 * or a cut below 0, a division that does not fit bounds or device), ERR_OVERFLOW (more iterations than int64_t holds), ERR_NODEVICE, ERR_HANDLE (no such stream), ERR_STATE, ERR_NOMEM,
 * ERR_FORK, ERR_KERNEL; from an asynchronous stream what is known at the call, the rest from its fence.
 * Source: YAKL's parallel_for.  Since: 0.1 */
portable_status portable_parallel_for(const char *label, const portable_bounds *bounds, portable_kernel_function kernel,
                                      const void *args, size_t args_bytes, const portable_launch_config *config);

/* Waits until all work that was in any stream of this process at the time of the call is done. With several streams with a pending error
 * it returns the error of one; the others keep theirs. Inside a kernel or callback it cannot wait.
 * Returns: 0, ERR_STATE (the library does not run; inside a kernel or callback, and there is work in a stream), ERR_FORK, or the
 * pending error of a stream: ERR_KERNEL (an asynchronous launch failed).  Since: 0.1 */
portable_status portable_fence(void);

#ifdef __cplusplus
}
#endif

#endif
