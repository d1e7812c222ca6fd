/* systems.c - whole arrays of tridiagonal and pentadiagonal systems have the bits of one system solved alone (portable_solvers.h): layouts, dims,
 * strides, one matrix, periodic, both kinds, few and many rows and systems. NaN stays in its system; a pivot of 0 names system and row. Not in this file:
 * that the solutions are right (oracles.c), refusals (refused.c). */
#include "check.h"

#include "solvers.h"

static struct problem p;

/* Column `system` of the problem, solved by the inline form. */
static int64_t alone64(const struct problem *q, int64_t system, double *x) {
  static double band[5][ROWS_MOST], work[4 * ROWS_MOST];
  for (int64_t i = 0; i < q->n; i++) {
    for (int k = 0; k <= 2 * q->band; k++) memcpy(&band[k][i], place_of(q, k, system, i), sizeof **band);
    memcpy(&x[i], place_of(q, RHS, system, i), sizeof *x);
  }
  if (q->band == 1)
    return (q->periodic ? portable_tridiagonal_periodic_column_real64 : portable_tridiagonal_column_real64)(q->n, 1, band[0], band[1], band[2], x, work);
  return (q->periodic ? portable_pentadiagonal_periodic_column_real64 : portable_pentadiagonal_column_real64)(q->n, 1, band[0], band[1], band[2], band[3],
                                                                                                             band[4], x, work);
}

static int64_t alone32(const struct problem *q, int64_t system, float *x) {
  static float band[5][ROWS_MOST], work[4 * ROWS_MOST];
  for (int64_t i = 0; i < q->n; i++) {
    for (int k = 0; k <= 2 * q->band; k++) memcpy(&band[k][i], place_of(q, k, system, i), sizeof **band);
    memcpy(&x[i], place_of(q, RHS, system, i), sizeof *x);
  }
  if (q->band == 1)
    return (q->periodic ? portable_tridiagonal_periodic_column_real32 : portable_tridiagonal_column_real32)(q->n, 1, band[0], band[1], band[2], x, work);
  return (q->periodic ? portable_pentadiagonal_periodic_column_real32 : portable_pentadiagonal_column_real32)(q->n, 1, band[0], band[1], band[2], band[3],
                                                                                                             band[4], x, work);
}

static char expected[MEMORY];

/* Solves the problem both ways. */
static void compare(struct problem *q) {
  int64_t wrong = 0;
  memcpy(expected, q->memory[RHS], MEMORY);
  for (int64_t system = 0; system < q->systems; system++) {
    static double x64[ROWS_MOST];
    static float x32[ROWS_MOST];
    const int64_t row = q->bytes == 8 ? alone64(q, system, x64) : alone32(q, system, x32);
    CHECK(row == 0);
    for (int64_t i = 0; i < q->n; i++) {
      char *to = expected + (place_of(q, RHS, system, i) - q->memory[RHS]);
      if (q->bytes == 8)
        memcpy(to, &x64[i], 8);
      else
        memcpy(to, &x32[i], 4);
    }
  }
  CHECK_STATUS(solve(q), PORTABLE_OK);
  for (int64_t b = 0; b < MEMORY; b++) wrong += expected[b] != q->memory[RHS][b];
  CHECK(wrong == 0);
  if (wrong)
    printf("  %d diagonals, periodic %d, one %d, bytes %d, rank %d, dim %d, order %d, style %d, n %d, %d systems: %d bytes differ\n", 2 * q->band + 1, q->periodic, q->one,
           q->bytes, q->rank, q->dim, q->order, q->style, (int)q->n, (int)q->systems, (int)wrong);
}

static void layouts(void) {
  static const int64_t shapes[][3] = {{1, 1, 1}, {2, 3, 1}, {3, 9, 2}, {4, 17, 1}, {5, 8, 8}, {33, 7, 5}, {64, 130, 1}, {35, 64, 2}, {70, 1, 1}, {1, 40, 3}, {2, 70, 3}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (int form = 0; form < 16; form++)
      for (int dim = 1; dim <= 3; dim++)
        for (int style = 0; style < STYLES; style++) {
          int64_t extents[3], rest = 1;
          for (int d = 0; d < 3; d++) extents[d] = d == dim - 1 ? shapes[s][0] : shapes[s][rest++];
          begin(&p, form, 3, extents, dim, (int)(s + (size_t)dim) % 2, style);
          compare(&p);
        }
}

/* Rank 1, rank 8, and so many systems that all threads have some. */
static void ranks(void) {
  int64_t extents[8] = {2, 1, 3, 6, 2, 1, 2, 3};
  for (int form = 0; form < 16; form++) {
    begin(&p, form, 8, extents, 4, form % 2, 0);
    compare(&p);
    begin(&p, form, 1, (int64_t[]){200}, form % 2, 0, form % STYLES);
    compare(&p);
    begin(&p, form, 2, (int64_t[]){8, 1500}, 1, form % 2, 0);
    compare(&p);
    begin(&p, form, 2, (int64_t[]){8, 1500}, 1, 1 - form % 2, 0);
    compare(&p);
    begin(&p, form, 2, (int64_t[]){8, 1536}, 1, 0, ASIDE); /* rows of whole cache lines that begin between two lines */
    compare(&p);
  }
}

static void set(struct problem *q, int k, int64_t system, int64_t row, double to) {
  const float to32 = (float)to;
  memcpy(place_of(q, k, system, row), q->bytes == 8 ? (const void *)&to : (const void *)&to32, (size_t)q->bytes);
}
static double get(struct problem *q, int k, int64_t system, int64_t row) {
  double x;
  float y;
  if (q->bytes == 8) return memcpy(&x, place_of(q, k, system, row), 8), x;
  return memcpy(&y, place_of(q, k, system, row), 4), (double)y;
}

/* NaN and pivots of 0 stay in their systems; the first one in array element order is named, whatever threads do. */
static void faults(void) {
  for (int form = 0; form < 16; form++)
    for (int order = 0; order < 2; order++)
      for (int dim = 1; dim <= 3; dim++) {
        int64_t extents[3] = {20, 30, 10}, rest[2];
        char text[80];
        extents[dim - 1] = 7;
        begin(&p, form, 3, extents, dim, order, 0);
        for (int d = 0, r = 0; d < 3; d++)
          if (d != dim - 1) rest[r++] = extents[d];
        const int64_t stuck[2] = {77, 111}; /* in order of the array */
        set(&p, RHS, 5, 3, strtod("nan", NULL));
        if (!p.one) {
          set(&p, p.band, 9, 2, strtod("nan", NULL));
          for (int k = 0; k < 2; k++)
            for (int b = 0; b <= 2 * p.band; b++) set(&p, b, stuck[1 - k], 0, 0);
        } else {
          for (int b = 0; b <= 2 * p.band; b++) set(&p, b, 0, 4, b == p.band ? 0 : get(&p, b, 0, 4));
          for (int b = 0; b < p.band; b++) set(&p, b, 0, 4, 0);
          if (p.periodic) continue; /* such a row alone gives no pivot of 0 there */
        }
        CHECK_STATUS(solve(&p), PORTABLE_ERR_ARG);
        const int64_t first = p.one ? 0 : stuck[0], fast = order ? rest[0] : rest[1];
        const int64_t at[2] = {order ? first % fast : first / fast, order ? first / fast : first % fast};
        const int o = order, row = (p.one ? 4 : 0) + o;
        const char *const form_of[2] = {"[%d][%d][%d]", "(%d,%d,%d)"};
        (void)form_of;
        char index[3][16];
        for (int d = 0, r = 0; d < 3; d++) {
          if (d == dim - 1)
            strcpy(index[d], ":");
          else
            snprintf(index[d], sizeof index[d], "%d", (int)at[r++] + o);
        }
        snprintf(text, sizeof text, o ? "in system (%s,%s,%s) the pivot of row %d is 0" : "in system [%s][%s][%s] the pivot of row %d is 0", index[0], index[1], index[2], row);
        CHECK_TEXT(text);
        int64_t wrong = 0;
        for (int64_t system = 0; system < p.systems; system++)
          for (int64_t i = 0; i < p.n; i++) {
            const double x = get(&p, RHS, system, i);
            const int nan = p.one || system == 5 || system == 9 || system == stuck[0] || system == stuck[1];
            wrong += nan != (x != x);
          }
        CHECK(wrong == 0);
      }
}

static void empty(void) {
  int64_t extents[2] = {0, 5};
  double x = 0;
  portable_solve_options o = PORTABLE_SOLVE_OPTIONS_INIT;
  o.dim = 1;
  CHECK_STATUS(portable_solve_tridiagonal("none", PORTABLE_KIND_REAL64, NULL, NULL, NULL, NULL, 2, extents, &o), PORTABLE_OK);
  o.dim = 2;
  CHECK_STATUS(portable_solve_pentadiagonal("none", PORTABLE_KIND_REAL32, NULL, NULL, NULL, NULL, NULL, &x, 2, extents, &o), PORTABLE_OK);
  extents[0] = 5, extents[1] = 0;
  CHECK_STATUS(portable_solve_tridiagonal(NULL, PORTABLE_KIND_REAL64, &x, &x, &x, NULL, 2, extents, &o), PORTABLE_OK);
}

/* In a stream, in a kernel, and with one array as lower and upper diagonal. */
static void kernel(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) compare(&p);
}

static void places(void) {
  portable_bounds one = portable_bounds_1(1);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_stream stream = 0;
  begin(&p, 4, 3, (int64_t[]){9, 40, 11}, 1, 1, 0);
  CHECK_STATUS(portable_parallel_for("outer", &one, kernel, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(0, 0, &stream), PORTABLE_OK);
  config.stream = stream;
  begin(&p, 4, 3, (int64_t[]){9, 40, 11}, 2, 1, 0);
  p.launch = &config;
  compare(&p);
  p.launch = NULL;
  CHECK_STATUS(portable_stream_destroy(stream), PORTABLE_OK);
  begin(&p, 4, 2, (int64_t[]){9, 400}, 1, 1, 0);
  p.same = 1;
  memcpy(p.memory[2], p.memory[0], MEMORY);
  compare(&p);
  p.same = 0;
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  make(&p);
  layouts();
  ranks();
  faults();
  empty();
  places();
  unmake(&p);
  return check_end();
}
