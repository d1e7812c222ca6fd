// engine.cu - launches of portable_cuda.hpp on a device of the fake driver: that they go through the library's stream, once, with its grid and the body's
// bytes, and what is said when the runtime refuses. Nothing runs: code of nvcc's needs a GPU. runtime.c stands in for the CUDA runtime.
#include <portable_cuda.hpp>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

namespace cuda = portable::cuda;

struct Three {
  unsigned x, y, z;
};
extern "C" {
extern int runtime_launches, runtime_answer;
extern Three runtime_grid, runtime_block;
extern void *runtime_stream;
extern char runtime_parameters[4096];
extern size_t runtime_parameter_bytes[2];
}

static int failed;
#define CHECK(x) ((x) ? (void)0 : (void)(failed = 1, std::fprintf(stderr, "engine.cu:%d: %s\n", __LINE__, #x)))

struct Body {
  double *x;
  int a, b;
  __host__ __device__ void operator()(int, int) const {}
};

static std::atomic<int> gate;
static void at_gate(portable_status, void *) {
  while (!gate) {
  }
}

int main() {
  portable::check(portable_init(nullptr));
  portable_device device;
  portable::check(portable_device_find("cuda:0", &device));
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.device = device;
  double here;
  const Body body{&here, 3, 4};
  runtime_parameter_bytes[0] = sizeof(portable_launch_space);
  runtime_parameter_bytes[1] = sizeof body;
  const int64_t lower[] = {5, -7}, upper[] = {104, 292}, stride[] = {1, 3};
  portable_bounds bounds;
  portable::check(portable_bounds_make(2, PORTABLE_ORDER_FORTRAN, lower, upper, stride, &bounds));
  cuda::parallel_for("one", cuda::Bounds<2>(bounds), body, config);
  portable_launch_space expected, space;
  uint32_t grid[3], block[3];
  portable::check(portable_device_space("one", &bounds, device, 0, &expected, grid, block));
  std::memcpy(&space, runtime_parameters, sizeof space);
  CHECK(runtime_launches == 1 && std::memcmp(runtime_parameters + sizeof space, &body, sizeof body) == 0);
  CHECK(space.rank == 2 && space.order == PORTABLE_ORDER_FORTRAN && space.count == 100 * 100 && space.lower[1] == -7 && space.stride[1] == 3);
  CHECK(std::memcmp(&runtime_grid, grid, sizeof grid) == 0 && std::memcmp(&runtime_block, block, sizeof block) == 0);
  CHECK(runtime_block.x * runtime_block.y * runtime_block.z <= 256 && runtime_stream == (void *)cudaStreamLegacy);
  cuda::parallel_for("none", cuda::Bounds<2>(0, 5), body, config);
  CHECK(runtime_launches == 1);
  // In a stream, behind the host's turn: the body is copied.
  portable_stream stream;
  void *native;
  portable::check(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &stream));
  portable::check(portable_stream_native(stream, &native));
  portable::check(portable_stream_call(stream, at_gate, nullptr));
  config.device = 0;
  config.stream = stream;
  config.block_size = 64;
  {
    Body gone = body;
    cuda::parallel_for("late", cuda::Bounds<2>(bounds), gone, config);
    std::memset(&gone, 0, sizeof gone);
  }
  CHECK(runtime_launches == 1);
  gate = 1;
  portable::check(portable_stream_fence(stream));
  CHECK(runtime_launches == 2 && runtime_stream == native && runtime_block.x * runtime_block.y * runtime_block.z <= 64);
  CHECK(std::memcmp(runtime_parameters + sizeof space, &body, sizeof body) == 0);
  // Lambdas for both and for the device.
  double *x = &here;
  runtime_parameter_bytes[1] = sizeof x;
  cuda::parallel_for("lambda", cuda::Bounds<1>(10), PORTABLE_LAMBDA(int i) { x[i] = 1; }, config);
  CHECK(runtime_launches == 3 && std::memcmp(runtime_parameters + sizeof space, &x, sizeof x) == 0);
  cuda::parallel_for("lambda", cuda::Bounds<1>(10), PORTABLE_DEVICE_LAMBDA(int i) { x[i] = 1; }, config);
  CHECK(runtime_launches == 4 && std::memcmp(runtime_parameters + sizeof space, &x, sizeof x) == 0);
  // Calls that the runtime refuses.
  runtime_answer = 98;
  std::string text;
  portable_status status = PORTABLE_OK;
  try {
    cuda::parallel_for("refused", cuda::Bounds<2>(bounds), body, config);
  } catch (const portable::Error &e) {
    text = e.what();
    status = e.status();
  }
  CHECK(status == PORTABLE_ERR_DEVICE && text.find("'refused': cudaLaunchKernel answers cudaErrorInvalidDeviceFunction (98): invalid device function") != std::string::npos);
  portable::check(portable_fence());
  portable::check(portable_stream_destroy(stream));
  portable::check(portable_finalize());
  std::printf("%s: the engine\n", failed ? "failed" : "passed");
  return failed;
}
