/* layout.c - layouts by rule: which rule counts for an array. In C because arrays that ask for no rule must not pay for one, and because
 * who finds none must not enter Go; what rules there are is kept and decided there (arrays/rule.go). Threads: any, at any time. */
#include "questions.h"
#include "../../exec/launch/launch.h"
#include "layout.h"

#include <string.h>

#include "../../internal/observe/watch.h"

#define BY_RULE PORTABLE_ORDER_BY_RULE(0)

static _Atomic int64_t rules;

void portable__layout_count(int64_t n) { atomic_store_explicit(&rules, n, memory_order_relaxed); }

portable_status portable_layout_rule(const char *label, const char *device, const char *layout, uint64_t row_bytes) {
  static const char function[] = "portable_layout_rule";
  struct portable__crossing crossing;
  if (!label || !label[0]) return portable__fail(PORTABLE_ERR_ARG, "%s: the label is %s; \"*\" stands for all", function, label ? "empty" : "NULL");
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__owner_go.layout_rule(label, device ? device : "", layout, row_bytes);
  portable__cross_out(&crossing);
  return portable__array_named(status, function, label);
}

/* Go looks the rules up by the device's name. */
static portable_status find(const char *label, portable_device device, int32_t rank, portable_layout *layout, int32_t *ordered_out) {
  struct portable__crossing crossing;
  int32_t of_cpu = 1;
  const char *name = device == PORTABLE_LAYOUT_HOST ? "host" : "";
  *ordered_out = 0;
  if (atomic_load_explicit(&rules, memory_order_relaxed) == 0) return PORTABLE_OK;
  if (device == 0) device = portable_default_device();
  if (device > 0) name = portable_device_name(device);
  if (device > PORTABLE__THREADS || device == PORTABLE__LAYOUT_FAR) of_cpu = device > 0 && portable__device_is_own(device);
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  portable__owner_go.layout_find(label, name ? name : "", of_cpu, rank, layout, ordered_out);
  portable__cross_out(&crossing);
  if (*ordered_out || layout->row_bytes) portable__tuning_laid_out(label);
  return PORTABLE_OK;
}

portable_status portable_layout_find(const char *label, portable_device device, int32_t rank, int32_t otherwise, portable_layout *layout_out) {
  static const char function[] = "portable_layout_find";
  int32_t ordered;
  if (!label || !layout_out) return portable__fail(PORTABLE_ERR_ARG, "%s: %s is NULL", function, label ? "layout_out" : "label");
  memset(layout_out, 0, sizeof *layout_out);
  if (rank < 0 || rank > PORTABLE_ARRAY_RANK)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': rank is %d; it is 0 to %d", function, label, (int)rank, PORTABLE_ARRAY_RANK);
  if (otherwise != PORTABLE_ORDER_C && otherwise != PORTABLE_ORDER_FORTRAN)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': otherwise is %d; it is PORTABLE_ORDER_C or _FORTRAN", function, label, (int)otherwise);
  if (device != PORTABLE_LAYOUT_HOST && (device < 0 || device > portable_device_count()))
    return portable__fail(PORTABLE_ERR_NODEVICE, "%s of '%s': there is no device %d; there are %d", function, label, (int)device,
                          (int)portable_device_count());
  layout_out->order = otherwise;
  return find(label, device, rank, layout_out, &ordered);
}

portable_status portable__layout_resolve(const char *label, portable_device device, int32_t rank, portable_array_config *config,
                                         struct portable__layout_room *room) {
  portable_layout said;
  int32_t ordered;
  if (PORTABLE__LIKELY(config->order < BY_RULE)) return PORTABLE_OK;
  config->order -= BY_RULE;
  if (rank < 0 || rank > PORTABLE_ARRAY_RANK || config->order > PORTABLE_ORDER_PERMUTED) return PORTABLE_OK; /* refused later */
  if (!config->lower) {
    for (int32_t d = 0; d < rank; d++) room->lower[d] = config->order != PORTABLE_ORDER_C;
    config->lower = room->lower;
  }
  memset(&said, 0, sizeof said);
  portable_status status = find(label, device, rank, &said, &ordered);
  if (status != PORTABLE_OK) return status;
  if (ordered) {
    memcpy(room->fastest, said.fastest, sizeof room->fastest);
    config->order = said.order;
    config->fastest = room->fastest;
  }
  if (!config->row_bytes) config->row_bytes = said.row_bytes;
  return PORTABLE_OK;
}
