/* cells.c - cells of particles: their number, the cell of each particle, the order. Main function:
 * portable_cell_list_build. Not here: the sort (exec/algorithm/sort.c), runs of cells
 * (portable_particles.h), neighbours (neighbours.c). Threads: any; no lock. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "../../internal/kernels/base/processor.h"
#include "../../internal/kernels/sort/sort.h"
#include "work.h"

#define UNIT 16384 /* numbers of an iteration of a launch; fewer are the calling thread's */
#define BLOCK 512  /* particles whose keys are computed dimension by dimension */
#define CHUNKS 4   /* for each thread */
#define AROUND (INT64_C(32) << 20) /* bytes of pairs; more are written past the caches */
#define BIG 65536  /* one thread may order so many particles of a bucket of cells */

struct sorting {
  struct portable__work w;
  struct portable__sort groups; /* cells are groups of particles; big is less than 0: there are too many of them */
  portable_cell_list made;
  const void *position[3];
  int32_t kind;
  struct portable__there there;
};

/* ---- the grid ---- */

/* Cells are longer than cutoff by more than rounding moves a particle, so a pair at the cutoff is in cells that touch. */
static void choose(struct sorting *s, double cutoff) {
  portable_cell_list *const c = &s->made;
  const double eps = s->kind == PORTABLE_KIND_REAL32 ? (double)FLT_EPSILON : DBL_EPSILON;
  const int64_t most = 4 * c->particles + 64;
  for (int32_t d = 0; d < 3; d++) {
    const double length = c->high[d] - c->low[d], far = fmax(fabs(c->low[d]), fabs(c->high[d]));
    c->count[d] = 1;
    if (d < c->rank) c->count[d] = (int32_t)fmax(1, fmin(floor(length / (cutoff + 8 * eps * far)), 1 << 30));
  }
  for (;;) {
    int32_t largest = 0;
    for (int32_t d = 1; d < 3; d++)
      if (c->count[d] > c->count[largest]) largest = d;
    const double all = (double)c->count[0] * c->count[1] * c->count[2];
    if (all <= (double)(most < INT32_MAX - 1 ? most : INT32_MAX - 1)) break;
    c->count[largest] = (c->count[largest] + 1) / 2;
  }
  c->cells = (int64_t)c->count[0] * c->count[1] * c->count[2];
  for (int32_t d = 0; d < c->rank; d++) c->per_length[d] = c->count[d] / (c->high[d] - c->low[d]);
}

/* ---- kernels ---- */

#if defined(__SSE2__)
typedef double pair __attribute__((vector_size(16)));
typedef double four __attribute__((vector_size(32)));
#define TARGET
#define LANES 2
#define VECTOR pair
#define LESS(a, b) (pair)_mm_min_pd((__m128d)(a), (__m128d)(b))
#define MORE(a, b) (pair)_mm_max_pd((__m128d)(a), (__m128d)(b))
#define WHOLE(a) (pair)_mm_cvtepi32_pd(_mm_cvttpd_epi32((__m128d)(a)))
#define NAME add_real32
#define TYPE float
#define LOAD(p) (pair)_mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)(p))))
#include "cells_form.h"
#define NAME add_real64
#define TYPE double
#define LOAD(p) (pair)_mm_loadu_pd(p)
#include "cells_form.h"
#undef TARGET
#undef LANES
#undef VECTOR
#undef LESS
#undef MORE
#undef WHOLE
#define TARGET __attribute__((target("avx2")))
#define LANES 4
#define VECTOR four
#define LESS(a, b) (four)_mm256_min_pd((__m256d)(a), (__m256d)(b))
#define MORE(a, b) (four)_mm256_max_pd((__m256d)(a), (__m256d)(b))
#define WHOLE(a) (four)_mm256_cvtepi32_pd(_mm256_cvttpd_epi32((__m256d)(a)))
#define NAME add_real32_avx2
#define TYPE float
#define LOAD(p) (four)_mm256_cvtps_pd(_mm_loadu_ps(p))
#include "cells_form.h"
#define NAME add_real64_avx2
#define TYPE double
#define LOAD(p) (four)_mm256_loadu_pd(p)
#include "cells_form.h"
#else
typedef double pair __attribute__((vector_size(16)));
typedef int64_t two __attribute__((vector_size(16)));
static inline pair chosen(two a_is, pair a, pair b) { return (pair)((a_is & (two)a) | (~a_is & (two)b)); }
#define TARGET
#define LANES 2
#define VECTOR pair
#define LESS(a, b) chosen((two)((a) < (b)), a, b)
#define MORE(a, b) chosen((two)((a) > (b)), a, b)
#define WHOLE(a) __builtin_convertvector(__builtin_convertvector(a, two), pair)
#define NAME add_real32
#define TYPE float
#define LOAD(p) (pair){(p)[0], (p)[1]}
#include "cells_form.h"
#define NAME add_real64
#define TYPE double
#define LOAD(p) (pair){(p)[0], (p)[1]}
#include "cells_form.h"
#define add_real32_avx2 add_real32
#define add_real64_avx2 add_real64
#endif

static int add(const struct sorting *s, int32_t d, const void *x, double *key) {
  const int avx2 = portable__processor_has(PORTABLE__AVX2);
  if (s->kind == PORTABLE_KIND_REAL32) return (avx2 ? add_real32_avx2 : add_real32)(&s->made, d, x, key);
  return (avx2 ? add_real64_avx2 : add_real64)(&s->made, d, x, key);
}

static int outside(const struct sorting *s, int64_t i) {
  for (int32_t d = 0; d < s->made.rank; d++) {
    const double x = portable__coordinate(s->kind, s->position[d], i);
    if (!(x >= s->made.low[d] && x <= s->made.high[d])) return 1;
  }
  return 0;
}

/* Keys of particles, whose buckets are counted on the way. */
static void keys(struct sorting *s, int64_t chunk) {
  const int32_t lower = s->made.lower, shift = s->groups.shift, ones = (1 << s->groups.width) - 1;
  const int64_t to = portable__sort_chunk(&s->groups, chunk + 1);
  uint32_t even[1 << PORTABLE__SORT_DIGIT] = {0}, odd[1 << PORTABLE__SORT_DIGIT] = {0}; /* equal digits in a row wait for each other */
  int32_t falls = 0, before = 0;
  for (int64_t n, from = portable__sort_chunk(&s->groups, chunk); from < to; from += n) {
    int32_t *const key = s->made.cell + from;
    double sums[BLOCK];
    int32_t whole[BLOCK];
    int bad = 0;
    n = to - from < BLOCK ? to - from : BLOCK;
    memset(sums, 0, sizeof sums);
    for (int32_t d = s->made.rank - 1; d >= 0; d--) {
      const int32_t bytes = s->kind == PORTABLE_KIND_REAL32 ? 4 : 8;
      const void *x = (const char *)s->position[d] + from * bytes;
      double few[BLOCK]; /* the last block, filled up with its first particle */
      if (n < BLOCK) {
        for (int64_t i = 0; i < BLOCK; i++) memcpy((char *)few + i * bytes, (const char *)x + (i < n ? i : 0) * bytes, (size_t)bytes);
        x = few;
      }
      bad |= add(s, d, x, sums);
    }
    for (int64_t i = 0; bad && i < n; i++)
      if (outside(s, from + i)) {
        portable__work_note(&s->w, from + i);
        return;
      }
    for (int64_t i = 0; i < BLOCK; i++) whole[i] = (int32_t)sums[i] + lower;
    falls |= whole[0] < before;
    for (int64_t i = 1; !falls && i < n; i++) falls = whole[i] < whole[i - 1];
    before = whole[n - 1];
    memcpy(key, whole, (size_t)n * sizeof *key);
    for (int64_t i = 0; i + 1 < n; i += 2) {
      even[whole[i] >> shift & ones]++;
      odd[whole[i + 1] >> shift & ones]++;
    }
    if (n & 1) even[whole[n - 1] >> shift & ones]++;
  }
  for (int32_t d = 0; d <= ones; d++) s->groups.counts[chunk * (ones + 1) + d] = (uint64_t)even[d] + odd[d];
  if (falls) atomic_store_explicit(&s->groups.disorder, 1, memory_order_relaxed);
}

static void key_kernel(const portable_tile *t, void *args) {
  for (int64_t chunk = t->lower[0]; chunk <= t->upper[0]; chunk++) keys(args, chunk);
}

static void scatter_kernel(const portable_tile *t, void *args) {
  struct sorting *s = args;
  portable__sort_scatter(&s->groups, t->lower[0], t->upper[0] + 1);
}

static void group_kernel(const portable_tile *t, void *args) {
  struct sorting *s = args;
  int64_t from, to;
  portable__work_range(&s->w, t, &from, &to);
  portable__sort_group(&s->groups, from, to);
}

static void order_kernel(const portable_tile *t, void *args) {
  struct sorting *s = args;
  int64_t from, to;
  portable__work_range(&s->w, t, &from, &to);
  for (int64_t i = from; i < to; i++) s->made.order[i] = (int32_t)i + s->made.lower;
}

/* Cells begin where the key changes. Key number `particles` is that of a cell behind the last one. */
static void start_kernel(const portable_tile *t, void *args) {
  struct sorting *s = args;
  const portable_cell_list *const c = &s->made;
  int64_t from, to;
  portable__work_range(&s->w, t, &from, &to);
  for (int64_t k = from; k < to; k++) {
    const int64_t before = k ? c->cell[k - 1] - c->lower : -1, here = k < c->particles ? c->cell[k] - c->lower : c->cells;
    for (int64_t n = before + 1; n <= here; n++) c->start[n] = (int32_t)k + c->lower;
  }
}

/* By the sort, which cuts cells with many particles among threads. */
static portable_status sort(struct sorting *s) {
  portable_cell_list *const c = &s->made;
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  options.launch = &s->w.config;
  portable_status status = portable__work_launch(&s->w, order_kernel, s, c->particles, UNIT, UNIT);
  if (status == PORTABLE_OK && s->groups.disorder) {
    status = portable_sort_by_key(s->w.label, PORTABLE_KIND_INT32, c->cell, c->order, sizeof *c->order, c->particles, &options);
    if (status != PORTABLE_OK) return portable__rename_error(status, s->w.call);
  }
  return status == PORTABLE_OK ? portable__work_launch(&s->w, start_kernel, s, c->particles + 1, UNIT, UNIT) : status;
}

static portable_status sort_there(struct sorting *s) {
  struct portable__there *const t = &s->there;
  portable_cell_list *const c = &s->made;
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  options.launch = &s->w.config;
  portable__there_begin(t);
  struct portable__cuda_particles w = {.cells = *c, .found = t->found, .kind = s->kind};
  memcpy(w.position, s->position, sizeof w.position);
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_CELLS), &c->particles, 1, &w, sizeof w);
  if (t->status == PORTABLE_OK && t->found[0] != INT64_MAX) {
    portable__work_note(&s->w, t->found[0]);
    return portable__there_end(t);
  }
  if (t->status == PORTABLE_OK)
    t->status = portable__rename_unless_ok(portable_sort_by_key(s->w.label, PORTABLE_KIND_INT32, c->cell, c->order, sizeof *c->order, c->particles, &options), s->w.call);
  const struct portable__cuda_rows starts = {.keys = c->cell, .row = c->start, .found = t->found, .count = c->particles, .rows = c->cells, .lower = c->lower, .bytes = 4};
  if (t->status == PORTABLE_OK) t->found[2] = 0; /* no particle is without a cell */
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_STARTS), (int64_t[]){c->cells + 1}, 1, &starts, sizeof starts);
  return portable__there_end(t);
}

/* Keys, which are in order or not; then particles go to buckets of cells, and in each to their cells. */
static portable_status order(struct sorting *s) {
  portable_cell_list *const c = &s->made;
  struct portable__sort *const g = &s->groups;
  const int64_t buckets = INT64_C(1) << g->width;
  portable_status status = portable__work_launch(&s->w, key_kernel, s, g->chunks, 1, 1);
  if (status != PORTABLE_OK || portable__work_wrong(&s->w) != INT64_MAX) return status;
  for (int32_t k = 1; k < g->chunks; k++) {
    const int64_t at = portable__sort_chunk(g, k);
    if (c->cell[at] < c->cell[at - 1]) g->disorder = 1;
  }
  portable__sort_edges(g);
  int64_t most = 0;
  for (int64_t d = 0; d < buckets; d++) most = g->edges[d + 1] - g->edges[d] > most ? g->edges[d + 1] - g->edges[d] : most;
  if (!g->disorder || most > g->big) return sort(s);
  status = portable__work_launch(&s->w, scatter_kernel, s, g->chunks, 1, 1);
  if (status != PORTABLE_OK) return status;
  c->start[c->cells] = (int32_t)c->particles + c->lower;
  if (!s->w.config.schedule) s->w.config.schedule = PORTABLE_SCHEDULE_DYNAMIC;
  return portable__work_launch(&s->w, group_kernel, s, buckets, 1, g->chunks == 1 ? buckets : 1);
}

/* The list's block, and a block of scratch memory for groups at *scratch. */
static portable_status take(struct sorting *s, void **scratch) {
  portable_cell_list *const c = &s->made;
  struct portable__sort *const g = &s->groups;
  const size_t each = ((size_t)c->particles * sizeof(int32_t) + 63) / 64 * 64, starts = ((size_t)c->cells + 1) * sizeof(int32_t);
  const int32_t threads = portable__call_workers(&s->w.config);
  portable_status status = portable__made_alloc(&s->there, 2 * each + starts, s->w.label, &c->memory);
  if (status != PORTABLE_OK) return portable__rename_error(status, s->w.call);
  c->order = c->memory;
  c->cell = (int32_t *)(void *)((char *)c->memory + each);
  c->start = (int32_t *)(void *)((char *)c->memory + 2 * each);
  if (s->there.place.index >= 0) return PORTABLE_OK; /* a device sorts */
  portable__sort_order(g, PORTABLE_KIND_INT32, 0, PORTABLE__SORT_PAIR4);
  g->flip = 0; /* keys are not negative */
  g->rest = PORTABLE__SORT_PLACE;
  g->keys = (char *)c->cell;
  g->values = (char *)c->order;
  g->start = c->start;
  g->key_step = sizeof(int32_t);
  g->count = g->length = c->particles;
  g->groups = c->cells;
  g->lower = c->lower;
  g->chunks = threads > 1 && c->particles > UNIT ? CHUNKS * threads : 1;
  g->big = portable__sort_group_digit(g) ? (c->particles / (2 * threads) > BIG ? c->particles / (2 * threads) : BIG) : -1;
  g->around = 2 * each > (size_t)AROUND;
  const size_t counts = ((size_t)g->chunks * sizeof *g->counts) << g->width, edges = (((size_t)1 << g->width) + 1) * sizeof *g->edges;
  if ((status = portable__work_alloc(&s->w, 2 * each + counts + edges, scratch)) != PORTABLE_OK) return status;
  g->b = *scratch;
  g->counts = (uint64_t *)(void *)((char *)*scratch + 2 * each);
  g->edges = (int64_t *)(void *)((char *)g->counts + counts);
  return PORTABLE_OK;
}

/* ---- the call ---- */

/* The place of a particle, or an end of the box. */
static void place_text(char *text, size_t bytes, const double *x, int32_t rank) {
  if (rank == 1)
    snprintf(text, bytes, "%.10g", x[0]);
  else if (rank == 2)
    snprintf(text, bytes, "(%.10g, %.10g)", x[0], x[1]);
  else
    snprintf(text, bytes, "(%.10g, %.10g, %.10g)", x[0], x[1], x[2]);
}

PORTABLE__COLD static portable_status refused(const struct sorting *s) {
  const int64_t i = portable__work_wrong(&s->w);
  char at[96], low[96], high[96];
  double x[3] = {0, 0, 0};
  for (int32_t d = 0; d < s->made.rank; d++) {
    const size_t bytes = s->kind == PORTABLE_KIND_REAL32 ? 4 : 8;
    double here;
    portable__there_element(&s->there, (const char *)s->position[d] + (size_t)i * bytes, bytes, &here);
    x[d] = portable__coordinate(s->kind, &here, 0);
  }
  place_text(at, sizeof at, x, s->made.rank);
  place_text(low, sizeof low, s->made.low, s->made.rank);
  place_text(high, sizeof high, s->made.high, s->made.rank);
  return PORTABLE__WORK_FAIL(&s->w, PORTABLE_ERR_ARG, "particle %" PRId64 " is at %s, but the box is from %s to %s", i + s->made.lower, at, low, high);
}

static portable_status box(struct sorting *s, const double *low, const double *high, double cutoff, const int32_t *periodic) {
  static const char *const names[] = {"x", "y", "z"};
  portable_cell_list *const c = &s->made;
  if (!low || !high) return PORTABLE__WORK_FAIL(&s->w, PORTABLE_ERR_ARG, "%s is NULL", low ? "high" : "low");
  if (!(cutoff > 0) || !isfinite(cutoff)) return PORTABLE__WORK_FAIL(&s->w, PORTABLE_ERR_ARG, "cutoff is %g; it is above 0 and finite", cutoff);
  for (int32_t d = 0; d < c->rank; d++) {
    c->low[d] = low[d];
    c->high[d] = high[d];
    c->periodic[d] = periodic[d];
    const double length = high[d] - low[d];
    if (!(length > 0) || !isfinite(length) || !isfinite(low[d]))
      return PORTABLE__WORK_FAIL(&s->w, PORTABLE_ERR_ARG, "the box is from %g to %g along %s; the first number is less than the second, and the length is finite", low[d], high[d], names[d]);
    if (periodic[d] != 0 && periodic[d] != 1) return PORTABLE__WORK_FAIL(&s->w, PORTABLE_ERR_ARG, "periodic is %d along %s; it is 0 or 1", (int)periodic[d], names[d]);
    if (periodic[d] && cutoff > length)
      return PORTABLE__WORK_FAIL(&s->w, PORTABLE_ERR_ARG, "cutoff is %g, but the box is %g long along %s, which is periodic: a particle would be its own neighbour", cutoff, length, names[d]);
  }
  c->cutoff = cutoff;
  return PORTABLE_OK;
}

static portable_status build(const char *label, int32_t kind, int32_t rank, const void *const *position, int64_t count, double cutoff, const double *low, const double *high,
                             const portable_cell_list_options *options, portable_cell_list *cells) {
  static const portable_cell_list none = PORTABLE_CELL_LIST_INIT;
  portable_cell_list_options o = PORTABLE_CELL_LIST_OPTIONS_INIT;
  struct sorting s = {.made = none, .kind = kind};
  struct portable__work *const w = &s.w;
  w->call = "cell_list_build";
  w->label = label ? label : "unlabelled";
  if (!cells) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "%s is NULL", "cells");
  if (!PORTABLE__OPTIONS(o, options))
    return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "options.struct_size is %u; begin with PORTABLE_CELL_LIST_OPTIONS_INIT", options->struct_size);
  portable_status status = portable__work_begin(w, "cell_list_build", label, o.launch);
  if (status != PORTABLE_OK) return status;
  if (kind != PORTABLE_KIND_REAL32 && kind != PORTABLE_KIND_REAL64)
    return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "kind is %d; it is PORTABLE_KIND_REAL32 or _REAL64", (int)kind);
  if (rank < 1 || rank > 3) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "rank is %d; it is 1, 2 or 3", (int)rank);
  if (o.lower != 0 && o.lower != 1) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "lower is %d; it is 0 or 1", (int)o.lower);
  if (count < 0) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "the count of particles is %" PRId64 "; it is 0 or more", count);
  if (count >= INT32_MAX) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_OVERFLOW, "%" PRId64 " particles are more than the 2147483646 that are counted", count);
  s.made.particles = count;
  s.made.rank = rank;
  s.made.lower = o.lower;
  if ((status = box(&s, low, high, cutoff, o.periodic)) != PORTABLE_OK) return status;
  for (int32_t d = 0; d < rank && count; d++) {
    if (!position || !position[d]) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "position%s is NULL", position ? (d == 0 ? "[0]" : d == 1 ? "[1]" : "[2]") : "");
    s.position[d] = position[d];
  }
  if ((status = portable__work_ready(w, s.position, 3, 1, &s.there)) != PORTABLE_OK) return status;
  choose(&s, cutoff);
  void *scratch = NULL;
  if ((status = take(&s, &scratch)) == PORTABLE_OK) status = s.there.place.index >= 0 ? sort_there(&s) : order(&s);
  if (scratch) portable__free(scratch);
  if (status == PORTABLE_OK && portable__work_wrong(w) != INT64_MAX) status = refused(&s);
  if (status == PORTABLE_OK) status = portable_cell_list_free(cells);
  if (status == PORTABLE_OK)
    *cells = s.made;
  else if (s.made.memory)
    portable__made_free(s.made.memory);
  return status;
}

/* Neither the rounding of the program nor its traps, which a NaN or a rounded quotient would meet, matter to the cells. Launches take the environment
 * along. */
portable_status portable_cell_list_build(const char *label, int32_t kind, int32_t rank, const void *const *position, int64_t count, double cutoff,
                                         const double *low, const double *high, const portable_cell_list_options *options, portable_cell_list *cells) {
  PORTABLE__CALL("portable_cell_list_build");
  fenv_t program;
  fegetenv(&program);
  fesetenv(FE_DFL_ENV);
  const portable_status status = build(label, kind, rank, position, count, cutoff, low, high, options, cells);
  fesetenv(&program);
  return status;
}

portable_status portable_cell_list_free(portable_cell_list *cells) {
  PORTABLE__CALL("portable_cell_list_free");
  static const portable_cell_list none = PORTABLE_CELL_LIST_INIT;
  if (!cells) return PORTABLE_OK;
  const portable_status status = cells->memory ? portable__made_free(cells->memory) : PORTABLE_OK;
  if (status == PORTABLE_OK) *cells = none;
  return status;
}
