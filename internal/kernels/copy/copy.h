/* copy.h - copies between two strided placements of one box of elements: what one is, how it is cut, and the work on its parts.
 * Private.
 *
 * A box has an element for each combination of indices; each side says how many bytes lie from one index to the next along each
 * axis. Planning puts the axes in the order of the side that is written, joins those that follow one another on both sides, and finds
 * the axis S along which the other side is closest together. If S is the first axis, elements are copied line by line (elements that are
 * neighbours on both sides are one longer element); else the copy is a transposition of first axis and S, done in blocks that fit
 * the first-level cache. A block is a unit of work; units are independent.
 *
 * In C because compilers vectorise C, and because kernels never run on a stack of Go. Not in this file: the checks of what users say,
 * and the launch (exec/algorithm/copy.c). Pure functions over memory of the caller, which does not overlap; different units may be worked on
 * by different threads at once. */
#ifndef PORTABLE__COPY_H
#define PORTABLE__COPY_H

#include "../../../capi/include/c/portable.h"

#define PORTABLE__COPY_RANK 15

#define PORTABLE__COPY_SAME   0 /* bytes as they are */
#define PORTABLE__COPY_WIDEN  1 /* real32 to real64 */
#define PORTABLE__COPY_NARROW 2 /* real64 to real32, rounded as the thread's mode says */
#define PORTABLE__COPY_LONGER 3 /* int32 to int64 */
#define PORTABLE__COPY_SHORTER 4 /* int64 to int32; what does not fit is cut, so ask portable__copy_fits before */

struct portable__copy_axis {
  int64_t extent;   /* 0 or more */
  int64_t to, from; /* bytes from one index to the next; any sign; from may be 0 */
};

struct portable__copy {
  char *to;         /* the element whose indices are all 0 */
  const char *from;
  int64_t bytes;    /* of an element; not looked at where it is converted */
  int32_t conversion;
  int32_t rank;     /* 0: one element */
  struct portable__copy_axis axis[PORTABLE__COPY_RANK];
};

/* A copy that can be worked on. A block has elements along axis[0] and axis[1]; blocks number those two axes first. */
struct portable__copy_plan {
  struct portable__copy copy;   /* axis[0] is written closest together; axis[1] is S where it is not axis[0] */
  int64_t from_bytes, to_bytes; /* of an element, which may be a short run of the user's */
  int64_t length, depth;        /* of a block: elements along axis[0] and axis[1] */
  int64_t shift;                /* elements that the first block of axis[0] is shorter, so that the others begin with a cache line */
  int64_t across, down;         /* blocks along axis[0] and axis[1] */
  int64_t units, elements;      /* blocks; the user's elements */
  int32_t transposes, down_first; /* axis[1] is S; it is the faster one in the numbers of blocks */
  int32_t streams;              /* what is written is much, and goes past the caches */
  int32_t whole;                /* and in whole cache lines: where one lies in two blocks along axis[0], the first writes all of it */
};

/* No element: no unit. streams: 0 or 1; -1 decides by the bytes. single: no elements become a longer one, for what looks at each. */
void portable__copy_plan(const struct portable__copy *copy, int32_t streams, int32_t single, struct portable__copy_plan *plan_out);

/* The units first..end-1. */
void portable__copy_units(const struct portable__copy_plan *plan, int64_t first, int64_t end);

/* 1: what is in those units fits PORTABLE__COPY_SHORTER. */
int32_t portable__copy_fits(const struct portable__copy_plan *plan, int64_t first, int64_t end);

/* How elements are compared: their bytes, or as numbers of a kind: -0 equals 0, a NaN nothing. Not of both sides' kinds alike: by
 * the conversion's, as `to` has it. */
#define PORTABLE__SAME_BYTES 0
/* or PORTABLE_KIND_REAL32, _REAL64, _COMPLEX32, _COMPLEX64, of a plan of single elements */

/* 1: in those units both sides are equal. */
int32_t portable__copy_equal(const struct portable__copy_plan *plan, int32_t kind, int64_t first, int64_t end);

/* The sum over those units of a hash of each element of `from` with its number, which is in the place of `to`: to is NULL, and the axes'
 * `to` count elements. Depends on elements and numbers only. The plan is of single elements. */
uint64_t portable__copy_checksum(const struct portable__copy_plan *plan, int64_t first, int64_t end);

#endif
