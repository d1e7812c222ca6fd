/* test_pool.c - pools of the user's own over memory of the host: growth, limit, trim, statistics, and
 * handles of destroyed pools. Not in this file: his own source of slabs (test_source.c). */
#include "check.h"

int main(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool = 0, second = 0;
  portable_stats s;
  uint64_t released = 1;
  void *a, *b, *c;

  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  config.name = "mine";
  config.initial_bytes = 1u << 20;
  config.grow_bytes = 1u << 20;
  config.limit_bytes = 4u << 20;
  CHECK_STATUS(portable_pool_create(&config, &pool), PORTABLE_OK);
  CHECK(pool != 0 && pool != check_default_pool());
  s = check_stats(pool);
  CHECK(s.slabs == 1 && s.in_use_blocks == 0 && s.reserved_bytes >= 1u << 20 && s.limit_bytes == 4u << 20);
  CHECK(s.fragmentation >= 0 && s.fragmentation <= 1);

  /* First fit, growth, and a request larger than the step of growth. */
  CHECK_STATUS(portable_pool_alloc(pool, 600000, "a", &a), PORTABLE_OK);
  CHECK(check_stats(pool).slabs == 1);
  CHECK_STATUS(portable_pool_alloc(pool, 600000, "b", &b), PORTABLE_OK);
  CHECK(check_stats(pool).slabs == 2);
  CHECK_STATUS(portable_pool_alloc(pool, 1500000, "c", &c), PORTABLE_OK);
  s = check_stats(pool);
  CHECK(s.slabs == 3 && s.in_use_blocks == 3 && s.in_use_bytes == 2700000);
  CHECK(s.free_bytes == s.reserved_bytes - s.occupied_bytes);
  CHECK(s.largest_gap_bytes <= s.free_bytes);
  CHECK_STATUS(portable_pool_check(pool), PORTABLE_OK);

  /* The limit counts all slabs, and the refusal names pool, label and limit. */
  CHECK_STATUS(portable_pool_alloc(pool, 2000000, "too_much", &a), PORTABLE_ERR_NOMEM);
  CHECK(a == NULL);
  CHECK_TEXT("too_much");
  CHECK_TEXT("mine");
  CHECK(check_stats(pool).in_use_blocks == 3);
  {
    portable_block found;
    memset(&found, 0, sizeof found);
    found.struct_size = (uint32_t)sizeof found;
    CHECK_STATUS(portable_pool_find(pool, b, &found), PORTABLE_OK);
  }

  /* A block belongs to its pool. */
  CHECK_STATUS(portable_free(b), PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_pool_free(pool, b), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, b), PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_pool_free(pool, c), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, NULL), PORTABLE_OK);

  /* Empty grown slabs go back, the first one stays although it is in use. */
  CHECK_STATUS(portable_pool_trim(pool, &released), PORTABLE_OK);
  CHECK(released > 0);
  s = check_stats(pool);
  CHECK(s.slabs == 1 && s.in_use_blocks == 1 && s.in_use_bytes == 600000);
  CHECK_STATUS(portable_pool_trim(pool, NULL), PORTABLE_OK);

  /* A pool without a first slab. */
  config.initial_bytes = 0;
  config.name = NULL;
  CHECK_STATUS(portable_pool_create(&config, &second), PORTABLE_OK);
  CHECK(check_stats(second).reserved_bytes == 0);
  CHECK_STATUS(portable_pool_alloc(second, 64, NULL, &b), PORTABLE_OK);
  CHECK(check_stats(second).slabs == 1);
  CHECK_STATUS(portable_pool_free(second, b), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(second), PORTABLE_OK);

  /* Handles: gone, never been, and the one that cannot be destroyed. */
  CHECK_STATUS(portable_pool_destroy(second), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_pool_check(second), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_pool_alloc(second, 8, "h", &b), PORTABLE_ERR_HANDLE);
  CHECK(b == NULL);
  CHECK_STATUS(portable_pool_free(second, &b), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_pool_trim(second, &released), PORTABLE_ERR_HANDLE);
  CHECK(released == 0);
  CHECK_STATUS(portable_pool_check(0), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_pool_check(~(uint64_t)0), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_pool_destroy(0), PORTABLE_OK);
  CHECK(portable_pool_destroy(check_default_pool()) != PORTABLE_OK);
  CHECK_STATUS(portable_pool_check(check_default_pool()), PORTABLE_OK);

  /* Invalid arguments. */
  CHECK_STATUS(portable_pool_create(NULL, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_pool_create(&config, NULL), PORTABLE_ERR_ARG);
  config.block_bytes = 48;
  CHECK_STATUS(portable_pool_create(&config, &second), PORTABLE_ERR_ARG);
  CHECK(second == 0);
  config.block_bytes = 0;
  config.reserved = 7; /* what a later version may give a meaning to is not passed over in silence */
  CHECK_STATUS(portable_pool_create(&config, &second), PORTABLE_ERR_ARG);
  CHECK_TEXT("config.reserved is 7");
  config.reserved = 0;
  config.limit_bytes = 64; /* no room for a granule of 128 */
  CHECK_STATUS(portable_pool_create(&config, &second), PORTABLE_ERR_ARG);
  CHECK_TEXT("block_bytes of its portable_pool_config");
  CHECK_TEXT("limit_bytes of its portable_pool_config");
  config.limit_bytes = 0;
  config.struct_size = 3;
  CHECK_STATUS(portable_pool_create(&config, &second), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_pool_stats(pool, NULL), PORTABLE_ERR_ARG);
  s.struct_size = 0;
  CHECK_STATUS(portable_pool_stats(pool, &s), PORTABLE_ERR_ARG);

  /* Statistics as an older program knows them: only its bytes are written. */
  memset(&s, 0x55, sizeof s);
  s.struct_size = (uint32_t)offsetof(portable_stats, in_use_blocks);
  CHECK_STATUS(portable_pool_stats(pool, &s), PORTABLE_OK);
  CHECK(s.in_use_bytes == 600000 && s.in_use_blocks == 0x5555555555555555u);

  /* The block of 600000 bytes is still live: destroying the pool releases it. */
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
  return check_end();
}
