/* emulated.c - opens and closes the memory of the emulated device (emulated.h). In C because a
 * launch does both, and a signal handler asks about it. Lock: `lock` guards opening, closing and
 * changes of the table; under it only the system is called. Handlers read the table without it: a
 * slab's end is written before its start, and its start cleared first. */
#include "emulated.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#define SLABS 256

static struct {
  _Atomic uintptr_t start, end; /* start 0: free */
} slabs[SLABS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int32_t running; /* kernels */
int32_t (*_Atomic portable__far_device)(uintptr_t address);

/* Locked. */
static int protect(int32_t i, int how) {
  uintptr_t start = atomic_load(&slabs[i].start);
  return start && mprotect((void *)start, atomic_load(&slabs[i].end) - start, how) != 0 ? errno : 0;
}

int portable__emulated_add(uintptr_t start, uint64_t bytes) {
  int reason = ENOMEM;
  pthread_mutex_lock(&lock);
  for (int32_t i = 0; i < SLABS; i++) {
    if (atomic_load(&slabs[i].start)) continue;
    atomic_store(&slabs[i].end, start + bytes);
    atomic_store(&slabs[i].start, start);
    reason = running ? 0 : protect(i, PROT_NONE);
    if (reason) atomic_store(&slabs[i].start, 0);
    break;
  }
  pthread_mutex_unlock(&lock);
  return reason;
}

void portable__emulated_remove(uintptr_t start) {
  pthread_mutex_lock(&lock);
  for (int32_t i = 0; i < SLABS; i++)
    if (atomic_load(&slabs[i].start) == start) atomic_store(&slabs[i].start, 0);
  pthread_mutex_unlock(&lock);
}

/* The system may refuse to split a mapping further; it has granted these before. */
static void protect_all(int how) {
  for (int32_t i = 0; i < SLABS; i++) (void)protect(i, how);
}

void portable__emulated_open(void) {
  pthread_mutex_lock(&lock);
  if (atomic_fetch_add(&running, 1) == 0) protect_all(PROT_READ | PROT_WRITE);
  pthread_mutex_unlock(&lock);
}

void portable__emulated_close(void) {
  pthread_mutex_lock(&lock);
  if (atomic_fetch_sub(&running, 1) == 1) protect_all(PROT_NONE);
  pthread_mutex_unlock(&lock);
}

int portable__emulated_is_open(void) { return atomic_load(&running) > 0; }

int portable__emulated_at(uintptr_t address, uintptr_t *start_out, uintptr_t *end_out) {
  for (int32_t i = 0; i < SLABS; i++) {
    uintptr_t start = atomic_load(&slabs[i].start), end = atomic_load(&slabs[i].end);
    if (!start || address < start || address >= end) continue;
    if (start_out) *start_out = start;
    if (end_out) *end_out = end;
    return 1;
  }
  return 0;
}
