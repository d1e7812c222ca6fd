/* guard_step_arm64.c - steps of aarch64, where programs have no trap flag: a copy of the
 * instruction before a brk runs on a page of our own (guard_step.h). An instruction that depends on
 * its address is not copied: its page stays open. A load that watches its memory (ldxr) is copied
 * with all up to its store (stxr): a trap between them makes the store fail, again and again. Each
 * step has its own slot, and only signals of faults. Runs in signal handlers. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "guard_a64.h"
#include "guard_step.h"

#if defined(__aarch64__) && defined(__linux__)

enum { SLOTS = 64, MOST = 16, EXITS = 4 }; /* slots: threads that step at once; instructions of a copy; places where it is left */
#define BRK 0xd42e0ce0u                    /* #0x7067; the kernel and debuggers use others */
#define NO_ROOM 1

struct copy {
  uint32_t n, exits;
  uint32_t words[MOST + EXITS];
  uintptr_t exit[EXITS]; /* where the program goes on after each brk */
};

/* Pages without access until they are used, then writable, then executable: never both. A page for each slot, so that no thread writes to the code of
 * another one. */
static _Atomic uintptr_t slots;
static _Atomic uint64_t taken;
static uint32_t copied[SLOTS]; /* the instruction that still stands in a slot; 0: another copy. By the holder of the slot */

static __thread struct {
  uintptr_t at, pc; /* the copy, the program's instruction */
  uint64_t mask;
  struct copy copy;
  int slot;
} now __attribute__((tls_model("initial-exec")));

#define PC(context) ((ucontext_t *)(context))->uc_mcontext.pc

/* ---- the copy ---- */

/* 1: a branch, and its displacement in instructions; it has `*bits` of them from `*low` on. */
static int is_branch(uint32_t w, int *low, int *bits, int64_t *far) {
  *low = 5;
  if ((w & 0xff000010u) == 0x54000000u || (w & 0x7e000000u) == 0x34000000u) *bits = 19;
  else if ((w & 0x7e000000u) == 0x36000000u) *bits = 14;
  else if ((w & 0xfc000000u) == 0x14000000u) *bits = 26, *low = 0;
  else return 0;
  *far = (int64_t)((uint64_t)w << (64 - *low - *bits)) >> (64 - *bits);
  return 1;
}

/* Whether an instruction works on registers alone, wherever it stands. */
static int is_arithmetic(uint32_t w) {
  uint32_t class = w >> 25 & 15;
  if ((class & 14) == 8) return (w & 0x1f000000u) != 0x10000000u; /* not adr */
  return (class & 7) == 5 || (class & 7) == 7 || (w & 0xfffff01fu) == 0xd503201fu;
}

/* From a load that watches its memory up to the store. A branch out of it goes to a brk of its own. 0: something in it cannot be copied. */
static uint32_t copy_watched(const uint32_t *code, struct copy *c) {
  uint32_t from[EXITS], n = 1;
  for (;; n++) {
    int low, bits;
    int64_t far;
    if (n == MOST) return 0;
    c->words[n] = code[n];
    if (is_branch(code[n], &low, &bits, &far)) {
      if (c->exits == EXITS) return 0;
      from[c->exits] = n;
      c->exit[c->exits++] = (uintptr_t)(code + n) + (uintptr_t)(far * 4);
    } else if (portable__a64_access(code[n], 0).how == PORTABLE__ACCESS_CONDITIONAL) {
      break;
    } else if (!is_arithmetic(code[n])) {
      return 0;
    }
  }
  n++;
  for (uint32_t i = 1; i < c->exits; i++) {
    int low, bits;
    int64_t far;
    if (c->exit[i] - (uintptr_t)code - 1 < 4 * n - 1) return 0; /* into the middle */
    is_branch(code[from[i]], &low, &bits, &far);
    uint32_t field = ((1u << bits) - 1) << low;
    c->words[from[i]] = (code[from[i]] & ~field) | ((n + i - from[i]) << low & field);
  }
  return n;
}

/* 0: it cannot run elsewhere. */
static int copy_of(const uint32_t *code, struct copy *c) {
  int how = portable__a64_access(code[0], 0).how;
  c->exits = 1; /* behind the last one */
  c->words[0] = code[0];
  c->n = how == PORTABLE__ACCESS_PLAIN || how == PORTABLE__ACCESS_CONDITIONAL ? 1 : how == PORTABLE__ACCESS_MONITORED ? copy_watched(code, c) : 0;
  c->exit[0] = (uintptr_t)(code + c->n);
  for (uint32_t i = 0; i < c->exits; i++) c->words[c->n + i] = BRK;
  return c->n > 0;
}

/* ---- slots ---- */

static uintptr_t pages(void) {
  uintptr_t at = atomic_load(&slots), expected = 0;
  if (at) return at;
  void *p = mmap(NULL, SLOTS * portable__guard_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  at = p == MAP_FAILED ? NO_ROOM : (uintptr_t)p;
  if (atomic_compare_exchange_strong(&slots, &expected, at)) return at;
  if (at != NO_ROOM) munmap(p, SLOTS * portable__guard_page);
  return expected;
}

/* -1: all are in use. */
static int take_slot(void) {
  for (uint64_t all = atomic_load(&taken); ~all;) {
    int i = __builtin_ctzll(~all);
    if (atomic_compare_exchange_strong(&taken, &all, all | (uint64_t)1 << i)) return i;
  }
  return -1;
}

static void give_slot(void) {
  now.at = 0;
  atomic_fetch_and(&taken, ~((uint64_t)1 << now.slot));
}

static int fill(int slot, uintptr_t at, const struct copy *c) {
  size_t bytes = (c->n + c->exits) * sizeof c->words[0];
  if (c->n == 1 && copied[slot] == c->words[0]) return 1;
  copied[slot] = 0;
  if (mprotect((void *)at, portable__guard_page, PROT_READ | PROT_WRITE) != 0) return 0;
  memcpy((void *)at, c->words, bytes);
  if (mprotect((void *)at, portable__guard_page, PROT_READ | PROT_EXEC) != 0) return 0; /* some systems allow no code that was made */
  __builtin___clear_cache((char *)at, (char *)at + bytes);
  if (c->n == 1) copied[slot] = c->words[0];
  return 1;
}

/* ---- steps ---- */

/* Only the faults of the instruction itself may come: a handler of the program's would see the pc of the copy, or jump out of it. */
static void block_signals(ucontext_t *context) {
  uint64_t all = ~(uint64_t)0;
  memcpy(&now.mask, &context->uc_sigmask, sizeof now.mask);
  static const int faults[] = {SIGSEGV, SIGBUS, SIGTRAP, SIGILL, SIGFPE};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) all &= ~((uint64_t)1 << (faults[i] - 1));
  memcpy(&context->uc_sigmask, &all, sizeof all);
}

static void back_to(ucontext_t *context, uintptr_t pc) {
  PC(context) = pc;
  memcpy(&context->uc_sigmask, &now.mask, sizeof now.mask);
  give_slot();
}

int portable__step_start(void *context) {
  if (now.at) give_slot(); /* its handler never came back */
  if (!copy_of((const uint32_t *)PC(context), &now.copy)) return 0;
  uintptr_t first = pages();
  if (first == NO_ROOM || (now.slot = take_slot()) < 0) return 0;
  now.at = first + (uintptr_t)now.slot * portable__guard_page;
  now.pc = PC(context);
  if (!fill(now.slot, now.at, &now.copy)) {
    give_slot();
    return 0;
  }
  block_signals(context);
  PC(context) = now.at;
  return 1;
}

int portable__step_broken(void *context) {
  uintptr_t gone = PC(context) - now.at;
  if (!now.at || gone >= 4 * now.copy.n) return 0;
  back_to(context, now.pc + gone);
  return 1;
}

int portable__step_ended(const siginfo_t *info, void *context) {
  uintptr_t i = (PC(context) - now.at) / 4 - now.copy.n;
  if (!now.at || info->si_code != TRAP_BRKPT || i >= now.copy.exits) return 0;
  back_to(context, now.copy.exit[i]);
  return 1;
}

void portable__step_forked(void) { atomic_store(&taken, 0); }

/* ---- the fault ---- */

enum { CLASS = 26, DATA_ABORT = 0x24, FETCH_ABORT = 0x20, WRITE = 6, MAINTENANCE = 8 }; /* of the syndrome: bits, and values of the class */

/* The processor's description of the fault; 0: the kernel, or an emulator, does not pass it. */
static uint64_t syndrome(void *context) {
  const unsigned char *at = ((ucontext_t *)context)->uc_mcontext.__reserved, *end = at + sizeof ((ucontext_t *)context)->uc_mcontext.__reserved;
  struct _aarch64_ctx head;
  struct esr_context e;
  for (; at + sizeof head <= end; at += head.size) {
    memcpy(&head, at, sizeof head);
    if (head.magic == 0 || head.size < sizeof head) break;
    if (head.magic != ESR_MAGIC || at + sizeof e > end) continue;
    memcpy(&e, at, sizeof e);
    return e.esr;
  }
  return 0;
}

struct portable__access portable__step_access(void *context) {
  const uint32_t *code = (const uint32_t *)PC(context);
  struct portable__access a = portable__guard_access((const unsigned char *)code);
  struct copy c = {.exits = 1};
  uint64_t s = syndrome(context);
  if (a.is_write == 1) return a; /* a fault of an atomic operation, which reads first, is one of reading */
  if (a.how == PORTABLE__ACCESS_MONITORED && copy_watched(code, &c)) a.is_write = 1;
  else if (s >> CLASS == DATA_ABORT) a.is_write = s >> WRITE & 1 && !(s >> MAINTENANCE & 1);
  return a;
}

int portable__step_is_fetch(const siginfo_t *info, void *context) {
  uint64_t s = syndrome(context);
  return s ? s >> CLASS == FETCH_ABORT : (uintptr_t)info->si_addr == PC(context);
}

#else
typedef int portable__step_is_elsewhere; /* a file of C is not empty */
#endif
