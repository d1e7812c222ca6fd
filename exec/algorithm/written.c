/* written.c - reports reads of unset elements to the guard, on the thread whose stack the finding
 * shows. */
#include "written.h"

void portable__written_look(const struct portable__lying *x) {
  const struct portable__guarded *block = portable__guard_find((uintptr_t)x->at);
  int64_t index[PORTABLE__LYING_RANK] = {0};
  int32_t k = 0;
  if (!block) return;
  const int together = x->strides[0] == x->bytes;
  do {
    uintptr_t at = (uintptr_t)x->at;
    for (int32_t d = 0; d < x->rank; d++) at += (uintptr_t)(index[d] * x->strides[d]);
    if (portable__guard_read(block, at, (uint64_t)(together ? x->extents[0] * x->bytes : x->bytes), (uint64_t)x->bytes)) return; /* one is enough */
    for (k = together ? 1 : 0; k < x->rank && ++index[k] == x->extents[k]; k++) index[k] = 0;
  } while (k < x->rank);
}
