/* streams.c - misuse of streams and events: too early, of another kind, after their end. Not in this
 * file: waits that would never end (callbacks.c), NULL out pointers (arguments.c). */
#include "misuse.h"

#define NO_STREAM "is not a stream, or the stream was destroyed"
#define NO_EVENT "is not an event, or the event was destroyed"

static portable_status launch_nothing(portable_stream stream, portable_device device) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds bounds = portable_bounds_1(10);
  config.stream = stream;
  config.device = device;
  return portable_parallel_for("nothing", &bounds, nothing, NULL, 0, &config);
}

/* A stream before init. */
static void stream_before_init(void) {
  portable_stream s = 5;
  ASK(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &s));
  MUST(s == 0);
}

/* A stream of a run that has ended. */
static void stream_after_finalize(void) {
  portable_stream s;
  MUST(portable_init(NULL) == 0);
  s = new_stream();
  MUST(portable_stream_destroy(s) == 0 && portable_finalize() == 0);
  ASK(portable_stream_fence(s));
}

/* Finalize with a stream that was not destroyed. */
static void stream_left_behind(void) {
  MUST(portable_init(NULL) == 0);
  (void)new_stream();
  ASK(portable_finalize());
}

/* A stream of a device that does not exist. */
static void stream_of_no_device(void) {
  portable_stream s = 5;
  MUST(portable_init(NULL) == 0);
  ASK(portable_stream_create(77, PORTABLE_STREAM_ASYNC, &s));
  MUST(s == 0 && portable_finalize() == 0);
}

/* An invalid kind of stream. */
static void stream_of_no_kind(void) {
  portable_stream s = 5;
  MUST(portable_init(NULL) == 0);
  ASK(portable_stream_create(0, 2, &s));
  MUST(s == 0 && portable_finalize() == 0);
}

/* An event where a stream is wanted. */
static void stream_is_an_event(void) {
  portable_event e;
  MUST(portable_init(NULL) == 0);
  e = new_event();
  ASK(portable_stream_fence(e));
  MUST(portable_event_destroy(e) == 0 && portable_finalize() == 0);
}

/* Destroying the default stream of a device. */
static void stream_of_the_device(void) {
  MUST(portable_init(NULL) == 0);
  ASK(portable_stream_destroy(portable_device_stream(1)));
  MUST(portable_finalize() == 0);
}

/* A launch that names another device than its stream has. */
static void stream_other_device(void) {
  portable_stream s;
  MUST(portable_init(NULL) == 0);
  MUST(portable_stream_create(1, PORTABLE_STREAM_ASYNC, &s) == 0);
  ASK(launch_nothing(s, 2));
  MUST(portable_stream_destroy(s) == 0 && portable_finalize() == 0);
}

/* A dependency of memory that no pool owns. */
static void stream_depends_foreign(void) {
  portable_stream s;
  MUST(portable_init(NULL) == 0);
  s = new_stream();
  ASK(portable_add_stream_dependency(&s, s));
  MUST(portable_stream_destroy(s) == 0 && portable_finalize() == 0);
}

/* A callback that is NULL. */
static void stream_call_nothing(void) {
  portable_stream s;
  MUST(portable_init(NULL) == 0);
  s = new_stream();
  ASK(portable_stream_call(s, NULL, NULL));
  MUST(portable_stream_destroy(s) == 0 && portable_finalize() == 0);
}

static const struct kind kinds_of_streams[] = {
    {KIND(stream_before_init),
     ERROR(STATE, "portable_stream_create: the library does not run: call portable_init first")},
    {KIND(stream_after_finalize), ERROR(STATE, "portable_stream_fence: the library does not run")},
    {KIND(stream_left_behind), WARNS("1 stream was not destroyed before the library stopped, and ended with it")},
    {KIND(stream_of_no_device), ERROR(NODEVICE, "portable: no such device: number 77; there are ")},
    {KIND(stream_of_no_kind),
     ERROR(ARG, "portable_stream_create: the kind is 2; it is PORTABLE_STREAM_ASYNC or PORTABLE_STREAM_SYNC")},
    {KIND(stream_is_an_event), ERROR(HANDLE, "portable_stream_fence: 0x3 && " NO_STREAM)},
    {KIND(stream_of_the_device),
     ERROR(HANDLE, "portable_stream_destroy: 0xd000000000000001 is the default stream of a device, which ends "
                   "with the library")},
    {KIND(stream_other_device),
     ERROR(ARG, "parallel_for 'nothing': the stream is one of device 1 (serial), the launch names device 2")},
    {KIND(stream_depends_foreign),
     ERROR(POINTER, "no live block of any pool holds 0x && it is for memory of the default pool")},
    {KIND(stream_call_nothing), ERROR(ARG, "portable_stream_call: the function is NULL")},
};
const struct table streams_table = TABLE(kinds_of_streams, NULL, NULL);

/* Each kind of the next two tables uses gone, a stream or an event that was destroyed; e or s is still there. */
static portable_stream s, gone;
static portable_event e;
static int32_t done;

static void begin_gone(void) {
  begin_running();
  done = 5;
  s = new_stream(), e = new_event();
}

static void begin_gone_stream(void) {
  begin_gone();
  gone = s, s = 0;
  MUST(portable_stream_destroy(gone) == 0);
}

static void begin_gone_event(void) {
  begin_gone();
  gone = e, e = 0;
  MUST(portable_event_destroy(gone) == 0);
}

static void end_gone(void) {
  MUST(done == 5 || done == 0);
  goes_on(0);
  MUST(portable_event_destroy(e) == 0 && portable_stream_destroy(s) == 0);
  MUST(portable_finalize() == 0);
}

#define STALE_STREAMS(X) \
  X(stream_gone_fence, portable_stream_fence(gone), ERROR(HANDLE, "portable_stream_fence: 0x && " NO_STREAM)) \
  X(stream_gone_destroy, portable_stream_destroy(gone), ERROR(HANDLE, "portable_stream_destroy: 0x && " NO_STREAM)) \
  X(stream_gone_launch, launch_nothing(gone, 0), ERROR(HANDLE, "parallel_for 'nothing': 0x && " NO_STREAM)) \
  X(stream_gone_call, portable_stream_call(gone, no_call, NULL), \
    ERROR(HANDLE, "portable_stream_call: 0x && " NO_STREAM)) \
  X(stream_gone_query, portable_stream_query(gone, &done), ERROR(HANDLE, "portable_stream_query: 0x && " NO_STREAM)) \
  X(stream_gone_record, portable_event_record(e, gone), ERROR(HANDLE, "portable_event_record: 0x && " NO_STREAM)) \
  X(stream_gone_wait, portable_stream_wait_event(gone, e), \
    ERROR(HANDLE, "portable_stream_wait_event: 0x && " NO_STREAM)) \
  X(stream_gone_dependency, portable_add_stream_dependency(&done, gone), \
    ERROR(HANDLE, "portable_add_stream_dependency: 0x && " NO_STREAM))
STALE_STREAMS(CALL_FUNCTION)

static const struct kind kinds_of_gone_streams[] = {
    STALE_STREAMS(CALL_ROW)};
const struct table gone_streams_table = TABLE(kinds_of_gone_streams, begin_gone_stream, end_gone);

#define STALE_EVENTS(X) \
  X(event_gone_wait, portable_event_wait(gone), ERROR(HANDLE, "portable_event_wait: 0x && " NO_EVENT)) \
  X(event_gone_destroy, portable_event_destroy(gone), ERROR(HANDLE, "portable_event_destroy: 0x && " NO_EVENT)) \
  X(event_gone_record, portable_event_record(gone, s), ERROR(HANDLE, "portable_event_record: 0x && " NO_EVENT)) \
  X(event_gone_query, portable_event_query(gone, &done), ERROR(HANDLE, "portable_event_query: 0x && " NO_EVENT)) \
  X(event_gone_stream_wait, portable_stream_wait_event(s, gone), \
    ERROR(HANDLE, "portable_stream_wait_event: 0x && " NO_EVENT))
STALE_EVENTS(CALL_FUNCTION)

static const struct kind kinds_of_gone_events[] = {
    STALE_EVENTS(CALL_ROW)};
const struct table gone_events_table = TABLE(kinds_of_gone_events, begin_gone_event, end_gone);
