// portable.hpp - the C++17 face of libportable: loops whose body is a lambda.
//
// In this file: errors as exceptions, bounds, launch configuration, parallel_for, fence. Not in this file: streams and events
// (portable_stream.hpp), reductions and live-outs (portable_reduce.hpp), sorts (portable_sort.hpp), scans and filters (portable_scan.hpp),
// systems of few diagonals (portable_solvers.hpp), transforms (portable_fft.hpp), atomics and hierarchy (portable_atomic.hpp, portable_hierarchy.hpp), timers (portable_timer.hpp), arrays element by element (portable_componentwise.hpp),
// arrays (portable_arrays.hpp), all included here; start, stop and pools (portable.h, included here, serves C++ too).
//
// Two namespaces, as in YAKL: portable::c, where an index that is given by its count alone begins at 0, and
// portable::fortran, where it begins at 1. In both the last index is the fastest, unless the bounds say otherwise.
//
// Rules that hold for everything unless it says otherwise:
//   Errors:     what fails throws portable::Error with the text of portable_last_error. A failed call changes nothing.
//   Exceptions: the first one that a kernel throws is thrown again by the launch; indices whose turn has not come
//               are left out.
//   Threads:    every function may be called from any thread at any time, also inside a kernel.
//   Kernels:    are called once per index, on several threads at once, and are inlined into the loop over a tile, so
//               that the compiler vectorises it. They are const: what they capture by value is not theirs to change.
//
// Clean under -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow as C++17 to C++23.
#ifndef PORTABLE_HPP
#define PORTABLE_HPP

#include "portable.h"
#include "portable_error.hpp"

#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#if defined(__GNUC__)
#define PORTABLE__INLINE inline __attribute__((always_inline))
#define PORTABLE__ALWAYS __attribute__((always_inline)) /* of a lambda */
#define PORTABLE__APART __attribute__((noinline))
#define PORTABLE__SELDOM(x) __builtin_expect((x), 0)
#if defined(__has_builtin)
#if __has_builtin(__builtin_expect_with_probability)
#define PORTABLE__MOSTLY_NOT(x) __builtin_expect_with_probability((x), 0, 0.75) /* not so seldom that calls there are left as calls */
#endif
#endif
#else
#define PORTABLE__INLINE inline
#define PORTABLE__ALWAYS
#define PORTABLE__APART
#define PORTABLE__SELDOM(x) (x)
#endif

#ifndef PORTABLE__MOSTLY_NOT
#define PORTABLE__MOSTLY_NOT(x) (x)
#endif

namespace portable {

// Which index of the bounds is the fastest.  Since: 0.1
enum class Order { last_fastest = PORTABLE_ORDER_C, first_fastest = PORTABLE_ORDER_FORTRAN };

} // namespace portable

// 1: nvcc compiles kernels for a device, too (portable_nvcc.hpp).
#if defined(__CUDACC__) && defined(__CUDACC_EXTENDED_LAMBDA__)
#define PORTABLE__NVCC 1
#else
#define PORTABLE__NVCC 0
#endif
// Before a template that is __host__ __device__, and calls what only the host has for arguments that only the host gives it.
#if defined(__NVCC__)
#define PORTABLE__EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define PORTABLE__EITHER_SIDE
#endif

#include "portable_stream.hpp"
#include "portable_index_checks.hpp"
#include "portable_array_memory.hpp"

namespace portable {

// The distribution of a launch over threads; see portable_launch.h.  Since: 0.1
enum class Schedule {
  standard = PORTABLE_SCHEDULE_DEFAULT,
  fixed = PORTABLE_SCHEDULE_STATIC,
  dynamic = PORTABLE_SCHEDULE_DYNAMIC
};

// One dimension: n, {lower, upper} or {lower, upper, stride}. Both bounds are inclusive; upper < lower is no iteration.
// n counts from `first`. A stride below 1 is reported at the launch, which knows the label.
// Source: YAKL's LBnd.  Since: 0.1
template <int first, class Index> struct Range {
  static_assert(std::is_integral<Index>::value && std::is_signed<Index>::value, "an index is a signed integer");
  std::int64_t lower, upper, stride;
  PORTABLE__HOST_DEVICE constexpr Range(Index n) : lower(first), upper(n < 1 ? first - 1 : std::int64_t{n} - 1 + first), stride(1) {}
  // Converts a wider integer, as an array's extent; Error (ERR_OVERFLOW) where it does not fit the index.
  template <class Wide, std::enable_if_t<std::is_integral<Wide>::value && !std::is_same<Wide, Index>::value && (sizeof(Wide) >= sizeof(Index)), int> = 0>
  PORTABLE__HOST_DEVICE constexpr Range(Wide n) : Range(fitting(n)) {}
  PORTABLE__HOST_DEVICE constexpr Range(Index l, Index u, Index s = 1) : lower(l), upper(u), stride(s) {}

private:
  template <class Wide> static PORTABLE__HOST_DEVICE constexpr Index fitting(Wide n) {
    const Index narrow = static_cast<Index>(n);
#if !defined(__CUDA_ARCH__)
    bool negative = false;
    if constexpr (std::is_signed<Wide>::value) negative = n < 0;
    if (static_cast<Wide>(narrow) != n || (narrow < 0) != negative)
      throw Error(PORTABLE_ERR_OVERFLOW, "portable::Bounds: the count " + std::to_string(n) + " does not fit the loop's integer; take a wider one, "
                                         "as in Bounds<1, portable::Order::last_fastest, std::int64_t>");
#endif
    return narrow;
  }
};

namespace detail {

template <std::size_t, class T> using Same = T;

// A constructor with one parameter for each dimension: not a template, so that braces are understood.
template <class R, class Numbers> struct Ranges;
template <class R, std::size_t... d> struct Ranges<R, std::index_sequence<d...>> {
  R range[sizeof...(d)];
  PORTABLE__HOST_DEVICE constexpr Ranges(Same<d, R>... r) : range{r...} {}
};

} // namespace detail

// An index space of N dimensions, 1 to 8. Index is the type that the kernel is called with: with int a bound that does not
// fit is an error of the compiler or, where the loop's end would not fit, Error (ERR_OVERFLOW).
// Use c::Bounds or fortran::Bounds.  Source: YAKL's Bounds.  Since: 0.1
template <int N, int first, Order order, class Index>
class BasicBounds : private detail::Ranges<Range<first, Index>, std::make_index_sequence<static_cast<std::size_t>(N)>> {
  static_assert(N >= 1 && N <= PORTABLE_LOOP_RANK, "an index space has 1 to 8 dimensions");
  using Base = detail::Ranges<Range<first, Index>, std::make_index_sequence<static_cast<std::size_t>(N)>>;

public:
  using index_type = Index;
  static constexpr int rank = N;
  using Base::Base;

  PORTABLE__HOST_DEVICE std::int64_t lower(int d) const { return this->range[static_cast<std::size_t>(d)].lower; }
  PORTABLE__HOST_DEVICE std::int64_t upper(int d) const { return this->range[static_cast<std::size_t>(d)].upper; }
  PORTABLE__HOST_DEVICE std::int64_t stride(int d) const { return this->range[static_cast<std::size_t>(d)].stride; }

  // The same for C.
  portable_bounds c_bounds() const {
    std::int64_t l[PORTABLE_LOOP_RANK], u[PORTABLE_LOOP_RANK], s[PORTABLE_LOOP_RANK];
    portable_bounds b;
    for (int d = 0; d < N; d++) {
      l[d] = lower(d);
      u[d] = upper(d);
      s[d] = stride(d);
      if (u[d] >= l[d] && u[d] == std::numeric_limits<Index>::max())
        throw Error(PORTABLE_ERR_OVERFLOW, "portable::Bounds: the upper bound of dimension " + std::to_string(d + 1) + " is " +
                                               std::to_string(u[d]) + ", after which its integer ends; take a wider one, as in Bounds<" +
                                               std::to_string(N) + ", std::int64_t>, or a lower bound");
    }
    check(portable_bounds_make(N, static_cast<std::int32_t>(order), l, u, s, &b));
    b.notes = notes_;
    return b;
  }

  // Iterations; Error where a launch would refuse the bounds.
  std::int64_t count() const {
    portable_bounds b = c_bounds();
    std::int64_t n = portable_bounds_count(&b);
    if (n < 0) throw Error(PORTABLE_ERR_ARG, "portable::Bounds: a stride is below 1, or there are more iterations than an integer counts");
    return n;
  }

protected:
  // Dimension d ends one iteration early, and PORTABLE_CHECK=launch says so: for bounds that count as YAKL's do (compat/YAKL.h).
  PORTABLE__HOST_DEVICE void end_early(int d, std::int64_t upper) {
    this->range[static_cast<std::size_t>(d)].upper = upper;
    notes_ |= PORTABLE_BOUNDS_EARLY << d;
  }

private:
  std::int32_t notes_ = 0;
};

// How to launch; what is not set, the engine chooses. Each function gives the object, so that calls can be chained.
// Source: YAKL's LaunchConfig.  Since: 0.1
class LaunchConfig {
public:
  LaunchConfig &set_device(portable_device device) { return c_.device = device, *this; }
  LaunchConfig &set_stream(portable_stream stream) { return c_.stream = stream, *this; }
  LaunchConfig &set_stream(const Stream &stream) { return set_stream(stream.c_stream()); }
  LaunchConfig &set_schedule(Schedule s) { return c_.schedule = static_cast<std::int32_t>(s), *this; }
  // Threads of a block, on devices that have blocks.
  LaunchConfig &set_inner_size(std::int32_t threads) { return c_.block_size = threads, *this; }
  // Runs serially on the host under PORTABLE_B4B=1.
  LaunchConfig &set_bit_for_bit(bool on = true) { return c_.bit_for_bit = on, *this; }
  // Most iterations of a tile in each dimension, in the order of the indices; 0: as many as there are.
  template <class... Sizes> LaunchConfig &set_tile(Sizes... sizes) {
    static_assert(sizeof...(sizes) <= PORTABLE_LOOP_RANK, "a tile has at most 8 dimensions");
    const std::int64_t all[] = {static_cast<std::int64_t>(sizes)..., 0};
    for (std::size_t d = 0; d < PORTABLE_LOOP_RANK; d++) c_.tile[d] = d < sizeof...(sizes) ? all[d] : 0;
    return *this;
  }
  // Tiles begin at multiples of so many iterations from the lower bound, along the index that runs fastest; 0 and 1: anywhere.
  LaunchConfig &set_cut(std::int32_t iterations) { return c_.cut = iterations, *this; }
  // A division of the launch's bounds drives it: it is the shape of the GPU's blocks and of the host's tiles. It is read at the launch, and must
  // exist until then.
  LaunchConfig &set_division(const portable_work_division &division) { return c_.division = &division, *this; }
  LaunchConfig &set_division(const portable_work_division &&) = delete;
  const portable_launch_config &c_config() const { return c_; }

private:
  portable_launch_config c_ = PORTABLE_LAUNCH_CONFIG_INIT;
};

// Divides bounds into blocks of threads x elements indices (portable_division.h), in the order of the indices.
// Errors: Error, as portable_work_divide.  Since: 0.1
template <int N, int first, Order order, class Index>
portable_work_division divide_work(const BasicBounds<N, first, order, Index> &bounds, const std::int64_t (&threads)[static_cast<std::size_t>(N)],
                                   const std::int64_t (&elements)[static_cast<std::size_t>(N)]) {
  const portable_bounds b = bounds.c_bounds();
  portable_work_division division;
  check(portable_work_divide(&b, threads, elements, &division));
  return division;
}

namespace detail {

// The data that the threads of one launch share.
template <class F> struct Launch {
  const F *kernel;
  std::atomic<bool> thrown{false};
  std::exception_ptr exception; // written by who set thrown, read after the launch
};

// Steps from lower to upper. Loops count them, because one step beyond upper may not fit an index.
PORTABLE__INLINE std::int64_t steps_of(const portable_tile &t, int d) {
  const auto distance = static_cast<std::uint64_t>(t.upper[d]) - static_cast<std::uint64_t>(t.lower[d]);
  return static_cast<std::int64_t>(distance / static_cast<std::uint64_t>(t.stride[d]));
}

// The index after k steps. Unsigned, because the distance from lower may not fit, though the index does.
PORTABLE__INLINE std::int64_t after(const portable_tile &t, int d, std::int64_t k) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(t.lower[d]) +
                                   static_cast<std::uint64_t>(k) * static_cast<std::uint64_t>(t.stride[d]));
}

// Calls the kernel: `here` is the index that runs fastest.
template <Order order, class F, class Index, class... I> PORTABLE__INLINE void call_kernel(const F &f, Index here, I... i) {
  if constexpr (order == Order::last_fastest)
    f(i..., here);
  else
    f(here, i...);
}

constexpr int anywhere = std::numeric_limits<int>::min();

// The loops over a tile, the slowest outermost. Done is how many are around this one; i are their indices in the order
// of the bounds. Rows that begin at `first` and step by one have a loop of their own, unless it is `anywhere`: compilers fold the first index into
// addresses, which counts where rows are short.
template <class Index, Order order, int N, int first, int done, class F, class... I>
PORTABLE__INLINE void loops(const portable_tile &t, const F &f, I... i) {
  constexpr int d = order == Order::last_fastest ? done : N - 1 - done;
  if constexpr (done + 1 < N) {
    const std::int64_t steps = steps_of(t, d);
    for (std::int64_t k = 0; k <= steps; k++) {
      const Index here = static_cast<Index>(after(t, d, k));
      if constexpr (order == Order::last_fastest)
        loops<Index, order, N, first, done + 1>(t, f, i..., here);
      else
        loops<Index, order, N, first, done + 1>(t, f, here, i...);
    }
  } else {
    const std::int64_t stride = t.stride[d];
    constexpr bool two = first != anywhere && checks != Checks::switched; // with checks there are two loops already
    if (!two || PORTABLE__MOSTLY_NOT(stride != 1 || t.lower[d] != first)) {
      // One place where the kernel is called, which compilers inline, and a loop by ones, which they vectorise: without a
      // stride the outer loop has one pass, with a stride the inner one.
      const std::int64_t length = stride == 1 ? t.upper[d] - t.lower[d] + 1 : 1, passes = stride == 1 ? 0 : steps_of(t, d);
      for (std::int64_t k = 0; k <= passes; k++) {
        const Index begin = static_cast<Index>(after(t, d, k)), end = static_cast<Index>(after(t, d, k) + length - 1);
        for (Index here = begin; here <= end; ++here) call_kernel<order>(f, here, i...);
      }
    } else if constexpr (two) {
      const Index behind = static_cast<Index>(t.upper[d] + 1); // fits: c_bounds() refuses the greatest index
      for (Index here = first; here < behind; ++here) call_kernel<order>(f, here, i...);
    }
  }
}

template <class Index, Order order, int N, int first = anywhere, class F> PORTABLE__INLINE void tile_loops(const portable_tile &t, const F &f) {
  with_checks([&]() PORTABLE__ALWAYS { loops<Index, order, N, first, 0>(t, f); });
}

// Apart, so that a program has the kernel's loops once, for launches that wait and for those that do not.
template <class Index, Order order, int N, int first, class F> PORTABLE__APART void run_tile_loops(const portable_tile *t, const F *kernel) {
  if constexpr (copied_for_tiles<F>) {
    const F copy = copy_for_tile(*kernel);
    tile_loops<Index, order, N, first>(*t, copy);
  } else {
    tile_loops<Index, order, N, first>(*t, *kernel);
  }
}

template <class Index, Order order, int N, int first, class F> void run_tile(const portable_tile *t, void *args) {
  auto &launch = *static_cast<Launch<F> *>(args);
  try {
    run_tile_loops<Index, order, N, first>(t, launch.kernel);
  } catch (...) {
    if (!launch.thrown.exchange(true)) launch.exception = std::current_exception();
    portable_kernel_fail(t, 1, "the kernel has thrown an exception");
  }
}

// The same of a kernel that the launch has copied, because no thread waits for the launch: an exception becomes a text.
template <class Index, Order order, int N, int first, class F> void run_tile_of_copy(const portable_tile *t, void *args) {
  try {
    run_tile_loops<Index, order, N, first>(t, static_cast<const F *>(args));
  } catch (const std::exception &e) {
    portable_kernel_fail(t, 1, e.what());
  } catch (...) {
    portable_kernel_fail(t, 1, "the kernel has thrown an exception");
  }
}

template <class F> void end_copy(portable_status, void *kernel) { delete static_cast<F *>(kernel); }

// A launch into an asynchronous stream. The stream, or the graph that it records, keeps a copy of the kernel, and destroys it in the end. submit(args,
// bytes) launches; the argument block that it hands over is aligned at 64.
template <class F, class Submit> void enqueue(portable_stream stream, const F &kernel, const Submit &submit) {
  if constexpr (std::is_trivially_copyable<F>::value && alignof(F) <= 64) {
    check(submit(&kernel, sizeof kernel));
  } else {
    auto copy = std::make_unique<F>(kernel);
    check(submit(copy.get(), 0));
    const portable_status status = portable_stream_release(stream, end_copy<F>, copy.get());
    // Without the callback the copy goes here, when the stream has passed it. Inside a kernel of the stream no thread can wait for that.
    if (status == PORTABLE_OK || portable_stream_fence(stream) == PORTABLE_ERR_STATE) copy.release();
    check(status);
  }
}

// Whether a launch into the stream returns before it is done.
inline bool is_asynchronous(portable_stream stream) { return stream != 0 && portable_stream_kind(stream) == PORTABLE_STREAM_ASYNC; }

template <class Index, class F, class Numbers> struct Callable;
template <class Index, class F, std::size_t... d> struct Callable<Index, F, std::index_sequence<d...>> {
  static constexpr bool value = std::is_invocable<const F &, Same<d, Index>...>::value;
};

// A launch of a kernel that host code calls.
template <int N, int first, class Index, Order order, class F>
void host_for(const char *label, const portable_bounds &b, const F &kernel, const portable_launch_config &c) {
  static_assert(Callable<Index, F, std::make_index_sequence<static_cast<std::size_t>(N)>>::value,
                "the kernel takes one index for each dimension of the bounds, and is const (a lambda without `mutable`)");
  ask_for_checks();
  if (is_asynchronous(c.stream))
    return enqueue(c.stream, kernel, [&](const void *args, std::size_t bytes) {
      return portable_parallel_for(label, &b, run_tile_of_copy<Index, order, N, first, F>, args, bytes, &c);
    });
  Launch<F> launch;
  launch.kernel = &kernel;
  const portable_status status = portable_parallel_for(label, &b, run_tile<Index, order, N, first, F>, &launch, 0, &c);
  if (launch.exception) std::rethrow_exception(launch.exception);
  check(status);
}

} // namespace detail

#if PORTABLE__NVCC
} // namespace portable
#include "portable_nvcc.hpp"
namespace portable {
#endif

// Calls kernel(i0, i1, ...) for each index of the bounds, and returns when that is done. label names the launch in messages,
// reports and tools; NULL: "unlabelled".
// Errors: Error with ERR_ARG (stride < 1), ERR_OVERFLOW, ERR_NODEVICE, ERR_STATE, ERR_FORK; whatever the kernel throws.
// Ownership: the kernel and what it refers to must live until the launch is done, which is when this returns. In an asynchronous
// stream it returns at once: the launch has its own copy of the kernel, what that captures by reference must live until the stream
// has passed the launch, and an exception becomes the pending error of the stream (ERR_KERNEL, with its text).
// Under nvcc a PORTABLE_LAMBDA runs on the CUDA device of the launch, if that is one: then it has only begun when this returns, and the kernel throws nothing.
// Source: YAKL's parallel_for.  Since: 0.1
template <int N, int first, Order order, class Index, class F>
void parallel_for(const char *label, const BasicBounds<N, first, order, Index> &bounds, const F &kernel,
                  const LaunchConfig &config = LaunchConfig()) {
  const portable_bounds b = bounds.c_bounds();
  portable_launch_config c = config.c_config();
  c.strided = 1;
#if PORTABLE__NVCC
  if constexpr (runs_on_device<F>) {
    if (detail::gpu_for<N, Index, order>(label, b, kernel, c)) return;
  }
  if constexpr (detail::device_only<F>)
    detail::only_for_devices<F>(label, c);
  else
#endif
    detail::host_for<N, first, Index, order>(label, b, kernel, c);
}

template <int N, int first, Order order, class Index, class F>
void parallel_for(const BasicBounds<N, first, order, Index> &bounds, const F &kernel, const LaunchConfig &config = LaunchConfig()) {
  parallel_for(nullptr, bounds, kernel, config);
}

// Waits until all that was launched is done.
// Errors: Error with ERR_STATE, ERR_FORK, ERR_KERNEL.  Since: 0.1
inline void fence() { check(portable_fence()); }

// Indices that are given by their count begin at 0.  Since: 0.1
namespace c {

template <int N, Order order = Order::last_fastest, class Index = int> using Bounds = BasicBounds<N, 0, order, Index>;
using portable::fence;
using portable::parallel_for;

// One dimension: n, {lower, upper} or {lower, upper, stride}.
template <class F>
void parallel_for(const char *label, Range<0, int> range, const F &kernel, const LaunchConfig &config = LaunchConfig()) {
  portable::parallel_for(label, Bounds<1>(range), kernel, config);
}
template <class F> void parallel_for(Range<0, int> range, const F &kernel, const LaunchConfig &config = LaunchConfig()) {
  portable::parallel_for(nullptr, Bounds<1>(range), kernel, config);
}

} // namespace c

// Indices that are given by their count begin at 1.  Since: 0.1
namespace fortran {

template <int N, Order order = Order::last_fastest, class Index = int> using Bounds = BasicBounds<N, 1, order, Index>;
using portable::fence;
using portable::parallel_for;

// One dimension: n, {lower, upper} or {lower, upper, stride}.
template <class F>
void parallel_for(const char *label, Range<1, int> range, const F &kernel, const LaunchConfig &config = LaunchConfig()) {
  portable::parallel_for(label, Bounds<1>(range), kernel, config);
}
template <class F> void parallel_for(Range<1, int> range, const F &kernel, const LaunchConfig &config = LaunchConfig()) {
  portable::parallel_for(nullptr, Bounds<1>(range), kernel, config);
}

} // namespace fortran

} // namespace portable

#include "portable_reduce.hpp"
#include "portable_sort.hpp"
#include "portable_scan.hpp"
#include "portable_random_fill.hpp"
#include "portable_solvers.hpp"
#include "portable_fft.hpp"
#include "portable_atomic.hpp"
#include "portable_hierarchy.hpp"
#include "portable_arrays.hpp"

#undef PORTABLE__SELDOM
#undef PORTABLE__MOSTLY_NOT
#undef PORTABLE__APART
#undef PORTABLE__ALWAYS
#undef PORTABLE__INLINE

#include "portable_timer.hpp"
#include "portable_componentwise.hpp"

#endif
