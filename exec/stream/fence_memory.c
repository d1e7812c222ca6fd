/* fence_memory.c - portable_fence_memory: before the host accesses memory, it waits for the default
 * streams of the CUDA devices that access the memory too. Array calls of C and loops of C++ over
 * elements call it; the program fences streams that it created. A call on idle devices is one load.
 * Threads: any; a kernel of the host never waits here, because its launch has waited. */
#include "../../gator/front/front.h"
#include "../../internal/edge/calls.h"
#include "queue_device.h"
#include "../launch/reach.h"

/* Default streams that had work since they were last seen empty, and those with a native stream that the program has. */
static int may_be_busy(int32_t index, uint32_t bits) {
  return (bits >> index & 1) || bits & PORTABLE__FOREIGN;
}

PORTABLE__COLD static portable_status fence_devices(const void *address, uint32_t bits) {
  portable_status first = PORTABLE_OK;
  if (atomic_load(&portable__forked)) return PORTABLE_OK; /* the devices are the parent's */
  PORTABLE__CALL("portable_fence_memory");
  if (!portable_is_initialized()) return portable__not_running("portable_fence_memory");
  for (int32_t i = 0; i < PORTABLE__CUDA_MOST; i++) {
    portable_stream handle;
    struct portable__stream *s = may_be_busy(i, bits) ? portable__stream_default_made(i, &handle) : NULL;
    if (!s || portable__queue_inside() == s || !portable__cuda_reaches(i, (uintptr_t)address)) continue;
    portable_status status = portable__stream_settle("portable_fence_memory", s, handle, portable__queue_end_of(s, handle));
    if (first == PORTABLE_OK) first = status;
  }
  return first;
}

portable_status portable_fence_memory(const void *address) {
  const uint32_t bits = atomic_load_explicit(&portable__unfenced, memory_order_relaxed) & ~PORTABLE__NOTED;
  if (PORTABLE__LIKELY(!bits) || !address || portable__running_job) return PORTABLE_OK;
  return fence_devices(address, bits);
}
