/* timers.c - measures timers: a pair of start and stop, on and off, at the top and below others,
 * and timed launches. usage: bench_timers_portable portable timers [N]. Prints name, value and
 * unit, a line each, separated by tabs. With N it does an Nth of the work, to test that it
 * works. */
#define _GNU_SOURCE
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>

#include "../checked.h"
#include "../clock.h"

enum { PIECES = 2000, PAIRS = 100 };

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static portable_bounds bounds;

static void empty(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

static void pair(int i) {
  static const char *const labels[] = {"ocean surface fluxes", "halo"};
  portable_timer_start(labels[i & 1]);
  portable_timer_stop(labels[i & 1]);
}

static void read_clock(int i) {
  (void)i;
  now();
}

static void launch(int i) {
  (void)i;
  check(portable_parallel_for("empty", &bounds, empty, NULL, 0, NULL));
}

/* The median of pieces of 100. */
static void result(const char *name, void (*one)(int), long part) {
  static double took[PIECES];
  long pieces = PIECES / part > 0 ? PIECES / part : 1;
  for (long p = 0; p < pieces; p++) {
    double t = now();
    for (int i = 0; i < PAIRS; i++) one(i);
    took[p] = (now() - t) / PAIRS;
  }
  qsort(took, (size_t)pieces, sizeof took[0], compare);
  printf("%s\t%.6g\tns\n", name, took[pieces / 2]);
}

int main(int argc, char **argv) {
  long part = argc > 3 ? strtol(argv[3], NULL, 10) : 1;
  char label[20];
  if (part < 1) part = 1;
  bounds = portable_bounds_1(64);
  check(portable_init(NULL));
  check(portable_set_num_threads(2));
  check(portable_timers_enable(PORTABLE_TIMERS_OFF));
  result("CLOCK_MONOTONIC, read once", read_clock, part);
  result("timer off: start and stop", pair, part);
  result("empty launch, timers off", launch, part);
  check(portable_timers_enable(PORTABLE_TIMERS_ON));
  result("timer: start and stop", pair, part);
  for (int i = 0; i < 8; i++) { /* a program with some hundred timers, eight deep */
    snprintf(label, sizeof label, "level %d", i);
    check(portable_timer_start(label));
    for (int k = 0; k < 50; k++) {
      snprintf(label, sizeof label, "%d in level %d", k, i);
      check(portable_timer_start(label));
      check(portable_timer_stop(label));
    }
  }
  result("timer below eight others, of 400: start and stop", pair, part);
  check(portable_timers_enable(PORTABLE_TIMERS_LAUNCHES));
  result("empty launch, timed", launch, part);
  for (int i = 8; i-- > 0;) {
    snprintf(label, sizeof label, "level %d", i);
    check(portable_timer_stop(label));
  }
  check(portable_finalize());
  return 0;
}
