/* left.c - calls that a kernel has left by longjmp: neither the thread's own portable_finalize nor another one's takes them for calls in progress, however
 * deep in the stack it comes and whatever the stack still holds. Calls that go on are still seen. Right: exit 0. A hang ends the program by SIGALRM. Not in
 * this file: exceptions (../../launch/lambdas.cpp), what a launch leaves behind in its thread (threads.c). */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

enum { N = 16, ROOM = 16384 };

static jmp_buf back;
static sem_t left, finalized;
static portable_device serial;

/* So that no compiler takes the buffer away. */
static void keep(volatile char *room) { __asm__ volatile("" : : "r"(room) : "memory"); }

static void jumps(const portable_tile *t, void *args) {
  (void)t, (void)args;
  longjmp(back, 1);
}

static void nothing(const portable_tile *t, void *args) { (void)t, (void)args; }

/* On the calling thread alone, whatever the device of the program is. */
static portable_status launch(portable_kernel_function kernel) {
  portable_bounds b = portable_bounds_1(N);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.device = serial;
  return portable_parallel_for("left", &b, kernel, NULL, 0, &config);
}

static __attribute__((noinline)) void leave(void) {
  if (setjmp(back) == 0) launch(jumps);
}

/* A launch in a launch, both left at once. */
static void launches_jump(const portable_tile *t, void *args) {
  (void)t, (void)args;
  launch(jumps);
}

static __attribute__((noinline)) void leave_two(void) {
  if (setjmp(back) == 0) launch(launches_jump);
}

static void leaves_inner(const portable_tile *t, void *args) {
  (void)t, (void)args;
  leave();
}

/* Below a frame over all of the stack that the call had, which keeps its contents. */
static __attribute__((noinline)) portable_status finalize_below(void) {
  volatile char room[ROOM];
  keep(room);
  portable_status status = portable_finalize();
  keep(room);
  return status;
}

static __attribute__((noinline)) portable_status finalize_a_little_below(size_t bytes) {
  volatile char *room = __builtin_alloca(bytes);
  keep(room);
  portable_status status = portable_finalize();
  keep(room);
  return status;
}

static __attribute__((noinline)) void overwrite_stack(void) {
  volatile char room[ROOM];
  for (size_t i = 0; i < sizeof room; i++) room[i] = 0x5a;
  keep(room);
}

static void test_own_thread(void) {
  leave();
  CHECK_STATUS(finalize_below(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  leave_two();
  CHECK_STATUS(finalize_below(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(launch(leaves_inner), PORTABLE_OK);
  CHECK_STATUS(finalize_below(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  leave();
  overwrite_stack();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (size_t bytes = 16; bytes < 4096; bytes += 48) { /* wherever the old frame lies in those of portable_finalize */
    leave();
    CHECK_STATUS(finalize_a_little_below(bytes), PORTABLE_OK);
    CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  }
}

/* ---- calls that go on ---- */

static void finalizes(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) CHECK_STATUS(finalize_below(), PORTABLE_ERR_STATE);
}

static void launches_finalize(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) CHECK_STATUS(launch(finalizes), PORTABLE_OK);
}

static void calls_finalize(portable_status status, void *payload) {
  (void)status, (void)payload;
  CHECK_STATUS(finalize_below(), PORTABLE_ERR_STATE);
}

static __attribute__((noinline)) void launch_below(portable_kernel_function kernel) {
  volatile char room[ROOM];
  keep(room);
  CHECK_STATUS(launch(kernel), PORTABLE_OK);
  keep(room);
}

static void test_goes_on(void) {
  CHECK_STATUS(launch(finalizes), PORTABLE_OK);
  CHECK_STATUS(launch(launches_finalize), PORTABLE_OK);
  CHECK_STATUS(portable_stream_call(0, calls_finalize, NULL), PORTABLE_OK);
  leave();
  launch_below(finalizes);
  leave();
  launch_below(launches_finalize);
  leave();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
}

/* ---- another thread's finalize ---- */

/* Comes back to the library only when that is over. */
static void *leaves(void *unused) {
  leave();
  overwrite_stack();
  sem_post(&left);
  sem_wait(&finalized);
  CHECK_STATUS(launch(nothing), PORTABLE_OK);
  return unused;
}

/* Comes back while the other one waits, deeper in the stack. */
static void *comes_back(void *unused) {
  portable_status status;
  leave();
  sem_post(&left);
  do {
    volatile char room[ROOM];
    keep(room);
    status = launch(nothing);
    keep(room);
  } while (status == PORTABLE_OK);
  CHECK_STATUS(status, PORTABLE_ERR_STATE);
  sem_wait(&finalized);
  return unused;
}

static void test_other_thread(void *(*run)(void *)) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, run, NULL) == 0);
  sem_wait(&left);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  if (run == leaves) CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  sem_post(&finalized);
  pthread_join(thread, NULL);
  if (run != leaves) CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
}

int main(void) {
  sem_init(&left, 0, 0);
  sem_init(&finalized, 0, 0);
  alarm(emulated_seconds(60));
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("serial", &serial), PORTABLE_OK);
  test_own_thread();
  test_goes_on();
  test_other_thread(leaves);
  test_other_thread(comes_back);
  return check_end();
}
