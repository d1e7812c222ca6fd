/* device_solve.c - systems of three and five diagonals on CUDA devices: kernel, grid, memory. The
 * kernel is in internal/backend/cuda/kernels/solve.cu, arguments in exec/algorithm/solve.c.
 * Threads: any. */
#include "device_arrays.h"

#include <stddef.h>
#include <string.h>

#include "device_work.h"

#define THREADS 64

_Static_assert(sizeof(struct portable__cuda_solve_axis) == sizeof(struct portable__solve_axis) &&
               offsetof(struct portable__cuda_solve_axis, step) == offsetof(struct portable__solve_axis, step) &&
               PORTABLE__CUDA_SOLVE_OPERANDS == PORTABLE__SOLVE_OPERANDS, "systems of few diagonals");

struct work {
  const char *label;
  struct portable__cuda_solve s;
  struct portable__step step;
};

static portable_status enqueue(void *native, void *payload) {
  const struct work *w = payload;
  return portable__step_put(native, w->label, &w->step, &w->s, sizeof w->s);
}

static int aligned(const struct portable__solve *s) {
  uint64_t bits = 0;
  for (int k = 0; k < PORTABLE__SOLVE_OPERANDS; k++) {
    bits |= (uint64_t)(uintptr_t)s->at[k] | (uint64_t)s->step[k];
    for (int32_t a = 0; a < s->axes; a++) bits |= (uint64_t)s->axis[a].step[k];
  }
  return bits % (uint64_t)s->bytes == 0;
}

portable_status portable__device_solve(const struct portable__place *place, const struct portable__solve *s, int32_t kind, int64_t *found_out) {
  const int64_t slots = s->band * (s->periodic ? 2 : 1);
  struct portable__workspace work = {0, NULL}, cell = {0, NULL};
  struct work w;
  memset(&w, 0, sizeof w);
  w.label = place->label;
  portable_status status = portable__steps(place, PORTABLE__LIST(PORTABLE__LIST_SOLVE, s->band, kind, 0), &w.step);
  if (status != PORTABLE_OK) return status;
  portable__step_grid(place, &w.step, (s->systems - 1) / THREADS + 1, THREADS);
  w.s.threads = (long long)w.step.grid * THREADS;
  status = portable__workspace_take(place, (size_t)(slots * s->n * w.s.threads * s->bytes), 0, &work);
  if (status == PORTABLE_OK) status = portable__workspace_take(place, sizeof(long long), 1, &cell);
  if (status == PORTABLE_OK) {
    w.s.work = work.at;
    w.s.found = cell.at;
    *w.s.found = INT64_MAX;
    w.s.n = s->n;
    w.s.systems = s->systems;
    w.s.periodic = s->periodic;
    w.s.axes = s->axes;
    w.s.aligned = aligned(s);
    memcpy(w.s.at, s->at, sizeof w.s.at);
    memcpy(w.s.step, s->step, sizeof w.s.step);
    memcpy(w.s.axis, s->axis, (size_t)s->axes * sizeof *s->axis);
    status = portable__place_run(place, s->systems * s->n, enqueue, &w, 0);
    if (status == PORTABLE_OK) *found_out = *w.s.found;
  }
  portable__workspace_give(place, &cell, status == PORTABLE_OK);
  portable__workspace_give(place, &work, status == PORTABLE_OK);
  return status;
}
