/* look.c - what is in the default pool now: how the Fortran programs next to it know that it was used.
 * Without WITH_POOL it is for the program that theirs is compared with, and says -1. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_POOL
#include "portable.h"
#include "served.h"
#endif

void look(int64_t *live, int64_t *ever);
void look(int64_t *live, int64_t *ever) {
  *live = *ever = -1;
#ifdef WITH_POOL
  portable_pool pool;
  portable_stats s;
  memset(&s, 0, sizeof s);
  s.struct_size = (uint32_t)sizeof s;
  int none = portable_pool_default(&pool) != PORTABLE_OK;
  if (none == served()) abort();
  if (none) return;
  if (portable_pool_check(pool) != PORTABLE_OK || portable_pool_stats(pool, &s) != PORTABLE_OK) abort();
  *live = (int64_t)s.in_use_blocks;
  *ever = (int64_t)s.allocations;
#endif
}
