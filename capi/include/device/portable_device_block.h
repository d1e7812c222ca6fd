/* portable_device_block.h - the bodies of block kernels: PORTABLE_BLOCK_KERNEL, portable_block_barrier and PORTABLE_SHARED, for the host and for
 * devices. Part of portable_blocks.h, which has the rules; include that.
 */
#ifndef PORTABLE_DEVICE_BLOCK_H
#define PORTABLE_DEVICE_BLOCK_H

#ifndef PORTABLE_BLOCKS_H
#error "include portable_blocks.h, which includes this"
#endif

/* Bytes that one PORTABLE_SHARED may have: what CUDA allows a block. On the host such arrays are each thread's, and larger ones would not fit
 * where threads begin. */
#define PORTABLE_SHARED_MAX 49152
#define PORTABLE__SHARED_TEXT                                                                                            \
  "PORTABLE_SHARED has at most 49152 bytes; give the launch scratch_bytes for more, and take b->scratch"
#if defined(__cplusplus)
#define PORTABLE__SHARED_FITS(bytes) static_assert((bytes) <= PORTABLE_SHARED_MAX, PORTABLE__SHARED_TEXT)
#else
#define PORTABLE__SHARED_FITS(bytes) __extension__ _Static_assert((bytes) <= PORTABLE_SHARED_MAX, PORTABLE__SHARED_TEXT)
#endif

#if defined(__CUDACC__)

/* Waits until all threads of the block are here; what they have written before, all of them read after.  Since: 0.1 */
#define portable_block_barrier(b) ((void)(b), __syncthreads())

/* Declares name[n], shared by the threads of the block; n is a constant. Any content. It has PORTABLE_SHARED_MAX bytes at most: a compiler refuses
 * more.  Since: 0.1 */
#define PORTABLE_SHARED(b, type, name, n)                                                                                \
  PORTABLE__SHARED_FITS((n) * sizeof(type));                                                                             \
  __shared__ type name[n]

/* The shape of the block follows the space's other facts. */
static __forceinline__ __device__ void portable__block_at(const portable_launch_space &portable__at, portable_thread_block *b) {
  int32_t rest = (int32_t)threadIdx.x;
  b->rank = portable__at.rank;
  b->size = (int32_t)blockDim.x;
  b->member = rest;
  b->waited = 0;
  b->scratch_bytes = portable__at.scratch_bytes;
#pragma unroll
  for (int32_t k = 0; k < PORTABLE_BLOCK_RANK; k++) b->index[k] = b->thread[k] = 0, b->threads[k] = 1;
  for (int32_t k = 0; k < portable__at.rank; k++) {
    const int32_t d = PORTABLE__FIRST_RUNS ? k : portable__at.rank - 1 - k;
    b->threads[d] = (int32_t)(portable__at.reserved[1] >> (16 * d) & 0xffff);
    b->thread[d] = rest % b->threads[d];
    rest /= b->threads[d];
  }
}

#define PORTABLE_BLOCK_KERNEL(name, args_type, b, a)                                                                     \
  static __forceinline__ __device__ void name##__body(const portable_launch_space &portable__at, const portable_thread_block *b, \
                                                      const args_type *a);                                               \
  extern "C" __global__ void name(const portable_launch_space portable__space, const portable_args<args_type> portable__args) { \
    PORTABLE_SHARED_BYTES(portable__scratch);                                                                            \
    portable_team portable__team;                                                                                        \
    portable_thread_block portable__b;                                                                                          \
    for (int32_t portable__k = 0; portable__k < PORTABLE_LOOP_RANK; portable__k++) portable__team.index[portable__k] = 0; \
    portable_device_begin(portable__space);                                                                              \
    portable__block_at(portable__space, &portable__b);                                                                   \
    portable__b.scratch = portable__space.scratch_bytes ? (void *)portable__scratch : (void *)0;                         \
    for (portable__step portable__n = blockIdx.x; portable__n < (portable__step)portable__space.count; portable__n += gridDim.x) { \
      portable__team_at(portable__space, portable__n, &portable__team);                                                  \
      for (int32_t portable__k = 0; portable__k < PORTABLE_BLOCK_RANK; portable__k++)                                    \
        portable__b.index[portable__k] = portable__team.index[portable__k];                                              \
      name##__body(portable__space, &portable__b, portable__args.get());                                                 \
      __syncthreads(); /* the shared memory is the next block's */                                                       \
    }                                                                                                                    \
  }                                                                                                                      \
  static __forceinline__ __device__ void name##__body(const portable_launch_space &portable__at, const portable_thread_block *b, \
                                                      const args_type *a)

#else

#define portable_block_barrier(b) portable_block_wait((b), __FILE__, __LINE__)

/* A block is one thread's of the team, and blocks do not nest. */
#define PORTABLE_SHARED(b, type, name, n)                    \
  PORTABLE__SHARED_FITS((n) * sizeof(type));                 \
  static __thread type name[n] __attribute__((aligned(64))); \
  (void)(b)

/* Runs the threads of a row of blocks, in loops that compilers vectorise where no thread waits; after the first wait no other thread. The dimension
 * that runs fastest is the first one, or the last one of the bounds in C order; the loops are there for each, so that its index is a counter. */
#define PORTABLE__BLOCK_ROW(name, fast, mid, slow)                                                                       \
  do {                                                                                                                   \
    const int32_t portable__w = portable__b.threads[fast], portable__h = portable__b.threads[mid], portable__d = portable__b.threads[slow]; \
    int32_t portable__i, portable__j, portable__k = 0, portable__m = 0;                                                  \
    do {                                                                                                                 \
      portable__b.thread[slow] = portable__k;                                                                            \
      portable__j = 0;                                                                                                   \
      do {                                                                                                               \
        portable__b.thread[mid] = portable__j;                                                                           \
        portable__i = 0;                                                                                                 \
        do {                                                                                                             \
          portable__b.thread[fast] = portable__i;                                                                        \
          portable__b.member = portable__m + portable__i;                                                                \
          name##__body(portable__b.tile, &portable__b, (const portable__args_type *)portable__args);                     \
        } while (++portable__i < portable__w && !portable__b.waited);                                                    \
        portable__m += portable__w;                                                                                      \
      } while (++portable__j < portable__h && !portable__b.waited);                                                      \
      if (portable__b.waited) break;                                                                                     \
      if (++portable__k < portable__d) continue;                                                                         \
      portable__k = portable__m = 0;                                                                                     \
      portable__did++;                                                                                                   \
      portable__b.index[fast] += portable__s;                                                                            \
      if (__atomic_load_n(portable__failed, __ATOMIC_RELAXED)) break;                                                    \
    } while (portable__did < portable__n);                                                                               \
  } while (0)
#define PORTABLE_BLOCK_KERNEL(name, args_type, b, a)                                                                     \
  PORTABLE__BODY void name##__body(const portable_tile *portable__at, const portable_thread_block *b, const args_type *PORTABLE__RESTRICT a); \
  PORTABLE__EXTERN void name(const portable_thread_block *portable__first, void *portable__args);                        \
  PORTABLE__EXTERN void name(const portable_thread_block *portable__first, void *portable__args) {                       \
    typedef args_type portable__args_type;                                                                               \
    portable_thread_block portable__b = *portable__first;                                                                \
    const int64_t portable__n = portable__first->run->blocks, portable__s = portable__first->run->step;                  \
    const int32_t portable__f = portable__first->run->fast, *const portable__failed = portable__first->run->failed;      \
    int64_t portable__did = 0;                                                                                           \
    portable__b.waited = 0;                                                                                              \
    if (portable__n == 0)                                                                                                \
      name##__body(portable__b.tile, &portable__b, (const portable__args_type *)portable__args);                         \
    else if (portable__f == 0)                                                                                           \
      PORTABLE__BLOCK_ROW(name, 0, 1, 2);                                                                                \
    else if (portable__f == 1)                                                                                           \
      PORTABLE__BLOCK_ROW(name, 1, 0, 2);                                                                                \
    else                                                                                                                 \
      PORTABLE__BLOCK_ROW(name, 2, 1, 0);                                                                                \
    if (portable__n) portable__first->run->did = portable__did;                                                          \
  }                                                                                                                      \
  PORTABLE__BODY void name##__body(const portable_tile *portable__at PORTABLE__UNUSED, const portable_thread_block *b PORTABLE__UNUSED, \
                                   const args_type *PORTABLE__RESTRICT a PORTABLE__UNUSED)

#endif

#endif
