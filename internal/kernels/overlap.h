/* overlap.h - whether two arrays share memory, and whether the elements of one lie apart from one another. Private. Pure. */
#ifndef PORTABLE__OVERLAP_H
#define PORTABLE__OVERLAP_H

#include <stdint.h>

/* An array as its elements lie; extents are 1 or more. */
struct portable__lying {
  const void *at; /* the first element */
  int64_t bytes;  /* of an element, 1 or more */
  int32_t rank;   /* at most 8 */
  const int64_t *extents, *strides; /* bytes from one element to the next */
};

#define PORTABLE__APART 0
#define PORTABLE__SHARED 1
#define PORTABLE__UNKNOWN 2 /* too hard to tell: hardly ever */

/* Whether an element of one shares a byte with an element of the other. */
int portable__overlap(const struct portable__lying *a, const struct portable__lying *b);

/* PORTABLE__SHARED where two elements share a byte, or might: dimensions have to lie one within another. */
int portable__overlap_self(const struct portable__lying *a);

#endif
