/* particles_refused.c - arguments of portable_particles.h that are refused: which status, which text, and that nothing is written. Not in this file: what is
 * right (cells.c, merge.c). */
#include <math.h>
#include <portable_particles.h>

#include "check.h"

#define REFUSED(call, text)               \
  do {                                    \
    CHECK_STATUS(call, PORTABLE_ERR_ARG); \
    CHECK_TEXT(text);                     \
  } while (0)

static double x[3] = {0.1, 0.5, 0.9}, low[3], high[3] = {1, 1, 1};
static const void *at[3] = {x, x, x};
static portable_cell_list cells;
static const int32_t real64 = PORTABLE_KIND_REAL64;

static portable_status build(int32_t rank, double cutoff, const portable_cell_list_options *o) {
  return portable_cell_list_build("cells", real64, rank, at, 3, cutoff, low, high, o, &cells);
}

static void boxes(void) {
  const portable_cell_list_options none = PORTABLE_CELL_LIST_OPTIONS_INIT;
  portable_cell_list_options o = none;
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  const void *missing[3] = {x, NULL, x};
  x[1] = 1.25;
  REFUSED(build(1, 0.1, NULL), "cell_list_build 'cells': particle 1 is at 1.25, but the box is from 0 to 1");
  x[1] = NAN;
  REFUSED(build(2, 0.1, NULL), "particle 1 is at (nan, nan), but the box is from (0, 0) to (1, 1)");
  o.lower = 1, x[0] = -0.5;
  REFUSED(build(3, 0.1, &o), "particle 1 is at (-0.5, -0.5, -0.5), but the box is from (0, 0, 0) to (1, 1, 1)");
  x[0] = -INFINITY;
  REFUSED(build(1, 0.1, NULL), "particle 0 is at -inf");
  x[0] = 0.1, x[1] = 0.5;
  const double bad[] = {0, -1, NAN, INFINITY};
  for (int i = 0; i < 4; i++) REFUSED(build(3, bad[i], NULL), "it is above 0 and finite");
  o = none, o.periodic[1] = 1;
  REFUSED(build(3, 1.5, &o), "cutoff is 1.5, but the box is 1 long along y, which is periodic: a particle would be its own neighbour");
  CHECK_STATUS(build(3, 1.0, &o), PORTABLE_OK);
  CHECK_STATUS(build(3, 1.5, NULL), PORTABLE_OK);
  CHECK(cells.cells == 1 && cells.particles == 3);
  o.periodic[1] = 2;
  REFUSED(build(3, 0.1, &o), "periodic is 2 along y; it is 0 or 1");
  high[2] = 0;
  REFUSED(build(3, 0.1, NULL), "the box is from 0 to 0 along z; the first number is less than the second");
  high[2] = -1;
  REFUSED(build(3, 0.1, NULL), "the box is from 0 to -1 along z");
  high[2] = INFINITY;
  REFUSED(build(3, 0.1, NULL), "the box is from 0 to inf along z");
  high[2] = NAN;
  REFUSED(build(3, 0.1, NULL), "the box is from 0 to nan along z");
  high[2] = 1.5e308, low[2] = -1.5e308;
  REFUSED(build(3, 0.1, NULL), "the box is from -1.5e+308 to 1.5e+308 along z; the first number is less than the second, and the length is finite");
  high[2] = 1, low[2] = 0;
  o = none, o.lower = 7;
  REFUSED(build(3, 0.1, &o), "lower is 7; it is 0 or 1");
  o = none, o.struct_size = 999;
  REFUSED(build(3, 0.1, &o), "options.struct_size is 999; begin with PORTABLE_CELL_LIST_OPTIONS_INIT");
  o = none, o.launch = &launch, launch.struct_size = 0;
  REFUSED(build(3, 0.1, &o), "launch.struct_size is 0");
  launch.struct_size = sizeof launch, launch.device = 99;
  CHECK_STATUS(build(3, 0.1, &o), PORTABLE_ERR_NODEVICE);
  launch.device = 0, launch.stream = 12345;
  CHECK_STATUS(build(3, 0.1, &o), PORTABLE_ERR_HANDLE);
  REFUSED(build(0, 0.1, NULL), "rank is 0; it is 1, 2 or 3");
  REFUSED(build(4, 0.1, NULL), "rank is 4");
  REFUSED(portable_cell_list_build("c", PORTABLE_KIND_INT32, 3, at, 3, 0.1, low, high, NULL, &cells), "kind is 3; it is PORTABLE_KIND_REAL32 or _REAL64");
  REFUSED(portable_cell_list_build("c", real64, 3, at, -3, 0.1, low, high, NULL, &cells), "the count of particles is -3");
  REFUSED(portable_cell_list_build("c", real64, 3, NULL, 3, 0.1, low, high, NULL, &cells), "position is NULL");
  REFUSED(portable_cell_list_build("c", real64, 3, missing, 3, 0.1, low, high, NULL, &cells), "position[1] is NULL");
  REFUSED(portable_cell_list_build("c", real64, 3, at, 3, 0.1, NULL, high, NULL, &cells), "low is NULL");
  REFUSED(portable_cell_list_build("c", real64, 3, at, 3, 0.1, low, NULL, NULL, &cells), "high is NULL");
  REFUSED(portable_cell_list_build(NULL, real64, 3, at, 3, 0.1, low, high, NULL, NULL), "cell_list_build 'unlabelled': cells is NULL");
  CHECK_STATUS(portable_cell_list_build("c", real64, 3, at, INT32_MAX, 0.1, low, high, NULL, &cells), PORTABLE_ERR_OVERFLOW);
  CHECK(cells.cells == 1 && cells.particles == 3 && cells.order[2] == 2);
}

static portable_status neighbours(const portable_cell_list *c, int32_t kind, int32_t list_kind, const portable_neighbour_options *o) {
  static portable_csr list;
  return portable_neighbour_list("list", c, kind, at, list_kind, o, &list);
}

static void lists(void) {
  const portable_neighbour_options none = PORTABLE_NEIGHBOUR_OPTIONS_INIT;
  const portable_cell_list empty = PORTABLE_CELL_LIST_INIT;
  const int32_t int32 = PORTABLE_KIND_INT32;
  portable_neighbour_options o = none;
  CHECK_STATUS(build(3, 0.3, NULL), PORTABLE_OK);
  REFUSED(neighbours(&empty, real64, int32, NULL), "neighbour_list 'list': there are no cells; build them first");
  REFUSED(neighbours(NULL, real64, int32, NULL), "cells is NULL");
  REFUSED(neighbours(&cells, int32, int32, NULL), "position_kind is 3");
  REFUSED(neighbours(&cells, real64, real64, NULL), "list_kind is 6");
  REFUSED(portable_neighbour_list("list", &cells, real64, at, int32, NULL, NULL), "list is NULL");
  o.half = 3;
  REFUSED(neighbours(&cells, real64, int32, &o), "half is 3; it is 0 or 1");
  o = none, o.cutoff = 0.31;
  REFUSED(neighbours(&cells, real64, int32, &o), "cutoff is 0.31; it is above 0, and at most 0.3, the cutoff of the cells");
  o.cutoff = NAN;
  REFUSED(neighbours(&cells, real64, int32, &o), "cutoff is nan");
  o = none, o.struct_size = 1;
  REFUSED(neighbours(&cells, real64, int32, &o), "options.struct_size is 1");
  x[2] = 0.1;
  REFUSED(neighbours(&cells, real64, int32, NULL), "particle 2 is no longer in the cell that it was in");
  x[2] = NAN;
  REFUSED(neighbours(&cells, real64, int32, NULL), "particle 2 is no longer in the cell");
  x[2] = 0.9;
  CHECK_STATUS(portable_cell_list_free(&cells), PORTABLE_OK);
  CHECK_STATUS(portable_cell_list_free(NULL), PORTABLE_OK);
}

static void merges(void) {
  int32_t a[4] = {1, 2, 3, 4}, b[2] = {2, 5}, c[6];
  const portable_merge_options none = PORTABLE_MERGE_OPTIONS_INIT;
  portable_merge_options o = none;
  const int32_t int32 = PORTABLE_KIND_INT32;
  REFUSED(portable_merge_sorted("m", PORTABLE_KIND_LOGICAL32, a, 4, b, 2, NULL, c), "it is PORTABLE_KIND_INT8 to _REAL64");
  REFUSED(portable_merge_sorted("m", int32, a, -4, b, 2, NULL, c), "the count of elements of a is -4");
  REFUSED(portable_merge_sorted("m", int32, a, 4, b, -2, NULL, c), "the count of elements of b is -2");
  REFUSED(portable_merge_sorted("m", int32, NULL, 4, b, 2, NULL, c), "merge_sorted 'm': a is NULL");
  REFUSED(portable_merge_sorted("m", int32, a, 4, NULL, 2, NULL, c), "b is NULL");
  REFUSED(portable_merge_sorted("m", int32, a, 4, b, 2, NULL, NULL), "the result is NULL");
  REFUSED(portable_merge_sorted("m", int32, a, 2, b, 2, NULL, a), "the result shares memory with another argument");
  REFUSED(portable_merge_sorted("m", int32, a + 2, 2, b, 2, NULL, a), "the result shares memory with another argument");
  REFUSED(portable_merge_by_key("m", int32, a, a, 2, b, b, 2, 0, NULL, c, c), "value_bytes is 0");
  REFUSED(portable_merge_by_key("m", int32, a, a, 2, b, b, 1, 4, NULL, c, c + 1), "the result of values shares memory with another argument");
  REFUSED(portable_merge_by_key("m", int32, a, NULL, 2, b, b, 1, 4, NULL, c, c + 3), "the values of a is NULL");
  o.flags = 2;
  REFUSED(portable_merge_sorted("m", int32, a, 4, b, 2, &o, c), "flags are 2");
  o = none, o.struct_size = 999;
  REFUSED(portable_merge_sorted("m", int32, a, 4, b, 2, &o, c), "options.struct_size is 999");
  CHECK_STATUS(portable_merge_sorted("m", int32, a, INT64_MAX, b, 2, NULL, c), PORTABLE_ERR_OVERFLOW);
  CHECK_STATUS(portable_merge_sorted("m", int32, a, 4, b, 2, NULL, c), PORTABLE_OK);
}

static void maps(void) {
  portable_index_map m = PORTABLE_INDEX_MAP_INIT;
  int64_t keys[2] = {3, 1}, numbers[2];
  REFUSED(portable_map_insert("m", NULL, keys, 2, NULL, NULL), "map_insert 'm': map is NULL");
  REFUSED(portable_map_insert("m", &m, keys, -2, NULL, NULL), "the count of keys is -2");
  REFUSED(portable_map_insert("m", &m, NULL, 2, NULL, NULL), "keys is NULL");
  REFUSED(portable_map_find("m", &m, keys, 2, NULL, NULL), "numbers_out is NULL");
  CHECK_STATUS(portable_map_insert("m", &m, keys, INT64_MAX, NULL, NULL), PORTABLE_ERR_OVERFLOW);
  CHECK_STATUS(portable_map_insert("m", &m, keys, 2, NULL, NULL), PORTABLE_OK);
  REFUSED(portable_map_find("m", &m, keys, 2, NULL, keys), "map_find 'm': numbers_out shares memory with keys; give another array");
  REFUSED(portable_map_find("m", &m, keys, 2, NULL, (char *)keys + 8), "numbers_out shares memory with keys");
  REFUSED(portable_map_find("m", &m, keys, 2, NULL, m.keys), "numbers_out shares memory with the map");
  REFUSED(portable_map_find("m", &m, keys, 2, NULL, (char *)m.number - 8), "numbers_out shares memory with the map");
  REFUSED(portable_map_insert("m", &m, keys, 2, NULL, (uint8_t *)keys + 15), "map_insert 'm': new_out shares memory with keys");
  REFUSED(portable_map_insert("m", &m, keys, 2, NULL, m.number), "new_out shares memory with the map");
  CHECK(keys[0] == 3 && keys[1] == 1 && m.count == 2);
  CHECK_STATUS(portable_map_find("m", &m, keys, 0, NULL, keys), PORTABLE_OK); /* nothing is written */
  CHECK_STATUS(portable_map_find("m", &m, keys, 1, NULL, keys + 1), PORTABLE_OK); /* neighbours */
  CHECK(keys[1] == 1);
  m.kind = PORTABLE_KIND_REAL64;
  REFUSED(portable_map_find("m", &m, keys, 2, NULL, numbers), "map is not a map; begin with PORTABLE_INDEX_MAP_INIT");
  m.kind = PORTABLE_KIND_INT32;
  CHECK_STATUS(portable_map_insert("m", &m, keys, INT64_C(1) << 31, NULL, NULL), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("2147483648 keys are more than int32 counts; insert them in several batches");
  m.kind = PORTABLE_KIND_INT64;
  CHECK_STATUS(portable_map_free(&m), PORTABLE_OK);
  CHECK_STATUS(portable_map_free(NULL), PORTABLE_OK);
}

int main(void) {
  CHECK_STATUS(build(3, 0.1, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  boxes();
  lists();
  merges();
  maps();
  return check_end();
}
