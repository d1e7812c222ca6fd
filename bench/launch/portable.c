/* portable.c - the loops of engines.h as launches. */
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>

#include "engines.h"

static void check(portable_status status) {
  if (status == PORTABLE_OK) return;
  fprintf(stderr, "%s\n", portable_last_error());
  exit(1);
}

static void empty(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) body(i);
}

static void outer(const portable_tile *t, void *args) {
  portable_bounds b = portable_bounds_1(*(int64_t *)args);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) check(portable_parallel_for("inner", &b, empty, NULL, 0, NULL));
}

static void work(const portable_tile *t, void *args) {
  double *data = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) data[i] = data[i] * 0.999999 + 1e-6;
}

void engine_start(int threads) {
  check(portable_init(NULL));
  if (threads) check(portable_set_num_threads(threads));
}

int engine_threads(void) { return portable_num_threads(); }

void engine_loop(int64_t n) {
  portable_bounds b = portable_bounds_1(n);
  check(portable_parallel_for("empty", &b, empty, NULL, 0, NULL));
}

void engine_nested(int64_t n, int64_t inner) {
  portable_bounds b = portable_bounds_1(n);
  check(portable_parallel_for("outer", &b, outer, &inner, sizeof inner, NULL));
}

void engine_work(double *data, int64_t n) {
  portable_bounds b = portable_bounds_1(n);
  check(portable_parallel_for("work", &b, work, data, 0, NULL));
}
