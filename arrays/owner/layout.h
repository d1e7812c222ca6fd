/* layout.h - layouts by rule, for the code that makes arrays. Go decides (arrays/rule.go). */
#ifndef PORTABLE__LAYOUT_H
#define PORTABLE__LAYOUT_H

#include <stdatomic.h>


extern _Atomic int64_t portable__layout_number;

/* The count of rules. At 0, an order that is left to rules needs no crossing. */
static inline int64_t portable__layout_rules(void) { return atomic_load_explicit(&portable__layout_number, memory_order_relaxed); }
void portable__layout_count(int64_t n); /* for Go */

#endif
