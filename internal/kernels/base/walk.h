/* walk.h - the elements of an array in their order, wherever they lie: going along axes, and bringing together what is apart. Private.
 *
 * Two arrays of the same extents are walked at once: a walk has a place in each (data and mask; mask is the result's place
 * in scans, and may be NULL). Not in this file: what is done with elements. Only inline; a walk belongs to one thread. */
#ifndef PORTABLE__WALK_H
#define PORTABLE__WALK_H

#include <string.h>

#include "../../../capi/include/c/portable.h"
#include "axis.h"

struct portable__walk {
  const char *data, *mask;
  int64_t index[PORTABLE_LOOP_RANK];
};

/* Goes to the element of that number from the first one; the first axis is the fastest. */
static inline void portable__walk_to(const struct portable__array_axis *axis, int32_t rank, int64_t element, struct portable__walk *w) {
  for (int32_t k = 0; k < rank; k++) {
    int64_t i = k == rank - 1 ? element : element % axis[k].extent;
    element /= axis[k].extent;
    w->index[k] = i;
    w->data += i * axis[k].step;
    if (w->mask) w->mask += i * axis[k].mask_step;
  }
}

/* Goes on by elements of the first axis, at most to its end. */
static inline void portable__walk_on(const struct portable__array_axis *axis, int32_t rank, int64_t elements, struct portable__walk *w) {
  int32_t k = 0;
  for (;;) {
    w->index[k] += elements;
    w->data += elements * axis[k].step;
    if (w->mask) w->mask += elements * axis[k].mask_step;
    if (w->index[k] < axis[k].extent || k == rank - 1) return;
    w->data -= w->index[k] * axis[k].step;
    if (w->mask) w->mask -= w->index[k] * axis[k].mask_step;
    w->index[k++] = 0;
    elements = 1;
  }
}

/* Elements until the first axis ends, at most `count`. */
static inline int64_t portable__walk_run(const struct portable__array_axis *axis, const struct portable__walk *w, int64_t count) {
  int64_t run = axis[0].extent - w->index[0];
  return run < count ? run : count;
}

/* Goes to the first element of a line. Lines are numbered along these axes. */
static inline void portable__walk_line(const struct portable__array_axis *axis, int32_t rank, int64_t line, struct portable__walk *w) {
  for (int32_t k = 0; k < rank; k++) {
    int64_t i = k == rank - 1 ? line : line % axis[k].extent;
    line /= axis[k].extent;
    w->data += i * axis[k].step;
    if (w->mask) w->mask += i * axis[k].mask_step;
  }
}

#define PORTABLE__COPY(bytes)                                    \
  for (int64_t i = 0; i < count; i++, to += to_step, from += step) memcpy(to, from, bytes)

/* Copies elements that lie step bytes apart to places that lie to_step bytes apart. */
static inline void portable__bring(char *to, int64_t to_step, const char *from, int64_t step, int64_t count, int32_t bytes) {
  if (step == bytes && to_step == bytes) {
    memcpy(to, from, (size_t)count * (size_t)bytes);
    return;
  }
  switch (bytes) {
  case 1: PORTABLE__COPY(1); break;
  case 2: PORTABLE__COPY(2); break;
  case 4: PORTABLE__COPY(4); break;
  case 8: PORTABLE__COPY(8); break;
  case 16: PORTABLE__COPY(16); break;
  default: PORTABLE__COPY((size_t)bytes); break;
  }
}

#define PORTABLE__TRUTH(type)                                    \
  if (step == (int64_t)sizeof(type)) {                           \
    for (int64_t i = 0; i < count; i++) {                        \
      type x;                                                    \
      memcpy(&x, from + i * (int64_t)sizeof x, sizeof x);        \
      to[i] = x != 0;                                            \
    }                                                            \
  } else {                                                       \
    for (int64_t i = 0; i < count; i++, from += step) {          \
      type x;                                                    \
      memcpy(&x, from, sizeof x);                                \
      to[i] = x != 0;                                            \
    }                                                            \
  }

/* Logicals as bytes of 0 and 1. */
static inline void portable__bring_mask(unsigned char *to, const char *from, int64_t step, int64_t count, int32_t bytes) {
  switch (bytes) {
  case 1: PORTABLE__TRUTH(uint8_t) break;
  case 2: PORTABLE__TRUTH(uint16_t) break;
  case 4: PORTABLE__TRUTH(uint32_t) break;
  default: PORTABLE__TRUTH(uint64_t) break;
  }
}

#endif
