/* mesh_body.h - kernels that ask rows, cells and sets of numbers, for the host and the device (mesh.c). */
#include <portable_device.h>
#include <portable_mesh_views.h>

typedef struct mesh_args {
  portable_csr list;
  portable_cell_list cells;
  portable_index_map map;
  const double *x, *y;
  const int64_t *keys;
  double h;
  int64_t *row_sum, *around, *number;
} mesh_args;

/* Row i: a sum in the order of its entries. */
PORTABLE_KERNEL(mesh_rows, mesh_args, a) {
  PORTABLE_FOR_1(i) {
    int64_t sum = 0, k;
    for (k = portable_csr_begin(&a->list, i); k < portable_csr_begin(&a->list, i + 1); k++) sum = 31 * sum + portable_csr_col(&a->list, k);
    a->row_sum[i] = sum;
  }
}

/* Place i: the particles within h. */
PORTABLE_KERNEL(mesh_around, mesh_args, a) {
  PORTABLE_FOR_1(i) {
    int64_t runs[PORTABLE_CELL_RUNS][2], count = 0, p;
    const int32_t n = portable_cells_around(&a->cells, i, runs), me = a->cells.order[i] - a->cells.lower;
    int32_t r;
    for (r = 0; r < n; r++)
      for (p = runs[r][0]; p < runs[r][1]; p++) {
        const int32_t other = a->cells.order[p] - a->cells.lower;
        const double dx = a->x[me] - a->x[other], dy = a->y[me] - a->y[other];
        count += dx * dx + dy * dy <= a->h * a->h;
      }
    a->around[me] = count;
  }
}

PORTABLE_KERNEL(mesh_find, mesh_args, a) {
  PORTABLE_FOR_1(i) a->number[i] = portable_map_at(&a->map, a->keys[i]);
}
