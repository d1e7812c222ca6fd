/* portable_device.h - kernels whose one body is compiled for the host and for devices with CUDA: by NVRTC (which the library calls, and
 * for which this header is inside the archive), nvcc, C++ and C (C99).
 *
 *     #include <portable_device.h>
 *     typedef struct triad_args { double *x; const double *y, *z; double s; } triad_args;
 *     PORTABLE_KERNEL(triad, triad_args, a) {
 *       PORTABLE_FOR_1(i) { a->x[i] = a->y[i] + a->s * a->z[i]; }
 *     }
 *
 * On the host that is a portable_kernel_function of the name, which does the tile it is called with. On the device it is an entry
 *     extern "C" __global__ void triad(const portable_launch_space space, ARGUMENTS);
 * whose threads share the index space out. portable_kernel_set_cuda (portable_cuda.h) says where its source is.
 *
 * In this file: what a launch tells an entry, argument blocks, kernels, failures. Not in this file, but included by it: loops
 * (portable_device_loop.h), arrays (portable_device_view.h), lists that kernels append to (portable_device_vector.h), teams
 * (portable_device_team.h), atomics (portable_atomic.h), small arrays of C++ (portable_device_array.h; on the host they are in portable.hpp).
 *
 * Names in a body:
 *   a        points to the argument block, which is read-only.
 *   Stores   of different iterations go to different elements, or are atomic: on the host a tile's iterations come in an order, on a
 *            device in none.
 *   return   may stand outside of the loops only; `continue` ends an iteration, `break` must not be used.
 *   Bits     are the host's: the library compiles without contraction of products and sums (an option turns it on) and without fast
 *            mathematics. Functions such as exp and sin are the device's, which differ in the last bits.
 *
 * PORTABLE_ON_DEVICE is 1 where device code is compiled, else 0. PORTABLE_ARCHITECTURE says for which GPU (portable_device_architecture.h).
 */
#ifndef PORTABLE_DEVICE_H
#define PORTABLE_DEVICE_H

#if defined(__CUDACC_RTC__)
#include <stddef.h>
#include <stdint.h>
#else
#include "portable.h"
#endif

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
#define PORTABLE_ON_DEVICE 1
#else
#define PORTABLE_ON_DEVICE 0
#endif

/* Functions that kernels call, and the host too.  Since: 0.1 */
#if defined(__CUDACC__)
#define PORTABLE_FUNCTION static __inline__ __host__ __device__
#define PORTABLE__FORCED static __forceinline__ __device__
#elif defined(__cplusplus)
#define PORTABLE_FUNCTION static inline
#else
#define PORTABLE_FUNCTION static inline
#endif

#if defined(__GNUC__) && !defined(__CUDACC__)
#define PORTABLE__BODY static inline __attribute__((always_inline, unused))
#define PORTABLE__UNUSED __attribute__((unused))
#define PORTABLE__RESTRICT __restrict__
#else
#define PORTABLE__BODY static inline
#define PORTABLE__UNUSED
#define PORTABLE__RESTRICT
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__CUDACC_RTC__)
#define PORTABLE_LOOP_RANK 8
#define PORTABLE_ORDER_C 0
#define PORTABLE_ORDER_FORTRAN 1
#endif

/* ---- what a launch tells an entry ---------------------------------------------------------------- */

/* A device's record of failures: memory that host and device reach. The library's. */
#define PORTABLE__NOTES 64
#define PORTABLE__NOTE_TEXT 104
struct portable__note {
  uint32_t taken, ready; /* by the first thread that has something to say; when it has said it */
  int32_t  kind, code;   /* PORTABLE__NOTE_... */
  uint64_t stream;       /* as in the space; 0: not known */
  uint32_t kernel;       /* number of the kernel that the launch had */
  int32_t  argument;     /* from 1; 0: not known */
  int32_t  dimension, rank;
  int64_t  index, lower, upper;
  uint64_t data;
  char     text[PORTABLE__NOTE_TEXT];
};
#define PORTABLE__NOTE_FAILED 1
#define PORTABLE__NOTE_INDEX  2
struct portable__notes {
  uint32_t any, reserved[15]; /* 1: there is one in a note */
  struct portable__note note[PORTABLE__NOTES];
};

/* The first parameter of each entry: 256 bytes; the argument block follows it. Index k of the launch has the values lower[k] +
 * n * stride[k] for n from 0 to extent[k] - 1.  Since: 0.1 */
typedef struct portable_launch_space {
  int32_t rank, order; /* 1 to 8; PORTABLE_ORDER_C: the last index runs fastest; _FORTRAN: the first one does */
  int64_t count;       /* iterations: the product of the extents */
  int64_t lower[PORTABLE_LOOP_RANK], extent[PORTABLE_LOOP_RANK], stride[PORTABLE_LOOP_RANK]; /* above rank: 1, 0, 1, no iteration */
  struct portable__notes *notes; /* the library's, as all below; NULL: not recorded */
  uint64_t stream;
  uint32_t kernel, scratch_bytes;
  uint64_t reserved[3];
} portable_launch_space;

/* Argument blocks up to this many bytes lie behind the space; the entry of a longer one gets a pointer to it. */
#define PORTABLE_ARGUMENTS_DIRECT 3840

#ifdef __cplusplus
}
#endif

#if defined(__CUDACC__)

/* Stands in the place of the argument block in the parameters of an entry.  Since: 0.1 */
template <class T, bool direct = (sizeof(T) <= PORTABLE_ARGUMENTS_DIRECT)> struct portable_args {
  T block;
  __forceinline__ __host__ __device__ const T *get() const { return &block; }
};
template <class T> struct portable_args<T, false> {
  const T *block;
  __forceinline__ __host__ __device__ const T *get() const { return block; }
};

/* ---- failures ------------------------------------------------------------------------------------ */

PORTABLE__FORCED struct portable__note *portable__note_take(struct portable__notes *notes, uint32_t kernel, uint64_t stream) {
  if (!notes) return 0;
  struct portable__note *note = &notes->note[(kernel * 7u + (uint32_t)stream) % PORTABLE__NOTES];
  if (*(volatile uint32_t *)&note->taken || atomicCAS(&note->taken, 0u, 1u) != 0u) return 0;
  note->kernel = kernel;
  note->stream = stream;
  return note;
}
PORTABLE__FORCED void portable__note_give(struct portable__notes *notes, struct portable__note *note) {
  __threadfence_system();
  *(volatile uint32_t *)&note->ready = 1u;
  __threadfence_system();
  *(volatile uint32_t *)&notes->any = 1u;
}

/* From device code: the work failed. The next fence of the stream gives ERR_KERNEL with label, code and text; the first call wins.
 * Iterations that have not begun are not left out. text may be NULL; up to 103 bytes are kept.  Since: 0.1 */
PORTABLE__FORCED void portable_device_fail(const portable_launch_space &space, int32_t code, const char *text) {
  struct portable__note *note = portable__note_take(space.notes, space.kernel, space.stream);
  if (!note) return;
  note->kind = PORTABLE__NOTE_FAILED;
  note->code = code;
  int n = 0;
  for (; text && text[n] && n < PORTABLE__NOTE_TEXT - 1; n++) note->text[n] = text[n];
  note->text[n] = 0;
  portable__note_give(space.notes, note);
}

/* In a body, on host and device: portable_kernel_fail of this launch.  Since: 0.1 */
#define PORTABLE_FAIL(code, text) portable_device_fail(portable__at, code, text)

#if defined(PORTABLE_BOUNDS_CHECK)
static __device__ struct portable__notes *portable__here_notes;
static __device__ uint32_t portable__here_kernel;
#endif

/* First in an entry that is written by hand, if views are to be checked in it.  Since: 0.1 */
PORTABLE__FORCED void portable_device_begin(const portable_launch_space &space) {
#if defined(PORTABLE_BOUNDS_CHECK)
  portable__here_notes = space.notes; /* every thread writes the same */
  portable__here_kernel = space.kernel;
#else
  (void)space;
#endif
}

/* ---- kernels ------------------------------------------------------------------------------------- */

/* A kernel of a name, with an argument block of a type, to which `a` points in the body that follows.  Since: 0.1 */
#define PORTABLE_KERNEL(name, args_type, a)                                                                              \
  static __forceinline__ __device__ void name##__body(const portable_launch_space &portable__at, const args_type *a);    \
  extern "C" __global__ void name(const portable_launch_space portable__space, const portable_args<args_type> portable__args) { \
    portable_device_begin(portable__space);                                                                              \
    name##__body(portable__space, portable__args.get());                                                                 \
  }                                                                                                                      \
  static __forceinline__ __device__ void name##__body(const portable_launch_space &portable__at, const args_type *a)

#else

#define PORTABLE_FAIL(code, text) portable_kernel_fail(portable__at, code, text)

#ifdef __cplusplus
#define PORTABLE__EXTERN extern "C"
#else
#define PORTABLE__EXTERN extern
#endif

/* 1: some dimension of the tile has a stride, which its loops then heed. */
PORTABLE_FUNCTION int portable__tile_strided(const portable_tile *t) {
  int32_t d;
  for (d = 0; d < t->rank; d++)
    if (t->stride[d] != 1) return 1;
  return 0;
}

/* The body is there three times: the loops of the first two are ones that compilers vectorise, as the stride is known to be 1, and as the
 * index that runs fastest is. */
#define PORTABLE_KERNEL(name, args_type, a)                                                                              \
  PORTABLE__BODY void name##__body(const portable_tile *portable__at, const args_type *PORTABLE__RESTRICT a,             \
                                   const int portable__strided, const int portable__order);                              \
  PORTABLE__EXTERN void name(const portable_tile *portable__tile, void *portable__args);                                 \
  PORTABLE__EXTERN void name(const portable_tile *portable__tile, void *portable__args) {                                \
    const int32_t portable__order = portable_tile_order(portable__tile);                                                 \
    if (portable__tile_strided(portable__tile))                                                                          \
      name##__body(portable__tile, (const args_type *)portable__args, 1, portable__order);                               \
    else if (portable__order == PORTABLE_ORDER_FORTRAN)                                                                  \
      name##__body(portable__tile, (const args_type *)portable__args, 0, PORTABLE_ORDER_FORTRAN);                        \
    else                                                                                                                 \
      name##__body(portable__tile, (const args_type *)portable__args, 0, PORTABLE_ORDER_C);                              \
  }                                                                                                                      \
  PORTABLE__BODY void name##__body(const portable_tile *portable__at PORTABLE__UNUSED,                                   \
                                   const args_type *PORTABLE__RESTRICT a PORTABLE__UNUSED,                               \
                                   const int portable__strided PORTABLE__UNUSED, const int portable__order PORTABLE__UNUSED)

#endif

#include "portable_device_loop.h"
#if defined(__CUDACC_RTC__)
#include "portable_atomic.h"
#endif
#include "portable_device_view.h"
#include "portable_device_vector.h"
#include "portable_device_team.h"
#if defined(__CUDACC_RTC__)
#include "portable_device_array.h"
#endif

#include "portable_device_architecture.h"

#endif
