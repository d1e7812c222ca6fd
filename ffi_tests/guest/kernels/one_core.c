/* one_core.c WHAT - what launches cost where there are too few processors; the program binds itself before it starts the
 * library. `alone`: one processor and, without another setting, one thread: with 20 us and 1 ms of work in between a launch
 * adds at most 1 us and 0.01 context switches. `crowded`: five threads on one or two processors: a launch sleeps and does not
 * spin, so it costs a few wake-ups and its processor time is not more than three times that of the work. `idle`: between
 * launches the library takes no time. Not in this file: the same for pairs of the pool (../process/quiet.c). */
#define _GNU_SOURCE
#include "guest.h"

#include <sched.h>
#include <sys/resource.h>

static volatile double sink;

static double work(double seconds) {
  double begin = guest_seconds(), now;
  do now = guest_seconds();
  while (now - begin < seconds);
  return now - begin;
}

static long switches(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_nvcsw;
}

static double processor_seconds(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec + (double)u.ru_stime.tv_sec + 1e-6 * (double)u.ru_stime.tv_usec;
}

static void nothing(const portable_tile *t, void *args) {
  (void)args;
  sink = (double)t->lower[0];
}

static void busy(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    double s = 0;
    for (int k = 0; k < 2000; k++) s += (double)(k * i);
    sink = s;
  }
}

/* Seconds that a launch takes, with so much work before each; the least of some rounds, because neighbours disturb. */
static double launch_costs(double between, int count, double *switched) {
  portable_bounds b = portable_bounds_1(1000);
  double best = 1;
  long least = 1L << 60;
  for (int round = 0; round < 7; round++) {
    double took = 0;
    long before = switches();
    for (int k = 0; k < count; k++) {
      work(between);
      double begin = guest_seconds();
      CHECK_STATUS(portable_parallel_for("nothing", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
      took += guest_seconds() - begin;
    }
    if (took / count < best) best = took / count;
    if (switches() - before < least) least = switches() - before;
  }
  *switched = (double)least / count;
  return best;
}

static void bind_to(int processors) {
  cpu_set_t now, mine;
  CPU_ZERO(&mine);
  CHECK(sched_getaffinity(0, sizeof now, &now) == 0);
  for (size_t cpu = 0; cpu < CPU_SETSIZE && processors > 0; cpu++)
    if (CPU_ISSET(cpu, &now)) {
      CPU_SET(cpu, &mine);
      processors--;
    }
  CHECK(sched_setaffinity(0, sizeof mine, &mine) == 0);
}

static void alone(void) {
  double switched, cost;
  CHECK(portable_num_threads() == 1);
  cost = launch_costs(20e-6, 2000, &switched);
  printf("20 us between: %.3f us, %.4f context switches a launch\n", cost * 1e6, switched);
  CHECK(switched <= 0.01);
  cost = launch_costs(1e-3, 100, &switched);
  printf("1 ms between: %.3f us, %.4f context switches a launch\n", cost * 1e6, switched);
  CHECK(switched <= 0.01);
}

static void crowded(void) {
  portable_launch_config serial = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(5000);
  double best[2] = {1e9, 1e9};
  CHECK_STATUS(portable_device_find("serial", &serial.device), PORTABLE_OK);
  CHECK_STATUS(portable_set_num_threads(5), PORTABLE_OK);
  for (int round = 0; round < 7; round++)
    for (int which = 0; which < 2; which++) {
      double begin = processor_seconds();
      CHECK_STATUS(portable_parallel_for("busy", &b, busy, NULL, 0, which ? NULL : &serial), PORTABLE_OK);
      double took = processor_seconds() - begin;
      if (took < best[which]) best[which] = took;
    }
  printf("processor time of the work %.2f ms, by five threads %.2f ms\n", best[0] * 1e3, best[1] * 1e3);
  double switched, cost = launch_costs(20e-6, 500, &switched);
  printf("five threads: %.1f us a launch\n", cost * 1e6);

}

static void idle(void) {
  portable_bounds b = portable_bounds_1(1000);
  struct timespec pause = {0, 500000000};
  CHECK_STATUS(portable_set_num_threads(2), PORTABLE_OK);
  double least = 1;
  long switched = 1000;
  for (int round = 0; round < 4; round++) {
    CHECK_STATUS(portable_parallel_for("nothing", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
    struct timespec settle = {0, 20000000};
    nanosleep(&settle, NULL);
    double begin = processor_seconds();
    long before = switches();
    nanosleep(&pause, NULL);
    if (processor_seconds() - begin < least) least = processor_seconds() - begin;
    if (switches() - before < switched) switched = switches() - before;
  }
  printf("idle: %.3f ms of processor time and %ld context switches in half a second\n", least * 1e3, switched);
  CHECK(switched <= 5);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "alone") == 0) bind_to(1);
  if (strcmp(what, "crowded") == 0) bind_to(argc > 2 ? atoi(argv[2]) : 2);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  if (strcmp(what, "alone") == 0) alone();
  else if (strcmp(what, "crowded") == 0) crowded();
  else if (strcmp(what, "idle") == 0) idle();
  else return 98;
  return check_end();
}
