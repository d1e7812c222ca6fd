/* child.h - runs the test program itself once more, with an argument and its own environment, and brings
 * back what it wrote to standard error. Needed wherever the environment matters: it is read when the
 * library starts, and a process starts once. Not in this file: checks. */
#ifndef CHILD_H
#define CHILD_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emulated.h"

/* Becomes the program at `path` with these arguments, of which the first is its name; comes back only if that fails.
 * A program for another processor is run by the emulator that CHECK_EMULATOR names (scripts/long/aarch64). */
static inline void child_exec(const char *path, const char *const *arguments) {
  const char *emulator = getenv("CHECK_EMULATOR"), *all[16] = {emulator, "-0", arguments[0], path};
  for (int i = 1; arguments[i] && i < 12; i++) all[3 + i] = arguments[i];
  if (emulator) execv(emulator, (char *const *)all);
  else execv(path, (char *const *)arguments);
}

/* Runs /proc/self/exe with `argument`, after putting `setting` ("NAME=value", or NULL) into its
 * environment. Standard error goes into text[bytes], NUL-terminated.
 * Returns the exit code, or 1000 + the signal that ended it. */
static inline int child_run(const char *argument, const char *setting, char *text, size_t bytes) {
  char name[] = "/tmp/portable-child-XXXXXX";
  int status = 0, file = mkstemp(name);
  ssize_t got;
  pid_t pid;
  if (file < 0) return -1;
  unlink(name);
  pid = fork();
  if (pid == 0) {
    char path[4096], copy[256];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n < 0) _exit(126);
    path[n] = '\0';
    if (setting != NULL) {
      snprintf(copy, sizeof copy, "%s", setting);
      putenv(copy);
    }
    dup2(file, STDERR_FILENO);
    child_exec(path, (const char *const[]){path, argument, NULL});
    _exit(127);
  }
  if (pid < 0 || waitpid(pid, &status, 0) != pid) {
    close(file);
    return -1;
  }
  got = pread(file, text, bytes - 1, 0);
  close(file);
  text[got > 0 ? got : 0] = '\0';
  return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

#endif
