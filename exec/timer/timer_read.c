/* timer_read.c - reads timers that threads write: the results of one label, and the rows of all for
 * reports of Go. Main function: portable__timer_rows. Threads: any; lock: of the list. */
#include <stdlib.h>
#include <string.h>

#include "timer.h"

static int64_t get(_Atomic int64_t *field) { return atomic_load_explicit(field, memory_order_relaxed); }

/* Reads a node, without measurements from before the last reset. */
struct seen {
  int64_t count, total, last, min, max, ended, elapsed;
  int32_t active;
};

static struct seen look(struct portable__timing *t, struct portable__timer_node *n, uint32_t generation, int64_t since, int64_t now) {
  struct seen s = {0};
  if (atomic_load_explicit(&n->since, memory_order_acquire) == since) {
    s.count = get(&n->count);
    s.total = get(&n->total);
    s.last = get(&n->last);
    s.min = get(&n->min);
    s.max = get(&n->max);
    s.ended = get(&n->ended);
  }
  s.active = atomic_load(&t->generation) == generation ? atomic_load_explicit(&n->active, memory_order_acquire) : 0;
  if (s.active > 0) {
    int64_t start = get(&n->start);
    s.elapsed = now - (start > since ? start : since);
    if (s.elapsed < 0) s.elapsed = 0;
  }
  return s;
}

static void add(portable_timer_stats *stats, int64_t *ended, struct seen s) {
  stats->running += s.active;
  if (s.count == 0) return;
  if (stats->count == 0 || s.min < stats->min_ns) stats->min_ns = s.min;
  if (s.max > stats->max_ns) stats->max_ns = s.max;
  if (s.ended >= *ended) {
    *ended = s.ended;
    stats->last_ns = s.last;
  }
  stats->count += s.count;
  stats->total_ns += s.total;
}

/* The results of label[bytes] on one thread, or on all. */
static portable_status get_stats(const char *label, size_t bytes, int32_t which, portable_timer_stats *stats_out) {
  portable_timer_stats stats;
  int64_t ended = 0;
  const uint32_t size = stats_out ? stats_out->struct_size : 0;
  const struct portable__timer_asked asked = {.kind = PORTABLE__TIMER_GET, .call = "portable_timer_get", .pointer = stats_out, .struct_size = size,
                                              .label = label, .label_bytes = bytes, .which = which};
  memset(&stats, 0, sizeof stats);
  stats.struct_size = size;
  if (size >= sizeof size && size <= sizeof stats) memcpy(stats_out, &stats, size);
  if (!portable__timer_ordinary(&asked)) return portable__timer_refused(&asked, PORTABLE_ERR_ARG);
  if (!portable_is_initialized()) return portable__not_running("portable_timer_get");
  if (bytes > PORTABLE__LABEL_MAX) bytes = PORTABLE__LABEL_MAX;
  uint32_t generation = atomic_load(&portable__timing_generation);
  int64_t since = get(&portable__timing_reset), now = portable__now_ns();
  if (which == PORTABLE_TIMERS_OF_THREAD) {
    struct portable__timing *t = portable__self ? portable__self->timing : NULL;
    struct portable__timer_label *l = t ? portable__timer_find(t, label, bytes) : NULL;
    for (struct portable__timer_node *n = l ? l->nodes : NULL; n; n = n->of_label) add(&stats, &ended, look(t, n, generation, since, now));
  } else {
    for (struct portable__timing *t = portable__timings_lock(); t; t = t->next)
      for (struct portable__timer_node *n = atomic_load(&t->nodes); n; n = atomic_load(&n->next))
        if (n->label->bytes == bytes && memcmp(n->label->text, label, bytes) == 0)
          add(&stats, &ended, look(t, n, generation, since, now));
    portable__timings_unlock();
  }
  memcpy(stats_out, &stats, size);
  return PORTABLE_OK;
}

portable_status portable_timer_get(const char *label, int32_t which, portable_timer_stats *stats_out) {
  return get_stats(label, label ? strlen(label) : 0, which, stats_out);
}

portable_status portable__fortran_timer_get(const char *label, size_t label_bytes, int32_t which, portable_timer_stats *stats_out) {
  while (label_bytes > 0 && label[label_bytes - 1] == ' ') label_bytes--;
  return get_stats(label, label_bytes, which, stats_out);
}

int64_t portable__timer_rows(struct portable__timer_row **rows_out) {
  struct portable__timing *list = portable__timings_lock();
  uint32_t generation = atomic_load(&portable__timing_generation);
  int64_t since = get(&portable__timing_reset), now = portable__now_ns(), count = 0, at = 0;
  for (struct portable__timing *t = list; t; t = t->next)
    for (struct portable__timer_node *n = atomic_load(&t->nodes); n; n = atomic_load(&n->next)) count++;
  struct portable__timer_row *rows = calloc((size_t)count + 1, sizeof *rows);
  for (struct portable__timing *t = list; t && rows; t = t->next) {
    int64_t first = at;
    for (struct portable__timer_node *n = atomic_load(&t->nodes); n && at < count; n = atomic_load(&n->next)) {
      struct seen s = look(t, n, generation, since, now);
      rows[at++] = (struct portable__timer_row){
          n->label->text, n->label->bytes, t->number, n->parent ? (int32_t)first + n->parent->number : -1, s.active,
          atomic_load(&t->lost), s.count, s.total, s.last, s.min, s.max, s.elapsed};
    }
  }
  portable__timings_unlock();
  *rows_out = rows;
  return rows ? at : -1;
}

portable_status portable__fortran_timer(int32_t version, int32_t begins, const char *label, size_t label_bytes) {
  if (portable__timers_quiet()) return PORTABLE_OK;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  while (label_bytes > 0 && label[label_bytes - 1] == ' ') label_bytes--;
  return portable__timer(begins, label, label_bytes);
}
