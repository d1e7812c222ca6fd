/* portable_device_reduce.h - reductions of which one body is compiled for the host and for devices with CUDA, as portable_device.h does it for loops.
 *
 *     #include <portable_device_reduce.h>
 *     typedef struct flow_args { const double *h, *u; int64_t nx; } flow_args;
 *     #define FLOW(RESULT) RESULT(SUM, double, energy) RESULT(MAXLOC, portable_loc_real64, fastest)
 *     PORTABLE_REDUCE_KERNEL_2(flow, flow_args, a, j, i, give, FLOW) {
 *       const double u = a->u[j * a->nx + i];
 *       give->energy = 0.5 * a->h[j * a->nx + i] * u * u;
 *       give->fastest.value = u;
 *       give->fastest.index = j * a->nx + i;
 *     }
 *
 * The body is done once for each iteration and says what that gives to each result; a result to which it gives nothing stays as it is. On the host this is
 * a portable_reduce_function of the name (portable_kernel_set_host_reduce, portable_launch_reduce.h; portable_parallel_reduce takes
 * it, too), on a device an entry (portable_kernel_set_cuda).
 *
 * RESULT(operation, type, name), in the order of the launch's results:
 *   SUM, PRODUCT, MIN, MAX   of the kind's type; double for real32 under PORTABLE_REDUCE_WIDE
 *   MINLOC, MAXLOC           of portable_loc_...; of equal values the one with the lower index stays
 *   ANY, ALL                 of int32_t, 0 or 1
 *   COUNT                    of int64_t: how many the iteration adds
 * Complex numbers, exact sums and users' operations have no device version: such launches run on the host.
 *
 * Bits: an iteration's values are added up one after the other in a leaf, in the order of the bounds, and leaves along the fixed tree: on a device, too. So
 * results are the host's, if the values are.
 *
 * In this file: PORTABLE_REDUCE_KERNEL_1 to _4. Not in this file: launches. Threads: as portable_device.h.
 */
#ifndef PORTABLE_DEVICE_REDUCE_H
#define PORTABLE_DEVICE_REDUCE_H

#include "portable_device.h"

#if defined(__CUDACC_RTC__)
typedef struct portable_loc_int8 { int8_t value; int64_t index; } portable_loc_int8;
typedef struct portable_loc_int16 { int16_t value; int64_t index; } portable_loc_int16;
typedef struct portable_loc_int32 { int32_t value; int64_t index; } portable_loc_int32;
typedef struct portable_loc_int64 { int64_t value; int64_t index; } portable_loc_int64;
typedef struct portable_loc_real32 { float value; int64_t index; } portable_loc_real32;
typedef struct portable_loc_real64 { double value; int64_t index; } portable_loc_real64;
#endif

/* ---- operations: s is the result so far, g the value of an iteration ---- */

#define PORTABLE__REDUCE_SUM(s, g) ((s) = (s) + (g))
#define PORTABLE__REDUCE_PRODUCT(s, g) ((s) = (s) * (g))
#define PORTABLE__REDUCE_MIN(s, g) ((s) = (g) < (s) ? (g) : (s))
#define PORTABLE__REDUCE_MAX(s, g) ((s) = (g) > (s) ? (g) : (s))
#define PORTABLE__REDUCE_MINLOC(s, g) ((s) = (g).value < (s).value || ((g).value == (s).value && (g).index < (s).index) ? (g) : (s))
#define PORTABLE__REDUCE_MAXLOC(s, g) ((s) = (g).value > (s).value || ((g).value == (s).value && (g).index < (s).index) ? (g) : (s))
#define PORTABLE__REDUCE_ANY(s, g) ((s) = (s) || (g))
#define PORTABLE__REDUCE_ALL(s, g) ((s) = (s) && (g))
#define PORTABLE__REDUCE_COUNT(s, g) ((s) = (s) + (g))

/* The expansion of each RESULT. */
#define PORTABLE__REDUCE_FIELD(op, type, name) type name;
#define PORTABLE__REDUCE_ADD(op, type, name) PORTABLE__REDUCE_##op(portable__sum->name, portable__one.name);

#if defined(__CUDACC__)

/* Numbers of portable_reduce.h. */
#define PORTABLE__REDUCE_NUMBER_SUM 1
#define PORTABLE__REDUCE_NUMBER_PRODUCT 2
#define PORTABLE__REDUCE_NUMBER_MIN 3
#define PORTABLE__REDUCE_NUMBER_MAX 4
#define PORTABLE__REDUCE_NUMBER_MINLOC 5
#define PORTABLE__REDUCE_NUMBER_MAXLOC 6
#define PORTABLE__REDUCE_NUMBER_ANY 7
#define PORTABLE__REDUCE_NUMBER_ALL 8
#define PORTABLE__REDUCE_NUMBER_COUNT 9

#define PORTABLE__REDUCE_LOAD(op, type, name) portable__sum->name = *(const type *)(portable__from + portable__info->offset[portable__k++]);
#define PORTABLE__REDUCE_STORE(op, type, name) *(type *)(portable__to + portable__info->offset[portable__k++]) = portable__sum->name;
#define PORTABLE__REDUCE_FITS(op, type, name)                                                                    \
  portable__fits &= portable__info->operation[portable__k] == PORTABLE__REDUCE_NUMBER_##op && portable__info->bytes[portable__k] == (int32_t)sizeof(type); \
  portable__k++;

#endif

#include "portable_device_leaf.h"

#if defined(__CUDACC__)

/* Generated text in which an iteration goes on with the results of those before it declares their structure, which may have arrays. */
#if defined(PORTABLE__REDUCE_IN_ORDER)
#define PORTABLE__REDUCE_STRUCT(name, RESULTS)
#else
#define PORTABLE__REDUCE_STRUCT(name, RESULTS) struct name##__results { RESULTS(PORTABLE__REDUCE_FIELD) };
#endif

#define PORTABLE__REDUCE_KERNEL(name, args_type, a, give, RESULTS, PARAMETERS, INDICES)                                  \
  PORTABLE__REDUCE_STRUCT(name, RESULTS)                                                                                 \
  static __forceinline__ __device__ void name##__one(const portable_launch_space &portable__at, const args_type *a, PARAMETERS, struct name##__results *give); \
  struct name##__reduction {                                                                                             \
    typedef struct name##__results results;                                                                              \
    typedef args_type args;                                                                                              \
    static __forceinline__ __device__ void one(const portable_launch_space &portable__at, const args_type *portable__a, const int64_t *portable__x, \
                                               results *portable__give) {                                                \
      name##__one(portable__at, portable__a, INDICES, portable__give);                                                   \
    }                                                                                                                    \
    static __forceinline__ __device__ void add(results *portable__sum, const results &portable__one) { RESULTS(PORTABLE__REDUCE_ADD) } \
    static __forceinline__ __device__ void load(results *portable__sum, const char *portable__from, const struct portable__reduce_info *portable__info) { \
      int portable__k = 0;                                                                                               \
      RESULTS(PORTABLE__REDUCE_LOAD)                                                                                     \
    }                                                                                                                    \
    static __forceinline__ __device__ void store(const results *portable__sum, char *portable__to, const struct portable__reduce_info *portable__info) { \
      int portable__k = 0;                                                                                               \
      RESULTS(PORTABLE__REDUCE_STORE)                                                                                    \
    }                                                                                                                    \
    static __forceinline__ __device__ int fits(const struct portable__reduce_info *portable__info) {                     \
      int portable__k = 0, portable__fits = 1;                                                                           \
      RESULTS(PORTABLE__REDUCE_FITS)                                                                                     \
      return portable__fits && portable__k == portable__info->results;                                                   \
    }                                                                                                                    \
  };                                                                                                                     \
  extern "C" __global__ void name(const portable_launch_space portable__space, const portable_args<args_type> portable__args) { \
    portable_device_begin(portable__space);                                                                              \
    portable__reduce_leaves<name##__reduction>(portable__space, portable__args.get());                                   \
  }                                                                                                                      \
  static __forceinline__ __device__ void name##__one(const portable_launch_space &portable__at, const args_type *a, PARAMETERS, struct name##__results *give)

#else

#define PORTABLE__REDUCE_LOAD(op, type, name) portable__sum->name = *(const type *)portable__partial[portable__k++];
#define PORTABLE__REDUCE_STORE(op, type, name) *(type *)portable__partial[portable__k++] = portable__sum->name;

/* The iterations of a tile in the order of the bounds. */
#define PORTABLE__REDUCE_KERNEL(name, args_type, a, give, RESULTS, PARAMETERS, INDICES)                                  \
  struct name##__results { RESULTS(PORTABLE__REDUCE_FIELD) };                                                            \
  PORTABLE__BODY void name##__one(const portable_tile *portable__at, const args_type *PORTABLE__RESTRICT a, PARAMETERS, struct name##__results *give); \
  PORTABLE__EXTERN void name(const portable_tile *portable__tile, void *portable__args, void *const *portable__partial); \
  PORTABLE__EXTERN void name(const portable_tile *portable__tile, void *portable__args, void *const *portable__partial) { \
    const args_type *portable__a = (const args_type *)portable__args;                                                    \
    const int32_t portable__order = portable_tile_order(portable__tile), portable__rank = portable__tile->rank;          \
    const int32_t portable__fast = portable__order == PORTABLE_ORDER_FORTRAN ? 0 : portable__rank - 1;                   \
    const int64_t portable__from = portable__tile->lower[portable__fast], portable__to = portable__tile->upper[portable__fast], \
                  portable__by = portable__tile->stride[portable__fast];                                                 \
    struct name##__results portable__all, portable__none, portable__one, *portable__sum = &portable__all;                \
    int64_t portable__x[PORTABLE_LOOP_RANK], portable__i;                                                                \
    int portable__k = 0;                                                                                                 \
    RESULTS(PORTABLE__REDUCE_LOAD)                                                                                       \
    portable__none = portable__all;                                                                                      \
    for (portable__k = 0; portable__k < PORTABLE_LOOP_RANK; portable__k++)                                               \
      portable__x[portable__k] = portable__k < portable__rank ? portable__tile->lower[portable__k] : 0;                  \
    do {                                                                                                                 \
      for (portable__i = portable__from; portable__i <= portable__to; portable__i += portable__by) {                     \
        portable__x[portable__fast] = portable__i;                                                                       \
        portable__one = portable__none;                                                                                  \
        name##__one(portable__tile, portable__a, INDICES, &portable__one);                                               \
        RESULTS(PORTABLE__REDUCE_ADD)                                                                                    \
      }                                                                                                                  \
    } while (portable__reduce_next(portable__tile, portable__order, portable__x));                                       \
    portable__k = 0;                                                                                                     \
    RESULTS(PORTABLE__REDUCE_STORE)                                                                                      \
    (void)portable__k;                                                                                                   \
  }                                                                                                                      \
  PORTABLE__BODY void name##__one(const portable_tile *portable__at PORTABLE__UNUSED, const args_type *PORTABLE__RESTRICT a PORTABLE__UNUSED, PARAMETERS, \
                                  struct name##__results *give)

/* The next row of a tile; 0: that was the last one. */
PORTABLE_FUNCTION int portable__reduce_next(const portable_tile *t, int32_t order, int64_t *x) {
  int32_t k;
  for (k = 1; k < t->rank; k++) {
    const int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : t->rank - 1 - k;
    if ((x[d] += t->stride[d]) <= t->upper[d]) return 1;
    x[d] = t->lower[d];
  }
  return 0;
}

#endif

#define PORTABLE__LIST_2(a, b) a, b
#define PORTABLE__LIST_3(a, b, c) a, b, c
#define PORTABLE__LIST_4(a, b, c, d) a, b, c, d

/* A reduction of a name, with an argument block of a type, to which `a` points in the body that follows; for an index space of one dimension. give points
 * to what the iteration gives to RESULTS.  Since: 0.1 */
#define PORTABLE_REDUCE_KERNEL_1(name, args_type, a, i, give, RESULTS) \
  PORTABLE__REDUCE_KERNEL(name, args_type, a, give, RESULTS, const int64_t i PORTABLE__UNUSED, portable__x[0])
/* The same for two to four dimensions, in the order of the indices of the bounds.  Since: 0.1 */
#define PORTABLE_REDUCE_KERNEL_2(name, args_type, a, i, j, give, RESULTS)                                                \
  PORTABLE__REDUCE_KERNEL(name, args_type, a, give, RESULTS,                                                             \
                          PORTABLE__LIST_2(const int64_t i PORTABLE__UNUSED, const int64_t j PORTABLE__UNUSED), PORTABLE__LIST_2(portable__x[0], portable__x[1]))
#define PORTABLE_REDUCE_KERNEL_3(name, args_type, a, i, j, k, give, RESULTS)                                             \
  PORTABLE__REDUCE_KERNEL(name, args_type, a, give, RESULTS,                                                             \
                          PORTABLE__LIST_3(const int64_t i PORTABLE__UNUSED, const int64_t j PORTABLE__UNUSED, const int64_t k PORTABLE__UNUSED), \
                          PORTABLE__LIST_3(portable__x[0], portable__x[1], portable__x[2]))
#define PORTABLE_REDUCE_KERNEL_4(name, args_type, a, i, j, k, l, give, RESULTS)                                          \
  PORTABLE__REDUCE_KERNEL(name, args_type, a, give, RESULTS,                                                             \
                          PORTABLE__LIST_4(const int64_t i PORTABLE__UNUSED, const int64_t j PORTABLE__UNUSED, const int64_t k PORTABLE__UNUSED, \
                                           const int64_t l PORTABLE__UNUSED),                                            \
                          PORTABLE__LIST_4(portable__x[0], portable__x[1], portable__x[2], portable__x[3]))

#endif
