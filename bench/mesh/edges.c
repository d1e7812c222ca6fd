/* edges.c - times sums of fluxes over the edges of cells: tiles of cells, each of which computes
 * fluxes of its edges and gathers them by the rows of portable_csr_build. Peers are loops of OpenMP
 * over edges on as many threads: with atomic additions, with edges in four colours, and in colours
 * by blocks of edges, as ours. usage: bench_edges portable edges [N]: with N the sizes are divided
 * by it. Not in this file: sums of rows alone (rows.c). */
#include <math.h>
#include <omp.h>
#include <portable_mesh.h>

#include <stdio.h>
#include <stdlib.h>

#include "../clock.h"

/* Cells are a lattice of n by n; edges have the two cells of each in `cells`. A tile is `tile` cells in a row; its edges are those that one of
 * its cells has, so an edge between two tiles is computed in both. */
struct mesh {
  int64_t count, edges, colour[5]; /* the first edge of each colour */
  int32_t *cells;
  double *depth, *speed, *change, *expected;
  int64_t tile, most;  /* cells of a tile; edges of the tile that has the most */
  portable_csr rows, tiles; /* the edges of each cell, and of each tile */
  int32_t *ends;  /* the two cells of each entry of tiles */
  int32_t *place; /* of each entry of rows: twice the place of its edge in the tile, and 1 more for the second cell of the edge */
};

/* A Rusanov flux of shallow water, from depths and speeds on the two sides. */
static inline double rusanov(double l, double r, double ul, double ur) {
  const double sl = fabs(ul) + sqrt(9.81 * l), sr = fabs(ur) + sqrt(9.81 * r), s = sl > sr ? sl : sr;
  return 0.5 * (l * ul + r * ur) - 0.5 * s * (r - l);
}

static inline double flux_of(const struct mesh *m, int64_t e) {
  const int32_t a = m->cells[2 * e], b = m->cells[2 * e + 1];
  return rusanov(m->depth[a], m->depth[b], m->speed[a], m->speed[b]);
}

enum { BLOCK = 64 };

/* The fluxes of up to BLOCK edges from edge e: operands first, so that compilers make the arithmetic of vectors. */
static inline int64_t block_of(const struct mesh *m, const int32_t *cells, int64_t e, int64_t last, double *restrict flux) {
  const double *const depth = m->depth, *const speed = m->speed;
  const int64_t count = last - e + 1 < BLOCK ? last - e + 1 : BLOCK;
  double l[BLOCK], r[BLOCK], ul[BLOCK], ur[BLOCK];
  for (int64_t i = 0; i < count; i++) {
    const int32_t a = cells[2 * (e + i)], b = cells[2 * (e + i) + 1];
    l[i] = depth[a], r[i] = depth[b], ul[i] = speed[a], ur[i] = speed[b];
  }
  for (int64_t i = 0; i < count; i++) flux[i] = rusanov(l[i], r[i], ul[i], ur[i]);
  return count;
}

/* Adds up the fluxes of cell c, whose entries begin at k. */
static inline double gather(const int32_t *place, int32_t k, int32_t end, const double *flux) {
  if (end - k == 4) return flux[place[k]] + flux[place[k + 1]] + flux[place[k + 2]] + flux[place[k + 3]];
  double sum = 0;
  for (; k < end; k++) sum += flux[place[k]];
  return sum;
}

static void changes(const portable_tile *t, void *args) {
  const struct mesh *m = args;
  const int32_t *const row = m->rows.row, *const tiles = m->tiles.row;
  double f[BLOCK];
  void *room = NULL;
  if (portable_alloc((size_t)(2 * m->most) * sizeof(double), "fluxes", &room) != PORTABLE_OK) {
    fprintf(stderr, "fluxes: %s\n", portable_last_error());
    exit(1);
  }
  double *restrict const flux = room;
  for (int64_t n = t->lower[0]; n <= t->upper[0]; n++) {
    double *at = flux;
    for (int64_t e = tiles[n], last = tiles[n + 1] - 1, count; e <= last; e += count, at += 2 * count) {
      count = block_of(m, m->ends, e, last, f);
      for (int64_t i = 0; i < count; i++) at[2 * i] = -f[i], at[2 * i + 1] = f[i];
    }
    for (int64_t c = n * m->tile, end = c + m->tile < m->count ? c + m->tile : m->count; c < end; c++) m->change[c] = gather(m->place, row[c], row[c + 1], flux);
  }
  portable_free(room);
}

static void *room(int64_t count, size_t bytes) {
  void *p = malloc((size_t)count * bytes);
  if (!p) exit(1);
  return p;
}

static void list(const char *name, const int32_t *row_of, int64_t edges, int64_t rows, portable_csr *made) {
  if (portable_csr_build(name, PORTABLE_KIND_INT32, row_of, edges, 2, rows, NULL, made) == PORTABLE_OK) return;
  fprintf(stderr, "edges: %s\n", portable_last_error());
  exit(1);
}

/* A program does this once for a mesh. Tiles fit into the second-level cache, and there are some for each thread. */
static void lists(struct mesh *m) {
  const int64_t share = (m->count - 1) / 16 + 1;
  m->tile = share < 1024 ? 1024 : share > 32768 ? 32768 : share;
  int32_t *const place = room(m->edges, sizeof *place), *const tile = room(2 * m->edges, sizeof *tile);
  for (int64_t e = 0; e < m->edges; e++) {
    const int32_t a = m->cells[2 * e] / (int32_t)m->tile, b = m->cells[2 * e + 1] / (int32_t)m->tile;
    tile[2 * e] = a;
    tile[2 * e + 1] = a == b ? -1 : b;
  }
  list("edges of cells", m->cells, m->edges, m->count, &m->rows);
  list("edges of tiles", tile, m->edges, (m->count - 1) / m->tile + 1, &m->tiles);
  const int32_t *const row = m->rows.row, *const col = m->rows.col, *const first = m->tiles.row, *const edge = m->tiles.col;
  m->ends = room(2 * m->tiles.entries, sizeof *m->ends);
  m->place = room(m->rows.entries, sizeof *m->place);
  m->most = 0;
  for (int64_t n = 0; n < m->tiles.rows; n++) {
    if (first[n + 1] - first[n] > m->most) m->most = first[n + 1] - first[n];
    for (int32_t k = first[n]; k < first[n + 1]; k++) {
      place[edge[k]] = k - first[n];
      m->ends[2 * k] = m->cells[2 * edge[k]];
      m->ends[2 * k + 1] = m->cells[2 * edge[k] + 1];
    }
    for (int64_t c = n * m->tile, end = c + m->tile < m->count ? c + m->tile : m->count; c < end; c++)
      for (int32_t k = row[c]; k < row[c + 1]; k++) m->place[k] = 2 * place[col[k]] + (m->cells[2 * (int64_t)col[k]] != c);
  }
  free(tile);
  free(place);
}

static void ours(struct mesh *m) {
  const portable_bounds tiles = portable_bounds_1(m->tiles.rows);
  if (portable_parallel_for("changes", &tiles, changes, m, 0, NULL) == PORTABLE_OK) return;
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

static void coloured_blocks(struct mesh *m) {
  double *const change = m->change;
  zero(m);
  for (int k = 0; k < 4; k++) {
#pragma omp parallel for schedule(static)
    for (int64_t e = m->colour[k]; e < m->colour[k + 1]; e += BLOCK) {
      double f[BLOCK];
      const int64_t count = block_of(m, m->cells, e, m->colour[k + 1] - 1, f);
      for (int64_t i = 0; i < count; i++) {
        change[m->cells[2 * (e + i)]] -= f[i];
        change[m->cells[2 * (e + i) + 1]] += f[i];
      }
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
  struct mesh m = {.count = n * n, .rows = PORTABLE_CSR_INIT, .tiles = PORTABLE_CSR_INIT};
  m.cells = room(4 * m.count, sizeof *m.cells);
  m.depth = room(m.count, sizeof(double));
  m.speed = room(m.count, sizeof(double));
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
  lists(&m);
  const double mine = best(&m, ours, rounds);
  check(&m, "tiles");
  const double by_atomics = best(&m, atomics, rounds);
  check(&m, "atomics");
  portable_csr_free(&m.tiles);
  portable_csr_free(&m.rows);
  edges_of(&m, n, 1);
  const double by_colours = best(&m, coloured, rounds);
  check(&m, "colours");
  const double by_blocks = best(&m, coloured_blocks, rounds);
  check(&m, "colours, in blocks");
  const double edges = (double)(m.edges ? m.edges : 1);
  printf("%s\t%.4g\tns\n%s, atomics\t%.4g\tns\n%s, colours\t%.4g\tns\n%s, colours, in blocks\t%.4g\tns\n",
         what, mine / edges, what, by_atomics / edges, what, by_colours / edges, what, by_blocks / edges);
  free(m.cells);
  free(m.ends);
  free(m.place);
  free(m.depth);
  free(m.speed);
  free(m.change);
  free(m.expected);
}

int main(int argc, char **argv) {
  const int64_t divisor = argc > 3 ? atoll(argv[3]) : 1;
  const int rounds = divisor > 1 ? 1 : 20; /* twenty times as many where they are short */
  if (portable_init(NULL) != PORTABLE_OK) return 1;
  omp_set_num_threads(portable_num_threads());
  measure("fluxes of edges, 20 000 cells", 141 / (divisor > 1 ? 10 : 1), 20 * rounds);
  measure("fluxes of edges, 110 000 cells", 332 / (divisor > 1 ? 10 : 1), 20 * rounds);
  measure("fluxes of edges, 4 M cells", 2000 / (divisor > 1 ? 40 : 1), rounds);
  return portable_finalize() != PORTABLE_OK;
}
