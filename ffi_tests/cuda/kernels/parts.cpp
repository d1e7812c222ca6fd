// parts.cpp - parts of a kernel for architectures: the host takes the part of architecture 0, a device the nearest older one. A range over the grid gives
// each index once. Not in this file: how nvcc compiles them (../nvcc), and what they cost (../nvrtc/registers.cu).
#include "parts.h"

#include <type_traits>

#include "check.h"
#include "gpu.h"

static_assert(std::is_same<portable::this_architecture, portable::architecture<0>>::value, "the host");
static_assert(std::is_base_of<portable::architecture<700>, portable::architecture<860>>::value, "newer ones are derived");
static_assert(!std::is_base_of<portable::architecture<900>, portable::architecture<860>>::value, "older ones are not");

static portable_kernel made(const char *name, size_t bytes, portable_kernel_function host) {
  portable_kernel k = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  CHECK_STATUS(portable_kernel_create(name, bytes, nullptr, 0, &k), PORTABLE_OK);
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = PARTS;
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  if (host) CHECK_STATUS(portable_kernel_set_host(k, host), PORTABLE_OK);
  return k;
}

int main() {
  const int expected = getenv("EXPECTED_ARCHITECTURE") ? atoi(getenv("EXPECTED_ARCHITECTURE")) : 0;
  const int part = expected >= 800 ? 800 : expected >= 700 ? 700 : 0;
  portable_device device = 0, threads = 0;
  CHECK_STATUS(portable_init(nullptr), PORTABLE_OK);
  CHECK_STATUS(portable_device_find(gpu(""), &device), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("threads", &threads), PORTABLE_OK);
  void *p = nullptr;
  enum { n = 100003 };
  CHECK_STATUS(portable_alloc(n * sizeof(long long), "out", &p), PORTABLE_OK); // managed
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  const portable_bounds five = portable_bounds_1(5), all = portable_bounds_1(n);
  portable_kernel k = made("parts", sizeof(parts_args), parts), r = made("range", sizeof(range_args), nullptr);
  for (int there = 0; there < 2; there++) {
    int *out = static_cast<int *>(p);
    const parts_args args = {out};
    memset(out, -1, 5 * sizeof *out);
    config.device = there ? device : threads;
    CHECK_STATUS(portable_launch(k, &five, &args, &config), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    CHECK(out[0] == (there ? part : 0));
    CHECK(out[1] == 1 && out[2] == 2);
    CHECK(out[3] == (!there ? 3 : expected >= 800 ? 5 : 4));
    CHECK(out[4] == (there ? expected : 0));
  }
  long long *out = static_cast<long long *>(p);
  memset(out, 0, n * sizeof *out);
  const range_args args = {out, n};
  config.device = device;
  config.block_size = 64;
  CHECK_STATUS(portable_launch(r, &all, &args, &config), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  long long wrong = 0;
  for (int i = 0; i < n; i++) wrong += out[i] != 1 + i + (i >= 3 ? 1000 : 0);
  CHECK(wrong == 0);
  int here = 0; // on the host it is a loop
  for (int i : portable::grid_stride(2, 7)) here = 10 * here + i;
  CHECK(here == 23456);
  for (unsigned i : portable::grid_stride(5u, 5u)) here = static_cast<int>(i);
  CHECK(here == 23456);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(r), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  return check_end();
}
