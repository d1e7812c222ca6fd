// YAKL_random.h - Random of YAKL's HEAD: numbers one after another of a seed and a stream, by Philox4x32-10. Part of compat/head/YAKL.h; include that.
//
// In this file: the order of the words, uniform numbers and distributions. Not in this file: the generator itself, and numbers by cell, which need no
// state (portable_random.h).
// The raw numbers of seed 0 and stream 0 are those that YAKL's own test names. Normal numbers are of Box and Muller, in the last bits of the C library.
// Threads: an object is one thread's; a copy goes on as the original does.
// Source: YAKL's Random; Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC11).
#ifndef PORTABLE_YAKL_HEAD_RANDOM
#define PORTABLE_YAKL_HEAD_RANDOM

#ifndef PORTABLE_YAKL_HEAD
#error "include YAKL.h, which includes this"
#endif

namespace yakl {

class Random {
public:
  KOKKOS_INLINE_FUNCTION Random(std::uint64_t seed = 1368976481, std::uint64_t stream_id = 0) { set_seed(seed, stream_id); }
  KOKKOS_INLINE_FUNCTION void set_seed(std::uint64_t seed, std::uint64_t stream_id = 0) {
    seed_ = seed;
    stream_ = stream_id;
    next_ = 0;
    has_spare_ = false;
  }

  // uint64_t: 64 bits; of a real: in [0, 1), with as many bits as it holds.
  template <class T = float> KOKKOS_INLINE_FUNCTION T gen_uniform() {
    static_assert(std::is_same_v<T, std::uint64_t> || std::is_same_v<T, float> || std::is_same_v<T, double>, "uniform numbers are uint64_t, float or double");
    const std::uint64_t bits = raw();
    if constexpr (std::is_same_v<T, std::uint64_t>)
      return bits;
    else if constexpr (std::is_same_v<T, double>)
      return static_cast<double>(bits >> 11) * 0x1p-53;
    else
      return static_cast<float>(bits >> 40) * 0x1p-24f;
  }
  // In [lb, ub); lb where both are the same. The difference may be larger than the greatest number.
  template <class T> KOKKOS_INLINE_FUNCTION T gen_uniform(T lb, T ub) {
    must(lb <= ub && lb - lb == 0 && ub - ub == 0, "gen_uniform: the bounds are not in order, or not finite");
    const T u = gen_uniform<T>(), x = lb * (T(1) - u) + ub * u;
    return x < ub ? (x < lb ? lb : x) : (lb == ub ? lb : below(ub));
  }
  // Two uniform numbers give two normal ones; without CacheSpare the second one is discarded.
  template <class T = float, bool CacheSpare = true> KOKKOS_INLINE_FUNCTION T gen_normal(T mean = T(0), T stddev = T(1)) {
    must(stddev >= 0 && mean - mean == 0 && stddev - stddev == 0, "gen_normal: the standard deviation is negative, or a parameter is not finite");
    if (stddev == 0) return mean;
    if (CacheSpare && has_spare_) {
      has_spare_ = false;
      return mean + stddev * static_cast<T>(spare_);
    }
    const double radius = std::sqrt(-2.0 * std::log(1.0 - gen_uniform<double>())), angle = 6.283185307179586 * gen_uniform<double>();
    has_spare_ = CacheSpare;
    spare_ = radius * std::sin(angle);
    return mean + stddev * static_cast<T>(radius * std::cos(angle));
  }
  KOKKOS_INLINE_FUNCTION bool gen_bernoulli(double probability = 0.5) {
    must(probability >= 0 && probability <= 1, "gen_bernoulli: the probability is not between 0 and 1");
    if (probability <= 0 || probability >= 1) return probability >= 1;
    return gen_uniform<double>() < probability;
  }
  template <class T = float> KOKKOS_INLINE_FUNCTION T gen_exponential(T rate = T(1)) {
    must(rate > 0 && rate - rate == 0, "gen_exponential: the rate is not positive");
    return static_cast<T>(-std::log(1.0 - gen_uniform<double>())) / rate;
  }
  template <class T = float, bool CacheSpare = true> KOKKOS_INLINE_FUNCTION T gen_lognormal(T normal_mean = T(0), T normal_stddev = T(1)) {
    return std::exp(gen_normal<T, CacheSpare>(normal_mean, normal_stddev));
  }

private:
  // Two numbers of each block: its words 0 and 1, then 2 and 3, the first word above the other. The block's number is the counter.
  KOKKOS_INLINE_FUNCTION std::uint64_t raw() {
    const std::uint64_t block = next_ >> 1;
    portable_random_block c;
    c.word[0] = static_cast<std::uint32_t>(block);
    c.word[1] = static_cast<std::uint32_t>(block >> 32);
    c.word[2] = static_cast<std::uint32_t>(stream_);
    c.word[3] = static_cast<std::uint32_t>(stream_ >> 32);
    c = portable_random_philox4x32(c, static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32));
    const bool second = next_++ & 1;
    return static_cast<std::uint64_t>(second ? c.word[2] : c.word[0]) << 32 | (second ? c.word[3] : c.word[1]);
  }
  // The number next to x on the side of 0, or beyond it.
  template <class T> KOKKOS_INLINE_FUNCTION static T below(T x) { return std::nextafter(x, -std::numeric_limits<T>::infinity()); }
  KOKKOS_INLINE_FUNCTION static void must(bool good, const char *text) {
    if constexpr (kokkos_debug) {
      if (!good) Kokkos::abort(text);
    } else {
      (void)good;
      (void)text;
    }
  }

  std::uint64_t seed_, stream_, next_;
  double spare_ = 0;
  bool has_spare_;
};

} // namespace yakl

#endif
