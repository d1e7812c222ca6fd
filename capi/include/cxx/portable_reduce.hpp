// portable_reduce.hpp - reductions and live-outs for C++. Part of portable.hpp; include that.
//
// In this file: parallel_reduce with lambdas, reducers, ScalarLiveOut. Not in this file: loops without a result (portable.hpp),
// what the bits of a result depend on (portable_reduce.h: on the bounds only).
#ifndef PORTABLE_REDUCE_HPP
#define PORTABLE_REDUCE_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

namespace detail {

// The number of a type in portable_reduce.h.
template <class T> constexpr std::int32_t kind_of() {
  if constexpr (std::is_same<T, bool>::value) {
    static_assert(sizeof(bool) == 1, "a bool has one byte");
    return PORTABLE_KIND_LOGICAL8;
  } else if constexpr (std::is_integral<T>::value && std::is_signed<T>::value) {
    return sizeof(T) == 1 ? PORTABLE_KIND_INT8 : sizeof(T) == 2 ? PORTABLE_KIND_INT16 : sizeof(T) == 4 ? PORTABLE_KIND_INT32 : PORTABLE_KIND_INT64;
  } else if constexpr (std::is_same<T, float>::value) {
    return PORTABLE_KIND_REAL32;
  } else if constexpr (std::is_same<T, double>::value) {
    return PORTABLE_KIND_REAL64;
  } else if constexpr (std::is_same<T, std::complex<float>>::value) {
    return PORTABLE_KIND_COMPLEX32;
  } else {
    static_assert(std::is_same<T, std::complex<double>>::value, "signed integers, float, double, complex of those, and bool");
    return PORTABLE_KIND_COMPLEX64;
  }
}

struct LiveOutHandle {
  portable_liveout handle = 0;
  std::atomic<index_t> holders{1};
  ~LiveOutHandle() { portable_liveout_destroy(handle); }
};

// A share in a handle; in code of a device, and in a tile's copy of a kernel, nothing is counted.
class SharedLiveOut {
public:
  explicit SharedLiveOut(LiveOutHandle *made) noexcept : handle_(made) {}
  PORTABLE__HOST_DEVICE SharedLiveOut(const SharedLiveOut &other) noexcept : handle_(other.handle_), counted_(false) { hold(); }
  PORTABLE__HOST_DEVICE SharedLiveOut &operator=(const SharedLiveOut &other) noexcept {
    if (handle_ == other.handle_) return *this;
    let_go();
    handle_ = other.handle_;
    counted_ = false;
    hold();
    return *this;
  }
  PORTABLE__HOST_DEVICE ~SharedLiveOut() { let_go(); }
  LiveOutHandle *get() const noexcept { return handle_; }

private:
  PORTABLE__HOST_DEVICE void hold() noexcept {
#if !defined(__CUDA_ARCH__)
    if (uncounted()) return;
    handle_->holders.fetch_add(1, std::memory_order_relaxed);
    counted_ = true;
#endif
  }
  PORTABLE__HOST_DEVICE void let_go() noexcept {
#if !defined(__CUDA_ARCH__)
    if (counted_ && handle_->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) delete handle_;
#endif
  }
  LiveOutHandle *handle_;
  bool counted_ = true;
};

} // namespace detail

// A value in memory that kernels of all devices reach. Captured by value in a kernel, all copies are the same one; the last
// copy ends it. Threads of one launch that write it without agreeing on who does, race.
// Errors: Error with ERR_STATE, ERR_NOMEM (constructor), ERR_HANDLE (the library was stopped since), ERR_KERNEL (a launch that
// was waited for has failed).  Source: YAKL's ScalarLiveOut.  Since: 0.1
template <class T> class ScalarLiveOut {
public:
  explicit ScalarLiveOut(T initial = T(), const char *label = nullptr) : shared_(new detail::LiveOutHandle) {
    void *address = nullptr;
    check(portable_liveout_create(label, detail::kind_of<T>(), &initial, &shared_.get()->handle));
    check(portable_liveout_pointer(shared_.get()->handle, detail::kind_of<T>(), &address));
    value_ = static_cast<T *>(address);
  }
  ScalarLiveOut(T initial, const Stream &) : ScalarLiveOut(initial) {}
  // In kernels.
  PORTABLE__HOST_DEVICE T &operator()() const { return *value_; }
  PORTABLE__HOST_DEVICE T &get() const { return *value_; }
  PORTABLE__HOST_DEVICE const ScalarLiveOut &operator=(T value) const { return *value_ = value, *this; }
  // On the host: wait until all that was launched is done, in a stream that is named too.
  T hostRead(const Stream & = Stream()) const {
    T value;
    check(portable_liveout_host_read(handle(), detail::kind_of<T>(), &value));
    return value;
  }
  void hostWrite(T value, const Stream & = Stream()) const { check(portable_liveout_host_write(handle(), detail::kind_of<T>(), &value)); }
  portable_liveout handle() const { return shared_.get()->handle; }

private:
  detail::SharedLiveOut shared_;
  T *value_ = nullptr;
};

// ---- reducers: what a kernel gets a reference of, and where the result goes ----

namespace detail {

// A reducer whose kernel sees a Seen, most often a T, that begins as the identity.
template <class T, std::int32_t operation, class Partial = T, class Seen = T> class Reducer {
public:
  using Local = Seen;
  using Stored = Partial;
  static constexpr std::int32_t operation_of = operation;
  explicit Reducer(T &result) : c_ PORTABLE_REDUCTION(operation, kind_of<T>(), &result) {}
  explicit Reducer(const ScalarLiveOut<T> &result) : c_ PORTABLE_REDUCTION(operation, kind_of<T>(), nullptr) { c_.liveout = result.handle(); }
  // The value of the destination takes part, as if it came before the first iteration.
  Reducer &into() { return c_.flags |= PORTABLE_REDUCE_INTO, *this; }
  const portable_reduction &c_reduction() const { return c_; }
  static PORTABLE__HOST_DEVICE PORTABLE__INLINE Local begin(const void *partial) { return static_cast<Local>(*static_cast<const Partial *>(partial)); }
  static PORTABLE__HOST_DEVICE PORTABLE__INLINE void end(void *partial, const Local &local) { *static_cast<Partial *>(partial) = static_cast<Partial>(local); }

protected:
  portable_reduction c_;
};

} // namespace detail

// The kernel adds to it, multiplies it, and so on; T is a signed integer, float, double, or (sum and product) complex of those.
// The result is for the variable, or ScalarLiveOut, that it is made of.  Since: 0.1
template <class T> class Sum : public detail::Reducer<T, PORTABLE_REDUCE_SUM> { using detail::Reducer<T, PORTABLE_REDUCE_SUM>::Reducer; };
template <class T> class Product : public detail::Reducer<T, PORTABLE_REDUCE_PRODUCT> { using detail::Reducer<T, PORTABLE_REDUCE_PRODUCT>::Reducer; };
// The kernel keeps the lesser (greater): if (x < least) least = x, which leaves NaN out.
template <class T> class Min : public detail::Reducer<T, PORTABLE_REDUCE_MIN> { using detail::Reducer<T, PORTABLE_REDUCE_MIN>::Reducer; };
template <class T> class Max : public detail::Reducer<T, PORTABLE_REDUCE_MAX> { using detail::Reducer<T, PORTABLE_REDUCE_MAX>::Reducer; };
// The kernel sees a bool.
template <class T = bool> class Any : public detail::Reducer<T, PORTABLE_REDUCE_ANY, std::int32_t> { using detail::Reducer<T, PORTABLE_REDUCE_ANY, std::int32_t>::Reducer; };
template <class T = bool> class All : public detail::Reducer<T, PORTABLE_REDUCE_ALL, std::int32_t> { using detail::Reducer<T, PORTABLE_REDUCE_ALL, std::int32_t>::Reducer; };

namespace detail {
template <class T> struct Wider {
  static_assert(std::is_same<T, float>::value, "float and std::complex<float> are summed in double; a double is already one");
  using type = double;
};
template <> struct Wider<std::complex<float>> { using type = std::complex<double>; };
template <class T, std::int32_t operation> class WideReducer : public Reducer<T, operation, typename Wider<T>::type, typename Wider<T>::type> {
public:
  template <class Result> explicit WideReducer(Result &&result) : WideReducer::Reducer(result) { this->c_.flags |= PORTABLE_REDUCE_WIDE; }
};
} // namespace detail

// The same of float or std::complex<float>, where the kernel adds to (multiplies) a double or std::complex<double>; rounded once.  Since: 0.1
template <class T> class WideSum : public detail::WideReducer<T, PORTABLE_REDUCE_SUM> { using detail::WideReducer<T, PORTABLE_REDUCE_SUM>::WideReducer; };
template <class T> class WideProduct : public detail::WideReducer<T, PORTABLE_REDUCE_PRODUCT> { using detail::WideReducer<T, PORTABLE_REDUCE_PRODUCT>::WideReducer; };

// A value and where it is. index is what the kernel calls the place; -1 in a result where there was no value.  Since: 0.1
template <class T> struct Loc {
  T value;
  std::int64_t index;
};

namespace detail {
template <class T, std::int32_t operation> class LocReducer {
public:
  // The argument of the kernel: take(value, index) for each iteration; of equal values the lowest index stays.
  struct Local : Loc<T> {
    PORTABLE__HOST_DEVICE PORTABLE__INLINE void take(T v, std::int64_t i) {
      const bool better = operation == PORTABLE_REDUCE_MINLOC ? v < this->value : v > this->value;
      if (better || (!(v < this->value) && !(v > this->value) && v == v && i < this->index)) this->value = v, this->index = i;
    }
  };
  explicit LocReducer(Loc<T> &result) : c_ PORTABLE_REDUCTION(operation, kind_of<T>(), &result) {}
  LocReducer &into() { return c_.flags |= PORTABLE_REDUCE_INTO, *this; }
  const portable_reduction &c_reduction() const { return c_; }
  using Stored = Loc<T>;
  static constexpr std::int32_t operation_of = operation;
  static PORTABLE__HOST_DEVICE Local begin(const void *partial) {
    Local local;
    static_cast<Loc<T> &>(local) = *static_cast<const Loc<T> *>(partial);
    return local;
  }
  static PORTABLE__HOST_DEVICE void end(void *partial, const Local &local) { *static_cast<Loc<T> *>(partial) = local; }

private:
  portable_reduction c_;
};
} // namespace detail

template <class T> class MinLoc : public detail::LocReducer<T, PORTABLE_REDUCE_MINLOC> { using detail::LocReducer<T, PORTABLE_REDUCE_MINLOC>::LocReducer; };
template <class T> class MaxLoc : public detail::LocReducer<T, PORTABLE_REDUCE_MAXLOC> { using detail::LocReducer<T, PORTABLE_REDUCE_MAXLOC>::LocReducer; };

// A sum without rounding until the end, of float or double; T is portable_exact to have all of it. The kernel does `s += x`.  Since: 0.1
template <class T> class ExactSum {
public:
  // Values are gathered, because some dozen at once are much cheaper than one by one.
  class Local {
  public:
    explicit Local(portable_exact *sum) : sum_(sum) {}
    PORTABLE__INLINE Local &operator+=(double value) {
      values_[count_++] = value;
      if (count_ == room) flush();
      return *this;
    }
    void flush() {
      portable_exact_add_array(sum_, values_, count_);
      count_ = 0;
    }

  private:
    static constexpr std::size_t room = 256;
    portable_exact *sum_;
    std::size_t count_ = 0;
    double values_[room];
  };
  explicit ExactSum(T &result) : c_ PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, kind(), &result) { c_.flags = PORTABLE_REDUCE_EXACT; }
  explicit ExactSum(const ScalarLiveOut<T> &result) : c_ PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, kind(), nullptr) {
    c_.flags = PORTABLE_REDUCE_EXACT;
    c_.liveout = result.handle();
  }
  ExactSum &into() { return c_.flags |= PORTABLE_REDUCE_INTO, *this; }
  const portable_reduction &c_reduction() const { return c_; }
  static Local begin(void *partial) { return Local(static_cast<portable_exact *>(partial)); }
  static void end(void *, Local &local) { local.flush(); }

private:
  static constexpr std::int32_t kind() {
    if constexpr (std::is_same<T, portable_exact>::value)
      return PORTABLE_KIND_EXACT;
    else
      return detail::kind_of<T>();
  }
  portable_reduction c_;
};

// Values of the user's, trivially copyable: combine(into, from) is into = into op from, and `into` is of earlier iterations. combine is
// called on the thread that launches and throws nothing. combine and identity live until the launch is done.  Since: 0.1
template <class T, class Combine> class Reduce {
  static_assert(std::is_trivially_copyable<T>::value, "a value is copied byte by byte");

public:
  using Local = T;
  Reduce(T &result, const T &identity, const Combine &combine) : c_ PORTABLE_REDUCTION(PORTABLE_REDUCE_USER, 0, &result) {
    c_.bytes = sizeof(T);
    c_.identity = &identity;
    c_.combine = [](void *a, const void *b, void *context) {
      (*static_cast<const Combine *>(context))(*static_cast<T *>(a), *static_cast<const T *>(b));
    };
    c_.context = const_cast<void *>(static_cast<const void *>(&combine));
  }
  Reduce &into() { return c_.flags |= PORTABLE_REDUCE_INTO, *this; }
  const portable_reduction &c_reduction() const { return c_; }
  static PORTABLE__INLINE Local begin(void *partial) { return *static_cast<T *>(partial); }
  static PORTABLE__INLINE void end(void *partial, const Local &local) { *static_cast<T *>(partial) = local; }

private:
  portable_reduction c_;
};

// ---- launches ----

namespace detail {

// The kernel's results are variables of this function, so that compilers keep them in registers, and are written back at the
// end of the tile.
template <class Index, Order order, int N, class F, class... R> struct ReduceTile {
  template <std::size_t... k> static void run(const portable_tile *t, const F &kernel, void *const *partial, std::index_sequence<k...>) {
    std::tuple<typename R::Local...> local{R::begin(partial[k])...};
    const auto body = [&](auto... i) PORTABLE__ALWAYS { kernel(i..., std::get<k>(local)...); };
    tile_loops<Index, order, N>(*t, body);
    (R::end(partial[k], std::get<k>(local)), ...);
  }
  static void call(const portable_tile *t, void *args, void *const *partial) {
    auto &launch = *static_cast<Launch<F> *>(args);
    try {
      if constexpr (copied_for_tiles<F>) {
        const F kernel = copy_for_tile(*launch.kernel);
        run(t, kernel, partial, std::index_sequence_for<R...>());
      } else {
        run(t, *launch.kernel, partial, std::index_sequence_for<R...>());
      }
    } catch (...) {
      if (!launch.thrown.exchange(true)) launch.exception = std::current_exception();
      portable_kernel_fail(t, 1, "the kernel has thrown an exception");
    }
  }
};

template <class Index, class F, class Numbers, class... L> struct Reducible;
template <class Index, class F, std::size_t... d, class... L> struct Reducible<Index, F, std::index_sequence<d...>, L...> {
  static constexpr bool value = std::is_invocable<const F &, Same<d, Index>..., L &...>::value;
};

// A reduction whose kernel host code calls.
template <class Index, Order order, int N, class F, class... R>
void host_reduce(const char *label, const portable_bounds &b, const F &kernel, const portable_launch_config &c, const R &...reducers) {
  static_assert(Reducible<Index, F, std::make_index_sequence<static_cast<std::size_t>(N)>, typename R::Local...>::value,
                "the kernel takes one index for each dimension of the bounds, then a reference for each reducer, and is const");
  const portable_reduction list[] = {reducers.c_reduction()...};
  Launch<F> launch;
  launch.kernel = &kernel;
  const portable_status status =
      portable_parallel_reduce(label, &b, ReduceTile<Index, order, N, F, R...>::call, &launch, 0, list, sizeof...(R), &c);
  if (launch.exception) std::rethrow_exception(launch.exception);
  check(status);
}

#if PORTABLE__NVCC
} // namespace detail
} // namespace portable
#include "portable_nvcc_reduce.hpp"
namespace portable {
namespace detail {
#endif

template <class Index, Order order, int N, class F, class... R>
void reduce(const char *label, const portable_bounds &b, const F &kernel, portable_launch_config c, const R &...reducers) {
  static_assert(sizeof...(R) >= 1 && sizeof...(R) <= PORTABLE_REDUCTIONS_MOST, "a reduction has 1 to 64 results");
  c.strided = 1;
#if PORTABLE__NVCC
  if constexpr (runs_on_device<F> && (combined_on_device<R> && ...)) {
    if (gpu_reduce<Index, N>(label, b, kernel, c, reducers...)) return;
  }
  if constexpr (device_only<F>)
    only_for_devices<F>(label, c);
  else
#endif
    host_reduce<Index, order, N>(label, b, kernel, c, reducers...);
}

} // namespace detail

// Calls kernel(i0, i1, ..., r0, r1, ...) for each index of the bounds, where r0, r1, ... are references to what the reducers are
// of: [=](int j, int i, double &s) { s += h(j, i); }, Sum<double>(total). Returns when the results are in their places.
// Errors: as parallel_for; after an error or exception all destinations are as they were.
// Source: Kokkos' parallel_reduce.  Since: 0.1
template <int N, int first, Order order, class Index, class F, class... R>
void parallel_reduce(const char *label, const BasicBounds<N, first, order, Index> &bounds, const F &kernel, const R &...reducers) {
  detail::reduce<Index, order, N>(label, bounds.c_bounds(), kernel, portable_launch_config PORTABLE_LAUNCH_CONFIG_INIT, reducers...);
}

// The same with a launch configuration, before the reducers.
template <int N, int first, Order order, class Index, class F, class... R>
void parallel_reduce(const char *label, const BasicBounds<N, first, order, Index> &bounds, const F &kernel, const LaunchConfig &config,
                     const R &...reducers) {
  detail::reduce<Index, order, N>(label, bounds.c_bounds(), kernel, config.c_config(), reducers...);
}

namespace c {
using portable::parallel_reduce;
}
namespace fortran {
using portable::parallel_reduce;
}

} // namespace portable

#endif
