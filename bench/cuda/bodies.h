/* bodies.h - the loops of portable.c, as kernels of one body each: portable.c includes it for the
 * host's version, and the library compiles it for the device. */
#ifndef BENCH_CUDA_BODIES_H
#define BENCH_CUDA_BODIES_H

#define PORTABLE_INDEX int32_t
#include <portable_device_reduce.h>
#if !PORTABLE_ON_DEVICE && !defined(__CUDACC_RTC__)
#include <math.h>
#endif

#define TILE_SIDE 32

typedef struct empty_args { int64_t n; } empty_args;
typedef struct fill_args { double *x; int64_t period; double first; } fill_args;
typedef struct triad_args { double *a; const double *b, *c; double s; } triad_args;
typedef struct stencil_args { double *to; const double *from; int64_t n; double f; } stencil_args;
typedef struct max_stable_dt_args { const double *h, *u, *v; } max_stable_dt_args;
typedef struct product_args { double *c; const double *a, *b; int64_t n; } product_args;

PORTABLE_KERNEL(empty, empty_args, a) { (void)a; }

PORTABLE_KERNEL(fill, fill_args, a) {
  PORTABLE_FOR_1(i) { a->x[i] = a->first + (double)(i % a->period); }
}

PORTABLE_KERNEL(triad, triad_args, a) {
  PORTABLE_FOR_1(i) { a->a[i] = a->b[i] + a->s * a->c[i]; }
}

/* Indices 1 to n in Fortran's order, the cube from 0 to n+1. */
PORTABLE_KERNEL(stencil, stencil_args, a) {
  const int64_t row = a->n + 2, plane = row * row;
  PORTABLE_FOR_3(i, j, k) {
    const int64_t at = k * plane + j * row + i;
    const double *from = a->from + at;
    a->to[at] = from[0] + a->f * (from[-1] + from[1] + from[-row] + from[row] + from[-plane] + from[plane] - 6 * from[0]);
  }
}

#define STEP(RESULT) RESULT(MIN, double, dt)
PORTABLE_REDUCE_KERNEL_1(max_stable_dt, max_stable_dt_args, a, i, give, STEP) {
  const double wave = sqrt(9.81 * a->h[i]);
  const double dx = 50 / (fabs(a->u[i]) + wave + 1e-15), dy = 45 / (fabs(a->v[i]) + wave + 1e-15);
  give->dt = dx < dy ? dx : dy;
}

/* One tile of the product of two matrices of n x n, in C order, by a team of TILE_SIDE^2 members: team->index is line
 * and column of the tile. */
PORTABLE_TEAM_KERNEL(product, product_args, team, a) {
  double *at = (double *)team->scratch, *bt = at + TILE_SIDE * TILE_SIDE, *sum = bt + TILE_SIDE * TILE_SIDE;
  const int64_t n = a->n, line = team->index[0] * TILE_SIDE, column = team->index[1] * TILE_SIDE;
  int64_t k;
  PORTABLE_INNER_FOR(team, e, 0, TILE_SIDE * TILE_SIDE - 1) { sum[e] = 0; }
  for (k = 0; k < n; k += TILE_SIDE) {
    PORTABLE_INNER_FOR(team, e, 0, TILE_SIDE * TILE_SIDE - 1) {
      at[e] = a->a[(line + e / TILE_SIDE) * n + k + e % TILE_SIDE];
      bt[e] = a->b[(k + e / TILE_SIDE) * n + column + e % TILE_SIDE];
    }
    portable_fence_inner(team);
    PORTABLE_INNER_FOR(team, e, 0, TILE_SIDE * TILE_SIDE - 1) {
      double s = sum[e];
      int m;
      for (m = 0; m < TILE_SIDE; m++) s += at[e / TILE_SIDE * TILE_SIDE + m] * bt[m * TILE_SIDE + e % TILE_SIDE];
      sum[e] = s;
    }
    portable_fence_inner(team);
  }
  PORTABLE_INNER_FOR(team, e, 0, TILE_SIDE * TILE_SIDE - 1) { a->c[(line + e / TILE_SIDE) * n + column + e % TILE_SIDE] = sum[e]; }
}

#endif
