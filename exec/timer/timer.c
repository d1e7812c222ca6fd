/* timer.c - timers of a thread: start, stop, nesting, the thread's end. Main function:
 * portable__timer. Not here: the switch and hooks (timer_switch.c), results (timer_read.c). Lock:
 * list_lock guards the list of trees. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../internal/edge/above.h"
#include "../../internal/observe/tools.h"
#include "../../internal/team/team.h"
#include "../../internal/team/hints.h"
#include "timer.h"
#include "../../internal/memcheck/memcheck.h"

#define FIRST_SLOTS 64  /* of a table of labels */
#define FIRST_FRAMES 32
#define HOOKED UINT64_MAX /* a launch that the user's hooks saw begin */

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list and `made` */
static struct portable__timing *list, **list_end = &list;
static int32_t made;

struct portable__timing *portable__timings_lock(void) {
  pthread_mutex_lock(&list_lock);
  return list;
}

void portable__timings_unlock(void) { pthread_mutex_unlock(&list_lock); }

int64_t portable__now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Only the owner writes, so no exchange is needed. */
static inline int64_t get(_Atomic int64_t *field) { return atomic_load_explicit(field, memory_order_relaxed); }
static inline void set(_Atomic int64_t *field, int64_t value) { atomic_store_explicit(field, value, memory_order_relaxed); }
static inline int32_t active(struct portable__timer_node *n) { return atomic_load_explicit(&n->active, memory_order_relaxed); }

/* ---- the calling thread ---- */

static portable_status no_memory(void) { return portable__fail(PORTABLE_ERR_NOMEM, "portable_timer_start: no memory for a timer"); }

/* The calling thread's timers, made at the first call. */
static struct portable__timing *own(void) {
  struct portable__thread *t = portable__self ? portable__self : portable__thread_get();
  if (!t || PORTABLE__LIKELY(t->timing != NULL)) return t ? t->timing : NULL;
  struct portable__timing *timing = calloc(1, sizeof *timing);
  if (!timing) return NULL;
  portable__hint_own(timing, sizeof *timing, portable__tool);
  pthread_mutex_lock(&list_lock);
  timing->number = made++;
  *list_end = timing;
  list_end = &timing->next;
  pthread_mutex_unlock(&list_lock);
  return t->timing = timing;
}

/* Calls that were under way when timers were switched do not count. */
static void forget_frames(struct portable__timing *t, uint32_t generation) {
  while (t->depth > 0) {
    struct portable__timer_node *n = t->frames[--t->depth].node;
    atomic_store_explicit(&n->active, 0, memory_order_relaxed);
    n->label->running = NULL;
  }
  atomic_store_explicit(&t->generation, generation, memory_order_release);
}

static inline void look_at_generation(struct portable__timing *t) {
  uint32_t generation = atomic_load_explicit(&portable__timing_generation, memory_order_relaxed);
  if (PORTABLE__UNLIKELY(atomic_load_explicit(&t->generation, memory_order_relaxed) != generation)) forget_frames(t, generation);
}

/* ---- labels ---- */

/* By words; the last one may share bytes with the word before. A label has at least one byte. */
static uint64_t hash_of(const char *label, size_t bytes) {
  const uint64_t k = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t hash = bytes * k, word = 0;
  uint32_t half[2];
  for (size_t i = 0; i + sizeof word < bytes; i += sizeof word) {
    memcpy(&word, label + i, sizeof word);
    hash = (hash ^ word) * k;
    hash ^= hash >> 32;
  }
  if (bytes >= sizeof word) {
    memcpy(&word, label + bytes - sizeof word, sizeof word);
  } else if (bytes >= sizeof half[0]) {
    memcpy(&half[0], label, sizeof half[0]);
    memcpy(&half[1], label + bytes - sizeof half[0], sizeof half[0]);
    word = (uint64_t)half[1] << 32 | half[0];
  } else {
    word = (uint64_t)(unsigned char)label[0] << 16 | (uint64_t)(unsigned char)label[bytes / 2] << 8 | (unsigned char)label[bytes - 1];
  }
  hash = (hash ^ word) * k;
  return hash ^ hash >> 32;
}

/* The entry of the label, or a free one for it. */
static uint32_t slot_of(const struct portable__timing *t, uint64_t hash, const char *label, size_t bytes) {
  uint32_t i = (uint32_t)hash & (t->slots - 1);
  for (;; i = (i + 1) & (t->slots - 1)) {
    const struct portable__timer_label *l = t->table[i];
    if (!l || (l->hash == hash && l->bytes == bytes && memcmp(l->text, label, bytes) == 0)) return i;
  }
}

struct portable__timer_label *portable__timer_find(const struct portable__timing *t, const char *label, size_t bytes) {
  return t->slots ? t->table[slot_of(t, hash_of(label, bytes), label, bytes)] : NULL;
}

PORTABLE__COLD static int grow_table(struct portable__timing *t) {
  uint32_t slots = t->slots ? 2 * t->slots : FIRST_SLOTS, was = t->slots;
  struct portable__timer_label **table = calloc(slots, sizeof *table), **old = t->table;
  if (!table) return 0;
  t->table = table;
  t->slots = slots;
  for (uint32_t i = 0; i < was; i++)
    if (old[i]) table[slot_of(t, old[i]->hash, old[i]->text, old[i]->bytes)] = old[i];
  free(old);
  return 1;
}

PORTABLE__COLD static struct portable__timer_label *add_label(struct portable__timing *t, uint64_t hash, const char *label, size_t bytes) {
  if (2 * (t->labels + 1) > t->slots && !grow_table(t)) return NULL;
  struct portable__timer_label *l = calloc(1, sizeof *l + bytes + 1);
  if (!l) return NULL;
  portable__hint_own(l, sizeof *l + bytes + 1, portable__tool);
  l->hash = hash;
  l->bytes = (uint32_t)bytes;
  memcpy(l->text, label, bytes);
  t->table[slot_of(t, hash, label, bytes)] = l;
  t->labels++;
  return l;
}

PORTABLE__COLD static struct portable__timer_node *add_node(struct portable__timing *t, struct portable__timer_label *l,
                                                            struct portable__timer_node *parent) {
  struct portable__timer_node *n = calloc(1, sizeof *n);
  if (!n) return NULL;
  portable__hint_own(n, sizeof *n, portable__tool);
  n->parent = parent;
  n->label = l;
  n->of_label = l->nodes;
  n->number = t->newest ? t->newest->number + 1 : 0;
  l->nodes = n;
  atomic_store_explicit(t->newest ? &t->newest->next : &t->nodes, n, memory_order_release);
  t->newest = n;
  return n;
}

/* The node of a label that starts: the running one (recursion), or the one at this place, made at the first start. */
static struct portable__timer_node *node_of(struct portable__timing *t, const char *label, size_t bytes) {
  struct portable__timer_node *parent = t->depth ? t->frames[t->depth - 1].node : NULL, *n;
  uint64_t hash = hash_of(label, bytes);
  struct portable__timer_label *l = t->slots ? t->table[slot_of(t, hash, label, bytes)] : NULL;
  if (PORTABLE__UNLIKELY(!l) && !(l = add_label(t, hash, label, bytes))) return NULL;
  if (PORTABLE__UNLIKELY(l->running != NULL)) return l->running;
  for (n = l->nodes; n && n->parent != parent; n = n->of_label) {}
  return PORTABLE__LIKELY(n != NULL) ? n : add_node(t, l, parent);
}

/* ---- calls ---- */

static int push(struct portable__timing *t, const char *label, size_t bytes) {
  if (PORTABLE__UNLIKELY(t->depth == t->room)) {
    uint32_t room = t->room ? 2 * t->room : FIRST_FRAMES;
    struct portable__timer_frame *frames = realloc(t->frames, room * sizeof *frames);
    if (!frames) return 0;
    t->frames = frames;
    t->room = room;
  }
  struct portable__timer_node *n = node_of(t, label, bytes);
  if (!n) return 0;
  int64_t now = portable__now_ns();
  t->frames[t->depth++] = (struct portable__timer_frame){n, now};
  int32_t calls = active(n);
  if (calls == 0) {
    set(&n->start, now);
    n->label->running = n;
  }
  atomic_store_explicit(&n->active, calls + 1, memory_order_release);
  return 1;
}

static void pop(struct portable__timing *t, int64_t now) {
  struct portable__timer_frame f = t->frames[--t->depth];
  struct portable__timer_node *n = f.node;
  int64_t since = get(&portable__timing_reset), begin = f.start > since ? f.start : since, took = now > begin ? now - begin : 0;
  if (PORTABLE__UNLIKELY(get(&n->since) != since)) {
    set(&n->count, 0);
    set(&n->total, 0);
    atomic_store_explicit(&n->since, since, memory_order_release);
  }
  int64_t count = get(&n->count);
  if (count == 0 || took < get(&n->min)) set(&n->min, took);
  if (count == 0 || took > get(&n->max)) set(&n->max, took);
  set(&n->last, took);
  set(&n->ended, now);
  set(&n->count, count + 1);
  int32_t calls = active(n) - 1;
  if (calls == 0) {
    set(&n->total, get(&n->total) + took);
    n->label->running = NULL;
  }
  atomic_store_explicit(&n->active, calls, memory_order_relaxed);
}

/* ---- start and stop ---- */

/* The number of another thread on which a timer of this label runs, or -1. */
PORTABLE__COLD static int32_t runs_elsewhere(const struct portable__timing *mine, const char *label, size_t bytes) {
  uint32_t generation = atomic_load(&portable__timing_generation);
  int32_t found = -1;
  for (struct portable__timing *t = portable__timings_lock(); t && found < 0; t = t->next) {
    if (t == mine || atomic_load(&t->generation) != generation) continue;
    for (struct portable__timer_node *n = atomic_load(&t->nodes); n; n = atomic_load(&n->next))
      if (active(n) > 0 && n->label->bytes == bytes && memcmp(n->label->text, label, bytes) == 0) found = t->number;
  }
  portable__timings_unlock();
  return found;
}

PORTABLE__COLD static portable_status not_innermost(const struct portable__timing *t, const char *label, size_t bytes) {
  const char *innermost = t->depth > 0 ? t->frames[t->depth - 1].node->label->text : NULL;
  return portable__timer_refused(&(struct portable__timer_asked){.kind = PORTABLE__TIMER_STOP, .call = "portable_timer_stop", .label = label,
                                 .label_bytes = bytes, .innermost = innermost, .which = innermost ? -1 : runs_elsewhere(t, label, bytes)},
                                 PORTABLE_ERR_STATE);
}

static portable_status start(const char *label, size_t bytes) {
  struct portable__timing *t = own();
  if (PORTABLE__UNLIKELY(!t)) return no_memory();
  look_at_generation(t);
  return PORTABLE__LIKELY(push(t, label, bytes)) ? PORTABLE_OK : no_memory();
}

static portable_status stop(const char *label, size_t bytes) {
  int64_t now = portable__now_ns();
  struct portable__timing *t = own();
  if (PORTABLE__UNLIKELY(!t)) return no_memory();
  look_at_generation(t);
  const struct portable__timer_label *l = t->depth ? t->frames[t->depth - 1].node->label : NULL;
  if (PORTABLE__UNLIKELY(!l || l->bytes != bytes || memcmp(l->text, label, bytes) != 0)) return not_innermost(t, label, bytes);
  pop(t, now);
  return PORTABLE_OK;
}

/* Notifies other observers: a timer is a region of the program. */
PORTABLE__COLD static void tell(int32_t begins, const char *label, size_t bytes) {
  char text[PORTABLE__LABEL_MAX + 1];
  memcpy(text, label, bytes);
  text[bytes] = '\0';
  portable__watch_region(begins, text);
}

portable_status portable__timer(int32_t begins, const char *label, size_t bytes) {
  const char *function = begins ? "portable_timer_start" : "portable_timer_stop";
  int32_t timing = atomic_load_explicit(&portable__timing, memory_order_acquire);
  portable_status fenced = PORTABLE_OK, status = PORTABLE_OK;
  if (PORTABLE__UNLIKELY(timing & PORTABLE__TIMING_STOPPED || atomic_load_explicit(&portable__forked, memory_order_relaxed)))
    return portable__not_running(function);
  if (PORTABLE__UNLIKELY(bytes == 0)) /* timers that are off refuse nothing, also with observers */
    return timing ? portable__timer_refused(&(struct portable__timer_asked){.call = function}, PORTABLE_ERR_ARG) : PORTABLE_OK;
  if (bytes > PORTABLE__LABEL_MAX) bytes = PORTABLE__LABEL_MAX;
  /* A kernel that waited for its own launch would wait for ever. */
  if (!portable__running_job && !portable__queue_inside()) fenced = portable__above_stream.fence();
  if (PORTABLE__UNLIKELY(timing & PORTABLE__TIMING_HOOKS)) {
    if (!portable__timer_hook(begins, label, bytes))
      return portable__fail(PORTABLE_ERR_STATE, "%s of '%.*s': called inside a function that stands in for the timers, which must call no timers", function,
                            (int)bytes, label);
  } else if (timing)
    status = begins ? start(label, bytes) : stop(label, bytes);
  if (PORTABLE__UNLIKELY(status == PORTABLE_ERR_STATE)) portable__memcheck_timer(label, bytes);
  if (PORTABLE__UNLIKELY(portable__watched_by() & ~(UINT32_C(1) << PORTABLE__TIMERS)) && status == PORTABLE_OK) tell(begins, label, bytes);
  return status == PORTABLE_OK ? fenced : status;
}

portable_status portable_timer_start(const char *label) {
  return portable__timers_quiet() ? PORTABLE_OK : portable__timer(1, label, label ? strlen(label) : 0);
}

portable_status portable_timer_stop(const char *label) {
  return portable__timers_quiet() ? PORTABLE_OK : portable__timer(0, label, label ? strlen(label) : 0);
}

/* ---- launches ---- */

/* The timer of a launch; begin puts its depth in state. */
static void launch_begins(struct portable__watched *w) {
  struct portable__timing *t;
  if (w->kind == 0) return; /* a fence */
  int32_t timing = atomic_load_explicit(&portable__timing, memory_order_acquire);
  size_t bytes = strlen(w->label);
  if (bytes > PORTABLE__LABEL_MAX) bytes = PORTABLE__LABEL_MAX;
  if (PORTABLE__UNLIKELY(timing & PORTABLE__TIMING_HOOKS)) {
    portable__timer_hook(1, w->label, bytes);
    w->state[PORTABLE__TIMERS] = HOOKED;
  } else if (bytes > 0 && (t = own()) != NULL) {
    look_at_generation(t);
    if (push(t, w->label, bytes)) w->state[PORTABLE__TIMERS] = t->depth;
  }
}

static void launch_ends(struct portable__watched *w, portable_status status) {
  int64_t now = portable__now_ns();
  uint64_t depth = w->state[PORTABLE__TIMERS];
  struct portable__timing *t = own();
  (void)status;
  if (depth == HOOKED) {
    size_t bytes = strlen(w->label);
    portable__timer_hook(0, w->label, bytes > PORTABLE__LABEL_MAX ? PORTABLE__LABEL_MAX : bytes);
  } else if (depth > 0 && t) {
    look_at_generation(t);
    if (t->depth > depth) atomic_store_explicit(&t->lost, 1, memory_order_relaxed); /* the kernel left timers running */
    while (t->depth >= depth) pop(t, now);
  }
}

const struct portable__watcher portable__timer_watcher = {.begin = launch_begins, .end = launch_ends};

/* ---- the end of a thread ---- */

void portable__timer_thread_ends(struct portable__thread *thread) {
  struct portable__timing *t = thread->timing;
  if (!t) return;
  look_at_generation(t);
  if (t->depth == 0) return;
  atomic_store_explicit(&t->lost, 1, memory_order_relaxed);
  for (int64_t now = portable__now_ns(); t->depth > 0;) pop(t, now);
}
