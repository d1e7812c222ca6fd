/* race.c - checked launches: their arrays, and the races of their kernels. Main functions:
 * portable__race_launches, portable__race_shadow. A launch is checked if its kernel asks for a
 * shadow; launches inside the kernel belong to it. Go has cells and texts (questions.h). Lock:
 * `lock`, held during a launch by the thread that runs it. */
#include "race.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../../capi/include/device/portable_device.h"
#include "../../internal/memcheck/memcheck.h"
#include "../../internal/observe/watch.h"
#include "../../internal/team/devices.h"
#include "../../internal/tracing/found.h"
#include "questions.h"

#define STAMP (PORTABLE_RACE_LINES + 1)
#define REPORTED (INT64_C(1) << 62) /* in `wrote`: this element had a race in this launch; larger than any stamp */
#define PAIRS 32

struct pair { int32_t array, writes, wrote, number; int64_t line, line_before, elements; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int32_t depth __attribute__((tls_model("initial-exec"))); /* launches of this thread, one inside another; the first takes the lock */
static _Atomic int32_t races;
static const struct portable__race_list *const ours = (const struct portable__race_list *)(const void *)&races; /* a launch of the library itself */
static __thread const struct portable__race_list *follows __attribute__((tls_model("initial-exec")));

/* The checked launch; under the lock. */
static struct {
  struct portable__job *job;
  const char *label;
  int32_t checked, count, list_at, pairs;
  int64_t from;
  struct portable__race_array array[PORTABLE__RACE_ARRAYS];
  struct pair pair[PAIRS];
} now;

int32_t portable_races_checked(void) { return atomic_load_explicit(&races, memory_order_relaxed); }

void portable__race_follows(const struct portable__race_list *list) { follows = list; }

void portable__race_launches(struct portable__job *job, int is_ours) {
  job->race = is_ours ? ours : follows;
  if (is_ours) return;
  follows = NULL;
  job->device = PORTABLE__SERIAL;
}

/* ---- before and after a launch ---- */

static void unchecked(const char *label) {
  struct portable__crossing crossing;
  if (portable__cross_in(&crossing) != PORTABLE_OK) return;
  portable__race_go.unchecked(label, strlen(label));
  portable__cross_out(&crossing);
}

static void begin(struct portable__watched *w) {
  if (!w->kind || (w->job && w->job->race == ours)) return;
  if (!w->job) {
    if (w->kind == PORTABLE_LAUNCH_FOR) unchecked(w->label); /* on a device */
    return;
  }
  w->state[PORTABLE__RACES] = 1;
  if (depth++ > 0) return;
  pthread_mutex_lock(&lock);
  now.job = w->job;
  now.label = w->label;
  now.checked = now.count = now.pairs = 0;
  now.list_at = -1;
  now.from = 0;
}

static void end(struct portable__watched *w, portable_status status) {
  (void)status;
  if (!w->state[PORTABLE__RACES]) return;
  if (--depth > 0) return;
  struct portable__crossing crossing;
  if (!now.checked) {
    unchecked(now.label);
  } else if (now.pairs && portable__cross_in(&crossing) == PORTABLE_OK) {
    for (int32_t k = 0; k < now.pairs; k++) portable__race_go.counted(now.pair[k].number, now.pair[k].elements);
    portable__cross_out(&crossing);
  }
  now.job = NULL;
  pthread_mutex_unlock(&lock);
}

void portable__races_set(int32_t on) {
  static const struct portable__watcher watcher = {begin, end, NULL, 0};
  atomic_store(&races, on);
  if (on)
    portable__watch_on(PORTABLE__RACES, &watcher);
  else
    portable__watch_off(PORTABLE__RACES);
}

uintptr_t portable__race_take(uint64_t bytes) {
  void *cells = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return cells == MAP_FAILED ? 0 : (uintptr_t)cells;
}

void portable__race_give(uintptr_t cells, uint64_t bytes) { munmap((void *)cells, bytes); }

/* ---- arrays ---- */

int portable__race_of(const portable_tile *tile, const struct portable__race_list **list_out) {
  *list_out = NULL;
  if (!portable_races_checked() || !now.job || tile->launch != now.job) return 0;
  *list_out = now.job->race;
  return 1;
}

int32_t *portable__race_list_at(void) { return &now.list_at; }

static int32_t find(const char *name, const portable_array_view *v, int32_t rank, size_t bytes) {
  for (int32_t i = 0; i < now.count; i++) {
    const struct portable__race_array *a = &now.array[i];
    if (a->first != (uintptr_t)v->data || a->bytes != (int64_t)bytes || a->rank != rank || strncmp(a->name, name, sizeof a->name - 1) != 0) continue;
    int32_t d = 0;
    while (d < rank && a->extent[d] == v->dim[d].extent && a->stride[d] == v->dim[d].stride && a->lower[d] == v->dim[d].lower) d++;
    if (d == rank) return i;
  }
  return -1;
}

int32_t portable__race_add(const char *name, const void *view, int32_t rank, size_t bytes, int32_t access) {
  const int32_t known = find(name, view, rank, bytes);
  return known >= 0 ? known : portable__race_append(name, view, rank, bytes, access);
}

int32_t portable__race_append(const char *name, const void *view, int32_t rank, size_t bytes, int32_t access) {
  const portable_array_view *v = view;
  if (now.count == PORTABLE__RACE_ARRAYS) return -1;
  struct portable__race_array *a = &now.array[now.count];
  memset(a, 0, sizeof *a);
  if (v) {
    int64_t high = 0, empty = 0;
    snprintf(a->name, sizeof a->name, "%s", name);
    a->first = (uintptr_t)v->data;
    a->rank = rank;
    a->access = access;
    for (int32_t d = 0; d < rank; d++) {
      const int64_t reach = (v->dim[d].extent - 1) * v->dim[d].stride;
      a->lower[d] = v->dim[d].lower;
      a->extent[d] = v->dim[d].extent;
      a->stride[d] = v->dim[d].stride;
      empty |= v->dim[d].extent < 1;
      if (reach < 0)
        a->low += reach;
      else
        high += reach;
    }
    a->bytes = empty || !v->data ? 0 : (int64_t)bytes;
    a->elements = high - a->low + 1;
  }
  return now.count++;
}

/* Begins the check of the launch. 1: Go has decided about the cells of all added arrays. */
static int ask(const struct portable__race_array *a) {
  struct portable__crossing crossing;
  const int first = !now.checked;
  now.checked = 1;
  if (a && !a->asked && portable__cross_in(&crossing) == PORTABLE_OK) {
    if (first) now.from = portable__race_go.begin(now.label, strlen(now.label), now.job->cut.count);
    if (now.from) portable__race_go.cells(now.array, now.count);
    portable__cross_out(&crossing);
  }
  return a && a->asked && now.from;
}

void portable__race_shadow(int32_t number, portable_shadow *to) {
  memset(to, 0, sizeof *to);
  struct portable__race_array *a = number < 0 || number >= now.count ? NULL : &now.array[number];
  if (!ask(a) || !a->cells) return;
  a->told = 1;
  to->cells = (portable_race_cell *)a->cells;
  to->from = now.from;
  to->low = a->low;
  to->elements = (uint64_t)a->elements;
  to->array = number;
}

int32_t portable__race_apart(const portable_tile *tile, struct portable__race_reference *references, int32_t count) {
  struct portable__crossing crossing;
  struct portable__cut *cut = &now.job->cut;
  int all = 1;
  for (int32_t i = 0; i < count; i++) {
    const int32_t number = references[i].array;
    all &= ask(number < 0 || number >= now.count ? NULL : &now.array[number]);
  }
  for (int32_t k = 0; k < cut->rank; k++) {
    const struct portable__axis *a = &cut->axis[k];
    all &= tile->lower[a->dim] == a->lower && (uint64_t)tile->upper[a->dim] - (uint64_t)a->lower >= (uint64_t)(a->extent - 1) * (uint64_t)a->stride;
  }
  if (!all || portable__cross_in(&crossing) != PORTABLE_OK) return 0;
  const int32_t apart = portable__race_go.apart(now.array, now.count, references, count, cut);
  portable__cross_out(&crossing);
  return apart;
}

void portable_shadow_of(const portable_tile *tile, const char *name, const void *view, int32_t rank, size_t element_bytes, int32_t access,
                        portable_shadow *shadow_out) {
  const struct portable__race_list *list;
  if (!portable__race_of(tile, &list) || rank < 1 || rank > PORTABLE_LOOP_RANK || element_bytes < 1)
    memset(shadow_out, 0, sizeof *shadow_out);
  else
    portable__race_shadow(portable__race_add(name ? name : "", view, rank, element_bytes, access | PORTABLE_ACCESS_WRITE),
                          shadow_out);
}

int64_t portable_tile_iteration(const portable_tile *tile, int64_t *step_out) {
  const struct portable__cut *cut = &((const struct portable__job *)tile->launch)->cut;
  int64_t number = 0, each = 1;
  for (int d = 0; d < PORTABLE_LOOP_RANK; d++) step_out[d] = 0;
  if (!tile->launch) return 0;
  for (int32_t k = 0; k < cut->rank; k++) {
    const struct portable__axis *a = &cut->axis[k];
    number += (int64_t)(((uint64_t)tile->lower[a->dim] - (uint64_t)a->lower) / (uint64_t)a->stride) * each;
    step_out[a->dim] = each;
    each *= a->extent;
  }
  return number;
}

/* ---- races ---- */

/* The entry of a pair of lines; NULL: the table is full. */
static struct pair *pair_of(struct portable__race_found *f, int32_t array) {
  char text[1024] = "";
  struct portable__crossing crossing;
  for (int32_t i = 0; i < now.pairs; i++) {
    struct pair *p = &now.pair[i];
    if (p->array == array && p->writes == f->writes && p->wrote == f->wrote && p->line == f->line && p->line_before == f->line_before) return p;
  }
  if (now.pairs == PAIRS || portable__cross_in(&crossing) != PORTABLE_OK) return NULL;
  const int32_t number = portable__race_go.found(f, text, sizeof text);
  portable__cross_out(&crossing);
  now.pair[now.pairs] = (struct pair){array, f->writes, f->wrote, number, f->line, f->line_before, 0};
  if (text[0]) portable__finding(PORTABLE__FOUND_OTHER, now.label, text, NULL);
  return &now.pair[now.pairs++];
}

PORTABLE__COLD void portable_shadow_race(const portable_shadow *s, int64_t element, int64_t stamp, int32_t writes) {
  portable_race_cell *cell = &s->cells[element];
  if (cell->wrote & REPORTED) {
    if ((cell->wrote & ~REPORTED) >= s->from) return;
    cell->wrote = writes ? stamp : 0; /* of an earlier launch */
    cell->read = writes ? 0 : stamp;
    return;
  }
  const int wrote = cell->wrote >= s->from && (cell->wrote ^ stamp) > PORTABLE_RACE_LINES;
  const int64_t before = wrote ? cell->wrote : cell->read;
  cell->wrote = stamp | REPORTED;
  struct portable__race_found f = {.label = now.label, .array = &now.array[s->array], .element = element, .now = (stamp - s->from) / STAMP,
                                   .before = (before - s->from) / STAMP, .line = stamp % STAMP, .line_before = before % STAMP, .writes = writes != 0,
                                   .wrote = wrote, .space = &now.job->cut};
  struct pair *p = pair_of(&f, s->array);
  if (p) p->elements++;
}
