/* blocks.c - block kernels on a CUDA device with the bits of the host: one body for both. Product of tiles, running sums, a tree, a histogram; ranks and
 * orders; more threads than the device has; failures. Run with the fake driver. Not in this file: the host alone (ffi_tests/blocks). */
#include "check.h"

#include BLOCKS_BODY

enum { N = 40, BLOCKS = 19, BYTES = 30011 };

static portable_kernel made(const char *entry, size_t bytes, portable_block_function host) {
  portable_kernel kernel = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = BLOCKS_BODY;
  code.block_size = 32; /* of no effect: the threads are an argument */
  CHECK_STATUS(portable_kernel_create(entry, bytes, NULL, 0, &kernel), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host_block(kernel, host), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(kernel, &code), PORTABLE_OK);
  return kernel;
}

static void *managed(portable_pool pool, size_t bytes) {
  void *block = NULL;
  CHECK_STATUS(portable_pool_alloc(pool, bytes, "block", &block), PORTABLE_OK);
  return block;
}

int main(void) {
  portable_pool pool = 0;
  portable_launch_config host = PORTABLE_LAUNCH_CONFIG_INIT;
  const int32_t tile[] = {TILE, TILE}, width[] = {LINE_WIDTH}, shape[] = {5, 2, 3}, many[] = {32, 32};
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("threads", &host.device), PORTABLE_OK);
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_MANAGED, &pool), PORTABLE_OK);

  double *x = managed(pool, 4 * N * N * sizeof *x), *y = x + N * N, *z[] = {y + N * N, y + 2 * N * N};
  for (int i = 0; i < N * N; i++) x[i] = 1.0 / (i + 3), y[i] = 1.0 / (2 * i + 7), z[0][i] = z[1][i] = -1;
  portable_bounds grid = portable_bounds_2(N / TILE, N / TILE);
  portable_kernel kernel = made("product", sizeof(product_args), product);
  for (int on = 0; on < 2; on++) {
    const product_args args = {x, y, z[on], N, 0};
    CHECK_STATUS(portable_launch_blocks(kernel, &grid, tile, &args, 0, on ? &host : NULL), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
  }
  CHECK(memcmp(z[0], z[1], N * N * sizeof *x) == 0 && z[0][N] > 0);
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);

  double *in = managed(pool, BLOCKS * LINE_WIDTH * 4 * sizeof *in);
  grid = portable_bounds_1(BLOCKS);
  kernel = made("lines", sizeof(line_args), lines);
  for (int i = 0; i < 4 * BLOCKS * LINE_WIDTH; i++) in[i] = i < BLOCKS * LINE_WIDTH ? 1.0 / (i + 1) - 0.01 * (i % 7) : -1;
  for (int on = 0; on < 2; on++) {
    const line_args args = {in, in + (on + 1) * BLOCKS * LINE_WIDTH, in + 3 * BLOCKS * LINE_WIDTH};
    static double before[BLOCKS * LINE_WIDTH];
    CHECK_STATUS(portable_launch_blocks(kernel, &grid, width, &args, 2 * LINE_WIDTH * sizeof *in, on ? &host : NULL), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    if (on) CHECK(memcmp(before, args.running, sizeof before) == 0 && memcmp(args.sums, args.sums - BLOCKS * LINE_WIDTH, BLOCKS * sizeof *in) == 0);
    memcpy(before, args.running, sizeof before);
  }
  CHECK_STATUS(portable_launch_blocks(kernel, &grid, width, &(line_args){in, in, in}, (size_t)8 << 20, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_launch_blocks");
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);

  unsigned char *bytes = managed(pool, BYTES);
  int32_t *bins = managed(pool, 512 * sizeof *bins);
  memset(bins, 0, 512 * sizeof *bins);
  kernel = made("histogram", sizeof(count_args), histogram);
  for (int i = 0; i < BYTES; i++) bytes[i] = (unsigned char)(i * i / 13);
  for (int on = 0; on < 2; on++) {
    const count_args args = {bytes, bins + 256 * on, BYTES, BLOCKS};
    CHECK_STATUS(portable_launch_blocks(kernel, &grid, width, &args, 0, on ? &host : NULL), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
  }
  CHECK(memcmp(bins, bins + 256, 256 * sizeof *bins) == 0);
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);

  int32_t *places = managed(pool, 4096 * sizeof *places);
  kernel = made("seen", sizeof(seen_args), seen);
  for (int trial = 0; trial < 6; trial++) {
    const int rank = trial % 3 + 1;
    seen_args args = {places, {-1, 2, 5}, {3, 2, 4}, trial / 3, 0};
    int64_t upper[3], all = 1;
    int wrong = 0;
    for (int d = 0; d < rank; d++) upper[d] = args.lower[d] + args.extent[d] - 1, all *= args.extent[d] * shape[d];
    memset(places, 0, 4096 * sizeof *places);
    CHECK_STATUS(portable_bounds_make(rank, trial / 3, args.lower, upper, NULL, &grid), PORTABLE_OK);
    CHECK_STATUS(portable_launch_blocks(kernel, &grid, shape, &args, 0, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    for (int64_t i = 0; i < all; i++) wrong += places[i] != 1;
    CHECK(wrong == 0);
  }
  seen_args failing = {places, {0}, {4, 4}, 0, 1};
  grid = portable_bounds_2(4, 4);
  CHECK_STATUS(portable_launch_blocks(kernel, &grid, many, &failing, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("thread 1 of block 2");
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);
  portable_pool_free(pool, places), portable_pool_free(pool, bins), portable_pool_free(pool, bytes), portable_pool_free(pool, in), portable_pool_free(pool, x);
  return check_end();
}
