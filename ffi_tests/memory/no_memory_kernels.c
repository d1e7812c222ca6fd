/* no_memory_kernels.c - calls that run kernels: launches, reductions, scans, sorts, streams and kernel objects. Not in this file: all other calls, and the
 * table of all (no_memory_calls.c). */
#include "no_memory_calls.h"

#include <stddef.h>
#include <string.h>

static double x[N], y[N];
static int64_t index_of[N];
static _Bool mask[N];
static const int64_t line[1] = {N}, square[2] = {SIDE, SIDE}, cube[3] = {20, 40, 50};

struct wide { double a; char unused[9000]; };

static void kernel(const portable_tile *tile, void *args) {
  const struct wide *w = args;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) x[i] = w->a + (double)i;
}

portable_status launches(void) {
  portable_status status = PORTABLE_OK;
  portable_bounds b = portable_bounds_1(N);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  struct wide args = {1, {0}};
  config.schedule = PORTABLE_SCHEDULE_DYNAMIC;
  config.tile[0] = 1000;
  TRY(portable_parallel_for("plain", &b, kernel, &args, sizeof args, NULL));
  TRY(portable_parallel_for("dynamic", &b, kernel, &args, sizeof args, &config));
  TRY(portable_fence());
  return status;
}

portable_status teams(void) {
  portable_status status = portable_set_num_threads(3);
  portable_bounds b = portable_bounds_1(N);
  struct wide args = {1, {0}};
  TRY(portable_parallel_for("of three", &b, kernel, &args, sizeof args, NULL));
  MUST(portable_set_num_threads(2));
  return status;
}

static void member(const portable_team *team, void *args) {
  (void)args;
  if (team->scratch) memset(team->scratch, 1, 100);
}

portable_status outer(void) {
  portable_bounds b = portable_bounds_1(50);
  struct wide args = {1, {0}};
  return portable_parallel_outer("outer", &b, member, &args, sizeof args, 20000, NULL);
}

static void sum_up(const portable_tile *tile, void *args, void *const *partial) {
  (void)args;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) *(double *)partial[0] += x[i];
}

static void exactly(const portable_tile *tile, void *args, void *const *partial) {
  (void)args;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) portable_exact_add(partial[0], x[i]);
}

static void combine(void *into, const void *from, void *context) {
  (void)context;
  *(double *)into += *(const double *)from;
}

portable_status reductions(void) {
  portable_status status = PORTABLE_OK;
  portable_bounds b = portable_bounds_1(N);
  double sum = 0;
  static double wide[1000];
  portable_reduction plain = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &sum);
  portable_reduction exact = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &sum);
  portable_reduction user = PORTABLE_REDUCTION(PORTABLE_REDUCE_USER, 0, wide);
  struct wide args = {1, {0}};
  exact.flags = PORTABLE_REDUCE_EXACT;
  user.bytes = sizeof wide;
  user.combine = combine;
  TRY(portable_parallel_reduce("sum", &b, sum_up, &args, sizeof args, &plain, 1, NULL));
  TRY(portable_parallel_reduce("exact", &b, exactly, NULL, 0, &exact, 1, NULL));
  TRY(portable_parallel_reduce("user", &b, sum_up, NULL, 0, &user, 1, NULL));
  return status;
}

portable_status liveouts(void) {
  portable_status status = PORTABLE_OK;
  portable_liveout value = 0;
  portable_bounds b = portable_bounds_1(N);
  double read;
  void *pointer;
  portable_reduction into = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, NULL);
  TRY(portable_liveout_create("total", PORTABLE_KIND_REAL64, &(double){1}, &value));
  into.liveout = value;
  TRY(portable_parallel_reduce("into", &b, sum_up, NULL, 0, &into, 1, NULL));
  TRY(portable_liveout_host_write(value, PORTABLE_KIND_REAL64, &(double){2}));
  TRY(portable_liveout_host_read(value, PORTABLE_KIND_REAL64, &read));
  TRY(portable_liveout_pointer(value, PORTABLE_KIND_REAL64, &pointer));
  if (value) MUST(portable_liveout_destroy(value));
  return status;
}

portable_status array_reductions(void) {
  portable_status status = PORTABLE_OK;
  portable_array_options options = PORTABLE_ARRAY_OPTIONS_INIT;
  double sum, sums[SIDE];
  int64_t where[2];
  TRY(portable_reduce_array("sum", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, line, NULL, &sum));
  TRY(portable_reduce_array("where", PORTABLE_REDUCE_MINLOC, PORTABLE_KIND_REAL64, x, 2, square, NULL, where));
  options.dim = 1;
  options.mask = mask;
  options.mask_kind = PORTABLE_KIND_LOGICAL8;
  TRY(portable_reduce_array("columns", PORTABLE_REDUCE_MAX, PORTABLE_KIND_REAL64, x, 2, square, &options, sums));
  options.mask = NULL;
  options.dim = 0;
  options.flags = PORTABLE_REDUCE_EXACT;
  TRY(portable_reduce_array("exact", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, line, &options, &sum));
  return status;
}

portable_status scans(void) {
  portable_status status = PORTABLE_OK;
  portable_scan_options options = PORTABLE_SCAN_OPTIONS_INIT;
  TRY(portable_scan("scan", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, line, NULL, y));
  options.dim = 2;
  TRY(portable_scan("rows", PORTABLE_REDUCE_MAX, PORTABLE_KIND_REAL64, x, 2, square, &options, y));
  return status;
}

portable_status sorts(void) {
  portable_status status = PORTABLE_OK;
  for (int i = 0; i < N; i++) y[i] = (double)((i * 7919) % N);
  TRY(portable_sort("sort", PORTABLE_KIND_REAL64, y, N, NULL));
  TRY(portable_sort_by_key("by key", PORTABLE_KIND_REAL64, y, index_of, sizeof *index_of, N, NULL));
  TRY(portable_sort_index("index", PORTABLE_KIND_REAL64, y, N, PORTABLE_KIND_INT64, 0, NULL, index_of));
  return status;
}

static void chooses(const portable_tile *tile, void *args, unsigned char *chosen) {
  (void)args;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) chosen[i - tile->lower[0]] = i % 3 == 0;
}

portable_status filters(void) {
  portable_status status = PORTABLE_OK;
  portable_bounds b = portable_bounds_1(N);
  int64_t count = 0;
  for (int i = 0; i < N; i += 2) mask[i] = 1;
  TRY(portable_pack("pack", sizeof *x, x, 1, line, PORTABLE_KIND_LOGICAL8, mask, NULL, y, N, &count));
  TRY(portable_unpack("unpack", sizeof *x, y, count, 1, line, PORTABLE_KIND_LOGICAL8, mask, NULL, x, &count));
  TRY(portable_filter_indices("indices", 2, square, PORTABLE_KIND_LOGICAL8, mask, NULL, 0, PORTABLE_KIND_INT64, index_of, N, &count));
  TRY(portable_parallel_filter("chosen", &b, chooses, NULL, 0, PORTABLE_KIND_INT64, index_of, N, &count, NULL));
  return status;
}

portable_status elementwise(void) {
  portable_status status = PORTABLE_OK;
  TRY(portable_binary("add", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, x, y, x, 2, square, NULL));
  TRY(portable_unary("absolute", PORTABLE_UNARY_ABS, PORTABLE_KIND_REAL64, x, y, 3, cube, NULL));
  TRY(portable_merge("merge", PORTABLE_KIND_REAL64, x, y, PORTABLE_KIND_LOGICAL8, mask, y, 1, line, NULL));
  TRY(portable_fill("fill", &(double){3}, sizeof *y, y, 1, line, NULL));
  return status;
}

static void called(portable_status status, void *payload) {
  (void)status;
  ++*(int *)payload;
}

portable_status streams(void) {
  portable_status status = PORTABLE_OK;
  portable_stream stream = 0, other = 0;
  portable_event event = 0;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(N);
  struct wide args = {1, {0}};
  static int calls;
  int32_t done;
  void *p = NULL;
  TRY(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &stream));
  TRY(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &other));
  TRY(portable_event_create(&event));
  TRY(portable_alloc(1000, "used by a stream", &p));
  config.stream = stream;
  for (int i = 0; i < 40; i++) TRY(portable_parallel_for("in a stream", &b, kernel, &args, sizeof args, &config));
  TRY(portable_event_record(event, stream));
  TRY(portable_stream_wait_event(other, event));
  TRY(portable_stream_call(other, called, &calls));
  TRY(portable_add_stream_dependency(p, stream));
  if (p) MUST(portable_free(p));
  TRY(portable_event_query(event, &done));
  TRY(portable_event_wait(event));
  TRY(portable_stream_fence(other));
  if (event) MUST(portable_event_destroy(event));
  if (other) MUST(portable_stream_destroy(other));
  if (stream) MUST(portable_stream_destroy(stream));
  return status;
}

struct block { double *to; portable_liveout total; double unused[600]; };

static void of_block(const portable_tile *tile, void *args) {
  struct block *b = args;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) b->to[i] = (double)i;
}

portable_status kernels(void) {
  portable_status status = PORTABLE_OK;
  static const portable_argument arguments[] = {
      {"to", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_WRITE, offsetof(struct block, to), sizeof(double *)},
      {"total", PORTABLE_ARGUMENT_LIVEOUT, 0, offsetof(struct block, total), sizeof(portable_liveout)}};
  portable_kernel object = 0;
  portable_bounds bounds = portable_bounds_1(N);
  portable_argument argument;
  struct block args;
  double sum;
  portable_reduction result = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &sum);
  memset(&args, 0, sizeof args);
  TRY(portable_alloc(sizeof y, "to", (void **)&args.to)); /* the device emulated does not reach the program's own memory */
  TRY(portable_liveout_create("total", PORTABLE_KIND_REAL64, NULL, &args.total));
  TRY(portable_kernel_create("object", sizeof args, arguments, 2, &object));
  TRY(portable_kernel_set_host(object, of_block));
  TRY(portable_kernel_set_host_reduce(object, sum_up));
  TRY(portable_kernel_argument(object, 0, &argument));
  TRY(portable_launch(object, &bounds, &args, NULL));
  TRY(portable_launch_reduce(object, &bounds, &args, &result, 1, NULL));
  if (object) MUST(portable_kernel_destroy(object));
  if (args.total) MUST(portable_liveout_destroy(args.total));
  if (args.to) MUST(portable_free(args.to));
  return status;
}
