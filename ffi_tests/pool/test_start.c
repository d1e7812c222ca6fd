/* test_start.c - portable_init and portable_finalize: participants, configuration, and every call that
 * comes too early or too late. Not in this file: the environment (test_environment.c). */
#include "check.h"

/* All that needs a running library must say so. */
static void check_stopped(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool = 7;
  void *p = &pool;
  CHECK(portable_is_initialized() == 0);
  CHECK_STATUS(portable_finalize(), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_alloc(8, "early", &p), PORTABLE_ERR_STATE);
  CHECK(p == NULL);
  CHECK_STATUS(portable_pool_default(&pool), PORTABLE_ERR_STATE);
  CHECK(pool == 0);
  pool = 7;
  CHECK_STATUS(portable_pool_create(&config, &pool), PORTABLE_ERR_STATE);
  CHECK(pool == 0);
  CHECK_STATUS(portable_free(&config), PORTABLE_ERR_STATE);
}

int main(void) {
  portable_config config = PORTABLE_CONFIG_INIT;
  portable_pool old;
  portable_stats s;
  void *p;

  check_stopped();

  CHECK(config.struct_size == sizeof config && config.version == PORTABLE_VERSION);
  config.pool_initial_bytes = 2u << 20;
  config.pool_grow_bytes = 1u << 20;
  config.pool_block_bytes = 256;
  config.pool_limit_bytes = 8u << 20;
  CHECK_STATUS(portable_init(&config), PORTABLE_OK);
  CHECK(portable_is_initialized() == 1);
  old = check_default_pool();
  s = check_stats(old);
  CHECK(s.reserved_bytes >= 2u << 20 && s.reserved_bytes < 4u << 20);
  CHECK(s.limit_bytes == 8u << 20);

  /* A second participant: the library runs until both have left. */
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK(portable_is_initialized() == 1);
  CHECK_STATUS(portable_alloc(100, "still running", &p), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  check_stopped();

  /* Once more; the handle of the last life is of no use in this one. */
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_pool_check(old), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);

  /* Invalid configurations start nothing. */
  config.pool_block_bytes = 100;
  CHECK_STATUS(portable_init(&config), PORTABLE_ERR_ARG);
  CHECK(portable_is_initialized() == 0);
  config.pool_block_bytes = 0;
  config.struct_size = 0;
  CHECK_STATUS(portable_init(&config), PORTABLE_ERR_ARG);
  CHECK(portable_is_initialized() == 0);

  /* Without the pool: straight to the system, the same rules. */
  {
    portable_config direct = PORTABLE_CONFIG_INIT;
    direct.pool = -1;
    CHECK_STATUS(portable_init(&direct), PORTABLE_OK);
    CHECK_STATUS(portable_alloc(1000, "direct", &p), PORTABLE_OK);
    CHECK((uintptr_t)p % 64 == 0);
    memset(p, 1, 1000);
    CHECK_STATUS(portable_free(p), PORTABLE_OK);
    CHECK_STATUS(portable_free(p), PORTABLE_ERR_POINTER);
  }
  return check_end();
}
