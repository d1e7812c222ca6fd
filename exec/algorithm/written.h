/* written.h - reads through the library of memory that was never written, for PORTABLE_MEMCHECK=fill=yes. Private.
 *
 * Results that depend on every value are looked at: reductions, scans and sorts of arrays. Copies and operations element by element are not: what they
 * bring over a border that nobody has set may be used by nobody. */
#ifndef PORTABLE__WRITTEN_H
#define PORTABLE__WRITTEN_H

#include "../../internal/guard/guard.h"
#include "../../internal/kernels/base/overlap.h"

void portable__written_look(const struct portable__lying *x);

/* Looks at elements, none of whose extents is 0, which no launch under way writes. One branch where nobody has asked for it. */
static inline void portable__written(const struct portable__lying *x) {
  if (__builtin_expect(portable__guard_options.fill, 0)) portable__written_look(x);
}

#endif
