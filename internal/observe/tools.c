/* tools.c - notifies valgrind, AddressSanitizer and ThreadSanitizer of slabs and blocks, without
 * their headers and libraries. In C because valgrind reads machine instructions and the calling
 * thread's stack, and the others are found by weak symbols. Without a tool `portable__tool` is 0,
 * and only slab notices are called. With one, the fast path is off: each block passes here, with a
 * red zone after it. Slabs of users' sources are not observed, because no tool may know such
 * memory. */
#include <pthread.h>
#include <stdlib.h>

#include "../edge/above.h"
#include "questions.h"
#include "tools.h"
#include "../team/hints.h"

int portable__tool;

enum { NONE, VALGRIND, ADDRESS_SANITIZER, THREAD_SANITIZER };

#define RED_ZONE 64 /* bytes at least between two blocks */

struct watched {
  uintptr_t base;
  uint64_t bytes;
  struct watched *next;
};
static struct watched *slabs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards slabs */

/* ---- valgrind ---- */

/* The numbers are those of valgrind's interface; valgrind identifies the pool by the address of `slabs`. */
enum {
  MEMPOOL_CREATE = 0x1303,
  MEMPOOL_ALLOC = 0x1305,
  MEMPOOL_FREE = 0x1306,
  NO_ACCESS = 0x4d430000,
  DEFINED = 0x4d430002,
};

/* ---- AddressSanitizer ---- */

extern void __asan_poison_memory_region(void const volatile *, size_t) __attribute__((weak));
extern void __asan_unpoison_memory_region(void const volatile *, size_t) __attribute__((weak));
/* Its search for leaks must also look for pointers in slabs. */
extern void __lsan_register_root_region(const void *, size_t) __attribute__((weak));
extern void __lsan_unregister_root_region(const void *, size_t) __attribute__((weak));

/* ---- ThreadSanitizer, and helgrind ---- */

/* A block comes to a thread after another one has freed it. In between both held the pool's lock, which these tools do
 * not see. With a tool the fast path is off, so that is true of each block; `slabs` stands for the lock. */
extern void __tsan_init(void) __attribute__((weak));

/* ---- all ---- */

int32_t portable__tool_look(void) {
  if (__asan_poison_memory_region && __asan_unpoison_memory_region)
    portable__tool = ADDRESS_SANITIZER;
  else if (portable__valgrind(PORTABLE__VALGRIND_RUNS, 0, 0, 0) > 0)
    portable__tool = VALGRIND;
  else if (__tsan_init && AnnotateHappensBefore && AnnotateHappensAfter) /* other libraries define the last two as empty functions */
    portable__tool = THREAD_SANITIZER;
  portable__hint_own(&portable__tool, sizeof portable__tool, portable__tool == VALGRIND); /* set before any other thread exists */
  return portable__tool != NONE;
}

void portable__tool_slab(uintptr_t base, uint64_t bytes) {
  struct watched *s = malloc(sizeof *s);
  if (!s) return; /* not observed */
  s->base = base;
  s->bytes = bytes;
  pthread_mutex_lock(&lock);
  if (portable__tool == VALGRIND && !slabs) portable__valgrind(MEMPOOL_CREATE, (uint64_t)(uintptr_t)&slabs, RED_ZONE, 0);
  s->next = slabs;
  slabs = s;
  pthread_mutex_unlock(&lock);
  if (portable__tool == VALGRIND) {
    portable__valgrind(NO_ACCESS, base, bytes, 0);
  } else if (portable__tool == ADDRESS_SANITIZER) {
    __asan_poison_memory_region((void *)base, bytes);
    if (__lsan_register_root_region) __lsan_register_root_region((void *)base, bytes);
  }
}

int32_t portable__tool_slab_ends(uintptr_t base, uint64_t bytes) {
  /* valgrind keeps its record of leaked blocks until the program ends: the address must not be used again. */
  if (portable__tool == VALGRIND) return 0;
  pthread_mutex_lock(&lock);
  for (struct watched **at = &slabs; *at; at = &(*at)->next) {
    struct watched *s = *at;
    if (s->base != base) continue;
    *at = s->next;
    free(s);
    break;
  }
  pthread_mutex_unlock(&lock);
  if (portable__tool != ADDRESS_SANITIZER) return 1;
  __asan_unpoison_memory_region((void *)base, bytes);
  if (__lsan_unregister_root_region) __lsan_unregister_root_region((void *)base, bytes);
  return 1;
}

static int is_watched(uintptr_t address) {
  struct watched *s;
  pthread_mutex_lock(&lock);
  for (s = slabs; s && address - s->base >= s->bytes; s = s->next) {}
  pthread_mutex_unlock(&lock);
  return s != NULL;
}

size_t portable__tool_room(size_t bytes) {
  return bytes <= SIZE_MAX - RED_ZONE ? bytes + RED_ZONE : bytes;
}

void portable__tool_alloc(void *ptr, size_t bytes) {
  portable__hint_acquire(&slabs, portable__tool == VALGRIND);
  if (!is_watched((uintptr_t)ptr)) return;
  if (portable__tool == VALGRIND)
    portable__valgrind(MEMPOOL_ALLOC, (uint64_t)(uintptr_t)&slabs, (uint64_t)(uintptr_t)ptr, bytes);
  else if (portable__tool == ADDRESS_SANITIZER)
    __asan_unpoison_memory_region(ptr, bytes);
}

void portable__tool_passed(void) { portable__hint_release(&slabs, portable__tool == VALGRIND); }

const void *portable__tool_known(const void *ptr) {
  if (portable__tool == VALGRIND) portable__valgrind(DEFINED, (uint64_t)(uintptr_t)&ptr, sizeof ptr, 0);
  return ptr;
}

/* Runs before Go takes the block back: afterwards another thread may have it already. If it is no live block, valgrind
 * reports that too, in addition to the error that the caller gets. */
void portable__tool_free(portable_pool pool, void *ptr) {
  portable_block block;
  char label[1];
  portable__hint_release(&slabs, portable__tool == VALGRIND);
  if (portable__tool == THREAD_SANITIZER || !is_watched((uintptr_t)ptr)) return;
  /* From here on each access is reported, so this waits for the streams that still use the block. */
  if (portable__above_stream.live()) portable__observe_go.settle(pool, (uintptr_t)ptr);
  if (portable__tool == VALGRIND) {
    portable__valgrind(MEMPOOL_FREE, (uint64_t)(uintptr_t)&slabs, (uint64_t)(uintptr_t)ptr, 0);
    return;
  }
  if (pool == 0 && portable__observe_go.pool_default(&pool) != PORTABLE_OK) return;
  if (portable__observe_go.pool_find(pool, (uintptr_t)ptr, &block, label, sizeof label) != PORTABLE_OK) return;
  if (block.address == ptr && !block.waiting) __asan_poison_memory_region(ptr, block.bytes);
}
