/* memcheck.c - the observer of memory checks: enters blocks into the register, tells the guards the
 * allocation sites, and writes the events of PORTABLE_TRACE. Not in this file: findings
 * (memcheck_find.c). Go calls functions here under the lock of the instance or of a pool; no
 * function calls Go. */
#include "../backend/cuda/matters.h"
#include "../edge/thread.h"
#include "../tracing/found.h"
#include "../edge/text.h"
#include "memcheck.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../guard/guard.h"
#include "../team/team.h"
#include "hazard.h"
#include "../stacks/stack.h"
#include "../tracing/trace.h"

_Atomic int portable__memchecking;
static _Atomic uint32_t what; /* PORTABLE__MEMCHECK_... */
static _Atomic uint64_t serials;
static __thread uint32_t last_stack __attribute__((tls_model("initial-exec")));

uint64_t portable__memcheck_newest(void) { return atomic_load(&serials); }

uint32_t portable__memcheck_what(void) { return atomic_load_explicit(&what, memory_order_relaxed); }

uint32_t portable__memcheck_last(void) { return last_stack; }

static uint32_t stack_if_wanted(void) {
  return atomic_load_explicit(&what, memory_order_relaxed) & (PORTABLE__MEMCHECK_MEMORY | PORTABLE__MEMCHECK_STACKS) ? portable__stack_here() : 0;
}

static int events(void) { return (atomic_load_explicit(&what, memory_order_relaxed) & PORTABLE__MEMCHECK_EVENTS) != 0; }

/* ---- blocks ---- */

static void write_block(uint16_t kind, const struct portable__known *k, uint32_t stack) {
  struct portable__trace_record r;
  portable__trace_begin(&r, kind);
  portable__trace_u64(&r, atomic_load(&k->start));
  portable__trace_u64(&r, k->bytes);
  portable__trace_u32(&r, stack);
  portable__trace_u64(&r, k->pool);
  portable__trace_text(&r, k->label);
  portable__trace_put(&r);
}

/* Nothing is kept of blocks that sampling skipped, also where hooks want a notice of all. */
static int is_passed_over(const void *address) { return portable__guard_options.picks && !portable__guard_starts((uintptr_t)address); }

static void allocated(const portable_hook_event *e) {
  if (is_passed_over(e->address)) return;
  struct portable__known k = {.start = (uintptr_t)e->address, .state = PORTABLE__BLOCK_LIVE, .bytes = e->bytes, .pool = e->pool};
  k.label = portable__blocks_label(e->label, strlen(e->label));
  k.serial = atomic_fetch_add(&serials, 1) + 1;
  k.alloc_stack = last_stack = stack_if_wanted();
  portable__blocks_add(&k);
  if (atomic_load_explicit(&portable__memchecking, memory_order_relaxed)) {
    struct portable__guarded *g = portable__guard_starts((uintptr_t)e->address);
    if (g) {
      atomic_store(&g->alloc_stack, k.alloc_stack);
      g->serial = k.serial;
      strncpy(g->label, k.label, sizeof g->label - 1);
      g->label[sizeof g->label - 1] = '\0';
      g->name = portable__blocks_is_whole(k.label) ? k.label : NULL;
    }
  }
  if (events()) write_block(PORTABLE__TRACE_ALLOC, &k, k.alloc_stack);
}

int portable__watches(void *ptr) {
  return atomic_load_explicit(&portable__watching_memory, memory_order_relaxed) ||
         (portable__guard_options.picks && portable__guard_starts((uintptr_t)ptr));
}

/* Told before the block goes back: while it is closed, its guard's record says who did that. */
static void freed(const portable_hook_event *e) {
  if (is_passed_over(e->address)) return;
  struct portable__known k = {.start = (uintptr_t)e->address, .bytes = e->bytes, .pool = e->pool, .label = e->label};
  uint32_t stack = last_stack = stack_if_wanted();
  if (portable__hazards()) portable__hazard_free((uintptr_t)e->address);
  portable__blocks_free((uintptr_t)e->address, stack, &k);
  if (atomic_load_explicit(&portable__memchecking, memory_order_relaxed)) {
    struct portable__guarded *g = portable__guard_starts((uintptr_t)e->address);
    if (g) atomic_store(&g->free_stack, stack);
  }
  if (events()) write_block(PORTABLE__TRACE_FREE, &k, stack);
}

/* ---- launches, fences, timers ---- */

static void write_begin(uint64_t id, int32_t kind, int32_t device, int64_t count, uint32_t stack, const char *label) {
  struct portable__trace_record r;
  portable__trace_begin(&r, PORTABLE__TRACE_BEGIN);
  portable__trace_u64(&r, id);
  portable__trace_u32(&r, (uint32_t)kind);
  portable__trace_u32(&r, (uint32_t)device);
  portable__trace_u64(&r, (uint64_t)count);
  portable__trace_u32(&r, stack);
  portable__trace_text(&r, label);
  portable__trace_put(&r);
}

static void write_end(uint64_t id, int32_t kind, int32_t status, const char *label) {
  struct portable__trace_record r;
  portable__trace_begin(&r, PORTABLE__TRACE_END);
  portable__trace_u64(&r, id);
  portable__trace_u32(&r, (uint32_t)kind);
  portable__trace_u32(&r, (uint32_t)status);
  portable__trace_text(&r, label);
  portable__trace_put(&r);
}

void portable__memcheck_launch(struct portable__job *job) {
  if (atomic_load_explicit(&what, memory_order_relaxed) & (PORTABLE__MEMCHECK_MEMORY | PORTABLE__MEMCHECK_STACKS)) portable__stack_launch(job);
}

static void begin(struct portable__watched *w) {
  /* A handler of the program's may have come since, which takes a call of the system to see; where one block of so many is under guard, that is done with each
     of those alone. */
  if (portable__guard_options.on && !portable__guard_options.picks) portable__crash_in_front();
  if (!events()) return;
  uint32_t stack = w->job ? w->job->launch_stack : 0; /* the stack of a stream's thread says nothing */
  if (!w->job && atomic_load(&what) & PORTABLE__MEMCHECK_STACKS) stack = portable__stack_here();
  write_begin(w->id, w->kind, w->device, w->count, stack, w->label);
}

static void end(struct portable__watched *w, portable_status status) {
  if (events()) write_end(w->id, w->kind, status, w->label);
}

void portable__memcheck_timer(const char *label, size_t bytes) {
  if (!atomic_load_explicit(&portable__memchecking, memory_order_relaxed)) return;
  portable__finding(PORTABLE__FOUND_TIMERS, portable__blocks_label(label, bytes), portable_last_error(), NULL);
}

enum { REGION = 100 };

static PORTABLE__COLD void not_innermost(const char *label, const char *innermost) {
  char text[2 * PORTABLE__LABEL_MAX + 100];
  if (innermost)
    portable__message(text, sizeof text, "the timer '%s' is stopped while '%s', which was started later, still runs", label, innermost);
  else
    portable__message(text, sizeof text, "the timer '%s' is stopped, and was not started on this thread", label);
  portable__finding(PORTABLE__FOUND_TIMERS, label, text, NULL);
}

/* Timers have no numbers of their own: one is given to each start, and found again by the label, the newest first. */
static void region(int begins, const char *label) {
  static _Atomic uint64_t ids;
  struct portable__thread *t = portable__thread_get();
  if (!t) return;
  label = portable__blocks_label(label, strlen(label));
  if (begins) {
    uint64_t id = atomic_fetch_add(&ids, 1) + 1;
    if (t->regions_open == PORTABLE__REGIONS) memmove(t->regions, t->regions + 1, sizeof t->regions[0] * (size_t)--t->regions_open);
    t->regions[t->regions_open].id = id;
    t->regions[t->regions_open++].label = label;
    if (events()) write_begin(id, REGION, 0, 0, atomic_load(&what) & PORTABLE__MEMCHECK_STACKS ? portable__stack_here() : 0, label);
    return;
  }
  int32_t open = t->regions_open, i = open - 1;
  while (i >= 0 && t->regions[i].label != label) i--;
  if (events()) write_end(i >= 0 ? t->regions[i].id : 0, REGION, 0, label);
  if (i != open - 1) not_innermost(label, i >= 0 ? t->regions[open - 1].label : NULL); /* timers that are off have not said so */
  if (i >= 0) memmove(t->regions + i, t->regions + i + 1, sizeof t->regions[0] * (size_t)(--t->regions_open - i));
}

void portable__memcheck_slab(uint32_t taken, uintptr_t address, uint64_t bytes, const char *pool, size_t n) {
  struct portable__trace_record r;
  if (!events() || !portable__trace_is_open()) return;
  portable__trace_begin(&r, PORTABLE__TRACE_SLAB);
  portable__trace_u32(&r, taken ? 1 : 2);
  portable__trace_u64(&r, address);
  portable__trace_u64(&r, bytes);
  portable__trace_text_n(&r, pool, n);
  portable__trace_put(&r);
}

/* ---- the watcher ---- */

static void event(const portable_hook_event *e) {
  switch (e->event) {
  case PORTABLE_EVENT_ALLOC: allocated(e); break;
  case PORTABLE_EVENT_FREE: freed(e); break;
  case PORTABLE_EVENT_POOL_DESTROY: portable__blocks_drop(e->pool); break;
  case PORTABLE_EVENT_REGION_BEGIN: region(1, e->label); break;
  case PORTABLE_EVENT_REGION_END: region(0, e->label); break;
  case PORTABLE_EVENT_INIT:
    portable__modules_look();
    portable__crash_handlers();
    portable__memcheck_begins();
    if (portable__guard_options.picks)
      portable__trace_note("one block of so many is watched (sample): leaks of the others are reported by label, without a place, and frees that fail; other misuse of them "
                           "is not seen");
    if (portable__reach_matters() && portable__hazards()) portable__guard_handlers();
    break;
  case PORTABLE_EVENT_FINALIZE:
    portable__memcheck_end(PORTABLE__END_FINALIZE);
    break;
  default: break;
  }
}

/* Blocks of portable::allocate are watched without a start of the library. */
void portable__memcheck_served(void) {
  if (!(portable__watched_by() >> PORTABLE__MEMCHECK & 1)) return;
  portable__modules_look();
  portable__crash_handlers();
  portable__memcheck_begins();
}

static const struct portable__watcher watcher = {begin, end, event, 1};
static const struct portable__watcher of_picked = {begin, end, event, 0}; /* magazines serve all other blocks */

/* In the parent, after each fork. */
static void has_forked(void) {
  static _Atomic int said;
  if (atomic_load(&portable__memchecking) && !atomic_exchange(&said, 1))
    portable__trace_note("the program has forked: what a child does is not checked, unless it starts a program that links the library");
}

static void look_at_forks(void) { pthread_atfork(NULL, has_forked, NULL); }

/* The payload is as Go has made it: command lines can be long. */
static void write_meta(const char *meta, size_t bytes) {
  struct portable__trace_record r;
  size_t room = bytes + 2 * sizeof(struct portable__trace_head);
  void *to = malloc(room);
  if (!to) return;
  portable__trace_begin_in(&r, PORTABLE__TRACE_META, to, room);
  memcpy(r.to + r.at, meta, bytes);
  r.at += bytes;
  portable__trace_put(&r);
  free(to);
}

int32_t portable__memcheck_open(const char *path, size_t path_bytes, int32_t how, uint32_t wanted, const char *meta, size_t meta_bytes) {
  int32_t why = 0;
  if (!wanted || !portable__stack_open()) {
    portable__hash_open(0);
    portable__watch_off(PORTABLE__MEMCHECK);
    atomic_store(&portable__memchecking, 0);
    return 0;
  }
  int was = portable__trace_is_open();
  why = portable__trace_open(path, path_bytes, how);
  if (!was && portable__trace_is_open()) {
    write_meta(meta, meta_bytes);
    portable__modules_look();
  }
  if (portable__guard_options.on) portable__stack_depth(portable__guard_options.stack);
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, look_at_forks);
  atomic_store(&what, wanted);
  portable__memcheck_arm();
  atomic_store(&portable__memchecking, (wanted & PORTABLE__MEMCHECK_MEMORY) != 0);
  portable__watch_on(PORTABLE__MEMCHECK, portable__guard_options.picks ? &of_picked : &watcher);
  portable__hash_open((wanted & PORTABLE__MEMCHECK_HASHES) != 0);
  return why;
}
