/* report.c WHAT - writes what report.sh compares: a tree with recursion, a label in several timers, long and odd labels; with
 * `threads` a second thread, with `running` timers that run at the end. The report comes from PORTABLE_PROFILE at the end.
 * Not in this file: checks. */
#include <portable.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void must(portable_status status) {
  if (status != PORTABLE_OK) printf("%s\n", portable_last_error());
}

static void timed(const char *label, int times) {
  for (int i = 0; i < times; i++) {
    must(portable_timer_start(label));
    must(portable_timer_stop(label));
  }
}

static void kernel(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

static void *thread(void *unused) {
  timed("elsewhere", 2);
  return unused;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  portable_bounds b = portable_bounds_1(10);
  pthread_t other;
  must(portable_init(NULL));
  must(portable_timer_start("main"));
  for (int step = 0; step < 3; step++) {
    must(portable_timer_start("step"));
    timed("halo", 2);
    must(portable_parallel_for("update", &b, kernel, NULL, 0, NULL));
    must(portable_timer_stop("step"));
  }
  timed("halo", 1);
  timed("a label that is longer than the column of the report has room for", 1);
  must(portable_timer_start("one"));
  must(portable_timer_start("two"));
  must(portable_timer_start("one"));
  must(portable_timer_stop("one"));
  must(portable_timer_stop("two"));
  must(portable_timer_stop("one"));
  must(portable_timer_stop("main"));
  timed("H\xc3\xb6he \"[m]\"\n", 1);
  if (strcmp(what, "threads") == 0 && pthread_create(&other, NULL, thread, NULL) == 0) pthread_join(other, NULL);
  if (strcmp(what, "running") == 0) {
    must(portable_timer_start("main"));
    must(portable_timer_start("never stopped"));
  }
  if (argc > 2) must(portable_timers_print(argv[2]));
  must(portable_finalize());
  return 0;
}
