// portable_nvcc_reduce.hpp - parallel_reduce whose lambda nvcc compiles for a device. Part of portable_reduce.hpp under nvcc --extended-lambda; include
// portable.hpp.
//
// In this file: which results a device combines, the kernel as a reduction of portable_device_leaf.h, its launch. Not in this file: leaves and their order,
// which are the host's (portable_device_leaf.h), reducers (portable_reduce.hpp).
//
// Bits: the host's, where a kernel does one operation on each result in an iteration. If it does several, the device adds up those of the iteration first.
#ifndef PORTABLE_NVCC_REDUCE_HPP
#define PORTABLE_NVCC_REDUCE_HPP

#ifndef PORTABLE_REDUCE_HPP
#error "include portable.hpp, which includes this"
#endif

#include "portable_device_reduce.h"

namespace portable {
namespace detail {

// Complex numbers, exact sums and users' operations are combined on the host.
template <class R, class = void> constexpr bool combined_on_device = false;
template <class R> constexpr bool combined_on_device<R, std::void_t<typename R::Stored>> =
    !std::is_same<typename R::Stored, std::complex<float>>::value && !std::is_same<typename R::Stored, std::complex<double>>::value;

// The values that the kernel sees, one for each result.
template <class... R> struct Results;
template <class R> struct Results<R> {
  typename R::Local first;
};
template <class R, class... Rest> struct Results<R, Rest...> {
  typename R::Local first;
  Results<Rest...> rest;
};
template <std::size_t k, class... R> __device__ __forceinline__ auto &result_of(Results<R...> &all) {
  if constexpr (k == 0)
    return all.first;
  else
    return result_of<k - 1>(all.rest);
}
template <std::size_t k, class... R> __device__ __forceinline__ const auto &result_of(const Results<R...> &all) {
  if constexpr (k == 0)
    return all.first;
  else
    return result_of<k - 1>(all.rest);
}

// s is the result so far, g the value of an iteration.
template <std::int32_t operation, class T> __device__ __forceinline__ void combine_result(T &s, const T &g) {
  if constexpr (operation == PORTABLE_REDUCE_SUM)
    s = static_cast<T>(s + g);
  else if constexpr (operation == PORTABLE_REDUCE_PRODUCT)
    s = static_cast<T>(s * g);
  else if constexpr (operation == PORTABLE_REDUCE_MIN)
    s = g < s ? g : s;
  else if constexpr (operation == PORTABLE_REDUCE_MAX)
    s = g > s ? g : s;
  else if constexpr (operation == PORTABLE_REDUCE_MINLOC)
    PORTABLE__REDUCE_MINLOC(s, g);
  else if constexpr (operation == PORTABLE_REDUCE_MAXLOC)
    PORTABLE__REDUCE_MAXLOC(s, g);
  else if constexpr (operation == PORTABLE_REDUCE_ANY)
    s = s || g;
  else
    s = s && g;
}

// The lambda as a reduction of portable_device_leaf.h.
template <int N, class Index, class F, class... R> struct LeafReduction {
  using results = Results<R...>;
  using args = F;
  using All = std::index_sequence_for<R...>;
  static __device__ __forceinline__ void one(const portable_launch_space &, const F *f, const std::int64_t *x, results *give) {
    call(*f, x, *give, std::make_index_sequence<static_cast<std::size_t>(N)>(), All());
  }
  static __device__ __forceinline__ void add(results *sum, const results &one) { add_all(*sum, one, All()); }
  static __device__ __forceinline__ void load(results *sum, const char *from, const portable__reduce_info *info) { load_all(*sum, from, info, All()); }
  static __device__ __forceinline__ void store(const results *sum, char *to, const portable__reduce_info *info) { store_all(*sum, to, info, All()); }
  static __device__ __forceinline__ int fits(const portable__reduce_info *) { return 1; } // the launch has these reducers

private:
  template <std::size_t... d, std::size_t... k>
  static __device__ __forceinline__ void call(const F &f, const std::int64_t *x, results &give, std::index_sequence<d...>, std::index_sequence<k...>) {
    f(static_cast<Index>(x[d])..., result_of<k>(give)...);
  }
  template <std::size_t... k> static __device__ __forceinline__ void add_all(results &sum, const results &one, std::index_sequence<k...>) {
    (combine_result<R::operation_of>(result_of<k>(sum), result_of<k>(one)), ...);
  }
  template <std::size_t... k>
  static __device__ __forceinline__ void load_all(results &sum, const char *from, const portable__reduce_info *info, std::index_sequence<k...>) {
    ((result_of<k>(sum) = R::begin(from + info->offset[k])), ...);
  }
  template <std::size_t... k>
  static __device__ __forceinline__ void store_all(const results &sum, char *to, const portable__reduce_info *info, std::index_sequence<k...>) {
    (R::end(to + info->offset[k], result_of<k>(sum)), ...);
  }
};

template <int N, class Index, class F, class... R> __global__ void run_reduce(const portable_launch_space space, const F f) {
  portable__reduce_leaves<LeafReduction<N, Index, F, R...>>(space, &f);
}
template <int N, class Index, class F, class... R> __global__ void run_reduce_far(const portable_launch_space space, const F *f) {
  portable__reduce_leaves<LeafReduction<N, Index, F, R...>>(space, f);
}

// payload: the kernel, or the address of a far one.
template <int N, class Index, class F, class... R>
portable_status enqueue_reduce(void *native, portable_launch_space *space, std::uint32_t blocks, std::uint32_t threads, void *payload) {
  const cudaStream_t stream = cuda::detail::stream_of(native);
  if constexpr (cuda::detail::Payload<F>::far) {
    void *parameters[] = {space, payload};
    return cuda::detail::answered(PORTABLE__CUDA_LAUNCH(dim3(blocks), dim3(threads), 0, stream, parameters, run_reduce_far<N, Index, F, R...>));
  } else {
    void *parameters[] = {space, payload};
    return cuda::detail::answered(PORTABLE__CUDA_LAUNCH(dim3(blocks), dim3(threads), 0, stream, parameters, run_reduce<N, Index, F, R...>));
  }
}

// parallel_reduce on a device, which is waited for. False: nothing was done, the host runs it.
template <class Index, int N, class F, class... R>
bool gpu_reduce(const char *label, const portable_bounds &bounds, const F &kernel, const portable_launch_config &c, const R &...reducers) {
  const portable_device device = gpu_of(c);
  if (!device) return false;
  const portable_reduction list[] = {reducers.c_reduction()...};
  const auto launch = [&](const void *payload) {
    return portable_device_reduce(label, &bounds, &enqueue_reduce<N, Index, F, R...>, const_cast<void *>(payload), list, sizeof...(R), &c);
  };
  portable_status status;
  if constexpr (cuda::detail::Payload<F>::far) {
    const FarBytes far(device, c.stream, &kernel, sizeof kernel);
    const void *const at = far.get();
    status = launch(&at);
  } else {
    status = launch(&kernel);
  }
  if (status == PORTABLE_ERR_NODEVICE || status == PORTABLE_ERR_STATE) return false; // another device, or inside of a kernel
  cuda::detail::launched(status, label ? label : "unlabelled");
  return true;
}

} // namespace detail
} // namespace portable

#endif
