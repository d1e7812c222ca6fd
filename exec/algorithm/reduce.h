/* reduce.h - the reduction of a launch: results, partial results, and the steps before and after
 * the kernels, for the host (reduce.c) and devices (device_reduce.c). It belongs to the launching
 * thread. */
#ifndef PORTABLE__REDUCE_H
#define PORTABLE__REDUCE_H

#include "../launch/launch.h"
#include "../../internal/kernels/reduction/partial.h"

struct portable__result {
  int32_t operation, kind;
  uint32_t flags;
  int32_t exact;               /* number among the exact sums, or -1 */
  size_t offset;               /* in a leaf's partial results */
  void *to;
  struct portable__partial of; /* combine of USER too */
  void *context;
};

struct portable__reduce_place;

struct portable__reduction {
  struct portable__leaves leaves; /* the launch's view; first */
  portable_reduce_function kernel;
  size_t count;
  size_t first;         /* number of the first result in texts: 0, in Fortran 1 */
  int32_t exacts;
  size_t step;          /* bytes of a leaf's partial results */
  int64_t units;
  char *partials;       /* [units][step] */
  const char *identity; /* [step] */
  struct portable__reduce_place *places; /* of exact sums */
  struct portable__result result[PORTABLE_REDUCTIONS_MOST];
};

/* Reads the list of results, or refuses it. kernel 0: NULL. r is all 0 before, except first. */
portable_status portable__reduce_read(const char *label, const portable_reduction *results, size_t count, int kernel, struct portable__reduction *r);
/* The same, without a text of the error. */
struct portable__reduction_call;
portable_status portable__reduction_verdict(const struct portable__reduction_call *c, struct portable__reduction *r);
/* Writes the identities to identity[r->step]. */
void portable__reduce_identity(const struct portable__reduction *r, const portable_reduction *results, char *identity);
/* Cuts a space that is not empty into leaves; by tile, if it is not all 0. */
void portable__reduce_cut(const struct portable__reduction *r, struct portable__cut *space, const int64_t *tile);
/* Stores all results from r->partials, or none after an error. units 0: an empty space; partials has the size of one leaf. */
portable_status portable__reduce_store(const char *label, struct portable__reduction *r);

/* ---- portable_parallel_reduce with facts of Fortran, as portable__launch ---- */

portable_status portable__reduce(const char *label, const portable_bounds *bounds, portable_reduce_function kernel, const void *args,
                                 size_t args_bytes, const portable_reduction *results, size_t result_count,
                                 const portable_launch_config *config, int32_t integer_bytes, int32_t wide);

#endif
