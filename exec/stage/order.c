/* order.c - the copy of an array in another order than Fortran's (order.h). The elements of the
 * array follow each other in the memory of the host, and in the copy. */
#include "order.h"

#include <string.h>

#include "../../internal/kernels/copy/copy.h"
#include "../../internal/kernels/reduction/partial.h"

int32_t portable__stage_order_of(const struct portable__fortran_argument *a, const int64_t *steps) {
  int64_t next = (int64_t)portable__kind_bytes(a->kind);
  if (!(a->notes & PORTABLE__ANY_ORDER)) return PORTABLE__ORDER_OF_KERNEL;
  for (int32_t d = 0; d < a->rank; d++) {
    if (a->extent[d] > 1 && steps[d] != next) return PORTABLE__ORDER_WITH_GAPS;
    next *= a->extent[d];
  }
  return PORTABLE__ORDER_FREE;
}

/* A box with the elements of the host on the one side, and those of the device on the other one. */
static void box(const struct portable__fortran_argument *a, const struct portable__stage_span *span, struct portable__copy *c) {
  int64_t host = (int64_t)span->unit, device = host;
  memset(c, 0, sizeof *c);
  c->bytes = host;
  c->rank = a->rank;
  for (int32_t d = 0; d < a->rank; host *= a->extent[d++]) c->axis[d] = (struct portable__copy_axis){a->extent[d], 0, host};
  for (int32_t k = 0; k < a->rank; device *= a->extent[span->fastest[k++]]) c->axis[span->fastest[k]].to = device;
}

void portable__stage_permute(const struct portable__fortran_argument *a, const struct portable__stage_span *span, char *to) {
  struct portable__copy c;
  struct portable__copy_plan plan;
  box(a, span, &c);
  c.to = to;
  c.from = a->data;
  portable__copy_plan(&c, -1, 0, &plan);
  portable__copy_units(&plan, 0, plan.units);
}

void portable__stage_patch(const struct portable__fortran_argument *a, const struct portable__stage_span *span, const char *before, const char *after,
                           uint64_t from, uint64_t bytes, uint64_t unit) {
  struct portable__copy c;
  int64_t index[PORTABLE__ARGUMENT_RANKS], left = (int64_t)(from / span->unit);
  char *to = (char *)(uintptr_t)a->data;
  box(a, span, &c);
  for (int32_t k = 0; k < a->rank; k++) {
    const int32_t d = span->fastest[k];
    index[k] = left % c.axis[d].extent;
    left /= c.axis[d].extent;
    to += index[k] * c.axis[d].from;
  }
  for (uint64_t at = 0; at < bytes; at += span->unit) {
    for (uint64_t i = at; i < at + span->unit; i += unit)
      if (memcmp(before + i, after + i, unit) != 0) memcpy(to + (i - at), after + i, unit);
    for (int32_t k = 0; k < a->rank; k++) {
      const struct portable__copy_axis *axis = &c.axis[span->fastest[k]];
      to += axis->from;
      if (++index[k] < axis->extent) break;
      to -= index[k] * axis->from;
      index[k] = 0;
    }
  }
}

void portable__stage_move(struct portable__fortran_argument *a, const struct portable__stage_span *span, uintptr_t there) {
  struct portable__copy c;
  box(a, span, &c);
  a->data = (char *)there; // NOLINT(performance-no-int-to-ptr)
  a->notes &= ~PORTABLE__DENSE;
  for (int32_t d = 0; d < a->rank; d++) a->next[d] = a->data + c.axis[d].to;
}
