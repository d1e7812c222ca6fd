/* cells_many.c - cells of so many particles that threads share them, against a serial count: spread evenly, in order, in few cells, in cells of which
 * there are too many for buckets; the first particle outside is named. Not in this file: neighbours (cells.c). */
#include <math.h>
#include <portable_particles.h>
#include <stdlib.h>

#include "check.h"

static uint64_t state = 88172645463325252u;
static double any(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

enum { RANDOM, ORDERED, CLUSTERED, ONE };

static void *room(int64_t count, size_t bytes) {
  void *p = malloc((size_t)count * bytes + 1);
  if (!p) exit(1);
  return p;
}

/* The cell along dimension d, by the grid that the list has. */
static int64_t along(const portable_cell_list *c, int32_t d, double x) {
  const double u = (x - c->low[d]) * c->per_length[d];
  return u < c->count[d] - 1 ? (int64_t)u : c->count[d] - 1;
}

static void compare(int64_t n, int32_t rank, double cutoff, int32_t kind, int32_t lower, int how) {
  static const double low[] = {-1, 0, 2}, high[] = {1, 1, 3};
  portable_cell_list_options o = PORTABLE_CELL_LIST_OPTIONS_INIT;
  portable_cell_list c = PORTABLE_CELL_LIST_INIT;
  double *x[3];
  float *single[3];
  const void *position[3];
  o.lower = lower;
  for (int d = 0; d < 3; d++) {
    x[d] = room(n, sizeof **x);
    single[d] = room(n, sizeof **single);
    for (int64_t i = 0; i < n; i++) {
      const double part = how == ONE ? 0.5 : how == ORDERED ? (d == rank - 1 ? (double)i / (double)n : 0.25) : how == CLUSTERED && i % 20 ? 0.75 : any();
      single[d][i] = (float)(low[d] + (high[d] - low[d]) * part);
      x[d][i] = kind == PORTABLE_KIND_REAL32 ? (double)single[d][i] : low[d] + (high[d] - low[d]) * part;
    }
    position[d] = kind == PORTABLE_KIND_REAL32 ? (const void *)single[d] : x[d];
  }
  CHECK_STATUS(portable_cell_list_build("many", kind, rank, position, n, cutoff, low, high, &o, &c), PORTABLE_OK);
  if (!c.memory) return;
  int64_t *const next = calloc((size_t)c.cells + 1, sizeof *next), wrong = 0;
  int32_t *const key = room(n, sizeof *key);
  if (!next) exit(1);
  for (int64_t i = 0; i < n; i++) {
    int64_t cell = 0;
    for (int32_t d = rank - 1; d >= 0; d--) cell = cell * c.count[d] + along(&c, d, x[d][i]);
    key[i] = (int32_t)cell;
    next[cell + 1]++;
  }
  for (int64_t k = 0; k < c.cells; k++) {
    next[k + 1] += next[k];
    wrong += c.start[k] != next[k] + lower;
  }
  wrong += c.start[c.cells] != n + lower;
  for (int64_t i = 0; i < n; i++) {
    const int64_t place = next[key[i]]++;
    wrong += c.order[place] != i + lower || c.cell[place] != key[i] + lower;
  }
  CHECK(wrong == 0);
  if (wrong) fprintf(stderr, "%lld particles, rank %d, case %d: %lld are wrong\n", (long long)n, (int)rank, how, (long long)wrong);
  CHECK_STATUS(portable_cell_list_free(&c), PORTABLE_OK);
  if (n > 30000) { /* the first of two that are outside, in chunks of two threads */
    for (int64_t i = n / 3; i < n; i += n / 3) x[0][i] = i == n / 3 ? NAN : 7, single[0][i] = (float)x[0][i];
    char text[64];
    snprintf(text, sizeof text, "particle %lld is at ", (long long)(n / 3 + lower));
    CHECK_STATUS(portable_cell_list_build("many", kind, rank, position, n, cutoff, low, high, &o, &c), PORTABLE_ERR_ARG);
    CHECK(strstr(portable_last_error(), text) != NULL);
  }
  for (int d = 0; d < 3; d++) free(x[d]), free(single[d]);
  free(next);
  free(key);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  static const int64_t counts[] = {1, 511, 513, 16384, 16385, 100003};
  for (int32_t threads = 1; threads <= 3; threads++) {
    CHECK_STATUS(portable_set_num_threads(threads), PORTABLE_OK);
    for (int k = 0; k < 6; k++)
      for (int32_t rank = 1; rank <= 3; rank++)
        for (int how = RANDOM; how <= ONE; how++)
          compare(counts[k], rank, rank == 1 ? 1e-5 : 0.02, (how + rank) % 2 ? PORTABLE_KIND_REAL64 : PORTABLE_KIND_REAL32, how % 2 ^ k % 2, how);
    compare(300000, 3, 0.01, PORTABLE_KIND_REAL64, 1, CLUSTERED); /* 285 000 in one cell: by the sort */
  }
  compare(300000, 2, 0.5, PORTABLE_KIND_REAL64, 0, RANDOM);   /* eight cells */
  compare(300000, 1, 1.9, PORTABLE_KIND_REAL32, 1, RANDOM);   /* one cell */
  compare(4300000, 1, 1e-8, PORTABLE_KIND_REAL64, 0, RANDOM); /* more than 2^24 cells: by the sort */
  return check_end();
}
