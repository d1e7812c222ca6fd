/* portable_mesh_views.h - rows, cells and sets of numbers inside kernels: C99, C++, CUDA. portable_mesh.h and portable_particles.h include it; device code
 * includes it alone, and gets the structures in its argument block. In this file: the structures, and what a kernel asks them. Not in this file: how they are
 * made, and their rules, which are in those headers. Threads: any number may read a structure at once. */
#ifndef PORTABLE_MESH_VIEWS_H
#define PORTABLE_MESH_VIEWS_H

#include "portable_atomic.h"

#define PORTABLE__IS_INT32(kind) ((kind) == 3) /* PORTABLE_KIND_INT32 */

/* Rows of numbers. A plain structure, for kernels of all devices that can access the memory. */
typedef struct portable_csr {
  int64_t rows;    /* count of rows */
  int64_t entries; /* of all rows together */
  void   *row;     /* [rows + 1]: where each row begins, counted from lower */
  void   *col;     /* [entries]: numbers of columns, counted from lower */
  void   *memory;  /* the block that portable_csr_free frees; NULL: none */
  int32_t kind;    /* of row and col */
  int32_t lower;   /* 0, or 1 as Fortran counts */
} portable_csr;

/* Particles by cells. Cells are numbered fastest along the first dimension. A plain structure, for kernels of all devices that can access the memory. */
typedef struct portable_cell_list {
  int64_t particles;
  int64_t cells;       /* count[0] * count[1] * count[2] */
  int32_t *order;      /* [particles]: which particle is at each place: those of the first cell, ascending, then those of the second one ... */
  int32_t *start;      /* [cells + 1]: the place where each cell begins */
  int32_t *cell;       /* [particles]: the cell of each place */
  void    *memory;     /* the block that portable_cell_list_free frees; NULL: none */
  double   low[3], high[3], cutoff; /* as given */
  double   per_length[3]; /* cells in a unit of length */
  int32_t  count[3];   /* cells along each dimension; 1 in those that are not used */
  int32_t  periodic[3];
  int32_t  rank;       /* 1 to 3 */
  int32_t  lower;      /* 0, or 1 as Fortran counts: numbers of particles, places and cells */
} portable_cell_list;

/* A set of integers, each of which has a number: the first ones have the smallest numbers, and a number never changes. So data of a key lies in arrays
 * of the program at that number. A plain structure, for kernels of all devices that can access the memory. */
typedef struct portable_index_map {
  int64_t count;
  void   *keys;    /* [count], ascending */
  void   *number;  /* [count]: the number of each key, counted from lower */
  void   *memory;  /* the block that portable_map_free frees; NULL: none */
  int32_t kind;    /* of keys and numbers, PORTABLE_KIND_INT32 or _INT64 */
  int32_t lower;   /* 0, or 1 as Fortran counts */
} portable_index_map;

/* Where row r, counted from 0, begins: a number of an entry, counted from 0. r may be csr->rows, where the last row ends.
 * No check: r is 0 to csr->rows.  Since: 0.1 */
PORTABLE__HOST_DEVICE PORTABLE_INLINE int64_t portable_csr_begin(const portable_csr *csr, int64_t r) {
  return (PORTABLE__IS_INT32(csr->kind) ? ((const int32_t *)csr->row)[r] : ((const int64_t *)csr->row)[r]) - csr->lower;
}

/* The column of entry k, counted from 0; both count from 0. No check: k is below csr->entries.  Since: 0.1 */
PORTABLE__HOST_DEVICE PORTABLE_INLINE int64_t portable_csr_col(const portable_csr *csr, int64_t k) {
  return (PORTABLE__IS_INT32(csr->kind) ? ((const int32_t *)csr->col)[k] : ((const int64_t *)csr->col)[k]) - csr->lower;
}

#define PORTABLE_CELL_RUNS 18 /* most runs: 9 in three dimensions, twice as many where the first one is periodic */

/* Cells along dimension d from at - 1 to at + 1: one range, or two where it wraps. Both ends are inside. Gives how many.  Since: 0.1 */
PORTABLE__HOST_DEVICE PORTABLE_INLINE int32_t portable__cells_next(const portable_cell_list *c, int32_t d, int32_t at, int32_t range[2][2]) {
  const int32_t n = c->count[d];
  range[0][0] = at > 0 ? at - 1 : 0;
  range[0][1] = at < n - 1 ? at + 1 : n - 1;
  if (!c->periodic[d] || (at > 0 && at < n - 1)) return 1;
  if (n <= 3) { /* each cell is next to each other one, and is there once */
    range[0][0] = 0;
    range[0][1] = n - 1;
    return 1;
  }
  range[1][0] = range[1][1] = at > 0 ? 0 : n - 1;
  return 2;
}

/* The places of the particles in the cell of place k and in those next to it: runs[r][0] to runs[r][1] - 1, k itself among them. Both count from 0, and so
 * does cells->order where lower is 0. Gives how many runs there are; none is empty, no place is in two of them. At most 3^(rank - 1), and twice as many
 * where the first dimension is periodic. None for a k that is no place, and in cells that were not built.  Since: 0.1 */
PORTABLE__HOST_DEVICE PORTABLE_INLINE int32_t portable_cells_around(const portable_cell_list *cells, int64_t k, int64_t runs[PORTABLE_CELL_RUNS][2]) {
  if (k < 0 || k >= cells->particles) return 0;
  const int32_t here = cells->cell[k] - cells->lower, nx = cells->count[0], ny = cells->count[1];
  const int32_t line = here / nx, plane = cells->rank > 2 ? line / ny : 0; /* divisions take long */
  int32_t x[2][2], y[2][2], z[2][2], n = 0, zs = 1;
  const int32_t xs = portable__cells_next(cells, 0, here - line * nx, x), ys = portable__cells_next(cells, 1, line - plane * ny, y);
  z[0][0] = z[0][1] = 0;
  if (cells->rank > 2) zs = portable__cells_next(cells, 2, plane, z);
  for (int32_t c = 0; c < zs; c++)
    for (int32_t iz = z[c][0]; iz <= z[c][1]; iz++)
      for (int32_t b = 0; b < ys; b++)
        for (int32_t iy = y[b][0]; iy <= y[b][1]; iy++)
          for (int32_t a = 0; a < xs; a++) {
            const int32_t row = (iz * ny + iy) * nx;
            runs[n][0] = cells->start[row + x[a][0]] - cells->lower;
            runs[n][1] = cells->start[row + x[a][1] + 1] - cells->lower;
            n += runs[n][0] < runs[n][1];
          }
  return n;
}

/* The cell along dimension d; a number outside, or NaN, has one of those at the ends. The library's. */
PORTABLE__HOST_DEVICE PORTABLE_INLINE int32_t portable__cell_along(const portable_cell_list *c, int32_t d, double x) {
  const double last = c->count[d] - 1, u = (x - c->low[d]) * c->per_length[d], v = u < last ? u : last;
  return (int32_t)(v > 0 ? v : 0);
}

/* The number of a key, counted from 0, or -1 where it is not there.  Since: 0.1 */
PORTABLE__HOST_DEVICE PORTABLE_INLINE int64_t portable_map_at(const portable_index_map *map, int64_t key) {
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define PORTABLE__FETCH(address) __builtin_prefetch(address);
#define PORTABLE__FETCH_LAST(a, b)                               \
  for (int64_t i = 0; i < 32; i += 64 / (int64_t)sizeof *(a)) { \
    PORTABLE__FETCH((a) + i)                                     \
    PORTABLE__FETCH((b) + i)                                     \
  }
#else
#define PORTABLE__FETCH(address)
#define PORTABLE__FETCH_LAST(a, b)
#endif
#define PORTABLE__FIND(type)                                                                   \
  {                                                                                            \
    const type *at = (const type *)map->keys, *const keys = at, *number = (const type *)map->number; \
    int64_t n = map->count;                                                                    \
    if (n <= 0) return -1;                                                                     \
    while (n > 32) {                                                                           \
      const int64_t half = n / 2;                                                              \
      n -= half;                                                                               \
      PORTABLE__FETCH(at + n / 2) /* one of these is read next */                              \
      PORTABLE__FETCH(at + half + n / 2)                                                       \
      at += (at[half] <= key) * half;                                                          \
    }                                                                                          \
    number += at - keys;                                                                       \
    PORTABLE__FETCH_LAST(at, number) /* the key and its number are in these 32 */              \
    const type *const first = at;                                                              \
    while (n > 1) {                                                                            \
      const int64_t half = n / 2;                                                              \
      n -= half;                                                                               \
      at += (at[half] <= key) * half;                                                          \
    }                                                                                          \
    return *at != key ? -1 : number[at - first] - map->lower;                                  \
  }
  if (PORTABLE__IS_INT32(map->kind)) PORTABLE__FIND(int32_t)
  PORTABLE__FIND(int64_t)
#undef PORTABLE__FIND
#undef PORTABLE__FETCH
#undef PORTABLE__FETCH_LAST
}

#endif
