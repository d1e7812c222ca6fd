/* device.c [none TEXT]: a device of OpenCL: its kind and properties, copies in a stream, a kernel with shared memory and atomic
 * operations, the host's bits in arithmetic, two units in the last place in functions, a failure that a kernel reports, a source with an error.
 * With `none`: there is no such device, and the error has TEXT. Not in this file: algorithms and copies, which have the tests of cuda devices. */
#include "check.h"

#include <math.h>

enum { N = 5000 };

typedef struct args {
  const double *x, *y;
  double *r; /* 7 results of each */
  int64_t n, *sum;
} args;

static const char source[] =
    "#include <portable_device.h>\n"
    "typedef struct { const double *x, *y; double *r; int64_t n, *sum; } args;\n"
    "PORTABLE_KERNEL(numbers, args, a) {\n"
    "  PORTABLE_FOR_1(i) {\n"
    "    const double x = a->x[i], y = a->y[i];\n"
    "    double *r = a->r + 7 * i;\n"
    "    r[0] = x * y + x / y - sqrt(x);\n"
    "    r[1] = exp(x - 3); r[2] = log(x); r[3] = sin(x); r[4] = cos(x); r[5] = pow(x, y); r[6] = floor(x) + fmod(x, y);\n"
    "    portable_atomic_add_int64(a->sum, (int64_t)i);\n"
    "    portable_atomic_max_int64(a->sum + 1, (int64_t)i);\n"
    "    if (x > 1e6) PORTABLE_FAIL(7, \"too large\");\n"
    "  }\n"
    "}\n"
    "PORTABLE_TEAM_KERNEL(turned, args, team, a) {\n"
    "  double *line = (double *)team->scratch;\n"
    "  const int64_t from = team->index[0] * 50;\n"
    "  double most = 0;\n"
    "  PORTABLE_INNER_FOR(team, k, 0, 49) { line[k] = a->x[from + k]; }\n"
    "  portable_fence_inner(team);\n"
    "  PORTABLE_INNER_MAX(team, double, most, k, 0, 49, line[k]);\n"
    "  PORTABLE_INNER_FOR(team, k, 0, 49) { a->r[from + k] = line[49 - k] + most; }\n"
    "}\n";

/* Distance in units of the last place. */
static int64_t apart(double a, double b) {
  int64_t m, n;
  memcpy(&m, &a, sizeof m), memcpy(&n, &b, sizeof n);
  return m > n ? m - n : n - m;
}

static portable_kernel kernel(const char *entry, const char *text) {
  portable_kernel k = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.form = PORTABLE_CUDA_SOURCE;
  code.code = text;
  code.entry = entry;
  code.file = "numbers.cu";
  CHECK_STATUS(portable_kernel_create(entry, sizeof(args), NULL, 0, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  return k;
}

static void *memory(size_t bytes) {
  void *to = NULL;
  CHECK_STATUS(portable_alloc(bytes, "numbers", &to), PORTABLE_OK);
  memset(to, 0, bytes);
  return to;
}

static void facts(portable_device device) {
  portable_device_properties p = PORTABLE_DEVICE_PROPERTIES_INIT;
  uint64_t rest = 0, all = 0;
  portable_device other;
  CHECK_STATUS(portable_device_properties_get(device, &p), PORTABLE_OK);
  CHECK(p.kind == PORTABLE_DEVICE_OPENCL && strcmp(p.name, "opencl:0") == 0 && p.model[0] && p.memory_bytes > 0 && p.parallelism > 0);
  CHECK(p.max_threads_per_block >= 256 && p.concurrent_managed == 1);
  CHECK_STATUS(portable_device_memory_info(device, &rest, &all), PORTABLE_OK);
  CHECK(all == p.memory_bytes && rest <= all);
  CHECK_STATUS(portable_device_find("opencl", &other), PORTABLE_OK);
  CHECK(other == device);
  CHECK_STATUS(portable_device_find("cuda", &other), PORTABLE_ERR_NODEVICE);
  CHECK_TEXT("there are serial, threads, opencl:0");
  CHECK_STATUS(portable_device_find("opencl:12", &other), PORTABLE_ERR_NODEVICE);
}

static void copies(portable_device device) {
  portable_array here, there, back;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  static double from[N], to[N];
  const int64_t shape[] = {50, 100};
  for (int i = 0; i < N; i++) from[i] = i * 0.5;
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &launch.stream), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("from", PORTABLE_KIND_REAL64, 0, from, 2, shape, NULL, &config, &here), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("to", PORTABLE_KIND_REAL64, 0, to, 2, shape, NULL, &config, &back), PORTABLE_OK);
  config.space = PORTABLE_SPACE_DEVICE(0);
  CHECK_STATUS(portable_array_create("there", PORTABLE_KIND_REAL64, 0, 2, shape, &config, &there), PORTABLE_OK);
  for (int round = 0; round < 20; round++) {
    memset(to, 0, sizeof to);
    from[7] = round;
    CHECK_STATUS(portable_array_copy_start(&here, &there, &launch), PORTABLE_OK);
    CHECK_STATUS(portable_array_copy_start(&there, &back, &launch), PORTABLE_OK);
    CHECK_STATUS(portable_stream_fence(launch.stream), PORTABLE_OK);
    CHECK(memcmp(from, to, sizeof to) == 0);
  }
  CHECK_STATUS(portable_stream_destroy(launch.stream), PORTABLE_OK);
  portable_array_release(&here);
  portable_array_release(&there);
  portable_array_release(&back);
}

static void numbers(portable_device device) {
  portable_kernel k = kernel("numbers", source), team = kernel("turned", source);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds bounds = portable_bounds_1(N), rows = portable_bounds_1(N / 50);
  double *x = memory(N * sizeof *x), *y = memory(N * sizeof *y), *r = memory(7 * N * sizeof *r);
  int64_t *sum = memory(2 * sizeof *sum);
  const args a = {x, y, r, N, sum};
  int other_bits = 0, far[5] = {0};
  config.device = device;
  /* Near values; values of all sizes, with negative powers; large angles. */
  for (int range = 0; range < 3; range++) {
    sum[0] = sum[1] = 0;
    for (int i = 0; i < N; i++) {
      x[i] = range == 0 ? 0.001 + i * 0.0037 : range == 1 ? exp(-700 + i * 0.1413) : 199.97 * i;
      y[i] = (range ? -3 : 1) + (i % 37) * 0.11;
    }
    CHECK_STATUS(portable_launch(k, &bounds, &a, &config), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    for (int i = 0; i < N; i++) {
      const double *s = r + 7 * i, product = x[i] * y[i], sum_of = product + x[i] / y[i];
      const double functions[] = {exp(x[i] - 3), log(x[i]), sin(x[i]), cos(x[i]), pow(x[i], y[i])};
      other_bits += apart(s[0], sum_of - sqrt(x[i])) != 0;
      other_bits += apart(s[6], floor(x[i]) + fmod(x[i], y[i])) != 0;
      for (int f = 0; f < 5; f++)
        if (apart(s[1 + f], functions[f]) > 2 && far[f]++ == 0) printf("range %d, x %a, y %a, function %d: %a, not %a\n", range, x[i], y[i], f, s[1 + f], functions[f]);
    }
    for (int f = 0; f < 5; f++) CHECK(far[f] == 0);
  }
  if (other_bits) printf("%d results have other bits\n", other_bits);
  CHECK(other_bits == 0);
  CHECK(sum[0] == (int64_t)N * (N - 1) / 2 && sum[1] == N - 1);
  CHECK_STATUS(portable_launch_outer(team, &rows, &a, 50 * sizeof(double), &config), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  for (int i = 0; i < N; i++) other_bits += apart(r[i], x[i / 50 * 50 + 49 - i % 50] + x[i / 50 * 50 + 49]) != 0;
  CHECK(other_bits == 0);
  x[3] = 2e6;
  CHECK_STATUS(portable_launch(k, &bounds, &a, &config), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("too large");
  CHECK_STATUS(portable_kernel_destroy(team), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  k = kernel("wrong", "\n#include <portable_device.h>\nextern \"C\" __global__ void wrong(double *x) { x[0] = absent; }\n");
  CHECK_STATUS(portable_launch(k, &bounds, &a, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT("numbers.cu:3");
  CHECK_TEXT("absent");
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  portable_free(x), portable_free(y), portable_free(r), portable_free(sum);
}

int main(int argc, char **argv) {
  portable_device device = 0;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  if (argc > 2 && strcmp(argv[1], "none") == 0) {
    CHECK_STATUS(portable_device_find("opencl", &device), PORTABLE_ERR_NODEVICE);
    CHECK_TEXT(argv[2]);
  } else if (argc > 2) { /* no compiler */
    CHECK_STATUS(portable_device_find("opencl", &device), PORTABLE_OK);
    portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
    portable_kernel k = kernel("numbers", source);
    portable_bounds bounds = portable_bounds_1(1);
    const args none = {0};
    config.device = device;
    CHECK_STATUS(portable_launch(k, &bounds, &none, &config), PORTABLE_ERR_STATE);
    CHECK_TEXT(argv[2]);
    CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  } else {
    CHECK_STATUS(portable_device_find("opencl", &device), PORTABLE_OK);
    facts(device);
    copies(device);
    numbers(device);
  }
  return check_end();
}
