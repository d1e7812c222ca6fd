/* filter_launch.c - lists of the indices that a predicate chooses; the predicate is a kernel. The
 * space is cut into leaves like a reduction. A thread takes the next free leaf, whichever leaf the
 * launch names, so a leaf only waits for leaves under way; its list follows theirs (turns.h). A
 * predicate is called once for a leaf, so leaves are waited for without limit. Filters of arrays:
 * filter.c. */
#include <inttypes.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../internal/edge/calls.h"
#include "filter.h"

#define LEAF_LEAST 16
#define LEAVES_WANTED 64 /* below this count, leaves have LEAF_LEAST iterations */

#define FAIL(code, ...) portable__fail(code, "parallel_filter '%s': " __VA_ARGS__)

struct predicate {
  struct portable__leaves leaves; /* the launch's view; first */
  struct portable__packed packed;
  portable_filter_function c;                                  /* or */
  void (*fortran)(const portable_tile *tile, void *logicals);
  int32_t logical_bytes, index_bytes;
  int32_t begun; /* 0: an empty space, or an error */
};

/* A predicate with default logicals of Fortran. */
static int64_t choose_fortran(const struct predicate *p, const portable_tile *t, int64_t count, uint16_t *places) {
  union { int32_t small[PORTABLE__CHOOSE_LEAF]; int64_t large[PORTABLE__CHOOSE_LEAF]; } logicals;
  unsigned char chosen[PORTABLE__CHOOSE_LEAF];
  memset(&logicals, 0, (size_t)(count * p->logical_bytes));
  p->fortran(t, &logicals);
  if (p->logical_bytes == 4)
    for (int64_t i = 0; i < count; i++) chosen[i] = logicals.small[i] != 0;
  else
    for (int64_t i = 0; i < count; i++) chosen[i] = logicals.large[i] != 0;
  return portable__choose(chosen, count, places);
}

static int64_t choose(const struct predicate *p, const portable_tile *t, void *args, int64_t count, uint16_t *places) {
  unsigned char chosen[PORTABLE__CHOOSE_LEAF];
  if (p->fortran) return choose_fortran(p, t, count, places);
  memset(chosen, 0, (size_t)count);
  p->c(t, args, chosen);
  for (int64_t i = 0; i < count; i++) chosen[i] = chosen[i] != 0;
  return portable__choose(chosen, count, places);
}

static void run_leaves(const portable_tile *t, void *args) {
  struct portable__job *job = t->launch;
  struct predicate *p = (struct predicate *)job->leaves;
  portable_tile own = *t;
  uint16_t places[PORTABLE__CHOOSE_LEAF];
  atomic_store_explicit(&p->packed.turns.job, job, memory_order_relaxed);
  for (int64_t leaf, before; !portable__job_failed(job) && (leaf = portable__turn_claim(&p->packed.turns)) >= 0;) {
    portable__cut_box(&job->cut, leaf, leaf + 1, &own);
    own.number = leaf;
    if (job->integer_bytes) portable__tile_integers(&own, job->integer_bytes);
    int64_t first = own.lower[0], stride = own.stride[0];
    int64_t count = (int64_t)(((uint64_t)own.upper[0] - (uint64_t)first) / (uint64_t)stride) + 1;
    count = choose(p, &own, args, count, places);
    if (!portable__turn_take(&p->packed.turns, leaf, &count, 1, &before)) return; /* an exception left a predicate */
    char *list = portable__packed_place(&p->packed, before, &count);
    portable__choose_list(first, stride, places, count, list, p->packed.step, p->index_bytes);
  }
}

static portable_status cut(struct portable__leaves *leaves, const char *label, struct portable__cut *space, const int64_t *tile) {
  struct predicate *p = (struct predicate *)leaves;
  int64_t leaf = tile[0] > 0 ? tile[0] : space->count / LEAVES_WANTED;
  if (tile[0] <= 0 && leaf < LEAF_LEAST) leaf = LEAF_LEAST;
  if (leaf > PORTABLE__CHOOSE_LEAF) leaf = PORTABLE__CHOOSE_LEAF;
  if (space->grain > PORTABLE__CHOOSE_LEAF) space->grain = 1; /* the list of a leaf has no more capacity */
  portable__cut_units(space, &leaf, 1);
  portable_status status = portable__packed_begin(&p->packed, space->units, NULL);
  p->begun = status == PORTABLE_OK;
  return p->begun ? status : portable__no_scratch(status, "parallel_filter", label);
}

portable_status portable__parallel_filter_verdict(const struct portable__array_call *c) {
  const portable_bounds *b = c->a;
  const int32_t bytes = portable__index_bytes(c->index_kind);
  if (!b || !c->count_out || !c->mask || (b->rank != 1 && b->struct_size == sizeof *b) || !bytes || c->count < 0 || (c->count && !c->b))
    return PORTABLE_ERR_ARG;
  return bytes == 4 && b->lower[0] <= b->upper[0] && (b->lower[0] < INT32_MIN || b->upper[0] > INT32_MAX) ? PORTABLE_ERR_OVERFLOW : PORTABLE_OK;
}

/* Also when an exception leaves the predicate. */
static void end_turns(struct predicate *const *p) {
  if ((*p)->begun) portable__turns_end(&(*p)->packed.turns);
}

static portable_status launch(const char *label, const portable_bounds *bounds, struct predicate *p, const void *args, size_t args_bytes,
                              int32_t index_kind, int64_t room, int64_t *count_out, const portable_launch_config *config, int32_t integer_bytes,
                              int32_t flags) {
  if (!label) label = "unlabelled";
  if (count_out) *count_out = 0;
  PORTABLE__CALL("portable_parallel_filter");
  __attribute__((cleanup(end_turns), unused)) struct predicate *const ends = p; /* ends before the call */
  const struct portable__array_call c = {.call = PORTABLE__PARALLEL_FILTER, .index_kind = index_kind, .label = label, .a = bounds, .b = p->packed.first,
                                         .mask = p->fortran ? (const void *)(uintptr_t)p->fortran : (const void *)(uintptr_t)p->c,
                                         .count_out = count_out, .count = room};
  portable_status status = portable__parallel_filter_verdict(&c);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_refused(&c, status);
  p->index_bytes = portable__index_bytes(index_kind);
  p->leaves.cut = cut;
  p->leaves.call = "parallel_filter";
  status = portable__launch(label, bounds, run_leaves, args, args_bytes, config, integer_bytes, flags | PORTABLE__WAITS, &p->leaves);
  if (status != PORTABLE_OK) return portable__rename_error(status, "parallel_filter");
  int64_t total = p->begun ? portable__packed_total(&p->packed) : 0;
  *count_out = total;
  if (total <= room) return PORTABLE_OK;
  return FAIL(PORTABLE_ERR_OVERFLOW, "%" PRId64 " indices are chosen, but there is room for %" PRId64 "; the first ones are there", label,
              total, room);
}

portable_status portable_parallel_filter(const char *label, const portable_bounds *bounds, portable_filter_function predicate, const void *args,
                                         size_t args_bytes, int32_t index_kind, void *indices, int64_t room, int64_t *count_out,
                                         const portable_launch_config *config) {
  struct predicate p = {.c = predicate};
  p.packed.first = indices;
  p.packed.step = portable__index_bytes(index_kind);
  p.packed.room = room;
  return launch(label, bounds, &p, args, args_bytes, index_kind, room, count_out, config, 0, 0);
}

portable_status portable__fortran_parallel_filter(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                  void (*kernel)(void), void (*const *held)(void), const portable_launch_config *config,
                                                  int32_t integer_bytes, int32_t wide, int32_t index_kind, void *indices, int64_t stride,
                                                  int64_t room, void *count_out) {
  char name[PORTABLE__LABEL_MAX + 1];
  int64_t count = 0;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  struct predicate p = {.logical_bytes = integer_bytes};
  p.fortran = (void (*)(const portable_tile *, void *))(held ? *held : kernel);
  p.packed.first = indices;
  p.packed.step = stride;
  p.packed.room = room;
  status = launch(name[0] ? name : NULL, bounds, &p, NULL, 0, index_kind, room, &count, config, integer_bytes, wide);
  if (integer_bytes == 8)
    *(int64_t *)count_out = count;
  else
    *(int32_t *)count_out = (int32_t)count;
  return status;
}
