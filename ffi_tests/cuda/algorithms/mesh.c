/* mesh.c [fails] - calls on meshes and particles in memory that only a cuda device can access: the bits of the host, its texts of errors, and memory of lists that
 * the device made. With `fails` the device has no memory of the host that it shares: nothing is left then, and nothing is written. Not in this file: managed memory, which the programs of ffi_tests/mesh have. */
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

/* ---- lists: each is made on the host from host memory, and on the device from its own ---- */

enum { N = 3000 };

static portable_csr_options rows_on(int device, int32_t lower) {
  portable_csr_options o = PORTABLE_CSR_OPTIONS_INIT;
  o.lower = lower;
  o.launch = device ? &on_device : &on_host;
  return o;
}

/* A list that the device made has the bytes of the host's. */
static void same_list(const char *what, const portable_csr *want, const portable_csr *got) {
  static char row[8 * (N * 20)], col[8 * (N * 100)];
  const int64_t bytes = kind_bytes[want->kind];
  CHECK(got->rows == want->rows && got->entries == want->entries && got->kind == want->kind && got->lower == want->lower);
  CHECK(bytes * want->rows < (int64_t)sizeof row && bytes * want->entries < (int64_t)sizeof col);
  if (got->rows != want->rows || got->entries != want->entries) return;
  near(row, got->row, bytes * (want->rows + 1));
  if (want->entries) near(col, got->col, bytes * want->entries);
  same(what, want->row, row, (size_t)(bytes * (want->rows + 1)), 0, want->kind, want->rows);
  same(what, want->col, col, (size_t)(bytes * want->entries), 1, want->kind, want->entries);
}

static void free_lists(portable_csr *a, portable_csr *b) {
  CHECK_STATUS(portable_csr_free(a), PORTABLE_OK);
  CHECK_STATUS(portable_csr_free(b), PORTABLE_OK);
}

static void put(void *at, int32_t kind, int64_t k, int64_t value) {
  if (kind == PORTABLE_KIND_INT32) ((int32_t *)at)[k] = (int32_t)value; else ((int64_t *)at)[k] = value;
}

static void lists(int32_t kind, int32_t lower) {
  static int64_t row_of[2 * N], counts[N];
  const int64_t bytes = kind_bytes[kind], rows = 900;
  portable_csr made[2], turned[2];
  memset(made, 0, sizeof made);
  memset(turned, 0, sizeof turned);
  for (int64_t k = 0; k < 2 * N; k++) put(row_of, kind, k, (int64_t)(chance() % 5 ? chance() % 850 : 0) - (chance() % 7 == 0) + lower);
  for (int64_t k = 0; k < N; k++) put(counts, kind, k, (int64_t)(chance() % 9));
  void *const far_of = far(row_of, 2 * N * bytes), *const far_counts = far(counts, N * bytes);
  for (int d = 0; d < 2; d++) {
    const portable_csr_options o = rows_on(d, lower);
    CHECK_STATUS(portable_csr_build("list", kind, d ? far_of : row_of, N, 2, rows, &o, &made[d]), PORTABLE_OK);
    CHECK_STATUS(portable_csr_transpose("list", &made[d], N, &o, &turned[d]), PORTABLE_OK);
  }
  same_list("csr_build", &made[0], &made[1]);
  same_list("csr_transpose", &turned[0], &turned[1]);
  free_lists(&made[0], &made[1]);
  free_lists(&turned[0], &turned[1]);
  for (int d = 0; d < 2; d++) {
    const portable_csr_options o = rows_on(d, lower);
    CHECK_STATUS(portable_csr_counts("list", kind, d ? far_counts : counts, N, &o, &made[d]), PORTABLE_OK);
  }
  made[0].entries = made[1].entries == made[0].entries ? 0 : made[0].entries; /* columns are the program's to fill */
  made[1].entries = 0;
  same_list("csr_counts", &made[0], &made[1]);
  free_lists(&made[0], &made[1]);
  /* what is refused */
  drop(far_of);
  drop(far_counts);
  put(row_of, kind, 4001, rows + lower);
  put(row_of, kind, 5001, lower - 2);
  put(counts, kind, 2000, -1);
  put(counts, kind, 2500, -7);
  void *const bad_of = far(row_of, 2 * N * bytes), *const bad_counts = far(counts, N * bytes);
  for (int d = 0; d < 2; d++) {
    const portable_csr_options o = rows_on(d, lower);
    CHECK_STATUS(portable_csr_build("list", kind, d ? bad_of : row_of, N, 2, rows, &o, &made[d]), PORTABLE_ERR_ARG);
    keep_text(d);
  }
  same_text(lower ? "item 2001" : "item 2000");
  for (int d = 0; d < 2; d++) {
    const portable_csr_options o = rows_on(d, lower);
    CHECK_STATUS(portable_csr_counts("list", kind, d ? bad_counts : counts, N, &o, &made[d]), PORTABLE_ERR_ARG);
    keep_text(d);
  }
  same_text(lower ? "row 2001 has -1" : "row 2000 has -1");
  const int64_t most = kind == PORTABLE_KIND_INT32 ? INT32_MAX : INT64_MAX / 8;
  for (int64_t k = 0; k < N; k++) put(counts, kind, k, k % 100 == 99 ? most / 8 : 1);
  copy_there(bad_counts, counts, N * bytes);
  for (int d = 0; d < 2; d++) {
    const portable_csr_options o = rows_on(d, lower);
    CHECK_STATUS(portable_csr_counts("list", kind, d ? bad_counts : counts, N, &o, &made[d]), PORTABLE_ERR_OVERFLOW);
    keep_text(d);
  }
  same_text("all counts together do not fit");
  /* a list of the program's: rows that decrease, and a column out of range */
  for (int wrong = 0; wrong < 2; wrong++) {
    for (int64_t r = 0; r <= 100; r++) put(counts, kind, r, 3 * r - (wrong == 0 && r == 50 ? 9 : 0) + lower);
    for (int64_t k = 0; k < 300; k++) put(row_of, kind, k, (wrong == 1 && k >= 77 ? -3 : k % 20) + lower);
    copy_there(bad_counts, counts, N * bytes);
    copy_there(bad_of, row_of, N * bytes);
    for (int d = 0; d < 2; d++) {
      const portable_csr_options o = rows_on(d, 0);
      const portable_csr own = {100, 300, d ? bad_counts : counts, d ? bad_of : row_of, NULL, kind, lower};
      CHECK_STATUS(portable_csr_transpose("list", &own, 20, &o, &made[d]), PORTABLE_ERR_ARG);
      keep_text(d);
    }
    same_text(wrong == 0 ? "the beginning of row" : "is column");
  }
  drop(bad_of);
  drop(bad_counts);
}

/* ---- another order ---- */

static void orders(int32_t kind, int32_t lower) {
  static int64_t order[N];
  static double x[N], far_x[N];
  static char odd[N * 5 + 24], far_odd[N * 5 + 24];
  const int64_t bytes = kind_bytes[kind];
  for (int64_t i = 0; i < N; i++) put(order, kind, i, i * 1009 % N + lower);
  fill(x, N, PORTABLE_KIND_REAL64, PLAIN);
  fill(odd, N * 5, PORTABLE_KIND_INT8, PLAIN);
  void *const there = far(order, N * bytes), *const there_x = far(x, sizeof x), *const there_odd = far(odd, N * 5);
  for (int wrong = 0; wrong < 3; wrong++) {
    if (wrong == 1) put(order, kind, 2000, kind == PORTABLE_KIND_INT32 ? ((int32_t *)order)[7] : order[7]);
    if (wrong == 2) put(order, kind, 1500, N + lower), put(order, kind, 1600, lower - 1);
    copy_there(there, order, N * bytes);
    for (int d = 0; d < 2; d++) {
      const portable_csr_options o = rows_on(d, lower);
      const portable_reorder_array arrays[2] = {{d ? there_x : x, 8, 8}, {(char *)(d ? there_odd : odd) + 5 * (N - 1), 3, -5}};
      CHECK_STATUS(portable_reorder("order", kind, d ? there : order, N, arrays, 2, &o), wrong ? PORTABLE_ERR_ARG : PORTABLE_OK);
      keep_text(d);
    }
    if (wrong) same_text(wrong == 1 ? "twice" : lower ? "number 1501 of order" : "number 1500 of order");
    near(far_x, there_x, sizeof far_x);
    near(far_odd, there_odd, N * 5);
    same("reorder", x, far_x, sizeof x, wrong, kind, N);
    same("reorder bytes", odd, far_odd, N * 5, wrong, kind, N);
  }
  drop(there);
  drop(there_x);
  drop(there_odd);
}

/* ---- particles ---- */

static void particles(int32_t kind, int32_t rank, int32_t lower, int32_t half) {
  static double position[3][N];
  static int32_t got[N * 6];
  const double low[3] = {-0.1, 0, 1}, high[3] = {0.9, 2, 1.7};
  const double cutoff = rank == 1 ? 0.004 : rank == 2 ? 0.03 : 0.07;
  const int64_t bytes = kind_bytes[kind];
  const void *here[3], *there[3];
  portable_cell_list cells[2] = {PORTABLE_CELL_LIST_INIT, PORTABLE_CELL_LIST_INIT};
  portable_csr list[2] = {PORTABLE_CSR_INIT, PORTABLE_CSR_INIT};
  portable_cell_list_options o = PORTABLE_CELL_LIST_OPTIONS_INIT;
  portable_neighbour_options p = PORTABLE_NEIGHBOUR_OPTIONS_INIT;
  o.lower = lower;
  o.periodic[0] = 1;
  p.half = half;
  for (int d = 0; d < 3; d++) {
    for (int64_t i = 0; i < N; i++) {
      const double x = low[d] + (high[d] - low[d]) * (double)(chance() >> 11) * 0x1p-53, in = i % 50 == d ? high[d] : i % 3 ? x : low[d] + (x - low[d]) / 8;
      if (kind == PORTABLE_KIND_REAL32) ((float *)position[d])[i] = (float)in > high[d] ? nextafterf((float)in, -9) : (float)in < low[d] ? nextafterf((float)in, 9) : (float)in;
      else position[d][i] = in;
    }
    here[d] = position[d];
    there[d] = far(position[d], N * bytes);
  }
  for (int d = 0; d < 2; d++) {
    o.launch = p.launch = d ? &on_device : &on_host;
    CHECK_STATUS(portable_cell_list_build("cells", kind, rank, d ? there : here, N, cutoff, low, high, &o, &cells[d]), PORTABLE_OK);
    CHECK_STATUS(portable_neighbour_list("list", &cells[d], kind, d ? there : here, PORTABLE_KIND_INT32 + lower, &p, &list[d]), PORTABLE_OK);
  }
  CHECK(cells[0].cells == cells[1].cells && cells[0].cells < N * 6 && memcmp(cells[0].count, cells[1].count, sizeof cells[0].count) == 0);
  near(got, cells[1].order, N * 4);
  same("order of cells", cells[0].order, got, N * 4, rank, kind, N);
  near(got, cells[1].cell, N * 4);
  same("cells", cells[0].cell, got, N * 4, rank, kind, N);
  near(got, cells[1].start, (cells[0].cells + 1) * 4);
  same("starts of cells", cells[0].start, got, (size_t)(cells[0].cells + 1) * 4, rank, kind, N);
  CHECK(list[0].entries > N / 4);
  same_list("neighbours", &list[0], &list[1]);
  /* a particle that has moved, and one outside */
  double moved = 0, outside = NAN;
  float moved4 = 0, outside4 = NAN;
  const void *const values[2] = {kind == PORTABLE_KIND_REAL32 ? (const void *)&moved4 : &moved, kind == PORTABLE_KIND_REAL32 ? (const void *)&outside4 : &outside};
  for (int wrong = 0; wrong < 2; wrong++) {
    memcpy((char *)position[0] + 1234 * bytes, values[wrong], (size_t)bytes);
    memcpy((char *)position[0] + 2345 * bytes, values[wrong], (size_t)bytes);
    copy_there((void *)(uintptr_t)there[0], position[0], N * bytes);
    for (int d = 0; d < 2; d++) {
      o.launch = p.launch = d ? &on_device : &on_host;
      if (wrong == 0)
        CHECK_STATUS(portable_neighbour_list("list", &cells[d], kind, d ? there : here, PORTABLE_KIND_INT64, &p, &list[d]), PORTABLE_ERR_ARG);
      else
        CHECK_STATUS(portable_cell_list_build("cells", kind, rank, d ? there : here, N, cutoff, low, high, &o, &cells[d]), PORTABLE_ERR_ARG);
      keep_text(d);
    }
    same_text(wrong == 0 ? "no longer in the cell" : lower ? "particle 1235 is at" : "particle 1234 is at");
  }
  free_lists(&list[0], &list[1]);
  for (int d = 0; d < 2; d++) CHECK_STATUS(portable_cell_list_free(&cells[d]), PORTABLE_OK);
  for (int d = 0; d < 3; d++) drop((void *)(uintptr_t)there[d]);
}

/* ---- sets of numbers, merges ---- */

static void maps(int32_t kind, int32_t lower) {
  static int64_t keys[N], found[2][N];
  static uint8_t fresh[2][N];
  const int64_t bytes = kind_bytes[kind];
  portable_index_map map[2] = {PORTABLE_INDEX_MAP_INIT, PORTABLE_INDEX_MAP_INIT};
  void *const there = far(NULL, N * bytes), *const there_found = far(NULL, N * bytes), *const there_new = far(NULL, N);
  map[0].kind = map[1].kind = kind;
  map[0].lower = map[1].lower = lower;
  for (int round = 0; round < 4; round++) {
    for (int64_t i = 0; i < N; i++) put(keys, kind, i, (int64_t)(chance() % 9000) - 4000);
    copy_there(there, keys, N * bytes);
    CHECK_STATUS(portable_map_insert("map", &map[0], keys, N, &on_host, fresh[0]), PORTABLE_OK);
    CHECK_STATUS(portable_map_insert("map", &map[1], there, N, &on_device, there_new), PORTABLE_OK);
    near(fresh[1], there_new, N);
    same("new keys", fresh[0], fresh[1], N, round, kind, N);
    CHECK(map[0].count == map[1].count && map[1].lower == lower);
    for (int64_t i = 0; i < N; i++) put(keys, kind, i, (int64_t)(chance() % 9000) - 4000);
    copy_there(there, keys, N * bytes);
    CHECK_STATUS(portable_map_find("map", &map[0], keys, N, &on_host, found[0]), PORTABLE_OK);
    CHECK_STATUS(portable_map_find("map", &map[1], there, N, &on_device, there_found), PORTABLE_OK);
    near(found[1], there_found, N * bytes);
    same("numbers of keys", found[0], found[1], (size_t)(N * bytes), round, kind, N);
  }
  drop(there);
  drop(there_found);
  drop(there_new);
  for (int d = 0; d < 2; d++) CHECK_STATUS(portable_map_free(&map[d]), PORTABLE_OK);
}

static void merges(int32_t kind, uint32_t flags, int64_t value_bytes) {
  static char a[N * 8], b[N * 8], va[N * 12], vb[N * 12], want[2 * N * 8], moved[2 * N * 12], got[2 * N * 12];
  const int64_t bytes = kind_bytes[kind], nb = N / 3;
  portable_sort_options s = PORTABLE_SORT_OPTIONS_INIT;
  portable_merge_options o = PORTABLE_MERGE_OPTIONS_INIT;
  s.flags = o.flags = flags;
  s.launch = &on_host;
  fill(a, N, kind, SPECIAL);
  fill(b, nb, kind, EQUAL);
  fill(va, N * value_bytes, PORTABLE_KIND_INT8, PLAIN);
  fill(vb, nb * value_bytes, PORTABLE_KIND_INT8, PLAIN);
  CHECK_STATUS(portable_sort("a", kind, a, N, &s), PORTABLE_OK);
  CHECK_STATUS(portable_sort("b", kind, b, nb, &s), PORTABLE_OK);
  for (int wrong = 0; wrong < 2; wrong++) {
    if (wrong && memcmp(b, b + (nb - 1) * bytes, (size_t)bytes) == 0) break;
    if (wrong) memcpy(b + 900 * bytes, b, (size_t)bytes);
    void *const there[6] = {far(a, N * bytes), far(b, nb * bytes), far(va, N * value_bytes), far(vb, nb * value_bytes), far(NULL, (N + nb) * bytes), far(NULL, (N + nb) * value_bytes)};
    for (int d = 0; d < 2; d++) {
      o.launch = d ? &on_device : &on_host;
      const portable_status code = wrong ? PORTABLE_ERR_ARG : PORTABLE_OK;
      if (value_bytes)
        CHECK_STATUS(portable_merge_by_key("merge", kind, d ? there[0] : a, d ? there[2] : va, N, d ? there[1] : b, d ? there[3] : vb, nb, (size_t)value_bytes, &o, d ? there[4] : want, d ? there[5] : moved), code);
      else
        CHECK_STATUS(portable_merge_sorted("merge", kind, d ? there[0] : a, N, d ? there[1] : b, nb, &o, d ? there[4] : want), code);
      keep_text(d);
    }
    if (wrong) {
      same_text("comes before the one in front of it");
    } else {
      near(got, there[4], (N + nb) * bytes);
      same("merge", want, got, (size_t)((N + nb) * bytes), (int32_t)flags, kind, N);
      if (value_bytes) near(got, there[5], (N + nb) * value_bytes);
      same("values of a merge", moved, got, (size_t)((N + nb) * value_bytes), (int32_t)flags, kind, value_bytes);
    }
    for (int i = 0; i < 6; i++) drop(there[i]);
  }
}

/* ---- without memory that host and device share ---- */

static void fails(void) {
  int32_t *const n = take(64 * sizeof *n), *const m = take(64 * sizeof *m);
  double *const x = take(64 * sizeof *x);
  const double low = 0, high = 1;
  const void *const position[1] = {x};
  const portable_csr no_list = PORTABLE_CSR_INIT;
  const portable_cell_list no_cells = PORTABLE_CELL_LIST_INIT;
  const portable_csr own = {3, 60, n, m, NULL, PORTABLE_KIND_INT32, 0};
  portable_csr list = PORTABLE_CSR_INIT;
  portable_cell_list cells = PORTABLE_CELL_LIST_INIT;
  portable_index_map map = PORTABLE_INDEX_MAP_INIT;
  const portable_csr_options o = rows_on(1, 0);
  const portable_reorder_array array = {x, 8, 8};
  portable_segmented_options p = PORTABLE_SEGMENTED_OPTIONS_INIT;
  portable_cell_list_options c = PORTABLE_CELL_LIST_OPTIONS_INIT;
  portable_merge_options g = PORTABLE_MERGE_OPTIONS_INIT;
  p.launch = c.launch = g.launch = &on_device;
  map.kind = PORTABLE_KIND_INT32;
  for (int i = 0; i < 64; i++) n[i] = i < 4 ? 20 * i : i, m[i] = i, x[i] = i / 64.0;
  const uint64_t blocks = check_stats(check_default_pool()).in_use_blocks;
  CHECK_STATUS(portable_segmented_reduce("a", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 60, PORTABLE_KIND_INT32, n, 3, &p, x + 60), PORTABLE_ERR_NOMEM);
  CHECK_STATUS(portable_csr_build("a", PORTABLE_KIND_INT32, m, 60, 1, 64, &o, &list), PORTABLE_ERR_NOMEM);
  CHECK_STATUS(portable_csr_counts("a", PORTABLE_KIND_INT32, m, 60, &o, &list), PORTABLE_ERR_NOMEM);
  CHECK_STATUS(portable_csr_transpose("a", &own, 60, &o, &list), PORTABLE_ERR_NOMEM);
  CHECK_STATUS(portable_reorder("a", PORTABLE_KIND_INT32, m, 64, &array, 1, &o), PORTABLE_ERR_NOMEM);
  CHECK_STATUS(portable_cell_list_build("a", PORTABLE_KIND_REAL64, 1, position, 60, 0.1, &low, &high, &c, &cells), PORTABLE_ERR_NOMEM);
  CHECK_STATUS(portable_map_insert("a", &map, m, 60, &on_device, NULL), PORTABLE_ERR_NOMEM);
  CHECK_STATUS(portable_merge_sorted("a", PORTABLE_KIND_INT32, m, 20, m + 20, 4, &g, n), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("merge_sorted");
  CHECK(check_stats(check_default_pool()).in_use_blocks == blocks && check_stats(far_pool).in_use_blocks == 0);
  CHECK(memcmp(&list, &no_list, sizeof list) == 0 && memcmp(&cells, &no_cells, sizeof cells) == 0 && map.memory == NULL && map.count == 0);
  for (int i = 0; i < 64; i++) CHECK(x[i] == i / 64.0 && m[i] == i);
  CHECK_STATUS(portable_free(n), PORTABLE_OK);
  CHECK_STATUS(portable_free(m), PORTABLE_OK);
  CHECK_STATUS(portable_free(x), PORTABLE_OK);
}

int main(int argc, char **argv) {
  const int without_memory = argc > 1 && !strcmp(argv[1], "fails");
  begin();
  CHECK_STATUS(portable_pool_of_space(own_space, &far_pool), PORTABLE_OK);
  if (without_memory) {
    fails();
    return check_end();
  }
  const int few = argc > 1 && !strcmp(argv[1], "few"); /* one lower bound and one kind, on devices of other kinds */
  reductions();
  for (int32_t lower = few; lower < 2; lower++) {
    for (int32_t kind = few ? PORTABLE_KIND_INT64 : PORTABLE_KIND_INT32; kind <= PORTABLE_KIND_INT64; kind++) {
      lists(kind, lower);
      orders(kind, lower);
      maps(kind, lower);
    }
    for (int32_t rank = 1; rank <= 3; rank++)
      for (int32_t kind = few ? PORTABLE_KIND_REAL64 : PORTABLE_KIND_REAL32; kind <= PORTABLE_KIND_REAL64; kind++) particles(kind, rank, lower, rank % 2);
  }
  for (int32_t kind = few ? PORTABLE_KIND_REAL32 : PORTABLE_KIND_INT8; kind <= PORTABLE_KIND_REAL64; kind++)
    for (uint32_t flags = 0; flags < 2; flags++) merges(kind, flags, kind % 3 == 0 ? 0 : kind % 3 == 1 ? 12 : 8);
  CHECK(check_stats(far_pool).in_use_blocks == 0);
  return check_end();
}
