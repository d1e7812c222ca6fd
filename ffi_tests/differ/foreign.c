/* foreign.c - a pool over memory that the host cannot read: PORTABLE_CHECK=hash leaves its blocks alone. Exit status: 0 when it does. */
#define _GNU_SOURCE
#include <portable.h>
#include <stdio.h>
#include <sys/mman.h>

static void *take(size_t bytes, void *payload) {
  void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  (void)payload;
  return p == MAP_FAILED ? NULL : p;
}

static void give(void *slab, size_t bytes, void *payload) {
  (void)payload;
  munmap(slab, bytes);
}

static void nothing(const portable_tile *tile, void *args) {
  (void)tile;
  (void)args;
}

int main(void) {
  portable_pool pool;
  void *block, *ours;
  portable_bounds bounds = portable_bounds_1(10);
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  config.alloc = take;
  config.free = give;
  if (portable_init(NULL) || portable_pool_create(&config, &pool) || portable_pool_alloc(pool, 1000, "device", &block) ||
      portable_alloc(1000, "host", &ours) || portable_parallel_for("nothing", &bounds, nothing, NULL, 0, NULL) || portable_free(ours) ||
      portable_pool_free(pool, block) || portable_pool_destroy(pool) || portable_finalize()) {
    fprintf(stderr, "%s\n", portable_last_error());
    return 1;
  }
  return 0;
}
