/* test_alloc.c - portable_alloc and portable_free on the default pool: alignment, sizes, labels, wrong
 * pointers, out of memory. Not in this file: pools of the user's own (test_pool.c), threads (test_threads.c). */
#include "check.h"

enum { COUNT = 500 };

int main(void) {
  portable_config config = PORTABLE_CONFIG_INIT;
  portable_pool pool;
  unsigned char *blocks[COUNT];
  size_t sizes[COUNT], total = 0, i, j;
  portable_stats s;
  void *p, *q, *zero;

  config.pool_initial_bytes = 1u << 20;
  config.pool_limit_bytes = 64u << 20;
  CHECK_STATUS(portable_init(&config), PORTABLE_OK);
  pool = check_default_pool();

  /* Blocks of many sizes keep their bytes and are aligned. */
  for (i = 0; i < COUNT; i++) {
    sizes[i] = 1 + (i * i * 37) % 20000;
    total += sizes[i];
    CHECK_STATUS(portable_alloc(sizes[i], i % 3 ? "odd" : NULL, &p), PORTABLE_OK);
    CHECK(p != NULL && (uintptr_t)p % 64 == 0);
    blocks[i] = (unsigned char *)p;
    if (p != NULL) memset(p, (int)(i & 255), sizes[i]);
  }
  s = check_stats(pool);
  CHECK(s.in_use_blocks == COUNT && s.in_use_bytes == total && s.occupied_bytes >= total);
  CHECK(s.allocations == COUNT && s.frees == 0);
  CHECK(s.reserved_bytes >= s.occupied_bytes && s.high_water_bytes >= s.occupied_bytes);
  for (i = 0; i < COUNT; i++) {
    for (j = 0; j < sizes[i] && blocks[i][j] == (i & 255); j++) {}
    CHECK(j == sizes[i]);
  }
  CHECK_STATUS(portable_pool_check(pool), PORTABLE_OK);
  for (i = 0; i < COUNT; i += 2) CHECK_STATUS(portable_free(blocks[i]), PORTABLE_OK);
  for (i = 1; i < COUNT; i += 2) CHECK_STATUS(portable_free(blocks[i]), PORTABLE_OK);
  s = check_stats(pool);
  CHECK(s.in_use_blocks == 0 && s.in_use_bytes == 0 && s.frees == COUNT);
  CHECK(s.high_water_bytes >= total);

  /* No bytes: an address of its own each time. */
  CHECK_STATUS(portable_alloc(0, "nothing", &p), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(0, "nothing", &zero), PORTABLE_OK);
  CHECK(p != NULL && zero != NULL && p != zero);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_free(zero), PORTABLE_OK);

  /* Pointers of other owners. */
  CHECK_STATUS(portable_free(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(1000, "h", &p), PORTABLE_OK);
  CHECK_STATUS(portable_free((char *)p + 8), PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_free((char *)p + 256), PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_free(&config), PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_free((void *)(uintptr_t)64), PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_ERR_POINTER);
  CHECK(check_stats(pool).in_use_blocks == 0);

  /* Freed and taken again: the same bytes may come back, and the label is the new one. */
  CHECK_STATUS(portable_alloc(4096, "first", &p), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(4096, "second", &q), PORTABLE_OK);
  {
    portable_block b;
    memset(&b, 0, sizeof b);
    b.struct_size = (uint32_t)sizeof b;
    CHECK_STATUS(portable_pool_find(pool, q, &b), PORTABLE_OK);
    CHECK(b.label != NULL && strcmp(b.label, "second") == 0 && b.bytes == 4096 && b.address == q);
  }
  CHECK_STATUS(portable_free(q), PORTABLE_OK);

  /* A slab that went back to the system is forgotten: a late free is an error, not a crash. */
  for (i = 0; i < 8; i++) CHECK_STATUS(portable_alloc(900000, "grown", (void **)&blocks[i]), PORTABLE_OK);
  while (i-- > 0) CHECK_STATUS(portable_free(blocks[i]), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(900000, "grown", &q), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(900000, "grown", &p), PORTABLE_OK);
  CHECK_STATUS(portable_free(q), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_pool_trim(pool, NULL), PORTABLE_OK);
  CHECK(check_stats(pool).slabs == 1);
  CHECK_STATUS(portable_free(p), PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_free(q), PORTABLE_ERR_POINTER);

  /* Invalid arguments. */
  CHECK_STATUS(portable_alloc(8, "h", NULL), PORTABLE_ERR_ARG);

  /* Out of memory: refused, nothing changes, the text names label and limit and what to turn. */
  p = &config;
  CHECK_STATUS(portable_alloc((size_t)100 << 20, "too_large", &p), PORTABLE_ERR_NOMEM);
  CHECK(p == NULL);
  CHECK_TEXT("too_large");
  CHECK_TEXT("pool_limit_bytes in C), which the program set");
  p = &config;
  CHECK((portable_alloc(SIZE_MAX - 100, "huge", &p) == PORTABLE_ERR_OVERFLOW) ||
        (portable_alloc(SIZE_MAX - 100, "huge", &p) == PORTABLE_ERR_NOMEM));
  CHECK(p == NULL);
  CHECK(check_stats(pool).in_use_blocks == 0);
  CHECK_STATUS(portable_alloc((size_t)40 << 20, "large", &p), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  return check_end();
}
