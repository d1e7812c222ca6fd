/* operations.c - fills this room's table of operations for rooms below it (internal/edge/above.h).
 * In C because C calls it. */
#include "../edge/above.h"
#include "memcheck.h"

static int live_block(uintptr_t start, portable_pool pool, const char **label_out, uint64_t *bytes_out) {
  struct portable__known known;
  if (!portable__blocks_find(start, &known) || atomic_load(&known.state) != PORTABLE__BLOCK_LIVE || known.pool != pool) return 0;
  *label_out = known.label;
  *bytes_out = known.bytes;
  return 1;
}

const struct portable__above_memcheck portable__above_memcheck = {
    .live_block = live_block,
    .finding = portable__finding,
};
