/* blocks.c - misuse of block kernels: shapes, scratch, barriers that not all threads reach, calls inside a kernel, too early. Not in
 * this file: every order of threads and each state of a block (blocks/refused.c), stacks (blocks/overflow.sh). */
#include "misuse.h"

#include <portable_blocks.h>

static const int32_t four[] = {4, 1, 1};
static _Atomic int ran; /* threads that came to the end of their kernel, in blocks that run at the same time */

static void counts(const portable_thread_block *b, void *args) {
  (void)args;
  portable_block_barrier(b);
  ran++;
}

static portable_status blocks(const int32_t *threads, portable_block_function kernel, size_t scratch) {
  const portable_bounds grid = portable_bounds_1(2);
  return portable_parallel_blocks("tiles", &grid, threads, kernel, NULL, 0, scratch, NULL);
}

static void begin_blocks(void) {
  begin_running();
  ran = 0;
}

/* The library runs further blocks, and the kernel that was refused has not run. */
static void end_blocks(void) {
  MUST(ran == 0);
  MUST(blocks(four, counts, 0) == PORTABLE_OK && ran == 8);
  end_running();
}

/* Blocks before init. */
static void blocks_before_init(void) { ASK(blocks(four, counts, 0)); }

#define BAD_BLOCKS(X) \
  X(blocks_no_threads, blocks(NULL, counts, 0), ERROR(ARG, "parallel_blocks 'tiles': threads is NULL")) \
  X(blocks_no_kernel, blocks(four, NULL, 0), ERROR(ARG, "parallel_blocks 'tiles': the kernel is NULL")) \
  X(blocks_zero_threads, blocks((const int32_t[]){0}, counts, 0), ERROR(ARG, "parallel_blocks 'tiles' && a block has 0 threads in dimension 1; it has 1 to 1024")) \
  X(blocks_negative_threads, blocks((const int32_t[]){-3}, counts, 0), ERROR(ARG, "parallel_blocks 'tiles' && a block has -3 threads in dimension 1")) \
  X(blocks_many_threads, blocks((const int32_t[]){1025}, counts, 0), ERROR(ARG, "parallel_blocks 'tiles' && a block has 1025 threads in dimension 1")) \
  X(blocks_much_scratch, blocks(four, counts, (size_t)PORTABLE_SCRATCH_MAX + 1), ERROR(ARG, "parallel_blocks 'tiles' && 67108865 bytes of scratch are asked for each block")) \
  X(blocks_gone_kernel, portable_launch_blocks(12345, &(portable_bounds){0}, four, NULL, 0, NULL), ERROR(HANDLE, "portable_launch_blocks && is not a kernel"))
BAD_BLOCKS(CALL_FUNCTION)

/* A grid of four dimensions; a grid that portable_bounds_make has not made; a device that does not exist; a block of more than 1024 threads. */
static void blocks_four_dimensions(void) {
  const int64_t up[] = {2, 2, 2, 2};
  portable_bounds grid;
  MUST(portable_bounds_make(4, 0, NULL, up, NULL, &grid) == 0);
  ASK(portable_parallel_blocks("tiles", &grid, four, counts, NULL, 0, 0, NULL));
}

static void blocks_unmade_bounds(void) {
  const portable_bounds grid = {0};
  ASK(portable_parallel_blocks("tiles", &grid, four, counts, NULL, 0, 0, NULL));
}

static void blocks_no_device(void) {
  const portable_bounds grid = portable_bounds_1(2);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.device = 77;
  ASK(portable_parallel_blocks("tiles", &grid, four, counts, NULL, 0, 0, &config));
}

static void blocks_many_in_all(void) {
  const portable_bounds grid = portable_bounds_2(2, 2);
  const int32_t threads[] = {32, 33};
  ASK(portable_parallel_blocks("tiles", &grid, threads, counts, NULL, 0, 0, NULL));
}

/* ---- inside a kernel ---- */

static _Atomic portable_status inside;

/* The first thread waits, the others leave. */
static void one_waits(const portable_thread_block *b, void *args) {
  (void)args;
  if (b->thread[0] == 0) portable_block_barrier(b);
}

static void blocks_one_waits(void) { ASK(blocks(four, one_waits, 0)); }

/* The last thread leaves before the barrier of the others. */
static void one_leaves(const portable_thread_block *b, void *args) {
  (void)args;
  if (b->thread[0] == 3) return;
  portable_block_barrier(b);
}

static void blocks_one_leaves(void) { ASK(blocks(four, one_leaves, 0)); }

static void launches(const portable_thread_block *b, void *args) {
  const portable_bounds few = portable_bounds_1(3);
  (void)args;
  portable_block_barrier(b);
  inside = portable_parallel_for("in", &few, nothing, NULL, 0, NULL);
  if (looks && b->thread[0] == 0 && b->index[0] == 0) say(inside);
}

static void blocks_launch_inside(void) { MUST(blocks(four, launches, 0) == 0 && inside == PORTABLE_ERR_STATE); }

static void block_in_block(const portable_thread_block *b, void *args) {
  (void)args;
  portable_block_barrier(b);
  inside = blocks(four, counts, 0);
  if (looks && b->thread[0] == 0 && b->index[0] == 0) say(inside);
}

static void blocks_inside_blocks(void) { MUST(blocks(four, block_in_block, 0) == 0 && inside == PORTABLE_ERR_STATE); }

static const struct kind kinds_of_blocks[] = {
    BAD_BLOCKS(CALL_ROW)
    {KIND(blocks_four_dimensions), ERROR(ARG, "parallel_blocks 'tiles' && the grid of blocks has 4 dimensions; it has 1 to 3")},
    {KIND(blocks_unmade_bounds), ERROR(ARG, "parallel_blocks 'tiles': these bounds were not made by portable_bounds_make")},
    {KIND(blocks_no_device), ERROR(NODEVICE, "parallel_blocks 'tiles': there is no device 77")},
    {KIND(blocks_many_in_all), ERROR(ARG, "parallel_blocks 'tiles' && a block has 1056 threads [32 33]; it has at most 1024")},
    {KIND(blocks_one_waits), ERROR(KERNEL, "parallel_blocks 'tiles' && not all threads of block && come to the barrier at && blocks.c: && let each thread of a block come to each barrier")},
    {KIND(blocks_one_leaves), ERROR(KERNEL, "parallel_blocks 'tiles' && not all threads of block && come to the barrier at && blocks.c: && thread (3) has left the kernel")},
    {KIND(blocks_launch_inside), ERROR(STATE, "parallel_for 'in': a block kernel launches nothing")},
    {KIND(blocks_inside_blocks), ERROR(STATE, "parallel_blocks 'tiles': a block kernel launches nothing")},
};
const struct table blocks_table = TABLE(kinds_of_blocks, begin_blocks, end_blocks);

static const struct kind kinds_of_early_blocks[] = {
    {KIND(blocks_before_init), ERROR(STATE, "portable_parallel_blocks: the library does not run")},
};
const struct table early_blocks_table = TABLE(kinds_of_early_blocks, NULL, NULL);
