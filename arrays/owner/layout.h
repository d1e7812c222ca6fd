/* layout.h - layouts by rule, for what makes arrays. Private. */
#ifndef PORTABLE__LAYOUT_H
#define PORTABLE__LAYOUT_H

#include "array.h"

/* Where a config points that a rule has filled. */
struct portable__layout_room {
  int64_t lower[PORTABLE_ARRAY_RANK];
  int32_t fastest[PORTABLE_ARRAY_RANK];
};

#define PORTABLE__LAYOUT_FAR (-2) /* for device: one that has memory of its own, whatever its name */

/* Where the order is PORTABLE_ORDER_BY_RULE: order, lower bounds and row_bytes as rules say, or as otherwise. */
portable_status portable__layout_resolve(const char *label, portable_device device, int32_t rank, portable_array_config *config,
                                         struct portable__layout_room *room);

/* ---- exports_layout.go: only between cross_in and cross_out ---- */


/* How many rules there are; Go says it. */
void portable__layout_count(int64_t n);

#endif
