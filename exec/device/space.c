/* space.c - the memory space of arrays for a device; each array of C++ asks for it. Threads: any;
 * atomic. */
#include "devices.h"
#include "../../gator/front/front.h"
#include "../launch/launch.h"
#include "../launch/reach.h"
#include "../../internal/backend/cuda/shim.h"

static _Atomic int32_t managed = 1, default_is, home; /* default_is: the default device can access the default pool; home: a device of the managed memory's driver */

void portable__managed_set(int32_t on, int32_t is, int32_t index) {
  atomic_store_explicit(&managed, on, memory_order_relaxed);
  atomic_store_explicit(&default_is, is, memory_order_relaxed);
  atomic_store_explicit(&home, index, memory_order_relaxed);
}

portable_status portable__pinned_pool(int32_t index, portable_pool *pool_out) {
  return portable__pool_of_memory(index >= 0 && PORTABLE__UNLIKELY(portable__cuda_mixed()) ? -1 - index : PORTABLE_SPACE_PINNED, pool_out);
}

int32_t portable__device_room(portable_device device) {
  const int32_t space = portable_space_of_device(device);
  return space == PORTABLE_SPACE_MANAGED && atomic_load_explicit(&default_is, memory_order_relaxed) ? PORTABLE_SPACE_HOST : space;
}

portable_status portable_pool_of_device(portable_device device, portable_pool *pool_out) {
  if (!pool_out) return portable__fail(PORTABLE_ERR_ARG, "portable_pool_of_device: pool_out is NULL");
  *pool_out = 0;
  if (device != 0) {
    const portable_status status = portable__device_exists("portable_pool_of_device", NULL, &device);
    if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return status;
  }
  const int32_t space = portable__device_room(device);
  return space == PORTABLE_SPACE_HOST ? PORTABLE_OK : portable_pool_of_space(space, pool_out);
}

portable_status portable_pinned_pool_of_device(portable_device device, portable_pool *pool_out) {
  static const char function[] = "portable_pinned_pool_of_device";
  if (!pool_out) return portable__fail(PORTABLE_ERR_ARG, "%s: pool_out is NULL", function);
  *pool_out = 0;
  const portable_status status = portable__device_exists(function, NULL, &device);
  return status == PORTABLE_OK ? portable__pinned_pool(portable__cuda_index(device), pool_out) : status;
}

int32_t portable_reach(const void *address) {
  if (portable__host_reaches((uintptr_t)address)) return PORTABLE_REACH_HOST;
  return portable__cuda_space_of((uintptr_t)address) ? PORTABLE_REACH_DEVICE : PORTABLE_REACH_LAUNCHES;
}

int32_t portable_space_of_device(portable_device device) {
  if (device == 0) device = portable_default_device();
  if (PORTABLE__LIKELY(device <= PORTABLE__THREADS)) return PORTABLE_SPACE_HOST;
  if (device == portable__emulated_number()) /* bit-for-bit runs launch on the host, which must access the arrays */
    return atomic_load_explicit(&portable__defaults.b4b, memory_order_relaxed) ? PORTABLE_SPACE_HOST : PORTABLE_SPACE_DEVICE(0);
  const int32_t index = portable__cuda_index(device);
  if (index < 0) return PORTABLE_SPACE_HOST;
  if (PORTABLE__UNLIKELY(portable__cuda_mixed()) && !portable__cuda_are_alike(index, atomic_load_explicit(&home, memory_order_relaxed)))
    return PORTABLE_SPACE_DEVICE(index); /* no managed memory of its driver */
  return atomic_load_explicit(&managed, memory_order_relaxed) ? PORTABLE_SPACE_MANAGED : PORTABLE_SPACE_DEVICE(index);
}
