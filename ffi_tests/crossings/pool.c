/* pool.c - crossings of the pool's functions, of start and stop, and of the queries that need no Go. Not in this file: how to count (count.h). */
#include "count.h"

static void *slab(size_t bytes, void *payload) { (void)payload; return malloc(bytes); }
static void slab_free(void *p, size_t bytes, void *payload) { (void)payload; (void)bytes; free(p); }
static int32_t visit(const portable_block *block, void *payload) { (void)block; (void)payload; return 0; }

static void blocks(void) {
  void *p[2];
  ROW_UNDONE(1, 0, portable_alloc(100, "a", &p[0]), portable_free(p[0]));
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_alloc(100, "a", &p[i]), PORTABLE_OK);
  ROW(0, 0, portable_free(p[again]));
  portable_pool pool = check_default_pool();
  ROW(1, 1, portable_pool_alloc(pool, 100, "a", &p[again]));
  ROW(1, 1, portable_pool_free(pool, p[again]));
  portable_pool of_space[2];
  ROW(1, 1, portable__fortran_space_alloc(PORTABLE_SPACE_PINNED, 100, "a", &of_space[again], &p[again]));
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_pool_free(of_space[i], p[i]), PORTABLE_OK);
  const int64_t extents[2] = {3, 4};
  size_t bytes;
  ROW(0, 0, portable_array_bytes(2, extents, NULL, 32, 8, &bytes));
}

static void pools(void) {
  portable_pool pool[2];
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  config.name = "mine";
  config.alloc = slab;
  config.free = slab_free;
  ROW(1, 1, portable_pool_create(&config, &pool[again]));
  ROW(1, 1, portable_pool_destroy(pool[again]));
  ROW(1, 1, portable_pool_default(&pool[0]));
  ROW(1, 1, portable_pool_of_space(0, &pool[1]));
  ROW(0, 0, portable_pool_of_device(portable_default_device(), &pool[1]));
  ROW(1, 1, portable_pinned_pool_of_device(portable_default_device(), &pool[1]));
  uint64_t released;
  ROW(1, 1, portable_pool_trim(pool[0], &released));
  ROW_STATUS(1, 1, PORTABLE_ERR_POINTER, portable_pool_of(&released, &pool[1]));
  ROW(1, 1, portable_pool_check(pool[0]));
  COUNT_INIT(portable_stats, stats);
  ROW(1, 1, portable_pool_stats(pool[0], &stats));
  void *p;
  CHECK_STATUS(portable_alloc(64, "found", &p), PORTABLE_OK);
  ROW(1, 1, portable_pool_list(pool[0], visit, NULL));
  COUNT_INIT(portable_block, block);
  ROW(1, 1, portable_pool_find(pool[0], p, &block));
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  char text[4096];
  size_t needed;
  ROW(1, 1, portable_pool_report(pool[0], text, sizeof text, &needed));
}

static void queries(void) {
  ROW_VALUE(0, 0, portable_version());
  ROW_VALUE(0, 0, portable_last_error());
  ROW_VALUE(0, 0, portable_status_name(PORTABLE_ERR_ARG));
  ROW_VALUE(0, 0, portable_is_initialized());
  ROW_VALUE(0, 0, portable_run_number());
  ROW_VALUE(1, 1, portable_rank());
  ROW_VALUE(1, 1, portable_local_rank());
  ROW(1, 1, portable_set_rank(0, 0));
  ROW(0, 0, portable_ensure());
  int x;
  ROW_VALUE(0, 0, portable_reach(&x));
  ROW_VALUE(0, 0, portable_space_of_device(0));
}

/* Nothing can count while the library is stopped: the row has one stop and one start. */
static portable_status stop_start(void) {
  portable_status s = portable_finalize();
  return s ? s : portable_init(NULL);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  count_self_test();
  blocks();
  pools();
  queries();
  ROW_KERNEL(2, 2, portable_finalize, PORTABLE_OK, stop_start());
  ROW_KERNEL(2, 2, portable_init, PORTABLE_OK, stop_start());
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
