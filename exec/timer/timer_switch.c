/* timer_switch.c - switches timers on and off, and keeps hooks of the user in their place. Go gives
 * the settings of the environment at each start of the library. Lock: `lock`, which guards every
 * change of the switch. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/observe/tools.h"
#include "../../internal/team/hints.h"
#include "questions.h"
#include "timer.h"

_Atomic int32_t portable__timing = PORTABLE__TIMING_STOPPED;
_Atomic uint32_t portable__timing_generation;
_Atomic int64_t portable__timing_reset;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards which, running, and changes of the words above */
static int32_t which, running;
static portable_timer_hooks *_Atomic hooks; /* removed hooks are not freed: a thread may be in them */

/* Locked. */
static void look(void) {
  int32_t now = PORTABLE__TIMING_STOPPED;
  if (running) {
    now = which == PORTABLE_TIMERS_LAUNCHES ? PORTABLE__TIMING_ON | PORTABLE__TIMING_LAUNCHES : which;
    if (atomic_load(&hooks)) now |= PORTABLE__TIMING_ON | PORTABLE__TIMING_HOOKS;
  }
  int32_t was = atomic_load(&portable__timing);
  if (was == now) return;
  /* Running timers do not survive a switch. Timing of launches alone changes nothing for them. */
  if ((was | PORTABLE__TIMING_LAUNCHES) != (now | PORTABLE__TIMING_LAUNCHES)) atomic_fetch_add(&portable__timing_generation, 1);
  atomic_store(&portable__timing, now);
  if (now & PORTABLE__TIMING_LAUNCHES)
    portable__watch_on(PORTABLE__TIMERS, &portable__timer_watcher);
  else
    portable__watch_off(PORTABLE__TIMERS);
}

static void forget(void) {
  int64_t now = portable__now_ns(), was = atomic_load(&portable__timing_reset);
  atomic_store(&portable__timing_reset, now > was ? now : was + 1);
  for (struct portable__timing *t = portable__timings_lock(); t; t = t->next) atomic_store(&t->lost, 0);
  portable__timings_unlock();
}

/* Called by Go during the start of the library. */
void portable__timers_begin(int32_t wanted) {
  portable__hint_own(&portable__timing, sizeof portable__timing, portable__tool);
  portable__hint_own(&portable__timing_generation, sizeof portable__timing_generation, portable__tool);
  portable__hint_own(&portable__timing_reset, sizeof portable__timing_reset, portable__tool);
  portable__hint_own(&hooks, sizeof hooks, portable__tool);
  pthread_mutex_lock(&lock);
  which = wanted;
  forget();
  pthread_mutex_unlock(&lock);
}

void portable__timers_running(int32_t is) {
  pthread_mutex_lock(&lock);
  running = is;
  look();
  pthread_mutex_unlock(&lock);
}

portable_status portable__timer_refused(const struct portable__timer_asked *asked, portable_status otherwise) {
  portable_status status;
  PORTABLE__EXPLAINED(&status, asked->call, NULL, otherwise, portable__timer_go.refused(asked));
  return status;
}

portable_status portable_timers_enable(int32_t wanted) {
  const struct portable__timer_asked asked = {.kind = PORTABLE__TIMER_ENABLE, .call = "portable_timers_enable", .which = wanted};
  if (!portable__timer_ordinary(&asked)) return portable__timer_refused(&asked, PORTABLE_ERR_ARG);
  if (!portable_is_initialized()) return portable__not_running("portable_timers_enable");
  pthread_mutex_lock(&lock);
  which = wanted;
  look();
  pthread_mutex_unlock(&lock);
  return PORTABLE_OK;
}

int32_t portable_timers_enabled(void) {
  int32_t now = atomic_load(&portable__timing);
  if (now & PORTABLE__TIMING_STOPPED || atomic_load(&portable__forked)) return PORTABLE_TIMERS_OFF;
  return now & PORTABLE__TIMING_LAUNCHES ? PORTABLE_TIMERS_LAUNCHES : now & PORTABLE__TIMING_ON;
}

portable_status portable_timers_reset(void) {
  if (!portable_is_initialized()) return portable__not_running("portable_timers_reset");
  pthread_mutex_lock(&lock);
  forget();
  pthread_mutex_unlock(&lock);
  return PORTABLE_OK;
}

/* ---- hooks ---- */

static __thread int inside; /* one of the functions runs on this thread: its own timers, and those of its launches, would call it again */

/* Also when an exception leaves the function, or its thread ends there. */
static void hook_ended(const int *was) { inside = *was; }

int32_t portable__timer_hook(int32_t begins, const char *label, size_t bytes) {
  const portable_timer_hooks *h = atomic_load(&hooks);
  char text[PORTABLE__LABEL_MAX + 1];
  void (*call)(const char *, void *) = !h ? NULL : begins ? h->start : h->stop;
  if (inside) return 0;
  if (!call) return 1;
  __attribute__((cleanup(hook_ended))) int was = inside;
  inside = was + 1;
  memcpy(text, label, bytes);
  text[bytes] = '\0';
  call(text, h->payload);
  return 1;
}

int32_t portable__timers_hooked(void) { return atomic_load(&hooks) != NULL; }

static void hooks_end(portable_timer_hooks *old) {
  if (old && old->finalize) old->finalize(old->payload);
}

void portable__timers_finalize(void) {
  if (!portable_is_initialized()) hooks_end(atomic_exchange(&hooks, NULL));
}

portable_status portable_timers_set_hooks(const portable_timer_hooks *wanted) {
  portable_timer_hooks *copy = NULL;
  if (!portable_is_initialized()) return portable__not_running("portable_timers_set_hooks");
  if (wanted) {
    const struct portable__timer_asked asked = {.kind = PORTABLE__TIMER_HOOKS, .call = "portable_timers_set_hooks", .struct_size = wanted->struct_size,
                                                .reserved = wanted->reserved};
    if (!portable__timer_ordinary(&asked)) return portable__timer_refused(&asked, PORTABLE_ERR_ARG);
    copy = calloc(1, sizeof *copy);
    if (!copy) return portable__fail(PORTABLE_ERR_NOMEM, "portable_timers_set_hooks: no memory for a copy of the hooks");
    memcpy(copy, wanted, wanted->struct_size);
  }
  if (copy && copy->init) copy->init(copy->payload);
  pthread_mutex_lock(&lock);
  portable_timer_hooks *old = atomic_exchange(&hooks, copy);
  look();
  pthread_mutex_unlock(&lock);
  hooks_end(old);
  return PORTABLE_OK;
}
