/* timer.h - the timers of a thread, a tree. The owner writes its tree without a lock, and other
 * threads read it: so members for readers are atomic, a node in the list is complete, and nodes and
 * labels are never freed. Reports are Go (exec/timers*.go). */
#ifndef PORTABLE__TIMER_H
#define PORTABLE__TIMER_H

#include "../../internal/edge/thread.h"
#include "../../internal/observe/watch.h"

/* A label of one thread. Other threads read the text only. */
struct portable__timer_label {
  uint64_t hash;
  uint32_t bytes;
  struct portable__timer_node *nodes;   /* one for each parent of the label */
  struct portable__timer_node *running; /* the running one, or NULL */
  char text[];                          /* with an end */
};

/* A label at one place of the tree. */
struct portable__timer_node {
  struct portable__timer_node *parent; /* or NULL. This and the next three never change */
  struct portable__timer_label *label;
  struct portable__timer_node *of_label; /* the label's next */
  int32_t number;                        /* in the order of making, from 0: parents come before children */
  _Atomic int32_t active;                /* calls under way; more than 1: recursion */
  _Atomic int64_t start;                 /* of the outermost call */
  _Atomic int64_t since;                 /* the reset before this measurement; an older reset: the members below count as 0 */
  _Atomic int64_t count, total, last, min, max, ended;
  struct portable__timer_node *_Atomic next; /* in the order of making */
};

/* A call under way. */
struct portable__timer_frame {
  struct portable__timer_node *node;
  int64_t start;
};

/* The timers of a thread, and of later threads that reuse its state. */
struct portable__timing {
  struct portable__timer_frame *frames;
  uint32_t depth, room;
  struct portable__timer_label **table; /* by hash, open; a power of two */
  uint32_t labels, slots;
  struct portable__timer_node *newest;
  struct portable__timer_node *_Atomic nodes;
  _Atomic uint32_t generation; /* of the frames; frames of another generation are void */
  _Atomic int32_t lost;        /* a thread ended while timers ran */
  int32_t number;              /* in the order of making, from 0 */
  struct portable__timing *next;
};

/* The word that portable_timer_start tests; 0: timers are off. */
#define PORTABLE__TIMING_ON       1
#define PORTABLE__TIMING_LAUNCHES 2
#define PORTABLE__TIMING_HOOKS    4
#define PORTABLE__TIMING_STOPPED  8 /* the library does not run */
extern _Atomic int32_t portable__timing;
extern _Atomic uint32_t portable__timing_generation;
extern _Atomic int64_t portable__timing_reset; /* the last reset of the results */

/* 1: start and stop do nothing: timers are off, without observers. */
static inline int portable__timers_quiet(void) {
  return PORTABLE__LIKELY(!((uint32_t)atomic_load_explicit(&portable__timing, memory_order_relaxed) | portable__watched_by()));
}

/* Times launches. */
extern const struct portable__watcher portable__timer_watcher;

/* The list of the timers of all threads; the caller unlocks after use. */
struct portable__timing *portable__timings_lock(void);
void portable__timings_unlock(void);

int64_t portable__now_ns(void);

/* Starts (begins 1) or stops the timer label[bytes] on the calling thread. */
portable_status portable__timer(int32_t begins, const char *label, size_t bytes);

/* The same with the hooks of the user; 0: the calling thread is inside one of them. */
int32_t portable__timer_hook(int32_t begins, const char *label, size_t bytes);

/* The calling thread's label, or NULL. */
struct portable__timer_label *portable__timer_find(const struct portable__timing *t, const char *label, size_t bytes);

/* The arguments of a call of timers. Each call fills the fields that it tests; 0 is ordinary. */
enum {
  PORTABLE__TIMER_LABEL,   /* label */
  PORTABLE__TIMER_STOP,    /* label; innermost; which: the number of the thread on which it runs, or -1 */
  PORTABLE__TIMER_ENABLE,  /* which */
  PORTABLE__TIMER_GET,     /* pointer (stats_out), struct_size, label, which */
  PORTABLE__TIMER_HOOKS,   /* struct_size, reserved */
  PORTABLE__TIMER_TEXT,    /* pointer, bytes: the text */
  PORTABLE__TIMER_PACK,    /* pointer, bytes: the buffer; reserved: 1 with needed_out */
  PORTABLE__TIMER_PACKS    /* pointer, bytes: packs of several processes */
};
struct portable__timer_asked {
  int32_t kind, which;
  uint32_t struct_size, reserved;
  const void *pointer;
  size_t bytes, label_bytes;
  portable__text call, label, innermost; /* innermost NULL: no timer runs on the thread */
};

/* Go refuses exactly the calls that are not ordinary (exec.TimerCall). */
static inline int portable__timer_ordinary(const struct portable__timer_asked *a) {
  const int fits = a->bytes == 0 || a->pointer != NULL;
  switch (a->kind) {
  case PORTABLE__TIMER_LABEL: return a->label_bytes > 0;
  case PORTABLE__TIMER_ENABLE: return (uint32_t)a->which <= PORTABLE_TIMERS_LAUNCHES;
  case PORTABLE__TIMER_GET:
    return a->pointer && a->struct_size >= sizeof a->struct_size && a->struct_size <= sizeof(portable_timer_stats) && a->label_bytes > 0 &&
           (a->which == PORTABLE_TIMERS_OF_THREAD || a->which == PORTABLE_TIMERS_OF_ALL);
  case PORTABLE__TIMER_HOOKS: return a->struct_size >= 2 * sizeof(uint32_t) && a->struct_size <= sizeof(portable_timer_hooks) && a->reserved == 0;
  case PORTABLE__TIMER_TEXT: return fits;
  case PORTABLE__TIMER_PACK: return fits && (a->pointer || a->reserved);
  case PORTABLE__TIMER_PACKS: return fits && a->bytes <= PTRDIFF_MAX;
  default: return 0; /* stop: the timer is not the innermost one */
  }
}

/* A call that makes a report. */
enum { PORTABLE__TIMERS_TEXT, PORTABLE__TIMERS_JSON, PORTABLE__TIMERS_PRINT, PORTABLE__TIMERS_PACK };
struct portable__timer_report {
  portable__text call;
  int32_t kind, merged; /* merged: of packs, else of this process */
  const void *packs;
  size_t packs_bytes;
  void *to; /* the text, ended by 0, or the packed bytes; room: its bytes */
  size_t room, *needed_out; /* needed_out: may be NULL */
  portable__text path; /* of PRINT; NULL: standard error */
};

/* Lets Go refuse the call; the status is `otherwise` if Go does not run. */
portable_status portable__timer_refused(const struct portable__timer_asked *asked, portable_status otherwise) PORTABLE__COLD;

/* The results of a timer, for Go. */
struct portable__timer_row {
  portable__text label;
  size_t label_bytes;
  int32_t thread, parent, active, lost; /* parent: index among the rows, or -1; lost: of the thread */
  int64_t count, total, last, min, max, elapsed; /* elapsed: of the running call */
};

/* All timers, thread after thread, parents before children; malloc'ed, the caller frees. -1: no memory. */
int64_t portable__timer_rows(struct portable__timer_row **rows_out);

/* Called by Go: the settings of the environment, at a start; a test for hooks of the user in place of timers; writing a file. */
void portable__timers_begin(int32_t which);
int32_t portable__timers_hooked(void);
int32_t portable__write_file(portable__text path, portable__text text, size_t bytes);

/* ---- timer*.c: start and stop of the library, and of a thread ---- */

void portable__timers_running(int32_t running);
void portable__timers_finalize(void); /* after the end of a participant: the last one ends the hooks */
void portable__timer_thread_ends(struct portable__thread *thread);

#endif
