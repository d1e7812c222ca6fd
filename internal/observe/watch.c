/* watch.c - switches observers on and off, and notifies them (watch.h). In C because observed
 * launches are still launches of C, and because timers must cost tens of nanoseconds. */

#include <pthread.h>
#include <stdarg.h>
#include <string.h>

#include "../edge/above.h"
#include "questions.h"
#include "watch.h"
#include "../edge/text.h"

_Atomic uint32_t portable__watching;
_Atomic int32_t portable__watching_memory;

static const struct portable__watcher *_Atomic watchers[PORTABLE__WATCHERS]; /* set once each, then fixed */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;                     /* guards on and off */
static int32_t memory;                                                       /* lock; as watching_memory */
static _Atomic uint64_t ids;

/* ---- on and off ---- */

/* Magazines hand out blocks without notifying observers: they are stopped first, and released last. Locked. */
static void change_memory(int32_t change) {
  int32_t was = memory;
  memory += change;
  if (was == 0 && memory > 0) portable__above_front.hold(1);
  atomic_store(&portable__watching_memory, memory);
  if (was > 0 && memory == 0) portable__above_front.hold(0);
}

void portable__watch_memory(int32_t change) {
  pthread_mutex_lock(&lock);
  change_memory(change);
  pthread_mutex_unlock(&lock);
}

void portable__watch_on(int32_t bit, const struct portable__watcher *watcher) {
  pthread_mutex_lock(&lock);
  if (!(atomic_load(&portable__watching) >> bit & 1)) {
    atomic_store(&watchers[bit], watcher);
    if (watcher->memory) change_memory(1);
    atomic_fetch_or(&portable__watching, UINT32_C(1) << bit);
  }
  pthread_mutex_unlock(&lock);
}

void portable__watch_off(int32_t bit) {
  pthread_mutex_lock(&lock);
  if (atomic_load(&portable__watching) >> bit & 1) {
    atomic_fetch_and(&portable__watching, ~(UINT32_C(1) << bit));
    if (atomic_load(&watchers[bit])->memory) change_memory(-1);
  }
  pthread_mutex_unlock(&lock);
}

/* ---- launches and fences ---- */

uint64_t portable__watch_newest(void) { return atomic_load(&ids); }

PORTABLE__COLD void portable__watch_begin(uint32_t watching, struct portable__watched *w) {
  w->id = atomic_fetch_add_explicit(&ids, 1, memory_order_relaxed) + 1;
  w->notified = watching;
  memset(w->state, 0, sizeof w->state);
  for (int32_t i = 0; i < PORTABLE__WATCHERS; i++) {
    const struct portable__watcher *watcher = watching >> i & 1 ? atomic_load(&watchers[i]) : NULL;
    if (watcher && watcher->begin) watcher->begin(w);
  }
}

PORTABLE__COLD void portable__watch_end(struct portable__watched *w, portable_status status) {
  for (int32_t i = PORTABLE__WATCHERS; i-- > 0;) {
    const struct portable__watcher *watcher = w->notified >> i & 1 ? atomic_load(&watchers[i]) : NULL;
    if (watcher && watcher->end) watcher->end(w, status);
  }
}

/* ---- everything else ---- */

PORTABLE__COLD void portable__watch_event(portable_hook_event *e) {
  uint32_t watching = portable__watched_by();
  e->struct_size = (uint32_t)sizeof *e;
  if (!e->label) e->label = "";
  for (int32_t i = 0; i < PORTABLE__WATCHERS; i++) {
    const struct portable__watcher *watcher = watching >> i & 1 ? atomic_load(&watchers[i]) : NULL;
    if (watcher && watcher->event) watcher->event(e);
  }
}

PORTABLE__COLD void portable__watch_skip(const char *label, int32_t kind, int32_t device, const portable_bounds *bounds) {
  if (portable__watched_by() >> PORTABLE__CHECKS & 1) portable__check_skip(label, bounds);
  portable_hook_event e = {.event = PORTABLE_EVENT_LAUNCH_SKIP, .label = label, .kind = kind, .device = device};
  portable__watch_event(&e);
}

PORTABLE__COLD void portable__watch_alloc(portable_pool pool, void *ptr, uint64_t bytes, const char *label, size_t label_bytes) {
  char text[PORTABLE__LABEL_MAX + 1];
  if (label_bytes > PORTABLE__LABEL_MAX) label_bytes = PORTABLE__LABEL_MAX;
  if (label_bytes) memcpy(text, label, label_bytes);
  text[label_bytes] = '\0';
  portable_hook_event e = {.event = PORTABLE_EVENT_ALLOC, .label = text, .pool = pool, .address = ptr, .bytes = bytes};
  portable__watch_event(&e);
}

/* Runs before the block is freed: afterwards another thread may have it already. */
PORTABLE__COLD void portable__watch_free(portable_pool pool, void *ptr) {
  char label[PORTABLE__LABEL_MAX + 1];
  portable_block block;
  struct portable__crossing crossing;
  const char *known;
  uint64_t bytes;
  if (atomic_load(&portable__forked)) return; /* a thread that does not exist here may hold a lock */
  if (portable__watched_by() >> PORTABLE__MEMCHECK & 1 && portable__above_memcheck.live_block((uintptr_t)ptr, pool, &known, &bytes)) { /* spares the crossing */
    portable_hook_event e = {.event = PORTABLE_EVENT_FREE, .label = known, .pool = pool, .address = ptr, .bytes = bytes};
    portable__watch_event(&e);
    return;
  }
  if (portable__cross_in(&crossing) != PORTABLE_OK) return;
  int32_t found = portable__observe_go.block_starts(pool, (uintptr_t)ptr, &block, label, sizeof label);
  portable__cross_out(&crossing);
  if (!found) return;
  portable_hook_event e = {.event = PORTABLE_EVENT_FREE, .label = label, .pool = pool, .address = ptr, .bytes = block.bytes};
  portable__watch_event(&e);
}

PORTABLE__COLD void portable__watch_pool(int32_t made, portable_pool pool, const char *name) {
  portable_hook_event e = {.event = made ? PORTABLE_EVENT_POOL_CREATE : PORTABLE_EVENT_POOL_DESTROY, .label = name, .pool = pool};
  portable__watch_event(&e);
}

PORTABLE__COLD void portable__watch_region(int32_t begins, const char *label) {
  portable_hook_event e = {.event = begins ? PORTABLE_EVENT_REGION_BEGIN : PORTABLE_EVENT_REGION_END, .label = label};
  portable__watch_event(&e);
}

/* If two threads start and stop at once, each change is reported once, by the first of them. */
void portable__watch_running(void) {
  static _Atomic int notified;
  int is = atomic_load(&portable__running), was = !is;
  if (!atomic_compare_exchange_strong(&notified, &was, is)) return;
  if (is) portable__tools_start();
  if (!portable__watched_by()) return;
  portable_hook_event e = {.event = is ? PORTABLE_EVENT_INIT : PORTABLE_EVENT_FINALIZE};
  portable__watch_event(&e);
}

void portable__warn(const char *format, ...) {
  char text[1024];
  struct portable__crossing crossing;
  va_list list;
  va_start(list, format);
  size_t n = portable__format(text, sizeof text, portable_last_error(), format, list);
  va_end(list);
  if (portable__cross_in(&crossing) != PORTABLE_OK) return;
  portable__observe_go.warn(text, n);
  portable__cross_out(&crossing);
}
