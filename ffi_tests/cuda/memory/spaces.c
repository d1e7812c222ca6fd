/* spaces.c - memory of a cuda device, by the fake driver: which pool has which, what the default pool is, who reaches it, and what happens where the
 * host touches it. The program chooses the device itself. Copies are in copies.c, the driver's errors in refused.c. */
#define _GNU_SOURCE
#include "check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gpu.h"

enum { N = 1000 };

struct block {
  double *a;
};

static void scale(const portable_tile *t, void *args) {
  struct block *b = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) b->a[i] *= 2;
}

static portable_pool pool_of(int32_t space) {
  portable_pool pool = 0;
  CHECK_STATUS(portable_pool_of_space(space, &pool), PORTABLE_OK);
  return pool;
}

/* One pool for each kind; managed memory is the default pool's. */
static void pools(void) {
  portable_pool pool, own, of_default = check_default_pool();
  void *p, *q;
  CHECK(pool_of(PORTABLE_SPACE_HOST) == of_default && pool_of(PORTABLE_SPACE_MANAGED) == of_default);
  portable_pool device = pool_of(PORTABLE_SPACE_DEVICE(0)), pinned = pool_of(PORTABLE_SPACE_PINNED);
  CHECK(device != of_default && pinned != of_default && pinned != device && pool_of(PORTABLE_SPACE_DEVICE(0)) == device);
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(1), &pool), PORTABLE_ERR_NODEVICE);
  CHECK_TEXT("is memory of GPU 1, counted from 0, and there are only ");
  CHECK(check_stats(device).reserved_bytes >= 1u << 20);
  CHECK_STATUS(portable_pool_alloc(device, N * sizeof(double), "there", &p), PORTABLE_OK);
  CHECK((uintptr_t)p % 64 == 0 && portable_reach(p) == PORTABLE_REACH_DEVICE);
  CHECK(check_stats(device).in_use_blocks == 1);
  CHECK_STATUS(portable_pool_free(device, p), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(device, p), PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_alloc(N, "managed", &q), PORTABLE_OK);
  memset(q, 1, N);
  CHECK(portable_reach(q) == PORTABLE_REACH_HOST);
  CHECK_STATUS(portable_free(q), PORTABLE_OK);
  CHECK(portable_space_of_device(0) == PORTABLE_SPACE_MANAGED);
  CHECK_STATUS(portable_pool_of_device(0, &pool), PORTABLE_OK);
  CHECK(pool == 0);
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  config.name = "mine";
  config.space = PORTABLE_SPACE_DEVICE(0);
  config.initial_bytes = 1 << 20;
  CHECK_STATUS(portable_pool_create(&config, &own), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(own, N, "mine", &p), PORTABLE_OK);
  CHECK(portable_reach(p) == PORTABLE_REACH_DEVICE);
  CHECK_STATUS(portable_pool_free(own, p), PORTABLE_OK);
  CHECK_STATUS(portable_pool_check(own), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(own), PORTABLE_OK);
  config.space = PORTABLE_SPACE_DEVICE(7);
  CHECK_STATUS(portable_pool_create(&config, &own), PORTABLE_ERR_NODEVICE);
  config.space = -1;
  CHECK_STATUS(portable_pool_create(&config, &own), PORTABLE_ERR_ARG);
  CHECK_TEXT("config.space is -1");
}

/* Managed memory by the magazines, many blocks through. */
static void fast(void) {
  void *blocks[64];
  for (int round = 0; round < 50; round++) {
    for (int i = 0; i < 64; i++) {
      CHECK_STATUS(portable_alloc((size_t)(i + 1) * 1000, "block", &blocks[i]), PORTABLE_OK);
      memset(blocks[i], i, (size_t)(i + 1) * 1000);
    }
    for (int i = 0; i < 64; i++) CHECK_STATUS(portable_free(blocks[(i * 7) % 64]), PORTABLE_OK);
  }
  CHECK_STATUS(portable_pool_check(check_default_pool()), PORTABLE_OK);
}

/* A kernel without a version for the device runs on the host, and is not given what only the device reaches. */
static void on_host(void) {
  portable_kernel k;
  portable_pool device = pool_of(PORTABLE_SPACE_DEVICE(0));
  portable_argument arguments[] = {{.name = "a", .kind = PORTABLE_ARGUMENT_POINTER, .access = PORTABLE_ACCESS_BOTH, .offset = 0, .bytes = 8}};
  portable_bounds all = portable_bounds_1(N);
  portable_launch_config threads = PORTABLE_LAUNCH_CONFIG_INIT;
  double stack[N];
  void *p, *q;
  struct block b;
  CHECK_STATUS(portable_kernel_create("scale", sizeof b, arguments, 1, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(k, scale), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(N * sizeof(double), "managed", &q), PORTABLE_OK);
  for (int i = 0; i < N; i++) ((double *)q)[i] = stack[i] = i;
  b.a = q;
  CHECK_STATUS(portable_launch(k, &all, &b, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(0), PORTABLE_OK);
  CHECK(((double *)q)[10] > 19 && ((double *)q)[10] < 21);
  b.a = stack;
  CHECK_STATUS(portable_launch(k, &all, &b, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(device, N * sizeof(double), "there", &p), PORTABLE_OK);
  b.a = p;
  CHECK_STATUS(portable_launch(k, &all, &b, NULL), PORTABLE_ERR_POINTER);
  CHECK_TEXT("argument 1 ('a')");
  CHECK_TEXT("a kernel that runs on the host for '");
  CHECK_TEXT(gpu(":0"));
  CHECK_STATUS(portable_device_find("threads", &threads.device), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &all, &b, &threads), PORTABLE_ERR_POINTER);
  CHECK_TEXT("that a kernel on 'threads' does not reach");
  CHECK_STATUS(portable_pool_free(device, p), PORTABLE_OK);
  CHECK_STATUS(portable_free(q), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* The end of a child that touches device memory, and its last words. */
static void host_access(void) {
  int ends[2], status;
  char text[4096];
  void *p;
  portable_pool device = pool_of(PORTABLE_SPACE_DEVICE(0));
  portable_bounds one = portable_bounds_1(1);
  double x = 1;
  struct block b = {&x};
  CHECK_STATUS(portable_parallel_for("installs handlers", &one, scale, &b, sizeof b, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(device, 100, "there", &p), PORTABLE_OK);
  if (pipe(ends) != 0) return;
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    ((volatile char *)p)[5] = 1;
    _exit(7);
  }
  close(ends[1]);
  ssize_t got, all = 0;
  while ((got = read(ends[0], text + all, sizeof text - 1 - (size_t)all)) > 0) all += got;
  text[all < 0 ? 0 : all] = 0;
  close(ends[0]);
  waitpid(child, &status, 0);
  CHECK(!WIFEXITED(status) && WTERMSIG(status) == SIGSEGV);
  CHECK(strstr(text, "memory of the device '") && strstr(text, gpu(":0")));
  CHECK_STATUS(portable_pool_free(device, p), PORTABLE_OK);
}

/* PORTABLE_MANAGED=0: arrays for the device are in its own memory, but for bit-for-bit runs. */
static void own_memory(void) {
  portable_pool pool;
  setenv("PORTABLE_MANAGED", "0", 1);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK(portable_space_of_device(0) == PORTABLE_SPACE_DEVICE(0));
  CHECK_STATUS(portable_pool_of_device(0, &pool), PORTABLE_OK);
  CHECK(pool == pool_of(PORTABLE_SPACE_DEVICE(0)) && pool != 0);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  setenv("PORTABLE_B4B", "1", 1);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK(portable_space_of_device(0) == PORTABLE_SPACE_MANAGED);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  unsetenv("PORTABLE_B4B");
  unsetenv("PORTABLE_MANAGED");
}

/* The devices come later than the pool: memory of the host stays that, and is not the device's. */
static void found_later(void) {
  portable_device cuda;
  portable_pool pool;
  void *p;
  setenv("PORTABLE_DEVICE", "threads", 1);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK(pool_of(PORTABLE_SPACE_MANAGED) == check_default_pool() && pool_of(PORTABLE_SPACE_PINNED) == check_default_pool());
  CHECK_STATUS(portable_device_find(gpu(""), &cuda), PORTABLE_OK);
  CHECK(pool_of(PORTABLE_SPACE_MANAGED) != check_default_pool());
  CHECK(portable_space_of_device(0) == PORTABLE_SPACE_HOST && portable_space_of_device(cuda) == PORTABLE_SPACE_MANAGED);
  CHECK_STATUS(portable_pool_of_device(cuda, &pool), PORTABLE_OK);
  CHECK(pool == pool_of(PORTABLE_SPACE_MANAGED));
  CHECK_STATUS(portable_pool_alloc(pool, 100, "managed", &p), PORTABLE_OK);
  memset(p, 0, 100);
  CHECK_STATUS(portable_pool_free(pool, p), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK(pool_of(PORTABLE_SPACE_DEVICE(0)) != check_default_pool()); /* a request for its memory is one for the device */
  CHECK(portable_device_count() >= 3);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
}

int main(void) {
  for (int run = 0; run < 2; run++) {
    setenv("PORTABLE_DEVICE", gpu(""), 1);
    CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
    CHECK(strcmp(portable_device_name(portable_default_device()), gpu(":0")) == 0);
    pools();
    fast();
    on_host();
    host_access();
    CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  }
  own_memory();
  found_later();
  return check_failures != 0;
}
