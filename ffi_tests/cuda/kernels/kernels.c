/* kernels.c - kernel objects on a CUDA device, against the host version of the same body, bit for bit: each rank, orders, strides, sizes, block sizes;
 * views and live-outs; large argument blocks; atomics; teams; failures. Not in this file: code that is refused, the cache, errors of the driver (code.c). */
#include "check.h"

#include <stddef.h>
#include <stdlib.h>

#include "bodies.h"
#include "gpu.h"

static portable_device device;
static const char *bodies = BODIES; /* or the first argument: where it was carried to */

static portable_kernel kernel_of(const char *label, size_t bytes, const portable_argument *arguments, size_t count, portable_kernel_function host,
                                 portable_team_function team) {
  portable_kernel k = 0;
  portable_device_code code = PORTABLE_DEVICE_CODE_INIT;
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = bodies;
  CHECK_STATUS(portable_kernel_create(label, bytes, arguments, count, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(k, host), PORTABLE_OK);
  if (team) CHECK_STATUS(portable_kernel_set_host_team(k, team), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_device_code(k, &code), PORTABLE_OK);
  return k;
}

static void *memory(size_t bytes) {
  void *to = NULL;
  CHECK_STATUS(portable_alloc(bytes, "test", &to), PORTABLE_OK);
  memset(to, 0, bytes);
  return to;
}

/* ---- index spaces ---- */

static const portable_argument mark_arguments[] = {
    {"out", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_BOTH, offsetof(mark_args, out), sizeof(void *)},
};

static void mark(portable_kernel k, int32_t rank, int32_t order, const int64_t *lower, const int64_t *upper, const int64_t *stride,
                 const portable_launch_config *like) {
  portable_bounds b;
  mark_args args;
  int64_t count = 1, *host, *there;
  portable_launch_config config = *like, on_host = PORTABLE_LAUNCH_CONFIG_INIT;
  memset(&args, 0, sizeof args);
  CHECK_STATUS(portable_bounds_make(rank, order, lower, upper, stride, &b), PORTABLE_OK);
  for (int d = 0; d < rank; d++) {
    args.first[d] = b.lower[d];
    args.size[d] = count;
    if (upper[d] >= b.lower[d]) count *= upper[d] - b.lower[d] + 1;
  }
  host = memory((size_t)count * sizeof *host);
  there = memory((size_t)count * sizeof *there);
  config.device = device;
  config.strided = on_host.strided = stride != NULL;
  CHECK_STATUS(portable_device_find("serial", &on_host.device), PORTABLE_OK);
  args.out = host;
  CHECK_STATUS(portable_launch(k, &b, &args, &on_host), PORTABLE_OK);
  args.out = there;
  CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(memcmp(host, there, (size_t)count * sizeof *host) == 0);
  CHECK_STATUS(portable_free(host), PORTABLE_OK);
  CHECK_STATUS(portable_free(there), PORTABLE_OK);
}

static void spaces(void) {
  static const portable_kernel_function hosts[] = {mark_1, mark_2, mark_3, mark_4, mark_5, mark_6, mark_7, mark_8};
  static const char *const labels[] = {"mark_1", "mark_2", "mark_3", "mark_4", "mark_5", "mark_6", "mark_7", "mark_8"};
  static const int64_t lower[8] = {-3, 2, 0, 1, -1, 7, 0, 1}, extent[8] = {5, 3, 4, 2, 3, 2, 2, 3}, stride[8] = {2, 1, 3, 1, 2, 1, 1, 2};
  const portable_launch_config plain = PORTABLE_LAUNCH_CONFIG_INIT;
  for (int32_t rank = 1; rank <= 8; rank++) {
    portable_kernel k = kernel_of(labels[rank - 1], sizeof(mark_args), mark_arguments, 1, hosts[rank - 1], NULL);
    int64_t upper[8];
    for (int d = 0; d < rank; d++) upper[d] = lower[d] + extent[d] - 1;
    for (int32_t order = PORTABLE_ORDER_C; order <= PORTABLE_ORDER_FORTRAN; order++) {
      mark(k, rank, order, lower, upper, NULL, &plain);
      mark(k, rank, order, lower, upper, stride, &plain);
    }
    if (rank <= 3) { /* sizes around those of blocks, and tiles */
      static const int64_t sizes[] = {1, 31, 129, 257, 1000};
      for (int i = 0; i < 5; i++) {
        const int64_t zero[3] = {0, 0, 0}, top[3] = {sizes[i] - 1, i % 3, (4 - i) % 2};
        portable_launch_config config = plain;
        mark(k, rank, PORTABLE_ORDER_FORTRAN, zero, top, NULL, &config);
        config.block_size = 32 << i;
        mark(k, rank, PORTABLE_ORDER_FORTRAN, zero, top, NULL, &config);
        config.block_size = 0;
        config.tile[0] = 16;
        config.tile[rank - 1] = 4;
        mark(k, rank, PORTABLE_ORDER_FORTRAN, zero, top, NULL, &config);
      }
    }
    if (rank <= 2) { /* beyond 32 bits; and nothing to do */
      const int64_t far = INT64_C(1) << 40, low[2] = {far, -far}, top[2] = {far + 40, -far + 3}, none[2] = {far - 1, -far};
      mark(k, rank, PORTABLE_ORDER_C, low, top, NULL, &plain);
      mark(k, rank, PORTABLE_ORDER_C, low, none, NULL, &plain);
    }
    CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  }
}

/* Grids are smaller than spaces that have more blocks than there may be; these never run. */
static void grids(void) {
  portable_launch_space s;
  uint32_t grid[3], block[3];
  portable_bounds b = portable_bounds_2(INT64_C(1) << 40, 5);
  CHECK_STATUS(portable_device_space("far", &b, device, 0, &s, grid, block), PORTABLE_OK);
  CHECK(grid[0] == 1 && block[0] == 5 && grid[1] == 65535 && block[1] == 51 && s.count == INT64_C(5) << 40);
  b = portable_bounds_1(INT64_C(1) << 50);
  CHECK_STATUS(portable_device_space("far", &b, device, 1024, &s, grid, block), PORTABLE_OK);
  portable_device_properties p = PORTABLE_DEVICE_PROPERTIES_INIT;
  CHECK_STATUS(portable_device_properties_get(device, &p), PORTABLE_OK);
  CHECK(grid[0] == (p.kind == PORTABLE_DEVICE_HIP ? 4194303 : 2147483647) && block[0] == 1024 && grid[1] == 1 && s.rank == 1); /* HIP: threads in 32 bits */
  CHECK_STATUS(portable_device_space("far", &b, 1, 0, &s, grid, block), PORTABLE_ERR_NODEVICE);
  CHECK_TEXT("is not a device of CUDA, HIP or OpenCL");
  CHECK_STATUS(portable_device_space("far", &b, device, -1, &s, grid, block), PORTABLE_ERR_ARG);
}

/* ---- arguments ---- */

static void views(void) {
  static const portable_argument declared[] = {
      {"to", PORTABLE_ARGUMENT_ARRAY, PORTABLE_ACCESS_WRITE, offsetof(wave_args, to), sizeof(portable_view_2)},
      {"from", PORTABLE_ARGUMENT_ARRAY, PORTABLE_ACCESS_READ, offsetof(wave_args, from), sizeof(portable_view_2)},
      {"c", PORTABLE_ARGUMENT_REAL64, 0, offsetof(wave_args, c), sizeof(double)},
      {"corner", PORTABLE_ARGUMENT_LIVEOUT, 0, offsetof(wave_args, corner), sizeof(portable_liveout)},
  };
  const int64_t extents[2] = {40, 30}, lower[2] = {0, 1}, first[2] = {1, 2}, last[2] = {38, 28};
  portable_kernel k = kernel_of("wave", sizeof(wave_args), declared, 4, wave, NULL);
  portable_array from, to[2];
  portable_array_config how = PORTABLE_ARRAY_CONFIG_INIT;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b;
  wave_args args;
  double values[2];
  how.order = PORTABLE_ORDER_FORTRAN;
  how.lower = lower;
  how.zero = 1;
  CHECK_STATUS(portable_array_create("from", PORTABLE_KIND_REAL64, 0, 2, extents, &how, &from), PORTABLE_OK);
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_array_create(i ? "there" : "here", PORTABLE_KIND_REAL64, 0, 2, extents, &how, &to[i]), PORTABLE_OK);
  for (int i = 0; i < 1200; i++) ((double *)from.data)[i] = 1.0 / (i + 3);
  CHECK_STATUS(portable_bounds_make(2, PORTABLE_ORDER_FORTRAN, first, last, NULL, &b), PORTABLE_OK);
  args.c = 0.7;
  for (int i = 0; i < 2; i++) {
    portable_liveout corner;
    config.device = i ? device : 1;
    CHECK_STATUS(portable_liveout_create("corner", PORTABLE_KIND_REAL64, NULL, &corner), PORTABLE_OK);
    CHECK_STATUS(portable_view_of(&to[i], 2, &args.to, sizeof args.to), PORTABLE_OK);
    CHECK_STATUS(portable_view_of(&from, 2, &args.from, sizeof args.from), PORTABLE_OK);
    args.corner.handle = corner;
    CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_OK);
    CHECK_STATUS(portable_liveout_host_read_real64(corner, &values[i]), PORTABLE_OK);
    CHECK_STATUS(portable_liveout_destroy(corner), PORTABLE_OK);
  }
  CHECK(memcmp(to[0].data, to[1].data, 1200 * sizeof(double)) == 0);
  CHECK(memcmp(&values[0], &values[1], sizeof(double)) == 0 && values[0] != 0);
  CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_ERR_HANDLE); /* the live-out is destroyed */
  /* Refused calls. */
  CHECK_STATUS(portable_view_of(&from, 1, &args.to, sizeof(portable_view_1)), PORTABLE_ERR_ARG);
  CHECK_TEXT("the array has rank 2");
  CHECK_STATUS(portable_view_of(&from, 2, &args.to, 20), PORTABLE_ERR_ARG);
  CHECK_TEXT("has 64 bytes");
  CHECK_STATUS(portable_view_make(from.data, 2, PORTABLE_ORDER_FORTRAN, NULL, extents, &args.to, sizeof args.to), PORTABLE_OK);
  CHECK(args.to.dim[0].lower == 1 && args.to.dim[0].stride == 1 && args.to.dim[1].stride == 40);
  CHECK_STATUS(portable_view_make(from.data, 2, 5, NULL, extents, &args.to, sizeof args.to), PORTABLE_ERR_ARG);
  args.to.rank = 3;
  CHECK_STATUS(portable_liveout_create("corner", PORTABLE_KIND_REAL64, NULL, &args.corner.handle), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT("argument 1 ('to') is a view of rank 3");
  CHECK_STATUS(portable_liveout_destroy(args.corner.handle), PORTABLE_OK);
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_array_release(&to[i]), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&from), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

static void blocks(void) {
  static large_args args;
  portable_kernel k = kernel_of("large", sizeof args, NULL, 0, large, NULL);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(1000);
  config.device = device;
  args.out = memory(1000 * sizeof(double));
  for (int i = 0; i < 1000; i++) args.table[i] = i;
  CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_OK);
  double *out = args.out;
  memset(&args, 0, sizeof args); /* it was copied */
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  for (int i = 0; i < 1000; i++) CHECK(out[i] == 2.0 * i);
  CHECK_STATUS(portable_free(out), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

static void atomics(void) {
  portable_kernel k = kernel_of("sums", sizeof(sums_args), NULL, 0, sums, NULL);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(1000);
  char *both = memory(2 * 128);
  for (int i = 0; i < 2; i++) {
    char *at = both + (ptrdiff_t)i * 128;
    sums_args args = {(int32_t *)(void *)at, (int64_t *)(void *)(at + 16), (float *)(void *)(at + 48), (double *)(void *)(at + 64)};
    args.r4[2] = __builtin_nanf("");
    config.device = i ? device : 1;
    CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
  }
  CHECK(memcmp(both, both + 128, 128) == 0);
  CHECK(*(int32_t *)(void *)both == 499500 && *(double *)(void *)(both + 64) == 500);
  CHECK_STATUS(portable_free(both), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* ---- teams ---- */

static void teams(void) {
  enum { N = 700, R0 = 3, R1 = 4 };
  portable_kernel k = kernel_of("rows", sizeof(rows_args), NULL, 0, NULL, rows);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_2(R0, R1);
  double *in = memory(N * R0 * R1 * sizeof(double)), *out[2];
  for (int i = 0; i < N * R0 * R1; i++) in[i] = (i * 7919) % 1009;
  for (int i = 0; i < 2; i++) {
    out[i] = memory(N * R0 * R1 * sizeof(double));
    rows_args args = {out[i], in, N, R0};
    config.device = i ? device : 1;
    CHECK_STATUS(portable_launch_outer(k, &b, &args, (N + 1) * sizeof(double), &config), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
  }
  CHECK(memcmp(out[0], out[1], N * R0 * R1 * sizeof(double)) == 0 && out[0][0] > 900);
  /* More than 48 KiB; more than there is; a kernel without a version for teams. */
  rows_args args = {out[1], in, N, R0};
  portable_device_properties p = PORTABLE_DEVICE_PROPERTIES_INIT;
  CHECK_STATUS(portable_device_properties_get(device, &p), PORTABLE_OK);
  CHECK_STATUS(portable_launch_outer(k, &b, &args, p.shared_bytes_opt_in > 110000 ? 100000 : 50000, &config), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_launch_outer(k, &b, &args, 1000000, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT("bytes of shared memory");
  CHECK_STATUS(portable_kernel_set_cuda(k, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_launch_outer(k, &b, &args, (N + 1) * sizeof(double), &config), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host_team(k, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_launch_outer(k, &b, &args, 8, &config), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_kernel_set_host_team");
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_free(out[i]), PORTABLE_OK);
  CHECK_STATUS(portable_free(in), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* Reductions inside of a team: the host's bits in blocks of any size, and close to those of plain loops. */
static void inner_reductions(void) {
  enum { ROWS = 3, MOST = 1000 };
  static const int64_t sizes[] = {0, 1, 5, 127, 128, 129, MOST};
  static const int32_t blocks[] = {0, 32, 100, 128, 512};
  portable_kernel k = kernel_of("folds", sizeof(folds_args), NULL, 0, NULL, folds);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(ROWS);
  double *in = memory(ROWS * MOST * sizeof(double));
  for (int i = 0; i < ROWS * MOST; i++) in[i] = i % 50 == 7 ? 0.0 / 0.0 : (i * 7919) % 1009;
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    const int64_t n = sizes[s];
    folds_args args[2];
    for (int i = 0; i < 2; i++)
      args[i] = (folds_args){in, memory(ROWS * sizeof(double)), memory(ROWS * sizeof(double)), memory(ROWS * MOST * sizeof(double)), memory(ROWS * sizeof(float)),
                            memory(ROWS * sizeof(int64_t)), n};
    config.device = 1;
    CHECK_STATUS(portable_launch_outer(k, &b, &args[0], 0, &config), PORTABLE_OK);
    config.device = device;
    for (int row = 0; row < ROWS; row++) {
      double sum = 0.5, least = 1e300;
      for (int64_t i = 0; i < n; i++) {
        sum += 1 / (in[n * row + i] + 1);
        if (in[n * row + i] < least) least = in[n * row + i];
      }
      CHECK(sum != sum ? args[0].sums[row] != args[0].sums[row] : args[0].sums[row] > sum * (1 - 1e-12) && args[0].sums[row] < sum * (1 + 1e-12));
      CHECK(memcmp(&args[0].least[row], &least, sizeof least) == 0 && (n < 127 || args[0].most[row] > n - 50));
    }
    for (size_t t = 0; t < sizeof blocks / sizeof blocks[0]; t++) {
      config.block_size = blocks[t];
      CHECK_STATUS(portable_launch_outer(k, &b, &args[1], 0, &config), PORTABLE_OK);
      CHECK_STATUS(portable_fence(), PORTABLE_OK);
      CHECK(memcmp(args[0].sums, args[1].sums, ROWS * sizeof(double)) == 0 && memcmp(args[0].squares, args[1].squares, ROWS * sizeof(float)) == 0);
      CHECK(memcmp(args[0].least, args[1].least, ROWS * sizeof(double)) == 0 && memcmp(args[0].most, args[1].most, ROWS * sizeof(int64_t)) == 0);
      CHECK(memcmp(args[0].filled, args[1].filled, (size_t)(ROWS * n) * sizeof(double)) == 0);
    }
    for (int i = 0; i < 2; i++) {
      void *const all[] = {args[i].sums, args[i].least, args[i].filled, args[i].squares, args[i].most};
      for (size_t m = 0; m < sizeof all / sizeof all[0]; m++) CHECK_STATUS(portable_free(all[m]), PORTABLE_OK);
    }
  }
  CHECK_STATUS(portable_free(in), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* ---- failures ---- */

static void failures(void) {
  static const portable_argument declared[] = {
      {"to", PORTABLE_ARGUMENT_ARRAY, PORTABLE_ACCESS_WRITE, offsetof(wave_args, to), sizeof(portable_view_2)},
      {"from", PORTABLE_ARGUMENT_ARRAY, PORTABLE_ACCESS_READ, offsetof(wave_args, from), sizeof(portable_view_2)},
  };
  const int64_t extents[2] = {10, 10}, lower[2] = {1, 1}, last[2] = {9, 9};
  portable_kernel k = kernel_of("fails", sizeof(fails_args), NULL, 0, fails, NULL), w = kernel_of("wave", sizeof(wave_args), declared, 2, wave, NULL);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(100);
  fails_args args = {1000, memory(100 * sizeof(int64_t))};
  wave_args views;
  portable_stream one = 0, two = 0;
  config.device = device;
  CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  args.at = 50;
  CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_OK); /* it is reported by the fence */
  CHECK_STATUS(portable_fence(), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_for 'fails': the kernel failed with code 42: the ice has melted");
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  /* The stream's own fence tells it, and no other one. */
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &two), PORTABLE_OK);
  config.stream = one;
  CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(two), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(one), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("'fails'");
  CHECK_STATUS(portable_stream_destroy(one), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(two), PORTABLE_OK);
  config.stream = 0;
  /* Indices. */
  memset(&views, 0, sizeof views);
  void *to = memory(100 * sizeof(double)), *from = memory(100 * sizeof(double)), *corner = memory(8);
  views.corner.value = corner;
  CHECK_STATUS(portable_view_make(to, 2, PORTABLE_ORDER_FORTRAN, lower, extents, &views.to, sizeof views.to), PORTABLE_OK);
  CHECK_STATUS(portable_view_make(from, 2, PORTABLE_ORDER_FORTRAN, lower, extents, &views.from, sizeof views.from), PORTABLE_OK);
  CHECK_STATUS(portable_bounds_make(2, PORTABLE_ORDER_FORTRAN, lower, last, NULL, &b), PORTABLE_OK);
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_ARRAYS), PORTABLE_OK);
  CHECK_STATUS(portable_launch(w, &b, &views, &config), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_for 'wave': the kernel failed with code -1: PORTABLE_CHECK=arrays: the index of dimension 1 (of 2) of argument 2 ('from') is 0; "
             "its bounds are 1:10");
  CHECK_STATUS(portable_set_checks(0), PORTABLE_OK);
  CHECK_STATUS(portable_free(to), PORTABLE_OK);
  CHECK_STATUS(portable_free(from), PORTABLE_OK);
  CHECK_STATUS(portable_free(corner), PORTABLE_OK);
  CHECK_STATUS(portable_free(args.out), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(w), PORTABLE_OK);
}

int main(int argc, char **argv) {
  if (argc > 1) bodies = argv[1];
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find(gpu(":0"), &device), PORTABLE_OK);
  spaces();
  grids();
  views();
  blocks();
  atomics();
  teams();
  inner_reductions();
  failures();
  return check_end();
}
