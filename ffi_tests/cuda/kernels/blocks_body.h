/* blocks_body.h - block kernels of one body for host and device, for blocks.c here and in ffi_tests/blocks. */
#include <portable_blocks.h>

#define TILE 8
typedef struct product_args { const double *x, *y; double *z; int32_t n, reserved; } product_args;
PORTABLE_BLOCK_KERNEL(product, product_args, b, a) {
  PORTABLE_SHARED(b, double, xs, TILE * TILE);
  PORTABLE_SHARED(b, double, ys, TILE * TILE);
  const int ty = b->thread[0], tx = b->thread[1], n = a->n;
  const int row = (int)b->index[0] * TILE + ty, column = (int)b->index[1] * TILE + tx;
  double sum = 0;
  for (int k = 0; k < n; k += TILE) {
    xs[ty * TILE + tx] = a->x[row * n + k + tx];
    ys[ty * TILE + tx] = a->y[(k + ty) * n + column];
    portable_block_barrier(b);
    for (int l = 0; l < TILE; l++) sum += xs[ty * TILE + l] * ys[l * TILE + tx];
    portable_block_barrier(b);
  }
  a->z[row * n + column] = sum;
}

#define LINE_WIDTH 48
typedef struct line_args { const double *in; double *sums, *running; } line_args;
PORTABLE_BLOCK_KERNEL(lines, line_args, b, a) {
  double *line = (double *)b->scratch;
  const int t = b->thread[0];
  int from = 0;
  line[t] = a->in[b->index[0] * LINE_WIDTH + t];
  for (int d = 1; d < LINE_WIDTH; d *= 2) {
    portable_block_barrier(b);
    line[(1 - from) * LINE_WIDTH + t] = t < d ? line[from * LINE_WIDTH + t] : line[from * LINE_WIDTH + t - d] + line[from * LINE_WIDTH + t];
    from = 1 - from;
  }
  a->running[b->index[0] * LINE_WIDTH + t] = line[from * LINE_WIDTH + t];
  portable_block_barrier(b);
  line[t] = a->in[b->index[0] * LINE_WIDTH + t];
  for (int half = LINE_WIDTH / 2; half >= 3; half /= 2) {
    portable_block_barrier(b);
    if (t < half) line[t] += line[t + half];
  }
  portable_block_barrier(b);
  if (t == 0) a->sums[b->index[0]] = line[0] + line[1] + line[2];
}

typedef struct count_args { const unsigned char *in; int32_t *bins; int32_t n, blocks; } count_args;
PORTABLE_BLOCK_KERNEL(histogram, count_args, b, a) {
  PORTABLE_SHARED(b, int32_t, own, 256);
  for (int k = b->member; k < 256; k += b->size) own[k] = 0;
  portable_block_barrier(b);
  for (int i = (int)b->index[0] * b->size + b->member; i < a->n; i += a->blocks * b->size) portable_atomic_add_int32(&own[a->in[i]], 1);
  portable_block_barrier(b);
  for (int k = b->member; k < 256; k += b->size) portable_atomic_add_int32(&a->bins[k], own[k]);
}

/* Each thread says where it is. */
typedef struct seen_args { int32_t *seen; int64_t lower[3], extent[3]; int32_t order, fails; } seen_args;
PORTABLE_BLOCK_KERNEL(seen, seen_args, b, a) {
  int64_t at = 0, member = 0;
  for (int k = 0; k < b->rank; k++) {
    const int d = a->order == PORTABLE_ORDER_FORTRAN ? b->rank - 1 - k : k;
    at = at * a->extent[d] + b->index[d] - a->lower[d];
    member = member * b->threads[d] + b->thread[d];
  }
  if (member == b->member) portable_atomic_add_int32(&a->seen[at * b->size + member], 1);
  if (a->fails && at == 2 && member == 1) PORTABLE_FAIL(9, "thread 1 of block 2");
}
