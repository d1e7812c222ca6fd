/* array_operations.c - the operations of array.h for each kind of element: sum, product, min, max, counting.
 * Those of one type of numbers are in array_form.h. All code works on eight registers of 16 bytes, in vectors
 * that every processor of the architecture has: no variants for newer ones and no fused multiplication and
 * addition, so that all give the same bits. Integers wrap as Fortran's do in gfortran: they are added and
 * multiplied as unsigned ones. Pure functions. */
#include "array.h"

#include "../base/processor.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

typedef struct portable__array_partial partial;

#define REGISTERS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define LOAD_LANES(i) memcpy(&a##i, l + i * per, 16);
#define STORE_LANES(i) memcpy(l + i * per, &a##i, 16);
#define LOAD(i) memcpy(&x##i, x + i * per, 16);
#define LOAD_ROW(i) memcpy(&x##i, row + i * 16, 16);
#define LANES (8 * per)
/* Two cache lines are added at a time. The processor's own prefetches end with a page. */
#define ASK_AHEAD(x)                                                        \
  __builtin_prefetch((const void *)((uintptr_t)(x) + (uintptr_t)ahead));    \
  __builtin_prefetch((const void *)((uintptr_t)(x) + (uintptr_t)ahead + 64));

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)
#define ASSIGN_(op) op##=
#define ASSIGN(op) ASSIGN_(op)

/* ---- numbers ---- */

#define KIND int8
#define NUMBER int8_t
#define SUMMED uint8_t
#define ONE 1u *
#define BITS int8_t
#define MEMBER i
#define LEAST INT8_MIN
#define MOST INT8_MAX
#define LOWEST INT8_MIN
#define HIGHEST INT8_MAX
#include "array_form.h"

#define KIND int16
#define NUMBER int16_t
#define SUMMED uint16_t
#define ONE 1u *
#define BITS int16_t
#define MEMBER i
#define LEAST INT16_MIN
#define MOST INT16_MAX
#define LOWEST INT16_MIN
#define HIGHEST INT16_MAX
#include "array_form.h"

#define KIND int32
#define NUMBER int32_t
#define SUMMED uint32_t
#define ONE 1u *
#define BITS int32_t
#define MEMBER i
#define LEAST INT32_MIN
#define MOST INT32_MAX
#define LOWEST INT32_MIN
#define HIGHEST INT32_MAX
#include "array_form.h"

#define KIND int64
#define NUMBER int64_t
#define SUMMED uint64_t
#define ONE 1u *
#define BITS int64_t
#define MEMBER i
#define LEAST INT64_MIN
#define MOST INT64_MAX
#define LOWEST INT64_MIN
#define HIGHEST INT64_MAX
#include "array_form.h"

#define KIND real32
#define NUMBER float
#define SUMMED float
#define ONE
#define BITS int32_t
#define MEMBER f
#define LEAST -INFINITY
#define MOST INFINITY
#define LOWEST -FLT_MAX
#define HIGHEST FLT_MAX
#define REAL
#define PAIR complex32
#define MEMBER2 c
#define NOT_A_NUMBER NAN
#define MINIMUM __builtin_ia32_minps
#define MAXIMUM __builtin_ia32_maxps
#include "array_form.h"

#define KIND real64
#define NUMBER double
#define SUMMED double
#define ONE
#define BITS int64_t
#define MEMBER d
#define LEAST -INFINITY
#define MOST INFINITY
#define LOWEST -DBL_MAX
#define HIGHEST DBL_MAX
#define REAL
#define PAIR complex64
#define MEMBER2 z
#define NOT_A_NUMBER (double)NAN
#define MINIMUM __builtin_ia32_minpd
#define MAXIMUM __builtin_ia32_maxpd
#include "array_form.h"

/* ---- real32 in real64: four registers of 16 bytes hold what becomes eight ---- */

#define WIDE(operation, op)                                                                     \
  static void add_wide_##operation##_real32(void *lanes, const void *elements, int64_t count) { \
    const float *x = elements;                                                                  \
    double *l = lanes;                                                                          \
    double a[16];                                                                               \
    memcpy(a, l, sizeof a);                                                                     \
    for (; count >= 16; count -= 16, x += 16)                                                   \
      for (int i = 0; i < 16; i++) a[i] = a[i] op (double)x[i];                                 \
    for (int64_t i = 0; i < count; i++) a[i] = a[i] op (double)x[i];                            \
    memcpy(l, a, sizeof a);                                                                     \
  }
WIDE(sum, +)
WIDE(product, *)

static void store_wide_real32(const partial *p, void *result) {
  float x = (float)p->value.d;
  memcpy(result, &x, sizeof x);
}

static void store_wide_complex32(const partial *p, void *result) {
  float x[2] = {(float)p->value.z[0], (float)p->value.z[1]};
  memcpy(result, x, sizeof x);
}

/* ---- complex: lanes are pairs ---- */

#define COMPLEX(name, of, type, member)                                                                                  \
  static void add_##name(void *lanes, const void *elements, int64_t count) { add_sum_##of(lanes, elements, 2 * count); } \
  static void rows_##name(void *sums, const void *elements, int64_t step, int64_t rows, int64_t count) {                  \
    rows_sum_##of(sums, elements, step, rows, 2 * count);                                                                \
  }                                                                                                                      \
  static void begin_product_##name(void *lanes) {                                                                        \
    type *l = lanes;                                                                                                     \
    for (int i = 0; i < PORTABLE__LANE_BYTES / (int)sizeof *l; i++) l[i] = (i + 1) % 2;                                  \
  }                                                                                                                      \
  static void add_product_##name(void *lanes, const void *elements, int64_t count) {                                     \
    enum { lanes_of = PORTABLE__LANE_BYTES / (2 * sizeof(type)) };                                                       \
    const type *x = elements;                                                                                            \
    type *l = lanes;                                                                                                     \
    for (int64_t i = 0; i < count; i++) {                                                                                \
      type *a = l + 2 * (i % lanes_of), re = a[0] * x[2 * i] - a[1] * x[2 * i + 1];                                      \
      a[1] = a[0] * x[2 * i + 1] + a[1] * x[2 * i];                                                                      \
      a[0] = re;                                                                                                         \
    }                                                                                                                    \
  }                                                                                                                      \
  static void fold_product_##name(const void *lanes, partial *out) {                                                     \
    type l[PORTABLE__LANE_BYTES / sizeof(type)];                                                                         \
    memcpy(l, lanes, sizeof l);                                                                                          \
    for (int w = (int)(sizeof l / sizeof *l) / 2; w >= 2; w /= 2)                                                        \
      for (int i = 0; i < w; i += 2) {                                                                                   \
        type re = l[i] * l[i + w] - l[i + 1] * l[i + w + 1];                                                             \
        l[i + 1] = l[i] * l[i + w + 1] + l[i + 1] * l[i + w];                                                            \
        l[i] = re;                                                                                                       \
      }                                                                                                                  \
    take_pair_##of(l, out);                                                                                              \
  }                                                                                                                      \
  static void combine_product_##name(void *into, const void *from, void *context) {                                      \
    type *a = ((partial *)into)->value.member;                                                                           \
    const type *b = ((const partial *)from)->value.member;                                                               \
    (void)context;                                                                                                       \
    type re = a[0] * b[0] - a[1] * b[1];                                                                                 \
    a[1] = a[0] * b[1] + a[1] * b[0];                                                                                    \
    a[0] = re;                                                                                                           \
  }
COMPLEX(complex32, real32, float, c)
COMPLEX(complex64, real64, double, z)

static void add_wide_complex32(void *lanes, const void *elements, int64_t count) { add_wide_sum_real32(lanes, elements, 2 * count); }

static void add_wide_product_complex32(void *lanes, const void *elements, int64_t count) {
  const float *x = elements;
  for (int64_t i = 0; i < count; i++) {
    double one[2] = {(double)x[2 * i], (double)x[2 * i + 1]};
    add_product_complex64((double *)lanes + 2 * (i % 8), one, 1);
  }
}

/* ---- what is true ---- */

static void begin_count(void *lanes) { memset(lanes, 0, PORTABLE__LANE_BYTES); }

static void combine_count(void *into, const void *from, void *context) {
  (void)context;
  ((partial *)into)->value.i += ((const partial *)from)->value.i;
}

/* A lane counts no further than a leaf has elements for it, which is 255 at most. */
#define COUNT(i) a##i -= (vector)(x##i != none);
#define COUNTED(name, type)                                                             \
  static void add_count_##name(void *lanes, const void *elements, int64_t count) {      \
    enum { per = 16 / sizeof(type) };                                                   \
    typedef type vector __attribute__((vector_size(16)));                               \
    const type *x = elements;                                                           \
    type *l = lanes;                                                                    \
    const vector none = {0};                                                            \
    vector a0, a1, a2, a3, a4, a5, a6, a7, x0, x1, x2, x3, x4, x5, x6, x7;              \
    REGISTERS(LOAD_LANES)                                                               \
    for (; count >= LANES; count -= LANES, x += LANES) {                                \
      REGISTERS(LOAD)                                                                   \
      REGISTERS(COUNT)                                                                  \
    }                                                                                   \
    REGISTERS(STORE_LANES)                                                              \
    for (int64_t i = 0; i < count; i++) l[i] = (type)(l[i] + (x[i] != 0));              \
  }                                                                                     \
  static void fold_count_##name(const void *lanes, partial *out) {                      \
    const type *l = lanes;                                                              \
    int64_t n = 0;                                                                      \
    for (int i = 0; i < PORTABLE__LANE_BYTES / (int)sizeof *l; i++) n += (int64_t)l[i]; \
    out->value.i = n;                                                                   \
    out->has = PORTABLE__NUMBER;                                                        \
  }
COUNTED(logical8, uint8_t)
COUNTED(logical16, uint16_t)
COUNTED(logical32, uint32_t)
COUNTED(logical64, uint64_t)

static void store_count(const partial *p, void *result) { memcpy(result, &p->value.i, sizeof p->value.i); }

/* ---- the table ---- */

#define KINDS (PORTABLE_KIND_LOGICAL64 + 1)
#define OPERATIONS (PORTABLE_REDUCE_COUNT + 1)

/* An operation, its kind, bytes of an element and of the result, the element that changes nothing, and its functions. */
#define ROW(op, kind, ...) [PORTABLE_REDUCE_##op][PORTABLE_KIND_##kind] = {__VA_ARGS__}
#define EXTREME(op, kind, KIND, bytes, least, of) \
  ROW(op, KIND, bytes, bytes, {.kind = least}, begin_##of##_##kind, add_##of##_##kind, fold_##of##_##kind, combine_##of##_##kind, store_##of##_##kind, find_##kind, add_##of##_##kind, take_##of##_##kind, rows_##of##_##kind)
#define NUMBERS(kind, KIND, bytes, least, most) \
  ROW(SUM, KIND, bytes, bytes, {.kind = 0}, begin_sum_##kind, add_sum_##kind, fold_sum_##kind, combine_sum_##kind, store_##kind, NULL, add_sum_##kind, take_sum_##kind, rows_sum_##kind), \
  ROW(PRODUCT, KIND, bytes, bytes, {.kind = 1}, begin_product_##kind, add_product_##kind, fold_product_##kind, combine_product_##kind, store_##kind, NULL, add_product_##kind, take_product_##kind, rows_product_##kind), \
  EXTREME(MIN, kind, KIND, bytes, most, min), EXTREME(MINLOC, kind, KIND, bytes, most, min), \
  EXTREME(MAX, kind, KIND, bytes, least, max), EXTREME(MAXLOC, kind, KIND, bytes, least, max)
#define PAIRS(kind, KIND, of, bytes) \
  ROW(SUM, KIND, bytes, bytes, {.kind = {0, 0}}, begin_sum_##of, add_##kind, fold_pair_##of, combine_pair_##of, store_##kind, NULL, add_##kind, take_pair_##of, rows_##kind), \
  ROW(PRODUCT, KIND, bytes, bytes, {.kind = {1, 0}}, begin_product_##kind, add_product_##kind, fold_product_##kind, combine_product_##kind, store_##kind, NULL, add_product_##kind, take_pair_##of, NULL)
#define TRUE_ROW(op, kind, KIND, size, result) \
  ROW(op, KIND, size, result, {.bytes = {0}}, begin_count, add_count_##kind, fold_count_##kind, combine_count, store_count, NULL, NULL, NULL, NULL)
#define TRUES(kind, KIND, size) TRUE_ROW(ANY, kind, KIND, size, 4), TRUE_ROW(ALL, kind, KIND, size, 4), TRUE_ROW(COUNT, kind, KIND, size, 8)

static const struct portable__array_operation table[2][OPERATIONS][KINDS] = {
  {
    NUMBERS(int8, INT8, 1, INT8_MIN, INT8_MAX),
    NUMBERS(int16, INT16, 2, INT16_MIN, INT16_MAX),
    NUMBERS(int32, INT32, 4, INT32_MIN, INT32_MAX),
    NUMBERS(int64, INT64, 8, INT64_MIN, INT64_MAX),
    NUMBERS(real32, REAL32, 4, -INFINITY, INFINITY),
    NUMBERS(real64, REAL64, 8, -INFINITY, INFINITY),
    PAIRS(complex32, COMPLEX32, real32, 8),
    PAIRS(complex64, COMPLEX64, real64, 16),
    TRUES(logical8, LOGICAL8, 1),
    TRUES(logical16, LOGICAL16, 2),
    TRUES(logical32, LOGICAL32, 4),
    TRUES(logical64, LOGICAL64, 8),
  },
  { /* wide */
    ROW(SUM, REAL32, 4, 4, {.real32 = 0}, begin_sum_real64, add_wide_sum_real32, fold_sum_real64, combine_sum_real64, store_wide_real32, NULL, add_sum_real64,
        take_sum_real64, NULL),
    ROW(PRODUCT, REAL32, 4, 4, {.real32 = 1}, begin_product_real64, add_wide_product_real32, fold_product_real64, combine_product_real64,
        store_wide_real32, NULL, add_product_real64, take_product_real64, NULL),
    ROW(SUM, COMPLEX32, 8, 8, {.complex32 = {0, 0}}, begin_sum_real64, add_wide_complex32, fold_pair_real64, combine_pair_real64, store_wide_complex32,
        NULL, add_complex64, take_pair_real64, NULL),
    ROW(PRODUCT, COMPLEX32, 8, 8, {.complex32 = {1, 0}}, begin_product_complex64, add_wide_product_complex32, fold_product_complex64,
        combine_product_complex64, store_wide_complex32, NULL, add_product_complex64, take_pair_real64, NULL),
  },
};

const struct portable__array_operation *portable__array_operation(int32_t op, int32_t kind, int32_t wide) {
  if (op < 1 || op >= OPERATIONS || kind < 1 || kind >= KINDS) return NULL;
  const struct portable__array_operation *o = &table[wide != 0][op][kind];
  if (wide && !o->add) o = &table[0][op][kind];
  return o->add ? o : NULL;
}

int32_t portable__array_lanes(const struct portable__array_operation *o) {
  return PORTABLE__LANE_BYTES / (o->element_bytes << (o >= &table[1][0][0]));
}
