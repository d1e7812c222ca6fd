/* meet.c - threads that wait for one another without a sign of it for race tools: through pipes, by system calls that
 * no tool intercepts, compiled without sanitizers. So what they do afterwards is as unordered as it is without. For the Fortran
 * programs of this folder. Not in this file: the way of C programs (meet.h). */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

enum { WORKERS = 8 };

static int pipes[WORKERS][2];

/* Before the first launch. */
int meet_prepare(void) {
  for (int w = 0; w < WORKERS; w++)
    if (pipe(pipes[w]) != 0) return 1;
  return 0;
}

/* Once in each share of a launch on so many workers. */
void meet(int worker, int workers) {
  char byte = 0;
  for (int w = 0; w < workers; w++)
    if (w != worker && syscall(SYS_write, pipes[w][1], &byte, 1) != 1) _exit(95);
  for (int w = 0; w < workers; w++)
    if (w != worker && syscall(SYS_read, pipes[worker][0], &byte, 1) != 1) _exit(95);
}
