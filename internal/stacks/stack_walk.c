/* stack_walk.c - goes from a frame to its caller. It uses the rules of .eh_frame and keeps simple
 * rules, nearly all, in a table by address; code without rules is crossed by frame pointers. An
 * entry is two words, the rule and the address xor the rule: a half-written one matches no address.
 * Each thread asks the system once for each page of a stack. Fortran code without rules and frame
 * pointers is not crossed; the stack ends there. Not in this file: what differs between x86-64 and
 * aarch64 (stack_x86.h, stack_arm.h); other processors have _Unwind_Backtrace. */
#define _GNU_SOURCE
#include "../team/team.h"
#include "stack.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "stack_rules.h"

#if defined(__x86_64__) || defined(__aarch64__)

/* ---- reading ---- */

#define GRAIN 4096 /* the least size of a page; a larger one is asked about in parts */
#define GRAINS 32

static __thread uintptr_t grains[GRAINS] __attribute__((tls_model("initial-exec"))); /* readable, by the low bits of their number */

static long ask(uintptr_t page);

/* The system reads the set of signals before it tests `how`, which is invalid: EFAULT if the page is not readable, else
 * EINVAL. */
static PORTABLE__COLD int may_read(uintptr_t page) {
  if (ask(page) == -14) return 0;
  grains[page / GRAIN % GRAINS] = page;
  return 1;
}

static inline int readable(uintptr_t address) {
  uintptr_t page = address & ~(uintptr_t)(GRAIN - 1);
  return PORTABLE__LIKELY(grains[page / GRAIN % GRAINS] == page && page) || (page && may_read(page));
}

/* Reads an address that is a multiple of 8. */
static inline int read_word(uintptr_t address, uintptr_t *value_out) {
  if (PORTABLE__UNLIKELY(!readable(address))) return 0;
  *value_out = *(const uintptr_t *)address;
  return 1;
}

int portable__stack_read(uintptr_t address, uintptr_t *value_out) {
  if (!readable(address) || (address % 8 && !readable(address + 7))) return 0;
  memcpy(value_out, (const void *)address, sizeof *value_out);
  return 1;
}

/* ---- kept rules ---- */

/* A rule's low four bits. Below END: a base register, how the processor's header says. END: there is no caller. HARD: the row must be
 * read each time. POINTERS: by frame pointers. */
enum { END = 4, HARD = 5, POINTERS = 6 };

#define RULES 8192

struct kept {
  _Atomic uint64_t check, rule;
};

static struct kept table[RULES];
static _Atomic uint32_t table_age; /* of portable__modules_changed */

/* Words below the frame; 0: the register is unchanged; -1: a rule that is not simple. */
static int64_t saved(const struct portable__register_rule *r) {
  if (r->how == PORTABLE__KEEPS) return 0;
  if (r->how == PORTABLE__AT && r->offset < 0 && r->offset % 8 == 0 && r->offset > -8 * 0x3fff) return -r->offset / 8;
  return -1;
}

#if defined(__aarch64__)
#include "stack_arm.h"
#else
#include "stack_x86.h"
#endif

static PORTABLE__COLD uint64_t learn(uintptr_t address, struct kept *at) {
  struct portable__row row;
  const struct portable__module *m = portable__module_of(address, 0);
  uint64_t rule = m && portable__row_find(m, address, &row) ? simple(&row) : POINTERS;
  if (!m) return POINTERS; /* a module may become known later */
  atomic_store_explicit(&at->check, address ^ rule, memory_order_relaxed);
  atomic_store_explicit(&at->rule, rule, memory_order_relaxed);
  return rule;
}

static inline uint64_t rule_of(uintptr_t address) {
  struct kept *at = &table[(address * 0x9e3779b97f4a7c15u) >> 51];
  uint64_t rule = atomic_load_explicit(&at->rule, memory_order_relaxed);
  if (PORTABLE__LIKELY((atomic_load_explicit(&at->check, memory_order_relaxed) ^ rule) == address && rule)) return rule;
  return learn(address, at);
}

/* ---- one step ---- */

/* By the tables. *exact: whether the address is exact; then, whether the caller's is. */
static PORTABLE__COLD int hard(struct portable__walk *w, uintptr_t address, int *exact) {
  struct portable__row row;
  struct portable__walk next = *w;
  const struct portable__module *m = portable__module_of(address, 0);
  uintptr_t frame;
  if (!m || !portable__row_find(m, address, &row)) return 0;
  if (row.signal && from_signal(w, exact)) return 1;
  if (row.frame_expression) {
    if (!portable__expression(w, row.frame_expression, 0, 0, &frame)) return 0;
  } else if (row.frame_register < PORTABLE__REGISTERS) {
    frame = w->of[row.frame_register] + (uintptr_t)row.frame_offset;
  } else {
    return 0;
  }
  next.of[PORTABLE__SP] = frame;
  for (int i = 0; i < PORTABLE__REGISTERS; i++) {
    const struct portable__register_rule *r = &row.of[i];
    uintptr_t at;
    switch (r->how) {
    case PORTABLE__AT:
      if (!portable__stack_read(frame + (uintptr_t)r->offset, &next.of[i])) return 0;
      break;
    case PORTABLE__IS: next.of[i] = frame + (uintptr_t)r->offset; break;
    case PORTABLE__AT_EXPRESSION:
      if (!portable__expression(w, r->expression, 1, frame, &at) || !portable__stack_read(at, &next.of[i])) return 0;
      break;
    case PORTABLE__IS_EXPRESSION:
      if (!portable__expression(w, r->expression, 1, frame, &next.of[i])) return 0;
      break;
    case PORTABLE__IN_REGISTER:
      if (r->offset < PORTABLE__REGISTERS) next.of[i] = w->of[r->offset];
      break;
    case PORTABLE__LOST:
      if (i == PORTABLE__RETURN) next.of[i] = 0;
      break;
    default: break;
    }
  }
  const int found = arrive(&next, &row, *exact);
  *w = next;
  *exact = row.signal;
  return found;
}

/* Takes frames from w on; skip 1 leaves out the first. */
static inline int32_t walk(struct portable__walk *w, uintptr_t *pcs, int32_t most, int exact, int skip, int *whole) {
  int32_t n = 0;
  uintptr_t bottom = portable__thread_bottom;
  if (PORTABLE__UNLIKELY(atomic_load_explicit(&table_age, memory_order_relaxed) != atomic_load_explicit(&portable__modules_changed, memory_order_relaxed))) {
    atomic_store(&table_age, atomic_load(&portable__modules_changed));
    for (int i = 0; i < RULES; i++) atomic_store_explicit(&table[i].rule, 0, memory_order_relaxed);
  }
  *whole = 0;
  for (int first = 1; n < most; first = 0) {
    uintptr_t pc = w->of[PORTABLE__PC], sp = w->of[PORTABLE__SP];
    if (!skip) pcs[n++] = pc;
    skip = 0;
    uintptr_t address = pc - !exact;
    uint64_t rule = rule_of(address);
    unsigned base = (unsigned)(rule & 15);
    if (PORTABLE__LIKELY(base <= 3)) {
      if (PORTABLE__UNLIKELY(!usual(w, base, rule, exact))) break;
      exact = 0;
    } else if (base == END) {
      *whole = 1;
      break;
    } else if (base == HARD) {
      if (!hard(w, address, &exact)) break;
    } else if (!by_pointers(w, first, &exact)) {
      break;
    }
    if (PORTABLE__UNLIKELY(w->of[PORTABLE__PC] == 0)) {
      *whole = 1;
      break;
    }
    if (bottom && w->of[PORTABLE__SP] > bottom && sp <= bottom) { /* the thread begins here; see team.h */
      *whole = 1;
      break;
    }
  }
  return n;
}

__attribute__((noinline)) int32_t portable__stack_walk(void *context, uintptr_t *pcs, int32_t most, int *whole) {
  struct portable__walk w;
  int own_whole;
  if (!whole) whole = &own_whole;
  if (context) {
    from_context(&w, context);
    return walk(&w, pcs, most, 1, 0, whole);
  }
  memset(&w, 0, sizeof w);
  HERE(w);
  return walk(&w, pcs, most, 1, 1, whole);
}

int portable__stack_frame(void *context, int32_t frame, uintptr_t registers_out[PORTABLE__STACK_REGISTERS]) {
  struct portable__walk w;
  int exact = 1;
  from_context(&w, context);
  for (int32_t i = 0; i < frame; i++) {
    uintptr_t address = w.of[PORTABLE__PC] - !exact;
    if (!hard(&w, address, &exact)) return 0;
  }
  memcpy(registers_out, w.of, sizeof w.of);
  return 1;
}

#else

#include <unwind.h>

struct taken {
  uintptr_t *pcs;
  int32_t count, most, skip;
};

static _Unwind_Reason_Code take(struct _Unwind_Context *c, void *payload) {
  struct taken *t = payload;
  uintptr_t pc = (uintptr_t)_Unwind_GetIP(c);
  if (t->count == t->most || !pc) return _URC_END_OF_STACK;
  if (t->skip > 0)
    t->skip--;
  else
    t->pcs[t->count++] = pc;
  return _URC_NO_REASON;
}

/* In a handler the walk begins with the handler's own frames, which are left out up to the interrupted one. */
int32_t portable__stack_walk(void *context, uintptr_t *pcs, int32_t most, int *whole) {
  struct taken t = {pcs, 0, most, 1};
  (void)context;
  _Unwind_Backtrace(take, &t);
  if (whole) *whole = t.count < most;
  return t.count;
}

#endif
