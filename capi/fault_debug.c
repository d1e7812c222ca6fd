//go:build portable_debug

/* fault_debug.c - a fault inside the library, in libportable_debug.a only: to see what it tells, and whether a program survives it. */
#include "../internal/edge/base.h"


portable_status portable__go_debug_fault(int32_t kind);

/* kind 0: an error that should not be; else a panic, after which the library refuses everything. PORTABLE_ERR_INTERNAL. */
portable_status portable_debug_fault(int32_t kind);
portable_status portable_debug_fault(int32_t kind) {
  struct portable__crossing crossing;
  portable_status st = portable__cross_in(&crossing);
  if (st != PORTABLE_OK) return st;
  st = portable__go_debug_fault(kind);
  portable__cross_out(&crossing);
  return st;
}
