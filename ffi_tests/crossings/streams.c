/* streams.c - crossings of streams, events, live-outs and kernel objects. Not in this file: how to count (count.h). */
#include "count.h"

#include <portable_blocks.h>
#include <portable_graph.h>

static portable_stream streams[2];
static portable_event events[2];
static portable_liveout values[2];
static portable_kernel kernels[2];

static void nothing(portable_status status, void *payload) { (void)status; (void)payload; }
static void empty(const portable_tile *tile, void *args) { (void)tile; (void)args; }
static void reduce(const portable_tile *tile, void *args, void *const *partial) { (void)tile; (void)args; (void)partial; }
static void outer(const portable_team *team, void *args) { (void)team; (void)args; }
static void thread(const portable_thread_block *b, void *args) { (void)b; (void)args; }

static void with_streams(int32_t kind) {
  ROW(1, 1, portable_stream_create(portable_default_device(), kind, &streams[again]));
  ROW_VALUE(0, 0, portable_stream_device(streams[again]));
  ROW_VALUE(0, 0, portable_stream_kind(streams[again]));
  ROW(0, 0, portable_stream_call(streams[again], nothing, NULL));
  ROW(0, 0, portable_stream_release(streams[again], nothing, NULL));
  int32_t done;
  ROW(0, 0, portable_stream_fence(streams[again]));
  ROW(0, 0, portable_stream_query(streams[again], &done));
  ROW(0, 0, portable_event_create(&events[again]));
  ROW(0, 0, portable_event_record(events[again], streams[again]));
  ROW(0, 0, portable_event_query(events[again], &done));
  ROW(0, 0, portable_event_wait(events[again]));
  ROW(0, 0, portable_stream_wait_event(streams[again], events[again]));
  ROW(0, 0, portable_event_destroy(events[again]));
  void *p;
  CHECK_STATUS(portable_alloc(64, "of streams", &p), PORTABLE_OK);
  ROW(1, 1, portable_add_stream_dependency(p, streams[again]));
  ROW(0, 0, portable_fence_memory(p));
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  void *native;
  ROW_STATUS(1, 1, PORTABLE_ERR_NODEVICE, portable_stream_native(streams[again], &native));
  portable_stream adopted;
  ROW_STATUS(1, 1, PORTABLE_ERR_NODEVICE, portable_stream_adopt(portable_default_device(), &native, &adopted));
  ROW(0, 0, portable_stream_destroy(streams[again]));
}

/* A thread records one graph at a time, so both are recorded when they are ended. To begin crosses nothing. */
static portable_status record_none(portable_stream stream, portable_graph *graph_out) {
  portable_status status = portable_graph_begin(stream, graph_out);
  return status == PORTABLE_OK ? portable_graph_end(*graph_out) : status;
}

static void with_graphs(void) {
  portable_graph graphs[2];
  portable_stream stream;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(8);
  int64_t block = 1;
  int32_t nodes;
  CHECK_STATUS(portable_stream_create(portable_default_device(), PORTABLE_STREAM_ASYNC, &stream), PORTABLE_OK);
  config.stream = stream;
  ROW_UNDONE(0, 0, portable_graph_begin(stream, &graphs[again]),
             (portable_parallel_for("node", &b, empty, &block, sizeof block, &config), portable_graph_end(graphs[again]), portable_graph_destroy(graphs[again])));
  /* Go keeps the blocks of a launch when it is recorded: the program may free them before the end. */
  CHECK_STATUS(portable_graph_begin(stream, &graphs[0]), PORTABLE_OK);
  ROW(1, 1, portable_parallel_for("node", &b, empty, &block, sizeof block, &config));
  CHECK_STATUS(portable_graph_end(graphs[0]), PORTABLE_OK);
  ROW(0, 0, portable_graph_nodes(graphs[0], &nodes));
  ROW(1, 1, portable_graph_update(graphs[0], 0, &block, sizeof block));
  ROW(0, 0, portable_graph_launch(graphs[0], stream));
  CHECK_STATUS(portable_stream_fence(stream), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graphs[0]), PORTABLE_OK);
  ROW_KERNEL(1, 1, portable_graph_end, PORTABLE_OK, record_none(stream, &graphs[again]));
  ROW(1, 1, portable_graph_destroy(graphs[again]));
  CHECK_STATUS(portable_stream_destroy(stream), PORTABLE_OK);
}

static void with_liveouts(void) {
  double x = 1;
  int32_t i4 = 4;
  int64_t i8 = 8;
  float r4 = 4;
  void *p;
  ROW(1, 1, portable_liveout_create("x", PORTABLE_KIND_REAL64, &x, &values[again]));
  ROW(0, 0, portable_liveout_host_read(values[0], PORTABLE_KIND_REAL64, &x));
  ROW(0, 0, portable_liveout_host_write(values[0], PORTABLE_KIND_REAL64, &x));
  ROW(0, 0, portable_liveout_host_read_real64(values[0], &x));
  ROW(0, 0, portable_liveout_host_write_real64(values[0], x));
  ROW(0, 0, portable_liveout_pointer(values[0], PORTABLE_KIND_REAL64, &p));
  ROW(0, 0, portable_liveout_destroy(values[again]));
  CHECK_STATUS(portable_liveout_create("i", PORTABLE_KIND_INT32, &i4, &values[0]), PORTABLE_OK);
  ROW(0, 0, portable_liveout_host_read_int32(values[0], &i4));
  ROW(0, 0, portable_liveout_host_write_int32(values[0], i4));
  CHECK_STATUS(portable_liveout_destroy(values[0]), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_create("i", PORTABLE_KIND_INT64, &i8, &values[0]), PORTABLE_OK);
  ROW(0, 0, portable_liveout_host_read_int64(values[0], &i8));
  ROW(0, 0, portable_liveout_host_write_int64(values[0], i8));
  CHECK_STATUS(portable_liveout_destroy(values[0]), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_create("r", PORTABLE_KIND_REAL32, &r4, &values[0]), PORTABLE_OK);
  ROW(0, 0, portable_liveout_host_read_real32(values[0], &r4));
  ROW(0, 0, portable_liveout_host_write_real32(values[0], r4));
  CHECK_STATUS(portable_liveout_destroy(values[0]), PORTABLE_OK);
}

static void with_kernels(void) {
  const portable_argument n = {"n", PORTABLE_ARGUMENT_INT64, 0, 0, 8};
  portable_argument got;
  portable_bounds b = portable_bounds_1(8);
  int64_t block = 3, sum;
  portable_reduction result = {.struct_size = (uint32_t)sizeof result, .operation = PORTABLE_REDUCE_SUM, .kind = PORTABLE_KIND_INT64, .to = &sum};
  char log[256];
  ROW(1, 1, portable_kernel_create("k", sizeof block, &n, 1, &kernels[again]));
  ROW(0, 0, portable_kernel_set_host(kernels[again], empty));
  ROW(0, 0, portable_kernel_set_host_team(kernels[again], outer));
  ROW(0, 0, portable_kernel_set_host_block(kernels[again], thread));
  ROW(0, 0, portable_kernel_set_host_reduce(kernels[again], reduce));
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.code = "extern \"C\" __global__ void k() {}";
  code.entry = "k";
  ROW(1, 1, portable_kernel_set_cuda(kernels[again], &code));
  ROW(0, 0, portable_kernel_prepare(kernels[0], portable_default_device()));
  ROW(1, 1, portable_kernel_cuda_log(kernels[0], log, sizeof log, NULL));
  ROW(0, 0, portable_kernel_argument(kernels[0], 0, &got));
  ROW(0, 0, portable_launch(kernels[0], &b, &block, NULL));
  ROW(0, 0, portable_launch_outer(kernels[0], &b, &block, 0, NULL));
  ROW(0, 0, portable_launch_blocks(kernels[0], &b, (const int32_t[]){2}, &block, 0, NULL));
  ROW(0, 0, portable_launch_reduce(kernels[0], &b, &block, &result, 1, NULL));
  ROW(0, 0, portable_kernel_destroy(kernels[again]));
}

static portable_status enqueue(void *native, void *payload) { (void)native; (void)payload; return PORTABLE_OK; }

static portable_status leaves(void *native, struct portable_launch_space *space, uint32_t blocks, uint32_t threads_of, void *payload) {
  (void)native; (void)space; (void)blocks; (void)threads_of; (void)payload;
  return PORTABLE_OK;
}

/* Calls that are for CUDA devices alone: a host device refuses them. */
static void for_devices(void) {
  portable_bounds b = portable_bounds_1(8);
  uint32_t grid[3], threads[3];
  char space[4096];
  ROW_STATUS(1, 1, PORTABLE_ERR_NODEVICE, portable_device_enqueue("e", portable_default_device(), 0, enqueue, NULL, 0));
  double total;
  portable_reduction sum = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &total);
  ROW_STATUS(1, 1, PORTABLE_ERR_NODEVICE, portable_device_reduce("r", &b, leaves, NULL, &sum, 1, NULL));
  ROW_STATUS(1, 1, PORTABLE_ERR_NODEVICE, portable_device_space("s", &b, portable_default_device(), 0, (struct portable_launch_space *)(void *)space, grid, threads));
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  count_self_test();
  count_warm_up();
  with_streams(PORTABLE_STREAM_ASYNC);
  with_streams(PORTABLE_STREAM_SYNC);
  with_graphs();
  with_liveouts();
  with_kernels();
  for_devices();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
