/* ghosts.c - ghost particles: each rank finds its particles near those of other ranks, and makes
 * a halo of lists of them. Main function: portable_particles_ghosts. Not here: exchanges
 * (exchange.c), migrations (particles.c). Invariant: lists ascend, so bits do not depend on
 * threads. Threads: one user of a halo and fields at a time. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/backend/cuda/memory.h"
#include "../../internal/edge/calls.h"
#include "../launch/launch.h"
#include "exchange.h"

#define UNIT 4096 /* particles of an iteration of the launch */
#define SIDES (2 * PORTABLE__HALO_RANK)

/* One call. The halo has no handle: it is label and transport. boxes: of each rank, the least and the largest coordinates of its particles. */
struct ghosts {
  struct portable__halo halo;
  portable_ghosts_options options;
  const void *position[PORTABLE__HALO_RANK];
  int32_t kind, rank, near_count;
  int64_t count, all;   /* own particles, and with ghosts */
  double cutoff, reach; /* reach: so much longer that rounding hides no pair */
  int64_t *boxes;       /* [ranks][SIDES + 1]: bits of double, and a place for agreements */
  int64_t *give, *take; /* [2 ranks]: particles for and from each rank, in 16 bytes each */
  int32_t *near;        /* [ranks]: those with particles within reach of the own box */
  int64_t *send_row, *send, *recv_row, *recv; /* lists of the neighbours, in the order of ranks */
  int64_t *edge;        /* particles near any other rank */
  int32_t *neighbour;
  uint8_t *marks;       /* [count]: near to another rank */
};

static double coordinate(const struct ghosts *g, int32_t d, int64_t i) {
  return g->kind == PORTABLE_KIND_REAL32 ? (double)((const float *)g->position[d])[i] : ((const double *)g->position[d])[i];
}

static double side(const struct ghosts *g, int32_t rank, int32_t which) {
  double value;
  memcpy(&value, &g->boxes[(int64_t)rank * SIDES + which], sizeof value);
  return value;
}

/* The squared distance of a span from that of a rank along one dimension. */
static double apart(const struct ghosts *g, int32_t rank, int32_t d, double low, double high) {
  const double length = g->options.high[d] - g->options.low[d], from = side(g, rank, 2 * d), to = side(g, rank, 2 * d + 1);
  double gap = fmax(from - high, low - to);
  if (g->options.periodic[d]) gap = fmin(gap, fmin(fmax(from - high - length, low + length - to), fmax(from - high + length, low - length - to)));
  return gap > 0 ? gap * gap : 0;
}

static int within(const struct ghosts *g, int32_t rank, int64_t i) {
  double sum = 0;
  for (int32_t d = 0; d < g->rank; d++) {
    const double x = coordinate(g, d, i);
    sum += apart(g, rank, d, x, x);
  }
  return sum <= g->reach * g->reach;
}

/* ---- arguments ---- */

#define REFUSED(status, ...) portable__fail(status, "portable_particles_ghosts '%s': " __VA_ARGS__)

/* The box of the own particles; refuses a particle without a place. */
static portable_status surround(struct ghosts *g) {
  const char *const label = g->halo.label;
  const int32_t me = g->halo.messenger.rank;
  for (int32_t d = 0; d < PORTABLE__HALO_RANK; d++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int64_t i = 0; i < g->count && d < g->rank; i++) {
      const double x = coordinate(g, d, i);
      if (!isfinite(x))
        return REFUSED(PORTABLE_ERR_ARG, "coordinate %d of particle %lld of %lld on rank %d is %g; it is to be finite", label, (int)d + 1, (long long)i + 1, (long long)g->count, (int)me, x);
      if (g->options.periodic[d] && !(x >= g->options.low[d] && x <= g->options.high[d]))
        return REFUSED(PORTABLE_ERR_ARG, "coordinate %d of particle %lld of %lld on rank %d is %.10g, outside of %.10g to %.10g; bring it back into the periodic box", label, (int)d + 1,
                       (long long)i + 1, (long long)g->count, (int)me, x, g->options.low[d], g->options.high[d]);
      low = fmin(low, x);
      high = fmax(high, x);
    }
    memcpy(&g->boxes[(int64_t)me * SIDES + 2 * d], &low, sizeof low);
    memcpy(&g->boxes[(int64_t)me * SIDES + 2 * d + 1], &high, sizeof high);
  }
  return PORTABLE_OK;
}

static portable_status look(struct ghosts *g, const portable_ghosts_options *options, const void *const *position, portable_halo *halo, int64_t *count_out) {
  const char *const label = g->halo.label;
  const int64_t ranks = g->halo.messenger.ranks;
  if (!portable_is_initialized()) return portable__not_running("portable_particles_ghosts");
  if (!halo || !count_out) return REFUSED(PORTABLE_ERR_ARG, "%s is NULL", label, halo ? "count_out" : "halo");
  if (options && options->struct_size != sizeof *options)
    return REFUSED(PORTABLE_ERR_ARG, "options.struct_size is %u; begin with PORTABLE_GHOSTS_OPTIONS_INIT", label, (unsigned)options->struct_size);
  if (g->kind != PORTABLE_KIND_REAL32 && g->kind != PORTABLE_KIND_REAL64) return REFUSED(PORTABLE_ERR_ARG, "kind is %d; positions are PORTABLE_KIND_REAL32 or PORTABLE_KIND_REAL64", label, (int)g->kind);
  if (g->rank == PORTABLE__GHOSTS_SIZES) return REFUSED(PORTABLE_ERR_ARG, "lower, upper and periodic have as many elements as there are dimensions", label);
  if (g->rank > PORTABLE__GHOSTS_SIZES && g->rank < PORTABLE__GHOSTS_SIZES + PORTABLE__HALO_RANK)
    return REFUSED(PORTABLE_ERR_ARG, "%c has another number of elements than x", label, "xyz"[g->rank - PORTABLE__GHOSTS_SIZES]);
  if (g->rank < 1 || g->rank > PORTABLE__HALO_RANK) return REFUSED(PORTABLE_ERR_ARG, "rank is %d; it is 1 to 3", label, (int)g->rank);
  if (g->count < 0) return REFUSED(PORTABLE_ERR_ARG, "count is below 0", label);
  if (!(g->cutoff > 0) || !isfinite(g->cutoff)) return REFUSED(PORTABLE_ERR_ARG, "cutoff is %g; it is above 0 and finite", label, g->cutoff);
  if (!g->halo.alone && !g->halo.messenger.all_to_all) return REFUSED(PORTABLE_ERR_ARG, "messenger.all_to_all is NULL; ghosts need it", label);
  for (int32_t d = 0; d < g->rank; d++) {
    if (!position || (g->count && !position[d])) return REFUSED(PORTABLE_ERR_ARG, "position of dimension %d is NULL", label, (int)d + 1);
    g->position[d] = position[d];
    if (portable__cuda_foreign_space((uintptr_t)position[d]) >= PORTABLE_SPACE_DEVICE(0))
      return REFUSED(PORTABLE_ERR_POINTER, "position of dimension %d is in the memory of a device; copy it to memory that the host can access", label, (int)d + 1);
    const portable_status status = portable_fence_memory(position[d]);
    if (status != PORTABLE_OK) return status;
    if (!g->options.periodic[d]) continue;
    const double length = g->options.high[d] - g->options.low[d];
    if (!(length >= g->cutoff) || !isfinite(length))
      return REFUSED(PORTABLE_ERR_ARG, "dimension %d is periodic and reaches from %g to %g; that is not finite, or shorter than the cutoff %g", label, (int)d + 1, g->options.low[d], g->options.high[d], g->cutoff);
  }
  g->boxes = calloc((size_t)(ranks * SIDES + 1), sizeof *g->boxes);
  g->give = calloc(4 * (size_t)ranks, sizeof *g->give);
  g->near = calloc(2 * (size_t)ranks, sizeof *g->near);
  g->send_row = calloc(2 * (size_t)ranks + 2, sizeof *g->send_row);
  g->marks = calloc((size_t)g->count + 1, 1);
  if (!g->boxes || !g->give || !g->near || !g->send_row || !g->marks) return REFUSED(PORTABLE_ERR_NOMEM, "no memory for tables of %d ranks and %lld particles", label, (int)ranks, (long long)g->count);
  g->take = g->give + 2 * ranks;
  g->neighbour = g->near + ranks;
  g->recv_row = g->send_row + ranks + 1;
  return surround(g);
}

/* All ranks have the same cutoff and periods, and learn each other's boxes. */
static portable_status compare(struct ghosts *g, portable_status status) {
  const portable_ghosts_options *const o = &g->options;
  const double numbers[] = {g->cutoff, g->rank, o->periodic[0], o->periodic[1], o->periodic[2], o->low[0], o->low[1], o->low[2], o->high[0], o->high[1], o->high[2]};
  uint64_t hash = 14695981039346656037u;
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    const double number = numbers[k] + 0.0; /* -0 is 0 */
    for (size_t i = 0; i < sizeof number; i++) hash = (hash ^ ((const unsigned char *)&number)[i]) * 1099511628211u;
  }
  int64_t values[3] = {(int64_t)(hash >> 2), -(int64_t)(hash >> 2), 0};
  status = portable__halo_agree(&g->halo, status, values, 2);
  if (status != PORTABLE_OK || g->halo.alone) return status;
  if (values[0] != -values[1]) return REFUSED(PORTABLE_ERR_ARG, "another rank gave another cutoff, rank or periodic box; give the same on all ranks", g->halo.label);
  const int32_t code = g->halo.messenger.agree(g->halo.messenger.context, g->boxes, g->halo.messenger.ranks * SIDES, 1);
  return code ? portable__halo_failed(&g->halo, "agree", code) : PORTABLE_OK;
}

/* ---- lists ---- */

static void mark(const portable_tile *t, void *args) {
  struct ghosts *const g = args;
  for (int64_t i = t->lower[0] * UNIT, end = (t->upper[0] + 1) * UNIT < g->count ? (t->upper[0] + 1) * UNIT : g->count; i < end; i++)
    for (int32_t k = 0; k < g->near_count && !g->marks[i]; k++) g->marks[i] = (uint8_t)within(g, g->near[k], i);
}

/* The own particles near each other rank: all are tested by a launch, and the few that are near to any one again. */
static portable_status find(struct ghosts *g, const portable_launch_config *launch) {
  const int32_t me = g->halo.messenger.rank;
  const double epsilon = g->kind == PORTABLE_KIND_REAL32 ? FLT_EPSILON : DBL_EPSILON;
  double largest = g->cutoff, sum;
  int64_t total = 0, marked = 0;
  for (int32_t r = 0; r < g->halo.messenger.ranks; r++)
    for (int32_t s = 0; s < 2 * g->rank; s++)
      if (isfinite(side(g, r, s))) largest = fmax(largest, fabs(side(g, r, s)));
  g->reach = g->cutoff + 8 * epsilon * largest;
  for (int32_t r = 0; r < g->halo.messenger.ranks && g->count; r++) {
    sum = side(g, r, 0) <= side(g, r, 1) ? 0 : NAN; /* a rank without particles needs none, however long the cutoff is */
    for (int32_t d = 0; d < g->rank; d++) sum += apart(g, r, d, side(g, me, 2 * d), side(g, me, 2 * d + 1));
    if (r != me && sum <= g->reach * g->reach) g->near[g->near_count++] = r;
  }
  if (!g->near_count) return PORTABLE_OK;
  const portable_bounds units = portable_bounds_1((g->count - 1) / UNIT + 1);
  const portable_status status = portable__launch(g->halo.label, &units, mark, g, 0, launch, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  if (status != PORTABLE_OK) return portable__rename_error(status, "portable_particles_ghosts");
  for (int64_t i = 0; i < g->count; i++) marked += g->marks[i];
  if (!(g->edge = calloc((size_t)marked + 1, sizeof *g->edge)) || !(g->send = calloc((size_t)(marked * g->near_count) + 1, sizeof *g->send)))
    return REFUSED(PORTABLE_ERR_NOMEM, "no memory for lists of %lld particles for %d ranks", g->halo.label, (long long)marked, (int)g->near_count);
  for (int64_t i = 0, at = 0; i < g->count; i++)
    if (g->marks[i]) g->edge[at++] = i;
  for (int32_t k = 0; k < g->near_count; k++) {
    const int64_t before = total;
    for (int64_t e = 0; e < marked; e++)
      if (within(g, g->near[k], g->edge[e])) g->send[total++] = g->edge[e];
    g->give[2 * g->near[k]] = total - before;
  }
  return PORTABLE_OK;
}

/* All ranks learn how many ghosts come from where: they lie behind the own particles, by rank. */
static portable_status count(struct ghosts *g, portable_status status) {
  const int32_t ranks = g->halo.messenger.ranks;
  int64_t none = 0;
  int32_t code = 0, n = 0;
  if (!g->halo.alone) code = g->halo.messenger.all_to_all(g->halo.messenger.context, g->give, NULL, NULL, g->take, NULL, NULL);
  if (status == PORTABLE_OK && code) status = portable__halo_failed(&g->halo, "all_to_all", code);
  g->all = g->count;
  for (int32_t r = 0; r < ranks && status == PORTABLE_OK; r++) {
    if (!g->give[2 * r] && !g->take[2 * r]) continue;
    g->neighbour[n++] = r;
    g->send_row[n] = g->send_row[n - 1] + g->give[2 * r];
    g->recv_row[n] = g->recv_row[n - 1] + g->take[2 * r];
    g->all += g->take[2 * r];
  }
  g->near_count = n;
  if (status == PORTABLE_OK && !(g->recv = calloc((size_t)(g->all - g->count) + 1, sizeof *g->recv)))
    status = REFUSED(PORTABLE_ERR_NOMEM, "no memory for a list of %lld ghosts", g->halo.label, (long long)(g->all - g->count));
  for (int64_t i = g->count; i < g->all && status == PORTABLE_OK; i++) g->recv[i - g->count] = i;
  return portable__halo_agree(&g->halo, status, &none, 0);
}

/* The halo, and its first exchange. It owns the messenger from here on. */
static portable_status fill(struct ghosts *g, const portable_messenger *messenger, portable_fields fields, const portable_launch_config *launch, portable_halo *made) {
  portable_halo_lists_options lists = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  lists.neighbours = g->near_count;
  lists.neighbour = g->neighbour;
  lists.send_row = g->send_row;
  lists.send_index = g->send;
  lists.recv_row = g->recv_row;
  lists.recv_index = g->recv;
  portable_status status = portable_halo_lists(g->halo.label, messenger, &lists, made);
  if (status != PORTABLE_OK || !fields) return status;
  status = portable_halo_begin(*made, fields, launch);
  if (status == PORTABLE_OK) status = portable_halo_end(*made, fields, launch);
  else portable_halo_cancel(*made);
  return status;
}

portable_status portable_particles_ghosts(const char *label, const portable_messenger *messenger, int32_t kind, int32_t rank, const void *const *position,
                                          int64_t count_, double cutoff, const portable_ghosts_options *options, portable_fields fields, portable_halo *halo,
                                          int64_t *count_out) {
  PORTABLE__CALL("portable_particles_ghosts");
  static const portable_ghosts_options plain = PORTABLE_GHOSTS_OPTIONS_INIT;
  struct ghosts g;
  portable_halo made = 0;
  int64_t none = 0;
  if (messenger && (messenger->struct_size != sizeof *messenger || messenger->rank < 0 || messenger->rank >= messenger->ranks))
    return portable__fail(PORTABLE_ERR_ARG, "portable_particles_ghosts '%s': messenger.struct_size is %u, rank %d of %d; it is sizeof(portable_messenger), and ranks count from 0",
                          label ? label : "ghosts", (unsigned)messenger->struct_size, (int)messenger->rank, (int)messenger->ranks);
  memset(&g, 0, sizeof g);
  portable__copy_text(g.halo.label, sizeof g.halo.label, label ? label : "ghosts", strlen(label ? label : "ghosts"));
  g.halo.alone = !messenger;
  g.halo.messenger.ranks = 1;
  if (messenger) g.halo.messenger = *messenger;
  g.options = options && options->struct_size == sizeof *options ? *options : plain;
  g.kind = kind;
  g.rank = rank;
  g.count = count_;
  g.cutoff = cutoff;
  portable_status status = compare(&g, look(&g, options, position, halo, count_out));
  if (status == PORTABLE_OK) status = count(&g, find(&g, g.options.launch));
  if (status == PORTABLE_OK) status = portable__halo_agree(&g.halo, fill(&g, messenger, fields, g.options.launch, &made), &none, 0);
  else if (messenger) messenger->end(messenger->context);
  if (status == PORTABLE_OK) {
    const portable_halo old = *halo;
    *halo = made;
    *count_out = g.all;
    portable_halo_destroy(old); /* of one that was destroyed: no error of this call */
  } else portable_halo_destroy(made);
  free(g.boxes);
  free(g.give);
  free(g.near);
  free(g.send_row);
  free(g.send);
  free(g.recv);
  free(g.edge);
  free(g.marks);
  return status;
}
