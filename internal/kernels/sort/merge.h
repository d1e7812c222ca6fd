/* merge.h - a part of the merge of two arrays that are in order, by merge path. Private.
 * Invariant: parts may run in any order and at once; of equal keys those of a come first. Pure. */
#ifndef PORTABLE__SORT_MERGE_H
#define PORTABLE__SORT_MERGE_H

#include "sort.h"

struct portable__merge {
  const char *a, *b, *a_values, *b_values;
  char *c, *c_values;
  int64_t a_count, b_count, value_bytes; /* value_bytes 0: no values */
  uint64_t mask, flip, back;             /* as in struct portable__sort */
};

/* Elements from to to - 1 of the result. 0: a part of a or b is not in order; the result is of no use then. */
typedef int portable__merge_part(const struct portable__merge *m, int64_t from, int64_t to);

/* The function for a kind, and its transformation; NULL: no such kind. */
portable__merge_part *portable__merge_find(struct portable__merge *m, int32_t kind, int descending);

/* The first element of an array that is not in order; -1: there is none. */
int64_t portable__merge_disorder(const struct portable__merge *m, int32_t kind, const char *x, int64_t n);

#endif
