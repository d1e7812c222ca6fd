/* random.c - random numbers on a CUDA device have the bits of the host: uniform, normal, integers. The kernel has no version for the host. Not in this file: other languages
 * (ffi_tests/random). */
#include "check.h"

#include "random_body.h"
#include "gpu.h"

#define N 20000

static double uniform[N], normal[N];
static float small[N];
static int64_t whole[N];
static const uint32_t known[12] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd,
                                   0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};

static void *memory(size_t bytes) {
  void *to = NULL;
  CHECK_STATUS(portable_alloc(bytes, "numbers", &to), PORTABLE_OK);
  memset(to, 0, bytes);
  return to;
}

int main(void) {
  portable_device device = 0;
  portable_kernel kernel = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds bounds = portable_bounds_1(N);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find(gpu(""), &device), PORTABLE_OK);
  config.device = device;
  random_args a = {portable_random_key_make(2026, 17, 3), ((int64_t)1 << 32) - 777, memory(sizeof uniform), memory(sizeof normal), memory(sizeof small), memory(sizeof whole), memory(sizeof known)};
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = RANDOM_BODY;
  code.entry = "random_numbers";
  CHECK_STATUS(portable_kernel_create("random numbers", sizeof a, NULL, 0, &kernel), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(kernel, &code), PORTABLE_OK);
  CHECK_STATUS(portable_launch(kernel, &bounds, &a, &config), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  int tails = 0;
  for (int64_t i = 0; i < N; i++) {
    const int64_t cell = a.first + i;
    uniform[i] = portable_random_real64(a.key, cell, 1);
    normal[i] = portable_random_normal(a.key, cell, 2);
    small[i] = portable_random_real32(a.key, cell, 3);
    whole[i] = portable_random_int64(a.key, cell, 4, -5, (int64_t)1 << 62);
    tails += normal[i] < -1.5 || normal[i] > 1.5;
  }
  CHECK(tails > N / 10);
  CHECK(!memcmp(a.uniform, uniform, sizeof uniform));
  CHECK(!memcmp(a.normal, normal, sizeof normal));
  CHECK(!memcmp(a.small, small, sizeof small));
  CHECK(!memcmp(a.whole, whole, sizeof whole));
  CHECK(!memcmp(a.known, known, sizeof known));
  portable_free(a.known);
  portable_free(a.uniform);
  portable_free(a.normal);
  portable_free(a.small);
  portable_free(a.whole);
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);
  return check_end();
}
