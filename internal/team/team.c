/* team.c - see team.h.
 *
 * Handing over: the launching thread writes the job, then one word: a generation, and how many workers take part.
 * Workers wait for the word to change, first by looking, then asleep. A worker that takes part claims its share, reads
 * the job, runs the share, and writes the word into its own line. The launching thread, worker 0, runs its own share; then it
 * claims and runs what nobody has begun, and waits for the others. So a launch never waits for a worker that sleeps,
 * or that the system has put aside, and a share that is not claimed is never read: the job may be gone. */
#define _GNU_SOURCE
#include "team.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fpstate.h"
#include "hints.h"
#include "place.h"

#define ACTIVE UINT64_C(0xfff)   /* of the word: how many take part, the launching thread included; 0: the end */
#define GENERATION UINT64_C(0x1000)
#define GUARD_BYTES ((size_t)256 << 10) /* a frame of a big automatic array can step over less */

struct worker {
  _Alignas(128) _Atomic uint64_t claimed; /* the last word for which somebody runs, or has run, this worker's share */
  _Atomic uint64_t done;                  /* the last word that it has served itself */
  _Atomic uint32_t awaited;               /* somebody may be asleep on done */
  uint32_t flags;                         /* floating-point exceptions of its share */
  int32_t index;
  uint64_t seen;
  int64_t spin_ns;
  void (*begins)(void);
  pthread_t thread;
};

static struct {
  _Alignas(128) _Atomic uint64_t word;
  struct portable__job *job; /* written before the word, read after a claim */
  struct portable__modes modes;
  _Alignas(128) _Atomic int32_t sleepers;
  _Alignas(128) _Atomic int32_t owned;
  struct portable__team_config config;
  struct worker *workers; /* the first is not a thread */
  int32_t made;           /* threads there are, and the launching one */
  int watched;            /* by valgrind */
  int configured;
  _Atomic uint64_t launches, inlines, sleeps;
} team = {.config = {.workers = 1, .cpus = 1}};

void (*portable__team_thread_begins)(void);

__thread const struct portable__job *portable__running_job __attribute__((tls_model("initial-exec")));

/* ---- waiting ---- */

/* The half of a word that changes with each launch: a futex has 32 bits. */
static uint32_t *low(_Atomic uint64_t *word) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return (uint32_t *)(void *)word + 1;
#else
  return (uint32_t *)(void *)word;
#endif
}

static void futex_wait(_Atomic uint64_t *word, uint64_t value) {
  syscall(SYS_futex, low(word), FUTEX_WAIT_PRIVATE, (uint32_t)value, NULL, NULL, 0);
}

static void futex_wake(_Atomic uint64_t *word) {
  syscall(SYS_futex, low(word), FUTEX_WAKE_PRIVATE, 0x7fffffff, NULL, NULL, 0);
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Looks at the word until it is no longer (or, with `until`, until it is) `value`; 0 when the time for that is over. Now and
 * then it lets others go first: on a busy machine the thread that it waits for may be on the same processor. */
static int spin(_Atomic uint64_t *word, uint64_t value, int until, int64_t spin_ns) {
  int64_t end = 0;
  for (;;) {
    for (int i = 0; i < 64; i++) {
      if ((atomic_load_explicit(word, memory_order_acquire) == value) == until) return 1;
      if (spin_ns == 0) return 0;
      portable__pause();
    }
    int64_t t = now_ns();
    if (end == 0) end = t + spin_ns;
    if (t >= end) return 0;
    sched_yield();
  }
}

static uint64_t next_word(uint64_t seen, int64_t spin_ns) {
  if (!spin(&team.word, seen, 0, spin_ns)) {
    atomic_fetch_add(&team.sleepers, 1);
    atomic_fetch_add_explicit(&team.sleeps, 1, memory_order_relaxed);
    while (atomic_load(&team.word) == seen) futex_wait(&team.word, seen);
    atomic_fetch_sub(&team.sleepers, 1);
  }
  return atomic_load_explicit(&team.word, memory_order_acquire);
}

/* Longer than a worker looks for work, and much longer than it takes to wake one: else both sides could fall asleep in turn,
 * launch after launch, each being woken just too late to find the other awake. */
#define AWAIT_NS 300000

static void await(struct worker *w, uint64_t word) {
  if (spin(&w->done, word, 1, team.config.spin_ns ? AWAIT_NS : 0)) return;
  atomic_store(&w->awaited, 1);
  for (uint64_t done; (done = atomic_load(&w->done)) != word;) futex_wait(&w->done, done);
  atomic_store_explicit(&w->awaited, 0, memory_order_relaxed);
}

/* Whether the share of that worker is the caller's to run. Words only grow, so whoever is late finds a later one. */
static int claim(struct worker *w, uint64_t word) {
  uint64_t last = atomic_load_explicit(&w->claimed, memory_order_relaxed);
  return last < word && atomic_compare_exchange_strong_explicit(&w->claimed, &last, word, memory_order_acquire, memory_order_relaxed);
}

/* ---- running tiles ---- */

static void fortran_integers(portable_tile *t, int32_t bytes) {
  for (int32_t d = 0; d < t->rank; d++) {
    if (bytes == 4) {
      int32_t *i = (int32_t *)(void *)t->fortran;
      i[d] = (int32_t)t->lower[d];
      i[PORTABLE_LOOP_RANK + d] = (int32_t)t->upper[d];
      i[2 * PORTABLE_LOOP_RANK + d] = (int32_t)t->stride[d];
    } else {
      t->fortran[d] = t->lower[d];
      t->fortran[PORTABLE_LOOP_RANK + d] = t->upper[d];
      t->fortran[2 * PORTABLE_LOOP_RANK + d] = t->stride[d];
    }
  }
}

static void run_units(struct portable__job *job, portable_tile *t, int64_t from, int64_t to) {
  while (from < to && !atomic_load_explicit(&job->failed, memory_order_relaxed)) {
    t->number = job->numbered ? from : 0;
    from += portable__cut_box(&job->cut, from, to, t);
    if (job->integer_bytes) fortran_integers(t, job->integer_bytes);
    job->kernel(t, job->args);
  }
}

/* All of a tile that is the same for the whole share. */
static void begin_tile(const struct portable__job *job, int32_t worker, portable_tile *t) {
  memset(t, 0, sizeof *t);
  for (int d = 0; d < PORTABLE_LOOP_RANK; d++) t->stride[d] = 1;
  for (int32_t k = 0; k < job->cut.rank; k++) t->stride[job->cut.axis[k].dim] = job->cut.axis[k].stride;
  t->rank = job->cut.rank;
  t->worker = worker;
  t->workers = job->workers;
  t->device = job->device;
  t->launch = (void *)(uintptr_t)job;
}

void portable__team_units(struct portable__job *job, int32_t worker, int64_t from, int64_t to) {
  const struct portable__job *before = portable__running_job;
  portable_tile t;
  begin_tile(job, worker, &t);
  portable__running_job = job;
  run_units(job, &t, from, to);
  portable__running_job = before;
}

void portable__team_share(struct portable__job *job, int32_t worker) {
  const struct portable__job *before = portable__running_job;
  portable_tile t;
  int64_t from, to;
  begin_tile(job, worker, &t);
  portable__running_job = job;
  if (!job->dynamic) {
    portable__cut_share(job->cut.units, worker, job->workers, &from, &to);
    run_units(job, &t, from, to);
  } else {
    while ((from = atomic_fetch_add_explicit(&job->next, job->grain, memory_order_relaxed)) < job->cut.units) {
      to = job->cut.units - from < job->grain ? job->cut.units : from + job->grain;
      run_units(job, &t, from, to);
    }
  }
  portable__running_job = before;
}

void portable_kernel_fail(const portable_tile *tile, int32_t code, const char *text) {
  struct portable__job *job = tile ? tile->launch : NULL;
  int32_t none = 0;
  if (!job || !atomic_compare_exchange_strong(&job->failed, &none, 1)) return;
  job->fail_code = code;
  if (!text) text = "";
  size_t n = strnlen(text, sizeof job->fail_text - 1);
  memcpy(job->fail_text, text, n);
  job->fail_text[n] = '\0';
}

/* ---- the workers ---- */

/* Signals for the program are the program's own threads' to take; faults of a kernel, and a profiler's, come here. */
static void own_mask(void) {
  static const int ours[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
  sigset_t mask;
  sigfillset(&mask);
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) sigdelset(&mask, ours[i]);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void *worker_main(void *argument) {
  struct worker *w = argument;
  if (w->begins) w->begins();
  own_mask();
  int64_t spin_ns = w->spin_ns;
  for (;;) {
    uint64_t word = w->seen = next_word(w->seen, spin_ns);
    if ((word & ACTIVE) == 0) return NULL;
    if (w->index >= (int32_t)(word & ACTIVE)) {
      spin_ns = 0; /* who had nothing to do does not look for more */
      continue;
    }
    if (!claim(w, word)) continue;
    portable__hint_acquire(&team.word, team.watched);
    spin_ns = team.config.spin_ns;
    portable__modes_set(team.modes);
    portable__team_share(team.job, w->index);
    w->flags = portable__flags_get();
    portable__hint_release(&w->done, team.watched);
    atomic_store(&w->done, word);
    if (atomic_load(&w->awaited)) futex_wake(&w->done);
  }
}

/* The word goes out. active counts worker 0. */
static uint64_t publish(struct portable__job *job, int32_t active) {
  team.job = job;
  uint64_t word = ((atomic_load_explicit(&team.word, memory_order_relaxed) & ~ACTIVE) + GENERATION) | (uint64_t)active;
  portable__hint_release(&team.word, team.watched);
  atomic_store(&team.word, word);
  if (atomic_load(&team.sleepers) > 0) futex_wake(&team.word);
  return word;
}

/* Runs the shares that nobody has begun, waits for the others, and gives the exceptions of those. */
static uint32_t gather(struct portable__job *job, uint64_t word) {
  uint32_t flags = 0;
  for (int32_t i = 1; i < job->workers; i++) {
    struct worker *w = &team.workers[i];
    if (!claim(w, word)) continue;
    portable__team_share(job, i);
    w->flags = 0;
    atomic_store_explicit(&w->done, word, memory_order_relaxed);
  }
  for (int32_t i = 1; i < job->workers; i++) {
    struct worker *w = &team.workers[i];
    await(w, word);
    portable__hint_acquire(&w->done, team.watched);
    flags |= w->flags;
  }
  return flags;
}

/* Makes threads until there are `wanted` workers, or no more are to be had. Owned. */
static void make_threads(int32_t wanted) {
  pthread_attr_t attributes;
  sigset_t all, before;
  if (!team.workers) { /* room for all there may ever be is address space only */
    size_t bytes = sizeof(struct worker) * (PORTABLE__WORKERS_MAX + 1);
    if (posix_memalign((void **)&team.workers, 128, bytes) != 0) team.workers = NULL;
    if (!team.workers) return;
  }
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setguardsize(&attributes, GUARD_BYTES);
  if (team.config.stack_bytes) pthread_attr_setstacksize(&attributes, team.config.stack_bytes);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  for (; team.made < wanted; team.made++) {
    struct worker *w = &team.workers[team.made];
    memset(w, 0, sizeof *w);
    w->index = team.made;
    w->seen = atomic_load(&team.word);
    w->spin_ns = team.config.spin_ns;
    w->begins = portable__team_thread_begins;
    portable__place_worker(w->index, &attributes);
    if (pthread_create(&w->thread, &attributes, worker_main, w) != 0) break;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

/* Owned. */
static void end_threads(void) {
  if (team.made > 1) {
    publish(NULL, 0);
    for (int32_t i = 1; i < team.made; i++) pthread_join(team.workers[i].thread, NULL);
  }
  team.made = 1;
}

/* ---- launches ---- */

static int own(void) { return !atomic_exchange_explicit(&team.owned, 1, memory_order_acquire); }

static void disown(void) { atomic_store_explicit(&team.owned, 0, memory_order_release); }

int portable__team_nested(void) { return portable__running_job != NULL || portable__place_in_openmp(); }

static void run_inline(struct portable__job *job) {
  atomic_fetch_add_explicit(&team.inlines, 1, memory_order_relaxed);
  job->workers = 1;
  portable__team_share(job, 0);
}

int portable__team_run(struct portable__job *job) {
  if (job->workers > job->cut.units) job->workers = (int32_t)job->cut.units;
  if (job->cut.units <= 0) return 0;
  if (job->workers <= 1 || portable__team_nested() || !own()) {
    run_inline(job);
    return job->failed;
  }
  if (team.made < job->workers && team.made < team.config.workers) make_threads(team.config.workers);
  if (job->workers > team.made) job->workers = team.made;
  if (job->workers <= 1) {
    disown();
    run_inline(job);
    return job->failed;
  }
  atomic_fetch_add_explicit(&team.launches, 1, memory_order_relaxed);
  team.modes = portable__modes_get();
  uint64_t word = publish(job, job->workers);
  portable__team_share(job, 0);
  uint32_t flags = gather(job, word);
  disown();
  portable__flags_add(flags);
  return job->failed;
}

/* ---- settings ---- */

static int own_patiently(void) {
  if (portable__running_job) return 0;
  while (!own()) sched_yield();
  return 1;
}

int32_t portable__team_cpus(void) {
  if (!own_patiently()) return -1;
  int32_t cpus = portable__place_look();
  disown();
  return cpus;
}

int32_t portable__team_configure(const struct portable__team_config *config) {
  if (!own_patiently()) return -1;
  if (!team.configured) {
    team.configured = 1;
    team.made = 1;
    team.watched = portable__valgrind(PORTABLE__VALGRIND_RUNS, 0, 0, 0) != 0;
  }
  if (config->stack_bytes != team.config.stack_bytes || config->workers < team.made) end_threads();
  team.config = *config;
  if (team.config.workers > PORTABLE__WORKERS_MAX) team.config.workers = PORTABLE__WORKERS_MAX;
  if (team.config.workers < 1) team.config.workers = 1;
  /* Who looks for work on a processor that another one needs for the work itself, delays both. */
  if (team.config.workers > team.config.cpus) team.config.spin_ns = 0;
  int32_t workers = team.config.workers;
  disown();
  return workers;
}

int32_t portable__team_workers(void) { return team.config.workers; }

int portable__team_stop(void) {
  if (!own_patiently()) return -1;
  if (team.configured) end_threads();
  disown();
  return 0;
}

void portable__team_counts(uint64_t counts_out[3]) {
  counts_out[0] = atomic_load(&team.launches);
  counts_out[1] = atomic_load(&team.inlines);
  counts_out[2] = atomic_load(&team.sleeps);
}
