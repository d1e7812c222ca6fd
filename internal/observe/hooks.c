/* hooks.c - portable_hook_add and calls of hooks. In C because hooks run on the thread that acts,
 * outside Go. Hooks are called without a lock. A caller first counts itself in the slot, then tests
 * that the slot still has the same hook. A thread that removes a hook does the two in the opposite
 * order and waits. A slot is used again when no call is in it. Inside a hook no hook is called:
 * otherwise the first hook that allocates would call itself for ever. */
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "observers.h"
#include "questions.h"
#include "tools.h"
#include "../team/team.h"
#include "../team/hints.h"
#include "watch.h"

#define SLOTS 32
#define MEMORY (PORTABLE_EVENT_ALLOC | PORTABLE_EVENT_FREE)

struct slot {
  _Atomic uint32_t times; /* how often it was taken and released; odd: in use */
  _Atomic int32_t calls;  /* calls in progress */
  portable_hook_function function;
  void *payload;
  uint32_t events;
  uint64_t since; /* the newest launch when it was added */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards adding and removing */
static struct slot slots[SLOTS];
static int32_t hooks; /* in use; lock */
static __thread int inside __attribute__((tls_model("initial-exec")));

PORTABLE__COLD static void call_and_keep(const struct slot *s, const portable_hook_event *e, size_t bytes) {
  char text[PORTABLE__ERROR_TEXT];
  memcpy(text, portable_last_error(), bytes);
  PORTABLE__CALLBACK(s->function(e, s->payload));
  portable__set_error(text, bytes);
}

/* A hook's own calls do not count as the program's: a failed launch keeps its error text, even if calls inside the hook
 * fail. */
static void call(const struct slot *s, const portable_hook_event *e) {
  size_t bytes = strnlen(portable_last_error(), PORTABLE__ERROR_TEXT - 1);
  if (bytes > 0) {
    call_and_keep(s, e, bytes);
    return;
  }
  PORTABLE__CALLBACK(s->function(e, s->payload));
  if (*portable_last_error()) portable__set_error("", 0);
}

/* Runs also when an exception leaves the hook, or its thread ends there. */
static void ended(struct slot *const *called) {
  if (*called) atomic_fetch_sub(&(*called)->calls, 1);
  inside = 0;
}

static void tell(const portable_hook_event *e) {
  if (inside) return;
  __attribute__((cleanup(ended))) struct slot *called = NULL;
  inside = 1;
  for (int i = 0; i < SLOTS; i++) {
    struct slot *s = &slots[i];
    uint32_t times = atomic_load(&s->times);
    if (times % 2 == 0) continue;
    atomic_fetch_add(&s->calls, 1);
    called = s;
    if (atomic_load(&s->times) == times && (s->events & e->event) && !(e->id && e->id <= s->since)) {
      portable__hint_acquire(s, portable__tool);
      call(s, e);
      portable__hint_release(s, portable__tool);
    }
    called = NULL;
    atomic_fetch_sub(&s->calls, 1);
  }
}

static void tell_launch(const struct portable__watched *w, uint32_t event, portable_status status) {
  portable_hook_event e = {.struct_size = (uint32_t)sizeof e, .event = event, .label = w->label, .id = w->id, .kind = w->kind,
                      .device = w->device, .count = w->count, .status = status};
  tell(&e);
}

static void begin(struct portable__watched *w) {
  tell_launch(w, w->kind ? PORTABLE_EVENT_LAUNCH_BEGIN : PORTABLE_EVENT_FENCE_BEGIN, PORTABLE_OK);
}

static void end(struct portable__watched *w, portable_status status) {
  tell_launch(w, w->kind ? PORTABLE_EVENT_LAUNCH_END : PORTABLE_EVENT_FENCE_END, status);
}

static const struct portable__watcher watcher = {begin, end, tell, 0};

static portable_status in_child(const char *call) {
  return portable__fail(PORTABLE_ERR_FORK, "%s: this is a forked child, where the library cannot work", call);
}

portable_status portable_hook_add(portable_hook_function function, void *payload, uint32_t events, portable_hook *hook_out) {
  int i = 0;
  if (hook_out) *hook_out = 0;
  if (!portable__hook_ordinary(hook_out != NULL, function != NULL, events)) {
    portable_status status;
    PORTABLE__EXPLAINED(&status, "portable_hook_add", NULL, PORTABLE_ERR_ARG, portable__observe_go.hook_refused(hook_out != NULL, function != NULL, events));
    return status;
  }
  if (atomic_load(&portable__forked)) return in_child("portable_hook_add");
  pthread_mutex_lock(&lock);
  while (i < SLOTS && (atomic_load(&slots[i].times) % 2 || atomic_load(&slots[i].calls))) i++;
  if (i < SLOTS) {
    struct slot *s = &slots[i];
    s->function = function;
    s->payload = payload;
    s->events = events;
    s->since = portable__watch_newest();
    portable__hint_own(slots, sizeof slots, portable__tool);
    portable__hint_release(s, portable__tool);
    uint32_t times = atomic_fetch_add(&s->times, 1) + 1;
    *hook_out = (uint64_t)times << 32 | (uint64_t)(i + 1);
    if (events & MEMORY) portable__watch_memory(1);
    if (hooks++ == 0) portable__watch_on(PORTABLE__HOOKS, &watcher);
  }
  pthread_mutex_unlock(&lock);
  if (*hook_out) return PORTABLE_OK;
  return portable__fail(PORTABLE_ERR_NOMEM, "portable_hook_add: there are %d hooks, which is the most; remove one first", SLOTS);
}

portable_status portable_hook_remove(portable_hook hook) {
  uint32_t number = (uint32_t)hook, times = (uint32_t)(hook >> 32);
  if (!hook) return PORTABLE_OK;
  if (atomic_load(&portable__forked)) return in_child("portable_hook_remove");
  struct slot *s = number >= 1 && number <= SLOTS && times % 2 ? &slots[number - 1] : NULL;
  pthread_mutex_lock(&lock);
  int found = s && atomic_load(&s->times) == times;
  if (found) {
    atomic_fetch_add(&s->times, 1);
    if (--hooks == 0) portable__watch_off(PORTABLE__HOOKS);
    if (s->events & MEMORY) portable__watch_memory(-1);
  }
  pthread_mutex_unlock(&lock);
  if (!found)
    return portable__fail(PORTABLE_ERR_HANDLE, "portable_hook_remove: %#llx is not a hook, or the hook was removed",
                          (unsigned long long)hook);
  while (!inside && atomic_load(&s->calls)) sched_yield();
  portable__hint_acquire(s, portable__tool);
  return PORTABLE_OK;
}
