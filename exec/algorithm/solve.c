/* solve.c - systems of three and five diagonals: arguments, systems, launch. Main function:
 * solve. The arithmetic is in internal/kernels/solve, the device version in
 * exec/device/device_solve.c. Threads: any; no lock. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "../launch/launch.h"
#include "../../gator/front/front.h"
#include "../../internal/kernels/solve/solve.h"
#include "../../internal/kernels/base/overlap.h"
#include "../../internal/observe/tools.h"
#include "../../internal/team/hints.h"
#include "../../internal/edge/calls.h"
#include "../device/device_arrays.h"
#include "call.h"

#define SMALL 2048 /* fewer elements are solved by the calling thread: they take less time than a wake-up */
#define RHS PORTABLE__SOLVE_RHS

/* ---- arguments ---- */

static const int64_t *strides_of(const portable_solve_options *o, int32_t band, int k) {
  const int64_t *const strides[] = {o->lower2_strides, o->lower_strides, o->diag_strides, o->upper_strides, o->upper2_strides};
  return k == RHS ? o->rhs_strides : strides[band == 1 ? k + 1 : k];
}

/* Operand k in the form of overlap.h, the fastest dimension first. */
static void lie(const struct portable__array_call *c, const portable_solve_options *o, const struct portable__solve *s, int k, struct portable__lying *x) {
  const int64_t *const strides = strides_of(o, s->band, k);
  int64_t step = s->bytes;
  x->at = s->at[k];
  x->bytes = s->bytes;
  x->rank = k != RHS && s->one ? 1 : c->rank;
  for (int32_t i = 0; i < x->rank; i++) {
    const int32_t d = o->order == PORTABLE_ORDER_FORTRAN ? i : c->rank - 1 - i;
    x->extents[i] = x->rank < c->rank ? s->n : c->extents[d];
    x->strides[i] = strides ? strides[x->rank < c->rank ? 0 : d] : step;
    if (__builtin_mul_overflow(step, x->extents[i], &step)) step = 0; /* more bytes than a number counts were refused before */
  }
}

/* The steps of operand k: along the rows, and from system to system. */
static void step(struct portable__solve *s, int k, int32_t along, const struct portable__lying *x) {
  s->step[k] = x->strides[x->rank == 1 && s->one ? 0 : along];
  for (int32_t i = 0, a = 0; i < x->rank && !(s->one && k != RHS); i++)
    if (i != along) s->axis[a++].step[k] = x->strides[i];
}

/* s is all 0 before. Systems are numbered in array element order. */
portable_status portable__solve_verdict(const struct portable__array_call *c, portable_solve_options *o, struct portable__solve *s) {
  const portable_solve_options *given = c->options;
  const int empty = portable__array_empty(c->rank, c->extents), bands = c->call == PORTABLE__SOLVE_FIVE ? 5 : 3;
  struct portable__lying lying[PORTABLE__SOLVE_OPERANDS];
  int64_t bytes;
  int missing = !c->result, overflow = 0;
  for (int k = 0; k < bands; k++) missing |= !c->bands[k];
  if (!PORTABLE__OPTIONS(*o, given) || (c->kind != PORTABLE_KIND_REAL32 && c->kind != PORTABLE_KIND_REAL64) || empty < 0 ||
      !portable__order_is_good(o->order) || o->dim < (c->rank > 1) || o->dim > c->rank ||
      o->flags & ~(PORTABLE_SOLVE_PERIODIC | PORTABLE_SOLVE_ONE) || (!empty && missing))
    return PORTABLE_ERR_ARG;
  const int32_t dim = o->dim ? o->dim - 1 : 0, along = o->order == PORTABLE_ORDER_FORTRAN ? dim : c->rank - 1 - dim;
  s->band = bands / 2;
  s->bytes = c->kind == PORTABLE_KIND_REAL64 ? 8 : 4;
  s->periodic = (o->flags & PORTABLE_SOLVE_PERIODIC) != 0;
  s->one = (o->flags & PORTABLE_SOLVE_ONE) != 0;
  s->n = c->extents[dim];
  s->systems = 1;
  bytes = s->bytes;
  for (int32_t i = 0; i < c->rank; i++) {
    const int64_t extent = c->extents[o->order == PORTABLE_ORDER_FORTRAN ? i : c->rank - 1 - i];
    overflow |= __builtin_mul_overflow(bytes, extent, &bytes);
    if (i == along) continue;
    s->axis[s->axes++] = (struct portable__solve_axis){.extent = extent, .weight = s->systems};
    s->systems = empty || overflow ? 0 : s->systems * extent;
  }
  if (empty) {
    s->systems = 0;
    return portable__launch_is_good(o->launch) ? PORTABLE_OK : PORTABLE_ERR_ARG;
  }
  if (overflow) return PORTABLE_ERR_OVERFLOW;
  for (int i = 0; i <= bands; i++) {
    const int k = i < bands ? i : RHS;
    s->at[k] = (char *)(uintptr_t)(k == RHS ? c->result : c->bands[k]);
    lie(c, o, s, k, &lying[k]);
    if (!portable__lying_fits(&lying[k])) return PORTABLE_ERR_OVERFLOW;
    step(s, k, along, &lying[k]);
  }
  if (portable__overlap_self(&lying[RHS])) return PORTABLE_ERR_ARG;
  for (int k = 0; k < bands; k++)
    if (portable__overlap(&lying[RHS], &lying[k])) return PORTABLE_ERR_ARG;
  return portable__launch_is_good(o->launch) ? PORTABLE_OK : PORTABLE_ERR_ARG;
}

/* ---- systems ---- */

static int64_t length(int64_t step) { return step < 0 ? -step : step; }

/* 1: axis `next` goes on where `axis` ends. */
static int goes_on(const struct portable__solve_axis *axis, const struct portable__solve_axis *next) {
  if (next->weight != axis->weight * axis->extent) return 0;
  for (int k = 0; k < PORTABLE__SOLVE_OPERANDS; k++)
    if (next->step[k] != axis->step[k] * axis->extent) return 0;
  return 1;
}

/* Orders the axes of the systems by what the memory of rhs likes, without those of one system, and joins them. */
static void arrange(struct portable__solve *s) {
  struct portable__solve_axis axis[PORTABLE_LOOP_RANK];
  int32_t count = 0, left = 0;
  for (int32_t a = 0; a < s->axes; a++) {
    int32_t k = count;
    if (s->axis[a].extent == 1) continue;
    for (; k > 0 && length(axis[k - 1].step[RHS]) > length(s->axis[a].step[RHS]); k--) axis[k] = axis[k - 1];
    axis[k] = s->axis[a];
    count++;
  }
  for (int32_t a = 0; a < count; a++) {
    if (left && goes_on(&s->axis[left - 1], &axis[a]))
      s->axis[left - 1].extent *= axis[a].extent;
    else
      s->axis[left++] = axis[a];
  }
  s->axes = left;
}

/* ---- launches ---- */

struct task {
  struct portable__solve *s;
  const char *label;
  int64_t bytes, unit; /* scratch of a tile; systems of an iteration */
  _Atomic int64_t found;
  _Atomic int no_memory;
};

static void note(struct task *task, int64_t found) {
  int64_t first = atomic_load_explicit(&task->found, memory_order_relaxed);
  while (found < first && !atomic_compare_exchange_weak_explicit(&task->found, &first, found, memory_order_relaxed, memory_order_relaxed)) {
  }
}

/* Takes memory for portable__free; *aligned is its first address that is a multiple of 64. */
static portable_status take(int64_t bytes, const char *label, void **memory, void **aligned) {
  const portable_status status = portable__alloc((size_t)bytes + 64, label, strlen(label), memory);
  if (status != PORTABLE_OK) return status;
  portable__hint_own(*memory, (uint64_t)bytes + 64, portable__tool);
  *aligned = (void *)(((uintptr_t)*memory + 63) & ~(uintptr_t)63);
  return PORTABLE_OK;
}

/* Solves some systems; factor 1: eliminates the one matrix of all. Takes its scratch here, because only the launch knows its threads. */
static void work(struct task *task, int factor, int64_t from, int64_t to) {
  void *memory, *scratch;
  if (take(task->bytes, task->label, &memory, &scratch) != PORTABLE_OK) {
    atomic_store_explicit(&task->no_memory, 1, memory_order_relaxed);
    return;
  }
  note(task, factor ? portable__solve_factor(task->s, scratch) : portable__solve_range(task->s, from, to, scratch));
  portable__free(memory);
}

static void kernel(const portable_tile *t, void *args) {
  struct task *task = args;
  const int64_t end = (t->upper[0] + 1) * task->unit, systems = task->s->systems;
  work(task, 0, t->lower[0] * task->unit, end < systems ? end : systems);
}

/* In the turn of its stream, because a launch before may write the matrix. */
static void factor_kernel(const portable_tile *t, void *args) {
  (void)t;
  work(args, 1, 0, 0);
}

static portable_status launch(const char *call, const char *label, struct portable__solve *s, const portable_launch_config *config, int64_t *found_out) {
  const int small = s->systems == 0 || s->n <= SMALL / s->systems;
  struct task task = {.s = s, .label = label, .bytes = 0, .unit = 1};
  void *memory = NULL;
  int64_t factors = 0;
  portable_status status = PORTABLE_OK;
  atomic_init(&task.found, INT64_MAX);
  atomic_init(&task.no_memory, 0);
  if (s->systems) {
    portable__solve_cut(s, portable__call_workers(config));
    task.unit = small ? s->systems : s->width;
    task.bytes = portable__solve_scratch_bytes(s);
    factors = s->one ? portable__solve_factors_bytes(s) : 0;
    if (task.bytes < 0 || factors < 0 || task.bytes > INT64_MAX - 64 || factors > INT64_MAX - 64)
      return portable__fail(PORTABLE_ERR_OVERFLOW, "%s '%s': %" PRId64 " rows need more bytes of scratch memory than a 64-bit integer counts", call, label, s->n);
  }
  if (factors) {
    const portable_bounds once = portable_bounds_1(1);
    if ((status = take(factors, label, &memory, &s->factors)) != PORTABLE_OK) return portable__no_scratch(status, call, label);
    if (config->stream)
      status = portable__launch(label, &once, factor_kernel, &task, 0, config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
    else
      work(&task, 1, 0, 0);
  }
  const portable_bounds bounds = portable_bounds_1(s->systems ? (s->systems - 1) / task.unit + 1 : 0);
  if (status == PORTABLE_OK && !atomic_load_explicit(&task.no_memory, memory_order_relaxed))
    status = portable__launch(label, &bounds, kernel, &task, 0, config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  if (memory) portable__free(memory);
  if (status == PORTABLE_OK && atomic_load_explicit(&task.no_memory, memory_order_relaxed)) return portable__no_scratch(PORTABLE_ERR_NOMEM, call, label);
  *found_out = atomic_load_explicit(&task.found, memory_order_relaxed);
  return status == PORTABLE_OK ? status : portable__rename_error(status, call);
}

/* found: the number of the system times n, plus the row from 0. */
PORTABLE__COLD static portable_status zero_pivot(const struct portable__array_call *c, const portable_solve_options *o, const char *call, int64_t n, int64_t found) {
  const int fortran = o->order == PORTABLE_ORDER_FORTRAN;
  char index[PORTABLE__INDEX_TEXT];
  portable__index_text(index, c->rank, c->extents, o->order, found / n, o->dim ? o->dim - 1 : 0);
  return portable__fail(PORTABLE_ERR_ARG, "%s '%s': in system %s the pivot of row %" PRId64 " is 0, so its solution is NaN; rows are not exchanged: such a matrix needs "
                        "LAPACK's gtsv or gbsv", call, c->label, index, found % n + fortran);
}

/* Tries a CUDA device. *done: 1 if the call is finished. */
PORTABLE__COLD static portable_status on_device(const struct portable__array_call *c, const char *call, const struct portable__solve *s,
                                                const portable_launch_config *config, int64_t *found, int *done) {
  static const char *const names[2][PORTABLE__SOLVE_OPERANDS] = {{"lower", "diag", "upper", "", "", "rhs"}, {"lower2", "lower", "diag", "upper", "upper2", "rhs"}};
  struct portable__memory memory[PORTABLE__SOLVE_OPERANDS];
  struct portable__place place;
  for (int k = 0; k < PORTABLE__SOLVE_OPERANDS; k++) memory[k] = (struct portable__memory){names[s->band - 1][k], s->at[k], 0};
  portable_status status = portable__place(call, c->label, config, memory, PORTABLE__SOLVE_OPERANDS, 1, &place);
  *done = status != PORTABLE_OK || place.index >= 0;
  return status == PORTABLE_OK && place.index >= 0 ? portable__device_solve(&place, s, c->kind, found) : status;
}

static portable_status solve(const struct portable__array_call *c) {
  const char *const call = c->call == PORTABLE__SOLVE_FIVE ? "solve_pentadiagonal" : "solve_tridiagonal";
  portable_solve_options o = PORTABLE_SOLVE_OPTIONS_INIT;
  portable_launch_config config;
  struct portable__solve s;
  int64_t found = INT64_MAX;
  int done = 0;
  memset(&s, 0, sizeof s);
  portable_status status = portable__solve_verdict(c, &o, &s);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_refused(c, status);
  if (PORTABLE__UNLIKELY(!portable_is_initialized())) return portable__not_running(s.band == 2 ? "portable_solve_pentadiagonal" : "portable_solve_tridiagonal");
  portable__call_config(o.launch, &config);
  arrange(&s);
  if (portable__on_device_matters() && s.systems) status = on_device(c, call, &s, &config, &found, &done);
  if (status == PORTABLE_OK && !done) status = launch(call, c->label, &s, &config, &found);
  return status == PORTABLE_OK && found != INT64_MAX ? zero_pivot(c, &o, call, s.n, found) : status;
}

portable_status portable_solve_tridiagonal(const char *label, int32_t kind, const void *lower, const void *diag, const void *upper, void *rhs, int32_t rank,
                                           const int64_t *extents, const portable_solve_options *options) {
  PORTABLE__CALL("portable_solve_tridiagonal");
  const struct portable__array_call c = {.call = PORTABLE__SOLVE_THREE, .kind = kind, .rank = rank, .label = label ? label : "unlabelled",
                                         .extents = extents, .result = rhs, .bands = {lower, diag, upper}, .options = options};
  return solve(&c);
}

portable_status portable_solve_pentadiagonal(const char *label, int32_t kind, const void *lower2, const void *lower, const void *diag, const void *upper,
                                             const void *upper2, void *rhs, int32_t rank, const int64_t *extents, const portable_solve_options *options) {
  PORTABLE__CALL("portable_solve_pentadiagonal");
  const struct portable__array_call c = {.call = PORTABLE__SOLVE_FIVE, .kind = kind, .rank = rank, .label = label ? label : "unlabelled",
                                         .extents = extents, .result = rhs, .bands = {lower2, lower, diag, upper, upper2}, .options = options};
  return solve(&c);
}
