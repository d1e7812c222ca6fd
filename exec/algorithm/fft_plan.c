/* fft_plan.c - plans of Fourier transforms: their life, and who holds them. Go chooses lengths and
 * fills tables (internal/fourier); the memory is C's, because kernels read it. Not here: calls that
 * use a plan (fft.c). A destroy waits for the calls in progress. Threads: any. */
#include "fft_plan.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../launch/questions.h"
#include "questions.h"

struct plan {
  struct portable__slot_head head;
  int32_t dim;
  struct portable__fft_plan *record;
};

static struct portable__slot_table plans = PORTABLE__SLOT_TABLE(PORTABLE__KIND_FFT, struct plan);

static portable_status no_plan(const char *call, portable_fft plan) {
  portable_status status;
  PORTABLE__EXPLAINED(&status, call, NULL, PORTABLE_ERR_HANDLE, portable__launch_go.stale(call, plan, "plan of transforms"));
  return status;
}

struct portable__fft_plan *portable__fft_make(uint64_t bytes) {
  void *memory = NULL;
  if (bytes > SIZE_MAX || posix_memalign(&memory, 64, (size_t)bytes) != 0) return NULL;
  memset(memory, 0, sizeof(struct portable__fft_plan));
  return memory;
}

void portable__fft_unmake(struct portable__fft_plan *record) {
  portable__fft_library_end(record);
  free(record);
}

portable_fft portable__fft_publish(struct portable__fft_plan *record, int32_t dim) {
  struct plan *const p = portable__slot_take(&plans);
  if (!p) return 0;
  p->dim = dim;
  p->record = record;
  portable__fft_library_plan(record);
  return portable__slot_publish(&plans, p);
}

portable_status portable_fft_create(const char *label, int32_t type, int64_t n, int32_t dim, portable_fft *plan_out) {
  struct portable__crossing crossing;
  if (plan_out) *plan_out = 0;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__algorithm_go.fft_create(label ? label : "fft", type, n, dim, plan_out);
  portable__cross_out(&crossing);
  return status;
}

portable_status portable_fft_destroy(portable_fft plan) {
  if (!plan) return PORTABLE_OK;
  struct plan *const p = portable__slot_retract(&plans, plan);
  if (!p) return no_plan("portable_fft_destroy", plan);
  while (atomic_load(&p->head.held)) sched_yield();
  portable__fft_unmake(p->record);
  p->record = NULL;
  portable__slot_give(&plans, p);
  return PORTABLE_OK;
}

portable_status portable__fft_hold(const char *call, portable_fft plan, struct portable__fft_held *held_out) {
  struct plan *const p = portable__slot_hold(&plans, plan);
  if (!p) return no_plan(call, plan);
  *held_out = (struct portable__fft_held){p, p->record, p->dim};
  return PORTABLE_OK;
}

void portable__fft_release(const struct portable__fft_held *held) { portable__slot_release(held->slot); }
