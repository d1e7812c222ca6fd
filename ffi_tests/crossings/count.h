/* count.h - how often one call enters Go, exactly and without a test hook. After each 4096th crossing of a thread the library puts handlers of the
 * program on the signal stack (crossings.h). A row brings the thread to such a point, makes the call, and counts calls that cross once until the next
 * such point. ROW states the crossings of a first and of a later call of one function; covered.sh demands a row for each public function. Not in
 * this file: the rows. Only crossings of the calling thread count. */
#ifndef COUNT_H
#define COUNT_H

#include <pthread.h>

#include "check.h"
#include "crossings.h"

enum { CYCLE = 4096, MOST = 64 };

/* Stands in the place of sigaction in the library (-Wl,--wrap=sigaction). Each thread of the library restores handlers when it starts, at any
 * time; only the calling thread's restores count. */
int __real_sigaction(int signal, const struct sigaction *a, struct sigaction *old);
int __wrap_sigaction(int signal, const struct sigaction *a, struct sigaction *old);
static pthread_t count_thread;
static int count_begun;

int __wrap_sigaction(int signal, const struct sigaction *a, struct sigaction *old) {
  if (count_begun && a && signal == SIGUSR2 && !pthread_equal(pthread_self(), count_thread)) return 0;
  return __real_sigaction(signal, a, old);
}

static int count_restored(void) {
  struct sigaction now;
  sigaction(SIGUSR2, NULL, &now);
  return (now.sa_flags & SA_ONSTACK) != 0;
}

static void count_arm(void) {
  struct sigaction a = {.sa_handler = crossings_handler};
  sigemptyset(&a.sa_mask);
  sigaction(SIGUSR2, &a, NULL);
}

/* Calls that cross once, until the library restores the handler. portable_init also restores handlers: a restore that comes more than
 * MOST crossings too early is one of these, and does not end the count. */
static int count_rest(void) {
  portable_pool pool;
  for (int n = 1; n <= 2 * CYCLE; n++) {
    portable_pool_default(&pool);
    if (!count_restored()) continue;
    if (n >= CYCLE - MOST) return n;
    count_arm();
  }
  return 0;
}

/* Brings the thread CYCLE crossings away from the next restore. */
static void count_begin(void) {
  count_arm();
  for (int i = 0; i < 10; i++) {
    int n = count_rest();
    count_arm();
    if (n == CYCLE) return;
  }
  CHECK(!"restores come every 4096 crossings");
}

static int count_end(void) {
  count_arm();
  return CYCLE - count_rest();
}

static inline void count_nothing(const portable_tile *tile, void *args) { (void)tile; (void)args; }

/* The first launch of a program asks Go for the default plan (a row of launch.c). Rows of other files are for programs that launch. */
static inline void count_warm_up(void) {
  portable_bounds one = portable_bounds_1(1);
  CHECK_STATUS(portable_parallel_for("first", &one, count_nothing, NULL, 0, NULL), PORTABLE_OK);
}

/* The way to count is right: an idle call costs nothing, and the call that counts costs one. */
static void count_self_test(void) {
  portable_pool pool;
  count_thread = pthread_self();
  count_begun = 1;
  count_begin();
  CHECK(count_end() == 0);
  for (int n = 1; n < 20; n++) {
    count_begin();
    for (int i = 0; i < n; i++) CHECK_STATUS(portable_pool_default(&pool), PORTABLE_OK);
    CHECK(count_end() == n);
  }
}

static void count_check(const char *call, int again, int wanted) {
  int got = count_end();
  if (got == wanted) return;
  check_failures++;
  printf("%.*s: the %s call crosses %d times, the row says %d\n", (int)strcspn(call, "("), call, again ? "later" : "first", got, wanted);
}

/* Makes the call twice and counts each; `again` is 0, then 1. The call must return `status`. */
#define ROW_STATUS(first, later, status, call) ROW_NAMED(first, later, #call, status, call)
#define ROW_NAMED(first, later, name, status, call)                                                \
  for (int again = 0; again < 2; again++) {                                                        \
    portable_status count_got;                                                                     \
    count_begin();                                                                                 \
    count_got = (call);                                                                            \
    count_check(name, again, again ? (later) : (first));                                           \
    if (count_got != (status)) {                                                                   \
      check_failures++;                                                                            \
      printf("%s gave %s: %s\n", #call, portable_status_name(count_got), portable_last_error());   \
    }                                                                                              \
  }
#define ROW(first, later, call) ROW_STATUS(first, later, PORTABLE_OK, call)
/* A call that makes something: `undo` ends it each time, so the later call finds memory that can be used again. */
#define ROW_UNDONE(first, later, call, undo)              \
  for (int again = 0; again < 2; again++) {               \
    count_begin();                                        \
    CHECK_STATUS(call, PORTABLE_OK);                      \
    count_check(#call, again, again ? (later) : (first)); \
    CHECK_STATUS(undo, PORTABLE_OK);                      \
  }
/* A call that returns a value, or nothing. */
#define ROW_VALUE(first, later, call)                   \
  for (int again = 0; again < 2; again++) {             \
    count_begin();                                      \
    (void)(call);                                       \
    count_check(#call, again, again ? (later) : (first)); \
  }
/* A function that nothing can call alone: `call` is the launch of a kernel that calls it, or a function of the file. */
#define ROW_KERNEL(first, later, function, status, call) ROW_NAMED(first, later, #function, status, call)

#define COUNT_INIT(type, name) type name; memset(&name, 0, sizeof name); name.struct_size = (uint32_t)sizeof name

#endif
