/* layout.c - the public calls of layouts by rule. Go keeps the rules, refuses and decides
 * (arrays/rule.go); without rules, no call crosses. Threads: any; no lock. */
#include "questions.h"
#include "layout.h"

#include <string.h>

_Atomic int64_t portable__layout_number;

void portable__layout_count(int64_t n) { atomic_store_explicit(&portable__layout_number, n, memory_order_relaxed); }

portable_status portable_layout_rule(const char *label, const char *device, const char *layout, uint64_t row_bytes) {
  portable_status status;
  PORTABLE__ARRAY_PLANNED(&status, "portable_layout_rule", label ? label : "",
                          portable__owner_go.layout_rule(label, device ? device : "", layout, row_bytes));
  return status;
}

portable_status portable_layout_find(const char *label, portable_device device, int32_t rank, int32_t otherwise, portable_layout *layout_out) {
  portable_status status;
  if (layout_out) memset(layout_out, 0, sizeof *layout_out);
  if (PORTABLE__LIKELY(label && layout_out && (uint32_t)rank <= PORTABLE_ARRAY_RANK && (uint32_t)otherwise <= PORTABLE_ORDER_FORTRAN &&
                       (device == PORTABLE_LAYOUT_HOST || (uint32_t)device <= (uint32_t)portable_device_count()) && portable__layout_rules() == 0)) {
    layout_out->order = otherwise;
    return PORTABLE_OK;
  }
  PORTABLE__ARRAY_PLANNED(&status, "portable_layout_find", label ? label : "",
                          portable__owner_go.layout_find(label, device, rank, otherwise, layout_out));
  return status;
}
