/* cut.h - cuts an index space into parts. Private. A space is a grid of units: boxes of tile[d]
 * iterations in dimension d. Units are numbered with the fastest dimension first; a part of the
 * work is a range of numbers. If units may be merged, a range becomes few large boxes; else each
 * unit is a box of its own, so that no box is larger than the user's tile. In C because a launch
 * without an observer never calls Go. Pure functions; threads do not matter. */
#ifndef PORTABLE__CUT_H
#define PORTABLE__CUT_H

#include "../../capi/include/c/portable.h"

/* One dimension. All that a worker needs of it lies together: it comes from another processor's cache line by line. */
struct portable__axis {
  int64_t lower, stride; /* as in the bounds */
  int64_t extent;        /* iterations */
  int64_t tile;          /* iterations of a unit */
  int64_t tiles;         /* units */
  int64_t dim;           /* its number, from 0 */
};

struct portable__cut {
  int32_t rank, merge;
  int64_t count, units; /* iterations and units in all */
  int64_t grain;        /* a unit of a part of a row begins at a multiple of so many iterations; 1: anywhere. The caller may raise it */
  struct portable__axis axis[PORTABLE_LOOP_RANK]; /* the fastest first */
};

/* The checks, of bounds most of all. */
#define PORTABLE__BOUNDS_NONE     1 /* not made by portable_bounds_make */
#define PORTABLE__BOUNDS_STRIDE   2 /* a stride is not positive */
#define PORTABLE__BOUNDS_OVERFLOW 3 /* the count does not fit */

/* Extents, order and count of the bounds; 0, or what is wrong. */
int portable__cut_space(const portable_bounds *bounds, struct portable__cut *cut);

/* Chooses units. tile: the user's, in the order of the indices, or NULL; workers: the parts wanted. A space of no
 * iteration has no unit. */
void portable__cut_units(struct portable__cut *cut, const int64_t *tile, int32_t workers);

/* Units of at most so many iterations each, whole rows where that is enough for them. */
void portable__cut_chunks(struct portable__cut *cut, int64_t most);

/* Units of a fixed size, for whatever must not depend on the number of workers: up to about twice `leaf` iterations each, whole
 * rows where they are that short, and one after the other in the order of the space. */
void portable__cut_leaves(struct portable__cut *cut, int64_t leaf);

/* The part of worker w of W: units from..to-1. */
static inline void portable__cut_share(int64_t units, int32_t worker, int32_t workers, int64_t *from, int64_t *to) {
  int64_t each = units / workers, rest = units % workers;
  *from = worker * each + (worker < rest ? worker : rest);
  *to = *from + each + (worker < rest);
}

/* The largest box that begins at unit `from` and holds no unit from `to` on, as indices into the tile's lower and upper;
 * gives how many units it holds. */
int64_t portable__cut_box(const struct portable__cut *cut, int64_t from, int64_t to, portable_tile *tile);

#endif
