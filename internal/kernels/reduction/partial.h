/* partial.h - what a partial result of a launch is, for each operation and kind. Private.
 *
 * Not in this file: exact sums and users' operations, whose partial results exec/algorithm/reduce.c makes itself; reductions of
 * arrays. Tables of constants and pure functions; threads do not matter. */
#ifndef PORTABLE__PARTIAL_H
#define PORTABLE__PARTIAL_H

#include "../../../capi/include/c/portable.h"
#include "tree.h"

#define PORTABLE__PARTIAL_MOST 16 /* bytes of the largest partial result */

struct portable__partial {
  size_t bytes, result_bytes;
  unsigned char identity[PORTABLE__PARTIAL_MOST];
  unsigned char empty[PORTABLE__PARTIAL_MOST]; /* the partial result that stands for no iteration at all */
  portable__combine combine;                   /* context is not used */
  void (*load)(void *partial, const void *result);  /* what a destination holds, as a partial result */
  int (*store)(void *result, const void *partial);  /* 0; 1: it does not fit, and nothing was stored */
};

/* 0: the kind does not have the operation. wide, as PORTABLE_REDUCE_WIDE, changes nothing where it means nothing. */
int32_t portable__partial_find(int32_t operation, int32_t kind, int32_t wide, struct portable__partial *out);

/* Bytes of a value of the kind, 0 if it has no size. */
size_t portable__kind_bytes(int32_t kind);

/* For messages. */
const char *portable__kind_name(int32_t kind);
const char *portable__operation_name(int32_t operation);

#endif
