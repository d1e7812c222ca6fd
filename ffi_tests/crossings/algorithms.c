/* algorithms.c - crossings of algorithms on arrays, and of exact sums. A later call has the same shape: its plan is known. Not in this file: how to
 * count (count.h). */
#include <portable_mesh.h>
#include <portable_particles.h>
#include <portable_random.h>

#include "count.h"

enum { N = 24 };
static const int64_t extents[2] = {4, 6}, count = N;
static double x[N], y[N], z[N], ones[N], eights[N];
static int32_t mask[N], index_of[N];
static int64_t found, room = N;

static void on_arrays(void) {
  double sum;
  const double one = 1;
  for (int i = 0; i < N; i++) {
    x[i] = (double)(i * 7 % N);
    mask[i] = i % 2;
    ones[i] = 1;
    eights[i] = 8;
  }
  ROW(0, 0, portable_reduce_array("r", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 2, extents, NULL, &sum));
  ROW(0, 0, portable_scan("s", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 2, extents, NULL, y));
  ROW(0, 0, portable_binary("b", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, x, y, z, 2, extents, NULL));
  ROW(0, 0, portable_unary("u", PORTABLE_UNARY_NEGATE, PORTABLE_KIND_REAL64, x, y, 2, extents, NULL));
  ROW(0, 0, portable_merge("m", PORTABLE_KIND_REAL64, x, y, PORTABLE_KIND_LOGICAL32, mask, z, 2, extents, NULL));
  ROW(0, 0, portable_fill("f", &one, 8, z, 2, extents, NULL));
  ROW(0, 0, portable_random_fill("r", PORTABLE_KIND_REAL64, portable_random_key_make(1, 2, 3), z, 2, extents, NULL));
  ROW(0, 0, portable_pack("p", 8, x, 2, extents, PORTABLE_KIND_LOGICAL32, mask, NULL, y, room, &found));
  ROW(0, 0, portable_unpack("u", 8, y, found, 2, extents, PORTABLE_KIND_LOGICAL32, mask, NULL, z, &found));
  ROW(0, 0, portable_filter_indices("i", 2, extents, PORTABLE_KIND_LOGICAL32, mask, NULL, 1, PORTABLE_KIND_INT32, index_of, room, &found));
  ROW(1, 0, portable_sort_index("i", PORTABLE_KIND_REAL64, x, count, PORTABLE_KIND_INT32, 1, NULL, index_of));
  ROW(1, 0, portable_sort_by_key("k", PORTABLE_KIND_REAL64, x, y, 8, count, NULL));
  ROW(1, 0, portable_sort("s", PORTABLE_KIND_REAL64, z, count, NULL));
  ROW(1, 0, portable_solve_tridiagonal("t", PORTABLE_KIND_REAL64, ones, eights, ones, y, 1, &count, NULL));
  static double waves[2 * N];
  static portable_fft plans[2];
  ROW(1, 1, portable_fft_create("w", PORTABLE_FFT_R2C, N, 1, &plans[again]));
  ROW(1, 0, portable_fft_forward("f", plans[0], PORTABLE_KIND_REAL64, ones, waves, 1, &count, NULL));
  ROW(1, 0, portable_fft_backward("b", plans[0], PORTABLE_KIND_REAL64, waves, z, 1, &count, NULL));
  ROW(0, 0, portable_fft_destroy(plans[again]));
  static portable_csr rows[2], columns[2];
  static const int32_t row_of[6] = {0, 2, 1, 0, 2, 2};
  for (int i = 0; i < 2; i++) portable_csr_build("c", PORTABLE_KIND_INT32, row_of, 3, 2, 3, NULL, &rows[i]); /* blocks of this size for the magazine */
  for (int i = 0; i < 2; i++) portable_csr_counts("c", PORTABLE_KIND_INT32, row_of, 3, NULL, &columns[i]);
  for (int i = 0; i < 4; i++) portable_csr_free(i < 2 ? &rows[i] : &columns[i - 2]);
  ROW(0, 0, portable_csr_build("c", PORTABLE_KIND_INT32, row_of, 3, 2, 3, NULL, &rows[again]));
  ROW(0, 0, portable_csr_transpose("c", &rows[0], 3, NULL, &columns[again]));
  for (int i = 0; i < 2; i++) portable_csr_free(&columns[i]);
  static portable_cell_list cells[2];
  static portable_csr lists[2];
  static portable_index_map maps[2];
  static const double ends[2] = {0, 100};
  static const void *const at[1] = {ones};
  const int32_t sorted[2] = {1, 2};
  int32_t merged[4];
  int64_t keys[2] = {4, 9}, numbers[2];
  for (int i = 0; i < 2; i++) maps[i].kind = PORTABLE_KIND_INT64;
  for (int i = 0; i < 2; i++) portable_cell_list_build("l", PORTABLE_KIND_REAL64, 1, at, 3, 9, &ends[0], &ends[1], NULL, &cells[i]); /* blocks for the magazine */
  for (int i = 0; i < 2; i++) portable_neighbour_list("n", &cells[i], PORTABLE_KIND_REAL64, at, PORTABLE_KIND_INT32, NULL, &lists[i]);
  for (int i = 0; i < 2; i++) portable_map_insert("m", &maps[i], keys, 2, NULL, NULL);
  for (int i = 0; i < 2; i++) portable_cell_list_free(&cells[i]), portable_csr_free(&lists[i]), portable_map_free(&maps[i]);
  ROW(0, 0, portable_cell_list_build("l", PORTABLE_KIND_REAL64, 1, at, 3, 9, &ends[0], &ends[1], NULL, &cells[again]));
  ROW(0, 0, portable_neighbour_list("n", &cells[again], PORTABLE_KIND_REAL64, at, PORTABLE_KIND_INT32, NULL, &lists[again]));
  ROW(0, 0, portable_cell_list_free(&cells[again]));
  ROW(0, 0, portable_map_insert("m", &maps[again], keys, 2, NULL, NULL));
  ROW(0, 0, portable_map_find("m", &maps[again], keys, 2, NULL, numbers));
  ROW(0, 0, portable_map_free(&maps[again]));
  for (int i = 0; i < 2; i++) portable_csr_free(&lists[i]);
  ROW(0, 0, portable_merge_sorted("g", PORTABLE_KIND_INT32, sorted, 2, sorted, 2, NULL, merged));
  ROW(0, 0, portable_merge_by_key("g", PORTABLE_KIND_INT32, sorted, sorted, 1, sorted, sorted, 1, 4, NULL, merged, merged + 2));
  static const int32_t begin[4] = {0, 1, 3, 6};
  ROW(0, 0, portable_segmented_reduce("s", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 6, PORTABLE_KIND_INT32, begin, 3, NULL, y));
  static const int32_t order[3] = {2, 0, 1};
  const portable_reorder_array moved = {y, 8, 8};
  ROW(1, 0, portable_reorder("o", PORTABLE_KIND_INT32, order, 3, &moved, 1, NULL));
  ROW(0, 0, portable_csr_counts("c", PORTABLE_KIND_INT32, row_of, 6, NULL, &columns[again]));
  ROW(0, 0, portable_csr_free(&rows[again]));
  for (int i = 0; i < 2; i++) portable_csr_free(&columns[i]);
  ROW(1, 0, portable_solve_pentadiagonal("p", PORTABLE_KIND_REAL64, ones, ones, eights, ones, ones, y, 1, &count, NULL));
}

/* Exact sums never call Go. */
static void exact(void) {
  portable_exact a, b;
  const float few[2] = {1, 2};
  ROW_VALUE(0, 0, portable_exact_init(&a));
  portable_exact_init(&b);
  ROW_VALUE(0, 0, portable_exact_add(&a, 1));
  ROW_VALUE(0, 0, portable_exact_add_array(&a, x, N));
  ROW_VALUE(0, 0, portable_exact_add_array32(&a, few, 2));
  ROW_VALUE(0, 0, portable_exact_merge(&a, &b));
  ROW_VALUE(0, 0, portable_exact_normalise(&a));
  ROW_VALUE(0, 0, portable_exact_value(&a));
  ROW_VALUE(0, 0, portable_exact_value32(&a));
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  count_self_test();
  count_warm_up();
  on_arrays();
  exact();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
