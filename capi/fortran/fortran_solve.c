/* fortran_solve.c - the function of portable_solvers_mod: sections of Fortran as systems of few
 * diagonals. Threads: any. */
#include <inttypes.h>
#include <string.h>

#include "fortran_section.h"
#include "questions.h"

#define BANDS 5

portable_status portable__fortran_solve(int32_t version, const char *label, size_t label_bytes, const struct portable__fortran_section *bands,
                                        const struct portable__fortran_section *rhs, int32_t dim, int32_t periodic) {
  static const char *const names[BANDS] = {"lower2", "lower", "diag", "upper", "upper2"};
  const int five = bands[0].kind != 0, first = five ? 0 : 1, last = BANDS - 1 - first;
  const char *const call = five ? "solve_pentadiagonal" : "solve_tridiagonal";
  char name[PORTABLE__LABEL_MAX + 1];
  int64_t strides[BANDS][PORTABLE_LOOP_RANK], rhs_strides[PORTABLE_LOOP_RANK];
  portable_solve_options options = PORTABLE_SOLVE_OPTIONS_INIT;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  if (!name[0]) strcpy(name, call);
  if (dim == 0 && rhs->rank == 1) dim = 1;
  if (dim < 1 || dim > rhs->rank)
    return portable__fail(PORTABLE_ERR_ARG, "%s '%s': dim is not 1 to %d; it says which dimension of rhs counts the rows of a system", call, name, (int)rhs->rank);
  const int one = bands[2].rank < rhs->rank;
  for (int k = first; k <= last && status == PORTABLE_OK; k++) {
    portable__section_strides(&bands[k], strides[k]);
    if (!one)
      status = portable__section_shape(call, name, names[k], &bands[k], rhs);
    else if (bands[k].extent[0] != rhs->extent[dim - 1])
      status = portable__fail(PORTABLE_ERR_ARG, "%s '%s': %s has %" PRId64 " elements; the systems have %" PRId64 " rows, which is extent %d of rhs", call,
                              name, names[k], bands[k].extent[0], rhs->extent[dim - 1], (int)dim);
  }
  if (status != PORTABLE_OK) return status;
  portable__section_strides(rhs, rhs_strides);
  options.flags = (periodic ? PORTABLE_SOLVE_PERIODIC : 0) | (one ? PORTABLE_SOLVE_ONE : 0);
  options.order = PORTABLE_ORDER_FORTRAN;
  options.dim = dim;
  options.rhs_strides = rhs_strides;
  options.lower_strides = strides[1];
  options.diag_strides = strides[2];
  options.upper_strides = strides[3];
  options.launch = rhs->launch;
  if (!five)
    return portable_solve_tridiagonal(name, rhs->kind, bands[1].data, bands[2].data, bands[3].data, (void *)(uintptr_t)rhs->data, rhs->rank, rhs->extent,
                                      &options);
  options.lower2_strides = strides[0];
  options.upper2_strides = strides[4];
  return portable_solve_pentadiagonal(name, rhs->kind, bands[0].data, bands[1].data, bands[2].data, bands[3].data, bands[4].data,
                                      (void *)(uintptr_t)rhs->data, rhs->rank, rhs->extent, &options);
}
