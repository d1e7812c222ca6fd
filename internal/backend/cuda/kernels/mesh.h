/* mesh.h - arguments of the kernels of meshes and particles. Private; gcc and NVRTC read it. What
 * kernels find are numbers in memory that host and device can access: places that are refused, the
 * first one of each kind, and counts. Not in this file: the kernels (*.cu), the code that fills the
 * blocks (exec/mesh). */
#ifndef PORTABLE__CUDA_MESH_H
#define PORTABLE__CUDA_MESH_H

#include "portable_mesh_views.h"

/* ---- reductions of rows, as struct portable__segmented ---- */

struct portable__cuda_segmented {
  const char *data;
  const void *row, *index;
  char *results, *partials;
  long long *long_row, *found; /* found: the first row and the first place of index that are refused */
  long long rows, entries, count, lower, slots;
  int row_bytes, index_bytes;
};

/* ---- rows of numbers ---- */

struct portable__cuda_rows {
  const void *given;    /* [count]: the row of each pair; the columns of a list; [rows] counts */
  const void *from_row; /* [from_rows + 1]: the rows of that list */
  void *keys, *values;  /* [count]: rows and items; sorted by rows before rows are made */
  void *row;            /* [rows + 1]: what is made */
  long long *sums;      /* [rows]: counts, then what is before each */
  long long *found;     /* the first pair or negative count; the first row or count that is too large; pairs without a row, or the sum of all counts */
  long long count, each, rows, from_rows, lower, most;
  int bytes; /* of all numbers */
};

/* ---- another order ---- */

struct portable__cuda_reorder {
  const void *order;
  char *data, *copy;
  unsigned *taken;  /* a bit for each element: order has its number */
  long long *found; /* the first place whose number is out of range; the least number that is there twice */
  long long count, lower, stride, element_bytes;
  int bytes, unit; /* of a number of order; to copy at a time */
};

/* ---- particles ---- */

struct portable__cuda_particles {
  portable_cell_list cells;
  portable_csr list;
  const void *position[3];
  double *x;        /* [places][rank]: positions in the order of cells */
  void *counts;     /* of neighbours */
  long long *found; /* the first particle that is outside, or has left its cell */
  double square, length[3]; /* length 0: not periodic */
  int kind, bytes, half;
};

/* ---- sets of numbers ---- */

struct portable__cuda_map {
  portable_index_map map;
  const void *given;
  void *keys, *place, *added, *numbers; /* numbers: of new keys, or the result of a search */
  unsigned char *is_new;                /* or NULL */
  long long *sums;                      /* [count]: 1 for a new key, then the running sum */
  long long *found;                     /* how many keys are new */
  long long count;
  int bytes;
};

/* ---- merges, as struct portable__merge ---- */

#define PORTABLE__CUDA_MERGE_PART 16 /* elements of a thread */

struct portable__cuda_merge {
  const char *a, *b, *a_values, *b_values;
  char *c, *c_values;
  long long *found; /* the first element of a, and of b, that is not in order */
  long long a_count, b_count, value_bytes;
  unsigned long long mask, flip, back; /* for keys of 8 bytes */
  int key_bytes, aligned, unit;
};

/* ---- what the kernels have in common ---- */

#if defined(__CUDACC__)
#define EACH(i, count) for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < (count); i += (long long)gridDim.x * blockDim.x)

static __device__ inline long long get(const void *at, int bytes, long long k) { return bytes == 4 ? (long long)((const int *)at)[k] : ((const long long *)at)[k]; }

static __device__ inline void put(void *at, int bytes, long long k, long long value) {
  if (bytes == 4) ((int *)at)[k] = (int)value;
  else ((long long *)at)[k] = value;
}

/* The unit divides the addresses and the count. */
static __device__ inline void copy(char *to, const char *from, long long bytes, int unit) {
  for (long long i = 0; i < bytes; i += unit)
    if (unit == 8) *(long long *)(to + i) = *(const long long *)(from + i);
    else if (unit == 4) *(int *)(to + i) = *(const int *)(from + i);
    else if (unit == 2) *(short *)(to + i) = *(const short *)(from + i);
    else to[i] = from[i];
}
#endif

#endif
