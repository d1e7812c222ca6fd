/* memory.c - requests for more memory than the limit, the machine or the system has. After each the
 * program goes on. Not in this file: limits of the program's own pools (pools.c). */
#include "misuse.h"

#define NO_MACHINE "no machine has so much memory && look at how the size was computed"

/* More than PORTABLE_LIMIT_MB. */
static void over_limit(void) {
  void *p, *q = &q;
  MUST(portable_init(NULL) == 0 && portable_alloc(800000, "held", &p) == 0);
  ASK(portable_alloc(8000000, "big", &q));
  MUST(q == NULL);
  goes_on(1);
  MUST(portable_free(p) == 0 && portable_alloc(8000000, "big", &q) == 0);
  MUST(portable_free(q) == 0 && portable_finalize() == 0);
}

static void over_limit_gator(void) {
  void *p;
  gatorInit();
  MUST(portable_alloc(800000, "held", &p) == 0);
  MUST(gatorAllocate(8000000) == NULL);
  goes_on(1);
  gatorDeallocate(p);
  gatorFinalize();
}

/* More than the limit that the program itself set. */
static void over_limit_of_config(void) {
  portable_config config = PORTABLE_CONFIG_INIT;
  void *p = &p;
  config.pool_limit_bytes = 8u << 20;
  MUST(portable_init(&config) == 0);
  ASK(portable_alloc(16000000, "big", &p));
  MUST(p == NULL);
  goes_on(0);
  MUST(portable_finalize() == 0);
}

static void absurd_size_gator(void) {
  gatorInit();
  MUST(gatorAllocate((size_t)1 << 60) == NULL);
  goes_on(0);
  gatorFinalize();
}

static void all_bits_gator(void) {
  gatorInit();
  MUST(gatorAllocate((size_t)-1) == NULL);
  goes_on(0);
  gatorFinalize();
}

/* A first slab that the system does not give; GATOR_DISABLE=1 needs none. */
static void first_slab_refused(void) {
  portable_config config = PORTABLE_CONFIG_INIT;
  config.pool_initial_bytes = 1u << 20;
  ASK(portable_init(NULL));
  if (portable_is_initialized()) MUST(portable_finalize() == 0);
  MUST(portable_init(&config) == 0);
  goes_on(0);
  MUST(portable_finalize() == 0);
}

static void first_slab_refused_gator(void) {
  portable_config config = PORTABLE_CONFIG_INIT;
  config.pool_initial_bytes = 1u << 20;
  gatorInit();
  if (portable_is_initialized()) gatorFinalize();
  MUST(portable_init(&config) == 0);
  goes_on(0);
  MUST(portable_finalize() == 0);
}

static const struct kind kinds_of_limits[] = {
    {KIND(over_limit), .settings = "PORTABLE_LIMIT_MB=8",
     ERROR(NOMEM, "out of memory && 8000000 bytes && the limit is reached; raise PORTABLE_LIMIT_MB "
                  "&& in use 800000 bytes in 1 block && limit 8388608 bytes && largest gap && held "
                  "&& 800000 bytes in 1 block")},
    {GATOR(over_limit_gator), .settings = "PORTABLE_LIMIT_MB=8",
     ERROR(NOMEM, "gatorAllocate: && out of memory && 8000000 bytes "
                  "&& the limit is reached; raise PORTABLE_LIMIT_MB && in use 800000 bytes in 1 block "
                  "&& limit 8388608 bytes && largest gap && held && 800000 bytes in 1 block")},
    {KIND(over_limit_of_config),
     ERROR(NOMEM, "out of memory && 16000000 bytes && raise limit_mb (pool_limit_bytes in C), which the program "
                  "set && limit 8388608 bytes")},
    {GATOR(absurd_size_gator),
     ERROR(NOMEM, "gatorAllocate: && out of memory && 1152921504606846976 bytes && " NO_MACHINE)},
    {GATOR(all_bits_gator), ERROR(NOMEM, "gatorAllocate: && 18446744073709551615 bytes && " NO_MACHINE)},
    {KIND(first_slab_refused), .settings = "pool GATOR_INITIAL_MB=128TB GATOR_BLOCK_BYTES=64KB",
     ERROR(NOMEM, "out of memory && 140737488355328 bytes && the first slab has its size from GATOR_INITIAL_MB")},
    {KIND(first_slab_refused), .settings = "disable GATOR_INITIAL_MB=128TB GATOR_BLOCK_BYTES=64KB", PASSES},
    {GATOR(first_slab_refused_gator), .settings = "pool GATOR_INITIAL_MB=128TB GATOR_BLOCK_BYTES=64KB",
     ERROR(NOMEM, "gatorInit: && out of memory && 140737488355328 bytes "
                  "&& the first slab has its size from GATOR_INITIAL_MB")},
    {GATOR(first_slab_refused_gator), .settings = "disable GATOR_INITIAL_MB=128TB GATOR_BLOCK_BYTES=64KB", PASSES},
};
const struct table limits_table = TABLE(kinds_of_limits, NULL, NULL);

/* More bytes than any machine has, though 63 bits count them. */
static void absurd_size(void) {
  void *p = &p;
  ASK(portable_alloc((size_t)1 << 60, "big", &p));
  MUST(p == NULL);
}

/* The size of a negative number of bytes, as C computes it. */
static void all_bits(void) {
  void *p = &p;
  ASK(portable_alloc((size_t)-1, "big", &p));
  MUST(p == NULL);
}

/* 128 TiB, which no process can have: too many granules for one slab, or refused by the system. */
static void more_than_the_addresses(void) {
  void *p = &p;
  ASK(portable_alloc((size_t)1 << 47, "big", &p));
  MUST(p == NULL);
}

/* The same with larger granules, so that the system itself refuses. */
static void refused_by_the_system(void) {
  void *p = &p;
  ASK(portable_alloc((size_t)1 << 47, "big", &p));
  MUST(p == NULL);
}

static const struct kind kinds_of_huge_sizes[] = {
    {KIND(absurd_size), ERROR(NOMEM, "out of memory && 1152921504606846976 bytes && " NO_MACHINE)},
    {KIND(all_bits), ERROR(NOMEM, "18446744073709551615 bytes && " NO_MACHINE)},
    {KIND(more_than_the_addresses), .settings = "pool",
     ERROR(NOMEM, "out of memory && 140737488355328 bytes && blocks of 128 bytes; choose a larger GATOR_BLOCK_BYTES")},
    {KIND(more_than_the_addresses), .settings = "disable",
     ERROR(NOMEM, "out of memory && the system's heap has no 140737488355328 bytes && ask for less")},
    {KIND(refused_by_the_system), .settings = "pool GATOR_BLOCK_BYTES=64KB",
     ERROR(NOMEM, "out of memory && mapping 140737488355328 bytes of host memory "
                  "&& ask for less, or look at ulimit -v")},
    {KIND(refused_by_the_system), .settings = "disable GATOR_BLOCK_BYTES=64KB",
     ERROR(NOMEM, "out of memory && the system's heap has no 140737488355328 bytes "
                  "&& ask for less, or look at ulimit -v")},
};
const struct table huge_sizes_table = TABLE(kinds_of_huge_sizes, begin_running, end_running);
