/* edges.c - times sums of fluxes over the edges of cells: a flux for each edge, and a gather over
 * the rows of portable_csr_build. Peers are loops of OpenMP over edges on as many threads, with
 * atomic additions and with edges in four colours. usage: bench_edges portable edges [N]: with N
 * the sizes are divided by it. Not in this file: sums of rows alone (rows.c). */
#include <math.h>
#include <omp.h>
#include <portable_mesh.h>

#include <stdio.h>
#include <stdlib.h>

#include "../clock.h"

/* Cells are a lattice of n by n; edges have the two cells of each in `cells`. */
struct mesh {
  int64_t count, edges, colour[5]; /* the first edge of each colour */
  int32_t *cells;
  double *depth, *speed, *flux, *change, *expected;
  portable_csr rows;
};

/* A Rusanov flux of shallow water. */
static inline double flux_of(const struct mesh *m, int64_t e) {
  const int32_t a = m->cells[2 * e], b = m->cells[2 * e + 1];
  const double l = m->depth[a], r = m->depth[b], ul = m->speed[a], ur = m->speed[b];
  const double s = fmax(fabs(ul) + sqrt(9.81 * l), fabs(ur) + sqrt(9.81 * r));
  return 0.5 * (l * ul + r * ur) - 0.5 * s * (r - l);
}

static void fluxes(const portable_tile *t, void *args) {
  const struct mesh *m = args;
  for (int64_t e = t->lower[0]; e <= t->upper[0]; e++) m->flux[e] = flux_of(m, e);
}

/* Rows of 32-bit numbers, which count from 0. */
static void gather(const portable_tile *t, void *args) {
  const struct mesh *m = args;
  const int32_t *const row = m->rows.row, *const col = m->rows.col, *const cells = m->cells;
  const double *const flux = m->flux;
  double *const change = m->change;
  for (int64_t c = t->lower[0]; c <= t->upper[0]; c++) {
    double sum = 0;
    for (int32_t k = row[c]; k < row[c + 1]; k++) {
      const double f = flux[col[k]];
      sum += cells[2 * (int64_t)col[k]] == c ? -f : f;
    }
    change[c] = sum;
  }
}

static void ours(struct mesh *m) {
  const portable_bounds edges = portable_bounds_1(m->edges), cells = portable_bounds_1(m->count);
  if (portable_parallel_for("fluxes", &edges, fluxes, m, 0, NULL) == PORTABLE_OK && portable_parallel_for("gather", &cells, gather, m, 0, NULL) == PORTABLE_OK) return;
  fprintf(stderr, "edges: %s\n", portable_last_error());
  exit(1);
}

static void zero(struct mesh *m) {
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < m->count; c++) m->change[c] = 0;
}

static void atomics(struct mesh *m) {
  double *const change = m->change;
  zero(m);
#pragma omp parallel for schedule(static)
  for (int64_t e = 0; e < m->edges; e++) {
    const double f = flux_of(m, e);
#pragma omp atomic
    change[m->cells[2 * e]] -= f;
#pragma omp atomic
    change[m->cells[2 * e + 1]] += f;
  }
}

static void coloured(struct mesh *m) {
  double *const change = m->change;
  zero(m);
  for (int k = 0; k < 4; k++) {
#pragma omp parallel for schedule(static)
    for (int64_t e = m->colour[k]; e < m->colour[k + 1]; e++) {
      const double f = flux_of(m, e);
      change[m->cells[2 * e]] -= f;
      change[m->cells[2 * e + 1]] += f;
    }
  }
}

static double best(struct mesh *m, void (*run)(struct mesh *), int rounds) {
  double least = 0;
  for (int round = 0; round <= rounds; round++) {
    const double begin = now();
    run(m);
    const double took = now() - begin;
    if (round == 1 || (round > 1 && took < least)) least = took;
  }
  return least;
}

static void *room(int64_t count, size_t bytes) {
  void *p = malloc((size_t)count * bytes);
  if (!p) exit(1);
  return p;
}

/* by_colour: edges in the order of their colours; else in the order of their first cells, as meshes have them. */
static void edges_of(struct mesh *m, int64_t n, int by_colour) {
  m->edges = 0;
  for (int k = 0; k < 4; k++) {
    m->colour[k] = m->edges;
    for (int64_t c = 0; c < m->count && (by_colour || k == 0); c++)
      for (int d = 0; d < 2; d++) { /* to the right, up */
        const int64_t at = d ? c / n : c % n;
        if (at == n - 1 || (by_colour && 2 * d + at % 2 != k)) continue;
        m->cells[2 * m->edges] = (int32_t)c;
        m->cells[2 * m->edges++ + 1] = (int32_t)(d ? c + n : c + 1);
      }
  }
  m->colour[4] = m->edges;
}

static void check(const struct mesh *m, const char *who) {
  for (int64_t c = 0; c < m->count; c++)
    if (!(fabs(m->change[c] - m->expected[c]) <= 1e-12)) {
      fprintf(stderr, "edges: %s: cell %lld has %g, not %g\n", who, (long long)c, m->change[c], m->expected[c]);
      exit(1);
    }
}

static void measure(const char *what, int64_t n, int rounds) {
  struct mesh m = {.count = n * n, .rows = PORTABLE_CSR_INIT};
  m.cells = room(4 * m.count, sizeof *m.cells);
  m.depth = room(m.count, sizeof(double));
  m.speed = room(m.count, sizeof(double));
  m.flux = room(2 * m.count, sizeof(double));
  m.change = room(m.count, sizeof(double));
  m.expected = room(m.count, sizeof(double));
  for (int64_t c = 0; c < m.count; c++) {
    m.depth[c] = 1 + 0.1 * (double)(c % 7);
    m.speed[c] = 0.1 * (double)(c % 5) - 0.2;
    m.expected[c] = 0;
  }
  edges_of(&m, n, 0);
  for (int64_t e = 0; e < m.edges; e++) {
    m.expected[m.cells[2 * e]] -= flux_of(&m, e);
    m.expected[m.cells[2 * e + 1]] += flux_of(&m, e);
  }
  if (portable_csr_build("edges", PORTABLE_KIND_INT32, m.cells, m.edges, 2, m.count, NULL, &m.rows) != PORTABLE_OK) exit(1);
  const double mine = best(&m, ours, rounds);
  check(&m, "gather");
  const double by_atomics = best(&m, atomics, rounds);
  check(&m, "atomics");
  portable_csr_free(&m.rows);
  edges_of(&m, n, 1);
  const double by_colours = best(&m, coloured, rounds);
  check(&m, "colours");
  const double edges = (double)(m.edges ? m.edges : 1);
  printf("%s\t%.4g\tns\n%s, atomics\t%.4g\tns\n%s, colours\t%.4g\tns\n", what, mine / edges, what, by_atomics / edges, what, by_colours / edges);
  free(m.cells);
  free(m.depth);
  free(m.speed);
  free(m.flux);
  free(m.change);
  free(m.expected);
}

int main(int argc, char **argv) {
  const int64_t divisor = argc > 3 ? atoll(argv[3]) : 1;
  const int rounds = divisor > 1 ? 1 : 20;
  if (portable_init(NULL) != PORTABLE_OK) return 1;
  omp_set_num_threads(portable_num_threads());
  measure("fluxes of edges, 20 000 cells", 141 / (divisor > 1 ? 10 : 1), rounds);
  measure("fluxes of edges, 110 000 cells", 332 / (divisor > 1 ? 10 : 1), rounds);
  measure("fluxes of edges, 4 M cells", 2000 / (divisor > 1 ? 40 : 1), rounds);
  return portable_finalize() != PORTABLE_OK;
}
