/* blocks.h - block kernels on the host: their launch (blocks.c), and the run of one block, whose
 * threads wait for each other (block_run.c). Private. In C because it runs inside kernels. Threads:
 * a run is its thread's, and stays until the thread ends. */
#ifndef PORTABLE__BLOCKS_H
#define PORTABLE__BLOCKS_H

#include "../../internal/edge/base.h"
#include "../../capi/include/device/portable_blocks.h"

/* The argument block of the launch: this, then the user's block. */
struct portable__block_launch {
  portable_block_function kernel;
  void *args; /* if there is no block to copy */
  size_t args_bytes, scratch_bytes;
  int32_t threads[PORTABLE_BLOCK_RANK];
  int32_t rank, order, size, integer_bytes;
  int32_t reversed; /* 1: each second block runs its threads from the last one on */
};

/* The run of the calling thread; NULL: no memory. */
struct portable__block_run *portable__block_run(void);

/* Runs the blocks of a tile. */
void portable__block_tile(struct portable__block_run *run, const struct portable__block_launch *blocks, const portable_tile *tile, void *args, void *scratch);

/* portable_parallel_blocks with facts of Fortran. flags: as of portable__launch */
portable_status portable__parallel_blocks(const char *label, const portable_bounds *bounds, const int32_t *threads, portable_block_function kernel,
                                          const void *args, size_t args_bytes, size_t scratch_bytes, const portable_launch_config *config,
                                          int32_t integer_bytes, int32_t flags);

/* 1: the shape is one of a block with these bounds, whose rank it has. */
int portable__block_is_ordinary(const portable_bounds *bounds, const int32_t *threads, int32_t *size_out);

#endif
