/* test_garbage.c - what goes through Go on every step must leave nothing for its collector, which runs late:
 * magazines that spill, statistics. And two arguments that once broke it: the tail of a slab, a huge length. */
#include <portable.h>
#include <stdio.h>
#include <string.h>

static long resident_kib(void) {
  char line[256];
  long kib = -1;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "VmRSS: %ld", &kib) == 1) break;
  if (f) fclose(f);
  return kib;
}

int main(void) {
  void *block[33];
  portable_pool pool;
  portable_stats stats;
  portable_config config = PORTABLE_CONFIG_INIT;
  static char text[1 << 16];
  int bad = 0;
  config.pool_initial_bytes = ((uint64_t)64 << 20) + 64; /* no multiple of the granule: the tail has no owner */
  if (portable_init(&config) != PORTABLE_OK || portable_pool_default(&pool) != PORTABLE_OK) return 1;
  long before = 0;
  for (int round = 0; round < 20000; round++) {
    for (int i = 0; i < 33; i++) bad |= portable_alloc(1000, "x", &block[i]) != PORTABLE_OK;
    for (int i = 0; i < 33; i++) bad |= portable_free(block[i]) != PORTABLE_OK;
    stats.struct_size = sizeof stats;
    if (round % 10 == 0) bad |= portable_pool_stats(pool, &stats) != PORTABLE_OK;
    if (round == 1000) before = resident_kib();
  }
  long grown = resident_kib() - before;
  if (grown > 8192) fprintf(stderr, "%ld KiB of garbage\n", grown);
  if (stats.free_bytes + stats.occupied_bytes != stats.reserved_bytes) bad = 1;
  bad |= portable_alloc(10, NULL, &block[0]) != PORTABLE_OK;
  bad |= portable_free((char *)block[0] + ((size_t)64 << 20)) != PORTABLE_ERR_POINTER;
  bad |= portable_free(block[0]) != PORTABLE_OK;
  bad |= portable_pool_report(pool, text, (size_t)-1, NULL) != PORTABLE_OK;
  if (bad) fprintf(stderr, "failed: %s\n", portable_last_error());
  return bad || grown > 8192 || portable_finalize() != PORTABLE_OK;
}
