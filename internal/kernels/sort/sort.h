/* sort.h - sorting by radix, as steps that several threads take together. Private.
 *
 * A step is a number of units that may run in any order and at once; between steps all threads have ended (exec/algorithm/sort.c launches them).
 * Elements are keys as unsigned integers whose order is the wanted one, alone or with what moves along. The first step that matters
 * looks at one digit of all keys and counts how often each value of it occurs in each chunk; the next brings elements to the buckets of
 * their digits, in order; then each bucket is sorted by one thread, in its cache. A bucket that would keep one thread busy while the
 * others rest is cut by a digit in its turn.
 *
 * Invariants: stable, so nothing depends on how many chunks there are. From `scatter` on the user's keys may be in pieces, and nothing
 * fails. Threads: a unit is one thread's. */
#ifndef PORTABLE__SORT_H
#define PORTABLE__SORT_H

#include <stdatomic.h>

#include "../../../capi/include/c/portable.h"

#define PORTABLE__SORT_SMALL 8192     /* elements that one thread sorts alone: they take less time than waking others */
#define PORTABLE__SORT_GROUPS 16384   /* most groups of a bucket */
#define PORTABLE__SORT_DIGIT 10       /* most bits of a digit that all threads sort by */

/* The form of an element: a key of 4 or 8 bytes, or a pair of two such numbers. */
enum { PORTABLE__SORT_KEY4, PORTABLE__SORT_KEY8, PORTABLE__SORT_PAIR4, PORTABLE__SORT_PAIR8 };

/* The meaning of the second number of a pair. */
enum {
  PORTABLE__SORT_NONE,
  PORTABLE__SORT_VALUE, /* the value, of 1, 2, 4 or 8 bytes */
  PORTABLE__SORT_PLACE, /* the index, which is the result */
  PORTABLE__SORT_GATHER /* the index, with which values are fetched */
};

struct portable__sort {
  /* the user's */
  char *keys, *values; /* values: or indices */
  int64_t key_step, value_step;
  int64_t count, lower;
  int32_t key_bytes, value_bytes; /* value_bytes: or those of an index */
  int32_t form, rest;
  /* An element's key is ((bits ^ (bits < 0 ? mask : 0)) ^ flip) - back, with bits in the upper part of it. */
  uint64_t mask, flip, back;
  /* scratch; a is the user's own memory where that will do (direct) */
  void *a, *b;
  char *moved; /* fetched values */
  uint64_t *counts; /* [chunks][buckets]: how many, then where the next one goes */
  int64_t *edges;   /* [buckets + 1] */
  int32_t direct;
  /* the step: elements first to first + length of the user's arrays (from 0), of a (1) or b (2), go to b, b or a */
  int32_t from, shift, width, chunks;
  int32_t around; /* 1: past the caches */
  int64_t first, length, big; /* big: buckets above this many elements are not sorted by one thread */
  _Atomic uint64_t differ; /* bits in which keys differ, as far as a step has seen them */
  _Atomic int32_t disorder;
  /* Groups, whose keys are lower, lower + 1, ... and whose pairs are of 4 bytes each: the first element of each, and their number. */
  int32_t *start;
  int64_t groups;
};

/* The kind's transformation, for elements of the form; bytes of a key of the kind, 0: no such kind. */
int32_t portable__sort_order(struct portable__sort *s, int32_t kind, int descending, int32_t form);
int32_t portable__sort_element_bytes(int32_t form);
int32_t portable__sort_key_bytes(int32_t kind); /* 0: not a kind that is sorted */

/* How many bits there are up to the highest one. */
int portable__sort_bits(uint64_t x);
/* Digits for `length` elements whose keys differ in `differ`, which is not 0: sets shift and width. */
void portable__sort_digit(struct portable__sort *s, uint64_t differ, int64_t length);
/* Bits in which some of the keys differ; only some. */
uint64_t portable__sort_sample(const struct portable__sort *s);
/* 1: the first few keys are in order. */
int portable__sort_begins_ordered(const struct portable__sort *s);

/* Steps; units from..to-1. */
typedef void portable__sort_step(struct portable__sort *s, int64_t from, int64_t to);
portable__sort_step portable__sort_check;   /* chunks: disorder is set where keys are not in order */
portable__sort_step portable__sort_count;   /* chunks: counts and differ */
portable__sort_step portable__sort_scatter; /* chunks */
portable__sort_step portable__sort_buckets; /* buckets: sorted and stored, but big ones */
portable__sort_step portable__sort_equal;   /* chunks: elements of a or b that are in order are stored */
portable__sort_step portable__sort_all;     /* one unit: everything, by one thread */
portable__sort_step portable__sort_places;  /* chunks: the indices of sorted keys */
portable__sort_step portable__sort_return;  /* chunks: fetched values to where they belong */
portable__sort_step portable__sort_group;   /* buckets of b: keys, indices (as values) and start, all of them counted from lower */

/* The first element of a chunk. */
int64_t portable__sort_chunk(const struct portable__sort *s, int64_t chunk);
/* Digits for groups, of which a bucket has at most PORTABLE__SORT_GROUPS; 0: there are too many. */
int portable__sort_group_digit(struct portable__sort *s);

/* Between count and scatter: numbers become places, edges those of the buckets. */
void portable__sort_edges(struct portable__sort *s);

#endif
