/* mesh.c - rows, cells and sets of numbers, which a CUDA device has made, inside kernels of the device, by the structures that programs copy into argument
 * blocks: against loops of the host. The kernels have no version for the host. Not in this file: how they are made (ffi_tests/mesh, cuda/algorithms). */
#include <portable_particles.h>

#include "check.h"

#include "mesh_body.h"
#include "gpu.h"

enum { N = 3000, ROWS = 700 };

static portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;

static void *memory(size_t bytes) {
  void *to = NULL;
  CHECK_STATUS(portable_alloc(bytes, "mesh", &to), PORTABLE_OK);
  memset(to, 0, bytes);
  return to;
}

static void launch(const char *entry, int64_t count, const mesh_args *a) {
  portable_kernel kernel = 0;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  const portable_bounds bounds = portable_bounds_1(count);
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = MESH_BODY;
  code.entry = entry;
  CHECK_STATUS(portable_kernel_create(entry, sizeof *a, NULL, 0, &kernel), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_cuda(kernel, &code), PORTABLE_OK);
  CHECK_STATUS(portable_launch(kernel, &bounds, a, &config), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);
}

static void run(int32_t kind, int32_t lower) {
  static const portable_csr no_list = PORTABLE_CSR_INIT;
  static const portable_cell_list no_cells = PORTABLE_CELL_LIST_INIT;
  static const portable_index_map no_map = PORTABLE_INDEX_MAP_INIT;
  const double low[2] = {0, 0}, high[2] = {1, 1};
  double *const x = memory(N * sizeof *x), *const y = memory(N * sizeof *y);
  int32_t *const row4 = memory(N * sizeof *row4);
  int64_t *const row8 = memory(N * sizeof *row8), *const keys = memory(N * sizeof *keys);
  void *const given = memory(N * 8);
  mesh_args a = {no_list, no_cells, no_map, x, y, keys, 0.06, memory(ROWS * 8), memory(N * 8), memory(N * 8)};
  const void *const position[2] = {x, y};
  portable_csr_options o = PORTABLE_CSR_OPTIONS_INIT;
  portable_cell_list_options p = PORTABLE_CELL_LIST_OPTIONS_INIT;
  int64_t wrong = 0;
  o.lower = p.lower = a.map.lower = lower;
  a.map.kind = kind;
  for (int64_t i = 0; i < N; i++) {
    row8[i] = row4[i] = (int32_t)(i * 7919 % ROWS) + lower;
    x[i] = (double)(i * 7549 % 10007) / 10007;
    y[i] = (double)(i * 5698 % 9973) / 9973;
    keys[i] = i * 37 % 5000 - 100;
    if (kind == PORTABLE_KIND_INT32) ((int32_t *)given)[i] = (int32_t)(i * 3); else ((int64_t *)given)[i] = i * 3;
  }
  CHECK_STATUS(portable_csr_build("rows", kind, kind == PORTABLE_KIND_INT32 ? (const void *)row4 : row8, N, 1, ROWS, &o, &a.list), PORTABLE_OK);
  CHECK_STATUS(portable_cell_list_build("cells", PORTABLE_KIND_REAL64, 2, position, N, a.h, low, high, &p, &a.cells), PORTABLE_OK);
  CHECK_STATUS(portable_map_insert("map", &a.map, given, N, NULL, NULL), PORTABLE_OK);
  launch("mesh_rows", ROWS, &a);
  launch("mesh_around", N, &a);
  launch("mesh_find", N, &a);
  for (int64_t r = 0; r < ROWS; r++) {
    int64_t sum = 0;
    for (int64_t i = 0; i < N; i++)
      if (row8[i] - lower == r) sum = 31 * sum + i;
    wrong += a.row_sum[r] != sum;
  }
  CHECK(wrong == 0);
  for (int64_t i = 0; i < N; i++) {
    int64_t count = 0;
    for (int64_t j = 0; j < N; j++) count += (x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]) <= a.h * a.h;
    wrong += a.around[i] != count || count < 2;
    wrong += a.number[i] != (keys[i] >= 0 && keys[i] % 3 == 0 ? keys[i] / 3 : -1);
  }
  CHECK(wrong == 0);
  CHECK_STATUS(portable_csr_free(&a.list), PORTABLE_OK);
  CHECK_STATUS(portable_cell_list_free(&a.cells), PORTABLE_OK);
  CHECK_STATUS(portable_map_free(&a.map), PORTABLE_OK);
  void *const blocks[] = {x, y, row4, row8, keys, given, a.row_sum, a.around, a.number};
  for (int i = 0; i < 9; i++) CHECK_STATUS(portable_free(blocks[i]), PORTABLE_OK);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find(gpu(""), &config.device), PORTABLE_OK);
  run(PORTABLE_KIND_INT32, 0);
  run(PORTABLE_KIND_INT64, 1);
  return check_end();
}
