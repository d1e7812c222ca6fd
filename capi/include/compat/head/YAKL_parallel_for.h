// YAKL_parallel_for.h - loops of YAKL's HEAD: LoopSpec, Bounds, Config, parallel_for and their twins of Fortran's style. Part of compat/head/YAKL.h;
// include that.
//
// In this file: bounds with YAKL's members, and launches of them. Not in this file: launches themselves (portable.hpp); autotune
// (YAKL_parallel_for_autotune.h). A launch is done when it returns.
// Errors: portable::Error, as portable::parallel_for; what the kernel throws.
// Source: YAKL's LoopSpec, Bounds, Config, parallel_for.
#ifndef PORTABLE_YAKL_HEAD_PARALLEL_FOR
#define PORTABLE_YAKL_HEAD_PARALLEL_FOR

#ifndef PORTABLE_YAKL_HEAD
#error "include YAKL.h, which includes this"
#endif

namespace yakl {

namespace internal {

// n as an index. Never another number than n: with 32 bits a loop over 2^32 would be one over nothing.
template <std::integral I> index_t index_of(I n) {
  const auto index = static_cast<index_t>(n);
  if (static_cast<I>(index) != n || (index > 0) != (n > I(0)))
    throw portable::Error(PORTABLE_ERR_ARG, "bounds: " + std::to_string(n) + " is no index of " + std::to_string(index_bits) + " bits; YAKL_INDEX_BITS says how many");
  return index;
}

} // namespace internal

// One dimension: n, {lower, upper} or {lower, upper, stride}; both bounds are inclusive.
class LoopSpec {
public:
  static constexpr bool is_cstyle = true, is_fstyle = false;
  static constexpr index_t default_lbound = 0;
  index_t l = -1, u = -1, s = -1;
  LoopSpec() = default;
  LoopSpec(std::integral auto n) : l(0), u(internal::index_of(n) - 1), s(1) {}
  LoopSpec(std::integral auto lower, std::integral auto upper) : l(internal::index_of(lower)), u(internal::index_of(upper)), s(1) {}
  LoopSpec(std::integral auto lower, std::integral auto upper, std::integral auto stride)
      : l(internal::index_of(lower)), u(internal::index_of(upper)), s(internal::index_of(stride)) {}
  bool valid() const { return s > 0; }
  uindex_t index_range() const { return u < l || s < 1 ? 0 : static_cast<uindex_t>((u - l) / s + 1); }
};
class LoopSpec_F {
public:
  static constexpr bool is_cstyle = false, is_fstyle = true;
  static constexpr index_t default_lbound = 1;
  index_t l = -1, u = -1, s = -1;
  LoopSpec_F() = default;
  LoopSpec_F(std::integral auto n) : l(1), u(internal::index_of(n)), s(1) {}
  LoopSpec_F(std::integral auto lower, std::integral auto upper) : l(internal::index_of(lower)), u(internal::index_of(upper)), s(1) {}
  LoopSpec_F(std::integral auto lower, std::integral auto upper, std::integral auto stride)
      : l(internal::index_of(lower)), u(internal::index_of(upper)), s(internal::index_of(stride)) {}
  bool valid() const { return s > 0; }
  uindex_t index_range() const { return u < l || s < 1 ? 0 : static_cast<uindex_t>((u - l) / s + 1); }
};

namespace internal {

template <class Style> using SpecOf = std::conditional_t<is_CStyle<Style>, LoopSpec, LoopSpec_F>;

// Iterations, and those of all dimensions that are faster than each.
template <int N> struct Flat {
  using unsigned_t = uindex_t;
  using signed_t = index_t;
  unsigned_t nIter = 1;
  std::array<unsigned_t, static_cast<std::size_t>(N)> offs;
  void set(const std::array<unsigned_t, static_cast<std::size_t>(N)> &n) {
    for (int d = N - 1; d >= 0; d--) {
      offs[static_cast<std::size_t>(d)] = nIter;
      const unsigned_t extent = n[static_cast<std::size_t>(d)];
      if (extent > 0 && nIter > std::numeric_limits<unsigned_t>::max() / extent)
        throw portable::Error(PORTABLE_ERR_ARG, "bounds: the iterations of all dimensions are more than " + std::to_string(std::numeric_limits<unsigned_t>::max()) +
                                                    "; dimension " + std::to_string(d) + " has " + std::to_string(extent));
      nIter *= extent;
    }
  }
  // The number of the iteration along dimension d; `all` keeps the rest for the faster ones.
  KOKKOS_FORCEINLINE_FUNCTION unsigned_t take(unsigned_t &all, std::size_t d) const {
    const unsigned_t k = all / offs[d];
    all -= k * offs[d];
    return k;
  }
};

} // namespace internal

template <int N, class Style = CStyle, bool Simple = false> class Bounds;

// Extents alone: from 0, or from 1. An extent of 0 is no iteration.
template <int N, class Style> class Bounds<N, Style, true> : public internal::Flat<N> {
  static_assert(N >= 1 && N <= 8, "an index space has 1 to 8 dimensions");

public:
  using typename internal::Flat<N>::unsigned_t;
  static constexpr bool is_cstyle = is_CStyle<Style>, is_fstyle = is_FStyle<Style>;
  static constexpr unsigned_t default_lbound = is_cstyle ? 0 : 1;
  Bounds(std::integral auto... n) {
    static_assert(sizeof...(n) == N, "as many extents as the bounds have dimensions");
    const index_t extents[] = {internal::index_of(n)...};
    std::array<unsigned_t, static_cast<std::size_t>(N)> all;
    for (std::size_t d = 0; d < N; d++) all[d] = static_cast<unsigned_t>(extents[d] < 0 ? 0 : extents[d]);
    this->set(all);
  }
  // The indices of iteration i of nIter, from 0.
  template <std::same_as<unsigned_t>... I> requires(sizeof...(I) == N) KOKKOS_INLINE_FUNCTION void unpack(unsigned_t i, I &...index) const {
    std::size_t d = 0;
    ((index = this->take(i, d++) + default_lbound), ...);
  }
};

template <int N, class Style>
class Bounds<N, Style, false> : private portable::detail::Ranges<internal::SpecOf<Style>, std::make_index_sequence<static_cast<std::size_t>(N)>>,
                                public internal::Flat<N> {
  static_assert(N >= 1 && N <= 8, "an index space has 1 to 8 dimensions");
  using Base = portable::detail::Ranges<internal::SpecOf<Style>, std::make_index_sequence<static_cast<std::size_t>(N)>>;

public:
  using typename internal::Flat<N>::unsigned_t;
  using typename internal::Flat<N>::signed_t;
  using LS = internal::SpecOf<Style>;
  static constexpr bool is_cstyle = is_CStyle<Style>, is_fstyle = is_FStyle<Style>;
  using Base::Base;
  std::array<signed_t, static_cast<std::size_t>(N)> lbounds = of_ranges<signed_t>([](const LS &r) { return r.l; });
  std::array<unsigned_t, static_cast<std::size_t>(N)> strides = of_ranges<unsigned_t>([](const LS &r) { return static_cast<unsigned_t>(r.s); });
  // The indices of iteration i of nIter, from 0.
  template <std::same_as<signed_t>... I> requires(sizeof...(I) == N) KOKKOS_INLINE_FUNCTION void unpack(unsigned_t i, I &...index) const {
    std::size_t d = 0;
    ((index = lbounds[d] + static_cast<signed_t>(this->take(i, d) * strides[d]), d++), ...);
  }

private:
  template <class U, class F> std::array<U, static_cast<std::size_t>(N)> of_ranges(const F &f) const {
    std::array<U, static_cast<std::size_t>(N)> all;
    for (std::size_t d = 0; d < N; d++) all[d] = f(this->range[d]);
    return all;
  }
  static unsigned_t count(const LS &r) {
    if (!r.valid()) throw portable::Error(PORTABLE_ERR_ARG, "bounds: a dimension has the stride " + std::to_string(r.s) + "; a stride is 1 or more");
    return r.index_range();
  }
  bool counted_ = (this->set(of_ranges<unsigned_t>(count)), true); // after the base, whichever constructor it was
};

template <int N> using SimpleBounds = Bounds<N, CStyle, true>;
template <int N> using SimpleBounds_F = Bounds<N, FStyle, true>;
template <int N> using Bounds_F = Bounds<N, FStyle, false>;

// The most threads of a block, 0: as many as the device's default, and the iterations of a tile in each dimension, 1 for all: no tiles.
template <int MaxThreadsPerBlock = 0> requires(MaxThreadsPerBlock >= 0) struct Config {
  static constexpr int Thr = MaxThreadsPerBlock, max_dimensions = 8;
  std::array<uindex_t, 8> tiles = {1, 1, 1, 1, 1, 1, 1, 1};
  Config() = default;
  template <std::integral... T> requires(sizeof...(T) > 0 && sizeof...(T) <= 8) explicit Config(T... tile) {
    const bool positive[] = {tile > T(0)...};
    for (bool p : positive)
      if (!p) throw portable::Error(PORTABLE_ERR_ARG, "yakl::Config: a tile has 1 iteration or more in each dimension");
    const uindex_t sizes[] = {static_cast<uindex_t>(tile)...};
    std::copy(std::begin(sizes), std::end(sizes), tiles.begin());
  }
};

namespace internal {

template <int N, int threads> portable::LaunchConfig launch_config(const Config<threads> &config) {
  portable::LaunchConfig c;
  if (threads > 0) c.set_inner_size(threads);
  if (std::any_of(config.tiles.begin(), config.tiles.begin() + N, [](uindex_t n) { return n != 1; }))
    std::apply([&c](auto... n) { c.set_tile(n...); }, config.tiles);
  return c;
}

// Calls the kernel with YAKL's type of indices. The loop counts with the narrower one where the bounds allow it: a kernel that takes int would cut a
// wider index, and a cut index does not step evenly, so that compilers would not vectorise the loop.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" // a kernel that takes int, as YAKL's own programs write it
#endif
template <class F, class U, class Index> struct WithIndices {
  F kernel;
#if defined(__CUDACC_EXTENDED_LAMBDA__)
  using runs_on_device = std::bool_constant<portable::runs_on_device<F>>; // this class is no lambda, which nvcc would know
#endif
  template <std::same_as<Index>... I> KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const { kernel(static_cast<U>(i)...); }
};
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

template <int N> using Numbers = std::array<std::int64_t, static_cast<std::size_t>(N)>;

template <class U, class Index, int N, int first, class F>
void launch(const char *label, const Numbers<N> &lower, const Numbers<N> &upper, const Numbers<N> &stride, const F &kernel,
            const portable::LaunchConfig &config) {
  using Loop = portable::BasicBounds<N, first, portable::Order::last_fastest, Index>;
  const auto range = [&](std::size_t d) {
    return portable::Range<first, Index>(static_cast<Index>(lower[d]), static_cast<Index>(upper[d]), static_cast<Index>(stride[d]));
  };
  const Loop bounds = [&]<std::size_t... d>(std::index_sequence<d...>) { return Loop(range(d)...); }(std::make_index_sequence<static_cast<std::size_t>(N)>());
  portable::parallel_for(label, bounds, WithIndices<F, U, Index>{kernel}, config);
}

// Iterations along dimension d.
template <int N, class Style, bool Simple> uindex_t extent(const Bounds<N, Style, Simple> &bounds, std::size_t d) {
  return d == 0 ? bounds.nIter / bounds.offs[0] : bounds.offs[d - 1] / bounds.offs[d];
}

template <int N, class Style, bool Simple, class F>
void launch(const std::string &label, const Bounds<N, Style, Simple> &bounds, const F &kernel, const portable::LaunchConfig &config) {
  if (bounds.nIter == 0) return;
  Numbers<N> lower, upper, stride;
  std::int64_t widest = 0;
  for (int k = 0; k < N; k++) {
    const auto d = static_cast<std::size_t>(k);
    const auto n = static_cast<std::int64_t>(extent(bounds, d));
    if constexpr (Simple)
      lower[d] = static_cast<std::int64_t>(bounds.default_lbound), stride[d] = 1;
    else
      lower[d] = bounds.lbounds[d], stride[d] = static_cast<std::int64_t>(bounds.strides[d]);
    upper[d] = lower[d] + (n - 1) * stride[d];
    widest = std::max({widest, upper[d], -lower[d], stride[d]});
  }
  using U = std::conditional_t<Simple, uindex_t, index_t>;
  constexpr int first = is_CStyle<Style> ? 0 : 1;
  if (widest < std::numeric_limits<int>::max())
    launch<U, int, N, first>(label.c_str(), lower, upper, stride, kernel, config);
  else
    launch<U, std::int64_t, N, first>(label.c_str(), lower, upper, stride, kernel, config);
}

} // namespace internal

// Calls kernel(i0, i1, ...) for each index, on several threads at once. Without a label the launch has none in reports.
template <int N, class Style, bool Simple, class F, int threads = 0>
void parallel_for(const std::string &label, const Bounds<N, Style, Simple> &bounds, const F &kernel, const Config<threads> &config = Config<threads>()) {
  internal::launch(label, bounds, kernel, internal::launch_config<N>(config));
}
template <int N, class Style, bool Simple, class F, int threads = 0>
void parallel_for(const Bounds<N, Style, Simple> &bounds, const F &kernel, const Config<threads> &config = Config<threads>()) {
  parallel_for(std::string("unlabelled"), bounds, kernel, config);
}
template <class F, int threads = 0> void parallel_for(std::integral auto n, const F &kernel, const Config<threads> &config = Config<threads>()) {
  parallel_for(std::string("unlabelled"), SimpleBounds<1>(n), kernel, config);
}
template <class F, int threads = 0>
void parallel_for(const std::string &label, std::integral auto n, const F &kernel, const Config<threads> &config = Config<threads>()) {
  parallel_for(label, SimpleBounds<1>(n), kernel, config);
}

template <int N, bool Simple, class F, int threads = 0>
void parallel_for_F(const std::string &label, const Bounds<N, FStyle, Simple> &bounds, const F &kernel, const Config<threads> &config = Config<threads>()) {
  parallel_for(label, bounds, kernel, config);
}
template <int N, bool Simple, class F, int threads = 0>
void parallel_for_F(const Bounds<N, FStyle, Simple> &bounds, const F &kernel, const Config<threads> &config = Config<threads>()) {
  parallel_for(bounds, kernel, config);
}
template <class F, int threads = 0> void parallel_for_F(std::integral auto n, const F &kernel, const Config<threads> &config = Config<threads>()) {
  parallel_for(SimpleBounds_F<1>(n), kernel, config);
}
template <class F, int threads = 0>
void parallel_for_F(const std::string &label, std::integral auto n, const F &kernel, const Config<threads> &config = Config<threads>()) {
  parallel_for(label, SimpleBounds_F<1>(n), kernel, config);
}

} // namespace yakl

#endif
