/* memcheck_death.c - what memory checks do in signal handlers: an access that the guards have caught, and the end of the program by a
 * signal, among it that of libc when it is given a block of ours. Only what is safe there: no lock, no memory, nothing of stdio. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "../internal/backend/host/guard.h"
#include "../internal/team/team.h"
#include "memcheck.h"
#include "stack.h"
#include "trace.h"

static uintptr_t where(void *context) {
#if defined(__x86_64__)
  return (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)((ucontext_t *)context)->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

static uint64_t place_of(uintptr_t pc) {
  const struct portable__job *job = portable__running_job;
  uint64_t h = pc * 0x9e3779b97f4a7c15u;
  for (const char *p = job && job->label ? job->label : ""; *p; p++) h = (h ^ (unsigned char)*p) * 1099511628211u;
  return h | 1;
}

static int in_libc(uintptr_t address) {
  const struct portable__module *libc = portable__module_of((uintptr_t)(void *)abort, 0), *own = portable__module_of((uintptr_t)(void *)in_libc, 0);
  return libc && libc != own && address >= libc->start && address < libc->end;
}

/* How many of the innermost frames are libc's; in a static program, up to free. 0: none. */
static int32_t frames_of_libc(const uintptr_t *pcs, int32_t n) {
  int32_t i = 0;
  while (i < n && in_libc(pcs[i] - (i > 0))) i++;
  for (int32_t k = i; k < n && k < 10; k++)
    if (pcs[k] - (uintptr_t)(void *)free < 512) i = k + 1;
  return i;
}

/* The stack from where libc was called: what it does inside says nothing to the program's author. */
static uint32_t caller_of_libc(void *context) {
  uintptr_t pcs[PORTABLE__STACK_MOST];
  int32_t n = portable__stack_walk(context, pcs, PORTABLE__STACK_MOST, NULL), i = frames_of_libc(pcs, n);
  return i > 0 && i < n ? portable__stack_keep(pcs + i, n - i, 0) : portable__stack_of(context);
}

/* ---- an access ---- */

static void violated(const struct portable__violation *v) {
  static const int32_t kinds[] = {0, PORTABLE__FOUND_BOUNDS, PORTABLE__FOUND_FREED, PORTABLE__FOUND_CANARY, PORTABLE__FOUND_NEVER_WRITTEN,
                                  PORTABLE__FOUND_HOST_ACCESS};
  const struct portable__guarded *b = v->block;
  char label[PORTABLE__GUARD_LABEL + 1] = "";
  struct portable__found f = {.address = v->address, .access_bytes = v->bytes, .distance = v->distance, .label = label};
  struct portable__known k;
  if (v->kind < 1 || v->kind > PORTABLE__HOST_ACCESS) return;
  f.kind = kinds[v->kind];
  f.flags = v->is_write == 1 ? PORTABLE__FOUND_WRITE : v->is_write == 0 ? PORTABLE__FOUND_READ : 0;
  if (b) {
    f.block_start = atomic_load(&b->start);
    f.block_bytes = b->bytes;
    f.alloc = atomic_load(&b->alloc_stack);
    f.free = atomic_load(&b->free_stack);
    memcpy(label, b->label, sizeof label - 1);
    if (atomic_load(&b->state) == PORTABLE__GUARD_FREED) f.flags |= PORTABLE__FOUND_QUARANTINE;
  }
  if (v->kind == PORTABLE__HOST_ACCESS && portable__blocks_around(v->address, &k)) {
    f.block_start = atomic_load(&k.start);
    f.block_bytes = k.bytes;
    f.alloc = k.alloc_stack;
    f.distance = (int64_t)(v->address - f.block_start);
    f.label = k.label;
  }
  if (!v->context) {
    /* Found while a block is freed, in calls from Go that no stack leads through: the stack of the free. Else by a look at all. */
    f.here = portable__inside ? portable__memcheck_last() : portable__stack_here();
    f.place = f.block_start ^ (uint64_t)f.kind << 56 ^ f.alloc;
  } else if (v->kind == PORTABLE__OUT_OF_BOUNDS && v->distance < 0 && v->distance >= -16 && v->is_write != 1 && in_libc(where(v->context))) {
    f.kind = PORTABLE__FOUND_LIBC_FREE; /* it looks for its own notes right before the block */
    f.address = f.block_start;
    f.distance = 0;
    f.here = caller_of_libc(v->context);
  } else {
    f.here = portable__stack_of(v->context);
    f.place = place_of(where(v->context));
  }
  portable__finding_of(&f);
}

/* ---- the end ---- */

static int is_block(uintptr_t word, struct portable__known *k) {
  return word % 16 == 0 && word && portable__blocks_find(word, k) && atomic_load(&k->state) == PORTABLE__BLOCK_LIVE;
}

/* free() has found a pointer that is none of its own, and aborts: the pointer, or that of the notes which would be before it, is still on the
 * stack between abort and free, or in a register. 1: it is a block of ours. */
static int found_libc_free(void *context) {
#if defined(__x86_64__)
  const ucontext_t *u = context;
  uintptr_t sp = (uintptr_t)u->uc_mcontext.gregs[REG_RSP], word;
  struct portable__known k = {0};
  int found = 0, words = 0;
  uintptr_t pcs[16];
  int32_t n = portable__stack_walk(context, pcs, 16, NULL), inside = frames_of_libc(pcs, n);
  if (inside < 3) return 0; /* an abort of the program's own */
  /* First the address of the notes, which only libc has; then the pointer itself, which the caller may have left in a register. */
  for (int pass = 0; pass < 2 && !found; pass++) {
    uintptr_t more = pass == 0 ? 16 : 0;
    for (int i = 0; i < 16 && !found; i++) found = is_block((uintptr_t)u->uc_mcontext.gregs[i] + more, &k);
    for (words = 0; words < 1024 && !found; words++) {
      if (!portable__stack_read(sp + 8 * (uintptr_t)words, &word)) return 0;
      if (inside < n && word == pcs[inside]) break; /* what follows is the caller's */
      found = is_block(word + more, &k);
    }
  }
  if (!found) return 0;
  uintptr_t start = atomic_load(&k.start);
  struct portable__found f = {.kind = PORTABLE__FOUND_LIBC_FREE, .address = start, .block_start = start, .block_bytes = k.bytes,
                              .alloc = k.alloc_stack, .label = k.label, .here = caller_of_libc(context)};
  portable__finding_of(&f);
  return 1;
#else
  (void)context;
  return 0;
#endif
}

static void dies(int number, const siginfo_t *info, void *context) {
  static _Atomic int times;
  const struct portable__job *job = portable__running_job;
  if (!(portable__watched_by() >> PORTABLE__MEMCHECK & 1) || atomic_load(&portable__forked) || atomic_fetch_add(&times, 1) > 16) return;
  if (!atomic_load(&portable__memchecking)) {
    portable__memcheck_finish(PORTABLE__END_SIGNAL, number);
    return;
  }
  if (number != SIGABRT || !found_libc_free(context)) {
    struct portable__found f = {.kind = PORTABLE__FOUND_SIGNAL, .label = job && job->label ? job->label : ""};
    f.text = number == SIGSEGV   ? "signal 11 (invalid memory access)"
             : number == SIGBUS  ? "signal 7 (bus error)"
             : number == SIGFPE  ? "signal 8 (floating-point or integer exception)"
             : number == SIGILL  ? "signal 4 (illegal instruction)"
             : number == SIGABRT ? "signal 6 (abort)"
                                 : "a signal";
    if ((number == SIGSEGV || number == SIGBUS) && info->si_code > 0) f.address = (uintptr_t)info->si_addr;
    f.here = portable__stack_of(context);
    portable__finding_of(&f);
  }
  portable__memcheck_finish(PORTABLE__END_SIGNAL, number);
}

void portable__memcheck_arm(void) {
  atomic_store(&portable__guard_report, violated);
  atomic_store(&portable__guard_note, portable__trace_note);
  atomic_store(&portable__death_hook, dies);
}
