/* lifetimes.c - calls at a wrong time: before init, after finalize, twice, with live blocks, in a
 * forked child. Not in this file: invalid settings (settings.c). */
#include "misuse.h"

#include <sys/wait.h>
#include <unistd.h>

#define ASLEEP "the library does not run && call gator_init"
#define ENDED "the library does not run && nothing after the last gator_finalize"
#define UNPAIRED "portable_finalize without portable_init && each call needs its own portable_init before it"

/* Allocating before init. */
static void allocate_before_init(void) {
  void *p = &p;
  ASK(portable_alloc(80, "p", &p));
  MUST(p == NULL);
}

static void allocate_before_init_gator(void) { MUST(gatorAllocate(80) == NULL); }

/* Freeing before init. */
static void deallocate_before_init(void) {
  static double foreign[10];
  ASK(portable_free(foreign));
}

static void deallocate_before_init_gator(void) {
  static double foreign[10];
  gatorDeallocate(foreign);
}

/* Statistics before init. */
static void statistics_before_init(void) {
  portable_pool pool = 5;
  ASK(portable_pool_default(&pool));
  MUST(pool == 0);
}

/* Trimming before init. */
static void trim_before_init(void) {
  uint64_t released = 5;
  ASK(portable_pool_trim(1, &released));
  MUST(released == 0);
}

/* Checking before init. */
static void check_before_init(void) { ASK(portable_pool_check(1)); }

/* A report before init. */
static void report_before_init(void) {
  char text[100] = "x";
  size_t needed = 5;
  ASK(portable_pool_report(1, text, sizeof text, &needed));
  MUST(text[0] == '\0' && needed == 0);
}

/* A pool is created before init. */
static void pool_before_init(void) {
  portable_pool pool = 5;
  ASK(portable_pool_create(NULL, &pool));
  MUST(pool == 0);
}

/* Allocating after finalize. */
static void allocate_after_finalize(void) {
  void *p = &p;
  MUST(portable_init(NULL) == 0 && portable_finalize() == 0);
  ASK(portable_alloc(80, "p", &p));
  MUST(p == NULL);
}

static void allocate_after_finalize_gator(void) {
  gatorInit();
  gatorFinalize();
  MUST(gatorAllocate(80) == NULL);
}

/* Freeing after finalize a block that was freed before it. */
static void deallocate_after_finalize(void) {
  void *p;
  MUST(portable_init(NULL) == 0 && portable_alloc(80, "p", &p) == 0 && portable_free(p) == 0 && portable_finalize() == 0);
  ASK(portable_free(p));
}

static void deallocate_after_finalize_gator(void) {
  void *p;
  gatorInit();
  p = gatorAllocate(80);
  gatorDeallocate(p);
  gatorFinalize();
  gatorDeallocate(p);
}

/* A pool that finalize has destroyed. */
static void pool_after_finalize(void) {
  portable_pool pool;
  void *p = &p;
  MUST(portable_init(NULL) == 0);
  pool = new_pool();
  MUST(portable_finalize() == 0);
  MUST(portable_pool_check(pool) == PORTABLE_ERR_STATE);
  MUST(portable_pool_destroy(pool) == PORTABLE_ERR_STATE);
  ASK(portable_pool_alloc(pool, 80, "p", &p));
  MUST(p == NULL);
}

/* A handle from before finalize, after a further init. */
static void pool_of_another_life(void) {
  portable_pool pool, old_default;
  void *p = &p;
  MUST(portable_init(NULL) == 0);
  pool = new_pool();
  old_default = the_pool();
  MUST(portable_finalize() == 0 && portable_init(NULL) == 0);
  MUST(portable_pool_check(old_default) == PORTABLE_ERR_HANDLE);
  ASK(portable_pool_alloc(pool, 80, "p", &p));
  MUST(p == NULL);
  goes_on(0);
  MUST(portable_finalize() == 0);
}

/* A second portable_init is a participant; a second gatorInit is not. */
static void init_twice(void) {
  MUST(portable_init(NULL) == 0);
  ASK(portable_init(NULL));
  MUST(portable_finalize() == 0);
  goes_on(0);
  MUST(portable_finalize() == 0 && !portable_is_initialized());
}

static void init_twice_gator(void) {
  gatorInit();
  gatorInit();
  goes_on(0);
  gatorFinalize();
  MUST(!portable_is_initialized());
}

/* gatorInit as well as portable_init: two participants, which is allowed. */
static void init_of_both(void) {
  ASK(portable_init(NULL));
  gatorInit();
  MUST(portable_finalize() == 0);
  goes_on(0);
  gatorFinalize();
  MUST(!portable_is_initialized());
}

/* A further participant that asks for other settings than the library runs with. */
static void init_again_otherwise(void) {
  portable_config config = PORTABLE_CONFIG_INIT;
  config.pool_initial_bytes = 3u << 20;
  MUST(portable_init(NULL) == 0);
  ASK(portable_init(&config));
  goes_on(0);
  MUST(portable_finalize() == 0 && portable_finalize() == 0);
}

/* A finalize without its init. */
static void finalize_without_init(void) { ASK(portable_finalize()); }

static void finalize_without_init_gator(void) { gatorFinalize(); }

/* A second finalize. */
static void finalize_twice(void) {
  MUST(portable_init(NULL) == 0 && portable_finalize() == 0);
  ASK(portable_finalize());
}

static void finalize_twice_gator(void) {
  gatorInit();
  gatorFinalize();
  gatorFinalize();
}

/* portable_finalize for a participant of gatorInit. */
static void finalize_of_another(void) {
  gatorInit();
  ASK(portable_finalize());
  goes_on(0);
  gatorFinalize();
}

/* Finalize with a live block; under GATOR_STRICT=1 nothing is released, and the program can free it. */
static void finalize_live(void) {
  char *p;
  MUST(portable_init(NULL) == 0 && portable_alloc(8000, "left behind", (void **)&p) == 0);
  memset(p, 1, 8000);
  ASK(portable_finalize());
  if (portable_is_initialized()) {
    goes_on(1);
    MUST(p[7999] == 1 && portable_free(p) == 0 && portable_finalize() == 0);
  }
}

static void finalize_live_gator(void) {
  void *p;
  gatorInit();
  MUST(portable_alloc(8000, "left behind", &p) == 0);
  gatorFinalize();
  MUST(!portable_is_initialized());
}

/* The same with a block without a label. */
static void finalize_live_unnamed(void) {
  void *p;
  MUST(portable_init(NULL) == 0 && portable_alloc(8000, NULL, &p) == 0 && portable_alloc(1, NULL, &p) == 0);
  ASK(portable_finalize());
}

/* Finalize with more live blocks than a list should have lines. */
static void finalize_live_many(void) {
  void *p;
  int i;
  MUST(portable_init(NULL) == 0);
  for (i = 0; i < 130; i++) MUST(portable_alloc(800, "in a loop", &p) == 0);
  ASK(portable_finalize());
}

/* Finalize with a live block in a pool of the program. */
static void finalize_live_pool(void) {
  portable_pool pool;
  void *p;
  MUST(portable_init(NULL) == 0);
  pool = new_pool();
  MUST(portable_pool_alloc(pool, 8000, "left behind", &p) == 0);
  ASK(portable_finalize());
  if (portable_is_initialized()) {
    pool_goes_on(pool, 1);
    MUST(portable_pool_free(pool, p) == 0 && portable_finalize() == 0);
  }
}

/* A further run of the library, which is allowed. */
static void init_after_finalize(void) {
  MUST(portable_init(NULL) == 0 && portable_finalize() == 0);
  ASK(portable_init(NULL));
  goes_on(0);
  MUST(portable_finalize() == 0);
}

static void init_after_finalize_gator(void) {
  gatorInit();
  gatorFinalize();
  gatorInit();
  goes_on(0);
  gatorFinalize();
}

/* Use in a forked child, where only freeing is allowed, and does nothing. */
static void forked_child(void) {
  void *p, *q = &q;
  int status;
  pid_t child;
  MUST(portable_init(NULL) == 0 && portable_alloc(80, "p", &p) == 0);
  child = fork();
  if (child == 0) {
    ASK(portable_alloc(80, "q", &q));
    MUST(q == NULL && portable_free(p) == 0 && portable_finalize() == PORTABLE_ERR_FORK);
    _exit(0);
  }
  MUST(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  goes_on(1);
  MUST(portable_free(p) == 0 && portable_finalize() == 0);
}

static const struct kind kinds_of_lifetimes[] = {
    {KIND(allocate_before_init), ERROR(STATE, ASLEEP)},
    {GATOR(allocate_before_init_gator), ERROR(STATE, "gatorAllocate: && " ASLEEP)},
    {KIND(deallocate_before_init), ERROR(STATE, ASLEEP)},
    {GATOR(deallocate_before_init_gator), ERROR(STATE, "gatorDeallocate: && " ASLEEP)},
    {KIND(statistics_before_init), ERROR(STATE, ASLEEP)},
    {KIND(trim_before_init), ERROR(STATE, ASLEEP)},
    {KIND(check_before_init), ERROR(STATE, ASLEEP)},
    {KIND(report_before_init), ERROR(STATE, ASLEEP)},
    {KIND(pool_before_init), ERROR(STATE, ASLEEP)},
    {KIND(allocate_after_finalize), ERROR(STATE, ENDED)},
    {GATOR(allocate_after_finalize_gator), ERROR(STATE, "gatorAllocate: && " ENDED)},
    {KIND(deallocate_after_finalize), ERROR(STATE, ENDED)},
    {GATOR(deallocate_after_finalize_gator), ERROR(STATE, "gatorDeallocate: && " ENDED)},
    {KIND(pool_after_finalize), ERROR(STATE, ASLEEP)},
    {KIND(pool_of_another_life), ERROR(HANDLE, NO_POOL)},
    {KIND(init_twice), PASSES},
    {GATOR(init_twice_gator), .settings = "default",
     WARNS("gator_init was called again without gator_finalize && it does nothing")},
    {GATOR(init_twice_gator), .settings = "strict",
     ERROR(STATE, "gator_init was called again without gator_finalize && GATOR_STRICT=1")},
    {KIND(init_of_both), PASSES},
    {KIND(init_again_otherwise), WARNS("the library runs already && the configuration of a further init is ignored")},
    {KIND(finalize_without_init), ERROR(STATE, UNPAIRED)},
    {GATOR(finalize_without_init_gator), .settings = "default",
     WARNS("gator_finalize was called without gator_init && it does nothing")},
    {GATOR(finalize_without_init_gator), .settings = "strict",
     ERROR(STATE, "gator_finalize was called without gator_init && GATOR_STRICT=1")},
    {KIND(finalize_twice), ERROR(STATE, UNPAIRED)},
    {GATOR(finalize_twice_gator), .settings = "default",
     WARNS("gator_finalize was called without gator_init && it does nothing")},
    {GATOR(finalize_twice_gator), .settings = "strict",
     ERROR(STATE, "gator_finalize was called without gator_init && GATOR_STRICT=1")},
    {KIND(finalize_of_another), ERROR(STATE, UNPAIRED)},
    {KIND(finalize_live), .settings = "default",
     WARNS("1 block with 8000 bytes is && left behind  size 8000 bytes && " LIVE_BLOCK_WARNING)},
    {KIND(finalize_live), .settings = "strict",
     ERROR(LEAK, "1 block with 8000 bytes is && left behind  size 8000 bytes && " LIVE_BLOCK_ERROR)},
    {GATOR(finalize_live_gator), .settings = "default",
     WARNS("1 block with 8000 bytes is && left behind  size 8000 bytes && " LIVE_BLOCK_WARNING)},
    {GATOR(finalize_live_gator), .settings = "strict",
     ERROR(LEAK, "1 block with 8000 bytes is && left behind  size 8000 bytes && gatorFinalize: && " LIVE_BLOCK_ERROR)},
    {KIND(finalize_live_unnamed), .settings = "default",
     WARNS("2 blocks with 8001 bytes are && (no label)  size 8000 bytes && (no label)  size 1 bytes "
           "&& " LIVE_BLOCK_WARNING)},
    {KIND(finalize_live_unnamed), .settings = "strict",
     ERROR(LEAK, "2 blocks with 8001 bytes are && (no label)  size 8000 bytes && (no label)  size 1 bytes "
                 "&& " LIVE_BLOCK_ERROR)},
    {KIND(finalize_live_many), .settings = "default",
     WARNS("130 blocks with 104000 bytes are && in a loop  size 800 bytes && and 30 more; all of them by label "
           "&& in a loop  104000 bytes in 130 blocks && " LIVE_BLOCK_WARNING)},
    {KIND(finalize_live_many), .settings = "strict",
     ERROR(LEAK, "130 blocks with 104000 bytes are && in a loop  size 800 bytes "
                 "&& and 30 more; all of them by label && in a loop  104000 bytes in 130 blocks && " LIVE_BLOCK_ERROR)},
    {KIND(finalize_live_pool), .settings = "default",
     WARNS("1 block with 8000 bytes is && still live in mine && left behind  size 8000 bytes && " LIVE_BLOCK_WARNING)},
    {KIND(finalize_live_pool), .settings = "strict",
     ERROR(LEAK, "1 block with 8000 bytes is && still live in mine && left behind  size 8000 bytes "
                 "&& " LIVE_BLOCK_ERROR)},
    {KIND(init_after_finalize), PASSES},
    {GATOR(init_after_finalize_gator), PASSES},
    {KIND(forked_child), ERROR(FORK, "fork")},
};
const struct table lifetimes_table = TABLE(kinds_of_lifetimes, NULL, NULL);
