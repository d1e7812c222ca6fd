/* bodies.h - the kernels of this room, one body each: included by the host's program, and compiled by NVRTC from the same file. The change of an
 * element by each kernel tells which index it ran for, how often, and in which dimension. Not in this file: C++ (bodies.hpp). */
#include <portable_device.h>

typedef struct mark_args {
  int64_t *out;          /* [count] */
  int64_t first[8], size[8]; /* the element of an index: sum of (index - first) * size */
  double scale;
} mark_args;

#define MARK1(i) ((i)-a->first[0]) * a->size[0]
#define MARK2(i, j) MARK1(i) + ((j)-a->first[1]) * a->size[1]
#define MARK3(i, j, k) MARK2(i, j) + ((k)-a->first[2]) * a->size[2]
#define MARK4(i, j, k, l) MARK3(i, j, k) + ((l)-a->first[3]) * a->size[3]
#define MARK5(i, j, k, l, m) MARK4(i, j, k, l) + ((m)-a->first[4]) * a->size[4]
#define MARK6(i, j, k, l, m, n) MARK5(i, j, k, l, m) + ((n)-a->first[5]) * a->size[5]
#define MARK7(i, j, k, l, m, n, o) MARK6(i, j, k, l, m, n) + ((o)-a->first[6]) * a->size[6]
#define MARK8(i, j, k, l, m, n, o, p) MARK7(i, j, k, l, m, n, o) + ((p)-a->first[7]) * a->size[7]

PORTABLE_KERNEL(mark_1, mark_args, a) {
  PORTABLE_FOR_1(i) { a->out[MARK1(i)] += 1 + i; }
}
PORTABLE_KERNEL(mark_2, mark_args, a) {
  PORTABLE_FOR_2(i, j) {
    if ((i + j) % 7 == 3) continue;
    a->out[MARK2(i, j)] += 1 + i + 10 * j;
  }
}
PORTABLE_KERNEL(mark_3, mark_args, a) {
  PORTABLE_FOR_3(i, j, k) { a->out[MARK3(i, j, k)] += 1 + i + 10 * j + 100 * k; }
}
PORTABLE_KERNEL(mark_4, mark_args, a) {
  PORTABLE_FOR_4(i, j, k, l) { a->out[MARK4(i, j, k, l)] += 1 + i + 10 * j + 100 * k + 1000 * l; }
}
PORTABLE_KERNEL(mark_5, mark_args, a) {
  PORTABLE_FOR_5(i, j, k, l, m) { a->out[MARK5(i, j, k, l, m)] += 1 + i + 10 * j + 100 * k + 1000 * l + 3 * m; }
}
PORTABLE_KERNEL(mark_6, mark_args, a) {
  PORTABLE_FOR_6(i, j, k, l, m, n) { a->out[MARK6(i, j, k, l, m, n)] += 1 + i + 10 * j + 100 * k + 1000 * l + 3 * m + 5 * n; }
}
PORTABLE_KERNEL(mark_7, mark_args, a) {
  PORTABLE_FOR_7(i, j, k, l, m, n, o) { a->out[MARK7(i, j, k, l, m, n, o)] += 1 + i + 10 * j + 100 * k + 1000 * l + 3 * m + 5 * n + 7 * o; }
}
PORTABLE_KERNEL(mark_8, mark_args, a) {
  PORTABLE_FOR_8(i, j, k, l, m, n, o, p) { a->out[MARK8(i, j, k, l, m, n, o, p)] += 1 + i + 10 * j + 100 * k + 1000 * l + 3 * m + 5 * n + 7 * o + 9 * p; }
}

/* Products and sums whose bits show a contraction. */
typedef struct wave_args {
  portable_view_2 to, from;
  double c;
  portable_liveout_argument corner;
} wave_args;
PORTABLE_KERNEL(wave, wave_args, a) {
  PORTABLE_FOR_2(i, j) {
    PORTABLE_AT_2(double, a->to, i, j) = PORTABLE_AT_2(double, a->from, i, j) * a->c + PORTABLE_AT_2(double, a->from, i - 1, j) * 0.1 +
                                         PORTABLE_AT_2(double, a->from, i, j + 1) / 3.0;
    if (i == 2 && j == 3) PORTABLE_LIVEOUT(double, a->corner) = PORTABLE_AT_2(double, a->to, i, j);
  }
}

/* A block above what parameters have room for. */
typedef struct large_args {
  double *out;
  double table[1000];
} large_args;
PORTABLE_KERNEL(large, large_args, a) {
  PORTABLE_FOR_1(i) { a->out[i] = a->table[i] * 2.0; }
}

typedef struct sums_args {
  int32_t *i4;
  int64_t *i8;
  float *r4;
  double *r8;
} sums_args;
PORTABLE_KERNEL(sums, sums_args, a) {
  PORTABLE_FOR_1(i) {
    portable_atomic_add_int32(&a->i4[0], (int32_t)i);
    portable_atomic_min_int32(&a->i4[1], (int32_t)(i * 7 % 31) - 5);
    portable_atomic_max_int32(&a->i4[2], (int32_t)(i * 7 % 31));
    portable_atomic_add_int64(&a->i8[0], i << 33);
    portable_atomic_min_int64(&a->i8[1], -(i << 33));
    portable_atomic_max_int64(&a->i8[2], i << 34);
    portable_atomic_add_real32(&a->r4[0], 1.0f);
    portable_atomic_min_real32(&a->r4[1], (float)(i * 7 % 31) - 5.5f);
    portable_atomic_max_real32(&a->r4[2], (float)(i * 7 % 31));
    portable_atomic_add_real64(&a->r8[0], 0.5);
    portable_atomic_min_real64(&a->r8[1], 3.0 - (double)i);
    portable_atomic_max_real64(&a->r8[2], (double)i);
  }
}

typedef struct fails_args {
  int64_t at;
  int64_t *out;
} fails_args;
PORTABLE_KERNEL(fails, fails_args, a) {
  PORTABLE_FOR_1(i) {
    if (i >= a->at) PORTABLE_FAIL(42, "the ice has melted");
    a->out[i] = i;
  }
}

/* Each row backwards, by scratch; the largest of it by the team's atomics. */
typedef struct rows_args {
  double *out;
  const double *in;
  int64_t n, rows;
} rows_args;
PORTABLE_TEAM_KERNEL(rows, rows_args, team, a) {
  double *line = (double *)team->scratch;
  const int64_t row = team->index[0] + a->rows * team->index[1], n = a->n;
  PORTABLE_INNER_FOR(team, i, 0, n - 1) { line[i] = a->in[i + n * row]; }
  if (portable_single_inner(team)) line[n] = -1;
  portable_fence_inner(team);
  PORTABLE_INNER_FOR(team, i, 0, n - 1) {
    a->out[i + n * row] = line[n - 1 - i];
    portable_atomic_max_real64(&line[n], line[i]);
  }
  portable_fence_inner(team);
  if (portable_single_inner(team)) a->out[n * row] = line[n];
}

/* Sums, least and largest values of rows of n elements, for all members of the team. */
typedef struct folds_args {
  const double *in;
  double *sums, *least, *filled; /* filled: [n] of each row: sums so far of sums so far */
  float *squares;
  int64_t *most;
  int64_t n;
} folds_args;
PORTABLE_TEAM_KERNEL(folds, folds_args, team, a) {
  const int64_t row = team->index[0], n = a->n;
  const double *x = a->in + n * row;
  double sum = 0.5, least = 1e300;
  float squares = 0;
  int64_t most = -1;
  PORTABLE_INNER_SUM(team, double, sum, k, 0, n - 1, 1 / (x[k] + 1));
  PORTABLE_INNER_SUM(team, float, squares, k, 1, n, x[k - 1] * 0.1);
  PORTABLE_INNER_MIN(team, double, least, k, 0, n - 1, x[k]);
  PORTABLE_INNER_MAX(team, int64_t, most, k, 0, n - 1, x[k] > 5 ? k : -2);
  double all = sum, last = 0;
  PORTABLE_INNER_SCAN(team, double, all, a->filled[i + n * row], i, 0, n - 1, x[i] / 3);
  PORTABLE_INNER_SCAN_EXCLUSIVE(team, double, last, a->filled[i + n * row], i, 0, n - 1, a->filled[i + n * row]); /* in place */
  PORTABLE_INNER_FOR(team, i, 0, n - 1) { a->filled[i + n * row] += all + last; }
  if (portable_single_inner(team)) {
    a->sums[row] = sum;
    a->squares[row] = squares;
    a->least[row] = least;
    a->most[row] = most;
  }
}
