/* errors.c - errors of cuda devices in streams: at once, late, by a device that is lost; and what is reported of kernels that ran on the host. One way a
 * run, named by the first argument; what the driver does is in FAKE_CUDA_FAIL. Not in this file: order (streams.c). */
#include "device_streams.h"
#include "crossings.h"

#include <sched.h>

static const char source[] =
  "#include <portable_device.h>\n"
  "extern \"C\" __global__ void good(const portable_launch_space space, unsigned *a) { a[threadIdx.x] = 1; }\n"
  "extern \"C\" __global__ void bad(const portable_launch_space space, unsigned *a) { a[threadIdx.x] = 2; }\n"
  "extern \"C\" __global__ void fresh(const portable_launch_space space, unsigned *a) { a[threadIdx.x] = 3; }\n";

static portable_kernel kernel_of(const char *label) {
  portable_argument argument = {.name = "a", .kind = PORTABLE_ARGUMENT_POINTER, .access = PORTABLE_ACCESS_WRITE, .bytes = sizeof(void *)};
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  portable_kernel k = 0;
  code.code = source;
  CHECK_STATUS(portable_kernel_create(label, sizeof(void *), &argument, 1, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  return k;
}

static portable_status run(portable_kernel k, portable_stream stream, void *a) {
  portable_bounds b = portable_bounds_1(8);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  c.stream = stream;
  return portable_launch(k, &b, &a, &c);
}

static void count(const portable_tile *t, void *args) { atomic_fetch_add(*(_Atomic int64_t **)args, t->upper[0] - t->lower[0] + 1); }

/* The host goes on with what it has, whatever has become of the device. */
static int end_without_device(void) {
  portable_status status = PORTABLE_OK;
  portable_bounds b = portable_bounds_1(8);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  _Atomic int64_t counted = 0, *to = &counted;
  for (int i = 0; i < 3; i++) /* each stream tells it once */
    if ((status = portable_fence()) != PORTABLE_OK) CHECK(status == PORTABLE_ERR_DEVICE);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("threads", &c.device), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("on", &b, count, &to, sizeof to, &c), PORTABLE_OK);
  CHECK(counted == 8);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  if (check_failures) printf("%d checks failed\n", check_failures);
  return check_failures != 0;
}

/* FAKE_CUDA_FAIL=kernel:bad:700 */
static int late(void) {
  portable_stream s = device_stream(device);
  portable_kernel bad = kernel_of("bad"), good = kernel_of("good");
  CHECK_STATUS(run(good, 0, words[0]), PORTABLE_OK);
  CHECK_STATUS(run(good, 0, words[0]), PORTABLE_OK);
  CHECK_STATUS(run(good, s, words[0]), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(run(good, 0, words[0]), PORTABLE_OK);
  CHECK_STATUS(run(bad, 0, words[0]), PORTABLE_OK);
  CHECK_STATUS(run(good, 0, words[0]), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(0), PORTABLE_ERR_DEVICE);
  CHECK_TEXT("CUDA_ERROR_ILLEGAL_ADDRESS (700)");
  CHECK_TEXT("one of the 3 launches since the stream was last waited for: 'good', 'bad', 'good'");
  CHECK_TEXT("PORTABLE_CHECK=launch");
  CHECK_STATUS(portable_stream_fence(0), PORTABLE_OK); /* once */
  CHECK_STATUS(run(good, s, words[0]), PORTABLE_ERR_DEVICE);
  CHECK_TEXT("'good'");
  CHECK_STATUS(portable_kernel_destroy(bad), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(good), PORTABLE_OK);
  return end_without_device();
}

/* The same with PORTABLE_CHECK=launch: the one that it was. */
static int named(void) {
  portable_kernel bad = kernel_of("bad"), good = kernel_of("good");
  CHECK_STATUS(run(good, 0, words[0]), PORTABLE_OK);
  CHECK(words[0][3] == 1); /* it was waited for */
  CHECK_STATUS(run(bad, 0, words[0]), PORTABLE_OK);
  CHECK_STATUS(run(good, 0, words[0]), PORTABLE_OK); /* skipped */
  CHECK_STATUS(run(kernel_of("fresh"), 0, words[0]), PORTABLE_ERR_DEVICE); /* found where it is loaded, which is not its fault */
  CHECK_TEXT("'fresh': cuModule");
  CHECK_TEXT("a launch before this one has failed, which the next fence names");
  CHECK_STATUS(portable_fence(), PORTABLE_ERR_DEVICE);
  CHECK_TEXT("'bad': ");
  return end_without_device();
}

static portable_status heard;

static void hear(portable_status status, void *payload) {
  (void)payload;
  heard = status;
}

/* FAKE_CUDA_FAIL=cuStreamSynchronize:2:700 and the like: the first question finds it, and everything that was under way is over. */
static int lost(void) {
  portable_stream s = device_stream(device), t = device_stream(device);
  portable_event e = 0;
  int32_t done = 0;
  void *block = NULL;
  portable_status refused = PORTABLE_OK;
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK);
  for (uint32_t i = 0; i < 12; i++) refused |= put(s, 0, i);
  refused |= portable_event_record(e, s);
  refused |= put(s, 0, 12);
  CHECK_STATUS(portable_event_wait(e), PORTABLE_OK); /* an event is done after an error, too */
  refused |= put(s, 0, 13);
  refused |= portable_event_record(e, s);
  for (int i = 0; i < 10 && !done; i++) CHECK_STATUS(portable_event_query(e, &done), PORTABLE_OK);
  CHECK(done == 1);
  refused |= put(s, 0, 14);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(t, e), PORTABLE_OK);
  CHECK_STATUS(portable_stream_call(t, hear, NULL), PORTABLE_OK);
  (void)put(t, 0, 3);
  (void)add(t, "host", 1, 0);
  CHECK_STATUS(portable_event_record(e, t), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(s, e), PORTABLE_OK);
  portable_status first = portable_stream_fence(s), second = portable_stream_fence(t);
  CHECK(first == PORTABLE_ERR_DEVICE || second == PORTABLE_ERR_DEVICE || refused);
  CHECK(device_done(s) && device_done(t));
  (void)put(0, 0, 5);
  CHECK_STATUS(portable_alloc(1000, "host", &block), PORTABLE_OK);
  CHECK_STATUS(portable_free(block), PORTABLE_OK);
  portable_status status = portable_stream_destroy(s);
  if (status != PORTABLE_OK) CHECK(status == PORTABLE_ERR_DEVICE);
  CHECK_STATUS(portable_stream_destroy(t), PORTABLE_OK);
  return end_without_device();
}

/* FAKE_CUDA_FAIL=cuStreamCreate:1:2 */
static int none(void) {
  portable_stream s = 1;
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &s), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("'portable_stream_create': cuStreamCreate answers CUDA_ERROR_OUT_OF_MEMORY");
  CHECK(s == 0);
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &s), PORTABLE_OK);
  CHECK_STATUS(put(s, 0, 6), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK(words[0][4] == 6);
  return device_end();
}

/* ---- what is refused at once ---- */

static portable_status refuses(void *native, void *payload) {
  (void)native, (void)payload;
  return PORTABLE_ERR_DEVICE;
}

static int at_once(void) {
  portable_stream s = device_stream(device);
  struct gate g;
  CHECK(portable_device_enqueue("refused", device, s, refuses, NULL, 0) == PORTABLE_ERR_DEVICE);
  CHECK_STATUS(put(s, 0, 1), PORTABLE_OK); /* nothing is left of it */
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  hold(s, &g); /* now it happens on the stream's thread, and is the stream's error */
  CHECK_STATUS(portable_device_enqueue("refused", device, s, refuses, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(put(s, 0, 2), PORTABLE_OK); /* skipped, as what comes behind an error is */
  CHECK_STATUS(add(s, "skipped", 0, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_call(s, hear, NULL), PORTABLE_OK);
  go(&g);
  CHECK(portable_stream_fence(s) == PORTABLE_ERR_DEVICE);
  CHECK(words[0][4] == 1 && heard == PORTABLE_ERR_DEVICE);
  CHECK_STATUS(put(s, 0, 3), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(words[0][4] == 3);
  CHECK_STATUS(portable_device_enqueue("host", 2, 0, refuses, NULL, 0), PORTABLE_ERR_NODEVICE);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  return device_end();
}

/* ---- kernels that ran on the host ---- */

static char listed[200];

static int32_t list(const portable_fallback *row, void *payload) {
  size_t at = strlen(listed);
  (void)payload;
  snprintf(listed + at, sizeof listed - at, "%s %lld %lld;", row->label, (long long)row->launches, (long long)row->iterations);
  CHECK(row->total_ns >= row->max_ns && row->max_ns >= 0 && row->struct_size == sizeof *row);
  return 0;
}

static void inside(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) CHECK_STATUS(add(0, "nested", 1, 0), PORTABLE_OK);
}

/* PORTABLE_B4B=1, PORTABLE_VERBOSE is a file */
static int fallback(void) {
  char report[4000];
  portable_stream s = device_stream(device);
  portable_bounds b = portable_bounds_1(4);
  CHECK_STATUS(portable_fallback_list(list, NULL), PORTABLE_OK);
  CHECK(listed[0] == '\0');
  CHECK_STATUS(put(0, 0, 10), PORTABLE_OK);
  CHECK_STATUS(add(0, "exact", 0, 1), PORTABLE_OK); /* bit for bit: serially, and not counted */
  CHECK(words[0][4] == 11);
  CHECK_STATUS(put(s, 0, 20), PORTABLE_OK);
  CHECK_STATUS(add(s, "exact", 0, 1), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(words[0][4] == 21);
  CHECK_STATUS(portable_fallback_list(list, NULL), PORTABLE_OK);
  CHECK(listed[0] == '\0');
  for (int i = 0; i < 3; i++) CHECK_STATUS(add(i < 2 ? 0 : s, "advect", 0, 0), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("outer", &b, inside, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_fallback_list(list, NULL), PORTABLE_OK);
  CHECK(strstr(listed, "advect 3 192;") && strstr(listed, "outer 1 4;") && !strstr(listed, "nested") && !strstr(listed, "exact"));
  CHECK_STATUS(portable_timers_report(report, sizeof report, NULL), PORTABLE_OK);
  CHECK(strstr(report, "Launches for the device that ran on the host") && strstr(report, "advect"));
  CHECK_STATUS(portable_fallback_print(), PORTABLE_OK);
  CHECK_STATUS(portable_fallback_list(NULL, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  int bad = device_end();
  FILE *log = fopen(getenv("PORTABLE_VERBOSE"), "r");
  char line[2000];
  int launched = 0, told = 0;
  while (log && fgets(line, sizeof line, log)) {
    launched += strstr(line, "'fill' begins: parallel_for, 0 iterations, device ") && strstr(line, gpu(":0"));
    told += strstr(line, "on the host: 'advect', launches: 3, ") != NULL;
  }
  if (log) fclose(log);
  CHECK(launched == 2 && told == 1);
  CHECK_STATUS(portable_fallback_list(list, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_fallback_print(), PORTABLE_ERR_STATE);
  return bad | (check_failures != 0);
}

/* ---- a device that the host cannot share managed memory with while it works ---- */

static void puts_one(portable_status status, void *stream) {
  (void)status;
  CHECK_STATUS(put(*(portable_stream *)stream, 1, 8), PORTABLE_OK); /* comes after this, so it is not waited for */
}

/* FAKE_CUDA_ATTRIBUTE=concurrent_managed_access=0: each launch has ended when it returns. */
static int one_at_a_time(void) {
  portable_stream s = device_stream(device);
  CHECK_STATUS(put(0, 0, 5), PORTABLE_OK);
  CHECK(words[0][4] == 5);
  CHECK_STATUS(put(s, 0, 6), PORTABLE_OK);
  CHECK(words[0][4] == 6);
  CHECK_STATUS(add(s, "host", 0, 0), PORTABLE_OK);
  CHECK_STATUS(put(s, 1, 7), PORTABLE_OK); /* behind the host's turn */
  CHECK(words[0][4] == 7 && words[1][4] == 7);
  CHECK_STATUS(portable_stream_call(s, puts_one, &s), PORTABLE_OK);
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(words[1][4] == 8);
  CHECK(portable_device_enqueue("refused", device, s, refuses, NULL, 0) == PORTABLE_ERR_DEVICE);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  return device_end();
}

/* ---- launches that nothing orders ---- */

/* PORTABLE_CHECK=memory */
static int hazard(void) {
  portable_stream s = device_stream(device), t = device_stream(device);
  portable_kernel k = kernel_of("good");
  portable_event e = 0;
  void *block[2];
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_alloc(1000, i ? "unordered" : "ordered", &block[i]), PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK);
  CHECK_STATUS(run(k, s, block[0]), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(t, e), PORTABLE_OK);
  CHECK_STATUS(run(k, t, block[0]), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(run(k, 0, block[0]), PORTABLE_OK);
  CHECK_STATUS(run(k, s, block[1]), PORTABLE_OK);
  CHECK_STATUS(run(k, t, block[1]), PORTABLE_OK); /* told */
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_free(block[i]), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(t), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  return device_end();
}

/* ---- what a launch costs ---- */

/* FAKE_CUDA_LOG is set: between launches there is nothing but the launch and the look at the thread's context. */
static int plain(void) {
  const char *path = getenv("FAKE_CUDA_LOG");
  portable_kernel k = kernel_of("good");
  char line[200];
  int launches = 0, others = 0;
  FILE *log = path ? fopen(path, "r") : NULL;
  void *block = NULL; /* of the pool, so the driver need not be asked for it */
  if (!log) return 2;
  CHECK_STATUS(portable_alloc(1000, "plain", &block), PORTABLE_OK);
  CHECK_STATUS(run(k, 0, block), PORTABLE_OK);
  fseek(log, 0, SEEK_END);
  for (int i = 0; i < 50; i++) CHECK_STATUS(run(k, 0, block), PORTABLE_OK);
  while (fgets(line, sizeof line, log)) {
    if (strncmp(line, "cuLaunchKernel", 14) == 0)
      launches++;
    else if (strncmp(line, "cuCtxGetCurrent", 15) != 0) {
      printf("between launches: %s", line);
      others++;
    }
  }
  fclose(log);
  CHECK(launches == 50 && others == 0);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_free(block), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  return device_end();
}

static portable_kernel crossing_kernel;
static portable_stream crossing_stream;
static void *crossing_block;

static void launches(void) {
  for (int i = 0; i < 5000; i++) {
    CHECK_STATUS(run(crossing_kernel, crossing_stream, crossing_block), PORTABLE_OK);
    if (i % 100 == 99) CHECK_STATUS(portable_stream_fence(crossing_stream), PORTABLE_OK);
  }
}

static _Atomic int gate;

static void at_gate(portable_status status, void *payload) {
  (void)status;
  (void)payload;
  while (!atomic_load(&gate)) sched_yield();
}

static void crossings(void) {
  portable_pool pool;
  for (int i = 0; i < 5000; i++) CHECK_STATUS(portable_pool_default(&pool), PORTABLE_OK);
}

/* Launches with declared pointers do not enter Go, in default streams and in others; and yet no block that a launch uses is given out again before
 * the stream has passed it, however many there are. */
static int no_go(void) {
  enum { MANY = 1200 };
  static void *blocks[MANY];
  portable_pool pool;
  portable_stats stats = {.struct_size = sizeof stats};
  crossing_kernel = kernel_of("good");
  CHECK_STATUS(portable_pool_default(&pool), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(1000, "crossing", &crossing_block), PORTABLE_OK);
  CHECK_STATUS(run(crossing_kernel, 0, crossing_block), PORTABLE_OK); /* loads it */
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(!crossed(launches));
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &crossing_stream), PORTABLE_OK);
  CHECK(!crossed(launches));
  CHECK(crossed(crossings)); /* it is to be seen */
  CHECK_STATUS(portable_stream_call(crossing_stream, at_gate, NULL), PORTABLE_OK); /* nothing gets done meanwhile */
  for (int i = 0; i < MANY; i++) {
    CHECK_STATUS(portable_alloc(4096, "many", &blocks[i]), PORTABLE_OK);
    CHECK_STATUS(run(crossing_kernel, crossing_stream, (char *)blocks[i] + 8), PORTABLE_OK);
  }
  for (int i = 0; i < MANY; i++) CHECK_STATUS(portable_free(blocks[i]), PORTABLE_OK);
  CHECK_STATUS(portable_pool_stats(pool, &stats), PORTABLE_OK);
  CHECK(stats.waiting_blocks == MANY);
  atomic_store(&gate, 1);
  CHECK_STATUS(portable_stream_fence(crossing_stream), PORTABLE_OK);
  CHECK_STATUS(portable_pool_stats(pool, &stats), PORTABLE_OK);
  CHECK(stats.waiting_blocks == 0);
  CHECK_STATUS(portable_stream_destroy(crossing_stream), PORTABLE_OK);
  CHECK_STATUS(portable_free(crossing_block), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(crossing_kernel), PORTABLE_OK);
  return device_end();
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(void);
  } ways[] = {{"late", late}, {"named", named}, {"lost", lost}, {"none", none}, {"at_once", at_once}, {"fallback", fallback}, {"plain", plain}, {"no_go", no_go}, {"hazard", hazard}, {"one_at_a_time", one_at_a_time}};
  device_start();
  device_words();
  for (size_t i = 0; argc == 2 && i < sizeof ways / sizeof *ways; i++)
    if (strcmp(ways[i].name, argv[1]) == 0) return ways[i].run();
  printf("which?\n");
  return 2;
}
