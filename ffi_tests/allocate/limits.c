/* limits.c - a program that lowers its limits before its first large block: malloc serves it by
 * libc, and the library's own calls give an error. Without the argument the limit is that of
 * addresses; "threads": that of processes, for a user without privileges. Linux.
 * Not in this file: the start without limits (waits.c). */
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int failures;
static void expect(int good, const char *what) {
  if (good) return;
  printf("CHECK: %s: %s\n", what, portable_last_error());
  failures++;
}

static rlim_t addresses_now(void) {
  unsigned long pages = 0;
  FILE *const f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%lu", &pages) != 1) pages = 0;
  if (f) fclose(f);
  return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv) {
  struct rlimit limit = {1, 1};
  if (argc > 1 && strcmp(argv[1], "threads") == 0) {
    if (getuid() == 0 && setuid(65534) != 0) return 77;
    expect(setrlimit(RLIMIT_NPROC, &limit) == 0, "the limit of processes is set");
  } else {
    limit.rlim_cur = limit.rlim_max = addresses_now() + ((rlim_t)64 << 20);
    expect(setrlimit(RLIMIT_AS, &limit) == 0, "the limit of addresses is set");
  }
  for (int i = 0; i < 3; i++) {
    char *volatile large = malloc(1 << 20);
    expect(large != NULL, "malloc has memory");
    if (large) memset(large, 1, 1 << 20);
    free(large);
  }
  expect(portable_init(NULL) == PORTABLE_ERR_NOMEM && strstr(portable_last_error(), "limits"), "a start is refused by its cause");
  return failures != 0;
}
