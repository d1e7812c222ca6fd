/* cufft_lines.c - lines of a call through the user's cuFFT: layout, copies, order in the stream.
 * Main function: portable__cufft_lines. A side that cuFFT does not take as it lies is copied: parts
 * that lie apart, negative steps, numbers that are not aligned, and the complex side of backward
 * real lines, which cuFFT overwrites. Not here: plans of cuFFT (cufft.c). Threads: any. */
#include <stddef.h>
#include <string.h>

#include "cufft.h"

#define THREADS 256
#define WORK_ALIGNMENT 256 /* that of the driver's own blocks, which cuFFT would take */

_Static_assert(PORTABLE__CUDA_RANK >= PORTABLE_LOOP_RANK, "axes of a side");

/* One side of the lines, as cuFFT sees it. */
struct layout {
  char *at;
  int64_t element, step, next[PORTABLE_LOOP_RANK]; /* bytes: of an element; along a line; of each axis */
  int packed;
  int64_t bytes; /* of the copy, if it is packed */
  struct portable__cuda_fft_side copy;
};

struct call {
  const struct portable__place *place;
  const struct portable__fft *f;
  struct portable__cufft_plan *plan;
  struct layout side[2];
  struct portable__step step[2]; /* pack, unpack */
  int32_t axis; /* its lines are in one plan; the other axes are calls */
  void *work;
};

static int is_real(const struct portable__fft *f, int side) { return f->plan->real && side == f->backward; }

static int64_t count_of(const struct portable__fft *f, int side) { return f->plan->real && !is_real(f, side) ? f->plan->n / 2 + 1 : f->plan->n; }

/* 1: cuFFT takes the side as it lies. All starts are aligned for complex numbers. */
static int fits(const struct portable__fft *f, int side, int32_t axis, const struct layout *l) {
  const struct portable__fft_side *const s = &f->side[side];
  const int64_t complex = 2 * f->bytes;
  if (f->plan->real && f->backward && side == 0) return 0;
  if ((!is_real(f, side) && s->part != f->bytes) || (uintptr_t)s->at % (uintptr_t)complex || s->step <= 0 || s->step % l->element) return 0;
  for (int32_t a = 0; a < f->axes; a++)
    if (f->axis[a].step[side] <= 0 || f->axis[a].step[side] % (a == axis ? l->element : complex)) return 0;
  return 1;
}

static int64_t length(int64_t step) { return step < 0 ? -step : step; }

/* An axis of a side; -1: along the line. */
static int64_t step_of(const struct portable__fft *f, int side, int axis) { return axis < 0 ? f->side[side].step : f->axis[axis].step[side]; }

/* Lays out a copy whose axes are in the order of the side's own memory, so that both are read and written in order. Real lines of
 * different calls of cuFFT begin at even elements, so their axis is not the first one. */
static void pack(const struct portable__fft *f, int side, int32_t axis, struct layout *l) {
  struct portable__cuda_fft_side *const c = &l->copy;
  int order[PORTABLE_LOOP_RANK + 1] = {-1}, *first = order;
  uint64_t bits = (uint64_t)(uintptr_t)f->side[side].at;
  *c = (struct portable__cuda_fft_side){.at = f->side[side].at, .part = f->side[side].part, .n = f->plan->n, .pairs = !is_real(f, side), .half = f->plan->real, .count = 1};
  if (c->pairs) bits |= (uint64_t)c->part;
  for (int a = -1; a < f->axes; a++) {
    int k = c->axes++;
    bits |= (uint64_t)step_of(f, side, a);
    for (; k > 0 && length(step_of(f, side, order[k - 1])) > length(step_of(f, side, a)); k--) order[k] = order[k - 1];
    order[k] = a;
  }
  c->aligned = bits % (uint64_t)f->bytes == 0;
  if (!c->pairs && *first >= 0 && *first != axis) {
    while (*first >= 0) first++;
    for (; first > order; first--) *first = first[-1];
    *first = -1;
  }
  int64_t step = 1;
  for (int k = 0; k < c->axes; k++) {
    const int a = order[k];
    c->step[k] = step_of(f, side, a);
    c->extent[k] = a < 0 ? count_of(f, side) : f->axis[a].extent;
    c->packed_step[k] = step;
    if (a < 0)
      c->along = k, l->step = step * l->element;
    else
      l->next[a] = step * l->element;
    c->count *= c->extent[k];
    step = (step * c->extent[k] + 1) / 2 * 2;
  }
  l->bytes = step * l->element;
}

static void lay_out(const struct portable__fft *f, int side, int32_t axis, struct layout *l) {
  l->element = is_real(f, side) ? f->bytes : 2 * f->bytes;
  l->at = f->side[side].at;
  l->step = f->side[side].step;
  for (int32_t a = 0; a < f->axes; a++) l->next[a] = f->axis[a].step[side];
  l->packed = !fits(f, side, axis, l);
  if (l->packed) pack(f, side, axis, l);
}

static portable_status enqueue(void *native, void *payload) {
  struct call *const c = payload;
  const struct portable__fft *const f = c->f;
  const char *const label = c->place->label, *function = NULL;
  int64_t calls = 1;
  portable_status status = PORTABLE_OK;
  if (c->side[0].packed) status = portable__step_put(native, label, &c->step[0], &c->side[0].copy, sizeof c->side[0].copy);
  if (status != PORTABLE_OK) return status;
  for (int32_t a = 0; a < f->axes; a++)
    if (a != c->axis) calls *= f->axis[a].extent;
  pthread_mutex_lock(&c->plan->busy);
  int result = portable__cufft_begin(c->plan, native, c->work, &function);
  for (int64_t i = 0; i < calls && !result; i++) {
    int64_t rest = i, offset[2] = {0, 0};
    for (int32_t a = 0; a < f->axes; a++) {
      if (a == c->axis) continue;
      for (int k = 0; k < 2; k++) offset[k] += rest % f->axis[a].extent * c->side[k].next[a];
      rest /= f->axis[a].extent;
    }
    result = portable__cufft_execute(c->plan, c->side[0].at + offset[0], c->side[1].at + offset[1], f->backward, &function);
  }
  pthread_mutex_unlock(&c->plan->busy);
  if (result) return portable__cufft_fail(result, function, c->place->call, label, &c->plan->shape);
  return c->side[1].packed ? portable__step_put(native, label, &c->step[1], &c->side[1].copy, sizeof c->side[1].copy) : PORTABLE_OK;
}

/* Memory for the copies and the work, then the launch. */
static portable_status run(struct call *c) {
  struct portable__workspace copy[2] = {{0, NULL}, {0, NULL}}, work = {0, NULL};
  portable_status status = PORTABLE_OK;
  if (c->side[0].packed || c->side[1].packed)
    status = portable__steps(c->place, PORTABLE__LIST(PORTABLE__LIST_FFT, 0, c->f->bytes == 8 ? PORTABLE_KIND_REAL64 : PORTABLE_KIND_REAL32, 1), c->step);
  for (int k = 0; k < 2 && status == PORTABLE_OK; k++) {
    struct layout *const l = &c->side[k];
    if (!l->packed) continue;
    status = portable__workspace_take(c->place, (size_t)l->bytes, 0, &copy[k]);
    l->at = l->copy.packed = copy[k].at;
    portable__step_grid(c->place, &c->step[k], (l->copy.count - 1) / THREADS + 1, THREADS);
  }
  if (status == PORTABLE_OK && c->plan->work) status = portable__workspace_take(c->place, c->plan->work + WORK_ALIGNMENT, 0, &work);
  if (work.at) c->work = (void *)(((uintptr_t)work.at + WORK_ALIGNMENT - 1) / WORK_ALIGNMENT * WORK_ALIGNMENT);
  if (status == PORTABLE_OK) status = portable__place_run(c->place, c->f->lines * c->f->plan->n, enqueue, c, 0);
  portable__workspace_give(c->place, &work, status == PORTABLE_OK);
  for (int k = 0; k < 2; k++) portable__workspace_give(c->place, &copy[k], status == PORTABLE_OK);
  return status;
}

portable_status portable__cufft_lines(const struct portable__place *place, const struct portable__fft *f, int32_t kind, int *taken_out) {
  struct call c = {.place = place, .f = f};
  struct portable__cufft_shape shape;
  portable_status status;
  memset(&shape, 0, sizeof shape);
  *taken_out = 0;
  if (f->plan->n == 1) return PORTABLE_OK;
  for (int32_t a = 1; a < f->axes; a++)
    if (f->axis[a].extent > f->axis[c.axis].extent) c.axis = a;
  for (int k = 0; k < 2; k++) lay_out(f, k, c.axis, &c.side[k]);
  shape.n = f->plan->n;
  shape.lines = f->axes ? f->axis[c.axis].extent : 1;
  shape.type = !f->plan->real ? PORTABLE__CUFFT_COMPLEX : f->backward ? PORTABLE__CUFFT_BACKWARD : PORTABLE__CUFFT_FORWARD;
  shape.doubles = kind == PORTABLE_KIND_REAL64;
  shape.index = place->index;
  for (int k = 0; k < 2; k++) {
    shape.step[k] = c.side[k].step / c.side[k].element;
    shape.next[k] = f->axes ? c.side[k].next[c.axis] / c.side[k].element : count_of(f, k);
  }
  c.plan = portable__cufft_take(place, f->plan, &shape, &status);
  *taken_out = !c.plan || !c.plan->refused;
  if (!c.plan) return status;
  if (*taken_out) status = run(&c);
  portable__cufft_give(c.plan);
  return status;
}
