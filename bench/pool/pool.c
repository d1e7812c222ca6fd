/* pool.c - the phases of the pool benchmark, for one allocator; docs/check/benchmarks.md explains
 * each row. usage: bench_pool portable|malloc PHASE [N]. Prints name, value and unit, a line each.
 * A process runs one phase, because memory that a malloc keeps from one phase changes the next.
 * With N it does an Nth of the work, to test that it works. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include "allocators.h"

take_fn take;
give_fn give;
static long part = 1;

static long portion(long n) { return n / part > 0 ? n / part : 1; }

/* Sizes of the automatic arrays of a weather code's physics column block: 1 to 137 levels, some two-dimensional
 * by 16 to 128 columns, real(8). */
static size_t weather_size(uint64_t *state) {
  static const size_t columns[] = {16, 32, 64, 128};
  static const size_t levels[] = {1, 2, 10, 60, 61, 91, 137, 138};
  return 8 * columns[next_random(state) % 4] * levels[next_random(state) % 8];
}

/* In pieces of 1000 pairs, of which the median counts. */
static void live_counts(void) {
  static double piece[1000];
  static const int counts[] = {1, 10, 100, 1000, 10000, 100000};
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
    int live = counts[c];
    long pieces = portion(live > 1000 ? 400 : 1000);
    void **block = calloc((size_t)live, sizeof *block);
    uint64_t state = 1;
    char name[64];
    for (int random = 0; random < 2; random++) {
      for (int i = 0; i < live; i++) block[i] = take(weather_size(&state));
      pause_50ms();
      for (long n = 0; n < pieces; n++) {
        double t = now();
        for (long i = 0; i < 1000; i++) {
          int k = random ? (int)(next_random(&state) % (uint32_t)live) : live - 1;
          give(block[k]);
          block[k] = take(weather_size(&state));
        }
        piece[n] = (now() - t) / 1000;
      }
      for (int i = 0; i < live; i++) give(block[i]);
      snprintf(name, sizeof name, "%s %d live", random ? "random" : "lifo", live);
      result(name, median(piece, (size_t)pieces), "ns/pair");
    }
    free(block);
  }
}

/* In pieces of some 10 us, of which the best counts: a piece that the system did not interrupt. */
static void one_size(void) {
  static const size_t sizes[] = {1000, 80000, 1 << 20};
  for (size_t s = 0; s < 3; s++) {
    char name[64];
    double best = 1e300;
    pause_50ms();
    for (long piece = 0; piece < portion(2000); piece++) {
      double t = now();
      for (int i = 0; i < 1000; i++) {
        void *p = take(sizes[s]);
        __asm__ volatile("" : : "r"(p) : "memory");
        give(p);
      }
      t = (now() - t) / 1000;
      if (t < best) best = t;
    }
    snprintf(name, sizeof name, "one size, %zu bytes", sizes[s]);
    result(name, best, "ns/pair");
  }
}

/* Three live arrays a step, allocated, written, freed: what automatic arrays do. "reused" writes into arrays that are
 * never freed, the bound that no allocator can beat. The median of the steps of five rounds, in which the two take
 * turns, so that a busy neighbour on the memory bus meets both; the first step of a round brings its memory into the
 * caches. */
static void three_arrays(void) {
  enum { ROUNDS = 5, STEPS = 800 };
  static const size_t sizes[] = {80 << 10, 1 << 20, 4 << 20, 16 << 20};
  static double step[2][ROUNDS * STEPS];
  for (size_t s = 0; s < 4; s++) {
    size_t bytes = sizes[s], steps = (size_t)portion(s ? (1 << 27) / (long)bytes + 12 : STEPS), n[2] = {0, 0};
    void *kept[3];
    char name[64];
    for (int a = 0; a < 3; a++) memset(kept[a] = take(bytes), 1, bytes);
    for (int round = 0; round < 2 * ROUNDS; round++) {
      int reused = round % 2;
      pause_50ms();
      for (size_t i = 0; i <= steps; i++) {
        void *a[3];
        double t = now();
        for (int k = 0; k < 3; k++) a[k] = reused ? kept[k] : take(bytes);
        for (int k = 0; k < 3; k++) memset(a[k], (int)i, bytes);
        for (int k = 2; k >= 0 && !reused; k--) give(a[k]);
        if (i > 0) step[reused][n[reused]++] = (now() - t) / 1000;
      }
    }
    for (int a = 0; a < 3; a++) give(kept[a]);
    for (int reused = 0; reused < 2; reused++) {
      snprintf(name, sizeof name, "3 arrays of %zu KiB, written%s", bytes >> 10, reused ? ", reused memory" : "");
      result(name, median(step[reused], n[reused]), "us/step");
    }
  }
}

static pthread_barrier_t start;

static void *worker(void *out) {
  uint64_t state = 7;
  long turns = portion(500000);
  pthread_barrier_wait(&start);
  double t = now();
  for (long i = 0; i < turns; i++) {
    void *a = take(weather_size(&state)), *b = take(weather_size(&state));
    __asm__ volatile("" : : "r"(a), "r"(b) : "memory");
    give(b);
    give(a);
  }
  *(double *)out = (double)(2 * turns) / (now() - t); /* two pairs a turn: pairs in a nanosecond */
  return NULL;
}

/* Throughput of all threads together, in million pairs a second. */
static void threads(void) {
  for (int n = 1; n <= 4; n++) {
    pthread_t thread[4];
    double rate[4], sum = 0;
    char name[64];
    pthread_barrier_init(&start, NULL, (unsigned)n);
    pause_50ms();
    for (int i = 0; i < n; i++) pthread_create(&thread[i], NULL, worker, &rate[i]);
    for (int i = 0; i < n; i++) {
      pthread_join(thread[i], NULL);
      sum += rate[i];
    }
    pthread_barrier_destroy(&start);
    snprintf(name, sizeof name, "throughput of %d thread%s", n, n > 1 ? "s" : "");
    result(name, sum * 1000, "Mpair/s");
  }
}

static double work(double ns) {
  double until = now() + ns, x = 1;
  while (now() < until)
    for (int i = 0; i < 50; i++) x = x * 1.0000001 + 1e-9;
  return x;
}

/* The time that a pair adds to work between the pairs, on one core, and the context switches it causes. The mean,
 * without the slowest hundredth, which met other programs. */
static void between_work(void) {
  static double spent[20000];
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  static const double spans[] = {20e3, 1e6};
  for (int s = 0; s < 2; s++) {
    int rounds = (int)portion(s ? 500 : 20000);
    struct rusage before, after;
    char name[64];
    double sink = 0, sum = 0;
    pause_50ms();
    getrusage(RUSAGE_SELF, &before);
    for (int i = 0; i < rounds; i++) {
      sink += work(spans[s]);
      double t = now();
      void *p = take(80000);
      __asm__ volatile("" : : "r"(p) : "memory");
      give(p);
      spent[i] = now() - t;
    }
    getrusage(RUSAGE_SELF, &after);
    __asm__ volatile("" : : "r"(&sink) : "memory");
    snprintf(name, sizeof name, "pair after %g us of work, one core", spans[s] / 1000);
    int counted = rounds - rounds / 100;
    median(spent, (size_t)rounds);
    for (int i = 0; i < counted; i++) sum += spent[i];
    result(name, sum / counted, "ns");
    snprintf(name, sizeof name, "voluntary switches after %g us, one core", spans[s] / 1000);
    result(name, (double)(after.ru_nvcsw - before.ru_nvcsw) / rounds, "per pair");
  }
  sched_setaffinity(0, sizeof all, &all);
}

/* Writes to each page of a new block once: a process measures it once, because memory is reused. */
static void first_touch(void) {
  const size_t bytes = ((size_t)512 << 20) / (size_t)part / 4096 * 4096 + 4096;
  volatile char *block = take(bytes);
  const double begin = now();
  for (size_t i = 0; i < bytes; i += 4096) block[i] = 1;
  result("first touch of 512 MB", (now() - begin) * 1e-6, "ms");
  give((void *)block);
}

static const struct {
  const char *name;
  void (*run)(void);
} phases[] = {{"live", live_counts}, {"one", one_size}, {"arrays", three_arrays}, {"threads", threads}, {"work", between_work}, {"touch", first_touch}};

int main(int argc, char **argv) {
  int portable = argc >= 3 && !strcmp(argv[1], "portable"), found = 0;
  take = portable ? gatorAllocate : malloc;
  give = portable ? gatorDeallocate : free;
  if (argc > 3) part = atol(argv[3]) > 0 ? atol(argv[3]) : 1;
  if (argc >= 3 && argc <= 4 && (portable || !strcmp(argv[1], "malloc"))) {
    if (portable) gatorInit();
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++)
      if (!strcmp(argv[2], phases[i].name)) {
        phases[i].run();
        found = 1;
      }
    if (portable) gatorFinalize();
  }
  if (!found) fprintf(stderr, "usage: %s portable|malloc live|one|arrays|threads|work|touch [N]\n", argv[0]);
  return found ? 0 : 2;
}
