/* oracles.c - solutions are right: against dense elimination with pivoting, LAPACK's gtsv and gbsv where it was found, integer systems that are solved
 * exactly, matrices whose solutions are sines. The inline forms; systems.c says that whole arrays have their bits. */
#include "check.h"

#include <math.h>
#include <portable_solvers.h>

#define MOST 300

static double band[5][MOST], right[MOST], x[MOST], work[4 * MOST];

static double number(void) {
  static uint64_t state = 7;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) / 9007199254740992.0 - 0.5;
}

static int64_t solve(int side, int periodic, int64_t n) {
  memcpy(x, right, sizeof x);
  if (side == 1)
    return (periodic ? portable_tridiagonal_periodic_column_real64 : portable_tridiagonal_column_real64)(n, 1, band[0], band[1], band[2], x, work);
  return (periodic ? portable_pentadiagonal_periodic_column_real64 : portable_pentadiagonal_column_real64)(n, 1, band[0], band[1], band[2], band[3], band[4], x, work);
}

static long double matrix[MOST][MOST + 1];

static void fill_matrix(int side, int periodic, int n) {
  memset(matrix, 0, sizeof matrix);
  for (int i = 0; i < n; i++) {
    for (int o = -side; o <= side; o++) {
      int j = i + o;
      if (periodic) j = ((j % n) + n) % n;
      if (j >= 0 && j < n) matrix[i][j] += band[o + side][i];
    }
    matrix[i][n] = right[i];
  }
}

/* Dense elimination with partial pivoting; the solution is column n. 0: singular. */
static int dense(int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabsl(matrix[i][k]) > fabsl(matrix[best][k])) best = i;
    if (matrix[best][k] == 0) return 0;
    for (int j = 0; j <= n; j++) {
      const long double t = matrix[k][j];
      matrix[k][j] = matrix[best][j], matrix[best][j] = t;
    }
    for (int i = 0; i < n; i++) {
      const long double f = i == k ? 0 : matrix[i][k] / matrix[k][k];
      for (int j = k; j <= n && f != 0; j++) matrix[i][j] -= f * matrix[k][j];
    }
  }
  for (int i = 0; i < n; i++) matrix[i][n] /= matrix[i][i];
  return 1;
}

static void random_systems(void) {
  for (int side = 1; side <= 2; side++)
    for (int periodic = 0; periodic < 2; periodic++)
      for (int n = 1; n <= 60; n += n < 12 ? 1 : 7)
        for (int again = 0; again < 5; again++) {
          double most = 0, apart = 0;
          for (int i = 0; i < n; i++) {
            for (int k = 0; k < 5; k++) band[k][i] = number();
            band[side][i] += again ? 3 : -3;
            right[i] = number();
          }
          CHECK(solve(side, periodic, n) == 0);
          fill_matrix(side, periodic, n);
          CHECK(dense(n));
          for (int i = 0; i < n; i++) {
            most = fmax(most, fabs(x[i]));
            apart = fmax(apart, fabs(x[i] - (double)matrix[i][n]));
          }
          CHECK(apart <= 64 * 2.3e-16 * most);
        }
}

/* A product of triangular matrices of small integers with pivots of powers of 2: every step is exact. */
static void integer_systems(void) {
  for (int side = 1; side <= 2; side++)
    for (int n = 1; n < 40; n++) {
      double low[2][MOST], up[2][MOST], pivot[MOST], want[MOST];
      for (int i = 0; i < n; i++) {
        low[0][i] = i % 3 - 1, low[1][i] = side == 2 ? i % 2 : 0;
        up[0][i] = i % 5 - 2, up[1][i] = side == 2 ? 1 - i % 3 : 0;
        pivot[i] = 1 << i % 4;
        want[i] = i % 7 - 3;
      }
      for (int i = 0; i < n; i++) { /* row i of L U: L has 1 on its diagonal, and low[o - 1][i] times the pivot below it */
        double row[5] = {0, 0, pivot[i], up[0][i], up[1][i]};
        for (int o = 1; o <= side && o <= i; o++) {
          const double f = low[o - 1][i];
          row[2 - o] += f * pivot[i - o];
          row[3 - o] += f * up[0][i - o];
          row[4 - o] += f * up[1][i - o];
        }
        right[i] = 0;
        for (int k = 0; k < 5; k++) {
          const int j = i + k - 2;
          if (j >= 0 && j < n) right[i] += row[k] * want[j];
          if (k >= 2 - side && k <= 2 + side) band[k - 2 + side][i] = row[k];
        }
      }
      CHECK(solve(side, 0, n) == 0);
      for (int i = 0; i < n; i++) CHECK(x[i] == want[i]);
    }
}

/* The eigenvectors of (-1, 2, -1) and of its square with the same ends are sines; periodic ones are too. */
static void sines(void) {
  const double pi = acos(-1.0);
  const int n = 255;
  for (int wave = 1; wave < 6; wave++)
    for (int periodic = 0; periodic < 2; periodic++) {
      const double step = periodic ? 2 * pi * wave / n : pi * wave / (n + 1), eigen = 2 - 2 * cos(step) + 0.5;
      for (int i = 0; i < n; i++) {
        band[0][i] = band[2][i] = -1;
        band[1][i] = 2.5;
        right[i] = eigen * sin(step * (i + 1));
      }
      CHECK(solve(1, periodic, n) == 0);
      for (int i = 0; i < n; i++) CHECK(fabs(x[i] - sin(step * (i + 1))) < 1e-12);
      for (int i = 0; i < n; i++) { /* fourth differences */
        band[0][i] = band[4][i] = 1;
        band[1][i] = band[3][i] = -4;
        band[2][i] = 6 + 0.5 - (!periodic && (i == 0 || i == n - 1));
        right[i] = ((eigen - 0.5) * (eigen - 0.5) + 0.5) * sin(step * (i + 1));
      }
      CHECK(solve(2, periodic, n) == 0);
      for (int i = 0; i < n; i++) CHECK(fabs(x[i] - sin(step * (i + 1))) < 1e-10);
    }
}

#ifdef LAPACK
void dgtsv_(const int *n, const int *nrhs, double *dl, double *d, double *du, double *b, const int *ldb, int *info);
void dgbsv_(const int *n, const int *kl, const int *ku, const int *nrhs, double *ab, const int *ldab, int *ipiv, double *b, const int *ldb, int *info);

static void lapack(void) {
  static double ab[7 * MOST], b[MOST];
  int pivots[MOST], info = 1, one = 1, two = 2, seven = 7;
  for (int n = 1; n < 200; n += 11) {
    double most = 0, apart = 0;
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < 5; k++) band[k][i] = number();
      band[1][i] += 3;
      b[i] = right[i] = number();
    }
    CHECK(solve(1, 0, n) == 0);
    dgtsv_(&n, &one, band[0] + 1, band[1], band[2], b, &n, &info);
    CHECK(info == 0);
    for (int i = 0; i < n; i++) most = fmax(most, fabs(b[i])), apart = fmax(apart, fabs(b[i] - x[i]));
    CHECK(apart <= 32 * 2.3e-16 * most);
    most = apart = 0;
    memset(ab, 0, sizeof ab);
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < 5; k++) band[k][i] = number();
      band[2][i] += 3;
      b[i] = right[i] = number();
      for (int k = 0; k < 5; k++)
        if (i + k - 2 >= 0 && i + k - 2 < n) ab[(i + k - 2) * 7 + 4 - (k - 2)] = band[k][i];
    }
    CHECK(solve(2, 0, n) == 0);
    dgbsv_(&n, &two, &two, &one, ab, &seven, pivots, b, &n, &info);
    CHECK(info == 0);
    for (int i = 0; i < n; i++) most = fmax(most, fabs(b[i])), apart = fmax(apart, fabs(b[i] - x[i]));
    CHECK(apart <= 32 * 2.3e-16 * most);
  }
}
#else
static void lapack(void) { printf("LAPACK was not found: not compared with it\n"); }
#endif

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  random_systems();
  integer_systems();
  sines();
  lapack();
  return check_end();
}
