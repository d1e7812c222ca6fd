/* device_fft.c - Fourier transforms on CUDA devices: kernels, grid, memory. The kernels are in
 * internal/backend/cuda/kernels/fft.cu, arguments in exec/algorithm/fft.c. Threads: any. */
#include "device_arrays.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "device_work.h"

#define THREADS 64
#define WORK (INT64_C(1) << 30) /* bytes of the device for the work of all threads; more lines take turns */

_Static_assert(sizeof(struct portable__cuda_fft_axis) == sizeof(struct portable__fft_axis) &&
               offsetof(struct portable__cuda_fft_axis, step) == offsetof(struct portable__fft_axis, step) &&
               PORTABLE__CUDA_FFT_PASSES == PORTABLE__FFT_PASSES, "lines of transforms");

struct work {
  const char *label;
  struct portable__cuda_fft f;
  struct portable__step step[2];
};

static portable_status enqueue(void *native, void *payload) {
  const struct work *w = payload;
  const portable_status status = portable__step_put(native, w->label, &w->step[0], &w->f, sizeof w->f);
  return status == PORTABLE_OK ? portable__step_put(native, w->label, &w->step[1], &w->f, sizeof w->f) : status;
}

static int aligned(const struct portable__fft *f) {
  uint64_t bits = 0;
  for (int k = 0; k < 2; k++) {
    bits |= (uint64_t)(uintptr_t)f->side[k].at | (uint64_t)f->side[k].step | (uint64_t)f->side[k].part;
    for (int32_t a = 0; a < f->axes; a++) bits |= (uint64_t)f->axis[a].step[k];
  }
  return bits % (uint64_t)f->bytes == 0;
}

static void describe(const struct portable__fft *f, struct portable__cuda_fft *to) {
  const struct portable__fft_plan *const p = f->plan;
  const struct portable__fft_numbers *const t = &p->numbers[f->bytes == 8];
  for (int k = 0; k < 2; k++) {
    to->at[k] = f->side[k].at;
    to->step[k] = f->side[k].step;
    to->part[k] = f->side[k].part;
  }
  memcpy(to->axis, f->axis, (size_t)f->axes * sizeof *f->axis);
  memcpy(to->radix, t->passes.radix, sizeof to->radix);
  for (int i = 0; i < PORTABLE__FFT_PASSES; i++) to->table[i] = t->passes.table[i];
  to->lines = f->lines, to->n = p->n, to->m = p->m, to->padded = p->padded;
  to->length = t->passes.n, to->passes = t->passes.count;
  to->turns = t->turns, to->chirp = t->chirp, to->spectrum = t->spectrum, to->count = t->count;
  to->elements = (p->padded > p->n ? p->padded : p->n) + 1;
  to->real = p->real, to->backward = f->backward, to->axes = f->axes, to->aligned = aligned(f);
}

portable_status portable__device_fft(const struct portable__place *place, const struct portable__fft *f, int32_t kind) {
  struct portable__workspace host = {0, NULL}, table = {0, NULL}, work = {0, NULL};
  struct work w;
  int64_t line;
  memset(&w, 0, sizeof w);
  w.label = place->label;
  describe(f, &w.f);
  if (__builtin_mul_overflow(w.f.elements, 4 * f->bytes * THREADS, &line))
    return portable__fail(PORTABLE_ERR_OVERFLOW, "%s '%s': lines of %" PRId64 " numbers need more bytes of scratch memory than a 64-bit integer counts", place->call, place->label,
                          (int64_t)w.f.n);
  portable_status status = portable__steps(place, PORTABLE__LIST(PORTABLE__LIST_FFT, 0, kind, 0), w.step);
  if (status != PORTABLE_OK) return status;
  const int64_t blocks = (w.f.lines - 1) / THREADS + 1, room = WORK / line;
  portable__step_grid(place, &w.step[0], (w.f.count - 1) / THREADS + 1, THREADS);
  portable__step_grid(place, &w.step[1], blocks < room ? blocks : room, THREADS);
  w.f.threads = (int64_t)w.step[1].grid * THREADS;
  const size_t bytes = (size_t)(w.f.count * f->bytes);
  status = portable__workspace_take(place, bytes, 1, &host);
  if (status == PORTABLE_OK) status = portable__workspace_take(place, bytes, 0, &table);
  if (status == PORTABLE_OK) status = portable__workspace_take(place, (size_t)(w.f.elements * 4 * f->bytes * w.f.threads), 0, &work);
  if (status == PORTABLE_OK) {
    memcpy(host.at, f->plan->numbers[f->bytes == 8].at, bytes);
    w.f.from = host.at;
    w.f.numbers = table.at;
    w.f.work = work.at;
    status = portable__place_run(place, w.f.lines * w.f.n, enqueue, &w, 0);
  }
  portable__workspace_give(place, &work, status == PORTABLE_OK);
  portable__workspace_give(place, &table, status == PORTABLE_OK);
  portable__workspace_give(place, &host, status == PORTABLE_OK);
  return status;
}
