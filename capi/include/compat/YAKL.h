// YAKL.h - the names of YAKL version 1 for programs that are to stay as they are: they compile against this folder, with C++17.
//
// In this file: the namespace yakl and the macros YAKL_... over portable.hpp. Not in this file: what of YAKL there is not, and what is
// different, with the reasons (docs/cxx/yakl-compat.md).
//
// Macros that choose YAKL's build are heeded where the library starts, in yakl::init of the file that was compiled with them: they set what
// the environment has not set. YAKL_DEBUG also has indices checked in the files that are compiled with it.
#ifndef YAKL_H
#define YAKL_H

#if defined(YAKL_DEBUG) && !defined(PORTABLE_RUNTIME_CHECKS)
#define PORTABLE_RUNTIME_CHECKS
#endif

#include <portable.hpp>
#include <portable_random.hpp>

// Headers that YAKL.h has brought and that programs of its have come to rely on. The C headers bring abs() of all arithmetic types into the global
// namespace; with <cstdlib> alone it may be that of int.
#include <math.h>
#include <stdlib.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <mutex>
#include <string>
#include <sstream>
#include <vector>

#define YAKL_LAMBDA PORTABLE_LAMBDA
#define YAKL_DEVICE_LAMBDA PORTABLE_DEVICE_LAMBDA
#define YAKL_CLASS_LAMBDA PORTABLE_CLASS_LAMBDA
#define YAKL_INLINE PORTABLE_INLINE
#define YAKL_DEVICE_INLINE PORTABLE_DEVICE_INLINE
#define YAKL_SCOPE(a, b) PORTABLE_SCOPE(a, b)
#define YAKL_AUTO_LABEL() PORTABLE_AUTO_LABEL()
#define YAKL_CURRENTLY_ON_HOST() PORTABLE_CURRENTLY_ON_HOST()
#define YAKL_CURRENTLY_ON_DEVICE() PORTABLE_CURRENTLY_ON_DEVICE()
#define YAKL_EXECUTE_ON_HOST_ONLY(...) PORTABLE_EXECUTE_ON_HOST_ONLY(__VA_ARGS__)
#define YAKL_EXECUTE_ON_DEVICE_ONLY(...) PORTABLE_EXECUTE_ON_DEVICE_ONLY(__VA_ARGS__)
#if defined(PORTABLE_SEPARATE_MEMORY_SPACE) && !defined(YAKL_SEPARATE_MEMORY_SPACE)
#define YAKL_SEPARATE_MEMORY_SPACE
#endif
#ifndef YAKL_DEFAULT_VECTOR_LEN
#define YAKL_DEFAULT_VECTOR_LEN 128
#endif

namespace yakl {

using portable::index_t;
using portable::COLON;
using portable::memDefault;
using portable::memDevice;
using portable::memHost;
using portable::styleC;
using portable::styleDefault;
using portable::styleFortran;

using portable::Array;
using portable::Bnd;
using portable::Bnds;
using portable::CSArray;
using portable::Dims;
using portable::FSArray;
using portable::SArray;
using portable::SB;
using portable::ScalarLiveOut;
using portable::memset;

using portable::abs;
using portable::max;
using portable::min;

using portable::atomicAdd;
using portable::atomicMax;
using portable::atomicMin;
using portable::ParallelMax;
using portable::ParallelMin;
using portable::ParallelProd;
using portable::ParallelSum;

using portable::fence;
using portable::fence_inner;
using portable::InnerHandler;
using portable::single_inner;

using portable::Event;
using portable::Stream;
using portable::create_stream;
using portable::record_event;
constexpr bool streams_enabled = true;

using portable::timer_get_accumulated_duration;
using portable::timer_get_count;
using portable::timer_get_last_duration;
using portable::timer_get_max_duration;
using portable::timer_get_min_duration;
using portable::timer_print;
using portable::timer_start;
using portable::timer_stop;

using portable::InitConfig;
using portable::finalize;
using portable::isInitialized;

// What YAKL's macros of the build would have done, as settings; the environment's own stay.
inline void settings_of_the_build() {
#if defined(YAKL_AUTO_PROFILE)
  ::setenv("PORTABLE_PROFILE", "1", 0);
#elif defined(YAKL_PROFILE)
  ::setenv("PORTABLE_PROFILE", "user", 0);
#endif
#if defined(YAKL_VERBOSE_FILE) || defined(YAKL_VERBOSE)
  ::setenv("PORTABLE_VERBOSE", "1", 0);
#endif
#if defined(YAKL_B4B)
  ::setenv("PORTABLE_B4B", "1", 0);
#endif
#if defined(YAKL_DEBUG)
  const char *said = std::getenv("PORTABLE_CHECK");
  if (said == nullptr)
    ::setenv("PORTABLE_CHECK", "launch,arrays", 1);
  else if (said == std::string("memory")) // all that yaklcheck asks for without options
    ::setenv("PORTABLE_CHECK", "launch,arrays,memory", 1);
#endif
}

// Errors: portable::Error.
inline void init(const InitConfig &config = InitConfig()) {
  if (!isInitialized()) settings_of_the_build();
  portable::init(config);
}
inline bool yakl_mainproc() { return portable::main_process(); }
// Throws std::runtime_error, out of a kernel too.
[[noreturn]] inline void yakl_throw(const char *text) { throw std::runtime_error(text); }
[[noreturn]] inline void yakl_throw(const std::string &text) { throw std::runtime_error(text); }
inline void check_last_error() {}

// Memory of the pool without an array; the label of free_device is not looked at.
inline void *alloc_device(std::size_t bytes, const char *label) {
  void *p = nullptr;
  if (bytes > 0) portable::check(portable_alloc(bytes, label, &p));
  return p;
}
inline void free_device(void *p, const char * = nullptr) {
  if (p) portable::check(portable_free(p));
}

// Threads of a block, and whether the launch is serial under YAKL_B4B or PORTABLE_B4B=1.
template <int VL = YAKL_DEFAULT_VECTOR_LEN, bool B4B = false> class LaunchConfig : public portable::LaunchConfig {
public:
  LaunchConfig() {
    portable::LaunchConfig::set_inner_size(VL);
    if (B4B) set_bit_for_bit();
  }
  LaunchConfig &set_inner_size(int threads) {
    portable::LaunchConfig::set_inner_size(threads);
    return *this;
  }
  LaunchConfig &set_stream(const Stream &stream) {
    portable::LaunchConfig::set_stream(stream);
    return *this;
  }
  int get_inner_size() const { return c_config().block_size; }
};
using DefaultLaunchConfig = LaunchConfig<>;
template <int VL = YAKL_DEFAULT_VECTOR_LEN> using LaunchConfigB4b = LaunchConfig<VL, true>;
using DefaultLaunchConfigB4b = LaunchConfig<YAKL_DEFAULT_VECTOR_LEN, true>;

// An index space as YAKL counts it: (upper - lower + 1) / stride iterations of each dimension, one less than portable's where the stride does not
// divide. PORTABLE_CHECK=launch warns of the iterations that are left out.
template <int N, int first> class CountedBounds : public portable::BasicBounds<N, first, portable::Order::last_fastest, int> {
  using Base = portable::BasicBounds<N, first, portable::Order::last_fastest, int>;

public:
  using Base::Base;

private:
  bool end_as_yakl() {
    for (int d = 0; d < N; d++) {
      const std::int64_t lower = this->lower(d), length = this->upper(d) - lower + 1, stride = this->stride(d);
      if (stride > 1 && length > 0 && length % stride != 0)
        this->end_early(d, length < stride ? lower - 1 : lower + (length / stride - 1) * stride);
    }
    return true;
  }
  bool counted_ = end_as_yakl(); // after the base, whichever constructor it was
};

/* The loops of both styles; FIRST is the lower bound that is left out. The one-dimensional ones take n, {lower, upper} or {lower, upper, stride}: a
 * range in braces becomes an LBnd only where no template parameter has to be found for it, so each style has functions of its own. */
#define PORTABLE__YAKL_LOOPS(FIRST)                                                                                                     \
  template <int N, bool simple = false> using Bounds = CountedBounds<N, FIRST>;                                                         \
  template <int N> using SimpleBounds = Bounds<N>;                                                                                      \
  using LBnd = portable::Range<FIRST, int>;                                                                                             \
  using portable::parallel_for;                                                                                                         \
  using portable::parallel_inner;                                                                                                       \
  using portable::parallel_outer;                                                                                                       \
  using portable::single_inner;                                                                                                         \
  using portable::fence_inner;                                                                                                          \
  template <class F>                                                                                                                    \
  void parallel_for(const char *label, LBnd range, const F &kernel, const portable::LaunchConfig &config = portable::LaunchConfig()) {  \
    portable::parallel_for(label, Bounds<1>(range), kernel, config);                                                                    \
  }                                                                                                                                     \
  template <class F> void parallel_for(LBnd range, const F &kernel, const portable::LaunchConfig &config = portable::LaunchConfig()) {  \
    portable::parallel_for(nullptr, Bounds<1>(range), kernel, config);                                                                  \
  }                                                                                                                                     \
  template <class F>                                                                                                                    \
  void parallel_outer(const char *label, LBnd range, const F &kernel, const portable::OuterConfig &config = portable::OuterConfig()) {  \
    portable::parallel_outer(label, Bounds<1>(range), kernel, config);                                                                  \
  }                                                                                                                                     \
  template <class F> inline void parallel_inner(LBnd range, const F &f, InnerHandler inner) {                                           \
    portable::parallel_inner(Bounds<1>(range), f, inner);                                                                               \
  }

namespace c {
PORTABLE__YAKL_LOOPS(0)
} // namespace c

namespace fortran {
PORTABLE__YAKL_LOOPS(1)
} // namespace fortran

#undef PORTABLE__YAKL_LOOPS

// Random numbers one after another, of a generator that a seed begins: YAKL's interface over the numbers of portable_random.h, so others than YAKL's.
// In a kernel each iteration makes its own one, with a seed of its own, such as the number of the cell.
class Random {
 public:
  typedef unsigned long long u8;
  YAKL_INLINE Random(u8 seed = 1368976481) { set_seed(seed); }
  YAKL_INLINE void set_seed(u8 seed) {
    key = portable_random_key_make(static_cast<std::int64_t>(seed), 0, 0x59414b4c);
    next = 0;
  }
  // 64 bits.
  YAKL_INLINE u8 gen() { return portable_random_bits(key, next++, 0); }
  // Between 0 and 1, without both; T is a floating-point type.
  template <class T> YAKL_INLINE T genFP() {
    const u8 bits = gen();
    return sizeof(T) == sizeof(float) ? static_cast<T>(portable__random_uniform32(bits)) : static_cast<T>(portable__random_uniform64(bits));
  }
  template <class T> YAKL_INLINE T genFP(T lb, T ub) { return genFP<T>() * (ub - lb) + lb; }

 private:
  portable_random_key key;
  std::int64_t next;
};

namespace intrinsics = portable::intrinsics;
namespace componentwise = portable::componentwise;

} // namespace yakl

#endif
