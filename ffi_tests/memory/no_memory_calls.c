/* no_memory_calls.c - every kind of call of the library, each with what it needs and with the release of what it made. A call
 * returns at its first failure. Not in this file: calls that run kernels (no_memory_kernels.c), what is refused (refuse.c), what must hold afterwards
 * (no_memory.c). */
#define _GNU_SOURCE
#include "no_memory_calls.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t line[1] = {N}, cube[3] = {20, 40, 50};

static portable_status starts(void) {
  portable_status status = portable_init(NULL);
  if (status == PORTABLE_OK) MUST(portable_finalize());
  return status;
}

static portable_status starts_without_pool(void) {
  portable_status status = PORTABLE_OK;
  portable_config config = PORTABLE_CONFIG_INIT;
  config.pool = -1;
  TRY(portable_init(&config));
  if (status == PORTABLE_OK) {
    void *p = NULL;
    TRY(portable_alloc(1000, "block", &p));
    if (p) MUST(portable_free(p));
    MUST(portable_finalize());
  }
  return status;
}

static portable_status blocks(void) {
  portable_status status = PORTABLE_OK;
  void *small = NULL, *large = NULL;
  TRY(portable_alloc(100, "a label of this call", &small));
  TRY(portable_alloc((size_t)90 << 20, "large", &large)); /* a slab of its own */
  if (large) MUST(portable_free(large));
  if (small) MUST(portable_free(small));
  return status;
}

static void *on_thread(void *to) {
  portable_status status = PORTABLE_OK;
  void *p = NULL;
  TRY(portable_alloc(500, "of a thread", &p));
  TRY(portable_timer_start("of a thread"));
  if (status == PORTABLE_OK) MUST(portable_timer_stop("of a thread"));
  if (p) MUST(portable_free(p));
  if (status != PORTABLE_OK) snprintf(no_memory_text, sizeof no_memory_text, "%s", portable_last_error());
  *(portable_status *)to = status;
  return NULL;
}

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *); /* the program's own thread is not refused */

static portable_status threads(void) {
  portable_status status = PORTABLE_OK;
  pthread_t thread;
  if (__real_pthread_create(&thread, NULL, on_thread, &status) == 0) pthread_join(thread, NULL);
  return status;
}

static int32_t visit(const portable_block *block, void *payload) {
  (void)block;
  ++*(int *)payload;
  return 0;
}

static portable_status pools(void) {
  portable_status status = PORTABLE_OK;
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool = 0;
  portable_stats stats;
  portable_block found;
  char text[4000];
  size_t needed;
  void *p = NULL;
  int seen = 0;
  config.name = "of this call";
  config.initial_bytes = 1 << 20;
  config.grow_bytes = 1 << 20;
  memset(&stats, 0, sizeof stats);
  stats.struct_size = (uint32_t)sizeof stats;
  memset(&found, 0, sizeof found);
  found.struct_size = (uint32_t)sizeof found;
  TRY(portable_pool_create(&config, &pool));
  if (!pool) return status;
  for (int i = 0; i < 5; i++) TRY(portable_pool_alloc(pool, 500000, "kept", &p));
  TRY(portable_pool_stats(pool, &stats));
  TRY(portable_pool_find(pool, p, &found));
  TRY(portable_pool_list(pool, visit, &seen));
  TRY(portable_pool_report(pool, text, sizeof text, &needed));
  TRY(portable_pool_check(pool));
  TRY(portable_pool_trim(pool, NULL));
  TRY(portable_checkpoint("of this call"));
  TRY(portable_pool_free(pool, p));
  MUST(portable_pool_destroy(pool)); /* warns of what is live */
  return status;
}

static portable_status looks(void) {
  portable_status status = PORTABLE_OK;
  portable_pool pool = 0;
  portable_device_properties properties = PORTABLE_DEVICE_PROPERTIES_INIT;
  portable_device device;
  uint64_t free_bytes, total_bytes;
  char text[4000];
  size_t needed;
  int seen = 0;
  TRY(portable_pool_default(&pool));
  TRY(portable_pool_list(pool, visit, &seen));
  TRY(portable_pool_report(pool, text, sizeof text, &needed));
  TRY(portable_pool_check(pool));
  TRY(portable_pool_of_space(PORTABLE_SPACE_HOST, &pool));
  TRY(portable_device_find("threads", &device));
  TRY(portable_device_properties_get(device, &properties));
  TRY(portable_device_memory_info(device, &free_bytes, &total_bytes));
  TRY(portable_fallback_print());
  return status;
}

static portable_status arrays(void) {
  portable_status status = PORTABLE_OK;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  const portable_array_range ranges[3] = {PORTABLE_RANGE(1, 10), PORTABLE_RANGE_INDEX(3), PORTABLE_RANGE_REVERSED};
  const int64_t shape[2] = {800, 50};
  const int32_t turned[3] = {2, 0, 1};
  portable_array a, b, view, copy;
  uint64_t sum;
  int32_t equal;
  void *data;
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b), memset(&copy, 0, sizeof copy);
  config.zero = 1;
  TRY(portable_array_create("a", PORTABLE_KIND_REAL64, 0, 3, cube, &config, &a));
  config.row_bytes = 128;
  TRY(portable_array_create("b", PORTABLE_KIND_REAL32, 0, 3, cube, &config, &b));
  TRY(portable_array_fill(&a, &(double){2.5}, NULL));
  TRY(portable_array_copy(&a, &b, NULL));
  TRY_HELD(portable_array_slice(&a, ranges, &view), &view);
  TRY_HELD(portable_array_reshape(&a, 2, shape, NULL, &view), &view);
  TRY_HELD(portable_array_permute(&a, turned, &view), &view);
  TRY_HELD(portable_array_collapse(&a, 1, &view), &view);
  TRY(portable_array_host_copy(&b, &copy));
  TRY(portable_array_equal(&a, &b, &equal));
  TRY(portable_array_checksum(&b, &sum));
  TRY(portable_array_data(&a, PORTABLE_SPACE_HOST, &data));
  if (portable_array_is_allocated(&copy)) MUST(portable_array_release(&copy));
  if (portable_array_is_allocated(&b)) MUST(portable_array_release(&b));
  if (portable_array_is_allocated(&a)) MUST(portable_array_release(&a));
  return status;
}

static portable_status wide_elements(void) {
  portable_status status = PORTABLE_OK;
  portable_array a, b;
  const int64_t shape[2] = {6, 5};
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
  TRY(portable_array_create("wide", PORTABLE_KIND_BYTES, 5000, 2, shape, NULL, &a));
  TRY(portable_array_create("wide too", PORTABLE_KIND_BYTES, 5000, 2, shape, NULL, &b));
  TRY(portable_array_fill(&a, NULL, NULL));
  TRY(portable_array_copy(&a, &b, NULL));
  if (portable_array_is_allocated(&b)) MUST(portable_array_release(&b));
  if (portable_array_is_allocated(&a)) MUST(portable_array_release(&a));
  return status;
}

static portable_status records(void) {
  portable_status status = PORTABLE_OK;
  portable_record record;
  portable_records a, b;
  portable_array field;
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
  TRY(portable_record_begin(&record, 0));
  TRY(portable_record_add(&record, "mass", PORTABLE_KIND_REAL64, 0, 1, PORTABLE_RECORD_NEXT));
  TRY(portable_record_add(&record, "velocity", PORTABLE_KIND_REAL32, 0, 3, PORTABLE_RECORD_NEXT));
  TRY(portable_records_create("particles", &record, PORTABLE_RECORDS_AOS, 0, 1, line, NULL, &a));
  int have_a = status == PORTABLE_OK;
  TRY(portable_records_create("fields", &record, PORTABLE_RECORDS_SOA, 0, 1, line, NULL, &b));
  int have_b = status == PORTABLE_OK;
  TRY(portable_records_copy(&a, &b, NULL));
  TRY_HELD(portable_records_field(&a, 1, 2, &field), &field);
  if (have_b) MUST(portable_records_release(&b));
  if (have_a) MUST(portable_records_release(&a));
  return status;
}

static portable_status twins(void) {
  portable_status status = PORTABLE_OK;
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_twin_state state;
  portable_twin twin = 0;
  portable_stream stream = 0;
  portable_array side;
  portable_layout layout;
  memset(&state, 0, sizeof state);
  state.struct_size = (uint32_t)sizeof state;
  config.separate = 1;
  TRY(portable_layout_rule("twin of *", "gpu", "kij", 64));
  TRY(portable_layout_find("twin of this call", 0, 3, 0, &layout));
  TRY(portable_twin_create("twin of this call", PORTABLE_KIND_REAL64, 0, 3, cube, &config, &twin));
  TRY(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &stream));
  TRY_HELD(portable_twin_host(twin, PORTABLE_TWIN_OVERWRITE, &side), &side);
  TRY(portable_twin_modified_host(twin, "this call"));
  launch.stream = stream;
  TRY(portable_twin_sync_device(twin, &launch));
  TRY(portable_stream_fence(stream));
  TRY_HELD(portable_twin_device(twin, PORTABLE_TWIN_UPDATE, &side), &side);
  TRY(portable_twin_modified_device(twin, "this call"));
  TRY(portable_twin_sync_host(twin, NULL));
  TRY(portable_twin_query(twin, &state));
  if (twin) MUST(portable_twin_release(twin));
  if (stream) MUST(portable_stream_destroy(stream));
  MUST(portable_layout_rule("twin of *", "gpu", NULL, 0));
  return status;
}

static portable_status timers(void) {
  portable_status status = PORTABLE_OK;
  static char text[20000], pack[20000];
  size_t needed = 0, packed = 0;
  int deep = 0;
  TRY(portable_timers_enable(1));
  for (; deep < 40 && status == PORTABLE_OK; deep++) {
    char label[20] = {'t', (char)('A' + deep), 0};
    TRY(portable_timer_start(label));
    if (status != PORTABLE_OK) break;
  }
  while (deep-- > 0) {
    char label[20] = {'t', (char)('A' + deep), 0};
    MUST(portable_timer_stop(label));
  }
  TRY(portable_timers_report(text, sizeof text, &needed));
  TRY(portable_timers_json(text, sizeof text, &needed));
  TRY(portable_timers_pack(pack, sizeof pack, &packed));
  TRY(portable_timers_merged_report(pack, packed, text, sizeof text, &needed));
  TRY(portable_timers_print("no_memory_timers.json"));
  MUST(portable_timers_reset());
  return status;
}

static void hooked(const portable_hook_event *event, void *payload) { (void)event, ++*(int *)payload; }

static portable_status hooks(void) {
  portable_status status = PORTABLE_OK;
  portable_hook hook = 0;
  static int events;
  void *p = NULL;
  TRY(portable_hook_add(hooked, &events, PORTABLE_EVENT_ALLOC | PORTABLE_EVENT_FREE, &hook));
  TRY(portable_alloc(100, "hooked", &p));
  if (p) MUST(portable_free(p));
  if (hook) MUST(portable_hook_remove(hook));
  TRY(portable_set_checks(PORTABLE_CHECK_LAUNCH | PORTABLE_CHECK_ARRAYS));
  TRY(launches());
  TRY(arrays());
  TRY(twins());
  MUST(portable_set_checks(0));
  return status;
}

const struct no_memory_call no_memory_calls[] = {
    {"starts", starts, 1, 0},         {"starts_without_pool", starts_without_pool, 1, 0},
    {"blocks", blocks, 0, 0},         {"threads", threads, 0, 0},
    {"pools", pools, 0, 0},           {"looks", looks, 0, 0},
    {"arrays", arrays, 0, 0},         {"wide_elements", wide_elements, 0, 0},
    {"launches", launches, 0, 0},     {"teams", teams, 0, 0},
    {"outer", outer, 0, PORTABLE_ERR_KERNEL},           {"reductions", reductions, 0, 0},
    {"liveouts", liveouts, 0, 0},     {"array_reductions", array_reductions, 0, 0},
    {"scans", scans, 0, 0},           {"sorts", sorts, 0, 0},
    {"filters", filters, 0, 0},       {"elementwise", elementwise, 0, 0},
    {"streams", streams, 0, 0},       {"kernels", kernels, 0, 0},
    {"records", records, 0, 0},       {"twins", twins, 0, 0},
    {"timers", timers, 0, 0},         {"hooks", hooks, 0, 0},
    {NULL, NULL, 0, 0},
};
