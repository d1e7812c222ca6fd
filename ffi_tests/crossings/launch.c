/* launch.c - crossings of devices, launches, bounds, work divisions and functions that kernels call. Not in this file: how to count (count.h). */
#include "count.h"

#include <portable_blocks.h>

static void empty(const portable_tile *tile, void *args) { (void)tile; (void)args; }
static void reduce(const portable_tile *tile, void *args, void *const *partial) { (void)tile; (void)args; (void)partial; }
static void filter(const portable_tile *tile, void *args, unsigned char *chosen) {
  (void)args;
  for (int64_t i = 0; i <= tile->upper[0] - tile->lower[0]; i++) chosen[i] = 1;
}
static void outer(const portable_team *team, void *args) { (void)team; (void)args; }

static void fails(const portable_tile *tile, void *args) { (void)args; portable_kernel_fail(tile, 3, "on purpose"); }
static void asks(const portable_tile *tile, void *args) {
  (void)args;
  CHECK(portable_in_kernel());
  CHECK(portable_tile_order(tile) == PORTABLE_ORDER_C);
}
static void divides(const portable_team *team, void *args) {
  portable_bounds all = portable_bounds_1(10);
  portable_tile t;
  (void)args;
  portable_inner_tile(team, &all, 0, &t);
}
static void waits(const portable_team *team, void *args) {
  (void)args;
  portable_fence_members(team);
}
static const int32_t block_threads[] = {4};
static void thread(const portable_thread_block *b, void *args) {
  (void)args;
  portable_block_wait(b, NULL, 0);
  portable__fortran_block_barrier(b);
  portable__fortran_block_barrier_line(b, 1);
}
static void shares(const portable_team *team, void *args) {
  int64_t lower = 0, upper = 9, stride = 1;
  (void)args;
  CHECK(portable_inner_members(team, 1, &lower, &upper, &stride) == 1 && upper == 9);
}
static void races(const portable_tile *tile, void *args) {
  double x[4];
  struct { double *data; int64_t lower[1], extent[1], stride[1]; } v = {x, {0}, {4}, {1}};
  portable_shadow s;
  (void)args;
  memset(&s, 0, sizeof s);
  int64_t step[PORTABLE_LOOP_RANK];
  (void)portable_tile_iteration(tile, step);
  portable_shadow_of(tile, "x", &v, 1, sizeof *x, PORTABLE_ACCESS_READ, &s);
}
static int32_t workers(void *payload) { (void)payload; return 1; }
static void run(int32_t n, void *work, void *payload) {
  (void)payload;
  for (int32_t i = 0; i < n; i++) portable_device_share(work, i);
}

static void devices(void) {
  portable_device found;
  ROW_VALUE(0, 0, portable_device_count());
  ROW_VALUE(0, 0, portable_device_name(0));
  ROW(1, 1, portable_device_find("serial", &found));
  ROW_VALUE(0, 0, portable_default_device());
  ROW(1, 1, portable_set_default_device(portable_default_device()));
  ROW_VALUE(0, 0, portable_device_stream(portable_default_device()));
  ROW_VALUE(0, 0, portable_num_threads());
  ROW(1, 1, portable_set_num_threads(portable_num_threads()));
  ROW_VALUE(0, 0, portable_in_kernel());
  COUNT_INIT(portable_device_properties, p);
  ROW(1, 1, portable_device_properties_get(0, &p));
  uint64_t free_bytes, total;
  ROW(1, 1, portable_device_memory_info(0, &free_bytes, &total));
  int32_t ordinal;
  void *context;
  ROW_STATUS(0, 0, PORTABLE_ERR_ARG, portable_device_native(0, &ordinal, &context));
}

static void bounds(void) {
  portable_bounds b;
  const int64_t upper[2] = {3, 4}, n[2] = {2, 2};
  ROW(0, 0, portable_bounds_make(2, PORTABLE_ORDER_C, NULL, upper, NULL, &b));
  ROW_VALUE(0, 0, portable_bounds_1(4));
  ROW_VALUE(0, 0, portable_bounds_2(4, 4));
  ROW_VALUE(0, 0, portable_bounds_3(4, 4, 4));
  ROW_VALUE(0, 0, portable_bounds_count(&b));
  portable_work_division d;
  ROW(0, 0, portable_work_divide(&b, n, n, &d));
  ROW(0, 0, portable_work_grid(&d, &b));
}

/* The first launch of the program asks Go for the default plan. Others find it. */
static void launches(void) {
  portable_bounds b = portable_bounds_1(8);
  ROW(1, 0, portable_parallel_for("for", &b, empty, NULL, 0, NULL));
  ROW(0, 0, portable_fence());
  int64_t sum, chosen[8], count;
  portable_reduction result = {.struct_size = (uint32_t)sizeof result, .operation = PORTABLE_REDUCE_SUM, .kind = PORTABLE_KIND_INT64, .to = &sum};
  ROW(0, 0, portable_parallel_reduce("reduce", &b, reduce, NULL, 0, &result, 1, NULL));
  ROW(0, 0, portable_parallel_filter("filter", &b, filter, NULL, 0, PORTABLE_KIND_INT64, chosen, 8, &count, NULL));
  ROW(0, 0, portable_parallel_outer("outer", &b, outer, NULL, 0, 0, NULL));
  ROW(0, 0, portable_parallel_blocks("blocks", &b, block_threads, thread, NULL, 0, 0, NULL));
}

static void in_kernels(void) {
  portable_bounds one = portable_bounds_1(1);
  CHECK_STATUS(portable_parallel_for("inside", &one, empty, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_outer("inside", &one, outer, NULL, 0, 0, NULL), PORTABLE_OK);
  ROW_KERNEL(0, 0, portable_tile_order, PORTABLE_OK, portable_parallel_for("inside", &one, asks, NULL, 0, NULL));
  ROW_KERNEL(0, 0, portable_inner_tile, PORTABLE_OK, portable_parallel_outer("inside", &one, divides, NULL, 0, 0, NULL));
  ROW_KERNEL(0, 0, portable_fence_members, PORTABLE_OK, portable_parallel_outer("inside", &one, waits, NULL, 0, 0, NULL));
  ROW_KERNEL(0, 0, portable_block_wait, PORTABLE_OK, portable_parallel_blocks("inside", &one, block_threads, thread, NULL, 0, 0, NULL));
  ROW_KERNEL(0, 0, portable_inner_members, PORTABLE_OK, portable_parallel_outer("inside", &one, shares, NULL, 0, 0, NULL));
  ROW_KERNEL(0, 0, portable_kernel_fail, PORTABLE_ERR_KERNEL, portable_parallel_for("inside", &one, fails, NULL, 0, NULL));
  ROW_VALUE(0, 0, portable_races_checked());
  ROW_KERNEL(0, 0, portable_tile_iteration, PORTABLE_OK, portable_parallel_for("inside", &one, races, NULL, 0, NULL));
  ROW_KERNEL(0, 0, portable_shadow_of, PORTABLE_OK, portable_parallel_for("inside", &one, races, NULL, 0, NULL));
  double x[4];
  ROW_VALUE(0, 0, portable_view_outside(x, 0, 1, 0, 9, 0, 4));
}

static portable_host_device mine[2] = {PORTABLE_HOST_DEVICE_INIT, PORTABLE_HOST_DEVICE_INIT};

static portable_status register_again(int i) {
  portable_status s = portable_finalize();
  if (s == PORTABLE_OK) s = portable_device_register(&mine[i]);
  return s ? s : portable_init(NULL);
}

/* A device is registered before the library runs: the row has one stop and one start, which cross once each, and the call does not cross. */
static void registered(void) {
  for (int i = 0; i < 2; i++) {
    mine[i].name = i ? "mine2" : "mine";
    mine[i].workers = workers;
    mine[i].run = run;
  }
  ROW_KERNEL(2, 2, portable_device_register, PORTABLE_OK, register_again(again));
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  CHECK_STATUS(portable_device_find("mine", &config.device), PORTABLE_OK);
  portable_bounds b = portable_bounds_1(8);
  ROW_KERNEL(0, 0, portable_device_share, PORTABLE_OK, portable_parallel_for("share", &b, empty, NULL, 0, &config));
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  count_self_test();
  devices();
  bounds();
  launches();
  in_kernels();
  registered();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
