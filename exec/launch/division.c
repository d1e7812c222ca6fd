/* division.c - work divisions: portable_work_divide asks Go (exec/division.go), because it runs nothing. Its users are in
 * portable_division.h. Threads: any. */
#include "questions.h"

portable_status portable_work_divide(const portable_bounds *bounds, const int64_t *threads, const int64_t *elements,
                                     portable_work_division *division_out) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__launch_go.divide(bounds, threads, elements, division_out);
  portable__cross_out(&crossing);
  return status;
}

portable_status portable_work_grid(const portable_work_division *division, portable_bounds *bounds_out) {
  int64_t lower[PORTABLE_LOOP_RANK] = {0}, upper[PORTABLE_LOOP_RANK];
  if (!division || !bounds_out)
    return portable__fail(PORTABLE_ERR_ARG, "portable_work_grid: %s is NULL", division ? "bounds_out" : "division");
  for (int d = 0; d < PORTABLE_LOOP_RANK; d++) upper[d] = division->blocks[d] - 1;
  return portable_bounds_make(division->rank, division->order, lower, upper, NULL, bounds_out);
}
