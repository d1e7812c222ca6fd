/* twin_check.c - marks of twins: the newer side, and the refusals that follow from it. Main
 * function: portable__twin_take. Not here: creation (twin.c), syncs (twin_sync.c). Lock:
 * portable__twin_lock. Threads: any. */
#include "../../internal/tracing/found.h"
#include "../../internal/memcheck/memcheck.h"
#include "questions.h"
#include "twin.h"

#include <stdio.h>
#include <string.h>

__thread int portable__twin_syncs __attribute__((tls_model("initial-exec")));

static char newest[PORTABLE__LABEL_MAX + 1]; /* label of the newest launch, under checks */

static int checks(void) { return (portable_checks() & PORTABLE_CHECK_ARRAYS) != 0; }

/* ---- marks ---- */

/* Appends the part of text that fits; gives the end. */
static char *put(char *at, const char *end, const char *text) {
  size_t n = strnlen(text, (size_t)(end - at));
  memcpy(at, text, n);
  return at + n;
}

void portable__twin_mark(struct portable__twin *t, int32_t side, const char *how, const char *function, const char *what) {
  struct portable__twin_side *s = &t->side[side];
  s->changes++;
  s->unmarked[0] = '\0';
  if (s->newer) return; /* `since` keeps the first change */
  s->newer = 1;
  const char *end = s->since + sizeof s->since - 1;
  char *at = put(put(s->since, end, how), end, function);
  if (what) {
    at = put(at, end, " ('");
    at = put(put(at, end - at > 64 ? at + 64 : end, what), end, "')");
  }
  *at = '\0';
}

static void clear(struct portable__twin_side *s) {
  s->newer = s->open = 0;
  s->since[0] = s->unmarked[0] = '\0';
}

void portable__twin_same(struct portable__twin *t) {
  clear(&t->side[0]);
  clear(&t->side[1]);
}

/* ---- refusals ---- */

portable_status portable__twin_refuse(const char *function, const struct portable__twin *t, int32_t side, int32_t access) {
  struct portable__twin_refusal r = {.function = function, .label = t->side[0].array.label, .checks = checks(), .side = side, .access = access};
  portable_status status;
  for (int32_t k = 0; k < 2; k++) {
    r.sides[k].newer = t->side[k].newer;
    r.sides[k].arriving = t->side[k].arriving > 0;
    r.sides[k].since = t->side[k].since;
    r.sides[k].unmarked = t->side[k].unmarked;
  }
  PORTABLE__EXPLAINED(&status, function, r.label, PORTABLE_ERR_STATE, portable__owner_go.twin_refused(&r));
  if (status == PORTABLE_ERR_STATE) portable__finding(PORTABLE__FOUND_SYNC, r.label, portable_last_error(), NULL);
  return status;
}

/* 1: a sync is possible. Same verdict as arrays.Marks.Conflict. */
static int agrees(const struct portable__twin *t) {
  const struct portable__twin_side *h = &t->side[PORTABLE__HOST_SIDE], *d = &t->side[PORTABLE__DEVICE_SIDE];
  return !(h->newer && d->newer) && !((h->unmarked[0] || d->unmarked[0]) && checks());
}

portable_status portable__twin_conflict(const char *function, struct portable__twin *t) {
  return PORTABLE__LIKELY(agrees(t)) ? PORTABLE_OK : portable__twin_refuse(function, t, 0, 0);
}

/* 1: the side is not stale, and no stream still writes or reads it. Same verdict as arrays.Marks.Take. */
int portable__twin_fresh(const struct portable__twin *t, int32_t side, int32_t access) {
  const struct portable__twin_side *other = &t->side[!side];
  if (access != PORTABLE_TWIN_OVERWRITE && (other->newer || (other->unmarked[0] && !agrees(t)))) return 0;
  return side == PORTABLE__DEVICE_SIDE || (t->side[side].arriving == 0 && (other->arriving == 0 || access == PORTABLE_TWIN_READ));
}

portable_status portable__twin_take(const char *function, struct portable__twin *t, int32_t side, int32_t access, int32_t opens) {
  int32_t was_newer = t->side[side].newer;
  const int checked = checks();
  if (PORTABLE__UNLIKELY(checked && !portable__twin_fresh(t, side, access))) return portable__twin_refuse(function, t, side, access);
  if (access == PORTABLE_TWIN_READ) return PORTABLE_OK;
  if (access == PORTABLE_TWIN_OVERWRITE) {
    if (t->side[!side].newer || t->side[!side].unmarked[0]) t->agreed = 0; /* a marked change */
    clear(&t->side[!side]);
  }
  portable__twin_mark(t, side, opens ? "taken for changes by " : "changed by ", function, NULL);
  if (!was_newer) t->side[side].open = opens && checked;
  return PORTABLE_OK;
}

/* ---- arrays that are sides ---- */

static int32_t side_of(const portable_array *array) { return array->flags & PORTABLE_ARRAY_HOST_SIDE ? PORTABLE__HOST_SIDE : PORTABLE__DEVICE_SIDE; }

portable_status portable__twin_uses(const char *function, const portable_array *array, int32_t access) {
  portable_status status = PORTABLE_OK;
  uint64_t twin = portable__array_twin(array);
  if (!twin) return PORTABLE_OK;
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, twin);
  if (t) {
    int32_t side = side_of(array);
    if (access == PORTABLE_TWIN_OVERWRITE && portable_array_size(array) != portable_array_size(&t->side[side].array)) access = PORTABLE_TWIN_UPDATE;
    status = portable__twin_take(function, t, side, access, 0);
  }
  pthread_mutex_unlock(&portable__twin_lock);
  return status;
}

void portable__twin_copied(const portable_array *from, const portable_array *to) {
  uint64_t twin = portable__array_twin(from);
  if (!twin || !(from->flags & PORTABLE__ARRAY_SIDE) || !(to->flags & PORTABLE__ARRAY_SIDE) || side_of(from) == side_of(to) ||
      twin != portable__array_twin(to)) return;
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, twin);
  int64_t all = t ? portable_array_size(&t->side[0].array) : -1;
  if (t && portable_array_size(from) == all && portable_array_size(to) == all) {
    portable__twin_same(t);
    t->agreed = 0; /* the new checksum is unknown */
  }
  pthread_mutex_unlock(&portable__twin_lock);
}

/* ---- launches ---- */

static struct portable__twin *walk(uint32_t *number) {
  uint64_t handle;
  while (*number < portable__slot_count(&portable__twins)) {
    struct portable__twin *t = portable__slot_at(&portable__twins, (*number)++, &handle);
    if (t) return t;
  }
  return NULL;
}

static portable_status argument(const char *label, const char *name, uintptr_t address, int32_t access) {
  uint32_t at = 0;
  for (struct portable__twin *t; (t = walk(&at));) {
    for (int32_t side = 1; side >= 0; side--) { /* with one memory, a launch uses the device side */
      struct portable__twin_side *s = &t->side[side];
      if (address < s->lowest || address >= s->end) continue;
      if (t->side[!side].newer && access != PORTABLE_ACCESS_WRITE) {
        char function[PORTABLE__LABEL_MAX + 128];
        snprintf(function, sizeof function, "the argument '%s' of the launch '%.128s'", name, label);
        return portable__twin_refuse(function, t, side, PORTABLE_TWIN_READ);
      }
      if (access != PORTABLE_ACCESS_READ && !s->newer) snprintf(s->unmarked, sizeof s->unmarked, "%s", label);
      return PORTABLE_OK;
    }
  }
  return PORTABLE_OK;
}

portable_status portable__twin_arguments(const char *label, const void *block, const struct portable__argument *arguments, size_t count) {
  portable_status status = PORTABLE_OK;
  if (!block || atomic_load(&portable__twins_live) == 0) return status;
  pthread_mutex_lock(&portable__twin_lock);
  for (size_t i = 0; i < count && status == PORTABLE_OK; i++) {
    uintptr_t address;
    if (arguments[i].what.kind < PORTABLE_ARGUMENT_POINTER) continue;
    memcpy(&address, (const char *)block + arguments[i].what.offset, sizeof address);
    if (address) status = argument(label, arguments[i].name, address, arguments[i].what.access);
  }
  pthread_mutex_unlock(&portable__twin_lock);
  return status;
}

/* The launch after an access for changes most likely made the change; the texts name it. */
static void begin(struct portable__watched *w) {
  if (!w->kind || portable__twin_syncs || atomic_load_explicit(&portable__twins_live, memory_order_relaxed) == 0) return;
  pthread_mutex_lock(&portable__twin_lock);
  snprintf(newest, sizeof newest, "%s", w->label);
  uint32_t at = 0;
  for (struct portable__twin *t; (t = walk(&at));)
    for (int32_t side = 0; side < 2; side++) {
      struct portable__twin_side *s = &t->side[side];
      size_t bytes = strlen(s->since);
      if (s->open) snprintf(s->since + bytes, sizeof s->since - bytes, " before the launch '%.64s'", newest);
      s->open = 0;
    }
  pthread_mutex_unlock(&portable__twin_lock);
}

void portable__twin_watch(int32_t on) {
  static const struct portable__watcher watcher = {begin, NULL, NULL, 0};
  if (on)
    portable__watch_on(PORTABLE__TWINS, &watcher);
  else
    portable__watch_off(PORTABLE__TWINS);
}

/* ---- public: marks ---- */

static portable_status modified(const char *function, portable_twin twin, int32_t side, const char *what) {
  portable_status status = PORTABLE_OK;
  char how[PORTABLE__SINCE];
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, twin);
  if (PORTABLE__UNLIKELY(!t)) {
    pthread_mutex_unlock(&portable__twin_lock);
    return portable__twin_none(function, twin);
  }
  const int checked = checks();
  if (!what && newest[0] && checked && !t->side[side].newer) {
    snprintf(how, sizeof how, "marked by %s after the launch '%.64s'", function, newest);
    portable__twin_mark(t, side, how, "", NULL);
  } else {
    portable__twin_mark(t, side, "marked by ", function, what);
  }
  if (checked && t->side[!side].newer) status = portable__twin_conflict(function, t);
  pthread_mutex_unlock(&portable__twin_lock);
  return status;
}

portable_status portable_twin_modified_host(portable_twin twin, const char *what) {
  return modified("portable_twin_modified_host", twin, PORTABLE__HOST_SIDE, what);
}
portable_status portable_twin_modified_device(portable_twin twin, const char *what) {
  return modified("portable_twin_modified_device", twin, PORTABLE__DEVICE_SIDE, what);
}

static portable_status discard(const char *function, portable_twin twin, int32_t side) {
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, twin);
  if (t) {
    clear(&t->side[side]);
    t->agreed = 0;
  }
  pthread_mutex_unlock(&portable__twin_lock);
  return t ? PORTABLE_OK : portable__twin_none(function, twin);
}

portable_status portable_twin_discard_host(portable_twin twin) { return discard("portable_twin_discard_host", twin, PORTABLE__HOST_SIDE); }
portable_status portable_twin_discard_device(portable_twin twin) { return discard("portable_twin_discard_device", twin, PORTABLE__DEVICE_SIDE); }
