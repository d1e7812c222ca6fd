/* crash.c - what happens when a kernel faults: one line that names it, then whatever the program would have done.
 *
 * In front of the program's handlers for faults stands one that writes the label of the kernel that the faulting thread
 * runs, puts the program's handler back, and returns: the instruction faults again, and gfortran's backtrace, a debugger,
 * or the plain end of the program comes as without us. Faults outside kernels go straight to the program's handler. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "team.h"

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#define FAULTS (sizeof faults / sizeof *faults)
static struct sigaction before[FAULTS];

/* The Go runtime's handler serves faults of Go code; one in a kernel would make it print goroutines and die by another
 * signal. It is known by this one, which no program sets and Go always has. */
static int is_go(const struct sigaction *a) {
  struct sigaction go;
  return sigaction(SIGURG, NULL, &go) == 0 && go.sa_sigaction == a->sa_sigaction;
}

static size_t append(char *line, size_t at, size_t room, const char *text) {
  while (*text && at < room) line[at++] = *text++;
  return at;
}

static size_t append_number(char *line, size_t at, size_t room, uintptr_t n, unsigned base) {
  char digits[20];
  size_t k = 0;
  do digits[k++] = "0123456789abcdef"[n % base];
  while ((n /= base) && k < sizeof digits);
  while (k > 0 && at < room) line[at++] = digits[--k];
  return at;
}

static void say(int number, const siginfo_t *info, const struct portable__job *job) {
  char line[512];
  size_t room = sizeof line - 1, at = append(line, 0, room, "portable: signal ");
  at = append_number(line, at, room, (uintptr_t)number, 10);
  at = append(line, at, room, number == SIGSEGV   ? " (invalid memory access)"
                              : number == SIGBUS  ? " (bus error)"
                              : number == SIGFPE  ? " (floating-point or integer exception)"
                              : number == SIGILL  ? " (illegal instruction)"
                                                  : "");
  at = append(line, at, room, " in kernel '");
  at = append(line, at, room, job->label);
  at = append(line, at, room, "'");
  if (number == SIGSEGV || number == SIGBUS) {
    at = append(line, at, room, ", address 0x");
    at = append_number(line, at, room, (uintptr_t)info->si_addr, 16);
  }
  line[at++] = '\n';
  if (write(STDERR_FILENO, line, at) < 0) return; /* nobody is left to be told */
}

static void on_fault(int number, siginfo_t *info, void *context) {
  size_t i = 0;
  while (i < FAULTS && faults[i] != number) i++;
  if (i == FAULTS) return;
  struct sigaction next = before[i];
  const struct portable__job *job = portable__running_job;
  if (job) {
    say(number, info, job);
    if (is_go(&next)) {
      memset(&next, 0, sizeof next);
      next.sa_handler = SIG_DFL;
    }
  } else if (next.sa_flags & SA_SIGINFO) {
    next.sa_sigaction(number, info, context);
    return;
  }
  sigaction(number, &next, NULL);
  /* What somebody sent does not come again by itself. It is blocked until this handler has returned. */
  if (info->si_code <= 0) raise(number);
}

void portable__crash_handlers(void) {
  for (size_t i = 0; i < FAULTS; i++) {
    struct sigaction now, ours;
    if (sigaction(faults[i], NULL, &now) != 0) continue;
    if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_fault) continue;
    /* A program that ignores a fault signal does not want to be told; nothing is lost by the kernel's end. */
    if (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN) continue;
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    ours.sa_mask = now.sa_mask;
    before[i] = now;
    before[i].sa_flags |= now.sa_handler == SIG_DFL ? 0 : SA_ONSTACK;
    sigaction(faults[i], &ours, NULL);
  }
}
