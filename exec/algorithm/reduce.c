/* reduce.c - reductions as launches. Main function: portable__reduce. run_leaf gives the user's
 * kernel partial results on the stack, and stores them by the leaf's number; after the launch, the
 * launching thread combines them along a fixed tree (internal/kernels/reduction/tree.h). Exact sums
 * are large and independent of the order: threads add them up in a few shared places. The cut is in
 * internal/team/cut.c. Threads: any. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../liveout/liveout.h"
#include "../../internal/edge/calls.h"
#include "questions.h"
#include "reduce.h"

/* A leaf is so large that a call of the kernel is cheap compared with its work, and so small that many threads get one also with few expensive
 * iterations. The bits of results depend on these numbers. */
#define LEAF_LEAST 16
#define LEAF_USUAL 4096
#define LEAVES_WANTED 64              /* below this count, leaves have LEAF_LEAST iterations */
#define LEAVES_MOST 4096              /* below this count, at most LEAF_USUAL */
#define PARTIALS_MOST ((size_t)8 << 20) /* limit in bytes for all leaves, but at least LEAVES_WANTED leaves */

#define PLACES 16         /* shared places of exact sums */
#define OWN_MOST 1024     /* up to this size in bytes, partial results are on the thread's stack first */
#define USER_BYTES 65536
#define SMALL 4096        /* up to this size in bytes, all partial results need no malloc */

struct portable__reduce_place {
  _Alignas(64) _Atomic int busy;
  portable_exact sum[PORTABLE_EXACT_MOST];
};

/* ---- on the threads of the launch ---- */

static void add_exact(struct portable__reduction *r, int32_t worker, const portable_exact *sums) {
  struct portable__reduce_place *p = &r->places[worker % PLACES];
  while (atomic_exchange_explicit(&p->busy, 1, memory_order_acquire)) sched_yield();
  for (int32_t i = 0; i < r->exacts; i++) portable_exact_merge(&p->sum[i], &sums[i]);
  atomic_store_explicit(&p->busy, 0, memory_order_release);
}

static void run_leaf(const portable_tile *t, void *args) {
  struct portable__reduction *r = (struct portable__reduction *)((struct portable__job *)t->launch)->leaves;
  _Alignas(16) char own[r->step <= OWN_MOST ? r->step + 1 : 1];
  portable_exact sums[r->exacts + 1];
  void *partial[PORTABLE_REDUCTIONS_MOST];
  partial[0] = NULL; /* for compilers, which do not know that count is at least 1 */
  char *slot = r->partials + (size_t)t->number * r->step, *here = r->step <= OWN_MOST ? own : slot;
  memcpy(here, r->identity, r->step);
  for (size_t i = 0; i < r->count; i++) {
    const struct portable__result *s = &r->result[i];
    partial[i] = s->exact < 0 ? (void *)(here + s->offset) : &sums[s->exact];
    if (s->exact >= 0) portable_exact_init(&sums[s->exact]);
  }
  r->kernel(t, args, partial);
  if (here == own) memcpy(slot, own, r->step);
  if (r->exacts) add_exact(r, t->worker, sums);
}

/* ---- before the launch ---- */

static int user_is_good(const portable_reduction *a) { return a->kind == 0 && a->combine && a->bytes >= 1 && a->bytes <= USER_BYTES; }

/* Fills one result; *end is the end of the partial results so far. An error has no text. */
static portable_status read_result(const portable_reduction *a, struct portable__result *s, struct portable__reduction *r, size_t *end) {
  memset(s, 0, sizeof *s);
  s->operation = a->operation;
  s->kind = a->kind;
  s->flags = a->flags;
  s->exact = -1;
  s->context = a->context;
  const int real = a->kind == PORTABLE_KIND_REAL32 || a->kind == PORTABLE_KIND_REAL64, user = a->operation == PORTABLE_REDUCE_USER;
  const int exact = a->kind == PORTABLE_KIND_EXACT || (a->flags & PORTABLE_REDUCE_EXACT);
  if (a->flags & ~(PORTABLE_REDUCE_WIDE | PORTABLE_REDUCE_EXACT | PORTABLE_REDUCE_INTO)) return PORTABLE_ERR_ARG;
  if (exact) {
    if (a->operation != PORTABLE_REDUCE_SUM || !(real || a->kind == PORTABLE_KIND_EXACT) || r->exacts == PORTABLE_EXACT_MOST) return PORTABLE_ERR_ARG;
    s->exact = r->exacts++;
  } else if (user) {
    if (!user_is_good(a)) return PORTABLE_ERR_ARG;
    s->of.bytes = s->of.result_bytes = a->bytes;
    s->of.combine = a->combine;
  } else if (!portable__partial_find(a->operation, a->kind, (a->flags & PORTABLE_REDUCE_WIDE) != 0, &s->of)) {
    return PORTABLE_ERR_ARG;
  }
  s->to = a->to;
  if (a->liveout) {
    if (a->to || user || a->operation == PORTABLE_REDUCE_MINLOC || a->operation == PORTABLE_REDUCE_MAXLOC || a->kind == PORTABLE_KIND_EXACT)
      return PORTABLE_ERR_ARG;
    const portable_status status = portable__liveout_find("parallel_reduce", a->liveout, a->kind, &s->to);
    if (status != PORTABLE_OK) return status;
  }
  if (!s->to) return PORTABLE_ERR_ARG;
  if (s->exact >= 0) return PORTABLE_OK;
/* Successive results of one kind are contiguous, like an array; kernels of Fortran rely on it. */
  size_t align = user ? 16 : s->of.bytes < 8 ? s->of.bytes : 8;
  s->offset = (*end + align - 1) / align * align;
  *end = s->offset + s->of.bytes;
  return PORTABLE_OK;
}

portable_status portable__reduction_verdict(const struct portable__reduction_call *c, struct portable__reduction *r) {
  size_t end = 0;
  if (!c->kernel || c->count < 1 || c->count > PORTABLE_REDUCTIONS_MOST || !c->results) return PORTABLE_ERR_ARG;
  for (size_t i = 0; i < c->count; i++) {
    if (c->results[i].struct_size != sizeof c->results[i]) return PORTABLE_ERR_ARG;
    const portable_status status = read_result(&c->results[i], &r->result[i], r, &end);
    if (status != PORTABLE_OK) return status;
  }
  r->count = c->count;
  r->step = (end + 15) / 16 * 16;
  if (r->step == 16 && end <= 8) r->step = 8;
  return PORTABLE_OK;
}

PORTABLE__COLD static portable_status refused(struct portable__reduction_call *c, portable_status verdict) {
  portable_status status;
  PORTABLE__EXPLAINED(&status, "parallel_reduce", c->label, verdict, portable__algorithm_go.reduction_refused(c));
  return status;
}

portable_status portable__reduce_read(const char *label, const portable_reduction *results, size_t count, int kernel, struct portable__reduction *r) {
  struct portable__reduction_call c = {label, results, count, r->first, kernel};
  const portable_status verdict = portable__reduction_verdict(&c, r);
  return PORTABLE__LIKELY(verdict == PORTABLE_OK) ? verdict : refused(&c, verdict);
}

void portable__reduce_identity(const struct portable__reduction *r, const portable_reduction *results, char *identity) {
  memset(identity, 0, r->step);
  for (size_t i = 0; i < r->count; i++) {
    const struct portable__result *s = &r->result[i];
    if (s->exact >= 0) continue;
    if (s->operation != PORTABLE_REDUCE_USER)
      memcpy(identity + s->offset, s->of.identity, s->of.bytes);
    else if (results[i].identity)
      memcpy(identity + s->offset, results[i].identity, s->of.bytes);
  }
}

static int64_t leaf_size(int64_t count, size_t step) {
  int64_t most = LEAVES_MOST, leaf = count / LEAVES_WANTED;
  if (step > PARTIALS_MOST / LEAVES_MOST) most = (int64_t)(PARTIALS_MOST / step);
  if (most < LEAVES_WANTED) most = LEAVES_WANTED;
  if (leaf > LEAF_USUAL) leaf = LEAF_USUAL;
  if (leaf < LEAF_LEAST) leaf = LEAF_LEAST;
  return leaf < count / most ? count / most : leaf;
}

void portable__reduce_cut(const struct portable__reduction *r, struct portable__cut *space, const int64_t *tile) {
  int chosen = 0;
  for (int32_t d = 0; d < space->rank; d++) chosen |= tile[d] > 0;
  if (chosen)
    portable__cut_units(space, tile, 1);
  else
    portable__cut_leaves(space, leaf_size(space->count, r->step));
}

/* Called by the launch after all checks, if the space is not empty. */
static portable_status cut(struct portable__leaves *leaves, const char *label, struct portable__cut *space, const int64_t *tile) {
  struct portable__reduction *r = (struct portable__reduction *)leaves;
  portable__reduce_cut(r, space, tile);
  size_t bytes = 0;
  if (r->exacts) {
    if (!(r->places = aligned_alloc(64, sizeof(struct portable__reduce_place) * PLACES))) goto no_memory;
    for (int k = 0; k < PLACES; k++) {
      atomic_init(&r->places[k].busy, 0);
      for (int32_t i = 0; i < r->exacts; i++) portable_exact_init(&r->places[k].sum[i]);
    }
  }
  if (__builtin_mul_overflow((size_t)space->units, r->step, &bytes)) goto no_memory;
  if (bytes > SMALL && !(r->partials = malloc(bytes))) goto no_memory;
  r->units = space->units;
  return PORTABLE_OK;
no_memory:
  return portable__fail(PORTABLE_ERR_NOMEM, "parallel_reduce '%s': no memory for the partial results of %lld leaves of %zu bytes each; a larger tile "
                        "makes fewer leaves", label, (long long)space->units, r->step);
}

/* ---- after the launch ---- */

static portable_status count_too_large(const char *label, size_t i, int64_t n) {
  return portable__fail(PORTABLE_ERR_OVERFLOW, "parallel_reduce '%s': result %zu: the count %lld does not fit an int32; take int64", label, i,
                        (long long)n);
}

/* Combines all leaves into leaf 0; the value of the destination comes first. */
static void combine(struct portable__reduction *r, struct portable__result *s) {
  char *all = r->partials + s->offset;
  if (r->units)
    PORTABLE__CALLBACK(portable__tree(all, r->units, r->step, s->of.combine, s->context));
  else if (s->operation != PORTABLE_REDUCE_USER)
    memcpy(all, s->of.empty, s->of.bytes);
  if (!(s->flags & PORTABLE_REDUCE_INTO) || s->operation == PORTABLE_REDUCE_USER) return;
  _Alignas(16) char old[PORTABLE__PARTIAL_MOST];
  s->of.load(old, s->to);
  if (r->units) s->of.combine(old, all, s->context);
  memcpy(all, old, s->of.bytes);
}

static void store_exact(const struct portable__reduction *r, const struct portable__result *s) {
  portable_exact sum;
  portable_exact_init(&sum);
  if (s->flags & PORTABLE_REDUCE_INTO) {
    if (s->kind == PORTABLE_KIND_EXACT)
      portable_exact_merge(&sum, s->to);
    else
      portable_exact_add(&sum, s->kind == PORTABLE_KIND_REAL32 ? (double)*(const float *)s->to : *(const double *)s->to);
  }
  for (int k = 0; r->places && k < PLACES; k++) portable_exact_merge(&sum, &r->places[k].sum[s->exact]);
  portable_exact_normalise(&sum);
  if (s->kind == PORTABLE_KIND_EXACT)
    memcpy(s->to, &sum, sizeof sum);
  else if (s->kind == PORTABLE_KIND_REAL64)
    *(double *)s->to = portable_exact_value(&sum);
  else
    *(float *)s->to = portable_exact_value32(&sum);
}

portable_status portable__reduce_store(const char *label, struct portable__reduction *r) {
  for (size_t i = 0; i < r->count; i++) {
    struct portable__result *s = &r->result[i];
    if (s->exact < 0) combine(r, s);
    if (s->operation == PORTABLE_REDUCE_COUNT && s->kind == PORTABLE_KIND_INT32) {
      int32_t trial;
      if (s->of.store(&trial, r->partials + s->offset)) return count_too_large(label, i + r->first, *(int64_t *)(void *)(r->partials + s->offset));
    }
  }
  for (size_t i = 0; i < r->count; i++) {
    struct portable__result *s = &r->result[i];
    char *all = r->partials + s->offset;
    if (s->exact >= 0)
      store_exact(r, s);
    else if (s->operation != PORTABLE_REDUCE_USER)
      s->of.store(s->to, all);
    else if (s->flags & PORTABLE_REDUCE_INTO && r->units)
      PORTABLE__CALLBACK(s->of.combine(s->to, all, s->context));
    else if (!(s->flags & PORTABLE_REDUCE_INTO))
      memcpy(s->to, all, s->of.bytes);
  }
  return PORTABLE_OK;
}

portable_status portable__reduce(const char *label, const portable_bounds *bounds, portable_reduce_function kernel, const void *args,
                                 size_t args_bytes, const portable_reduction *results, size_t result_count,
                                 const portable_launch_config *config, int32_t integer_bytes, int32_t wide) {
  PORTABLE__CALL("portable_parallel_reduce");
  struct portable__reduction r;
  _Alignas(16) char small[SMALL];
  if (!label) label = "unlabelled";
  memset(&r, 0, offsetof(struct portable__reduction, result));
  r.first = integer_bytes != 0;
  portable_status status = portable__reduce_read(label, results, result_count, kernel != NULL, &r);
  if (status != PORTABLE_OK) return status;
  char *identity = r.step <= OWN_MOST ? NULL : malloc(r.step), near[OWN_MOST];
  if (r.step > OWN_MOST && !identity)
    return portable__fail(PORTABLE_ERR_NOMEM, "parallel_reduce '%s': no memory for %zu bytes of identities", label, r.step);
  portable__reduce_identity(&r, results, identity ? identity : near);
  r.identity = identity ? identity : near;
  r.kernel = kernel;
  r.partials = small;
  r.leaves.cut = cut;
  r.leaves.call = "parallel_reduce";
  status = portable__launch(label, bounds, run_leaf, args, args_bytes, config, integer_bytes, wide, &r.leaves);
  if (status != PORTABLE_OK) {
    status = portable__rename_error(status, "parallel_reduce");
  } else {
    if (r.units == 0) { /* empty space: cut was not called */
      if (r.step > SMALL) r.partials = identity;
      else memcpy(small, r.identity, r.step);
    }
    status = portable__reduce_store(label, &r);
  }
  if (r.partials != small && r.partials != identity) free(r.partials);
  free(identity);
  free(r.places);
  return status;
}

portable_status portable_parallel_reduce(const char *label, const portable_bounds *bounds, portable_reduce_function kernel,
                                         const void *args, size_t args_bytes, const portable_reduction *results, size_t result_count,
                                         const portable_launch_config *config) {
  return portable__reduce(label, bounds, kernel, args, args_bytes, results, result_count, config, 0, 0);
}
