/* bounds.c - makes bounds, for each loop, often with a size that is known only then. Go refuses
 * (exec/bounds.go). Threads: any. */
#include <string.h>

#include "ordinary.h"
#include "questions.h"
#include "../../internal/team/cut.h"

static portable_bounds none(void) {
  portable_bounds b;
  memset(&b, 0, sizeof b);
  return b;
}

/* Not inlined: the frame of a crossing would cost each call 20 ns. */
PORTABLE__COLD static portable_status refuse(int32_t rank, int32_t order, const int64_t *upper, portable_bounds *bounds_out) {
  portable_status status;
  if (bounds_out) *bounds_out = none();
  PORTABLE__EXPLAINED(&status, "portable_bounds_make", NULL, PORTABLE_ERR_ARG,
                      portable__launch_go.refuse_bounds(!bounds_out ? "bounds_out" : !upper ? "upper" : NULL, rank, order));
  return status;
}

portable_status portable_bounds_make(int32_t rank, int32_t order, const int64_t *lower, const int64_t *upper,
                                     const int64_t *stride, portable_bounds *bounds_out) {
  if (PORTABLE__UNLIKELY(!bounds_out || !upper || !portable__bounds_are_ordinary(rank, order))) return refuse(rank, order, upper, bounds_out);
  *bounds_out = none();
  bounds_out->struct_size = sizeof *bounds_out;
  bounds_out->rank = rank;
  bounds_out->order = order;
  for (int32_t d = 0; d < rank; d++) {
    bounds_out->lower[d] = lower ? lower[d] : order == PORTABLE_ORDER_FORTRAN;
    bounds_out->upper[d] = upper[d];
    bounds_out->stride[d] = stride ? stride[d] : 1;
  }
  return PORTABLE_OK;
}

static portable_bounds from_zero(int32_t rank, const int64_t *n) {
  portable_bounds b = none();
  b.struct_size = sizeof b;
  b.rank = rank;
  for (int32_t d = 0; d < rank; d++) {
    b.upper[d] = n[d] < 1 ? -1 : n[d] - 1;
    b.stride[d] = 1;
  }
  return b;
}

portable_bounds portable_bounds_1(int64_t n) { return from_zero(1, &n); }

portable_bounds portable_bounds_2(int64_t n0, int64_t n1) {
  const int64_t n[] = {n0, n1};
  return from_zero(2, n);
}

portable_bounds portable_bounds_3(int64_t n0, int64_t n1, int64_t n2) {
  const int64_t n[] = {n0, n1, n2};
  return from_zero(3, n);
}

int64_t portable_bounds_count(const portable_bounds *bounds) {
  struct portable__cut cut;
  return bounds && portable__cut_space(bounds, &cut) == 0 ? cut.count : -1;
}
