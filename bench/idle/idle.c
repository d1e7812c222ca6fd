/* idle.c - a program that does nothing, with the library or (IDLE_PLAIN) without. Not in this file:
 * the comparison of the two (bench/start.go). usage: bench_idle start: init, finalize, end.
 * bench_idle rest SECONDS: init, a pair of calls, rest; prints resident memory, its part that is no
 * page of a file, and how often threads other than the main one were woken, a line each: name,
 * value, unit. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifndef IDLE_PLAIN
#include <portable.h>
#endif

static long field(const char *file, const char *name) {
  char line[256];
  long value = 0;
  FILE *in = fopen(file, "r");
  while (in && fgets(line, sizeof line, in))
    if (!strncmp(line, name, strlen(name))) value = atol(line + strlen(name));
  if (in) fclose(in);
  return value;
}

/* Context switches of all threads but the main one, which reads the files. */
static long switches(void) {
  char file[300];
  long sum = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *d; tasks && (d = readdir(tasks));) {
    if (atol(d->d_name) <= 0 || atol(d->d_name) == (long)getpid()) continue;
    snprintf(file, sizeof file, "/proc/self/task/%s/status", d->d_name);
    sum += field(file, "voluntary_ctxt_switches:") + field(file, "nonvoluntary_ctxt_switches:");
  }
  if (tasks) closedir(tasks);
  return sum;
}

static void rest(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&t, NULL);
}

int main(int argc, char **argv) {
  int resting = argc == 3 && !strcmp(argv[1], "rest");
  if (!resting && !(argc == 2 && !strcmp(argv[1], "start"))) {
    fprintf(stderr, "usage: %s start|rest SECONDS\n", argv[0]);
    return 2;
  }
#ifndef IDLE_PLAIN
  void *p = NULL;
  if (portable_init(NULL) != PORTABLE_OK) return 1;
#endif
  if (resting) {
    double seconds = atof(argv[2]);
#ifndef IDLE_PLAIN
    if (portable_alloc(80000, "idle", &p) != PORTABLE_OK || portable_free(p) != PORTABLE_OK) return 1;
#endif
    rest(0.2); /* the end of what the start set in motion */
    long before = switches();
    rest(seconds);
    printf("wake-ups\t%.4g\tper s\n", (double)(switches() - before) / seconds);
    printf("resident memory\t%.4g\tMB\n", (double)field("/proc/self/status", "VmRSS:") * 1024 / 1e6);
    printf("private memory\t%.4g\tMB\n", (double)field("/proc/self/status", "RssAnon:") * 1024 / 1e6);
  }
#ifndef IDLE_PLAIN
  return portable_finalize() == PORTABLE_OK ? 0 : 1;
#else
  return 0;
#endif
}
