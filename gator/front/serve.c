/* serve.c - the doors of portable::allocate: the program's own malloc, from a size on, out of the default pool. In
 * C because it is below malloc: it must answer before Go runs, in a forked child, and for every address that
 * the program frees.
 *
 * Looking up the owner of an address takes no lock and calls no Go (slabmap.c says why that is right): a wrong
 * answer would hand a block of ours to libc. So a block that the map does not show is not given out either.
 * Not in this file: the names malloc and free (allocate/allocate.c), the magazines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "questions.h"
#include "../../internal/edge/environment.h"
#include "../../internal/observe/tools.h"
#include "../../internal/guard/guard.h"
#include "serve_checked.h"
#include "slabmap.h"

#define DEFAULT_FROM ((size_t)64 << 10)
#define LEAST_FROM ((size_t)4096) /* below, Go's own allocations could run in a circle */

static const char label[] = "ALLOCATE";
static _Atomic int ready;
static size_t memory; /* of the machine */
static _Atomic int asked; /* the program links portable::allocate */

/* The earliest work of allocate/allocate.c. It is there only in programs that link portable::allocate. */
extern void portable__allocate_begin(void) __attribute__((weak));

/* Runs after the constructor that starts the Go runtime, which comes first in the archive's object. Before that, a
   call into Go would wait for a start that this very thread has to make. */
__attribute__((constructor)) static void now_ready(void) {
  memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
  atomic_store(&ready, 1);
  if (portable__allocate_begin) portable__allocate_begin();
}

static int is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c; }

/* log2 of what a unit stands for, as b, k, kb, kib and so on; -1 for none. */
static int unit_bits(const char *u, size_t n) {
  static const char letters[] = "kmgt";
  const char *letter = n > 0 ? memchr(letters, lower(u[0]), 4) : NULL;
  if (n == 0 || (n == 1 && lower(u[0]) == 'b')) return 0;
  if (!letter || n > 3 || (n == 2 && lower(u[1]) != 'b')) return -1;
  if (n == 3 && (lower(u[1]) != 'i' || lower(u[2]) != 'b')) return -1;
  return 10 * (int)(letter - letters + 1);
}

/* As internal/instance/environment.go reads sizes, without its warnings: Go gives those when it starts. */
size_t portable__serve_parse(const char *text) {
  uint64_t whole = 0, part = 0, scale = 1, bytes;
  int digits = 0, bits;
  while (is_blank(*text)) text++;
  for (; *text >= '0' && *text <= '9'; text++, digits++)
    if (__builtin_mul_overflow(whole, 10, &whole) || __builtin_add_overflow(whole, (uint64_t)(*text - '0'), &whole))
      return DEFAULT_FROM;
  if (*text == '.')
    for (text++; *text >= '0' && *text <= '9'; text++, digits++)
      if (scale < 1000000000) {
        part = part * 10 + (uint64_t)(*text - '0');
        scale *= 10;
      }
  while (is_blank(*text)) text++;
  size_t n = strlen(text);
  while (n > 0 && is_blank(text[n - 1])) n--;
  bits = unit_bits(text, n);
  if (digits == 0 || bits < 0 || whole >= (uint64_t)1 << 56 >> bits) return DEFAULT_FROM;
  bytes = (whole << bits) + (uint64_t)(((unsigned __int128)part << bits) / scale);
  if (bytes == 0) return DEFAULT_FROM;
  return bytes < LEAST_FROM ? LEAST_FROM : bytes;
}

/* A program that only links portable::allocate has no last finalize that could report. */
__attribute__((destructor(101))) static void at_exit(void) {
  struct portable__crossing crossing;
  const char *profile = atomic_load(&asked) ? portable__getenv("PORTABLE_PROFILE") : NULL;
  if (!profile || !*profile || atomic_load(&portable__forked) || portable__inside) return;
  if (!portable__thread_get() || portable__cross_in(&crossing) != PORTABLE_OK) return;
  portable__front_go.served();
  portable__cross_out(&crossing);
}

size_t portable__serve_from(void) {
  atomic_store(&asked, 1);
  const char *text = portable__getenv("PORTABLE_ALLOCATE_FROM");
  return text && *text ? portable__serve_parse(text) : DEFAULT_FROM;
}

int32_t portable__serve_start(void) {
  struct portable__crossing crossing;
  if (!atomic_load(&ready) || portable__inside) return 0;
  if (portable__tool) return -1; /* it knows malloc better than our blocks */
  if (!portable__thread_get() || portable__cross_in(&crossing) != PORTABLE_OK) return -1;
  int32_t serves = portable__front_go.serve();
  portable__cross_out(&crossing);
  return serves ? 1 : -1;
}

/* 1: a variable is set that watches a program which never starts the library. Without one, nothing is started before it is needed. */
static int is_watched(void) {
  static const char *const names[] = {"PORTABLE_CHECK", "PORTABLE_TRACE", "PORTABLE_VERBOSE"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *text = portable__getenv(names[i]);
    if (text && *text) return 1;
  }
  return 0;
}

int32_t portable__serve_watch(const void *code, const void *code_end) {
  struct portable__crossing crossing;
  if (!is_watched()) return 0;
  if (!atomic_load(&ready) || portable__inside) return -1;
  portable__serve_code[0] = (uintptr_t)code;
  portable__serve_code[1] = (uintptr_t)code_end;
  portable__serve_busy = 1;
  int32_t checks = portable__thread_get() && portable__cross_in(&crossing) == PORTABLE_OK;
  if (checks) {
    checks = portable__front_go.serve_watch();
    portable__cross_out(&crossing);
    portable__memcheck_served();
    if (checks) portable__guard_prepare();
    atomic_store(&portable__serve_checking, checks);
  }
  portable__serve_busy = 0;
  return checks;
}

/* In a slab of the pool, or in a block with pages of its own (PORTABLE_CHECK=memory). */
static inline int is_ours(uintptr_t address) { return portable__slab_of(address) || portable__guard_holds(address); }

void *portable__serve_alloc(size_t bytes) {
  void *p = NULL;
  /* Inside: Go or a user's slab function asks, maybe under a lock. Larger than the machine: the system's own policy
     refuses what can never be had, and stat= must see that; a slab is mapped without being reserved. */
  if (portable__inside || portable__serve_busy || bytes > memory) return NULL;
  portable__guard_align = 16; /* as malloc's, on which compilers count */
  portable_status status = portable__alloc(bytes, label, sizeof label - 1, &p);
  portable__guard_align = 0;
  if (status != PORTABLE_OK) return NULL;
  if (PORTABLE__LIKELY(is_ours((uintptr_t)p))) return p;
  portable__free(p);
  return NULL;
}

/* The record of the caller's live block: it stays as long as the block does. NULL for foreign memory. */
static inline struct portable__record *record_of(const void *ptr) {
  struct portable__slab *slab = portable__slab_of((uintptr_t)ptr);
  return slab ? &slab->records[((uintptr_t)ptr - slab->base) >> portable__shift] : NULL;
}

size_t portable__serve_bytes(const void *ptr) {
  size_t served;
  if (PORTABLE__UNLIKELY(portable__guard_holds((uintptr_t)ptr)) && portable__served_bytes(ptr, &served)) return served ? served : 1;
  const struct portable__guarded *g = portable__guard_options.on && is_ours((uintptr_t)ptr) ? portable__guard_starts((uintptr_t)ptr) : NULL;
  if (PORTABLE__UNLIKELY(g != NULL)) return g->bytes ? g->bytes : 1;
  struct portable__record *r = record_of(ptr);
  if (!r) return 0;
  size_t bytes = atomic_load_explicit(&r->state, memory_order_relaxed) >> PORTABLE__BYTES_SHIFT;
  return bytes ? bytes : 1;
}

/* In place when at most half of the room would be idle. Only with the fast path, whose counters know of it. */
int32_t portable__serve_resize(void *ptr, size_t bytes) {
  struct portable__thread *t = portable__self;
  struct portable__record *r = record_of(ptr);
  size_t room = r ? (size_t)atomic_load_explicit(&r->length, memory_order_relaxed) << portable__shift : 0;
  if (bytes > room || bytes < room / 2 || !t || !portable__enter(t)) return 0;
  struct portable__slab *slab = portable__slab_of((uintptr_t)ptr);
  int done = 0;
  if (slab && slab->fast) {
    uint64_t state = atomic_load_explicit(&r->state, memory_order_relaxed);
    uint64_t low = state & (((uint64_t)1 << PORTABLE__BYTES_SHIFT) - 1);
    done = (state & PORTABLE__KIND_MASK) == PORTABLE__KIND_LIVE &&
           atomic_compare_exchange_strong(&r->state, &state, (uint64_t)bytes << PORTABLE__BYTES_SHIFT | low);
    if (done)
      atomic_store_explicit(&t->bytes, atomic_load_explicit(&t->bytes, memory_order_relaxed) + (int64_t)bytes -
                            (int64_t)(state >> PORTABLE__BYTES_SHIFT), memory_order_relaxed);
  }
  portable__leave(t);
  return done;
}

static PORTABLE__COLD void refused(void) {
  portable__print_error();
  if (portable__strict()) abort();
}

int32_t portable__serve_free(void *ptr) {
  if (PORTABLE__LIKELY(!is_ours((uintptr_t)ptr))) return 0;
  if (PORTABLE__UNLIKELY(portable__guard_holds((uintptr_t)ptr)) && portable__served_free(ptr)) return 1;
  int was = errno;
  int in_function = portable__in_slab_function; /* the program's free, not a call of the library: the default pool has no such function */
  portable__in_slab_function = 0;
  if (portable__free(ptr) != PORTABLE_OK) refused(); /* freed twice, or not the start of a block */
  portable__in_slab_function = in_function;
  errno = was;
  return 1;
}
