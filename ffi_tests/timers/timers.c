/* timers.c - timers from C: nesting and its errors, results, recursion, threads and their ends, launches, switching, hooks.
 * Not in this file: what a report looks like (report.c), long random sequences (model.c). */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static portable_timer_stats stats_of(const char *label, int32_t which) {
  portable_timer_stats s;
  memset(&s, 0, sizeof s);
  s.struct_size = (uint32_t)sizeof s;
  CHECK_STATUS(portable_timer_get(label, which, &s), PORTABLE_OK);
  return s;
}

static portable_timer_stats mine(const char *label) { return stats_of(label, PORTABLE_TIMERS_OF_THREAD); }

static void start(const char *label) { CHECK_STATUS(portable_timer_start(label), PORTABLE_OK); }
static void stop(const char *label) { CHECK_STATUS(portable_timer_stop(label), PORTABLE_OK); }

static void pause_ms(int ms) {
  struct timespec t = {0, ms * 1000000L};
  nanosleep(&t, NULL);
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void test_not_running(const char *when) {
  portable_timer_stats s;
  portable_timer_hooks h = PORTABLE_TIMER_HOOKS_INIT;
  char text[100] = "old";
  size_t needed = 7;
  s.struct_size = (uint32_t)sizeof s;
  printf("%s\n", when);
  CHECK_STATUS(portable_timer_start("x"), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_timer_start: the library does not run");
  CHECK_STATUS(portable_timer_stop("x"), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_timer_get("x", PORTABLE_TIMERS_OF_ALL, &s), PORTABLE_ERR_STATE);
  CHECK(s.count == 0 && s.total_ns == 0 && s.struct_size == sizeof s);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_ON), PORTABLE_ERR_STATE);
  CHECK(portable_timers_enabled() == PORTABLE_TIMERS_OFF);
  CHECK_STATUS(portable_timers_reset(), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_timers_report(text, sizeof text, &needed), PORTABLE_ERR_STATE);
  CHECK(text[0] == '\0' && needed == 0);
  CHECK_STATUS(portable_timers_json(NULL, 0, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_timers_print(NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_timers_set_hooks(&h), PORTABLE_ERR_STATE);
}

/* Off: nothing is looked at, so that a program pays nothing for its timers. */
static void test_off(void) {
  CHECK(portable_timers_enabled() == PORTABLE_TIMERS_OFF);
  CHECK_STATUS(portable_timer_stop("never started"), PORTABLE_OK);
  CHECK_STATUS(portable_timer_start(""), PORTABLE_OK);
  CHECK_STATUS(portable_timer_start(NULL), PORTABLE_OK);
  CHECK(mine("never started").count == 0);
  CHECK_STATUS(portable_timers_enable(3), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_enable(-1), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_ON), PORTABLE_OK);
  CHECK(portable_timers_enabled() == PORTABLE_TIMERS_ON);
}

static void test_errors(void) {
  portable_timer_stats s;
  memset(&s, 0, sizeof s);
  CHECK_STATUS(portable_timer_start(""), PORTABLE_ERR_ARG);
  CHECK_TEXT("the label is empty");
  CHECK_STATUS(portable_timer_start(NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timer_stop(""), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timer_stop("alone"), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_timer_stop of 'alone': no timer runs on this thread");
  start("outer");
  start("inner");
  CHECK_STATUS(portable_timer_stop("outer"), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_timer_stop of 'outer': the innermost timer that runs is 'inner'");
  CHECK(mine("outer").running == 1 && mine("inner").running == 1 && mine("outer").count == 0);
  stop("inner");
  stop("outer");
  CHECK(mine("outer").running == 0 && mine("outer").count == 1);
  CHECK_STATUS(portable_timer_stop("outer"), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_timer_get("outer", 0, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timer_get("outer", 0, &s), PORTABLE_ERR_ARG);
  s.struct_size = (uint32_t)sizeof s;
  CHECK_STATUS(portable_timer_get("", 0, &s), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timer_get(NULL, 0, &s), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timer_get("outer", 2, &s), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_report(NULL, 10, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_print("/nonexistent/folder/file"), PORTABLE_ERR_ARG);
  CHECK_TEXT("/nonexistent/folder/file");
}

static void test_results(void) {
  int64_t sum = 0, least = INT64_MAX, most = 0;
  CHECK_STATUS(portable_timers_reset(), PORTABLE_OK);
  CHECK(mine("outer").count == 0 && mine("outer").total_ns == 0);
  for (int i = 0; i < 4; i++) {
    start("part");
    pause_ms(1 + i);
    stop("part");
    portable_timer_stats s = mine("part");
    CHECK(s.last_ns >= 1000000 * (1 + i));
    sum += s.last_ns;
    if (s.last_ns < least) least = s.last_ns;
    if (s.last_ns > most) most = s.last_ns;
    CHECK(s.count == i + 1 && s.total_ns == sum && s.min_ns == least && s.max_ns == most);
  }
  CHECK(mine("never").count == 0 && mine("never").max_ns == 0);
}

static void recur(int depth) {
  start("recursive");
  pause_ms(2);
  if (depth > 1) recur(depth - 1);
  stop("recursive");
}

/* Each level is a call; the time is that of the outermost one, not the sum of all. */
static void test_recursion(void) {
  recur(4);
  portable_timer_stats s = mine("recursive");
  CHECK(s.count == 4 && s.running == 0);
  CHECK(s.total_ns == s.max_ns && s.last_ns == s.max_ns && s.min_ns < s.max_ns);
  start("a");
  start("b");
  start("a");
  CHECK(mine("a").running == 2);
  stop("a");
  CHECK(mine("a").total_ns == 0 && mine("a").count == 1);
  stop("b");
  stop("a");
  CHECK(mine("a").count == 2 && mine("a").total_ns == mine("a").max_ns);
}

/* Labels are compared by content and copied: a buffer that is written again is another label. */
static void test_labels(void) {
  char label[600];
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 500; i++) {
      snprintf(label, sizeof label, "step %d", i);
      start(label);
      stop(label);
    }
  CHECK(mine("step 0").count == 2 && mine("step 499").count == 2 && mine("step 500").count == 0);
  memset(label, 'x', sizeof label - 1);
  label[sizeof label - 1] = '\0';
  start(label);
  label[255] = '\0'; /* up to here it counts */
  stop(label);
  CHECK(mine(label).count == 1);
  label[254] = '\0';
  CHECK(mine(label).count == 0);
  start("\xe4\x01\"quoted\\");
  stop("\xe4\x01\"quoted\\");
}

static void test_reset(void) {
  start("around");
  start("before");
  stop("before");
  pause_ms(20);
  int64_t from = now_ns();
  CHECK_STATUS(portable_timers_reset(), PORTABLE_OK);
  CHECK(mine("before").count == 0 && mine("around").running == 1);
  start("after");
  stop("after");
  stop("around");
  CHECK(mine("after").count == 1 && mine("around").count == 1);
  CHECK(mine("around").total_ns >= mine("after").total_ns && mine("around").total_ns <= now_ns() - from);
}

/* ---- threads ---- */

static pthread_barrier_t gate;

static void *other(void *unused) {
  (void)unused;
  CHECK_STATUS(portable_timer_stop("shared"), PORTABLE_ERR_STATE);
  CHECK_TEXT("runs on another thread");
  CHECK(mine("shared").count == 0);
  for (int i = 0; i < 3; i++) {
    start("shared");
    stop("shared");
  }
  start("left running");
  pthread_barrier_wait(&gate);
  pthread_barrier_wait(&gate);
  return NULL;
}

static void *another(void *unused) {
  (void)unused;
  CHECK_STATUS(portable_timer_stop("left running"), PORTABLE_ERR_STATE);
  start("shared");
  stop("shared");
  return NULL;
}

static void test_threads(void) {
  pthread_t thread;
  char report[20000];
  CHECK_STATUS(portable_timers_reset(), PORTABLE_OK);
  CHECK(pthread_barrier_init(&gate, NULL, 2) == 0);
  start("shared");
  CHECK(pthread_create(&thread, NULL, other, NULL) == 0);
  pthread_barrier_wait(&gate);
  CHECK(mine("shared").count == 0 && stats_of("shared", PORTABLE_TIMERS_OF_ALL).count == 3);
  CHECK(stats_of("shared", PORTABLE_TIMERS_OF_ALL).running == 1 && stats_of("left running", PORTABLE_TIMERS_OF_ALL).running == 1);
  pthread_barrier_wait(&gate);
  CHECK(pthread_join(thread, NULL) == 0);
  stop("shared");
  portable_timer_stats s = stats_of("left running", PORTABLE_TIMERS_OF_ALL);
  CHECK(s.running == 0 && s.count == 1); /* until its thread's end */
  CHECK(stats_of("shared", PORTABLE_TIMERS_OF_ALL).count == 4);
  CHECK(pthread_create(&thread, NULL, another, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(stats_of("shared", PORTABLE_TIMERS_OF_ALL).count == 5);
  CHECK_STATUS(portable_timers_report(report, sizeof report, NULL), PORTABLE_OK);
  CHECK(strstr(report, "******* Timers for thread 0 *******\n") != NULL);
  CHECK(strstr(report, "******* Timers for thread 1 *******\nWARNING: a thread or a kernel ended while timers ran") != NULL);
  CHECK(strstr(report, "Still active") == NULL);
}

/* ---- launches ---- */

static void quiet_kernel(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

static void failing_kernel(const portable_tile *t, void *args) {
  (void)args;
  portable_kernel_fail(t, 3, "on purpose");
}

static void timing_kernel(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    start("in kernel");
    stop("in kernel");
  }
}

static void nesting_kernel(const portable_tile *t, void *args) {
  portable_bounds b = portable_bounds_1(2);
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) CHECK_STATUS(portable_parallel_for("nested", &b, quiet_kernel, NULL, 0, NULL), PORTABLE_OK);
}

static void forgetting_kernel(const portable_tile *t, void *args) {
  (void)args;
  if (t->worker == 0) start("forgotten");
}

static void *launching(void *unused) {
  portable_bounds b = portable_bounds_1(10);
  (void)unused;
  for (int i = 0; i < 5; i++) CHECK_STATUS(portable_parallel_for("from a thread", &b, quiet_kernel, NULL, 0, NULL), PORTABLE_OK);
  return NULL;
}

static void test_launches(void) {
  portable_bounds b = portable_bounds_1(100), none = portable_bounds_1(0);
  pthread_t thread;
  char label[20], text[200];
  CHECK_STATUS(portable_parallel_for("not timed", &b, quiet_kernel, NULL, 0, NULL), PORTABLE_OK);
  CHECK(stats_of("not timed", PORTABLE_TIMERS_OF_ALL).count == 0);
  start("phase");
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_LAUNCHES), PORTABLE_OK); /* changes nothing for what runs */
  CHECK_STATUS(portable_parallel_for("timed", &b, quiet_kernel, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for(NULL, &b, quiet_kernel, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("empty", &none, quiet_kernel, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("fails", &b, failing_kernel, NULL, 0, NULL), PORTABLE_ERR_KERNEL);
  CHECK_STATUS(portable_parallel_for("times", &b, timing_kernel, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("nests", &b, nesting_kernel, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("forgets", &b, forgetting_kernel, NULL, 0, NULL), PORTABLE_OK);
  for (int i = 0; i < 6; i++) {
    snprintf(label, sizeof label, "dynamic %d", i % 3);
    CHECK_STATUS(portable_parallel_for(label, &b, quiet_kernel, NULL, 0, NULL), PORTABLE_OK);
  }
  CHECK(pthread_create(&thread, NULL, launching, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  stop("phase");
  CHECK(mine("timed").count == 1 && mine("timed").total_ns > 0 && mine("timed").total_ns <= mine("phase").total_ns);
  CHECK(mine("unlabelled").count == 1 && mine("empty").count == 0 && mine("fails").count == 1);
  CHECK(mine("dynamic 2").count == 2 && mine("from a thread").count == 0);
  CHECK(stats_of("from a thread", PORTABLE_TIMERS_OF_ALL).count == 5);
  CHECK(stats_of("in kernel", PORTABLE_TIMERS_OF_ALL).count == 100);
  CHECK(stats_of("nested", PORTABLE_TIMERS_OF_ALL).count == 100);
  CHECK(mine("forgets").count == 1 && mine("forgotten").count >= 1 && stats_of("forgotten", PORTABLE_TIMERS_OF_ALL).running == 0);
  CHECK_STATUS(portable_timers_report(text, sizeof text, NULL), PORTABLE_OK);
  CHECK(strlen(text) == sizeof text - 1);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_ON), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("timed", &b, quiet_kernel, NULL, 0, NULL), PORTABLE_OK);
  CHECK(mine("timed").count == 1);
}

/* ---- switching ---- */

static void test_switch(void) {
  start("switched");
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_OFF), PORTABLE_OK);
  CHECK(mine("switched").running == 0);
  CHECK_STATUS(portable_timer_stop("switched"), PORTABLE_OK);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_ON), PORTABLE_OK);
  CHECK_STATUS(portable_timer_stop("switched"), PORTABLE_ERR_STATE);
  CHECK(mine("switched").count == 0);
  start("switched");
  stop("switched");
  CHECK(mine("switched").count == 1);
}

/* ---- hooks ---- */

struct heard { int inits, finals; _Atomic int depth, starts; char last[40]; };

static void hook_init(void *p) { ((struct heard *)p)->inits++; }
static void hook_finalize(void *p) { ((struct heard *)p)->finals++; }

static void hook_start(const char *label, void *p) {
  struct heard *h = p;
  h->starts++;
  h->depth++;
  if (strcmp(label, "hooked") == 0) snprintf(h->last, sizeof h->last, "%s", label);
}

static void hook_stop(const char *label, void *p) {
  (void)label;
  ((struct heard *)p)->depth--;
}

/* Its own timers are refused, and its launches are not timed: it would be called again for each, without end. */
static int asked;
static void nothing(const portable_tile *t, void *args) { (void)t, (void)args; }
static void hook_calls(const char *label, void *p) {
  const portable_bounds b = portable_bounds_1(3);
  (void)label, (void)p;
  asked++;
  CHECK_STATUS(portable_timer_start("inner"), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_timer_start of 'inner': called inside a function that stands in for the timers");
  CHECK_STATUS(portable_timer_stop("inner"), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_parallel_for("launched inside", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
}

static void test_hooks_that_call(void) {
  portable_timer_hooks h = PORTABLE_TIMER_HOOKS_INIT;
  const portable_bounds b = portable_bounds_1(3);
  h.start = h.stop = hook_calls;
  CHECK_STATUS(portable_timers_set_hooks(&h), PORTABLE_OK);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_LAUNCHES), PORTABLE_OK);
  asked = 0;
  start("outer");
  stop("outer");
  CHECK(asked == 2);
  CHECK_STATUS(portable_parallel_for("launched", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
  CHECK(asked == 4);
  CHECK_STATUS(portable_timers_set_hooks(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_OFF), PORTABLE_OK);
}

static void test_hooks(void) {
  static struct heard heard, second; /* the second one is called by finalize */
  portable_timer_hooks h = PORTABLE_TIMER_HOOKS_INIT;
  portable_bounds b = portable_bounds_1(100);
  h.init = hook_init;
  h.finalize = hook_finalize;
  h.start = hook_start;
  h.stop = hook_stop;
  h.payload = &heard;
  h.reserved = 1;
  CHECK_STATUS(portable_timers_set_hooks(&h), PORTABLE_ERR_ARG);
  h.reserved = 0;
  h.struct_size = 4;
  CHECK_STATUS(portable_timers_set_hooks(&h), PORTABLE_ERR_ARG);
  h.struct_size = (uint32_t)sizeof h;
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_OFF), PORTABLE_OK);
  CHECK_STATUS(portable_timers_set_hooks(&h), PORTABLE_OK);
  CHECK(heard.inits == 1 && portable_timers_enabled() == PORTABLE_TIMERS_ON);
  start("hooked");
  CHECK(heard.depth == 1 && strcmp(heard.last, "hooked") == 0);
  stop("hooked");
  CHECK(heard.depth == 0 && mine("hooked").count == 0);
  CHECK_STATUS(portable_parallel_for("launch", &b, quiet_kernel, NULL, 0, NULL), PORTABLE_OK);
  CHECK(heard.starts == 1);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_LAUNCHES), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("launch", &b, timing_kernel, NULL, 0, NULL), PORTABLE_OK);
  CHECK(heard.starts == 102 && heard.depth == 0);
  CHECK_STATUS(portable_timer_start(""), PORTABLE_ERR_ARG);
  h.payload = &second;
  CHECK_STATUS(portable_timers_set_hooks(&h), PORTABLE_OK);
  CHECK(heard.finals == 1 && second.inits == 1);
  CHECK_STATUS(portable_timers_set_hooks(NULL), PORTABLE_OK);
  CHECK(second.finals == 1);
  start("own again");
  stop("own again");
  CHECK(mine("own again").count == 1);
  CHECK_STATUS(portable_timers_set_hooks(&h), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK(second.finals == 2);
  test_not_running("after finalize");
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK(portable_timers_enabled() == PORTABLE_TIMERS_OFF && mine("own again").count == 0);
}

/* ---- hooks of launches and regions ---- */

static void region(const portable_hook_event *e, void *payload) {
  int *seen = payload;
  if (strcmp(e->label, "region") == 0) seen[e->event == PORTABLE_EVENT_REGION_END]++;
}

/* Hooks get the events of timers, also while timers are off. */
static void test_regions(void) {
  int seen[2] = {0, 0};
  portable_hook hook = 0;
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_OFF), PORTABLE_OK);
  CHECK_STATUS(portable_hook_add(region, seen, PORTABLE_EVENT_REGION_BEGIN | PORTABLE_EVENT_REGION_END, &hook), PORTABLE_OK);
  start("region");
  stop("region");
  CHECK(seen[0] == 1 && seen[1] == 1 && mine("region").count == 0);
  CHECK_STATUS(portable_timer_start(""), PORTABLE_OK);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_ON), PORTABLE_OK);
  start("region");
  CHECK_STATUS(portable_timer_stop("another"), PORTABLE_ERR_STATE);
  stop("region");
  CHECK(seen[0] == 2 && seen[1] == 2 && mine("region").count == 1);
  CHECK_STATUS(portable_hook_remove(hook), PORTABLE_OK);
  start("region");
  stop("region");
  CHECK(seen[0] == 2 && mine("region").count == 2);
}

static void test_child(void) {
  int status = 0;
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_ON), PORTABLE_OK);
  start("across a fork");
  pid_t pid = fork();
  if (pid == 0) {
    check_failures = 0;
    CHECK_STATUS(portable_timer_start("child"), PORTABLE_ERR_FORK);
    CHECK_STATUS(portable_timer_stop("across a fork"), PORTABLE_ERR_FORK);
    CHECK_STATUS(portable_timers_print(NULL), PORTABLE_ERR_FORK);
    CHECK_STATUS(portable_timers_reset(), PORTABLE_ERR_FORK);
    CHECK(portable_timers_enabled() == PORTABLE_TIMERS_OFF);
    fflush(stdout);
    _exit(check_failures > 0);
  }
  CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  stop("across a fork");
}

int main(void) {
  unsetenv("PORTABLE_PROFILE");
  test_not_running("before init");
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  test_off();
  test_errors();
  test_results();
  test_recursion();
  test_labels();
  test_reset();
  test_threads();
  test_launches();
  test_switch();
  test_hooks();
  test_hooks_that_call();
  test_regions();
  test_child();
  return check_end();
}
