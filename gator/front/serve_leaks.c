/* serve_leaks.c - which blocks of portable::allocate nothing leads to at the end of the program: no static variable of the program and its shared
 * libraries, no variable of a thread, and no other block that something leads to. A pointer anywhere into a block counts. Not in this file: the reports
 * (memcheck_leaks.c).
 *
 * The stack of the thread that ends the program is no root: the end of main is the end of its variables. Stacks of other threads are. Nor are libc's
 * blocks: one that only they lead to is reported as lost. Runs once, in a destructor, where other threads may still be at work: see "the search". */
#define _GNU_SOURCE
#include "../../internal/edge/thread.h"
#include "serve_checked.h"

#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../../internal/guard/guard.h"

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
  int begun, threads; /* threads: others are alive */
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
  uintptr_t from, to; /* to 0: unused */
} threads[THREADS];
static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t at_thread_end;
static int has_key;

/* Its stack ends soon. The lock makes it wait while the search looks through it. */
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
  uintptr_t from, to;
  pthread_once(&once, make_key);
  if (!has_key || (long)getpid() == syscall(SYS_gettid)) return; /* the first thread is looked at where it ends */
  if (portable__own_stack(&from, &to)) note(from, to, (uintptr_t)__builtin_frame_address(0));
}

/* ---- the search ----
 *
 * Threads at work move pointers, so three things keep a block that is in use from being told. No thread takes a block or gives one back during a
 * search. The block that a thread has just taken, and the one that it is about to free, are in variables of ours, which are
 * roots. While other threads live, a block is reported only if several searches with time between them miss it: a thread may have been stopped with the
 * only pointer in a register. */

#define SEARCHES 6

/* In the callback, because the system's lock of the list of modules comes before ours: the program may take blocks under it. */
static void begin(struct heap *h) {
  if (h->begun) return;
  h->begun = 1;
  portable__guard_hold();
  portable__blocks_each(count_known, &h->room);
  portable__guard_small_each(count_small, &h->room);
  h->room += THREADS; /* those that a thread is just about to note */
  if (h->room < UINT32_MAX && (h->blocks = map(h->room * sizeof *h->blocks)) && (h->open = map(h->room * sizeof *h->open))) {
    portable__blocks_each(put_known, h);
    portable__guard_small_each(put_small, h);
    qsort(h->blocks, h->count, sizeof *h->blocks, by_start);
  }
}

/* Variables of the calling thread are in the list of modules. */
static int of_module(struct dl_phdr_info *info, size_t bytes, void *heap) {
  int has_variables = bytes >= offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data && info->dlpi_tls_data;
  struct heap *h = heap;
  begin(h);
  for (int i = 0; h->count > 0 && i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_LOAD && (p->p_flags & (PF_R | PF_W)) == (PF_R | PF_W)) look_through(h, start, start + p->p_memsz);
    if (p->p_type == PT_TLS && has_variables) look_through(h, (uintptr_t)info->dlpi_tls_data, (uintptr_t)info->dlpi_tls_data + p->p_memsz);
  }
  return 0;
}

static void mark(struct heap *h) {
  pthread_mutex_lock(&threads_lock);
  for (size_t i = 0; i < THREADS; i++) {
    if (!threads[i].to) continue;
    h->threads = 1;
    look_through(h, threads[i].from, threads[i].to);
  }
  pthread_mutex_unlock(&threads_lock);
  while (h->opens > 0) {
    const struct block *b = &h->blocks[h->open[--h->opens]];
    look_through(h, b->start, b->start + b->bytes);
  }
}

/* Leaves the blocks that nothing leads to. */
static void search(struct heap *h) {
  size_t left = 0;
  memset(h, 0, sizeof *h);
  portable__guard_looking = 1; /* reads of pages that are closed are no findings */
  dl_iterate_phdr(of_module, h);
  begin(h);
  if (h->count > 0) mark(h);
  portable__guard_go_on();
  portable__guard_looking = 0;
  for (size_t i = 0; i < h->count; i++)
    if (!h->blocks[i].reached) h->blocks[left++] = h->blocks[i];
  h->count = left;
}

static void drop(struct heap *h) {
  if (h->open) munmap(h->open, h->room * sizeof *h->open);
  if (h->blocks) munmap(h->blocks, h->room * sizeof *h->blocks);
}

/* Leaves in h the blocks that are in both. */
static void leave_common(struct heap *h, const struct heap *other) {
  size_t left = 0;
  for (size_t i = 0, k = 0; i < h->count; i++) {
    const struct block *b = &h->blocks[i];
    while (k < other->count && other->blocks[k].start < b->start) k++;
    if (k < other->count && other->blocks[k].start == b->start && other->blocks[k].bytes == b->bytes && other->blocks[k].stack == b->stack)
      h->blocks[left++] = *b;
  }
  h->count = left;
}

void portable__serve_lost(void (*seen)(uint32_t stack, uintptr_t start, uint64_t bytes, void *payload), void *payload) {
  struct heap lost, again;
  portable__serve_busy = 1;
  portable__guard_in_hand[PORTABLE__GUARD_TAKEN] = portable__guard_in_hand[PORTABLE__GUARD_GIVEN] = 0; /* this thread's last block may be lost */
  search(&lost);
  int threads_live = lost.threads;
  for (int i = 1; i < SEARCHES && threads_live && lost.count > 0; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000L << i}, NULL);
    search(&again);
    threads_live = again.threads;
    leave_common(&lost, &again);
    drop(&again);
  }
  for (size_t i = 0; i < lost.count; i++) seen(lost.blocks[i].stack, lost.blocks[i].start, lost.blocks[i].bytes, payload);
  drop(&lost);
  portable__serve_busy = 0;
}
