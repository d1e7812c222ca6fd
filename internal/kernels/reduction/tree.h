/* tree.h - the fixed tree by which partial results become one. Private.
 *
 * Partial results are stored by the number of their leaf, whichever thread has computed it, and combined in pairs: neighbours first
 * (width 1), then neighbours of those (width 2, 4, ...). So the result is bit for bit the same for any number of threads,
 * any schedule and any device; and the error of a sum grows with the logarithm of the number of leaves. `into` is always of
 * lower-numbered leaves than `from`, so that of equal values the first one can be kept.
 *
 * Not in this file: how large leaves are (internal/team/cut.c for launches). Pure functions; threads do not matter. */
#ifndef PORTABLE__TREE_H
#define PORTABLE__TREE_H

#include <stddef.h>
#include <stdint.h>

/* into = into op from. */
typedef void (*portable__combine)(void *into, const void *from, void *context);

/* Combines the partial results 0..count-1, which lie `step` bytes apart, into number 0; the others are used up.
 * count 0 does nothing. Inlined with a combine known to the compiler it is a loop without calls. */
static inline void portable__tree(void *partials, int64_t count, size_t step, portable__combine combine, void *context) {
  char *p = (char *)partials;
  for (int64_t width = 1; width < count; width *= 2)
    for (int64_t i = 0; i < count - width; i += 2 * width)
      combine(p + (size_t)i * step, p + (size_t)(i + width) * step, context);
}

#endif
