/* inject.c - see inject.h. Memory of the library's host source is known by MAP_NORESERVE, which neither the Go runtime nor
 * the C library asks for; all else goes straight to the system. */
#define _GNU_SOURCE
#include "inject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RANGES = 4096 };

static struct { uintptr_t start, end; int refused; } range[RANGES]; /* mapped, in no order */
static int ranges;
static int armed, armed_at, armed_forever, calls, refusals;
static char busy; /* a lock: the Go runtime maps memory on its own threads */

static void lock(void) {
  while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {}
}

static void unlock(void) { __atomic_clear(&busy, __ATOMIC_RELEASE); }

static int refuses(int what) {
  if (what != armed) return 0;
  calls++;
  if (calls < armed_at || (calls > armed_at && !armed_forever)) return 0;
  refusals++;
  return 1;
}

void inject_arm(int what, int at, int forever) {
  lock();
  armed = what, armed_at = at, armed_forever = forever, calls = 0, refusals = 0;
  unlock();
}

void inject_heal(void) {
  lock();
  armed = INJECT_NOTHING;
  unlock();
}

int inject_calls(void) { return calls; }
int inject_refusals(void) { return refusals; }

static uint64_t sum_of(int lost) {
  uint64_t sum = 0;
  lock();
  for (int i = 0; i < ranges; i++) sum += !lost || range[i].refused ? range[i].end - range[i].start : 0;
  unlock();
  return sum;
}

uint64_t inject_mapped(void) { return sum_of(0); }
uint64_t inject_lost(void) { return sum_of(1); }

/* Bytes of whole pages. */
static size_t pages(size_t bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) & ~(page - 1);
}

void *mmap(void *where, size_t bytes, int protection, int flags, int file, off_t offset) {
  int ours = (flags & MAP_NORESERVE) != 0, refused = 0;
  if (ours) {
    lock();
    refused = refuses(INJECT_MAP) || ranges == RANGES;
    unlock();
  }
  if (refused) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  void *got = (void *)syscall(SYS_mmap, where, bytes, protection, flags, file, offset);
  if (ours && got != MAP_FAILED) {
    lock();
    range[ranges].refused = 0;
    range[ranges].start = (uintptr_t)got;
    range[ranges++].end = (uintptr_t)got + pages(bytes);
    unlock();
  }
  return got;
}

/* Ends are cut off a mapping where it is made; only the freeing of a whole one is refused. */
int munmap(void *where, size_t bytes) {
  uintptr_t start = (uintptr_t)where, end = start + pages(bytes);
  int i, refused = 0;
  lock();
  for (i = 0; i < ranges && !(range[i].start <= start && end <= range[i].end); i++) {}
  if (i < ranges && range[i].start == start && range[i].end == end) {
    refused = range[i].refused = refuses(INJECT_UNMAP);
    if (!refused) range[i] = range[--ranges];
  } else if (i < ranges && range[i].start == start) {
    range[i].start = end;
  } else if (i < ranges) {
    range[i].end = start;
  }
  unlock();
  if (refused) {
    errno = ENOMEM;
    return -1;
  }
  return (int)syscall(SYS_munmap, where, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  void *p = NULL;
  lock();
  int refused = refuses(INJECT_HEAP);
  unlock();
  return refused || posix_memalign(&p, alignment, bytes) != 0 ? NULL : p;
}
