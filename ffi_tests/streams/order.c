/* order.c - what runs after what: inside a stream, between streams, across events, callbacks, fences; synchronous and default
 * streams. Not in this file: errors (errors.c), memory (memory.c). */
#include "streams.h"

enum { N = 1000, LAUNCHES = 3000, STREAMS = 4 };

struct step {
  int64_t *a;
  int64_t number;
  char ballast[700]; /* more than a node of the queue has room for, every other time */
};

/* a[i] = 3 a[i] + number: any other order gives another result. */
static void step(const portable_tile *t, void *args) {
  const struct step *s = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) s->a[i] = (3 * s->a[i] + s->number) % 1000003;
}

static void order_inside(void) {
  static int64_t a[STREAMS][N], expected;
  portable_stream s[STREAMS];
  for (int k = 0; k < STREAMS; k++) s[k] = streams_new();
  for (int64_t l = 0; l < LAUNCHES; l++) {
    expected = (3 * expected + l) % 1000003;
    for (int k = 0; k < STREAMS; k++) {
      struct step block = {a[k], l, {0}};
      CHECK_STATUS(streams_launch(s[k], N, step, &block, l % 2 ? sizeof block : 16), PORTABLE_OK);
      block.number = -1; /* the launch has its own copy */
    }
  }
  CHECK_STATUS(portable_stream_fence(s[0]), PORTABLE_OK);
  CHECK(streams_done(s[0]));
  for (int64_t i = 0; i < N; i++) CHECK(a[0][i] == expected);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  for (int k = 0; k < STREAMS; k++) {
    CHECK(streams_done(s[k]));
    for (int64_t i = 0; i < N; i++) CHECK(a[k][i] == expected);
    CHECK_STATUS(portable_stream_destroy(s[k]), PORTABLE_OK);
  }
}

struct meeting {
  _Atomic int *mine, *other;
};

static void meet(const portable_tile *t, void *args) {
  const struct meeting *m = args;
  atomic_store(m->mine, 1);
  if (!streams_await(m->other)) portable_kernel_fail(t, 1, "the other stream does not run");
}

/* Two kernels that wait for each other. */
static void beside_each_other(void) {
  _Atomic int a = 0, b = 0;
  portable_stream s = streams_new(), t = streams_new();
  struct meeting one = {&a, &b}, two = {&b, &a};
  CHECK_STATUS(streams_launch(s, 1, meet, &one, sizeof one), PORTABLE_OK);
  CHECK_STATUS(streams_launch(t, 1, meet, &two, sizeof two), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  /* The program itself is as good as a stream. */
  a = b = 0;
  CHECK_STATUS(streams_launch(s, 1, meet, &one, sizeof one), PORTABLE_OK);
  CHECK_STATUS(streams_launch(0, 1, meet, &two, sizeof two), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(t), PORTABLE_OK);
}

static void add(const portable_tile *t, void *args) {
  atomic_fetch_add(*(_Atomic int **)args, (int)(t->upper[0] - t->lower[0] + 1));
}

static void events_between(void) {
  struct gate g;
  _Atomic int count = 0, *pc = &count;
  portable_stream s = streams_new(), t = streams_new(), u = streams_new();
  portable_event e = 0, f = 0;
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&f), PORTABLE_OK);
  CHECK(streams_event_done(e)); /* never recorded */
  CHECK_STATUS(portable_event_wait(e), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(t, e), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK(streams_event_done(e)); /* of an empty stream */

  streams_hold(s, &g);
  CHECK(!streams_done(s));
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK(!streams_event_done(e));
  CHECK_STATUS(portable_stream_wait_event(t, e), PORTABLE_OK);
  CHECK_STATUS(streams_launch(t, 10, add, &pc, sizeof pc), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(f, t), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(u, f), PORTABLE_OK);
  CHECK_STATUS(streams_launch(u, 10, add, &pc, sizeof pc), PORTABLE_OK);
  /* Recording again, and ending the event, change nothing for a caller that waits. */
  CHECK_STATUS(portable_event_record(e, 0), PORTABLE_OK);
  CHECK(streams_event_done(e));
  CHECK_STATUS(portable_event_destroy(f), PORTABLE_OK);
  CHECK(!streams_done(t) && !streams_done(u));
  CHECK(count == 0);
  streams_go(&g);
  CHECK_STATUS(portable_stream_fence(u), PORTABLE_OK);
  CHECK(count == 20);
  CHECK(streams_done(t));

  /* A wait for its own stream is none. A launch behind an event is not in it. */
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  streams_hold(s, &g);
  CHECK(streams_event_done(e));
  CHECK_STATUS(portable_event_wait(e), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(s, e), PORTABLE_OK);
  streams_go(&g);
  CHECK_STATUS(portable_event_wait(e), PORTABLE_OK);
  CHECK(streams_event_done(e));
  /* An event lives longer than its stream. */
  streams_hold(s, &g);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  streams_go(&g);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK(streams_event_done(e));
  CHECK_STATUS(portable_stream_wait_event(t, e), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(t), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(u), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(e), PORTABLE_OK);
}

static _Atomic int called;

static void note(portable_status status, void *payload) {
  CHECK(status == PORTABLE_OK);
  CHECK(called == *(int *)payload);
  called++;
  free(payload);
}

static portable_stream again;

static void relaunch(portable_status status, void *payload) {
  (void)status;
  CHECK_STATUS(streams_launch(again, 5, add, &payload, sizeof payload), PORTABLE_OK);
}

static void callbacks(void) {
  _Atomic int count = 0, *pc = &count;
  portable_stream s = streams_new();
  called = 0;
  for (int i = 0; i < 300; i++) {
    int *number = malloc(sizeof *number);
    *number = i;
    CHECK_STATUS(streams_launch(s, 1, add, &pc, sizeof pc), PORTABLE_OK);
    CHECK_STATUS(portable_stream_call(s, note, number), PORTABLE_OK);
  }
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(called == 300 && count == 300);
  again = s; /* a callback puts something into its own stream */
  CHECK_STATUS(portable_stream_call(s, relaunch, pc), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK); /* the callback */
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK); /* what it has launched */
  CHECK(count == 305);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

static void synchronous(void) {
  portable_stream s = 0;
  portable_event e = 0;
  _Atomic int count = 0, *pc = &count;
  struct gate g;
  int *zero = calloc(1, sizeof *zero);
  CHECK_STATUS(portable_stream_create(1, PORTABLE_STREAM_SYNC, &s), PORTABLE_OK);
  CHECK(portable_stream_kind(s) == PORTABLE_STREAM_SYNC && portable_stream_device(s) == 1);
  CHECK_STATUS(streams_launch(s, 100, add, &pc, sizeof pc), PORTABLE_OK);
  CHECK(count == 100);
  CHECK(streams_done(s));
  called = 0;
  CHECK_STATUS(portable_stream_call(s, note, zero), PORTABLE_OK);
  CHECK(called == 1);
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK(streams_event_done(e));
  /* To make it wait is to wait. */
  portable_stream t = streams_new();
  streams_hold(t, &g);
  CHECK_STATUS(streams_launch(t, 100, add, &pc, sizeof pc), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, t), PORTABLE_OK);
  streams_go(&g);
  CHECK_STATUS(portable_stream_wait_event(s, e), PORTABLE_OK);
  CHECK(count == 200);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(t), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(e), PORTABLE_OK);

  /* Default streams, by number and by 0. */
  s = portable_device_stream(1);
  CHECK(portable_stream_kind(s) == PORTABLE_STREAM_SYNC && portable_stream_device(s) == 1);
  CHECK(portable_stream_device(0) == portable_default_device());
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(0), PORTABLE_OK);
  CHECK(streams_done(s) && streams_done(0));
}

static void device_of(const portable_tile *t, void *args) {
  struct { _Atomic int *device, *workers; } *a = args;
  atomic_store(a->device, t->device);
  atomic_store(a->workers, t->workers);
}

/* A stream belongs to a device, whatever the default one is. */
static void devices(void) {
  struct { _Atomic int *device, *workers; } a;
  _Atomic int device = 0, workers = 0;
  a.device = &device;
  a.workers = &workers;
  for (portable_device d = 1; d <= portable_device_count(); d++) {
    portable_stream s = 0;
    CHECK_STATUS(portable_stream_create(d, PORTABLE_STREAM_ASYNC, &s), PORTABLE_OK);
    CHECK(portable_stream_device(s) == d && portable_stream_kind(s) == PORTABLE_STREAM_ASYNC);
    CHECK_STATUS(streams_launch(s, 1000, device_of, &a, sizeof a), PORTABLE_OK);
    CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
    CHECK(device == d || (portable_stream_kind(portable_device_stream(d)) == PORTABLE_STREAM_ASYNC && device == 2));
    if (d == 1) CHECK(workers == 1);
    CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  }
}

static void nested(const portable_tile *t, void *args) {
  (void)t;
  CHECK_STATUS(streams_launch(again, 7, add, args, sizeof(void *)), PORTABLE_OK);  /* queued */
  CHECK_STATUS(streams_launch(0, 11, add, args, sizeof(void *)), PORTABLE_OK);     /* at once */
}

static void from_kernels(void) {
  _Atomic int count = 0, *pc = &count;
  again = streams_new();
  CHECK_STATUS(streams_launch(again, 1, nested, &pc, sizeof pc), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(again), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(again), PORTABLE_OK);
  CHECK(count == 18);
  CHECK_STATUS(streams_launch(0, 1, nested, &pc, sizeof pc), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(count == 36);
  CHECK_STATUS(portable_stream_destroy(again), PORTABLE_OK);
}

/* More than a stream holds: who launches waits, and nothing is lost. */
static void full(void) {
  _Atomic int count = 0, *pc = &count;
  portable_stream s = streams_new();
  for (int i = 0; i < 60000; i++) CHECK_STATUS(streams_launch(s, 1, add, &pc, sizeof pc), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK(count == 60000);
}

/* Streams that come and go, and a change of the team under way. */
static void many(void) {
  _Atomic int count = 0, *pc = &count;
  portable_stream s[100];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 100; i++) {
      s[i] = streams_new();
      CHECK_STATUS(streams_launch(s[i], 1000, add, &pc, sizeof pc), PORTABLE_OK);
      for (int k = 0; k < i; k++) CHECK(s[k] != s[i]);
    }
    CHECK_STATUS(portable_set_num_threads(1 + round), PORTABLE_OK);
    for (int i = 0; i < 100; i++) CHECK_STATUS(portable_stream_destroy(s[i]), PORTABLE_OK);
    CHECK(count == 100000 * (round + 1));
  }
}

static void sum(const portable_tile *t, void *args, void *const *partial) {
  const int64_t *a = *(int64_t **)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) *(int64_t *)partial[0] += a[i];
}

static void fails(const portable_tile *t, void *args) {
  (void)args;
  portable_kernel_fail(t, 7, "on purpose");
}

/* A reduction is behind what was launched before it, and waited for, in every stream; and a fence for errors. */
static void reductions(void) {
  static int64_t a[N];
  int64_t *pa = a, total = 0;
  portable_bounds b = portable_bounds_1(N);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_reduction r = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_INT64, &total);
  c.stream = streams_new();
  for (int64_t l = 1; l <= 20; l++) {
    struct step block = {a, l, {0}};
    CHECK_STATUS(streams_launch(c.stream, N, step, &block, 16), PORTABLE_OK);
    total = 0;
    CHECK_STATUS(portable_parallel_reduce("sum", &b, sum, &pa, sizeof pa, &r, 1, &c), PORTABLE_OK);
    CHECK(total == N * a[0] && total > 0);
  }
  /* So is one of an array. */
  portable_array_options o = PORTABLE_ARRAY_OPTIONS_INIT;
  const int64_t extents[1] = {N};
  o.launch = &c;
  for (int64_t l = 1; l <= 20; l++) {
    struct step block = {a, l, {0}};
    CHECK_STATUS(streams_launch(c.stream, N, step, &block, 16), PORTABLE_OK);
    total = 0;
    CHECK_STATUS(portable_reduce_array("array", PORTABLE_REDUCE_SUM, PORTABLE_KIND_INT64, a, 1, extents, &o, &total), PORTABLE_OK);
    CHECK(total == N * a[0] && total > 0);
  }
  CHECK_STATUS(streams_launch(c.stream, N, fails, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_reduce("sum", &b, sum, &pa, sizeof pa, &r, 1, &c), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_for 'test': the kernel failed with code 7"); /* the one that failed, not the one that was waited for */
  CHECK_STATUS(portable_stream_destroy(c.stream), PORTABLE_OK);
}

static void count_team(const portable_team *team, void *args) {
  memset(team->scratch, 1, team->scratch_bytes);
  atomic_fetch_add(*(_Atomic int **)args, 1);
}

/* Outer loops are queued as others. */
static void outer(void) {
  struct gate g;
  _Atomic int count = 0, *pc = &count;
  portable_bounds b = portable_bounds_1(50);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  c.stream = streams_new();
  streams_hold(c.stream, &g);
  CHECK_STATUS(portable_parallel_outer("outer", &b, count_team, &pc, sizeof pc, 1000, &c), PORTABLE_OK);
  CHECK(count == 0);
  streams_go(&g);
  CHECK_STATUS(portable_stream_destroy(c.stream), PORTABLE_OK);
  CHECK(count == 50);
}

static _Atomic int begins, ends, fences;

static void told(const portable_hook_event *e, void *payload) {
  (void)payload;
  if (e->event == PORTABLE_EVENT_LAUNCH_BEGIN) begins += strcmp(e->label, "test") == 0 && e->count == 1000;
  if (e->event == PORTABLE_EVENT_LAUNCH_END) ends += e->status == PORTABLE_OK;
  if (e->event == PORTABLE_EVENT_FENCE_END) fences++;
}

/* Hooks get a launch when the stream comes to it, and fences. */
static void watched(void) {
  struct gate g;
  portable_hook hook = 0;
  _Atomic int count = 0, *pc = &count;
  portable_stream s = streams_new();
  streams_hold(s, &g);
  CHECK_STATUS(portable_hook_add(told, NULL, PORTABLE_EVENT_ALL, &hook), PORTABLE_OK);
  for (int i = 0; i < 10; i++) CHECK_STATUS(streams_launch(s, 1000, add, &pc, sizeof pc), PORTABLE_OK);
  CHECK(begins == 0);
  streams_go(&g);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(begins == 10 && ends == 10 && fences == 1);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(fences == 2);
  CHECK_STATUS(portable_hook_remove(hook), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  order_inside();
  beside_each_other();
  events_between();
  callbacks();
  synchronous();
  devices();
  from_kernels();
  full();
  many();
  reductions();
  outer();
  watched();
  return check_end();
}
