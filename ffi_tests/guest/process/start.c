/* start.c - the start of the library waits for no grace period of the kernel: it asks for its barrier while
 * the process has one thread. Later that takes some 10 ms. The program's own syscall() takes the place of
 * the C library's and counts threads. Not in this file: how long a start takes (bench/start.go). */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <linux/membarrier.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

#include <portable.h>

static int asked, threads, refused; /* how often; threads at the first time; whether the kernel has no such barrier */

static int count_threads(void) {
  int n = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *d; tasks && (d = readdir(tasks));) n += d->d_name[0] != '.';
  if (tasks) closedir(tasks);
  return n;
}

long syscall(long number, ...) {
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  const int registers = number == SYS_membarrier && (int)a[0] == MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
  if (registers && asked++ == 0) threads = count_threads();
  long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  const long result = real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (registers && result != 0) refused = 1;
  return result;
}

int main(void) {
  void *p = NULL;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(1000, "start", &p), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK(asked == 1 || (refused && asked > 1)); /* a process that is refused asks again before each use */
  CHECK(threads == 1);
  return check_end();
}
