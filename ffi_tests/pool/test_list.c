/* test_list.c - portable_pool_list, portable_pool_find and portable_pool_report: looking into a pool.
 * Not in this file: the list that finalize prints (test_leak.c). */
#include "check.h"

typedef struct seen {
  int blocks, stop_after;
  uint64_t bytes;
  uintptr_t last;
  int ordered, labels_right;
} seen;

static int32_t look(const portable_block *block, void *payload) {
  seen *s = (seen *)payload;
  s->ordered &= (uintptr_t)block->address > s->last;
  s->last = (uintptr_t)block->address;
  s->bytes += block->bytes;
  s->labels_right &= strcmp(block->label, block->bytes == 0 ? "" : "field") == 0;
  s->blocks++;
  return s->blocks == s->stop_after;
}

/* A visitor may call the library: this one frees what it is shown. */
static int32_t free_it(const portable_block *block, void *payload) {
  CHECK_STATUS(portable_pool_free(*(portable_pool *)payload, block->address), PORTABLE_OK);
  return 0;
}

static portable_block find(portable_pool pool, const void *p, portable_status expected) {
  portable_block b;
  memset(&b, 0, sizeof b);
  b.struct_size = (uint32_t)sizeof b;
  CHECK_STATUS(portable_pool_find(pool, p, &b), expected);
  return b;
}

int main(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  seen s = {0, 0, 0, 0, 1, 1}, first = {0, 1, 0, 0, 1, 1};
  portable_pool pool = 0;
  portable_block b;
  char text[4000], cut[20];
  size_t needed = 0;
  void *p[10];
  int i;

  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  config.initial_bytes = 1u << 20;
  config.name = "looked into";
  CHECK_STATUS(portable_pool_create(&config, &pool), PORTABLE_OK);
  for (i = 0; i < 10; i++)
    CHECK_STATUS(portable_pool_alloc(pool, (size_t)i * 1000, i == 0 ? NULL : "field", &p[i]), PORTABLE_OK);

  CHECK_STATUS(portable_pool_list(pool, look, &s), PORTABLE_OK);
  CHECK(s.blocks == 10 && s.bytes == 45000 && s.ordered && s.labels_right);
  CHECK_STATUS(portable_pool_list(pool, look, &first), PORTABLE_OK);
  CHECK(first.blocks == 1);
  CHECK_STATUS(portable_pool_list(pool, NULL, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_pool_list(0, look, &s), PORTABLE_ERR_HANDLE);

  /* Start, inside, last byte; one past the end is no longer it; a stranger is none. */
  b = find(pool, p[5], PORTABLE_OK);
  CHECK(b.address == p[5] && b.bytes == 5000 && b.waiting == 0 && strcmp(b.label, "field") == 0);
  CHECK(find(pool, (char *)p[5] + 2500, PORTABLE_OK).address == p[5]);
  CHECK(find(pool, (char *)p[5] + 4999, PORTABLE_OK).address == p[5]);
  find(pool, &config, PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_pool_find(pool, p[5], NULL), PORTABLE_ERR_ARG);

  CHECK_STATUS(portable_pool_report(pool, text, sizeof text, &needed), PORTABLE_OK);
  CHECK(needed == strlen(text) + 1 && strstr(text, "field") != NULL);
  CHECK_STATUS(portable_pool_report(pool, cut, sizeof cut, &needed), PORTABLE_OK);
  CHECK(strlen(cut) == sizeof cut - 1 && needed > sizeof cut && strncmp(cut, text, sizeof cut - 1) == 0);
  CHECK_STATUS(portable_pool_report(pool, NULL, 0, &needed), PORTABLE_OK);
  CHECK(needed > sizeof cut);
  CHECK_STATUS(portable_pool_report(pool, NULL, 10, NULL), PORTABLE_ERR_ARG);

  CHECK_STATUS(portable_pool_list(pool, free_it, &pool), PORTABLE_OK);
  CHECK(check_stats(pool).in_use_blocks == 0);
  find(pool, p[5], PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
  return check_end();
}
