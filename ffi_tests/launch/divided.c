/* divided.c - work divisions that drive launches from C: tiles of the host and blocks of a device have their shape, teams their threads, results
 * the bits of plain loops; divisions of other bounds, or that a device does not allow, are refused. Not in this file: divisions as data (divisions.c). */
#include "check.h"
#include "gpu.h"

#include <stdatomic.h>

#include "divided_bodies.h"

enum { ROWS = 83, COLUMNS = 45, COUNT = ROWS * COLUMNS };

static double *in, *out;
static int64_t *seen;
static int on_cuda;

static portable_kernel kernel_of(const char *label, size_t bytes, portable_kernel_function host, portable_team_function team, int32_t block_size) {
  portable_kernel k = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = BODIES;
  code.block_size = block_size;
  CHECK_STATUS(portable_kernel_create(label, bytes, NULL, 0, &k), PORTABLE_OK);
  if (host) CHECK_STATUS(portable_kernel_set_host(k, host), PORTABLE_OK);
  if (team) CHECK_STATUS(portable_kernel_set_host_team(k, team), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(k, &code), PORTABLE_OK);
  return k;
}

static portable_work_division divided(const portable_bounds *b, int64_t t0, int64_t t1, int64_t e0, int64_t e1) {
  const int64_t threads[PORTABLE_LOOP_RANK] = {t0, t1, 1, 1, 1, 1, 1, 1}, elements[PORTABLE_LOOP_RANK] = {e0, e1, 1, 1, 1, 1, 1, 1};
  portable_work_division w;
  CHECK_STATUS(portable_work_divide(b, threads, elements, &w), PORTABLE_OK);
  return w;
}

static portable_launch_config by(const portable_work_division *w) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.division = w;
  return config;
}

/* ---- shapes and bits ---- */

struct tiles {
  portable_work_division w;
  _Atomic int64_t times[COUNT], whole;
};

static void tile_of_block(const portable_tile *t, void *args) {
  struct tiles *s = args;
  int64_t block[PORTABLE_LOOP_RANK], lower[PORTABLE_LOOP_RANK], upper[PORTABLE_LOOP_RANK];
  portable_work_place(&s->w, t->lower, block, NULL, NULL);
  CHECK(portable_work_box(&s->w, block, NULL, lower, upper) == 1);
  CHECK(memcmp(lower, t->lower, 2 * sizeof *lower) == 0 && memcmp(upper, t->upper, 2 * sizeof *upper) == 0);
  atomic_fetch_add(&s->whole, 1);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i += t->stride[0])
    for (int64_t j = t->lower[1]; j <= t->upper[1]; j += t->stride[1]) atomic_fetch_add(&s->times[i + ROWS * j], 1);
}

/* A tile of the host is a block. */
static void test_tiles(int32_t order, int64_t step) {
  static struct tiles s;
  portable_bounds b;
  memset(&s, 0, sizeof s);
  portable_bounds_make(2, order, (const int64_t[]){1, 2}, (const int64_t[]){ROWS - 1, COLUMNS - 1}, (const int64_t[]){step, 1}, &b);
  s.w = divided(&b, 3, 2, 5, 2);
  portable_launch_config config = by(&s.w);
  config.strided = step != 1;
  CHECK_STATUS(portable_parallel_for("tiles", &b, tile_of_block, &s, 0, &config), PORTABLE_OK);
  CHECK(s.whole == portable_work_count(&s.w, PORTABLE_WORK_BLOCK, PORTABLE_WORK_GRID));
  for (int64_t i = 0; i < ROWS; i++)
    for (int64_t j = 0; j < COLUMNS; j++) CHECK(s.times[i + ROWS * j] == (i >= 1 && j >= 2 && (i - 1) % step == 0));
}

static void test_plane(int32_t order, int64_t t0, int64_t t1, int64_t e0, int64_t e1) {
  portable_kernel k = kernel_of("plane", sizeof(plane_args), plane, NULL, 0);
  portable_bounds b;
  portable_bounds_make(2, order, (const int64_t[]){0, 0}, (const int64_t[]){ROWS - 1, COLUMNS - 1}, NULL, &b);
  const portable_work_division w = divided(&b, t0, t1, e0, e1);
  const portable_launch_config config = by(&w);
  const plane_args args = {in, out, seen, ROWS};
  memset(out, 0, COUNT * sizeof *out);
  memset(seen, -1, 6 * sizeof *seen);
  CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  for (int64_t j = 0; j < COLUMNS; j++)
    for (int64_t i = 0; i < ROWS; i++) {
      const double wanted = in[i + ROWS * j] / 7.0 + 0.1 * (double)i - 1e-3 * (double)j;
      CHECK(memcmp(&wanted, &out[i + ROWS * j], sizeof wanted) == 0);
    }
  const int x = order == PORTABLE_ORDER_FORTRAN ? 0 : 1;
  CHECK(seen[0] == (on_cuda ? w.threads[x] : 0));
  if (on_cuda)
    CHECK(seen[1] == w.threads[1 - x] && seen[2] == 1 && seen[3] == w.blocks[x] && seen[4] == w.blocks[1 - x] && seen[5] == 1);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

static void test_blocks(int32_t order, int64_t t0, int64_t t1, int64_t e0, int64_t e1) {
  portable_kernel k = kernel_of("blocks", sizeof(blocks_args), NULL, blocks, 0);
  portable_bounds b, grid;
  portable_bounds_make(2, order, (const int64_t[]){0, 0}, (const int64_t[]){ROWS - 1, COLUMNS - 1}, NULL, &b);
  const blocks_args args = {divided(&b, t0, t1, e0, e1), in, out, seen, ROWS};
  const portable_launch_config config = by(&args.w);
  memset(out, 0, COUNT * sizeof *out);
  memset(seen, -1, 6 * sizeof *seen);
  CHECK_STATUS(portable_work_grid(&args.w, &grid), PORTABLE_OK);
  CHECK_STATUS(portable_launch_outer(k, &grid, &args, (size_t)portable_work_count(&args.w, PORTABLE_WORK_ELEMENT, PORTABLE_WORK_BLOCK) * sizeof(double), &config),
               PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  for (int64_t j = 0; j < COLUMNS; j++)
    for (int64_t i = 0; i < ROWS; i++) {
      const int64_t h = t0 * e0, v = t1 * e1, i0 = i / h * h, j0 = j / v * v, i1 = i0 + h < ROWS ? i0 + h - 1 : ROWS - 1, j1 = j0 + v < COLUMNS ? j0 + v - 1 : COLUMNS - 1;
      const double wanted = 3.0 * in[i + ROWS * j] - in[i0 + i1 - i + ROWS * (j0 + j1 - j)] / 3.0;
      CHECK(memcmp(&wanted, &out[i + ROWS * j], sizeof wanted) == 0);
    }
  CHECK(seen[0] == (on_cuda ? t0 * t1 : 0));
  if (on_cuda) CHECK(seen[1] == 1 && seen[2] == 1);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

/* ---- refusals ---- */

static void nothing(const portable_tile *t, void *args) { (void)t, (void)args; }
static void no_team(const portable_team *t, void *args) { (void)t, (void)args; }
static void no_value(const portable_tile *t, void *args, void *const *partial) { (void)t, (void)args, (void)partial; }

static void refused(const portable_bounds *b, portable_launch_config config, const char *text) {
  CHECK_STATUS(portable_parallel_for("refused", b, nothing, NULL, 0, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT(text);
}

static void test_refusals(void) {
  portable_bounds b = portable_bounds_2(40, 30), other = portable_bounds_2(40, 31), line = portable_bounds_1(40), grid;
  portable_work_division w = divided(&b, 4, 2, 2, 1), odd = w;
  portable_launch_config config = by(&w);
  double sum = 0;
  const portable_reduction result = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &sum);
  refused(&line, config, "the division has 2 dimensions, the bounds have 1");
  refused(&other, config, "the division is of 30 iterations from 0 on by 1 in dimension 2, and the bounds are");
  config.cut = 8;
  refused(&b, config, "the launch names a division, and a tile or a cut");
  config = by(&w);
  config.tile[1] = 2;
  refused(&b, config, "the launch names a division, and a tile or a cut");
  config = by(&w);
  config.block_size = 64;
  refused(&b, config, "level thread: a block of the division has 8 threads, and block_size is 64");
  config.block_size = 8;
  CHECK_STATUS(portable_parallel_for("both", &b, nothing, NULL, 0, &config), PORTABLE_OK);
  odd.blocks[0]++;
  refused(&b, by(&odd), "the division has 6 blocks of 4 threads with 2 elements each for 40 iterations of dimension 1; portable_work_divide makes divisions");
  config = by(&w);
  CHECK_STATUS(portable_parallel_outer("refused", &b, no_team, NULL, 0, 0, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT("level block: the grid of the division has 5 blocks from 0 on in dimension 1, and the bounds are");
  CHECK_STATUS(portable_work_grid(&w, &grid), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_outer("grid", &grid, no_team, NULL, 0, 0, &config), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_reduce("refused", &b, no_value, NULL, 0, &result, 1, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT("this call takes no division");
}

/* A text with the name of the device. */
static const char *named(const char *text) {
  static char full[200];
  snprintf(full, sizeof full, text, gpu(":0"));
  return full;
}

/* A limit of a GPU is named with its level. */
static void test_limits(void) {
  portable_bounds b = portable_bounds_2(4000, 4000), grid, deep;
  const int64_t six[] = {6, 6, 6, 6}, two[] = {2, 1, 1, 1};
  portable_kernel k = kernel_of("plane", sizeof(plane_args), plane, NULL, 0), fixed = kernel_of("plane", sizeof(plane_args), plane, NULL, 128);
  portable_kernel teams = kernel_of("blocks", sizeof(blocks_args), NULL, blocks, 0);
  const plane_args args = {in, out, seen, ROWS};
  const blocks_args more = {divided(&b, 64, 32, 1, 1), in, out, seen, ROWS};
  portable_work_division w = divided(&b, 64, 32, 1, 1);
  portable_launch_config config = by(&w);
  CHECK_STATUS(portable_launch(k, &b, &args, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT(named("level thread: a block of the division has 2048 threads; on \'%s\' the kernel, with "));
  CHECK_TEXT("may have 1 to 1024; divide with fewer threads and more elements");
  CHECK_STATUS(portable_work_grid(&w, &grid), PORTABLE_OK);
  CHECK_STATUS(portable_launch_outer(teams, &grid, &more, 0, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT(named("level thread: a block of the division has 2048 threads; \'%s\' allows 1024 along x"));
  w = divided(&b, 8, 8, 1, 1);
  CHECK_STATUS(portable_launch(fixed, &b, &args, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT("level thread: a block of the division has 64 threads, and the kernel's code is for blocks of 128 (block_size)");
  portable_bounds_make(4, PORTABLE_ORDER_C, NULL, six, NULL, &deep);
  CHECK_STATUS(portable_work_divide(&deep, two, NULL, &w), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &deep, &args, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT(named("level thread: a block of the division has 2 threads in dimension 1; \'%s\' allows 1 there"));
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(fixed), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(teams), PORTABLE_OK);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  on_cuda = is_gpu(portable_device_name(0));
  CHECK_STATUS(portable_alloc(COUNT * sizeof *in, "in", (void **)&in), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(COUNT * sizeof *out, "out", (void **)&out), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(6 * sizeof *seen, "seen", (void **)&seen), PORTABLE_OK);
  for (int64_t i = 0; i < COUNT; i++) in[i] = 1.0 / (double)(3 * i + 1);
  for (int32_t order = 0; order < 2; order++) {
    test_tiles(order, 1);
    test_tiles(order, 3);
    test_plane(order, 16, 4, 2, 3);
    test_plane(order, 1, 8, 5, 1);
    test_plane(order, 100, 2, 1, 1);
    test_blocks(order, 8, 4, 2, 3);
    test_blocks(order, 32, 1, 1, 4);
    test_blocks(order, 1, 1, 16, 8);
  }
  test_refusals();
  if (on_cuda) test_limits();
  portable_free(in);
  portable_free(out);
  portable_free(seen);
  return check_end();
}
