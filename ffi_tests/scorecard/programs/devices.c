/* devices.c - faults with streams, memory of devices and twins, from C: one function each, chosen by the first argument.
 * Not in this file: memory of the host alone (faults.c), what marks mean (../main.go). */
#define _GNU_SOURCE
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };

struct block {
  double *a;
};

static volatile double sink;

static void add_one(const portable_tile *t, void *args) {
  struct block *b = (struct block *)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) b->a[i] += 1;
}

/* Does not get to what it is given: in exact mode that would be a fault of its own, if it is late. */
static void looks_away(const portable_tile *t, void *args) { (void)t, (void)args; }

static double *take(const char *label) {
  void *p = NULL;
  if (portable_alloc(N * sizeof(double), label, &p) != 0) exit(3);
  memset(p, 0, N * sizeof(double));
  return (double *)p;
}

static portable_stream a_stream(void) {
  portable_stream s;
  if (portable_stream_create(0, PORTABLE_STREAM_ASYNC, &s) != 0) exit(3);
  return s;
}

/* A kernel that says what it does with its pointer. */
static portable_kernel declared(const char *label, int32_t access) {
  portable_argument a = {.name = "a", .kind = PORTABLE_ARGUMENT_POINTER, .access = access, .offset = 0, .bytes = sizeof(double *)};
  portable_kernel k;
  if (portable_kernel_create(label, sizeof(struct block), &a, 1, &k) != 0 || portable_kernel_set_host(k, add_one) != 0) exit(3);
  return k;
}

static portable_launch_config in(portable_stream s) {
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  c.stream = s;
  return c;
}

static portable_array device_array(void) {
  portable_array a;
  int64_t n = N;
  portable_array_config c = PORTABLE_ARRAY_CONFIG_INIT;
  c.space = PORTABLE_SPACE_DEVICE(0);
  c.zero = 1;
  if (portable_array_create("there", PORTABLE_KIND_REAL64, 0, 1, &n, &c, &a) != 0) exit(3);
  return a;
}

static const portable_bounds *all(void) {
  static portable_bounds b;
  b = portable_bounds_1(N);
  return &b;
}

/* fault two_streams: two launches change one array, and no event orders them */
static void two_streams(void) {
  struct block b = {take("a")};
  portable_stream s = a_stream(), u = a_stream();
  portable_launch_config first = in(s), second = in(u);
  portable_kernel k = declared("advance", PORTABLE_ACCESS_BOTH);
  portable_launch(k, all(), &b, &first);
  portable_launch(k, all(), &b, &second); /*~ stream-hazard */
  portable_fence();
  portable_stream_destroy(s);
  portable_stream_destroy(u);
  portable_kernel_destroy(k);
  portable_free(b.a);
}

/* fault sum_before_fence: the host sums an array up that a stream still writes */
static void sum_before_fence(void) {
  struct block b = {take("a")};
  int64_t n = N;
  double total = 0;
  portable_stream s = a_stream();
  portable_launch_config c = in(s);
  portable_kernel k = declared("advance", PORTABLE_ACCESS_BOTH);
  portable_launch(k, all(), &b, &c);
  portable_reduce_array("total", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, b.a, 1, &n, NULL, &total); /*~ stream-hazard */
  sink = total;
  portable_stream_destroy(s);
  portable_kernel_destroy(k);
  portable_free(b.a);
}

/* fault overwritten_early: the host's kernel writes what a stream still reads */
static void overwritten_early(void) {
  struct block b = {take("a")};
  portable_stream s = a_stream();
  portable_launch_config c = in(s);
  portable_kernel reads = declared("write_output", PORTABLE_ACCESS_READ), writes = declared("advance", PORTABLE_ACCESS_WRITE);
  portable_launch(reads, all(), &b, &c);
  portable_launch(writes, all(), &b, NULL); /*~ stream-hazard */
  portable_stream_destroy(s);
  portable_kernel_destroy(reads);
  portable_kernel_destroy(writes);
  portable_free(b.a);
}

/* fault released_early: a block is freed while a launch has its address */
static void released_early(void) {
  struct block b = {take("a")};
  portable_stream s = a_stream();
  portable_launch_config c = in(s);
  portable_parallel_for("advance", all(), looks_away, &b, sizeof b, &c);
  portable_free(b.a); /*~ stream-hazard */
  portable_stream_destroy(s);
}

/* fault device_read: the host reads an element of a device's array */
static void device_read(void) {
  portable_array a = device_array();
  sink = ((double *)a.data)[7]; /*~ host-access */
  portable_array_release(&a);
}

/* fault device_written: the host sets an array that only the device can access */
static void device_written(void) {
  portable_array a = device_array();
  for (int i = 0; i < N; i++) ((double *)a.data)[i] = i; /*~ host-access */
  portable_array_release(&a);
}

/* fault device_stack: a kernel of the device gets an array on the stack of the host */
static void device_stack(void) {
  double local[N] = {0};
  struct block b = {local};
  portable_kernel k = declared("advance", PORTABLE_ACCESS_BOTH);
  portable_launch(k, all(), &b, NULL); /*~ host-in-kernel */
  sink = local[0];
  portable_kernel_destroy(k);
}

static portable_twin a_twin(void) {
  portable_twin t;
  int64_t n = N;
  portable_twin_config c = PORTABLE_TWIN_CONFIG_INIT;
  if (portable_twin_create("h", PORTABLE_KIND_REAL64, 0, 1, &n, &c, &t) != 0) exit(3);
  return t;
}

/* fault forgotten_sync: the device reads its side of a twin, and the host's is newer [checks=arrays] */
static void forgotten_sync(void) {
  portable_twin t = a_twin();
  portable_array a = PORTABLE_ARRAY_NONE, b = PORTABLE_ARRAY_NONE;
  portable_twin_host(t, PORTABLE_TWIN_OVERWRITE, &a);
  portable_twin_device(t, PORTABLE_TWIN_READ, &b); /*~ missing-sync */
  portable_array_release(&a);
  portable_array_release(&b);
  portable_twin_release(t);
}

/* clean ordered_streams: events, fences and dependencies say what comes first */
static void ordered_streams(void) {
  struct block b = {take("a")}, other = {take("b")};
  int64_t n = N;
  double total = 0;
  portable_event e;
  portable_stream s = a_stream(), u = a_stream();
  portable_launch_config first = in(s), second = in(u);
  portable_kernel k = declared("advance", PORTABLE_ACCESS_BOTH), reads = declared("write_output", PORTABLE_ACCESS_READ);
  portable_event_create(&e);
  for (int step = 0; step < 3; step++) {
    portable_launch(k, all(), &b, &first);
    portable_event_record(e, s);
    portable_stream_wait_event(u, e);
    portable_launch(k, all(), &b, &second);
    portable_event_record(e, u);
    portable_stream_wait_event(s, e);
    portable_launch(reads, all(), &b, &first);
    portable_launch(reads, all(), &b, &second);
    portable_stream_fence(s);
    portable_stream_fence(u);
  }
  portable_reduce_array("total", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, b.a, 1, &n, NULL, &total);
  sink = total;
  portable_launch(k, all(), &b, &first);
  portable_free(b.a); /* what a kernel declares is kept for it */
  portable_parallel_for("advance", all(), add_one, &other, sizeof other, &second);
  portable_add_stream_dependency(other.a, u);
  portable_free(other.a);
  portable_fence();
  portable_event_destroy(e);
  portable_stream_destroy(s);
  portable_stream_destroy(u);
  portable_kernel_destroy(k);
  portable_kernel_destroy(reads);
}

/* clean device_round_trip: copies to the device's memory and back, and kernels there */
static void device_round_trip(void) {
  int64_t n = N;
  portable_array host, there = device_array();
  struct block b = {(double *)there.data};
  if (portable_array_create("host", PORTABLE_KIND_REAL64, 0, 1, &n, NULL, &host) != 0) exit(3);
  for (int step = 0; step < 3; step++) {
    portable_parallel_for("advance", all(), add_one, &b, sizeof b, NULL);
    portable_array_copy(&there, &host, NULL);
  }
  sink = ((double *)host.data)[0];
  portable_array_release(&there);
  portable_array_release(&host);
}

/* clean synced_twin: each side is synced before it is read [checks=arrays] */
static void synced_twin(void) {
  portable_twin t = a_twin();
  portable_array a = PORTABLE_ARRAY_NONE, b = PORTABLE_ARRAY_NONE;
  portable_twin_host(t, PORTABLE_TWIN_OVERWRITE, &a);
  memset(a.data, 0, N * sizeof(double));
  portable_twin_sync_device(t, NULL);
  portable_twin_device(t, PORTABLE_TWIN_READ, &b);
  portable_array_release(&a);
  portable_array_release(&b);
  portable_twin_release(t);
}

#define CASES(X) \
  X(two_streams) X(sum_before_fence) X(overwritten_early) X(released_early) X(device_read) X(device_written) X(device_stack) \
  X(forgotten_sync) X(ordered_streams) X(device_round_trip) X(synced_twin)

int main(int argc, char **argv) {
#define NAMED(name) {#name, name},
  static const struct { const char *name; void (*run)(void); } list[] = {CASES(NAMED)};
  if (argc > 1 && strncmp(argv[1], "device_", 7) == 0) setenv("PORTABLE_DEVICE", "emulated", 1);
  if (portable_init(NULL) != 0) return 3;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (argc < 2 || strcmp(argv[1], list[i].name) != 0) continue;
    list[i].run();
    portable_finalize();
    return 0;
  }
  fprintf(stderr, "no such case\n");
  return 4;
}
