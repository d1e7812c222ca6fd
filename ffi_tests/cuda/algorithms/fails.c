/* fails.c - each algorithm on a cuda device of which a call of the driver's fails, as FAKE_CUDA_FAIL says: the error comes back with a text, what is the host's is as
 * it was, and the library ends as always. Some calls before the failing one may be none of an algorithm's: so it is enough that something fails. */
#include "portable.h"

#include "launch_body.h"

#include "algorithms.h"

#define N 5000

static int failed;

/* 1: it failed, as it should. */
static int is_error(portable_status status) {
  if (status == PORTABLE_OK) return 0;
  failed++;
  CHECK(status == PORTABLE_ERR_DEVICE || status == PORTABLE_ERR_NOMEM || status == PORTABLE_ERR_KERNEL);
  CHECK(portable_last_error()[0] != '\0');
  return 1;
}

int main(void) {
  const int64_t n = N;
  double cell = 7;
  int64_t count = -1;
  begin();
  double *x = take(N * 8), *y = take(N * 8), *keys = take(N * 8), *kept = malloc(N * 8);
  unsigned char *mask = take(N);
  fill(x, N, PORTABLE_KIND_REAL64, PLAIN);
  fill(keys, N, PORTABLE_KIND_REAL64, PLAIN);
  fill(mask, N, PORTABLE_KIND_LOGICAL8, PLAIN);
  memcpy(kept, keys, N * 8);
  portable_array_options a = PORTABLE_ARRAY_OPTIONS_INIT;
  portable_scan_options s = PORTABLE_SCAN_OPTIONS_INIT;
  portable_filter_options f = PORTABLE_FILTER_OPTIONS_INIT;
  portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
  a.launch = s.launch = f.launch = o.launch = &on_device;
  if (is_error(portable_reduce_array("reduce", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, &n, &a, &cell))) CHECK(cell == 7);
  if (is_error(portable_sort("sort", PORTABLE_KIND_REAL64, keys, N, &o))) {
    (void)portable_fence();
    CHECK(memcmp(keys, kept, N * 8) == 0);
  }
  (void)is_error(portable_scan("scan", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, &n, &s, y));
  (void)is_error(portable_pack("pack", 8, x, 1, &n, PORTABLE_KIND_LOGICAL8, mask, &f, y, N, &count));

  portable_kernel k = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  const flow_args args = {x, x, N};
  double sum = 7, least = 7;
  int32_t any = 7;
  portable_reduction r[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &sum), PORTABLE_REDUCTION(PORTABLE_REDUCE_MIN, PORTABLE_KIND_REAL64, &least),
                            PORTABLE_REDUCTION(PORTABLE_REDUCE_ANY, PORTABLE_KIND_LOGICAL32, &any)};
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = BODY;
  CHECK_STATUS(portable_kernel_create("sums", sizeof args, NULL, 0, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host_reduce(k, sums), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  const portable_bounds bounds = portable_bounds_1(N);
  if (is_error(portable_launch_reduce(k, &bounds, &args, r, 3, &on_device))) CHECK(sum == 7 && least == 7 && any == 7);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  CHECK(failed > 0);
  printf("%d failed\n", failed);
  free(kept);
  (void)portable_fence(); /* the error is reported once more, by each fence */
  (void)portable_free(mask);
  (void)portable_free(keys);
  (void)portable_free(y);
  (void)portable_free(x);
  (void)portable_finalize();
  CHECK(portable_is_initialized() == 0);
  if (check_failures > 0) printf("%d checks failed\n", check_failures);
  return check_failures > 0;
}
