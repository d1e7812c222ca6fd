/* random.c - times random numbers by cell: random_fill, single calls in a kernel, and peers on the
 * same threads: Bob Jenkins' small generator of 64 bits seeded for each index, Random123, Fortran's
 * random_number. usage: bench_random portable random [N]: with N the sizes are divided by it. Not
 * in this file: random_number (random_number.f90). */
#include <portable.h>
#include <portable_random.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"

#if HAS_RANDOM123
#include <Random123/philox.h>
#endif

/* "A small noncryptographic PRNG" (burtleburtle.net/bob/rand/smallprng.html): the variant with 64-bit terms, and its seeding by 20 rounds. */
struct small {
  uint64_t a, b, c, d;
};

static inline uint64_t turned(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static inline uint64_t small_next(struct small *s) {
  const uint64_t e = s->a - turned(s->b, 7);
  s->a = s->b ^ turned(s->c, 13);
  s->b = s->c + turned(s->d, 37);
  s->c = s->d + e;
  s->d = e + s->a;
  return s->d;
}

static inline struct small small_of(uint64_t seed) {
  struct small s = {0xf1ea5eed, seed, seed, seed};
  for (int i = 0; i < 20; i++) (void)small_next(&s);
  return s;
}

struct task {
  portable_random_key key;
  double *x;
};

#define KERNEL(name, of_cell) \
  static void name(const portable_tile *t, void *args) { \
    const struct task *task = args; \
    const portable_random_key key = task->key; \
    double *const x = task->x; \
    (void)key; \
    for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) x[i] = of_cell; \
  }

static inline double jenkins_of(int64_t cell) {
  struct small s = small_of((uint64_t)cell);
  return (double)(small_next(&s) >> 11) * 0x1p-53;
}
KERNEL(jenkins, jenkins_of(i))
KERNEL(single, portable_random_real64(key, i, 0))
KERNEL(normal, portable_random_normal(key, i, 0))

#if HAS_RANDOM123
static inline double random123_of(portable_random_key key, int64_t cell) {
  const philox4x32_ctr_t c = {{(uint32_t)cell, (uint32_t)((uint64_t)cell >> 32), key.word[2], key.word[3]}};
  const philox4x32_key_t k = {{key.word[0], key.word[1]}};
  const philox4x32_ctr_t r = philox4x32_R(10, c, k);
  return portable__random_uniform64((uint64_t)r.v[1] << 32 | r.v[0]);
}
KERNEL(random123, random123_of(key, i))
#endif

#if HAS_FORTRAN
void bench_random_number(double *x, int64_t n);
static void random_number(const portable_tile *t, void *args) {
  const struct task *task = args;
  bench_random_number(task->x + t->lower[0], t->upper[0] - t->lower[0] + 1);
}
#endif

static int rounds = 12;

/* The best of some rounds, in nanoseconds for each element. kernel NULL: random_fill of that kind and distribution. */
static void measure(const char *what, portable_kernel_function kernel, int32_t kind, int32_t distribution, const struct task *task, int64_t n, const char *size) {
  portable_bounds bounds = portable_bounds_1(n);
  portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
  portable_status status = PORTABLE_OK;
  double best = 0;
  o.distribution = distribution;
  for (int round = 0; round <= rounds && status == PORTABLE_OK; round++) {
    const double begin = now();
    status = kernel ? portable_parallel_for(what, &bounds, kernel, task, sizeof *task, NULL)
                    : portable_random_fill(what, kind, task->key, task->x, 1, &n, &o);
    if (status == PORTABLE_OK) status = portable_fence();
    const double took = now() - begin;
    if (round == 1 || (round > 1 && took < best)) best = took;
  }
  if (status != PORTABLE_OK) {
    fprintf(stderr, "%s: %s\n", what, portable_last_error());
    exit(1);
  }
  printf("%s, of %s elements\t%.4g\tns\n", what, size, best / (double)n);
}

static void all(int64_t n, const char *size) {
  struct task task = {portable_random_key_make(2026, 1, 3), NULL};
  if (portable_alloc((size_t)n * sizeof(double), "numbers", (void **)&task.x) != PORTABLE_OK) exit(1);
  measure("random_fill, real64", NULL, PORTABLE_KIND_REAL64, PORTABLE_RANDOM_UNIFORM, &task, n, size);
  for (int64_t i = 0; i < n; i++)
    if (task.x[i] != portable_random_real64(task.key, i, 0)) {
      fprintf(stderr, "random_fill: a wrong number\n");
      exit(1);
    }
  measure("random_fill, real32", NULL, PORTABLE_KIND_REAL32, PORTABLE_RANDOM_UNIFORM, &task, n, size);
  measure("random_fill, normal real64", NULL, PORTABLE_KIND_REAL64, PORTABLE_RANDOM_NORMAL, &task, n, size);
  measure("random_real in a kernel", single, 0, 0, &task, n, size);
  measure("random_normal in a kernel", normal, 0, 0, &task, n, size);
  measure("Jenkins' generator seeded by index", jenkins, 0, 0, &task, n, size);
#if HAS_RANDOM123
  measure("Random123's Philox in a kernel", random123, 0, 0, &task, n, size);
#endif
#if HAS_FORTRAN
  measure("random_number of Fortran", random_number, 0, 0, &task, n, size);
#endif
  portable_free(task.x);
}

int main(int argc, char **argv) {
  const int64_t divisor = argc > 3 ? atoll(argv[3]) : 1;
  if (divisor > 1) rounds = 1;
  if (portable_init(NULL) != PORTABLE_OK) return 1;
  all(16777216 / divisor, "16.8 M");
  all(8192, "8192");
  return portable_finalize() != PORTABLE_OK;
}
