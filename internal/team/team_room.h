/* team_room.h - the workers and the state of the team, shared by team.c, team_share.c,
 * team_threads.c and crew.c. Private to these. "Owned" says that the caller has set `owned`. Not in
 * this file: the use in launches (team.c). */
#ifndef PORTABLE__TEAM_ROOM_H
#define PORTABLE__TEAM_ROOM_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "brief.h"
#include "fpstate.h"
#include "place.h"
#include "team.h"

struct worker {
  _Alignas(128) _Atomic uint64_t claimed; /* the last word for which a thread runs, or has run, its share */
  _Atomic uint64_t done;                  /* the last word for which its share is done */
  _Atomic uint32_t awaited;               /* a thread may be asleep on done */
  uint32_t flags;                         /* floating-point exceptions of its share, when it ran it itself */
  _Alignas(128) int32_t index;            /* from here on the worker's own, which the launching thread's claims leave in its cache */
  int32_t misses, owed, price;            /* see learn */
  int32_t patience;                       /* see still_there */
  uint64_t seen;
  int64_t spin_ns;
  void (*begins)(void);
  pthread_t thread;
  int32_t roams;                          /* may be kept off a processor */
  int32_t collisions;                     /* see woken */
  _Atomic int32_t guided;                 /* so many times more it is kept off the launching thread's processor */
  _Atomic int32_t cpu;                    /* the processor on which it fell asleep */
  struct portable__place place;
};

/* By who writes it: what changes with each launch, what sleepers change, what owners change, and what hardly changes. */
struct portable__team {
  _Alignas(128) _Atomic uint64_t word;
  struct portable__job *_Atomic job; /* written before the word; whose it is, only a claim says */
  _Atomic int32_t brief;             /* the launching thread is likely done with everything before another could begin */
  struct portable__modes modes;
  _Alignas(128) _Atomic uint64_t asleep;
  _Atomic uint64_t sleeps;
  _Atomic int64_t called; /* when sleepers were last woken */
  _Atomic int32_t cpu;    /* the processor of the thread that woke them */
  _Alignas(128) _Atomic int32_t owned;
  _Atomic int32_t wanted; /* by how many who would hold it, and whom launches let go first */
  const void *_Atomic launcher; /* whose launch it is: where that thread's portable__running_job is; NULL: it is held */
  int32_t mine;           /* the share that the launching thread runs */
  int cancel;             /* whether it could be cancelled before */
  _Atomic uint64_t launches;
  _Alignas(128) struct portable__team_config config;
  _Atomic int32_t size;   /* config.workers, for callers */
  struct worker *workers; /* the first is not a thread */
  int32_t made;           /* threads there are, and the launching one */
  int watched;            /* by valgrind */
  int lost;               /* a worker's thread has ended in a kernel */
  int configured;
  struct portable__brief known[BRIEF_PLACES]; /* owned */
  _Atomic pid_t pid;      /* of the process that has the threads */
};
extern struct portable__team portable__team __attribute__((visibility("hidden")));

/* Every library of C++ has this for each thread (Itanium C++ ABI, 2.2.2): the exceptions that handlers hold, and how many pass.
 * Where a program has no C++, no exception of C++ passes. */
struct portable__exceptions {
  void *caught;
  unsigned uncaught;
};
extern struct portable__exceptions *__cxa_get_globals(void) __attribute__((weak));

/* ---- team_share.c ---- */

/* A kernel or callback was left by the end of its thread; a later call reports it. */
extern __thread int portable__ended_by_unwinding __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* ---- team.c ---- */

/* The word goes out, for this job. active counts worker 0; 0: the end. share_ns: what a share takes; 0: not known. */
uint64_t portable__team_publish(struct portable__job *job, int32_t active, int64_t share_ns);
void *portable__team_worker(void *worker); /* the main function of a thread */

/* ---- team_threads.c ---- */

PORTABLE__RARE void portable__team_make_threads(int32_t wanted);
void portable__team_end_threads(void);

#endif
