/* portable_solver_columns.h - the bodies of portable_solvers.h for one kind of real. portable_solvers.h includes this file twice, and the
 * library's own device code (solve.cu) for arrays of any strides; programs include portable_solvers.h.
 *
 * PORTABLE__REAL is the type, PORTABLE__READ and PORTABLE__WRITE are arrays of it, PORTABLE__NAMED(name) is the name for that kind,
 * PORTABLE__PRODUCT(a, b) a product that no compiler joins with a sum. The order of operations is that of internal/kernels/solve: a change here is a change there.
 */

/* A pivot; of 0 it becomes NaN, so that no division by 0 raises a signal, and *zero is the number of its row from 1, if it is the first. */
PORTABLE__SOLVER PORTABLE__REAL PORTABLE__NAMED(portable__pivot)(PORTABLE__REAL pivot, int64_t row, int64_t *zero) {
  if (pivot == 0) {
    if (*zero == 0) *zero = row + 1;
    return PORTABLE__NAMED(portable__solver_nan)();
  }
  return pivot;
}

/* The coefficient of unknown j in row i of a periodic matrix: the sum of all that wrap round to it, from the lowest diagonal to the highest.
 * There are `bands` diagonals on each side. */
PORTABLE__SOLVER PORTABLE__REAL PORTABLE__NAMED(portable__wrapped)(int64_t n, int64_t stride, PORTABLE__READ const *diagonal, int bands, int64_t i,
                                                                int64_t j) {
  PORTABLE__REAL sum = 0;
  int64_t o;
  for (o = -bands; o <= bands; o++)
    if (((i + o) % n + n) % n == j) sum = sum + diagonal[o + bands][i * stride];
  return sum;
}

PORTABLE__SOLVER int64_t PORTABLE__NAMED(portable_tridiagonal_column)(int64_t n, int64_t stride, PORTABLE__READ lower, PORTABLE__READ diag,
                                                                   PORTABLE__READ upper, PORTABLE__WRITE rhs, PORTABLE__WRITE work) {
  PORTABLE__REAL pivot, factor, d, x;
  int64_t i, zero = 0;
  if (n < 1) return 0;
  work[0] = pivot = PORTABLE__NAMED(portable__pivot)(diag[0], 0, &zero);
  d = rhs[0];
  for (i = 1; i < n; i++) {
    factor = lower[i * stride] / pivot;
    pivot = diag[i * stride] - PORTABLE__PRODUCT(factor, upper[(i - 1) * stride]);
    work[i] = pivot = PORTABLE__NAMED(portable__pivot)(pivot, i, &zero);
    rhs[i * stride] = d = rhs[i * stride] - PORTABLE__PRODUCT(factor, d);
  }
  rhs[(n - 1) * stride] = x = d / pivot;
  for (i = n - 2; i >= 0; i--) rhs[i * stride] = x = (rhs[i * stride] - PORTABLE__PRODUCT(upper[i * stride], x)) / work[i];
  return zero;
}

PORTABLE__SOLVER int64_t PORTABLE__NAMED(portable_tridiagonal_periodic_column)(int64_t n, int64_t stride, PORTABLE__READ lower,
                                                                            PORTABLE__READ diag, PORTABLE__READ upper,
                                                                            PORTABLE__WRITE rhs, PORTABLE__WRITE work) {
  PORTABLE__READ diagonal[3];
  PORTABLE__REAL pivot = 1, factor, below, side = 0, last, sum, edge = 0, d = 0, x;
  PORTABLE__WRITE const column = work + n; /* of the last unknown */
  const int64_t m = n - 1;
  int64_t i, zero = 0;
  if (n < 1) return 0;
  diagonal[0] = lower;
  diagonal[1] = diag;
  diagonal[2] = upper;
  last = PORTABLE__NAMED(portable__wrapped)(n, stride, diagonal, 1, m, m);
  sum = rhs[m * stride];
  if (m > 0) side = PORTABLE__NAMED(portable__wrapped)(n, stride, diagonal, 1, m, 0);
  for (i = 0; i < m; i++) {
    const PORTABLE__REAL above = edge;
    edge = i < 1 || i + 1 >= m ? PORTABLE__NAMED(portable__wrapped)(n, stride, diagonal, 1, i, m) : 0;
    if (i > 0) {
      factor = lower[i * stride] / pivot;
      pivot = diag[i * stride] - PORTABLE__PRODUCT(factor, upper[(i - 1) * stride]);
      edge = edge - PORTABLE__PRODUCT(factor, above);
      rhs[i * stride] = d = rhs[i * stride] - PORTABLE__PRODUCT(factor, d);
    } else {
      pivot = diag[0];
      d = rhs[0];
    }
    work[i] = pivot = PORTABLE__NAMED(portable__pivot)(pivot, i, &zero);
    column[i] = edge;
    below = side / pivot;
    last = last - PORTABLE__PRODUCT(below, edge);
    sum = sum - PORTABLE__PRODUCT(below, d);
    if (i + 1 < m) {
      side = i + 2 >= m ? PORTABLE__NAMED(portable__wrapped)(n, stride, diagonal, 1, m, i + 1) : 0;
      side = side - PORTABLE__PRODUCT(below, upper[i * stride]);
    }
  }
  last = PORTABLE__NAMED(portable__pivot)(last, m, &zero);
  rhs[m * stride] = sum = sum / last;
  for (i = m - 1, x = 0; i >= 0; i--) {
    d = rhs[i * stride];
    if (i + 1 < m) d = d - PORTABLE__PRODUCT(upper[i * stride], x);
    d = d - PORTABLE__PRODUCT(column[i], sum);
    rhs[i * stride] = x = d / work[i];
  }
  return zero;
}

PORTABLE__SOLVER int64_t PORTABLE__NAMED(portable_pentadiagonal_column)(int64_t n, int64_t stride, PORTABLE__READ lower2,
                                                                     PORTABLE__READ lower, PORTABLE__READ diag,
                                                                     PORTABLE__READ upper, PORTABLE__READ upper2,
                                                                     PORTABLE__WRITE rhs, PORTABLE__WRITE work) {
  PORTABLE__WRITE const next = work + n; /* the first diagonal above the pivots */
  PORTABLE__REAL pivot, factor, factor2 = 0, d, x1 = 0, x2 = 0;
  int64_t i, zero = 0;
  for (i = 0; i < n; i++) {
    pivot = diag[i * stride];
    d = rhs[i * stride];
    if (i >= 2) {
      factor2 = lower2[i * stride] / work[i - 2];
      pivot = pivot - PORTABLE__PRODUCT(factor2, upper2[(i - 2) * stride]);
      d = d - PORTABLE__PRODUCT(factor2, rhs[(i - 2) * stride]);
    }
    if (i + 1 < n) next[i] = upper[i * stride];
    if (i >= 1) {
      factor = lower[i * stride];
      if (i >= 2) factor = factor - PORTABLE__PRODUCT(factor2, next[i - 2]);
      factor = factor / work[i - 1];
      pivot = pivot - PORTABLE__PRODUCT(factor, next[i - 1]);
      if (i + 1 < n) next[i] = next[i] - PORTABLE__PRODUCT(factor, upper2[(i - 1) * stride]);
      d = d - PORTABLE__PRODUCT(factor, rhs[(i - 1) * stride]);
    }
    work[i] = PORTABLE__NAMED(portable__pivot)(pivot, i, &zero);
    rhs[i * stride] = d;
  }
  for (i = n - 1; i >= 0; i--) {
    d = rhs[i * stride];
    if (i + 1 < n) d = d - PORTABLE__PRODUCT(next[i], x1);
    if (i + 2 < n) d = d - PORTABLE__PRODUCT(upper2[i * stride], x2);
    x2 = x1;
    rhs[i * stride] = x1 = d / work[i];
  }
  return zero;
}

PORTABLE__SOLVER int64_t PORTABLE__NAMED(portable_pentadiagonal_periodic_column)(int64_t n, int64_t stride, PORTABLE__READ lower2,
                                                                              PORTABLE__READ lower, PORTABLE__READ diag,
                                                                              PORTABLE__READ upper, PORTABLE__READ upper2,
                                                                              PORTABLE__WRITE rhs, PORTABLE__WRITE work) {
  PORTABLE__WRITE const next = work + n;
  PORTABLE__WRITE const column = work + 2 * n; /* column: of the unknowns that close the circle, two to a row */
  PORTABLE__READ diagonal[5];
  const int borders = n < 2 ? 1 : 2;
  const int64_t m = n - borders;
  PORTABLE__REAL side[2][2], block[2][2], sum[2], pivot, factor, factor2, d, x1 = 0, x2 = 0;
  int64_t i, zero = 0;
  int r, k;
  if (n < 1) return 0;
  diagonal[0] = lower2;
  diagonal[1] = lower;
  diagonal[2] = diag;
  diagonal[3] = upper;
  diagonal[4] = upper2;
  for (r = 0; r < borders; r++) {
    for (k = 0; k < borders; k++) block[r][k] = PORTABLE__NAMED(portable__wrapped)(n, stride, diagonal, 2, m + r, m + k);
    for (k = 0; k < 2; k++) side[r][k] = k < m ? PORTABLE__NAMED(portable__wrapped)(n, stride, diagonal, 2, m + r, k) : 0;
    sum[r] = rhs[(m + r) * stride];
  }
  for (i = 0; i < m; i++) {
    PORTABLE__WRITE const edge = column + 2 * i;
    factor = factor2 = 0;
    pivot = diag[i * stride];
    d = rhs[i * stride];
    if (i >= 2) {
      factor2 = lower2[i * stride] / work[i - 2];
      pivot = pivot - PORTABLE__PRODUCT(factor2, upper2[(i - 2) * stride]);
      d = d - PORTABLE__PRODUCT(factor2, rhs[(i - 2) * stride]);
    }
    if (i + 1 < m) next[i] = upper[i * stride];
    if (i >= 1) {
      factor = lower[i * stride];
      if (i >= 2) factor = factor - PORTABLE__PRODUCT(factor2, next[i - 2]);
      factor = factor / work[i - 1];
      pivot = pivot - PORTABLE__PRODUCT(factor, next[i - 1]);
      if (i + 1 < m) next[i] = next[i] - PORTABLE__PRODUCT(factor, upper2[(i - 1) * stride]);
      d = d - PORTABLE__PRODUCT(factor, rhs[(i - 1) * stride]);
    }
    work[i] = pivot = PORTABLE__NAMED(portable__pivot)(pivot, i, &zero);
    rhs[i * stride] = d;
    for (k = 0; k < borders; k++) {
      edge[k] = i < 2 || i + 2 >= m ? PORTABLE__NAMED(portable__wrapped)(n, stride, diagonal, 2, i, m + k) : 0;
      if (i >= 2) edge[k] = edge[k] - PORTABLE__PRODUCT(factor2, edge[k - 4]);
      if (i >= 1) edge[k] = edge[k] - PORTABLE__PRODUCT(factor, edge[k - 2]);
    }
    for (r = 0; r < borders; r++) {
      const PORTABLE__REAL below = side[r][0] / pivot;
      for (k = 0; k < borders; k++) block[r][k] = block[r][k] - PORTABLE__PRODUCT(below, edge[k]);
      sum[r] = sum[r] - PORTABLE__PRODUCT(below, d);
      if (i + 1 < m) side[r][0] = side[r][1] - PORTABLE__PRODUCT(below, next[i]);
      if (i + 2 < m) {
        side[r][1] = i + 4 >= m ? PORTABLE__NAMED(portable__wrapped)(n, stride, diagonal, 2, m + r, i + 2) : 0;
        side[r][1] = side[r][1] - PORTABLE__PRODUCT(below, upper2[i * stride]);
      }
    }
  }
  block[0][0] = PORTABLE__NAMED(portable__pivot)(block[0][0], m, &zero);
  if (borders == 2) {
    factor = block[1][0] / block[0][0];
    pivot = block[1][1] - PORTABLE__PRODUCT(factor, block[0][1]);
    pivot = PORTABLE__NAMED(portable__pivot)(pivot, m + 1, &zero);
    sum[1] = (sum[1] - PORTABLE__PRODUCT(factor, sum[0])) / pivot;
    sum[0] = sum[0] - PORTABLE__PRODUCT(block[0][1], sum[1]);
  }
  sum[0] = sum[0] / block[0][0];
  for (r = 0; r < borders; r++) rhs[(m + r) * stride] = sum[r];
  for (i = m - 1; i >= 0; i--) {
    d = rhs[i * stride];
    if (i + 1 < m) d = d - PORTABLE__PRODUCT(next[i], x1);
    if (i + 2 < m) d = d - PORTABLE__PRODUCT(upper2[i * stride], x2);
    for (k = 0; k < borders; k++) d = d - PORTABLE__PRODUCT(column[2 * i + k], sum[k]);
    x2 = x1;
    rhs[i * stride] = x1 = d / work[i];
  }
  return zero;
}
