/* processor.c - see processor.h. Not __builtin_cpu_supports, whose data some linkers do not find. */
#include "processor.h"

static int hidden;

void portable__processor_hide(int what) { __atomic_store_n(&hidden, what, __ATOMIC_RELAXED); }

#if defined(__x86_64__)
#include <cpuid.h>

#define KNOWN 8

static int look(void) {
  unsigned a, b, c, d, low, high;
  int have = KNOWN;
  if (__get_cpuid(0, &a, &b, &c, &d) && b == signature_INTEL_ebx) have |= PORTABLE__INTEL;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_OSXSAVE) == 0) return have;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return have;
  if ((low & 6) == 6 && (b & bit_AVX2) != 0) have |= PORTABLE__AVX2;
  if ((low & 0xe6) == 0xe6 && (b & bit_AVX512F) != 0) have |= PORTABLE__AVX512;
  return have;
}

int portable__processor_has(int what) {
  static int found; /* 0: not looked at */
  int have = __atomic_load_n(&found, __ATOMIC_RELAXED);
  if (__builtin_expect(!have, 0)) __atomic_store_n(&found, have = look(), __ATOMIC_RELAXED);
  return (have & what & ~__atomic_load_n(&hidden, __ATOMIC_RELAXED)) != 0;
}
#else
int portable__processor_has(int what) { return what < 0; }
#endif
