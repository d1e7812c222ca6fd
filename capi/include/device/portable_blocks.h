/* portable_blocks.h - block kernels: a block of threads that wait for each other at barriers, as CUDA programmers write them, with one
 * body for the host and for CUDA devices.
 *
 *     #include <portable_blocks.h>
 *     typedef struct reverse_args { double *x; } reverse_args;
 *     PORTABLE_BLOCK_KERNEL(reverse, reverse_args, b, a) {      (each block of 64 threads reverses its 64 elements)
 *       PORTABLE_SHARED(b, double, line, 64);
 *       double *x = a->x + 64 * b->index[0];
 *       line[b->thread[0]] = x[b->thread[0]];
 *       portable_block_barrier(b);
 *       x[b->thread[0]] = line[63 - b->thread[0]];
 *     }
 *     const int32_t threads[] = {64};
 *     portable_bounds blocks = portable_bounds_1(n / 64);
 *     status = portable_parallel_blocks("reverse", &blocks, threads, reverse, &args, sizeof args, 0, NULL);
 *
 * On the host one thread of the team runs a block, its threads one after the other in a plain loop. From the first barrier on, each of them
 * but the first has a small stack of its own, and the next one goes on where one waits. A block without barriers costs what the loop
 * costs. On a CUDA device a block is a block. portable_parallel_outer needs no stacks: where a kernel has inner loops, prefer it.
 *
 * Rules: each thread of a block comes to each barrier, or none does; a kernel returns from its end. On the host a kernel launches nothing,
 * and calls nothing of the library that may enter Go: such a call gives ERR_STATE. Rounding modes are each thread's own from its first
 * barrier on; a kernel that changes them before restores them.
 * PORTABLE_TEAM_SIZE=n with n above 1 reverses the order of the threads in each second block, and fills scratch with NaN: a missing
 * barrier then gives other results.
 *
 * In this file: blocks, their launch on the host and on devices, barriers. Not in this file: PORTABLE_BLOCK_KERNEL,
 * portable_block_barrier and PORTABLE_SHARED (portable_device_block.h, which it includes), teams with inner loops (portable_hierarchy.h),
 * C++ (portable_blocks.hpp).
 */
#ifndef PORTABLE_BLOCKS_H
#define PORTABLE_BLOCKS_H

#include "portable_device.h"

#define PORTABLE_BLOCK_RANK    3    /* most dimensions of a grid of blocks, and of a block */
#define PORTABLE_BLOCK_THREADS 1024 /* most threads of a block */

#ifdef __cplusplus
extern "C" {
#endif

struct portable__block_run;

/* The calling thread of a block. Made by the library, valid during the call of the kernel. Pass its address on: a barrier does not take a
 * copy.  Since: 0.1 */
typedef struct portable_thread_block {
  int64_t index[PORTABLE_BLOCK_RANK];   /* the block, in the order of the indices of the bounds; 0 above rank */
  int32_t thread[PORTABLE_BLOCK_RANK];  /* the thread in its block, from 0 in each dimension */
  int32_t threads[PORTABLE_BLOCK_RANK]; /* of a block; 1 above rank */
  int32_t rank;                         /* of the grid of blocks, 1 to 3 */
  int32_t size;                         /* all threads of a block */
  int32_t member;                       /* the calling one of them, from 0; the dimension that runs fastest is that of the bounds */
  int32_t waited;                       /* the library's */
  void   *scratch;                      /* scratch_bytes bytes, shared by the block, aligned at 64, of any content; NULL where none were asked for */
  size_t  scratch_bytes;
#if !defined(__CUDACC_RTC__)
  const portable_tile *tile;            /* for portable_kernel_fail */
  struct portable__block_run *run;      /* the library's */
  int64_t fortran[2 * PORTABLE_BLOCK_RANK]; /* the Fortran module's: index, and thread from 1, as default integers */
#endif
} portable_thread_block;

#if !defined(__CUDACC_RTC__)

/* The head of the library's record of a block that runs. */
struct portable__block_run {
  int64_t blocks;        /* so many blocks in a row the call of a kernel may run, each with all of its threads; 0: only the calling thread */
  int64_t step;          /* from a block to the next one, along `fast` */
  int64_t did;           /* blocks that the call has run; 0: a thread has waited; stays -1: the kernel runs one thread in each call */
  const int32_t *failed; /* not 0: no further block begins */
  int32_t fast;          /* the dimension that runs fastest */
};

/* A block kernel: called for each thread of each block. PORTABLE_BLOCK_KERNEL makes one, which runs the threads of a row of blocks in one call. */
typedef void (*portable_block_function)(const portable_thread_block *b, void *args);

/* Runs the kernel for each thread of each block of a grid, blocks on the threads and in the schedule that portable_parallel_for would choose, and
 * returns when that is done. bounds is the grid, of rank 1 to 3; strides are heeded. scratch_bytes bytes are each block's own while it
 * runs, or 0; they are not zeroed.
 * Shapes: threads[rank], in the order of the indices; 1024 threads at most.
 * Ownership, threads, label, args, config: as portable_parallel_for; config->division is NULL.
 * Returns: as portable_parallel_for; ERR_ARG (threads, scratch_bytes above PORTABLE_SCRATCH_MAX), ERR_STATE (inside a block kernel; shadow stacks of
 * the processor are on), ERR_KERNEL (also for a barrier that not all threads of a block have come to: the text names its line; and
 * where a thread has no memory for stacks).  Source: CUDA's kernels on the CPU in openfpm_data.  Since: 0.1 */
portable_status portable_parallel_blocks(const char *label, const portable_bounds *bounds, const int32_t *threads, portable_block_function kernel,
                                         const void *args, size_t args_bytes, size_t scratch_bytes, const portable_launch_config *config);

/* The wait of portable_block_barrier. file and line are named where not all threads of the block come to it; file may be NULL, and stays
 * valid.  Threads: any, inside a block kernel.  Since: 0.1 */
void portable_block_wait(const portable_thread_block *b, const char *file, int32_t line);

/* The implementation for the devices of the host of a kernel object that PORTABLE_BLOCK_KERNEL has made; portable_kernel_set_cuda says where the
 * one for CUDA devices is.  Returns: 0, ERR_HANDLE.  Since: 0.1 */
portable_status portable_kernel_set_host_block(portable_kernel kernel, portable_block_function function);

/* portable_parallel_blocks for such a kernel object. On a CUDA device a block is a block of as many threads, and scratch its shared memory.
 * Shapes: threads[rank].
 * Returns: as portable_launch and portable_parallel_blocks; ERR_ARG (more threads or scratch than the device has).  Since: 0.1 */
portable_status portable_launch_blocks(portable_kernel kernel, const portable_bounds *bounds, const int32_t *threads, const void *args,
                                       size_t scratch_bytes, const portable_launch_config *config);

/* The Fortran module's. args: what a version for devices gets, `listed` of them; below 0: no list. flags: 1, the blocks' indices have 64 bits; 2, a
 * launch into a stream is waited for. */
struct portable__fortran_argument;
portable_status portable__fortran_parallel_blocks(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds, const int32_t *threads,
                                                  int32_t count, portable_block_function kernel, const void *block, size_t block_bytes,
                                                  const struct portable__fortran_argument *args, int32_t listed, int64_t scratch_bytes,
                                                  const portable_launch_config *config, int32_t integer_bytes, int32_t flags);
void portable__fortran_block_barrier(const portable_thread_block *b);
void portable__fortran_block_barrier_line(const portable_thread_block *b, int32_t line);

#endif

#ifdef __cplusplus
}
#endif

#include "portable_device_block.h"

#endif
