/* guard_fault.c - handles accesses to closed pages: reports them, opens the page, lets the
 * processor trap after one instruction (x86-64) and closes it again, so one run reports many
 * accesses with their ordinary effect. A slot with too many accesses stays open; so does the page
 * without a trap, under a debugger or valgrind. Accesses of other threads to an open page are not
 * seen. All but portable__guard_handlers runs in signal handlers: no lock, no allocation, no
 * stdio. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "../edge/line.h"
#include "../team/emulated.h"
#include "../team/team.h"
#include "../team/valgrind.h"
#include "guard_decode.h"
#include "guard_room.h"

void (*_Atomic portable__guard_report)(const struct portable__violation *v);
__thread int portable__guard_looking __attribute__((tls_model("initial-exec")));

#define PAGES_AT_ONCE 4 /* that one instruction may touch */
static __thread struct {
  int n, trap_was_blocked;
  uintptr_t page[PAGES_AT_ONCE];
  uintptr_t pc; /* of the instruction */
} stepping __attribute__((tls_model("initial-exec")));

static struct sigaction trap_before; /* written by the holder of `restoring`, before ours is there again */
static _Atomic int restoring, steps;

#if defined(__x86_64__) && defined(__linux__)
#define TRAP_FLAG 0x100
#define FLAGS(context) ((ucontext_t *)(context))->uc_mcontext.gregs[REG_EFL]
#define IS_WRITE(context) ((int)(((ucontext_t *)(context))->uc_mcontext.gregs[REG_ERR] >> 1 & 1))
#define PC(context) ((uintptr_t)((ucontext_t *)(context))->uc_mcontext.gregs[REG_RIP])
#define INSTRUCTION(context) ((const unsigned char *)PC(context))
#elif defined(__aarch64__) && defined(__linux__)
#define PC(context) ((uintptr_t)((ucontext_t *)(context))->uc_mcontext.pc)
#endif

/* ---- telling ---- */

/* Prints one line, if no observer reports more. */
static void say(const struct portable__violation *v) {
  char text[512];
  struct portable__line line = PORTABLE__LINE_IN(text);
  if (!v->block) return; /* of a device: crash.c says so */
  uint64_t far = (uint64_t)(v->distance < 0 ? -v->distance : v->distance);
  portable__line_text(&line, "portable: ");
  portable__line_text(&line, v->is_write > 0 ? "write " : v->is_write == 0 ? "read " : "access ");
  if (v->kind == PORTABLE__USE_AFTER_FREE || v->kind == PORTABLE__NEVER_WRITTEN) {
    portable__line_text(&line, v->kind == PORTABLE__USE_AFTER_FREE ? "after free, at byte " : "of never-written memory, at byte ");
    if (v->distance < 0) portable__line_text(&line, "-");
    portable__line_decimal(&line, far);
    portable__line_text(&line, " of");
  } else {
    portable__line_text(&line, v->kind == PORTABLE__CANARY ? "out of bounds, seen now, " : "out of bounds, ");
    portable__line_decimal(&line, far);
    portable__line_text(&line, v->distance < 0 ? " bytes before" : " bytes after the end of");
  }
  portable__line_text(&line, " a block of ");
  portable__line_decimal(&line, v->block->bytes);
  portable__line_text(&line, " bytes");
  if (v->block->label[0]) {
    portable__line_text(&line, " labelled '");
    portable__line_clean(&line, v->block->label, strlen(v->block->label), PORTABLE__LINE_REST);
    portable__line_text(&line, "'");
  }
  portable__line_end(&line);
  portable__line_write(&line);
}

void portable__guard_tell(const struct portable__violation *v) {
  void (*report)(const struct portable__violation *) = atomic_load(&portable__guard_report);
  if (report)
    report(v);
  else
    say(v);
}

/* ---- one step ---- */

static int protect(uintptr_t from, uintptr_t to, int open) {
  return mprotect((void *)from, to - from, open ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

static void close_stepped(void) {
  for (int i = 0; i < stepping.n; i++) {
    struct portable__guarded *r = portable__guard_slot_of(stepping.page[i]);
    uintptr_t page = stepping.page[i];
    if (!r || atomic_load(&r->hits) <= PORTABLE__GUARD_HITS || page == atomic_load(&r->closed_page)) protect(page, page + portable__guard_page, 0);
  }
  stepping.n = 0;
}

#ifdef TRAP_FLAG
#define INT1 0xF1
#define LONGEST_INSTRUCTION 15

/* 1: the instruction at the pc may be an int1, which traps with TRAP_BRKPT alone. The stepped instruction may end in the same byte. Page starts are
 * not looked at, as the page before may not be readable. */
static int is_behind_int1(uintptr_t pc) {
  uintptr_t length = pc - stepping.pc;
  if ((length > 1 && length <= LONGEST_INSTRUCTION) || pc % portable__guard_page == 0) return 0;
  return ((const unsigned char *)pc)[-1] == INT1;
}

/* Linux says TRAP_TRACE by the single-step bit of DR6. Some virtual machines lose the bit, and Linux then says TRAP_BRKPT, as for int1; the trap flag is
 * still set. int3 comes as SI_KERNEL, and what is sent by kill and the like as SI_USER or less. */
static int ends_step(const siginfo_t *info, void *context) {
  if (stepping.n == 0) return 0;
  if (info->si_code == TRAP_TRACE) return 1;
  return info->si_code == TRAP_BRKPT && FLAGS(context) & TRAP_FLAG && !is_behind_int1(PC(context));
}

void portable__guard_on_trap(int number, siginfo_t *info, void *context) {
  int error = errno;
  if (ends_step(info, context)) {
    close_stepped();
    FLAGS(context) &= ~TRAP_FLAG;
    if (stepping.trap_was_blocked) sigaddset(&((ucontext_t *)context)->uc_sigmask, SIGTRAP);
    errno = error;
    return;
  }
  struct sigaction next = trap_before;
  if (!(next.sa_flags & SA_SIGINFO) && (next.sa_handler == SIG_DFL || next.sa_handler == SIG_IGN)) {
    sigaction(number, &next, NULL);
    raise(number); /* blocked until this handler has returned */
  } else if (next.sa_flags & SA_SIGINFO) {
    next.sa_sigaction(number, info, context);
  } else {
    next.sa_handler(number);
  }
  errno = error;
}

/* A debugger takes each trap for its own. */
static int is_traced(void) {
  char text[2048];
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  ssize_t n = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[n > 0 ? n : 0] = '\0';
  const char *line = strstr(text, "TracerPid:");
  for (line += line ? 10 : 0; line && (*line == ' ' || *line == '\t'); line++) {}
  return line && *line != '0';
}

/* Puts ours in front of a handler that came since. */
static int trap_is_ours(void) {
  struct sigaction now, ours;
  int expected = 0;
  if (sigaction(SIGTRAP, NULL, &now) != 0) return 0;
  if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == portable__guard_on_trap) return 1;
  if (!atomic_compare_exchange_strong(&restoring, &expected, 1)) return 0;
  memset(&ours, 0, sizeof ours);
  ours.sa_sigaction = portable__guard_on_trap;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ours.sa_mask = now.sa_mask;
  trap_before = now;
  int is = sigaction(SIGTRAP, &ours, NULL) == 0;
  atomic_store(&restoring, 0);
  return is;
}

/* 1: the thread traps after its next instruction. */
static int step(void *context) {
  int can = atomic_load(&steps);
  if (can == 0) {
    can = is_traced() || portable__valgrind(PORTABLE__VALGRIND_RUNS, 0, 0, 0) > 0 ? -1 : 1;
    atomic_store(&steps, can);
  }
  if (can < 0 || !trap_is_ours()) return 0;
  sigset_t *mask = &((ucontext_t *)context)->uc_sigmask;
  stepping.trap_was_blocked = sigismember(mask, SIGTRAP) == 1;
  sigdelset(mask, SIGTRAP);
  FLAGS(context) |= TRAP_FLAG;
  return 1;
}
#endif

/* Opens a page for the instruction at which the context stands; where that fails, for good. */
static int let_through(uintptr_t page, void *context) {
  if (!protect(page, page + portable__guard_page, 1)) return 0;
#ifdef TRAP_FLAG
  if (stepping.n < PAGES_AT_ONCE && step(context)) {
    stepping.page[stepping.n++] = page;
    stepping.pc = PC(context);
  }
#else
  (void)context;
#endif
  return 1;
}

/* ---- the fault ---- */

/* After too many: the side of a live block, or all of a freed one. */
static int open_for_good(struct portable__guarded *r, uintptr_t page) {
  if (atomic_load(&r->state) == PORTABLE__GUARD_LIVE) return page < r->data ? protect(r->map, r->data, 1) : protect(r->data_end, r->map_end, 1);
  return protect(r->map, r->map_end, 1);
}

/* The host at memory of a device. */
static void tell_host_access(uintptr_t a, void *context) {
  struct portable__violation v = {.kind = PORTABLE__HOST_ACCESS, .is_write = -1, .address = a, .context = context};
#ifdef TRAP_FLAG
  v.is_write = IS_WRITE(context);
  v.bytes = portable__guard_access(INSTRUCTION(context));
#else
  (void)context;
#endif
  portable__guard_tell(&v);
}

/* The host at memory of the emulated device. A step of another thread may have closed a page that kernels are at work on. */
static int on_device_memory(uintptr_t a, uintptr_t page, void *context) {
  if (portable__emulated_is_open()) return protect(page, page + portable__guard_page, 1);
#ifdef TRAP_FLAG
  if (stepping.n > 0 && FLAGS(context) & TRAP_FLAG) return let_through(page, context);
  if (stepping.n > 0) close_stepped();
#endif
  tell_host_access(a, context);
  return let_through(page, context);
}

/* A jump into data. No page of ours is executable, so opening one would make the same fault come again without end. */
static int is_fetch(const siginfo_t *info, void *context) {
#if defined(TRAP_FLAG)
  (void)info;
  return (int)(((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] >> 4 & 1);
#elif defined(PC)
  return (uintptr_t)info->si_addr == PC(context);
#else
  (void)info, (void)context;
  return 0;
#endif
}

static int on_fault(int number, siginfo_t *info, void *context) {
  if (number == SIGSEGV && info->si_code == SEGV_ACCERR && is_fetch(info, context)) return 0;
  uintptr_t a = (uintptr_t)info->si_addr, page = a & ~(portable__guard_page - 1);
  int32_t (*far)(uintptr_t) = atomic_load(&portable__far_device);
  if (far && number == SIGSEGV && info->si_code > 0 && far(a)) { /* of a cuda device: there is nothing that could be opened, and the program ends here */
    tell_host_access(a, context);
    return 0;
  }
  struct portable__guarded *r = number == SIGSEGV && info->si_code == SEGV_ACCERR ? portable__guard_slot_of(a) : NULL;
  uintptr_t start = r ? atomic_load(&r->start) : 0;
  if (!start && number == SIGSEGV && info->si_code == SEGV_ACCERR && portable__emulated_at(a, NULL, NULL)) return on_device_memory(a, page, context);
  if (!start) return 0;
#ifdef TRAP_FLAG
  if (stepping.n > 0 && FLAGS(context) & TRAP_FLAG) return let_through(page, context); /* the instruction has more pages than one */
  if (stepping.n > 0) close_stepped(); /* its handler never came back */
#endif
  struct portable__violation v = {.is_write = -1, .address = a, .block = r, .context = context};
  int live = atomic_load(&r->state) == PORTABLE__GUARD_LIVE, in_data = page >= r->data && page < r->data_end;
  if (live && in_data && page != atomic_load(&r->closed_page)) return protect(page, page + portable__guard_page, 1); /* a step of another thread closed it late */
#ifdef TRAP_FLAG
  v.is_write = IS_WRITE(context);
  v.bytes = portable__guard_access(INSTRUCTION(context));
#endif
  int inside = a >= start && a - start < r->bytes;
  if (portable__guard_looking || (live && inside)) return let_through(page, context);
  v.kind = live ? PORTABLE__OUT_OF_BOUNDS : PORTABLE__USE_AFTER_FREE;
  v.distance = (int64_t)(live && a >= start ? a - start - r->bytes : a - start);
  portable__guard_tell(&v);
  if (page == atomic_load(&r->closed_page) || atomic_fetch_add(&r->hits, 1) < PORTABLE__GUARD_HITS) return let_through(page, context);
  return open_for_good(r, page);
}

void portable__guard_handlers(void) {
  atomic_store(&portable__fault_hook, on_fault);
  portable__crash_handlers();
  portable__crash_in_front();
#ifdef TRAP_FLAG
  trap_is_ours();
#endif
}
