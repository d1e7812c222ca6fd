/* team_share.c - runs the tiles of one share of a launch, and notes kernels that are left by an
 * exception or by the end of their thread. Main function: portable__team_share. In C because it
 * runs per tile. Not in this file: which thread runs which share (team.c). Threads: any; each has
 * a tile of its own. */
#include <stdatomic.h>
#include <string.h>

#include "team_room.h"

/* ---- tiles ---- */

void portable__tile_integers(portable_tile *t, int32_t bytes) {
  for (int32_t d = 0; d < t->rank; d++) {
    if (bytes == 4) {
      int32_t *i = (int32_t *)(void *)t->fortran;
      i[d] = (int32_t)t->lower[d];
      i[PORTABLE_LOOP_RANK + d] = (int32_t)t->upper[d];
      i[2 * PORTABLE_LOOP_RANK + d] = (int32_t)t->stride[d];
    } else {
      t->fortran[d] = t->lower[d];
      t->fortran[PORTABLE_LOOP_RANK + d] = t->upper[d];
      t->fortran[2 * PORTABLE_LOOP_RANK + d] = t->stride[d];
    }
  }
}

static void run_units(struct portable__job *job, portable_tile *t, int64_t from, int64_t to) {
  while (from < to && !atomic_load_explicit(&job->failed, memory_order_relaxed)) {
    t->number = job->numbered ? from : 0;
    from += portable__cut_box(&job->cut, from, to, t);
    if (job->integer_bytes) portable__tile_integers(t, job->integer_bytes);
    job->kernel(t, job->args);
  }
}

/* Dimensions that a tile does not have run from 1 to 0 by 1, so that a kernel with more loops than the bounds have dimensions does nothing, in
 * the place of what lies before its arrays. The same for the integers of Fortran, of 4 bytes and of 8. */
#define ONES 1, 1, 1, 1, 1, 1, 1, 1
#define PAIR(x) (INT64_C(x) << 32 | INT64_C(x))
#define PAIRS(x) PAIR(x), PAIR(x), PAIR(x), PAIR(x)
static const portable_tile no_dimension = {.lower = {ONES}, .stride = {ONES}},
                           no_dimension_4 = {.lower = {ONES}, .stride = {ONES}, .fortran = {PAIRS(1), PAIRS(0), PAIRS(1)}},
                           no_dimension_8 = {.lower = {ONES}, .stride = {ONES}, .fortran = {ONES, 0, 0, 0, 0, 0, 0, 0, 0, ONES}};

/* All of a tile that is the same for the whole share. */
static void begin_tile(const struct portable__job *job, int32_t worker, portable_tile *t) {
  *t = job->integer_bytes == 4 ? no_dimension_4 : job->integer_bytes == 8 ? no_dimension_8 : no_dimension;
  for (int32_t k = 0; k < job->cut.rank; k++) t->stride[job->cut.axis[k].dim] = job->cut.axis[k].stride;
  t->rank = job->cut.rank;
  t->worker = worker;
  t->workers = job->workers;
  t->device = job->device;
  t->launch = (void *)(uintptr_t)job;
}

/* ---- kernels that are left ---- */

__thread int portable__ended_by_unwinding __attribute__((tls_model("initial-exec")));

void (*portable__team_kernel_left)(void);

static int exception_passes(void) { return &__cxa_get_globals && __cxa_get_globals()->uncaught > 0; }

void portable__callback_ends(const int *returned) {
  if (!*returned && !exception_passes()) portable__ended_by_unwinding = 1;
}

PORTABLE__RARE static void kernel_unwound(void) {
  if (!exception_passes())
    portable__ended_by_unwinding = 1;
  else if (portable__team_kernel_left)
    portable__team_kernel_left();
}

/* The state of the thread before it ran a kernel. A device of Go's runs kernels from inside Go, but a kernel is not Go. */
struct outside {
  const struct portable__job *job;
  int inside, returned;
};

static struct outside enter_kernel(const struct portable__job *job) {
  struct outside o = {portable__running_job, portable__inside, 0};
  portable__running_job = job;
  portable__inside = 0;
  return o;
}

/* Also when the kernel has thrown an exception, or has ended its thread. */
static inline void leave_kernel(const struct outside *o) {
  portable__running_job = o->job;
  portable__inside = o->inside;
  if (!o->returned)
    kernel_unwound();
  else
    portable__ended_by_unwinding = 0; /* a thread that goes on has not ended: an exception has passed, of a library of its own */
}

#define ENTER_KERNEL(job) __attribute__((cleanup(leave_kernel))) struct outside outside = enter_kernel(job)

void portable__team_units(struct portable__job *job, int32_t worker, int64_t from, int64_t to) {
  portable_tile t;
  begin_tile(job, worker, &t);
  ENTER_KERNEL(job);
  run_units(job, &t, from, to);
  outside.returned = 1;
}

void portable__team_share(struct portable__job *job, int32_t worker) {
  portable_tile t;
  int64_t from, to;
  begin_tile(job, worker, &t);
  ENTER_KERNEL(job);
  if (!job->dynamic) {
    portable__cut_share(job->cut.units, worker, job->workers, &from, &to);
    run_units(job, &t, from, to);
  } else {
    /* Unsigned: each worker steps beyond the end once, which may be beyond int64_t. A failed launch has no more to hand out. */
    while (!atomic_load_explicit(&job->failed, memory_order_relaxed)) {
      from = atomic_fetch_add_explicit(&job->next, job->grain, memory_order_relaxed);
      if ((uint64_t)from >= (uint64_t)job->cut.units) break;
      to = job->cut.units - from < job->grain ? job->cut.units : from + job->grain;
      run_units(job, &t, from, to);
    }
  }
  outside.returned = 1;
}

void portable_kernel_fail(const portable_tile *tile, int32_t code, const char *text) {
  struct portable__job *job = tile ? tile->launch : NULL;
  int32_t none = 0;
  if (!job || !atomic_compare_exchange_strong(&job->failed, &none, 1)) return;
  job->fail_code = code;
  if (!text) text = "";
  size_t n = strnlen(text, sizeof job->fail_text - 1);
  memcpy(job->fail_text, text, n);
  job->fail_text[n] = '\0';
}
