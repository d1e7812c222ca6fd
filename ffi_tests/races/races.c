/* races.c - PORTABLE_CHECK=races with kernels that are written by hand: those that ask for shadows are checked, others are
 * listed; each race is reported once, with its elements, lines and iterations. The program reads its own standard error. Not in
 * this file: lists of Fortran (loops.f90), memory of the cells (exec). */
#include <portable.h>
#include <portable_device.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { N = 1000 };
static double x[N], y[N];
static int64_t grid[8][9][10];
static int64_t order[N], ran;

static portable_view_1 view(double *data, int64_t lower, int64_t extent, int64_t stride) {
  portable_view_1 v = {data, 1, 0, {{lower, extent, stride}}};
  return v;
}

/* x[i] = x[i-1], in place: a race of each iteration with the one before. The example of the header. */
static void smooth(const portable_tile *t, void *args) {
  portable_shadow a;
  int64_t step[PORTABLE_LOOP_RANK], n = portable_tile_iteration(t, step);
  portable_view_1 v = view(x, 0, N, 1);
  (void)args;
  portable_shadow_of(t, "x", &v, 1, sizeof *x, PORTABLE_ACCESS_BOTH, &a);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++, n += step[0]) {
    portable_shadow_read(&a, i - 1, n, 44);
    x[i] = x[i - 1] / 2;
    portable_shadow_write(&a, i, n, 47);
  }
}

/* y = x + y: none, whatever the tiles are. */
static void add(const portable_tile *t, void *args) {
  portable_shadow from, to;
  int64_t step[PORTABLE_LOOP_RANK], n = portable_tile_iteration(t, step);
  portable_view_1 vx = view(x, 0, N, 1), vy = view(y, 0, N, 1);
  (void)args;
  portable_shadow_of(t, "x", &vx, 1, sizeof *x, PORTABLE_ACCESS_READ, &from);
  portable_shadow_of(t, "y", &vy, 1, sizeof *y, PORTABLE_ACCESS_BOTH, &to);
  CHECK(!from.cells == !portable_races_checked() && !to.cells == !portable_races_checked());
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++, n += step[0]) {
    portable_shadow_read(&from, i, n, __LINE__);
    portable_shadow_read(&to, i, n, __LINE__);
    y[i] += x[i];
    portable_shadow_write(&to, i, n, __LINE__);
    order[i] = ran++;
  }
}

/* Both ends of the array, backwards and forwards: two names of the same elements; the iterations meet in the middle. */
static void meet(const portable_tile *t, void *args) {
  portable_shadow forth, back;
  int64_t step[PORTABLE_LOOP_RANK], n = portable_tile_iteration(t, step);
  portable_view_1 f = view(x, 1, N, 1), b = view(x + N - 1, 1, N, -1);
  (void)args;
  portable_shadow_of(t, "forth", &f, 1, sizeof *x, PORTABLE_ACCESS_READ, &forth);
  portable_shadow_of(t, "back", &b, 1, sizeof *x, PORTABLE_ACCESS_WRITE, &back);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++, n += step[0]) {
    portable_shadow_read(&forth, i - 1, n, 70);
    portable_shadow_write(&back, 1 - i, n, 71);
  }
}

/* All iterations of i and k write the element of j; C's order, with a stride. */
static void column(const portable_tile *t, void *args) {
  portable_shadow a;
  int64_t step[PORTABLE_LOOP_RANK], first = portable_tile_iteration(t, step);
  portable_view_3 v = {grid, 3, 0, {{0, 8, 90}, {-4, 9, 10}, {5, 10, 1}}};
  (void)args;
  portable_shadow_of(t, "grid", &v, 3, sizeof grid[0][0][0], PORTABLE_ACCESS_WRITE, &a);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i += t->stride[0])
    for (int64_t j = t->lower[1]; j <= t->upper[1]; j += t->stride[1]) {
      const int64_t n = first + (i - t->lower[0]) / t->stride[0] * step[0] + (j - t->lower[1]) / t->stride[1] * step[1];
      portable_shadow_write(&a, 3 * 90 + (j + 4) * 10 + 2, n, 99);
    }
}

static void forgets(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) x[i] = 1;
}

/* A launch inside of a kernel is a part of it. */
static void outer(const portable_tile *t, void *args) {
  const int64_t one[] = {1}, last[] = {10};
  portable_bounds b;
  smooth(t, args);
  CHECK_STATUS(portable_bounds_make(1, PORTABLE_ORDER_C, one, last, NULL, &b), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("inner", &b, smooth, NULL, 0, NULL), PORTABLE_OK);
}

static void total(const portable_tile *t, void *args, void *const *partial) {
  double *sum = partial[0];
  add(t, args);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) *sum += x[i];
}

static void run(int checked) {
  portable_bounds b = portable_bounds_1(N), inside, coarse;
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  double sum = 0;
  portable_reduction r = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &sum);
  const int64_t one[] = {1}, last[] = {N - 1}, low[] = {1, -3}, high[] = {7, 4}, steps[] = {2, 3};
  CHECK_STATUS(portable_bounds_make(1, PORTABLE_ORDER_C, one, last, NULL, &inside), PORTABLE_OK);
  CHECK_STATUS(portable_bounds_make(2, PORTABLE_ORDER_C, low, high, steps, &coarse), PORTABLE_OK);
  for (int i = 0; i < 3; i++) CHECK_STATUS(portable_parallel_for("smooth", &inside, smooth, NULL, 0, NULL), PORTABLE_OK);
  ran = 0;
  CHECK_STATUS(portable_parallel_for("add", &b, add, NULL, 0, NULL), PORTABLE_OK);
  if (checked)
    for (int64_t i = 0; i < N; i++) CHECK(order[i] == i);
  c.tile[0] = 37;
  c.schedule = PORTABLE_SCHEDULE_DYNAMIC;
  CHECK_STATUS(portable_parallel_for("add", &b, add, NULL, 0, &c), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_reduce("total", &b, total, NULL, 0, &r, 1, NULL), PORTABLE_OK);
  b = portable_bounds_1(N);
  CHECK_STATUS(portable_parallel_for("meet", &inside, meet, NULL, 0, NULL), PORTABLE_OK);
  c = (portable_launch_config)PORTABLE_LAUNCH_CONFIG_INIT;
  c.strided = 1;
  CHECK_STATUS(portable_parallel_for("column", &coarse, column, NULL, 0, &c), PORTABLE_OK);
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_parallel_for("forgets", &b, forgets, NULL, 0, NULL), PORTABLE_OK);
  b = portable_bounds_1(0);
  CHECK_STATUS(portable_parallel_for("empty", &b, forgets, NULL, 0, NULL), PORTABLE_OK);
  const int64_t two[] = {2}, three[] = {3};
  CHECK_STATUS(portable_bounds_make(1, PORTABLE_ORDER_C, two, three, NULL, &inside), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("outer", &inside, outer, NULL, 0, NULL), PORTABLE_OK);
  portable_stream stream;
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &stream), PORTABLE_OK);
  b = portable_bounds_1(N);
  c.stream = stream;
  for (int i = 0; i < 20; i++) CHECK_STATUS(portable_parallel_for("queued", &b, add, NULL, 0, &c), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(stream), PORTABLE_OK);
}

static const char *const expected[] = {
    "portable: race: loop 'smooth': iteration (2) reads x(1), which iteration (1) wrote (lines 44, 47)",
    "portable: race: loop 'meet': iteration (501) reads forth(501), which iteration (500) wrote (lines 70, 71)",
    "portable: race: loop 'column': iteration (3,-3) writes grid(3,-3,7), which iteration (1,-3) wrote (line 99)",
    "portable: race: loop 'outer': iteration (3) reads x(2), which iteration (2) wrote (lines 44, 47)",
    "portable: race: loop 'smooth': 2994 times in 3 launches for elements of 'x' (lines 44, 47)",
    "portable: races: 7 loops in 29 launches were checked, 4 have races",
    "portable: races: not checked, because their kernels do not call portable_shadow_read and portable_shadow_write: 'forgets' (2 launches)",
};

int main(void) {
  char text[20000];
  /* Without the check nothing is said, and all runs. */
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK(!portable_races_checked());
  run(0);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  setenv("PORTABLE_CHECK", "races", 1);
  FILE *to = tmpfile();
  CHECK(to != NULL);
  const int before = dup(2);
  CHECK(before >= 0 && dup2(fileno(to), 2) == 2);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK(portable_races_checked() && portable_checks() == PORTABLE_CHECK_RACES);
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_RACES | PORTABLE_CHECK_LAUNCH), PORTABLE_OK);
  CHECK_STATUS(portable_set_checks(0), PORTABLE_OK);
  run(1);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  fflush(stderr);
  CHECK(dup2(before, 2) == 2);
  rewind(to);
  text[fread(text, 1, sizeof text - 1, to)] = '\0';
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    if (!strstr(text, expected[i])) printf("standard error has not: %s\n", expected[i]);
    CHECK(strstr(text, expected[i]) != NULL);
  }
  CHECK(!strstr(text, "'add'") && !strstr(text, "'total'") && !strstr(text, "'queued'") && !strstr(text, "'inner'") && !strstr(text, "'empty'"));
  size_t lines = 0;
  for (const char *c = text; *c; c++) lines += *c == '\n';
  if (lines > 12) CHECK(!"each pair of lines is reported once");
  if (check_failures) fprintf(stderr, "standard error was:\n%s", text);
  unsetenv("PORTABLE_CHECK");
  printf("%d checks failed\n", check_failures);
  return check_failures > 0;
}
