/* hooks.c - hooks: the events that they get, from many threads, nested, of failing kernels, while they are added and removed. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

#define MOST 64

static portable_hook_event got[MOST];
static char labels[MOST][300];
static int events;

static void record(const portable_hook_event *e, void *payload) {
  CHECK(payload == &events && e->struct_size == sizeof *e && e->label != NULL);
  if (events == MOST) return;
  got[events] = *e;
  snprintf(labels[events], sizeof labels[0], "%s", e->label);
  events++;
}

static int is(int i, uint32_t event, const char *label) { return i < events && got[i].event == event && strcmp(labels[i], label) == 0; }

static void nothing(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

static void fails(const portable_tile *t, void *args) {
  (void)args;
  portable_kernel_fail(t, 7, "on purpose");
}

static void nested(const portable_tile *t, void *args) {
  portable_bounds b = portable_bounds_1(3);
  (void)args;
  if (t->lower[0] == 0) CHECK_STATUS(portable_parallel_for("inner", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
}

/* ---- launches, fences, start and stop ---- */

static void test_launches(void) {
  portable_hook h = 0;
  portable_bounds b = portable_bounds_2(20, 30), none = portable_bounds_1(0);
  portable_device serial = 0;
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  events = 0;
  CHECK_STATUS(portable_hook_add(record, &events, PORTABLE_EVENT_ALL, &h), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK); /* a second participant is no start */
  CHECK_STATUS(portable_device_find("serial", &serial), PORTABLE_OK);
  c.device = serial;
  CHECK_STATUS(portable_parallel_for("grid", &b, nothing, NULL, 0, &c), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("fails", &b, fails, NULL, 0, NULL), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("on purpose");
  CHECK_STATUS(portable_parallel_for("none", &none, nothing, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for(NULL, &b, nothing, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("no kernel", &b, NULL, NULL, 0, NULL), PORTABLE_ERR_ARG); /* nothing has begun */
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_hook_remove(h), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK); /* no hook gets this */
  CHECK(events == 11);
  CHECK(is(0, PORTABLE_EVENT_INIT, ""));
  CHECK(is(1, PORTABLE_EVENT_LAUNCH_BEGIN, "grid") && got[1].kind == PORTABLE_LAUNCH_FOR && got[1].device == serial);
  CHECK(got[1].count == 600 && got[1].id > 0 && got[1].status == PORTABLE_OK);
  CHECK(is(2, PORTABLE_EVENT_LAUNCH_END, "grid") && got[2].id == got[1].id && got[2].count == 600 && got[2].status == PORTABLE_OK);
  CHECK(is(3, PORTABLE_EVENT_LAUNCH_BEGIN, "fails") && got[3].id > got[1].id);
  CHECK(is(4, PORTABLE_EVENT_LAUNCH_END, "fails") && got[4].id == got[3].id && got[4].status == PORTABLE_ERR_KERNEL);
  CHECK(is(5, PORTABLE_EVENT_LAUNCH_SKIP, "none") && got[5].kind == PORTABLE_LAUNCH_FOR && got[5].id == 0);
  CHECK(is(6, PORTABLE_EVENT_LAUNCH_BEGIN, "unlabelled") && is(7, PORTABLE_EVENT_LAUNCH_END, "unlabelled"));
  CHECK(is(8, PORTABLE_EVENT_FENCE_BEGIN, "portable_fence") && is(9, PORTABLE_EVENT_FENCE_END, "portable_fence"));
  CHECK(got[8].id == got[9].id && got[8].id > got[6].id && got[8].kind == 0);
  CHECK(is(10, PORTABLE_EVENT_FINALIZE, ""));
}

static void test_nested(void) {
  portable_hook h = 0;
  portable_bounds b = portable_bounds_1(1000);
  events = 0;
  CHECK_STATUS(portable_hook_add(record, &events, PORTABLE_EVENT_LAUNCH_BEGIN | PORTABLE_EVENT_LAUNCH_END, &h), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("outer", &b, nested, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_hook_remove(h), PORTABLE_OK);
  CHECK(events == 4 && is(0, PORTABLE_EVENT_LAUNCH_BEGIN, "outer") && is(1, PORTABLE_EVENT_LAUNCH_BEGIN, "inner"));
  CHECK(is(2, PORTABLE_EVENT_LAUNCH_END, "inner") && is(3, PORTABLE_EVENT_LAUNCH_END, "outer"));
  CHECK(got[0].id == got[3].id && got[1].id == got[2].id && got[0].id != got[1].id);
}

/* ---- memory ---- */

static void test_memory(void) {
  portable_hook h = 0;
  portable_pool own = 0;
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  void *before = NULL, *p = NULL, *q = NULL, *of_own = NULL;
  config.name = "mine";
  config.initial_bytes = 1 << 20;
  for (int i = 0; i < 3; i++) { /* a block of the class waits in the magazine */
    CHECK_STATUS(portable_alloc(1000, "before", &before), PORTABLE_OK);
    CHECK_STATUS(portable_free(before), PORTABLE_OK);
  }
  CHECK_STATUS(portable_alloc(500, "before", &before), PORTABLE_OK);
  events = 0;
  CHECK_STATUS(portable_hook_add(record, &events, PORTABLE_EVENT_ALL, &h), PORTABLE_OK);
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(portable_alloc(1000, "h", &p), PORTABLE_OK);
    CHECK_STATUS(portable_free(p), PORTABLE_OK);
  }
  CHECK_STATUS(portable_free(p), PORTABLE_ERR_POINTER); /* no free: no event */
  CHECK_STATUS(portable_free((char *)before + 64), PORTABLE_ERR_POINTER);
  q = gatorAllocate(77);
  gatorDeallocate(q);
  CHECK_STATUS(portable_free(before), PORTABLE_OK);
  CHECK_STATUS(portable_pool_create(&config, &own), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(own, 300, "of my own", &of_own), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(own, of_own), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(own), PORTABLE_OK);
  CHECK_STATUS(portable_hook_remove(h), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(1000, "after", &p), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK(events == 11);
  CHECK(is(0, PORTABLE_EVENT_ALLOC, "h") && got[0].bytes == 1000 && got[0].pool == 0 && got[0].address != NULL);
  CHECK(is(1, PORTABLE_EVENT_FREE, "h") && got[1].bytes == 1000 && got[1].address == got[0].address);
  CHECK(is(2, PORTABLE_EVENT_ALLOC, "h") && is(3, PORTABLE_EVENT_FREE, "h"));
  CHECK(is(4, PORTABLE_EVENT_ALLOC, "") && got[4].bytes == 77 && got[4].address == q && is(5, PORTABLE_EVENT_FREE, ""));
  CHECK(is(6, PORTABLE_EVENT_FREE, "before") && got[6].bytes == 500 && got[6].address == before);
  CHECK(is(7, PORTABLE_EVENT_POOL_CREATE, "mine") && got[7].pool == own);
  CHECK(is(8, PORTABLE_EVENT_ALLOC, "of my own") && got[8].pool == own && got[8].bytes == 300 && got[8].address == of_own);
  CHECK(is(9, PORTABLE_EVENT_FREE, "of my own") && got[9].pool == own && got[9].address == of_own);
  CHECK(is(10, PORTABLE_EVENT_POOL_DESTROY, "") && got[10].pool == own);
}

/* ---- a hook that calls the library; one that removes itself ---- */

static int calls;

static void calls_library(const portable_hook_event *e, void *payload) {
  portable_bounds b = portable_bounds_1(10);
  void *p = NULL;
  (void)payload;
  calls++;
  CHECK(e->event == PORTABLE_EVENT_ALLOC || e->event == PORTABLE_EVENT_LAUNCH_BEGIN);
  CHECK_STATUS(portable_alloc(100, "in a hook", &p), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("in a hook", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
}

static void removes_itself(const portable_hook_event *e, void *payload) {
  (void)e;
  calls++;
  CHECK_STATUS(portable_hook_remove(*(portable_hook *)payload), PORTABLE_OK);
}

static void fails_itself(const portable_hook_event *e, void *payload) {
  (void)e;
  (void)payload;
  CHECK_STATUS(portable_hook_remove(12345), PORTABLE_ERR_HANDLE);
}

static void has_a_reason(const portable_tile *t, void *args) {
  (void)args;
  portable_kernel_fail(t, 5, "the reason");
}

/* The text is that of the call that the program has made. */
static void test_failures_inside(void) {
  portable_hook h = 0;
  portable_bounds b = portable_bounds_1(100);
  CHECK_STATUS(portable_hook_add(fails_itself, NULL, PORTABLE_EVENT_LAUNCH_BEGIN | PORTABLE_EVENT_LAUNCH_END, &h), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("reason", &b, has_a_reason, NULL, 0, NULL), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_for 'reason': the kernel failed with code 5: the reason");
  CHECK_STATUS(portable_parallel_for("fine", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
  CHECK_TEXT("parallel_for 'reason': ");
  CHECK_STATUS(portable_hook_remove(h), PORTABLE_OK);
}

static void test_calls_inside(void) {
  portable_hook h = 0, once = 0;
  portable_bounds b = portable_bounds_1(100);
  void *p = NULL;
  calls = 0;
  CHECK_STATUS(portable_hook_add(calls_library, NULL, PORTABLE_EVENT_ALLOC | PORTABLE_EVENT_LAUNCH_BEGIN, &h), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(200, "outside", &p), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("outside", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_hook_remove(h), PORTABLE_OK);
  CHECK(calls == 2);
  calls = 0;
  CHECK_STATUS(portable_hook_add(removes_itself, &once, PORTABLE_EVENT_LAUNCH_END, &once), PORTABLE_OK);
  for (int i = 0; i < 3; i++) CHECK_STATUS(portable_parallel_for("once", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
  CHECK(calls == 1);
}

/* ---- added within a launch: neither its beginning nor its end ---- */

static portable_hook within;

static void adds(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0)
    CHECK_STATUS(portable_hook_add(record, &events, PORTABLE_EVENT_LAUNCH_BEGIN | PORTABLE_EVENT_LAUNCH_END, &within), PORTABLE_OK);
}

static void test_added_within(void) {
  portable_hook other = 0;
  portable_bounds b = portable_bounds_1(100);
  CHECK_STATUS(portable_hook_add(record, &events, PORTABLE_EVENT_INIT, &other), PORTABLE_OK); /* a hook watches already */
  events = 0;
  CHECK_STATUS(portable_parallel_for("adds", &b, adds, NULL, 0, NULL), PORTABLE_OK);
  CHECK(events == 0);
  CHECK_STATUS(portable_parallel_for("next", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
  CHECK(events == 2);
  CHECK_STATUS(portable_hook_remove(within), PORTABLE_OK);
  CHECK_STATUS(portable_hook_remove(other), PORTABLE_OK);
}

/* ---- many threads, with hooks that come and go ---- */

enum { THREADS = 4, LAUNCHES = 300 };
static _Atomic int begun, ended, allocated, freed, fleeting, over;

static void counts(const portable_hook_event *e, void *payload) {
  (void)payload;
  if (e->event == PORTABLE_EVENT_LAUNCH_BEGIN) begun++;
  if (e->event == PORTABLE_EVENT_LAUNCH_END) ended++;
  if (e->event == PORTABLE_EVENT_ALLOC) allocated++;
  if (e->event == PORTABLE_EVENT_FREE) freed++;
}

static void alive(const portable_hook_event *e, void *payload) {
  (void)e;
  if (*(_Atomic int *)payload != 1) over++; /* called after its removal */
  fleeting++;
}

static void *works(void *arg) {
  portable_bounds b = portable_bounds_1(100);
  (void)arg;
  for (int i = 0; i < LAUNCHES; i++) {
    void *p = NULL;
    if (portable_alloc((size_t)(100 + i), "thread", &p) != PORTABLE_OK) over++;
    if (portable_parallel_for("thread", &b, i % 3 ? nested : nothing, NULL, 0, NULL) != PORTABLE_OK) over++;
    if (portable_free(p) != PORTABLE_OK) over++;
  }
  return NULL;
}

static void test_threads(void) {
  pthread_t thread[THREADS];
  portable_hook h = 0;
  CHECK_STATUS(portable_hook_add(counts, NULL, PORTABLE_EVENT_ALL, &h), PORTABLE_OK);
  for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&thread[i], NULL, works, NULL) == 0);
  for (int i = 0; i < 200; i++) {
    _Atomic int *state = malloc(sizeof *state);
    portable_hook short_lived = 0;
    atomic_init(state, 1);
    CHECK_STATUS(portable_hook_add(alive, state, i % 2 ? PORTABLE_EVENT_ALL : PORTABLE_EVENT_LAUNCH_BEGIN, &short_lived), PORTABLE_OK);
    sched_yield();
    CHECK_STATUS(portable_hook_remove(short_lived), PORTABLE_OK);
    atomic_store(state, 2);
    free(state);
  }
  for (int i = 0; i < THREADS; i++) CHECK(pthread_join(thread[i], NULL) == 0);
  CHECK_STATUS(portable_hook_remove(h), PORTABLE_OK);
  CHECK(over == 0);
  CHECK(begun == THREADS * (LAUNCHES + LAUNCHES * 2 / 3) && ended == begun);
  CHECK(allocated == THREADS * LAUNCHES && freed == allocated);
  printf("%d events of hooks that came and went\n", (int)fleeting);
}

/* ---- misuse ---- */

static void test_misuse(void) {
  portable_hook h[33], last = 5;
  CHECK_STATUS(portable_hook_add(NULL, NULL, PORTABLE_EVENT_ALL, &last), PORTABLE_ERR_ARG);
  CHECK(last == 0);
  CHECK_STATUS(portable_hook_add(record, NULL, PORTABLE_EVENT_ALL, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_hook_add(record, NULL, 0, &last), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_hook_add(record, NULL, 0x80000000u, &last), PORTABLE_ERR_ARG);
  CHECK_TEXT("events is 0x80000000");
  CHECK_STATUS(portable_hook_remove(0), PORTABLE_OK);
  CHECK_STATUS(portable_hook_remove(12345), PORTABLE_ERR_HANDLE);
  for (int i = 0; i < 32; i++) CHECK_STATUS(portable_hook_add(record, &events, PORTABLE_EVENT_INIT, &h[i]), PORTABLE_OK);
  CHECK_STATUS(portable_hook_add(record, &events, PORTABLE_EVENT_INIT, &h[32]), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("there are 32 hooks");
  for (int i = 0; i < 32; i++) CHECK_STATUS(portable_hook_remove(h[i]), PORTABLE_OK);
  CHECK_STATUS(portable_hook_remove(h[0]), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_hook_add(record, &events, PORTABLE_EVENT_INIT, &last), PORTABLE_OK);
  CHECK(last != h[0]);
  CHECK_STATUS(portable_hook_remove(h[0]), PORTABLE_ERR_HANDLE); /* of the same slot, but stale */
  CHECK_STATUS(portable_hook_remove(last), PORTABLE_OK);
}

int main(void) {
  test_launches();
  test_nested();
  test_memory();
  test_calls_inside();
  test_failures_inside();
  test_added_within();
  test_threads();
  test_misuse();
  return check_end();
}
