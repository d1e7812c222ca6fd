/* fallback.c - kernels of the host that ran in place of a CUDA device, counted by label. So a
 * program moves to the device kernel by kernel, the slowest first. Counted is the time of the
 * kernel, without the fence before it, until the next start of the library. Main functions:
 * portable__fallback_turn (waits for the device), portable__fallback (counts). Lock: `lock` guards
 * the table. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fallback.h"
#include "questions.h"
#include "../../internal/edge/above.h"
#include "../../internal/edge/texthash.h"

#define BUCKETS 256

struct entry {
  struct entry *next;
  uint64_t hash;
  portable_fallback of; /* 0 launches: only the reason is known */
  uint32_t why;
  char label[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *table[BUCKETS];
static size_t entries;
static _Thread_local int32_t held;

portable_status portable__fallback_turn(const char *call, const char *label, portable_stream stream) {
  char function[PORTABLE__LABEL_MAX + 64];
  portable_status status;
  snprintf(function, sizeof function, "%s '%.*s'", call, PORTABLE__LABEL_MAX, label);
  struct portable__stream *s = portable__above_stream.find(function, &stream, &status);
  if (!s || portable__queue_inside() == s) return status; /* inside the stream's own host work, the device is idle */
  snprintf(function, sizeof function, "%s '%.*s', which runs on the host", call, PORTABLE__LABEL_MAX, label);
  return portable__above_stream.settle(function, s, stream, portable__above_stream.end_of(s, stream));
}

/* The entry of a label; NULL: there is none, or no memory to make it. The lock is held. */
static struct entry *entry_of(const char *label, int make) {
  uint64_t hash = portable__text_hash(PORTABLE__HASH_BEGIN, label);
  struct entry **at = &table[hash % BUCKETS], *e;
  while ((e = *at) && (e->hash != hash || strcmp(e->label, label) != 0)) at = &e->next;
  if (!e && make && (e = calloc(1, sizeof *e + strlen(label) + 1))) {
    e->hash = hash;
    e->of.struct_size = (uint32_t)sizeof e->of;
    e->of.label = strcpy(e->label, label);
    *at = e;
    entries++;
  }
  return e;
}

void portable__fallback_hold(int32_t hold) { held = hold; }

void portable__fallback_because(const char *label, uint32_t why) {
  pthread_mutex_lock(&lock);
  struct entry *e = entry_of(label, 1);
  if (e) e->why |= why;
  pthread_mutex_unlock(&lock);
}

uint32_t portable__fallback_why(const char *label) {
  pthread_mutex_lock(&lock);
  const struct entry *e = entry_of(label, 0);
  const uint32_t why = e ? e->why : 0;
  pthread_mutex_unlock(&lock);
  return why;
}

void portable__fallback(const char *label, int64_t count, int64_t ns) {
  if (held) return;
  pthread_mutex_lock(&lock);
  struct entry *e = entry_of(label, 1);
  if (e) {
    e->of.launches++;
    e->of.iterations += count;
    e->of.total_ns += ns;
    if (ns > e->of.max_ns) e->of.max_ns = ns;
  }
  pthread_mutex_unlock(&lock);
}

void portable__fallback_forget(void) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < BUCKETS; i++)
    for (struct entry *e; (e = table[i]); free(e)) table[i] = e->next;
  entries = 0;
  pthread_mutex_unlock(&lock);
}

static int slower_first(const void *a, const void *b) {
  const portable_fallback *x = a, *y = b;
  if (x->total_ns != y->total_ns) return x->total_ns < y->total_ns ? 1 : -1;
  return strcmp(x->label, y->label);
}

int64_t portable__fallback_rows(portable_fallback **rows_out) {
  size_t n = 0, bytes = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < BUCKETS; i++)
    for (const struct entry *e = table[i]; e; e = e->next) bytes += strlen(e->label) + 1;
  portable_fallback *rows = malloc(entries * sizeof *rows + bytes + 1);
  char *text = rows ? (char *)(rows + entries) : NULL;
  for (int i = 0; i < BUCKETS && rows; i++)
    for (const struct entry *e = table[i]; e; e = e->next) {
      if (!e->of.launches) continue;
      rows[n] = e->of;
      rows[n++].label = strcpy(text, e->label);
      text += strlen(text) + 1;
    }
  pthread_mutex_unlock(&lock);
  if (n) qsort(rows, n, sizeof *rows, slower_first);
  *rows_out = rows;
  return rows ? (int64_t)n : -1;
}

portable_status portable_fallback_list(portable_fallback_visitor visit, void *payload) {
  portable_fallback *rows;
  if (!visit) return portable__fail(PORTABLE_ERR_ARG, "portable_fallback_list: visit is NULL");
  if (!portable_is_initialized()) return portable__not_running("portable_fallback_list");
  int64_t n = portable__fallback_rows(&rows);
  if (n < 0) return portable__fail(PORTABLE_ERR_NOMEM, "portable_fallback_list: no memory for a copy of the list");
  for (int64_t i = 0; i < n && visit(&rows[i], payload) == 0; i++) {}
  free(rows);
  return PORTABLE_OK;
}

portable_status portable_fallback_print(void) {
  struct portable__crossing crossing;
  if (!portable_is_initialized()) return portable__not_running("portable_fallback_print");
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__launch_go.fallback_print();
  portable__cross_out(&crossing);
  return status;
}
