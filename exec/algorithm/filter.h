/* filter.h - leaves that write their lists one after the other: the common part of filters of
 * arrays (filter.c) and of predicates (filter_launch.c). */
#ifndef PORTABLE__FILTER_H
#define PORTABLE__FILTER_H

#include <string.h>

#include "../../internal/kernels/scan/choose.h"
#include "call.h"
#include "turns.h"

/* The target of the chosen elements, or their source. */
struct portable__packed {
  struct portable__turns turns;
  char *first;
  int64_t step, room; /* stride in bytes; capacity in elements */
};

static inline void portable__packed_add(void *into, const void *count, void *context) {
  (void)context;
  *(int64_t *)into += *(const int64_t *)count;
}

/* context: of portable__turns_work. Returns: 0, or the error of the pool. After 0, the caller calls portable__turns_end. */
static inline portable_status portable__packed_begin(struct portable__packed *p, int64_t parts, void *context) {
  int64_t none = 0;
  return portable__turns_begin(&p->turns, parts, portable__packed_add, context, &none);
}

/* The count of chosen elements, after all leaves. */
static inline int64_t portable__packed_total(const struct portable__packed *p) {
  int64_t total;
  memcpy(&total, p->turns.running, sizeof total);
  return total;
}

/* The address for a leaf's chosen elements, with `before` others before them; lowers *count to the capacity. */
static inline char *portable__packed_place(const struct portable__packed *p, int64_t before, int64_t *count) {
  if (before >= p->room)
    *count = 0;
  else if (*count > p->room - before)
    *count = p->room - before;
  return p->first + (*count ? before * p->step : 0);
}

#endif
