/* block_run.c - runs the threads of one block (blocks.h): in a plain loop as long as none waits;
 * from the first barrier on, each later thread on a small stack of its own, and a barrier switches
 * to the next one. Main functions: run_block, wait. Not here: launches (blocks.c). */

/* The thread that waits first stays on the stack of the thread that runs the block; it leads. A barrier passes control to the
 * next thread in the order, and the last one passes it back to the leader: then all have come. So a barrier costs one switch
 * a thread, and counts nothing. Threads also end in that order, the leader first. Where a thread ends while the leader waits,
 * or waits after the leader has ended, not all have come: the launch fails, and the threads that are left go on in turn
 * (`broken`). To stop them would leave objects of C++ on their stacks without a destructor.
 *
 * A switch costs 2 ns with this order; modes and exceptions are each thread's own, but only a thread that has changed them
 * pays: then portable_block_wait takes the slow way. */
#define _GNU_SOURCE /* link.h: modules */
#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "launch.h"
#include "../../internal/edge/thread.h"
#include "../../internal/team/fibre.h"
#include "../../internal/team/team_room.h"

/* A stack and the pages below it are an odd number of pages, so that the stacks of a block do not share few sets of the caches of
 * translations; their tops differ by a line, so that they share no few sets of the caches of data. */
#define STACK_BYTES ((size_t)20 << 10)
#define LINES 63
#define PATH 160 /* bytes of the name of a file that a text has */

enum { PLAIN = 1, ENDING = 2, BROKEN = 4, WATCHED = 8 }; /* reasons for the slow way of a wait */

/* A thread of the block. */
struct lane {
  void *sp;
  struct lane *next; /* in the order; the leader after the last one */
  const char *file;  /* the barrier at which it waits */
  int32_t line, member;
  const void *caller;
  int32_t thread[PORTABLE_BLOCK_RANK];
  int32_t parked, returned; /* parked: its stack is ready for its next block */
  struct run *run;
  void *shadow; /* AddressSanitizer's, of its stack */
  const void *bottom;
  size_t bytes;
  struct portable__fibre fibre;
};

struct run {
  struct portable__block_run head;
  int32_t slow;
  struct lane *now;
  struct portable__modes modes;
  struct portable__exceptions *exceptions; /* of the thread */
  void *outside;                           /* the caller of the tile, for debuggers */
  struct lane *lanes;                      /* the first is the leader's, and has no stack */
  int32_t made, executable;
  int32_t reverse;                         /* threads run from the last one on */
  struct portable__block_launch shape;           /* of the blocks for which the lanes are linked */
  int32_t linked;                          /* 1: they are, and all are parked; 2: in reverse */
  struct lane *end;                        /* the leader; NULL: no thread has waited */
  const struct portable__block_launch *blocks;
  const portable_tile *tile;
  void *args;
  portable_thread_block block; /* of the thread that runs in the loop; later threads copy it */
};

/* AddressSanitizer's, where the program has it. */
extern void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t bytes) __attribute__((weak));
extern void __sanitizer_finish_switch_fiber(void *save, const void **bottom_out, size_t *bytes_out) __attribute__((weak));

static __thread struct run *own __attribute__((tls_model("initial-exec"))); /* signal handlers read it */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int have_key;

static void free_run(void *argument) {
  struct run *r = argument;
  own = NULL;
  for (int32_t i = 1; i < r->made; i++) portable__fibre_free(&r->lanes[i].fibre);
  free(r->lanes);
  free(r);
}

static size_t overflowed(uintptr_t address) {
  for (int32_t i = 1; own && i < own->made; i++)
    if (portable__fibre_overflows(&own->lanes[i].fibre, address)) return STACK_BYTES - LINES * 64;
  return 0;
}

static void make_key(void) {
  have_key = pthread_key_create(&key, free_run) == 0;
  atomic_store(&portable__small_stack, overflowed);
}

struct portable__block_run *portable__block_run(void) {
  if (own) return &own->head;
  pthread_once(&once, make_key);
  struct run *r = have_key ? calloc(1, sizeof *r) : NULL;
  if (!r || !(r->lanes = calloc(PORTABLE_BLOCK_THREADS, sizeof *r->lanes)) || pthread_setspecific(key, r) != 0) {
    if (r) free(r->lanes);
    free(r);
    return NULL;
  }
  r->made = 1;
  portable__thread_get(); /* gives the thread a stack for signals, which do not fit a small one */
  return &(own = r)->head;
}

/* ---- places ---- */

static void place(const struct run *r, int32_t member, int32_t *thread_out) {
  const struct portable__block_launch *o = r->blocks;
  for (int32_t k = 0; k < o->rank; k++) {
    const int32_t d = o->order == PORTABLE_ORDER_FORTRAN ? k : o->rank - 1 - k;
    thread_out[d] = member % o->threads[d];
    member /= o->threads[d];
  }
}

static void for_fortran(portable_thread_block *b, int32_t bytes) {
  for (int32_t d = 0; d < PORTABLE_BLOCK_RANK; d++) {
    if (bytes == 4) {
      int32_t *i = (int32_t *)(void *)b->fortran;
      i[d] = (int32_t)b->index[d];
      i[PORTABLE_BLOCK_RANK + d] = b->thread[d] + 1;
    } else {
      b->fortran[d] = b->index[d];
      b->fortran[PORTABLE_BLOCK_RANK + d] = b->thread[d] + 1;
    }
  }
}

static int put_indices(char *text, size_t bytes, int32_t rank, const int64_t *index, const int32_t *thread, int32_t first) {
  int n = snprintf(text, bytes, "(");
  for (int32_t d = 0; d < rank; d++)
    n += snprintf(text + n, bytes - (size_t)n, d ? ",%" PRId64 : "%" PRId64, index ? index[d] : (int64_t)thread[d] + first);
  return n + snprintf(text + n, bytes - (size_t)n, ")");
}

/* The place of a barrier: file and line, or the address that `addr2line` takes. */
static void put_barrier(char *text, size_t bytes, const char *file, int32_t line, const void *caller) {
  Dl_info module;
  if (file)
    snprintf(text, bytes, "%s:%d", file + (strlen(file) > PATH ? strlen(file) - PATH : 0), (int)line);
  else if (line > 0)
    snprintf(text, bytes, "line %d", (int)line);
  else if (dladdr(caller, &module) && module.dli_fname && strlen(module.dli_fname) < PATH)
    snprintf(text, bytes, "0x%zx of %s (addr2line -e has the line)",
             (size_t)((const char *)caller - (const char *)(((const ElfW(Ehdr) *)module.dli_fbase)->e_type == ET_EXEC ? NULL : module.dli_fbase)) - 1, module.dli_fname);
  else
    snprintf(text, bytes, "%p", caller);
}

/* Not all threads come to this barrier. */
PORTABLE__COLD static void not_all(const struct run *r, const struct lane *waits, const int32_t *left) {
  char text[PORTABLE__FAIL_TEXT], at[200], block[72], thread[24], other[24];
  const int32_t first = r->blocks->integer_bytes ? 1 : 0;
  put_barrier(at, sizeof at, waits->file, waits->line, waits->caller);
  put_indices(block, sizeof block, r->blocks->rank, r->block.index, NULL, 0);
  put_indices(thread, sizeof thread, r->blocks->rank, NULL, waits->thread, first);
  put_indices(other, sizeof other, r->blocks->rank, NULL, left, first);
  snprintf(text, sizeof text, "not all threads of block %s come to the barrier at %s: thread %s waits there, and thread %s has left the kernel; "
           "let each thread of a block come to each barrier", block, at, thread, other);
  portable_kernel_fail(r->tile, PORTABLE_ERR_ARG, text);
}

/* ---- switches ---- */

static void modes_restore(const struct run *r) {
  if (!portable__modes_equal(portable__modes_get(), r->modes)) portable__modes_restore(r->modes);
}

static void go(struct run *r, struct lane *self, struct lane *to) {
  r->now = to;
  if (&__sanitizer_start_switch_fiber) {
    const void *bottom;
    size_t bytes;
    __sanitizer_start_switch_fiber(&self->shadow, to->bottom, to->bytes);
    portable__fibre_switch(&self->sp, to->sp);
    __sanitizer_finish_switch_fiber(self->shadow, &bottom, &bytes);
  } else {
    portable__fibre_switch(&self->sp, to->sp);
  }
}

/* The next thread that has not ended; NULL: there is none but this one. */
static struct lane *another(const struct lane *self) {
  for (struct lane *l = self->next; l != self; l = l->next)
    if (!l->returned) return l;
  return NULL;
}

/* From here on each switch looks for a thread that has not ended. */
static void breaks(struct run *r, const struct lane *from, const struct lane *to) {
  r->slow |= BROKEN;
  for (struct lane *l = r->end->next; l != r->end; l = l->next) l->returned = 0;
  for (struct lane *l = r->end; from && l != to; l = l->next) l->returned = 1;
}

/* The thread of this stack has returned from the kernel; goes to the next one, and returns when the lane has a thread of the next block. */
static void ended(struct run *r, struct lane *self) {
  struct lane *to = self->next;
  modes_restore(r);
  if (!(r->slow & (ENDING | BROKEN))) {
    not_all(r, r->end, self->thread);
    breaks(r, NULL, NULL);
  }
  self->returned = 1;
  if (r->slow & BROKEN && !(to = another(self))) to = r->end;
  self->parked = 1;
  go(r, self, to);
  self->parked = 0;
}

/* The main function of a stack. */
static void lane_main(void *argument) {
  struct lane *self = argument;
  struct run *r = self->run;
  if (&__sanitizer_finish_switch_fiber) {
    const void *bottom;
    size_t bytes;
    __sanitizer_finish_switch_fiber(NULL, &bottom, &bytes);
    if (!r->lanes[0].bottom) r->lanes[0].bottom = bottom, r->lanes[0].bytes = bytes; /* the first switch comes from the leader */
  }
  self->parked = 0;
  for (;;) {
    portable_thread_block b = r->block;
    b.waited = 0;
    b.member = self->member;
    memcpy(b.thread, self->thread, sizeof b.thread);
    if (r->blocks->integer_bytes) for_fortran(&b, r->blocks->integer_bytes);
    r->head.blocks = 0;
    r->blocks->kernel(&b, r->args);
    ended(r, self);
  }
}

/* A module of the program may need stacks with code on them; the loader has then made those of threads executable. */
static int needs_code(struct dl_phdr_info *module, size_t bytes, void *context) {
  (void)bytes, (void)context;
  for (int i = 0; i < module->dlpi_phnum; i++)
    if (module->dlpi_phdr[i].p_type == PT_GNU_STACK && (module->dlpi_phdr[i].p_flags & PF_X)) return 1;
  return 0;
}

static int make_lane(struct run *r, int32_t i) {
  struct lane *l = &r->lanes[i];
  l->run = r;
  if (portable__fibre_make(&l->fibre, STACK_BYTES, r->executable, NULL) != 0) return 0;
  l->bottom = l->fibre.memory;
  l->bytes = STACK_BYTES;
  l->parked = 0;
  return 1;
}

static int same_shape(const struct portable__block_launch *a, const struct portable__block_launch *b) {
  return a->rank == b->rank && a->order == b->order && memcmp(a->threads, b->threads, sizeof a->threads) == 0;
}

/* Lanes for the threads behind the leader, which is number `first` in the order. 0: no memory. */
static int prepare(struct run *r, int32_t first) {
  const int32_t count = r->blocks->size - first;
  if (PORTABLE__LIKELY(first == 0 && r->linked == 1 + r->reverse && same_shape(&r->shape, r->blocks))) return 1;
  if (!r->executable && dl_iterate_phdr(needs_code, NULL)) {
    r->executable = 1;
    for (int32_t i = 1; i < r->made; i++)
      if (portable__fibre_allow_code(&r->lanes[i].fibre) != 0) return 0;
  }
  for (; r->made < count; r->made++)
    if (!make_lane(r, r->made)) return 0;
  for (int32_t i = 0; i < count; i++) {
    struct lane *l = &r->lanes[i];
    l->member = r->reverse ? r->blocks->size - 1 - first - i : first + i;
    memset(l->thread, 0, sizeof l->thread);
    place(r, l->member, l->thread);
    l->next = &r->lanes[i + 1 < count ? i + 1 : 0];
    l->returned = 0;
    if (i && !l->parked) portable__fibre_start(&l->fibre, (size_t)(i % LINES) * 64, &r->outside, lane_main, l), l->sp = l->fibre.sp;
  }
  r->shape = *r->blocks;
  return 1;
}

/* The first wait of a block: its thread leads from here on. Its call may have begun at a block before. */
static void lead(struct run *r, const portable_thread_block *b) {
  memcpy(r->block.index, b->index, sizeof b->index);
  const int32_t first = r->reverse ? r->blocks->size - 1 - b->member : b->member;
  const int ready = prepare(r, first);
  r->linked = 0; /* until all have ended */
  if (PORTABLE__UNLIKELY(!ready)) {
    portable_kernel_fail(r->tile, PORTABLE_ERR_NOMEM, "there is no memory for the stacks of the block's threads; take blocks of fewer threads, or raise the "
                         "limits of addresses (ulimit -v) and of mappings (vm.max_map_count)");
    r->slow = PLAIN;
    r->end = NULL;
    return;
  }
  r->end = &r->lanes[0];
  r->now = r->end;
  r->end->returned = 0;
  r->slow = (&__sanitizer_start_switch_fiber ? WATCHED : 0) | (first ? BROKEN : 0);
}

PORTABLE__RARE static void wait_slowly(struct run *r, portable_thread_block *b, const char *file, int32_t line, const void *caller) {
  struct portable__exceptions kept = *r->exceptions;
  const struct portable__modes modes = portable__modes_get();
  const int32_t plain = r->slow & PLAIN;
  if (r->blocks->size == 1 || (plain && b->waited)) return; /* waits for no thread; there was no memory for stacks */
  if (plain) {
    b->waited = 1;
    lead(r, b);
    if (!r->end) return;
  }
  struct lane *self = r->now, *to = self->next;
  self->file = file;
  self->line = line;
  self->caller = caller;
  if (plain && r->slow & BROKEN) { /* those before it have left */
    int32_t left[PORTABLE_BLOCK_RANK] = {0};
    place(r, r->reverse ? r->blocks->size - 1 : 0, left);
    not_all(r, self, left);
  } else if (r->slow & ENDING && !(r->slow & BROKEN)) {
    not_all(r, self, r->end->thread);
    breaks(r, r->end, self);
  }
  if (r->slow & BROKEN && !(to = another(self))) return;
  modes_restore(r);
  *r->exceptions = (struct portable__exceptions){NULL, 0};
  go(r, self, to);
  *r->exceptions = kept;
  if (!portable__modes_equal(modes, portable__modes_get())) portable__modes_restore(modes);
}

static inline __attribute__((always_inline)) void wait(const portable_thread_block *b, const char *file, int32_t line, const void *caller) {
  struct run *r = (struct run *)(void *)b->run;
  const struct portable__exceptions *e = r->exceptions;
  if (PORTABLE__UNLIKELY(r->slow || e->caught || e->uncaught || !portable__modes_equal(portable__modes_get(), r->modes))) {
    wait_slowly(r, (portable_thread_block *)(uintptr_t)b, file, line, caller);
    return;
  }
  struct lane *self = r->now, *to = self->next;
  self->file = file;
  self->line = line;
  self->caller = caller;
  r->now = to;
  portable__fibre_switch(&self->sp, to->sp);
}

void portable_block_wait(const portable_thread_block *b, const char *file, int32_t line) { wait(b, file, line, __builtin_return_address(0)); }

/* Fortran calls these, so that they know the place of the call. */
void portable__fortran_block_barrier(const portable_thread_block *b) { wait(b, NULL, 0, __builtin_return_address(0)); }
void portable__fortran_block_barrier_line(const portable_thread_block *b, int32_t line) { wait(b, NULL, line, __builtin_return_address(0)); }

/* ---- a block, a tile ---- */

/* The leader has ended: the others end, too. */
static void finish(struct run *r) {
  struct lane *leader = r->end;
  modes_restore(r);
  const struct portable__exceptions kept = *r->exceptions;
  *r->exceptions = (struct portable__exceptions){NULL, 0};
  r->slow |= ENDING;
  leader->returned = 1;
  if (!(r->slow & BROKEN)) go(r, leader, leader->next);
  for (struct lane *l; r->slow & BROKEN && (l = another(leader)) != NULL;) go(r, leader, l);
  *r->exceptions = kept;
  if (!(r->slow & BROKEN)) r->linked = 1 + r->reverse;
}

static inline void next_thread(const struct portable__block_launch *o, int32_t *thread) {
  for (int32_t k = 0; k < o->rank; k++) {
    const int32_t d = o->order == PORTABLE_ORDER_FORTRAN ? k : o->rank - 1 - k;
    if (PORTABLE__LIKELY(++thread[d] < o->threads[d])) return;
    thread[d] = 0;
  }
}

/* A kernel that runs one thread in each call; `at` threads of the block have run. */
static void run_threads(struct run *r, int32_t at) {
  const struct portable__block_launch *o = r->blocks;
  portable_thread_block *b = &r->block;
  r->head.blocks = 0;
  for (; at < o->size; at++) {
    b->member = r->reverse ? o->size - 1 - at : at;
    if (PORTABLE__UNLIKELY(r->reverse))
      place(r, b->member, b->thread);
    else if (at)
      next_thread(o, b->thread);
    if (o->integer_bytes) for_fortran(b, o->integer_bytes);
    o->kernel(b, r->args);
    if (r->end) return finish(r);
  }
}

/* Blocks along the fastest dimension, `most` at most; leaves the index at the last one that has run. */
static void run_blocks(struct run *r, int64_t most) {
  portable_thread_block *b = &r->block;
  r->slow = PLAIN;
  r->end = NULL;
  b->waited = 0;
  b->member = 0;
  memset(b->thread, 0, sizeof b->thread);
  if (PORTABLE__UNLIKELY(r->reverse)) return run_threads(r, 0);
  if (r->blocks->integer_bytes) for_fortran(b, r->blocks->integer_bytes);
  r->head.blocks = most;
  r->head.did = -1;
  r->blocks->kernel(b, r->args);
  if (r->end) return finish(r);
  if (r->head.did < 0) return run_threads(r, 1);
  if (r->head.did > 0) b->index[r->head.fast] += (r->head.did - 1) * r->head.step;
}

/* The next block of the tile, the fastest dimension first; 0: the tile is complete. */
static int next_block(const struct portable__block_launch *o, const portable_tile *t, portable_thread_block *b) {
  for (int32_t k = 0; k < o->rank; k++) {
    const int32_t d = o->order == PORTABLE_ORDER_FORTRAN ? k : o->rank - 1 - k;
    if (b->index[d] < t->upper[d]) {
      b->index[d] += t->stride[d];
      return 1;
    }
    b->index[d] = t->lower[d];
  }
  return 0;
}

static void run_tile(void *argument) {
  struct run *r = argument;
  const struct portable__block_launch *o = r->blocks;
  const int32_t fast = r->head.fast;
  do {
    int64_t most = (r->tile->upper[fast] - r->block.index[fast]) / r->head.step + 1;
    if (PORTABLE__UNLIKELY(o->reversed)) {
      uint64_t at = 0;
      for (int32_t d = 0; d < o->rank; d++) at += (uint64_t)r->block.index[d] / (uint64_t)r->tile->stride[d];
      r->reverse = at & 1;
      most = 1;
      if (o->scratch_bytes) memset(r->block.scratch, 0xFF, o->scratch_bytes);
    }
    run_blocks(r, most);
  } while (!portable__job_failed(r->tile->launch) && next_block(o, r->tile, &r->block));
  modes_restore(r); /* not after each block: to read them waits for the arithmetic under way, some 30 ns */
}

void portable__block_tile(struct portable__block_run *run, const struct portable__block_launch *o, const portable_tile *t, void *args, void *scratch) {
  static struct portable__exceptions none; /* of a program without C++ */
  struct run *r = (struct run *)(void *)run;
  r->blocks = o;
  r->tile = t;
  r->args = args;
  r->modes = portable__modes_get();
  r->exceptions = &__cxa_get_globals ? __cxa_get_globals() : &none;
  r->reverse = 0;
  run->fast = o->order == PORTABLE_ORDER_FORTRAN ? 0 : o->rank - 1;
  run->step = t->stride[run->fast];
  run->failed = (const int32_t *)&((const struct portable__job *)t->launch)->failed;
  memset(&r->block, 0, sizeof r->block);
  for (int32_t d = 0; d < PORTABLE_BLOCK_RANK; d++) r->block.threads[d] = 1;
  for (int32_t d = 0; d < o->rank; d++) {
    r->block.threads[d] = o->threads[d];
    r->block.index[d] = t->lower[d];
  }
  r->block.rank = o->rank;
  r->block.size = o->size;
  r->block.scratch = scratch;
  r->block.scratch_bytes = o->scratch_bytes;
  r->block.tile = t;
  r->block.run = run;
  portable__fibre_call(&r->outside, run_tile, r);
}
