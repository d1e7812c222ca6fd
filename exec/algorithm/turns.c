/* turns.c - hands values on between the parts of a launch (turns.h). Main functions:
 * portable__turn_take, portable__turn_left, portable__turns_work. Threads: those of the launch;
 * `busy` is a try-lock. */
#include "../launch/launch.h"
#include "../../gator/front/front.h"
#include "../../internal/observe/tools.h"
#include "turns.h"

#include <sched.h>
#include <string.h>

#include "../../internal/team/hints.h"

enum { NOTHING, TOTAL, DONE, VALUE, TAKEN }; /* DONE: a total of a part that is finished */

#define SOON 512      /* polls, some ten microseconds: a small part takes about one */
#define LATER 2048    /* the same for large parts, which take about 15 */
#define PART_BYTES (512 * 1024) /* in parts of 64 KB a thread reads ahead what another one, with the next part, needs */
#define PARTS_ENOUGH 64
#define HELD 2        /* parts that a thread has added up and not yet finished */
#define PATIENCE 1000 /* polls at the end, each with a yield; then late threads do the rest */

portable_status portable__turns_begin(struct portable__turns *t, int64_t count, portable__hand_on hand_on, void *context, const void *running) {
  void *many = NULL;
  if (count > PORTABLE__PARTS_FEW) {
    portable_status status = portable__alloc((size_t)count * sizeof *t->parts, "parts of a launch", 17, &many);
    if (status != PORTABLE_OK) return status;
  }
  t->parts = many ? many : t->few;
  portable__hint_own(t, sizeof *t, portable__tool);
  portable__hint_own(t->parts, (uint64_t)count * sizeof *t->parts, portable__tool);
  for (int64_t i = 0; i < count; i++) atomic_init(&t->parts[i].state, NOTHING);
  atomic_init(&t->claimed, 0);
  atomic_init(&t->busy, 0);
  atomic_init(&t->job, NULL);
  t->turn = 0;
  t->count = count;
  t->hand_on = hand_on;
  t->context = context;
  memcpy(t->running, running, sizeof t->running);
  return PORTABLE_OK;
}

void portable__turns_end(struct portable__turns *t) {
  if (t->parts != t->few) portable__free(t->parts);
}

int64_t portable__turn_claim(struct portable__turns *t) {
  int64_t part = atomic_fetch_add_explicit(&t->claimed, 1, memory_order_relaxed);
  return part < t->count ? part : -1;
}

static int reported(const struct portable__part *p) {
  const int32_t state = atomic_load(&p->state);
  return state == TOTAL || state == DONE;
}

/* Adds totals as far as possible. A thread that finds `busy` set leaves: the holder tests again after its release. */
static void add_up(struct portable__turns *t) {
  int more = 1;
  while (more && !atomic_exchange(&t->busy, 1)) {
    portable__hint_acquire(&t->busy, portable__tool);
    int64_t turn = t->turn;
    for (; turn < t->count && reported(&t->parts[turn]); turn++) {
      struct portable__part *p = &t->parts[turn];
      unsigned char total[8];
      memcpy(total, p->value, sizeof total);
      memcpy(p->value, t->running, sizeof total);
      t->hand_on(t->running, total, t->context);
      const int32_t next = atomic_load_explicit(&p->state, memory_order_relaxed) == DONE ? TAKEN : VALUE;
      atomic_store_explicit(&p->state, next, memory_order_release);
    }
    t->turn = turn;
    portable__hint_release(&t->busy, portable__tool);
    atomic_store(&t->busy, 0);
    more = turn < t->count && reported(&t->parts[turn]);
  }
}

/* 1: the caller has the part. */
static int take(struct portable__part *p, void *value_out) {
  int32_t there = VALUE;
  if (!atomic_compare_exchange_strong(&p->state, &there, TAKEN)) return 0;
  portable__hint_acquire(p, portable__tool);
  memcpy(value_out, p->value, sizeof p->value);
  return 1;
}

static int failed(struct portable__turns *t) {
  struct portable__job *job = atomic_load_explicit(&t->job, memory_order_relaxed);
  return job && portable__job_failed(job);
}

static void report(struct portable__turns *t, int64_t part, const void *total, int32_t state) {
  struct portable__part *p = &t->parts[part];
  memcpy(p->value, total, sizeof p->value);
  portable__hint_release(p, portable__tool); /* another thread may now overwrite the elements that this one read */
  atomic_store(&p->state, state);
  add_up(t);
}

/* polls: at least 1; then 0, or on with `wait`. */
static int value_of(struct portable__turns *t, int64_t part, int polls, int wait, void *value_out) {
  struct portable__part *p = &t->parts[part];
  for (int looks = 1; atomic_load_explicit(&p->state, memory_order_acquire) == TOTAL; looks++) {
    if (looks < polls)
      portable__pause();
    else if (!wait || failed(t))
      return 0;
    else
      sched_yield();
  }
  return take(p, value_out);
}

int portable__turn_take(struct portable__turns *t, int64_t part, const void *total, int wait, void *value_out) {
  report(t, part, total, TOTAL);
  return value_of(t, part, SOON, wait, value_out);
}

int64_t portable__turn_left(struct portable__turns *t, int64_t *from, void *value_out) {
  for (int looks = 0; *from < t->count;) {
    struct portable__part *p = &t->parts[*from];
    int32_t state = atomic_load_explicit(&p->state, memory_order_acquire);
    if (state == TAKEN || (state == VALUE && !take(p, value_out))) {
      ++*from;
    } else if (state == VALUE) {
      return (*from)++;
    } else if (looks++ < PATIENCE) {
      sched_yield();
    } else {
      break; /* the late thread adds up, and comes here later */
    }
  }
  return -1;
}

int64_t portable__turn_leaves(int64_t leaves, int64_t leaf_bytes) {
  const int64_t most = PART_BYTES / leaf_bytes, even = leaves / PARTS_ENOUGH;
  return even < 1 ? 1 : even < most ? even : most;
}

/* 1: the total of all parts before a claimed part is known. No thread adds to `running` before this part has reported. */
static int known(const struct portable__turns *t, int64_t part, void *value_out) {
  if (part > 0 && atomic_load_explicit(&t->parts[part - 1].state, memory_order_acquire) < VALUE) return 0;
  memcpy(value_out, t->running, sizeof t->running);
  return 1;
}

void portable__turns_work(struct portable__turns *t, const struct portable__turn_work *work) {
  _Alignas(8) unsigned char before[8], total[8];
  int64_t part = 0, from = 0, held[HELD];
  int count = 0;
  while (part >= 0 || count > 0) {
    const int patient = part < 0 || count == HELD, ready = count && value_of(t, held[0], patient ? LATER : 1, 0, before);
    if (ready) work->finish(t->context, held[0], before, total);
    if (ready || patient) { /* a part whose value does not come soon is left to the end */
      for (int k = 1; k < count; k++) held[k - 1] = held[k];
      count--;
    } else if ((part = portable__turn_claim(t)) >= 0) {
      const int at_once = known(t, part, before);
      if (at_once)
        work->finish(t->context, part, before, total);
      else
        work->add_up(t->context, held[count++] = part, total);
      report(t, part, total, at_once ? DONE : TOTAL);
    }
  }
  while ((part = portable__turn_left(t, &from, before)) >= 0) work->finish(t->context, part, before, total);
}
