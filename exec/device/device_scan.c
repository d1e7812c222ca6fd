/* device_scan.c - scans of arrays on CUDA devices: kernels, grid, memory. The kernels are in
 * internal/backend/cuda/kernels/scan.cu, arguments in exec/algorithm/scan.c, the cut in
 * internal/kernels/scan/scan.c. Threads: any. */
#include "device_arrays.h"

#include <string.h>

#define THREADS 128
#define LEAF_THREADS (PORTABLE__CUDA_SCAN_LEAF / PORTABLE__CUDA_RUN)
#define LINES_MANY 2048 /* with so many lines, each thread may have one */
#define LINE_SHORT 64   /* elements; a block would be mostly idle on a shorter line */

_Static_assert(sizeof(union portable__cuda_value) == sizeof(union portable__scan_value), "values of scans");

struct work {
  const char *label;
  struct portable__cuda_scan s;
  struct portable__step step[3];
  int steps;
};

static portable_status enqueue(void *native, void *payload) {
  const struct work *w = payload;
  portable_status status = PORTABLE_OK;
  for (int i = 0; i < w->steps && status == PORTABLE_OK; i++) status = portable__step_put(native, w->label, &w->step[i], &w->s, sizeof w->s);
  return status;
}

/* 1: lines are contiguous and their elements are not, or lines are short. */
static int by_lines(const struct portable__scan *s) {
  const int32_t bytes = s->operation->element_bytes;
  if (s->outer == 0 || s->lines < LINES_MANY) return 0;
  return s->count <= LINE_SHORT || (s->inner == 1 && s->in[0].step != bytes && s->out[0].step == bytes);
}

portable_status portable__device_scan(const struct portable__place *place, const struct portable__scan *s, int32_t op, int32_t kind) {
  struct work w;
  struct portable__workspace totals = {0, NULL};
  const int64_t leaves = s->lines * s->leaves;
  const int lines = by_lines(s);
  memset(&w, 0, sizeof w);
  w.label = place->label;
  w.steps = lines ? 1 : 3;
  if (lines) {
    portable__step_grid(place, &w.step[0], (s->lines - 1) / THREADS + 1, THREADS);
  } else { /* totals of leaves, their chain in each line, results */
    portable__step_grid(place, &w.step[0], leaves, LEAF_THREADS);
    portable__step_grid(place, &w.step[1], s->lines, THREADS);
    w.step[2] = w.step[0];
  }
  portable_status status = portable__steps(place, PORTABLE__LIST(PORTABLE__LIST_SCAN, op, kind, lines), w.step);
  if (status == PORTABLE_OK && !lines) status = portable__workspace_take(place, (size_t)leaves * sizeof(union portable__cuda_value), 0, &totals);
  const uint64_t even = (uint64_t)(uintptr_t)s->data | (uint64_t)(uintptr_t)s->results | portable__even_axes(s->in, s->inner, 0) |
                        portable__even_axes(s->in, s->inner, 1) | portable__even_axes(s->out, s->outer, 0) | portable__even_axes(s->out, s->outer, 1);
  w.s.data = s->data;
  w.s.results = s->results;
  w.s.totals = totals.at;
  w.s.count = s->count;
  w.s.leaves = s->leaves;
  w.s.lines = s->lines;
  w.s.inner = s->inner;
  w.s.outer = s->outer;
  w.s.exclusive = s->exclusive;
  w.s.has_initial = s->has_initial;
  w.s.aligned = even % (uint64_t)s->operation->element_bytes == 0;
  memcpy(&w.s.initial, &s->initial, sizeof w.s.initial);
  portable__cuda_axes(w.s.in, s->in, s->inner);
  portable__cuda_axes(w.s.out, s->out, s->outer);
  if (status == PORTABLE_OK) status = portable__place_run(place, s->count * s->lines, enqueue, &w, 0);
  portable__workspace_give(place, &totals, status == PORTABLE_OK);
  return status;
}
