/* pages.c - the library on a system with pages of 64 KiB, as some with aarch64 are. The functions of the C library by which it asks for the size of
 * a page and for mappings are replaced here: pages are said to have 64 KiB, mappings begin at multiples of them, and a change of a part of one is
 * an error, as it would be there. Run with several settings (CMakeLists.txt). Not in this file: Go's side of it (internal/backend/host). */
#define _GNU_SOURCE
#include "check.h"
#include "portable_blocks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE ((uintptr_t)64 << 10)

static _Atomic int asked, mapped, refused;

static long next_sysconf(int name) {
  static long (*next)(int);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "sysconf");
  return next(name);
}

long sysconf(int name) {
  if (name == _SC_PHYS_PAGES) return next_sysconf(name) / (long)(PAGE / (uintptr_t)next_sysconf(_SC_PAGESIZE));
  if (name != _SC_PAGESIZE) return next_sysconf(name);
  asked++;
  return (long)PAGE;
}

int getpagesize(void) { return (int)sysconf(_SC_PAGESIZE); }

/* Refuses a change that begins inside a page, and lets the system round its end up. */
static int whole(const char *call, void *start, size_t bytes) {
  if ((uintptr_t)start % PAGE == 0) return 1;
  fprintf(stderr, "FAILED: %s(%p, %zu) begins inside a page\n", call, start, bytes);
  refused++;
  return 0;
}

static size_t up(size_t bytes) { return (bytes + PAGE - 1) & ~(size_t)(PAGE - 1); }

void *mmap(void *start, size_t bytes, int protection, int flags, int file, off_t from) {
  mapped++;
  if (flags & MAP_FIXED || file >= 0) {
    /* The Go runtime, which learns the size of a page elsewhere, makes parts of what it has reserved accessible by this. */
    if (flags & MAP_FIXED && protection == PROT_NONE && !whole("mmap", start, bytes)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, start, bytes, protection, flags, file, from);
  }
  char *p = (char *)syscall(SYS_mmap, NULL, up(bytes) + PAGE, protection, flags, file, from);
  if (p == MAP_FAILED) return p;
  char *first = (char *)(((uintptr_t)p + PAGE - 1) & ~(PAGE - 1));
  if (first > p) syscall(SYS_munmap, p, (size_t)(first - p));
  syscall(SYS_munmap, first + up(bytes), (size_t)(p + PAGE - first));
  return first;
}

int munmap(void *start, size_t bytes) { return whole("munmap", start, bytes) ? (int)syscall(SYS_munmap, start, up(bytes)) : -1; }
int mprotect(void *start, size_t bytes, int protection) { return whole("mprotect", start, bytes) ? (int)syscall(SYS_mprotect, start, up(bytes), protection) : -1; }
int madvise(void *start, size_t bytes, int advice) { return whole("madvise", start, bytes) ? (int)syscall(SYS_madvise, start, up(bytes), advice) : -1; }

/* ---- the library at work ---- */

enum { N = 20000, BLOCKS = 64 };

typedef struct { long long *sum; } members;

PORTABLE_BLOCK_KERNEL(meet, members, b, a) {
  portable_block_barrier(b);
  if (b->thread[0] == 3) __atomic_fetch_add(a->sum, 1, __ATOMIC_RELAXED);
  portable_block_barrier(b);
}

static void twice(const portable_tile *tile, void *arguments) {
  double *x = *(double **)arguments;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) x[i] *= 2;
}

static void *work(void *unused) {
  const portable_bounds all = portable_bounds_1(N);
  void *block[BLOCKS];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < BLOCKS; i++) {
      const size_t bytes = (size_t)1 << (i % 20);
      CHECK(portable_alloc(bytes, "block", &block[i]) == PORTABLE_OK);
      memset(block[i], i, bytes);
    }
    for (int i = 0; i < BLOCKS; i++) CHECK(portable_free(block[i]) == PORTABLE_OK);
  }
  double *x;
  CHECK(portable_alloc(N * sizeof *x, "x", (void **)&x) == PORTABLE_OK);
  for (int i = 0; i < N; i++) x[i] = i;
  CHECK(portable_parallel_for("twice", &all, twice, &x, sizeof x, NULL) == PORTABLE_OK);
  for (int i = 0; i < N; i++) CHECK(x[i] == 2.0 * i);
  CHECK(portable_free(x) == PORTABLE_OK);
  long long sum = 0;
  const members args = {&sum};
  const int32_t in_block[] = {8};
  const portable_bounds grid = portable_bounds_1(4);
  CHECK(portable_parallel_blocks("meet", &grid, in_block, meet, &args, sizeof args, 0, NULL) == PORTABLE_OK && sum == 4);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  CHECK(portable_init(NULL) == PORTABLE_OK);
  work(NULL);
  for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  CHECK(asked > 0 && mapped > 0); /* else nothing was replaced */
  const int failed = check_end();
  if (refused) printf("%d calls were refused\n", refused);
  return failed || refused;
}
