/* scan.h - scans over arrays: what one is, and the work on its parts. Private.
 *
 * An array is seen as lines, as in array.h, and each line is scanned alone. The order of its operations is fixed: the line
 * is cut into leaves of PORTABLE__SCAN_LEAF elements, a leaf into runs of 8. With R the running value inside a run, L the
 * value of the runs before in the leaf, C that of the leaves before:  value = C op (L op R),  L = L op R at the end of a run,
 * C = C op L at the end of a leaf. So a value depends on the values before it alone: not on strides, threads, schedule or
 * processor. It is what is stored at the end of a leaf that the next leaf begins with, so sums of what is not negative never fall.
 *
 * A leaf has two steps, scan and store; between them is the only thing that leaves wait for, the value C. In C because compilers
 * vectorise C, and because kernels never run on a stack of Go. Not in this file: the checks of what the user says, who
 * hands C on, and the launch (exec/algorithm/scan.c). Pure functions over memory of the caller; different leaves and lines may be worked on by
 * different threads at once. */
#ifndef PORTABLE__SCAN_H
#define PORTABLE__SCAN_H

#include "../../../capi/include/c/portable.h"
#include "../base/axis.h"

#define PORTABLE__SCAN_LEAF 2048 /* elements; a multiple of the runs of 8, and what fits the first-level cache */
#define PORTABLE__SCAN_LINES 16  /* neighbouring lines that are worked on together, so that a cache line is fetched once */

union portable__scan_value {
  int8_t int8;
  int16_t int16;
  int32_t int32;
  int64_t int64;
  float real32;
  double real64;
};

/* An operation for one kind of element. */
struct portable__scan_operation {
  int32_t element_bytes;
  union portable__scan_value identity; /* changes nothing, not even the sign of 0 */
  union portable__scan_value empty;    /* the value of no element */
  /* to[i] = the value of the leaf up to from[i]; *value is that of its elements before, and becomes that of all. The first element
   * begins a run. to may be from. */
  void (*scan)(void *to, const void *from, int64_t count, void *value);
  /* The same for one leaf, with the leaves before: *value is theirs, and becomes that of all. count is 1 or more. */
  void (*through)(void *to, const void *from, int64_t count, void *value);
  /* The value alone of what `scan` makes. */
  void (*total)(const void *from, int64_t count, void *value);
  /* to[i] = *first op from[i]. to may be from. */
  void (*add)(void *to, const void *from, int64_t count, const void *first);
};

/* NULL: there is none. */
const struct portable__scan_operation *portable__scan_operation(int32_t op, int32_t kind);

struct portable__scan {
  const struct portable__scan_operation *operation;
  const char *data;
  char *results;
  int32_t exclusive, has_initial;
  int32_t inner, outer; /* axes of a line, the fastest first; axes that number the lines */
  struct portable__array_axis in[PORTABLE_LOOP_RANK], out[PORTABLE_LOOP_RANK]; /* mask_step is that of the results */
  int64_t count, leaves, lines; /* elements and leaves of a line; lines */
  union portable__scan_value initial;
};

/* Counts leaves and lines; inner, outer, axes and count are set. */
void portable__scan_cut(struct portable__scan *s);

/* The value that a line begins with. */
void portable__scan_begin(const struct portable__scan *s, union portable__scan_value *value);

/* Scans a leaf into values[PORTABLE__SCAN_LEAF]; total_out gets the value of all of it. */
void portable__scan_leaf(const struct portable__scan *s, int64_t line, int64_t leaf, void *values, union portable__scan_value *total_out);

/* The value of all of a leaf, without the others; values is room. */
void portable__scan_total(const struct portable__scan *s, int64_t line, int64_t leaf, void *values, union portable__scan_value *total_out);

/* value = value op total. */
void portable__scan_next(const struct portable__scan *s, union portable__scan_value *value, const union portable__scan_value *total);

/* Stores a scanned leaf; value is that of all leaves before. values is used up. */
void portable__scan_store(const struct portable__scan *s, int64_t line, int64_t leaf, void *values, const union portable__scan_value *value);

/* A leaf in one step; value is that of all leaves before, and becomes that of all. values is room. */
void portable__scan_through(const struct portable__scan *s, int64_t line, int64_t leaf, void *values, union portable__scan_value *value);

/* Whole lines, at most PORTABLE__SCAN_LINES, one behind the other or next to one another. */
void portable__scan_lines(const struct portable__scan *s, int64_t first, int32_t lines);

#endif
