/* team_threads.c - makes and ends the threads of the team, and further threads of ours (thread.h);
 * the team's settings and counts. Not in this file: the work of the threads, launches (team.c).
 * Threads: the caller owns or holds the team, except for portable__team_workers,
 * portable__team_counts and the functions of thread.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hints.h"
#include "place.h"
#include "team_room.h"
#include "thread.h"
#include "valgrind.h"

#define team portable__team

void (*portable__team_thread_begins)(void);
void (*portable__team_is_short)(int32_t wanted, int32_t made, int reason);

/* Makes threads until there are `wanted` workers, or no more are available: the team is then as large as it is, so
 * that the next launch does not try again. Owned. */
void portable__team_make_threads(int32_t wanted) {
  pthread_attr_t attributes;
  sigset_t all, before;
  int reason = 0;
  if (!team.workers) { /* room for all there may ever be is address space only */
    size_t bytes = sizeof(struct worker) * (PORTABLE__WORKERS_MAX + 1);
    reason = posix_memalign((void **)&team.workers, 128, bytes);
    if (reason) team.workers = NULL;
    portable__hint_own(team.workers, reason ? 0 : bytes, team.watched);
  }
  if (!reason) reason = pthread_attr_init(&attributes);
  if (!reason) {
    pthread_attr_setguardsize(&attributes, PORTABLE__GUARD_BYTES);
    if (team.config.stack_bytes) pthread_attr_setstacksize(&attributes, team.config.stack_bytes);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    atomic_store(&team.pid, getpid());
    for (; team.made < wanted; team.made++) {
      struct worker *w = &team.workers[team.made];
      memset(w, 0, sizeof *w);
      w->index = team.made;
      w->seen = atomic_load(&team.word);
      w->spin_ns = team.config.spin_ns;
      w->begins = portable__team_thread_begins;
      w->roams = portable__place_roams();
      portable__place_worker(w->index, &attributes);
      reason = pthread_create(&w->thread, &attributes, portable__team_worker, w);
      if (reason == EINVAL) { /* the processors are no longer the process's: let it go where it may */
        portable__place_anywhere(&attributes);
        reason = pthread_create(&w->thread, &attributes, portable__team_worker, w);
      }
      if (reason) break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
  }
  if (!reason) return;
  team.config.workers = team.made;
  atomic_store(&team.size, team.made);
  if (portable__team_is_short) portable__team_is_short(wanted, team.made, reason);
}

/* Owned. */
void portable__team_end_threads(void) {
  if (team.made > 1) {
    portable__team_publish(NULL, 0, 0);
    for (int32_t i = 1; i < team.made; i++) pthread_join(team.workers[i].thread, NULL);
  }
  team.made = 1;
}

/* ---- further threads ---- */

void portable__thread_mask(void) {
  static const int ours[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
  sigset_t mask;
  sigfillset(&mask);
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) sigdelset(&mask, ours[i]);
  for (int s = SIGRTMIN; s <= SIGRTMAX; s++) sigdelset(&mask, s);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

int portable__thread_make(pthread_t *thread, uint64_t stack_bytes, void *(*run)(void *), void *argument) {
  pthread_attr_t attributes;
  sigset_t all, before;
  int reason = pthread_attr_init(&attributes);
  if (reason) return reason;
  pthread_attr_setguardsize(&attributes, PORTABLE__GUARD_BYTES);
  if (stack_bytes) pthread_attr_setstacksize(&attributes, stack_bytes);
  portable__place_unbound(&attributes);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  reason = pthread_create(thread, &attributes, run, argument);
  if (reason == EINVAL) { /* the processors are no longer the process's: let it go where it may */
    portable__place_anywhere(&attributes);
    reason = pthread_create(thread, &attributes, run, argument);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return reason;
}

/* ---- settings ---- */

int32_t portable__team_cpus(void) { return portable__place_look(); }

int32_t portable__team_configure(const struct portable__team_config *config) {
  if (!team.configured) {
    team.configured = 1;
    team.watched = portable__valgrind(PORTABLE__VALGRIND_RUNS, 0, 0, 0) != 0;
    portable__hint_own(&team, sizeof team, team.watched);
  }
  if (config->stack_bytes != team.config.stack_bytes || config->workers < team.made) portable__team_end_threads();
  team.config = *config;
  if (team.config.workers > PORTABLE__WORKERS_MAX) team.config.workers = PORTABLE__WORKERS_MAX;
  if (team.config.workers < 1) team.config.workers = 1;
  /* A thread that looks for work on a processor which another one needs for the work itself delays both. */
  if (team.config.workers > team.config.cpus) team.config.spin_ns = 0;
  atomic_store(&team.size, team.config.workers);
  if (config->at_once && team.made < team.config.workers) portable__team_make_threads(team.config.workers);
  return team.config.workers;
}

int32_t portable__team_workers(void) { return atomic_load_explicit(&team.size, memory_order_relaxed); }

void portable__team_stop(void) {
  portable__team_end_threads();
}

void portable__team_counts(uint64_t counts_out[2]) {
  counts_out[0] = atomic_load(&team.launches);
  counts_out[1] = atomic_load(&team.sleeps);
}
