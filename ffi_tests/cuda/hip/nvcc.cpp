// nvcc.cpp - kernels of portable.hpp that nvcc compiles, in a process with GPUs of two drivers (TEST_GPU, TEST_SECOND_GPU): they run on cuda:0 whichever
// driver came first, also where they are too long for parameters, and the host runs them for hip:0. Compiled as nvcc does it (internal/cudasim/nvcc.h).
#include <portable.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../../yakl/expect.h"

using portable::c::Bounds;

static const int n = 3000;

// 1 in device code. Both passes capture the same variables.
#if defined(__CUDA_ARCH__)
#define WHERE 1
#else
#define WHERE 0
#endif

static portable_device found(const char *name) {
  portable_device device = 0;
  EXPECT(portable_device_find(name, &device) == PORTABLE_OK);
  return device;
}

static std::uint64_t largest_use(portable_pool pool) {
  portable_stats stats = {};
  stats.struct_size = sizeof stats;
  portable::check(portable_pool_stats(pool, &stats));
  return stats.high_water_bytes;
}

// A kernel of 8 KB, which goes to the device as a block of pinned memory: a loop, one in a stream of the program's, two levels, and a reduction.
static void loops(portable_device device, portable_stream stream, bool on_device) {
  portable_pool pool = 0;
  portable::check(portable_pinned_pool_of_device(device, &pool));
  portable::SArray<double, 1, 1000> table;
  for (int i = 0; i < 1000; i++) table(i) = 0.25 * i;
  void *block = nullptr;
  portable::check(portable_pool_alloc(pool, n * sizeof(double), "out", &block)); // both sides access it
  double *const out = static_cast<double *>(block), *const ran = out + n - 1;
  std::memset(block, 0, n * sizeof(double));
  portable::LaunchConfig config;
  if (stream) config.set_stream(stream);
  else config.set_device(device);
  portable::parallel_for("long", Bounds<1>(n - 1), PORTABLE_LAMBDA(int i) {
    out[i] = table(i % 1000) + 1;
    if (i == 0) *ran = WHERE;
  }, config);
  portable::fence();
  bool good = true;
  for (int i = 0; i < n - 1; i++) good = good && out[i] == 0.25 * (i % 1000) + 1;
  EXPECT(good);
  EXPECT((*ran == 1) == on_device);
  portable::parallel_outer("rows", Bounds<1>(3), PORTABLE_LAMBDA(int j, portable::InnerHandler inner) {
    portable::c::parallel_inner(900, [&](int i) { out[j * 900 + i] = table(i) - j; }, inner);
  }, config);
  double sum = 0;
  portable::parallel_reduce("sum", Bounds<1>(n), PORTABLE_LAMBDA(int i, double &s) { s += table(i % 1000); }, config, portable::Sum<double>(sum));
  portable::fence();
  EXPECT(sum == 3 * 0.25 * 999 * 500);
  EXPECT(out[0] == 0 && out[899] == 224.75 && out[1800] == -2 && out[2699] == 222.75);
  portable::check(portable_pool_free(pool, block));
}

int main() {
  const bool cuda_first = std::strcmp(std::getenv("TEST_GPU"), "cuda") == 0;
  portable::check(portable_init(nullptr));
  const portable_device first = portable_default_device(), second = found(std::getenv("TEST_SECOND_GPU"));
  const portable_device cuda = cuda_first ? first : second, hip = cuda_first ? second : first;
  EXPECT(std::strcmp(portable_device_name(cuda), "cuda:0") == 0 && std::strcmp(portable_device_name(hip), "hip:0") == 0);
  portable_pool of_space = 0, of_cuda = 0, of_hip = 0, of_threads = 0;
  portable::check(portable_pool_of_space(PORTABLE_SPACE_PINNED, &of_space));
  portable::check(portable_pinned_pool_of_device(cuda, &of_cuda));
  portable::check(portable_pinned_pool_of_device(hip, &of_hip));
  portable::check(portable_pinned_pool_of_device(found("threads"), &of_threads));
  EXPECT(of_cuda != of_hip && of_space == (cuda_first ? of_cuda : of_hip) && of_threads == of_space);
  portable_stream stream = 0;
  portable::check(portable_stream_create(cuda, PORTABLE_STREAM_ASYNC, &stream));
  loops(cuda, 0, true);
  loops(cuda, stream, true);
  EXPECT(largest_use(of_cuda) > n * sizeof(double));
  EXPECT(largest_use(of_hip) == 0);
  portable::check(portable_stream_destroy(stream));
  // The runtime does not know the streams of another driver.
  loops(hip, 0, false);
  std::string text;
  try {
    portable::parallel_for("only", Bounds<1>(n), PORTABLE_DEVICE_LAMBDA(int) {}, portable::LaunchConfig().set_device(hip));
  } catch (const portable::Error &e) {
    text = e.what();
  }
  EXPECT(text.find("'only': the kernel is compiled for CUDA devices only, and the device is 'hip:0'") != std::string::npos);
  EXPECT(portable_finalize() == PORTABLE_OK);
  return checks::failures != 0;
}
