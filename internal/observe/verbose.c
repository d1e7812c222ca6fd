/* verbose.c - the log: one line for each operation of the library, in a file of the process. A line
 * is built on the stack and written with one system call, so lines of several threads do not mix, a
 * crash loses nothing, and no line takes a lock or memory. A forked child writes nothing.
 * own_file.h keeps the file's number; a later log takes it over. In C because a line must be out
 * before a kernel that may crash, and because Go may hold locks at the places that write. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../edge/above.h"
#include "observers.h"
#include "../team/team.h"
#include "../edge/line.h"
#include "../tracing/own_file.h"
#include "watch.h"

#define LINE 1024

/* Threads may use a log after a newer one has replaced it, so none is freed. */
struct log {
  struct portable__own_file file;
  struct log *before;
};
static struct log *_Atomic newest; /* changed at starts only, under the lock of the instance */
static _Atomic int64_t zero; /* when it was opened */
static __thread int32_t thread __attribute__((tls_model("initial-exec")));

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void add_seconds(struct portable__line *l, int64_t ns, size_t least) {
  uint64_t us = ns < 0 ? 0 : (uint64_t)ns / 1000;
  portable__line_padded(l, us / 1000000, least, ' ');
  portable__line_text(l, ".");
  portable__line_padded(l, us % 1000000, 6, '0');
}

/* "   12.345678 1234 ": seconds since the file was opened, and the thread by the system's number. */
static void begin_line(struct portable__line *l) {
  if (!thread) thread = (int32_t)syscall(SYS_gettid);
  add_seconds(l, now_ns() - atomic_load_explicit(&zero, memory_order_relaxed), 5);
  portable__line_text(l, " ");
  portable__line_decimal(l, (uint64_t)thread);
  portable__line_text(l, " ");
}

static void put(const char *line, size_t bytes) {
  struct log *log = atomic_load(&newest);
  int error = errno;
  if (!log || atomic_load_explicit(&log->file.fd, memory_order_relaxed) < 0 || atomic_load(&portable__forked)) return;
  int why = portable__own_file_write(&log->file, line, bytes);
  if (why) portable__own_file_fails(&log->file, "PORTABLE_VERBOSE: the log", why); /* what follows would be lost too */
  errno = error;
}

/* In the handler of a signal, which says all else on the screen. */
static void put_crash(const char *line, size_t bytes) {
  struct log *log = atomic_load(&newest);
  if (log && atomic_load(&log->file.fd) >= 0) (void)portable__own_file_write(&log->file, line, bytes);
}

static void say(const char *format, ...) PORTABLE__PRINTF(1, 2);
static void say(const char *format, ...) {
  char text[LINE];
  struct portable__line l = PORTABLE__LINE_IN(text);
  va_list list;
  begin_line(&l);
  va_start(list, format);
  l.at += portable__format(l.text + l.at, l.room - l.at, portable_last_error(), format, list);
  va_end(list);
  for (size_t i = 0; i < l.at; i++)
    if (text[i] == '\n' || text[i] == '\r') text[i] = ' '; /* of an error of several lines */
  portable__line_end(&l);
  put(l.text, l.at);
}

void portable__verbose_line(const char *text, size_t bytes) {
  if (portable__watched_by() >> PORTABLE__VERBOSE & 1) say("%.*s", (int)bytes, text);
}

/* ---- launches ---- */

static const char *kind_name(int32_t kind) {
  return kind == PORTABLE_LAUNCH_REDUCE ? "reduction" : kind == PORTABLE_LAUNCH_SCAN ? "parallel_scan" : "parallel_for";
}

/* ", dynamic, up to 4 threads, tiles of 10 x 20": the tile in the order of the indices. */
static void add_job(struct portable__line *l, const struct portable__job *job) {
  portable__line_text(l, job->dynamic ? ", dynamic, up to " : ", static, up to ");
  portable__line_decimal(l, (uint64_t)job->workers);
  portable__line_text(l, " threads");
  for (int32_t d = 0; d < job->cut.rank && !job->cut.merge; d++)
    for (int32_t k = 0; k < job->cut.rank; k++) {
      if (job->cut.axis[k].dim != d) continue;
      portable__line_text(l, d ? " x " : ", tiles of ");
      portable__line_decimal(l, (uint64_t)job->cut.axis[k].tile);
    }
}

static void begin(struct portable__watched *w) {
  w->state[PORTABLE__VERBOSE] = (uint64_t)now_ns();
  if (!w->kind) {
    say("fence %" PRIu64 " '%s' begins", w->id, w->label);
    return;
  }
  char text[PORTABLE_LOOP_RANK * 24 + 64];
  struct portable__line how = PORTABLE__LINE_IN(text);
  if (w->job) add_job(&how, w->job); /* on a cuda device the driver chooses */
  say("launch %" PRIu64 " '%s' begins: %s, %" PRId64 " iterations, device %s%.*s%s", w->id, w->label, kind_name(w->kind), w->count,
      portable__above_launch.device_name(w->device), (int)how.at, how.text, portable__running_job ? ", inside a kernel" : "");
}

static void end(struct portable__watched *w, portable_status status) {
  char text[64];
  struct portable__line l = PORTABLE__LINE_IN(text);
  add_seconds(&l, now_ns() - (int64_t)w->state[PORTABLE__VERBOSE], 1);
  portable__line_text(&l, " s");
  int took = (int)l.at;
  if (!w->kind)
    say("fence %" PRIu64 " '%s' ends after %.*s", w->id, w->label, took, text);
  else if (status == PORTABLE_OK)
    say("launch %" PRIu64 " '%s' ends after %.*s", w->id, w->label, took, text);
  else
    say("launch %" PRIu64 " '%s' fails after %.*s: %s", w->id, w->label, took, text, portable_last_error());
}

/* ---- everything else ---- */

static void event(const portable_hook_event *e) {
  switch (e->event) {
  case PORTABLE_EVENT_INIT:
    say("the library starts: version %d.%d.%d, process %d, device %s, %d threads", PORTABLE_VERSION_MAJOR, PORTABLE_VERSION_MINOR,
        PORTABLE_VERSION_PATCH, (int)getpid(), portable__above_launch.device_name(0), (int)portable__above_launch.num_threads());
    break;
  case PORTABLE_EVENT_FINALIZE: say("the library stops"); break;
  case PORTABLE_EVENT_LAUNCH_SKIP:
    say("launch '%s' is skipped: no iterations, %s, device %s", e->label, kind_name(e->kind), portable__above_launch.device_name(e->device));
    break;
  case PORTABLE_EVENT_REGION_BEGIN: say("timer '%s' starts", e->label); break;
  case PORTABLE_EVENT_REGION_END: say("timer '%s' stops", e->label); break;
  case PORTABLE_EVENT_ALLOC: say("allocate '%s': %" PRIu64 " bytes at %p", e->label, e->bytes, e->address); break;
  case PORTABLE_EVENT_FREE: say("free '%s': %" PRIu64 " bytes at %p", e->label, e->bytes, e->address); break;
  case PORTABLE_EVENT_POOL_CREATE: say("pool %#" PRIx64 " '%s' is made", e->pool, e->label); break;
  case PORTABLE_EVENT_POOL_DESTROY: say("pool %#" PRIx64 " is destroyed", e->pool); break;
  default: break;
  }
}

static const struct portable__watcher watcher = {begin, end, event, 1};

/* Later lines to the number of the log before go to the new log. */
static void follow(struct log *log, struct log *before) {
  int old = before ? portable__own_file_now(&before->file) : -1, fresh = atomic_load(&log->file.fd);
  if (old >= 0 && dup3(fresh, old, O_CLOEXEC) >= 0) {
    atomic_store(&log->file.fd, old);
    close(fresh);
    portable__own_file_end(&before->file);
  }
}

int32_t portable__verbose_open(const char *path, size_t bytes, int32_t how) {
  struct log *before = atomic_load(&newest);
  if (bytes == 0) {
    portable__watch_off(PORTABLE__VERBOSE);
    return 0;
  }
  int again = before && atomic_load(&before->file.fd) >= 0 && strlen(before->file.path) == bytes && memcmp(before->file.path, path, bytes) == 0;
  if (!again) {
    struct log *log = calloc(1, sizeof *log);
    if (!log) return ENOMEM;
    atomic_init(&log->file.fd, -1);
    int why = portable__own_file_create(&log->file, path, bytes, how, NULL, 0);
    if (why) {
      free(log);
      return why;
    }
    log->before = before;
    follow(log, before);
    atomic_store(&zero, now_ns());
    atomic_store(&newest, log);
    atomic_store(&portable__crash_copy, put_crash);
  }
  portable__watch_on(PORTABLE__VERBOSE, &watcher);
  return 0;
}
