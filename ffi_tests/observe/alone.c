/* alone.c - the watch point, hooks, the log and tuning with their C compiled into the program, for ThreadSanitizer: the archive is
 * compiled without it. The functions that they need of the rest of the library are here. usage: alone THREADS */
#include "../../internal/edge/above.h"
#include "../../internal/observe/observers.h"
#include "../../internal/observe/questions.h"
#include "../../internal/observe/tools.h"
#include "../../internal/observe/watch.h"
#include "../../internal/team/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rest of the library ---- */

_Atomic int portable__forked, portable__running = 1;
void (*_Atomic portable__crash_copy)(const char *line, size_t bytes);
int portable__tool;
__thread const struct portable__job *portable__running_job;
static _Atomic int held, failures;

static void hold_front(int32_t hold) {
  if (atomic_exchange(&held, hold) == hold) failures++;
}
const struct portable__above_front portable__above_front = {.hold = hold_front};
portable_status portable__cross_in(struct portable__crossing *c) {
  (void)c;
  return PORTABLE_OK;
}
void portable__cross_out(const struct portable__crossing *c) { (void)c; }
portable_status portable__unexplained(const char *call, const char *label, portable_status otherwise) { return call || label ? otherwise : PORTABLE_OK; }
_Atomic int portable__memchecking; /* no checks of memory, so no register of blocks */
static int live_block(uintptr_t start, portable_pool pool, const char **label_out, uint64_t *bytes_out) {
  (void)pool;
  return start == 0 && label_out == NULL && bytes_out == NULL;
}
const struct portable__above_memcheck portable__above_memcheck = {.live_block = live_block};
static int32_t block_starts(portable_pool pool, uintptr_t addr, portable_block *out, char *label, size_t room) {
  (void)pool;
  (void)addr;
  snprintf(label, room, "block");
  out->bytes = 100;
  return 1;
}
static void warn(portable__text text, size_t bytes) {
  (void)text;
  (void)bytes;
}
const struct portable__observe_go portable__observe_go = {.block_starts = block_starts, .warn = warn};
void portable__tools_start(void) {}
void portable__set_error(const char *text, size_t bytes) { (void)text, (void)bytes; }
void portable__check_skip(const char *label, const portable_bounds *bounds) {
  (void)label;
  (void)bounds;
}
portable_status portable__fail(portable_status code, const char *format, ...) {
  (void)format;
  return code;
}
const char *portable_last_error(void) { return "text"; }
static const char *device_name(portable_device device) { return device == 1 ? "serial" : "threads"; }
void portable__callback_ends(const int *returned) { (void)returned; }
static int32_t num_threads(void) { return 2; }
const struct portable__above_launch portable__above_launch = {.device_name = device_name, .num_threads = num_threads};

/* ---- threads that launch, while others turn everything on and off ---- */

static _Atomic int stop;
static _Atomic long begun, ended;

static void counts(const portable_hook_event *e, void *payload) {
  if (*(int *)payload != 1) failures++;
  if (e->event == PORTABLE_EVENT_LAUNCH_BEGIN) begun++;
  if (e->event == PORTABLE_EVENT_LAUNCH_END) ended++;
}

static void *launches(void *arg) {
  int block = 0;
  (void)arg;
  while (!stop) {
    struct portable__job job;
    portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    memset(&job, 0, sizeof job);
    uint32_t watching = portable__watched_by();
    if (watching >> PORTABLE__TUNING & 1) {
      int64_t chunk = portable__tune("update", 2, &c);
      if (chunk != 0 || (c.tile[0] != 4 && c.tile[0] != 8 && c.tile[0] != 0)) failures++; /* 0: turned off meanwhile */
      portable_launch_config reduction = PORTABLE_LAUNCH_CONFIG_INIT;
      if (portable__tune("update", 0, &reduction) != 0 || reduction.tile[0] != 0) failures++;
    }
    if (watching) {
      struct portable__watched w = {.label = "update", .kind = PORTABLE_LAUNCH_FOR, .device = 1, .count = 10, .job = &job};
      portable__watch_begin(watching, &w);
      portable__watch_end(&w, PORTABLE_OK);
      portable__watch_alloc(0, &block, 100, "block", 5);
      portable__watch_free(0, &block);
    }
  }
  return NULL;
}

static void *changes(void *arg) {
  int log = *(int *)arg;
  for (int i = 0; i < 400; i++) {
    if (log) {
      struct portable__tuning t[2] = {{.label = "update", .label_bytes = 6, .tile = {i % 2 ? 4 : 8, 4}, .tile_rank = 2}, {.label = ""}};
      if (portable__verbose_open("/dev/null", i % 3 ? 9 : 0, 0) != 0) failures++;
      if (!portable__tuning_set(t, i % 5 ? 1 : 0, i % 5 ? 1 : 0)) failures++;
    } else {
      int *payload = malloc(sizeof *payload);
      portable_hook hook = 0;
      *payload = 1;
      if (portable_hook_add(counts, payload, i % 2 ? PORTABLE_EVENT_ALL : PORTABLE_EVENT_LAUNCH_BEGIN | PORTABLE_EVENT_LAUNCH_END, &hook) != 0)
        failures++;
      sched_yield();
      if (portable_hook_remove(hook) != 0) failures++;
      *payload = 2; /* no thread is in it any more */
      free(payload);
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 3, log = 1, hooks = 0, kept = 1;
  pthread_t launcher[16], changer[3];
  portable_hook hook = 0;
  if (threads > 16) threads = 16;
  if (portable_hook_add(counts, &kept, PORTABLE_EVENT_LAUNCH_BEGIN | PORTABLE_EVENT_LAUNCH_END, &hook) != 0) failures++;
  for (int i = 0; i < threads; i++) pthread_create(&launcher[i], NULL, launches, NULL);
  pthread_create(&changer[0], NULL, changes, &log);
  pthread_create(&changer[1], NULL, changes, &hooks);
  pthread_create(&changer[2], NULL, changes, &hooks);
  for (int i = 0; i < 3; i++) pthread_join(changer[i], NULL);
  stop = 1;
  for (int i = 0; i < threads; i++) pthread_join(launcher[i], NULL);
  if (portable_hook_remove(hook) != 0) failures++;
  portable__verbose_open("", 0, 0);
  if (held || portable__watching_memory) failures++; /* the observer of blocks was removed */
  printf("%ld beginnings, %ld ends, %d failures\n", (long)begun, (long)ended, (int)failures);
  return failures > 0 || begun == 0;
}
