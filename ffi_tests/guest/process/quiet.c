/* quiet.c - a process on one core: the library lets the program have it. Pairs of calls with 20 us of work
 * between them cause next to no context switches, and a library without calls costs no time.
 * Not in this file: how fast a pair is (bench/). */
#define _GNU_SOURCE
#include "guest.h"

#include <sched.h>
#include <sys/resource.h>

enum { PAIRS = 20000 };

static double worked;

static void work_20us(void) {
  double end = guest_seconds() + 20e-6;
  while (guest_seconds() < end) worked += 1;
}

static struct rusage used(void) {
  struct rusage r;
  getrusage(RUSAGE_SELF, &r); /* all threads of the process, Go's too */
  return r;
}

static double cpu(const struct rusage *r) {
  return (double)(r->ru_utime.tv_sec + r->ru_stime.tv_sec) + 1e-6 * (double)(r->ru_utime.tv_usec + r->ru_stime.tv_usec);
}

/* Switches that the process asked for itself: a library that hands work to a thread, or wakes one, has them. */
static void pairs(const char *what, size_t bytes, double allowed) {
  struct rusage before, after;
  double share;
  int i;
  for (i = 0; i < 100; i++) guest_work((unsigned)i);
  before = used();
  for (i = 0; i < PAIRS; i++) {
    void *p;
    CHECK_STATUS(portable_alloc(bytes, "pair", &p), PORTABLE_OK);
    work_20us();
    CHECK_STATUS(portable_free(p), PORTABLE_OK);
  }
  after = used();
  share = (double)(after.ru_nvcsw - before.ru_nvcsw) / PAIRS;
  printf("%s: %.5f own and %.5f forced context switches a pair\n", what, share,
         (double)(after.ru_nivcsw - before.ru_nivcsw) / PAIRS);
  CHECK(share <= allowed);
}

int main(int argc, char **argv) {
  struct rusage before, after;
  struct timespec pause = {3, 0};
  cpu_set_t all, one;
  int i;
  double allowed = 0.01;
  portable_config config = PORTABLE_CONFIG_INIT;
  CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
  CPU_ZERO(&one);
  for (i = 0; i < CPU_SETSIZE && !CPU_ISSET(i, &all); i++) {}
  CPU_SET(i, &one);
  CHECK(sched_setaffinity(0, sizeof one, &one) == 0);

  if (argc > 1 && strcmp(argv[1], "slow") == 0) {
    config.fastpath = -1;
    allowed = 1; /* each call enters Go, whose watchdog thread wakes up meanwhile */
  }
  CHECK_STATUS(portable_init(&config), PORTABLE_OK);
  CHECK(sched_getaffinity(0, sizeof all, &all) == 0 && CPU_COUNT(&all) == 1); /* this thread was not moved */
  pairs("1 KiB", 1000, allowed);
  pairs("1 MiB", 1 << 20, allowed);

  before = used();
  CHECK(nanosleep(&pause, NULL) == 0);
  after = used();
  printf("idle for 3 s: %ld own switches, %.1f ms\n", after.ru_nvcsw - before.ru_nvcsw, 1e3 * (cpu(&after) - cpu(&before)));
  CHECK(after.ru_nvcsw - before.ru_nvcsw < 60);
  CHECK(cpu(&after) - cpu(&before) < 0.03);
  return check_end() + (worked < 0);
}
