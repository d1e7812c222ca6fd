/* filter.h - what filters of arrays (filter.c) and of predicates (filter_launch.c) share: leaves that write one behind the other. Private. */
#ifndef PORTABLE__FILTER_H
#define PORTABLE__FILTER_H

#include "../internal/kernels/choose.h"
#include "edge.h"
#include "turns.h"

/* Where the chosen ones go, or come from. */
struct portable__packed {
  struct portable__turns turns;
  char *first;
  int64_t step, room; /* bytes from one to the next; how many there are */
  int64_t total;      /* of the leaves whose turn is over */
};

static inline void portable__packed_begin(struct portable__packed *p, const void *first, int64_t step, int64_t room) {
  atomic_init(&p->turns.claimed, 0);
  atomic_init(&p->turns.turn, 0);
  p->first = (char *)(uintptr_t)first;
  p->step = step;
  p->room = room;
  p->total = 0;
}

/* The place of a leaf's chosen ones, in the leaf's turn; *count becomes what there is room for. */
static inline char *portable__packed_place(struct portable__packed *p, int64_t leaf, int64_t *count) {
  portable__turn_await(&p->turns, leaf);
  int64_t at = p->total;
  p->total += *count;
  portable__turn_pass(&p->turns, leaf);
  if (at >= p->room)
    *count = 0;
  else if (*count > p->room - at)
    *count = p->room - at;
  return p->first + (*count ? at * p->step : 0);
}

/* The bytes of an index of that kind; 0: it is none. */
static inline int32_t portable__index_bytes(int32_t kind) { return kind == PORTABLE_KIND_INT32 ? 4 : kind == PORTABLE_KIND_INT64 ? 8 : 0; }

#endif
