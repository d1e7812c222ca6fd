/* fft_16.h - as fft_avx2.h, in vectors of 16 bytes that gcc and clang have for each processor; used for aarch64, where UZP, ZIP and EXT are such
 * operations. Lanes are in the order of memory. The last pass of a line joins as many lanes as AVX2 has, which are two vectors here. Pure. */

#define V WIDE(lanes)
#define LANES ((int)(VECTOR / sizeof(T)))
#define BLOCK (2 * VECTOR) /* bytes of a block */
#define FORM TARGET __attribute__((always_inline)) static inline
#define AT(l) (line[l] + k * 2 * BYTES)
#define PARTS 2 /* vectors, whose lanes are the parts of a line that is cut */

/* At any address. */
typedef T WIDE(anywhere) __attribute__((vector_size(VECTOR), aligned(1), may_alias));
#define LOAD(p) ((V)(*(const WIDE(anywhere) *)(const void *)(p)))
#define STORE(p, v) (*(WIDE(anywhere) *)(void *)(p) = (WIDE(anywhere))(v))
#define ORDER(v) (v)
#define FIRST_PAIRS(a, b) ZIP_LOW(a, b)
#define LAST_PAIRS(a, b) ZIP_HIGH(a, b)

#if BYTES == 8
typedef int64_t WIDE(numbers) __attribute__((vector_size(VECTOR)));
#define LANES_OF(a, b, ...) PORTABLE__SHUFFLE(WIDE(numbers), a, b, __VA_ARGS__)
#define ORDER_OF_LANES {0, 1}
#define EACH_LANE(F) F(0, 0) F(1, 1) /* a lane, and its line */
#define EVEN(a, b) LANES_OF(a, b, 0, 2)
#define ODD(a, b) LANES_OF(a, b, 1, 3)
#define ZIP_LOW(a, b) EVEN(a, b)
#define ZIP_HIGH(a, b) ODD(a, b)
#define REVERSE(v) LANES_OF(v, v, 1, 0)
#define TURNED(part, h, a0, a1)                                \
  {                                                            \
    const V p = part(0, h), q = part(1, h);                    \
    a0 = EVEN(p, q), a1 = ODD(p, q);                           \
  }
#define ROWS                                                   \
  V r0, r1, r2, r3, i0, i1, i2, i3;                            \
  TURNED(REAL, 0, r0, r1) TURNED(REAL, 1, r2, r3)              \
  TURNED(IMAGINARY, 0, i0, i1) TURNED(IMAGINARY, 1, i2, i3)
#else
typedef int32_t WIDE(numbers) __attribute__((vector_size(VECTOR)));
#define LANES_OF(a, b, ...) PORTABLE__SHUFFLE(WIDE(numbers), a, b, __VA_ARGS__)
#define ORDER_OF_LANES {0, 1, 2, 3}
#define EACH_LANE(F) F(0, 0) F(1, 1) F(2, 2) F(3, 3)
#define EVEN(a, b) LANES_OF(a, b, 0, 2, 4, 6)
#define ODD(a, b) LANES_OF(a, b, 1, 3, 5, 7)
#define ZIP_LOW(a, b) LANES_OF(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b) LANES_OF(a, b, 2, 6, 3, 7)
#define REVERSE(v) LANES_OF(v, v, 3, 2, 1, 0)
#define TURNED(part, h, a0, a1, a2, a3)                                                                        \
  {                                                                                                            \
    const V p = part(0, h), q = part(1, h), t = part(2, h), u = part(3, h);                                    \
    const V pq = ZIP_LOW(p, q), pq2 = ZIP_HIGH(p, q), tu = ZIP_LOW(t, u), tu2 = ZIP_HIGH(t, u);                \
    a0 = LANES_OF(pq, tu, 0, 1, 4, 5), a1 = LANES_OF(pq, tu, 2, 3, 6, 7);                                      \
    a2 = LANES_OF(pq2, tu2, 0, 1, 4, 5), a3 = LANES_OF(pq2, tu2, 2, 3, 6, 7);                                  \
  }
#define ROWS                                                                                                   \
  V r0, r1, r2, r3, r4, r5, r6, r7, i0, i1, i2, i3, i4, i5, i6, i7;                                            \
  TURNED(REAL, 0, r0, r1, r2, r3) TURNED(REAL, 1, r4, r5, r6, r7)                                              \
  TURNED(IMAGINARY, 0, i0, i1, i2, i3) TURNED(IMAGINARY, 1, i4, i5, i6, i7)
#endif

/* Numbers k of as many contiguous lines as a vector has lanes. */
#if BYTES == 8
FORM void WIDE(take)(char *const *line, int64_t k, V *r, V *i) {
  const V u = LOAD(AT(0)), v = LOAD(AT(1));
  *r = EVEN(u, v);
  *i = ODD(u, v);
}
FORM void WIDE(give)(char *const *line, int64_t k, V r, V i) {
  STORE(AT(0), ZIP_LOW(r, i));
  STORE(AT(1), ZIP_HIGH(r, i));
}
#else
FORM V WIDE(two)(const char *first, const char *second) {
  double both[2];
  __builtin_memcpy(&both[0], first, sizeof both[0]);
  __builtin_memcpy(&both[1], second, sizeof both[1]);
  return LOAD(both);
}
FORM void WIDE(take)(char *const *line, int64_t k, V *r, V *i) {
  const V u = WIDE(two)(AT(0), AT(1)), v = WIDE(two)(AT(2), AT(3));
  *r = EVEN(u, v);
  *i = ODD(u, v);
}
FORM void WIDE(give)(char *const *line, int64_t k, V r, V i) {
  const V u = ZIP_LOW(r, i), v = ZIP_HIGH(r, i);
  __builtin_memcpy(AT(0), &u, 2 * BYTES);
  __builtin_memcpy(AT(1), (const char *)&u + 2 * BYTES, 2 * BYTES);
  __builtin_memcpy(AT(2), &v, 2 * BYTES);
  __builtin_memcpy(AT(3), (const char *)&v + 2 * BYTES, 2 * BYTES);
}
#endif

#include "fft_line.h"
#include "fft_lanes.h"
