/* extents.c - see extents.h. In C because small arrays are worked on in less time than a call into Go takes. */
#include "../../internal/edge/base.h"
#include "extents.h"

#include <inttypes.h>


portable_status portable__check_rank(const char *call, const char *label, int32_t rank, const int64_t *extents) {
  if (rank < 1 || rank > PORTABLE_LOOP_RANK)
    return portable__fail(PORTABLE_ERR_ARG, "%s '%s': rank is %d; it is 1 to %d", call, label, (int)rank, PORTABLE_LOOP_RANK);
  return extents ? PORTABLE_OK : portable__fail(PORTABLE_ERR_ARG, "%s '%s': extents is NULL", call, label);
}

portable_status portable__check_extents(const char *call, const char *label, int32_t rank, const int64_t *extents, int *empty_out) {
  *empty_out = 0;
  for (int32_t d = 0; d < rank; d++) {
    if (extents[d] < 0)
      return portable__fail(PORTABLE_ERR_ARG, "%s '%s': extent %d is %" PRId64 "; it is 0 or more", call, label, (int)d + 1, extents[d]);
    *empty_out |= extents[d] == 0;
  }
  return PORTABLE_OK;
}

portable_status portable__check_order(const char *call, const char *label, int32_t order) {
  if (order == PORTABLE_ORDER_C || order == PORTABLE_ORDER_FORTRAN) return PORTABLE_OK;
  return portable__fail(PORTABLE_ERR_ARG, "%s '%s': order is %d; it is PORTABLE_ORDER_C or PORTABLE_ORDER_FORTRAN", call, label, (int)order);
}

int portable__axes(int32_t rank, const int64_t *extents, int32_t order, struct portable__steps array, struct portable__steps other,
                   struct portable__array_axis *axis, int32_t *dims) {
  int empty = 0, overflow = 0;
  for (int32_t k = 0; k < rank; k++) {
    int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
    int64_t n = extents[d];
    axis[k].extent = n;
    axis[k].step = array.strides ? array.strides[d] : array.bytes;
    axis[k].mask_step = other.strides ? other.strides[d] : other.bytes;
    if (dims) dims[k] = d;
    empty |= n == 0;
    overflow |= __builtin_mul_overflow(array.bytes, n, &array.bytes);
    overflow |= __builtin_mul_overflow(other.bytes, n, &other.bytes);
  }
  return overflow && !empty;
}
