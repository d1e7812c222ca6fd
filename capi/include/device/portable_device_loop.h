/* portable_device_loop.h - the loops of kernels that have one body: PORTABLE_FOR_1(i) { ... } to PORTABLE_FOR_8(i, j, k, l, m, n, o, p) { ... }.
 * Part of portable_device.h; include that.
 *
 * Each index is an int64_t (or what PORTABLE_INDEX was defined as before: int32_t, where all of them fit), in the order in which the bounds
 * of the launch have them. `continue` ends an iteration; `break` must not be used.
 *
 * On the host the loops go over the tile, the index that runs fastest innermost. On the device the threads take the index that
 * runs fastest along x, the next one along y, and all others along z; each loop goes on by the size of the grid, so any grid does any
 * space. Where the launch fits (the library then compiles with PORTABLE_NARROW), steps are counted in 32 bits, and nothing is divided up to
 * rank 3.
 */
#ifndef PORTABLE_DEVICE_LOOP_H
#define PORTABLE_DEVICE_LOOP_H

#ifndef PORTABLE_DEVICE_H
#error "include portable_device.h, which includes this"
#endif

#ifndef PORTABLE_INDEX
#define PORTABLE_INDEX int64_t
#endif

/* Position k, from the index that runs fastest, is which dimension of r; and the other way round, which is the same. */
#define PORTABLE__OF(r, k) (PORTABLE__FIRST_RUNS ? (k) : (r) - 1 - (k))

#if defined(__CUDACC__)

#if defined(PORTABLE_NARROW)
typedef uint32_t portable__step;
#define PORTABLE__VALUE(d, q) ((PORTABLE_INDEX)((int32_t)portable__at.lower[d] + (int32_t)(q) * (int32_t)portable__at.stride[d]))
#else
typedef uint64_t portable__step;
#define PORTABLE__VALUE(d, q) ((PORTABLE_INDEX)(portable__at.lower[d] + (int64_t)(q) * portable__at.stride[d]))
#endif

#if defined(PORTABLE_LAUNCH_ORDER)
#define PORTABLE__FIRST_RUNS (PORTABLE_LAUNCH_ORDER == PORTABLE_ORDER_FORTRAN)
#else
#define PORTABLE__FIRST_RUNS (portable__at.order == PORTABLE_ORDER_FORTRAN)
#endif

/* Not at.extent[PORTABLE__OF(r, k)]: parameters that are indexed by what is not known are copied to memory. */
#define PORTABLE__EXTENT(r, k) (portable__step)(PORTABLE__FIRST_RUNS ? portable__at.extent[k] : portable__at.extent[(r) - 1 - (k)])
#define PORTABLE__INDEX_OF(r, d, a, b) (PORTABLE__FIRST_RUNS ? PORTABLE__VALUE(d, a) : PORTABLE__VALUE(d, b))

#define PORTABLE__LOOP_X(r)                                                                                                      \
  for (portable__step portable__q0 = (portable__step)blockIdx.x * blockDim.x + threadIdx.x; portable__q0 < PORTABLE__EXTENT(r, 0); \
       portable__q0 += (portable__step)gridDim.x * blockDim.x)
#define PORTABLE__LOOP_Y(r)                                                                                                      \
  for (portable__step portable__q1 = (portable__step)blockIdx.y * blockDim.y + threadIdx.y; portable__q1 < PORTABLE__EXTENT(r, 1); \
       portable__q1 += (portable__step)gridDim.y * blockDim.y)
#define PORTABLE__LOOP_Z(q, n)                                                                                                   \
  for (portable__step q = (portable__step)blockIdx.z * blockDim.z + threadIdx.z, portable__n = (n); q < portable__n;             \
       q += (portable__step)gridDim.z * blockDim.z)
/* The steps of position k, and the rest for those above it, from the rest for both. */
#define PORTABLE__SPLIT(r, k, from, to)                                                                                          \
  for (portable__step to = from / PORTABLE__EXTENT(r, k), portable__q##k = from - to * PORTABLE__EXTENT(r, k), portable__o##k = 1; \
       portable__o##k; portable__o##k = 0)
#define PORTABLE__LAST(k, from) for (portable__step portable__q##k = from, portable__o##k = 1; portable__o##k; portable__o##k = 0)

#define PORTABLE__NEST_1 PORTABLE__LOOP_X(1)
#define PORTABLE__NEST_2 PORTABLE__LOOP_Y(2) PORTABLE__LOOP_X(2)
#define PORTABLE__NEST_3 PORTABLE__LOOP_Z(portable__q2, PORTABLE__EXTENT(3, 2)) PORTABLE__LOOP_Y(3) PORTABLE__LOOP_X(3)
#define PORTABLE__NEST_4                                                                                                         \
  PORTABLE__LOOP_Z(portable__w, PORTABLE__EXTENT(4, 2) * PORTABLE__EXTENT(4, 3))                                                 \
  PORTABLE__SPLIT(4, 2, portable__w, portable__w3) PORTABLE__LAST(3, portable__w3) PORTABLE__LOOP_Y(4) PORTABLE__LOOP_X(4)
#define PORTABLE__NEST_5                                                                                                         \
  PORTABLE__LOOP_Z(portable__w, PORTABLE__EXTENT(5, 2) * PORTABLE__EXTENT(5, 3) * PORTABLE__EXTENT(5, 4))                        \
  PORTABLE__SPLIT(5, 2, portable__w, portable__w3) PORTABLE__SPLIT(5, 3, portable__w3, portable__w4)                             \
  PORTABLE__LAST(4, portable__w4) PORTABLE__LOOP_Y(5) PORTABLE__LOOP_X(5)
#define PORTABLE__NEST_6                                                                                                         \
  PORTABLE__LOOP_Z(portable__w, PORTABLE__EXTENT(6, 2) * PORTABLE__EXTENT(6, 3) * PORTABLE__EXTENT(6, 4) * PORTABLE__EXTENT(6, 5)) \
  PORTABLE__SPLIT(6, 2, portable__w, portable__w3) PORTABLE__SPLIT(6, 3, portable__w3, portable__w4)                             \
  PORTABLE__SPLIT(6, 4, portable__w4, portable__w5) PORTABLE__LAST(5, portable__w5) PORTABLE__LOOP_Y(6) PORTABLE__LOOP_X(6)
#define PORTABLE__NEST_7                                                                                                         \
  PORTABLE__LOOP_Z(portable__w, PORTABLE__EXTENT(7, 2) * PORTABLE__EXTENT(7, 3) * PORTABLE__EXTENT(7, 4) * PORTABLE__EXTENT(7, 5) * \
                                    PORTABLE__EXTENT(7, 6))                                                                      \
  PORTABLE__SPLIT(7, 2, portable__w, portable__w3) PORTABLE__SPLIT(7, 3, portable__w3, portable__w4)                             \
  PORTABLE__SPLIT(7, 4, portable__w4, portable__w5) PORTABLE__SPLIT(7, 5, portable__w5, portable__w6)                            \
  PORTABLE__LAST(6, portable__w6) PORTABLE__LOOP_Y(7) PORTABLE__LOOP_X(7)
#define PORTABLE__NEST_8                                                                                                         \
  PORTABLE__LOOP_Z(portable__w, PORTABLE__EXTENT(8, 2) * PORTABLE__EXTENT(8, 3) * PORTABLE__EXTENT(8, 4) * PORTABLE__EXTENT(8, 5) * \
                                    PORTABLE__EXTENT(8, 6) * PORTABLE__EXTENT(8, 7))                                             \
  PORTABLE__SPLIT(8, 2, portable__w, portable__w3) PORTABLE__SPLIT(8, 3, portable__w3, portable__w4)                             \
  PORTABLE__SPLIT(8, 4, portable__w4, portable__w5) PORTABLE__SPLIT(8, 5, portable__w5, portable__w6)                            \
  PORTABLE__SPLIT(8, 6, portable__w6, portable__w7) PORTABLE__LAST(7, portable__w7) PORTABLE__LOOP_Y(8) PORTABLE__LOOP_X(8)

#else

#define PORTABLE__FIRST_RUNS (portable__order == PORTABLE_ORDER_FORTRAN)
#define PORTABLE__INDEX_OF(r, d, a, b) ((PORTABLE_INDEX)(PORTABLE__FIRST_RUNS ? (a) : (b)))

/* The loop of position k of r. Only a tile that has strides reads them. */
#define PORTABLE__LOOP(r, k)                                                                                             \
  for (int64_t portable__q##k = portable__at->lower[PORTABLE__OF(r, k)], portable__u##k = portable__at->upper[PORTABLE__OF(r, k)], \
               portable__s##k = portable__strided ? portable__at->stride[PORTABLE__OF(r, k)] : 1;                        \
       portable__q##k <= portable__u##k; portable__q##k += portable__s##k)

#define PORTABLE__NEST_1 PORTABLE__LOOP(1, 0)
#define PORTABLE__NEST_2 PORTABLE__LOOP(2, 1) PORTABLE__LOOP(2, 0)
#define PORTABLE__NEST_3 PORTABLE__LOOP(3, 2) PORTABLE__LOOP(3, 1) PORTABLE__LOOP(3, 0)
#define PORTABLE__NEST_4 PORTABLE__LOOP(4, 3) PORTABLE__LOOP(4, 2) PORTABLE__LOOP(4, 1) PORTABLE__LOOP(4, 0)
#define PORTABLE__NEST_5 PORTABLE__LOOP(5, 4) PORTABLE__LOOP(5, 3) PORTABLE__LOOP(5, 2) PORTABLE__LOOP(5, 1) PORTABLE__LOOP(5, 0)
#define PORTABLE__NEST_6                                                                                                 \
  PORTABLE__LOOP(6, 5) PORTABLE__LOOP(6, 4) PORTABLE__LOOP(6, 3) PORTABLE__LOOP(6, 2) PORTABLE__LOOP(6, 1) PORTABLE__LOOP(6, 0)
#define PORTABLE__NEST_7                                                                                                 \
  PORTABLE__LOOP(7, 6) PORTABLE__LOOP(7, 5) PORTABLE__LOOP(7, 4) PORTABLE__LOOP(7, 3) PORTABLE__LOOP(7, 2) PORTABLE__LOOP(7, 1) \
  PORTABLE__LOOP(7, 0)
#define PORTABLE__NEST_8                                                                                                 \
  PORTABLE__LOOP(8, 7) PORTABLE__LOOP(8, 6) PORTABLE__LOOP(8, 5) PORTABLE__LOOP(8, 4) PORTABLE__LOOP(8, 3) PORTABLE__LOOP(8, 2) \
  PORTABLE__LOOP(8, 1) PORTABLE__LOOP(8, 0)

#endif

/* Index d: of loops over a loop of one pass, in which the indices have their names. */
#define PORTABLE__I(r, d, x, y) PORTABLE__INDEX_OF(r, d, portable__q##x, portable__q##y)

/* The loops.  Since: 0.1 */
#define PORTABLE_FOR_1(i)                                                                                                \
  PORTABLE__NEST_1                                                                                                       \
  for (PORTABLE_INDEX i = PORTABLE__I(1, 0, 0, 0), portable__once = 1; ((void)(i), portable__once); portable__once = 0)
#define PORTABLE_FOR_2(i, j)                                                                                             \
  PORTABLE__NEST_2                                                                                                       \
  for (PORTABLE_INDEX i = PORTABLE__I(2, 0, 0, 1), j = PORTABLE__I(2, 1, 1, 0), portable__once = 1;                      \
       ((void)(i), (void)(j), portable__once); portable__once = 0)
#define PORTABLE_FOR_3(i, j, k)                                                                                          \
  PORTABLE__NEST_3                                                                                                       \
  for (PORTABLE_INDEX i = PORTABLE__I(3, 0, 0, 2), j = PORTABLE__I(3, 1, 1, 1), k = PORTABLE__I(3, 2, 2, 0), portable__once = 1; \
       ((void)(i), (void)(j), (void)(k), portable__once); portable__once = 0)
#define PORTABLE_FOR_4(i, j, k, l)                                                                                       \
  PORTABLE__NEST_4                                                                                                       \
  for (PORTABLE_INDEX i = PORTABLE__I(4, 0, 0, 3), j = PORTABLE__I(4, 1, 1, 2), k = PORTABLE__I(4, 2, 2, 1),             \
                      l = PORTABLE__I(4, 3, 3, 0), portable__once = 1;                                                   \
       ((void)(i), (void)(j), (void)(k), (void)(l), portable__once); portable__once = 0)
#define PORTABLE_FOR_5(i, j, k, l, m)                                                                                    \
  PORTABLE__NEST_5                                                                                                       \
  for (PORTABLE_INDEX i = PORTABLE__I(5, 0, 0, 4), j = PORTABLE__I(5, 1, 1, 3), k = PORTABLE__I(5, 2, 2, 2),             \
                      l = PORTABLE__I(5, 3, 3, 1), m = PORTABLE__I(5, 4, 4, 0), portable__once = 1;                      \
       ((void)(i), (void)(j), (void)(k), (void)(l), (void)(m), portable__once); portable__once = 0)
#define PORTABLE_FOR_6(i, j, k, l, m, n)                                                                                 \
  PORTABLE__NEST_6                                                                                                       \
  for (PORTABLE_INDEX i = PORTABLE__I(6, 0, 0, 5), j = PORTABLE__I(6, 1, 1, 4), k = PORTABLE__I(6, 2, 2, 3),             \
                      l = PORTABLE__I(6, 3, 3, 2), m = PORTABLE__I(6, 4, 4, 1), n = PORTABLE__I(6, 5, 5, 0), portable__once = 1; \
       ((void)(i), (void)(j), (void)(k), (void)(l), (void)(m), (void)(n), portable__once); portable__once = 0)
#define PORTABLE_FOR_7(i, j, k, l, m, n, o)                                                                              \
  PORTABLE__NEST_7                                                                                                       \
  for (PORTABLE_INDEX i = PORTABLE__I(7, 0, 0, 6), j = PORTABLE__I(7, 1, 1, 5), k = PORTABLE__I(7, 2, 2, 4),             \
                      l = PORTABLE__I(7, 3, 3, 3), m = PORTABLE__I(7, 4, 4, 2), n = PORTABLE__I(7, 5, 5, 1),             \
                      o = PORTABLE__I(7, 6, 6, 0), portable__once = 1;                                                   \
       ((void)(i), (void)(j), (void)(k), (void)(l), (void)(m), (void)(n), (void)(o), portable__once); portable__once = 0)
#define PORTABLE_FOR_8(i, j, k, l, m, n, o, p)                                                                           \
  PORTABLE__NEST_8                                                                                                       \
  for (PORTABLE_INDEX i = PORTABLE__I(8, 0, 0, 7), j = PORTABLE__I(8, 1, 1, 6), k = PORTABLE__I(8, 2, 2, 5),             \
                      l = PORTABLE__I(8, 3, 3, 4), m = PORTABLE__I(8, 4, 4, 3), n = PORTABLE__I(8, 5, 5, 2),             \
                      o = PORTABLE__I(8, 6, 6, 1), p = PORTABLE__I(8, 7, 7, 0), portable__once = 1;                      \
       ((void)(i), (void)(j), (void)(k), (void)(l), (void)(m), (void)(n), (void)(o), (void)(p), portable__once); portable__once = 0)

#endif
