// portable_hierarchy.hpp - parallel_outer and parallel_inner with lambdas. Part of portable.hpp; include that.
//
// The rules at the head of portable_hierarchy.h hold. An outer lambda takes its indices and an InnerHandler, which the inner calls take
// last, as in YAKL; unlike there an inner loop may be longer than a block has threads.
#ifndef PORTABLE_HIERARCHY_HPP
#define PORTABLE_HIERARCHY_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

// The team of one outer iteration, for the calls inside it. Valid during the call of the outer lambda; copied freely.
// Source: YAKL's InnerHandler.  Since: 0.1
class InnerHandler {
public:
  PORTABLE__HOST_DEVICE explicit InnerHandler(const portable_team &team) : team_(&team) {}
  // Members of the team, and the calling one, from 0: 1 and 0 on the host, but for PORTABLE_TEAM_SIZE.
  PORTABLE__HOST_DEVICE int team_size() const { return team_->size; }
  PORTABLE__HOST_DEVICE int member() const { return team_->member; }
  PORTABLE__HOST_DEVICE std::size_t scratch_bytes() const { return team_->scratch_bytes; }
  // `count` elements of the team's scratch, from its byte `offset` on; of any content. Throws Error (ERR_ARG) where they do not fit.
  template <class T> PORTABLE__HOST_DEVICE T *scratch(std::size_t count, std::size_t offset = 0) const {
    static_assert(std::is_trivially_copyable<T>::value, "the scratch is not constructed");
#if !defined(__CUDA_ARCH__)
    const std::size_t all = team_->scratch_bytes;
    if (offset > all || count > (all - offset) / sizeof(T) || offset % alignof(T) != 0)
      throw Error(PORTABLE_ERR_ARG, "InnerHandler::scratch: " + std::to_string(count) + " elements of " + std::to_string(sizeof(T)) +
                                        " bytes from byte " + std::to_string(offset) + " on do not fit, or are not aligned, in the " +
                                        std::to_string(all) + " bytes that the launch has asked for with set_scratch");
#else
    (void)count;
#endif
    return reinterpret_cast<T *>(static_cast<char *>(team_->scratch) + offset);
  }
  PORTABLE__HOST_DEVICE const portable_team &c_team() const { return *team_; }

private:
  const portable_team *team_;
};

namespace detail {
template <int N, Order order, class Index, std::size_t... d>
BasicBounds<N, 0, order, Index> grid_of(const portable_work_division &w, std::index_sequence<d...>) {
  return BasicBounds<N, 0, order, Index>(Range<0, Index>(w.blocks[d])...);
}
} // namespace detail

// A LaunchConfig, and the bytes of scratch of each team.  Since: 0.1
class OuterConfig {
public:
  OuterConfig(const LaunchConfig &launch = LaunchConfig()) : launch_(launch) {}
  // At most PORTABLE_SCRATCH_MAX on the host; 48 KiB are available everywhere.
  OuterConfig &set_scratch(std::size_t bytes) { return scratch_bytes_ = bytes, *this; }
  const portable_launch_config &c_config() const { return launch_.c_config(); }
  std::size_t scratch_bytes() const { return scratch_bytes_; }

private:
  LaunchConfig launch_;
  std::size_t scratch_bytes_ = 0;
};

// The blocks of a division of N dimensions as the bounds of parallel_outer; with set_division(division) in its configuration the team of each
// block has the division's threads as members, on devices that have teams of several.
// Errors: Error with ERR_ARG (another N or order), ERR_OVERFLOW (Index does not hold them).  Since: 0.1
template <int N, Order order = Order::last_fastest, class Index = int>
BasicBounds<N, 0, order, Index> work_grid(const portable_work_division &division) {
  if (division.rank != N || division.order != static_cast<std::int32_t>(order))
    throw Error(PORTABLE_ERR_ARG, "work_grid: the division has " + std::to_string(division.rank) + " dimensions, and " + std::to_string(N) +
                                      " are asked for, or the order of its indices is another one");
  return detail::grid_of<N, order, Index>(division, std::make_index_sequence<static_cast<std::size_t>(N)>());
}

// Calls f(lower, upper), const std::int64_t * both, with each box of indices that the calling member does of its block: portable_work_part. A box
// beyond the index space has upper[d] < lower[d].  Since: 0.1
PORTABLE__EITHER_SIDE template <class F> PORTABLE__HOST_DEVICE PORTABLE__INLINE void for_parts(const portable_work_division &division, InnerHandler inner, const F &f) {
  std::int64_t lower[PORTABLE_LOOP_RANK], upper[PORTABLE_LOOP_RANK];
  for (std::int32_t part = 0; portable_work_part(&division, &inner.c_team(), part, lower, upper); part++)
    f(static_cast<const std::int64_t *>(lower), static_cast<const std::int64_t *>(upper));
}

namespace detail {

PORTABLE__EITHER_SIDE template <class Index, class F, std::size_t... d>
PORTABLE__HOST_DEVICE PORTABLE__INLINE void call_outer(const portable_team &t, const F &f, std::index_sequence<d...>) {
  f(static_cast<Index>(t.index[d])..., InnerHandler(t));
}

template <class Index, int N, class F> PORTABLE__INLINE void call_team(const portable_team &t, const F &shared) {
  ask_for_checks();
  if constexpr (copied_for_tiles<F>) {
    const F kernel = copy_for_tile(shared); // its own: what it stores can then not change what it has captured
    call_outer<Index>(t, kernel, std::make_index_sequence<static_cast<std::size_t>(N)>());
  } else {
    call_outer<Index>(t, shared, std::make_index_sequence<static_cast<std::size_t>(N)>());
  }
}

template <class Index, int N, class F> void run_team(const portable_team *t, void *args) {
  auto &launch = *static_cast<Launch<F> *>(args);
  try {
    call_team<Index, N>(*t, *launch.kernel);
  } catch (...) {
    if (!launch.thrown.exchange(true)) launch.exception = std::current_exception();
    portable_kernel_fail(t->tile, 1, "the kernel has thrown an exception");
  }
}

// The same of a kernel that the launch has copied; see run_tile_of_copy.
template <class Index, int N, class F> void run_team_of_copy(const portable_team *t, void *args) {
  try {
    call_team<Index, N>(*t, *static_cast<const F *>(args));
  } catch (const std::exception &e) {
    portable_kernel_fail(t->tile, 1, e.what());
  } catch (...) {
    portable_kernel_fail(t->tile, 1, "the kernel has thrown an exception");
  }
}

template <class Index, class F, class Numbers> struct OuterCallable;
template <class Index, class F, std::size_t... d> struct OuterCallable<Index, F, std::index_sequence<d...>> {
  static constexpr bool value = std::is_invocable<const F &, Same<d, Index>..., InnerHandler>::value;
};

// The inner index space as a tile; false: there is nothing to do. All of it is inlined, so that short inner loops cost nothing but
// themselves. On the host a team is one thread, so the tile is the whole space.
template <int N, int first, Order order, class Index>
PORTABLE__INLINE bool inner_tile(const BasicBounds<N, first, order, Index> &bounds, portable_tile &t) {
  for (int d = 0; d < N; d++) {
    const std::int64_t lower = bounds.lower(d), upper = bounds.upper(d), stride = bounds.stride(d);
    if (stride < 1) throw Error(PORTABLE_ERR_ARG, "parallel_inner: the stride of dimension " + std::to_string(d + 1) + " is " +
                                                      std::to_string(stride) + "; it is 1 or more");
    if (upper < lower) return false;
    if (upper == std::numeric_limits<Index>::max()) bounds.c_bounds(); // throws: after it the integer ends
    t.lower[d] = lower;
    const std::uint64_t distance = static_cast<std::uint64_t>(upper) - static_cast<std::uint64_t>(lower); // may not fit int64_t
    t.upper[d] = stride == 1 ? upper : upper - static_cast<std::int64_t>(distance % static_cast<std::uint64_t>(stride));
    t.stride[d] = stride;
  }
  return true;
}

// The part of a member of a team of several, which the host has under PORTABLE_TEAM_SIZE only: out of the way of the other loops.
template <int N, int first, Order order, class Index, class F>
#if defined(__GNUC__)
__attribute__((noinline, cold))
#endif
void member_loops(const BasicBounds<N, first, order, Index> &bounds, const F &f, const portable_team &team) {
  portable_tile t;
  if (inner_tile(bounds, t) && portable_inner_members(&team, N, t.lower, t.upper, t.stride)) tile_loops<Index, order, N>(t, f);
}

// Calls f for all inner indices, whichever member calls.
template <int N, int first, Order order, class Index, class F>
PORTABLE__INLINE bool all_loops(const BasicBounds<N, first, order, Index> &bounds, const F &f) {
  portable_tile t;
  if (!inner_tile(bounds, t)) return false;
  tile_loops<Index, order, N>(t, f);
  return true;
}

// The type of f's result for inner indices.
template <class Index, class F, std::size_t... d> PORTABLE__HOST_DEVICE auto inner_value(const F &f, std::index_sequence<d...>) {
  return f(Same<d, Index>{}...);
}

// A launch of a kernel that host code calls.
template <int N, class Index, class F> void host_outer(const char *label, const portable_bounds &b, const F &kernel, const OuterConfig &config) {
  static_assert(OuterCallable<Index, F, std::make_index_sequence<static_cast<std::size_t>(N)>>::value,
                "the kernel takes one index for each dimension of the bounds and an InnerHandler, and is const (no `mutable`)");
  const portable_launch_config &c = config.c_config();
  if (is_asynchronous(c.stream))
    return enqueue(c.stream, kernel, [&](const void *args, std::size_t bytes) {
      return portable_parallel_outer(label, &b, run_team_of_copy<Index, N, F>, args, bytes, config.scratch_bytes(), &c);
    });
  Launch<F> launch;
  launch.kernel = &kernel;
  const portable_status status = portable_parallel_outer(label, &b, run_team<Index, N, F>, &launch, 0, config.scratch_bytes(), &c);
  if (launch.exception) std::rethrow_exception(launch.exception);
  check(status);
}

} // namespace detail

#if PORTABLE__NVCC
} // namespace portable
#include "portable_nvcc_team.hpp"
namespace portable {
#endif

// Calls kernel(i0, i1, ..., InnerHandler) for each outer index of the bounds, and returns when that is done; in an asynchronous stream at
// once, as parallel_for does. The iterations are shared out as those of parallel_for; what is inside one of them is one team's.
// Errors, exceptions, ownership: as parallel_for; Error with ERR_ARG for more scratch than there is.
// Source: YAKL's parallel_outer.  Since: 0.1
template <int N, int first, Order order, class Index, class F>
void parallel_outer(const char *label, const BasicBounds<N, first, order, Index> &bounds, const F &kernel,
                    const OuterConfig &config = OuterConfig()) {
  const portable_bounds b = bounds.c_bounds();
#if PORTABLE__NVCC
  if constexpr (runs_on_device<F>) {
    if (detail::gpu_outer<N, Index>(label, b, kernel, config)) return;
  }
  if constexpr (detail::device_only<F>)
    detail::only_for_devices<F>(label, config.c_config());
  else
#endif
    detail::host_outer<N, Index>(label, b, kernel, config);
}

template <int N, int first, Order order, class Index, class F>
void parallel_outer(const BasicBounds<N, first, order, Index> &bounds, const F &kernel, const OuterConfig &config = OuterConfig()) {
  parallel_outer(nullptr, bounds, kernel, config);
}

// Calls f(k0, k1, ...) for each inner index, inlined into a loop that compilers vectorise. Bounds may be of any length. Does not wait for
// the other members of the team: fence_inner does.
// Errors: Error with ERR_ARG (stride < 1), ERR_OVERFLOW (the loop's end does not fit the index); they come out of parallel_outer.
// Source: YAKL's parallel_inner.  Since: 0.1
PORTABLE__EITHER_SIDE template <int N, int first, Order order, class Index, class F>
PORTABLE__HOST_DEVICE PORTABLE__INLINE void parallel_inner(const BasicBounds<N, first, order, Index> &bounds, const F &f, InnerHandler inner) {
#if defined(__CUDA_ARCH__)
  (void)inner;
  detail::block_loops(bounds, f);
#else
  if (PORTABLE__SELDOM(inner.team_size() > 1)) return detail::member_loops(bounds, f, inner.c_team());
  detail::all_loops(bounds, f);
#endif
}

// The sum, the smallest and the largest of f(k0, k1, ...) over the inner indices, for all members of the team; a fence, too. Without indices: 0, the
// largest and the lowest number. The order is that of the indices, so the bits do not depend on how many threads there are. NaN: a
// sum becomes NaN; minimum and maximum leave it out, and are infinity and -infinity where there is nothing else.  Since: 0.1
PORTABLE__EITHER_SIDE template <int N, int first, Order order, class Index, class F>
PORTABLE__HOST_DEVICE PORTABLE__INLINE auto inner_sum(const BasicBounds<N, first, order, Index> &bounds, const F &f, InnerHandler inner) {
  using T = decltype(detail::inner_value<Index>(f, std::make_index_sequence<static_cast<std::size_t>(N)>()));
#if defined(__CUDA_ARCH__)
  (void)inner;
  return detail::block_sum<T>(bounds, f);
#else
  T sum{};
  portable_fence_inner(&inner.c_team()); // each member of a team of the host adds up all of it
  detail::all_loops(bounds, [&](auto... k) { sum = static_cast<T>(sum + f(k...)); });
  portable_fence_inner(&inner.c_team());
  return sum;
#endif
}
PORTABLE__EITHER_SIDE template <int N, int first, Order order, class Index, class F>
PORTABLE__HOST_DEVICE PORTABLE__INLINE auto inner_min(const BasicBounds<N, first, order, Index> &bounds, const F &f, InnerHandler inner) {
  using T = decltype(detail::inner_value<Index>(f, std::make_index_sequence<static_cast<std::size_t>(N)>()));
#if defined(__CUDA_ARCH__)
  (void)inner;
  return detail::block_min<T>(bounds, f);
#else
  using L = std::numeric_limits<T>;
  T least = L::has_infinity ? L::infinity() : L::max(); // so that of infinities alone one is the smallest
  portable_fence_inner(&inner.c_team());
  if (!detail::all_loops(bounds, [&](auto... k) { const T a = f(k...); least = a < least ? a : least; })) least = L::max();
  portable_fence_inner(&inner.c_team());
  return least;
#endif
}
PORTABLE__EITHER_SIDE template <int N, int first, Order order, class Index, class F>
PORTABLE__HOST_DEVICE PORTABLE__INLINE auto inner_max(const BasicBounds<N, first, order, Index> &bounds, const F &f, InnerHandler inner) {
  using T = decltype(detail::inner_value<Index>(f, std::make_index_sequence<static_cast<std::size_t>(N)>()));
#if defined(__CUDA_ARCH__)
  (void)inner;
  return detail::block_max<T>(bounds, f);
#else
  using L = std::numeric_limits<T>;
  T most = L::has_infinity ? static_cast<T>(-L::infinity()) : L::lowest();
  portable_fence_inner(&inner.c_team());
  if (!detail::all_loops(bounds, [&](auto... k) { const T a = f(k...); most = a > most ? a : most; })) most = L::lowest();
  portable_fence_inner(&inner.c_team());
  return most;
#endif
}

// Calls f once for the team.  Source: YAKL's single_inner.  Since: 0.1
PORTABLE__EITHER_SIDE template <class F> PORTABLE__HOST_DEVICE PORTABLE__INLINE void single_inner(const F &f, InnerHandler inner) {
  if (portable_single_inner(&inner.c_team())) f();
}

// Waits until all members of the team are here; every one of them calls it.  Source: YAKL's fence_inner.  Since: 0.1
PORTABLE__HOST_DEVICE PORTABLE__INLINE void fence_inner(InnerHandler inner) { portable_fence_inner(&inner.c_team()); }

// One dimension, outer and inner: n, {lower, upper} or {lower, upper, stride}, from 0 or from 1 on.
namespace c {
using portable::fence_inner;
using portable::parallel_inner;
using portable::parallel_outer;
using portable::single_inner;
template <class F>
void parallel_outer(const char *label, Range<0, int> range, const F &kernel, const OuterConfig &config = OuterConfig()) {
  portable::parallel_outer(label, Bounds<1>(range), kernel, config);
}
PORTABLE__EITHER_SIDE template <class F> PORTABLE__HOST_DEVICE PORTABLE__INLINE void parallel_inner(Range<0, int> range, const F &f, InnerHandler inner) {
  portable::parallel_inner(Bounds<1>(range), f, inner);
}
} // namespace c

namespace fortran {
using portable::fence_inner;
using portable::parallel_inner;
using portable::parallel_outer;
using portable::single_inner;
template <class F>
void parallel_outer(const char *label, Range<1, int> range, const F &kernel, const OuterConfig &config = OuterConfig()) {
  portable::parallel_outer(label, Bounds<1>(range), kernel, config);
}
PORTABLE__EITHER_SIDE template <class F> PORTABLE__HOST_DEVICE PORTABLE__INLINE void parallel_inner(Range<1, int> range, const F &f, InnerHandler inner) {
  portable::parallel_inner(Bounds<1>(range), f, inner);
}
} // namespace fortran

} // namespace portable

#endif
