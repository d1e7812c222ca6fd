/* fft_plan.h - plans of Fourier transforms: made by Go, held by calls. Private. Threads: any. */
#ifndef PORTABLE__FFT_PLAN_H
#define PORTABLE__FFT_PLAN_H

#include "../../internal/handle/slots.h"
#include "../../internal/kernels/fft/fft.h"

/* Called by Go, which fills the record before it is published. Memory for a record and the tables behind it, aligned at 64 bytes; NULL: there
 * is none. */
struct portable__fft_plan *portable__fft_make(uint64_t bytes);
void portable__fft_unmake(struct portable__fft_plan *record);
/* 0: there are too many plans; the record stays the caller's. */
portable_fft portable__fft_publish(struct portable__fft_plan *record, int32_t dim);

/* Makes, and ends, the plans of the user's library, if there is one (PORTABLE_FFT_LIBRARY). */
void portable__fft_library_plan(struct portable__fft_plan *record);
void portable__fft_library_end(struct portable__fft_plan *record);

/* A plan that is not destroyed before it is released. */
struct portable__fft_held {
  void *slot;
  const struct portable__fft_plan *plan;
  int32_t dim;
};
/* Returns: 0, ERR_HANDLE. */
portable_status portable__fft_hold(const char *call, portable_fft plan, struct portable__fft_held *held_out);
void portable__fft_release(const struct portable__fft_held *held);

#endif
