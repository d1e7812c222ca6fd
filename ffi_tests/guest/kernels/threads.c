/* threads.c - launches and the program's threads: kernels that come into the library while another thread changes the team or
 * stops the library; a launching thread that is cancelled, or ends after it has left a kernel; threads that are not available; where threads may run.
 * Not in this file: many of all that at once (stress.c). */
#define _GNU_SOURCE
#include "guest.h"
#include "meet.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

enum { N = 64 };

static int teamless;
static _Atomic int in_kernel, go_on, sum, others;
static _Atomic int came_in; /* stays, when in_kernel is over before a starved thread has looked */

static void pause_ms(long ms) {
  struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&pause, NULL);
}

static void launch(portable_kernel_function kernel) {
  portable_bounds b = portable_bounds_1(N);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.tile[0] = 1;
  CHECK_STATUS(portable_parallel_for("threads", &b, kernel, NULL, 0, &config), PORTABLE_OK);
}

static void add(const portable_tile *t, void *args) {
  (void)args;
  atomic_fetch_add(&sum, (int)(t->upper[0] - t->lower[0] + 1));
}

static void launch_sum(void) {
  atomic_store(&sum, 0);
  launch(add);
  CHECK(sum == N);
}

/* Long enough that the other thread waits for the team, then into each part of the library that has a lock. */
static void comes_in(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] != 0) return;
  atomic_store(&in_kernel, 1);
  atomic_store(&came_in, 1);
  pause_ms(50);
  portable_pool pool = 0;
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  CHECK_STATUS(portable_pool_default(&pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_create(&config, &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
  CHECK_STATUS(portable_set_num_threads(2), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_finalize(), PORTABLE_ERR_STATE); /* no kernel may stop the library, were it only its own participant */
  atomic_store(&in_kernel, 0);
}

static void *changes_team(void *unused) {
  while (!atomic_exchange(&came_in, 0)) sched_yield();
  CHECK_STATUS(portable_set_num_threads(4), PORTABLE_OK);
  CHECK(teamless || !atomic_load(&in_kernel)); /* it has waited for the launch */
  return unused;
}

/* last: not NULL for the last participant, which waits for all launches. Others do not. */
static void *counts_out(void *last) {
  while (!atomic_exchange(&came_in, 0)) sched_yield();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK(!last || !atomic_load(&in_kernel));
  return NULL;
}

/* Only a launch that has the team is waited for; one on a single thread is a call of the program like others. */
static void test_locks(void) {
  pthread_t other;
  int32_t before = portable_num_threads();
  teamless = before < 2;
  alarm(emulated_seconds(60)); /* a wait for each other would be for ever */
  for (int round = 0; round < 3; round++) {
    CHECK(pthread_create(&other, NULL, changes_team, NULL) == 0);
    launch(comes_in);
    pthread_join(other, NULL);
    CHECK(portable_num_threads() == 4);
    CHECK_STATUS(portable_set_num_threads(before), PORTABLE_OK);
    CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
    CHECK(pthread_create(&other, NULL, counts_out, NULL) == 0);
    launch(comes_in);
    pthread_join(other, NULL);
  }
  alarm(0);
  if (before < 2) return;
  alarm(emulated_seconds(60));
  /* The last participant goes while a launch is under way: it is waited for, too, and the library starts again. */
  CHECK(pthread_create(&other, NULL, counts_out, &teamless) == 0);
  portable_bounds b = portable_bounds_1(N);
  portable_status status = portable_parallel_for("late", &b, comes_in, NULL, 0, NULL);
  CHECK(status == PORTABLE_OK);
  pthread_join(other, NULL);
  CHECK(!portable_is_initialized());
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  alarm(0);
}

static void waits(const portable_tile *t, void *args) {
  (void)args;
  atomic_fetch_add(&others, 1);
  if (t->worker == 0) atomic_store(&in_kernel, 1);
  while (!atomic_load(&go_on)) pause_ms(1); /* a place where a thread may be cancelled */
}

static void *cancelled(void *unused) {
  portable_bounds b = portable_bounds_1(N);
  portable_parallel_for("cancelled", &b, waits, NULL, 0, NULL);
  atomic_store(&others, -1);
  pthread_testcancel();
  atomic_store(&others, -2);
  return unused;
}

/* A thread that is cancelled in its launch ends after it. */
static void test_cancel(void) {
  pthread_t thread;
  void *result;
  if (portable_num_threads() < 2) return; /* on one thread the kernel is the program's own call, and ends with it */
  atomic_store(&in_kernel, 0);
  atomic_store(&go_on, 0);
  CHECK(pthread_create(&thread, NULL, cancelled, NULL) == 0);
  while (!atomic_load(&in_kernel)) pause_ms(1);
  pthread_cancel(thread);
  pause_ms(30);
  CHECK(atomic_load(&others) > 0);
  atomic_store(&go_on, 1);
  pthread_join(thread, &result);
  CHECK(result == PTHREAD_CANCELED && atomic_load(&others) == -1);
  launch_sum();
}

static jmp_buf back;
static pthread_t jumper;

static void jumps(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
  if (!pthread_equal(pthread_self(), jumper)) {
    atomic_fetch_add(&others, 1);
    return;
  }
  /* The others work on the frame that is left: they end before. */
  for (int i = 0; i < 1000 && atomic_load(&others) < portable_num_threads() - 1; i++) pause_ms(1);
  pause_ms(20);
  longjmp(back, 1);
}

static __attribute__((noinline)) void overwrite_stack(void) {
  volatile char bytes[16384];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = 0x5a;
}

/* launches_again: the launch that was left is seen before the thread ends. */
static void *leaves_and_ends(void *launches_again) {
  portable_bounds b = portable_bounds_1(portable_num_threads());
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.tile[0] = 1;
  jumper = pthread_self();
  atomic_store(&others, 0);
  if (setjmp(back) == 0) portable_parallel_for("left", &b, jumps, NULL, 0, &config);
  if (launches_again) launch_sum();
  overwrite_stack();
  pthread_exit(launches_again);
}

/* Nothing of the launch is left behind in the thread, which runs its cleanups when it ends. */
static void test_left(void) {
  pthread_t thread;
  void *result;
  alarm(emulated_seconds(60));
  for (int round = 0; round < 2; round++) {
    CHECK(pthread_create(&thread, NULL, leaves_and_ends, round ? &sum : NULL) == 0);
    CHECK(pthread_join(thread, &result) == 0 && result == (round ? &sum : NULL));
    launch_sum();
  }
  alarm(0);
}

static void test_too_many(void) {
  struct rlimit before, small;
  int32_t threads = portable_num_threads();
  if (is_emulated()) return; /* qemu-user does not limit addresses, of which it needs some itself */
  CHECK(getrlimit(RLIMIT_AS, &before) == 0);
  small = before;
  small.rlim_cur = (rlim_t)guest_status("VmSize") * 1024 + ((rlim_t)300 << 20); /* room for three or four stacks of 64 MiB */
  CHECK(setrlimit(RLIMIT_AS, &small) == 0);
  CHECK_STATUS(portable_set_num_threads(50), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("of 50");
  CHECK(portable_num_threads() < 12 && portable_num_threads() >= 1);
  launch_sum();
  CHECK(setrlimit(RLIMIT_AS, &before) == 0);
  CHECK_STATUS(portable_set_num_threads(50), PORTABLE_OK);
  CHECK(portable_num_threads() == 50);
  for (int i = 0; i < 50; i++) launch_sum();
  CHECK_STATUS(portable_set_num_threads(threads), PORTABLE_OK);
}

static cpu_set_t seen[N];
static uint64_t begun;

static void where(const portable_tile *t, void *args) {
  (void)args;
  meet(t, &begun);
  CHECK(sched_getaffinity(0, sizeof seen[0], &seen[t->worker]) == 0);
}

/* Workers may go where the process may when the library starts or the team is changed; not more, and not less. */
static void test_masks(void) {
  cpu_set_t all, one;
  int32_t threads = portable_num_threads();
  CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
  for (int round = 0; round < 2; round++) {
    one = all;
    if (round == 0) {
      CPU_ZERO(&one);
      for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
    }
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK_STATUS(portable_set_num_threads(1), PORTABLE_OK);
    CHECK_STATUS(portable_set_num_threads(3), PORTABLE_OK);
    memset(seen, 0, sizeof seen);
    begun = 0;
    launch(where);
    for (int w = 0; w < 3; w++) CHECK(CPU_EQUAL(&seen[w], &one));
  }
  CHECK_STATUS(portable_set_num_threads(threads), PORTABLE_OK);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  launch_sum();
  test_locks();
  test_cancel();
  test_left();
  test_too_many();
  test_masks();
  launch_sum();
  return check_end();
}
