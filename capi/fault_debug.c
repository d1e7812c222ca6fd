//go:build portable_debug

/* fault_debug.c - causes a fault inside the library, for tests of its report. Only in
 * libportable_debug.a. */
#include "../internal/edge/base.h"


portable_status portable__go_debug_fault(int32_t kind);

/* kind 0: an unexpected error; else a panic, after which the library refuses every call. Returns: PORTABLE_ERR_INTERNAL. */
portable_status portable_debug_fault(int32_t kind);
portable_status portable_debug_fault(int32_t kind) {
  struct portable__crossing crossing;
  portable_status st = portable__cross_in(&crossing);
  if (st != PORTABLE_OK) return st;
  st = portable__go_debug_fault(kind);
  portable__cross_out(&crossing);
  return st;
}
