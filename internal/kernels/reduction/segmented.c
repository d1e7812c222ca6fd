/* segmented.c - reductions of rows: the operations of each type (segmented_form.h). Pure functions. */
#include <float.h>
#include <limits.h>
#include <string.h>

#include "segmented.h"
#include "tree.h"

typedef uint32_t portable__whole32 __attribute__((vector_size(16)));
typedef uint64_t portable__whole64 __attribute__((vector_size(16)));

#define PASTED(a, b) a##_##b
#define PASTE(a, b) PASTED(a, b)
#define NAMED(name) PASTE(PASTE(name, NAME), KIND)

/* 1: one of the n differences of neighbours is negative. By hand, because compilers do not take loops of this kind into vectors at -O2. */
#define DECREASES(ROWS, ROW, WHOLE)                                          \
  static int decreases_##ROWS(const ROW *row, int64_t n) {                   \
    enum { per = 16 / ROWS };                                                \
    WHOLE here, next, some[2] = {{0}};                                       \
    int less = 0;                                                            \
    int64_t i = 0;                                                           \
    for (; i + 2 * per <= n; i += 2 * per)                                   \
      for (int j = 0; j < 2; j++) {                                          \
        memcpy(&here, row + i + j * per, sizeof here);                       \
        memcpy(&next, row + i + j * per + 1, sizeof next);                   \
        some[j] |= next < here;                                              \
      }                                                                      \
    some[0] |= some[1];                                                      \
    for (int j = 0; j < per; j++) less |= some[0][j] != 0;                   \
    for (; i < n; i++) less |= row[i + 1] < row[i];                          \
    return less;                                                             \
  }
typedef int32_t portable__row32 __attribute__((vector_size(16)));
typedef int64_t portable__row64 __attribute__((vector_size(16)));
DECREASES(4, int32_t, portable__row32)
DECREASES(8, int64_t, portable__row64)

/* A NaN is taken only where there is no number. */
#define LESS(a, b) ((b) < (a) || (a) != (a))
#define MORE(a, b) ((b) > (a) || (a) != (a))

#define KIND int32
#define NUMBER uint32_t
#define NAME sum
#define VECTOR +
#define EMPTY 0
#include "segmented_form.h"
#define NUMBER uint32_t
#define NAME product
#define VECTOR *
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
#define EMPTY 0
#include "segmented_form.h"
#define NUMBER uint64_t
#define NAME product
#define VECTOR *
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
#define NUMBER float
#define NAME sum
#define VECTOR +
#define EMPTY 0
#include "segmented_form.h"
#define NUMBER float
#define NAME product
#define VECTOR *
#define EMPTY 1
#include "segmented_form.h"
#define NUMBER float
#define NAME min
#define BETTER(a, b) LESS(a, b)
#define EMPTY FLT_MAX
#include "segmented_form.h"
#define NUMBER float
#define NAME max
#define BETTER(a, b) MORE(a, b)
#define EMPTY -FLT_MAX
#include "segmented_form.h"
#undef KIND

#define KIND real64
#define NUMBER double
#define NAME sum
#define VECTOR +
#define EMPTY 0
#include "segmented_form.h"
#define NUMBER double
#define NAME product
#define VECTOR *
#define EMPTY 1
#include "segmented_form.h"
#define NUMBER double
#define NAME min
#define BETTER(a, b) LESS(a, b)
#define EMPTY DBL_MAX
#include "segmented_form.h"
#define NUMBER double
#define NAME max
#define BETTER(a, b) MORE(a, b)
#define EMPTY -DBL_MAX
#include "segmented_form.h"
#undef KIND

#define PARTS(name, kind) \
  {{part_##name##_##kind##_4_0, part_##name##_##kind##_4_4, part_##name##_##kind##_4_8}, {part_##name##_##kind##_8_0, part_##name##_##kind##_8_4, part_##name##_##kind##_8_8}}
#define KINDS(name) {PARTS(name, int32), PARTS(name, int64), PARTS(name, real32), PARTS(name, real64)}
#define ENDS(name) {end_##name##_int32, end_##name##_int64, end_##name##_real32, end_##name##_real64}

int portable__segmented_find(int32_t op, int32_t kind, int32_t row_bytes, int32_t index_bytes, portable__segmented_part *part, portable__segmented_end *end) {
  static const portable__segmented_part parts[4][4][2][3] = {KINDS(sum), KINDS(product), KINDS(min), KINDS(max)};
  static const portable__segmented_end ends[4][4] = {ENDS(sum), ENDS(product), ENDS(min), ENDS(max)};
  if (op < PORTABLE_REDUCE_SUM || op > PORTABLE_REDUCE_MAX || kind < PORTABLE_KIND_INT32 || kind > PORTABLE_KIND_REAL64) return 0;
  *part = parts[op - PORTABLE_REDUCE_SUM][kind - PORTABLE_KIND_INT32][row_bytes == 8][index_bytes / 4];
  *end = ends[op - PORTABLE_REDUCE_SUM][kind - PORTABLE_KIND_INT32];
  return 1;
}

size_t portable__segmented_bytes(int32_t kind) { return kind == PORTABLE_KIND_INT32 || kind == PORTABLE_KIND_REAL32 ? 4 : 8; }
