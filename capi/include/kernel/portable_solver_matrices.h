/* portable_solver_matrices.h - inverses of small matrices for one kind of real. portable_solvers.h includes this file twice; programs include
 * portable_solvers.h.
 *
 * PORTABLE__REAL is the type, PORTABLE__BITS the unsigned integer of its size, PORTABLE__NAMED(name) the name for that kind, PORTABLE__PRODUCT(a, b)
 * a product that no compiler joins with a sum. The order of operations is that of matinv in portable_solvers_mod: a change here is a change there.
 */

/* Reports whether |a| is larger than |b|, by their bits: no signal of a NaN, which counts as larger than numbers. */
PORTABLE__SOLVER int PORTABLE__NAMED(portable__larger)(PORTABLE__REAL a, PORTABLE__REAL b) {
  PORTABLE__BITS of_a, of_b;
  memcpy(&of_a, &a, sizeof a);
  memcpy(&of_b, &b, sizeof b);
  return (PORTABLE__BITS)(of_a << 1) > (PORTABLE__BITS)(of_b << 1);
}

PORTABLE__SOLVER int64_t PORTABLE__NAMED(portable_matinv)(int64_t n, const PORTABLE__REAL *a, PORTABLE__REAL *inverse, PORTABLE__REAL *work) {
  int64_t d, i, j;
  for (i = 0; i < n * n; i++) work[i] = a[i];
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) inverse[i * n + j] = i == j ? (PORTABLE__REAL)1 : (PORTABLE__REAL)0;
  for (d = 0; d < n; d++) {
    PORTABLE__REAL factor;
    int64_t pivot = d;
    for (i = d + 1; i < n; i++)
      if (PORTABLE__NAMED(portable__larger)(work[i * n + d], work[pivot * n + d])) pivot = i;
    if (!PORTABLE__NAMED(portable__larger)(work[pivot * n + d], 0)) {
      for (i = 0; i < n * n; i++) inverse[i] = PORTABLE__NAMED(portable__solver_nan)();
      return d + 1;
    }
    for (j = 0; j < n && pivot != d; j++) {
      const PORTABLE__REAL of_work = work[d * n + j], of_inverse = inverse[d * n + j];
      work[d * n + j] = work[pivot * n + j];
      work[pivot * n + j] = of_work;
      inverse[d * n + j] = inverse[pivot * n + j];
      inverse[pivot * n + j] = of_inverse;
    }
    factor = 1 / work[d * n + d];
    for (j = d + 1; j < n; j++) work[d * n + j] = work[d * n + j] * factor;
    for (j = 0; j < n; j++) inverse[d * n + j] = inverse[d * n + j] * factor;
    for (i = 0; i < n; i++) {
      const PORTABLE__REAL below = work[i * n + d];
      if (i == d) continue;
      for (j = d + 1; j < n; j++) work[i * n + j] = work[i * n + j] - PORTABLE__PRODUCT(below, work[d * n + j]);
      for (j = 0; j < n; j++) inverse[i * n + j] = inverse[i * n + j] - PORTABLE__PRODUCT(below, inverse[d * n + j]);
    }
  }
  return 0;
}
