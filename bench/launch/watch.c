/* watch.c - measures observers: launches of a kernel that does nothing, on the device serial, where
 * no other cost hides theirs. usage: bench_watch portable watch [N]; see launch.c. */
#define _GNU_SOURCE
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>

#include "../checked.h"
#include "../clock.h"

static long part = 1;
static portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;

static void empty(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

static void hook(const portable_hook_event *e, void *payload) {
  (void)e;
  ++*(long *)payload;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* The median of pieces of 1000. */
static void launches(const char *name, const char *label) {
  enum { PIECES = 200 };
  double piece[PIECES];
  long pieces = PIECES / part > 0 ? PIECES / part : 1;
  portable_bounds b = portable_bounds_1(64);
  struct timespec pause = {0, 50000000};
  nanosleep(&pause, NULL);
  for (long p = 0; p < pieces; p++) {
    double t = now();
    for (int i = 0; i < 1000; i++) check(portable_parallel_for(label, &b, empty, NULL, 0, &config));
    piece[p] = (now() - t) / 1000;
  }
  qsort(piece, (size_t)pieces, sizeof *piece, compare);
  printf("launch on serial, %s\t%.6g\tns\n", name, piece[pieces / 2]);
}

/* The same under a variable, which is read at a start. */
static void under(const char *name, const char *variable, const char *value) {
  setenv(variable, value, 1);
  check(portable_init(NULL));
  launches(name, "empty");
  check(portable_finalize());
  unsetenv(variable);
}

int main(int argc, char **argv) {
  portable_hook h = 0;
  long told = 0;
  if (argc > 3) part = strtol(argv[3], NULL, 10);
  if (part < 1) part = 1;
  check(portable_init(NULL));
  check(portable_device_find("serial", &config.device));
  launches("no label", NULL);
  launches("a label", "empty");
  check(portable_hook_add(hook, &told, PORTABLE_EVENT_LAUNCH_BEGIN | PORTABLE_EVENT_LAUNCH_END, &h));
  launches("a hook", "empty");
  check(portable_hook_remove(h));
  check(portable_finalize());
  under("a label in the tuning file", "PORTABLE_TUNING", "empty: tile=64");
  under("another label in the tuning file", "PORTABLE_TUNING", "other*: tile=8");
  under("launch checks", "PORTABLE_CHECK", "launch");
  under("the log, thrown away", "PORTABLE_VERBOSE", "/dev/null");
  return told == 0;
}
