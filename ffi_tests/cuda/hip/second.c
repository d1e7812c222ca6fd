/* second.c - algorithms on a device of the second driver in a process, in that device's own memory: reductions, scans, filters and sorts of arrays, operations
 * element by element, reductions of kernel objects, and copies through pinned memory; the bits of the host. Pinned work space of such a call is of the device's own
 * driver, and the fakes close that of the other one. Not in this file: the programs of ffi_tests/cuda/algorithms, which run on that device too (TEST_SECOND_GPU). */
#include "portable.h"

#include "../algorithms/launch_body.h"

#include "../algorithms/algorithms.h"

enum { N = 9000 };

static portable_pool pool;

static void *there(const void *from, int64_t bytes) {
  void *to = NULL;
  CHECK_STATUS(portable_pool_alloc(pool, (size_t)bytes, "there", &to), PORTABLE_OK);
  if (from) copy_there(to, from, bytes);
  return to;
}

static void drop(void *block) { CHECK_STATUS(portable_pool_free(pool, block), PORTABLE_OK); }

static void back(const char *what, const void *host, const void *device, int64_t bytes) {
  static char copy[2 * N * 8];
  copy_there(copy, device, bytes);
  same(what, host, copy, (size_t)bytes, 0, 0, bytes);
}

static void arrays(void) {
  static double x[N], y[N], sum[2];
  static int64_t order[N], count[2];
  static unsigned char mask[N];
  const int64_t n = N;
  fill(x, N, PORTABLE_KIND_REAL64, PLAIN);
  for (int i = 0; i < N; i++) mask[i] = chance() % 3 == 0;
  double *far_x = there(x, sizeof x), *far_y = there(NULL, sizeof y);
  int64_t *far_order = there(NULL, sizeof order);
  unsigned char *far_mask = there(mask, sizeof mask);
  portable_array_options r = PORTABLE_ARRAY_OPTIONS_INIT;
  portable_scan_options s = PORTABLE_SCAN_OPTIONS_INIT;
  portable_filter_options f = PORTABLE_FILTER_OPTIONS_INIT;
  portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
  for (int side = 0; side < 2; side++) {
    r.launch = s.launch = f.launch = o.launch = side ? &on_device : &on_host;
    r.mask = side ? far_mask : mask;
    r.mask_kind = PORTABLE_KIND_LOGICAL8;
    CHECK_STATUS(portable_reduce_array("sum", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, side ? far_x : x, 1, &n, &r, &sum[side]), PORTABLE_OK);
    CHECK_STATUS(portable_scan("scan", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, side ? far_x : x, 1, &n, &s, side ? far_y : y), PORTABLE_OK);
  }
  back("scan", y, far_y, sizeof y);
  same("sum", &sum[0], &sum[1], sizeof sum[0], 1, 6, N);
  for (int side = 0; side < 2; side++) {
    r.launch = s.launch = f.launch = o.launch = side ? &on_device : &on_host;
    CHECK_STATUS(portable_pack("pack", 8, side ? far_x : x, 1, &n, PORTABLE_KIND_LOGICAL8, side ? far_mask : mask, &f, side ? far_y : y, n, &count[side]), PORTABLE_OK);
  }
  CHECK(count[0] == count[1] && count[0] > 0);
  back("pack", y, far_y, count[0] * 8);
  for (int side = 0; side < 2; side++) {
    o.launch = side ? &on_device : &on_host;
    CHECK_STATUS(portable_sort_index("index", PORTABLE_KIND_REAL64, side ? far_x : x, n, PORTABLE_KIND_INT64, 0, &o, side ? far_order : order), PORTABLE_OK);
    CHECK_STATUS(portable_sort_by_key("by key", PORTABLE_KIND_INT64, side ? far_order : order, side ? (void *)far_x : x, 8, n, &o), PORTABLE_OK);
  }
  back("order", order, far_order, sizeof order);
  back("values", x, far_x, sizeof x);
  for (int side = 0; side < 2; side++) {
    o.launch = side ? &on_device : &on_host;
    CHECK_STATUS(portable_sort("sort", PORTABLE_KIND_REAL64, side ? far_x : x, n, &o), PORTABLE_OK);
  }
  back("sorted", x, far_x, sizeof x);
  drop(far_x);
  drop(far_y);
  drop(far_order);
  drop(far_mask);
}

static void kernels(void) {
  static double h[N], u[N];
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  portable_kernel k;
  const portable_argument arguments[] = {{"h", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_READ, offsetof(flow_args, h), sizeof(double *)},
                                         {"u", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_READ, offsetof(flow_args, u), sizeof(double *)}};
  static struct {
    double sum, least;
    int32_t any;
  } out[2];
  fill(h, N, PORTABLE_KIND_REAL64, PLAIN);
  fill(u, N, PORTABLE_KIND_REAL64, PLAIN);
  double *const far_h = there(h, sizeof h), *const far_u = there(u, sizeof u);
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = BODY;
  CHECK_STATUS(portable_kernel_create("sums", sizeof(flow_args), arguments, 2, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host_reduce(k, sums), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  for (int side = 0; side < 2; side++) {
    const flow_args args = {side ? far_h : h, side ? far_u : u, 200};
    const portable_bounds all = portable_bounds_1(N);
    portable_reduction r[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &out[side].sum),
                              PORTABLE_REDUCTION(PORTABLE_REDUCE_MIN, PORTABLE_KIND_REAL64, &out[side].least),
                              PORTABLE_REDUCTION(PORTABLE_REDUCE_ANY, PORTABLE_KIND_LOGICAL32, &out[side].any)};
    CHECK_STATUS(portable_launch_reduce(k, &all, &args, r, 3, side ? &on_device : &on_host), PORTABLE_OK);
  }
  same("sums", &out[0], &out[1], sizeof out[0], 0, 6, N);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  drop(far_h);
  drop(far_u);
}

/* A box with gaps and another order between memory of the host and of the device: packed there, and copied by way of pinned memory. */
static void copies(void) {
  const int64_t shape[] = {30, 20, 15};
  const portable_array_range part[] = {{1, 29, 3}, {0, 19, 2}, {2, 14, 4}};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_array host, result, device, from, to, found;
  config.order = PORTABLE_ORDER_C;
  config.lower = (const int64_t[]){0, 0, 0};
  CHECK_STATUS(portable_array_wrap("host", PORTABLE_KIND_REAL64, 0, calloc(N, 8), 3, shape, NULL, &config, &host), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("result", PORTABLE_KIND_REAL64, 0, calloc(N, 8), 3, shape, NULL, &config, &result), PORTABLE_OK);
  fill(host.data, N, PORTABLE_KIND_REAL64, PLAIN);
  config.order = PORTABLE_ORDER_FORTRAN;
  config.space = own_space;
  CHECK_STATUS(portable_array_create("device", PORTABLE_KIND_REAL64, 0, 3, shape, &config, &device), PORTABLE_OK);
  CHECK_STATUS(portable_array_slice(&host, part, &from), PORTABLE_OK);
  CHECK_STATUS(portable_array_slice(&device, part, &to), PORTABLE_OK);
  CHECK_STATUS(portable_array_slice(&result, part, &found), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(&from, &to, &on_device), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(&to, &found, &on_device), PORTABLE_OK);
  int32_t equal = 0;
  CHECK_STATUS(portable_array_equal(&from, &found, &equal), PORTABLE_OK);
  CHECK(equal == 1);
  CHECK_STATUS(portable_array_equal(&to, &found, &equal), PORTABLE_OK);
  CHECK(equal == 1);
  portable_array *const all[] = {&from, &to, &found, &device};
  for (int i = 0; i < 4; i++) CHECK_STATUS(portable_array_release(all[i]), PORTABLE_OK);
  free(host.data);
  free(result.data);
}

int main(void) {
  begin();
  CHECK_STATUS(portable_pool_of_space(own_space, &pool), PORTABLE_OK);
  arrays();
  kernels();
  copies();
  return check_end();
}
