// portable_cuda_launch.hpp - how a body that nvcc compiles becomes a launch: the loops on the device, and the way into the library's stream. Part of
// portable_cuda.hpp and, where nvcc is at work, of portable.hpp; include those. C++14.
//
// In this file: loops of one level, PORTABLE__CUDA_LAUNCH, by which all kernels are launched. Not in this file: what a body may hold, devices of the host
// (portable_cuda.hpp, portable.hpp), two levels and reductions (portable_nvcc.hpp).
// Threads: called from any thread, not from device code.
#ifndef PORTABLE_CUDA_LAUNCH_HPP
#define PORTABLE_CUDA_LAUNCH_HPP

#include "portable.h"
#include "portable_device.h"
#include "portable_error.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>

#include <cuda_runtime.h>

// Launches the kernel that comes last: a template with its arguments. A stand-in for nvcc defines it otherwise.
#if !defined(PORTABLE__CUDA_LAUNCH)
#define PORTABLE__CUDA_LAUNCH(grid, block, shared, stream, parameters, ...) \
  cudaLaunchKernel(reinterpret_cast<const void *>(&__VA_ARGS__), grid, block, parameters, shared, stream)
// Lets a kernel have more dynamic shared memory than each device has.
#define PORTABLE__CUDA_SHARED(bytes, ...) \
  cudaFuncSetAttribute(reinterpret_cast<const void *>(&__VA_ARGS__), cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes))
#endif

namespace portable {
namespace cuda {
namespace detail {

// ---- the loop on the device ----

// In 32 bits, or in 64; which index runs fastest. The same order of positions as PORTABLE_FOR_N: x, y, and all others along z.
template <bool narrow, bool first_runs, int N> struct Walk {
  using Step = std::conditional_t<narrow, std::uint32_t, std::uint64_t>;
  using Signed = std::conditional_t<narrow, std::int32_t, std::int64_t>;
  static __host__ __device__ constexpr int dimension(int k) { return first_runs ? k : N - 1 - k; }
  static __device__ __forceinline__ Step extent(const portable_launch_space &s, int k) { return k < N ? static_cast<Step>(s.extent[dimension(k)]) : 1; }
  static __device__ __forceinline__ Signed value(const portable_launch_space &s, int k, Step q) {
    return static_cast<Signed>(s.lower[dimension(k)]) + static_cast<Signed>(q) * static_cast<Signed>(s.stride[dimension(k)]);
  }
};

// Calls f with the first N of an array's numbers.
template <int left> struct Call {
  template <class F, class T, class... I> static __device__ __forceinline__ void device(const F &f, const T *at, I... i) {
    Call<left - 1>::device(f, at, at[left - 1], i...);
  }
  template <class F, class T, class... I> static void host(const F &f, const T *at, I... i) { Call<left - 1>::host(f, at, at[left - 1], i...); }
};
template <> struct Call<0> {
  template <class F, class T, class... I> static __device__ __forceinline__ void device(const F &f, const T *, I... i) { f(i...); }
  template <class F, class T, class... I> static void host(const F &f, const T *, I... i) { f(i...); }
};

template <bool narrow, bool first_runs, int N, class Index, class F> __device__ __forceinline__ void walk(const portable_launch_space &space, const F &f) {
  using W = Walk<narrow, first_runs, N>;
  using Step = typename W::Step;
  Step rest = 1;
  Index at[N];
#pragma unroll
  for (int k = 2; k < N; k++) rest *= W::extent(space, k);
  for (Step w = N > 2 ? static_cast<Step>(blockIdx.z) * blockDim.z + threadIdx.z : 0; w < rest; w += N > 2 ? static_cast<Step>(gridDim.z) * blockDim.z : 1) {
    Step left = w;
#pragma unroll
    for (int k = 2; k < N; k++) {
      const Step above = k < N - 1 ? left / W::extent(space, k) : 0;
      at[W::dimension(k)] = static_cast<Index>(W::value(space, k, left - above * W::extent(space, k)));
      left = above;
    }
    for (Step y = N > 1 ? static_cast<Step>(blockIdx.y) * blockDim.y + threadIdx.y : 0; y < W::extent(space, 1);
         y += N > 1 ? static_cast<Step>(gridDim.y) * blockDim.y : 1) {
      if (N > 1) at[W::dimension(N > 1 ? 1 : 0)] = static_cast<Index>(W::value(space, 1, y));
      for (Step x = static_cast<Step>(blockIdx.x) * blockDim.x + threadIdx.x; x < W::extent(space, 0); x += static_cast<Step>(gridDim.x) * blockDim.x) {
        at[W::dimension(0)] = static_cast<Index>(W::value(space, 0, x));
        Call<N>::device(f, at);
      }
    }
  }
}

template <bool narrow, bool first_runs, int N, class Index, class F> __global__ void run(const portable_launch_space space, const F f) {
  walk<narrow, first_runs, N, Index>(space, f);
}
// The body is too long for the parameters, and lies in memory of the device.
template <bool narrow, bool first_runs, int N, class Index, class F> __global__ void run_far(const portable_launch_space space, const F *f) {
  walk<narrow, first_runs, N, Index>(space, *f);
}

// ---- into the stream ----

// The body's bytes: what a device gets of it.
template <class F> struct Payload {
  portable_launch_space space;
  alignas(F) unsigned char f[sizeof(F)];
  std::uint32_t grid[3], block[3];
  static constexpr bool far = sizeof(F) > PORTABLE_ARGUMENTS_DIRECT;
};

// The runtime's last error on this thread, for the text of Error.
inline cudaError_t &launch_error() {
  static thread_local cudaError_t error;
  return error;
}

// Whether the runtime knows the device. GPUs of other drivers have streams and memory that it would take for its own.
inline bool is_cuda(portable_device device) {
  return device > 2 && std::strncmp(portable_device_name(device), "cuda:", 5) == 0; // 1 and 2 are serial and threads
}

// The status of an answer of the runtime's.
inline portable_status answered(cudaError_t error) {
  if (error == cudaSuccess) return PORTABLE_OK;
  (void)cudaGetLastError(); // it is reported here
  launch_error() = error;
  return error == cudaErrorMemoryAllocation ? PORTABLE_ERR_NOMEM : PORTABLE_ERR_DEVICE;
}

inline cudaStream_t stream_of(void *native) { return native ? static_cast<cudaStream_t>(native) : cudaStreamLegacy; }

template <bool narrow, bool first_runs, int N, class Index, class F> portable_status enqueue(void *native, void *payload) {
  auto *p = static_cast<Payload<F> *>(payload);
  p->space.stream = reinterpret_cast<std::uint64_t>(native) | 1; // as the library says it
  void *parameters[] = {&p->space, p->f};
  return answered(PORTABLE__CUDA_LAUNCH(dim3(p->grid[0], p->grid[1], p->grid[2]), dim3(p->block[0], p->block[1], p->block[2]), 0, stream_of(native), parameters,
                                        run<narrow, first_runs, N, Index, F>));
}
// payload: a Payload of the body's address.
template <bool narrow, bool first_runs, int N, class Index, class F> portable_status enqueue_far(void *native, void *payload) {
  auto *p = static_cast<Payload<const F *> *>(payload);
  p->space.stream = reinterpret_cast<std::uint64_t>(native) | 1;
  void *parameters[] = {&p->space, p->f};
  return answered(PORTABLE__CUDA_LAUNCH(dim3(p->grid[0], p->grid[1], p->grid[2]), dim3(p->block[0], p->block[1], p->block[2]), 0, stream_of(native), parameters,
                                        run_far<narrow, first_runs, N, Index, F>));
}

// As the library decides it for kernels of its own: all indices and the steps to them fit 32 bits.
inline bool fits_narrow(const portable_launch_space &s) {
  std::int64_t rest = 1;
  for (int d = 0; d < s.rank; d++) {
    const int k = s.order == PORTABLE_ORDER_FORTRAN ? d : s.rank - 1 - d;
    if (s.lower[d] < INT32_MIN || s.lower[d] > INT32_MAX || s.stride[d] > INT32_MAX || s.extent[d] > INT32_MAX) return false;
    if (s.lower[d] + (s.extent[d] - 1) * s.stride[d] > INT32_MAX) return false;
    if (k >= 2) rest *= s.extent[d];
  }
  return rest <= INT32_MAX;
}

template <bool far> struct Form {
  template <bool narrow, bool first_runs, int N, class Index, class F> static constexpr portable_device_function of() { return &enqueue<narrow, first_runs, N, Index, F>; }
};
template <> struct Form<true> {
  template <bool narrow, bool first_runs, int N, class Index, class F> static constexpr portable_device_function of() { return &enqueue_far<narrow, first_runs, N, Index, F>; }
};

// order: that of the space, where it is known at compilation; -1: either, and there are kernels for both.
template <int N, class Index, class F, int order = -1> portable_device_function chosen(const portable_launch_space &s) {
  using E = Form<Payload<F>::far>;
  constexpr bool first = N > 1 && order != PORTABLE_ORDER_C, last = N > 1 && order == PORTABLE_ORDER_FORTRAN;
  const bool narrow = fits_narrow(s);
  if (s.order == PORTABLE_ORDER_FORTRAN) return narrow ? E::template of<true, first, N, Index, F>() : E::template of<false, first, N, Index, F>();
  return narrow ? E::template of<true, last, N, Index, F>() : E::template of<false, last, N, Index, F>();
}

inline void launched(portable_status status, const char *label) {
  if (status == PORTABLE_OK) return;
  const cudaError_t error = launch_error();
  launch_error() = cudaSuccess;
  if (error == cudaSuccess) throw Error(status, portable_last_error());
  throw Error(status, std::string("launch of '") + label + "': cudaLaunchKernel answers " + cudaGetErrorName(error) + " (" + std::to_string(error) + "): " +
                          cudaGetErrorString(error) + "; was this file compiled for the device's architecture (nvcc -arch)?");
}

} // namespace detail
} // namespace cuda
} // namespace portable

#endif
