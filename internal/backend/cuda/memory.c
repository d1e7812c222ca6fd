/* memory.c - finds the slab and the space of an address in memory of cuda devices. In C because
 * launches and signal handlers ask. The table is a list of pieces that only grows. An entry's
 * end, space and driver's address are written before its start, and the start is cleared first;
 * a reader tests the start again. Lock: `lock` guards changes. */
#include "memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "cuda.h"
#include "devices.h"
#include "shim.h"

#define PIECE 64 /* slabs */

struct piece {
  struct {
    _Atomic uintptr_t start, end; /* start 0: free */
    uintptr_t given;
    _Atomic int32_t space, driver;
  } slab[PIECE];
  _Atomic(struct piece *) next;
};

static struct piece first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Atomic int32_t portable__cuda_slabs;

int portable__cuda_slab_add(uintptr_t start, uint64_t bytes, uintptr_t given, int32_t space) {
  int reason = ENOMEM;
  const int driver = portable__cuda_turn(0);
  portable__cuda_turn(driver);
  pthread_mutex_lock(&lock);
  for (struct piece *p = &first; p; p = atomic_load(&p->next)) {
    for (int32_t i = 0; reason && i < PIECE; i++) {
      if (atomic_load(&p->slab[i].start)) continue;
      atomic_store(&p->slab[i].end, start + bytes);
      atomic_store(&p->slab[i].space, space);
      atomic_store(&p->slab[i].driver, driver);
      p->slab[i].given = given;
      atomic_store(&p->slab[i].start, start);
      reason = 0;
    }
    if (!reason) break;
    if (!atomic_load(&p->next)) atomic_store(&p->next, calloc(1, sizeof *p));
  }
  if (!reason) atomic_fetch_add(&portable__cuda_slabs, 1);
  pthread_mutex_unlock(&lock);
  return reason;
}

uintptr_t portable__cuda_slab_take(uintptr_t start) {
  uintptr_t given = 0;
  pthread_mutex_lock(&lock);
  for (struct piece *p = &first; p && !given; p = atomic_load(&p->next))
    for (int32_t i = 0; i < PIECE && !given; i++) {
      if (atomic_load(&p->slab[i].start) != start) continue;
      given = p->slab[i].given;
      atomic_store(&p->slab[i].start, 0);
    }
  if (given) atomic_fetch_sub(&portable__cuda_slabs, 1);
  pthread_mutex_unlock(&lock);
  return given;
}

/* The space of the slab that has the address, 0: none; its bounds and driver. */
static int32_t slab_of(uintptr_t address, uintptr_t *start_out, uintptr_t *end_out, int32_t *driver_out) {
  for (struct piece *p = &first; p; p = atomic_load_explicit(&p->next, memory_order_acquire))
    for (int32_t i = 0; i < PIECE; i++) {
      uintptr_t start = atomic_load_explicit(&p->slab[i].start, memory_order_acquire);
      if (!start || address < start) continue;
      uintptr_t end = atomic_load_explicit(&p->slab[i].end, memory_order_acquire);
      int32_t space = atomic_load_explicit(&p->slab[i].space, memory_order_acquire), driver = atomic_load_explicit(&p->slab[i].driver, memory_order_acquire);
      if (address >= end || atomic_load_explicit(&p->slab[i].start, memory_order_relaxed) != start) continue;
      *start_out = start;
      *end_out = end;
      *driver_out = driver;
      return space;
    }
  return 0;
}

int32_t portable__cuda_find(uintptr_t address, uintptr_t *start_out, uintptr_t *end_out) {
  uintptr_t start, end;
  int32_t driver;
  const int32_t space = slab_of(address, &start, &end, &driver);
  if (space && start_out) *start_out = start;
  if (space && end_out) *end_out = end;
  return space;
}

/* The space of memory that this thread's driver knows. */
static int32_t known(int driver, uintptr_t address) {
  unsigned int type = 0, managed = 0;
  int ordinal = 0;
  if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)address) != CUDA_SUCCESS) return 0;
  if (cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, (CUdeviceptr)address) == CUDA_SUCCESS && managed) return PORTABLE_SPACE_MANAGED;
  if (type == CU_MEMORYTYPE_HOST) return PORTABLE_SPACE_PINNED;
  if (type != CU_MEMORYTYPE_DEVICE ||
      cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (CUdeviceptr)address) != CUDA_SUCCESS) return 0;
  ordinal = portable__cuda_of_ordinal(driver, ordinal);
  return ordinal < 0 ? 0 : PORTABLE_SPACE_DEVICE(ordinal);
}

/* The thread's driver is asked first. */
static int32_t ask(uintptr_t address, int *driver_out) {
  const int mine = portable__cuda_turn(0);
  portable__cuda_turn(mine);
  const int mixed = portable__cuda_mixed();
  *driver_out = mine;
  for (int d = 0; !mixed && d < PORTABLE__DRIVERS; d++)
    if (portable__cuda_driver_is_open(d)) *driver_out = d;
  int32_t space = known(*driver_out, address);
  for (int d = 0; mixed && !space && d < PORTABLE__DRIVERS; d++) {
    if (d == mine || !portable__cuda_driver_is_open(d)) continue;
    portable__cuda_turn(d);
    if ((space = known(d, address))) *driver_out = d;
  }
  portable__cuda_turn(mine);
  return space;
}

int32_t portable__cuda_foreign_space(uintptr_t address) {
  int driver;
  const int32_t space = portable__cuda_space_of(address);
  return space ? space : ask(address, &driver);
}

int portable__cuda_driver_of(uintptr_t address) {
  uintptr_t start, end;
  int32_t of;
  int asked;
  if (slab_of(address, &start, &end, &of)) return of;
  (void)ask(address, &asked);
  return asked;
}

int portable__cuda_pinned_take(size_t bytes, uintptr_t *address_out) {
  void *p = NULL;
  CUresult code = cuMemHostAlloc(&p, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  *address_out = (uintptr_t)p;
  return (int)code;
}

int portable__cuda_pinned_give(uintptr_t address) { return (int)cuMemFreeHost((void *)address); }
