/* overlap.h - whether two arrays share memory, and whether the elements of one lie apart from one another. Private. Pure. */
#ifndef PORTABLE__OVERLAP_H
#define PORTABLE__OVERLAP_H

#include <stdint.h>

#define PORTABLE__LYING_RANK 8

/* An array as its elements lie; extents are 1 or more. */
struct portable__lying {
  const void *at; /* the first element */
  int64_t bytes;  /* of an element, 1 or more */
  int32_t rank;
  int64_t extents[PORTABLE__LYING_RANK], strides[PORTABLE__LYING_RANK]; /* bytes from one element to the next */
};

/* Whether the bytes from its one end to the other are a number that the functions below count with. */
int portable__lying_fits(const struct portable__lying *x);

#define PORTABLE__APART 0
#define PORTABLE__SHARED 1
#define PORTABLE__UNKNOWN 2 /* too hard to tell: hardly ever */

/* Whether an element of one shares a byte with an element of the other. */
int portable__overlap(const struct portable__lying *a, const struct portable__lying *b);

/* PORTABLE__SHARED where two elements share a byte, or might: dimensions have to lie one within another. */
int portable__overlap_self(const struct portable__lying *a);

#endif
