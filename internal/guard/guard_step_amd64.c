/* guard_step_amd64.c - steps of x86-64: the trap flag makes the processor trap after one
 * instruction (guard_step.h). Runs in signal handlers. */
#define _GNU_SOURCE
#include <ucontext.h>

#include "guard_step.h"

#if defined(__x86_64__) && defined(__linux__)

#define TRAP_FLAG 0x100
#define REGISTER(context, name) ((ucontext_t *)(context))->uc_mcontext.gregs[name]
#define PC(context) ((uintptr_t)REGISTER(context, REG_RIP))

#define INT1 0xF1
#define LONGEST_INSTRUCTION 15

static __thread uintptr_t stepped __attribute__((tls_model("initial-exec"))); /* the instruction */
static __thread int trap_was_blocked __attribute__((tls_model("initial-exec")));

int portable__step_start(void *context) {
  sigset_t *mask = &((ucontext_t *)context)->uc_sigmask;
  if (REGISTER(context, REG_EFL) & TRAP_FLAG) return 1; /* for one page more */
  trap_was_blocked = sigismember(mask, SIGTRAP) == 1;
  sigdelset(mask, SIGTRAP);
  REGISTER(context, REG_EFL) |= TRAP_FLAG;
  stepped = PC(context);
  return 1;
}

int portable__step_broken(void *context) { return (REGISTER(context, REG_EFL) & TRAP_FLAG) != 0; }

/* 1: the instruction at the pc may be an int1, which traps with TRAP_BRKPT alone. The stepped instruction may end in the same byte. Page starts are
 * not looked at, as the page before may not be readable. */
static int is_behind_int1(uintptr_t pc) {
  uintptr_t length = pc - stepped;
  if ((length > 1 && length <= LONGEST_INSTRUCTION) || pc % portable__guard_page == 0) return 0;
  return ((const unsigned char *)pc)[-1] == INT1;
}

/* Linux says TRAP_TRACE by the single-step bit of DR6. Some virtual machines lose the bit, and Linux then says TRAP_BRKPT, as for int1; the trap flag is
 * still set. int3 comes as SI_KERNEL, and what is sent by kill and the like as SI_USER or less. */
static int ends_step(const siginfo_t *info, void *context) {
  if (info->si_code == TRAP_TRACE) return 1;
  return info->si_code == TRAP_BRKPT && REGISTER(context, REG_EFL) & TRAP_FLAG && !is_behind_int1(PC(context));
}

int portable__step_ended(const siginfo_t *info, void *context) {
  if (!ends_step(info, context)) return 0;
  REGISTER(context, REG_EFL) &= ~TRAP_FLAG;
  if (trap_was_blocked) sigaddset(&((ucontext_t *)context)->uc_sigmask, SIGTRAP);
  return 1;
}

void portable__step_forked(void) {}

struct portable__access portable__step_access(void *context) {
  struct portable__access a = portable__guard_access((const unsigned char *)PC(context));
  a.is_write = REGISTER(context, REG_ERR) >> 1 & 1;
  return a;
}

int portable__step_is_fetch(const siginfo_t *info, void *context) {
  (void)info;
  return (int)(REGISTER(context, REG_ERR) >> 4 & 1);
}

#else
typedef int portable__step_is_elsewhere; /* a file of C is not empty */
#endif
