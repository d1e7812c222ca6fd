/* scan_operations.c - the operations of scan.h for each kind of element: sum, product, min, max.
 *
 * Runs of 8 do not wait for one another but in one operation each, so that a processor has several under way. No fused multiplication
 * and addition, so that all processors give the same bits. Integers wrap: they are added and multiplied as unsigned ones. A NaN is
 * left out by min and max unless there is nothing else; of equal values the first one stays. Nothing is compared with the value of
 * nothing, which is a NaN: a program that traps must not hear of it. Pure functions. */
#include "scan.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../base/shuffle.h"

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

/* none(x): x is the value of nothing. */
#define SCAN(name, type, none)                                                                           \
  static void scan_##name(void *to, const void *from, int64_t count, void *value) {                      \
    const type *x = from;                                                                                \
    type *y = to, before;                                                                                \
    memcpy(&before, value, sizeof before);                                                               \
    if (none(before) && count > 0) {                                                                     \
      int64_t n = count < 8 ? count : 8;                                                                 \
      before = y[0] = x[0];                                                                              \
      for (int64_t i = 1; i < n; i++) y[i] = before = name(before, x[i]);                                \
      count -= n, x += n, y += n;                                                                        \
    }                                                                                                    \
    for (; count >= 8; count -= 8, x += 8, y += 8) {                                                     \
      type r0 = x[0], r1 = name(r0, x[1]), r2 = name(r1, x[2]), r3 = name(r2, x[3]);                     \
      type r4 = name(r3, x[4]), r5 = name(r4, x[5]), r6 = name(r5, x[6]), r7 = name(r6, x[7]);           \
      y[0] = name(before, r0), y[1] = name(before, r1), y[2] = name(before, r2);                         \
      y[3] = name(before, r3), y[4] = name(before, r4), y[5] = name(before, r5);                         \
      y[6] = name(before, r6), y[7] = before = name(before, r7);                                         \
    }                                                                                                    \
    if (count > 0) {                                                                                     \
      type r = x[0], last = name(before, r);                                                             \
      y[0] = last;                                                                                       \
      for (int64_t i = 1; i < count; i++) {                                                              \
        r = name(r, x[i]);                                                                               \
        y[i] = last = name(before, r);                                                                   \
      }                                                                                                  \
      before = last;                                                                                     \
    }                                                                                                    \
    memcpy(value, &before, sizeof before);                                                               \
  }                                                                                                      \
  static void total_##name(const void *from, int64_t count, void *value) {                               \
    const type *x = from;                                                                                \
    type before;                                                                                         \
    memcpy(&before, value, sizeof before);                                                               \
    if (none(before) && count > 0) {                                                                     \
      int64_t n = count < 8 ? count : 8;                                                                 \
      before = x[0];                                                                                     \
      for (int64_t i = 1; i < n; i++) before = name(before, x[i]);                                       \
      count -= n, x += n;                                                                                \
    }                                                                                                    \
    for (; count > 0; count -= 8, x += 8) {                                                              \
      type r = x[0];                                                                                     \
      if (count >= 8)                                                                                    \
        r = name(name(name(name(name(name(name(r, x[1]), x[2]), x[3]), x[4]), x[5]), x[6]), x[7]);       \
      else                                                                                               \
        for (int64_t i = 1; i < count; i++) r = name(r, x[i]);                                           \
      before = name(before, r);                                                                          \
    }                                                                                                    \
    memcpy(value, &before, sizeof before);                                                               \
  }

/* through, for operations whose order counts */
#define THROUGH(name, type, none)                                                                        \
  static void through_##name(void *to, const void *from, int64_t count, void *value) {                   \
    const type *x = from;                                                                                \
    type *y = to, all, leaf;                                                                             \
    memcpy(&all, value, sizeof all);                                                                     \
    int64_t n = count < 8 ? count : 8;                                                                   \
    leaf = x[0];                                                                                         \
    if (none(all)) { /* its own loop: clang would compare with nothing, and drop the result */           \
      y[0] = leaf;                                                                                       \
      for (int64_t i = 1; i < n; i++) y[i] = leaf = name(leaf, x[i]);                                    \
      scan_##name(y + n, x + n, count - n, &leaf);                                                       \
      memcpy(value, &leaf, sizeof leaf);                                                                 \
      return;                                                                                            \
    }                                                                                                    \
    y[0] = name(all, leaf);                                                                              \
    for (int64_t i = 1; i < n; i++) {                                                                    \
      leaf = name(leaf, x[i]);                                                                           \
      y[i] = name(all, leaf);                                                                            \
    }                                                                                                    \
    x += n, y += n, count -= n;                                                                          \
    n = in_lanes_##name ? RUNS(y, x, count, &leaf, (double)all) : 0;                                     \
    x += n, y += n, count -= n;                                                                          \
    for (; count >= 8; count -= 8, x += 8, y += 8) {                                                     \
      type r0 = x[0], r1 = name(r0, x[1]), r2 = name(r1, x[2]), r3 = name(r2, x[3]);                     \
      type r4 = name(r3, x[4]), r5 = name(r4, x[5]), r6 = name(r5, x[6]), r7 = name(r6, x[7]);           \
      r0 = name(leaf, r0), r1 = name(leaf, r1), r2 = name(leaf, r2), r3 = name(leaf, r3);                \
      r4 = name(leaf, r4), r5 = name(leaf, r5), r6 = name(leaf, r6), leaf = name(leaf, r7);              \
      y[0] = name(all, r0), y[1] = name(all, r1), y[2] = name(all, r2), y[3] = name(all, r3);            \
      y[4] = name(all, r4), y[5] = name(all, r5), y[6] = name(all, r6), y[7] = name(all, leaf);          \
    }                                                                                                    \
    if (count > 0) {                                                                                     \
      type r = x[0], last = name(leaf, r);                                                               \
      y[0] = name(all, last);                                                                            \
      for (int64_t i = 1; i < count; i++) {                                                              \
        r = name(r, x[i]);                                                                               \
        last = name(leaf, r);                                                                            \
        y[i] = name(all, last);                                                                          \
      }                                                                                                  \
      leaf = last;                                                                                       \
    }                                                                                                    \
    leaf = name(all, leaf);                                                                              \
    memcpy(value, &leaf, sizeof leaf);                                                                   \
  }

#define ADD(name, type, none)                                                                            \
  static void add_##name(void *to, const void *from, int64_t count, const void *first) {                 \
    const type *x = from;                                                                                \
    type *y = to, before;                                                                                \
    memcpy(&before, first, sizeof before);                                                               \
    if (none(before))                                                                                    \
      memmove(to, from, (size_t)count * sizeof before);                                                  \
    else                                                                                                 \
      for (int64_t i = 0; i < count; i++) y[i] = name(before, x[i]);                                     \
  }

#define NEVER(x) 0
#define IS_NAN(x) ((x) != (x))

/* 1u keeps short unsigned integers from becoming int. */
#define INTEGERS(name, type, wrapping)                                                                   \
  static inline type sum_##name(type a, type b) { return (type)(wrapping)((wrapping)a + (wrapping)b); }  \
  static inline type product_##name(type a, type b) { return (type)(wrapping)(1u * (wrapping)a * (wrapping)b); } \
  static inline type min_##name(type a, type b) { return b < a ? b : a; }                                \
  static inline type max_##name(type a, type b) { return b > a ? b : a; }                                \
  OPERATIONS(SCAN, name, type, NEVER)                                                                    \
  OPERATIONS(ADD, name, type, NEVER)

#define REALS(name, type)                                                                                \
  static inline type sum_##name(type a, type b) { return a + b; }                                        \
  static inline type product_##name(type a, type b) { return a * b; }                                    \
  static inline type min_##name(type a, type b) { return b < a || a != a ? b : a; }                      \
  static inline type max_##name(type a, type b) { return b > a || a != a ? b : a; }                      \
  OPERATIONS(SCAN, name, type, IS_NAN)                                                                   \
  OPERATIONS(THROUGH, name, type, IS_NAN)                                                                \
  OPERATIONS(ADD, name, type, IS_NAN)

#define OPERATIONS(FORM, name, type, none) \
  FORM(sum_##name, type, NEVER) FORM(product_##name, type, NEVER) FORM(min_##name, type, none) FORM(max_##name, type, none)

INTEGERS(int8, int8_t, uint8_t)
INTEGERS(int16, int16_t, uint16_t)
INTEGERS(int32, int32_t, uint32_t)
INTEGERS(int64, int64_t, uint64_t)

typedef uint32_t four_numbers __attribute__((vector_size(16)));
typedef uint64_t two_numbers __attribute__((vector_size(16)));
#define UP_1(v) PORTABLE__SHUFFLE(four_numbers, ((four_numbers){0}), v, 0, 4, 5, 6)
#define UP_2(v) PORTABLE__SHUFFLE(four_numbers, ((four_numbers){0}), v, 0, 1, 4, 5)
#define LAST_OF_FOUR(v) PORTABLE__SHUFFLE(four_numbers, v, v, 3, 3, 3, 3)
#define UP(v) PORTABLE__SHUFFLE(two_numbers, ((two_numbers){0}), v, 0, 2)
#define LAST_OF_TWO(v) PORTABLE__SHUFFLE(two_numbers, v, v, 1, 1)

#include "scan_lanes.h"

/* For which operations there are lanes that keep the order. */
enum { in_lanes_sum_real64 = 1, in_lanes_product_real64 = 0, in_lanes_min_real64 = 0, in_lanes_max_real64 = 0,
       in_lanes_sum_real32 = 0, in_lanes_product_real32 = 0, in_lanes_min_real32 = 0, in_lanes_max_real32 = 0 };

REALS(real32, float)
REALS(real64, double)

/* Sums of integers that wrap have one result in any order, so vectors add them up. */
#define INTEGER_TOTAL(kind, type, numbers)                                                               \
  static void total_##kind(const void *from, int64_t count, void *value) {                               \
    enum { lanes = sizeof(numbers) / sizeof(type) };                                                     \
    numbers sum[2] = {{0}}, v[2];                                                                        \
    type before;                                                                                         \
    memcpy(&before, value, sizeof before);                                                               \
    const int64_t done = LANES(total_##kind##_lanes(from, count, &before));                              \
    const type *x = (const type *)from + done;                                                           \
    for (count -= done; count >= 2 * lanes; count -= 2 * lanes, x += 2 * lanes) {                        \
      memcpy(v, x, sizeof v);                                                                            \
      sum[0] += v[0], sum[1] += v[1];                                                                    \
    }                                                                                                    \
    sum[0] += sum[1];                                                                                    \
    for (int k = 0; k < lanes; k++) before = sum_##kind(before, (type)sum[0][k]);                        \
    memcpy(value, &before, sizeof before);                                                               \
    total_sum_##kind(x, count, value);                                                                   \
  }
INTEGER_TOTAL(int32, int32_t, four_numbers)
INTEGER_TOTAL(int64, int64_t, two_numbers)

/* Likewise. Four or two are added up in a vector; from vector to vector only one addition waits. */
static void running_int32(void *to, const void *from, int64_t count, void *value) {
  const char *x = from;
  char *y = to;
  int32_t before;
  memcpy(&before, value, sizeof before);
  const int64_t done = LANES(running_int32_lanes(y, x, count, &before));
  x += done * 4, y += done * 4, count -= done;
  four_numbers all = (four_numbers){0} + (uint32_t)before, v;
  for (; count >= 4; count -= 4, x += 16, y += 16) {
    memcpy(&v, x, sizeof v);
    v += UP_1(v);
    v += UP_2(v);
    const four_numbers sum = all + v;
    memcpy(y, &sum, sizeof sum);
    all += LAST_OF_FOUR(v);
  }
  memcpy(value, &all, sizeof before);
  scan_sum_int32(y, x, count, value);
}

static void running_int64(void *to, const void *from, int64_t count, void *value) {
  const char *x = from;
  char *y = to;
  int64_t before;
  memcpy(&before, value, sizeof before);
  const int64_t done = LANES(running_int64_lanes(y, x, count, &before));
  x += done * 8, y += done * 8, count -= done;
  two_numbers all = (two_numbers){0} + (uint64_t)before, v;
  for (; count >= 2; count -= 2, x += 16, y += 16) {
    memcpy(&v, x, sizeof v);
    v += UP(v);
    const two_numbers sum = all + v;
    memcpy(y, &sum, sizeof sum);
    all += LAST_OF_TWO(v);
  }
  memcpy(value, &all, sizeof before);
  scan_sum_int64(y, x, count, value);
}

#define ROW_OF(name, kind, type, nothing, none, scan, through, total) \
  { (int32_t)sizeof(type), {.kind = nothing}, {.kind = none}, scan, through, total, add_##name##_##kind }
#define ROW(name, kind, type, nothing, none) \
  ROW_OF(name, kind, type, nothing, none, scan_##name##_##kind, through_##name##_##kind, total_##name##_##kind)
#define ROWS(kind, type, zero, of_min, of_max, most, least)                                              \
  {ROW(sum, kind, type, zero, 0), ROW(product, kind, type, 1, 1), ROW(min, kind, type, of_min, most), ROW(max, kind, type, of_max, least)}
/* Their order does not count. */
#define INTEGER_ROW(name, kind, type, nothing) \
  ROW_OF(name, kind, type, nothing, nothing, scan_##name##_##kind, scan_##name##_##kind, total_##name##_##kind)
#define INTEGER_ROWS(kind, type, running, total, most, least)                                            \
  {ROW_OF(sum, kind, type, 0, 0, running, running, total), INTEGER_ROW(product, kind, type, 1), INTEGER_ROW(min, kind, type, most), INTEGER_ROW(max, kind, type, least)}

const struct portable__scan_operation *portable__scan_operation(int32_t op, int32_t kind) {
  /* -0 + x is x, also when x is -0. */
  static const struct portable__scan_operation table[6][4] = {
    INTEGER_ROWS(int8, int8_t, scan_sum_int8, total_sum_int8, INT8_MAX, INT8_MIN),
    INTEGER_ROWS(int16, int16_t, scan_sum_int16, total_sum_int16, INT16_MAX, INT16_MIN),
    INTEGER_ROWS(int32, int32_t, running_int32, total_int32, INT32_MAX, INT32_MIN),
    INTEGER_ROWS(int64, int64_t, running_int64, total_int64, INT64_MAX, INT64_MIN),
    ROWS(real32, float, -0.0f, NAN, NAN, FLT_MAX, -FLT_MAX),
    ROWS(real64, double, -0.0, (double)NAN, (double)NAN, DBL_MAX, -DBL_MAX),
  };
  if (op < PORTABLE_REDUCE_SUM || op > PORTABLE_REDUCE_MAX || kind < PORTABLE_KIND_INT8 || kind > PORTABLE_KIND_REAL64) return NULL;
  return &table[kind - PORTABLE_KIND_INT8][op - PORTABLE_REDUCE_SUM];
}
