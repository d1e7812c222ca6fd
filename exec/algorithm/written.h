/* written.h - tests that reductions, scans and sorts of arrays read no unset memory, for
 * PORTABLE_MEMCHECK=fill=yes. Not tested are copies and element operations, because they may carry
 * an unset border that is never used. */
#ifndef PORTABLE__WRITTEN_H
#define PORTABLE__WRITTEN_H

#include "../../internal/guard/guard.h"
#include "../../internal/kernels/base/overlap.h"

void portable__written_look(const struct portable__lying *x);

/* Tests elements without an extent of 0, which no launch writes now. Without the check, one branch. */
static inline void portable__written(const struct portable__lying *x) {
  if (__builtin_expect(portable__guard_options.fill, 0)) portable__written_look(x);
}

#endif
