// portable_kernel.hpp - loops with versions for CUDA devices and for the host, from C++. Part of portable.hpp; include that.
//
//     portable::Kernel axpy("axpy", portable::CudaCode::file("axpy.cu"));
//     axpy.launch(Bounds<1>(n), [](int i, double a, const auto &x, const auto &y) { y(i) = a * x(i) + y(i); }, a, x, y);
//
// The host's version is a lambda that captures nothing, or a function that PORTABLE_KERNEL made; it gets its arguments after the indices, as the
// device's version has them in its argument block, in their order:
//     argument                         both versions get
//     a number, a trivial structure    its value
//     Array, StridedArray in memDevice portable_view<T, rank, order> (portable_device_view.h), with the array's bounds
//     device_ptr<T>                    T *
//     ScalarLiveOut<T>                 T *, to its value
// A host array or address does not compile. In this file: that. Not in this file: what the device's version looks like
// (portable_device.h), what the library does with it (portable_cuda.h).
#ifndef PORTABLE_KERNEL_HPP
#define PORTABLE_KERNEL_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include "portable_device.h"

#include <array>
#include <cstring>
#include <new>

namespace portable {

// CUDA C, or what a compiler has made of it. Each function that sets gives the object, so that calls can be chained. Texts are copied when a kernel
// gets the code; what is given as memory lives as long as the kernel.  Since: 0.1
class CudaCode {
public:
  static CudaCode source(std::string text) { return CudaCode(PORTABLE_CUDA_SOURCE, std::move(text)); }
  static CudaCode file(std::string path) { return CudaCode(PORTABLE_CUDA_SOURCE_FILE, std::move(path)); }
  // PTX, cubin or fatbin, in memory or in a file.
  static CudaCode image(const void *bytes, std::size_t count) { return CudaCode(PORTABLE_CUDA_IMAGE, std::string(static_cast<const char *>(bytes), count)); }
  static CudaCode image_file(std::string path) { return CudaCode(PORTABLE_CUDA_IMAGE_FILE, std::move(path)); }

  // The name of the __global__ function; the kernel's label where it is not set.
  CudaCode &set_entry(std::string name) { return entry_ = std::move(name), *this; }
  CudaCode &set_options(std::string options) { return options_ = std::move(options), *this; }
  CudaCode &set_block_size(std::int32_t threads) { return block_size_ = threads, *this; }
  CudaCode &set_shared_bytes(std::size_t bytes) { return shared_bytes_ = bytes, *this; }
  // Where a text stands in the program's source, for messages of the compiler.
  CudaCode &set_place(std::string file, std::int32_t line) { return file_ = std::move(file), line_ = line, *this; }

  // The same for C; valid as long as this is.
  portable_cuda_code c_code() const {
    portable_cuda_code c = PORTABLE_CUDA_CODE_INIT;
    c.form = form_;
    c.code = code_.data();
    c.bytes = form_ == PORTABLE_CUDA_SOURCE || form_ == PORTABLE_CUDA_IMAGE ? code_.size() : 0;
    c.entry = entry_.empty() ? nullptr : entry_.c_str();
    c.options = options_.empty() ? nullptr : options_.c_str();
    c.file = file_.empty() ? nullptr : file_.c_str();
    c.line = line_;
    c.block_size = block_size_;
    c.shared_bytes = shared_bytes_;
    return c;
  }

private:
  CudaCode(std::int32_t form, std::string code) : form_(form), code_(std::move(code)) {}
  std::int32_t form_;
  std::string code_, entry_, options_, file_;
  std::int32_t line_ = 0, block_size_ = 0;
  std::size_t shared_bytes_ = 0;
};

namespace detail {

template <class T> constexpr std::int32_t value_argument() {
  if (std::is_same<T, std::int32_t>::value) return PORTABLE_ARGUMENT_INT32;
  if (std::is_same<T, std::int64_t>::value) return PORTABLE_ARGUMENT_INT64;
  if (std::is_same<T, float>::value) return PORTABLE_ARGUMENT_REAL32;
  if (std::is_same<T, double>::value) return PORTABLE_ARGUMENT_REAL64;
  return PORTABLE_ARGUMENT_BYTES;
}

// The form of an argument in the block, and its conversion.
template <class A> struct BlockArgument {
  static_assert(device_argument<A>(), "");
  using Passed = A;
  static constexpr std::int32_t kind = value_argument<A>(), access = 0;
  static void pass(const A &a, unsigned char *to) { std::memcpy(to, &a, sizeof a); }
};
template <class T> struct BlockArgument<device_ptr<T>> {
  using Passed = T *;
  static constexpr std::int32_t kind = PORTABLE_ARGUMENT_POINTER, access = std::is_const<T>::value ? PORTABLE_ACCESS_READ : PORTABLE_ACCESS_BOTH;
  static void pass(const device_ptr<T> &a, unsigned char *to) {
    T *const address = a.get();
    std::memcpy(to, &address, sizeof address);
  }
};
template <class T> struct BlockArgument<ScalarLiveOut<T>> {
  using Passed = T *;
  static constexpr std::int32_t kind = PORTABLE_ARGUMENT_LIVEOUT, access = 0;
  static void pass(const ScalarLiveOut<T> &a, unsigned char *to) {
    const portable_liveout handle = a.handle(); // which the launch replaces by the address
    std::memcpy(to, &handle, sizeof handle);
  }
};
template <class T, int rank, int order> struct ViewArgument {
  using Passed = portable_view<T, rank, order>;
  static constexpr std::int32_t kind = PORTABLE_ARGUMENT_ARRAY, access = std::is_const<T>::value ? PORTABLE_ACCESS_READ : PORTABLE_ACCESS_BOTH;
  static Passed begun(T *data) {
    Passed view;
    std::memset(&view, 0, sizeof view);
    view.data = data;
    view.rank = rank;
    return view;
  }
  // Elements that lie in the array's order, without gaps.
  template <class A> static Passed of(T *data, const A &shape) {
    Passed view = begun(data);
    std::int64_t stride = 1;
    for (int k = 0; k < rank; k++) {
      const int d = order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
      view.dim[d] = {static_cast<std::int64_t>(shape.lower_bound(d)), static_cast<std::int64_t>(shape.extent(d)), stride};
      stride *= static_cast<std::int64_t>(shape.extent(d));
    }
    return view;
  }
};
template <class T, int rank, int memory, int style>
struct BlockArgument<Array<T, rank, memory, style>>
    : ViewArgument<T, rank, style == styleFortran ? PORTABLE_ORDER_FORTRAN : PORTABLE_ORDER_C> {
  static_assert(device_argument<Array<T, rank, memory, style>>(), "");
  static void pass(const Array<T, rank, memory, style> &a, unsigned char *to) {
    const auto view = BlockArgument::of(a.data(), a);
    std::memcpy(to, &view, sizeof view);
  }
};
template <class T, int rank, int memory, int style>
struct BlockArgument<StridedArray<T, rank, memory, style>> : ViewArgument<T, rank, PORTABLE_ORDER_ANY> {
  static_assert(device_argument<StridedArray<T, rank, memory, style>>(), "");
  static void pass(const StridedArray<T, rank, memory, style> &a, unsigned char *to) {
    auto view = BlockArgument::begun(a.data());
    for (int d = 0; d < rank; d++)
      view.dim[d] = {static_cast<std::int64_t>(a.lower_bound(d)), static_cast<std::int64_t>(a.extent(d)), static_cast<std::int64_t>(a.stride(d))};
    std::memcpy(to, &view, sizeof view);
  }
};

// The block: arguments as the members of a structure in their order.
template <class... A> struct Block {
  static constexpr std::size_t count = sizeof...(A);
  struct Places {
    std::size_t offset[count + 1];
    std::size_t bytes;
  };
  static constexpr Places places() {
    constexpr std::size_t sizes[] = {sizeof(typename BlockArgument<A>::Passed)..., 1}, aligns[] = {alignof(typename BlockArgument<A>::Passed)..., 1};
    Places p = {};
    std::size_t at = 0, most = 1;
    for (std::size_t i = 0; i < count; i++) {
      at = (at + aligns[i] - 1) / aligns[i] * aligns[i];
      p.offset[i] = at;
      at += sizes[i];
      most = aligns[i] > most ? aligns[i] : most;
    }
    p.bytes = (at + most - 1) / most * most;
    return p;
  }
  static portable_status create(const char *label, portable_kernel *out) {
    constexpr Places p = places();
    constexpr std::int32_t kinds[] = {BlockArgument<A>::kind..., 0}, access[] = {BlockArgument<A>::access..., 0};
    constexpr std::size_t sizes[] = {sizeof(typename BlockArgument<A>::Passed)..., 1};
    portable_argument arguments[count + 1];
    for (std::size_t i = 0; i < count; i++) arguments[i] = {nullptr, kinds[i], access[i], p.offset[i], sizes[i]};
    return portable_kernel_create(label, p.bytes, count ? arguments : nullptr, count, out);
  }
  template <std::size_t... k> static void fill(unsigned char *block, std::index_sequence<k...>, const A &...a) {
    constexpr Places p = places();
    (BlockArgument<A>::pass(a, block + p.offset[k]), ...);
  }
  // An argument of a kernel, from the block.
  template <std::size_t k, class Passed> static const Passed &at(const void *block) {
    constexpr Places p = places();
    return *reinterpret_cast<const Passed *>(static_cast<const unsigned char *>(block) + p.offset[k]);
  }
};

// A lambda that captures nothing has no bytes, so any place is one.
template <class F> const F &stateless() {
  alignas(F) static constexpr unsigned char place[sizeof(F)] = {};
  return *std::launder(reinterpret_cast<const F *>(place));
}

// An exception of the kernel becomes an error of the launch.
template <class G> PORTABLE__INLINE void guarded(const portable_tile *t, const G &g) {
  try {
    g();
  } catch (const std::exception &e) {
    portable_kernel_fail(t, 1, e.what());
  } catch (...) {
    portable_kernel_fail(t, 1, "the kernel has thrown an exception");
  }
}

template <class F, class Index, Order order, int N, class Numbers, class... A> struct HostVersion;
template <class F, class Index, Order order, int N, std::size_t... k, class... A> struct HostVersion<F, Index, order, N, std::index_sequence<k...>, A...> {
  static void run(const portable_tile *t, void *block) {
    guarded(t, [&] {
      tile_loops<Index, order, N>(*t, [&](auto... i) PORTABLE__ALWAYS {
        stateless<F>()(i..., Block<A...>::template at<k, typename BlockArgument<A>::Passed>(block)...);
      });
    });
  }
};

template <class F, class Index, class Dimensions, class Numbers, class... A> struct HostTeam;
template <class F, class Index, std::size_t... d, std::size_t... k, class... A>
struct HostTeam<F, Index, std::index_sequence<d...>, std::index_sequence<k...>, A...> {
  static void run(const portable_team *t, void *block) {
    guarded(t->tile, [&] {
      stateless<F>()(static_cast<Index>(t->index[d])..., InnerHandler(*t), Block<A...>::template at<k, typename BlockArgument<A>::Passed>(block)...);
    });
  }
};

template <class F, class Index, Order order, int N, class Reducers, class Results, class Numbers, class... A> struct HostReduction;
template <class F, class Index, Order order, int N, class... R, std::size_t... r, std::size_t... k, class... A>
struct HostReduction<F, Index, order, N, std::tuple<R...>, std::index_sequence<r...>, std::index_sequence<k...>, A...> {
  static void run(const portable_tile *t, void *block, void *const *partial) {
    guarded(t, [&] {
      std::tuple<typename R::Local...> local{R::begin(partial[r])...};
      tile_loops<Index, order, N>(*t, [&](auto... i) PORTABLE__ALWAYS {
        stateless<F>()(i..., std::get<r>(local)..., Block<A...>::template at<k, typename BlockArgument<A>::Passed>(block)...);
      });
      (R::end(partial[r], std::get<r>(local)), ...);
    });
  }
};

// The host's version as a function: Function is its type, made by the class H of F, where that is not one already.
template <class Function, class H, class F> Function host_function(const F &host) {
  if constexpr (std::is_convertible<F, Function>::value) {
    return host;
  } else {
    static_assert(std::is_empty<F>::value, "the kernel captures something; give it as an argument, where the compiler and the device see it");
    return H::run;
  }
}

} // namespace detail

// CudaCode by a name that belongs to no vendor.  Since: 0.1
using DeviceCode = CudaCode;

// A kernel object. Copies stand for the same one, which ends with the last of them; what is under way keeps what it needs.
// Errors: Error with the codes of portable_kernel.h and portable_cuda.h.  Threads: as all; set_cuda not at the same time as a launch.  Since: 0.1
class Kernel {
public:
  explicit Kernel(std::string label) : state_(std::make_shared<State>(std::move(label))) {}
  Kernel(std::string label, const CudaCode &code) : Kernel(std::move(label)) { set_cuda(code); }

  // Gives it the version for CUDA devices. Called before the first launch.
  Kernel &set_cuda(const CudaCode &code) {
    state_->code = std::make_unique<CudaCode>(code);
    return *this;
  }
  // The same by a name that belongs to no vendor.  Since: 0.1
  Kernel &set_device_code(const DeviceCode &code) { return set_cuda(code); }
  const std::string &label() const noexcept { return state_->label; }

  // Runs over the index space: host(i0, i1, ..., arguments...) on devices of the host, the other version on a CUDA device, where the launch returns
  // before it is done. A device without a version for it runs the host's when its stream has come to it.
  template <int N, int first, Order order, class Index, class F, class... A>
  void launch(const LaunchConfig &config, const BasicBounds<N, first, order, Index> &bounds, const F &host, const A &...arguments) const {
    using H = detail::HostVersion<F, Index, order, N, std::index_sequence_for<A...>, std::decay_t<A>...>;
    const auto function = detail::host_function<portable_kernel_function, H>(host);
    start(function, portable_kernel_set_host, bounds.c_bounds(), config.c_config(), [](portable_kernel k, auto &...at) { return portable_launch(k, at...); },
          arguments...);
  }
  template <int N, int first, Order order, class Index, class F, class... A>
  void launch(const BasicBounds<N, first, order, Index> &bounds, const F &host, const A &...arguments) const {
    launch(LaunchConfig(), bounds, host, arguments...);
  }


  // The same in two levels: host(i0, i1, ..., InnerHandler, arguments...) for each outer index, as parallel_outer has it, or a function that
  // PORTABLE_TEAM_KERNEL made. On a CUDA device a block does an outer iteration, and the scratch is its shared memory.
  template <int N, int first, Order order, class Index, class F, class... A>
  void launch_outer(const OuterConfig &config, const BasicBounds<N, first, order, Index> &bounds, const F &host, const A &...arguments) const {
    using H = detail::HostTeam<F, Index, std::make_index_sequence<static_cast<std::size_t>(N)>, std::index_sequence_for<A...>, std::decay_t<A>...>;
    const auto function = detail::host_function<portable_team_function, H>(host);
    start(function, portable_kernel_set_host_team, bounds.c_bounds(), config.c_config(), [&](portable_kernel k, const portable_bounds *b, const void *block,
          const portable_launch_config *c) { return portable_launch_outer(k, b, block, config.scratch_bytes(), c); }, arguments...);
  }

  // A reduction: host(i0, i1, ..., r0, r1, ..., arguments...), where r0, r1, ... are references to what the reducers are of, as parallel_reduce has it:
  //     k.launch_reduce(std::make_tuple(Min<double>(least)), Bounds<1>(n), [](int i, double &r, const auto &x) { if (x(i) < r) r = x(i); }, x);
  // or a function that PORTABLE_REDUCE_KERNEL_n made, which makes the device's version, too. Returns when the results are in their places.
  template <class... R, int N, int first, Order order, class Index, class F, class... A>
  void launch_reduce(const LaunchConfig &config, const std::tuple<R...> &reducers, const BasicBounds<N, first, order, Index> &bounds, const F &host,
                     const A &...arguments) const {
    using H = detail::HostReduction<F, Index, order, N, std::tuple<R...>, std::index_sequence_for<R...>, std::index_sequence_for<A...>, std::decay_t<A>...>;
    const auto function = detail::host_function<portable_reduce_function, H>(host);
    std::apply([&](const auto &...r) {
      const portable_reduction list[] = {r.c_reduction()...};
      start(function, portable_kernel_set_host_reduce, bounds.c_bounds(), config.c_config(), [&](portable_kernel k, const portable_bounds *b,
            const void *block, const portable_launch_config *c) { return portable_launch_reduce(k, b, block, list, sizeof...(R), c); }, arguments...);
    }, reducers);
  }
  template <class... R, int N, int first, Order order, class Index, class F, class... A>
  void launch_reduce(const std::tuple<R...> &reducers, const BasicBounds<N, first, order, Index> &bounds, const F &host, const A &...arguments) const {
    launch_reduce(LaunchConfig(), reducers, bounds, host, arguments...);
  }

private:
  using Create = portable_status (*)(const char *, portable_kernel *);
  using Any = void (*)(); // a host version of any kind
  // Finds the object, sets its host version when it is new, packs the arguments and launches.
  template <class Function, class Launch, class... A>
  void start(Function function, portable_status (*set)(portable_kernel, Function), const portable_bounds &bounds, portable_launch_config config,
             const Launch &launch, const A &...arguments) const {
    using B = detail::Block<std::decay_t<A>...>;
    alignas(64) unsigned char block[B::places().bytes + 1];
    B::fill(block, std::index_sequence_for<A...>(), arguments...);
    config.strided = 1;
    const portable_kernel k = state_->object(reinterpret_cast<Any>(function), B::create, [&](portable_kernel made) { return set(made, function); });
    const portable_bounds *const b = &bounds;
    const void *const packed = block;
    const portable_launch_config *const c = &config;
    check(launch(k, b, packed, c));
  }
  // The library's kernel objects: one for each host version and list of arguments that it was launched with.
  struct Object {
    Any host;
    Create create;
    portable_kernel handle;
    const Object *next;
  };
  struct State {
    explicit State(std::string l) : label(std::move(l)) {}
    State(const State &) = delete;
    State &operator=(const State &) = delete;
    ~State() {
      for (const Object *o = objects.load(); o;) {
        const Object *const next = o->next;
        portable_kernel_destroy(o->handle);
        delete o;
        o = next;
      }
    }
    template <class Set> portable_kernel object(Any host, Create create, const Set &set) {
      const Object *const seen = objects.load(std::memory_order_acquire);
      for (const Object *o = seen; o; o = o->next)
        if (o->host == host && o->create == create) return o->handle;
      auto made = std::make_unique<Object>(Object{host, create, 0, seen});
      check(create(label.c_str(), &made->handle));
      portable_status status = set(made->handle);
      if (status == PORTABLE_OK && code) {
        const portable_cuda_code c = code->c_code();
        status = portable_kernel_set_cuda(made->handle, &c);
      }
      if (status != PORTABLE_OK) {
        const Error error(status, portable_last_error());
        portable_kernel_destroy(made->handle);
        throw error;
      }
      // Two threads that come first at the same time make two, which both work.
      while (!objects.compare_exchange_weak(made->next, made.get(), std::memory_order_acq_rel)) {}
      return made.release()->handle;
    }
    std::string label;
    std::unique_ptr<CudaCode> code;
    std::atomic<const Object *> objects{nullptr};
  };
  std::shared_ptr<State> state_;
};

} // namespace portable

#endif
