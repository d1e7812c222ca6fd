/* pools.c - misuse of pools that the program creates: blocks of another pool, limits, handles of
 * destroyed pools. Not in this file: pools before init and after finalize (lifetimes.c), their
 * configurations (arguments.c). */
#include "misuse.h"

/* Destroying a pool with a live block; under GATOR_STRICT=1 nothing is released. */
static void pool_destroy_live(void) {
  portable_pool pool;
  char *p;
  MUST(portable_init(NULL) == 0);
  pool = new_pool();
  MUST(portable_pool_alloc(pool, 8000, "left behind", (void **)&p) == 0);
  memset(p, 1, 8000);
  ASK(portable_pool_destroy(pool));
  if (portable_pool_check(pool) == 0) {
    pool_goes_on(pool, 1);
    MUST(p[7999] == 1 && portable_pool_free(pool, p) == 0 && portable_pool_destroy(pool) == 0);
  }
  MUST(portable_finalize() == 0);
}

static const struct kind kinds_of_live_pools[] = {
    {KIND(pool_destroy_live), .settings = "default",
     WARNS("1 block with 8000 bytes is still live in mine && left behind  size 8000 bytes && " LIVE_BLOCK_WARNING)},
    {KIND(pool_destroy_live), .settings = "strict",
     ERROR(LEAK, "1 block with 8000 bytes is still live in mine && left behind  size 8000 bytes && " LIVE_BLOCK_ERROR)},
};
const struct table live_pools_table = TABLE(kinds_of_live_pools, NULL, NULL);

/* Each kind of the next table begins with a pool of its own, called mine, and ends with no live block. */
static portable_pool pool;
static void *p, *q;

static void begin_pool(void) {
  begin_running();
  pool = new_pool();
}

static void end_pool(void) {
  MUST(portable_free(q) == 0);
  pool_goes_on(pool, 0);
  goes_on(0);
  MUST(portable_pool_destroy(pool) == 0 && portable_finalize() == 0);
}

/* Freeing an address inside a block. */
static void pool_interior(void) {
  MUST(portable_pool_alloc(pool, 8000, "whole", &p) == 0);
  ASK(portable_pool_free(pool, (char *)p + 1024));
  pool_goes_on(pool, 1);
  MUST(portable_pool_free(pool, p) == 0);
}

/* Freeing a block of a pool twice. */
static void pool_double_free(void) {
  MUST(portable_pool_alloc(pool, 8000, "whole", &p) == 0 && portable_pool_free(pool, p) == 0);
  ASK(portable_pool_free(pool, p));
}

/* Freeing NULL, which does nothing. */
static void pool_null(void) { ASK(portable_pool_free(pool, NULL)); }

/* Freeing a block of another pool. */
static void pool_of_another(void) {
  portable_pool second = new_pool();
  MUST(portable_pool_alloc(pool, 8000, "p", &p) == 0);
  ASK(portable_pool_free(second, p));
  pool_goes_on(second, 0);
  pool_goes_on(pool, 1);
  MUST(portable_pool_destroy(second) == 0 && portable_pool_free(pool, p) == 0);
}

/* Freeing a block of a pool in the default pool. */
static void pool_block_in_default(void) {
  MUST(portable_pool_alloc(pool, 8000, "p", &p) == 0);
  ASK(portable_free(p));
  goes_on(0);
  pool_goes_on(pool, 1);
  MUST(portable_pool_free(pool, p) == 0);
}

/* Freeing a block of the default pool in another. */
static void default_block_in_pool(void) {
  MUST(portable_alloc(8000, "q", &q) == 0);
  ASK(portable_pool_free(pool, q));
  goes_on(1);
}

/* More than a pool's own limit. */
static void pool_over_limit(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool small;
  config.name = "small";
  config.limit_bytes = 1u << 20;
  MUST(portable_pool_create(&config, &small) == 0);
  MUST(portable_pool_alloc(small, 600000, "held", &p) == 0);
  ASK(portable_pool_alloc(small, 600000, "big", &q));
  MUST(q == NULL);
  pool_goes_on(small, 1);
  MUST(portable_pool_free(small, p) == 0 && portable_pool_destroy(small) == 0);
}

/* More than any machine has. */
static void pool_absurd_size(void) {
  ASK(portable_pool_alloc(pool, (size_t)1 << 60, "big", &p));
  MUST(p == NULL);
}

/* Destroying the default pool. */
static void pool_destroy_default(void) { ASK(portable_pool_destroy(the_pool())); }

/* Destroying pool 0, which does nothing. */
static void pool_destroy_none(void) { ASK(portable_pool_destroy(0)); }

/* Using pool 0. */
static void pool_none(void) {
  ASK(portable_pool_alloc(0, 80, "p", &p));
  MUST(p == NULL);
}

/* Using an invalid handle of a pool. */
static void pool_invented(void) {
  ASK(portable_pool_alloc(~(portable_pool)0, 80, "p", &p));
  MUST(p == NULL);
}

static const struct kind kinds_of_pools[] = {
    {KIND(pool_interior),
     ERROR(POINTER, "is not a live block of && mine: it is 1024 bytes inside a block of 8000 bytes labelled "
                    "\"whole\"; pass the address that the allocation gave")},
    {KIND(pool_double_free),
     ERROR(POINTER, "is not a live block of && mine: the block that was here has been freed already; look for a "
                    "second deallocate")},
    {KIND(pool_null), PASSES},
    {KIND(pool_of_another), ERROR(POINTER, "is not a live block of && mine: no slab of it holds this address")},
    {KIND(pool_block_in_default), .settings = "pool",
     ERROR(POINTER, "is not a live block of the default pool: no slab of it holds this address")},
    {KIND(pool_block_in_default), .settings = "disable",
     ERROR(POINTER, "is not a live block of the default pool: it was freed already, or another library gave it")},
    {KIND(default_block_in_pool), ERROR(POINTER, "is not a live block of && mine: no slab of it holds this address")},
    {KIND(pool_over_limit),
     ERROR(NOMEM, "out of memory: small has no 600000 bytes labelled \"big\": the limit is reached; raise "
                  "limit_bytes of its portable_pool_config && in use 600000 bytes in 1 block "
                  "&& limit 1048576 bytes && held")},
    {KIND(pool_absurd_size),
     ERROR(NOMEM, "out of memory: mine has no 1152921504606846976 bytes "
                  "&& no machine has so much memory; look at how the size was computed")},
    {KIND(pool_destroy_default),
     ERROR(HANDLE, "the default pool ends with the library, not by portable_pool_destroy")},
    {KIND(pool_destroy_none), PASSES},
    {KIND(pool_none), ERROR(HANDLE, "0x0 is not a pool")},
    {KIND(pool_invented), ERROR(HANDLE, "0xffffffffffffffff is not a pool")},
};
const struct table pools_table = TABLE(kinds_of_pools, begin_pool, end_pool);

/* Each kind of this table uses pool, whose place another pool has taken. */
static portable_pool next;

static int32_t no_visit(const portable_block *block, void *payload) {
  (void)block, (void)payload;
  return 0;
}

static void begin_stale(void) {
  begin_running();
  pool = new_pool();
  MUST(portable_pool_destroy(pool) == 0);
  next = new_pool();
  MUST(next != pool);
}

static void end_stale(void) {
  pool_goes_on(next, 0);
  MUST(portable_pool_destroy(next) == 0 && portable_finalize() == 0);
}

/* A handle of a destroyed pool: allocating. */
static void stale_alloc(void) {
  p = &p;
  ASK(portable_pool_alloc(pool, 80, "p", &p));
  MUST(p == NULL);
}

/* A handle of a destroyed pool: freeing. */
static void stale_free(void) {
  static double foreign[10];
  ASK(portable_pool_free(pool, foreign));
}

/* A handle of a destroyed pool: destroying. */
static void stale_destroy(void) { ASK(portable_pool_destroy(pool)); }

/* A handle of a destroyed pool: trimming. */
static void stale_trim(void) {
  uint64_t released = 5;
  ASK(portable_pool_trim(pool, &released));
  MUST(released == 0);
}

/* A handle of a destroyed pool: checking. */
static void stale_check(void) { ASK(portable_pool_check(pool)); }

/* A handle of a destroyed pool: statistics. */
static void stale_stats(void) {
  portable_stats s;
  memset(&s, 5, sizeof s);
  s.struct_size = (uint32_t)sizeof s;
  ASK(portable_pool_stats(pool, &s));
  MUST(s.slabs == 0 && s.in_use_bytes == 0 && s.frees == 0);
}

/* A handle of a destroyed pool: listing. */
static void stale_list(void) { ASK(portable_pool_list(pool, no_visit, NULL)); }

/* A handle of a destroyed pool: looking up. */
static void stale_find(void) {
  portable_block block;
  memset(&block, 5, sizeof block);
  ASK(portable_pool_find(pool, &block, &block));
  MUST(block.address == NULL && block.bytes == 0 && block.label[0] == '\0');
}

/* A handle of a destroyed pool: a report. */
static void stale_report(void) {
  char text[100] = "x";
  size_t needed = 5;
  ASK(portable_pool_report(pool, text, sizeof text, &needed));
  MUST(text[0] == '\0' && needed == 0);
}

static const struct kind kinds_of_stale_pools[] = {
    {KIND(stale_alloc), ERROR(HANDLE, NO_POOL)},
    {KIND(stale_free), ERROR(HANDLE, NO_POOL)},
    {KIND(stale_destroy), ERROR(HANDLE, NO_POOL)},
    {KIND(stale_trim), ERROR(HANDLE, NO_POOL)},
    {KIND(stale_check), ERROR(HANDLE, NO_POOL)},
    {KIND(stale_stats), ERROR(HANDLE, NO_POOL)},
    {KIND(stale_list), ERROR(HANDLE, NO_POOL)},
    {KIND(stale_find), ERROR(HANDLE, NO_POOL)},
    {KIND(stale_report), ERROR(HANDLE, NO_POOL)},
};
const struct table stale_pools_table = TABLE(kinds_of_stale_pools, begin_stale, end_stale);
