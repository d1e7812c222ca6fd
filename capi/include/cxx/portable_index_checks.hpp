// portable_index_checks.hpp - whether indices of arrays are looked at. Part of portable.hpp; include that.
//
// In this file: the choice of the build and the switch of the run, and how a loop over a tile is left alone while the switch is off. Not in this
// file: what is looked at (Array, SArray, FSArray, span, StridedArray).
//
// PORTABLE_DEBUG has each index looked at. With PORTABLE_RUNTIME_CHECKS a thread remembers whether PORTABLE_CHECK=arrays (or portable_set_checks) is
// on; it asks at each tile, launch and array that it makes. A loop over a tile is there twice then, and the one that runs while the switch
// is off has no test in it, because compilers see that the thread's word cannot change in it.
#ifndef PORTABLE_INDEX_CHECKS_HPP
#define PORTABLE_INDEX_CHECKS_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#if defined(__CUDA_ARCH__)
#include <cstdio>
#endif

namespace portable {
namespace detail {

enum class Checks { none, switched, all };
#if defined(PORTABLE_DEBUG)
constexpr Checks checks = Checks::all;
#elif defined(PORTABLE_RUNTIME_CHECKS)
constexpr Checks checks = Checks::switched;
#else
constexpr Checks checks = Checks::none;
#endif

// A type of its own, which no store to an element can change.
enum class Switch : int { unasked, off, on };
inline thread_local Switch this_thread = Switch::unasked;

// Whether an index is to be compared with its bounds.
PORTABLE__INLINE bool looks_at_indices() noexcept {
  if constexpr (checks == Checks::switched)
    return PORTABLE__SELDOM(this_thread != Switch::off);
  else
    return checks == Checks::all;
}

inline bool switched_on() noexcept { return (portable_checks() & PORTABLE_CHECK_ARRAYS) != 0; }

// Whether one that is out of bounds is refused: a thread that has not asked yet asks here. Apart, and said to change nothing, so that loops are
// still loops in which nothing changes.
#if defined(__GNUC__)
__attribute__((noinline, cold, pure))
#endif
inline bool asks_whether_on() noexcept {
  return switched_on();
}
PORTABLE__INLINE bool refuses_indices() noexcept { return checks == Checks::all || asks_whether_on(); }

PORTABLE__INLINE void ask_for_checks() noexcept {
  if constexpr (checks == Checks::switched) this_thread = switched_on() ? Switch::on : Switch::off;
}

// Runs a loop, whose kernel is compiled for either case.
template <class F> PORTABLE__INLINE void with_checks(const F &loop) {
  if constexpr (checks == Checks::switched) {
    if (PORTABLE__SELDOM(switched_on())) {
      this_thread = Switch::on;
      loop();
    } else {
      this_thread = Switch::off;
      loop();
    }
  } else {
    loop();
  }
}

[[noreturn]] inline void index_out_of_bounds(const char *what, const char *label, int d, int rank, std::int64_t i, std::int64_t l, std::int64_t u) {
  throw Error(PORTABLE_ERR_ARG, std::string(what) + (label && *label ? std::string(" '") + label + "'" : std::string()) + ": index " +
                                    std::to_string(d + 1) + " of " + std::to_string(rank) + " is " + std::to_string(i) +
                                    ", outside of its bounds " + std::to_string(l) + " to " + std::to_string(u));
}

#if defined(__CUDA_ARCH__)
// In code of a device all indices are looked at where the file is compiled with either macro. One that is out of bounds is printed, and stops the device.
constexpr bool device_looks_at_indices = checks != Checks::none;
static __device__ __forceinline__ void device_index(const char *what, int d, int rank, std::int64_t i, std::int64_t l, std::int64_t u) {
  if (i >= l && i <= u) return;
  printf("%s: index %d of %d is %lld, outside of its bounds %lld to %lld\n", what, d + 1, rank, static_cast<long long>(i), static_cast<long long>(l),
         static_cast<long long>(u));
  __trap();
}
#endif

} // namespace detail
} // namespace portable

#endif
