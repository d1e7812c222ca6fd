/* stacks.c [ROUNDS] - measures the cost of memory checks in an allocation: a stack of 16 frames
 * taken (internal/stacks/stack_walk.c, compared with glibc's backtrace) and kept by number, and a
 * pair of allocate and free with the environment's settings. Prints nanoseconds, the least of
 * ROUNDS rounds (20). Not in this file: the slowdown of a program (examples/shallow_water under
 * PORTABLE_CHECK=memory). */
#define _GNU_SOURCE
#include <execinfo.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "portable.h"

#include "../../internal/stacks/stack.h"
#include "../../internal/tracing/trace.h"

/* Functions of the rest of the library, whose own copies are private. */
_Atomic int portable__forked;
__thread const struct portable__job *portable__running_job;
__thread uintptr_t portable__thread_bottom;

#define FRAMES 16
#define TIMES 2000

static uintptr_t pcs[FRAMES];
static void *back[FRAMES];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void walk(void) { portable__stack_walk(NULL, pcs, FRAMES, NULL); }
static void keep(void) { portable__stack_keep(pcs, FRAMES, 0); }
static void theirs(void) { backtrace(back, FRAMES); }

static void pair(void) {
  void *p = NULL;
  if (portable_alloc(4096, "pair", &p) == PORTABLE_OK) portable_free(p);
}

static void measure(const char *name, void (*what)(void), int rounds) {
  double least = 1e99;
  for (int r = 0; r < rounds; r++) {
    double begun = now();
    for (int i = 0; i < TIMES; i++) what();
    double took = (now() - begun) / TIMES;
    if (took < least) least = took;
  }
  printf("%-20s %8.1f ns\n", name, least);
}

/* So deep that there are 16 frames, each with something on the stack. */
__attribute__((noinline)) static int down(int depth, volatile char *above, int rounds) {
  volatile char own[200];
  memset((void *)(uintptr_t)own, depth, sizeof own);
  if (depth > 0) return down(depth - 1, own, rounds) + own[3] + above[0];
  measure("walk", walk, rounds);
  measure("keep", keep, rounds);
  measure("backtrace", theirs, rounds);
  measure("allocate and free", pair, rounds);
  return own[5];
}

int main(int argc, char **argv) {
  char none[1] = {0};
  if (portable_init(NULL) != PORTABLE_OK || !portable__stack_open()) return 1;
  portable__modules_look();
  down(20, none, argc > 1 ? atoi(argv[1]) : 20);
  return portable_finalize() == PORTABLE_OK ? 0 : 1;
}
