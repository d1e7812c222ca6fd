/* device_reduce_array.c - reductions of arrays on CUDA devices: kernels, grid, memory. The kernels
 * are in internal/backend/cuda/kernels/reduce.cu, arguments in exec/algorithm/reduce_array.c, the
 * cut in internal/kernels/reduction/array.c. Threads: any. */
#include "device_reduce_array.h"

#include <stdio.h>
#include <string.h>

#include "../../internal/backend/cuda/memory.h"
#include "../../internal/kernels/reduction/partial.h"

#define THREADS 128
#define LINES_MANY 2048 /* with so many lines, each thread may have one */
#define LINE_SHORT 16   /* elements; threads that share a shorter line mostly wait */

/* The payload for the stream; copied if the call does not wait. */
struct work {
  struct portable__cuda_reduction r;
  struct portable__step step[3]; /* partial results, a level of their tree, results */
  char label[PORTABLE__LABEL_MAX + 1];
};

static portable_status enqueue(void *native, void *payload) {
  struct work *w = payload;
  struct portable__cuda_reduction r = w->r;
  portable_status status = portable__step_put(native, w->label, &w->step[0], &r, sizeof r);
  for (r.step = 1; status == PORTABLE_OK && (r.leaves - 1) / r.step > 0; r.step *= PORTABLE__CUDA_TREE)
    status = portable__step_put(native, w->label, &w->step[1], &r, sizeof r);
  return status == PORTABLE_OK ? portable__step_put(native, w->label, &w->step[2], &r, sizeof r) : status;
}

static int32_t alignment(int32_t kind) {
  const int32_t bytes = (int32_t)portable__kind_bytes(kind);
  return kind == PORTABLE_KIND_COMPLEX32 ? 4 : bytes < 8 ? bytes : 8;
}

static int aligned(const struct portable__array_reduction *r) {
  const uint64_t data = (uint64_t)(uintptr_t)r->data | portable__even_axes(r->in, r->inner, 0) | portable__even_axes(r->out, r->outer, 0);
  const uint64_t mask = (uint64_t)(uintptr_t)r->mask | portable__even_axes(r->in, r->inner, 1) | portable__even_axes(r->out, r->outer, 1);
  return data % (uint64_t)alignment(r->kind) == 0 && (!r->mask || mask % (uint64_t)r->mask_bytes == 0);
}

/* 1: lines are contiguous and their elements are not, so neighbouring threads take neighbouring lines. */
static int by_lines(const struct portable__array_reduction *r) {
  const int32_t bytes = r->operation->element_bytes;
  if (r->outer == 0 || r->inner != 1 || r->lines * r->leaves < LINES_MANY) return 0;
  return r->count < LINE_SHORT || (r->in[0].step != bytes && r->out[0].step == bytes);
}

static portable_status find_steps(const struct portable__place *place, const struct portable__array_reduction *r, int wide, struct work *w) {
  const int lines = by_lines(r), extreme = r->op >= PORTABLE_REDUCE_MIN && r->op <= PORTABLE_REDUCE_MAXLOC;
  const int64_t units = r->lines * r->leaves, threads_of_unit = lines ? 1 : 32;
  const int64_t groups = (r->leaves - 1) / PORTABLE__CUDA_TREE + 1;
  portable__step_grid(place, &w->step[0], (units - 1) / (THREADS / threads_of_unit) + 1, THREADS);
  portable__step_grid(place, &w->step[1], groups * r->lines, 2 * THREADS);
  portable__step_grid(place, &w->step[2], (r->lines - 1) / (extreme ? THREADS / 32 : THREADS) + 1, THREADS);
  return portable__steps(place, PORTABLE__LIST(PORTABLE__LIST_REDUCE, r->op, r->kind, lines | wide << 1), w->step);
}

/* Bytes of all results; a location has a number for each dimension. */
static size_t result_bytes(const struct portable__array_reduction *r, size_t *each_out) {
  const int location = r->op == PORTABLE_REDUCE_MINLOC || r->op == PORTABLE_REDUCE_MAXLOC;
  *each_out = location ? 8 : r->op >= PORTABLE_REDUCE_ANY && r->op <= PORTABLE_REDUCE_ALL ? 4 : r->op == PORTABLE_REDUCE_COUNT ? 8 : (size_t)alignment(r->kind);
  if (location) return 8 * (size_t)(r->rank ? r->rank : r->lines);
  return (size_t)r->operation->result_bytes * (size_t)r->lines;
}

portable_status portable__device_reduce_array(const struct portable__place *place, const struct portable__array_reduction *r, int wide) {
  struct work w;
  struct portable__workspace partials = {0, NULL}, cell = {0, NULL};
  size_t each;
  const size_t bytes = result_bytes(r, &each);
  const int direct = (uintptr_t)r->results % each == 0 && portable__place_reaches(place, r->results);
  /* A caller that can read the result only by a copy waits for the copy. */
  const int left = direct && portable__cuda_foreign_space((uintptr_t)r->results) >= PORTABLE_SPACE_DEVICE(0);
  memset(&w, 0, sizeof w);
  snprintf(w.label, sizeof w.label, "%s", place->label);
  portable_status status = find_steps(place, r, wide, &w);
  if (status == PORTABLE_OK) status = portable__workspace_take(place, (size_t)(r->lines * r->leaves) * sizeof(struct portable__cuda_partial), 0, &partials);
  if (status == PORTABLE_OK && !direct) status = portable__workspace_take(place, bytes, 1, &cell);
  w.r.data = r->data;
  w.r.mask = r->mask;
  w.r.results = direct ? r->results : cell.at;
  w.r.partials = partials.at;
  w.r.count = r->count;
  w.r.leaves = r->leaves;
  w.r.lines = r->lines;
  memcpy(w.r.extent, r->extent, (size_t)r->rank * sizeof w.r.extent[0]);
  memcpy(w.r.place, r->place, (size_t)r->rank * sizeof w.r.place[0]);
  w.r.op = r->op;
  w.r.mask_bytes = r->mask_bytes;
  w.r.inner = r->inner;
  w.r.outer = r->outer;
  w.r.rank = r->rank;
  w.r.aligned = aligned(r);
  portable__cuda_axes(w.r.in, r->in, r->inner);
  portable__cuda_axes(w.r.out, r->out, r->outer);
  if (status == PORTABLE_OK) status = portable__place_run(place, r->count * r->lines, enqueue, &w, left ? sizeof w : 0);
  if (status == PORTABLE_OK && !direct) memcpy(r->results, cell.at, bytes);
  portable__workspace_give(place, &partials, !left && status == PORTABLE_OK);
  portable__workspace_give(place, &cell, status == PORTABLE_OK);
  return status;
}
