/* arguments.c - arguments that are invalid alone: NULL out pointers, sizes of structures,
 * configurations of pools, keys of sorts. Not in this file: handles (pools.c, streams.c), sizes of
 * arrays (shapes.c), settings (settings.c). */
#include "misuse.h"

#include <portable_random.h>

static void *no_slab(size_t bytes, void *payload) {
  (void)bytes, (void)payload;
  return NULL;
}

/* A NULL out pointer: the block. */
static void null_out_find(void) {
  int here;
  ASK(portable_pool_find(the_pool(), &here, NULL));
}

/* A NULL out pointer: the bytes of an array. */
static void null_out_bytes(void) {
  int64_t extents[] = {10};
  ASK(portable_array_bytes(1, extents, NULL, 32, 8, NULL));
}

/* Statistics with an invalid struct_size. */
static void stats_size(void) {
  portable_stats s;
  s.struct_size = 0;
  ASK(portable_pool_stats(the_pool(), &s));
}

/* Looking up an address outside all blocks. */
static void find_nothing(void) {
  portable_block block;
  memset(&block, 5, sizeof block);
  ASK(portable_pool_find(the_pool(), &block, &block));
  MUST(block.address == NULL && block.bytes == 0 && block.label[0] == '\0');
}

/* Keys of a kind that has no order. */
static void sort_kind(void) {
  double keys[3] = {3, 1, 2};
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  options.stride = 4;
  ASK(portable_sort("keys", PORTABLE_KIND_COMPLEX64, keys, 1, NULL));
  MUST(keys[0] > keys[2] && keys[2] > keys[1] && options.flags == 0);
}

/* Keys that overlap. */
static void sort_stride(void) {
  double keys[3] = {3, 1, 2};
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  options.stride = 4;
  ASK(portable_sort("keys", PORTABLE_KIND_REAL64, keys, 3, &options));
  MUST(keys[0] > keys[2] && keys[2] > keys[1] && options.flags == 0);
}

/* A NULL out pointer: the indices. */
static void sort_null(void) {
  double keys[3] = {3, 1, 2};
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  options.stride = 4;
  ASK(portable_sort_index("keys", PORTABLE_KIND_REAL64, keys, 3, PORTABLE_KIND_INT32, 0, NULL, NULL));
  MUST(keys[0] > keys[2] && keys[2] > keys[1] && options.flags == 0);
}

/* Random numbers of a kind that has none. */
static void random_kind(void) {
  const int64_t n = 3;
  int32_t x[3] = {3, 1, 2};
  ASK(portable_random_fill("noise", PORTABLE_KIND_INT32, portable_random_key_make(1, 2, 3), x, 1, &n, NULL));
  MUST(x[0] == 3 && x[1] == 1 && x[2] == 2);
}

/* Random numbers of cells beyond the last one. */
static void random_cells(void) {
  const int64_t n = 3;
  double x[3] = {3, 1, 2};
  portable_random_options options = PORTABLE_RANDOM_OPTIONS_INIT;
  options.first = INT64_MAX - 1;
  ASK(portable_random_fill("noise", PORTABLE_KIND_REAL64, portable_random_key_make(1, 2, 3), x, 1, &n, &options));
  MUST(x[0] > x[2] && x[2] > x[1]);
}

/* Random numbers into a negative extent, or to NULL. */
static void random_extent(void) {
  const int64_t n = -3;
  double x = 1;
  ASK(portable_random_fill("noise", PORTABLE_KIND_REAL64, portable_random_key_make(1, 2, 3), &x, 1, &n, NULL));
}

static void random_null(void) {
  const int64_t n = 3;
  ASK(portable_random_fill("noise", PORTABLE_KIND_REAL64, portable_random_key_make(1, 2, 3), NULL, 1, &n, NULL));
}

/* A value in a reserved field: of a reduction of an array, of a transform, of a launch. */
static void array_reserved(void) {
  const int64_t n = 3;
  double x[3] = {3, 1, 2}, sum = 7;
  portable_array_options options = PORTABLE_ARRAY_OPTIONS_INIT;
  options.reserved = 1;
  ASK(portable_reduce_array("total", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, &n, &options, &sum));
  MUST(sum > 6 && sum > x[0]);
}

static void fft_reserved(void) {
  const int64_t n = 2;
  double x[4] = {3, 1, 2, 0}, waves[4] = {7};
  portable_fft plan = 0;
  portable_fft_options options = PORTABLE_FFT_OPTIONS_INIT;
  options.reserved = -1;
  MUST(portable_fft_create("waves", PORTABLE_FFT_C2C, n, 1, &plan) == 0);
  ASK(portable_fft_forward("waves", plan, PORTABLE_KIND_REAL64, x, waves, 1, &n, &options));
  MUST(waves[0] > 6);
  MUST(portable_fft_destroy(plan) == 0);
}

static void launch_reserved(void) {
  const portable_bounds bounds = portable_bounds_1(3);
  portable_launch_config config_of_launch = PORTABLE_LAUNCH_CONFIG_INIT;
  config_of_launch.reserved = 1;
  ASK(portable_parallel_for("columns", &bounds, nothing, NULL, 0, &config_of_launch));
}

/* A NULL pointer in place of a result or of a function. */
#define NULL_POINTERS(X) \
  X(null_out_alloc, portable_alloc(80, "p", NULL), ERROR(ARG, "portable_alloc: an out pointer is NULL")) \
  X(null_out_pool_alloc, portable_pool_alloc(the_pool(), 80, "p", NULL), \
    ERROR(ARG, "portable_pool_alloc: an out pointer is NULL")) \
  X(null_out_create, portable_pool_create(NULL, NULL), ERROR(ARG, "portable_pool_create: an out pointer is NULL")) \
  X(null_out_default, portable_pool_default(NULL), ERROR(ARG, "portable_pool_default: an out pointer is NULL")) \
  X(null_out_stats, portable_pool_stats(the_pool(), NULL), ERROR(ARG, "portable_pool_stats: an out pointer is NULL")) \
  X(null_out_report, portable_pool_report(the_pool(), NULL, 100, NULL), \
    ERROR(ARG, "portable_pool_report: an out pointer is NULL")) \
  X(null_visit, portable_pool_list(the_pool(), NULL, NULL), ERROR(ARG, "portable_pool_list: visit is NULL")) \
  X(null_out_stream, portable_stream_create(0, PORTABLE_STREAM_ASYNC, NULL), \
    ERROR(ARG, "portable_stream_create: stream_out is NULL")) \
  X(null_native_stream, portable_stream_adopt(0, NULL, &(portable_stream){0}), ERROR(ARG, "portable_stream_adopt: native is NULL")) \
  X(native_of_host, portable_stream_adopt(0, &(int){0}, &(portable_stream){0}), ERROR(NODEVICE, "is not a device of CUDA, HIP or OpenCL")) \
  X(null_out_stream_query, portable_stream_query(0, NULL), ERROR(ARG, "portable_stream_query: done_out is NULL")) \
  X(null_out_event, portable_event_create(NULL), ERROR(ARG, "portable_event_create: event_out is NULL")) \
  X(null_out_event_query, portable_event_query(0, NULL), ERROR(ARG, "portable_event_query: done_out is NULL"))
NULL_POINTERS(CALL_FUNCTION)

static const struct kind kinds_of_arguments[] = {
    NULL_POINTERS(CALL_ROW)
    {KIND(null_out_find), ERROR(ARG, "portable_pool_find: an out pointer is NULL")},
    {KIND(null_out_bytes), ERROR(ARG, "portable_array_bytes: bytes_out is NULL")},
    {KIND(stats_size), ERROR(ARG, "portable_pool_stats: stats.struct_size is 0; set it to sizeof(portable_stats)")},
    {KIND(find_nothing), ERROR(POINTER, "is not a live block of the default pool")},
    {KIND(sort_kind), ERROR(ARG, "sort 'keys': 8 is not a kind of keys; they are PORTABLE_KIND_INT8 to _REAL64")},
    {KIND(sort_stride),
     ERROR(ARG, "sort 'keys': stride is 4 bytes; elements of 8 bytes are at least as far apart, or it is 0")},
    {KIND(sort_null), ERROR(ARG, "sort 'keys': the second array is NULL, but there are 3 keys")},
    {KIND(random_kind), ERROR(ARG, "random_fill 'noise': 3 is not a kind of random numbers; they are PORTABLE_KIND_REAL32 and _REAL64")},
    {KIND(random_cells), ERROR(OVERFLOW, "random_fill 'noise': cells from 9223372036854775806 for 3 elements do not fit int64")},
    {KIND(random_extent), ERROR(ARG, "random_fill 'noise': extent 1 is -3; it is 0 or more")},
    {KIND(array_reserved), ERROR(ARG, "reduce_array 'total': options.reserved is 1; it is 0 in this version: begin with PORTABLE_ARRAY_OPTIONS_INIT")},
    {KIND(fft_reserved), ERROR(ARG, "fft_forward 'waves': options.reserved is -1; it is 0 in this version: begin with PORTABLE_FFT_OPTIONS_INIT")},
    {KIND(launch_reserved), ERROR(ARG, "parallel_for 'columns': config.reserved is 1; it is 0 in this version: begin with PORTABLE_LAUNCH_CONFIG_INIT")},
    {KIND(random_null), ERROR(ARG, "random_fill 'noise': data is NULL, but the array has elements")},
};
const struct table arguments_table = TABLE(kinds_of_arguments, begin_running, end_running);

/* Each kind of this table gives portable_pool_create a configuration that is wrong in one field. */
static portable_pool_config config;
static portable_pool pool;

static void begin_config(void) {
  const portable_pool_config fresh = PORTABLE_POOL_CONFIG_INIT;
  config = fresh;
  pool = 5;
  begin_running();
}

static void end_config(void) {
  MUST(pool == 0);
  end_running();
}

/* A configuration with an invalid struct_size. */
static void pool_config_size(void) {
  config.struct_size = 3;
  ASK(portable_pool_create(&config, &pool));
}

/* A value in a reserved field. */
static void pool_config_reserved(void) {
  config.reserved = 1;
  ASK(portable_pool_create(&config, &pool));
}

/* One of the two functions of a source. */
static void pool_config_half_source(void) {
  config.alloc = no_slab;
  ASK(portable_pool_create(&config, &pool));
}

/* A block size that is no power of two. */
static void pool_config_block(void) {
  config.block_bytes = 48;
  ASK(portable_pool_create(&config, &pool));
}

/* A first slab that is larger than the limit. */
static void pool_config_initial_over_limit(void) {
  config.initial_bytes = 2u << 20, config.limit_bytes = 1u << 20;
  ASK(portable_pool_create(&config, &pool));
}

static const struct kind kinds_of_pool_configs[] = {
    {KIND(pool_config_size),
     ERROR(ARG, "portable_pool_create: config.struct_size is 3; begin with PORTABLE_POOL_CONFIG_INIT")},
    {KIND(pool_config_reserved),
     ERROR(ARG, "portable_pool_create: config.reserved is 1; it is 0 in this version: begin with "
                "PORTABLE_POOL_CONFIG_INIT")},
    {KIND(pool_config_half_source),
     ERROR(ARG, "portable_pool_create: free is NULL and the other is not; give both, or none for memory of the host")},
    {KIND(pool_config_block), ERROR(ARG, "a block size of 48 bytes; it is a power of two from 64 to 1073741824")},
    {KIND(pool_config_initial_over_limit),
     ERROR(ARG, "the first slab (2097152 bytes) is larger than the limit (1048576 bytes)")},
};
const struct table pool_configs_table = TABLE(kinds_of_pool_configs, begin_config, end_config);
