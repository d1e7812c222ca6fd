/* launches.c - launches from C: every index once, bounds, errors, devices, schedules, nesting, arguments.
 * Not in this file: reductions, timers. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

enum { N = 200 };

struct grid {
  _Atomic int *times;
  int64_t lower[PORTABLE_LOOP_RANK], extent[PORTABLE_LOOP_RANK], stride[PORTABLE_LOOP_RANK];
  int32_t rank;
};

/* Adds one at each index of the tile, whatever the rank. */
static void visit(const portable_tile *t, void *args) {
  const struct grid *g = args;
  int64_t index[PORTABLE_LOOP_RANK];
  for (int d = 0; d < g->rank; d++) index[d] = t->lower[d];
  for (;;) {
    int64_t at = 0;
    for (int d = 0; d < g->rank; d++) at = at * g->extent[d] + (index[d] - g->lower[d]) / g->stride[d];
    atomic_fetch_add(&g->times[at], 1);
    int d = g->rank - 1;
    while (d >= 0 && (index[d] += t->stride[d]) > t->upper[d]) {
      index[d] = t->lower[d];
      d--;
    }
    if (d < 0) return;
  }
}

static void every_index_once(int32_t rank, int32_t order, const int64_t *lower, const int64_t *upper, const int64_t *stride,
                             const portable_launch_config *config) {
  struct grid g = {.rank = rank};
  int64_t count = 1;
  for (int d = 0; d < rank; d++) {
    g.lower[d] = lower[d];
    g.stride[d] = stride ? stride[d] : 1;
    g.extent[d] = (upper[d] - lower[d]) / g.stride[d] + 1;
    count *= g.extent[d];
  }
  g.times = calloc((size_t)count, sizeof *g.times);
  portable_bounds b;
  CHECK_STATUS(portable_bounds_make(rank, order, lower, upper, stride, &b), PORTABLE_OK);
  CHECK(portable_bounds_count(&b) == count);
  CHECK_STATUS(portable_parallel_for("visit", &b, visit, &g, sizeof g, config), PORTABLE_OK);
  for (int64_t i = 0; i < count; i++) CHECK(g.times[i] == 1);
  free((void *)g.times);
}

static void test_spaces(void) {
  const int64_t lower[] = {-3, 5, 0, 1, 2, -1, 7, 0}, upper[] = {9, 12, 6, 3, 4, 1, 8, 1};
  const int64_t stride[] = {2, 3, 1, 2, 1, 2, 1, 1};
  for (int32_t rank = 1; rank <= PORTABLE_LOOP_RANK; rank++)
    for (int32_t order = 0; order < 2; order++) {
      portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
      every_index_once(rank, order, lower, upper, NULL, NULL);
      config.strided = 1;
      every_index_once(rank, order, lower, upper, stride, &config);
      config.schedule = PORTABLE_SCHEDULE_DYNAMIC;
      every_index_once(rank, order, lower, upper, stride, &config);
      for (int d = 0; d < rank; d++) config.tile[d] = 2 + d % 2;
      every_index_once(rank, order, lower, upper, stride, &config);
      config.schedule = PORTABLE_SCHEDULE_STATIC;
      every_index_once(rank, order, lower, upper, stride, &config);
    }
}

static void count_calls(const portable_tile *t, void *args) {
  (void)t;
  atomic_fetch_add((_Atomic int *)args, 1);
}

static void test_nothing(void) {
  _Atomic int calls = 0;
  const int64_t lower[] = {1, 1}, upper[] = {0, 10}, far[] = {INT64_MIN, INT64_MIN}, big[] = {INT64_MAX, INT64_MAX}, zero[] = {1, 0};
  portable_bounds b;
  CHECK_STATUS(portable_bounds_make(2, PORTABLE_ORDER_FORTRAN, lower, upper, NULL, &b), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("nothing", &b, count_calls, &calls, 0, NULL), PORTABLE_OK);
  b = portable_bounds_1(0);
  CHECK_STATUS(portable_parallel_for("nothing", &b, count_calls, &calls, 0, NULL), PORTABLE_OK);
  b = portable_bounds_3(5, -7, INT64_MAX);
  CHECK(portable_bounds_count(&b) == 0);
  CHECK(calls == 0);
  /* Invalid arguments. */
  CHECK_STATUS(portable_bounds_make(1, PORTABLE_ORDER_C, lower, big, zero + 1, &b), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("walk", &b, count_calls, &calls, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("parallel_for 'walk': the stride of dimension 1 is 0");
  CHECK_STATUS(portable_bounds_make(2, PORTABLE_ORDER_C, far, big, NULL, &b), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("walk", &b, count_calls, &calls, 0, NULL), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("(bounds -9223372036854775808:9223372036854775807, ");
  CHECK(portable_bounds_count(&b) == -1);
  const int64_t two[] = {2};
  CHECK_STATUS(portable_bounds_make(1, PORTABLE_ORDER_C, NULL, two, two, &b), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("walk", &b, count_calls, &calls, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("say so with strided");
  CHECK_STATUS(portable_bounds_make(9, PORTABLE_ORDER_C, NULL, two, two, &b), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_parallel_for("walk", &b, count_calls, &calls, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("were not made by portable_bounds_make");
  CHECK_STATUS(portable_bounds_make(1, 7, NULL, two, NULL, &b), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_bounds_make(1, 0, NULL, NULL, NULL, &b), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_bounds_make(1, 0, NULL, two, NULL, NULL), PORTABLE_ERR_ARG);
  b = portable_bounds_1(5);
  CHECK_STATUS(portable_parallel_for("walk", &b, NULL, NULL, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_parallel_for("walk", NULL, count_calls, NULL, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_parallel_for("walk", &b, count_calls, NULL, 8, NULL), PORTABLE_ERR_ARG);
  CHECK(calls == 0);
}

static void fails(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
    if (i == 77) portable_kernel_fail(t, 42, "the depth is negative at 77");
}

static void test_failure(void) {
  portable_bounds b = portable_bounds_1(N);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  for (config.tile[0] = 0; config.tile[0] < 4; config.tile[0]++) {
    CHECK_STATUS(portable_parallel_for("depth", &b, fails, NULL, 0, &config), PORTABLE_ERR_KERNEL);
    CHECK_TEXT("parallel_for 'depth': the kernel failed with code 42: the depth is negative at 77");
  }
  b = portable_bounds_1(50);
  CHECK_STATUS(portable_parallel_for(NULL, &b, fails, NULL, 0, NULL), PORTABLE_OK);
  portable_kernel_fail(NULL, 1, "outside"); /* no launch, no effect */
}

static void fails_at_once(const portable_tile *t, void *args) {
  count_calls(t, args);
  portable_kernel_fail(t, 1, "no");
}

/* A launch that has failed ends, however many tiles are not taken yet: to count these takes centuries. */
static void test_failure_of_many(void) {
  _Atomic int calls = 0;
  portable_bounds b = portable_bounds_1(INT64_MAX);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.schedule = PORTABLE_SCHEDULE_DYNAMIC;
  config.tile[0] = 1;
  CHECK_STATUS(portable_parallel_for("many", &b, fails_at_once, &calls, 0, &config), PORTABLE_ERR_KERNEL);
  CHECK(calls >= 1 && calls <= portable_num_threads());
}

struct covered {
  _Atomic int64_t rows;
  _Atomic int outside;
};

static void cover(const portable_tile *t, void *args) {
  struct covered *c = args;
  if (t->lower[0] < 0 || t->upper[0] < t->lower[0]) {
    atomic_fetch_add(&c->outside, 1);
    portable_kernel_fail(t, 1, "a tile outside the space");
  } else {
    atomic_fetch_add(&c->rows, t->upper[0] - t->lower[0] + 1);
  }
}

/* The longest loop there is, in parts: a worker that finds nothing left counts beyond the end. */
static void test_longest(void) {
  portable_bounds b = portable_bounds_2(INT64_MAX, 1);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  for (config.schedule = PORTABLE_SCHEDULE_STATIC; config.schedule <= PORTABLE_SCHEDULE_DYNAMIC; config.schedule++) {
    struct covered c = {0, 0};
    CHECK_STATUS(portable_parallel_for("longest", &b, cover, &c, 0, &config), PORTABLE_OK);
    CHECK(c.rows == INT64_MAX && c.outside == 0);
  }
  config.schedule = 3;
  CHECK_STATUS(portable_parallel_for("longest", &b, cover, NULL, 0, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT("parallel_for 'longest': there is no schedule 3");
  config.schedule = -1;
  CHECK_STATUS(portable_parallel_for("longest", &b, cover, NULL, 0, &config), PORTABLE_ERR_ARG);
}

static void note_worker(const portable_tile *t, void *args) {
  int32_t *workers = args;
  for (int64_t j = t->lower[0]; j <= t->upper[0]; j++)
    for (int64_t i = t->lower[1]; i <= t->upper[1]; i++) workers[j * 130 + i] = t->worker;
}

/* Memory is near to who sets it first: each launch over the same bounds gives each worker the same part, in one piece. */
static void test_first_touch(void) {
  enum { ROUNDS = 4, N = 70 * 130 };
  static int32_t workers[ROUNDS][N];
  portable_bounds b = portable_bounds_2(70, 130);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  int changes = 0;
  config.schedule = PORTABLE_SCHEDULE_STATIC;
  for (int r = 0; r < ROUNDS; r++) CHECK_STATUS(portable_parallel_for("touch", &b, note_worker, workers[r], 0, &config), PORTABLE_OK);
  for (int r = 1; r < ROUNDS; r++) CHECK(memcmp(workers[0], workers[r], sizeof workers[0]) == 0);
  for (int i = 1; i < N; i++) changes += workers[0][i] != workers[0][i - 1];
  CHECK(workers[0][0] == 0 && changes < portable_num_threads());
}

struct arguments {
  double values[500]; /* more than what is copied onto the stack */
  double *out;
};

static void copies(const portable_tile *t, void *args) {
  const struct arguments *a = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) a->out[i] = a->values[i] + 1;
}

static void test_arguments(void) {
  double out[500];
  struct arguments a = {.out = out};
  for (int i = 0; i < 500; i++) a.values[i] = i;
  portable_bounds b = portable_bounds_1(500);
  CHECK_STATUS(portable_parallel_for("copies", &b, copies, &a, sizeof a, NULL), PORTABLE_OK);
  for (int i = 0; i < 500; i++) CHECK(out[i] == i + 1);
}

static void inner(const portable_tile *t, void *args) {
  CHECK(t->worker == 0 && t->workers == 1);
  atomic_fetch_add((_Atomic int *)args, (int)(t->upper[0] - t->lower[0] + 1));
}

static void outer(const portable_tile *t, void *args) {
  portable_bounds b = portable_bounds_1(10);
  CHECK(t->worker < t->workers);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
    CHECK_STATUS(portable_parallel_for("inner", &b, inner, args, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_set_num_threads(3), PORTABLE_ERR_ARG);
  CHECK_TEXT("inside a kernel");
}

static void *launcher(void *args) {
  for (int i = 0; i < 300; i++) {
    int64_t lower[] = {0, 0}, upper[] = {20, 30};
    every_index_once(2, PORTABLE_ORDER_C, lower, upper, NULL, NULL);
  }
  return args;
}

static void test_nesting_and_threads(void) {
  _Atomic int count = 0;
  portable_bounds b = portable_bounds_1(40);
  CHECK_STATUS(portable_parallel_for("outer", &b, outer, &count, 0, NULL), PORTABLE_OK);
  CHECK(count == 400);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, launcher, NULL) == 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

static void who(const portable_tile *t, void *args) {
  int64_t *device = args;
  device[0] = t->device;
  if (t->workers > device[1]) device[1] = t->workers;
}

static void test_devices(void) {
  portable_device serial = 0, threads = 0, none = 7;
  CHECK(portable_device_count() >= 2);
  CHECK_STATUS(portable_device_find("serial", &serial), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("Threads", &threads), PORTABLE_OK);
  CHECK(strcmp(portable_device_name(serial), "serial") == 0 && strcmp(portable_device_name(threads), "threads") == 0);
  CHECK(strcmp(portable_device_name(99), "") == 0);
  CHECK_STATUS(portable_device_find("gpu", &none), PORTABLE_ERR_NODEVICE);
  CHECK_TEXT("\"gpu\"; there are serial, threads");
  CHECK(none == 0);
  CHECK_STATUS(portable_set_num_threads(3), PORTABLE_OK);
  CHECK(portable_num_threads() == 3);
  CHECK_STATUS(portable_set_num_threads(0), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_set_num_threads(4096), PORTABLE_ERR_ARG);
  portable_device first = portable_default_device();
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(3000);
  struct { portable_device device; portable_stream stream; portable_device standard, runs; int64_t workers; } rows[] = {
      {0, 0, serial, serial, 1}, {0, 0, threads, threads, 3}, {serial, 0, threads, serial, 1}, {threads, 0, serial, threads, 3},
      {0, portable_device_stream(serial), threads, serial, 1}, {threads, portable_device_stream(threads), serial, threads, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    int64_t got[2] = {0, 0};
    config.device = rows[i].device;
    config.stream = rows[i].stream;
    CHECK_STATUS(portable_set_default_device(rows[i].standard), PORTABLE_OK);
    CHECK(portable_default_device() == rows[i].standard);
    CHECK_STATUS(portable_parallel_for("who", &b, who, got, 0, &config), PORTABLE_OK);
    CHECK(got[0] == rows[i].runs && got[1] == rows[i].workers);
  }
  /* With PORTABLE_B4B=1, launches that say so are serial. */
  const char *b4b = getenv("PORTABLE_B4B");
  int64_t flagged[2] = {0, 0};
  config.device = threads;
  config.stream = 0;
  config.bit_for_bit = 1;
  CHECK_STATUS(portable_parallel_for("who", &b, who, flagged, 0, &config), PORTABLE_OK);
  CHECK(b4b ? flagged[0] == serial && flagged[1] == 1 : flagged[0] == threads && flagged[1] == 3);
  config.bit_for_bit = 0;
  config.device = serial;
  config.stream = portable_device_stream(threads);
  CHECK_STATUS(portable_parallel_for("who", &b, who, NULL, 0, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT("name one of them");
  config.device = 9;
  config.stream = 0;
  CHECK_STATUS(portable_parallel_for("who", &b, who, NULL, 0, &config), PORTABLE_ERR_NODEVICE);
  config.device = 0;
  config.stream = 12345;
  CHECK_STATUS(portable_parallel_for("who", &b, who, NULL, 0, &config), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_set_default_device(0), PORTABLE_ERR_NODEVICE);
  CHECK_STATUS(portable_set_default_device(first), PORTABLE_OK);
}

int main(void) {
  portable_bounds b = portable_bounds_1(5);
  _Atomic int calls = 0;
  CHECK_STATUS(portable_parallel_for("early", &b, count_calls, &calls, 0, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_fence(), PORTABLE_ERR_STATE);
  CHECK(portable_device_count() == 0 && portable_num_threads() == 0 && portable_default_device() == 0);
  for (int round = 0; round < 2; round++) {
    CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
    test_spaces();
    test_nothing();
    test_failure();
    test_failure_of_many();
    test_longest();
    test_first_touch();
    test_arguments();
    test_nesting_and_threads();
    test_devices();
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    CHECK_STATUS(portable_finalize(), PORTABLE_OK);
    CHECK_STATUS(portable_parallel_for("late", &b, count_calls, &calls, 0, NULL), PORTABLE_ERR_STATE);
  }
  CHECK(calls == 0);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  return check_end();
}
