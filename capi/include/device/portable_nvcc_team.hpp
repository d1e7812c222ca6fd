// portable_nvcc_team.hpp - kernels of two levels that nvcc compiles: a block of the device does an outer iteration, its threads share inner loops. Part of
// portable_hierarchy.hpp under nvcc --extended-lambda; include portable.hpp.
//
// In this file: the entry, its launch, inner loops and their reductions. Not in this file: the rules of two levels (portable_hierarchy.h), one level
// (portable_nvcc.hpp).
//
// Bits of inner_sum: threads find the values of a strip, each of them then adds all of the strip in the order of the indices, as the host does.
#ifndef PORTABLE_NVCC_TEAM_HPP
#define PORTABLE_NVCC_TEAM_HPP

#ifndef PORTABLE_HIERARCHY_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {
namespace detail {

// ---- outer iterations ----

template <int N, class Index, class F> __device__ __forceinline__ void block_outer(const portable_launch_space &space, const F &f) {
  PORTABLE_SHARED_BYTES(portable__scratch);
  portable_team team;
  for (int d = 0; d < PORTABLE_LOOP_RANK; d++) team.index[d] = 0;
  team.rank = N;
  team.size = static_cast<std::int32_t>(blockDim.x);
  team.member = static_cast<std::int32_t>(threadIdx.x);
  team.scratch_bytes = space.scratch_bytes;
  team.scratch = space.scratch_bytes ? static_cast<void *>(portable__scratch) : nullptr;
  team.tile = nullptr;
  for (std::int64_t n = blockIdx.x; n < space.count; n += gridDim.x) {
    std::int64_t left = n;
#pragma unroll
    for (int k = 0; k < N; k++) {
      const int d = space.order == PORTABLE_ORDER_FORTRAN ? k : N - 1 - k;
      const std::int64_t rest = left / space.extent[d];
      team.index[d] = space.lower[d] + (left - rest * space.extent[d]) * space.stride[d];
      left = rest;
    }
    call_outer<Index>(team, f, std::make_index_sequence<static_cast<std::size_t>(N)>());
    __syncthreads(); // the scratch is the next iteration's
  }
}
template <int N, class Index, class F> __global__ void run_outer(const portable_launch_space space, const F f) { block_outer<N, Index>(space, f); }
template <int N, class Index, class F> __global__ void run_outer_far(const portable_launch_space space, const F *f) { block_outer<N, Index>(space, *f); }

template <int N, class Index, class F> portable_status enqueue_outer(void *native, void *payload) {
  auto *p = static_cast<GpuPayload<F> *>(payload);
  p->space.stream = reinterpret_cast<std::uint64_t>(native) | 1;
  void *parameters[] = {&p->space, p->f};
  const std::uint32_t bytes = p->space.scratch_bytes;
  const dim3 grid(p->grid[0]), block(p->block[0]);
  const cudaStream_t stream = cuda::detail::stream_of(native);
  if constexpr (cuda::detail::Payload<F>::far) {
    if (bytes > 48 * 1024) (void)PORTABLE__CUDA_SHARED(bytes, run_outer_far<N, Index, F>); // the launch says it
    return cuda::detail::answered(PORTABLE__CUDA_LAUNCH(grid, block, bytes, stream, parameters, run_outer_far<N, Index, F>));
  } else {
    if (bytes > 48 * 1024) (void)PORTABLE__CUDA_SHARED(bytes, run_outer<N, Index, F>);
    return cuda::detail::answered(PORTABLE__CUDA_LAUNCH(grid, block, bytes, stream, parameters, run_outer<N, Index, F>));
  }
}

// parallel_outer on a device. False: nothing was done, the host runs it.
template <int N, class Index, class F> bool gpu_outer(const char *label, const portable_bounds &bounds, const F &kernel, const OuterConfig &config) {
  const portable_launch_config &c = config.c_config();
  const portable_device device = gpu_of(c);
  if (!device) return false;
  GpuPayload<F> payload = {};
  const portable_status status = portable_device_space(label, &bounds, device, c.block_size, &payload.space, payload.grid, payload.block);
  if (status == PORTABLE_ERR_NODEVICE) return false;
  check(status);
  if (payload.space.count == 0) return true;
  if (!label) label = "unlabelled";
  std::int32_t threads = c.block_size > 0 ? c.block_size : 128;
  if (threads > 1024 || config.scratch_bytes() > 48 * 1024) { // not each device has that
    portable_device_properties has = PORTABLE_DEVICE_PROPERTIES_INIT;
    check(portable_device_properties_get(device, &has));
    if (threads > has.max_threads_per_block) threads = has.max_threads_per_block;
    if (config.scratch_bytes() > has.shared_bytes_opt_in)
      throw Error(PORTABLE_ERR_ARG, std::string("parallel_outer of '") + label + "': " + std::to_string(config.scratch_bytes()) + " bytes of scratch are asked for, and a block of " +
                                        has.name + " has " + std::to_string(has.shared_bytes_opt_in) + "; take less, or global memory");
  }
  payload.space.scratch_bytes = static_cast<std::uint32_t>(config.scratch_bytes());
  payload.grid[0] = static_cast<std::uint32_t>(payload.space.count < INT32_MAX ? payload.space.count : INT32_MAX);
  payload.block[0] = static_cast<std::uint32_t>(threads);
  gpu_enqueue(label, device, c.stream, enqueue_outer<N, Index, F>, payload, kernel);
  return true;
}

// ---- inner loops ----

// The inner index space: how many indices there are, and the values of each.
template <int N, Order order, class Index> struct BlockSpace {
  std::int64_t lower[N], extent[N], stride[N], count = 1;
  template <int first> __device__ __forceinline__ explicit BlockSpace(const BasicBounds<N, first, order, Index> &bounds) {
#pragma unroll
    for (int d = 0; d < N; d++) {
      lower[d] = bounds.lower(d);
      stride[d] = bounds.stride(d);
      const std::int64_t distance = bounds.upper(d) - lower[d];
      extent[d] = distance < 0 || stride[d] < 1 ? 0 : stride[d] == 1 ? distance + 1 : distance / stride[d] + 1;
      count *= extent[d];
    }
  }
  // f of the indices of position k, counted from 0.
  template <class Step, class F> __device__ __forceinline__ decltype(auto) at(const F &f, Step k) const {
    return at_of(f, k, std::make_index_sequence<static_cast<std::size_t>(N)>());
  }

private:
  template <class Step, class F, std::size_t... d> __device__ __forceinline__ decltype(auto) at_of(const F &f, Step k, std::index_sequence<d...>) const {
    Index i[N];
#pragma unroll
    for (int n = 0; n < N; n++) {
      const int dimension = order == Order::last_fastest ? N - 1 - n : n;
      const Step above = n < N - 1 ? k / static_cast<Step>(extent[dimension]) : 0;
      i[dimension] = static_cast<Index>(lower[dimension] + static_cast<std::int64_t>(k - above * static_cast<Step>(extent[dimension])) * stride[dimension]);
      k = above;
    }
    return f(i[d]...);
  }
};

template <int N, int first, Order order, class Index, class F>
__device__ __forceinline__ void block_loops(const BasicBounds<N, first, order, Index> &bounds, const F &f) {
  const BlockSpace<N, order, Index> space(bounds);
  if (space.count <= INT32_MAX) {
    for (std::uint32_t k = threadIdx.x; k < static_cast<std::uint32_t>(space.count); k += blockDim.x) space.at(f, k);
  } else {
    for (std::uint64_t k = threadIdx.x; k < static_cast<std::uint64_t>(space.count); k += blockDim.x) space.at(f, k);
  }
}

// Gives all values to combine, in their order; false: there are none.
template <class T, int N, int first, Order order, class Index, class F, class Combine>
__device__ __forceinline__ bool block_values(const BasicBounds<N, first, order, Index> &bounds, const F &f, const Combine &combine) {
  __shared__ T lane[PORTABLE_INNER_LANES];
  const BlockSpace<N, order, Index> space(bounds);
  __syncthreads(); // what members have written before; and lanes of the reduction before have been read
  for (std::int64_t from = 0; from < space.count; from += PORTABLE_INNER_LANES) {
    const int n = static_cast<int>(space.count - from < PORTABLE_INNER_LANES ? space.count - from : PORTABLE_INNER_LANES);
    for (int l = static_cast<int>(threadIdx.x); l < n; l += static_cast<int>(blockDim.x)) lane[l] = space.at(f, static_cast<std::uint64_t>(from + l));
    __syncthreads();
    for (int l = 0; l < n; l++) combine(lane[l]);
    __syncthreads();
  }
  return space.count > 0;
}
template <class T, int N, int first, Order order, class Index, class F>
__device__ __forceinline__ T block_sum(const BasicBounds<N, first, order, Index> &bounds, const F &f) {
  T sum{};
  block_values<T>(bounds, f, [&](T a) { sum = static_cast<T>(sum + a); });
  return sum;
}
template <class T, int N, int first, Order order, class Index, class F>
__device__ __forceinline__ T block_min(const BasicBounds<N, first, order, Index> &bounds, const F &f) {
  using L = std::numeric_limits<T>;
  T least = L::has_infinity ? L::infinity() : L::max();
  return block_values<T>(bounds, f, [&](T a) { least = a < least ? a : least; }) ? least : L::max();
}
template <class T, int N, int first, Order order, class Index, class F>
__device__ __forceinline__ T block_max(const BasicBounds<N, first, order, Index> &bounds, const F &f) {
  using L = std::numeric_limits<T>;
  T most = L::has_infinity ? static_cast<T>(-L::infinity()) : L::lowest();
  return block_values<T>(bounds, f, [&](T a) { most = a > most ? a : most; }) ? most : L::lowest();
}

} // namespace detail
} // namespace portable

#endif
