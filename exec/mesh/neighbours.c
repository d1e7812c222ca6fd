/* neighbours.c - lists of neighbours from cells: counted, then filled in. Main function:
 * portable_neighbour_list. Not here: cells (cells.c), rows (csr.c). Invariant: a row is ascending.
 * Threads: any; no lock. */
#include <fenv.h>
#include <math.h>

#include "work.h"

#define UNIT 512   /* places of an iteration of a launch: each has some hundred candidates */
#define SMALL 256  /* the calling thread does so few places */
#define FEW 48     /* a row that is sorted by insertion */

struct seeking {
  struct portable__work w;
  const portable_cell_list *cells;
  const void *const *position;
  int32_t kind, bytes, half; /* bytes: of a number of the list */
  double square, length[3];  /* 0: not periodic */
  double *x;                 /* [places][rank]: positions in the order of cells */
  char *counts;
  portable_csr made;
  struct portable__there there;
};

static void gather_kernel(const portable_tile *t, void *args) {
  struct seeking *s = args;
  const portable_cell_list *const c = s->cells;
  int64_t from, to;
  portable__work_range(&s->w, t, &from, &to);
  for (int64_t k = from; k < to; k++) {
    const int64_t i = c->order[k] - c->lower;
    int64_t cell = 0;
    int inside = 1;
    for (int32_t d = c->rank - 1; d >= 0; d--) {
      const double x = portable__coordinate(s->kind, s->position[d], i);
      s->x[k * c->rank + d] = x;
      inside &= x >= c->low[d] && x <= c->high[d];
      cell = cell * c->count[d] + portable__cell_along(c, d, x);
    }
    if (!inside || cell != c->cell[k] - c->lower) portable__work_note(&s->w, i);
  }
}

static inline int near(const struct seeking *s, const double *a, const double *b, int32_t rank) {
  double sum = 0;
  for (int32_t d = 0; d < rank; d++) {
    double way = fabs(a[d] - b[d]);
    if (s->length[d] > 0 && s->length[d] - way < way) way = s->length[d] - way;
    sum += way * way;
  }
  return sum <= s->square;
}

/* Counts the neighbours of place k, and writes them where found is not NULL. */
static inline int64_t look(const struct seeking *s, int64_t k, int32_t rank, void *found) {
  const portable_cell_list *const c = s->cells;
  const int32_t number = c->order[k];
  int64_t runs[PORTABLE_CELL_RUNS][2], count = 0;
  const int32_t n = portable_cells_around(c, k, runs);
  for (int32_t r = 0; r < n; r++)
    for (int64_t j = runs[r][0]; j < runs[r][1]; j++) {
      if (!near(s, s->x + k * rank, s->x + j * rank, rank) || j == k || (s->half && c->order[j] < number)) continue;
      if (found) portable__work_put(found, s->bytes, count, c->order[j]);
      count++;
    }
  return count;
}

static int64_t look_around(const struct seeking *s, int64_t k, void *found) {
  return s->cells->rank == 3 ? look(s, k, 3, found) : s->cells->rank == 2 ? look(s, k, 2, found) : look(s, k, 1, found);
}

static void count_kernel(const portable_tile *t, void *args) {
  struct seeking *s = args;
  int64_t from, to;
  portable__work_range(&s->w, t, &from, &to);
  for (int64_t k = from; k < to; k++) portable__work_put(s->counts, s->bytes, s->cells->order[k] - s->cells->lower, look_around(s, k, NULL));
}

/* ---- the order of a row: cells come one after the other, and numbers ascend within each ---- */

#define SORT(name, type)                                        \
  static void name##_sift(type *x, int64_t root, int64_t n) {   \
    const type value = x[root];                                 \
    for (int64_t child; (child = 2 * root + 1) < n; root = child) { \
      child += child + 1 < n && x[child] < x[child + 1];        \
      if (x[child] <= value) break;                             \
      x[root] = x[child];                                       \
    }                                                           \
    x[root] = value;                                            \
  }                                                             \
  static void name(type *x, int64_t n) {                        \
    int64_t in_order = 1;                                       \
    while (in_order < n && x[in_order - 1] < x[in_order]) in_order++; \
    if (in_order >= n) return;                                  \
    if (n <= FEW) {                                             \
      for (int64_t i = in_order; i < n; i++) {                  \
        const type value = x[i];                                \
        int64_t j = i;                                          \
        for (; j > 0 && x[j - 1] > value; j--) x[j] = x[j - 1]; \
        x[j] = value;                                           \
      }                                                         \
      return;                                                   \
    }                                                           \
    for (int64_t root = n / 2 - 1; root >= 0; root--) name##_sift(x, root, n); \
    for (int64_t last = n - 1; last > 0; last--) {              \
      const type value = x[last];                               \
      x[last] = x[0];                                           \
      x[0] = value;                                             \
      name##_sift(x, 0, last);                                  \
    }                                                           \
  }
SORT(sort_int32, int32_t)
SORT(sort_int64, int64_t)
#undef SORT

static void fill_kernel(const portable_tile *t, void *args) {
  struct seeking *s = args;
  int64_t from, to;
  portable__work_range(&s->w, t, &from, &to);
  for (int64_t k = from; k < to; k++) {
    void *const row = (char *)s->made.col + portable_csr_begin(&s->made, s->cells->order[k] - s->cells->lower) * s->bytes;
    const int64_t n = look_around(s, k, row);
    if (s->bytes == 4)
      sort_int32(row, n);
    else
      sort_int64(row, n);
  }
}

PORTABLE__COLD static portable_status has_moved(const struct seeking *s, int64_t i) {
  return PORTABLE__WORK_FAIL(&s->w, PORTABLE_ERR_ARG, "particle %" PRId64 " is no longer in the cell that it was in; build the cells again when particles have moved",
                             i + s->cells->lower);
}

/* The list has room for all neighbours. */
static portable_status rows(struct seeking *s) {
  portable_csr_options options = PORTABLE_CSR_OPTIONS_INIT;
  options.lower = s->cells->lower;
  options.launch = &s->w.config;
  return portable__rename_unless_ok(portable_csr_counts(s->w.label, s->bytes == 4 ? PORTABLE_KIND_INT32 : PORTABLE_KIND_INT64, s->counts, s->cells->particles, &options, &s->made),
                                    s->w.call);
}

static portable_status fill_there(struct seeking *s) {
  struct portable__there *const t = &s->there;
  const int64_t n = s->cells->particles;
  portable__there_begin(t);
  struct portable__cuda_particles w = {.cells = *s->cells, .found = t->found, .square = s->square, .kind = s->kind, .bytes = s->bytes, .half = s->half};
  for (int32_t d = 0; d < s->cells->rank; d++) {
    w.position[d] = s->position[d];
    w.length[d] = s->length[d];
  }
  w.x = portable__there_take(t, n * s->cells->rank * (int64_t)sizeof *w.x);
  w.counts = s->counts = portable__there_take(t, n * s->bytes);
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_GATHER), &n, 1, &w, sizeof w);
  if (t->status == PORTABLE_OK && t->found[0] != INT64_MAX) t->status = has_moved(s, t->found[0]);
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_COUNT), &n, 1, &w, sizeof w);
  if (t->status == PORTABLE_OK) t->status = rows(s);
  w.list = s->made;
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_FILL), &n, 1, &w, sizeof w);
  return portable__there_end(t);
}

static portable_status fill(struct seeking *s) {
  const portable_cell_list *const c = s->cells;
  const int64_t n = c->particles;
  portable_status status = portable__work_launch(&s->w, gather_kernel, s, n, 16384, 16384);
  const int64_t moved = portable__work_wrong(&s->w);
  if (status == PORTABLE_OK && moved != INT64_MAX) status = has_moved(s, moved);
  if (status == PORTABLE_OK) status = portable__work_launch(&s->w, count_kernel, s, n, UNIT, SMALL);
  if (status == PORTABLE_OK) status = rows(s);
  return status == PORTABLE_OK ? portable__work_launch(&s->w, fill_kernel, s, n, UNIT, SMALL) : status;
}

/* Whether the structure was made by portable_cell_list_build, as far as can be seen. */
static int is_good(const portable_cell_list *c) {
  return c->rank >= 1 && c->rank <= 3 && c->particles >= 0 && (c->lower == 0 || c->lower == 1) && c->start && (!c->particles || (c->order && c->cell));
}

static portable_status build(const char *label, const portable_cell_list *cells, int32_t position_kind, const void *const *position, int32_t list_kind,
                             const portable_neighbour_options *options, portable_csr *list) {
  const portable_csr none = PORTABLE_CSR_INIT;
  portable_neighbour_options o = PORTABLE_NEIGHBOUR_OPTIONS_INIT;
  struct seeking s = {.cells = cells, .position = position, .kind = position_kind, .made = none};
  struct portable__work *const w = &s.w;
  const void *arrays[6] = {NULL};
  w->call = "neighbour_list";
  w->label = label ? label : "unlabelled";
  if (!cells || !list) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "%s is NULL", cells ? "list" : "cells");
  if (!PORTABLE__OPTIONS(o, options))
    return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "options.struct_size is %u; begin with PORTABLE_NEIGHBOUR_OPTIONS_INIT", options->struct_size);
  portable_status status = portable__work_begin(w, "neighbour_list", label, o.launch);
  if (status != PORTABLE_OK) return status;
  if (!is_good(cells)) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "%s", "there are no cells; build them first");
  if (position_kind != PORTABLE_KIND_REAL32 && position_kind != PORTABLE_KIND_REAL64)
    return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "position_kind is %d; it is PORTABLE_KIND_REAL32 or _REAL64", (int)position_kind);
  s.bytes = portable__index_bytes(list_kind);
  if (!s.bytes) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "list_kind is %d; it is PORTABLE_KIND_INT32 or _INT64", (int)list_kind);
  if (o.half != 0 && o.half != 1) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "half is %d; it is 0 or 1", (int)o.half);
  const double cutoff = o.cutoff == 0 ? cells->cutoff : o.cutoff;
  if (!(cutoff > 0 && cutoff <= cells->cutoff))
    return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "cutoff is %g; it is above 0, and at most %g, the cutoff of the cells", cutoff, cells->cutoff);
  s.half = o.half;
  s.square = cutoff * cutoff;
  for (int32_t d = 0; d < cells->rank; d++) {
    s.length[d] = cells->periodic[d] ? cells->high[d] - cells->low[d] : 0;
    if (cells->particles && (!position || !position[d])) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "position%s is NULL", position ? (d == 0 ? "[0]" : d == 1 ? "[1]" : "[2]") : "");
    if (cells->particles) arrays[d] = position[d];
  }
  arrays[3] = cells->start;
  arrays[4] = cells->order;
  arrays[5] = cells->cell;
  if ((status = portable__work_ready(w, arrays, 6, 1, &s.there)) != PORTABLE_OK) return status;
  void *scratch = NULL;
  const size_t n = (size_t)cells->particles, positions = n * (size_t)cells->rank * sizeof(double);
  if (s.there.place.index >= 0) {
    status = fill_there(&s);
  } else {
    if ((status = portable__work_alloc(w, positions + n * (size_t)s.bytes + 8, &scratch)) != PORTABLE_OK) return status;
    s.x = scratch;
    s.counts = (char *)scratch + positions;
    status = fill(&s);
    portable__free(scratch);
  }
  if (status == PORTABLE_OK) status = portable_csr_free(list);
  if (status == PORTABLE_OK)
    *list = s.made;
  else
    portable_csr_free(&s.made);
  return status;
}

/* In the default environment, as cells are built. */
portable_status portable_neighbour_list(const char *label, const portable_cell_list *cells, int32_t position_kind, const void *const *position,
                                        int32_t list_kind, const portable_neighbour_options *options, portable_csr *list) {
  PORTABLE__CALL("portable_neighbour_list");
  fenv_t program;
  fegetenv(&program);
  fesetenv(FE_DFL_ENV);
  const portable_status status = build(label, cells, position_kind, position, list_kind, options, list);
  fesetenv(&program);
  return status;
}
