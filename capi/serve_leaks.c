/* serve_leaks.c - which blocks of portable::allocate nothing leads to at the end of the program: no static variable of the program and its shared
 * libraries, no variable of a thread, and no other block that something leads to. A pointer anywhere into a block counts. Not in this file: what is told
 * (memcheck_leaks.c).
 *
 * The stack of the thread that ends the program is no root: the end of main is the end of its variables. Stacks of other threads are. Nor are libc's blocks: what is reachable only through them is told as lost.
 * Runs once, in a destructor, where other threads may still be at work: blocks that come and go meanwhile may be missed. */
#define _GNU_SOURCE
#include "serve_checked.h"

#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../internal/backend/host/guard.h"

struct block {
  uintptr_t start;
  uint64_t bytes;
  uint32_t stack;
  int32_t reached;
};

struct heap {
  struct block *blocks;
  size_t count, room;
  uint32_t *open; /* reached, and not looked through yet */
  size_t opens;
};

static void put(struct heap *h, uintptr_t start, uint64_t bytes, uint32_t stack) {
  if (h->count < h->room) h->blocks[h->count++] = (struct block){start, bytes, stack, 0};
}

static void put_known(const struct portable__known *k, void *heap) {
  if (strcmp(k->label, PORTABLE__GUARD_SERVED) == 0) put(heap, atomic_load(&k->start), k->bytes, k->alloc_stack);
}

static void put_small(const struct portable__guarded *g, void *heap) { put(heap, atomic_load(&g->start), g->bytes, atomic_load(&g->alloc_stack)); }

static void count_known(const struct portable__known *k, void *count) {
  (void)k;
  ++*(size_t *)count;
}

static void count_small(const struct portable__guarded *g, void *count) {
  (void)g;
  ++*(size_t *)count;
}

static int by_start(const void *a, const void *b) {
  uintptr_t x = ((const struct block *)a)->start, y = ((const struct block *)b)->start;
  return x < y ? -1 : x > y;
}

static void *map(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* A block of no bytes is reached by its start. */
static void reach(struct heap *h, uintptr_t address) {
  size_t from = 0, to = h->count;
  if (address < h->blocks[0].start || address > h->blocks[to - 1].start + h->blocks[to - 1].bytes) return;
  while (to - from > 1) {
    size_t middle = from + (to - from) / 2;
    if (h->blocks[middle].start <= address)
      from = middle;
    else
      to = middle;
  }
  struct block *b = &h->blocks[from];
  if (address - b->start > b->bytes || b->reached) return;
  b->reached = 1;
  h->open[h->opens++] = (uint32_t)from;
}

static void look_through(struct heap *h, uintptr_t from, uintptr_t to) {
  for (uintptr_t at = (from + sizeof at - 1) & ~(sizeof at - 1); at + sizeof at <= to; at += sizeof at) {
    uintptr_t word;
    memcpy(&word, (const void *)at, sizeof word);
    reach(h, word);
  }
}

/* ---- threads ---- */

#define THREADS 1024
#define DEEPER ((uintptr_t)256 << 10) /* looked through below the frame of a thread's first block */

static struct {
  uintptr_t from, to; /* to 0: nobody's */
} threads[THREADS];
static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t at_thread_end;
static int has_key;

/* Its stack is gone soon. The lock makes it wait while the search looks through it. */
static void forget(void *thread) {
  if (atomic_load(&portable__forked)) return; /* the lock may be held by a thread that is not here */
  pthread_mutex_lock(&threads_lock);
  threads[(uintptr_t)thread - 1].to = 0;
  pthread_mutex_unlock(&threads_lock);
}

static void make_key(void) { has_key = pthread_key_create(&at_thread_end, forget) == 0; }

static void note(uintptr_t low, uintptr_t high, uintptr_t frame) {
  size_t i = 0;
  if (frame < low || frame >= high) return;
  if (frame - low > DEEPER) low = frame - DEEPER;
  pthread_mutex_lock(&threads_lock);
  while (i < THREADS && threads[i].to) i++;
  if (i < THREADS && pthread_setspecific(at_thread_end, (void *)(i + 1)) == 0) {
    threads[i].from = low;
    threads[i].to = high;
  }
  pthread_mutex_unlock(&threads_lock);
}

/* The range that the system tells of a thread has its variables too, those of libraries that were opened later left out. */
void portable__serve_note_thread(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_attr_t attributes;
  void *start;
  size_t bytes;
  pthread_once(&once, make_key);
  if (!has_key || (long)getpid() == syscall(SYS_gettid)) return; /* the first thread is looked at where it ends */
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &start, &bytes) == 0)
    note((uintptr_t)start, (uintptr_t)start + bytes, (uintptr_t)__builtin_frame_address(0));
  pthread_attr_destroy(&attributes);
}

/* ---- the search ---- */

/* Variables of the calling thread are in the list of modules. */
static int of_module(struct dl_phdr_info *info, size_t bytes, void *heap) {
  int has_variables = bytes >= offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data && info->dlpi_tls_data;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_LOAD && (p->p_flags & (PF_R | PF_W)) == (PF_R | PF_W)) look_through(heap, start, start + p->p_memsz);
    if (p->p_type == PT_TLS && has_variables) look_through(heap, (uintptr_t)info->dlpi_tls_data, (uintptr_t)info->dlpi_tls_data + p->p_memsz);
  }
  return 0;
}

static void mark(struct heap *h) {
  qsort(h->blocks, h->count, sizeof *h->blocks, by_start);
  portable__guard_looking = 1; /* threads that still run give blocks back */
  dl_iterate_phdr(of_module, h);
  pthread_mutex_lock(&threads_lock);
  for (size_t i = 0; i < THREADS; i++)
    if (threads[i].to) look_through(h, threads[i].from, threads[i].to);
  pthread_mutex_unlock(&threads_lock);
  while (h->opens > 0) {
    const struct block *b = &h->blocks[h->open[--h->opens]];
    look_through(h, b->start, b->start + b->bytes);
  }
  portable__guard_looking = 0;
}

void portable__serve_lost(void (*seen)(uint32_t stack, uintptr_t start, uint64_t bytes, void *payload), void *payload) {
  struct heap h = {0};
  portable__serve_busy = 1;
  portable__blocks_each(count_known, &h.room);
  portable__guard_small_each(count_small, &h.room);
  h.room += 1024;
  if (h.room < UINT32_MAX && (h.blocks = map(h.room * sizeof *h.blocks)) && (h.open = map(h.room * sizeof *h.open))) {
    portable__blocks_each(put_known, &h);
    portable__guard_small_each(put_small, &h);
    if (h.count > 0) mark(&h);
    for (size_t i = 0; i < h.count; i++)
      if (!h.blocks[i].reached) seen(h.blocks[i].stack, h.blocks[i].start, h.blocks[i].bytes, payload);
  }
  if (h.open) munmap(h.open, h.room * sizeof *h.open);
  if (h.blocks) munmap(h.blocks, h.room * sizeof *h.blocks);
  portable__serve_busy = 0;
}
