/* tuning.c - fills sizes and schedules that a launch leaves open, by its label. In C because each
 * launch asks. Go reads the file or the variable (exec/tuning.go) and passes a table sorted from
 * exact to general: whole labels, then beginnings of labels from the longest to the shortest. A
 * table is complete before launches see it and never changes. An older one is kept, because a
 * launch may be reading it; Go passes a table only if it differs from the last one. Results do not
 * depend on it: a reduction's leaves are not cut here. */
#include "observers.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>

struct table {
  struct table *older;
  size_t count, exact; /* the first `exact` are whole labels */
  uint32_t mask;       /* of the places, a power of two less one */
  uint32_t *places;    /* hash table of whole labels: number + 1; 0 is free */
  _Atomic unsigned char *used; /* by number: there was a launch (PORTABLE__TUNING_LAUNCHED), an array of the label */
  struct portable__tuning entry[];
};

static struct table *_Atomic current;

static uint32_t hash_of(const char *text, size_t bytes) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < bytes; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h;
}

uint32_t portable__tuning_used(size_t number) {
  const struct table *t = atomic_load_explicit(&current, memory_order_acquire);
  return t && number < t->exact ? atomic_load_explicit(&t->used[number], memory_order_relaxed) : 0;
}

int32_t portable__tuning_set(const struct portable__tuning *entries, size_t count, size_t exact) {
  static const struct portable__watcher watcher = {NULL, NULL, NULL, 0};
  size_t room = 8;
  while (room < 2 * exact) room *= 2;
  struct table *t = calloc(1, sizeof *t + count * sizeof t->entry[0]);
  if (t) t->places = calloc(room, sizeof *t->places);
  if (t) t->used = calloc(exact + 1, sizeof *t->used);
  if (!t || !t->places || !t->used) {
    if (t) free(t->places);
    free(t);
    return 0;
  }
  t->mask = (uint32_t)room - 1;
  t->count = count;
  t->exact = exact;
  if (count) memcpy(t->entry, entries, count * sizeof t->entry[0]);
  for (size_t i = 0; i < exact; i++) {
    uint32_t at = hash_of(t->entry[i].label, t->entry[i].label_bytes) & t->mask;
    while (t->places[at]) at = (at + 1) & t->mask;
    t->places[at] = (uint32_t)i + 1;
  }
  t->older = atomic_load(&current);
  atomic_store_explicit(&current, t, memory_order_release);
  if (count)
    portable__watch_on(PORTABLE__TUNING, &watcher);
  else
    portable__watch_off(PORTABLE__TUNING);
  return 1;
}

/* Fills the fields that are not set yet. A tile, or a chunk, is one setting in three forms. */
static void fill(const struct portable__tuning *e, int32_t rank, portable_launch_config *c, int64_t *chunk, int *cut) {
  if (!c->schedule) c->schedule = e->schedule;
  if (!c->block_size) c->block_size = e->block_size;
  if (*cut) return;
  if (e->chunk) {
    *chunk = e->chunk;
    *cut = 1;
  } else if (e->tile_rank) { /* of another rank than the loop: its sizes, from the first index on */
    memcpy(c->tile, e->tile, (size_t)(e->tile_rank < rank ? e->tile_rank : rank) * sizeof c->tile[0]);
    *cut = 1;
  }
}

/* The entry of a whole label, marked as used; NULL: there is no entry. */
static const struct portable__tuning *whole(const struct table *t, const char *label, size_t bytes, unsigned char use) {
  for (uint32_t at = hash_of(label, bytes) & t->mask; t->places[at]; at = (at + 1) & t->mask) {
    const struct portable__tuning *e = &t->entry[t->places[at] - 1];
    if (e->label_bytes != bytes || memcmp(e->label, label, bytes) != 0) continue;
    _Atomic unsigned char *used = &t->used[e - t->entry];
    if (!(atomic_load_explicit(used, memory_order_relaxed) & use)) atomic_fetch_or_explicit(used, use, memory_order_relaxed);
    return e;
  }
  return NULL;
}

void portable__tuning_laid_out(const char *label) {
  const struct table *t = atomic_load_explicit(&current, memory_order_acquire);
  if (t) whole(t, label, strlen(label), PORTABLE__TUNING_LAID_OUT);
}

PORTABLE__COLD int64_t portable__tune(const char *label, int32_t rank, portable_launch_config *config) {
  const struct table *t = atomic_load_explicit(&current, memory_order_acquire);
  int64_t chunk = 0;
  int cut = rank == 0;
  if (!t) return 0;
  size_t bytes = strlen(label);
  for (int32_t d = 0; d < rank; d++) cut |= config->tile[d] > 0;
  const struct portable__tuning *exact = whole(t, label, bytes, PORTABLE__TUNING_LAUNCHED);
  if (exact) fill(exact, rank, config, &chunk, &cut);
  for (size_t i = t->exact; i < t->count; i++) {
    const struct portable__tuning *e = &t->entry[i];
    if (e->label_bytes <= bytes && memcmp(e->label, label, e->label_bytes) == 0) fill(e, rank, config, &chunk, &cut);
  }
  return chunk;
}
