/* callbacks.c - misuse inside functions of the program that the library calls: kernels, callbacks of
 * streams, slab functions. They make calls that would wait for themselves, or do not return. */
#include "misuse.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <unistd.h>

/* The call under test is made inside; the kind writes its status when all is over. */
static portable_status (*inside)(void);
static portable_status inside_status;
static char inside_text[1000];

static void call_inside(void) {
  inside_status = inside();
  snprintf(inside_text, sizeof inside_text, "%s", portable_last_error());
}

static void say_inside(void) {
  if (looks) fprintf(stderr, "status %d %s: %s\n", (int)inside_status, portable_status_name(inside_status), inside_text);
}

/* Two iterations on two threads. */
static pthread_t inside_main;

static portable_status launch_two(portable_kernel_function kernel) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds bounds = portable_bounds_1(2);
  inside_main = pthread_self();
  config.device = 2;
  return portable_parallel_for("two", &bounds, kernel, NULL, 0, &config);
}

static void first_calls(const portable_tile *tile, void *args) {
  (void)args;
  if (tile->lower[0] == 0) call_inside();
}

/* Finalize in a kernel, whose launch would wait for itself. */
static void finalize_in_kernel(void) {
  MUST(portable_set_num_threads(2) == 0);
  inside = portable_finalize;
  MUST(launch_two(first_calls) == 0);
  say_inside();
  MUST(launch_two(nothing) == 0);
}

/* The launching thread waits, so that the other one runs its own iteration. */
static _Atomic int inside_begun;

static void exit_inside(const portable_tile *tile, void *args) {
  (void)tile, (void)args;
  if (!pthread_equal(pthread_self(), inside_main)) {
    inside_begun = 1;
    pthread_exit(NULL);
  }
  while (!inside_begun) sched_yield();
}

/* A kernel that ends its thread: the launch fails, and the next one has all threads again. */
static void thread_ends_in_kernel(void) {
  MUST(portable_set_num_threads(2) == 0);
  ASK(launch_two(exit_inside));
  MUST(launch_two(nothing) == 0 && portable_num_threads() == 2);
}

static void exit_callback(portable_status status, void *payload) {
  (void)status, (void)payload;
  pthread_exit(NULL);
}

/* A callback that ends the thread of its stream: the stream has an error, and goes on. */
static void thread_ends_in_callback(void) {
  portable_stream s = new_stream();
  MUST(portable_stream_call(s, exit_callback, NULL) == 0);
  ASK(portable_stream_fence(s));
  (void)portable_stream_fence(s);
  MUST(portable_stream_call(s, no_call, NULL) == 0 && portable_stream_fence(s) == 0 && portable_stream_destroy(s) == 0);
}

static jmp_buf inside_jump;
static _Atomic int inside_workers;

static void jump_inside(const portable_tile *tile, void *args) {
  (void)tile, (void)args;
  if (pthread_equal(pthread_self(), inside_main)) longjmp(inside_jump, 1);
}

static void count_workers(const portable_tile *tile, void *args) {
  (void)args;
  inside_workers = tile->workers;
}

/* A longjmp out of a kernel: the next launch reports it, and runs on all threads. */
static void jump_out_of_kernel(void) {
  MUST(portable_set_num_threads(2) == 0);
  inside_main = pthread_self();
  if (setjmp(inside_jump) == 0) launch_two(jump_inside);
  ASK(launch_two(count_workers));
  MUST(inside_workers == 2);
}

/* A pool whose slab function makes the call, under the pool's lock. */
static portable_pool inside_pool;

static void *slab_that_calls(size_t bytes, void *payload) {
  (void)payload;
  call_inside();
  return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void free_slab(void *slab, size_t bytes, void *payload) {
  (void)bytes, (void)payload;
  free(slab);
}

static void call_in_slab_function(portable_status (*call)(void)) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  void *p;
  inside = call;
  config.alloc = slab_that_calls, config.free = free_slab;
  MUST(portable_pool_create(&config, &inside_pool) == 0);
  MUST(portable_pool_alloc(inside_pool, 1000, "outer", &p) == 0);
  say_inside();
  MUST(portable_pool_free(inside_pool, p) == 0 && portable_pool_destroy(inside_pool) == 0);
}

static portable_status allocate_inner(void) {
  void *p;
  return portable_pool_alloc(inside_pool, 100, "inner", &p);
}

/* A slab function that allocates from its own pool. */
static void alloc_in_slab_function(void) { call_in_slab_function(allocate_inner); }

static portable_status statistics_inner(void) {
  portable_stats stats;
  stats.struct_size = (uint32_t)sizeof stats;
  return portable_pool_stats(inside_pool, &stats);
}

/* A slab function that asks for the statistics of its own pool. */
static void stats_in_slab_function(void) { call_in_slab_function(statistics_inner); }

/* Finalize in a slab function. */
static void finalize_in_slab_function(void) { call_in_slab_function(portable_finalize); }

#define IN_CALL "portable_finalize: called inside a kernel, or in a callback of another call of the library"
#define IN_SLAB_FUNCTION "called inside a function for slabs of a pool, which runs under the pool's lock"

static const struct kind kinds_of_callbacks[] = {
    {KIND(finalize_in_kernel), ERROR(STATE, IN_CALL)},
    {KIND(thread_ends_in_kernel), ERROR(KERNEL, "the kernel failed with code -4: a thread ended inside the kernel")},
    {KIND(thread_ends_in_callback), ERROR(STATE, "a kernel or callback of the stream ended its thread")},
    {KIND(jump_out_of_kernel),
     WARNS("a kernel was left by longjmp or by an exception; its launch ended without a status")},
    {KIND(alloc_in_slab_function), ERROR(STATE, IN_SLAB_FUNCTION)},
    {KIND(stats_in_slab_function), ERROR(STATE, IN_SLAB_FUNCTION)},
    {KIND(finalize_in_slab_function), ERROR(STATE, IN_CALL)},
};
const struct table callbacks_table = TABLE(kinds_of_callbacks, begin_running, end_running);

/* Each kind of the next table makes its call in a callback of stream s, which waits until the kind has done all it does. */
static portable_stream s, t;
static portable_event event;
static int go_on[2];

static void hold_stream(portable_status status, void *payload) {
  char one;
  (void)payload;
  MUST(status == PORTABLE_OK && read(go_on[0], &one, 1) == 1);
}

static void callback(portable_status status, void *payload) {
  (void)status, (void)payload;
  call_inside();
}

static void begin_held(void) {
  begin_running();
  MUST(pipe(go_on) == 0);
  s = new_stream(), t = new_stream(), event = new_event();
  MUST(portable_stream_call(s, hold_stream, NULL) == 0);
}

static void call_in_stream(portable_status (*call)(void)) {
  inside = call;
  MUST(portable_stream_call(s, callback, NULL) == 0);
}

static void end_held(void) {
  MUST(write(go_on[1], "!", 1) == 1);
  MUST(portable_stream_fence(s) == 0 && portable_stream_fence(t) == 0);
  say_inside();
  goes_on(0);
  MUST(portable_stream_destroy(s) == 0 && portable_stream_destroy(t) == 0 && portable_event_destroy(event) == 0);
  MUST(portable_finalize() == 0);
}

static portable_status fence_own(void) { return portable_stream_fence(s); }
static portable_status destroy_own(void) { return portable_stream_destroy(s); }
static portable_status wait_for_event(void) { return portable_event_wait(event); }

/* A callback that fences its own stream. */
static void inside_fence(void) { call_in_stream(fence_own); }

/* A callback that fences all streams. */
static void inside_fence_all(void) { call_in_stream(portable_fence); }

/* A callback that destroys its own stream. */
static void inside_destroy(void) { call_in_stream(destroy_own); }

/* A callback that stops the library. */
static void inside_finalize(void) { call_in_stream(portable_finalize); }

/* A callback that waits for an event which is recorded behind it. */
static void inside_own_event(void) {
  call_in_stream(wait_for_event);
  MUST(portable_event_record(event, s) == 0);
}

/* A callback that waits for a stream which waits for its own. */
static void inside_circle(void) {
  call_in_stream(wait_for_event);
  MUST(portable_event_record(event, s) == 0 && portable_stream_wait_event(t, event) == 0 && portable_event_record(event, t) == 0);
}

static const struct kind kinds_of_stream_callbacks[] = {
    {KIND(inside_fence),
     ERROR(STATE, "portable_stream_fence: called inside a kernel or a callback of the stream that it waits for, "
                  "which would wait for itself")},
    {KIND(inside_fence_all),
     ERROR(STATE, "portable_fence: called inside a kernel or a callback while there is work in a stream, which "
                  "may be its own")},
    {KIND(inside_destroy),
     ERROR(STATE, "portable_stream_destroy: called inside a kernel or a callback of the stream that it waits for")},
    {KIND(inside_finalize),
     ERROR(STATE, "portable_finalize: called inside a kernel or a callback of the stream that it waits for")},
    {KIND(inside_own_event),
     ERROR(STATE, "portable_event_wait: called inside a kernel or a callback of the stream that it waits for")},
    {KIND(inside_circle),
     ERROR(STATE, "portable_event_wait: called inside a kernel or a callback of a stream for which the other "
                  "stream waits, so that both would wait for ever")},
};
const struct table stream_callbacks_table = TABLE(kinds_of_stream_callbacks, begin_held, end_held);
