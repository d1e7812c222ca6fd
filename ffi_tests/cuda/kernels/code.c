/* code.c MODE - code of kernels on a GPU: what is refused and how that is reported, images, replaced code, PORTABLE_CACHE, a compiler that is missing, and
 * errors of driver and compiler at each call. code.sh runs the modes. Not in this file: launches (kernels.c). */
#include "check.h"
#include "gpu.h"

#include <dlfcn.h>
#include <stddef.h>

#include "bodies.h"

static portable_device device;

static int amd(void) { return strcmp(gpu(""), "hip") == 0; }

static portable_status set(portable_kernel k, const char *text, int32_t line) {
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.code = text;
  code.entry = "number";
  code.file = line ? "/home/of/the user/model.c" : NULL;
  code.line = line;
  return portable_kernel_set_cuda(k, &code);
}

static portable_kernel plain(const char *label) {
  portable_kernel k = 0;
  CHECK_STATUS(portable_kernel_create(label, sizeof(double *), NULL, 0, &k), PORTABLE_OK);
  return k;
}

static double *memory(void) {
  void *to = NULL;
  CHECK_STATUS(portable_alloc(100 * sizeof(double), "test", &to), PORTABLE_OK);
  memset(to, 0, 100 * sizeof(double));
  return to;
}

static portable_status launch(portable_kernel k, double *x) {
  portable_bounds b = portable_bounds_1(100);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  c.device = device;
  return portable_launch(k, &b, &x, &c);
}

#define NUMBER(n)                                                                       \
  "#include <portable_device.h>\n"                                                      \
  "extern \"C\" __global__ void number(const portable_launch_space space, double *x) {\n" \
  "  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < space.count; i += gridDim.x * blockDim.x) x[i] = " #n ";\n" \
  "}\n"

static void on_host(const portable_tile *t, void *args) {
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) (*(double **)args)[i] = -1;
}

/* ---- compiled once ---- */

#define FAULT "#include <portable_device.h>\nPORTABLE_KERNEL(number, double *, a) {\n  PORTABLE_FOR_1(i) { (*a)[i] = unknown; }\n}\n"

/* code.sh counts the compilations: two. */
static void faulty(void) {
  portable_kernel k = plain("faulty");
  char all[20000];
  double *x = memory();
  for (int round = 0; round < 2; round++) {
    CHECK_STATUS(set(k, FAULT, 0), PORTABLE_OK);
    for (int i = 0; i < 5; i++) {
      CHECK_STATUS(launch(k, x), PORTABLE_ERR_ARG);
      CHECK_TEXT("kernel 'faulty': its device version does not compile:\n");
      CHECK_TEXT("unknown");
    }
    CHECK_STATUS(portable_kernel_cuda_log(k, all, sizeof all, NULL), PORTABLE_OK);
    CHECK(strstr(all, "unknown"));
  }
  CHECK_STATUS(set(k, NUMBER(3), 0), PORTABLE_OK);
  CHECK_STATUS(launch(k, x), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(x[0] == 3);
  CHECK_STATUS(portable_free(x), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* ---- refused ---- */

static void refused(void) {
  portable_kernel k = plain("refused");
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  char log[20], all[20000];
  size_t needed = 0;
  double *x = memory();
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_kernel_set_cuda of 'refused': code is NULL");
  code.code = "";
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_ERR_ARG);
  code.code = "x";
  code.form = 7;
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_ERR_ARG);
  CHECK_TEXT("there is no form 7");
  code.form = 0;
  code.entry = "a b";
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_ERR_ARG);
  CHECK_TEXT("'a b' is no name of a function");
  code.entry = NULL;
  code.block_size = -1;
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_ERR_ARG);
  code.struct_size = 8;
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_ERR_ARG);
  CHECK_TEXT("PORTABLE_CUDA_CODE_INIT");
  CHECK_STATUS(portable_kernel_set_cuda(77, NULL), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(launch(k, x), PORTABLE_ERR_STATE); /* no version at all */
  /* Code that does not compile is reported with the user's line, also where there is a host version. */
  CHECK_STATUS(portable_kernel_set_host(k, on_host), PORTABLE_OK);
  CHECK_STATUS(set(k, FAULT, 40), PORTABLE_OK);
  CHECK_STATUS(launch(k, x), PORTABLE_ERR_ARG);
  CHECK_TEXT("kernel 'refused': its device version does not compile:\n");
  CHECK_TEXT("model.c");
  CHECK_TEXT("42");
  CHECK_TEXT("unknown");
  CHECK_STATUS(portable_kernel_cuda_log(k, log, sizeof log, &needed), PORTABLE_OK);
  CHECK(needed > sizeof log && strlen(log) == sizeof log - 1);
  CHECK_STATUS(portable_kernel_cuda_log(k, all, sizeof all, NULL), PORTABLE_OK);
  CHECK(strstr(all, "unknown") && strlen(all) + 1 == needed);
  /* Entries. */
  CHECK_STATUS(set(k, "extern \"C\" __global__ void other(int) {}\n", 0), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_prepare(k, device), PORTABLE_ERR_ARG);
  CHECK_TEXT("kernel 'refused': there is no entry 'number'");
  /* Files and images. */
  code = (portable_cuda_code)PORTABLE_CUDA_CODE_INIT;
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = "/nowhere/kernel.cu";
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  CHECK_STATUS(launch(k, x), PORTABLE_ERR_ARG);
  CHECK_TEXT("/nowhere/kernel.cu");
  CHECK_TEXT("give a path from the working folder or from the root");
  code.form = PORTABLE_CUDA_IMAGE;
  code.code = "no PTX";
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  CHECK_STATUS(launch(k, x), PORTABLE_ERR_DEVICE);
  CHECK_TEXT("'refused': cuModuleLoadDataEx answers CUDA_ERROR_INVALID_");
  /* Blocks. */
  CHECK_STATUS(set(k, NUMBER(1), 0), PORTABLE_OK);
  portable_bounds b = portable_bounds_1(100);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  c.device = device;
  c.block_size = 5000;
  CHECK_STATUS(portable_launch(k, &b, &x, &c), PORTABLE_ERR_ARG);
  CHECK_TEXT("blocks of 5000 threads are asked for");
  CHECK_STATUS(portable_launch(k, &b, NULL, &c), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_kernel_prepare(k, 99), PORTABLE_ERR_NODEVICE);
  /* An argument block of another size than the entry has. */
  portable_kernel other = 0;
  double five[5] = {0};
  CHECK_STATUS(portable_kernel_create("number", sizeof five, NULL, 0, &other), PORTABLE_OK);
  CHECK_STATUS(set(other, NUMBER(1), 0), PORTABLE_OK);
  c.block_size = 0;
  CHECK_STATUS(portable_launch(other, &b, five, &c), PORTABLE_ERR_ARG);
  CHECK_TEXT("'number': the parameters of its entry 'number' take ");
  CHECK_TEXT("then the argument block of 40 bytes");
  CHECK_STATUS(portable_kernel_destroy(other), PORTABLE_OK);
  /* One argument too many is not padding. */
  const portable_argument two[] = {{"x", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_WRITE, 0, sizeof x}, {"s", PORTABLE_ARGUMENT_REAL64, 0, 8, 8}};
  CHECK_STATUS(portable_kernel_create("number", 16, two, 2, &other), PORTABLE_OK);
  CHECK_STATUS(set(other, NUMBER(1), 0), PORTABLE_OK);
  memcpy(five, &x, sizeof x);
  CHECK_STATUS(portable_launch(other, &b, five, &c), PORTABLE_ERR_ARG);
  CHECK_TEXT("the entry has other arguments than the launch");
  CHECK_STATUS(portable_kernel_destroy(other), PORTABLE_OK);
  c.stream = portable_device_stream(device);
  c.device = 1;
  CHECK_STATUS(portable_launch(k, &b, &x, &c), PORTABLE_ERR_ARG);
  CHECK_TEXT("the launch names device 1; name one of them");
  CHECK_STATUS(portable_kernel_prepare(k, 1), PORTABLE_OK);
  CHECK_STATUS(portable_free(x), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* ---- replaced while launches of it are in streams ---- */

static void replaced(void) {
  portable_kernel k = plain("replaced");
  double *x[4];
  for (int i = 0; i < 4; i++) {
    static const char *const texts[] = {NUMBER(10), NUMBER(11), NUMBER(12), NUMBER(13)};
    x[i] = memory();
    CHECK_STATUS(set(k, texts[i], 0), PORTABLE_OK);
    CHECK_STATUS(launch(k, x[i]), PORTABLE_OK);
  }
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  for (int i = 0; i < 4; i++) {
    CHECK(x[i][0] == 10 + i && x[i][99] == 10 + i);
    CHECK_STATUS(portable_free(x[i]), PORTABLE_OK);
  }
}

/* ---- images; the way to NVIDIA's libraries ---- */

/* The image that the GPU's compiler makes of a source, by its own interface. */
static char *image_of(const char *text, size_t *bytes) {
  const char *const names[2][4] = {{"nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetPTXSize", "nvrtcGetPTX"},
                                   {"hiprtcCreateProgram", "hiprtcCompileProgram", "hiprtcGetCodeSize", "hiprtcGetCode"}};
  const char *const *name = names[amd()], *const said = getenv("FAKE_HIP_ARCHITECTURE");
  char option[64] = "--offload-arch=gfx90a";
  const char *const options[] = {option};
  if (said) snprintf(option, sizeof option, "--offload-arch=%s", said);
  void *library = dlopen(getenv(amd() ? "PORTABLE_HIPRTC_LIBRARY" : "PORTABLE_NVRTC_LIBRARY"), RTLD_NOW), *program = NULL;
  char *image = NULL;
  int (*create)(void **, const char *, const char *, int, const char *const *, const char *const *);
  int (*compile)(void *, int, const char *const *);
  int (*size)(void *, size_t *);
  int (*get)(void *, char *);
  if (!library) return NULL;
  *(void **)(void *)&create = dlsym(library, name[0]);
  *(void **)(void *)&compile = dlsym(library, name[1]);
  *(void **)(void *)&size = dlsym(library, name[2]);
  *(void **)(void *)&get = dlsym(library, name[3]);
  if (create(&program, text, "image.cu", 0, NULL, NULL) == 0 && compile(program, amd(), options) == 0 && size(program, bytes) == 0 && (image = malloc(*bytes)))
    get(program, image);
  return image;
}

static portable_status twice(void *native, void *payload) {
  (void)native;
  ++*(int *)payload;
  return PORTABLE_OK;
}

static portable_status refuses(void *native, void *payload) {
  (void)native;
  (void)payload;
  return PORTABLE_ERR_ARG;
}

static void images(void) {
  size_t bytes = 0;
  char *image = image_of("struct space { int rank, order; long long count; char rest[240]; };\n"
                       "extern \"C\" __global__ void number(space s, double *x) { if (threadIdx.x < s.count) x[threadIdx.x] = 77; }\n", &bytes);
  portable_kernel k = plain("image");
  portable_device_code code = PORTABLE_DEVICE_CODE_INIT;
  double *x = memory();
  void *native = &native;
  int calls = 0;
  code.form = PORTABLE_DEVICE_IMAGE;
  code.code = image;
  code.bytes = bytes;
  code.entry = "number";
  code.block_size = 128;
  CHECK(image != NULL);
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  CHECK_STATUS(launch(k, x), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(x[0] == 77 && x[99] == 77);
  CHECK_STATUS(portable_stream_native(portable_device_stream(device), &native), PORTABLE_OK);
  CHECK_STATUS(portable_stream_native(portable_device_stream(1), &native), PORTABLE_ERR_NODEVICE);
  int *counts = &calls;
  CHECK_STATUS(portable_device_enqueue("twice", device, 0, twice, counts, 0), PORTABLE_OK);
  CHECK_STATUS(portable_device_enqueue("twice", device, 0, twice, counts, 0), PORTABLE_OK);
  CHECK(calls == 2);
  CHECK_STATUS(portable_device_enqueue("refuses", device, 0, refuses, NULL, 0), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_device_enqueue("twice", 1, 0, twice, counts, 0), PORTABLE_ERR_NODEVICE);
  CHECK_STATUS(portable_device_enqueue("twice", device, 0, NULL, NULL, 0), PORTABLE_ERR_ARG);
  free(image);
  CHECK_STATUS(portable_free(x), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* ---- without NVRTC ---- */

static void counts(const portable_tile *t, void *args, void *const *partial) {
  (void)args;
  *(int64_t *)partial[0] += t->upper[0] - t->lower[0] + 1;
}

static void no_compiler(void) {
  portable_kernel k = plain("no_compiler"), reduces = plain("reduces");
  portable_bounds b = portable_bounds_1(100);
  int64_t count = 0;
  portable_reduction result = PORTABLE_REDUCTION(PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT64, &count);
  double *x = memory();
  CHECK_STATUS(set(k, NUMBER(1), 0), PORTABLE_OK);
  CHECK_STATUS(launch(k, x), PORTABLE_ERR_STATE);
  CHECK_TEXT(amd() ? "AMD's compiler hiprtc" : "NVIDIA's compiler NVRTC");
  CHECK_TEXT("install it");
  CHECK_STATUS(portable_kernel_set_host(k, on_host), PORTABLE_OK);
  CHECK_STATUS(launch(k, x), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(x[0] == -1 && x[99] == -1);
  CHECK_STATUS(set(reduces, NUMBER(1), 0), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(reduces, on_host), PORTABLE_OK); /* which does not do for a reduction */
  CHECK_STATUS(portable_launch_reduce(reduces, &b, &x, &result, 1, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("install it");
  CHECK_STATUS(portable_kernel_set_host(reduces, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host_reduce(reduces, counts), PORTABLE_OK);
  CHECK_STATUS(portable_launch_reduce(reduces, &b, &x, &result, 1, NULL), PORTABLE_OK);
  CHECK(count == 100);
  /* The library's own kernels: the host reaches managed memory, but not the device's own. */
  const int64_t n = 100;
  double sum = 0;
  portable_pool pool;
  void *own = NULL;
  CHECK_STATUS(portable_reduce_array("sum", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, &n, NULL, &sum), PORTABLE_OK);
  CHECK(sum == -100);
  portable_array from, to;
  portable_array_config fortran = PORTABLE_ARRAY_CONFIG_INIT;
  const int64_t shape[] = {20, 30};
  const double four = 4;
  fortran.order = PORTABLE_ORDER_FORTRAN;
  CHECK_STATUS(portable_array_create("from", PORTABLE_KIND_REAL64, 0, 2, shape, NULL, &from), PORTABLE_OK);
  CHECK_STATUS(portable_array_create("to", PORTABLE_KIND_REAL64, 0, 2, shape, &fortran, &to), PORTABLE_OK);
  CHECK_STATUS(portable_array_fill(&from, &four, NULL), PORTABLE_OK);
  ((double *)from.data)[1] = 1;
  CHECK_STATUS(portable_array_copy(&from, &to, NULL), PORTABLE_OK);
  CHECK(((double *)to.data)[20] == 1 && ((double *)to.data)[599] == 4);
  CHECK_STATUS(portable_array_release(&from), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&to), PORTABLE_OK);
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(pool, 100 * sizeof(double), "own", &own), PORTABLE_OK);
  CHECK_STATUS(portable_reduce_array("sum", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, own, 1, &n, NULL, &sum), PORTABLE_ERR_STATE);
  CHECK_TEXT(amd() ? "AMD's compiler hiprtc" : "NVIDIA's compiler NVRTC");
  CHECK_STATUS(portable_pool_free(pool, own), PORTABLE_OK);
  CHECK_STATUS(portable_fallback_print(), PORTABLE_OK); /* code.sh reads it */
  CHECK_STATUS(portable_free(x), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(reduces), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* ---- one launch, right or not: a large block, and more than 48 KiB of shared memory ---- */

static void injected(const char *call) {
  static large_args args;
  portable_kernel k[2] = {0, 0};
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  portable_bounds b = portable_bounds_1(100);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_status status = PORTABLE_OK;
  rows_args row;
  char text[4096] = "";
  c.device = device;
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = getenv("CODE_FILE") ? getenv("CODE_FILE") : BODIES;
  args.out = row.out = memory();
  row.in = row.out;
  row.n = 1;
  row.rows = 100;
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(portable_kernel_create(i ? "rows" : "large", i ? sizeof row : sizeof args, NULL, 0, &k[i]), PORTABLE_OK);
    CHECK_STATUS(portable_kernel_set_cuda(k[i], &code), PORTABLE_OK);
    portable_status one = i ? portable_launch_outer(k[i], &b, &row, 50000, &c) : portable_launch(k[i], &b, &args, &c);
    if (one != PORTABLE_OK && status == PORTABLE_OK) {
      status = one;
      strncpy(text, portable_last_error(), sizeof text - 1);
    }
    one = portable_fence();
    if (one != PORTABLE_OK && status == PORTABLE_OK) {
      status = one;
      strncpy(text, portable_last_error(), sizeof text - 1);
    }
  }
  if (call[0] == '-') { /* it is got over */
    CHECK(status == PORTABLE_OK);
  } else {
    CHECK(status != PORTABLE_OK && strstr(text, call) && (strstr(text, "'large'") || strstr(text, "'rows'")));
  }
  printf("%s %s\n", portable_status_name(status), text);
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_kernel_destroy(k[i]), PORTABLE_OK);
  CHECK_STATUS(portable_free(args.out), PORTABLE_OK);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find(gpu(":0"), &device), PORTABLE_OK);
  if (strcmp(mode, "no_compiler") == 0) {
    no_compiler();
  } else if (strcmp(mode, "injected") == 0) {
    injected(argv[2]);
  } else if (strcmp(mode, "faulty") == 0) {
    faulty();
  } else {
    refused();
    replaced();
    images();
  }
  return check_end();
}
