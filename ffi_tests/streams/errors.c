/* errors.c - errors in streams: the first one wins, what is behind it is skipped, the next fence has it once; and misuse. Not in this
 * file: what happens at the end of the library and in forked children (ends.c). */
#include "streams.h"

static _Atomic int ran;

static void count(const portable_tile *t, void *args) {
  (void)args;
  atomic_fetch_add(&ran, (int)(t->upper[0] - t->lower[0] + 1));
}

static void fails(const portable_tile *t, void *args) { portable_kernel_fail(t, *(int *)args, "no water in the river"); }

static _Atomic int called, seen;

static void note(portable_status status, void *payload) {
  (void)payload;
  atomic_store(&seen, status);
  atomic_fetch_add(&called, 1);
}

static void skipping(void) {
  int seven = 7, eight = 8;
  portable_event e = 0;
  portable_stream s = streams_new(), t = streams_new();
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK);
  CHECK_STATUS(streams_launch(s, 3, count, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(streams_launch(s, 3, fails, &seven, sizeof seven), PORTABLE_OK);
  CHECK_STATUS(streams_launch(s, 3, count, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(streams_launch(s, 3, fails, &eight, sizeof eight), PORTABLE_OK);
  CHECK_STATUS(portable_stream_call(s, note, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_wait_event(t, e), PORTABLE_OK); /* an event is done after an error too */
  CHECK_STATUS(streams_launch(t, 3, count, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(t), PORTABLE_OK);
  CHECK_STATUS(portable_event_wait(e), PORTABLE_OK);
  CHECK(ran == 6);
  CHECK(called == 1 && seen == PORTABLE_ERR_KERNEL);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_for 'test': the kernel failed with code 7: no water in the river");
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK); /* once */
  CHECK_STATUS(streams_launch(s, 3, count, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_call(s, note, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(ran == 9);
  CHECK(called == 2 && seen == PORTABLE_OK);

  /* By destroy, by the fence of all; the other streams do not care. */
  CHECK_STATUS(streams_launch(s, 3, fails, &seven, sizeof seven), PORTABLE_OK);
  CHECK_STATUS(streams_launch(t, 3, fails, &eight, sizeof eight), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("code 7");
  CHECK_STATUS(portable_fence(), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("code 8");
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(streams_launch(s, 3, fails, &eight, sizeof eight), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("code 8");
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_ERR_HANDLE); /* it has ended all the same */
  CHECK_STATUS(portable_stream_destroy(t), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(e), PORTABLE_OK);

  /* A synchronous stream has it at the launch. */
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_SYNC, &s), PORTABLE_OK);
  CHECK_STATUS(streams_launch(s, 3, fails, &seven, sizeof seven), PORTABLE_ERR_KERNEL);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

/* Fortran's procedures are waited for: such a launch is a fence too. */
static void waited_for(void) {
  int seven = 7;
  portable_bounds b = portable_bounds_1(5);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_stream s = c.stream = streams_new();
  ran = 0;
  CHECK_STATUS(portable__fortran_parallel_for(PORTABLE_VERSION, "waits ", 6, &b, count, NULL, 0, &c, 4, 2), PORTABLE_OK);
  CHECK(ran == 5);
  CHECK_STATUS(portable__fortran_parallel_for(PORTABLE_VERSION, "waits ", 6, &b, fails, &seven, sizeof seven, &c, 4, 2), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_for 'waits': the kernel failed with code 7");
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK_STATUS(streams_launch(s, 3, fails, &seven, sizeof seven), PORTABLE_OK);
  CHECK_STATUS(portable__fortran_parallel_for(PORTABLE_VERSION, "waits ", 6, &b, count, NULL, 0, &c, 4, 2), PORTABLE_ERR_KERNEL);
  CHECK(ran == 5);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

static portable_stream own, other;
static portable_event own_event, other_event;

static void wait_inside(void) {
  portable_bounds b = portable_bounds_1(5);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  CHECK_STATUS(portable_stream_fence(own), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_stream_fence: called inside a kernel or a callback of the stream that it waits for");
  CHECK_STATUS(portable_stream_destroy(own), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_event_wait(own_event), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_fence(), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_fence: called inside a kernel or a callback");
  CHECK_STATUS(portable_finalize(), PORTABLE_ERR_STATE);
  if (streams_default_waits()) CHECK_STATUS(portable_stream_wait_event(0, own_event), PORTABLE_ERR_STATE);
  c.stream = own;
  CHECK_STATUS(portable__fortran_parallel_for(PORTABLE_VERSION, "waits ", 6, &b, count, NULL, 0, &c, 4, 2), PORTABLE_ERR_STATE);
  /* For another stream it may wait. */
  CHECK_STATUS(streams_launch(other, 3, count, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(other), PORTABLE_OK);
  CHECK_STATUS(portable_event_wait(other_event), PORTABLE_OK);
}

static void waits(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) wait_inside();
}

static void inner(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) CHECK_STATUS(streams_launch(0, 2, waits, NULL, 0), PORTABLE_OK);
}

static void waits_in_callback(portable_status status, void *payload) {
  (void)status;
  (void)payload;
  wait_inside();
}

static void fence_of_nothing(const portable_tile *t, void *args) {
  (void)t;
  CHECK_STATUS(portable_fence(), *(int *)args);
}

static void inside(void) {
  struct gate g;
  int good = PORTABLE_OK, bad = PORTABLE_ERR_STATE;
  CHECK_STATUS(streams_launch(0, 100, fence_of_nothing, &good, sizeof good), PORTABLE_OK);
  own = streams_new();
  other = streams_new();
  CHECK_STATUS(portable_event_create(&own_event), PORTABLE_OK);
  CHECK_STATUS(portable_event_create(&other_event), PORTABLE_OK);
  /* The event is behind what asks for it. */
  streams_hold(own, &g);
  CHECK_STATUS(streams_launch(own, 1000, waits, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(streams_launch(own, 1000, inner, NULL, 0), PORTABLE_OK); /* its own launches run in its stream too */
  CHECK_STATUS(portable_stream_call(own, waits_in_callback, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(own_event, own), PORTABLE_OK);
  streams_go(&g);
  CHECK_STATUS(portable_stream_fence(own), PORTABLE_OK);
  CHECK_STATUS(streams_launch(0, 100, fence_of_nothing, &good, sizeof good), PORTABLE_OK);
  streams_hold(own, &g);
  CHECK_STATUS(streams_launch(0, 100, fence_of_nothing, &bad, sizeof bad), PORTABLE_OK);
  streams_go(&g);
  CHECK_STATUS(portable_stream_destroy(own), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(other), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(own_event), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(other_event), PORTABLE_OK);
}

/* Handles of no stream, or of a destroyed one. */
static void no_stream(portable_stream s) {
  int32_t done;
  portable_event e = 0;
  int x;
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("is not a stream, or the stream was destroyed");
  CHECK_STATUS(portable_stream_query(s, &done), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_stream_call(s, note, NULL), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_stream_wait_event(s, e), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_add_stream_dependency(&x, s), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(streams_launch(s, 3, count, NULL, 0), PORTABLE_ERR_HANDLE);
  CHECK(portable_stream_device(s) == 0 && portable_stream_kind(s) == -1);
  CHECK_STATUS(portable_event_destroy(e), PORTABLE_OK);
}

static void no_event(portable_event e) {
  int32_t done;
  CHECK_STATUS(portable_event_destroy(e), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_event_record(e, 0), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("is not an event, or the event was destroyed");
  CHECK_STATUS(portable_event_query(e, &done), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_event_wait(e), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_stream_wait_event(0, e), PORTABLE_ERR_HANDLE);
}

static void misuse(void) {
  portable_stream s = 5, t = streams_new();
  portable_event e = 0;
  portable_kernel k = 0;
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(5);
  int32_t done;
  int x;
  CHECK_STATUS(portable_stream_create(0, 2, &s), PORTABLE_ERR_ARG);
  CHECK(s == 0);
  CHECK_TEXT("the kind is 2");
  CHECK_STATUS(portable_stream_create(0, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_stream_create(77, 0, &s), PORTABLE_ERR_NODEVICE);
  CHECK_TEXT("number 77; there are");
  CHECK_STATUS(portable_stream_query(t, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_stream_call(t, NULL, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_event_create(NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK);
  CHECK_STATUS(portable_event_query(e, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_event_query(0, &done), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_add_stream_dependency(&x, t), PORTABLE_ERR_POINTER);
  CHECK_TEXT("no live block of any pool holds 0x");
  CHECK_STATUS(portable_stream_destroy(0), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(portable_device_stream(1)), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("is the default stream of a device");
  CHECK_STATUS(portable_kernel_create("k", 0, NULL, 0, &k), PORTABLE_OK);
  no_stream(k); /* handles of other kinds */
  no_stream(e);
  no_stream(UINT64_MAX);
  no_stream(1);
  no_event(t);
  no_event(k);
  no_event(UINT64_MAX);
  CHECK_STATUS(portable_kernel_set_host(t, count), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(e), PORTABLE_OK);
  no_event(e);
  /* The launch names a device that the stream is not of. */
  CHECK_STATUS(portable_stream_destroy(t), PORTABLE_OK);
  no_stream(t);
  CHECK_STATUS(portable_stream_create(1, PORTABLE_STREAM_ASYNC, &t), PORTABLE_OK);
  c.stream = t;
  c.device = 2;
  CHECK_STATUS(portable_parallel_for("test", &b, count, NULL, 0, &c), PORTABLE_ERR_ARG);
  CHECK_TEXT("the stream is one of device 1 (serial), the launch names device 2");
  /* The launch reports errors that it can see at once. */
  c.device = 0;
  b.stride[0] = 0;
  CHECK_STATUS(portable_parallel_for("test", &b, count, NULL, 0, &c), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_stream_destroy(t), PORTABLE_OK);
}

int main(void) {
  portable_stream s = 0;
  portable_event e = 0;
  CHECK_STATUS(portable_stream_create(0, 0, &s), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_stream_fence(0), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK); /* needs nothing that init makes */
  CHECK_STATUS(portable_event_record(e, 0), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_event_wait(e), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, 0), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(e), PORTABLE_OK);
  skipping();
  waited_for();
  inside();
  misuse();
  return check_end();
}
