/* matters.h - whether there is memory that not every device can access: of cuda devices, or of the
 * emulated device. Private. Threads: any. */
#ifndef PORTABLE__MATTERS_H
#define PORTABLE__MATTERS_H

#include "../../edge/base.h"
#include "../../team/emulated.h"
#include "devices.h"
#include "memory.h"

/* 1: there may be such memory. */
static inline int portable__reach_matters(void) {
  return PORTABLE__UNLIKELY(portable__emulated_number() || atomic_load_explicit(&portable__cuda_slabs, memory_order_relaxed) || portable__cuda_any());
}

#endif
