// portable_init.hpp - start and stop from C++, under YAKL's names. Part of portable.hpp; include that.
//
// In this file: init, InitConfig, finalize, and small functions of YAKL's that are ours under other names. Not in this file: what the
// settings mean (portable_config in portable.h, docs/build/environment.md).
#ifndef PORTABLE_INIT_HPP
#define PORTABLE_INIT_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <functional>

namespace portable {

// Settings for the start; the environment gives those that are not set. Each function gives the object, so that calls can be chained.
// Source: YAKL's InitConfig.  Since: 0.1
class InitConfig {
public:
  InitConfig &set_pool_enabled(bool enabled) { return c_.pool = enabled ? 1 : -1, *this; }
  InitConfig &set_pool_initial_mb(std::uint64_t mb) { return c_.pool_initial_bytes = mb << 20, *this; }
  InitConfig &set_pool_grow_mb(std::uint64_t mb) { return c_.pool_grow_bytes = mb << 20, *this; }
  InitConfig &set_pool_block_bytes(std::uint64_t bytes) { return c_.pool_block_bytes = bytes, *this; }
  InitConfig &set_pool_limit_mb(std::uint64_t mb) { return c_.pool_limit_bytes = mb << 20, *this; }
  InitConfig &set_device(const std::string &name) { return device_ = name, *this; }
  InitConfig &set_num_threads(int n) { return c_.num_threads = n, *this; }
  // Functions in place of the library's timers, from init to the last finalize; see portable_timers_set_hooks.
  InitConfig &set_timer_init(std::function<void()> f) { return timers().init = std::move(f), *this; }
  InitConfig &set_timer_finalize(std::function<void()> f) { return timers().finalize = std::move(f), *this; }
  InitConfig &set_timer_start(std::function<void(const char *)> f) { return timers().start = std::move(f), *this; }
  InitConfig &set_timer_stop(std::function<void(const char *)> f) { return timers().stop = std::move(f), *this; }

  bool get_pool_enabled() const { return c_.pool >= 0; }
  std::uint64_t get_pool_initial_mb() const { return c_.pool_initial_bytes >> 20; }
  std::uint64_t get_pool_grow_mb() const { return c_.pool_grow_bytes >> 20; }
  std::uint64_t get_pool_block_bytes() const { return c_.pool_block_bytes; }

  // Starts the library with it: what init does.
  void start() const {
    portable_config c = c_;
    c.device = device_.empty() ? nullptr : device_.c_str();
    check(portable_init(&c));
    if (!timers_) return;
    portable_timer_hooks hooks = PORTABLE_TIMER_HOOKS_INIT;
    hooks.payload = timers_.get();
    hooks.init = [](void *t) { call(static_cast<Timers *>(t)->init); };
    hooks.finalize = [](void *t) { call(static_cast<Timers *>(t)->finalize); };
    hooks.start = [](const char *label, void *t) { call(static_cast<Timers *>(t)->start, label); };
    hooks.stop = [](const char *label, void *t) { call(static_cast<Timers *>(t)->stop, label); };
    check(portable_timers_set_hooks(&hooks)); // which calls finalize of those before, if there are any
    held() = timers_;
  }

private:
  struct Timers {
    std::function<void()> init, finalize;
    std::function<void(const char *)> start, stop;
  };
  template <class F, class... A> static void call(const F &f, A... a) noexcept {
    if (f) f(a...);
  }
  Timers &timers() {
    if (!timers_) timers_ = std::make_shared<Timers>();
    return *timers_;
  }
  // The functions that the library calls; kept until others take their place.
  static std::shared_ptr<Timers> &held() {
    static std::shared_ptr<Timers> timers;
    return timers;
  }

  portable_config c_ = PORTABLE_CONFIG_INIT;
  std::string device_;
  std::shared_ptr<Timers> timers_;
};

// Starts the library, or counts one more participant; and takes one away: portable_init and portable_finalize.
// Errors: Error with their codes.  Source: YAKL.  Since: 0.1
inline void init(const InitConfig &config = InitConfig()) { config.start(); }
inline void finalize() { check(portable_finalize()); }
inline bool isInitialized() { return portable_is_initialized() != 0; }

// Whether this process prints for all of a parallel program: rank 0, or no rank.  Source: YAKL's yakl_mainproc.  Since: 0.1
inline bool main_process() { return portable_rank() <= 0; }

// The larger and the smaller one, in kernels too.  Source: YAKL.  Since: 0.1
template <class T> PORTABLE__INLINE constexpr T max(T a, T b) { return a > b ? a : b; }
template <class T> PORTABLE__INLINE constexpr T min(T a, T b) { return a < b ? a : b; }
template <class T, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0> PORTABLE__INLINE constexpr T abs(T a) {
  return a > 0 ? a : static_cast<T>(T(0) - a); // 0 and -0 give 0
}

// Reductions of n elements in memory, as objects that are made once.  Source: YAKL's ParallelMin, and so on.  Since: 0.1
template <class T, int memory, std::int32_t operation> class ParallelReduction {
public:
  ParallelReduction() = default;
  explicit ParallelReduction(index_t n) : n_(n) {}
  void setup(index_t n) { n_ = n; }
  void finalize() {}
  T operator()(const T *data) const {
    T result;
    deviceReduce(data, &result);
    return result;
  }
  // Leaves the result where device code finds it.
  void deviceReduce(const T *data, T *result) const {
    check(portable_reduce_array("ParallelReduction", operation, detail::kind_of<T>(), data, 1, &n_, nullptr, result));
  }

private:
  index_t n_ = 0;
};
template <class T, int memory = memDefault> using ParallelSum = ParallelReduction<T, memory, PORTABLE_REDUCE_SUM>;
template <class T, int memory = memDefault> using ParallelProd = ParallelReduction<T, memory, PORTABLE_REDUCE_PRODUCT>;
template <class T, int memory = memDefault> using ParallelMin = ParallelReduction<T, memory, PORTABLE_REDUCE_MIN>;
template <class T, int memory = memDefault> using ParallelMax = ParallelReduction<T, memory, PORTABLE_REDUCE_MAX>;

// Bounds whose dimensions are given by their counts alone. They are as fast as others.  Source: YAKL's SimpleBounds.  Since: 0.1
namespace c {
template <int N> using SimpleBounds = Bounds<N>;
}
namespace fortran {
template <int N> using SimpleBounds = Bounds<N>;
}

} // namespace portable

#endif
