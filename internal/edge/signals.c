/* signals.c - prepares signals of a thread before it calls Go. In C because it runs before Go. Go
 * code runs on small stacks. A handler installed without SA_ONSTACK would run there and overwrite
 * Go's memory. So handlers get that flag: when the library starts, when a thread first calls, and
 * regularly for later handlers. A handler with the flag runs on the thread's signal stack. Go's own
 * is 32 KiB without a guard page, so each thread gets one of ours before, which Go then uses.
 * Threads that have one keep it. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "thread.h"


/* Large enough for libgfortran's backtrace and for a user's handler that prints; untouched pages cost nothing. */
#define STACK_BYTES ((size_t)256 << 10)

/* The usable part of a state's signal stack, made at first use. Below it is a page without access. */
static void *stack_of(struct portable__thread *t) {
  size_t guard = (size_t)sysconf(_SC_PAGESIZE);
  if (!t->signal_stack) {
    char *p = mmap(NULL, guard + STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return NULL;
    mprotect(p, guard, PROT_NONE);
    t->signal_stack = p + guard;
  }
  return t->signal_stack;
}

void portable__signal_stack_set(struct portable__thread *t) {
  stack_t own = {0}, now;
  if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
  own.ss_sp = stack_of(t);
  own.ss_size = STACK_BYTES;
  if (own.ss_sp) sigaltstack(&own, NULL);
}

void portable__signal_stack_leave(struct portable__thread *t) {
  stack_t none = {0}, now;
  if (!t->signal_stack || sigaltstack(NULL, &now) != 0 || now.ss_sp != t->signal_stack) return;
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, NULL);
}

void portable__fix_handlers(void) {
  for (int s = 1; s < NSIG; s++) {
    struct sigaction a;
    if (sigaction(s, NULL, &a) != 0 || a.sa_flags & SA_ONSTACK) continue;
    if (a.sa_handler == SIG_DFL || a.sa_handler == SIG_IGN) continue;
    a.sa_flags |= SA_ONSTACK;
    sigaction(s, &a, NULL);
  }
}
