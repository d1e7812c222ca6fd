/* reach.c MODE - memory of the host, of all kinds, as an argument of a kernel that runs on the device, by the fake driver. MODE: none, the device does
 * not reach it; refused, warned or allowed, it could, by PORTABLE_HOSTMEM; host, checks, the host at memory of the device under PORTABLE_CHECK=memory. */
#include "check.h"

enum { N = 64 };

struct block {
  double *a;
};

static const char source[] = "#include <portable_device.h>\n"
                             "struct block { double *a; };\n"
                             "extern \"C\" __global__ void halve(portable_launch_space space, block b) {\n"
                             "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 64; i += gridDim.x * blockDim.x) b.a[i] *= 0.5;\n"
                             "}\n";

static double saved[N];
double common_block_[N]; /* as COMMON /common_block/ is to the linker */

static portable_kernel kernel(void) {
  portable_kernel k;
  portable_argument arguments[] = {{.name = "field", .kind = PORTABLE_ARGUMENT_POINTER, .access = PORTABLE_ACCESS_BOTH, .offset = 0, .bytes = 8}};
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  CHECK_STATUS(portable_kernel_create("halve", sizeof(struct block), arguments, 1, &k), PORTABLE_OK);
  code.code = source;
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  return k;
}

static portable_status launch(portable_kernel k, void *p) {
  portable_bounds all = portable_bounds_1(N);
  struct block b = {p};
  portable_status status = portable_launch(k, &all, &b, NULL);
  return status == PORTABLE_OK ? portable_stream_fence(portable_device_stream(portable_default_device())) : status;
}

static void host_memory(portable_kernel k, int reached) {
  double stack[N] = {2};
  double *heap = calloc(N, sizeof *heap);
  const struct {
    void *p;
    const char *what;
  } places[] = {{stack, "on the stack"}, {saved, "static data"}, {common_block_, "static data"}, {heap, "memory that the program has got itself"}};
  heap[0] = saved[0] = common_block_[0] = 2;
  for (int i = 0; i < 4; i++) {
    if (!reached) {
      CHECK_STATUS(launch(k, places[i].p), PORTABLE_ERR_POINTER);
      CHECK_TEXT("portable_launch of 'halve': argument 1 ('field') is 0x");
      CHECK_TEXT(places[i].what);
    } else {
      CHECK_STATUS(launch(k, places[i].p), PORTABLE_OK);
      CHECK(((double *)places[i].p)[0] > 0.9 && ((double *)places[i].p)[0] < 1.1);
    }
  }
  free(heap);
}

/* Memory that the device can access is not refused, wherever it points to. */
static void device_memory(portable_kernel k) {
  const int32_t spaces[] = {PORTABLE_SPACE_PINNED, PORTABLE_SPACE_MANAGED, PORTABLE_SPACE_DEVICE(0)};
  for (int i = 0; i < 3; i++) {
    portable_pool pool;
    void *p;
    CHECK_STATUS(portable_pool_of_space(spaces[i], &pool), PORTABLE_OK);
    CHECK_STATUS(portable_pool_alloc(pool, 3 * N * sizeof(double), "there", &p), PORTABLE_OK);
    CHECK_STATUS(launch(k, p), PORTABLE_OK);
    CHECK_STATUS(launch(k, (double *)p + N), PORTABLE_OK);
    CHECK_STATUS(portable_pool_free(pool, p), PORTABLE_OK);
  }
}

/* In a child, because it ends there. */
static void host_access(void) {
  portable_pool pool;
  void *p;
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(pool, 1000, "far", &p), PORTABLE_OK);
  ((volatile char *)p)[17] = 1;
}

/* Leaks and double frees of device memory are found, and nothing touches it. */
static void leaks(void) {
  portable_pool pool;
  void *p, *q;
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(pool, 1000, "lost", &p), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(pool, 1000, "twice", &q), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, q), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, q), PORTABLE_ERR_POINTER);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "none";
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  if (strcmp(mode, "host") == 0) {
    host_access();
  } else if (strcmp(mode, "checks") == 0) {
    leaks();
  } else {
    portable_kernel k = kernel();
    host_memory(k, strcmp(mode, "warned") == 0 || strcmp(mode, "allowed") == 0);
    if (strcmp(mode, "none") == 0) device_memory(k);
    CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  }
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
