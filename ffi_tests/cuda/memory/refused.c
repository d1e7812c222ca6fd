/* refused.c MODE - what becomes of each call for memory that the driver refuses; FAKE_CUDA_FAIL, which CMakeLists.txt sets, says which. After each the
 * program goes on, and ends in order. */
#define _GNU_SOURCE
#include "check.h"
#include "gpu.h"

#include <fcntl.h>
#include <unistd.h>

static char said[8192]; /* on standard error */

/* Standard error goes into a file; what is in it so far. */
static int hear(void) {
  char name[] = "/tmp/portable_refused_XXXXXX";
  int file = mkstemp(name);
  if (file < 0) return -1;
  unlink(name);
  dup2(file, STDERR_FILENO);
  return file;
}
static void listen_to(int file) {
  ssize_t n = pread(file, said, sizeof said - 1, 0);
  said[n > 0 ? n : 0] = 0;
}

static const int64_t shape[] = {6, 7, 12};

/* The text with the name of the device and that of its vendor's tool in it. */
static const char *with_gpu(const char *text) {
  static char whole[200];
  snprintf(whole, sizeof whole, text, gpu(":0"), strcmp(gpu(""), "hip") == 0 ? "rocm-smi" : "nvidia-smi");
  return whole;
}

static portable_array array(int32_t space, int32_t order) {
  portable_array a;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.space = space;
  config.order = order;
  CHECK_STATUS(portable_array_create("field", PORTABLE_KIND_REAL64, 0, 3, shape, &config, &a), PORTABLE_OK);
  return a;
}

/* A part of it whose rows, or those of each slice, have a distance of their own. */
static portable_array rows_of(const portable_array *a, int slices) {
  portable_array_range r[3] = {PORTABLE_RANGE_ALL, PORTABLE_RANGE(1, 4), PORTABLE_RANGE(1, 10)};
  if (!slices) r[0] = (portable_array_range)PORTABLE_RANGE_INDEX(2);
  portable_array view;
  CHECK_STATUS(portable_array_slice(a, r, &view), PORTABLE_OK);
  return view;
}

static portable_array own_memory(double *x) {
  portable_array a;
  CHECK_STATUS(portable_array_wrap("own", PORTABLE_KIND_REAL64, 0, x, 3, shape, NULL, NULL, &a), PORTABLE_OK);
  return a;
}

/* The first call fails, a second one does not. */
static void copy_fails(const char *call, const portable_array *from, const portable_array *to) {
  CHECK_STATUS(portable_array_copy(from, to, NULL), PORTABLE_ERR_DEVICE);
  CHECK_TEXT(call);
  CHECK_TEXT("field");
  CHECK_STATUS(portable_array_copy(from, to, NULL), PORTABLE_OK);
}

static void no_start(portable_status status, const char *text) {
  CHECK_STATUS(portable_init(NULL), status);
  CHECK_TEXT(text);
  CHECK((strstr(portable_last_error(), "out of memory") != NULL) == (status == PORTABLE_ERR_NOMEM));
  setenv("PORTABLE_DEVICE", "threads", 1);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
}

static void not_managed(int file) {
  void *p;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  listen_to(file);
  CHECK(strstr(said, with_gpu("%s has no managed memory; the default pool is pinned memory of the host")) != NULL);
  CHECK_STATUS(portable_alloc(1000, "block", &p), PORTABLE_OK);
  memset(p, 0, 1000);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
}

static void growth(void) {
  portable_pool pool;
  void *blocks[64];
  int n = 0;
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &pool), PORTABLE_OK);
  portable_status status = PORTABLE_OK;
  while (n < 64 && (status = portable_pool_alloc(pool, 1 << 20, "piece", &blocks[n])) == PORTABLE_OK) n++;
  CHECK(status == PORTABLE_ERR_NOMEM && n >= 2);
  CHECK_TEXT("cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2)");
  CHECK_TEXT("the device has 10000000 bytes, of which");
  CHECK_TEXT("ask for less (GATOR_INITIAL_MB, GATOR_GROW_MB), or end other programs that use memory of the device");
  CHECK_TEXT("piece");
  while (n > 0) CHECK_STATUS(portable_pool_free(pool, blocks[--n]), PORTABLE_OK);
  CHECK_STATUS(portable_pool_check(pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(pool, 1 << 20, "again", &blocks[0]), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, blocks[0]), PORTABLE_OK);
}

static void device_slab(void) {
  portable_pool pool;
  portable_array a;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &pool), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2)");
  config.space = PORTABLE_SPACE_DEVICE(0);
  CHECK_STATUS(portable_array_create("field", PORTABLE_KIND_REAL64, 0, 3, shape, &config, &a), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("field");
}

/* Copies that must go through pinned memory. */
static void pinned(void) {
  static double x[6 * 7 * 12];
  portable_array there = array(PORTABLE_SPACE_DEVICE(0), PORTABLE_ORDER_FORTRAN), here = own_memory(x);
  CHECK_STATUS(portable_array_copy(&there, &here, NULL), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("cuMemHostAlloc");
  portable_array_release(&there);
}

static void lost(void) {
  static double x[6 * 7 * 12];
  portable_array there = array(PORTABLE_SPACE_DEVICE(0), PORTABLE_ORDER_C), here = own_memory(x);
  CHECK_STATUS(portable_array_copy(&here, &there, NULL), PORTABLE_ERR_DEVICE);
  CHECK_TEXT("CUDA_ERROR_ILLEGAL_ADDRESS");
  CHECK(portable_array_copy(&here, &there, NULL) != PORTABLE_OK);
  portable_array_release(&there);
}

/* The last call of a pool: it is tried again. */
static void gives_back(void) {
  portable_pool pool;
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  config.space = PORTABLE_SPACE_DEVICE(0);
  config.initial_bytes = 1 << 20;
  CHECK_STATUS(portable_pool_create(&config, &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
}

static void fill(void) {
  portable_array there = array(PORTABLE_SPACE_DEVICE(0), PORTABLE_ORDER_C);
  CHECK_STATUS(portable_array_fill(&there, NULL, NULL), PORTABLE_ERR_DEVICE);
  CHECK_TEXT("cuMemsetAsync");
  CHECK_STATUS(portable_array_fill(&there, NULL, NULL), PORTABLE_OK);
  portable_array_release(&there);
}

static void copies(const char *mode) {
  static double x[6 * 7 * 12];
  portable_array there = array(PORTABLE_SPACE_DEVICE(0), PORTABLE_ORDER_C), here = own_memory(x);
  if (strcmp(mode, "copy") == 0) {
    copy_fails("cuMemcpyAsync", &here, &there);
  } else {
    portable_array a = rows_of(&here, strcmp(mode, "slices") == 0), b = rows_of(&there, strcmp(mode, "slices") == 0);
    copy_fails(strcmp(mode, "slices") == 0 ? "cuMemcpy3DAsync" : "cuMemcpy2DAsync", &a, &b);
    portable_array_release(&b);
  }
  portable_array_release(&there);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  int file = strcmp(mode, "not_managed") == 0 || strcmp(mode, "lost") == 0 ? hear() : -1;
  setenv("PORTABLE_DEVICE", gpu(""), 1);
  if (strcmp(mode, "first_slab") == 0) {
    no_start(PORTABLE_ERR_NOMEM, "cuMemAllocManaged: CUDA_ERROR_OUT_OF_MEMORY (2)");
    return check_failures != 0;
  }
  if (strcmp(mode, "context") == 0) {
    no_start(PORTABLE_ERR_NOMEM, with_gpu("the context of %s"));
    return check_failures != 0;
  }
  if (strcmp(mode, "busy") == 0) {
    no_start(PORTABLE_ERR_DEVICE, with_gpu("the context of %s: CUDA_ERROR_DEVICE_UNAVAILABLE (46): CUDA-capable device(s) is/are busy or unavailable; see what %s reports of the device, or run with"));
    return check_failures != 0;
  }
  if (strcmp(mode, "not_managed") == 0)
    not_managed(file);
  else
    CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  if (strcmp(mode, "growth") == 0) growth();
  if (strcmp(mode, "device_slab") == 0) device_slab();
  if (strcmp(mode, "pinned") == 0) pinned();
  if (strcmp(mode, "lost") == 0) lost();
  if (strcmp(mode, "free") == 0) gives_back();
  if (strcmp(mode, "fill") == 0) fill();
  if (strcmp(mode, "copy") == 0 || strcmp(mode, "rows") == 0 || strcmp(mode, "slices") == 0) copies(mode);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
