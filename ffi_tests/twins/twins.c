/* twins.c - twins: one memory or two, syncs that convert orders, marks, what checks refuse, and syncs in streams; layouts that rules choose.
 * Not in this file: what rule counts for which array (go test ./arrays), the misuse of twins without checks (../misuse). */
#include "check.h"
#include "gpu.h"

#include <portable_graph.h>

#include <stdatomic.h>

static portable_twin_state state(portable_twin t) {
  portable_twin_state s;
  memset(&s, 0, sizeof s);
  s.struct_size = (uint32_t)sizeof s;
  CHECK_STATUS(portable_twin_query(t, &s), PORTABLE_OK);
  return s;
}

static int newer(portable_twin t, int host, int device) {
  portable_twin_state s = state(t);
  return s.host_newer == host && s.device_newer == device;
}

enum { NI = 4, NJ = 5, NK = 6 };
static const int64_t extents[3] = {NI, NJ, NK};

static void fill(const portable_array *a, double add) {
  int64_t at[3];
  for (int32_t more = portable_array_begin(a, at); more; more = portable_array_next(a, at))
    *(double *)portable_array_at(a, at) = (double)(100 * at[0] + 10 * at[1] + at[2]) + add;
}

static int holds(const portable_array *a, double add) {
  int64_t at[3];
  for (int32_t more = portable_array_begin(a, at); more; more = portable_array_next(a, at)) {
    double x = *(double *)portable_array_at(a, at), y = (double)(100 * at[0] + 10 * at[1] + at[2]) + add;
    if (x < y || x > y) return 0;
  }
  return 1;
}

static void kernel(const portable_tile *tile, void *args) {
  const portable_array *a = (const portable_array *)args;
  int64_t at[3];
  for (at[0] = tile->lower[0]; at[0] <= tile->upper[0]; at[0]++)
    for (at[1] = 0; at[1] < NJ; at[1]++)
      for (at[2] = 0; at[2] < NK; at[2]++) *(double *)portable_array_at(a, at) += 1000;
}

/* There and back, the order of the device another one, or the same in one memory. */
static void there_and_back(const int32_t *fastest, int separate, int one_memory, const portable_launch_config *launch) {
  portable_array_config host = PORTABLE_ARRAY_CONFIG_INIT, device = PORTABLE_ARRAY_CONFIG_INIT;
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_twin t = 0;
  portable_array h, d;
  portable_bounds planes = portable_bounds_1(NI);
  device.order = fastest ? PORTABLE_ORDER_PERMUTED : PORTABLE_ORDER_C;
  device.fastest = fastest;
  config.host = &host;
  config.device = &device;
  config.separate = separate;
  CHECK_STATUS(portable_twin_create("h", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &t), PORTABLE_OK);
  CHECK(state(t).one_memory == one_memory && state(t).holders == 1 && newer(t, 0, 0));
  CHECK_STATUS(portable_twin_host(t, PORTABLE_TWIN_OVERWRITE, &h), PORTABLE_OK);
  CHECK((h.flags & PORTABLE_ARRAY_HOST_SIDE) && newer(t, 1, 0));
  fill(&h, 0);
  CHECK_STATUS(portable_twin_sync_device(t, launch), PORTABLE_OK);
  CHECK(newer(t, 0, 0));
  CHECK_STATUS(portable_twin_device(t, PORTABLE_TWIN_UPDATE, &d), PORTABLE_OK);
  CHECK((d.data == h.data) == one_memory && newer(t, 0, 1));
  CHECK(strstr(state(t).device_since, "taken for changes by portable_twin_device"));
  CHECK_STATUS(portable_parallel_for("advance", &planes, kernel, &d, sizeof d, launch), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_host(t, launch), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_host(t, launch), PORTABLE_OK); /* nothing is newer */
  if (launch) CHECK_STATUS(portable_stream_fence(launch->stream), PORTABLE_OK);
  CHECK(newer(t, 0, 0));
  CHECK_STATUS(portable_array_release(&h), PORTABLE_OK);
  CHECK_STATUS(portable_twin_host(t, PORTABLE_TWIN_READ, &h), PORTABLE_OK);
  CHECK(holds(&h, 1000) && holds(&d, 1000) && newer(t, 0, 0));
  CHECK_STATUS(portable_twin_retain(t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_release(t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_release(t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_release(t), PORTABLE_ERR_HANDLE);
  CHECK(holds(&h, 1000)); /* a side lives as long as a thread holds it */
  CHECK_STATUS(portable_array_fill(&d, NULL, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&h), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&d), PORTABLE_OK);
}

/* Accesses of arrays' functions to sides are marked, and a conflict is refused with checks and without. */
static void marks(void) {
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_twin t;
  portable_array h, d, other, part;
  const double seven = 7;
  int32_t equal;
  const portable_array_range ranges[3] = {PORTABLE_RANGE_INDEX(2), PORTABLE_RANGE_ALL, PORTABLE_RANGE_ALL};
  config.separate = 1;
  CHECK_STATUS(portable_twin_create("h", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_host(t, PORTABLE_TWIN_READ, &h), PORTABLE_OK);
  CHECK_STATUS(portable_twin_device(t, PORTABLE_TWIN_READ, &d), PORTABLE_OK);
  CHECK_STATUS(portable_array_fill(&h, &seven, NULL), PORTABLE_OK);
  CHECK(newer(t, 1, 0) && strstr(state(t).host_since, "changed by portable_array_fill"));
  CHECK_STATUS(portable_array_copy(&h, &d, NULL), PORTABLE_OK); /* by hand, which is a sync */
  CHECK(newer(t, 0, 0));
  CHECK_STATUS(portable_array_equal(&h, &d, &equal), PORTABLE_OK);
  CHECK(equal);
  CHECK_STATUS(portable_array_slice(&d, ranges, &part), PORTABLE_OK);
  CHECK_STATUS(portable_array_fill(&part, NULL, NULL), PORTABLE_OK); /* of a view, too */
  CHECK(newer(t, 0, 1));
  CHECK_STATUS(portable_array_host_copy(&d, &other), PORTABLE_OK);
  CHECK((other.flags & (PORTABLE_ARRAY_HOST_SIDE | PORTABLE_ARRAY_DEVICE_SIDE)) == 0);
  CHECK_STATUS(portable_twin_sync_device(t, NULL), PORTABLE_OK); /* the device side is the newer one */
  CHECK(newer(t, 0, 1));
  portable_set_checks(0);
  CHECK_STATUS(portable_twin_modified_host(t, "a boundary"), PORTABLE_OK);
  CHECK(newer(t, 1, 1));
  CHECK_STATUS(portable_twin_sync_host(t, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_twin_sync_host of 'h': both sides were changed since they were the same: the host side was marked by "
             "portable_twin_modified_host ('a boundary'), the device side changed by portable_array_fill");
  CHECK_TEXT("portable_twin_discard_host");
  CHECK_STATUS(portable_twin_sync_device(t, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_twin_discard_host(t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_host(t, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_array_equal(&h, &d, &equal), PORTABLE_OK);
  CHECK(equal && newer(t, 0, 0));
  CHECK_STATUS(portable_twin_modified_device(t, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_twin_discard_device(t), PORTABLE_OK);
  CHECK(newer(t, 0, 0));
  CHECK_STATUS(portable_array_release(&part), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&other), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&h), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&d), PORTABLE_OK);
  CHECK_STATUS(portable_twin_release(t), PORTABLE_OK);
}

static void add(const portable_tile *tile, void *args) {
  double *x = *(double **)args;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) x[i] += 1;
}

/* Forgotten marks are found, in one memory and in two. */
static void checked(int separate) {
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_twin t;
  portable_array h, d, other;
  uint64_t sum;
  void *data;
  double *x;
  portable_bounds all = portable_bounds_1(NI * NJ * NK);
  portable_kernel adds;
  const portable_argument argument = {"x", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_BOTH, 0, sizeof(double *)};
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_ARRAYS), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_create("advance", sizeof x, &argument, 1, &adds), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(adds, add), PORTABLE_OK);
  config.separate = separate;
  CHECK_STATUS(portable_twin_create("h", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_host(t, PORTABLE_TWIN_OVERWRITE, &h), PORTABLE_OK);
  fill(&h, 0);
  CHECK_STATUS(portable_twin_device(t, PORTABLE_TWIN_UPDATE, &d), PORTABLE_ERR_STATE);
  CHECK_TEXT("PORTABLE_CHECK=arrays: portable_twin_device of 'h': the device side is stale: the host side is newer, it was taken for changes by "
             "portable_twin_host; call portable_twin_sync_device before");
  CHECK(d.struct_size == 0);
  CHECK_STATUS(portable_twin_sync_device(t, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_twin_device(t, PORTABLE_TWIN_UPDATE, &d), PORTABLE_OK);
  x = (double *)d.data;
  CHECK_STATUS(portable_launch(adds, &all, &x, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_array_checksum(&h, &sum), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_array_checksum of 'h': the host side is stale: the device side is newer, it was taken for changes by portable_twin_device "
             "before the launch 'advance'; call portable_twin_sync_host before");
  CHECK_STATUS(portable_array_data(&h, PORTABLE_SPACE_HOST, &data), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_array_host_copy(&h, &other), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_twin_modified_host(t, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_twin_modified_host of 'h': both sides were changed since they were the same: the host side was marked by "
             "portable_twin_modified_host after the launch 'advance'");
  CHECK_STATUS(portable_twin_discard_host(t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_host(t, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_array_checksum(&h, &sum), PORTABLE_OK);
  /* A launch that declares what it writes, and no mark for it. */
  CHECK_STATUS(portable_launch(adds, &all, &x, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_twin_host(t, PORTABLE_TWIN_READ, &other), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_twin_host of 'h': the launch 'advance' has written the device side, and the change was not marked");
  CHECK_STATUS(portable_twin_sync_host(t, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_twin_modified_device(t, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_host(t, NULL), PORTABLE_OK);
  CHECK(holds(&h, 2));
  /* A launch that gets the stale side; in one memory a launch has that of the device. */
  if (separate) {
    CHECK_STATUS(portable_twin_modified_device(t, "a kernel"), PORTABLE_OK);
    x = (double *)h.data;
    CHECK_STATUS(portable_launch(adds, &all, &x, NULL), PORTABLE_ERR_STATE);
    CHECK_TEXT("the argument 'x' of the launch 'advance' of 'h': the host side is stale: the device side is newer, it was marked by "
               "portable_twin_modified_device ('a kernel')");
    CHECK_STATUS(portable_twin_sync_host(t, NULL), PORTABLE_OK);
    *(double *)portable_array_at3(&h, 1, 1, 1) = 5; /* behind its back */
    CHECK_STATUS(portable_twin_sync_device(t, NULL), PORTABLE_ERR_STATE);
    CHECK_TEXT("portable_twin_sync_device of 'h': the host side was changed since both were the same, and the change was not marked");
    CHECK_STATUS(portable_twin_modified_host(t, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_twin_sync_device(t, NULL), PORTABLE_OK);
    CHECK(*(double *)portable_array_at3(&d, 1, 1, 1) > 4.5);
  } else {
    CHECK_STATUS(portable_twin_modified_host(t, "a kernel"), PORTABLE_OK);
    CHECK_STATUS(portable_launch(adds, &all, &x, NULL), PORTABLE_ERR_STATE);
    CHECK_TEXT("the device side is stale");
  }
  CHECK_STATUS(portable_array_release(&h), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&d), PORTABLE_OK);
  CHECK_STATUS(portable_twin_release(t), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(adds), PORTABLE_OK);
  CHECK_STATUS(portable_set_checks(0), PORTABLE_OK);
}

/* A side that was changed, as was announced, and is not wanted any more: no sync reports a missing announcement. */
static void unwanted(void) {
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_twin t;
  portable_array h, d;
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_ARRAYS), PORTABLE_OK);
  config.separate = 1;
  CHECK_STATUS(portable_twin_create("h", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_host(t, PORTABLE_TWIN_OVERWRITE, &h), PORTABLE_OK);
  fill(&h, 0);
  CHECK_STATUS(portable_twin_sync_device(t, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_twin_modified_host(t, NULL), PORTABLE_OK);
  fill(&h, 1);
  CHECK_STATUS(portable_twin_device(t, PORTABLE_TWIN_OVERWRITE, &d), PORTABLE_OK);
  fill(&d, 2);
  CHECK_STATUS(portable_twin_sync_host(t, NULL), PORTABLE_OK);
  CHECK(holds(&h, 2));
  CHECK_STATUS(portable_twin_modified_host(t, NULL), PORTABLE_OK);
  fill(&h, 3);
  CHECK_STATUS(portable_array_copy(&h, &d, NULL), PORTABLE_OK); /* a sync by hand */
  CHECK(newer(t, 0, 0));
  CHECK_STATUS(portable_twin_modified_host(t, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_device(t, NULL), PORTABLE_OK);
  CHECK(holds(&d, 3));
  CHECK_STATUS(portable_array_release(&h), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&d), PORTABLE_OK);
  CHECK_STATUS(portable_twin_release(t), PORTABLE_OK);
  CHECK_STATUS(portable_set_checks(0), PORTABLE_OK);
}

/* A text begins with what was called, and not with what that has called in turn. */
static void named(void) {
  static const int64_t negative[3] = {NI, -1, NK};
  portable_array_config host = PORTABLE_ARRAY_CONFIG_INIT;
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_twin t;
  CHECK_STATUS(portable_twin_create("h", PORTABLE_KIND_REAL64, 0, 3, negative, NULL, &t), PORTABLE_ERR_ARG);
  CHECK(strncmp(portable_last_error(), "portable_twin_create of 'h': extent 2 is -1", 43) == 0);
  host.pool = 12345;
  config.host = &host;
  CHECK_STATUS(portable_twin_create("h", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &t), PORTABLE_ERR_HANDLE);
  CHECK(strncmp(portable_last_error(), "portable_twin_create of 'h': no such pool", 41) == 0);
}

/* When a twin was released, its sides are arrays like others, for another twin too. */
static void again(void) {
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_twin first, second;
  portable_array h, d;
  config.separate = 1;
  CHECK_STATUS(portable_twin_create("h", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &first), PORTABLE_OK);
  CHECK_STATUS(portable_twin_host(first, PORTABLE_TWIN_OVERWRITE, &h), PORTABLE_OK);
  fill(&h, 4);
  CHECK_STATUS(portable_twin_wrap(&h, &config, &second), PORTABLE_ERR_ARG);
  CHECK_TEXT("the array is a side of a twin already");
  CHECK_STATUS(portable_twin_release(first), PORTABLE_OK);
  CHECK_STATUS(portable_twin_wrap(&h, &config, &second), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&h), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_device(second, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_twin_device(second, PORTABLE_TWIN_READ, &d), PORTABLE_OK);
  CHECK(holds(&d, 4));
  CHECK_STATUS(portable_array_release(&d), PORTABLE_OK);
  CHECK_STATUS(portable_twin_release(second), PORTABLE_OK);
}

/* Released memory is not synced, also where nothing would be copied. */
static void gone(int separate) {
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_twin t;
  portable_array h;
  config.separate = separate;
  CHECK_STATUS(portable_twin_create("h", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_host(t, PORTABLE_TWIN_OVERWRITE, &h), PORTABLE_OK);
  CHECK_STATUS(portable_array_deallocate(&h), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_device(t, NULL), PORTABLE_ERR_STATE);
  CHECK(newer(t, 1, 0));
  CHECK_STATUS(portable_twin_release(t), PORTABLE_OK);
}

static _Atomic int gate;

static void waits(const portable_tile *tile, void *args) {
  (void)tile;
  (void)args;
  while (!atomic_load(&gate)) {}
}

static void fails(const portable_tile *tile, void *args) {
  (void)args;
  portable_kernel_fail(tile, 3, "on purpose");
}

/* The stream holds both sides, and what it has not copied is not read; a sync behind an error has not been. */
static void streams(void) {
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_launch_config in = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds one = portable_bounds_1(1);
  portable_twin t;
  portable_array h, d;
  config.separate = 1;
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &in.stream), PORTABLE_OK);
  CHECK_STATUS(portable_twin_create("h", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_device(t, PORTABLE_TWIN_OVERWRITE, &d), PORTABLE_OK);
  fill(&d, 0);
  CHECK_STATUS(portable_array_release(&d), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("gate", &one, waits, NULL, 0, &in), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_host(t, &in), PORTABLE_OK);
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_ARRAYS), PORTABLE_OK);
  CHECK_STATUS(portable_twin_host(t, PORTABLE_TWIN_READ, &h), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_twin_host of 'h': a sync to the host side is under way in a stream; wait for it with portable_stream_fence");
  CHECK_STATUS(portable_set_checks(0), PORTABLE_OK);
  CHECK_STATUS(portable_twin_host(t, PORTABLE_TWIN_READ, &h), PORTABLE_OK);
  CHECK_STATUS(portable_twin_release(t), PORTABLE_OK); /* the stream holds it */
  atomic_store(&gate, 1);
  CHECK_STATUS(portable_stream_fence(in.stream), PORTABLE_OK);
  CHECK(holds(&h, 0));
  CHECK_STATUS(portable_twin_query(t, &(portable_twin_state){.struct_size = (uint32_t)sizeof(portable_twin_state)}), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_array_release(&h), PORTABLE_OK);

  CHECK_STATUS(portable_twin_create("h", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_modified_device(t, NULL), PORTABLE_OK);
  portable_graph graph; /* a replay would give the holders of the sync up again */
  CHECK_STATUS(portable_graph_begin(in.stream, &graph), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_host(t, &in), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_twin_sync_host: the stream records a graph: call portable_graph_end first");
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("fails", &one, fails, NULL, 0, &in), PORTABLE_OK);
  CHECK_STATUS(portable_twin_sync_host(t, &in), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(in.stream), PORTABLE_ERR_KERNEL);
  CHECK(newer(t, 0, 1) && strstr(state(t).device_since, "not copied by a sync in a stream that had failed"));
  CHECK_STATUS(portable_twin_sync_host(t, &in), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(in.stream), PORTABLE_OK);
  CHECK(newer(t, 0, 0));
  CHECK_STATUS(portable_twin_release(t), PORTABLE_OK);
}

/* The program's own memory, in Fortran's order and backwards, as the host side. */
static void wrapped(void) {
  static double x[NI * NJ * NK];
  const int64_t strides[3] = {1, NI, NI * NJ}, lower[3] = {1, 0, -2};
  const int32_t kij[3] = {2, 0, 1};
  portable_array_config order = PORTABLE_ARRAY_CONFIG_INIT, device = PORTABLE_ARRAY_CONFIG_INIT;
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_array a, d;
  portable_twin t, again;
  order.order = PORTABLE_ORDER_FORTRAN;
  order.lower = lower;
  device.order = PORTABLE_ORDER_PERMUTED;
  device.fastest = kij;
  config.device = &device;
  CHECK_STATUS(portable_array_wrap("x", PORTABLE_KIND_REAL64, 0, x, 3, extents, strides, &order, &a), PORTABLE_OK);
  for (int i = 0; i < NI * NJ * NK; i++) x[i] = i;
  CHECK_STATUS(portable_twin_wrap(&a, NULL, &t), PORTABLE_OK);
  CHECK(state(t).one_memory && newer(t, 1, 0));
  CHECK_STATUS(portable_twin_release(t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_wrap(&a, &config, &t), PORTABLE_OK);
  CHECK(!state(t).one_memory && newer(t, 1, 0));
  CHECK_STATUS(portable_twin_sync_device(t, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_twin_device(t, PORTABLE_TWIN_UPDATE, &d), PORTABLE_OK);
  CHECK(d.stride[2] == 1 && d.lower[1] == 0 && d.lower[2] == -2 && portable_array_ubound(&d, 2) == NK - 3);
  CHECK(*(double *)portable_array_at3(&d, 2, 0, -1) > 20.5 && *(double *)portable_array_at3(&d, 2, 0, -1) < 21.5);
  CHECK_STATUS(portable_twin_wrap(&d, NULL, &again), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_twin_wrap of 'x': the array is a side of a twin already");
  *(double *)portable_array_at3(&d, 1, 0, -2) = -3;
  CHECK_STATUS(portable_twin_sync_host(t, NULL), PORTABLE_OK);
  CHECK(x[0] < -2.5);
  CHECK_STATUS(portable_array_release(&d), PORTABLE_OK);
  CHECK_STATUS(portable_twin_release(t), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
}

/* The same code, laid out as rules say; PORTABLE_TUNING of this test has one for arrays that begin with "tuned". */
static void rules(void) {
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_twin_config twins = PORTABLE_TWIN_CONFIG_INIT;
  portable_array a, h, d;
  portable_layout said;
  portable_twin t;
  portable_device_properties device = PORTABLE_DEVICE_PROPERTIES_INIT;
  CHECK_STATUS(portable_device_properties_get(0, &device), PORTABLE_OK);
  int gpu = is_gpu(device.name);
  config.order = PORTABLE_ORDER_BY_RULE(PORTABLE_ORDER_C);
  CHECK_STATUS(portable_array_create("plain", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &a), PORTABLE_OK);
  CHECK(a.order == PORTABLE_ORDER_C && a.stride[2] == 1);
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  CHECK_STATUS(portable_layout_rule("rho*", "cpu", "kij", 0), PORTABLE_OK);
  char label[] = "rho*", where[] = "gpu", order[] = "ijk"; /* the program may change its texts after the call */
  CHECK_STATUS(portable_layout_rule(label, where, order, 128), PORTABLE_OK);
  memset(label, 'x', sizeof label - 1);
  memcpy(where, "cpu", sizeof where);
  memset(order, 'c', sizeof order - 1);
  CHECK_STATUS(portable_layout_rule("rho*", "host", "jik", 64), PORTABLE_OK);
  config.order = PORTABLE_ORDER_BY_RULE(PORTABLE_ORDER_FORTRAN);
  CHECK_STATUS(portable_array_create("rho_new", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &a), PORTABLE_OK);
  if (gpu)
    CHECK(a.stride[0] == 1 && a.stride[1] == 16 && a.stride[2] == 16 * NJ && a.lower[0] == 1);
  else
    CHECK(a.order == PORTABLE_ORDER_PERMUTED && a.stride[2] == 1 && a.stride[0] == NK && a.stride[1] == NK * NI && a.lower[0] == 1);
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  CHECK_STATUS(portable_array_create("rho_new", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &a), PORTABLE_OK); /* another rank */
  CHECK(a.order == PORTABLE_ORDER_FORTRAN && a.lower[1] == 1);
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  CHECK_STATUS(portable_layout_find("rho", PORTABLE_LAYOUT_HOST, 3, PORTABLE_ORDER_C, &said), PORTABLE_OK);
  CHECK(said.order == PORTABLE_ORDER_PERMUTED && said.fastest[0] == 1 && said.fastest[1] == 0 && said.fastest[2] == 2 && said.row_bytes == 64);
  twins.host = twins.device = &config;
  CHECK_STATUS(portable_twin_create("rho", PORTABLE_KIND_REAL64, 0, 3, extents, &twins, &t), PORTABLE_OK);
  CHECK_STATUS(portable_twin_host(t, PORTABLE_TWIN_OVERWRITE, &h), PORTABLE_OK);
  CHECK(h.stride[1] == 1 && h.stride[0] == 8 && h.stride[2] == 8 * NI);
  fill(&h, 0);
  CHECK_STATUS(portable_twin_sync_device(t, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_twin_device(t, PORTABLE_TWIN_READ, &d), PORTABLE_OK);
  CHECK(d.stride[gpu ? 0 : 2] == 1 && d.stride[gpu ? 1 : 0] == (gpu ? 16 : NK) && holds(&d, 0));
  CHECK_STATUS(portable_array_release(&h), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&d), PORTABLE_OK);
  CHECK_STATUS(portable_twin_release(t), PORTABLE_OK);
  CHECK_STATUS(portable_layout_rule("tuned*", NULL, "jki", 0), PORTABLE_OK); /* the environment goes before this */
  CHECK_STATUS(portable_layout_find("tuned", 0, 3, PORTABLE_ORDER_C, &said), PORTABLE_OK);
  if (getenv("PORTABLE_TUNING"))
    CHECK(said.order == PORTABLE_ORDER_FORTRAN && said.row_bytes == 256);
  else
    CHECK(said.order == PORTABLE_ORDER_PERMUTED && said.fastest[0] == 1 && said.row_bytes == 0);
  CHECK_STATUS(portable_layout_rule("rho*", "gpu", NULL, 0), PORTABLE_OK); /* taken away */
  CHECK_STATUS(portable_layout_rule("rho", NULL, "kjk", 0), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_layout_rule of 'rho': the layout \"kjk\" is invalid (entry 3 of the order names a dimension that an earlier one has named");
  CHECK_STATUS(portable_layout_rule("rho", NULL, "c", 48), PORTABLE_ERR_ARG);
  CHECK_TEXT("row_bytes is 48; a power of two up to");
  CHECK_STATUS(portable_layout_find("rho", 99, 3, PORTABLE_ORDER_C, &said), PORTABLE_ERR_NODEVICE);
}

/* The descriptor of a wrapped array is the program's, and may be wrong. */
static void wrong_elements(void) {
  static const struct { int32_t kind; uint64_t bytes, damaged; const char *text; } rows[] = {
      {PORTABLE_KIND_REAL64, 0, 0, "element_bytes of the descriptor is 0; elements of the kind real64 have 8"},
      {PORTABLE_KIND_REAL64, 0, 4, "element_bytes is 4; elements of the kind real64 have"},
      {PORTABLE_KIND_REAL64, 0, UINT64_MAX - 7, "element_bytes is 18446744073709551608"},
      {PORTABLE_KIND_EXACT, 0, 0, "element_bytes of the descriptor is 0; elements of the kind exact have"},
      {PORTABLE_KIND_BYTES, 3, 0, "element_bytes is 0; elements of the kind bytes have 1 or more"},
      {PORTABLE_KIND_BYTES, 3, UINT64_MAX, "an element of 18446744073709551615 bytes"},
      {PORTABLE_KIND_BYTES, 3, UINT64_C(1) << 31, "an element of 2147483648 bytes; it has 1 to 2147483647"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    portable_array a, bad;
    portable_twin t = 7;
    CHECK_STATUS(portable_array_create("elements", rows[i].kind, rows[i].bytes, 3, extents, NULL, &a), PORTABLE_OK);
    bad = a;
    bad.element_bytes = rows[i].damaged;
    CHECK_STATUS(portable_twin_wrap(&bad, NULL, &t), PORTABLE_ERR_ARG);
    CHECK_TEXT("portable_twin_wrap of 'elements': ");
    CHECK_TEXT(rows[i].text);
    CHECK(t == 0 && portable_array_use_count(&a) == 1);
    CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  }
}

int main(void) {
  const int32_t kij[3] = {2, 0, 1};
  portable_launch_config in = PORTABLE_LAUNCH_CONFIG_INIT;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  int separate = getenv("PORTABLE_TWINS") != NULL;
  if (!separate) there_and_back(NULL, 0, 1, NULL);
  there_and_back(NULL, 1, 0, NULL);
  there_and_back(kij, 0, 0, NULL);
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &in.stream), PORTABLE_OK);
  there_and_back(kij, 0, 0, &in);
  CHECK_STATUS(portable_stream_destroy(in.stream), PORTABLE_OK);
  marks();
  if (!separate) checked(0);
  checked(1);
  unwanted();
  named();
  again();
  gone(0);
  gone(1);
  streams();
  if (!separate) wrapped();
  wrong_elements();
  rules();
  return check_end();
}
