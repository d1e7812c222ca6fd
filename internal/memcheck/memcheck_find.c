/* memcheck_find.c - records findings: each place once, with a count, in the trace; and as one line
 * on standard error if no tool reads the trace. Sources are accesses that the guards have caught,
 * failed frees, and checks elsewhere in the library. The entries of the table of places are claimed
 * by compare-and-swap, because findings come from signal handlers, too. */
#include <string.h>

#include "questions.h"
#include "../team/team.h"
#include "../tracing/found.h"
#include "../guard/guard.h"
#include "../edge/line.h"
#include "memcheck.h"
#include "../stacks/stack.h"
#include "../tracing/trace.h"
#include "../edge/texthash.h"

#define PLACES 4096

struct place {
  _Atomic uint64_t key; /* 0: free */
  _Atomic uint64_t count;
  _Atomic int ready;    /* what follows is there */
  struct portable__found found; /* its texts: label alone */
  char label[128];
};

static struct place places[PLACES];
static _Atomic uint64_t findings;

uint64_t portable__memcheck_findings(void) { return atomic_load(&findings); }

/* ---- one line ---- */

static const char *name_of(int32_t kind) {
  static const char *const names[] = {"?",
                                      "out of bounds",
                                      "after free",
                                      "out of bounds, seen later",
                                      "freed twice",
                                      "freed, but not memory of a pool",
                                      "freed by an address inside of a block",
                                      "a pool's block given to free, delete or DEALLOCATE",
                                      "leak",
                                      "grows from checkpoint to checkpoint",
                                      "read before it was written",
                                      "index out of bounds",
                                      "host access to device memory",
                                      "device kernel with host memory",
                                      "used by two streams at once",
                                      "timers not nested",
                                      "bad bounds of a launch",
                                      "sync missing",
                                      "kernel wrote its arguments",
                                      "check",
                                      "error inside the library",
                                      "signal"};
  return kind > 0 && kind < (int32_t)(sizeof names / sizeof *names) ? names[kind] : names[0];
}

static void print(const struct portable__found *f) {
  static _Atomic int hinted;
  char line[700];
  struct portable__line l = PORTABLE__LINE_IN(line);
  portable__line_text(&l, "portable: ");
  int32_t rank = atomic_load(&portable__crash_rank);
  if (rank >= 0) {
    portable__line_text(&l, "rank ");
    portable__line_decimal(&l, (uint64_t)rank);
    portable__line_text(&l, ": ");
  }
  portable__line_text(&l, "memory check: ");
  if (f->kind <= PORTABLE__FOUND_CANARY)
    portable__line_text(&l, f->flags & PORTABLE__FOUND_WRITE ? "write " : f->flags & PORTABLE__FOUND_READ ? "read " : "access ");
  portable__line_text(&l, name_of(f->kind));
  if (f->kind == PORTABLE__FOUND_LEAK || f->kind == PORTABLE__FOUND_GROWTH) {
    portable__line_text(&l, ": ");
    portable__line_decimal(&l, f->count);
    portable__line_text(&l, f->count == 1 ? " block, " : " blocks, ");
    portable__line_decimal(&l, f->block_bytes);
    portable__line_text(&l, " bytes, '");
    portable__line_clean(&l, f->label, strlen(f->label), PORTABLE__LINE_REST);
    portable__line_text(&l, "'");
  } else if (f->block_start) {
    if (f->kind <= PORTABLE__FOUND_CANARY) {
      portable__line_text(&l, ": ");
      portable__line_decimal(&l, f->distance < 0 ? (uint64_t)-f->distance : (uint64_t)f->distance);
      portable__line_text(&l, f->kind == PORTABLE__FOUND_FREED ? " bytes after the start" : f->distance < 0 ? " bytes before the start" : " bytes after the end");
    }
    portable__line_text(&l, f->kind <= PORTABLE__FOUND_CANARY ? " of '" : ", '");
    portable__line_clean(&l, f->label, strlen(f->label), PORTABLE__LINE_REST);
    portable__line_text(&l, "' of ");
    portable__line_decimal(&l, f->block_bytes);
    portable__line_text(&l, " bytes");
  } else if (f->label[0]) {
    portable__line_text(&l, ", '");
    portable__line_clean(&l, f->label, strlen(f->label), PORTABLE__LINE_REST);
    portable__line_text(&l, "'");
  }
  if (f->text && f->text[0] && f->kind > PORTABLE__FOUND_CANARY) {
    portable__line_text(&l, ": ");
    portable__line_joined(&l, f->text);
  }
  if (portable__trace_is_open() && !atomic_exchange(&hinted, 1)) {
    portable__line_text(&l, "; where, says: yaklcheck merge ");
    portable__line_joined(&l, portable__trace_path());
  }
  portable__line_end(&l);
  portable__line_write(&l);
}

/* ---- one finding ---- */

static void write_found(const struct portable__found *f) {
  struct portable__trace_record r;
  if (!portable__trace_is_open()) return;
  portable__trace_begin(&r, PORTABLE__TRACE_FINDING);
  portable__trace_u32(&r, (uint32_t)f->kind);
  portable__trace_u32(&r, f->flags);
  portable__trace_u64(&r, f->address);
  portable__trace_u64(&r, f->access_bytes);
  portable__trace_u64(&r, (uint64_t)f->distance);
  portable__trace_u64(&r, f->block_start);
  portable__trace_u64(&r, f->block_bytes);
  portable__trace_u32(&r, f->here);
  portable__trace_u32(&r, f->alloc);
  portable__trace_u32(&r, f->free);
  portable__trace_u32(&r, f->other);
  portable__trace_u64(&r, f->count);
  portable__trace_text(&r, f->label);
  portable__trace_text_n(&r, f->text, strnlen(f->text, 2048));
  portable__trace_text(&r, f->other_label);
  portable__trace_put(&r);
}

static uint64_t mix(uint64_t h, uint64_t n) { return (h ^ n) * 0xff51afd7ed558ccdu ^ h >> 31; }

/* How often this place has been met before. *place_out is NULL when the table is full. */
static uint64_t met(const struct portable__found *f, struct place **place_out) {
  uint64_t key = f->place ? f->place : mix(0x5bd1e995, f->here);
  key = portable__text_hash(mix(key, (uint64_t)f->kind), f->label);
  if (key == 0) key = 1;
  *place_out = NULL;
  for (uint64_t i = key, tries = 0; tries < 256; i++, tries++) {
    struct place *p = &places[i % PLACES];
    uint64_t there = 0;
    int first = atomic_compare_exchange_strong(&p->key, &there, key);
    if (!first && there != key) continue;
    *place_out = p;
    uint64_t before = atomic_fetch_add(&p->count, 1);
    if (first) {
      p->found = *f;
      size_t n = strnlen(f->label, sizeof p->label - 1);
      memcpy(p->label, f->label, n);
      p->label[n] = '\0';
      atomic_store(&p->ready, 1);
    }
    return before;
  }
  return 0;
}

void portable__finding_of(const struct portable__found *given) {
  struct portable__found f = *given;
  struct place *place;
  if (!f.label) f.label = "";
  if (!f.text) f.text = "";
  if (!f.other_label) f.other_label = "";
  if (f.count == 0) f.count = 1;
  uint64_t most = portable__guard_options.max > 0 ? (uint64_t)portable__guard_options.max : 1;
  if (met(&f, &place) >= most) return;
  atomic_fetch_add(&findings, 1);
  write_found(&f);
  if (f.flags & PORTABLE__FOUND_UNPRINTED && portable__trace_is_open()) return;
  if (portable__memcheck_what() & PORTABLE__MEMCHECK_PRINTS || !portable__trace_is_open()) print(&f); /* not lost with the trace */
}

/* The number of times of places that were met more often than written. At the end. */
void portable__memcheck_counts(void) {
  uint64_t most = portable__guard_options.max > 0 ? (uint64_t)portable__guard_options.max : 1;
  for (int i = 0; i < PLACES; i++) {
    struct place *p = &places[i];
    uint64_t n = atomic_load(&p->count);
    if (!atomic_load(&p->ready) || n <= most) continue;
    struct portable__found f = p->found;
    f.flags |= PORTABLE__FOUND_COUNTED;
    f.count = n;
    f.label = p->label;
    f.text = f.other_label = "";
    write_found(&f);
    atomic_store(&p->count, most); /* a later end says what has come since */
  }
}

/* ---- what leads to findings ---- */

static void of_block(struct portable__found *f, const struct portable__known *k) {
  f->block_start = atomic_load(&k->start);
  f->block_bytes = k->bytes;
  f->alloc = k->alloc_stack;
  f->free = k->free_stack;
  if (!f->label || !f->label[0]) f->label = k->label;
  if (f->address) f->distance = (int64_t)(f->address - f->block_start);
}

/* A report names the kind, so the check that a message begins with would be said twice. */
static const char *without_check(const char *text) {
  static const char check[] = "PORTABLE_CHECK=";
  const char *end = text && strncmp(text, check, sizeof check - 1) == 0 ? strstr(text, ": ") : NULL;
  return end ? end + 2 : text;
}

void portable__finding(int32_t kind, const char *label, const char *text, const void *address) {
  struct portable__found f = {.kind = kind, .address = (uintptr_t)address, .label = label, .text = without_check(text)};
  struct portable__known k;
  if (!atomic_load_explicit(&portable__memchecking, memory_order_relaxed)) return;
  f.here = portable__stack_here();
  if (address && (portable__blocks_find((uintptr_t)address, &k) || portable__blocks_around((uintptr_t)address, &k))) of_block(&f, &k);
  portable__finding_of(&f);
}

void portable__memcheck_internal(void) { portable__finding(PORTABLE__FOUND_INTERNAL, NULL, portable_last_error(), NULL); }

/* For a block that sampling skipped: the facts that its pool knows. */
static int32_t kind_by_pool(portable_pool pool, uintptr_t address) {
  struct portable__crossing crossing;
  portable_block block;
  char waste[8];
  int32_t kind = PORTABLE__FOUND_FOREIGN_FREE;
  if (portable__cross_in(&crossing) != PORTABLE_OK) return kind;
  if (!portable__memcheck_go.holds(address))
    kind = portable__memcheck_go.freed(address, waste, sizeof waste) ? PORTABLE__FOUND_DOUBLE_FREE : kind;
  else if (pool || portable__memcheck_go.pool_default(&pool) == PORTABLE_OK)
    kind = portable__memcheck_go.pool_find(pool, address, &block, waste, sizeof waste) == PORTABLE_OK ? PORTABLE__FOUND_INTERIOR_FREE : kind;
  portable__cross_out(&crossing);
  return kind;
}

PORTABLE__COLD void portable__memcheck_bad_free(portable_pool pool, void *ptr) {
  struct portable__found f = {.kind = PORTABLE__FOUND_FOREIGN_FREE, .address = (uintptr_t)ptr, .text = portable_last_error()};
  struct portable__known k;
  if (!atomic_load_explicit(&portable__memchecking, memory_order_relaxed)) return;
  f.here = portable__stack_here();
  const struct portable__guarded *g = portable__guard_find((uintptr_t)ptr);
  if (ptr && portable__blocks_find((uintptr_t)ptr, &k)) {
    if (atomic_load(&k.state) == PORTABLE__BLOCK_FREED) f.kind = PORTABLE__FOUND_DOUBLE_FREE;
    of_block(&f, &k);
  } else if (ptr && portable__blocks_around((uintptr_t)ptr, &k)) {
    f.kind = PORTABLE__FOUND_INTERIOR_FREE;
    of_block(&f, &k);
  } else if (g) {
    f.kind = PORTABLE__FOUND_INTERIOR_FREE;
    f.block_start = atomic_load(&g->start);
    f.block_bytes = g->bytes;
    f.distance = (int64_t)((uintptr_t)ptr - f.block_start);
    f.alloc = atomic_load(&g->alloc_stack);
    f.free = atomic_load(&g->free_stack);
    f.label = g->label;
    if (f.distance == 0) f.kind = PORTABLE__FOUND_DOUBLE_FREE;
  } else if (ptr && portable__guard_options.picks) {
    f.kind = kind_by_pool(pool, (uintptr_t)ptr);
  }
  if (f.free) f.flags |= PORTABLE__FOUND_QUARANTINE;
  portable__finding_of(&f);
}
