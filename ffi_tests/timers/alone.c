/* alone.c [SECONDS] - the C of the timers without the library around it, so that ThreadSanitizer and AddressSanitizer can be compiled
 * into it: threads start, stop and end while others read, reset and switch. Not in this file: what is measured (timers.c). */
#include "../../exec/timer/questions.h"
#include "../../exec/timer/timer.h"
#include "../../internal/edge/above.h"
#include "../../internal/memcheck/memcheck.h"
#include "../../internal/observe/tools.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the rest of the library has ---- */

__thread struct portable__thread *portable__self __attribute__((tls_model("initial-exec")));
__thread const struct portable__job *portable__running_job __attribute__((tls_model("initial-exec")));
_Atomic int portable__forked;
int portable__tool;
_Atomic uint32_t portable__watching;

struct portable__thread *portable__thread_get(void) {
  if (!portable__self) portable__self = calloc(1, sizeof *portable__self);
  return portable__self;
}
portable_status portable__fail(portable_status code, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return code;
}
static portable_status fence(void) { return PORTABLE_OK; }
const struct portable__above_stream portable__above_stream = {.fence = fence};
__thread struct portable__stream *portable__own_stream __attribute__((tls_model("initial-exec")));
int32_t portable_is_initialized(void) { return 1; }
portable_status portable__check_version(int32_t version) { return version == PORTABLE_VERSION ? PORTABLE_OK : PORTABLE_ERR_VERSION; }
portable_status portable__cross_in(struct portable__crossing *c) { return c ? PORTABLE_OK : PORTABLE_ERR_ARG; }
void portable__cross_out(const struct portable__crossing *c) { (void)c; }
portable_status portable__not_running(const char *function) { return function ? PORTABLE_ERR_STATE : PORTABLE_ERR_INTERNAL; }
portable_status portable__unexplained(const char *call, const char *label, portable_status otherwise) { return call || label ? otherwise : PORTABLE_OK; }
void portable__watch_on(int32_t bit, const struct portable__watcher *watcher) {
  if (watcher) atomic_fetch_or(&portable__watching, UINT32_C(1) << bit);
}
void portable__watch_off(int32_t bit) { atomic_fetch_and(&portable__watching, ~(UINT32_C(1) << bit)); }
void portable__memcheck_timer(const char *label, size_t bytes) { (void)label; (void)bytes; }
void portable__watch_region(int32_t begins, const char *label) { (void)begins; (void)label; }
static portable_status refused(portable__timer_asked_in asked) { return asked->kind == PORTABLE__TIMER_STOP ? PORTABLE_ERR_STATE : PORTABLE_ERR_ARG; }
const struct portable__timer_go portable__timer_go = {.refused = refused};

/* ---- the test ---- */

enum { PLAYERS = 4 };

static _Atomic int ended, wrong;

#define MUST(condition)                                                    \
  do {                                                                     \
    if (!(condition)) {                                                    \
      atomic_fetch_add(&wrong, 1);                                         \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                 \
    }                                                                      \
  } while (0)

static void play(int depth, unsigned *random) {
  char label[32];
  snprintf(label, sizeof label, "label %u", (*random = *random * 1103515245u + 12345u) >> 16 & 63u);
  /* where all was switched or stopped meanwhile it does not run any more */
  portable_status status = portable_timer_start(label);
  MUST(status == PORTABLE_OK || status == PORTABLE_ERR_STATE);
  if (depth > 0) play(depth - 1, random);
  status = portable_timer_stop(label);
  MUST(status == PORTABLE_OK || status == PORTABLE_ERR_STATE);
}

static void *short_lived(void *argument) {
  unsigned random = (unsigned)(uintptr_t)argument;
  portable_status status = portable_timer_start("short");
  MUST(status == PORTABLE_OK || status == PORTABLE_ERR_STATE);
  play(3, &random);
  portable__timer_thread_ends(portable__thread_get());
  return NULL; /* its state is lost here: the library would hand it on */
}

static void *player(void *argument) {
  unsigned random = (unsigned)(uintptr_t)argument;
  pthread_t thread;
  for (int i = 0; !atomic_load(&ended); i++) {
    play((int)(random >> 16 & 7u), &random);
    if (i % 5000 == 0 && pthread_create(&thread, NULL, short_lived, argument) == 0) pthread_join(thread, NULL);
  }
  portable__timer_thread_ends(portable__thread_get());
  return NULL;
}

int main(int argc, char **argv) {
  int64_t until = portable__now_ns() + (int64_t)((argc > 1 ? atof(argv[1]) : 2) * 1e9);
  pthread_t players[PLAYERS];
  portable__timers_begin(PORTABLE_TIMERS_ON);
  portable__timers_running(1);
  for (uintptr_t i = 0; i < PLAYERS; i++) pthread_create(&players[i], NULL, player, (void *)(i + 1));
  for (int i = 0; portable__now_ns() < until; i++) {
    struct portable__timer_row *rows = NULL;
    int64_t n = portable__timer_rows(&rows);
    MUST(n >= 0);
    for (int64_t k = 0; k < n; k++) MUST(rows[k].parent < k && rows[k].label_bytes == strlen(rows[k].label) && rows[k].count >= 0);
    free(rows);
    portable_timer_stats s;
    s.struct_size = sizeof s;
    MUST(portable_timer_get("label 7", PORTABLE_TIMERS_OF_ALL, &s) == PORTABLE_OK);
    if (i % 7 == 0) MUST(portable_timers_reset() == PORTABLE_OK);
    if (i % 50 == 0) MUST(portable_timers_enable(i % 100 ? PORTABLE_TIMERS_LAUNCHES : PORTABLE_TIMERS_OFF) == PORTABLE_OK);
    if (i % 1000 < 3) portable__timers_running(i % 1000 > 1); /* a finalize, and an init */
    if (i % 1000 == 1) portable__timers_begin(PORTABLE_TIMERS_ON);
    if (i % 50 == 1) MUST(portable_timers_enable(PORTABLE_TIMERS_ON) == PORTABLE_OK);
  }
  atomic_store(&ended, 1);
  for (int i = 0; i < PLAYERS; i++) pthread_join(players[i], NULL);
  printf("%d wrong\n", atomic_load(&wrong));
  return atomic_load(&wrong) > 0;
}
