// portable_atomic.hpp - atomicAdd, atomicMin, atomicMax for C++. Part of portable.hpp; include that.
//
// The rules at the head of portable_atomic.h hold: relaxed, lock-free, on plain memory; NaN is left out of minimum and maximum;
// sums of reals differ in their last bits from run to run. For int, long, long long, their unsigned twins, float and double.
#ifndef PORTABLE_ATOMIC_HPP
#define PORTABLE_ATOMIC_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

namespace detail {

// A parameter of this type takes what converts to T; it does not say what T is.
template <class T> struct Itself {
  using type = T;
};

template <class T> PORTABLE__HOST_DEVICE PORTABLE__INLINE constexpr bool has_atomics() {
  return (std::is_integral<T>::value && (sizeof(T) == 4 || sizeof(T) == 8)) || std::is_same<T, float>::value ||
         std::is_same<T, double>::value;
}

#if defined(__CUDA_ARCH__)
// The function of the kind, by the bytes and the sign of T.
#define PORTABLE__DEVICE_ATOMIC(x, value, real32, real64, int32, int64, uint32, uint64)                                              \
  static_assert(detail::has_atomics<T>(), "atomics are for integers of 32 and 64 bits, float and double");                           \
  if constexpr (std::is_same<T, float>::value)                                                                                       \
    return real32(&x, value);                                                                                                        \
  else if constexpr (std::is_same<T, double>::value)                                                                                 \
    return real64(&x, value);                                                                                                        \
  else if constexpr (sizeof(T) == 4 && std::is_signed<T>::value)                                                                     \
    return static_cast<T>(int32(reinterpret_cast<int *>(&x), static_cast<int>(value)));                                              \
  else if constexpr (sizeof(T) == 4)                                                                                                 \
    return static_cast<T>(uint32(reinterpret_cast<unsigned *>(&x), static_cast<unsigned>(value)));                                   \
  else if constexpr (std::is_signed<T>::value)                                                                                       \
    return static_cast<T>(int64(reinterpret_cast<std::int64_t *>(&x), static_cast<std::int64_t>(value)));                            \
  else                                                                                                                               \
    return static_cast<T>(uint64(reinterpret_cast<unsigned long long *>(&x), static_cast<unsigned long long>(value)))
#else
template <class T, class Replaces> PORTABLE__INLINE T atomic_choice(T &x, T value, Replaces replaces) {
  static_assert(has_atomics<T>(), "atomics are for integers of 32 and 64 bits, float and double");
  T old;
  __atomic_load(&x, &old, __ATOMIC_RELAXED);
  while (replaces(value, old) && !PORTABLE__ATOMIC_SWAP(&x, &old, &value)) {
  }
  return old;
}
#endif

} // namespace detail

// x = x + value in one step; gives what x was. value is converted to x's type.  Source: YAKL's atomicAdd.  Since: 0.1
template <class T> PORTABLE__HOST_DEVICE PORTABLE__INLINE T atomicAdd(T &x, typename detail::Itself<T>::type value) {
#if defined(__CUDA_ARCH__)
  PORTABLE__DEVICE_ATOMIC(x, value, portable_atomic_add_real32, portable_atomic_add_real64, portable_atomic_add_int32, portable_atomic_add_int64, ::atomicAdd, ::atomicAdd);
#else
  static_assert(detail::has_atomics<T>(), "atomics are for integers of 32 and 64 bits, float and double");
  if constexpr (std::is_integral<T>::value) {
    return __atomic_fetch_add(&x, value, __ATOMIC_RELAXED);
  } else if constexpr (std::is_same<T, float>::value) {
    return portable_atomic_add_real32(&x, value);
  } else {
    return portable_atomic_add_real64(&x, value);
  }
#endif
}

// x = the smaller one of x and value in one step; gives what x was.  Source: YAKL's atomicMin.  Since: 0.1
template <class T> PORTABLE__HOST_DEVICE PORTABLE__INLINE T atomicMin(T &x, typename detail::Itself<T>::type value) {
#if defined(__CUDA_ARCH__)
  PORTABLE__DEVICE_ATOMIC(x, value, portable_atomic_min_real32, portable_atomic_min_real64, portable_atomic_min_int32, portable_atomic_min_int64, ::atomicMin, ::atomicMin);
#else
  return detail::atomic_choice(x, value, [](T a, T b) {
    if constexpr (std::is_integral<T>::value)
      return PORTABLE__ATOMIC_BELOW(a, b);
    else
      return PORTABLE__ATOMIC_REAL_BELOW(a, b);
  });
#endif
}

// x = the larger one of x and value in one step; gives what x was.  Source: YAKL's atomicMax.  Since: 0.1
template <class T> PORTABLE__HOST_DEVICE PORTABLE__INLINE T atomicMax(T &x, typename detail::Itself<T>::type value) {
#if defined(__CUDA_ARCH__)
  PORTABLE__DEVICE_ATOMIC(x, value, portable_atomic_max_real32, portable_atomic_max_real64, portable_atomic_max_int32, portable_atomic_max_int64, ::atomicMax, ::atomicMax);
#else
  return detail::atomic_choice(x, value, [](T a, T b) {
    if constexpr (std::is_integral<T>::value)
      return PORTABLE__ATOMIC_ABOVE(a, b);
    else
      return PORTABLE__ATOMIC_REAL_ABOVE(a, b);
  });
#endif
}

} // namespace portable

#undef PORTABLE__DEVICE_ATOMIC

#endif
