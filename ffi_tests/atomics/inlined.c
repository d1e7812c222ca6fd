/* inlined.c - one function for each atomic, of which lock_free.sh reads the machine code. */
#include <portable_atomic.h>

#define ONE(kind, type)                                                        \
  type add_##kind(type *x, type v);                                            \
  type min_##kind(type *x, type v);                                            \
  type max_##kind(type *x, type v);                                            \
  type add_##kind(type *x, type v) { return portable_atomic_add_##kind(x, v); } \
  type min_##kind(type *x, type v) { return portable_atomic_min_##kind(x, v); } \
  type max_##kind(type *x, type v) { return portable_atomic_max_##kind(x, v); }
ONE(int32, int32_t)
ONE(int64, int64_t)
ONE(real32, float)
ONE(real64, double)
