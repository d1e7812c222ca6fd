/* serve_checked.c - see serve_checked.h: allocations and frees, also of addresses without a block. In C because each malloc of the program comes here, also
 * before main, and because Go's own would come here too.
 *
 * Libc's blocks are none of ours and nothing is reported of them: those that libc and shared libraries take, those that the library takes for itself
 * (its callers are known by their addresses), and those from before the start. A pointer without owner is reported where that is certain:
 * it points into the thread's stack or into the program's own data. All else is handed on to libc. */
#define _GNU_SOURCE
#include "front.h"
#include "../../internal/edge/code.h"
#include "../../internal/tracing/found.h"
#include "serve_checked.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/guard/guard.h"
#include "../../internal/stacks/stack.h"

__thread int portable__serve_busy __attribute__((tls_model("initial-exec")));


uintptr_t portable__serve_code[2];

const char *portable__library_code(void) {
  static char text[130];
  uintptr_t start = (uintptr_t)portable__text_begin, end = (uintptr_t)portable__text_end;
  snprintf(text, sizeof text, "%" PRIxPTR "-%" PRIxPTR ",%" PRIxPTR "-%" PRIxPTR ",%" PRIxPTR "-%" PRIxPTR, start, end, portable__serve_code[0],
           portable__serve_code[1], (uintptr_t)__start_portable_text, (uintptr_t)__stop_portable_text);
  return text;
}

static int may(void) {
  return !portable__serve_busy && !portable__inside && !atomic_load_explicit(&portable__forked, memory_order_relaxed);
}

static int events(void) { return (portable__memcheck_what() & PORTABLE__MEMCHECK_EVENTS) != 0; }

/* ---- taking ---- */

static void *take(size_t bytes) {
  static const char label[] = PORTABLE__GUARD_SERVED;
  const struct portable__guard_options *o = &portable__guard_options;
  void *p = NULL;
  /* Only as aligned as the bytes are, so that the first byte behind them is closed; see internal/guard/RATIONALE.md. */
  if (o->exact) p = (void *)portable__guard_served(bytes);
  int paged = p != NULL;
  if (!p && !o->picks) p = (void *)portable__guard_small(bytes, portable__stack_here());
  if (paged || (p && events())) portable__watch_alloc(0, p, bytes, label, sizeof label - 1);
  return p;
}

void *portable__serve_small(size_t bytes, const void *caller) {
  static __thread int noted __attribute__((tls_model("initial-exec")));
  int was = errno;
  if (bytes >= PORTABLE__GUARD_SMALL || !may() || portable__in_library((uintptr_t)caller)) return NULL;
  if (portable__guard_options.picks && !portable__guard_pick()) return NULL;
  portable__serve_busy = 1;
  if (!noted) {
    noted = 1;
    portable__serve_note_thread();
  }
  void *p = take(bytes);
  portable__serve_busy = 0;
  portable__guard_picked = 0;
  errno = was;
  return p;
}

/* ---- addresses that cannot be freed ---- */

static PORTABLE__COLD void tell(int32_t kind, const void *ptr, const struct portable__guarded *g, const char *text) {
  struct portable__found f = {.kind = kind, .address = (uintptr_t)ptr, .text = text, .label = ""};
  if (!atomic_load_explicit(&portable__memchecking, memory_order_relaxed)) return;
  f.here = portable__stack_here();
  if (g) {
    f.block_start = atomic_load(&g->start);
    f.block_bytes = g->bytes;
    f.alloc = atomic_load(&g->alloc_stack);
    f.free = atomic_load(&g->free_stack);
    f.label = g->label;
    f.distance = (int64_t)((uintptr_t)ptr - f.block_start);
    if (f.free) f.flags |= PORTABLE__FOUND_QUARANTINE;
  }
  portable__finding_of(&f);
}

static void tell_block(const void *ptr, const struct portable__guarded *g) {
  if ((uintptr_t)ptr == atomic_load(&g->start))
    tell(PORTABLE__FOUND_DOUBLE_FREE, ptr, g, "the block was freed before");
  else
    tell(PORTABLE__FOUND_INTERIOR_FREE, ptr, g, "the address is not the start of its block");
}

/* 1: the calling thread's stack holds the address. Asked of the system once for each thread. */
static int on_stack(uintptr_t address) {
  static __thread uintptr_t low __attribute__((tls_model("initial-exec"))), high __attribute__((tls_model("initial-exec")));
  if (!high && !portable__own_stack(&low, &high)) high = 1;
  /* Below this very frame there is nothing of the program's; the system may say that a main thread's stack is as large as it may become. */
  return address >= low && address < high && address > (uintptr_t)__builtin_frame_address(0);
}

int32_t portable__serve_foreign(const void *ptr, const void *image, const void *image_end) {
  if (!may()) return 0;
  portable__serve_busy = 1;
  const char *why = on_stack((uintptr_t)ptr) ? "the address is on the stack of this thread" : NULL;
  if ((uintptr_t)ptr >= (uintptr_t)image && (uintptr_t)ptr < (uintptr_t)image_end) why = "the address is of the program's own data or code";
  if (why) tell(PORTABLE__FOUND_FOREIGN_FREE, ptr, NULL, why);
  portable__serve_busy = 0;
  return why != NULL;
}

/* ---- frees ---- */

static void give(void *ptr, const struct portable__guarded *g, int paged) {
  if (paged || events()) portable__watch_free(0, ptr);
  if (paged ? !portable__guard_served_give((uintptr_t)ptr) : !portable__guard_small_give((uintptr_t)ptr, portable__stack_here()))
    tell_block(ptr, g); /* another thread was faster */
}

int portable__served_free(void *ptr) {
  struct portable__guarded small;
  const struct portable__guarded *g = &small;
  int paged = !portable__guard_small_holds((uintptr_t)ptr), error = errno;
  if (paged) g = portable__guard_find((uintptr_t)ptr);
  if (paged && (!g || !atomic_load(&g->served))) return 0;
  if (atomic_load_explicit(&portable__forked, memory_order_relaxed)) return 1; /* locks may be held by threads that are not here */
  int was = portable__serve_busy;
  portable__serve_busy = 1;
  portable__guard_in_hand[PORTABLE__GUARD_GIVEN] = (uintptr_t)ptr;
  if (!paged && !portable__guard_small_at((uintptr_t)ptr, &small)) {
    tell(PORTABLE__FOUND_FOREIGN_FREE, ptr, NULL, "no block was ever taken there");
  } else if ((uintptr_t)ptr == atomic_load(&g->start) && atomic_load(&g->state) == PORTABLE__GUARD_LIVE) {
    give(ptr, g, paged);
  } else {
    tell_block(ptr, g);
  }
  portable__guard_in_hand[PORTABLE__GUARD_GIVEN] = 0;
  portable__serve_busy = was;
  errno = error;
  return 1;
}

/* ---- resizing ---- */

int portable__served_bytes(const void *ptr, size_t *bytes_out) {
  struct portable__guarded small;
  const struct portable__guarded *g = NULL;
  if (portable__guard_small_holds((uintptr_t)ptr))
    g = portable__guard_small_at((uintptr_t)ptr, &small) ? &small : NULL;
  else if (portable__guard_holds((uintptr_t)ptr))
    g = portable__guard_find((uintptr_t)ptr);
  if (!g || atomic_load(&g->start) != (uintptr_t)ptr || atomic_load(&g->state) != PORTABLE__GUARD_LIVE) return 0;
  *bytes_out = g->bytes;
  return 1;
}

/* Classifies a block for realloc: 1 and its bytes; 0: libc's; -1: it cannot be resized, and that has been reported. */
int32_t portable__serve_held(void *ptr, size_t *bytes_out) {
  if (portable__served_bytes(ptr, bytes_out)) return 1;
  if (portable__guard_holds((uintptr_t)ptr)) return portable__served_free(ptr) ? -1 : portable__serve_free(ptr) ? -1 : 0;
  *bytes_out = portable__serve_bytes(ptr);
  return *bytes_out > 0;
}
