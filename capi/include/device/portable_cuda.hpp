// portable_cuda.hpp - loops of C++ whose bodies nvcc compiles for the device: a lambda or function object instead of a kernel's source. C++14.
//
//     #include <portable_cuda.hpp>                                  // nvcc --extended-lambda model.cu -lportable
//     namespace cuda = portable::cuda;
//     cuda::parallel_for("axpy", cuda::Bounds<1>(n), PORTABLE_LAMBDA(int i) { y[i] += a * x[i]; });
//
// In this file: bounds, launches, arguments that are checked. Not in this file: memory, streams, fences (portable.h, or portable.hpp where nvcc
// compiles as C++17), kernels that NVRTC compiles at run time (portable_device.h), views for arrays (portable_device_view.h, included here).
//
// A launch goes into the library's stream as portable_device_enqueue puts it there: in order, with label, timers, tools and errors as other launches,
// and with the grid of portable_device_space. It does not wait; portable_fence does. It needs the CUDA runtime, which nvcc links.
//
// For a device that is not one of CUDA (serial, threads, hip) the same body runs on the host, if it is __host__ __device__: PORTABLE_LAMBDA is, PORTABLE_DEVICE_LAMBDA is
// not. A function object does not show it: one that is __device__ only is given as cuda::device_only(f).
//
// A body is copied byte by byte, so it captures numbers, pointers, views (portable_view) and structures of them. Arrays of portable.hpp
// count their users and do not compile as captures; device_parallel_for takes them as arguments, from memDevice only. A structure with arrays inside
// is captured as the view() of its device_copy, or given as an argument (portable_nested.hpp). The indices have the order and values of
// portable_parallel_for; a body is called once for each.
//
// Errors: Error (portable_error.hpp); those of a running kernel come with the stream's next fence.
// Threads: every function may be called from any thread, not from device code.
#ifndef PORTABLE_CUDA_HPP
#define PORTABLE_CUDA_HPP

#if !defined(__CUDACC__) || !defined(__NVCC__)
#error "portable_cuda.hpp is for nvcc: compile this file as CUDA C++ (a .cu file), or use portable.hpp"
#endif

#include "portable_cuda_launch.hpp"

#include <exception>
#include <limits>

#ifndef PORTABLE_LAMBDA /* else portable_macros.hpp has defined it */
#define PORTABLE_LAMBDA [=] __host__ __device__
#define PORTABLE_DEVICE_LAMBDA [=] __device__
#endif

namespace portable {
namespace cuda {

// An index space of N dimensions, 1 to 8: each from 0 to n - 1, the last one fastest, or whatever bounds of C say. Index is the type that the body is
// called with. The Bounds of portable.hpp do as well.
// Errors: Error: ERR_ARG (bounds of C have another rank), ERR_OVERFLOW (they do not fit Index).  Since: 0.1
template <int N, class Index = int> class Bounds {
  static_assert(N >= 1 && N <= PORTABLE_LOOP_RANK, "an index space has 1 to 8 dimensions");

public:
  using index_type = Index;
  static constexpr int rank = N;

  template <class... Counts, std::enable_if_t<sizeof...(Counts) == N && std::is_integral<std::common_type_t<Counts...>>::value, int> = 0>
  explicit Bounds(Counts... counts) {
    const std::int64_t n[] = {static_cast<std::int64_t>(counts)...};
    std::int64_t upper[N];
    for (int d = 0; d < N; d++) upper[d] = n[d] < 1 ? -1 : n[d] - 1;
    check(portable_bounds_make(N, PORTABLE_ORDER_C, nullptr, upper, nullptr, &b_));
    check_index();
  }
  explicit Bounds(const portable_bounds &b) : b_(b) {
    if (b.rank != N)
      throw Error(PORTABLE_ERR_ARG, "portable::cuda::Bounds: bounds of rank " + std::to_string(b.rank) + " are given for Bounds<" + std::to_string(N) + ">");
    check_index();
  }
  const portable_bounds &c_bounds() const { return b_; }

private:
  void check_index() const {
    for (int d = 0; d < N; d++)
      if (b_.upper[d] >= b_.lower[d] && (b_.lower[d] < std::numeric_limits<Index>::min() || b_.upper[d] > std::numeric_limits<Index>::max()))
        throw Error(PORTABLE_ERR_OVERFLOW, "portable::cuda::Bounds: dimension " + std::to_string(d + 1) + " goes from " + std::to_string(b_.lower[d]) + " to " +
                                               std::to_string(b_.upper[d]) + ", which does not fit the loop's integer; take Bounds<" + std::to_string(N) + ", std::int64_t>");
  }
  portable_bounds b_;
};

// A function object whose operator() is __device__ only.  Since: 0.1
template <class F> struct DeviceOnly { F f; };
template <class F> DeviceOnly<F> device_only(const F &f) { return {f}; }

namespace detail {

// ---- on the host ----

// The body, and whether it runs on the host.
template <class F> struct Body {
  using type = F;
  static constexpr bool host = !__nv_is_extended_device_lambda_closure_type(F);
  static const F &of(const F &f) { return f; }
};
template <class F> struct Body<DeviceOnly<F>> {
  using type = F;
  static constexpr bool host = false;
  static const F &of(const DeviceOnly<F> &f) { return f.f; }
};

template <int left, int N> struct Nest {
  template <class Index, class F> static void run(const portable_tile &t, bool first_runs, const F &f, Index *at) {
    const int k = left - 1, d = first_runs ? k : N - 1 - k;
    const auto steps = (static_cast<std::uint64_t>(t.upper[d]) - static_cast<std::uint64_t>(t.lower[d])) / static_cast<std::uint64_t>(t.stride[d]);
    for (std::uint64_t q = 0; q <= steps; q++) {
      at[d] = static_cast<Index>(t.lower[d] + static_cast<std::int64_t>(q) * t.stride[d]);
      Nest<left - 1, N>::run(t, first_runs, f, at);
    }
  }
};
template <int N> struct Nest<0, N> {
  template <class Index, class F> static void run(const portable_tile &, bool, const F &f, Index *at) { Call<N>::host(f, at); }
};

template <int N, class Index, class F> void tile(const portable_tile *t, void *args) {
  Index at[N];
  try {
    Nest<N, N>::run(*t, portable_tile_order(t) == PORTABLE_ORDER_FORTRAN, *static_cast<const F *>(args), at);
  } catch (const std::exception &e) {
    portable_kernel_fail(t, 1, e.what());
  } catch (...) {
    portable_kernel_fail(t, 1, "the kernel has thrown what is no std::exception");
  }
}

template <class F> void end_copy(portable_status, void *f) { delete static_cast<F *>(f); }

template <bool has> struct OnHost {
  template <int N, class Index, class F>
  static void run(const char *label, const portable_bounds &bounds, const F &f, const portable_launch_config &config) {
    if (config.stream == 0 || portable_stream_kind(config.stream) != PORTABLE_STREAM_ASYNC) {
      check(portable_parallel_for(label, &bounds, &tile<N, Index, F>, &f, 0, &config));
      return;
    }
    std::unique_ptr<F> copy(new F(f)); // nvcc's wrapper of a lambda has a copy constructor that counts
    check(portable_parallel_for(label, &bounds, &tile<N, Index, F>, copy.get(), 0, &config));
    const portable_status status = portable_stream_release(config.stream, &end_copy<F>, copy.get());
    // Without the callback the copy goes here, when the stream has passed it. Inside a kernel of the stream no thread can wait for that.
    if (status == PORTABLE_OK || portable_stream_fence(config.stream) == PORTABLE_ERR_STATE) copy.release();
    check(status);
  }
};
template <> struct OnHost<false> {
  template <int N, class Index, class F>
  static void run(const char *label, const portable_bounds &, const F &, const portable_launch_config &config) {
    throw Error(PORTABLE_ERR_STATE, std::string("parallel_for of '") + label + "': the kernel is compiled for CUDA devices only, and the device is '" +
                                        portable_device_name(config.device) + "'; make it __host__ __device__ (PORTABLE_LAMBDA), or launch it on a CUDA device");
  }
};

// ---- arguments behind the indices ----

// A body and what it gets behind its indices.
template <class F, class... A> struct With;
template <class F> struct With<F> {
  F f;
#pragma nv_exec_check_disable
  template <class... X> __host__ __device__ void operator()(const X &...x) const { f(x...); }
};
template <class F, class A, class... R> struct With<F, A, R...> {
  A a;
  With<F, R...> rest;
#pragma nv_exec_check_disable
  template <class... X> __host__ __device__ void operator()(const X &...x) const { rest(x..., a); }
};

template <class F> With<F> with(const F &f) { return {f}; }
template <class F, class A, class... R> auto with(const F &f, const A &a, const R &...rest) -> With<F, A, R...> { return {a, with(f, rest...)}; }

// ---- a launch ----

// 1: a copy of the bytes will do. On the host nvcc puts a wrapper in the place of a __host__ __device__ lambda, which lists what is captured; its
// copies count for nothing on the device. nvcc 11 has two flags in front, nvcc 12 three.
template <class... A> struct All : std::true_type {};
template <class A, class... R> struct All<A, R...> : std::integral_constant<bool, std::is_trivially_copyable<A>::value && All<R...>::value> {};
template <class F> struct Copied : std::is_trivially_copyable<F> {};
template <template <bool, bool, class...> class W, bool a, bool b, class Tag, class Call, class... Captured>
struct Copied<W<a, b, Tag, Call, Captured...>> : All<Captured...> {};
template <template <bool, bool, bool, class...> class W, bool a, bool b, bool c, class Tag, class Call, class... Captured>
struct Copied<W<a, b, c, Tag, Call, Captured...>> : All<Captured...> {};
template <class F, class... A> struct Body<With<F, A...>> {
  using type = With<F, A...>;
  static constexpr bool host = Body<F>::host;
  static const type &of(const type &f) { return f; }
};
template <class F> struct Copied<With<F>> : Copied<F> {};
template <class F, class A, class... R> struct Copied<With<F, A, R...>> : std::integral_constant<bool, Copied<A>::value && Copied<With<F, R...>>::value> {};

inline const portable_launch_config &config_of(const portable_launch_config &c) { return c; }
template <class C> auto config_of(const C &c) -> decltype(c.c_config()) { return c.c_config(); }

inline bool serial_now(const portable_launch_config &c) {
  const char *b4b = c.bit_for_bit ? std::getenv("PORTABLE_B4B") : nullptr;
  return b4b && std::strcmp(b4b, "1") == 0;
}

template <class B, class G> void launch(const char *label, const B &bounds, const G &given, portable_launch_config config) {
  using F = typename Body<G>::type;
  using Index = typename B::index_type;
  static_assert(Copied<F>::value,
                "a kernel is copied to the device byte by byte: it cannot hold an Array or another object with constructors; give Arrays in memDevice as "
                "arguments of device_parallel_for, or capture a portable_view");
  static_assert(sizeof(F) <= PORTABLE_ARGUMENTS_DIRECT, "what the kernel holds does not fit its parameters (3840 bytes): let it hold a pointer to device memory");
  const F &f = Body<G>::of(given);
  const portable_bounds b = bounds.c_bounds();
  if (!label) label = "unlabelled";
  if (config.division)
    throw Error(PORTABLE_ERR_ARG, std::string("parallel_for of '") + label + "': loops that nvcc compiles take no division; name a block_size, or launch a kernel object");
  if (config.device == 0) config.device = config.stream ? portable_stream_device(config.stream) : portable_default_device();
  config.strided = 1;
  Payload<F> p = {};
  std::memcpy(p.f, static_cast<const void *>(&f), sizeof f);
  portable_status status = PORTABLE_ERR_NODEVICE;
  if (is_cuda(config.device) && !serial_now(config))
    status = portable_device_space(label, &b, config.device, config.block_size, &p.space, p.grid, p.block);
  if (status == PORTABLE_ERR_NODEVICE)
    OnHost<Body<G>::host>::template run<B::rank, Index>(label, b, f, config);
  else if (status != PORTABLE_OK)
    check(status);
  else if (p.space.count)
    launched(portable_device_enqueue(label, config.device, config.stream, chosen<B::rank, Index, F>(p.space), &p, sizeof p), label);
}

// ---- what an argument is ----

// The form of an argument in a kernel. Arrays and addresses of portable.hpp are below.
template <class A> struct Argument {
  static_assert(!std::is_pointer<A>::value && !std::is_array<A>::value,
                "a plain pointer does not say where it is valid; give the kernel an Array in memDevice, a portable_view or a device_ptr");
  static_assert(std::is_trivially_copyable<A>::value, "an argument of a device kernel is copied byte by byte: it has no constructors");
  static const A &of(const A &a) { return a; }
};

} // namespace detail

// parallel_for on the device of the configuration (or the default one), in its stream. config: a portable_launch_config or a LaunchConfig; of it
// device, stream, block_size and bit_for_bit are heeded on CUDA devices.
// Errors: Error: as portable_device_space and portable_device_enqueue, ERR_DEVICE (the launch is refused: no code for the architecture, too large a
// block), ERR_STATE (a device that is not one of CUDA and a kernel that is __device__ only), as portable_parallel_for there.
// Source: YAKL's parallel_for.  Since: 0.1
template <class B, class F> void parallel_for(const char *label, const B &bounds, const F &f) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  detail::launch(label, bounds, f, config);
}
template <class B, class F, class C> void parallel_for(const char *label, const B &bounds, const F &f, const C &config) {
  detail::launch(label, bounds, f, detail::config_of(config));
}

// The same for a body that gets all it needs as arguments, behind its indices: Arrays in memDevice arrive as portable_view, device_ptr as an address,
// numbers and structures as they are. Host arrays, host_ptr and plain pointers do not compile.  Since: 0.1
template <class B, class F, class... A> void device_parallel_for(const char *label, const B &bounds, const F &f, const A &...arguments) {
  static_assert(std::is_empty<F>::value, "the kernel captures something; give it as an argument, where the compiler looks at it");
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  detail::launch(label, bounds, detail::with(f, detail::Argument<A>::of(arguments)...), config);
}

} // namespace cuda
} // namespace portable

#if defined(PORTABLE_HPP)
namespace portable {
namespace cuda {
namespace detail {

template <class T, int rank, int memory, int style> struct Argument<Array<T, rank, memory, style>> {
  static_assert(memory != memHost, "a host array cannot be an argument of a device kernel; give it array.createDeviceCopy(), or declare it memDevice");
  using View = portable_view<T, rank, static_cast<int>(style == styleC ? PORTABLE_ORDER_C : PORTABLE_ORDER_FORTRAN)>;
  static View of(const Array<T, rank, memory, style> &array) {
    View v;
    std::int64_t lower[rank], extent[rank];
    for (int d = 0; d < rank; d++) {
      lower[d] = array.lower_bound(d);
      extent[d] = array.extent(d);
    }
    check(portable_view_make(const_cast<std::remove_const_t<T> *>(array.data()), rank, style == styleC ? PORTABLE_ORDER_C : PORTABLE_ORDER_FORTRAN, lower, extent,
                             &v, sizeof v));
    return v;
  }
};
template <class T, int rank, int style> struct Argument<Array<T, rank, memKernel, style>> {
  static const Array<T, rank, memKernel, style> &of(const Array<T, rank, memKernel, style> &array) { return array; }
};
template <class K> struct Argument<device_copy<K>> {
  static const K &of(const device_copy<K> &copy) { return copy.view(); }
};
template <class T, int memory> struct Argument<typed_ptr<T, memory>> {
  static_assert(memory != memHost, "a host address cannot be an argument of a device kernel");
  static T *of(typed_ptr<T, memory> p) { return p.get(); }
};

} // namespace detail
} // namespace cuda
} // namespace portable
#endif

#endif
