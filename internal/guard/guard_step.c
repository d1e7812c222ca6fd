/* guard_step.c - lets one instruction access a closed page: opens the page, lets the processor trap
 * after the instruction, and closes it again. Without a trap, as under a debugger or valgrind, the
 * page stays open. Accesses of other threads to an open page are not seen. Also the handler of
 * SIGTRAP, which gives traps that are not ours to the program's. All runs in signal handlers. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "../team/valgrind.h"
#include "guard_step.h"

int portable__guard_protect(uintptr_t from, uintptr_t to, int open) {
  return mprotect((void *)from, to - from, open ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

#if PORTABLE__GUARD_STEPS

#define PAGES_AT_ONCE 4 /* that one instruction may touch */
static __thread struct {
  int n;
  uintptr_t page[PAGES_AT_ONCE];
} stepping __attribute__((tls_model("initial-exec")));

static struct sigaction trap_before; /* written by the holder of `restoring`, before ours is there again */
static _Atomic int restoring, steps;

static void close_stepped(void) {
  for (int i = 0; i < stepping.n; i++) {
    struct portable__guarded *r = portable__guard_slot_of(stepping.page[i]);
    uintptr_t page = stepping.page[i];
    if (!r || atomic_load(&r->hits) <= PORTABLE__GUARD_HITS || page == atomic_load(&r->closed_page)) portable__guard_protect(page, page + portable__guard_page, 0);
  }
  stepping.n = 0;
}

void portable__guard_on_trap(int number, siginfo_t *info, void *context) {
  int error = errno;
  if (stepping.n > 0 && portable__step_ended(info, context)) {
    close_stepped();
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

int portable__guard_trap_is_ours(void) {
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
  return can > 0 && portable__guard_trap_is_ours() && portable__step_start(context);
}

int portable__guard_let_through(uintptr_t page, void *context) {
  if (!portable__guard_protect(page, page + portable__guard_page, 1)) return 0;
  if (step(context) && stepping.n < PAGES_AT_ONCE) stepping.page[stepping.n++] = page;
  return 1;
}

int portable__guard_again_in_step(void *context) {
  if (stepping.n == 0) return 0;
  if (portable__step_broken(context)) return 1;
  close_stepped(); /* its handler never came back */
  return 0;
}

#else

int portable__guard_let_through(uintptr_t page, void *context) {
  (void)context;
  return portable__guard_protect(page, page + portable__guard_page, 1);
}

int portable__guard_again_in_step(void *context) { return (void)context, 0; }

#endif
