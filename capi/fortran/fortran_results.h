/* fortran_results.h - several results of one reduction, of different kinds and operations, in a
 * list of portable_result. Not here: launches (fortran_list.c). */
#ifndef PORTABLE__FORTRAN_RESULTS_H
#define PORTABLE__FORTRAN_RESULTS_H

#include "../../internal/edge/base.h"

#define PORTABLE__PLACE_AT 8 /* offset of the indices in a value with its place */
#define PORTABLE__PLACE_MOST (PORTABLE__PLACE_AT + 8 * PORTABLE_LOOP_RANK)

/* A value with its place, which is a value of the user for reduce.c. */
struct portable__place {
  char none[PORTABLE__PLACE_MOST]; /* the value without an iteration, one below the lower bounds */
  char held[PORTABLE__PLACE_MOST]; /* the value before the launch, then the result */
  int32_t kind, rank, bytes, most;
};

/* Reads the variables of the program before a launch, or refuses them. */
struct portable__place_of {
  void *value, *place;
  int32_t kind, most, place_bytes, place_count;
};
portable_status portable__place_begin(const char *label, const portable_bounds *bounds, const struct portable__place_of *of, struct portable__place *p);
void portable__place_combine(void *into, const void *from, void *place);

/* The memory of a result during the launch. */
union portable__held_value {
  struct portable__place place;
  int32_t truth;
};
struct portable__held { union portable__held_value is; };

/* Descriptions of the results for portable__reduce. */
portable_status portable__results_begin(const char *label, const portable_bounds *bounds, const struct portable__fortran_result *results, int32_t count,
                                        portable_reduction *list, struct portable__held *held);
/* Stores the remaining results, after a successful launch. */
void portable__results_end(const struct portable__fortran_result *results, int32_t count, const struct portable__held *held);

#endif
