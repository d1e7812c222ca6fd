/* mesh.h - arguments of the kernels of meshes and particles. Private; gcc and NVRTC read it, so it
 * has no types but C's own. Numbers called found are in memory that host and device can access.
 * Not in this file: the kernels (*.cu), the code that fills the blocks (exec/mesh). */
#ifndef PORTABLE__CUDA_MESH_H
#define PORTABLE__CUDA_MESH_H

/* ---- reductions of rows, as struct portable__segmented ---- */

struct portable__cuda_segmented {
  const char *data;
  const void *row, *index;
  char *results, *partials;
  long long *long_row, *found; /* found: the first row and the first place of index that are refused */
  long long rows, entries, count, lower, slots;
  int row_bytes, index_bytes;
};

#endif
