// YAKL_kokkos.h - the names of Kokkos that programs of YAKL's HEAD write. Part of compat/head/YAKL.h; include that.
//
// In this file: macros of kernels, spaces, start and stop, fence, abort, atomics, numbers. Not in this file: views, policies, reductions and deep copies
// of Kokkos: such a program needs Kokkos itself; what YAKL makes of them (the other files).
// Threads: all functions may be called from any thread; atomics are relaxed.
// Source: Kokkos' interface of version 4 and 5.
#ifndef PORTABLE_YAKL_HEAD_KOKKOS
#define PORTABLE_YAKL_HEAD_KOKKOS

#ifndef PORTABLE_YAKL_HEAD
#error "include YAKL.h, which includes this"
#endif

#ifdef KOKKOS_CORE_HPP
#error "Kokkos_Core.hpp was included before: this folder has the names of Kokkos that programs of YAKL write, and does not work next to Kokkos"
#endif

#include <cstdarg>

#define KOKKOS_LAMBDA PORTABLE_LAMBDA
#define KOKKOS_CLASS_LAMBDA PORTABLE_CLASS_LAMBDA
#define KOKKOS_INLINE_FUNCTION PORTABLE_INLINE
#if defined(__GNUC__)
#define KOKKOS_FORCEINLINE_FUNCTION PORTABLE_INLINE __attribute__((always_inline))
#else
#define KOKKOS_FORCEINLINE_FUNCTION PORTABLE_INLINE
#endif
#if defined(__CUDACC__)
#define KOKKOS_FUNCTION __host__ __device__
#else
#define KOKKOS_FUNCTION
#endif
// The statements stand in a second pair of parentheses: KOKKOS_IF_ON_HOST((f(); g();))
#define PORTABLE__HEAD_PLAIN(...) __VA_ARGS__
#if defined(__CUDA_ARCH__)
#define KOKKOS_IF_ON_HOST(code)
#define KOKKOS_IF_ON_DEVICE(code) { PORTABLE__HEAD_PLAIN code }
#else
#define KOKKOS_IF_ON_HOST(code) { PORTABLE__HEAD_PLAIN code }
#define KOKKOS_IF_ON_DEVICE(code)
#endif
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
#ifndef KOKKOS_ENABLE_DEBUG
#define KOKKOS_ENABLE_DEBUG
#endif
#endif

namespace yakl {

// Arrays for kernels: in the pool of the default device.
struct DeviceSpace {
  using memory_space = DeviceSpace;
  static constexpr const char *name() { return "YAKL_DeviceSpace"; }
};

} // namespace yakl

namespace Kokkos {

// Arrays for host code.
struct HostSpace {
  using memory_space = HostSpace;
  static constexpr const char *name() { return "Host"; }
};
struct DefaultExecutionSpace {
  using memory_space = yakl::DeviceSpace;
  using execution_space = DefaultExecutionSpace;
};
struct DefaultHostExecutionSpace {
  using memory_space = HostSpace;
  using execution_space = DefaultHostExecutionSpace;
};

struct ALL_t {};
inline constexpr ALL_t ALL{};

inline void fence() { portable::fence(); }
inline void fence(const std::string &) { portable::fence(); }

// Prints the text, and ends the program by SIGABRT; from a kernel, too. On a device it ends the kernel, and the next call that waits gives its error.
[[noreturn]] KOKKOS_INLINE_FUNCTION void abort(const char *text) {
#if defined(__CUDA_ARCH__)
  ::printf("%s\n", text);
  for (;;) __trap();
#else
  std::fprintf(stderr, "%s\n", text);
  std::abort();
#endif
}

#if defined(__CUDACC__)
// Devices have no list of arguments; a text alone has a form of its own, as it is no format.
KOKKOS_INLINE_FUNCTION void printf(const char *text) { ::printf("%s", text); }
template <class T, class... More> KOKKOS_INLINE_FUNCTION void printf(const char *format, T first, More... more) { ::printf(format, first, more...); }
#else
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
inline void printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
}
#endif

using std::abs;
using std::cbrt;
using std::ceil;
using std::cos;
using std::exp;
using std::floor;
using std::fmax;
using std::fmin;
using std::isinf;
using std::isnan;
using std::log;
using std::max;
using std::min;
using std::pow;
using std::round;
using std::sin;
using std::sqrt;
using std::tan;
using std::tanh;

// *x changes in one step; the fetch_ forms give what it was. Integers of 32 and 64 bits, float and double.
template <class T> KOKKOS_INLINE_FUNCTION T atomic_fetch_add(T *x, std::type_identity_t<T> value) { return portable::atomicAdd(*x, value); }
template <class T> KOKKOS_INLINE_FUNCTION T atomic_fetch_sub(T *x, std::type_identity_t<T> value) {
  return portable::atomicAdd(*x, static_cast<T>(T(0) - value));
}
template <class T> KOKKOS_INLINE_FUNCTION T atomic_fetch_min(T *x, std::type_identity_t<T> value) { return portable::atomicMin(*x, value); }
template <class T> KOKKOS_INLINE_FUNCTION T atomic_fetch_max(T *x, std::type_identity_t<T> value) { return portable::atomicMax(*x, value); }
template <class T> KOKKOS_INLINE_FUNCTION void atomic_add(T *x, std::type_identity_t<T> value) { portable::atomicAdd(*x, value); }
template <class T> KOKKOS_INLINE_FUNCTION void atomic_sub(T *x, std::type_identity_t<T> value) { portable::atomicAdd(*x, static_cast<T>(T(0) - value)); }
template <class T> KOKKOS_INLINE_FUNCTION void atomic_min(T *x, std::type_identity_t<T> value) { portable::atomicMin(*x, value); }
template <class T> KOKKOS_INLINE_FUNCTION void atomic_max(T *x, std::type_identity_t<T> value) { portable::atomicMax(*x, value); }
template <class T> KOKKOS_INLINE_FUNCTION void atomic_inc(T *x) { portable::atomicAdd(*x, T(1)); }
template <class T> KOKKOS_INLINE_FUNCTION void atomic_dec(T *x) { portable::atomicAdd(*x, static_cast<T>(T(0) - T(1))); }

} // namespace Kokkos

#endif
