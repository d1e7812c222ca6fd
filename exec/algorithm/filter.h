/* filter.h - what filters of arrays (filter.c) and of predicates (filter_launch.c) share: leaves that write one behind the other. Private. */
#ifndef PORTABLE__FILTER_H
#define PORTABLE__FILTER_H

#include <string.h>

#include "../../internal/kernels/scan/choose.h"
#include "call.h"
#include "turns.h"

/* Where the chosen ones go, or come from. */
struct portable__packed {
  struct portable__turns turns;
  char *first;
  int64_t step, room; /* bytes from one to the next; how many there are */
};

static inline void portable__packed_add(void *into, const void *count, void *context) {
  (void)context;
  *(int64_t *)into += *(const int64_t *)count;
}

/* 0, or the error of the pool. Is followed by portable__turns_end unless there was one. */
static inline portable_status portable__packed_begin(struct portable__packed *p, int64_t leaves) {
  int64_t none = 0;
  return portable__turns_begin(&p->turns, leaves, portable__packed_add, NULL, &none);
}

/* How many are chosen, when all leaves are done. */
static inline int64_t portable__packed_total(const struct portable__packed *p) {
  int64_t total;
  memcpy(&total, p->turns.running, sizeof total);
  return total;
}

/* The place of a leaf's chosen ones, with so many before them; *count becomes what there is room for. */
static inline char *portable__packed_place(const struct portable__packed *p, int64_t before, int64_t *count) {
  if (before >= p->room)
    *count = 0;
  else if (*count > p->room - before)
    *count = p->room - before;
  return p->first + (*count ? before * p->step : 0);
}

#endif
