/* launch.c - reductions of kernel objects, of which one body is for host and device: the bits of the host, for spaces of several ranks, orders and
 * strides, tiles, and results of all operations. */
#include "portable.h"

#include "launch_body.h"

#include "algorithms.h"

#define N 40000

static portable_kernel make(const char *label, portable_reduce_function function) {
  portable_kernel k = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  const portable_argument arguments[] = {{"h", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_READ, offsetof(flow_args, h), sizeof(double *)},
                                         {"u", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_READ, offsetof(flow_args, u), sizeof(double *)}};
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = BODY;
  CHECK_STATUS(portable_kernel_create(label, sizeof(flow_args), arguments, 2, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host_reduce(k, function), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  return k;
}

/* The results when they take part: not the old values. */
struct flow_out {
  double energy, highest;
  portable_loc_real64 slowest;
  int64_t wet;
  unsigned char calm;
  double product;
};

static void flows(portable_kernel k, const portable_bounds *bounds, const flow_args *args, portable_launch_config config, uint32_t flags, int host_too) {
  struct flow_out out[2];
  memset(out, 0, sizeof out);
  for (int side = 0; side < 2; side++) {
    struct flow_out *o = &out[side];
    o->energy = 0.25;
    o->slowest.value = 5;
    o->slowest.index = -1;
    o->product = 2;
    portable_reduction r[] = {
        PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &o->energy),     PORTABLE_REDUCTION(PORTABLE_REDUCE_MAX, PORTABLE_KIND_REAL64, &o->highest),
        PORTABLE_REDUCTION(PORTABLE_REDUCE_MINLOC, PORTABLE_KIND_REAL64, &o->slowest), PORTABLE_REDUCTION(PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT64, &o->wet),
        PORTABLE_REDUCTION(PORTABLE_REDUCE_ALL, PORTABLE_KIND_LOGICAL8, &o->calm),     PORTABLE_REDUCTION(PORTABLE_REDUCE_PRODUCT, PORTABLE_KIND_REAL64, &o->product)};
    for (int i = 0; i < 6; i++) r[i].flags = flags;
    config.device = side ? on_device.device : on_host.device;
    if (side || host_too)
      CHECK_STATUS(portable_launch_reduce(k, bounds, args, r, 6, &config), PORTABLE_OK);
  }
  same("flow", &out[0], &out[1], sizeof out[0], (int32_t)flags, bounds->rank, portable_bounds_count(bounds));
}

static portable_bounds space(int32_t order, int64_t n0, int64_t n1, int64_t s0, int64_t s1) {
  portable_bounds b;
  const int64_t lower[] = {0, 0}, upper[] = {n0 - 1, n1 - 1}, stride[] = {s0, s1};
  CHECK_STATUS(portable_bounds_make(2, order, lower, upper, stride, &b), PORTABLE_OK);
  return b;
}

static int64_t counted(void);

static int32_t count_one(const portable_fallback *f, void *n) {
  *(int64_t *)n += f->launches;
  return 0;
}

static int64_t counted(void) {
  int64_t n = 0;
  CHECK_STATUS(portable_fallback_list(count_one, &n), PORTABLE_OK);
  return n;
}

int main(int argc, char **argv) {
  const int missing = argc > 1 && strcmp(argv[1], "missing") == 0; /* NVRTC: the host does what it can */
  begin();
  double *h = take(N * 8), *u = take(N * 8);
  fill(h, N, PORTABLE_KIND_REAL64, PLAIN);
  fill(u, N, PORTABLE_KIND_REAL64, PLAIN);
  u[77] = u[78] = -9;
  const flow_args args = {h, u, 200};
  portable_kernel flow_kernel = make("flow", flow), sums_kernel = make("sums", sums), many_kernel = make("many", many);
  const int64_t sizes[][2] = {{1, 1}, {1, 31}, {2, 33}, {7, 200}, {64, 16}, {200, 200}, {33, 129}};
  portable_launch_config plain = PORTABLE_LAUNCH_CONFIG_INIT, config = plain;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (int32_t order = PORTABLE_ORDER_C; order <= PORTABLE_ORDER_FORTRAN; order++) {
      portable_bounds b = space(order, sizes[i][0], sizes[i][1], 1, 1);
      flows(flow_kernel, &b, &args, plain, i % 2 ? PORTABLE_REDUCE_INTO : 0, 1);
    }
  }
  portable_bounds b = space(PORTABLE_ORDER_C, 199, 200, 3, 2);
  config.strided = 1;
  flows(flow_kernel, &b, &args, config, 0, 1);
  b = space(PORTABLE_ORDER_C, 100, 100, 1, 1);
  config = plain;
  config.tile[0] = 3;
  config.tile[1] = 7;
  flows(flow_kernel, &b, &args, config, 0, 1);
  b = space(PORTABLE_ORDER_C, 0, 5, 1, 1);
  flows(flow_kernel, &b, &args, plain, PORTABLE_REDUCE_INTO, 1);
  CHECK((counted() > 0) == missing);

  /* WIDE: what is added up is real64, and so is the body's; a live-out. */
  for (int64_t n = 1; n <= N; n = n * 5 + 3) {
    float sum[2] = {0, 0};
    double least[2] = {0, 0};
    int32_t any[2] = {0, 0};
    portable_liveout left = 0;
    CHECK_STATUS(portable_liveout_create("any", PORTABLE_KIND_LOGICAL32, NULL, &left), PORTABLE_OK);
    for (int side = 0; side < 2; side++) {
      portable_reduction r[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL32, &sum[side]), PORTABLE_REDUCTION(PORTABLE_REDUCE_MIN, PORTABLE_KIND_REAL64, &least[side]),
                                PORTABLE_REDUCTION(PORTABLE_REDUCE_ANY, PORTABLE_KIND_LOGICAL32, NULL)};
      r[0].flags = PORTABLE_REDUCE_WIDE;
      r[2].liveout = left;
      const portable_bounds line = portable_bounds_1(n);
      CHECK_STATUS(portable_launch_reduce(sums_kernel, &line, &args, r, 3, side ? &on_device : &on_host), PORTABLE_OK);
      CHECK_STATUS(portable_liveout_host_read(left, PORTABLE_KIND_LOGICAL32, &any[side]), PORTABLE_OK);
    }
    same("wide", &sum[0], &sum[1], sizeof sum[0], 1, 5, n);
    same("least", &least[0], &least[1], sizeof least[0], 3, 6, n);
    CHECK(any[0] == any[1]);
    CHECK_STATUS(portable_liveout_destroy(left), PORTABLE_OK);
  }

  double all[2][16];
  for (int side = 0; side < 2; side++) {
    portable_reduction r[16];
    for (int i = 0; i < 16; i++) r[i] = (portable_reduction)PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &all[side][i]);
    const portable_bounds box = portable_bounds_3(19, 7, 11);
    CHECK_STATUS(portable_launch_reduce(many_kernel, &box, &args, r, 16, side ? &on_device : &on_host), PORTABLE_OK);
  }
  same("many", all[0], all[1], sizeof all[0], 1, 6, 19 * 7 * 11);
  CHECK((counted() > 0) == missing);

  /* Other results than the entry's; an exact sum, which is the host's work. */
  double one = 3;
  portable_exact sum;
  portable_reduction wrong[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_MAX, PORTABLE_KIND_REAL64, &one)};
  const portable_bounds line = portable_bounds_1(100);
  CHECK_STATUS(portable_kernel_set_host_reduce(sums_kernel, NULL), PORTABLE_OK); /* without NVRTC it would write three values where one is */
  CHECK_STATUS(portable_launch_reduce(sums_kernel, &line, &args, wrong, 1, &on_device), missing ? PORTABLE_ERR_STATE : PORTABLE_ERR_ARG);
  CHECK_TEXT("'sums'");
  if (missing) CHECK_TEXT(", which compiles it, is missing: /nowhere/libnvrtc.so");
  CHECK(one == 3);
  wrong[0] = (portable_reduction)PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_EXACT, &sum);
  portable_exact_init(&sum);
  CHECK_STATUS(portable_launch_reduce(sums_kernel, &line, &args, wrong, 1, &on_device), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_kernel_set_host_reduce");

  CHECK_STATUS(portable_kernel_destroy(flow_kernel), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(sums_kernel), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(many_kernel), PORTABLE_OK);
  CHECK_STATUS(portable_launch_reduce(many_kernel, &line, &args, wrong, 1, &on_device), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_free(h), PORTABLE_OK);
  CHECK_STATUS(portable_free(u), PORTABLE_OK);
  return check_end();
}
