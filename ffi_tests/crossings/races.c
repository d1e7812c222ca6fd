/* races.c - crossings of the functions for checked kernels, under PORTABLE_CHECK=races: each checked launch crosses
 * once at its end; the first launch of the program asks for the default plan, an array for its cells, and a race for its report.
 * Not in this file: how to count (count.h). */
#include "count.h"

#include <portable_device.h>

static double x[8];
static int again_in_kernel;

static void clean(const portable_tile *tile, void *args) {
  portable_shadow a;
  int64_t step[PORTABLE_LOOP_RANK], n = portable_tile_iteration(tile, step);
  portable_view_1 v = {x, 1, 0, {{0, 8, 1}}};
  (void)args;
  portable_shadow_of(tile, "x", &v, 1, sizeof *x, PORTABLE_ACCESS_BOTH, &a);
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++, n += step[0]) portable_shadow_write(&a, i, n, __LINE__);
}

/* All iterations write one element. */
static void race(const portable_tile *tile, void *args) {
  portable_shadow a;
  int64_t step[PORTABLE_LOOP_RANK], n = portable_tile_iteration(tile, step);
  portable_view_1 v = {x, 1, 0, {{0, 8, 1}}};
  (void)args;
  portable_shadow_of(tile, "x", &v, 1, sizeof *x, PORTABLE_ACCESS_BOTH, &a);
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++, n += step[0]) portable_shadow_write(&a, again_in_kernel, n, __LINE__);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  count_self_test();
  portable_bounds b = portable_bounds_1(8);
  CHECK(portable_races_checked());
  ROW_VALUE(0, 0, portable_races_checked());
  ROW_KERNEL(2, 1, portable_tile_iteration, PORTABLE_OK, portable_parallel_for("clean", &b, clean, NULL, 0, NULL));
  ROW_KERNEL(1, 1, portable_shadow_of, PORTABLE_OK, portable_parallel_for("clean", &b, clean, NULL, 0, NULL));
  ROW_KERNEL(3, 3, portable_shadow_race, PORTABLE_OK, portable_parallel_for("race", &b, race, (again_in_kernel = again, NULL), 0, NULL));
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
