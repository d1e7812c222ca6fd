/* goes_on.c - the state that a misuse must not change: the library runs on, and no block is lost. Also
 * the calls that many kinds begin with. Not in this file: the choice of a kind (main.c). */
#include "misuse.h"

int looks;

void say(portable_status status) {
  if (status == PORTABLE_OK)
    fprintf(stderr, "status 0\n");
  else
    fprintf(stderr, "status %d %s: %s\n", (int)status, portable_status_name(status), portable_last_error());
}

_Noreturn void broken(const char *condition) {
  fprintf(stderr, "BROKEN: %s  last error: %s\n", condition, portable_last_error());
  exit(3);
}

void begin_running(void) { MUST(portable_init(NULL) == PORTABLE_OK); }

void end_running(void) {
  goes_on(0);
  MUST(portable_finalize() == PORTABLE_OK);
}

void pool_goes_on(portable_pool pool, uint64_t live) {
  portable_stats stats;
  void *more;
  memset(&stats, 0, sizeof stats);
  stats.struct_size = (uint32_t)sizeof stats;
  MUST(portable_pool_stats(pool, &stats) == PORTABLE_OK && stats.in_use_blocks == live);
  MUST(portable_pool_check(pool) == PORTABLE_OK);
  MUST(portable_pool_alloc(pool, 8000, "more", &more) == PORTABLE_OK);
  memset(more, 1, 8000);
  MUST(portable_pool_free(pool, more) == PORTABLE_OK);
}

void goes_on(uint64_t live) { pool_goes_on(the_pool(), live); }

portable_pool the_pool(void) {
  portable_pool pool = 0;
  MUST(portable_pool_default(&pool) == PORTABLE_OK);
  return pool;
}

portable_pool new_pool(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool = 0;
  config.name = "mine";
  config.initial_bytes = 1u << 20;
  MUST(portable_pool_create(&config, &pool) == PORTABLE_OK);
  return pool;
}

portable_stream new_stream(void) {
  portable_stream stream = 0;
  MUST(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &stream) == PORTABLE_OK);
  return stream;
}

portable_event new_event(void) {
  portable_event event = 0;
  MUST(portable_event_create(&event) == PORTABLE_OK);
  return event;
}

void nothing(const portable_tile *tile, void *args) { (void)tile, (void)args; }

void no_call(portable_status status, void *payload) { (void)status, (void)payload; }
