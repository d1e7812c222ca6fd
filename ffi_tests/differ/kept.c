/* kept.c - blocks that PORTABLE_CHECK=hash must go on reading: memory of portable::allocate from before the start, and a pool's next to many pools
 * that have ended. An argument: one byte of each is other than without. Exit status: 0. */
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 16, ENDED = 70 };

static void *take(size_t bytes, void *payload) {
  (void)payload;
  return aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
}

static void give(void *slab, size_t bytes, void *payload) {
  (void)bytes;
  (void)payload;
  free(slab);
}

static void nothing(const portable_tile *tile, void *args) {
  (void)tile;
  (void)args;
}

/* A run of the library: what it launches has a name of its own. */
static int run(const char *label, char *early, int value) {
  portable_pool pool, ended;
  void *block;
  portable_bounds bounds = portable_bounds_1(10);
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  config.alloc = take;
  config.free = give;
  if (portable_init(NULL) || portable_pool_create(NULL, &pool) || portable_pool_alloc(pool, BYTES, "kept", &block)) return 1;
  for (int i = 0; i < ENDED; i++)
    if (portable_pool_create(&config, &ended) || portable_pool_destroy(ended)) return 1;
  memset(block, value, BYTES);
  early[BYTES / 2] = (char)value;
  return portable_parallel_for(label, &bounds, nothing, NULL, 0, NULL) || portable_pool_free(pool, block) || portable_pool_destroy(pool) ||
         portable_finalize();
}

int main(int argc, char **argv) {
  char *volatile early = malloc(BYTES);
  (void)argv;
  if (!early) return 2;
  memset(early, 1, BYTES);
  if (run("first", early, 2) || run("second", early, argc > 1 ? 4 : 3)) {
    fprintf(stderr, "%s\n", portable_last_error());
    return 1;
  }
  free(early);
  return 0;
}
