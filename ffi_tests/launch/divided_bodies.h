/* divided_bodies.h - the kernels of divided.c and divided.cpp, one body each: included by the host's programs, and compiled by NVRTC from the same
 * file. On a device they tell the shape of their block and grid, too. Not in this file: Fortran's (divided.f90). */
#include <portable_device.h>

typedef struct plane_args {
  const double *in;
  double *out;
  int64_t *seen; /* on a device: threads along x, y, z, blocks along x, y, z */
  int64_t rows;  /* the distance of neighbours along the second index */
} plane_args;

#if PORTABLE_ON_DEVICE
#define TELL_SHAPE(seen)                                                              \
  do {                                                                                \
    (seen)[0] = blockDim.x, (seen)[1] = blockDim.y, (seen)[2] = blockDim.z;           \
    (seen)[3] = gridDim.x, (seen)[4] = gridDim.y, (seen)[5] = gridDim.z;              \
  } while (0)
#else
#define TELL_SHAPE(seen) ((seen)[0] = 0)
#endif

PORTABLE_KERNEL(plane, plane_args, a) {
  PORTABLE_FOR_2(i, j) {
    if (i == 0 && j == 0) TELL_SHAPE(a->seen);
    a->out[i + a->rows * j] = a->in[i + a->rows * j] / 7.0 + 0.1 * (double)i - 1e-3 * (double)j;
  }
}

typedef struct blocks_args {
  portable_work_division w;
  const double *in;
  double *out;
  int64_t *seen;
  int64_t rows;
} blocks_args;

/* Each element gets what it has, and what the opposite one of its block has: through scratch, so that a team needs its fence. */
PORTABLE_TEAM_KERNEL(blocks, blocks_args, team, a) {
  double *copy = (double *)team->scratch;
  int64_t from[PORTABLE_LOOP_RANK], to[PORTABLE_LOOP_RANK], lo[PORTABLE_LOOP_RANK], up[PORTABLE_LOOP_RANK];
  portable_work_box(&a->w, team->index, (const int64_t *)0, from, to);
  const int64_t height = to[0] - from[0] + 1;
  for (int32_t part = 0; portable_work_part(&a->w, team, part, lo, up); part++)
    for (int64_t j = lo[1]; j <= up[1]; j++)
      for (int64_t i = lo[0]; i <= up[0]; i++) copy[i - from[0] + height * (j - from[1])] = a->in[i + a->rows * j];
  portable_fence_inner(team);
  for (int32_t part = 0; portable_work_part(&a->w, team, part, lo, up); part++)
    for (int64_t j = lo[1]; j <= up[1]; j++)
      for (int64_t i = lo[0]; i <= up[0]; i++)
        a->out[i + a->rows * j] = 3.0 * copy[i - from[0] + height * (j - from[1])] - copy[to[0] - i + height * (to[1] - j)] / 3.0;
  if (team->index[0] == 0 && team->index[1] == 0 && portable_single_inner(team)) TELL_SHAPE(a->seen);
}
