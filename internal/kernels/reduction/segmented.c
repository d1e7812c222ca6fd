/* segmented.c - reductions of rows: the operations of each type (segmented_form.h), and parts of the
 * merge path. Indices of a block are checked before its elements are read.
 * Pure functions. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* loops over a block of rows are vectorised */
#endif

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "../base/processor.h"
#include "segmented.h"

#define ROWS 256 /* of a block */

#define PASTED(a, b) a##_##b
#define PASTE(a, b) PASTED(a, b)
#define NAMED(name) PASTE(PASTE(name, NAME), KIND)

#define KIND int32
#define NUMBER uint32_t
#define NAME sum
#define VECTOR +
#define NEUTRAL 0
#define EMPTY 0
#include "segmented_form.h"
#define NUMBER uint32_t
#define NAME product
#define VECTOR *
#define NEUTRAL 1
#define EMPTY 1
#include "segmented_form.h"
#define NUMBER int32_t
#define NAME min
#define BETTER(a, b) ((b) < (a))
#define EMPTY INT32_MAX
#include "segmented_form.h"
#define NUMBER int32_t
#define NAME max
#define BETTER(a, b) ((b) > (a))
#define EMPTY INT32_MIN
#include "segmented_form.h"
#undef KIND

#define KIND int64
#define NUMBER uint64_t
#define NAME sum
#define VECTOR +
#define NEUTRAL 0
#define EMPTY 0
#include "segmented_form.h"
#define NUMBER uint64_t
#define NAME product
#define VECTOR *
#define NEUTRAL 1
#define EMPTY 1
#include "segmented_form.h"
#define NUMBER int64_t
#define NAME min
#define BETTER(a, b) ((b) < (a))
#define EMPTY INT64_MAX
#include "segmented_form.h"
#define NUMBER int64_t
#define NAME max
#define BETTER(a, b) ((b) > (a))
#define EMPTY INT64_MIN
#include "segmented_form.h"
#undef KIND

#define KIND real32
#define BITS int32_t
#define NUMBER float
#define NAME sum
#define VECTOR +
#define NEUTRAL -0.0
#define EMPTY 0
#include "segmented_form.h"
#define NUMBER float
#define NAME product
#define VECTOR *
#define NEUTRAL 1
#define EMPTY 1
#include "segmented_form.h"
#define NUMBER float
#define NAME min
#define QUIET <
#ifdef __SSE2__
#define BEST __builtin_ia32_minps
#endif
#define EMPTY FLT_MAX
#include "segmented_form.h"
#define NUMBER float
#define NAME max
#define QUIET >
#ifdef __SSE2__
#define BEST __builtin_ia32_maxps
#endif
#define EMPTY -FLT_MAX
#include "segmented_form.h"
#undef KIND

#undef BITS
#define KIND real64
#define BITS int64_t
#define NUMBER double
#define NAME sum
#define VECTOR +
#define NEUTRAL -0.0
#define EMPTY 0
#include "segmented_form.h"
#define NUMBER double
#define NAME product
#define VECTOR *
#define NEUTRAL 1
#define EMPTY 1
#include "segmented_form.h"
#define NUMBER double
#define NAME min
#define QUIET <
#ifdef __SSE2__
#define BEST __builtin_ia32_minpd
#endif
#define EMPTY DBL_MAX
#include "segmented_form.h"
#define NUMBER double
#define NAME max
#define QUIET >
#ifdef __SSE2__
#define BEST __builtin_ia32_maxpd
#endif
#define EMPTY -DBL_MAX
#include "segmented_form.h"
#undef KIND

#define KINDS(function, name) {function##_##name##_int32, function##_##name##_int64, function##_##name##_real32, function##_##name##_real64}
#define OPERATIONS(function) {KINDS(function, sum), KINDS(function, product), KINDS(function, min), KINDS(function, max)}

int portable__segmented_find(struct portable__segmented *s, int32_t op, int32_t kind) {
  static void (*const reductions[4][4])(const void *, const void *, int32_t, const int64_t *, int64_t, void *) = OPERATIONS(reduce);
  static int (*const evens[4][4])(const void *, const int32_t *, int32_t, int64_t, void *) = OPERATIONS(even);
  static const portable__combine combines[4][4] = OPERATIONS(combine);
  if (op < PORTABLE_REDUCE_SUM || op > PORTABLE_REDUCE_MAX || kind < PORTABLE_KIND_INT32 || kind > PORTABLE_KIND_REAL64) return 0;
  s->reduce = reductions[op - PORTABLE_REDUCE_SUM][kind - PORTABLE_KIND_INT32];
  s->even = evens[op - PORTABLE_REDUCE_SUM][kind - PORTABLE_KIND_INT32];
  s->combine = combines[op - PORTABLE_REDUCE_SUM][kind - PORTABLE_KIND_INT32];
  s->bytes = kind == PORTABLE_KIND_INT32 || kind == PORTABLE_KIND_REAL32 ? 4 : 8;
  return 1;
}

/* ---- rows ---- */

static inline int64_t beginning(const struct portable__segmented *s, int64_t r) {
  return (int64_t)((uint64_t)(s->row_bytes == 4 ? ((const int32_t *)s->row)[r] : ((const int64_t *)s->row)[r]) - (uint64_t)s->lower);
}

/* The beginnings of n rows and of the one behind them. 0: one is wrong. */
static int beginnings(const struct portable__segmented *s, int64_t r, int64_t n, int64_t *at) {
  int64_t wrong = 0;
  if (s->row_bytes == 4) {
    const int32_t *const row = (const int32_t *)s->row + r;
    for (int64_t i = 0; i <= n; i++) at[i] = row[i] - s->lower;
  } else {
    const int64_t *const row = (const int64_t *)s->row + r;
    for (int64_t i = 0; i <= n; i++) at[i] = (int64_t)((uint64_t)row[i] - (uint64_t)s->lower);
  }
  for (int64_t i = 0; i < n; i++) /* a difference of numbers that are not negative is exact; else at[i] is negative */
    wrong |= at[i] | (int64_t)((uint64_t)s->entries - (uint64_t)at[i + 1]) | (int64_t)((uint64_t)at[i + 1] - (uint64_t)at[i]);
  return wrong >= 0 && at[n] >= 0;
}

/* The first wrong one of n rows, one of which is. */
static void find_row(int64_t r, int64_t n, int64_t entries, const int64_t *at, struct portable__segment_wrong *wrong) {
  for (int64_t i = 0; i < n; i++)
    if (at[i] < 0 || at[i + 1] < at[i] || at[i + 1] > entries) {
      *wrong = (struct portable__segment_wrong){r + i, PORTABLE__SEGMENT_ROW};
      return;
    }
}

/* ---- elements ---- */

/* The element that index 0 stands for, which is none where they count from 1. */
static const void *first_element(const struct portable__segmented *s) { return (const void *)((uintptr_t)s->data - (uintptr_t)(s->lower * s->bytes)); }

/* 1: n numbers at `at`, less lower, are 0 to last, which is not negative. One of the joined numbers is negative else. */
#define INSIDE(name, INDEX, NUMBER, TARGET)                                    \
  TARGET static int name(const INDEX *at, int64_t n, INDEX lower, INDEX last) { \
    INDEX wrong = 0;                                                           \
    for (int64_t k = 0; k < n; k++) {                                          \
      const NUMBER i = (NUMBER)at[k] - (NUMBER)lower;                          \
      wrong |= at[k] | (INDEX)i | (INDEX)((NUMBER)last - i);                   \
    }                                                                          \
    return wrong >= 0;                                                         \
  }
INSIDE(inside64, int64_t, uint64_t, )
INSIDE(inside32, int32_t, uint32_t, )
#if defined(__x86_64__)
INSIDE(inside32_avx2, int32_t, uint32_t, __attribute__((target("avx2"))))
#else
#define inside32_avx2 inside32
#endif

/* 1: n indices from number `from` on are those of elements. */
static int inside(const struct portable__segmented *s, int64_t from, int64_t n) {
  if (n == 0 || s->count == 0) return n == 0;
  if (s->index_bytes == 8) return inside64((const int64_t *)s->index + from, n, s->lower, s->count - 1);
  return (portable__processor_has(PORTABLE__AVX2) ? inside32_avx2 : inside32)((const int32_t *)s->index + from, n, (int32_t)s->lower,
                                                                             s->count - 1 < INT32_MAX ? (int32_t)s->count - 1 : INT32_MAX);
}

/* The first wrong one of n indices, one of which is. */
static void find_element(const struct portable__segmented *s, int64_t from, int64_t n, struct portable__segment_wrong *wrong) {
  for (int64_t k = from; k < from + n; k++) {
    const int64_t i = s->index_bytes == 4 ? ((const int32_t *)s->index)[k] : ((const int64_t *)s->index)[k];
    if (i < s->lower || i - s->lower >= s->count) {
      *wrong = (struct portable__segment_wrong){k, PORTABLE__SEGMENT_ELEMENT};
      return;
    }
  }
}

/* Reduces rows of the elements from number `from` on, in all begin[rows] - begin[0]; 0: an index is out of range. */
static int reduce(const struct portable__segmented *s, int64_t from, const int64_t *begin, int64_t rows, void *results, struct portable__segment_wrong *wrong) {
  if (!s->index) {
    s->reduce(s->data + from * s->bytes, NULL, 0, begin, rows, results);
  } else if (!inside(s, from, begin[rows] - begin[0])) {
    find_element(s, from, begin[rows] - begin[0], wrong);
    return 0;
  } else {
    s->reduce(first_element(s), (const char *)s->index + from * s->index_bytes, s->index_bytes, begin, rows, results);
  }
  return 1;
}

/* 1: each of n rows has `width` entries. */
#define EQUAL(INDEX, NUMBER)                                                                                              \
  do {                                                                                                                    \
    const INDEX *const row = (const INDEX *)s->row + r;                                                                   \
    NUMBER other = 0;                                                                                                     \
    for (int64_t i = 0; i < n; i++) other |= ((NUMBER)row[i + 1] - (NUMBER)row[i]) ^ (NUMBER)width;                        \
    return other == 0;                                                                                                    \
  } while (0)

static int equal(const struct portable__segmented *s, int64_t r, int64_t n, int64_t width) {
  if (s->row_bytes == 4) EQUAL(int32_t, uint32_t);
  EQUAL(int64_t, uint64_t);
}

/* 1: n rows from row r on are good and have the same few elements each, as those of meshes of one shape; they are done, or an index is wrong. */
static int even(const struct portable__segmented *s, int64_t r, int64_t n, struct portable__segment_wrong *wrong) {
  const int64_t first = beginning(s, r), width = (int64_t)((uint64_t)beginning(s, r + 1) - (uint64_t)first), end = beginning(s, r + n);
  if ((width != 3 && width != 4 && width != 6 && width != 8) || first < 0 || end > s->entries || end < first || s->index_bytes == 8 || !equal(s, r, n, width)) return 0;
  if (s->index && !inside(s, first, width * n)) {
    find_element(s, first, width * n, wrong);
    return 1;
  }
  void *const results = s->results + r * s->bytes;
  if (!s->index) return s->even(s->data + first * s->bytes, NULL, (int32_t)width, n, results);
  return s->even(first_element(s), (const int32_t *)s->index + first, (int32_t)width, n, results);
}

/* Leaves of a long row, from number `leaf` on, that begin before element `to`. */
static void leaves(const struct portable__segmented *s, int64_t first, int64_t n, int64_t leaf, int64_t to, struct portable__segment_wrong *wrong) {
  const int64_t slot = first / PORTABLE__SEGMENT_SLOT;
  for (; leaf * PORTABLE__SEGMENT < n && first + leaf * PORTABLE__SEGMENT < to; leaf++) {
    const int64_t from = first + leaf * PORTABLE__SEGMENT, left = first + n - from;
    const int64_t at[2] = {0, left < PORTABLE__SEGMENT ? left : PORTABLE__SEGMENT};
    if (!reduce(s, from, at, 1, s->partials + (slot + leaf) * s->bytes, wrong)) return;
  }
}

/* Rows of a block, of which at[i] is the first element of row r + i. */
static void block(const struct portable__segmented *s, int64_t r, int64_t n, const int64_t *at, int64_t to, struct portable__segment_wrong *wrong) {
  for (int64_t i = 0, next; i < n; i = next) {
    next = i;
    if (at[n] - at[i] <= PORTABLE__SEGMENT) /* all are short */
      next = n;
    else
      while (next < n && at[next + 1] - at[i] <= PORTABLE__SEGMENT) next++;
    if (next == i) {
      next = i + 1;
      s->long_row[at[i] / PORTABLE__SEGMENT_SLOT] = r + i;
      leaves(s, at[i], at[next] - at[i], 0, to - (r + i) - 1, wrong);
    } else {
      reduce(s, at[i], at + i, next - i, s->results + (r + i) * s->bytes, wrong);
    }
    if (wrong->what) return;
  }
}

/* The first row r with row[r] + r >= at. */
static int64_t search(const struct portable__segmented *s, int64_t at) {
  int64_t low = 0, high = s->rows;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (beginning(s, middle) < at - middle)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void portable__segmented_part(const struct portable__segmented *s, int64_t from, int64_t to, struct portable__segment_wrong *wrong) {
  /* The first part has row 0 and the last one the last row, whatever row says: so each wrong row is found. */
  const int64_t r0 = from ? search(s, from) : 0, r1 = to >= s->rows + s->entries ? s->rows : search(s, to);
  int64_t at[ROWS + 1];
  if (r0 > 0) { /* leaves of the row before that begin here: element e of it stands at position e + r0 */
    const int64_t first = beginning(s, r0 - 1), end = beginning(s, r0);
    if (first >= 0 && end <= s->entries && end > first && end - first > PORTABLE__SEGMENT && from - r0 >= first)
      leaves(s, first, end - first, (from - r0 - first + PORTABLE__SEGMENT - 1) / PORTABLE__SEGMENT, to - r0, wrong);
  }
  for (int64_t r = r0; r < r1 && !wrong->what; r += ROWS) {
    const int64_t n = r1 - r < ROWS ? r1 - r : ROWS;
    if (even(s, r, n, wrong)) continue;
    if (beginnings(s, r, n, at))
      block(s, r, n, at, to, wrong);
    else
      find_row(r, n, s->entries, at, wrong);
  }
}

void portable__segmented_end(const struct portable__segmented *s) {
  for (int64_t slot = 0; slot < s->entries / PORTABLE__SEGMENT_SLOT + 2; slot++) {
    const int64_t r = s->long_row[slot];
    if (r < 0) continue;
    portable__tree(s->partials + slot * s->bytes, (beginning(s, r + 1) - beginning(s, r) - 1) / PORTABLE__SEGMENT + 1, (size_t)s->bytes, s->combine, NULL);
    memcpy(s->results + r * s->bytes, s->partials + slot * s->bytes, (size_t)s->bytes);
  }
}
