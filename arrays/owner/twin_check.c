/* twin_check.c - marks of twins: which side is newer, and what is refused because of it. In C because it is asked where arrays are used. Not in
 * this file: making twins and syncs (twin.c). Threads: any; the marks are under portable__twin_lock. */
#include "../../internal/tracing/found.h"
#include "../../internal/memcheck/memcheck.h"
#include "twin.h"

#include <stdio.h>
#include <string.h>

const char *const portable__twin_name[2] = {"host", "device"};

__thread int portable__twin_syncs __attribute__((tls_model("initial-exec")));

static char newest[PORTABLE__LABEL_MAX + 1]; /* label of the newest launch, under checks */

static int checks(void) { return (portable_checks() & PORTABLE_CHECK_ARRAYS) != 0; }

/* ---- marks ---- */

void portable__twin_mark(struct portable__twin *t, int32_t side, const char *how, const char *what) {
  struct portable__twin_side *s = &t->side[side];
  s->changes++;
  s->unmarked[0] = '\0';
  if (s->newer) return; /* since is when it became newer */
  s->newer = 1;
  if (what)
    snprintf(s->since, sizeof s->since, "%s ('%.64s')", how, what);
  else
    snprintf(s->since, sizeof s->since, "%s", how);
}

static void clear(struct portable__twin_side *s) {
  s->newer = s->open = 0;
  s->since[0] = s->unmarked[0] = '\0';
}

void portable__twin_same(struct portable__twin *t) {
  clear(&t->side[0]);
  clear(&t->side[1]);
}

/* ---- what is refused ---- */

portable_status portable__twin_refused(const char *label, portable_status status) {
  portable__finding(PORTABLE__FOUND_SYNC, label, portable_last_error(), NULL);
  return status;
}

portable_status portable__twin_conflict(const char *function, struct portable__twin *t) {
  const struct portable__twin_side *h = &t->side[PORTABLE__HOST_SIDE], *d = &t->side[PORTABLE__DEVICE_SIDE];
  if (h->newer && d->newer)
    return portable__twin_refused(h->array.label, portable__fail(PORTABLE_ERR_STATE, "%s of '%s': both sides were changed since they were the same: the host side was %s, the device side %s; a "
                          "sync was forgotten between the two. portable_twin_discard_host or _device says whose changes are not wanted", function,
                          h->array.label, h->since, d->since));
  for (int32_t side = 0; checks() && side < 2; side++)
    if (t->side[side].unmarked[0])
      return portable__twin_refused(h->array.label, portable__fail(PORTABLE_ERR_STATE, "PORTABLE_CHECK=arrays: %s of '%s': the launch '%s' has written the %s side, and nobody has said so; take the "
                            "side with PORTABLE_TWIN_UPDATE or _OVERWRITE before it, or call portable_twin_modified_%s after it", function,
                            h->array.label, t->side[side].unmarked, portable__twin_name[side], portable__twin_name[side]));
  return PORTABLE_OK;
}

static portable_status stale(const char *function, const struct portable__twin *t, int32_t side) {
  const char *mine = portable__twin_name[side], *other = portable__twin_name[!side];
  return portable__twin_refused(t->side[side].array.label, portable__fail(PORTABLE_ERR_STATE, "PORTABLE_CHECK=arrays: %s of '%s': the %s side is stale: the %s side is newer, it was %s; call "
                        "portable_twin_sync_%s before, or take the side with PORTABLE_TWIN_OVERWRITE where what is in it is not needed", function,
                        t->side[side].array.label, mine, other, t->side[!side].since, mine));
}

/* Nobody touches what a stream is still writing, or changes what it reads. */
static portable_status on_its_way(const char *function, const struct portable__twin *t, int32_t side, int32_t access) {
  if (side != PORTABLE__HOST_SIDE) return PORTABLE_OK; /* of the device: in the order of its stream */
  for (int32_t to = 0; to < 2; to++)
    if (t->side[to].arriving > 0 && (to == side || access != PORTABLE_TWIN_READ))
      return portable__twin_refused(t->side[0].array.label, portable__fail(PORTABLE_ERR_STATE, "PORTABLE_CHECK=arrays: %s of '%s': a sync to the %s side is under way in a stream; wait for it with "
                            "portable_stream_fence before the host side is %s", function, t->side[0].array.label, portable__twin_name[to],
                            access == PORTABLE_TWIN_READ ? "read" : "changed"));
  return PORTABLE_OK;
}

portable_status portable__twin_take(const char *function, struct portable__twin *t, int32_t side, int32_t access, int32_t opens) {
  char how[PORTABLE__SINCE];
  int32_t was_newer = t->side[side].newer;
  portable_status status = PORTABLE_OK;
  if (checks()) {
    if (t->side[!side].newer && access != PORTABLE_TWIN_OVERWRITE) return stale(function, t, side);
    status = on_its_way(function, t, side, access);
    if (status == PORTABLE_OK && access != PORTABLE_TWIN_OVERWRITE && t->side[!side].unmarked[0]) status = portable__twin_conflict(function, t);
    if (status != PORTABLE_OK) return status;
  }
  if (access == PORTABLE_TWIN_READ) return PORTABLE_OK;
  if (access == PORTABLE_TWIN_OVERWRITE) {
    if (t->side[!side].newer || t->side[!side].unmarked[0]) t->agreed = 0; /* it was changed, as somebody has told */
    clear(&t->side[!side]);
  }
  snprintf(how, sizeof how, "%s by %s", opens ? "taken for changes" : "changed", function);
  portable__twin_mark(t, side, how, NULL);
  if (!was_newer) t->side[side].open = opens && checks();
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
    t->agreed = 0; /* nobody has summed up what both have now */
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
    for (int32_t side = 1; side >= 0; side--) { /* of one memory a launch has the device side */
      struct portable__twin_side *s = &t->side[side];
      if (address < s->lowest || address >= s->end) continue;
      if (t->side[!side].newer && access != PORTABLE_ACCESS_WRITE) {
        char function[PORTABLE__LABEL_MAX + 128];
        snprintf(function, sizeof function, "the argument '%s' of the launch '%.128s'", name, label);
        return stale(function, t, side);
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

/* A side that was taken for changes was most likely changed by the launch that came next. */
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

static portable_status no_twin(const char *function, portable_twin twin) {
  return portable__fail(PORTABLE_ERR_HANDLE, "%s: %#llx is not a twin, or the twin was released by all", function, (unsigned long long)twin);
}

static portable_status modified(const char *function, portable_twin twin, int32_t side, const char *what) {
  portable_status status = PORTABLE_OK;
  char how[PORTABLE__SINCE];
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, twin);
  if (!t) {
    pthread_mutex_unlock(&portable__twin_lock);
    return no_twin(function, twin);
  }
  if (!what && checks() && newest[0])
    snprintf(how, sizeof how, "marked by %s after the launch '%.64s'", function, newest);
  else
    snprintf(how, sizeof how, "marked by %s", function);
  portable__twin_mark(t, side, how, what);
  if (t->side[!side].newer && checks()) status = portable__twin_conflict(function, t);
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
  return t ? PORTABLE_OK : no_twin(function, twin);
}

portable_status portable_twin_discard_host(portable_twin twin) { return discard("portable_twin_discard_host", twin, PORTABLE__HOST_SIDE); }
portable_status portable_twin_discard_device(portable_twin twin) { return discard("portable_twin_discard_device", twin, PORTABLE__DEVICE_SIDE); }
