/* copy_block.h - a block of a strided copy, and the walk over blocks, for copy.c, copy_block.c and copy_look.c. Private. */
#ifndef PORTABLE__COPY_BLOCK_H
#define PORTABLE__COPY_BLOCK_H

#include <string.h>

#include "copy.h"

/* n times m elements: first ones, and bytes from one to the next along both axes. */
struct portable__copy_block {
  char *to;
  const char *from;
  int64_t to_n, to_m, from_n, from_m;
  int64_t n, m;
};

/* Calls block for the units first..end-1, until it gives 0. */
void portable__copy_walk(const struct portable__copy_plan *plan, int64_t first, int64_t end,
                         int (*block)(void *context, const struct portable__copy_block *block), void *context);

#endif
