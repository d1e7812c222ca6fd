/* turn.h - squares of elements, rows to columns, in registers of 16 bytes; elements lie at any
 * address. Pure functions. Private. Threads: any. */
#ifndef PORTABLE__BASE_TURN_H
#define PORTABLE__BASE_TURN_H

#include <stdint.h>

#include "shuffle.h"

typedef int64_t portable__two __attribute__((vector_size(16), aligned(1), may_alias));
typedef int32_t portable__four __attribute__((vector_size(16), aligned(1), may_alias));

/* Two elements of 8 bytes at a and at b; the first ones go to c, the second ones to d. */
static inline void portable__turn_8(const char *a, const char *b, char *c, char *d) {
  const portable__two x = *(const portable__two *)(const void *)a, y = *(const portable__two *)(const void *)b;
  *(portable__two *)(void *)c = PORTABLE__SHUFFLE(portable__two, x, y, 0, 2);
  *(portable__two *)(void *)d = PORTABLE__SHUFFLE(portable__two, x, y, 1, 3);
}

/* Likewise four rows of four elements of 4 bytes. */
static inline void portable__turn_4(const char *const *from, char *const *to) {
  portable__four x[4];
  for (int k = 0; k < 4; k++) x[k] = *(const portable__four *)(const void *)from[k];
  const portable__four p = PORTABLE__SHUFFLE(portable__four, x[0], x[1], 0, 4, 1, 5), q = PORTABLE__SHUFFLE(portable__four, x[0], x[1], 2, 6, 3, 7);
  const portable__four r = PORTABLE__SHUFFLE(portable__four, x[2], x[3], 0, 4, 1, 5), s = PORTABLE__SHUFFLE(portable__four, x[2], x[3], 2, 6, 3, 7);
  *(portable__four *)(void *)to[0] = PORTABLE__SHUFFLE(portable__four, p, r, 0, 1, 4, 5);
  *(portable__four *)(void *)to[1] = PORTABLE__SHUFFLE(portable__four, p, r, 2, 3, 6, 7);
  *(portable__four *)(void *)to[2] = PORTABLE__SHUFFLE(portable__four, q, s, 0, 1, 4, 5);
  *(portable__four *)(void *)to[3] = PORTABLE__SHUFFLE(portable__four, q, s, 2, 3, 6, 7);
}

#endif
