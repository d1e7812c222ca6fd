/* componentwise.h - operations on arrays element by element: what one is, and the work on a range of its elements. Private.
 *
 * In this file: one description for operations of one and two operands, merge and fill, whose elements lie anywhere. It is plain data
 * without addresses of the describing thread, so that a launch may copy it. The elements are numbered along the axes, the fastest
 * first. An operation is a loop along one axis, in memory as it lies; where that axis is short, the longest other one takes its
 * place, and where an operand lies across, the two are walked in tiles. Logicals of any size go through bytes, a block at a time.
 *
 * In C because compilers vectorise C, and because kernels never run on a stack of Go. Not in this file: the checks of what the
 * user says, and the launch (exec/algorithm/componentwise.c). Pure functions over memory of the caller; different ranges may be worked
 * on by different threads at once. */
#ifndef PORTABLE__COMPONENTWISE_H
#define PORTABLE__COMPONENTWISE_H

#include "../../../capi/include/c/portable.h"

/* Operands by number, and the arguments of an operation. */
#define PORTABLE__RESULT 0
#define PORTABLE__A 1
#define PORTABLE__B 2
#define PORTABLE__MASK 3
#define PORTABLE__OPERANDS 4

/* So many elements of each operand, with a stride of `step` bytes, at any address; a step of 0 is one value. A result may be an
 * operand itself. Truth, of operands and results, is a byte that is 0 or 1. */
typedef void (*portable__apply)(char *const *at, const int64_t *step, int64_t count);

/* How an operand becomes truth. */
#define PORTABLE__AS_IT_IS 0
#define PORTABLE__TRUTH 1      /* not 0 */
#define PORTABLE__TRUTH_REAL 2 /* neither 0 nor -0 */

/* An operation for one kind of element. */
struct portable__component_operation {
  portable__apply apply; /* NULL: there is none */
  portable__apply fault; /* truth: which elements have no result; NULL: all have one */
  int8_t operands;       /* PORTABLE__TRUTH...: what apply gets */
  int8_t truth;          /* apply gives truth */
  int8_t slow;           /* a call for each element */
};

/* NULL: there is none. result_bytes, of a result that is logical: where there is an operation that gives those it is that one. */
const struct portable__component_operation *portable__component_binary(int32_t op, int32_t kind, int64_t result_bytes);
const struct portable__component_operation *portable__component_unary(int32_t op, int32_t kind);
/* For elements of 1, 2, 4, 8 or 16 bytes. */
const struct portable__component_operation *portable__component_merge(int32_t element_bytes);

struct portable__component_axis {
  int64_t extent, step[PORTABLE__OPERANDS]; /* bytes from one element to the next */
};

struct portable__componentwise {
  const struct portable__component_operation *operation; /* NULL: a fill; the value follows the structure in memory */
  char *at[PORTABLE__OPERANDS];       /* the first element; NULL: no operand, or one value */
  int64_t bytes[PORTABLE__OPERANDS];  /* of an element; 0: no such operand */
  int64_t value[PORTABLE__OPERANDS][2]; /* of those that are one value */
  struct portable__component_axis axis[PORTABLE_LOOP_RANK];
  int64_t count; /* elements */
  int32_t axes;
  int32_t across; /* an operand lies along the second axis */
};

/* Orders the axes by what the result's memory likes, turns them upwards and joins them; counts the elements. At least one axis stays.
 * An operand that is one value has steps of 0. */
void portable__component_arrange(struct portable__componentwise *w);

/* The elements from..to-1. */
void portable__component_range(const struct portable__componentwise *w, int64_t from, int64_t to);

/* The number of the first element of from..to-1 that has no result, -1: all have one. */
int64_t portable__component_fault(const struct portable__componentwise *w, int64_t from, int64_t to);

#endif
