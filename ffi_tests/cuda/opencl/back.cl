/* back.cl - for intel.c: functions that llvm-spirv calls for atomic operations and fences when it turns SPIR-V into LLVM's bitcode, and that PoCL's library lacks for
 * pointers without an address space. In OpenCL C, so that clang gives them their
 * names. Not in this file: atomic operations on floating-point numbers, which the library's programs make of these. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
typedef unsigned uint;
typedef unsigned long ulong;
#define OVERLOAD __attribute__((overloadable))
#define ATOMIC(prefix, type)                                                                                                          \
  OVERLOAD type prefix##_add(volatile __generic type *p, type v) { return __sync_fetch_and_add(p, v); }                              \
  OVERLOAD type prefix##_sub(volatile __generic type *p, type v) { return __sync_fetch_and_sub(p, v); }                              \
  OVERLOAD type prefix##_and(volatile __generic type *p, type v) { return __sync_fetch_and_and(p, v); }                              \
  OVERLOAD type prefix##_or(volatile __generic type *p, type v) { return __sync_fetch_and_or(p, v); }                                \
  OVERLOAD type prefix##_xor(volatile __generic type *p, type v) { return __sync_fetch_and_xor(p, v); }                              \
  OVERLOAD type prefix##_xchg(volatile __generic type *p, type v) { return __sync_lock_test_and_set(p, v); }                         \
  OVERLOAD type prefix##_cmpxchg(volatile __generic type *p, type was, type v) { return __sync_val_compare_and_swap(p, was, v); }    \
  OVERLOAD type prefix##_max(volatile __generic type *p, type v) {                                                                   \
    type was = *p, seen;                                                                                                              \
    while (was < v && (seen = __sync_val_compare_and_swap(p, was, v)) != was) was = seen;                                             \
    return was;                                                                                                                       \
  }                                                                                                                                   \
  OVERLOAD type prefix##_min(volatile __generic type *p, type v) {                                                                   \
    type was = *p, seen;                                                                                                              \
    while (was > v && (seen = __sync_val_compare_and_swap(p, was, v)) != was) was = seen;                                             \
    return was;                                                                                                                       \
  }
ATOMIC(atomic, int)
ATOMIC(atomic, uint)
ATOMIC(atom, long)
ATOMIC(atom, ulong)
OVERLOAD void mem_fence(uint flags) { __sync_synchronize(); }
