/* portable_device_atomic.h - portable_atomic.h for device code: the same names, the same meaning. Part of portable_atomic.h; include that.
 *
 * Minima and maxima of reals are compare-and-swap in a loop, with the host's rules of NaN and of zeros. A function of the host too
 * (nvcc compiles both from one source) does there what portable_atomic.h does.
 */
#ifndef PORTABLE_DEVICE_ATOMIC_H
#define PORTABLE_DEVICE_ATOMIC_H

#if defined(__CUDACC_RTC__)
#define PORTABLE__ATOMIC static __forceinline__ __device__
#else
#define PORTABLE__ATOMIC static __inline__ __host__ __device__
#endif

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)

typedef unsigned long long int portable__bits64;

PORTABLE__ATOMIC int32_t portable_atomic_add_int32(int32_t *x, int32_t value) { return atomicAdd((int *)x, (int)value); }
PORTABLE__ATOMIC int32_t portable_atomic_min_int32(int32_t *x, int32_t value) { return atomicMin((int *)x, (int)value); }
PORTABLE__ATOMIC int32_t portable_atomic_max_int32(int32_t *x, int32_t value) { return atomicMax((int *)x, (int)value); }
PORTABLE__ATOMIC int64_t portable_atomic_add_int64(int64_t *x, int64_t value) {
  return (int64_t)atomicAdd((portable__bits64 *)x, (portable__bits64)value);
}
PORTABLE__ATOMIC int64_t portable_atomic_min_int64(int64_t *x, int64_t value) { return (int64_t)atomicMin((long long int *)x, (long long int)value); }
PORTABLE__ATOMIC int64_t portable_atomic_max_int64(int64_t *x, int64_t value) { return (int64_t)atomicMax((long long int *)x, (long long int)value); }
PORTABLE__ATOMIC float portable_atomic_add_real32(float *x, float value) { return atomicAdd(x, value); }
PORTABLE__ATOMIC double portable_atomic_add_real64(double *x, double value) {
#if __CUDA_ARCH__ >= 600
  return atomicAdd(x, value);
#else
  portable__bits64 *word = (portable__bits64 *)x, old = *(volatile portable__bits64 *)word, seen;
  do {
    seen = old;
    old = atomicCAS(word, seen, (portable__bits64)__double_as_longlong(__longlong_as_double((long long int)seen) + value));
  } while (old != seen);
  return __longlong_as_double((long long int)old);
#endif
}

#define PORTABLE__ATOMIC_CHOICE(name, type, word, as_word, as_type, sign)                                                \
  PORTABLE__ATOMIC type name(type *x, type value) {                                                                      \
    word *at = (word *)x, old = *(volatile word *)at, seen;                                                              \
    for (;;) {                                                                                                           \
      const type there = as_type(old);                                                                                   \
      if (!(value sign there || (there != there && value == value))) return there;                                       \
      seen = old;                                                                                                        \
      old = atomicCAS(at, seen, (word)as_word(value));                                                                   \
      if (old == seen) return there;                                                                                     \
    }                                                                                                                    \
  }
PORTABLE__ATOMIC_CHOICE(portable_atomic_min_real32, float, unsigned int, __float_as_uint, __uint_as_float, <)
PORTABLE__ATOMIC_CHOICE(portable_atomic_max_real32, float, unsigned int, __float_as_uint, __uint_as_float, >)
PORTABLE__ATOMIC_CHOICE(portable_atomic_min_real64, double, portable__bits64, __double_as_longlong, __longlong_as_double, <)
PORTABLE__ATOMIC_CHOICE(portable_atomic_max_real64, double, portable__bits64, __double_as_longlong, __longlong_as_double, >)
#undef PORTABLE__ATOMIC_CHOICE

#endif

#endif
