/* portable_device_team.h - kernels of two levels that have one body: a block of the device, or a thread of the host, does an outer
 * iteration, its team does inner loops together. Part of portable_device.h; include that. The rules are those of portable_hierarchy.h.
 *
 *     PORTABLE_TEAM_KERNEL(rows, rows_args, team, a) {
 *       double *line = (double *)team->scratch;
 *       PORTABLE_INNER_FOR(team, i, 1, a->n) { line[i - 1] = a->x[i - 1 + a->n * team->index[0]]; }
 *       portable_fence_inner(team);
 *       PORTABLE_INNER_FOR(team, i, 1, a->n) { a->y[i - 1 + a->n * team->index[0]] = line[a->n - i]; }
 *     }
 *
 * On the host that is a portable_team_function; it is set by portable_kernel_set_host_team and launched by portable_launch_outer
 * (portable_cuda.h). On the device scratch is shared memory of the block, and inner loops go in strips of as many iterations as
 * there are threads. Every thread of a block is in the body: `return` must not stand before a fence that others come to.
 */
#ifndef PORTABLE_DEVICE_TEAM_H
#define PORTABLE_DEVICE_TEAM_H

#ifndef PORTABLE_DEVICE_H
#error "include portable_device.h, which includes this"
#endif

#if defined(__CUDACC_RTC__)
/* As in portable_hierarchy.h, but for what the host has. */
typedef struct portable_team {
  int64_t index[PORTABLE_LOOP_RANK];
  int32_t rank, size, member, reserved;
  void   *scratch;
  size_t  scratch_bytes;
} portable_team;

static __forceinline__ __device__ void portable_fence_inner(const portable_team *team) {
  (void)team;
  __syncthreads();
}
static __forceinline__ __device__ int32_t portable_single_inner(const portable_team *team) { return team->member == 0; }
static __forceinline__ __device__ void portable_inner_range(const portable_team *team, int64_t lower, int64_t upper, int64_t *from_out,
                                                            int64_t *to_out) {
  const uint64_t members = (uint64_t)team->size, m = (uint64_t)team->member;
  *from_out = lower;
  *to_out = upper;
  if (lower > upper) return;
  const uint64_t n = (uint64_t)upper - (uint64_t)lower + 1, before = m * (n / members) + (m < n % members ? m : n % members);
  *from_out = (int64_t)((uint64_t)lower + before);
  *to_out = (int64_t)((uint64_t)*from_out + n / members + (m < n % members)) - 1;
}
#include "portable_division.h"
#endif

/* Dynamic shared memory under a name.  Since: 0.1 */
#ifndef PORTABLE_SHARED_BYTES
#define PORTABLE_SHARED_BYTES(name) extern __shared__ __attribute__((aligned(64))) unsigned char name[]
#endif

#if defined(__CUDACC__)

/* The outer iteration of a block, whose number is n. In 32 bits each dimension has its place in the code, so that indices stay in registers; divisions of
 * 64 bits are too long for that, and go in a loop. */
static __forceinline__ __device__ void portable__team_at(const portable_launch_space &portable__at, portable__step n, portable_team *team) {
#if defined(PORTABLE_NARROW) && defined(PORTABLE_LAUNCH_ORDER)
#pragma unroll
  for (int32_t k = 0; k < PORTABLE_LOOP_RANK; k++) {
    const int32_t d = PORTABLE__FIRST_RUNS ? k : PORTABLE_LOOP_RANK - 1 - k;
    team->index[d] = 0;
    if (d >= portable__at.rank) continue;
#else
#pragma unroll 1
  for (int32_t k = 0; k < portable__at.rank; k++) {
    const int32_t d = PORTABLE__FIRST_RUNS ? k : portable__at.rank - 1 - k;
#endif
    const portable__step extent = (portable__step)portable__at.extent[d], rest = n / extent;
    team->index[d] = portable__at.lower[d] + (int64_t)(n - rest * extent) * portable__at.stride[d];
    n = rest;
  }
}

/* A kernel over outer iterations; team is a const portable_team *.  Since: 0.1 */
#define PORTABLE_TEAM_KERNEL(name, args_type, team, a)                                                                   \
  static __forceinline__ __device__ void name##__body(const portable_launch_space &portable__at, const portable_team *team, \
                                                      const args_type *a);                                               \
  extern "C" __global__ void name(const portable_launch_space portable__space, const portable_args<args_type> portable__args) { \
    PORTABLE_SHARED_BYTES(portable__scratch);                                                                            \
    portable_team portable__team;                                                                                        \
    for (int32_t portable__k = 0; portable__k < PORTABLE_LOOP_RANK; portable__k++) portable__team.index[portable__k] = 0; \
    portable_device_begin(portable__space);                                                                              \
    portable__team.rank = portable__space.rank;                                                                          \
    portable__team.size = (int32_t)blockDim.x;                                                                           \
    portable__team.member = (int32_t)threadIdx.x;                                                                        \
    portable__team.scratch_bytes = portable__space.scratch_bytes;                                                        \
    portable__team.scratch = portable__space.scratch_bytes ? (void *)portable__scratch : (void *)0;                      \
    for (portable__step portable__n = blockIdx.x; portable__n < (portable__step)portable__space.count; portable__n += gridDim.x) { \
      portable__team_at(portable__space, portable__n, &portable__team);                                                  \
      name##__body(portable__space, &portable__team, portable__args.get());                                              \
      __syncthreads(); /* the scratch is the next iteration's */                                                         \
    }                                                                                                                    \
  }                                                                                                                      \
  static __forceinline__ __device__ void name##__body(const portable_launch_space &portable__at, const portable_team *team, \
                                                      const args_type *a)

/* An inner loop from lower to upper, both inclusive: each member does its part and waits for none.  Since: 0.1 */
#define PORTABLE_INNER_FOR(team, i, lower, upper)                                                                        \
  for (int64_t i = (int64_t)(lower) + (int64_t)threadIdx.x, portable__to = (upper); i <= portable__to; i += (int64_t)blockDim.x)

#define PORTABLE__INNER(team, type, result, i, lower, upper, value, start, PORTABLE__COMBINE)                                          \
  do {                                                                                                                                 \
    __shared__ type portable__lane[PORTABLE_INNER_LANES];                                                                              \
    const int64_t portable__from = (lower), portable__to = (upper);                                                                    \
    const int64_t portable__n = portable__to < portable__from ? 0 : portable__to - portable__from + 1;                                 \
    (void)(team);                                                                                                                      \
    __syncthreads(); /* the lanes of the one before have been read */                                                                  \
    for (int64_t portable__l = threadIdx.x; portable__l < PORTABLE_INNER_LANES; portable__l += blockDim.x) {                           \
      type portable__s = (start);                                                                                                      \
      for (int64_t portable__k = portable__l; portable__k < portable__n; portable__k += PORTABLE_INNER_LANES) {                        \
        const int64_t i = portable__from + portable__k;                                                                                \
        const type portable__v = (type)(value);                                                                                        \
        portable__s = PORTABLE__COMBINE(portable__s, portable__v);                                                                     \
      }                                                                                                                                \
      portable__lane[portable__l] = portable__s;                                                                                       \
    }                                                                                                                                  \
    __syncthreads();                                                                                                                   \
    for (int64_t portable__h = PORTABLE_INNER_LANES / 2; portable__h > 0; portable__h /= 2) {                                          \
      for (int64_t portable__l = threadIdx.x; portable__l < portable__h; portable__l += blockDim.x)                                    \
        portable__lane[portable__l] = PORTABLE__COMBINE(portable__lane[portable__l], portable__lane[portable__l + portable__h]);       \
      __syncthreads();                                                                                                                 \
    }                                                                                                                                  \
    (result) = PORTABLE__COMBINE(result, portable__lane[0]);                                                                           \
  } while (0)

#define PORTABLE__INNER_RUN(team, type, total, out, i, lower, upper, value, PORTABLE__SHIFT) \
  do { \
    __shared__ type portable__run[2][PORTABLE_INNER_LANES]; \
    const int64_t portable__from = (lower), portable__to = (upper); \
    const int64_t portable__n = portable__to < portable__from ? 0 : portable__to - portable__from + 1; \
    type portable__carry = (total); \
    (void)(team); \
    for (int64_t portable__b = 0; portable__b < portable__n; portable__b += PORTABLE_INNER_LANES) { \
      const int64_t portable__left = portable__n - portable__b, portable__m = portable__left < PORTABLE_INNER_LANES ? portable__left : PORTABLE_INNER_LANES; \
      int portable__here = 0; \
      __syncthreads(); /* the lanes of the strip before have been read */ \
      for (int64_t portable__l = threadIdx.x; portable__l < portable__m; portable__l += blockDim.x) { \
        const int64_t i = portable__from + portable__b + portable__l; \
        portable__run[0][portable__l] = (type)(value); \
      } \
      __syncthreads(); \
      for (int64_t portable__d = 1; portable__d < PORTABLE_INNER_LANES; portable__d *= 2) { \
        for (int64_t portable__l = threadIdx.x; portable__l < portable__m; portable__l += blockDim.x) \
          portable__run[1 - portable__here][portable__l] = portable__l < portable__d ? portable__run[portable__here][portable__l] \
            : (type)(portable__run[portable__here][portable__l - portable__d] + portable__run[portable__here][portable__l]); \
        portable__here = 1 - portable__here; \
        __syncthreads(); \
      } \
      for (int64_t portable__l = threadIdx.x; portable__l < portable__m; portable__l += blockDim.x) { \
        const int64_t i = portable__from + portable__b + portable__l; \
        (out) = portable__l < (PORTABLE__SHIFT) ? portable__carry : (type)(portable__carry + portable__run[portable__here][portable__l - (PORTABLE__SHIFT)]); \
      } \
      portable__carry = (type)(portable__carry + portable__run[portable__here][portable__m - 1]); \
    } \
    __syncthreads(); \
    (total) = portable__carry; \
  } while (0)

#else

#define PORTABLE_TEAM_KERNEL(name, args_type, team, a)                                                                   \
  PORTABLE__BODY void name##__body(const portable_tile *portable__at, const portable_team *team, const args_type *a);    \
  PORTABLE__EXTERN void name(const portable_team *team, void *portable__args);                                           \
  PORTABLE__EXTERN void name(const portable_team *team, void *portable__args) {                                          \
    name##__body(team->tile, team, (const args_type *)portable__args);                                                   \
  }                                                                                                                      \
  PORTABLE__BODY void name##__body(const portable_tile *portable__at PORTABLE__UNUSED, const portable_team *team PORTABLE__UNUSED, \
                                   const args_type *a PORTABLE__UNUSED)

/* Out of the loop's way, because a team of the host has several members under PORTABLE_TEAM_SIZE only. */
#if defined(__GNUC__)
#define PORTABLE__SELDOM_CALLED static __attribute__((cold, noinline, unused))
#else
#define PORTABLE__SELDOM_CALLED static inline
#endif
PORTABLE__SELDOM_CALLED int64_t portable__inner_from(const portable_team *team, int64_t lower, int64_t upper) {
  int64_t from, to;
  portable_inner_range(team, lower, upper, &from, &to);
  return from;
}
PORTABLE__SELDOM_CALLED int64_t portable__inner_to(const portable_team *team, int64_t lower, int64_t upper) {
  int64_t from, to;
  portable_inner_range(team, lower, upper, &from, &to);
  return to;
}

#define PORTABLE_INNER_FOR(team, i, lower, upper)                                                                        \
  for (int64_t portable__lower = (int64_t)(lower), portable__upper = (int64_t)(upper),                                   \
               i = (team)->size > 1 ? portable__inner_from((team), portable__lower, portable__upper) : portable__lower,  \
               portable__to = (team)->size > 1 ? portable__inner_to((team), portable__lower, portable__upper) : portable__upper; \
       i <= portable__to; i++)

#define PORTABLE__INNER(team, type, result, i, lower, upper, value, start, PORTABLE__COMBINE)                                          \
  do {                                                                                                                                 \
    type portable__lane[PORTABLE_INNER_LANES];                                                                                         \
    const int64_t portable__from = (lower), portable__to = (upper);                                                                    \
    const int64_t portable__n = portable__to < portable__from ? 0 : portable__to - portable__from + 1;                                 \
    portable_fence_inner(team); /* each member of a team of the host computes all of it, so the bits are those of one */               \
    for (int portable__l = 0; portable__l < PORTABLE_INNER_LANES; portable__l++) portable__lane[portable__l] = (start);                \
    for (int64_t portable__b = 0; portable__b < portable__n; portable__b += PORTABLE_INNER_LANES) {                                    \
      const int64_t portable__left = portable__n - portable__b;                                                                        \
      const int portable__m = portable__left < PORTABLE_INNER_LANES ? (int)portable__left : PORTABLE_INNER_LANES;                      \
      for (int portable__l = 0; portable__l < portable__m; portable__l++) {                                                            \
        const int64_t i = portable__from + portable__b + portable__l;                                                                  \
        const type portable__v = (type)(value);                                                                                        \
        portable__lane[portable__l] = (type)PORTABLE__COMBINE(portable__lane[portable__l], portable__v);                               \
      }                                                                                                                                \
    }                                                                                                                                  \
    for (int portable__h = PORTABLE_INNER_LANES / 2; portable__h > 0; portable__h /= 2)                                                \
      for (int portable__l = 0; portable__l < portable__h; portable__l++)                                                              \
        portable__lane[portable__l] = (type)PORTABLE__COMBINE(portable__lane[portable__l], portable__lane[portable__l + portable__h]); \
    (result) = (type)PORTABLE__COMBINE(result, portable__lane[0]);                                                                     \
    portable_fence_inner(team);                                                                                                        \
  } while (0)

#define PORTABLE__INNER_RUN(team, type, total, out, i, lower, upper, value, PORTABLE__SHIFT) \
  do { \
    type portable__run[2][PORTABLE_INNER_LANES], portable__carry = (total); \
    const int64_t portable__from = (lower), portable__to = (upper); \
    const int64_t portable__n = portable__to < portable__from ? 0 : portable__to - portable__from + 1; \
    portable_fence_inner(team); \
    for (int64_t portable__b = 0; portable__b < portable__n; portable__b += PORTABLE_INNER_LANES) { \
      const int64_t portable__left = portable__n - portable__b; \
      const int portable__m = portable__left < PORTABLE_INNER_LANES ? (int)portable__left : PORTABLE_INNER_LANES; \
      int portable__here = 0; \
      for (int portable__l = 0; portable__l < portable__m; portable__l++) { \
        const int64_t i = portable__from + portable__b + portable__l; \
        portable__run[0][portable__l] = (type)(value); \
      } \
      portable_fence_inner(team); /* each member computes all of it: no one writes before all have read */ \
      for (int portable__d = 1; portable__d < PORTABLE_INNER_LANES; portable__d *= 2) { \
        for (int portable__l = 0; portable__l < portable__m; portable__l++) \
          portable__run[1 - portable__here][portable__l] = portable__l < portable__d ? portable__run[portable__here][portable__l] \
            : (type)(portable__run[portable__here][portable__l - portable__d] + portable__run[portable__here][portable__l]); \
        portable__here = 1 - portable__here; \
      } \
      for (int portable__l = 0; portable__l < portable__m; portable__l++) { \
        const int64_t i = portable__from + portable__b + portable__l; \
        (out) = portable__l < (PORTABLE__SHIFT) ? portable__carry : (type)(portable__carry + portable__run[portable__here][portable__l - (PORTABLE__SHIFT)]); \
      } \
      portable__carry = (type)(portable__carry + portable__run[portable__here][portable__m - 1]); \
    } \
    portable_fence_inner(team); \
    (total) = portable__carry; \
  } while (0)

#endif

/* Adds the values of an inner loop from lower to upper, both inclusive, to `result`, or the least or largest of it and the loop's values; of `type`, which is that of
 * result. value is an expression with i in it.
 *     double norm = 0;
 *     PORTABLE_INNER_SUM(team, double, norm, k, 0, n - 1, x[k] * x[k]);
 * Every member of the team comes to it, with the same result, lower and upper, and has the new result after it; it is a fence, too.
 * Bits: iteration k is added to lane k mod PORTABLE_INNER_LANES, lanes in pairs l and l + LANES/2, then LANES/4, to one; on the host and in blocks of any size. NaN: a
 * sum becomes NaN; least and largest leave it out. On a device a block has so many lanes of shared memory besides its scratch.
 * Source: Kokkos' parallel_reduce over TeamThreadRange; YAKL's users asked for it.  Since: 0.1 */
#define PORTABLE_INNER_SUM(team, type, result, i, lower, upper, value) \
  PORTABLE__INNER(team, type, result, i, lower, upper, value, (type)0, PORTABLE__INNER_ADD)
#define PORTABLE_INNER_MIN(team, type, result, i, lower, upper, value) \
  PORTABLE__INNER(team, type, result, i, lower, upper, value, (result), PORTABLE__INNER_LESS)
#define PORTABLE_INNER_MAX(team, type, result, i, lower, upper, value) \
  PORTABLE__INNER(team, type, result, i, lower, upper, value, (result), PORTABLE__INNER_MORE)
/* Running sums of an inner loop from lower to upper: out, an lvalue with i in it, becomes `total` plus the values up to that of i, itself included, or
 * (_EXCLUSIVE) those before it; total, of `type`, becomes the sum of all. out may be what value reads at the same i.
 *     int64_t places = 0;
 *     PORTABLE_INNER_SCAN_EXCLUSIVE(team, int64_t, places, begin[k], k, 0, n - 1, count[k]);
 * Every member of the team comes to it, as to a sum; it is a fence, too. Bits: strips of PORTABLE_INNER_LANES values are added at distances 1, 2, 4 to
 * LANES/2, then the sum of the strips before is added; on the host and in blocks of any size.
 * Source: Kokkos' parallel_scan over TeamThreadRange, CUB's BlockScan.  Since: 0.1 */
#define PORTABLE_INNER_SCAN(team, type, total, out, i, lower, upper, value) PORTABLE__INNER_RUN(team, type, total, out, i, lower, upper, value, 0)
#define PORTABLE_INNER_SCAN_EXCLUSIVE(team, type, total, out, i, lower, upper, value) PORTABLE__INNER_RUN(team, type, total, out, i, lower, upper, value, 1)
#define PORTABLE_INNER_LANES 128
#define PORTABLE__INNER_ADD(s, v) ((s) + (v))
#define PORTABLE__INNER_LESS(s, v) ((v) < (s) ? (v) : (s))
#define PORTABLE__INNER_MORE(s, v) ((v) > (s) ? (v) : (s))

#endif
