/* memcheck_parked.c - allocations and frees of blocks with canaries that do not enter Go: a freed block waits for an allocation of the same bytes and
 * label. Its state there is in internal/guard/guard_parked.c; observers are notified as of all others.
 *
 * In a forked child, and after a fault in Go, the crossing refuses every call; here such calls are sent to it. */
#include "../../internal/guard/guard.h"
#include "../../internal/memcheck/memcheck.h"

static int allowed(void) {
  return !atomic_load_explicit(&portable__forked, memory_order_relaxed) && !atomic_load_explicit(&portable__broken, memory_order_relaxed);
}

int portable__memcheck_park(void *ptr) { return allowed() && portable__guard_park((uintptr_t)ptr); }

void *portable__memcheck_unpark(size_t bytes, const char *label, size_t label_bytes) {
  if (atomic_load_explicit(&portable__guard_parked_count, memory_order_relaxed) == 0 || !allowed()) return NULL;
  void *p = (void *)portable__guard_unpark(bytes, portable__blocks_label(label, label_bytes));
  if (p) portable__watch_alloc(0, p, bytes, label, label_bytes);
  return p;
}
