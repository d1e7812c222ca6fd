/* team.c - runs launches on the threads of the team (team.h): hands over the job, claims shares,
 * waits. In C because kernels run on these threads. Not in this file: the tiles of a share
 * (team_share.c); making and ending the threads (team_threads.c). Threads: the launching thread
 * owns the team. */

/* Hand-over: the launching thread writes the job, then one word: a generation and the number of workers that take part.
 * Workers wait for the word to change, first by looking, then asleep. A worker that takes part claims its share, reads
 * the job, runs the share, and writes the word into its own line. The launching thread, worker 0, runs its own share,
 * then claims and runs shares that no worker has begun, and waits for the others. So a launch never waits for a worker
 * that sleeps or that the system has suspended; a late worker finds its share taken and does not read the job, which
 * may be invalid by then. A worker that takes no part reads only the word; if it is asleep, it stays asleep.
 *
 * No worker misses a word: before it sleeps it says so and reads the word once more; the launching thread writes the
 * word and then looks for sleepers (both sequentially consistent). The generation has 52 bits, so no word comes twice.
 * The kernel compares only the lower 32 bits, but only between that last look and falling asleep. */
#define _GNU_SOURCE
#include "team_room.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "hints.h"
#include "place.h"
#include "thread.h"
#include "wait.h"

#define ACTIVE_SHIFT 52          /* of the word: above, how many take part, the launching thread included; 0: the end */
#define GENERATION ((UINT64_C(1) << ACTIVE_SHIFT) - 1)
#define ALONE 31                 /* workers up to here have a bit of their own in `asleep`; above are the others, counted */

struct portable__team portable__team = {.config = {.workers = 1, .cpus = 1}, .size = 1, .made = 1};
#define team portable__team

/* ---- waiting ---- */

/* In a child that a kernel has forked the other threads are not: no thread there will ever change a word. */
static int in_child(void) { return getpid() != atomic_load_explicit(&team.pid, memory_order_relaxed); }

/* The part of `asleep`, and of who is woken, that is a worker's. */
static uint64_t sleeper(int32_t index) { return index < ALONE ? UINT64_C(1) << index : UINT64_C(1) << 32; }
static uint32_t bed(int32_t index) { return UINT32_C(1) << (index < ALONE ? index : ALONE); }

/* Whether to look for work before sleeping. Where the processor is another's meanwhile - an OpenMP region between two launches,
 * the next rank - looking delays both, and was for nothing. So a thread that has looked for nothing twice running does not look until so
 * many launches have come in time for looking; the number doubles when that was wrong again. A pause now and
 * then, between bursts of launches, changes nothing. */
#define PRICE_LEAST 4
#define PRICE_MOST 64
static void learn(struct worker *w, int in_time) {
  if (w->owed > 0) {
    w->owed -= in_time;
  } else if (in_time) {
    w->misses = 0;
    if (w->price > PRICE_LEAST) w->price--;
  } else if (++w->misses == 2) {
    w->misses = 0;
    w->owed = w->price;
    w->price = 2 * w->price < PRICE_MOST ? 2 * w->price : PRICE_MOST;
  }
}

/* ---- the processor on which a worker wakes ---- */

/* Linux may wake a worker on the processor of the launching thread: the worker fell asleep there, or a virtual machine
 * takes an idle processor for one that its host has preempted. Both threads share that processor until the system
 * balances, some 10 ms later. So after such a collision the worker is kept off that processor while it wakes: twice,
 * and twice as often after each further collision. */
#define COLLISIONS_MOST 6
static void woken(struct worker *w) {
  int32_t guided = atomic_load_explicit(&w->guided, memory_order_relaxed);
  if (portable__place_let_go(&w->place)) {
    if (guided > 0) atomic_store_explicit(&w->guided, guided - 1, memory_order_relaxed);
  } else if (sched_getcpu() != atomic_load_explicit(&team.cpu, memory_order_relaxed)) {
    w->collisions = 0;
  } else {
    if (w->collisions < COLLISIONS_MOST) w->collisions++;
    atomic_store_explicit(&w->guided, 1 << w->collisions, memory_order_relaxed);
  }
}

/* Before sleepers are woken. To keep one off takes 1 to 2 us, so a share must take 100 us for each of them. A shorter
 * launch has ended before a worker on another processor is awake. */
#define GUIDE_NS 100000
static void guide(uint64_t asleep, int32_t active, int64_t share_ns) {
  const int cpu = sched_getcpu();
  int64_t left = team.config.workers > team.config.cpus ? 0 : share_ns / GUIDE_NS;
  atomic_store_explicit(&team.cpu, cpu, memory_order_relaxed);
  for (int32_t i = 1; i < active && i < ALONE && left > 0; i++) {
    struct worker *w = &team.workers[i];
    if (!w->roams || !(asleep >> i & 1)) continue;
    if (!atomic_load_explicit(&w->guided, memory_order_relaxed) && atomic_load_explicit(&w->cpu, memory_order_relaxed) != cpu) continue;
    portable__place_keep_off(&w->place, w->thread, cpu);
    left--;
  }
}

/* The next word; 0: there will be none, because this is a forked child. */
static uint64_t next_word(struct worker *w, int64_t spin_ns) {
  if (spin(&team.word, w->seen, 0, w->owed ? 0 : spin_ns)) {
    if (spin_ns > 0) learn(w, 1);
    if (portable__place_let_go(&w->place)) atomic_store_explicit(&w->guided, 0, memory_order_relaxed); /* not asleep when it was kept off */
  } else {
    int64_t since = spin_ns > 0 ? now_ns() - (w->owed ? 0 : spin_ns) : 0;
    if (in_child()) return 0;
    atomic_store_explicit(&w->cpu, sched_getcpu(), memory_order_relaxed);
    atomic_fetch_add(&team.asleep, sleeper(w->index));
    atomic_fetch_add_explicit(&team.sleeps, 1, memory_order_relaxed);
    while (atomic_load(&team.word) == w->seen) futex_wait(&team.word, w->seen, bed(w->index));
    atomic_fetch_sub(&team.asleep, sleeper(w->index));
    woken(w);
    if (spin_ns > 0) learn(w, atomic_load_explicit(&team.called, memory_order_relaxed) - since <= spin_ns);
  }
  return atomic_load_explicit(&team.word, memory_order_acquire);
}

/* Longer than a worker looks for work, and much longer than it takes to wake one: else both sides could fall asleep in turn,
 * launch after launch, each being woken just too late to find the other awake. */
#define AWAIT_NS 300000

/* 0: without success, because this is a forked child. */
static int await(struct worker *w, uint64_t word) {
  if (spin(&w->done, word, 1, team.config.spin_ns ? AWAIT_NS : 0)) return 1;
  if (in_child()) return 0;
  atomic_store(&w->awaited, 1);
  for (uint64_t done; (done = atomic_load(&w->done)) != word;) futex_wait(&w->done, done, UINT32_MAX);
  atomic_store_explicit(&w->awaited, 0, memory_order_relaxed);
  return 1;
}

/* Whether the share of that worker is the caller's to run. Generations only grow, so who is late finds a later one. */
static int claim(struct worker *w, uint64_t word) {
  uint64_t last = atomic_load_explicit(&w->claimed, memory_order_relaxed);
  return (last & GENERATION) < (word & GENERATION) &&
         atomic_compare_exchange_strong_explicit(&w->claimed, &last, word, memory_order_acquire, memory_order_relaxed);
}

/* ---- the workers ---- */

/* Whether a brief launch still goes on after a while, which is the longer the more often it did not. Meanwhile nothing that the
 * launching thread writes is looked at: to hand a cache line over takes longer than such a launch. */
static int still_there(struct worker *w, uint64_t word) {
  for (int i = 0; i < w->patience; i++) portable__pause();
  int there = atomic_load_explicit(&team.word, memory_order_acquire) == word;
  w->patience = there ? BRIEF_LEAST : w->patience < BRIEF_MOST ? 2 * w->patience : BRIEF_MOST;
  return there;
}

static void share_done(struct worker *w, uint64_t word) {
  portable__hint_release(&w->done, team.watched);
  atomic_store(&w->done, word);
  if (atomic_load(&w->awaited)) futex_wake(&w->done, UINT32_MAX);
}

/* The kernel has called pthread_exit. The launch, which waits for this share, fails; the team makes new threads afterwards. */
static void worker_ends(void *argument) {
  struct worker *w = argument;
  portable_tile t = {.launch = atomic_load_explicit(&team.job, memory_order_relaxed)};
  portable__running_job = NULL;
  portable__ended_by_unwinding = 0;
  if ((atomic_load(&w->claimed) & GENERATION) != (w->seen & GENERATION) || atomic_load(&w->done) == w->seen) return;
  portable_kernel_fail(&t, PORTABLE_ERR_STATE, "a thread ended inside the kernel (pthread_exit, or it was cancelled); let kernels return");
  team.lost = 1;
  w->flags = 0;
  share_done(w, w->seen);
}

static void work(struct worker *w) {
  int64_t spin_ns = w->spin_ns;
  w->price = PRICE_LEAST;
  w->patience = BRIEF_LEAST;
  for (uint64_t word; (word = next_word(w, spin_ns)) != 0;) {
    w->seen = word;
    int32_t active = (int32_t)(word >> ACTIVE_SHIFT);
    if (active == 0) break;
    if (w->index >= active) {
      spin_ns = 0; /* who had nothing to do does not look for more */
      continue;
    }
    struct portable__job *job = atomic_load_explicit(&team.job, memory_order_relaxed);
    if (atomic_load_explicit(&team.brief, memory_order_relaxed) && !still_there(w, word)) continue;
    portable__brief_fetch(job);
    if (!claim(w, word)) continue;
    portable__hint_acquire(&team.word, team.watched);
    spin_ns = team.config.spin_ns;
    portable__modes_set(team.modes);
    portable__team_share(job, w->index);
    w->flags = portable__flags_get();
    share_done(w, word);
  }
}

void *portable__team_worker(void *argument) {
  struct worker *w = argument;
  struct portable__modes modes = portable__modes_get();
  portable__thread_bottom = (uintptr_t)__builtin_frame_address(0);
  if (w->begins) w->begins();
  portable__thread_mask();
  pthread_cleanup_push(worker_ends, w);
  work(w);
  pthread_cleanup_pop(0);
  portable__modes_set(modes); /* exit hooks, Go's among them, must not trap */
  return NULL;
}

uint64_t portable__team_publish(struct portable__job *job, int32_t active, int64_t share_ns) {
  atomic_store_explicit(&team.job, job, memory_order_relaxed);
  uint64_t word = ((atomic_load_explicit(&team.word, memory_order_relaxed) + 1) & GENERATION) | (uint64_t)active << ACTIVE_SHIFT;
  portable__hint_release(&team.word, team.watched);
  atomic_store(&team.word, word);
  /* Only those who take part: to wake a hundred others for two would take longer than the work. */
  int all = active == 0 || active >= ALONE;
  uint32_t who = all ? UINT32_MAX : (UINT32_C(1) << active) - 1;
  uint64_t asleep = atomic_load(&team.asleep);
  if (all ? asleep != 0 : ((uint32_t)asleep & who) != 0) {
    atomic_store_explicit(&team.called, now_ns(), memory_order_relaxed);
    guide(asleep, active, share_ns);
    futex_wake(&team.word, who);
  }
  return word;
}

/* Runs the shares that no thread has begun, waits for the others, and gives the exceptions of those. */
static uint32_t gather(struct portable__job *job, uint64_t word) {
  uint32_t flags = 0;
  for (int32_t i = 1; i < job->workers; i++) {
    struct worker *w = &team.workers[i];
    if (!claim(w, word)) continue;
    portable__modes_restore(team.modes); /* as the worker would have them */
    team.mine = i;
    portable__team_share(job, i);
    w->flags = 0;
    atomic_store_explicit(&w->done, word, memory_order_relaxed);
  }
  for (int32_t i = 1; i < job->workers; i++) {
    struct worker *w = &team.workers[i];
    if (!await(w, word)) {
      portable_tile t = {.launch = job};
      portable_kernel_fail(&t, PORTABLE_ERR_FORK, "this is a forked child, where the parts of the other threads are not done");
      break;
    }
    portable__hint_acquire(&w->done, team.watched);
    flags |= w->flags;
  }
  if (atomic_load_explicit(&job->failed, memory_order_relaxed) && team.lost) {
    team.lost = 0;
    portable__team_end_threads();
  }
  return flags;
}

/* ---- launches ---- */

static int own(void) { return !atomic_exchange_explicit(&team.owned, 1, memory_order_acquire); }

/* For a launch. Streams that launch one kernel after the other would else never let another thread hold the team. */
static int own_unless_wanted(void) { return !atomic_load_explicit(&team.wanted, memory_order_relaxed) && own(); }

static void disown(void) { atomic_store_explicit(&team.owned, 0, memory_order_release); }

/* The launching thread has left its launch: no thread begins a share any more, and those under way end. */
static void abandon(uint64_t word) {
  const int32_t active = (int32_t)(word >> ACTIVE_SHIFT);
  for (int32_t i = 1; i < active; i++) {
    struct worker *w = &team.workers[i];
    if (i == team.mine || claim(w, word))
      atomic_store_explicit(&w->done, word, memory_order_relaxed);
    else if (!await(w, word))
      break;
  }
}

int portable__team_left(void) {
  const int was_inside = portable__running_job != NULL || portable__ended_by_unwinding;
  portable__ended_by_unwinding = 0;
  portable__running_job = portable__block_job = NULL;
  portable__inside = 0;
  if (!atomic_load(&team.owned) || atomic_load(&team.launcher) != &portable__running_job) return was_inside;
  abandon(atomic_load(&team.word));
  int cancel = team.cancel;
  atomic_store_explicit(&team.launcher, NULL, memory_order_relaxed);
  disown();
  pthread_setcancelstate(cancel, &cancel);
  return 1;
}

/* A kernel on the launching thread has thrown an exception, or has called pthread_exit: the job goes with this frame of its stack. */
static void launcher_ends(void *job) {
  portable_tile t = {.launch = job};
  const int ended = portable__ended_by_unwinding;
  const struct portable__modes modes = team.modes; /* before another thread owns the team */
  portable_kernel_fail(&t, PORTABLE_ERR_STATE, "");
  portable__team_left();
  portable__modes_restore(modes);
  portable__ended_by_unwinding = ended;
}

/* Gives the exceptions of the workers' shares. */
static uint32_t run_shares(struct portable__job *job, uint64_t word, struct portable__brief *known) {
  uint32_t flags;
  pthread_cleanup_push(launcher_ends, job);
  int64_t begun = known->left == 0 ? now_ns() : 0;
  portable__team_share(job, 0);
  if (known->left-- == 0) portable__brief_learn(known, now_ns() - begun, job->workers);
  flags = gather(job, word);
  pthread_cleanup_pop(0);
  return flags;
}

int portable__team_nested(void) { return portable__running_job != NULL || portable__place_in_openmp(); }

static void restore_modes(const struct portable__modes *modes) { portable__modes_restore(*modes); }

static void run_inline(struct portable__job *job) {
  __attribute__((cleanup(restore_modes), unused)) struct portable__modes modes = portable__modes_get();
  job->workers = 1;
  portable__team_share(job, 0);
}

int portable__team_run(struct portable__job *job) {
  int cancel;
  if (job->workers > job->cut.units) job->workers = (int32_t)job->cut.units;
  if (job->cut.units <= 0) return 0;
  if (job->workers <= 1 || portable__team_nested() || !own_unless_wanted()) {
    run_inline(job);
    return job->failed;
  }
  if (team.made < job->workers && team.made < team.config.workers) portable__team_make_threads(team.config.workers);
  if (job->workers > team.made) job->workers = team.made;
  if (job->workers <= 1) {
    disown();
    run_inline(job);
    return job->failed;
  }
  /* A thread that ended here would take the job with it, on which the others work. */
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
  atomic_store_explicit(&team.launches, atomic_load_explicit(&team.launches, memory_order_relaxed) + 1, memory_order_relaxed);
  struct portable__modes modes = portable__modes_get();
  team.modes = modes;
  struct portable__brief *known = portable__brief_find(team.known, job);
  atomic_store_explicit(&team.brief, known->brief, memory_order_relaxed);
  team.cancel = cancel;
  team.mine = 0;
  atomic_store_explicit(&team.launcher, &portable__running_job, memory_order_relaxed);
  uint32_t flags = run_shares(job, portable__team_publish(job, job->workers, known->ns), known);
  atomic_store_explicit(&team.launcher, NULL, memory_order_relaxed);
  disown();
  portable__modes_restore(modes); /* what the kernel has changed is changed on no thread, or the result would depend on it */
  portable__flags_add(flags);
  pthread_setcancelstate(cancel, &cancel);
  return job->failed;
}

int portable__team_launches(void) { return atomic_load(&team.owned) && atomic_load(&team.launcher) != NULL; }

/* ---- holding ---- */

int portable__team_hold(void) {
  if (portable__running_job) return -1;
  atomic_fetch_add(&team.wanted, 1);
  for (int tries = 0; !own(); tries++) {
    if (tries < 100) {
      sched_yield();
    } else { /* a launch may take hours */
      struct timespec pause = {0, tries < 1000 ? 100000 : 2000000};
      nanosleep(&pause, NULL);
    }
  }
  atomic_fetch_sub(&team.wanted, 1);
  return 0;
}

void portable__team_release(void) { disown(); }
