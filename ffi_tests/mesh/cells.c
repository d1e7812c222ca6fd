/* cells.c - cells and neighbours against brute force over all pairs: 1 to 3 dimensions, both kinds, both lower bounds, periodic or not, one to four cells
 * in a periodic dimension, particles on faces of cells and of the box, pairs at the cutoff, all in one place, none. Not in this file: refusals
 * (particles_refused.c). */
#include <math.h>
#include <portable_particles.h>

#include "memory.h"

#define MOST 2000

static uint64_t state = 88172645463325252u;
static double any(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

static double *x[3];
static float *single[3];
static unsigned char seen[MOST];

struct box {
  double low[3], high[3];
  int32_t rank, periodic[3];
};

/* The same arithmetic as that of the header. */
static int near(const struct box *b, int64_t i, int64_t j, double cutoff) {
  double sum = 0;
  for (int32_t d = 0; d < b->rank; d++) {
    const double length = b->high[d] - b->low[d];
    double way = fabs(x[d][i] - x[d][j]);
    if (b->periodic[d] && length - way < way) way = length - way;
    sum += way * way;
  }
  return sum <= cutoff * cutoff;
}

static void compare(const struct box *b, int64_t n, double cutoff, int32_t kind, int32_t lower, int32_t half) {
  portable_cell_list_options o = PORTABLE_CELL_LIST_OPTIONS_INIT;
  portable_cell_list cells = PORTABLE_CELL_LIST_INIT;
  portable_neighbour_options p = PORTABLE_NEIGHBOUR_OPTIONS_INIT;
  portable_csr list = PORTABLE_CSR_INIT;
  const void *position[3];
  const int32_t list_kind = lower ? PORTABLE_KIND_INT32 : PORTABLE_KIND_INT64;
  int64_t wrong = 0, missed = 0, twice = 0, most = 0, pairs = 0;
  for (int d = 0; d < 3; d++) {
    for (int64_t i = 0; i < n && kind == PORTABLE_KIND_REAL32; i++) {
      float at = (float)x[d][i]; /* rounding may put it outside */
      while (at > b->high[d]) at = nextafterf(at, -1e30f);
      while (at < b->low[d]) at = nextafterf(at, 1e30f);
      x[d][i] = single[d][i] = at;
    }
    position[d] = kind == PORTABLE_KIND_REAL32 ? (const void *)single[d] : x[d];
    o.periodic[d] = b->periodic[d];
  }
  o.lower = lower;
  p.half = half;
  CHECK_STATUS(portable_cell_list_build(n ? "cells" : "empty", kind, b->rank, position, n, cutoff, b->low, b->high, &o, &cells), PORTABLE_OK);
  if (!cells.memory) return;
  CHECK(cells.particles == n && cells.start[0] == lower && cells.start[cells.cells] == n + lower);
  for (int64_t c = 0; c < cells.cells; c++)
    for (int64_t k = cells.start[c] - lower; k < cells.start[c + 1] - lower; k++) {
      wrong += cells.cell[k] != c + lower;
      wrong += k > cells.start[c] - lower && cells.order[k] <= cells.order[k - 1];
    }
  for (int64_t k = 0; k < n; k++) {
    int64_t runs[PORTABLE_CELL_RUNS][2];
    const int32_t count = portable_cells_around(&cells, k, runs);
    const int64_t i = cells.order[k] - lower;
    if (count > most) most = count;
    memset(seen, 0, (size_t)n);
    for (int32_t r = 0; r < count; r++) {
      wrong += runs[r][0] >= runs[r][1];
      for (int64_t q = runs[r][0]; q < runs[r][1]; q++) twice += seen[cells.order[q] - lower]++;
    }
    for (int64_t j = 0; j < n; j++) missed += near(b, i, j, cutoff) && !seen[j];
  }
  CHECK(wrong == 0 && missed == 0 && twice == 0);
  CHECK(most <= (b->rank == 3 ? 9 : b->rank == 2 ? 3 : 1) * (b->periodic[0] ? 2 : 1));
  CHECK_STATUS(portable_neighbour_list(n ? "list" : "empty", &cells, kind, position, list_kind, &p, &list), PORTABLE_OK);
  CHECK(list.rows == n && list.lower == lower && list.kind == list_kind);
  wrong = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t k = portable_csr_begin(&list, i);
    const int64_t end = portable_csr_begin(&list, i + 1);
    for (int64_t j = half ? i + 1 : 0; j < n; j++)
      if (j != i && near(b, i, j, cutoff)) {
        wrong += k >= end || portable_csr_col(&list, k) != j;
        k++;
        pairs++;
      }
    wrong += k != end;
  }
  CHECK(wrong == 0 && list.entries == pairs);
  CHECK_STATUS(portable_csr_free(&list), PORTABLE_OK);
  CHECK_STATUS(portable_cell_list_free(&cells), PORTABLE_OK);
  CHECK(cells.memory == NULL && cells.particles == 0);
}

enum { RANDOM, FACES, CUTOFF, ONE, CLUSTERED };

/* FACES: on faces of cells of cutoff, the box's own among them. CUTOFF: a lattice whose distance is the cutoff, a little moved. */
static void fill(const struct box *b, int64_t n, double cutoff, int how) {
  for (int d = 0; d < 3; d++)
    for (int64_t i = 0; i < n; i++) {
      const double length = b->high[d] - b->low[d], steps = floor(length / cutoff);
      double at = b->low[d] + length * any();
      if (how == FACES) at = any() < 0.1 ? b->high[d] : b->low[d] + cutoff * floor((steps + 1) * any());
      if (how == CUTOFF) at = b->low[d] + cutoff * (floor((steps + 1) * any()) + 0.3) * (1 + floor(3 * any() - 1) * 0x1p-52);
      if (how == ONE) at = b->low[d] + length / 3;
      if (how == CLUSTERED) at = b->low[d] + length * pow(any(), 8);
      x[d][i] = at < b->low[d] ? b->low[d] : at > b->high[d] ? b->high[d] : at;
    }
}

/* The same order for any number of threads is seen by ctest, which runs all programs with several. */
int main(void) {
  static const double sizes[][3] = {{1, 1, 1}, {0.5, 2, 1}, {0.1, 0.25, 0.35}, {0.21, 0.45, 3}};
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int d = 0; d < 3; d++) x[d] = take(MOST * sizeof *x[d]), single[d] = take(MOST * sizeof *single[d]);
  for (int32_t rank = 1; rank <= 3; rank++)
    for (int sides = 0; sides < 1 << rank; sides++)
      for (int s = 0; s < 4; s++)
        for (int how = RANDOM; how <= CLUSTERED; how++) {
          struct box b = {.rank = rank};
          const int64_t n = how == ONE ? 40 : 60 + (int64_t)(100 * any());
          for (int d = 0; d < 3; d++) {
            b.low[d] = s % 2 ? -0.3 : 10;
            b.high[d] = b.low[d] + sizes[s][d];
            b.periodic[d] = d < rank && sides >> d & 1;
          }
          fill(&b, n, 0.1, how);
          compare(&b, n, b.high[0] - b.low[0] < 0.1 ? b.high[0] - b.low[0] : 0.1, (how + s) % 2 ? PORTABLE_KIND_REAL32 : PORTABLE_KIND_REAL64, s / 2, sides % 2);
        }
  const struct box cube = {{0, 0, 0}, {1, 1, 1}, 3, {1, 1, 0}};
  for (int32_t half = 0; half < 2; half++) {
    fill(&cube, MOST, 0.1, RANDOM);
    compare(&cube, MOST, 0.1, PORTABLE_KIND_REAL64, 0, half);
    compare(&cube, MOST, 0.05, PORTABLE_KIND_REAL32, 1, half);
  }
  fill(&cube, MOST, 0.125, FACES);
  compare(&cube, MOST, 0.125, PORTABLE_KIND_REAL64, 0, 0);
  fill(&cube, MOST, 0.3, CLUSTERED);
  compare(&cube, MOST, 0.3, PORTABLE_KIND_REAL64, 1, 1);
  compare(&cube, 0, 0.3, PORTABLE_KIND_REAL64, 1, 1);
  compare(&cube, 1, 1, PORTABLE_KIND_REAL64, 1, 1);
  const struct box large = {{0, 0, 0}, {1e6, 1e6, 1e6}, 3, {1, 0, 1}}; /* 1e18 cells of the cutoff */
  fill(&large, 500, 1, CLUSTERED);
  compare(&large, 500, 1, PORTABLE_KIND_REAL64, 0, 0);
  for (int d = 0; d < 3; d++) give(x[d]), give(single[d]);
  all_there();
  return check_end();
}
