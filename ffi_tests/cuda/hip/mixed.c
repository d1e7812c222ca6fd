/* mixed.c MODE - AMD devices by the fake driver. both: devices of both drivers in one process, launches in turn and from two threads, memory of one driver in a
 * launch on a device of the other. restart: the library starts again with the other driver. unknown: an architecture that the compiler does not know. nowhere: no
 * compiler. host: the host accesses memory of a device. native: AMD's own functions in a stream of the library. unused: a program on another device opens no library
 * of AMD's. */
#include "check.h"

#include <dlfcn.h>
#include <pthread.h>

enum { N = 1000, ROUNDS = 30 };

struct block {
  double *a;
};

static const char source[] = "#include <portable_device.h>\n"
                             "struct block { double *a; };\n"
                             "PORTABLE_KERNEL(add, block, b) { PORTABLE_FOR_1(i) { b->a[i] += 1.0; } }\n";

static void on_host(const portable_tile *tile, void *args) {
  const struct block *b = args;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) b->a[i] += 1.0;
}

static portable_kernel kernel(int host) {
  portable_kernel k;
  const portable_argument arguments[] = {{.name = "field", .kind = PORTABLE_ARGUMENT_POINTER, .access = PORTABLE_ACCESS_BOTH, .offset = 0, .bytes = 8}};
  portable_device_code code = PORTABLE_DEVICE_CODE_INIT;
  CHECK_STATUS(portable_kernel_create("add", sizeof(struct block), arguments, 1, &k), PORTABLE_OK);
  code.code = source;
  CHECK_STATUS(portable_kernel_set_device_code(k, &code), PORTABLE_OK);
  if (host) CHECK_STATUS(portable_kernel_set_host(k, on_host), PORTABLE_OK);
  return k;
}

static portable_status add(portable_kernel k, portable_device device, void *p) {
  const portable_bounds all = portable_bounds_1(N);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  const struct block b = {p};
  config.device = device;
  return portable_launch(k, &all, &b, &config);
}

static double *take(portable_pool pool) {
  void *p = NULL;
  CHECK_STATUS(portable_pool_alloc(pool, N * sizeof(double), "field", &p), PORTABLE_OK);
  return p;
}

/* Sets memory of a device to 0, and reads it, by copies. */
static void moved(double *there, double *here, int32_t space, portable_device device, int back) {
  const int64_t shape[] = {N};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_array a, b;
  launch.device = device;
  config.space = space;
  CHECK_STATUS(portable_array_wrap("there", PORTABLE_KIND_REAL64, 0, there, 1, shape, NULL, &config, &a), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("here", PORTABLE_KIND_REAL64, 0, here, 1, shape, NULL, NULL, &b), PORTABLE_OK);
  CHECK_STATUS(back ? portable_array_copy(&a, &b, &launch) : portable_array_copy(&b, &a, &launch), PORTABLE_OK);
}

static int all_are(const double *a, double x) {
  for (int i = 0; i < N; i++)
    if (a[i] < x || a[i] > x) return 0;
  return 1;
}

struct worker {
  portable_kernel kernel;
  portable_device device;
  double *field;
  portable_status status;
};

static void *work(void *payload) {
  struct worker *w = payload;
  for (int i = 0; i < ROUNDS && w->status == PORTABLE_OK; i++) w->status = add(w->kernel, w->device, w->field);
  if (w->status == PORTABLE_OK) w->status = portable_stream_fence(portable_device_stream(w->device));
  return NULL;
}

static void both(void) {
  portable_device hip, again, cuda = portable_default_device();
  portable_device_properties p = PORTABLE_DEVICE_PROPERTIES_INIT;
  portable_pool managed, of_cuda, of_hip;
  static double here[N];
  CHECK(strcmp(portable_device_name(cuda), "cuda:0") == 0);
  CHECK_STATUS(portable_device_find("hip", &hip), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("auto", &again), PORTABLE_OK);
  CHECK(hip == cuda + 1 && again == cuda && strcmp(portable_device_name(hip), "hip:0") == 0);
  CHECK_STATUS(portable_device_properties_get(hip, &p), PORTABLE_OK);
  CHECK(p.kind == PORTABLE_DEVICE_HIP && p.warp_size == 64);
  CHECK_STATUS(portable_device_properties_get(cuda, &p), PORTABLE_OK);
  CHECK(p.kind == PORTABLE_DEVICE_CUDA && p.warp_size == 32);
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_MANAGED, &managed), PORTABLE_OK);
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &of_cuda), PORTABLE_OK);
  CHECK_STATUS(portable_pool_of_device(hip, &of_hip), PORTABLE_OK);
  CHECK(portable_space_of_device(hip) == PORTABLE_SPACE_DEVICE(1) && portable_space_of_device(cuda) == PORTABLE_SPACE_MANAGED);
  double *field[3] = {take(managed), take(of_cuda), take(of_hip)};
  portable_kernel k = kernel(0);
  moved(field[1], here, PORTABLE_SPACE_DEVICE(0), cuda, 0);
  moved(field[2], here, PORTABLE_SPACE_DEVICE(1), hip, 0);
  for (int i = 0; i < ROUNDS; i++) {
    CHECK_STATUS(add(k, cuda, field[1]), PORTABLE_OK);
    CHECK_STATUS(add(k, hip, field[2]), PORTABLE_OK);
  }
  struct worker w[2] = {{k, cuda, field[1], PORTABLE_OK}, {k, hip, field[2], PORTABLE_OK}};
  pthread_t thread[2];
  for (int i = 0; i < 2; i++) CHECK(pthread_create(&thread[i], NULL, work, &w[i]) == 0);
  for (int i = 0; i < 2; i++) CHECK(pthread_join(thread[i], NULL) == 0 && w[i].status == PORTABLE_OK);
  for (int i = 0; i < 2; i++) {
    moved(field[1 + i], here, PORTABLE_SPACE_DEVICE(i), i ? hip : cuda, 1);
    CHECK(all_are(here, 2 * ROUNDS));
  }
  /* Memory of one driver on a device of the other. */
  CHECK_STATUS(add(k, cuda, field[2]), PORTABLE_ERR_POINTER);
  CHECK_TEXT("memory of the device 'hip:0' that a kernel on 'cuda:0' does not reach");
  CHECK_STATUS(add(k, hip, field[1]), PORTABLE_ERR_POINTER);
  CHECK_TEXT("memory of the device 'cuda:0' that a kernel on 'hip:0' does not reach");
  CHECK_STATUS(add(k, hip, field[0]), PORTABLE_ERR_POINTER);
  CHECK_TEXT("memory of the device 'cuda:0' that a kernel on 'hip:0' does not reach");
  CHECK_STATUS(add(k, cuda, field[0]), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(portable_device_stream(cuda)), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(managed, field[0]), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(of_cuda, field[1]), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(of_hip, field[2]), PORTABLE_OK);
}

/* The library starts again with the other driver, to which managed and pinned memory belong then. */
static void restart(void) {
  portable_device hip, cuda = portable_default_device();
  portable_pool pool = 1, pinned;
  void *p = NULL;
  CHECK(portable_space_of_device(cuda) == PORTABLE_SPACE_MANAGED);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK(setenv("PORTABLE_DEVICE", "hip", 1) == 0);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  hip = portable_default_device();
  CHECK(strcmp(portable_device_name(hip), "hip:0") == 0);
  CHECK_STATUS(portable_device_find("cuda:0", &cuda), PORTABLE_OK);
  CHECK(portable_space_of_device(hip) == PORTABLE_SPACE_MANAGED && portable_space_of_device(cuda) == PORTABLE_SPACE_DEVICE(0));
  CHECK_STATUS(portable_pool_of_device(hip, &pool), PORTABLE_OK);
  CHECK(pool == 0);
  CHECK_STATUS(portable_pool_of_device(cuda, &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_PINNED, &pinned), PORTABLE_OK);
  portable_kernel k = kernel(0);
  for (int i = 0; i < 2; i++) {
    const portable_pool from = i ? pinned : check_default_pool();
    p = take(from);
    memset(p, 0, N * sizeof(double));
    CHECK_STATUS(add(k, cuda, p), PORTABLE_ERR_POINTER);
    CHECK_STATUS(add(k, hip, p), PORTABLE_OK);
    CHECK_STATUS(portable_stream_fence(portable_device_stream(hip)), PORTABLE_OK);
    CHECK(all_are(p, 1));
    CHECK_STATUS(portable_pool_free(from, p), PORTABLE_OK);
  }
  p = take(pool);
  CHECK_STATUS(add(k, hip, p), PORTABLE_ERR_POINTER);
  CHECK_STATUS(add(k, cuda, p), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(portable_device_stream(cuda)), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, p), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* The compiler would abort the process. */
static void unknown(void) {
  portable_kernel k = kernel(1);
  void *p = NULL;
  CHECK_STATUS(portable_kernel_prepare(k, 0), PORTABLE_ERR_ARG);
  CHECK_TEXT("hiprtc does not know the architecture gfx942, which the driver names; install the ROCm of the driver");
  static const struct {
    const char *options, *text;
  } said[] = {{"--offload-arch gfx999", "does not know the architecture gfx999, which the option --offload-arch names; leave the option out"},
              {"--offload-arch=", "--offload-arch names no architecture"},
              {"--offload-arch=gfx90a:bogus+", "'bogus+' is no feature of the architecture gfx90a:bogus+"},
              {"--offload-arch=gfx1030:xnack+", "'xnack+' is no feature"}};
  for (int i = 0; i < 4; i++) {
    portable_device_code code = PORTABLE_DEVICE_CODE_INIT;
    code.code = source;
    code.options = said[i].options;
    CHECK_STATUS(portable_kernel_set_device_code(k, &code), PORTABLE_OK);
    CHECK_STATUS(portable_kernel_prepare(k, 0), PORTABLE_ERR_ARG);
    CHECK_TEXT(said[i].text);
  }
  CHECK_STATUS(portable_alloc(N * sizeof(double), "field", &p), PORTABLE_OK);
  CHECK_STATUS(add(k, 0, p), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* The host does it, after a line that names the compiler. */
static void nowhere(void) {
  portable_kernel k = kernel(1);
  void *p = NULL;
  CHECK_STATUS(portable_alloc(N * sizeof(double), "field", &p), PORTABLE_OK);
  memset(p, 0, N * sizeof(double));
  CHECK_STATUS(add(k, 0, p), PORTABLE_OK);
  CHECK(all_are(p, 1));
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_prepare(k, 0), PORTABLE_ERR_STATE);
  CHECK_TEXT("PORTABLE_HIPRTC_LIBRARY");
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* Access of the host to memory of an AMD device ends the program, with its name. */
static void host(void) {
  portable_pool pool;
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &pool), PORTABLE_OK);
  ((volatile double *)take(pool))[17] = 1;
}

/* A stream of the library is one of AMD's driver. */
static void native(void) {
  void *const library = dlopen(getenv("PORTABLE_HIP_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  int (*fill)(void *, unsigned char, size_t, void *) = NULL, (*wait)(void *) = NULL;
  portable_stream stream;
  void *p = NULL, *driver = NULL;
  if (library) *(void **)(void *)&fill = dlsym(library, "hipMemsetD8Async"), *(void **)(void *)&wait = dlsym(library, "hipStreamSynchronize");
  CHECK(fill && wait);
  CHECK_STATUS(portable_alloc(N * sizeof(double), "field", &p), PORTABLE_OK);
  memset(p, 0, N * sizeof(double));
  CHECK_STATUS(portable_stream_create(portable_default_device(), PORTABLE_STREAM_ASYNC, &stream), PORTABLE_OK);
  CHECK_STATUS(portable_stream_native(stream, &driver), PORTABLE_OK);
  CHECK(fill(p, 0x40, N * sizeof(double), driver) == 0 && wait(driver) == 0);
  CHECK(((unsigned char *)p)[0] == 0x40 && ((unsigned char *)p)[N * sizeof(double) - 1] == 0x40);
  CHECK_STATUS(portable_stream_destroy(stream), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
}

/* A program on another device opens no library of AMD's or of OpenCL's. */
static void unused(void) {
  portable_kernel k = kernel(1);
  void *p = NULL;
  CHECK_STATUS(portable_alloc(N * sizeof(double), "field", &p), PORTABLE_OK);
  memset(p, 0, N * sizeof(double));
  CHECK_STATUS(add(k, portable_default_device(), p), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(all_are(p, 1));
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  const char *const libraries[] = {getenv("PORTABLE_HIP_LIBRARY"), getenv("PORTABLE_HIPRTC_LIBRARY"), "libOpenCL.so.1"};
  for (int i = 0; i < 3; i++) {
    void *library = dlopen(libraries[i], RTLD_NOW | RTLD_NOLOAD);
    CHECK(library == NULL);
    if (library) printf("%s is open\n", libraries[i]);
  }
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } modes[] = {{"both", both}, {"restart", restart}, {"unknown", unknown}, {"nowhere", nowhere}, {"host", host}, {"native", native}, {"unused", unused}};
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
    if (strcmp(modes[i].name, argv[1]) == 0) modes[i].run();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
