/* atomic.c - portable_atomic.h for portable_core_mod, because Fortran has no inline C. old may be
 * NULL: an argument of Fortran that is not present. */
#include "../../internal/edge/base.h"


#define UPDATE(operation, kind, type)                                                                  \
  void portable__fortran_atomic_##operation##_##kind(type *x, type value, type *old) {                 \
    type before = portable_atomic_##operation##_##kind(x, value);                                      \
    if (old) *old = before;                                                                            \
  }

#define UPDATES(kind, type) UPDATE(add, kind, type) UPDATE(min, kind, type) UPDATE(max, kind, type)

UPDATES(int32, int32_t)
UPDATES(int64, int64_t)
UPDATES(real32, float)
UPDATES(real64, double)
