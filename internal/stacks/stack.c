/* stack.c - keeps call stacks by number, and adds the launch to a stack taken inside a kernel. A
 * table has hashes with numbers; addresses are in an array of their own. The first thread to enter
 * a hash writes the stack into the trace, then its number; others wait briefly. A handler that has
 * interrupted that very thread times out, and writes the stack under another number. Memory is
 * mapped and committed as it is used; when it is full there are no new numbers. A small table holds
 * the last stacks, for speed. */
#define _GNU_SOURCE
#include "../team/team.h"
#include "stack.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "stack_rules.h"
#include "../edge/texthash.h"

#define STACKS (1u << 18)
#define ADDRESSES ((uint64_t)STACKS * 24)
#define OURS 8 /* frames of the library between the program and here, about */

struct place {
  _Atomic uint64_t hash;
  _Atomic uint32_t number;
};

struct stack {
  _Atomic uint64_t first; /* among the addresses */
  uint32_t count;
};

struct store {
  struct place places[2 * STACKS];
  struct stack stacks[STACKS];
  uintptr_t addresses[ADDRESSES];
};

/* An entry is two words, the number and the hash xor a mix of the number: a half-written entry matches no hash. */
#define RECENT 1024 /* a power of two */
static struct recent {
  _Atomic uint64_t check, number;
} recent[RECENT];

static struct store *_Atomic store;
static _Atomic uint32_t numbers;
static _Atomic uint64_t used;
static _Atomic int32_t depth = PORTABLE__STACK_DEFAULT;
static _Atomic int full;

void portable__stack_depth(int32_t frames) {
  if (frames < 0) frames = 0;
  atomic_store(&depth, frames > PORTABLE__STACK_MOST ? PORTABLE__STACK_MOST : frames);
}

int portable__stack_open(void) {
  if (atomic_load(&store)) return 1;
  void *p = mmap(NULL, sizeof(struct store), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return 0;
  atomic_store(&store, p);
  return 1;
}

/* ---- one stack ---- */

static void write_stack(uint32_t number, const uintptr_t *pcs, int32_t count, uint32_t flags, const char *label) {
  struct portable__trace_record r;
  if (!portable__trace_is_open()) return;
  portable__trace_begin(&r, PORTABLE__TRACE_STACK);
  portable__trace_u32(&r, number);
  portable__trace_u32(&r, (uint32_t)count);
  for (int32_t i = 0; i < count; i++) portable__trace_u64(&r, pcs[i]);
  portable__trace_u32(&r, flags);
  portable__trace_text(&r, label);
  portable__trace_put(&r);
}

/* A new number, with its addresses. 0: the table is full. */
static uint32_t enter(struct store *s, const uintptr_t *pcs, int32_t count, uint32_t flags, const char *label, int in_handler) {
  uint64_t first = atomic_fetch_add(&used, (uint64_t)count);
  uint32_t number = atomic_fetch_add(&numbers, 1) + 1;
  if (number >= STACKS || first + (uint64_t)count > ADDRESSES) {
    if (!atomic_exchange(&full, 1)) portable__trace_note("there is no room for more different stacks; further ones are left out");
    return 0;
  }
  for (int32_t i = 0; i < count; i++) {
    if (!in_handler) portable__module_of(pcs[i], 1); /* its module is written before the stack */
    s->addresses[first + (uint64_t)i] = pcs[i];
  }
  s->stacks[number].count = (uint32_t)count;
  atomic_store_explicit(&s->stacks[number].first, first, memory_order_release);
  write_stack(number, pcs, count, flags, label);
  return number;
}

static inline uint64_t spread(uint64_t number) { return number * 0x9e3779b97f4a7c15u; }

static inline uint32_t recently(uint64_t hash) {
  struct recent *r = &recent[hash & (RECENT - 1)];
  uint64_t number = atomic_load_explicit(&r->number, memory_order_acquire);
  return (atomic_load_explicit(&r->check, memory_order_relaxed) ^ spread(number)) == hash ? (uint32_t)number : 0;
}

static uint32_t remember(uint64_t hash, uint32_t number) {
  struct recent *r = &recent[hash & (RECENT - 1)];
  atomic_store_explicit(&r->check, hash ^ spread(number), memory_order_relaxed);
  atomic_store_explicit(&r->number, number, memory_order_release); /* after the stack that it stands for */
  return number;
}

static uint32_t keep(const uintptr_t *pcs, int32_t count, uint32_t flags, const char *label, int in_handler) {
  struct store *s = atomic_load_explicit(&store, memory_order_acquire);
  uint64_t hash = 0x9e3779b97f4a7c15u ^ ((uint64_t)flags << 32 | (uint64_t)count);
  if (!s || count <= 0) return 0;
  for (int32_t i = 0; i < count; i++) hash = ((hash ^ pcs[i]) * 0xff51afd7ed558ccdu) ^ hash >> 29;
  hash = portable__text_hash(hash, label);
  hash ^= hash >> 32;
  if (hash == 0) hash = 1;
  uint32_t known = recently(hash);
  if (PORTABLE__LIKELY(known != 0)) return known;
  for (uint64_t i = hash % (2 * STACKS), tries = 0; tries < 64; i = (i + 1) % (2 * STACKS), tries++) {
    struct place *p = &s->places[i];
    uint64_t there = atomic_load_explicit(&p->hash, memory_order_relaxed);
    if (there == 0 && atomic_compare_exchange_strong(&p->hash, &there, hash)) {
      uint32_t number = enter(s, pcs, count, flags, label, in_handler);
      atomic_store_explicit(&p->number, number ? number : UINT32_MAX, memory_order_release);
      return number;
    }
    if (there != hash) continue;
    for (int spins = 0; spins < 100000; spins++) {
      uint32_t number = atomic_load_explicit(&p->number, memory_order_acquire);
      if (number) return number == UINT32_MAX ? 0 : remember(hash, number);
      if (spins > 1000 && !in_handler) sched_yield(); /* the other thread has lost its core */
    }
    break;
  }
  return enter(s, pcs, count, flags, label, in_handler);
}

uint32_t portable__stack_keep(const uintptr_t *pcs, int32_t count, uint32_t flags) { return keep(pcs, count, flags, "", 0); }

int32_t portable__stack_get(uint32_t number, const uintptr_t **pcs_out) {
  struct store *s = atomic_load_explicit(&store, memory_order_acquire);
  if (!s || number == 0 || number >= STACKS) return 0;
  *pcs_out = s->addresses + atomic_load_explicit(&s->stacks[number].first, memory_order_acquire);
  return (int32_t)s->stacks[number].count;
}

/* ---- the stack here, and of the launch ---- */

static const char *label_of(const struct portable__job *job) { return job && job->label ? job->label : ""; }

/* A kernel on a thread of the team, or behind Go's frames, was launched by a caller that its stack does not show. */
static int32_t add_launch(uintptr_t *pcs, int32_t count, int32_t most, int whole, const struct portable__job *job) {
  const uintptr_t *launch;
  if (!job || !job->launch_stack || (whole && job->launcher == (const void *)&portable__running_job)) return count;
  int32_t n = portable__stack_get(job->launch_stack, &launch);
  if (n > most - count) n = most - count;
  memcpy(pcs + count, launch, (size_t)n * sizeof *pcs);
  return count + n;
}

static uint32_t take(void *context) {
  uintptr_t pcs[2 * (PORTABLE__STACK_MOST + OURS)];
  int32_t wanted = atomic_load_explicit(&depth, memory_order_relaxed);
  int whole;
  const struct portable__job *job = portable__running_job;
  if (!atomic_load_explicit(&store, memory_order_relaxed) || wanted == 0) return 0;
  wanted += OURS;
  int32_t n = portable__stack_walk(context, pcs, wanted, &whole);
  /* A stack that was cut at its depth on the launching thread either shows the launch, or is far from it. */
  if (PORTABLE__UNLIKELY(job != NULL)) n = add_launch(pcs, n, 2 * wanted, whole || n == wanted, job);
  return keep(pcs, n, context != NULL, label_of(job), context != NULL);
}

uint32_t portable__stack_here(void) { return take(NULL); }

uint32_t portable__stack_of(void *context) { return take(context); }

void portable__stack_launch(struct portable__job *job) {
  const struct portable__job *outer = portable__running_job;
  if (outer) { /* it will run on this thread */
    job->launch_stack = outer->launch_stack;
    job->launcher = outer->launcher;
  } else {
    job->launch_stack = take(NULL);
    job->launcher = &portable__running_job;
  }
}
