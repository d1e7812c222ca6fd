/* every.c - every public function, called by several threads with arguments that are right, while one thread starts and stops the library, for
 * EVERY_SECONDS (4). A call gives what it gives, but no call hangs and nothing crashes: a watchdog names the calls that have not returned for 20 s. The
 * list of calls is written from the headers (internal/gen/every.go). Not in this file: results (launch and others). */
#include "emulated.h"
#include <portable.h>
#include <portable_blocks.h>
#include <portable_graph.h>
#include <portable_mesh.h>
#include <portable_particles.h>
#include <portable_random.h>


#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CALLERS = 3, COUNT = 20000, HANGS_AFTER_S = 20 };

/* The arguments of a thread's calls. They are new at each round, because the library may have stopped since. */
struct world {
  unsigned round, seed;
  const char *_Atomic calling;
  _Atomic long begun_s;
  double *x, *y, *z;
  int32_t *mask;
  char text[1 << 16];
  double block_args[4];
  void *block, *pool_block, *out;
  long block_run;
  size_t bytes;
  int32_t i32, dims[1];
  int64_t i64, extents[1], zeroes[1], ones[1], box_cells[1];
  uint32_t u32[3];
  uint64_t u64;
  float f32;
  double f64;
  void *fields[1];
  portable_bounds bounds, bounds_out;
  portable_launch_config config;
  const portable_launch_config *launch;
  portable_exact exact, exact_other;
  portable_pool pool, pool_out, known;
  portable_stats stats;
  portable_block found;
  portable_kernel kernel, kernel_out;
  portable_stream stream, stream_out;
  portable_event event, event_out;
  portable_graph graph, graph_out;
  portable_liveout liveout, liveout_out;
  portable_csr csr;
  portable_cell_list cells;
  portable_index_map map;
  portable_fft fft, fft_out;
  portable_halo halo, halo_out;
  portable_fields fields_list, fields_more, fields_out;
  portable_halo_box_options box;
  portable_halo_lists_options lists;
  int32_t owner[2];
  portable_bounds rim[6];
  portable_twin twin, twin_out;
  portable_array array, other, array_out;
  portable_array_range ranges[1];
  portable_hook hook_out;
  portable_argument argument;
  portable_reduction reduction;
  portable_record record;
  portable_records records, records_other, records_out;
  portable_timer_stats timer;
  portable_twin_state state;
  portable_layout layout;
  portable_work_division division;
  portable_device_properties properties;
};

static struct world worlds[CALLERS + 1];
static _Atomic int stop;
static _Atomic long calls, runs;
static pthread_rwlock_t run_lock = PTHREAD_RWLOCK_INITIALIZER;
static long run; /* odd: the library runs, and does not end before run_lock is free for writing */
static portable_record every_record;
static const portable_argument every_argument = {"v", PORTABLE_ARGUMENT_REAL64, 0, 0, sizeof(double)};

/* ---- functions of the program ---- */

static void every_kernel(const portable_tile *tile, void *args) {
  portable_pool pool;
  (void)args;
  if (tile->lower[0] == 0) portable_pool_default(&pool);
}

static void every_team(const portable_team *team, void *args) { (void)team, (void)args; }

static const int32_t every_threads[] = {4, 2, 2};
static void every_thread(const portable_thread_block *b, void *args) {
  (void)args;
  portable_block_barrier(b);
}

static void every_reduce(const portable_tile *tile, void *args, void *const *partial) {
  (void)args;
  *(double *)partial[0] += (double)(tile->upper[0] - tile->lower[0] + 1);
}

static void every_filter(const portable_tile *tile, void *args, unsigned char *chosen) {
  (void)args;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) chosen[i - tile->lower[0]] = i % 3 == 0;
}

static void every_callback(portable_status status, void *payload) { (void)status, (void)payload; }
static portable_status every_enqueue(void *native, void *payload) { return (void)native, (void)payload, PORTABLE_OK; }
static portable_status every_leaves(void *native, struct portable_launch_space *space, uint32_t blocks, uint32_t threads, void *payload) {
  return (void)native, (void)space, (void)blocks, (void)threads, (void)payload, PORTABLE_OK;
}
static int32_t every_block(const portable_block *block, void *payload) { return (void)block, (void)payload, 0; }
static int32_t every_fallback(const portable_fallback *fallback, void *payload) { return (void)fallback, (void)payload, 0; }
static void every_hook(const portable_hook_event *event, void *payload) { (void)event, (void)payload; }

static int pool_is_new(portable_pool pool) {
  portable_pool known = 0;
  return pool && portable_pool_default(&known) == PORTABLE_OK && known != pool;
}

/* ---- a block ---- */

/* A block of an ended run is the library's: in the next run its address may belong to the scratch memory of another thread's call. */
static void make_block(struct world *w) {
  pthread_rwlock_rdlock(&run_lock);
  w->block = NULL;
  w->block_run = run;
  if (run % 2) portable_alloc(1000, "every", &w->block);
  pthread_rwlock_unlock(&run_lock);
}

static void free_block(struct world *w) {
  pthread_rwlock_rdlock(&run_lock);
  if (w->block_run == run) portable_free(w->block);
  w->block = NULL;
  pthread_rwlock_unlock(&run_lock);
}

static void run_changes(void) {
  pthread_rwlock_wrlock(&run_lock);
  run++;
  pthread_rwlock_unlock(&run_lock);
}

/* ---- the calls ---- */

#define EVERY(name, ...) \
  static void call_##name(struct world *w) { (void)w; __VA_ARGS__ }
#include "every_calls.inc"
#undef EVERY

static const struct {
  const char *name;
  void (*call)(struct world *w);
} every[] = {
#define EVERY(name, ...) {#name, call_##name},
#include "every_calls.inc"
#undef EVERY
};

enum { CALLS = sizeof every / sizeof *every };

static long now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long)t.tv_sec;
}

static void begins(struct world *w, const char *name) {
  atomic_store(&w->begun_s, now_s());
  atomic_store(&w->calling, name);
}

static void make(struct world *w) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_device_properties properties = PORTABLE_DEVICE_PROPERTIES_INIT;
  begins(w, "making what the calls need");
  w->extents[0] = COUNT;
  w->ones[0] = 1;
  w->zeroes[0] = 0;
  w->dims[0] = 0;
  w->fields[0] = w->x;
  w->bounds = portable_bounds_1(COUNT);
  w->properties = properties;
  portable_exact_init(&w->exact);
  portable_exact_init(&w->exact_other);
  make_block(w);
  portable_pool_create(NULL, &w->pool);
  portable_pool_alloc(w->pool, 1000, "every", &w->pool_block);
  portable_kernel_create("every", sizeof w->block_args, &every_argument, 1, &w->kernel);
  portable_kernel_set_host(w->kernel, every_kernel);
  portable_kernel_set_host_team(w->kernel, every_team);
  portable_kernel_set_host_reduce(w->kernel, every_reduce);
  portable_stream_create(0, PORTABLE_STREAM_ASYNC, &w->stream);
  portable_event_create(&w->event);
  portable_event_record(w->event, w->stream);
  portable_liveout_create("every", PORTABLE_KIND_REAL64, NULL, &w->liveout);
  portable_fft_create("every", PORTABLE_FFT_R2C, COUNT, 1, &w->fft);
  w->box = (portable_halo_box_options)PORTABLE_HALO_BOX_OPTIONS_INIT;
  w->box.rank = 1;
  w->box.global = w->box_cells;
  w->box_cells[0] = COUNT - 2;
  w->lists = (portable_halo_lists_options)PORTABLE_HALO_LISTS_OPTIONS_INIT;
  portable_halo_box("every", NULL, &w->box, &w->halo);
  portable_fields_create("every", &w->fields_list);
  portable_fields_create("more", &w->fields_more);
  portable_array_create("every", PORTABLE_KIND_REAL64, 0, 1, w->extents, NULL, &w->array);
  portable_fields_add(w->fields_list, "array", &w->array, 0, NULL);
  portable_array_create("other", PORTABLE_KIND_REAL64, 0, 1, w->extents, NULL, &w->other);
  portable_twin_create("every", PORTABLE_KIND_REAL64, 8, 1, w->extents, NULL, &w->twin);
  portable_records_create("every", &every_record, PORTABLE_RECORDS_SOA, 0, 1, w->extents, NULL, &w->records);
  portable_records_create("other", &every_record, PORTABLE_RECORDS_SOA, 0, 1, w->extents, NULL, &w->records_other);
  w->reduction = (portable_reduction)PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, NULL);
  w->reduction.to = w->round % 2 ? NULL : &w->f64;
  w->reduction.liveout = w->round % 2 ? w->liveout : 0;
  w->config = config;
  w->config.stream = w->stream;
  w->launch = w->round % 3 ? NULL : &w->config;
  portable_graph_begin(w->stream, &w->graph);
  portable_parallel_for("every", &w->bounds, every_kernel, w->block_args, sizeof w->block_args, &w->config);
  portable_graph_end(w->graph);
}

static void drop(struct world *w) {
  begins(w, "freeing it");
  portable_graph_destroy(w->graph);
  portable_stream_destroy(w->stream);
  portable_event_destroy(w->event);
  portable_liveout_destroy(w->liveout);
  portable_fft_destroy(w->fft);
  portable_halo_end(w->halo, w->fields_list, NULL);
  portable_halo_destroy(w->halo);
  portable_fields_destroy(w->fields_list);
  portable_fields_destroy(w->fields_more);
  portable_twin_release(w->twin);
  portable_records_release(&w->records);
  portable_records_release(&w->records_other);
  portable_array_release(&w->array);
  portable_array_release(&w->other);
  portable_kernel_destroy(w->kernel);
  portable_pool_destroy(w->pool);
  free_block(w);
}

static void *caller(void *argument) {
  struct world *w = argument;
  int order[CALLS];
  w->x = calloc(COUNT, sizeof *w->x);
  w->y = calloc(COUNT, sizeof *w->y);
  w->z = calloc(COUNT, sizeof *w->z);
  w->mask = calloc(COUNT, sizeof *w->mask);
  for (int i = 0; i < CALLS; i++) order[i] = i;
  for (w->round = 0; !stop; w->round++) {
    make(w);
    for (int i = CALLS - 1; i > 0; i--) {
      int j = rand_r(&w->seed) % (i + 1), one = order[i];
      order[i] = order[j], order[j] = one;
    }
    for (int i = 0; i < CALLS && !stop; i++) {
      begins(w, every[order[i]].name);
      every[order[i]].call(w);
      atomic_fetch_add(&calls, 1);
    }
    drop(w);
  }
  begins(w, NULL);
  free(w->x), free(w->y), free(w->z), free(w->mask);
  return NULL;
}

static void *starter(void *argument) {
  struct world *w = argument;
  for (; !stop; atomic_fetch_add(&runs, 1)) {
    begins(w, "portable_init");
    if (runs % 4 == 3) gatorInit();
    portable_init(NULL);
    run_changes();
    usleep((useconds_t)(rand_r(&w->seed) % 5000));
    begins(w, "portable_finalize");
    run_changes();
    portable_finalize();
    if (runs % 4 == 3) gatorFinalize();
  }
  begins(w, NULL);
  return NULL;
}

static int hangs(void) {
  int found = 0;
  for (int i = 0; i <= CALLERS; i++) {
    const char *calling = atomic_load(&worlds[i].calling);
    if (!calling || now_s() - atomic_load(&worlds[i].begun_s) < (long)emulated_seconds(HANGS_AFTER_S)) continue;
    found = 1;
    printf("thread %d has been in %s for %d s\n", i, calling, HANGS_AFTER_S);
  }
  return found;
}

int main(void) {
  pthread_t threads[CALLERS + 1];
  const char *seconds = getenv("EVERY_SECONDS");
  long end = now_s() + (long)emulated_seconds(seconds ? (unsigned)atol(seconds) : 4);
  static double field;
  portable_record_begin(&every_record, sizeof field);
  portable_record_add(&every_record, "x", PORTABLE_KIND_REAL64, sizeof field, 1, 0);
  for (int i = 0; i <= CALLERS; i++) {
    worlds[i].seed = (unsigned)i + 1;
    begins(&worlds[i], "its start");
    if (pthread_create(&threads[i], NULL, i < CALLERS ? caller : starter, &worlds[i])) return 2;
  }
  while (now_s() < end) {
    usleep(100000);
    if (hangs()) return 1;
  }
  stop = 1;
  for (int ended = 0; !ended; usleep(10000)) { /* a join would hang with them */
    ended = 1;
    for (int i = 0; i <= CALLERS; i++) ended &= atomic_load(&worlds[i].calling) == NULL;
    if (hangs()) return 1;
  }
  for (int i = 0; i <= CALLERS; i++) pthread_join(threads[i], NULL);
  printf("%ld calls of %d functions during %ld runs of the library\n", calls, (int)CALLS, runs);
  return runs < 3 || calls < CALLS; /* nothing was tested */
}
