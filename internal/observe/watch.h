/* watch.h - the watch point: what timers, hooks, tools, the log, launch checks and tuning are told, and when. Private.
 *
 * One word, portable__watching, has a bit for each watcher that is on. Who does something looks at it once, and where it is 0 pays
 * one branch. A watcher is a small table of functions, which stays registered for ever; on and off is its bit alone, so whoever was
 * told of a beginning is told of the end. Beginnings go from the lowest bit up, ends back: the highest bit is
 * nearest to the kernel.
 *
 * Threads: everything may be called from any thread at any time. Watchers are called on the thread that acts, outside Go and
 * outside all locks of the library, so they may call it; but for portable__verbose_slab, nothing is told from inside Go. */
#ifndef PORTABLE__WATCH_H
#define PORTABLE__WATCH_H

#include "../edge/base.h"


enum { PORTABLE__NVTX, PORTABLE__HOOKS, PORTABLE__TOOLS, PORTABLE__VERBOSE, PORTABLE__TUNING, PORTABLE__MEMCHECK, PORTABLE__HASH, PORTABLE__TWINS, PORTABLE__CHECKS, PORTABLE__TIMERS, PORTABLE__WATCHERS };

extern _Atomic uint32_t portable__watching; /* 1 << PORTABLE__HOOKS and so on */
extern _Atomic int32_t portable__watching_memory; /* watchers that are on and want each block; 0: magazines may serve */

static inline uint32_t portable__watched_by(void) {
  return atomic_load_explicit(&portable__watching, memory_order_relaxed);
}

#define PORTABLE__TOOLS_MAX 4 /* libraries of Kokkos Tools at a time */

/* What checks.c keeps of a launch, whose kernel it stands before. */
struct portable__checked {
  portable_kernel_function kernel;
  void *args;
  const char *label;
  size_t args_bytes;
  uint64_t sum;          /* of the argument block before the launch */
  _Atomic uint32_t found; /* what was reported of this launch */
};

/* A launch or fence under way. On the stack of the thread that makes it, from watch_begin to watch_end. */
struct portable__watched {
  const char *label;
  int32_t kind;             /* PORTABLE_LAUNCH_..., or 0: a fence */
  int32_t device;
  int64_t count;            /* iterations */
  uint64_t id;              /* unique in the process */
  struct portable__job *job; /* complete, not yet run; a watcher may put a kernel of its own before the user's. NULL: none */
  size_t args_bytes;        /* of job->args; 0: the user's own memory */
  uint32_t told;            /* bits of the watchers that know of the beginning */
  uint64_t state[PORTABLE__WATCHERS]; /* one word for each watcher, 0 at the beginning */
  uint64_t tool_ids[PORTABLE__TOOLS_MAX]; /* what each tool calls it */
  struct portable__checked check;
};

struct portable__watcher {
  void (*begin)(struct portable__watched *w);
  void (*end)(struct portable__watched *w, portable_status status);
  void (*event)(const portable_hook_event *e); /* everything that has no end: all but LAUNCH_BEGIN, _END, FENCE_BEGIN and _END */
  int32_t memory;                         /* 1: wants ALLOC and FREE */
}; /* each function may be NULL */

/* Turns a watcher on or off; twice is once. */
void portable__watch_on(int32_t bit, const struct portable__watcher *watcher);
void portable__watch_off(int32_t bit);

/* A further user of a watcher that wants each block, or one fewer (-1). */
void portable__watch_memory(int32_t change);

/* w's fields up to args_bytes are set, but for the id. Every begin has its end. */
void portable__watch_begin(uint32_t watching, struct portable__watched *w);
void portable__watch_end(struct portable__watched *w, portable_status status);

uint64_t portable__watch_newest(void); /* the id of the newest launch or fence */

/* Tells of an event; the rest of e is filled as for its kind. Only where portable__watched_by() is not 0. */
void portable__watch_event(portable_hook_event *e);

/* The events, one by one. label may be NULL. */
void portable__watch_skip(const char *label, int32_t kind, int32_t device, const portable_bounds *bounds);
void portable__watch_alloc(portable_pool pool, void *ptr, uint64_t bytes, const char *label, size_t label_bytes);
void portable__watch_free(portable_pool pool, void *ptr); /* finds out what the block is; nothing where there is none */
int portable__watches(void *ptr); /* memcheck.c: whether somebody wants to be told of this block's free; not in a handler */
void portable__watch_pool(int32_t made, portable_pool pool, const char *name);
void portable__watch_region(int32_t begins, const char *label); /* timer_start and timer_stop */
void portable__watch_running(void);                             /* after each start and stop: INIT and FINALIZE */

/* One warning line, in the name of the rank, and the same text once in the life of the process. Not from inside Go. */
void portable__warn(const char *format, ...) PORTABLE__PRINTF(1, 2);

/* ---- checks.c ---- */

/* An argument of a kernel object; the name is what.name. */
struct portable__argument {
  portable_argument what;
  char name[64];
};

/* Whether the pointers in a block are into freed blocks: ERR_POINTER. */
portable_status portable__check_arguments(const char *label, const void *block, const struct portable__argument *arguments, size_t count);
void portable__check_skip(const char *label, const portable_bounds *bounds);  /* a launch of no iteration */
void portable__check_early(const char *label, const portable_bounds *bounds); /* one that ends as YAKL's would */

/* ---- kokkos.c ---- */

void portable__tools_start(void); /* looks for tools, at the first start, and turns them on */

/* ---- tuning.c ---- */

/* Fills what the program has left open (0) in the configuration of a launch, before the space is cut. Gives a number of iterations
 * for portable__cut_chunks, or 0: portable__cut_units. With rank 0 the tile stays as it is: so for reductions, whose results depend
 * on how the space is cut. */
int64_t portable__tune(const char *label, int32_t rank, portable_launch_config *config);
/* There was an array that rules for the label are about. */
void portable__tuning_laid_out(const char *label);

#endif
