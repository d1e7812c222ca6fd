/* mesh.c - calls on meshes and particles in memory that only a cuda device can access: the bits of the host, its texts of errors, and memory of lists that
 * the device made. Not in this file: managed memory, which the programs of ffi_tests/mesh have. */
#include <portable_particles.h>

#include "algorithms.h"

static portable_pool far_pool;

/* A copy in the device's own memory. */
static void *far(const void *from, int64_t bytes) {
  void *to = NULL;
  CHECK_STATUS(portable_pool_alloc(far_pool, (size_t)bytes + 8, "far", &to), PORTABLE_OK);
  if (from && bytes) copy_there(to, from, bytes);
  return to;
}

static void near(void *to, const void *from, int64_t bytes) { copy_there(to, from, bytes); }
static void drop(void *block) { CHECK_STATUS(portable_pool_free(far_pool, block), PORTABLE_OK); }

/* The same text as the host's. */
static char text[2][512];
static void keep_text(int i) { snprintf(text[i], sizeof text[i], "%s", portable_last_error()); }
static void same_text(const char *part) {
  if (strcmp(text[0], text[1]) || !strstr(text[0], part)) printf("host: %s\ndevice: %s\n", text[0], text[1]);
  CHECK(strcmp(text[0], text[1]) == 0 && strstr(text[0], part));
}

/* ---- reductions of rows ---- */

enum { ROWS = 500, MOST = 40000 };

static void reduce(int op, int32_t kind, int indexed, int style, int wrong) {
  static int32_t row[ROWS + 1], index[MOST];
  static char data[MOST * 8], want[ROWS * 8], got[ROWS * 8];
  portable_segmented_options o = PORTABLE_SEGMENTED_OPTIONS_INIT;
  const int64_t bytes = kind_bytes[kind];
  row[0] = 1;
  for (int r = 0; r < ROWS; r++) row[r + 1] = row[r] + (int32_t)(r == 77 ? 20001 : r == 300 ? 2049 : r == 301 ? 2048 : chance() % 20);
  const int64_t entries = row[ROWS] - 1;
  CHECK(entries < MOST);
  for (int64_t k = 0; k < entries; k++) index[k] = 1 + (int32_t)(chance() % MOST);
  if (wrong == 1) row[300] = row[299] - 5, row[400] = MOST + 20;
  if (wrong == 2) index[entries - 1] = 0, index[5000] = MOST + 1;
  fill(data, MOST, kind, style);
  o.lower = 1;
  if (indexed) o.index = index, o.index_kind = PORTABLE_KIND_INT32, o.index_count = entries;
  const portable_status code = wrong ? PORTABLE_ERR_ARG : PORTABLE_OK;
  o.launch = &on_host;
  CHECK_STATUS(portable_segmented_reduce("rows", op, kind, data, MOST, PORTABLE_KIND_INT32, row, ROWS, &o, want), code);
  keep_text(0);
  void *const far_data = far(data, MOST * bytes), *const far_row = far(row, sizeof row), *const far_index = far(index, sizeof index), *const far_got = far(NULL, ROWS * bytes);
  o.launch = &on_device;
  if (indexed) o.index = far_index;
  CHECK_STATUS(portable_segmented_reduce("rows", op, kind, far_data, MOST, PORTABLE_KIND_INT32, far_row, ROWS, &o, far_got), code);
  keep_text(1);
  near(got, far_got, ROWS * bytes);
  if (wrong)
    same_text(wrong == 1 ? "row 300" : "index 5001");
  else
    same("segmented", want, got, (size_t)(ROWS * bytes), op, kind, entries);
  drop(far_data);
  drop(far_row);
  drop(far_index);
  drop(far_got);
}

static void reductions(void) {
  for (int op = PORTABLE_REDUCE_SUM; op <= PORTABLE_REDUCE_MAX; op++)
    for (int32_t kind = PORTABLE_KIND_INT32; kind <= PORTABLE_KIND_REAL64; kind++)
      for (int indexed = 0; indexed < 2; indexed++)
        reduce(op, kind, indexed, op >= PORTABLE_REDUCE_MIN ? SPECIAL : PLAIN, 0);
  reduce(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, 0, PLAIN, 1);
  reduce(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, 1, PLAIN, 1);
  reduce(PORTABLE_REDUCE_MAX, PORTABLE_KIND_INT64, 1, PLAIN, 2);
}

int main(void) {
  begin();
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &far_pool), PORTABLE_OK);
  reductions();
  return check_end();
}
