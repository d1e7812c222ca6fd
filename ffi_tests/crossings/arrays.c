/* arrays.c - crossings of arrays that know their shape: owners, views, contents, addresses, views of kernels, halos. Not in this file: how to count
 * (count.h); twins, records and layouts (twins.c). */
#include "count.h"

static portable_array a[2], b[2], v;
static const int64_t extents[2] = {4, 6}, flat[1] = {24}, lower[2] = {1, 1}, at[2] = {1, 1};
static const int32_t dims[2] = {1, 0};
static const portable_array_range ranges[2] = {{0, 1, 1}, {0, 2, 1}};
static double memory[24];

static void made(void) {
  ROW_UNDONE(1, 0, portable_array_create("a", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &a[0]), portable_array_release(&a[0]));
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_array_create("a", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &a[i]), PORTABLE_OK);
  ROW(0, 0, portable_array_wrap("w", PORTABLE_KIND_REAL64, 0, memory, 2, extents, NULL, NULL, &b[again]));
  ROW(0, 0, portable_array_retain(&a[again]));
  ROW(0, 0, portable_array_owner_retain(a[again].owner));
  ROW_VALUE(0, 0, portable_array_use_count(&a[again]));
  ROW_VALUE(0, 0, portable_array_owner_use_count(a[again].owner));
  ROW_VALUE(0, 0, portable_array_is_allocated(&a[again]));
  ROW(0, 0, portable_array_owner_release(a[again].owner));
  for (int i = 0; i < 2; i++) {
    portable_array copy = a[i];
    CHECK_STATUS(portable_array_release(&copy), PORTABLE_OK);
    CHECK_STATUS(portable_array_release(&b[i]), PORTABLE_OK);
  }
}

static void views(void) {
  ROW(1, 1, portable_array_slice(&a[0], ranges, &v));
  portable_array_release(&v);
  portable_array_release(&v);
  ROW(1, 1, portable_array_subset_slowest(&a[0], 0, 1, &v));
  ROW(1, 1, portable_array_reshape(&a[0], 1, flat, NULL, &v));
  ROW(1, 1, portable_array_collapse(&a[0], 0, &v));
  ROW(1, 1, portable_array_permute(&a[0], dims, &v));
  ROW(1, 1, portable_array_rebase(&a[0], lower, &v));
  while (portable_array_use_count(&a[0]) > 1) {
    portable_array held = v;
    CHECK_STATUS(portable_array_release(&held), PORTABLE_OK);
  }
}

static void contents(void) {
  const double one = 1;
  int32_t same;
  uint64_t sum;
  void *p;
  portable_array other;
  ROW(1, 1, portable_array_fill(&a[0], &one, NULL));
  ROW(1, 1, portable_array_copy(&a[0], &a[1], NULL));
  ROW(1, 1, portable_array_copy_start(&a[0], &a[1], NULL));
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  ROW(1, 1, portable_array_equal(&a[0], &a[1], &same));
  ROW(1, 1, portable_array_checksum(&a[0], &sum));
  ROW(0, 0, portable_array_data(&a[0], 0, &p));
  ROW(0, 0, portable_array_locate(&a[0], 2, at, &p));
  ROW_VALUE(0, 0, portable_array_element(&a[0], 2, at));
  ROW_UNDONE(3, 2, portable_array_host_copy(&a[0], &other), portable_array_release(&other));
  ROW_UNDONE(2, 2, portable_array_device_copy(&a[0], &other), portable_array_release(&other));
  ROW_UNDONE(1, 1, portable_array_host_object(&a[0], &other), portable_array_release(&other));
  ROW_UNDONE(1, 1, portable_array_device_object(&a[0], &other), portable_array_release(&other));
}

static void of_kernels(void) {
  char view[64];
  ROW(0, 0, portable_view_of(&a[0], 2, &view, sizeof view));
  ROW(0, 0, portable_view_make(memory, 2, PORTABLE_ORDER_C, NULL, extents, &view, sizeof view));
}

static void halos(void) {
  static portable_halo halo[2], near[2];
  static const double at_places[2] = {0, 1};
  static const void *const places[1] = {at_places};
  static portable_fields fields[2];
  static double cells[8];
  static const int32_t owner[2];
  const int64_t global = 6, eight = 8;
  const int32_t periodic = 1;
  portable_halo_box_options box = PORTABLE_HALO_BOX_OPTIONS_INIT;
  const portable_halo_lists_options lists = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  portable_bounds inner, rim[6];
  portable_array array;
  int64_t first, last;
  int32_t count;
  static const char *const names[2] = {"u", "v"};
  portable__blocks *blocks;
  uint64_t hash;
  box.rank = 1;
  box.global = &global;
  box.periodic = &periodic;
  CHECK_STATUS(portable_array_wrap("cells", PORTABLE_KIND_REAL64, 0, cells, 1, &eight, NULL, NULL, &array), PORTABLE_OK);
  ROW_UNDONE(1, 1, portable_halo_lists("h", NULL, &lists, &halo[0]), portable_halo_destroy(halo[0]));
  ROW(1, 1, portable_halo_box("h", NULL, &box, &halo[again]));
  ROW(0, 0, portable_fields_create("f", &fields[again]));
  ROW(1, 1, portable_fields_add(fields[0], names[again], &array, 0, NULL));
  ROW(0, 0, portable_halo_own(halo[0], &first, &last));
  ROW(1, 1, portable_halo_split(halo[0], PORTABLE_ORDER_C, NULL, &inner, rim, &count));
  ROW_UNDONE(2, 0, portable_halo_begin(halo[0], fields[0], NULL), portable_halo_end(halo[0], fields[0], NULL));
  CHECK_STATUS(portable_halo_begin(halo[0], fields[0], NULL), PORTABLE_OK);
  ROW_UNDONE(0, 0, portable_halo_end(halo[0], fields[0], NULL), portable_halo_begin(halo[0], fields[0], NULL));
  CHECK_STATUS(portable_halo_end(halo[0], fields[0], NULL), PORTABLE_OK);
  ROW(0, 0, portable_halo_cancel(halo[0]));
  ROW(1, 0, portable_halo_add(halo[0], fields[0], NULL));
  ROW_UNDONE(2, 1, portable__restart_begin("b", halo[0], fields[0], &blocks), (portable__restart_end(blocks), PORTABLE_OK)); /* one makes the buffer */
  CHECK_STATUS(portable__restart_begin("b", halo[0], fields[0], &blocks), PORTABLE_OK);
  ROW(0, 0, portable__restart_move(blocks, 0, PORTABLE__BLOCKS_HASH, &hash));
  ROW(1, 1, portable__restart_file("b", "/proc/self/stat", PORTABLE__BLOCKS_TEST, 0, NULL));
  portable__restart_end(blocks);
  ROW(3, 1, portable_particles_migrate("p", NULL, owner, 2, fields[0], NULL, &first)); /* two make the order and the messages */
  ROW(2, 2, portable_particles_ghosts("p", NULL, PORTABLE_KIND_REAL64, 1, places, 2, 1, NULL, fields[0], &near[again], &first)); /* a halo, and the plan of its first exchange */
  ROW(1, 1, portable_halo_destroy(near[again]));
  ROW(1, 1, portable_halo_destroy(halo[again]));
  ROW(0, 0, portable_fields_destroy(fields[again]));
}

static void ends(void) {
  ROW(0, 0, portable_array_release(&a[again]));
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_array_create("a", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &a[i]), PORTABLE_OK);
  ROW(0, 0, portable_array_deallocate(&a[again]));
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_array_create("a", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &a[i]), PORTABLE_OK);
  ROW(0, 0, portable_array_owner_deallocate(a[again].owner));
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  count_self_test();
  count_warm_up();
  made();
  views();
  contents();
  of_kernels();
  halos();
  ends();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
