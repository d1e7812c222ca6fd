/* driver_calls.c - counts the driver's calls of one launch, copy, reduction, scan, filter and sort, by the log of the simulated driver. The numbers are golden:
 * a change of the library's own work may not change them. With the argument `print`, prints the table instead of comparing. */
#include "check.h"
#include "gpu.h"

#include <ctype.h>
#include <unistd.h>

enum { N = 3000, MOST = 64 };

static const char source[] =
  "#include <portable_device.h>\n"
  "extern \"C\" __global__ void number(const portable_launch_space space, double *x) {\n"
  "  for (long long i = threadIdx.x + blockIdx.x * blockDim.x; i < space.count; i += gridDim.x * blockDim.x) x[i] = 1;\n"
  "}\n"
  "struct large { double *x; double rest[600]; };\n"
  "extern \"C\" __global__ void many(const portable_launch_space space, const large *a) { if (threadIdx.x < space.count) a->x[threadIdx.x] = a->rest[0]; }\n";

struct large {
  double *x, rest[600];
};

static portable_device device;
static portable_stream stream;
static portable_kernel number, many;
static portable_array managed, turned, own, small, plain, part, part_of_plain;
static double *x;
static void *other;
static struct large large;

static portable_launch_config in(portable_stream s) {
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  if (s) c.stream = s; else c.device = device;
  return c;
}

static portable_kernel kernel(const char *label, size_t bytes) {
  portable_kernel k = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.code = source;
  CHECK_STATUS(portable_kernel_create(label, bytes, NULL, 0, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  return k;
}

static portable_array array(int32_t space, int32_t order, int64_t columns) {
  portable_array a;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  const int64_t shape[] = {60, columns};
  config.space = space;
  config.order = order;
  CHECK_STATUS(portable_array_create("a", PORTABLE_KIND_REAL64, 0, 2, shape, &config, &a), PORTABLE_OK);
  return a;
}

static portable_array every_second(const portable_array *a) {
  portable_array view;
  const portable_array_range r[] = {PORTABLE_RANGE_ALL, {0, 48, 2}};
  CHECK_STATUS(portable_array_slice(a, r, &view), PORTABLE_OK);
  return view;
}

/* ---- the operations ---- */

static void launch(void) {
  const portable_bounds b = portable_bounds_1(N);
  const portable_launch_config c = in(0);
  CHECK_STATUS(portable_launch(number, &b, &x, &c), PORTABLE_OK);
}
static void launch_fenced(void) {
  launch();
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
}
static void launch_in_stream(void) {
  const portable_bounds b = portable_bounds_1(N);
  const portable_launch_config c = in(stream);
  CHECK_STATUS(portable_launch(number, &b, &x, &c), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(stream), PORTABLE_OK);
}
static void launch_large(void) {
  const portable_bounds b = portable_bounds_1(10);
  const portable_launch_config c = in(0);
  CHECK_STATUS(portable_launch(many, &b, &large, &c), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
}
static void copy(const portable_array *from, const portable_array *to) {
  const portable_launch_config c = in(0);
  CHECK_STATUS(portable_array_copy(from, to, &c), PORTABLE_OK);
}
static void copy_plain(void) { copy(&managed, &own); }
static void copy_turned(void) { copy(&turned, &managed); }
static void copy_part(void) { copy(&part, &small); }
static void copy_up(void) { copy(&plain, &own); }
static void copy_down(void) { copy(&own, &plain); }
static void copy_staged(void) { copy(&part_of_plain, &part); }
static void copy_started(void) {
  const portable_launch_config c = in(stream);
  CHECK_STATUS(portable_array_copy_start(&managed, &own, &c), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(stream), PORTABLE_OK);
}
static void fill(void) {
  const portable_launch_config c = in(0);
  const double zero = 0, value = 1.5;
  CHECK_STATUS(portable_array_fill(&own, &zero, &c), PORTABLE_OK);
  CHECK_STATUS(portable_array_fill(&own, &value, &c), PORTABLE_OK);
}
static void reduce(void) {
  const int64_t n = N;
  double sum;
  CHECK_STATUS(portable_reduce_array("sum", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, &n, NULL, &sum), PORTABLE_OK);
}
static void scan(void) {
  const int64_t n = N;
  CHECK_STATUS(portable_scan("scan", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, &n, NULL, other), PORTABLE_OK);
}
static void filter(void) {
  const int64_t n = N;
  int64_t count;
  CHECK_STATUS(portable_pack("pack", 8, x, 1, &n, PORTABLE_KIND_LOGICAL64, x, NULL, other, N, &count), PORTABLE_OK);
}
static void sort(void) {
  for (int i = 0; i < N; i++) ((int64_t *)other)[i] = (int64_t)(i * 7919 % 256); /* they differ in one digit */
  CHECK_STATUS(portable_sort("sort", PORTABLE_KIND_INT64, other, N, NULL), PORTABLE_OK);
}
static void facts(void) {
  portable_device_properties p = PORTABLE_DEVICE_PROPERTIES_INIT;
  uint64_t rest, total;
  CHECK_STATUS(portable_device_properties_get(device, &p), PORTABLE_OK);
  CHECK_STATUS(portable_device_memory_info(device, &rest, &total), PORTABLE_OK);
}

/* ---- the log ---- */

struct count {
  char name[40];
  int calls;
};

static long read_to; /* bytes of the log that are counted */

static int by_name(const void *a, const void *b) { return strcmp(((const struct count *)a)->name, ((const struct count *)b)->name); }

/* The calls since the last question: "cuLaunchKernel=1 ...". */
static void calls_of(char *text, size_t room) {
  struct count all[MOST];
  int n = 0;
  char line[2048];
  FILE *f = fopen(getenv("FAKE_CUDA_LOG"), "r");
  text[0] = '\0';
  if (!f) return;
  fseek(f, read_to, SEEK_SET);
  while (fgets(line, sizeof line, f)) {
    char *end = line;
    while (isalnum((unsigned char)*end) || *end == '_') end++;
    if (strncmp(line, "cu", 2) != 0 || !isupper((unsigned char)line[2]) || !strstr(line, " = ")) continue;
    *end = '\0';
    int i = 0;
    while (i < n && strcmp(all[i].name, line) != 0) i++;
    if (i == n && n < MOST) {
      snprintf(all[n].name, sizeof all[n].name, "%.39s", line);
      all[n++].calls = 0;
    }
    all[i].calls++;
  }
  read_to = ftell(f);
  fclose(f);
  qsort(all, (size_t)n, sizeof *all, by_name);
  for (int i = 0; i < n; i++) snprintf(text + strlen(text), room - strlen(text), "%s%s=%d", i ? " " : "", all[i].name, all[i].calls);
}

static const struct {
  const char *name;
  void (*run)(void);
  const char *first, *later; /* the calls of the first run, which also loads the code, and of the second one */
} rows[] = {
#define ROW(f, first, later) {#f, f, first, later}
#include "driver_calls.inc"
};

int main(int argc, char **argv) {
  const int print = argc > 1 && strcmp(argv[1], "print") == 0;
  const int64_t shape[] = {60, 50};
  static double memory[N]; /* unknown to the driver */
  char text[2000];
  if (!getenv("FAKE_CUDA_LOG")) return 2;
  unlink(getenv("FAKE_CUDA_LOG"));
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find(gpu(":0"), &device), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &stream), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(N * sizeof(double), "x", (void **)&x), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(N * sizeof(double), "other", &other), PORTABLE_OK);
  memset(x, 0, N * sizeof(double));
  memset(other, 0, N * sizeof(double));
  number = kernel("number", sizeof x);
  many = kernel("many", sizeof large);
  large.x = x;
  managed = array(PORTABLE_SPACE_MANAGED, PORTABLE_ORDER_C, 50);
  turned = array(PORTABLE_SPACE_MANAGED, PORTABLE_ORDER_FORTRAN, 50);
  own = array(PORTABLE_SPACE_DEVICE(0), PORTABLE_ORDER_C, 50);
  small = array(PORTABLE_SPACE_DEVICE(0), PORTABLE_ORDER_C, 25);
  part = every_second(&own);
  CHECK_STATUS(portable_array_wrap("plain", PORTABLE_KIND_REAL64, 0, memory, 2, shape, NULL, NULL, &plain), PORTABLE_OK);
  part_of_plain = every_second(&plain);
  calls_of(text, sizeof text);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (int round = 0; round < 2; round++) {
      rows[i].run();
      calls_of(text, sizeof text);
      const char *wanted = round ? rows[i].later : rows[i].first;
      if (print) {
        if (!round) printf("ROW(%s,\n", rows[i].name);
        printf("    \"%s\"%s\n", text, round ? ")," : ",");
      } else if (strcmp(text, wanted) != 0) {
        check_failures++;
        printf("%s, %s time: the driver's calls are\n  %s\nand not\n  %s\n", rows[i].name, round ? "second" : "first", text, wanted);
      }
    }
  }
  if (check_failures) printf("%d checks failed\n", check_failures);
  return check_failures != 0;
}
