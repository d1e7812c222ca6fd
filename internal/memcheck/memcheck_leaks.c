/* memcheck_leaks.c - counts live blocks at checkpoints, and leaked ones at the end, by allocation
 * stack and label. Growth is reported for a group that has grown twice in a row between checkpoints
 * of a label; arrays made only in the first time step do not. Blocks of the program's own ALLOCATE
 * that are live at the end are no leaks: Fortran keeps arrays of main programs and modules. Groups
 * are counted in memory mapped for them. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../edge/above.h"
#include "../tracing/found.h"
#include "../guard/guard.h"
#include "../edge/calls.h"
#include "memcheck.h"
#include "../stacks/stack.h"
#include "../tracing/trace.h"

#define LABELS 32    /* of checkpoints that growth is looked for */
#define WRITTEN 4096 /* groups in a record */

struct group {
  const char *label; /* NULL: free */
  uint32_t stack, grows;
  uint64_t blocks, bytes, example, first_blocks, first_bytes;
};

struct groups {
  uint64_t places, used; /* a power of two */
  struct group at[];
};

_Atomic int portable__serve_checking;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static struct {
  const char *label;
  struct groups *groups;
} last[LABELS];

/* ---- groups ---- */

static size_t size_of(uint64_t places) { return sizeof(struct groups) + places * sizeof(struct group); }

static struct groups *make(uint64_t more) {
  uint64_t wanted = 2 * (portable__blocks_live().blocks + more) + 64, places = 64;
  while (places < wanted && places < (1u << 22)) places *= 2;
  void *p = mmap(NULL, size_of(places), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return NULL;
  ((struct groups *)p)->places = places;
  return p;
}

static void drop(struct groups *g) {
  if (g) munmap(g, size_of(g->places));
}

/* Its place, or a free one; NULL: there is none. */
static struct group *group_of(struct groups *g, uint32_t stack, const char *label) {
  uint64_t h = ((uintptr_t)label >> 1) * 0x9e3779b97f4a7c15u ^ stack * UINT64_C(0xff51afd7ed558ccd);
  for (uint64_t i = h >> 20, tries = 0; tries < g->places; i++, tries++) {
    struct group *at = &g->at[i & (g->places - 1)];
    if (!at->label || (at->label == label && at->stack == stack)) return at;
  }
  return NULL;
}

static void add(struct groups *g, uint32_t stack, const char *label, uintptr_t example, uint64_t blocks, uint64_t bytes) {
  struct group *at = group_of(g, stack, label);
  if (!at || (!at->label && g->used + g->used / 4 >= g->places)) return; /* blocks have come meanwhile */
  if (!at->label) {
    g->used++;
    at->label = label;
    at->stack = stack;
    at->example = example;
  }
  at->blocks += blocks;
  at->bytes += bytes;
}

static void count(const struct portable__known *k, void *groups) { add(groups, k->alloc_stack, k->label, atomic_load(&k->start), 1, k->bytes); }

static struct groups *all(void) {
  size_t lefts;
  const struct portable__left *left = portable__memcheck_count_left(&lefts);
  struct groups *g = make(lefts);
  if (!g) return NULL;
  portable__blocks_each(count, g);
  for (size_t i = 0; i < lefts; i++) add(g, 0, left[i].label, 0, left[i].blocks, left[i].bytes);
  return g;
}

/* ---- checkpoints ---- */

static void write_checkpoint(const struct groups *g, const char *label, uint32_t stack) {
  static uint64_t room[WRITTEN * 20]; /* under the lock */
  struct portable__live live = portable__blocks_live();
  struct portable__trace_record r;
  uint32_t groups = 0;
  if (!portable__trace_is_open()) return;
  portable__trace_begin_in(&r, PORTABLE__TRACE_CHECKPOINT, room, sizeof room);
  for (uint64_t i = 0; g && i < g->places; i++) /* nothing else knows the ones that sampling skipped */
    if (g->at[i].label && !g->at[i].example) {
      live.blocks += g->at[i].blocks;
      live.bytes += g->at[i].bytes;
    }
  portable__trace_u64(&r, live.bytes);
  portable__trace_u64(&r, live.blocks);
  portable__trace_u32(&r, stack);
  portable__trace_text(&r, label);
  size_t counted = r.at;
  portable__trace_u32(&r, 0);
  for (uint64_t i = 0; g && i < g->places && groups < WRITTEN && r.at + 400 < r.room; i++) {
    const struct group *at = &g->at[i];
    if (!at->label) continue;
    groups++;
    portable__trace_u32(&r, at->stack);
    portable__trace_u64(&r, at->bytes);
    portable__trace_u64(&r, at->blocks);
    portable__trace_text(&r, at->label);
  }
  memcpy(r.to + counted, &groups, sizeof groups);
  portable__trace_put(&r);
}

static void compare(struct groups *now, struct groups *before, const char *label, uint32_t stack) {
  for (uint64_t i = 0; i < now->places; i++) {
    struct group *n = &now->at[i];
    if (!n->label) continue;
    const struct group *b = group_of(before, n->stack, n->label);
    if (b && !b->label) b = NULL;
    n->first_blocks = b ? b->first_blocks : 0;
    n->first_bytes = b ? b->first_bytes : 0;
    n->grows = b ? b->grows : 0;
    if (n->bytes > (b ? b->bytes : 0)) {
      if (n->grows == 0) {
        n->first_blocks = b ? b->blocks : 0;
        n->first_bytes = b ? b->bytes : 0;
      }
      n->grows++;
    } else {
      n->grows = 0;
    }
    if (n->grows != 2 || !atomic_load(&portable__memchecking)) continue;
    struct portable__found f = {.kind = PORTABLE__FOUND_GROWTH, .here = stack, .alloc = n->stack, .block_start = n->example, .label = n->label,
                                .other_label = label};
    f.count = n->blocks > n->first_blocks ? n->blocks - n->first_blocks : 1;
    f.block_bytes = n->bytes - n->first_bytes;
    f.place = (uint64_t)n->stack << 32 | PORTABLE__FOUND_GROWTH;
    f.text = "more at each of the last checkpoints of this label";
    portable__finding_of(&f);
  }
}

static PORTABLE__COLD void checkpoint(const char *label, size_t label_bytes) {
  if (atomic_load(&portable__forked)) return;
  const char *own = portable__blocks_label(label, label_bytes);
  uint32_t stack = portable__stack_here();
  portable__modules_look();
  if (atomic_load(&portable__memchecking)) portable__guard_sweep();
  pthread_mutex_lock(&lock);
  struct groups *now = all();
  write_checkpoint(now, own, stack);
  int i = 0;
  while (i < LABELS && last[i].label && last[i].label != own) i++;
  if (now && i < LABELS) {
    if (last[i].groups)
      compare(now, last[i].groups, own, stack);
    else
      for (uint64_t k = 0; k < now->places; k++) now->at[k].grows = 0;
    drop(last[i].groups);
    last[i].label = own;
    last[i].groups = now;
  } else {
    drop(now);
  }
  pthread_mutex_unlock(&lock);
  portable__hash_checkpoint(own);
}

portable_status portable_checkpoint(const char *label) {
  if (PORTABLE__LIKELY(!(portable__watched_by() >> PORTABLE__MEMCHECK & 1))) return PORTABLE_OK;
  PORTABLE__CALL("portable_checkpoint");
  checkpoint(label ? label : "", label ? strlen(label) : 0);
  return PORTABLE_OK;
}

void portable__fortran_checkpoint(const char *label, size_t label_bytes) {
  while (label_bytes > 0 && label[label_bytes - 1] == ' ') label_bytes--;
  if (PORTABLE__LIKELY(!(portable__watched_by() >> PORTABLE__MEMCHECK & 1))) return;
  __attribute__((cleanup(portable__call_end))) portable__call_scope scope;
  if (portable__call_begin(&scope)) checkpoint(label, label_bytes);
}

/* ---- the end ---- */

static void lost(uint32_t stack, uintptr_t start, uint64_t bytes, void *groups) { add(groups, stack, PORTABLE__GUARD_SERVED, start, 1, bytes); }

/* Blocks of the program's own malloc, at its very end. Only a reader of the trace can tell those of a Fortran main program, which are no leaks. */
static void lost_blocks(void) {
  struct groups *g = make(4096);
  if (g) portable__above_front.lost(lost, g);
  for (uint64_t i = 0; g && i < g->places; i++) {
    const struct group *at = &g->at[i];
    struct portable__found f = {.kind = PORTABLE__FOUND_LEAK, .alloc = at->stack, .block_start = at->example, .block_bytes = at->bytes,
                                .label = at->label, .count = at->blocks, .flags = PORTABLE__FOUND_UNPRINTED};
    if (!at->label) continue;
    f.place = (uint64_t)at->stack << 32 | PORTABLE__FOUND_LEAK;
    portable__finding_of(&f);
  }
  drop(g);
}

static void leaks(void) {
  static uint64_t ends; /* under the lock: each end has leaks of its own */
  struct groups *g = all();
  ends++;
  for (uint64_t i = 0; g && i < g->places; i++) {
    const struct group *at = &g->at[i];
    struct portable__found f = {.kind = PORTABLE__FOUND_LEAK, .alloc = at->stack, .block_start = at->example, .block_bytes = at->bytes,
                                .label = at->label, .count = at->blocks};
    if (!at->label || strcmp(at->label, PORTABLE__GUARD_SERVED) == 0) continue; /* serve_leaks.c */
    f.place = (uint64_t)at->stack << 32 | ends << 8 | PORTABLE__FOUND_LEAK;
    if (!at->example) f.text = "blocks that were not sampled, of which no place is known: a run without sample says where they are allocated";
    portable__finding_of(&f);
  }
  drop(g);
}

void portable__memcheck_finish(int32_t how, int32_t signal) {
  struct portable__live live = portable__blocks_live();
  struct portable__trace_record r;
  if (!portable__trace_is_open()) return;
  portable__trace_begin(&r, PORTABLE__TRACE_FINISH);
  portable__trace_u64(&r, portable__memcheck_findings());
  portable__trace_u64(&r, live.blocks);
  portable__trace_u64(&r, live.bytes);
  portable__trace_u64(&r, live.allocations);
  portable__trace_u64(&r, live.high_water);
  portable__trace_u32(&r, (uint32_t)how);
  portable__trace_u32(&r, (uint32_t)signal);
  portable__trace_put(&r);
}

static _Atomic int ended; /* by finalize or exit, and not begun again */

void portable__memcheck_begins(void) { atomic_store(&ended, 0); }

void portable__memcheck_end(int32_t how) {
  atomic_store(&ended, 1);
  portable__modules_look();
  if (atomic_load(&portable__memchecking)) {
    if (how == PORTABLE__END_EXIT) portable__guard_sweep(); /* the library's own end has looked at each block */
    pthread_mutex_lock(&lock);
    leaks();
    if (how == PORTABLE__END_EXIT && atomic_load(&portable__serve_checking)) lost_blocks();
    pthread_mutex_unlock(&lock);
    portable__memcheck_counts();
  }
  portable__memcheck_finish(how, 0);
  if (how == PORTABLE__END_FINALIZE) portable__blocks_drop(0);
}

/* At exit, after the program's own handlers and the destructors of C++, which may give blocks back. STOP and ERROR STOP come here too. */
__attribute__((destructor(101))) static void at_exit(void) {
  if (!(portable__watched_by() >> PORTABLE__MEMCHECK & 1) || atomic_load(&portable__forked)) return;
  if (atomic_load(&ended) && !atomic_load(&portable__serve_checking)) return; /* blocks of malloc live longer than the library */
  portable__memcheck_end(PORTABLE__END_EXIT);
}
