/* solve.h - systems of three or five diagonals: what a call is, and the work on a range of its systems. Private.
 *
 * Systems are numbered along the axes of an array that remain without the one along which they are solved, the fastest axis first. A
 * group of systems is worked on at once, one in each lane of vectors; elements that are not side by side are brought together. In C because
 * compilers vectorise C, and because kernels never run on a stack of Go. Not in this file: the checks of what the user says, and the launch
 * (exec/algorithm/solve.c). Pure functions over memory of the caller; different systems may be worked on by different threads at once. */
#ifndef PORTABLE__SOLVE_H
#define PORTABLE__SOLVE_H

#include "../../../capi/include/c/portable.h"

#define PORTABLE__SOLVE_BANDS 5 /* the diagonals, the lowest first; of three the first ones */
#define PORTABLE__SOLVE_RHS 5
#define PORTABLE__SOLVE_OPERANDS 6
#define PORTABLE__SOLVE_LANES 8

struct portable__solve_axis {
  int64_t extent, weight; /* weight: by how much the number of a system in array element order grows */
  int64_t step[PORTABLE__SOLVE_OPERANDS]; /* bytes from one element to the next; of diagonals that all systems share 0 */
};

struct portable__solve {
  int32_t band;     /* diagonals on each side: 1 or 2 */
  int32_t periodic;
  int32_t one;      /* all systems share the diagonals */
  int32_t bytes;    /* of an element: 4 or 8 */
  int32_t width;    /* systems of a group, if they are side by side: a multiple of the lanes */
  int32_t axes;
  int64_t n, systems;
  char *at[PORTABLE__SOLVE_OPERANDS];
  int64_t step[PORTABLE__SOLVE_OPERANDS]; /* from one row to the next */
  struct portable__solve_axis axis[PORTABLE_LOOP_RANK];
  void *factors;    /* of shared diagonals: portable__solve_factor makes them */
};

/* Chooses the width, for that number of threads. */
void portable__solve_cut(struct portable__solve *s, int32_t threads);

/* Bytes of scratch memory of a thread, and of the factors; each is aligned at 64 bytes. -1: more than int64_t counts. */
int64_t portable__solve_scratch_bytes(const struct portable__solve *s);
int64_t portable__solve_factors_bytes(const struct portable__solve *s);

/* Both give the first pivot of 0: the number of its system in array element order times n, plus its row from 0. INT64_MAX: there is none.
 * A system with such a pivot becomes NaN. The first one factors shared diagonals, the second one solves the systems from..to-1. */
int64_t portable__solve_factor(struct portable__solve *s, void *scratch);
int64_t portable__solve_range(const struct portable__solve *s, int64_t from, int64_t to, void *scratch);

#endif
