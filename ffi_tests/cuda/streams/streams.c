/* streams.c - streams of a cuda device: what runs before what, on the device and on the host, seen with a driver that runs nothing before it must. Must
 * come out the same where the driver refuses events. Not in this file: errors (errors.c). */
#include "device_streams.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gpu.h"

static portable_stream s, t, h;
static portable_event e, f;

static int lazy(void) { return !getenv("FAKE_CUDA_EAGER"); }
static int events_work(void) { return !getenv("FAKE_CUDA_FAIL"); }

/* ---- the default stream ---- */

static void default_stream(void) {
  CHECK(portable_stream_kind(0) == PORTABLE_STREAM_ASYNC && portable_stream_device(0) == device);
  CHECK(portable_stream_kind(portable_device_stream(device)) == PORTABLE_STREAM_ASYNC);
  CHECK(portable_stream_kind(portable_device_stream(2)) == PORTABLE_STREAM_SYNC);
  CHECK_STATUS(put(0, 0, 7), PORTABLE_OK);
  if (lazy()) CHECK(words[0][5] == 0); /* no thread has waited */
  CHECK_STATUS(portable_stream_fence(0), PORTABLE_OK);
  CHECK(words[0][5] == 7);
  CHECK_STATUS(put(portable_device_stream(device), 0, 8), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(words[0][5] == 8);
  CHECK_STATUS(put(0, 0, 9), PORTABLE_OK);
  int asked = 1;
  while (!device_done(0)) asked++;
  CHECK(words[0][5] == 9);
  if (lazy()) CHECK(asked > 1);
  CHECK(device_done(0) == 1);
  CHECK_STATUS(portable_stream_destroy(portable_device_stream(device)), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("default stream");
}

/* ---- kernels of the host, and callbacks ---- */

static uint32_t saw[2];

static void look(portable_status status, void *payload) {
  saw[0] = words[*(int *)payload][7];
  saw[1] = (uint32_t)-status;
}

static void host_turns(void) {
  static int one = 1;
  CHECK_STATUS(put(0, 0, 20), PORTABLE_OK);
  CHECK_STATUS(add(0, "here", 0, 0), PORTABLE_OK); /* fences the stream, and runs on this thread */
  CHECK(words[0][5] == 21);
  CHECK_STATUS(put(s, 0, 30), PORTABLE_OK);
  CHECK_STATUS(add(s, "there", 0, 0), PORTABLE_OK);
  CHECK_STATUS(put(s, 1, 40), PORTABLE_OK); /* waits for its turn behind the host */
  CHECK_STATUS(portable_stream_call(s, look, &one), PORTABLE_OK);
  CHECK_STATUS(put(s, 1, 41), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(words[0][5] == 31 && words[1][7] == 41 && saw[0] == 40 && saw[1] == 0);
  CHECK_STATUS(put(s, 1, 42), PORTABLE_OK); /* and straight to the device again */
  if (lazy()) CHECK(words[1][7] == 41);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(words[1][7] == 42);
}

/* ---- events ---- */

static void events(void) {
  CHECK_STATUS(put(s, 0, 50), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK_STATUS(put(s, 1, 51), PORTABLE_OK);
  CHECK_STATUS(portable_event_wait(e), PORTABLE_OK);
  CHECK(words[0][5] == 50);
  if (lazy() && events_work()) CHECK(words[1][5] == 42); /* no more than that */
  /* On the device one waits for the other. */
  CHECK_STATUS(portable_event_record(f, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(t, f), PORTABLE_OK);
  CHECK_STATUS(put(t, 1, 52), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(t), PORTABLE_OK);
  CHECK(words[1][5] == 52);
  /* A stream of the host after one of the device, and the other way round. */
  CHECK_STATUS(put(s, 0, 60), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(h, e), PORTABLE_OK);
  CHECK_STATUS(add(h, "host", 0, 0), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(f, h), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(s, f), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(0, f), PORTABLE_OK);
  CHECK_STATUS(add(s, "after", 0, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(words[0][5] == 62);
  /* More points than there are events of the driver's. */
  portable_event many[20];
  for (uint32_t i = 0; i < 20; i++) {
    CHECK_STATUS(portable_event_create(&many[i]), PORTABLE_OK);
    CHECK_STATUS(put(s, 0, 100 + i), PORTABLE_OK);
    CHECK_STATUS(portable_event_record(many[i], s), PORTABLE_OK);
  }
  for (uint32_t i = 0; i < 20; i++) {
    CHECK_STATUS(portable_event_wait(many[i]), PORTABLE_OK);
    CHECK(words[0][5] >= 100 + i);
    if (lazy() && events_work() && i < 7) CHECK(words[0][5] == 100 + i);
    CHECK_STATUS(portable_event_destroy(many[i]), PORTABLE_OK);
  }
  /* A point behind what waits for the host: the other stream waits for it all the same. */
  struct gate g;
  int32_t done = -1;
  hold(s, &g);
  CHECK_STATUS(put(s, 0, 70), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(t, e), PORTABLE_OK);
  CHECK_STATUS(put(t, 0, 71), PORTABLE_OK);
  CHECK_STATUS(portable_event_query(e, &done), PORTABLE_OK);
  CHECK(done == 0 && device_done(t) == 0);
  go(&g);
  CHECK_STATUS(portable_stream_fence(t), PORTABLE_OK);
  CHECK(words[0][5] == 71);
}

/* ---- which stream waits for which ---- */

static portable_status circled;

static void waits_for_t(portable_status status, void *payload) {
  struct gate *g = payload;
  (void)status;
  atomic_store(&g->reached, 1);
  CHECK(await(&g->open, 1));
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_fence(), PORTABLE_ERR_STATE);
  circled = portable_event_wait(f);
  CHECK_STATUS(put(s, 1, 80), PORTABLE_OK); /* behind itself */
  CHECK_STATUS(add(s, "behind", 1, 0), PORTABLE_OK);
  CHECK_STATUS(put(0, 0, 81), PORTABLE_OK); /* another stream may be waited for */
  CHECK_STATUS(portable_stream_fence(0), PORTABLE_OK);
  CHECK(words[0][5] == 81);
}

static void circles(void) {
  struct gate g = {0};
  CHECK_STATUS(portable_stream_call(s, waits_for_t, &g), PORTABLE_OK);
  CHECK(await(&g.reached, 1));
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(t, e), PORTABLE_OK);
  CHECK_STATUS(put(t, 0, 79), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(f, t), PORTABLE_OK);
  go(&g);
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_fence(), PORTABLE_OK); /* the second one waits for what the callback has put in */
  CHECK(circled == PORTABLE_ERR_STATE);
  CHECK(words[1][5] == 81 && words[0][5] == 79);
}

/* ---- much at once ---- */

#define MANY 16500 /* more than a queue holds */

static _Atomic int put_in;

static void *opens(void *gate) {
  CHECK(await(&put_in, 16383)); /* and the gate */
  go(gate);
  return NULL;
}

static void *puts_many(void *which) {
  for (uint32_t i = 0; i < 300; i++) {
    CHECK_STATUS(put(t, *(int *)which, i), PORTABLE_OK);
    if (i % 100 == 50) CHECK_STATUS(portable_stream_call(t, look, which), PORTABLE_OK);
  }
  return NULL;
}

static void much(void) {
  struct gate g;
  pthread_t thread[2];
  int which[2] = {0, 1};
  hold(s, &g);
  CHECK(pthread_create(&thread[0], NULL, opens, &g) == 0);
  for (uint32_t i = 0; i < MANY; i++) {
    if (put(s, 0, i) != PORTABLE_OK) CHECK(!"put");
    if (i < 16383) atomic_store(&put_in, (int)i + 1);
  }
  pthread_join(thread[0], NULL);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(words[0][5] == MANY - 1);
  for (int i = 0; i < 2; i++) CHECK(pthread_create(&thread[i], NULL, puts_many, &which[i]) == 0);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  CHECK_STATUS(portable_stream_fence(t), PORTABLE_OK);
  CHECK(words[0][5] == 299 && words[1][5] == 299);
}

/* ---- memory ---- */

static void memory(void) {
  void *a, *b, *c;
  CHECK_STATUS(portable_stream_fence(0), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(100000, "kept", &a), PORTABLE_OK);
  CHECK_STATUS(put(0, 0, 1), PORTABLE_OK);
  CHECK_STATUS(portable_free(a), PORTABLE_OK); /* the launch may use it */
  if (lazy()) CHECK(check_stats(check_default_pool()).waiting_blocks == 1);
  CHECK_STATUS(portable_stream_fence(0), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(100000, "again", &b), PORTABLE_OK);
  CHECK(a == b);
  CHECK(check_stats(check_default_pool()).waiting_blocks == 0);
  CHECK_STATUS(put(s, 0, 2), PORTABLE_OK);
  CHECK_STATUS(portable_add_stream_dependency(b, s), PORTABLE_OK);
  CHECK_STATUS(portable_free(b), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(100000, "other", &c), PORTABLE_OK);
  if (lazy()) CHECK(c != b);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  struct gate g;
  hold(portable_device_stream(device), &g);
  CHECK_STATUS(put(0, 0, 3), PORTABLE_OK);
  CHECK_STATUS(portable_free(c), PORTABLE_OK); /* also one that still waits for the host may use it */
  CHECK(check_stats(check_default_pool()).waiting_blocks == 1);
  go(&g);
  CHECK_STATUS(portable_stream_fence(0), PORTABLE_OK);
}

/* ---- a child, synchronous streams, the end ---- */

static void child(void) {
  CHECK_STATUS(put(0, 0, 3), PORTABLE_OK);
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    int bad = portable_stream_fence(0) != PORTABLE_ERR_FORK || put(0, 0, 4) != PORTABLE_ERR_FORK || portable_free(words) != PORTABLE_OK;
    _exit(bad);
  }
  int status = -1;
  CHECK(waitpid(pid, &status, 0) == pid && status == 0);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(words[0][5] == 3);
}

static void synchronous(void) {
  portable_stream y = 0;
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_SYNC, &y), PORTABLE_OK);
  CHECK(portable_stream_kind(y) == PORTABLE_STREAM_SYNC);
  CHECK_STATUS(put(y, 0, 90), PORTABLE_OK);
  CHECK(words[0][5] == 90);
  CHECK_STATUS(add(y, "in turn", 0, 0), PORTABLE_OK);
  CHECK(words[0][5] == 91);
  CHECK_STATUS(portable_stream_destroy(y), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &y), PORTABLE_OK);
  CHECK_STATUS(put(y, 0, 92), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(y), PORTABLE_OK); /* waits */
  CHECK(words[0][5] == 92);
  CHECK_STATUS(put(y, 0, 93), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(put(h, 0, 93), PORTABLE_ERR_ARG); /* one of the host's */
}

/* Work that the program itself puts into the driver's stream is in order with the library's, and fences wait for it. */
static void foreign(void) {
  void *native = NULL;
  CHECK_STATUS(portable_stream_native(t, &native), PORTABLE_OK);
  CHECK(native != NULL);
  CHECK_STATUS(put(t, 0, 200), PORTABLE_OK);
  CHECK(cu.fill(places[0], 201, WORDS, native) == 0); /* the context is still this thread's */
  CHECK_STATUS(put(t, 1, 202), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(t), PORTABLE_OK);
  CHECK(words[0][5] == 201 && words[1][5] == 202);
  CHECK(cu.fill(places[0], 203, WORDS, native) == 0);
  if (lazy()) CHECK(device_done(t) == 0);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(words[0][5] == 203);
  CHECK(cu.fill(places[0], 204, WORDS, native) == 0);
  CHECK_STATUS(portable_event_record(e, t), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(s, e), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(words[0][5] == 204);
  CHECK_STATUS(put(t, 0, 205), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, t), PORTABLE_OK); /* an event that stands behind all that the library has put in does not do for the next */
  CHECK(cu.fill(places[0], 206, WORDS, native) == 0);
  CHECK_STATUS(portable_event_record(f, t), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(s, f), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(words[0][5] == 206);
  CHECK_STATUS(portable_stream_native(h, &native), PORTABLE_ERR_NODEVICE);
}

/* A stream of the driver's that the program has made: the library's work is in it, in order with the program's, and it outlives the library's stream. */
static void *own;

static portable_status make_own(void *native, void *payload) {
  (void)native, (void)payload;
  return cu.make(&own, 1) ? PORTABLE_ERR_NOMEM : PORTABLE_OK;
}

static void adopted(void) {
  portable_stream y = 7;
  void *native = NULL;
  CHECK_STATUS(portable_device_enqueue("make", device, 0, make_own, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_stream_adopt(device, NULL, &y), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_stream_adopt: native is NULL");
  CHECK(y == 0);
  CHECK_STATUS(portable_stream_adopt(device, own, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_stream_adopt(2, own, &y), PORTABLE_ERR_NODEVICE);
  CHECK_STATUS(portable_stream_adopt(0, own, &y), PORTABLE_OK);
  CHECK(portable_stream_device(y) == device && portable_stream_kind(y) == PORTABLE_STREAM_ASYNC);
  CHECK_STATUS(portable_stream_native(y, &native), PORTABLE_OK);
  CHECK(native == own);
  CHECK(cu.fill(places[0], 230, WORDS, own) == 0);
  CHECK_STATUS(put(y, 1, 231), PORTABLE_OK);
  CHECK(cu.fill(places[0], 232, WORDS, own) == 0);
  CHECK_STATUS(portable_stream_fence(y), PORTABLE_OK);
  CHECK(words[0][5] == 232 && words[1][5] == 231);
  CHECK(cu.fill(places[0], 233, WORDS, own) == 0);
  if (lazy()) CHECK(words[0][5] == 232);
  CHECK_STATUS(portable_event_record(e, y), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(s, e), PORTABLE_OK);
  CHECK_STATUS(put(s, 1, 234), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(words[0][5] == 233 && words[1][5] == 234);
  CHECK_STATUS(put(y, 0, 235), PORTABLE_OK);
  CHECK_STATUS(add(y, "on the host", 0, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(y), PORTABLE_OK); /* waits, and leaves the driver's stream */
  CHECK(words[0][5] == 236);
  CHECK(cu.fill(places[0], 237, WORDS, own) == 0);
  CHECK_STATUS(portable_stream_adopt(device, own, &y), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(y), PORTABLE_OK);
  CHECK(words[0][5] == 237);
  CHECK_STATUS(portable_stream_destroy(y), PORTABLE_OK);
  (void)cu.end(own); /* some runs have a driver that refuses it */
}

/* Where there is a second device: what its streams do comes after what those of the first one do, and no thread's choice of a device changes. */
static void two_devices(void) {
  portable_device second = 0;
  struct fill g = {0, 211};
  if (portable_device_find(gpu(":1"), &second) != PORTABLE_OK) return;
  portable_stream u = device_stream(second);
  CHECK_STATUS(put(s, 0, 210), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(u, e), PORTABLE_OK);
  CHECK_STATUS(portable_device_enqueue("fill", second, u, fill_words, &g, sizeof g), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(u), PORTABLE_OK);
  CHECK(words[0][5] == 211);
  g.value = 212;
  CHECK_STATUS(portable_device_enqueue("fill", second, 0, fill_words, &g, sizeof g), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK); /* the default streams of all devices, too */
  CHECK(words[0][5] == 212);
  CHECK_STATUS(portable_device_enqueue("fill", second, s, fill_words, &g, sizeof g), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_stream_destroy(u), PORTABLE_OK);
}

/* The timers wait for the device; a caller that watches launches sees them end. */
static _Atomic int ended;

static void ends(const portable_hook_event *event, void *payload) {
  (void)payload;
  if (strcmp(event->label, "fill") == 0) atomic_store(&ended, (int)words[0][5]);
}

static void watched(void) {
  portable_hook hook;
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_ON), PORTABLE_OK);
  CHECK_STATUS(portable_timer_start("step"), PORTABLE_OK);
  CHECK_STATUS(put(0, 0, 94), PORTABLE_OK);
  CHECK_STATUS(portable_timer_stop("step"), PORTABLE_OK);
  CHECK(words[0][5] == 94);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_OFF), PORTABLE_OK);
  CHECK_STATUS(portable_hook_add(ends, NULL, PORTABLE_EVENT_LAUNCH_END, &hook), PORTABLE_OK);
  CHECK_STATUS(put(s, 0, 95), PORTABLE_OK);
  CHECK(ended == 95);
  CHECK_STATUS(portable_hook_remove(hook), PORTABLE_OK);
}

/* A fence of all waits for what the program itself has put into a synchronous stream, also where there is no other one. */
static void alone(void) {
  portable_stream y = 0;
  void *native = NULL;
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_SYNC, &y), PORTABLE_OK);
  CHECK_STATUS(portable_device_enqueue("take", device, y, take_words, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_native(y, &native), PORTABLE_OK);
  memset(words[0], 0, WORDS * sizeof(uint32_t));
  CHECK(cu.fill(places[0], 6, WORDS, native) == 0);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(words[0][5] == 6);
  CHECK_STATUS(portable_device_enqueue("give", device, y, give_words, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(y), PORTABLE_OK);
}

int main(void) {
  device_start();
  alone();
  device_words();
  s = device_stream(device), t = device_stream(0), h = device_stream(2);
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&f), PORTABLE_OK);
  default_stream();
  host_turns();
  events();
  circles();
  much();
  memory();
  child();
  synchronous();
  foreign();
  adopted();
  two_devices();
  watched();
  CHECK_STATUS(put(0, 0, 96), PORTABLE_OK); /* the end waits for the rest */
  CHECK_STATUS(put(s, 1, 97), PORTABLE_OK);
  for (int i = 0; i < 3; i++) CHECK_STATUS(portable_stream_destroy(i == 0 ? s : i == 1 ? t : h), PORTABLE_OK);
  CHECK(words[1][5] == 97);
  return device_end();
}
