/* atomic.c - portable_atomic.h for portable_core_mod, whose compilers have no inline C. old may be NULL: Fortran's argument that is
 * not present. In C because Go has no atomics on memory of others, and no float ones. */
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
