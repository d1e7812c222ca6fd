/* launch.c - the phases of the launch benchmark, for the engine that it is linked with;
 * docs/check/benchmarks.md says what each row means. usage: bench_launch_ENGINE ENGINE PHASE [N].
 * Prints name, value and unit, a line each, separated by tabs. With N it does an Nth of the work,
 * to see that it works. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../clock.h"
#include "engines.h"

static long part = 1;

static long portion(long n) { return n / part > 0 ? n / part : 1; }

static void rest(double ns) {
  struct timespec t = {0, (long)ns};
  nanosleep(&t, NULL);
}

static void result(const char *name, double value) { printf("%s\t%.6g\tns\n", name, value); }

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *values, long n) {
  qsort(values, (size_t)n, sizeof *values, compare);
  return values[n / 2];
}

/* Launch after launch, in pieces of 100, of which the median counts. */
static double back_to_back(long pieces, int64_t n) {
  double *piece = malloc((size_t)pieces * sizeof *piece);
  rest(50e6);
  for (long p = 0; p < pieces; p++) {
    double t = now();
    for (int i = 0; i < 100; i++) engine_loop(n);
    piece[p] = (now() - t) / 100;
  }
  double m = median(piece, pieces);
  free(piece);
  return m;
}

static void empty(int threads) {
  char name[80];
  engine_start(threads);
  engine_loop(64);
  snprintf(name, sizeof name, "empty launch, %d threads", engine_threads());
  result(name, back_to_back(portion(500), 64));
}

/* All threads have had time to go to sleep. */
static void after_a_pause(void) {
  long launches = portion(100);
  double *one = malloc((size_t)launches * sizeof *one);
  engine_start(0);
  engine_loop(64);
  for (long i = 0; i < launches; i++) {
    rest(10e6);
    double t = now();
    engine_loop(64);
    one[i] = now() - t;
  }
  result("empty launch after 10 ms of pause", median(one, launches));
  free(one);
}

static double data[1 << 15];

/* Serial arithmetic of 20 us or 1 ms between launches, with the process bound to one core: what a launch adds. */
static void work_between(void) {
  static const int times[] = {20, 1000};
  cpu_set_t one;
  sched_getaffinity(0, sizeof one, &one);
  for (size_t cpu = 0, seen = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &one) && seen++) CPU_CLR(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
  engine_start(0);
  engine_loop(64);
  for (size_t k = 0; k < 2; k++) {
    long launches = portion(k ? 300 : 5000);
    struct rusage before, after;
    double spent = 0;
    char name[80];
    rest(50e6);
    getrusage(RUSAGE_SELF, &before);
    for (long i = 0; i < launches; i++) {
      double until = now() + times[k] * 1e3;
      while (now() < until)
        for (int j = 0; j < 100; j++) data[j] = data[j] * 0.5 + 1;
      double t = now();
      engine_loop(64);
      spent += now() - t;
    }
    getrusage(RUSAGE_SELF, &after);
    snprintf(name, sizeof name, "launch after %d us of work, one core", times[k]);
    result(name, spent / (double)launches);
    printf("voluntary switches per launch after %d us, one core\t%.6g\tper launch\n", times[k],
           (double)(after.ru_nvcsw - before.ru_nvcsw) / (double)launches);
  }
}

static void nested(void) {
  long rounds = portion(2000);
  engine_start(0);
  engine_nested(8, 64);
  rest(50e6);
  double t = now();
  for (long i = 0; i < rounds; i++) engine_nested(8, 64);
  result("8 launches inside a launch", (now() - t) / (double)rounds);
}

static pthread_barrier_t gate;

static void *launcher(void *out) {
  long launches = portion(20000);
  engine_loop(64);
  pthread_barrier_wait(&gate);
  double t = now();
  for (long i = 0; i < launches; i++) engine_loop(64);
  *(double *)out = (now() - t) / (double)launches;
  return NULL;
}

static void two_threads(void) {
  pthread_t threads[2];
  double took[2];
  engine_start(0);
  engine_loop(64);
  pthread_barrier_init(&gate, NULL, 2);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, launcher, &took[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  result("launch, from two threads at once", (took[0] + took[1]) / 2);
}

/* Loops of some microseconds, as a model's small arrays are. */
static void small_loops(void) {
  static const int64_t counts[] = {1000, 10000, 32768};
  engine_start(0);
  for (size_t c = 0; c < 3; c++) {
    long rounds = portion(20000);
    char name[80];
    engine_work(data, counts[c]);
    rest(50e6);
    double t = now();
    for (long i = 0; i < rounds; i++) engine_work(data, counts[c]);
    snprintf(name, sizeof name, "loop over %ld numbers", (long)counts[c]);
    result(name, (now() - t) / (double)rounds);
  }
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s ENGINE empty|four|pause|work|nested|two|small [N]\n", argv[0]);
    return 2;
  }
  const char *phase = argv[2];
  if (argc > 3) part = strtol(argv[3], NULL, 10);
  if (part < 1) part = 1;
  if (strcmp(phase, "empty") == 0) empty(2);
  else if (strcmp(phase, "four") == 0) empty(4);
  else if (strcmp(phase, "pause") == 0) after_a_pause();
  else if (strcmp(phase, "work") == 0) work_between();
  else if (strcmp(phase, "nested") == 0) nested();
  else if (strcmp(phase, "two") == 0) two_threads();
  else if (strcmp(phase, "small") == 0) small_loops();
  else return 2;
  return 0;
}
