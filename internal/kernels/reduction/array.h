/* array.h - reductions over arrays: what one is, and the work on its parts. Private.
 *
 * An array is seen as lines: all of it is one line, or with dim each line along that dimension is one. The elements of a line,
 * in the order of the array, are cut into leaves of a fixed size. In a leaf, element j belongs to lane j mod L, where the
 * lanes fill PORTABLE__LANE_BYTES; lanes are combined in pairs (l and l + L/2, then L/4, ...), leaves by the tree of tree.h.
 * So a result depends on the values and their order alone: not on strides, threads, schedule or processor.
 *
 * In C because compilers vectorise C, and because kernels never run on a stack of Go. Not in this file: the checks of what the
 * user says, and the launch (exec/algorithm/reduce_array.c). Pure functions over memory of the caller; different units may be worked
 * on by different threads at once. */
#ifndef PORTABLE__ARRAY_H
#define PORTABLE__ARRAY_H

#include "../../../capi/include/c/portable.h"
#include "../base/axis.h"
#include "tree.h"

#define PORTABLE__LEAF 4096      /* elements of a leaf */
#define PORTABLE__LANE_BYTES 128 /* of all lanes together: eight registers of 16 bytes */
#define PORTABLE__LINES 16       /* lines of a unit of work */

/* The range of a partial result. */
#define PORTABLE__NOTHING 0 /* no element, or all are masked out */
#define PORTABLE__NANS 1    /* no element that is a number */
#define PORTABLE__NUMBER 2  /* of other operations always */
#define PORTABLE__UNSURE 3  /* the value is the one that masked elements count as; look */

struct portable__array_partial {
  union {
    int64_t i;
    double d;
    float f;
    double z[2];
    float c[2];
  } value;
  int64_t leaf; /* min and max: the first one that has the value */
  int32_t has;
};

/* The search in elements. */
#define PORTABLE__FIND_ANY 0    /* one that is not masked out */
#define PORTABLE__FIND_NUMBER 1 /* and is no NaN */
#define PORTABLE__FIND_VALUE 2  /* and equals the partial result's value */

/* An operation for one kind of element. */
struct portable__array_operation {
  int32_t element_bytes, result_bytes;
  union { /* an element that changes nothing */
    int8_t int8;
    int16_t int16;
    int32_t int32;
    int64_t int64;
    float real32, complex32[2];
    double real64, complex64[2];
    unsigned char bytes[16];
  } masked;
  void (*begin)(void *lanes);
  void (*add)(void *lanes, const void *elements, int64_t count); /* the first element belongs to lane 0 */
  void (*fold)(const void *lanes, struct portable__array_partial *out);
  portable__combine combine;
  void (*store)(const struct portable__array_partial *p, void *result);
  /* min and max: number of the first such element; -1: none. mask: 0 or 1 each; NULL: all are in */
  int64_t (*find)(const void *elements, const unsigned char *mask, int64_t count, const struct portable__array_partial *p, int32_t what);
  /* fold is: lane l of the lower half joins lane l of the upper half, until one is left, which take reads. NULL: it is not */
  void (*join)(void *lanes, const void *others, int64_t count);
  void (*take)(const void *lane, struct portable__array_partial *out);
  /* element k of each of these rows, step bytes apart, goes to lane k of `sums`, row after row; count is a multiple of L. NULL: add does it */
  void (*rows)(void *sums, const void *elements, int64_t step, int64_t rows, int64_t count);
};

/* NULL: there is none. wide: PORTABLE_REAL32 and _COMPLEX32 are added up and multiplied in real64. */
const struct portable__array_operation *portable__array_operation(int32_t op, int32_t kind, int32_t wide);

/* L of an operation: a power of two up to 128. */
int32_t portable__array_lanes(const struct portable__array_operation *o);

struct portable__array_reduction {
  const struct portable__array_operation *operation;
  const char *data, *mask; /* mask NULL: all elements are in */
  int32_t op, kind, mask_bytes;
  int32_t inner, outer; /* axes of a line, the fastest first; axes that number the lines */
  struct portable__array_axis in[PORTABLE_LOOP_RANK], out[PORTABLE_LOOP_RANK];
  int32_t rank; /* axes of a location; 0: a location is one number */
  int64_t extent[PORTABLE_LOOP_RANK];
  int32_t place[PORTABLE_LOOP_RANK]; /* where in a location the index of axis k goes */
  int64_t count, leaves, lines, units; /* elements and leaves of a line; lines; units of work */
  char *results;
  struct portable__array_partial *partials; /* [lines][leaves]; NULL: lines have one leaf, results are stored at once */
};

/* Counts leaves, lines and units; inner, outer, axes and count are set. */
void portable__array_cut(struct portable__array_reduction *r);

/* The units from..to-1. */
void portable__array_units(const struct portable__array_reduction *r, int64_t from, int64_t to);

/* Adds the leaf of a line to sums: of real kinds one, of complex kinds two. operation is that of a sum. */
void portable__array_exact(const struct portable__array_reduction *r, int64_t line, int64_t leaf, portable_exact *sums);

/* Stores the rounded sums of a line. */
void portable__array_exact_store(const struct portable__array_reduction *r, int64_t line, const portable_exact *sums);

/* The last step, when all units are done: the tree over the leaves of each line. */
void portable__array_end(const struct portable__array_reduction *r);

#endif
