/* crash_kernel.c WHAT WHERE - a kernel that goes wrong, in a program in C (or C++, see crash_kernel.cpp): one line that
 * names it, and the end that the program would have had without the library. WHERE: worker, launcher, all (at once).
 * run_kernel.sh says what each must give. Not in this file: Fortran (crash_kernel.f90), faults outside kernels (../process/crash.c). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "portable.h"

#include "meet.h"

#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *what, *where;
static uint64_t begun;
static volatile double none;
static volatile int zero;
static int *volatile nowhere; /* NULL */
static struct sigaction old;

static int overflow_stack(volatile char *above) {
  volatile char room[4096];
  room[0] = above[0];
  if (zero) return 0; /* never */
  return overflow_stack(room) + room[1];
}

static void fault(void) {
  portable_device device;
  if (strcmp(what, "killed") == 0) raise(SIGSEGV);
  if (strcmp(what, "abort") == 0) abort();
  if (strcmp(what, "division") == 0) zero = 100 / zero;
  if (strcmp(what, "float") == 0) none = 1.0 / none;
  if (strcmp(what, "stack") == 0) zero = overflow_stack((volatile char *)what);
  if (strcmp(what, "go") == 0) { /* a fault in Go is Go's: it becomes an error, and no crash of the kernel */
    portable_status status = portable_device_find((const char *)16, &device);
    printf("status %s\n", portable_status_name(status));
    fflush(stdout);
    _exit(status == PORTABLE_ERR_INTERNAL ? 0 : 1);
  }
  *nowhere = 1;
}

static void inner(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) fault();
}

static void kernel(const portable_tile *t, void *args) {
  portable_bounds one = portable_bounds_1(1);
  int here = strcmp(where, "all") == 0 || (strcmp(where, "launcher") == 0) == (t->worker == 0);
  (void)args;
  meet(t, &begun); /* so "all" is at the same time, too */
  if (!here) return;
  if (strcmp(what, "nested") == 0) portable_parallel_for("inner", &one, inner, NULL, 0, NULL);
  fault();
}

static void nothing(const portable_tile *t, void *args) { (void)t, (void)args; }

static void ends_with_42(int number) {
  (void)number;
  _exit(42);
}

static void ends_with_43(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  _exit(info->si_addr == NULL ? 43 : 1);
}

/* A library's handler that calls the one it has found, as many do. */
static void calls_old(int number, siginfo_t *info, void *context) {
  static const char text[] = "the later handler\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(1);
  if (old.sa_flags & SA_SIGINFO) old.sa_sigaction(number, info, context);
}

static void install(void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_sigaction = handler;
  a.sa_flags = SA_SIGINFO | flags;
  sigaction(SIGSEGV, &a, &old);
}

int main(int argc, char **argv) {
  portable_bounds b = portable_bounds_1(64);
  if (argc < 3) return 98;
  what = argv[1];
  where = argv[2];
  if (strcmp(what, "handler_before") == 0 || strcmp(what, "handler_of_all") == 0) signal(SIGSEGV, ends_with_42);
  if (strcmp(what, "handler_of_all") == 0) signal(SIGURG, ends_with_42); /* as PETSc: the library must not take it for Go's */
  if (strcmp(what, "handler_with_info") == 0) {
    install(ends_with_43, 0);
    sigaction(SIGSEGV, NULL, &old);
    sigaction(SIGURG, &old, NULL);
  }
  if (portable_init(NULL) != 0) return 97;
  if (strcmp(what, "handler_after_init") == 0) install(ends_with_43, 0);
  if (strcmp(what, "float") == 0) feenableexcept(FE_DIVBYZERO);
  if (portable_parallel_for("harmless", &b, nothing, NULL, 0, NULL) != 0) return 96;
  if (strcmp(what, "handler_after_launch") == 0) install(ends_with_43, 0);
  if (strcmp(what, "chain") == 0) install(calls_old, SA_ONSTACK);
  if (strcmp(what, "outside") == 0) *nowhere = 1;
  if (strcmp(what, "go_outside") == 0) {
    what = "go";
    fault();
  }
  portable_parallel_for("advect_x", &b, kernel, NULL, 0, NULL);
  return 99;
}
