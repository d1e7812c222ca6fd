/* settings.c - invalid settings: the environment gives a warning and a default, portable_init refuses
 * a configuration. Not in this file: configurations of pools (arguments.c). */
#include "misuse.h"

/* A block size that is no power of two. */
static void config_block(void) {
  portable_config config = PORTABLE_CONFIG_INIT;
  config.pool_block_bytes = 100;
  ASK(portable_init(&config));
  MUST(!portable_is_initialized());
  MUST(portable_init(NULL) == 0);
  goes_on(0);
  MUST(portable_finalize() == 0);
}

/* A first slab that is larger than the limit. */
static void config_initial_over_limit(void) {
  portable_config config = PORTABLE_CONFIG_INIT;
  config.pool_initial_bytes = 20u << 20, config.pool_limit_bytes = 10u << 20;
  ASK(portable_init(&config));
  MUST(!portable_is_initialized());
  MUST(portable_init(NULL) == 0);
  goes_on(0);
  MUST(portable_finalize() == 0);
}

/* A configuration with an invalid struct_size. */
static void config_size(void) {
  portable_config config = PORTABLE_CONFIG_INIT;
  config.struct_size = 0;
  ASK(portable_init(&config));
  MUST(!portable_is_initialized());
}

/* A value in a reserved field. */
static void config_reserved(void) {
  portable_config config = PORTABLE_CONFIG_INIT;
  config.reserved = 1;
  ASK(portable_init(&config));
  MUST(!portable_is_initialized());
}

/* A header of another version than the archive. */
static void config_version(void) {
  portable_config config = PORTABLE_CONFIG_INIT;
  config.version = 20000;
  ASK(portable_init(&config));
  MUST(!portable_is_initialized());
}

/* A module of another version than the archive. */
static void module_version(void) {
  ASK(portable__fortran_init(20000, NULL));
  MUST(!portable_is_initialized());
}

/* A negative rank. */
static void rank_negative(void) {
  ASK(portable_set_rank(-2, 0));
  MUST(portable_set_rank(0, -2) == PORTABLE_ERR_ARG);
  MUST(portable_rank() == -1);
}

static const struct kind kinds_of_settings[] = {
    {KIND(config_block), ERROR(ARG, "a block size of 100 bytes; it is a power of two from 64 to 1073741824")},
    {KIND(config_initial_over_limit),
     ERROR(ARG, "the first slab (20971520 bytes) is larger than the limit (10485760 bytes)")},
    {KIND(config_reserved), ERROR(ARG, "portable_init: config.reserved is 1; it is 0 in this version: begin with PORTABLE_CONFIG_INIT")},
    {KIND(config_size), ERROR(ARG, "portable_init: config.struct_size is 0; begin with PORTABLE_CONFIG_INIT")},
    {KIND(config_version), ERROR(VERSION, "version 20000 && compile it again")},
    {KIND(module_version), ERROR(VERSION, "version 20000 && compile it again")},
    {KIND(rank_negative), ERROR(ARG, "rank -2 && a rank is 0 or more")},
};
const struct table settings_table = TABLE(kinds_of_settings, NULL, NULL);

static void start(void) {
  ASK(portable_init(NULL));
  end_running();
}

static void start_gator(void) {
  gatorInit();
  goes_on(0);
  gatorFinalize();
}

/* Two rows of a kind that only starts the library, in its own environment: by portable_init and by gatorInit. */
#define STARTS(kind, ...) \
  {.name = #kind, .commit = start, __VA_ARGS__}, {.name = #kind "_gator", .commit = start_gator, .gator = 1, __VA_ARGS__}

static const struct kind kinds_of_environment[] = {
    STARTS(environment_initial, .settings = "GATOR_INITIAL_MB=plenty",
           WARNS("GATOR_INITIAL_MB='plenty' is invalid (a size such as 4000, 4000MB or 4GB is wanted); using 64 MB")),
    STARTS(environment_grow, .settings = "GATOR_GROW_MB=-3",
           WARNS("GATOR_GROW_MB='-3' is invalid (a size such as 4000, 4000MB or 4GB is wanted); using doubling")),
    STARTS(environment_block, .settings = "GATOR_BLOCK_BYTES=100",
           WARNS("GATOR_BLOCK_BYTES='100' is invalid (a power of two from 64 to 1073741824 is wanted); using 128")),
    STARTS(environment_limit, .settings = "PORTABLE_LIMIT_MB=0",
           WARNS("PORTABLE_LIMIT_MB='0' is invalid (it is zero); using no limit")),
    STARTS(environment_allocate_from, .settings = "PORTABLE_ALLOCATE_FROM=1",
           WARNS("PORTABLE_ALLOCATE_FROM='1' is invalid (it is less than 4096); using 4096")),
    STARTS(environment_unknown, .settings = "GATOR_INITIAL_BM=1",
           WARNS("GATOR_INITIAL_BM is not known to this version and is ignored; did you mean GATOR_INITIAL_MB?")),
    STARTS(environment_unknown_portable, .settings = "PORTABLE_LIMITS=1",
           WARNS("PORTABLE_LIMITS is not known to this version and is ignored; did you mean PORTABLE_LIMIT_MB?")),
    STARTS(environment_strict, .settings = "default GATOR_STRICT=maybe",
           WARNS("GATOR_STRICT='maybe' is invalid (yes or no is wanted); using 0")),
    STARTS(environment_strict, .settings = "strict", PASSES),
    STARTS(environment_disable, .settings = "pool GATOR_DISABLE=maybe",
           WARNS("GATOR_DISABLE='maybe' is invalid (yes or no is wanted); using the pool")),
    STARTS(environment_disable, .settings = "disable", PASSES),
    STARTS(environment_fastpath, .settings = "fast PORTABLE_FASTPATH=maybe",
           WARNS("PORTABLE_FASTPATH='maybe' is invalid (yes or no is wanted); using 1")),
    STARTS(environment_fastpath, .settings = "slow", PASSES),
    STARTS(environment_initial_over_limit, .settings = "GATOR_INITIAL_MB=20 PORTABLE_LIMIT_MB=10",
           WARNS("GATOR_INITIAL_MB='20' is invalid (it is more than the limit); using the limit")),
    STARTS(environment_block_over_limit, .settings = "GATOR_BLOCK_BYTES=1GB PORTABLE_LIMIT_MB=100",
           WARNS("GATOR_BLOCK_BYTES='1GB' is invalid (it is more than the limit); using 67108864")),
};
const struct table environment_table = TABLE(kinds_of_environment, NULL, NULL);
