/* choose.h - what a mask chooses from a leaf of elements: where it is, and copying it. Private.
 *
 * Places are numbers within the leaf. In C because compilers vectorise C, and because kernels never run on a stack of Go. Not in this
 * file: where in the result the leaf's chosen ones go, and the launch (exec/algorithm/filter.c). Pure functions over memory of the caller. */
#ifndef PORTABLE__CHOOSE_H
#define PORTABLE__CHOOSE_H

#include "../../../capi/include/c/portable.h"
#include "../base/axis.h"

#define PORTABLE__CHOOSE_LEAF 4096 /* elements of a leaf, at most 65536 */

/* An array and its mask; without an array, the mask only. */
struct portable__chosen {
  const char *data, *mask;
  int64_t element_bytes;
  int32_t mask_bytes, rank;
  struct portable__array_axis axis[PORTABLE_LOOP_RANK]; /* the fastest first; step is the array's */
  int64_t count; /* elements */
};

/* The places of the true ones among logicals of 0 and 1; gives how many. places has room for as many as there are logicals. */
int64_t portable__choose(const unsigned char *logicals, int64_t count, uint16_t *places);

/* The places of the true ones in a leaf of the array. */
int64_t portable__choose_leaf(const struct portable__chosen *c, int64_t leaf, uint16_t *places);

/* Only how many there are. */
int64_t portable__choose_count(const struct portable__chosen *c, int64_t leaf);

/* Copies those elements of the leaf to `packed`, whose elements lie `step` bytes apart; or, back, those of packed to the array. */
void portable__choose_pack(const struct portable__chosen *c, int64_t leaf, const uint16_t *places, int64_t count, char *packed, int64_t step);
void portable__choose_unpack(const struct portable__chosen *c, int64_t leaf, const uint16_t *places, int64_t count, const char *packed,
                             int64_t step);

/* first + place * stride of each, as int32_t (bytes 4) or int64_t (8). They fit. */
void portable__choose_list(int64_t first, int64_t stride, const uint16_t *places, int64_t count, char *list, int64_t step, int32_t bytes);

#endif
