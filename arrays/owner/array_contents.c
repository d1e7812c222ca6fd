/* array_contents.c - calls on the elements of arrays: fill, copy, comparison, checksum, and new
 * arrays like old ones. Go pairs the elements in one crossing (arrays/plan.go); the copies of
 * exec/algorithm/copy.h walk. Threads: any; the user prevents races on elements. */
#include "questions.h"
#include "../../exec/device/devices.h"
#include "../../exec/stream/stream.h"
#include "array.h"
#include "../../internal/edge/calls.h"
#include "../../exec/algorithm/copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Converts a plan for the copies: strides in bytes. A side of numbers counts elements instead. */
static struct portable__copy box(const struct portable__array_plan *p, const portable_array *from, void *to, int64_t to_bytes) {
  struct portable__copy c;
  c.to = to;
  c.from = from->data;
  c.bytes = (int64_t)from->element_bytes;
  c.conversion = PORTABLE__COPY_SAME;
  c.rank = p->rank;
  for (int32_t k = 0; k < p->rank; k++) {
    c.axis[k].extent = p->axis[k].extent;
    c.axis[k].from = p->axis[k].from * (int64_t)from->element_bytes;
    c.axis[k].to = p->axis[k].to * to_bytes;
  }
  return c;
}

static portable_status pair(const char *function, const portable_array *from, const portable_array *to, struct portable__array_plan *plan) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__owner_go.array_pair(from, to, plan);
  portable__cross_out(&crossing);
  return portable__array_named(status, function, from->label);
}

/* ---- public ---- */

static int converts(const portable_array *from, const portable_array *to) {
  return (from->kind == PORTABLE_KIND_REAL32 && to->kind == PORTABLE_KIND_REAL64) || (from->kind == PORTABLE_KIND_REAL64 && to->kind == PORTABLE_KIND_REAL32);
}

/* Puts "call of 'label' to 'other'" before the text of a refusal. */
static portable_status named_both(portable_status status, const char *function, const portable_array *from, const portable_array *to) {
  char name[2 * PORTABLE_ARRAY_LABEL + sizeof "' to '"];
  snprintf(name, sizeof name, "%s' to '%s", from->label, to->label);
  return portable__array_named(status, function, name);
}

static portable_status copy(const char *function, const portable_array *from, const portable_array *to, const portable_launch_config *launch,
                            int waits) {
  PORTABLE__CALL(function);
  struct portable__array_plan plan;
  portable_status status = portable__array_launched(function, from, launch);
  if (status == PORTABLE_OK) status = portable__array_launched(function, to, launch);
  if (status != PORTABLE_OK) return status;
  if ((from->kind != to->kind || from->element_bytes != to->element_bytes) && !converts(from, to))
    PORTABLE__EXPLAINED(&status, "portable", NULL, PORTABLE_ERR_ARG, portable__owner_go.array_copy_refused(from, to));
  if (status != PORTABLE_OK) return named_both(status, function, from, to);
  if ((status = pair(function, from, to, &plan)) != PORTABLE_OK) return status;
  if ((status = portable__array_uses(function, from, PORTABLE_TWIN_READ)) != PORTABLE_OK) return status;
  if ((status = portable__array_uses(function, to, PORTABLE_TWIN_OVERWRITE)) != PORTABLE_OK) return status;
  if (plan.elements == 0) return PORTABLE_OK;
  struct portable__copy c = box(&plan, from, to->data, (int64_t)to->element_bytes);
  if (from->kind != to->kind) c.conversion = from->kind == PORTABLE_KIND_REAL32 ? PORTABLE__COPY_WIDEN : PORTABLE__COPY_NARROW;
  if (PORTABLE__UNLIKELY(portable__copy_shares(&c))) {
    PORTABLE__EXPLAINED(&status, "portable", NULL, PORTABLE_ERR_ARG, portable__owner_go.array_copy_refused(from, to));
    return named_both(status, function, from, to);
  }
  status = portable__array_named((waits ? portable__copy_run : portable__copy_start)(&c, to->label, launch), function, from->label);
  if (status == PORTABLE_OK && PORTABLE__UNLIKELY((from->flags | to->flags) & PORTABLE__ARRAY_SIDE)) portable__twin_copied(from, to);
  return status;
}

portable_status portable_array_copy(const portable_array *from, const portable_array *to, const portable_launch_config *launch) {
  return copy("portable_array_copy", from, to, launch, 1);
}

portable_status portable_array_copy_start(const portable_array *from, const portable_array *to, const portable_launch_config *launch) {
  portable_status status = copy("portable_array_copy_start", from, to, launch, 0);
  if (status != PORTABLE_OK || !launch || !launch->stream) return status;
  const uintptr_t addresses[] = {(uintptr_t)from->data, (uintptr_t)to->data};
  portable__stream_uses(launch->stream, addresses, 2);
  return status;
}

portable_status portable__array_copy_into(const char *function, const portable_array *from, const portable_array *to,
                                          const portable_launch_config *launch) {
  return copy(function, from, to, launch, 0);
}

portable_status portable_array_fill(const portable_array *array, const void *value, const portable_launch_config *launch) {
  static const char function[] = "portable_array_fill";
  PORTABLE__CALL(function);
  static char zeroes[65536]; /* never written; a constant would be 64 KB of each program's file */
  struct portable__array_plan plan;
  portable_array one;
  portable_status status = portable__array_launched(function, array, launch);
  if (status != PORTABLE_OK) return status;
  void *large = !value && array->element_bytes > sizeof zeroes ? calloc(1, array->element_bytes) : NULL;
  if (!value && array->element_bytes > sizeof zeroes && !large)
    return portable__fail(PORTABLE_ERR_NOMEM, "%s of '%s': no memory for an element of %llu bytes that are 0", function, array->label,
                          (unsigned long long)array->element_bytes);
  /* The copy of one element to all indices. */
  one = *array;
  one.data = (void *)(uintptr_t)(value ? value : large ? large : zeroes);
  memset(one.stride, 0, sizeof one.stride);
  one.flags = 0;
  if ((status = pair(function, &one, array, &plan)) == PORTABLE_OK) status = portable__array_uses(function, array, PORTABLE_TWIN_OVERWRITE);
  if (status == PORTABLE_OK && plan.elements > 0) {
    struct portable__copy c = box(&plan, &one, array->data, (int64_t)array->element_bytes);
    status = portable__array_named(portable__copy_run(&c, array->label, launch), function, array->label);
  }
  free(large);
  return status;
}

portable_status portable_array_equal(const portable_array *a, const portable_array *b, int32_t *equal_out) {
  static const char function[] = "portable_array_equal";
  struct portable__array_plan plan;
  struct portable__crossing crossing;
  if (!equal_out) return portable__array_missing(function, "", "equal_out");
  *equal_out = 0;
  PORTABLE__CALL(function);
  portable_status status = portable__array_launched(function, a, NULL);
  if (status == PORTABLE_OK) status = portable__array_launched(function, b, NULL);
  if (status == PORTABLE_OK) status = portable__array_uses(function, a, PORTABLE_TWIN_READ);
  if (status == PORTABLE_OK) status = portable__array_uses(function, b, PORTABLE_TWIN_READ);
  if (status != PORTABLE_OK) return status;
  if (a->kind != b->kind || a->element_bytes != b->element_bytes) return PORTABLE_OK;
  if ((status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  int32_t same = 0;
  status = portable__owner_go.array_same(a, b, &plan, &same);
  portable__cross_out(&crossing);
  if (!same || status != PORTABLE_OK) return portable__array_named(status, function, a->label);
  *equal_out = 1;
  if (plan.elements == 0) return PORTABLE_OK;
  struct portable__copy c = box(&plan, a, b->data, (int64_t)b->element_bytes);
  return portable__array_named(portable__copy_equal_run(&c, PORTABLE__SAME_BYTES, a->label, NULL, equal_out), function, a->label);
}

portable_status portable_array_checksum(const portable_array *array, uint64_t *checksum_out) {
  static const char function[] = "portable_array_checksum";
  struct portable__array_plan plan;
  struct portable__crossing crossing;
  if (!checksum_out) return portable__array_missing(function, "", "checksum_out");
  *checksum_out = 0;
  PORTABLE__CALL(function);
  portable_status status = portable__array_launched(function, array, NULL);
  if (status == PORTABLE_OK) status = portable__array_uses(function, array, PORTABLE_TWIN_READ);
  if (status != PORTABLE_OK || (status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__owner_go.array_numbered(array, &plan);
  portable__cross_out(&crossing);
  if (status != PORTABLE_OK || plan.elements == 0) return portable__array_named(status, function, array->label);
  struct portable__copy c = box(&plan, array, NULL, 1);
  return portable__array_named(portable__copy_checksum_run(&c, array->label, NULL, checksum_out), function, array->label);
}

/* ---- arrays like others ---- */

/* Only the emulated device and CUDA devices have memory of their own; arrays for other devices are arrays of the host. */
static portable_status like(const char *function, const portable_array *array, int device, int copies, portable_array *array_out) {
  static const portable_array none;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  struct portable__crossing crossing;
  portable_array a;
  uint64_t bytes = 0;
  portable_status status = portable__array_live(function, array);
  if (status != PORTABLE_OK) return status;
  if (!array_out) return portable__array_missing(function, array->label, "array_out");
  if (array_out == array) return portable__array_unfit(function, array->label, PORTABLE__UNFIT_ITSELF, 0, PORTABLE_ERR_ARG);
  *array_out = none;
  PORTABLE__CALL(function);
  a = *array;
  a.flags &= ~PORTABLE__ARRAY_SIDE;
  if (device) config.space = portable__device_room(0);
  if (config.space && (status = portable_pool_of_space(config.space, &config.pool)) != PORTABLE_OK) return portable__array_named(status, function, array->label);
  a.space = config.space;
  if ((status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__owner_go.array_compact(&a, &bytes);
  portable__cross_out(&crossing);
  if (status != PORTABLE_OK) return portable__array_named(status, function, array->label);
  a.owner = 0;
  status = portable__array_allocate(function, &config, bytes, &a);
  if (status != PORTABLE_OK) return status;
  if (copies && (status = portable_array_copy(array, &a, NULL)) != PORTABLE_OK) {
    portable_array_release(&a);
    return status;
  }
  *array_out = a;
  return PORTABLE_OK;
}

portable_status portable_array_host_copy(const portable_array *array, portable_array *array_out) {
  return like("portable_array_host_copy", array, 0, 1, array_out);
}
portable_status portable_array_device_copy(const portable_array *array, portable_array *array_out) {
  return like("portable_array_device_copy", array, 1, 1, array_out);
}
portable_status portable_array_host_object(const portable_array *array, portable_array *array_out) {
  return like("portable_array_host_object", array, 0, 0, array_out);
}
portable_status portable_array_device_object(const portable_array *array, portable_array *array_out) {
  return like("portable_array_device_object", array, 1, 0, array_out);
}
