/* hints.h - tells compilers and tools about the hand-over of work. Private, inline. ThreadSanitizer
 * and helgrind do not see our synchronisation, because this library is not compiled for them; they
 * would report a correct kernel at every array that it reads. So each hand-over tells them
 * "everything before this happens before that". Without ThreadSanitizer its functions are undefined
 * weak names; helgrind reads instructions that do nothing elsewhere. */
#ifndef PORTABLE__HINTS_H
#define PORTABLE__HINTS_H

#include <stdint.h>

#include "valgrind.h"

/* Compiled for ThreadSanitizer, the library is seen as it is, and hints would hide what is wrong in it. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PORTABLE__SEEN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(PORTABLE__SEEN)
#define PORTABLE__HINTS 0
#else
#define PORTABLE__HINTS 1
#endif

/* Not __tsan_release and __tsan_acquire: Go's race detector has functions of these names with other arguments. */
extern void AnnotateHappensBefore(const char *file, int line, const volatile void *address) __attribute__((weak));
extern void AnnotateHappensAfter(const char *file, int line, const volatile void *address) __attribute__((weak));

#define PORTABLE__HELGRIND_ACQUIRE 0x48470122u
#define PORTABLE__HELGRIND_RELEASE 0x48470121u
#define PORTABLE__HELGRIND_UNTRACK 0x48470127u

/* Everything before this on this thread comes before what follows an acquire of the same address. */
static inline void portable__hint_release(volatile void *address, int watched) {
  if (PORTABLE__HINTS && AnnotateHappensBefore) AnnotateHappensBefore("portable", 0, address);
  if (watched) portable__valgrind(PORTABLE__HELGRIND_RELEASE, (uintptr_t)address, 0, 0);
}

static inline void portable__hint_acquire(volatile void *address, int watched) {
  if (PORTABLE__HINTS && AnnotateHappensAfter) AnnotateHappensAfter("portable", 0, address);
  if (watched) portable__valgrind(PORTABLE__HELGRIND_ACQUIRE, (uintptr_t)address, 0, 0);
}

/* Memory whose words are ours to synchronise by: helgrind takes each atomic access for a race. */
static inline void portable__hint_own(volatile void *address, uint64_t bytes, int watched) {
  if (watched) portable__valgrind(PORTABLE__HELGRIND_UNTRACK, (uintptr_t)address, bytes, 0);
}

static inline void portable__pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory"); /* `yield` takes no time on processors with one thread a core, and a loop would flood the memory */
#endif
}

#endif
