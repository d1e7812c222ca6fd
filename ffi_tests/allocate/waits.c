/* waits.c - a program that links portable::allocate has no thread but its own until the first block
 * that the pool serves, and is served then. Linux: counts the threads in /proc/self/task.
 * Not in this file: what is served (test_malloc.c). */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


static int threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  int n = 0;
  for (struct dirent *e; tasks && (e = readdir(tasks));) n += e->d_name[0] != '.';
  if (tasks) closedir(tasks);
  return n;
}

static int failures;
static void expect(int good, const char *what) {
  if (good) return;
  printf("CHECK: %s (%d threads)\n", what, threads());
  failures++;
}

static volatile sig_atomic_t seen;
static void on_signal(int number) { seen = number; }

int main(void) {
  expect(threads() == 1, "at the start of main there is one thread");
  signal(SIGUSR1, on_signal);
  double real = 1.5;
  for (size_t bytes = 1; bytes <= 32768; bytes *= 2) {
    char *volatile p = malloc(bytes);
    memset(p, 1, bytes);
    p = realloc(p, 2 * bytes - 1);
    free(p);
  }
  expect(threads() == 1, "small blocks start nothing");
  char *volatile large = malloc(1 << 20);
  expect(threads() > 1, "the first large block starts the runtime");
  memset(large, 1, 1 << 20);
  raise(SIGUSR1);
  expect(seen == SIGUSR1, "a handler of before is still there");
  real *= 2;
  expect(real == 3, "numbers are as before");
  free(large);
  return failures != 0;
}
