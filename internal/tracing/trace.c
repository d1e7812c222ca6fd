/* trace.c - opens the trace file, and builds and writes its records. In C because signal handlers
 * and code below the allocator write them. own_file.h keeps the file's number. */
#define _GNU_SOURCE
#include "../edge/base.h"
#include "trace.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "own_file.h"

static struct portable__own_file file = {.fd = -1};
static __thread uint32_t thread __attribute__((tls_model("initial-exec")));

int portable__trace_is_open(void) { return atomic_load_explicit(&file.fd, memory_order_relaxed) >= 0; }

const char *portable__trace_path(void) { return file.path; }

/* Under the lock of the instance. The first file is that of the process: stacks and modules are written once. */
int32_t portable__trace_open(const char *path, size_t bytes, int how) {
  static const uint32_t head[4] = {0x54524f50, 0x31435254, 1, 0}; /* "PORTTRC1", the version */
  if (file.path[0] || bytes == 0) return 0;
  return portable__own_file_create(&file, path, bytes, how, head, sizeof head);
}

void portable__trace_begin_in(struct portable__trace_record *r, uint16_t kind, void *to, size_t room) {
  struct portable__trace_head h = {PORTABLE__TRACE_MAGIC, kind, 0, 0, 0, 0};
  struct timespec t;
  if (!thread) thread = (uint32_t)syscall(SYS_gettid);
  clock_gettime(CLOCK_MONOTONIC, &t);
  h.thread = thread;
  h.time = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
  r->to = to;
  r->room = room;
  memcpy(r->to, &h, sizeof h);
  r->at = sizeof h;
}

void portable__trace_begin(struct portable__trace_record *r, uint16_t kind) { portable__trace_begin_in(r, kind, r->own, sizeof r->own); }

static void add(struct portable__trace_record *r, const void *from, size_t bytes) {
  if (bytes > r->room - r->at) return;
  memcpy(r->to + r->at, from, bytes);
  r->at += bytes;
}

void portable__trace_u32(struct portable__trace_record *r, uint32_t n) { add(r, &n, sizeof n); }

void portable__trace_u64(struct portable__trace_record *r, uint64_t n) { add(r, &n, sizeof n); }

void portable__trace_text_n(struct portable__trace_record *r, const char *text, size_t bytes) {
  size_t room = r->room - r->at;
  if (room < 4) return;
  room = (room - 4) & ~(size_t)3;
  if (bytes > room) bytes = room;
  portable__trace_u32(r, (uint32_t)bytes);
  add(r, text, bytes);
  while (r->at % 4) r->to[r->at++] = 0;
}

void portable__trace_text(struct portable__trace_record *r, const char *text) {
  portable__trace_text_n(r, text ? text : "", text ? strlen(text) : 0);
}

void portable__trace_put(struct portable__trace_record *r) {
  int error = errno;
  if (!portable__trace_is_open() || atomic_load(&portable__forked)) return;
  while (r->at % 8 && r->at < r->room) r->to[r->at++] = 0;
  r->at &= ~(size_t)7;
  uint32_t bytes = (uint32_t)r->at;
  memcpy(r->to + offsetof(struct portable__trace_head, bytes), &bytes, sizeof bytes);
  int why = portable__own_file_write(&file, r->to, r->at);
  if (why) portable__own_file_fails(&file, "the trace", why);
  errno = error;
}

void portable__trace_note(const char *text) {
  struct portable__trace_record r;
  if (!portable__trace_is_open()) return;
  portable__trace_begin(&r, PORTABLE__TRACE_NOTE);
  portable__trace_text(&r, text);
  portable__trace_put(&r);
}
