/* test_fork_first.c - a child forked before the first call: the Go runtime is not in it, so it must be refused
 * like any other child, and must not hang. */
#include "emulated.h"
#include <portable.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    alarm(emulated_seconds(20)); /* a hang ends the test */
    _exit(portable_init(NULL) == PORTABLE_ERR_FORK && !portable_is_initialized() ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  if (status != 0) fprintf(stderr, "the child ended with status %#x\n", (unsigned)status);
  return status != 0 || portable_init(NULL) != PORTABLE_OK || portable_finalize() != PORTABLE_OK;
}
