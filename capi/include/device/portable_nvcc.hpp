// portable_nvcc.hpp - kernels of portable.hpp that nvcc has compiled for a device, too: where they run, and their launches. Part of portable.hpp under
// nvcc --extended-lambda; include that.
//
// In this file: which kernels go to a device, loops of one and of two levels. Not in this file: loops on the device (portable_cuda_launch.hpp), kernels whose
// arguments are checked (portable_cuda.hpp), inner loops (portable_hierarchy.hpp).
//
// A kernel is copied to the device byte by byte, as in YAKL. Its Arrays and live-outs are not counted there: a launch into the device's default stream relies
// on the pool, which gives a block to others when the stream has passed what was in it at the free; a launch into a created stream keeps a copy of the
// kernel until the stream has passed it.
// Threads: called from any thread, not from device code.
#ifndef PORTABLE_NVCC_HPP
#define PORTABLE_NVCC_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include "portable_cuda_launch.hpp"

namespace portable {

namespace detail {
template <class F, class = void> constexpr bool says_runs_on_device = false;
template <class F> constexpr bool says_runs_on_device<F, std::void_t<typename F::runs_on_device>> = F::runs_on_device::value;
} // namespace detail

// Whether kernels of type F run on devices: PORTABLE_LAMBDA and PORTABLE_DEVICE_LAMBDA do. A class whose operator() is __host__ __device__ says it by a member:
// using runs_on_device = std::true_type;  Since: 0.1
template <class F>
inline constexpr bool runs_on_device = __nv_is_extended_host_device_lambda_closure_type(F) || __nv_is_extended_device_lambda_closure_type(F) || detail::says_runs_on_device<F>;

namespace detail {

// Whether host code cannot call F.
template <class F> constexpr bool device_only = __nv_is_extended_device_lambda_closure_type(F) && !__nv_is_extended_host_device_lambda_closure_type(F);

template <class F> [[noreturn]] void only_for_devices(const char *label, const portable_launch_config &c) {
  throw Error(PORTABLE_ERR_STATE, std::string("launch of '") + (label ? label : "unlabelled") + "': the kernel is compiled for CUDA devices only, and the device is '" +
                                      portable_device_name(c.device) + "'; make it a PORTABLE_LAMBDA, or launch it on a CUDA device");
}

// The device of a launch that kernels of nvcc's may run on; 0: the host runs it, as it is bit_for_bit under PORTABLE_B4B=1, has a division, or the device is
// not one of CUDA.
inline portable_device gpu_of(const portable_launch_config &c) {
  if (c.division) return 0;
  const portable_device device = c.device ? c.device : c.stream ? portable_stream_device(c.stream) : portable_default_device();
  if (!cuda::detail::is_cuda(device)) return 0;
  const char *b4b = c.bit_for_bit ? std::getenv("PORTABLE_B4B") : nullptr;
  return b4b && std::strcmp(b4b, "1") == 0 ? 0 : device;
}

// A block that host and device reach, with the bytes of a kernel that its parameters do not hold. It is released when the stream has passed its launch.
// stream 0: the default stream of the device.
class FarBytes {
public:
  FarBytes(portable_device device, portable_stream stream, const void *bytes, std::size_t count) : stream_(stream ? stream : portable_device_stream(device)) {
    check(portable_pinned_pool_of_device(device, &pool_));
    check(portable_pool_alloc(pool_, count, "kernel", &block_));
    std::memcpy(block_, bytes, count);
  }
  FarBytes(const FarBytes &) = delete;
  FarBytes &operator=(const FarBytes &) = delete;
  ~FarBytes() {
    if (portable_add_stream_dependency(block_, stream_) != PORTABLE_OK) portable_stream_fence(stream_);
    portable_pool_free(pool_, block_);
  }
  const void *get() const { return block_; }

private:
  portable_stream stream_;
  portable_pool pool_ = 0;
  void *block_ = nullptr;
};

// Enqueues a kernel whose space and shape are known. Into a created stream goes a copy, which holds what the kernel holds until the stream has passed it.
template <class P, class F>
void gpu_enqueue(const char *label, portable_device device, portable_stream stream, portable_device_function function, P &payload, const F &kernel) {
  const void *const bytes = static_cast<const void *>(&kernel);
  const auto put = [&] {
    if constexpr (cuda::detail::Payload<F>::far) {
      const FarBytes far(device, stream, bytes, sizeof kernel);
      const void *const at = far.get();
      std::memcpy(payload.f, &at, sizeof at);
      cuda::detail::launched(portable_device_enqueue(label, device, stream, function, &payload, sizeof payload), label);
    } else {
      std::memcpy(payload.f, bytes, sizeof kernel);
      cuda::detail::launched(portable_device_enqueue(label, device, stream, function, &payload, sizeof payload), label);
    }
  };
  if (std::is_trivially_copyable<F>::value || stream == 0 || portable_stream_kind(stream) != PORTABLE_STREAM_ASYNC) return put();
  auto copy = std::make_unique<F>(kernel);
  put();
  const portable_status status = portable_stream_release(stream, end_copy<F>, copy.get());
  // Without the callback the copy goes here, when the stream has passed it. Inside a kernel of the stream no thread can wait for that.
  if (status == PORTABLE_OK || portable_stream_fence(stream) == PORTABLE_ERR_STATE) copy.release();
  check(status);
}

// The payload of a kernel, or of its address.
template <class F> using GpuPayload = cuda::detail::Payload<std::conditional_t<cuda::detail::Payload<F>::far, const F *, F>>;

// parallel_for on a device. False: nothing was done, the host runs it.
template <int N, class Index, Order order, class F> bool gpu_for(const char *label, const portable_bounds &bounds, const F &kernel, const portable_launch_config &c) {
  const portable_device device = gpu_of(c);
  if (!device) return false;
  GpuPayload<F> payload = {};
  const portable_status status = portable_device_space(label, &bounds, device, c.block_size, &payload.space, payload.grid, payload.block);
  if (status == PORTABLE_ERR_NODEVICE) return false;
  check(status);
  if (payload.space.count == 0) return true;
  if (!label) label = "unlabelled";
  gpu_enqueue(label, device, c.stream, cuda::detail::chosen<N, Index, F, static_cast<int>(order)>(payload.space), payload, kernel);
  return true;
}

} // namespace detail
} // namespace portable

#endif
