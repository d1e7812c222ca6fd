/* segmented.h - reductions of rows: sums, products, least and greatest values of parts of an array. Private.
 *
 * A row is cut from its own beginning into leaves of PORTABLE__SEGMENT elements. In a leaf, element k belongs to lane k mod 8; lanes without an element
 * do not take part; lanes are combined in pairs (l and l + 4, then l + 2, then l + 1), leaves by the tree of tree.h. So a result depends on the
 * elements of the row and their order alone: not on threads, other rows, or whether elements are found by an index.
 *
 * Work is cut along the merge path: position p stands before element p - r of row r. A part of the path has the rows that begin in it, of long rows the
 * leaves that begin in it. So one long row is shared out.
 * Not in this file: arguments and launches (exec/mesh/segmented.c). Pure functions over memory of the caller. Threads: parts of the path by
 * different threads at once; each writes results and partial results of its own. */
#ifndef PORTABLE__SEGMENTED_H
#define PORTABLE__SEGMENTED_H

#include "../../../capi/include/c/portable.h"
#include "tree.h"

#define PORTABLE__SEGMENT 2048
#define PORTABLE__SEGMENT_SLOT 1024 /* elements for each slot of a partial result: a long row has at least as many slots as leaves */

/* The reason for which a part has ended. */
#define PORTABLE__SEGMENT_ROW 1     /* where: the row that decreases or leaves the array */
#define PORTABLE__SEGMENT_ELEMENT 2 /* where: the position in index */

struct portable__segment_wrong {
  int64_t where;
  int32_t what; /* 0: nothing */
};

struct portable__segmented {
  const char *data;
  const void *row, *index; /* index NULL: elements are in the order of data */
  char *results;
  char *partials;    /* [entries / SLOT + 2] of the kind's bytes, the leaves of long rows */
  int64_t *long_row; /* [entries / SLOT + 2]: the row whose leaves begin in that slot; -1 before: none */
  int64_t rows, entries, count; /* entries: elements that rows name; count: of data */
  int64_t lower;
  int32_t row_bytes, index_bytes, bytes; /* bytes: of an element */
  /* Row i is the elements begin[i] - begin[0] to begin[i + 1] - begin[0] - 1 of x, at most SEGMENT of them; index_bytes 4 or 8: by good indices, else 0. */
  void (*reduce)(const void *x, const void *index, int32_t index_bytes, const int64_t *begin, int64_t rows, void *results);
  /* The same for rows of `width` elements each; index: 32-bit ones or NULL. 0: the width has no loop. */
  int (*even)(const void *x, const int32_t *index, int32_t width, int64_t rows, void *results);
  portable__combine combine;
};

/* Sets the functions and bytes. 0: the kind does not have the operation. */
int portable__segmented_find(struct portable__segmented *s, int32_t op, int32_t kind);

/* The parts from..to - 1 of the path, whose length is rows + entries. */
void portable__segmented_part(const struct portable__segmented *s, int64_t from, int64_t to, struct portable__segment_wrong *wrong);

/* The last step, on one thread: the tree over the leaves of each long row. */
void portable__segmented_end(const struct portable__segmented *s);

#endif
