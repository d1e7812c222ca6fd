/* thread.h - the state of a thread of the program, and the registry of all states. gator/front
 * fills and empties the magazines in it; exec/timer and arrays/owner own the fields of timers and
 * arrays. Private. Threads: a state belongs to its thread, unless a field says otherwise. */
#ifndef PORTABLE__EDGE_THREAD_H
#define PORTABLE__EDGE_THREAD_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base.h"
#include "where.h"

#define PORTABLE__SLOTS 64                     /* blocks a class keeps */
#define PORTABLE__CLASSES 168                  /* for granules from 64 bytes and blocks up to PORTABLE__SHELF_MAX */
#define PORTABLE__PARKED_MAX (8u << 20)        /* bytes a thread keeps */
#define PORTABLE__LARGE (1u << 20)             /* larger blocks are kept on the shelf that all threads share */
#define PORTABLE__SHARED_FROM (64u << 10)      /* from here on, a block that does not fit into the thread's set goes to the shelf, too */
#define PORTABLE__SHELF_MAX (256u << 20)       /* bytes the shelf keeps */
#define PORTABLE__LABEL_PLACES 4               /* remembered labels of a thread are in sets of so many, */
#define PORTABLE__LABEL_SHIFT 58               /* of which there are 2 ** (64 - this) */
#define PORTABLE__LABELS (PORTABLE__LABEL_PLACES << (64 - PORTABLE__LABEL_SHIFT))
#define PORTABLE__LABEL_TEXT 48                /* longest label that is remembered */

struct portable__record;
struct portable__slab;
struct portable__timing;

struct portable__slot {
  void *address;
  struct portable__record *record;
};

struct portable__class {
  uint32_t count;
  uint32_t granules[PORTABLE__SLOTS]; /* lengths of the blocks; apart from the slots, to be searched in one line */
  struct portable__slot slot[PORTABLE__SLOTS]; /* the newest is the last */
};

struct portable__label {
  uint32_t epoch, id, bytes;
  char text[PORTABLE__LABEL_TEXT];
};

/* A set of magazines. Each thread that has called the library has one; it is kept for ever, and a later thread takes it
 * over. The owner changes it between enter and leave; Go changes it when all are stopped. The shelf is a set with a
 * lock instead of an owner. */
#define PORTABLE__REGIONS 32

struct portable__thread {
  _Atomic int busy; /* the owner is inside */
  _Atomic int stop; /* the owner must call Go instead */
  struct portable__slab *slab; /* of the last block freed; NULL: ask the map. Withdrawing a slab clears it */
  uint64_t parked, limit;      /* bytes kept now, and at most */
  _Atomic int64_t bytes, allocations, frees; /* changes since the start; written by the owner only */
  _Atomic int32_t calls; /* calls of the library in progress, nested; see calls.h */
  struct portable__class classes[PORTABLE__CLASSES];
  struct portable__label labels[PORTABLE__LABELS];
  /* These fields are not for the fast path, whose fields above fill one cache line. */
  int orphan; /* registry lock */
  struct portable__thread *next;
  int outside; /* registry lock; it was in no call since the library began to stop */
  int ending; /* the thread is in its exit hooks */
  uintptr_t call_frame; /* of the outermost call in progress: its frame, and the address of its scope */
  _Atomic uintptr_t call_scope;
  uint32_t crossings;
  void *signal_stack; /* made by signals.c; NULL when none was needed */
  struct portable__timing *timing; /* made by timer.c; NULL before the first timer */
  void *spare_owner; /* of array.c: the last owner released here, unless another owner was released since */
  struct {
    uint64_t id;
    const char *label;
  } regions[PORTABLE__REGIONS]; /* traced timers, of memcheck.c; not in TLS, which is scarce in plugins */
  int32_t regions_open;
  char found[256];  /* label of the last portable_pool_find */
  char error[PORTABLE__ERROR_TEXT];
};

extern __thread struct portable__thread *portable__self __attribute__((tls_model("initial-exec")));
extern int portable__barrier_is_cheap; /* set before the first thread is made */
void portable__barrier_register(void); /* before Go has threads: from then on the kernel waits for a grace period, some 10 ms */

/* The calling thread's state, made at first use; NULL: no memory, or a forked child. */
struct portable__thread *portable__thread_get(void);
/* The stack that the system gave the calling thread: 1, from its lowest byte to the byte after its highest one; 0, and
 * both 0: the system does not know. A fiber runs on another stack. */
int portable__own_stack(uintptr_t *from_out, uintptr_t *to_out);

/* ---- the registry of all states ---- */

/* All states that were made, linked by next; the lock guards the list and the fields that name it. */
extern struct portable__thread *portable__threads;
void portable__threads_lock(void);
void portable__threads_unlock(void);
/* Registry lock: the value of stop of a state that is made from now on. */
void portable__threads_begin_stopped(int stop);
/* After it, the caller sees all earlier stores of every thread, and their later stores come after its own. Registry
 * lock. */
void portable__threads_barrier(void);
/* How many threads have been in a call of calls.h ever since `first`, which comes with a barrier over all threads.
 * doubt: calls that were left, as memory proves, do not count. */
int64_t portable__threads_in_calls(int first, int doubt);

/* ---- signals.c: before a thread enters Go ---- */

void portable__signal_stack_set(struct portable__thread *t);   /* gives the calling thread one if it has none */
void portable__signal_stack_leave(struct portable__thread *t); /* at its end */
void portable__fix_handlers(void);                            /* adds SA_ONSTACK to the program's handlers */

#endif
