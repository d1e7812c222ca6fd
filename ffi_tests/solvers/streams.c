/* streams.c - solves in streams, in kernels, and with little memory: a stream of another device than the default one, whose threads need scratch of
 * their own; one matrix for all systems, which a launch before writes; a solve of one long system while the team has many threads. Not in this file:
 * results of solves in general (systems.c). The test checks memory: a write beyond scratch ends the program. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <time.h>

#include "check.h"

enum { ROWS = 16, SYSTEMS = 4096 };

static double lower[ROWS * SYSTEMS], diag[ROWS * SYSTEMS], upper[ROWS * SYSTEMS], rhs[ROWS * SYSTEMS];
static const int64_t extents[2] = {ROWS, SYSTEMS};

/* Ends after the solve was called, which must not read the matrix before. */
static void late(const portable_tile *t, void *args) {
  const struct timespec pause = {0, 50000000};
  (void)t, (void)args;
  nanosleep(&pause, NULL);
  for (int i = 0; i < ROWS; i++) diag[i] = 2;
}

static void nested(const portable_tile *t, void *args) {
  const portable_solve_options *o = args;
  (void)t;
  CHECK_STATUS(portable_solve_tridiagonal("inside", PORTABLE_KIND_REAL64, lower, diag, upper, rhs, 2, extents, o), PORTABLE_OK);
}

static void fill(double value) {
  for (int i = 0; i < ROWS * SYSTEMS; i++) lower[i] = upper[i] = 0, diag[i] = value, rhs[i] = 1;
}

static int all_are(double value) {
  int same = 1;
  for (int i = 0; i < ROWS * SYSTEMS; i++) same &= !(rhs[i] < value) && !(rhs[i] > value);
  return same;
}

int main(void) {
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_solve_options o = PORTABLE_SOLVE_OPTIONS_INIT;
  portable_device threads = 0;
  const portable_bounds once = portable_bounds_1(1);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("threads", &threads), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(threads, PORTABLE_STREAM_ASYNC, &launch.stream), PORTABLE_OK);
  o.dim = 1;
  o.order = PORTABLE_ORDER_FORTRAN;
  o.launch = &launch;

  fill(4);
  CHECK_STATUS(portable_solve_tridiagonal("far", PORTABLE_KIND_REAL64, lower, diag, upper, rhs, 2, extents, &o), PORTABLE_OK);
  CHECK(all_are(0.25));

  fill(1);
  o.flags = PORTABLE_SOLVE_ONE;
  CHECK_STATUS(portable_parallel_for("late", &once, late, NULL, 0, &launch), PORTABLE_OK);
  CHECK_STATUS(portable_solve_tridiagonal("one", PORTABLE_KIND_REAL64, lower, diag, upper, rhs, 2, extents, &o), PORTABLE_OK);
  CHECK(all_are(0.5));
  CHECK_STATUS(portable_stream_destroy(launch.stream), PORTABLE_OK);

  fill(8);
  o.launch = NULL;
  CHECK_STATUS(portable_parallel_for("outside", &once, nested, &o, 0, NULL), PORTABLE_OK);
  CHECK(all_are(0.125));
  o.flags = 0;
  fill(16);
  CHECK_STATUS(portable_parallel_for("outside", &once, nested, &o, 0, NULL), PORTABLE_OK);
  CHECK(all_are(0.0625));
  return check_end();
}
