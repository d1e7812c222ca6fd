/* portable_atomic.h - add, minimum and maximum on memory that several threads change at once. Part of portable.h; it stands alone
 * too and needs nothing but <stdint.h>, so that the prelude of device code can include it.
 *
 * For TYPE int32 (int32_t), int64 (int64_t), real32 (float) and real64 (double), each on plain memory of that type:
 *
 *   TYPE portable_atomic_add_TYPE(TYPE *x, TYPE value);      *x = *x + value
 *   TYPE portable_atomic_min_TYPE(TYPE *x, TYPE value);      *x = the smaller one of *x and value
 *   TYPE portable_atomic_max_TYPE(TYPE *x, TYPE value);      *x = the larger one
 *
 * Each returns the earlier value of *x. Rules of all of them:
 *   Threads:   any number of them at once, on one x or on several, with these functions. Code that reads or writes x in another way
 *              at the same time has a data race. After the launch everyone reads plainly.
 *   Order:     relaxed: the update of x is one step, and says nothing about other memory. No flag or lock can be made of it.
 *   Alignment: x is aligned as its type is, as every variable and array element of C and Fortran.
 *   Integers:  wrap around, as two's complement does; nothing is undefined.
 *   NaN:       add gives NaN as + does. Minimum and maximum leave NaN out, as gfortran's MINVAL and MAXVAL do: *x is NaN
 *              afterwards only if it was and value is. Of +0.0 and -0.0 the one that was there stays. Comparisons of NaN
 *              raise no exception, so they do not trap. With -ffast-math the compiler assumes that there are none.
 *   Bits:      sums of integers, minima and maxima are the same whatever the order. A sum of reals is not: it is rounded in the
 *              order in which threads come, which differs from run to run. Where bits matter, use a reduction.
 *   Code:      inlined, no lock, no call (on aarch64 gcc may call a function of its own, which uses newer instructions where there are some): one locked instruction for integers that are added, else a load and a compare-and-swap
 *              in a loop; a minimum that changes nothing is a load and a comparison. Clean under -Wall -Wextra -Wconversion.
 * Works before portable_init.  Source: YAKL's atomicAdd, atomicMin, atomicMax.  Since: 0.1
 *
 * PORTABLE_HAS_ATOMIC is 1 where the compiler has what this takes (gcc 4.7, clang 3.1 and what is built on them), else 0.
 */
#ifndef PORTABLE_ATOMIC_H
#define PORTABLE_ATOMIC_H

#include <stdint.h>

/* Functions that are whole in the header. Code for devices may define it otherwise before. */
#ifndef PORTABLE_INLINE
#ifdef __cplusplus
#define PORTABLE_INLINE inline
#else
#define PORTABLE_INLINE static inline
#endif
#endif

/* A function of the host that device code of the same source calls, too: nvcc wants to see it marked on both sides. */
#if defined(__CUDACC__)
#define PORTABLE__HOST_DEVICE __host__ __device__
#else
#define PORTABLE__HOST_DEVICE
#endif

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
#define PORTABLE_HAS_ATOMIC 1
#include "portable_device_atomic.h"
#else

#ifndef PORTABLE_HAS_ATOMIC
#if defined(__ATOMIC_RELAXED)
#define PORTABLE_HAS_ATOMIC 1
#elif defined(__has_builtin)
#if __has_builtin(__atomic_compare_exchange)
#define PORTABLE_HAS_ATOMIC 1
#define __ATOMIC_RELAXED 0
#endif
#endif
#ifndef PORTABLE_HAS_ATOMIC
#define PORTABLE_HAS_ATOMIC 0
#endif
#endif

#if PORTABLE_HAS_ATOMIC

/* *x becomes *want if it is *old still; else *old becomes what it is. May fail for nothing, so it stands in loops. */
#define PORTABLE__ATOMIC_SWAP(x, old, want) __atomic_compare_exchange(x, old, want, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)

#define PORTABLE__ATOMIC_NUMBER(a) (!__builtin_isunordered(a, a))
#define PORTABLE__ATOMIC_BELOW(a, b) ((a) < (b))
#define PORTABLE__ATOMIC_ABOVE(a, b) ((a) > (b))
#define PORTABLE__ATOMIC_REAL_BELOW(a, b) (__builtin_isless(a, b) || (!PORTABLE__ATOMIC_NUMBER(b) && PORTABLE__ATOMIC_NUMBER(a)))
#define PORTABLE__ATOMIC_REAL_ABOVE(a, b) (__builtin_isgreater(a, b) || (!PORTABLE__ATOMIC_NUMBER(b) && PORTABLE__ATOMIC_NUMBER(a)))

/* *x becomes value where value is to stand in its place. */
#define PORTABLE__ATOMIC_CHOICE(name, type, replaces)                                   \
  PORTABLE__HOST_DEVICE PORTABLE_INLINE type name(type *x, type value) {                                      \
    type old;                                                                           \
    __atomic_load(x, &old, __ATOMIC_RELAXED);                                           \
    while (replaces(value, old) && !PORTABLE__ATOMIC_SWAP(x, &old, &value)) {           \
    }                                                                                   \
    return old;                                                                         \
  }

#define PORTABLE__ATOMIC_INTEGER(kind, type)                                            \
  PORTABLE__HOST_DEVICE PORTABLE_INLINE type portable_atomic_add_##kind(type *x, type value) {                \
    return __atomic_fetch_add(x, value, __ATOMIC_RELAXED);                              \
  }                                                                                     \
  PORTABLE__ATOMIC_CHOICE(portable_atomic_min_##kind, type, PORTABLE__ATOMIC_BELOW)     \
  PORTABLE__ATOMIC_CHOICE(portable_atomic_max_##kind, type, PORTABLE__ATOMIC_ABOVE)

/* A sum of reals swaps their bits: gcc keeps an integer in a register over the loop, and puts a real onto the stack. */
#define PORTABLE__ATOMIC_REAL(kind, type, unsigned_type)                                \
  typedef unsigned_type __attribute__((__may_alias__)) portable__bits_of_##kind;        \
  PORTABLE__HOST_DEVICE PORTABLE_INLINE type portable_atomic_add_##kind(type *x, type value) {                \
    portable__bits_of_##kind *const at = (portable__bits_of_##kind *)x;                 \
    unsigned_type was = __atomic_load_n(at, __ATOMIC_RELAXED), now;                     \
    type old, sum;                                                                      \
    do {                                                                                \
      __builtin_memcpy(&old, &was, sizeof old);                                         \
      sum = old + value;                                                                \
      __builtin_memcpy(&now, &sum, sizeof sum);                                         \
    } while (!__atomic_compare_exchange_n(at, &was, now, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
    return old;                                                                         \
  }                                                                                     \
  PORTABLE__ATOMIC_CHOICE(portable_atomic_min_##kind, type, PORTABLE__ATOMIC_REAL_BELOW) \
  PORTABLE__ATOMIC_CHOICE(portable_atomic_max_##kind, type, PORTABLE__ATOMIC_REAL_ABOVE)

PORTABLE__ATOMIC_INTEGER(int32, int32_t)
PORTABLE__ATOMIC_INTEGER(int64, int64_t)
PORTABLE__ATOMIC_REAL(real32, float, uint32_t)
PORTABLE__ATOMIC_REAL(real64, double, uint64_t)

#undef PORTABLE__ATOMIC_INTEGER
#undef PORTABLE__ATOMIC_REAL
#undef PORTABLE__ATOMIC_CHOICE

#endif

#endif

#endif
