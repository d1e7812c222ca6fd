/* guard_step.h - one instruction of the program with open pages: what guard_fault.c asks of
 * guard_step.c (pages, the handler of SIGTRAP), and what that asks of the processor
 * (guard_step_amd64.c: the trap flag; guard_step_arm64.c: a copy of the instruction before a brk).
 * Private to this folder. All of it runs in signal handlers: no lock, no allocation, no stdio. */
#ifndef PORTABLE__GUARD_STEP_H
#define PORTABLE__GUARD_STEP_H

#include <signal.h>

#include "guard_decode.h"
#include "guard_room.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define PORTABLE__GUARD_STEPS 1
#else
#define PORTABLE__GUARD_STEPS 0
#endif

/* ---- guard_step.c ---- */

/* Opens a page for the instruction at which the context stands; where that fails, for good. */
int portable__guard_let_through(uintptr_t page, void *context);

/* 1: the fault came inside a step, whose instruction has one more page. The context stands at the program's instruction. Ends a step that never came
 * back. */
int portable__guard_again_in_step(void *context);

int portable__guard_protect(uintptr_t from, uintptr_t to, int open); /* 0: it failed */

#if PORTABLE__GUARD_STEPS
void portable__guard_on_trap(int number, siginfo_t *info, void *context); /* the handler of SIGTRAP */
int portable__guard_trap_is_ours(void);                                  /* puts it in front of one that came since; 0: it failed */

/* ---- of the processor ---- */

/* The thread traps after the instruction at which the context stands. 0: it does not. */
int portable__step_start(void *context);
/* Whether this fault came inside the thread's step. Then the context is again as before the step. */
int portable__step_broken(void *context);
/* Whether this trap ends the thread's step. Then the context is again the program's. */
int portable__step_ended(const siginfo_t *info, void *context);
void portable__step_forked(void); /* in a child, which has no other threads */

/* The access of a fault. */
struct portable__access portable__step_access(void *context);
int portable__step_is_fetch(const siginfo_t *info, void *context);
#endif

#endif
