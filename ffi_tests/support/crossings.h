/* crossings.h - whether work enters Go often, seen from outside: after 4096 crossings into Go a thread puts handlers of the program on the signal stack.
 * Not in this file: what the work is. POSIX. */
#ifndef CROSSINGS_H
#define CROSSINGS_H

#include <signal.h>
#include <stddef.h>

static void crossings_handler(int signal) { (void)signal; }

/* 1: the work has entered Go more often than that. */
static inline int crossed(void (*work)(void)) {
  struct sigaction a = {.sa_handler = crossings_handler}, now;
  sigemptyset(&a.sa_mask);
  sigaction(SIGUSR2, &a, NULL);
  work();
  sigaction(SIGUSR2, NULL, &now);
  return (now.sa_flags & SA_ONSTACK) != 0;
}

#endif
