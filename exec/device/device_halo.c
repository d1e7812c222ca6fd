/* device_halo.c - ghost cells on CUDA devices: the launch of the kernel that packs, unpacks or adds
 * them (internal/backend/cuda/kernels/halo.cu). Not here: rows (exec/halo). Threads: any. */
#include "device_arrays.h"

portable_status portable__device_halo(const struct portable__place *place, const struct portable__cuda_halo *w) {
  const int64_t elements = w->to - w->from;
  return portable__place_chain(place, PORTABLE__LIST(PORTABLE__LIST_HALO, 0, 0, 0), &elements, 1, w, sizeof *w);
}
