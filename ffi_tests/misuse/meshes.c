/* meshes.c - misuse of rows of meshes, cells and ghosts of particles, merges and maps: numbers
 * outside, which the error names, and arrays that overlap. Results stay as they were. Not in this
 * file: each check of arguments (ffi_tests/mesh), ghosts of several ranks (ffi_tests/mpi). */
#include "misuse.h"

#include <math.h>
#include <portable_halo.h>
#include <portable_particles.h>

static int32_t owner[6], row[4];
static double data[6], sums[3], place[6];
static portable_csr csr;
static portable_cell_list cells;
static portable_index_map map;
static int64_t ghosts_of_one;

static void begin_meshes(void) {
  begin_running();
  csr = (portable_csr)PORTABLE_CSR_INIT;
  cells = (portable_cell_list)PORTABLE_CELL_LIST_INIT;
  map = (portable_index_map)PORTABLE_INDEX_MAP_INIT;
  for (int i = 0; i < 6; i++) owner[i] = i % 3, data[i] = i, place[i] = 0.1 * i;
  for (int i = 0; i < 3; i++) row[i] = 2 * i, sums[i] = 7;
  row[3] = 6;
}

static void end_meshes(void) {
  MUST(csr.memory == NULL && cells.memory == NULL && map.count == 0);
  for (int i = 0; i < 3; i++) MUST(sums[i] > 6.5 && sums[i] < 7.5);
  end_running();
}

/* A row that the mesh does not have. */
static void rows_outside(void) {
  owner[4] = 3;
  ASK(portable_csr_build("faces", PORTABLE_KIND_INT32, owner, 3, 2, 3, NULL, &csr));
}

/* A row with less than no entry. */
static void rows_negative(void) {
  owner[2] = -4;
  ASK(portable_csr_counts("faces", PORTABLE_KIND_INT32, owner, 3, NULL, &csr));
}

static portable_status sum(const int32_t *index) {
  portable_segmented_options o = PORTABLE_SEGMENTED_OPTIONS_INIT;
  double got[3];
  o.index = index;
  o.index_kind = PORTABLE_KIND_INT32;
  o.index_count = 6;
  return portable_segmented_reduce("sums", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, data, 6, PORTABLE_KIND_INT32, row, 3, &o, got);
}

/* Beginnings of rows that decrease. */
static void segments_decrease(void) {
  row[1] = 5;
  ASK(sum(NULL));
}

/* An index of no element. */
static void segments_index(void) {
  owner[3] = -1;
  ASK(sum(owner));
}

static portable_status build(double cutoff) {
  const void *at[] = {place};
  const double low[] = {0}, high[] = {1};
  return portable_cell_list_build("cells", PORTABLE_KIND_REAL64, 1, at, 6, cutoff, low, high, NULL, &cells);
}

/* A particle outside the box. */
static void cells_outside(void) {
  place[2] = 1.5;
  ASK(build(0.2));
}

/* A cutoff of nothing. */
static void cells_cutoff(void) { ASK(build(0)); }

/* Neighbours in cells that were not built. */
static void neighbours_no_cells(void) {
  const void *at[] = {place};
  ASK(portable_neighbour_list("list", &cells, PORTABLE_KIND_REAL64, at, PORTABLE_KIND_INT32, NULL, &csr));
}

/* A merge into one of its arrays. */
static void merge_overlap(void) { ASK(portable_merge_sorted("m", PORTABLE_KIND_INT32, owner, 3, row, 3, NULL, owner)); }

/* An order that loses an element; and one with a number outside. */
static portable_status move(const int32_t *order) {
  const portable_reorder_array all[] = {{place, sizeof *place, sizeof *place}};
  const portable_status status = portable_reorder("move", PORTABLE_KIND_INT32, order, 6, all, 1, NULL);
  for (int i = 0; i < 6; i++) MUST(place[i] > 0.1 * i - 1e-9 && place[i] < 0.1 * i + 1e-9);
  return status;
}

static void order_twice(void) { ASK(move(owner)); }

static void order_outside(void) {
  static const int32_t order[] = {5, 4, 3, 6, 1, 0};
  ASK(move(order));
}

/* An array that is moved by numbers that lie in it. */
static void order_overlap(void) {
  const portable_reorder_array all[] = {{owner, sizeof *owner, sizeof *owner}};
  ASK(portable_reorder("move", PORTABLE_KIND_INT32, owner, 6, all, 1, NULL));
}

/* Keys that are not in order. */
static void keys_disorder(void) {
  int32_t keys[9], values[9];
  ASK(portable_merge_by_key("m", PORTABLE_KIND_INT32, row, row, 3, owner, owner, 6, sizeof *owner, NULL, keys, values));
}

/* Values into the values of one of the arrays. */
static void keys_overlap(void) {
  int32_t keys[6];
  ASK(portable_merge_by_key("m", PORTABLE_KIND_INT32, row, owner, 3, row, owner, 3, sizeof *owner, NULL, keys, owner));
}

/* Numbers into the keys; and into a part of them. */
static void find_overlap(void) { ASK(portable_map_find("m", &map, owner, 3, NULL, owner + 1)); }

/* A map that was not begun. */
static void find_no_map(void) {
  portable_index_map none;
  int32_t numbers[3];
  memset(&none, 0, sizeof none);
  ASK(portable_map_find("m", &none, owner, 3, NULL, numbers));
}

/* Cells around a place that does not exist, and in cells that were not built. */
static void around_none(void) {
  int64_t runs[PORTABLE_CELL_RUNS][2];
  portable_cell_list made = PORTABLE_CELL_LIST_INIT;
  const void *at[] = {place};
  const double low[] = {0}, high[] = {1};
  MUST(portable_cells_around(&made, 0, runs) == 0);
  MUST(portable_cell_list_build("cells", PORTABLE_KIND_REAL64, 1, at, 6, 0.3, low, high, NULL, &made) == PORTABLE_OK);
  MUST(portable_cells_around(&made, 6, runs) == 0 && portable_cells_around(&made, -1, runs) == 0 && portable_cells_around(&made, 0, runs) == 1);
  ASK(portable_cell_list_free(&made));
  MUST(portable_cells_around(&made, 0, runs) == 0);
}

/* Ghosts of the particles of one rank in a periodic box from 0 to 1; the halo that was there stays. */
static portable_status ghosts(int64_t count, double cutoff) {
  const void *at[] = {place};
  portable_ghosts_options o = PORTABLE_GHOSTS_OPTIONS_INIT;
  portable_halo made = 0, before;
  int64_t all = -5;
  o.periodic[0] = 1;
  o.high[0] = 1;
  MUST(portable_particles_ghosts("near", NULL, PORTABLE_KIND_REAL64, 1, at, 0, 0.3, &o, 0, &made, &all) == PORTABLE_OK && all == 0);
  before = made;
  const portable_status status = portable_particles_ghosts("near", NULL, PORTABLE_KIND_REAL64, 1, at, count, cutoff, &o, 0, &made, &all);
  ghosts_of_one = status == PORTABLE_OK ? all : -1;
  MUST((status == PORTABLE_OK) == (made != before) && portable_halo_destroy(made) == PORTABLE_OK);
  return status;
}

/* A particle that is nowhere. */
static void ghosts_nan(void) {
  place[3] = NAN;
  ASK(ghosts(6, 0.3));
}

/* A particle outside the periodic box. */
static void ghosts_outside(void) {
  place[4] = 1.5;
  ASK(ghosts(6, 0.3));
}

/* A cutoff longer than the periodic box. */
static void ghosts_cutoff(void) { ASK(ghosts(6, 1.5)); }

/* Less than no particle. */
static void ghosts_count(void) { ASK(ghosts(-1, 0.3)); }

/* All particles in one place, a cutoff as long as the periodic box: one rank has no ghosts. */
static void ghosts_alone(void) {
  for (int i = 0; i < 6; i++) place[i] = 1;
  ASK(ghosts(6, 1));
  MUST(ghosts_of_one == 6);
}

/* Less than no key. */
static void map_count(void) { ASK(portable_map_insert("m", &map, owner, -2, NULL, NULL)); }

static const struct kind kinds_of_meshes[] = {
    {KIND(rows_outside), ERROR(ARG, "csr_build 'faces': item 2 is in row 3 && but rows are 0 to 2")},
    {KIND(rows_negative), ERROR(ARG, "csr_counts 'faces': row 2 has -4 entries")},
    {KIND(segments_decrease), ERROR(ARG, "segmented_reduce 'sums': row 1 begins at 5 and the next one at 4")},
    {KIND(segments_index), ERROR(ARG, "segmented_reduce 'sums': index 3 is -1, but data has the elements 0 to 5")},
    {KIND(cells_outside), ERROR(ARG, "cell_list_build 'cells': particle 2 is at 1.5, but the box is from 0 to 1")},
    {KIND(cells_cutoff), ERROR(ARG, "cell_list_build 'cells': cutoff is 0")},
    {KIND(neighbours_no_cells), ERROR(ARG, "neighbour_list 'list': there are no cells; build them first")},
    {KIND(merge_overlap), ERROR(ARG, "merge_sorted 'm': the result shares memory with another argument")},
    {KIND(order_twice), ERROR(ARG, "reorder 'move': order has element 0 twice, so another one would be lost")},
    {KIND(order_outside), ERROR(ARG, "reorder 'move': number 3 of order is 6, but elements are 0 to 5")},
    {KIND(order_overlap), ERROR(ARG, "reorder 'move': array 1 shares memory with order; give a copy of order")},
    {KIND(keys_disorder), ERROR(ARG, "merge_by_key 'm': element 3 of b, counted from 0, comes before the one in front of it")},
    {KIND(keys_overlap), ERROR(ARG, "merge_by_key 'm': the result of values shares memory with another argument")},
    {KIND(find_overlap), ERROR(ARG, "map_find 'm': numbers_out shares memory with keys")},
    {KIND(find_no_map), ERROR(ARG, "map_find 'm': map is not a map; begin with PORTABLE_INDEX_MAP_INIT")},
    {KIND(around_none), PASSES},
    {KIND(ghosts_nan), ERROR(ARG, "portable_particles_ghosts 'near': coordinate 1 of particle 4 of 6 on rank 0 is nan")},
    {KIND(ghosts_outside), ERROR(ARG, "portable_particles_ghosts 'near': coordinate 1 of particle 5 of 6 on rank 0 is 1.5, outside of 0 to 1")},
    {KIND(ghosts_cutoff), ERROR(ARG, "portable_particles_ghosts 'near': dimension 1 is periodic and reaches from 0 to 1; && shorter than the cutoff 1.5")},
    {KIND(ghosts_count), ERROR(ARG, "portable_particles_ghosts 'near': count is below 0")},
    {KIND(ghosts_alone), PASSES},
    {KIND(map_count), ERROR(ARG, "map_insert 'm' && is -2")},
};
const struct table meshes_table = TABLE(kinds_of_meshes, begin_meshes, end_meshes);
