/* copy_block.h - a block of a strided copy, and the walk over blocks, for copy.c, copy_block.c, copy_stream.c
 * and copy_look.c. Private. */
#ifndef PORTABLE__COPY_BLOCK_H
#define PORTABLE__COPY_BLOCK_H

#include <string.h>

#include "copy.h"

/* An n-by-m block: address of its first element, byte stride of each axis. */
struct portable__copy_block {
  char *to;
  const char *from;
  int64_t to_n, to_m, from_n, from_m;
  int64_t n, m;
  int64_t before, after; /* elements of the box along n that are not the block's */
};

/* In a plan of whole cache lines: bytes at the begin of a line of the block that the block before writes, and those behind its end that it
 * writes itself. */
static inline int64_t portable__copy_head(const struct portable__copy_block *b, const char *line) {
  const int64_t head = (int64_t)(-(uintptr_t)line & 63), all = b->n * b->to_n;
  return b->before == 0 ? 0 : head < all ? head : all;
}
static inline int64_t portable__copy_tail(const struct portable__copy_block *b, const char *line) {
  const int64_t tail = (int64_t)(-(uintptr_t)(line + b->n * b->to_n) & 63), left = b->after * b->to_n;
  return tail < left ? tail : left;
}
/* Whether there are neither, because the block's lines begin and end with cache lines. */
static inline int portable__copy_is_even(const struct portable__copy_block *b) {
  return (((uintptr_t)b->to | (uintptr_t)b->to_m) & 63) == 0 && (b->n * b->to_n % 64 == 0 || b->after == 0);
}

/* Calls block for the units first..end-1, until it gives 0. */
void portable__copy_walk(const struct portable__copy_plan *plan, int64_t first, int64_t end,
                         int (*block)(void *context, const struct portable__copy_block *block), void *context);

#define PORTABLE__COPY_FEW 8 /* lines of a transposition that are rather written side by side, element after element */

/* Copies the first lines of a block of elements of 8 bytes, in a plan that streams; gives how many. The others go through a buffer. */
int64_t portable__copy_stream8(const struct portable__copy_plan *plan, const struct portable__copy_block *block);

/* The same by plain loads and stores; turned: the axis that is read closest together inside. */
void portable__copy8(const struct portable__copy_block *block, int32_t turned);

#endif
