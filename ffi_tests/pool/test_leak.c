/* test_leak.c - blocks that are live when the library stops: listed on standard error and released, or
 * refused under GATOR_STRICT=1; the same for pools. Not in this file: leaks under the checker. */
#include "check.h"
#include "child.h"

/* Stops the library; a refusal has its list in the text of the failure. */
static int stop(void) {
  portable_status status = portable_finalize();
  if (status != PORTABLE_OK) fprintf(stderr, "%s\n", portable_last_error());
  return -status;
}

static int leave_two_blocks(void) {
  void *p;
  if (portable_init(NULL) != 0 || portable_alloc(12345, "velocity", &p) != 0) return 9;
  if (portable_alloc(77, NULL, &p) != 0) return 9;
  return stop();
}

static int leave_a_pool(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool;
  void *p;
  config.name = "scratch_pool";
  if (portable_init(NULL) != 0 || portable_pool_create(&config, &pool) != 0) return 9;
  if (portable_pool_alloc(pool, 4321, "tmp3d", &p) != 0) return 9;
  return stop();
}

/* Under GATOR_STRICT=1 nothing is released: the block can still be freed, and then all is well. */
static int strict_second_try(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool;
  void *p, *q;
  if (portable_init(NULL) != 0 || portable_alloc(100, "kept", &p) != 0) return 9;
  if (portable_pool_create(&config, &pool) != 0 || portable_pool_alloc(pool, 10, "kept too", &q) != 0) return 9;
  if (portable_pool_destroy(pool) != PORTABLE_ERR_LEAK) return 10;
  if (portable_pool_free(pool, q) != 0 || portable_pool_destroy(pool) != 0) return 11;
  if (portable_finalize() != PORTABLE_ERR_LEAK || !portable_is_initialized()) return 12;
  if (portable_free(p) != 0) return 13;
  return -portable_finalize();
}

int main(int argc, char **argv) {
  char text[8000];
  if (argc > 1) {
    if (strcmp(argv[1], "blocks") == 0) return leave_two_blocks();
    if (strcmp(argv[1], "pool") == 0) return leave_a_pool();
    if (strcmp(argv[1], "second") == 0) return strict_second_try();
    return 8;
  }
  CHECK(child_run("blocks", NULL, text, sizeof text) == 0);
  CHECK(strstr(text, "velocity") != NULL && strstr(text, "12345") != NULL && strstr(text, "77") != NULL);
  CHECK(child_run("pool", NULL, text, sizeof text) == 0);
  CHECK(strstr(text, "scratch_pool") != NULL && strstr(text, "tmp3d") != NULL && strstr(text, "4321") != NULL);
  CHECK(child_run("blocks", "GATOR_STRICT=1", text, sizeof text) == -PORTABLE_ERR_LEAK);
  CHECK(strstr(text, "velocity") != NULL);
  CHECK(child_run("second", "GATOR_STRICT=1", text, sizeof text) == 0);

  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  return check_end();
}
