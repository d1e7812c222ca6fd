/* blocks.h - the loops of Alpaka's paper and updates of shared variables, by each engine:
 * blocks_portable.cpp and blocks_openmp.cpp. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <cstdint>

/* Size of a block of C, and of the tiles of A and B: 16 KiB each. */
constexpr int block_rows = 64, block_columns = 64, block_depth = 32;

void start();
int threads();

/* y = a x + y */
void daxpy(std::int64_t n, double a, const double *x, double *y);
/* C = alpha A B + beta C, n x n, the last index the fastest, in tiles that are copied */
void dgemm(int n, double alpha, const double *a, const double *b, double beta, double *c);
/* Each thread adds 1 so many times: all of them to sum[0], or each to a place of its own, 16 numbers apart. */
void add_integers(std::int64_t times, bool together, std::int64_t *sum);
void add_reals(std::int64_t times, bool together, double *sum);

#endif
