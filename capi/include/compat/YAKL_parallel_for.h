// YAKL_parallel_for.h - loops of YAKL: bounds that count as YAKL's, launch configurations, kernels on one and two levels. Part of YAKL.h; include that.
//
// In this file: Bounds and LBnd of both styles, LaunchConfig, parallel_for, parallel_outer and parallel_inner with a range in braces. Not in this
// file: launches themselves (portable.hpp, portable_hierarchy.hpp).
// Source: YAKL's Bounds and LaunchConfig.
#ifndef YAKL_PARALLEL_FOR_H
#define YAKL_PARALLEL_FOR_H

#ifndef YAKL_H
#error "include YAKL.h, which includes this"
#endif

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

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
    stream_ = stream;
    return *this;
  }
  int get_inner_size() const { return c_config().block_size; }
  Stream get_stream() const { return stream_; }

private:
  Stream stream_;
};
using DefaultLaunchConfig = LaunchConfig<>;
template <int VL = YAKL_DEFAULT_VECTOR_LEN> using LaunchConfigB4b = LaunchConfig<VL, true>;
using DefaultLaunchConfigB4b = LaunchConfig<YAKL_DEFAULT_VECTOR_LEN, true>;

// An index space as YAKL counts it: (upper - lower + 1) / stride iterations of each dimension, one less than portable's where the stride does not
// divide. PORTABLE_CHECK=launch warns of the iterations that are left out. simple says that all lower bounds are the first ones, and changes nothing.
template <int N, int first, bool simple = false> class CountedBounds : public portable::BasicBounds<N, first, portable::Order::last_fastest, int> {
  using Base = portable::BasicBounds<N, first, portable::Order::last_fastest, int>;

public:
  using Base::Base;

  // The first index of dimension d, its number of iterations, and its step; d counts from 0.
  YAKL_INLINE int lbound(int d) const { return static_cast<int>(this->lower(d)); }
  YAKL_INLINE int dim(int d) const { return static_cast<int>(length(d)); }
  YAKL_INLINE int stride(int d) const { return static_cast<int>(Base::stride(d)); }
  // The indices of iteration i of nIter, from 0.
  YAKL_INLINE void unpackIndices(index_t i, int *indices) const {
    for (int d = N - 1; d >= 0; d--) {
      const index_t n = length(d);
      indices[d] = lbound(d) + static_cast<int>(i % n) * stride(d);
      i /= n;
    }
  }

private:
  YAKL_INLINE index_t length(int d) const {
    return Base::stride(d) < 1 || this->upper(d) < this->lower(d) ? 0 : static_cast<index_t>((this->upper(d) - this->lower(d)) / Base::stride(d) + 1);
  }
  YAKL_INLINE index_t end_as_yakl() {
    index_t all = 1;
    for (int d = 0; d < N; d++) {
      const std::int64_t lower = this->lower(d), length_ = this->upper(d) - lower + 1, stride = Base::stride(d);
      if (stride > 1 && length_ > 0 && length_ % stride != 0)
        this->end_early(d, length_ < stride ? lower - 1 : lower + (length_ / stride - 1) * stride);
      all *= length(d);
    }
    return all;
  }

public:
  // Iterations.
  index_t nIter = end_as_yakl(); // after the base, whichever constructor it was
};

// One dimension, with YAKL's members: n, {lower, upper} or {lower, upper, stride}.
template <int first> struct LoopBound : portable::Range<first, int> {
  static constexpr int default_lbound = first;
  using portable::Range<first, int>::Range;
  int l = static_cast<int>(this->lower), u = static_cast<int>(this->upper), s = static_cast<int>(this->stride);
  YAKL_INLINE bool valid() const { return s > 0; }
  YAKL_INLINE index_t to_scalar() const { return static_cast<index_t>(u - first + 1); }
};

using portable::fence_inner;
using portable::InnerHandler;
using portable::single_inner;

/* The loops of both styles; FIRST is the lower bound that is left out. The one-dimensional ones take n, {lower, upper} or {lower, upper, stride}: a
 * range in braces becomes an LBnd only where no template parameter has to be found for it, so each style has functions of its own. */
#define PORTABLE__YAKL_LOOPS(FIRST)                                                                                                     \
  template <int N, bool simple = false> using Bounds = CountedBounds<N, FIRST, simple>;                                                 \
  template <int N> using SimpleBounds = Bounds<N, true>;                                                                                \
  using LBnd = LoopBound<FIRST>;                                                                                                        \
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
  template <class F> void parallel_outer(LBnd range, const F &kernel, const portable::OuterConfig &config = portable::OuterConfig()) {  \
    portable::parallel_outer(nullptr, Bounds<1>(range), kernel, config);                                                                \
  }                                                                                                                                     \
  template <class F> YAKL_INLINE void parallel_inner(LBnd range, const F &f, InnerHandler inner) {                                           \
    portable::parallel_inner(Bounds<1>(range), f, inner);                                                                               \
  }

namespace c {
PORTABLE__YAKL_LOOPS(0)
} // namespace c

namespace fortran {
PORTABLE__YAKL_LOOPS(1)
} // namespace fortran

#undef PORTABLE__YAKL_LOOPS

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
