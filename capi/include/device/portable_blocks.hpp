// portable_blocks.hpp - block kernels with lambdas, on the devices of the host: threads of a block that wait for each other at barriers.
//
//     portable::parallel_blocks("reverse", Bounds<1>(n / 64), {64}, [=](int block, portable::BlockHandler b) {
//       double *line = b.scratch<double>(64);
//       line[b.thread()] = x[64 * block + b.thread()];
//       b.barrier();
//       x[64 * block + b.thread()] = line[63 - b.thread()];
//     }, portable::OuterConfig().set_scratch(64 * sizeof(double)));
//
// The rules at the head of portable_blocks.h hold. A lambda has no version for GPUs: a launch that names a GPU, or a stream of one, is refused; where a GPU is
// only the default device, the host runs the launch, and portable_fallback_print lists it. Under nvcc a PORTABLE_LAMBDA does not compile here. Not in this
// file: kernels that have a version for GPUs, which PORTABLE_BLOCK_KERNEL makes from C++, too.
#ifndef PORTABLE_BLOCKS_HPP
#define PORTABLE_BLOCKS_HPP

#include "portable.hpp"
#include "portable_blocks.h"

namespace portable {

// The calling thread of a block, for the calls inside it. Valid during the call of the lambda; copied freely.  Since: 0.1
class BlockHandler {
public:
  explicit BlockHandler(const portable_thread_block &block) : block_(&block) {}
  // The calling thread in dimension d, from 0, and how many a block has there.
  int thread(int d = 0) const { return block_->thread[d]; }
  int threads(int d = 0) const { return block_->threads[d]; }
  // All threads of the block, and the calling one of them, from 0.
  int size() const { return block_->size; }
  int member() const { return block_->member; }
  // `count` elements of the block's scratch, from its byte `offset` on; of any content. Throws Error (ERR_ARG) where they do not fit.
  template <class T> T *scratch(std::size_t count, std::size_t offset = 0) const {
    portable_team team = portable_team();
    team.scratch = block_->scratch;
    team.scratch_bytes = block_->scratch_bytes;
    return InnerHandler(team).scratch<T>(count, offset);
  }
  // Waits until all threads of the block are here; every one of them calls it, or none. Errors: the launch fails, and names file and line.
  void barrier(const char *file = __builtin_FILE(), int line = __builtin_LINE()) const { portable_block_wait(block_, file, line); }
  const portable_thread_block &c_block() const { return *block_; }

private:
  const portable_thread_block *block_;
};

namespace detail {

template <class Index, class F, std::size_t... d>
inline void call_thread(const portable_thread_block &b, const F &f, std::index_sequence<d...>) {
  f(static_cast<Index>(b.index[d])..., BlockHandler(b));
}

// The threads of a row of blocks, up to the first one that waits; did counts blocks that were run.
template <class Index, int N, int fast, class F> inline void call_blocks(const portable_thread_block &first, const F &f, std::int64_t &did) {
  constexpr int mid = fast == 1 ? 0 : 1, slow = fast == 2 ? 0 : 2;
  constexpr auto numbers = std::make_index_sequence<static_cast<std::size_t>(N)>();
  portable_thread_block b = first;
  const std::int64_t n = first.run->blocks, step = first.run->step;
  const std::int32_t *failed = first.run->failed;
  const std::int32_t width = b.threads[fast], height = b.threads[mid], depth = b.threads[slow];
  std::int32_t k = 0, member = 0;
  b.waited = 0;
  if (n == 0) return call_thread<Index>(b, f, numbers);
  do {
    std::int32_t i, j = 0;
    b.thread[slow] = k;
    do {
      b.thread[mid] = j;
      i = 0;
      do {
        b.thread[fast] = i;
        b.member = member + i;
        call_thread<Index>(b, f, numbers);
      } while (++i < width && !b.waited);
      member += width;
    } while (++j < height && !b.waited);
    if (b.waited) return;
    if (++k < depth) continue;
    k = member = 0;
    did++;
    b.index[fast] += step;
    if (__atomic_load_n(failed, __ATOMIC_RELAXED)) return;
  } while (did < n);
}

template <class Index, int N, int fast, class F> void run_blocks(const portable_thread_block *b, void *args) {
  auto &launch = *static_cast<Launch<F> *>(args);
  const bool alone = b->run->blocks == 0;
  std::int64_t did = 0;
  try {
    call_blocks<Index, N, fast>(*b, *launch.kernel, did);
  } catch (...) {
    if (!launch.thrown.exchange(true)) launch.exception = std::current_exception();
    portable_kernel_fail(b->tile, 1, "the kernel has thrown an exception");
  }
  if (!alone) b->run->did = did;
}

// The same of a kernel that the launch has copied.
template <class Index, int N, int fast, class F> void run_blocks_of_copy(const portable_thread_block *b, void *args) {
  const bool alone = b->run->blocks == 0;
  std::int64_t did = 0;
  try {
    call_blocks<Index, N, fast>(*b, *static_cast<const F *>(args), did);
  } catch (const std::exception &e) {
    portable_kernel_fail(b->tile, 1, e.what());
  } catch (...) {
    portable_kernel_fail(b->tile, 1, "the kernel has thrown an exception");
  }
  if (!alone) b->run->did = did;
}

// Refuses the device that the launch of a lambda names, if it is not one of the host.
inline void block_lambda_device(const char *label, const portable_launch_config &c) {
  const portable_device device = c.stream ? portable_stream_device(c.stream) : c.device;
  if (device == 0 || portable_stream_kind(portable_device_stream(device)) != PORTABLE_STREAM_ASYNC) return;
  throw Error(PORTABLE_ERR_STATE, std::string("parallel_blocks '") + (label ? label : "unlabelled") + "': the launch names the device '" +
                                      portable_device_name(device) + "', and the kernel is a lambda, which only the host runs; write it as PORTABLE_BLOCK_KERNEL "
                                      "for portable_launch_blocks, or name a device or a stream of the host");
}

template <class Index, class F, class Numbers> struct BlockCallable;
template <class Index, class F, std::size_t... d> struct BlockCallable<Index, F, std::index_sequence<d...>> {
  static constexpr bool value = std::is_invocable<const F &, Same<d, Index>..., BlockHandler>::value;
};

} // namespace detail

// Calls kernel(i0, ..., BlockHandler) for each thread of each block of the grid that the bounds are, and returns when that is done; in an
// asynchronous stream at once. threads[d] threads in dimension d, 1024 in all at most.
// Errors, exceptions, ownership: as parallel_for; Error with ERR_ARG for threads or scratch that a block cannot have, ERR_STATE inside a block
// kernel and for a GPU that the launch names, ERR_KERNEL for a barrier that not all threads come to.  Source: portable_parallel_blocks.  Since: 0.1
template <int N, int first, Order order, class Index, class F>
void parallel_blocks(const char *label, const BasicBounds<N, first, order, Index> &bounds, const std::int32_t (&threads)[N], const F &kernel,
                     const OuterConfig &config = OuterConfig()) {
  static_assert(N <= PORTABLE_BLOCK_RANK, "a grid of blocks has 1 to 3 dimensions");
  static_assert(detail::BlockCallable<Index, F, std::make_index_sequence<static_cast<std::size_t>(N)>>::value,
                "the kernel takes one index for each dimension of the bounds and a BlockHandler, and is const (no `mutable`)");
#if PORTABLE__NVCC
  static_assert(!runs_on_device<F>, "parallel_blocks runs lambdas on the host only, and this kernel is compiled for a device, too; write it as "
                                    "PORTABLE_BLOCK_KERNEL, which host and device run, or as a plain lambda [=]");
#endif
  constexpr int fast = order == Order::first_fastest ? 0 : N - 1;
  const portable_bounds b = bounds.c_bounds();
  const portable_launch_config &c = config.c_config();
  detail::block_lambda_device(label, c);
  if (detail::is_asynchronous(c.stream))
    return detail::enqueue(c.stream, kernel, [&](const void *args, std::size_t bytes) {
      return portable_parallel_blocks(label, &b, threads, detail::run_blocks_of_copy<Index, N, fast, F>, args, bytes, config.scratch_bytes(), &c);
    });
  detail::Launch<F> launch;
  launch.kernel = &kernel;
  const portable_status status =
      portable_parallel_blocks(label, &b, threads, detail::run_blocks<Index, N, fast, F>, &launch, 0, config.scratch_bytes(), &c);
  if (launch.exception) std::rethrow_exception(launch.exception);
  check(status);
}

} // namespace portable

#endif
