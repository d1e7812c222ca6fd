/* stack_walk.c - goes from a frame to its caller. On x86-64 it uses the rules of .eh_frame and
 * keeps simple rules, nearly all, in a table by address; code without rules is crossed by frame
 * pointers. A table entry is two words, the rule and the address xor the rule: a half-written entry
 * matches no address. Each thread asks the system once for each page of a stack. Fortran code
 * compiled without rules and frame pointers is not crossed; the stack ends there. */
#define _GNU_SOURCE
#include "../team/team.h"
#include "stack.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "stack_rules.h"

#if defined(__x86_64__)

/* ---- reading ---- */

#define PAGE 4096
#define PAGES 32

static __thread uintptr_t pages[PAGES] __attribute__((tls_model("initial-exec"))); /* readable pages, by the low bits of their number */

/* The system reads the set of signals before it tests `how`, which is invalid: EFAULT if the page is not readable, else
 * EINVAL. */
static PORTABLE__COLD int may_read(uintptr_t page) {
  long result;
  register long fourth __asm__("r10") = 8;
  __asm__ volatile("syscall" : "=a"(result) : "a"((long)SYS_rt_sigprocmask), "D"(~0L), "S"(page), "d"(0L), "r"(fourth) : "rcx", "r11", "memory");
  if (result == -14) return 0;
  pages[page / PAGE % PAGES] = page;
  return 1;
}

static inline int readable(uintptr_t address) {
  uintptr_t page = address & ~(uintptr_t)(PAGE - 1);
  return PORTABLE__LIKELY(pages[page / PAGE % PAGES] == page && page) || (page && may_read(page));
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

/* base: 1 rsp, 2 rbp, 3 rbx; 0: unknown. The caller's address is right below the frame; rbp and rbx are stored so many
 * words below it, or are unchanged. END: there is no caller. HARD: the row must be read each time. POINTERS: by frame
 * pointers. */
enum { END = 4, HARD = 5, POINTERS = 6 };

#define RULES 8192

struct kept {
  _Atomic uint64_t check, rule;
};

static struct kept table[RULES];
static _Atomic uint32_t table_age; /* of portable__modules_changed */

static uint64_t pack(unsigned base, int64_t offset, int64_t bp, int64_t bx) {
  return (uint64_t)base | ((uint64_t)bp & 0x3fff) << 4 | ((uint64_t)bx & 0x3fff) << 18 | (uint64_t)(uint32_t)(int32_t)offset << 32;
}

static inline unsigned base_of(uint64_t rule) { return (unsigned)(rule & 15); }
static inline int64_t offset_of(uint64_t rule) { return (int32_t)(rule >> 32); }
static inline uint64_t bp_of(uint64_t rule) { return rule >> 4 & 0x3fff; }
static inline uint64_t bx_of(uint64_t rule) { return rule >> 18 & 0x3fff; }

/* Words below the frame; 0: the register is unchanged; -1: a rule that is not simple. */
static int64_t saved(const struct portable__register_rule *r) {
  if (r->how == PORTABLE__KEEPS) return 0;
  if (r->how == PORTABLE__AT && r->offset < 0 && r->offset % 8 == 0 && r->offset > -8 * 0x3fff) return -r->offset / 8;
  return -1;
}

static uint64_t simple(const struct portable__row *row) {
  const struct portable__register_rule *rip = &row->of[PORTABLE__RIP];
  unsigned base = row->frame_register == PORTABLE__RSP ? 1 : row->frame_register == PORTABLE__RBP ? 2 : row->frame_register == PORTABLE__RBX ? 3 : 0;
  int64_t bp = saved(&row->of[PORTABLE__RBP]), bx = saved(&row->of[PORTABLE__RBX]);
  if (rip->how == PORTABLE__LOST) return END;
  if (row->frame_expression || row->signal || !base || row->frame_offset != (int32_t)row->frame_offset || rip->how != PORTABLE__AT ||
      rip->offset != -8 || bp < 0 || bx < 0 || row->of[PORTABLE__RSP].how != PORTABLE__KEEPS)
    return HARD;
  return pack(base, row->frame_offset, bp, bx);
}

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

static PORTABLE__COLD int hard(struct portable__walk *w, uintptr_t address, int *exact) {
  struct portable__row row;
  struct portable__walk next = *w;
  const struct portable__module *m = portable__module_of(address, 0);
  uintptr_t frame;
  if (!m || !portable__row_find(m, address, &row)) return 0;
  if (row.frame_expression) {
    if (!portable__expression(w, row.frame_expression, 0, 0, &frame)) return 0;
  } else if (row.frame_register < PORTABLE__REGISTERS) {
    frame = w->of[row.frame_register] + (uintptr_t)row.frame_offset;
  } else {
    return 0;
  }
  next.of[PORTABLE__RSP] = frame;
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
      if (i == PORTABLE__RIP) next.of[i] = 0;
      break;
    default: break;
    }
  }
  *w = next;
  *exact = row.signal;
  return next.of[PORTABLE__RIP] != 0;
}

/* Code without tables, such as Go's, or a jump to an invalid address: by the frame pointer, if it points up on this
 * stack to an address in code. */
static PORTABLE__COLD int by_pointers(struct portable__walk *w, int first) {
  uintptr_t bp = w->of[PORTABLE__RBP], next_bp, back, sp = w->of[PORTABLE__RSP];
  if (first && !portable__module_of(w->of[PORTABLE__RIP], 0) && portable__stack_read(sp, &back) && portable__module_of(back, 0)) {
    w->of[PORTABLE__RIP] = back; /* a call of an invalid address: the caller is on top of the stack */
    w->of[PORTABLE__RSP] = sp + 8;
    return 1;
  }
  if (bp < sp || bp - sp > ((uintptr_t)1 << 24) || bp % 8 || !portable__stack_read(bp, &next_bp) || !portable__stack_read(bp + 8, &back) ||
      !portable__module_of(back, 0))
    return 0;
  w->of[PORTABLE__RSP] = bp + 16;
  w->of[PORTABLE__RBP] = next_bp;
  w->of[PORTABLE__RIP] = back;
  return 1;
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
    uintptr_t pc = w->of[PORTABLE__RIP], sp = w->of[PORTABLE__RSP];
    if (!skip) pcs[n++] = pc;
    skip = 0;
    uintptr_t address = pc - !exact;
    exact = 0;
    uint64_t rule = rule_of(address);
    unsigned base = base_of(rule);
    if (PORTABLE__LIKELY(base <= 3)) {
      uintptr_t frame = (base == 1 ? sp : base == 2 ? w->of[PORTABLE__RBP] : w->of[PORTABLE__RBX]) + (uintptr_t)offset_of(rule);
      if (PORTABLE__UNLIKELY(frame <= sp || frame % 8)) break;
      if (!read_word(frame - 8, &w->of[PORTABLE__RIP])) break;
      if (bp_of(rule) && !read_word(frame - 8 * bp_of(rule), &w->of[PORTABLE__RBP])) break;
      if (bx_of(rule) && !read_word(frame - 8 * bx_of(rule), &w->of[PORTABLE__RBX])) break;
      w->of[PORTABLE__RSP] = frame;
    } else if (base == END) {
      *whole = 1;
      break;
    } else if (base == HARD) {
      if (!hard(w, address, &exact)) break;
    } else if (!by_pointers(w, first)) {
      break;
    }
    if (PORTABLE__UNLIKELY(w->of[PORTABLE__RIP] == 0)) {
      *whole = 1;
      break;
    }
    if (bottom && w->of[PORTABLE__RSP] > bottom && sp <= bottom) { /* the thread begins here; see team.h */
      *whole = 1;
      break;
    }
  }
  return n;
}

static void from_context(struct portable__walk *w, const ucontext_t *u) {
  static const uint8_t order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (int i = 0; i < PORTABLE__REGISTERS; i++) w->of[i] = (uintptr_t)u->uc_mcontext.gregs[order[i]];
}

__attribute__((noinline)) int32_t portable__stack_walk(void *context, uintptr_t *pcs, int32_t most, int *whole) {
  struct portable__walk w;
  int own_whole;
  if (!whole) whole = &own_whole;
  if (context) {
    from_context(&w, context);
    return walk(&w, pcs, most, 1, 0, whole);
  }
  /* No frame between here and the caller uses the other registers. */
  memset(&w, 0, sizeof w);
  __asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2\n\tmov %%rbx, %3"
                   : "=&r"(w.of[PORTABLE__RIP]), "=&r"(w.of[PORTABLE__RSP]), "=&r"(w.of[PORTABLE__RBP]), "=&r"(w.of[PORTABLE__RBX]));
  return walk(&w, pcs, most, 1, 1, whole);
}

int portable__stack_frame(void *context, int32_t frame, uintptr_t registers_out[17]) {
  struct portable__walk w;
  int exact = 1;
  from_context(&w, context);
  for (int32_t i = 0; i < frame; i++) {
    uintptr_t address = w.of[PORTABLE__RIP] - !exact;
    exact = 0;
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
