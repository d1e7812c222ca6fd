/* streams_kernels.h - the kernels of streams.c and streams.f90: one body each, which the host's
 * compiler compiles for streams.c, and the library for devices. Only additions, products and
 * quotients, which have the same bits everywhere. */
#include <portable_device.h>

typedef struct piece {
  const double *from;
  double *to;
  int64_t first; /* the number of the piece's first cell */
  int64_t base;  /* of the kernel's indices: 0 in C, 1 in Fortran */
  int64_t n;     /* cells of a piece, which Fortran's pointers need */
} piece;

/* A value that takes some work, of the number of a cell from 0 on only. */
PORTABLE_FUNCTION double field(int64_t i) {
  double f = 1 / (double)(i + 1);
  int k;
  for (k = 0; k < 40; k++) f = f + 0.01 * (1 / (1 + f * f) - f);
  return f;
}

PORTABLE_KERNEL(compute, piece, p) {
  PORTABLE_FOR_1(i) { p->to[i - p->base] = field(p->first + i - p->base); }
}

PORTABLE_KERNEL(copy, piece, p) {
  PORTABLE_FOR_1(i) { p->to[p->first + i - p->base] = p->from[i - p->base]; }
}
