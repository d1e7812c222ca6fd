/* watch.h - notifies observers of operations: timers, hooks, tools, the log, launch checks, tuning.
 * Private. portable__watching has a bit for each observer that is on; an operation tests it once.
 * An observer is a table of functions, registered for ever; its bit switches it. One that was
 * notified of a beginning is notified of the end. Beginnings go from the lowest bit up, ends back.
 * Threads: any. Observers run on the acting thread, outside Go and all locks, so they may call the
 * library. */
#ifndef PORTABLE__WATCH_H
#define PORTABLE__WATCH_H

#include "../edge/base.h"


enum { PORTABLE__NVTX, PORTABLE__HOOKS, PORTABLE__TOOLS, PORTABLE__VERBOSE, PORTABLE__TUNING, PORTABLE__MEMCHECK, PORTABLE__HASH, PORTABLE__TWINS, PORTABLE__RACES, PORTABLE__CHECKS, PORTABLE__TIMERS, PORTABLE__RECORDS, PORTABLE__WATCHERS };

extern _Atomic uint32_t portable__watching; /* 1 << PORTABLE__HOOKS and so on */
extern _Atomic int32_t portable__watching_memory; /* observers that are on and want each block; 0: magazines may serve */

static inline uint32_t portable__watched_by(void) {
  return atomic_load_explicit(&portable__watching, memory_order_relaxed);
}

#define PORTABLE__TOOLS_MAX 4 /* libraries of Kokkos Tools at a time */

/* The state of checks.c for a launch, around whose kernel it puts its own. */
struct portable__checked {
  portable_kernel_function kernel;
  void *args;
  const char *label;
  size_t args_bytes;
  uint64_t sum;          /* of the argument block before the launch */
  _Atomic uint32_t found; /* what was reported of this launch */
};

/* A launch or fence in progress. On the stack of the thread that makes it, from watch_begin to watch_end. */
struct portable__watched {
  const char *label;
  int32_t kind;             /* PORTABLE_LAUNCH_..., or 0: a fence */
  int32_t device;
  int64_t count;            /* iterations */
  uint64_t id;              /* unique in the process */
  struct portable__job *job; /* complete, not yet run; an observer may put a kernel of its own around the user's. NULL: none */
  size_t args_bytes;        /* of job->args; 0: the user's own memory */
  uint32_t notified;        /* bits of the observers that were notified of the beginning */
  uint64_t state[PORTABLE__WATCHERS]; /* one word for each observer, 0 at the beginning */
  uint64_t tool_ids[PORTABLE__TOOLS_MAX]; /* the number that each tool has for it */
  struct portable__checked check;
};

struct portable__watcher {
  void (*begin)(struct portable__watched *w);
  void (*end)(struct portable__watched *w, portable_status status);
  void (*event)(const portable_hook_event *e); /* all events without an end, so all but LAUNCH_BEGIN, _END, FENCE_BEGIN and _END */
  int32_t memory;                         /* 1: wants ALLOC and FREE */
}; /* each function may be NULL */

/* Turns an observer on or off; twice is the same as once. */
void portable__watch_on(int32_t bit, const struct portable__watcher *watcher);
void portable__watch_off(int32_t bit);

/* Adds a user of an observer that wants each block, or removes one (-1). */
void portable__watch_memory(int32_t change);

/* The caller has set w's fields up to args_bytes, but for the id. Every begin has its end. */
void portable__watch_begin(uint32_t watching, struct portable__watched *w);
void portable__watch_end(struct portable__watched *w, portable_status status);

uint64_t portable__watch_newest(void); /* the id of the newest launch or fence */

/* Notifies of an event; the rest of e is filled as for its kind. Call it only if portable__watched_by() is not 0. */
void portable__watch_event(portable_hook_event *e);

/* The events, one by one. label may be NULL. */
void portable__watch_skip(const char *label, int32_t kind, int32_t device, const portable_bounds *bounds);
void portable__watch_alloc(portable_pool pool, void *ptr, uint64_t bytes, const char *label, size_t label_bytes);
void portable__watch_free(portable_pool pool, void *ptr); /* finds the block; does nothing if there is no live block */
int portable__watches(void *ptr); /* memcheck.c: whether an observer wants to be notified of this block's free; not in a handler */
void portable__watch_pool(int32_t made, portable_pool pool, const char *name);
void portable__watch_region(int32_t begins, const char *label); /* timer_start and timer_stop */
void portable__watch_running(void);                             /* after each start and stop: INIT and FINALIZE */

/* Prints one warning line, with the rank; each text once in the life of the process. Not from inside Go. */
void portable__warn(const char *format, ...) PORTABLE__PRINTF(1, 2);

/* ---- checks.c ---- */

/* An argument of a kernel object; the name is what.name. */
struct portable__argument {
  portable_argument what;
  char name[64];
};

/* ERR_POINTER if a pointer in the block points into a freed block. */
portable_status portable__check_arguments(const char *label, const void *block, const struct portable__argument *arguments, size_t count);
void portable__check_skip(const char *label, const portable_bounds *bounds);  /* a launch without iterations */
void portable__check_early(const char *label, const portable_bounds *bounds); /* a launch that ends as YAKL's would */

/* ---- kokkos.c ---- */

void portable__tools_start(void); /* looks for tools at the first start, and turns them on */

/* ---- tuning.c ---- */

/* Fills the fields that the program has left open (0) in the configuration of a launch, before the space is cut.
 * Returns a number of iterations for portable__cut_chunks, or 0: portable__cut_units. With rank 0 the tile stays as it
 * is, for reductions, whose results depend on the cuts. */
int64_t portable__tune(const char *label, int32_t rank, portable_launch_config *config);
/* Notes that there was an array with this label, for rules about arrays. */
void portable__tuning_laid_out(const char *label);

#endif
