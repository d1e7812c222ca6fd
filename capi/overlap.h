/* overlap.h - whether the elements of two arrays share bytes. Private. */
#ifndef PORTABLE__OVERLAP_H
#define PORTABLE__OVERLAP_H

#include <stdint.h>

/* Where the elements of an array are: their lowest and highest byte, and that they are multiples of `step` apart. */
struct portable__place {
  uintptr_t first, low, high;
  uint64_t step;
  int64_t bytes; /* of an element; 0: there is none */
};

/* One element; the axes follow, each that has more than one element. */
static inline struct portable__place portable__place(const void *first, int64_t bytes, int empty) {
  uintptr_t at = (uintptr_t)first;
  struct portable__place p = {at, at, at + (uintptr_t)bytes - 1, 0, empty ? 0 : bytes};
  return p;
}

static inline void portable__place_axis(struct portable__place *p, int64_t extent, int64_t stride) {
  if (extent < 2) return;
  uint64_t a = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride, b = p->step;
  if (stride < 0)
    p->low -= (uintptr_t)a * (uintptr_t)(extent - 1);
  else
    p->high += (uintptr_t)a * (uintptr_t)(extent - 1);
  while (a) {
    uint64_t rest = b % a;
    b = a;
    a = rest;
  }
  p->step = b;
}

/* 0: surely not, because one ends before the other begins, or because one is in the gaps of the other. */
static inline int portable__overlap(const struct portable__place *p, const struct portable__place *q) {
  if (!p->bytes || !q->bytes || p->high < q->low || q->high < p->low) return 0;
  struct portable__place both = *p;
  portable__place_axis(&both, 2, (int64_t)q->step);
  if (!both.step) return 1;
  uint64_t ahead = (uint64_t)(q->first - p->first) % both.step;
  if (q->first < p->first) ahead = (both.step - (uint64_t)(p->first - q->first) % both.step) % both.step;
  return ahead < (uint64_t)p->bytes || both.step - ahead < (uint64_t)q->bytes;
}

#endif
