/* hash.c - PORTABLE_CHECK=hash: writes a sum of each changed block into the trace after each step,
 * so that yaklcheck diff can compare two runs. A step is a launch that ended outside of kernels, or
 * a checkpoint; a block is named by label and age. Sums are of bits; new blocks are filled with 0.
 * Go reads PORTABLE_HASH: `checkpoints` leaves out launches; `dump=LABEL#PLACE@STEP` writes a block
 * to a file. An observer of memcheck_blocks.c. Threads: any; one step at a time, and
 * frees wait for it. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../edge/above.h"
#include "../guard/guard.h"
#include "../edge/file.h"
#include "../team/team.h"
#include "memcheck.h"
#include "../tracing/trace.h"

#define PARTS 64           /* most sums of parts of a block */
#define LEAST_PART 32768   /* bytes: 4096 values of 8 */

struct seen {
  const char *label;
  uintptr_t start;
  uint64_t bytes, serial, sum;
};

struct list {
  uint64_t n, room;
  struct seen *at;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all that follows */
static struct list before, now;
static uint64_t steps;
static int at_checkpoints;
static struct {
  char label[PORTABLE__LABEL_MAX + 1];
  uint64_t place, step; /* step 0: none */
} wanted;

/* ---- pools over functions of the program's: the host may not be able to read their memory ---- */

#define FOREIGN 64
static _Atomic portable_pool foreign[FOREIGN];
static _Atomic int foreign_more; /* there was no room for one: from then on the default pool alone is looked at */

static int is_listed(portable_pool pool) {
  for (int i = 0; i < FOREIGN; i++)
    if (atomic_load_explicit(&foreign[i], memory_order_relaxed) == pool) return 1;
  return 0;
}

void portable__hash_foreign(portable_pool pool) {
  for (int i = 0; i < FOREIGN; i++) {
    portable_pool none = 0;
    if (atomic_compare_exchange_strong(&foreign[i], &none, pool)) return;
  }
  atomic_store(&foreign_more, 1);
}

static int is_foreign(portable_pool pool) {
  if (pool == 0) return 0; /* the default pool */
  return is_listed(pool) || atomic_load_explicit(&foreign_more, memory_order_relaxed);
}

static void foreign_gone(portable_pool pool) {
  for (int i = 0; i < FOREIGN; i++) {
    portable_pool was = pool;
    if (atomic_compare_exchange_strong(&foreign[i], &was, 0)) return;
  }
}

/* ---- pools that end ---- */

int portable__hash_pool_ends(portable_pool pool) {
  if (!(portable__watched_by() >> PORTABLE__HASH & 1)) return 0;
  const int added = !is_listed(pool); /* a second entry would stay */
  if (added) portable__hash_foreign(pool);
  pthread_mutex_lock(&lock); /* the step under way has read it */
  pthread_mutex_unlock(&lock);
  return added;
}

void portable__hash_pool_stays(portable_pool pool) { foreign_gone(pool); }

/* The register keeps the blocks of a run until its end is reported, which may be after the begin of the next one. */
static _Atomic uint64_t earlier;

void portable__hash_run_ends(void) { atomic_store(&earlier, portable__memcheck_newest()); }

/* ---- sums ---- */

/* Any change of one word changes it: each multiplication is by an odd number. */
static uint64_t sum_of(const unsigned char *p, uint64_t n) {
  const uint64_t by = 0x9e3779b97f4a7c15u;
  uint64_t h[4] = {n, 1, 2, 3}, x[4];
  for (; n >= sizeof x; p += sizeof x, n -= sizeof x) {
    memcpy(x, p, sizeof x);
    for (int i = 0; i < 4; i++) {
      h[i] = (h[i] ^ x[i]) * by;
      h[i] ^= h[i] >> 32;
    }
  }
  memset(x, 0, sizeof x);
  if (n) memcpy(x, p, n);
  for (int i = 0; i < 4; i++) h[i] = (h[i] ^ x[i]) * by;
  for (int i = 1; i < 4; i++) h[0] = ((h[0] ^ h[0] >> 29) + h[i]) * by;
  return h[0] ^ h[0] >> 32;
}

static uint64_t part_of(uint64_t bytes) {
  uint64_t part = (bytes + PARTS - 1) / PARTS;
  return part < LEAST_PART ? LEAST_PART : (part + 4095) & ~(uint64_t)4095;
}

static uint64_t sums_of(const struct seen *s, uint64_t sums[PARTS], uint32_t *count) {
  uint64_t part = part_of(s->bytes), sum = s->bytes;
  *count = 0;
  for (uint64_t at = 0; at < s->bytes; at += part) {
    uint64_t n = s->bytes - at < part ? s->bytes - at : part, one = sum_of((const unsigned char *)s->start + at, n);
    sums[(*count)++] = one;
    sum = (sum ^ one) * 0xff51afd7ed558ccdu;
  }
  return sum ^ sum >> 32;
}

/* ---- records ---- */

static void write_sum(const struct seen *s, uint32_t place, const char *label, const uint64_t *sums, uint32_t count) {
  struct portable__trace_record r;
  portable__trace_begin(&r, PORTABLE__TRACE_HASH);
  portable__trace_u64(&r, steps);
  portable__trace_u64(&r, s->start);
  portable__trace_u64(&r, s->bytes);
  portable__trace_u64(&r, s->sum);
  portable__trace_u32(&r, place);
  portable__trace_u32(&r, 0);
  portable__trace_text(&r, s->label);
  portable__trace_text(&r, label);
  portable__trace_u64(&r, count ? part_of(s->bytes) : 0);
  portable__trace_u32(&r, count);
  for (uint32_t i = 0; i < count; i++) portable__trace_u64(&r, sums[i]);
  portable__trace_put(&r);
}

/* The file is the trace's name with .dump behind: "PORTDUMP", step, place, bytes, then the bytes of the block. */
static void dump(const struct seen *s, uint32_t place) {
  char path[4200], text[4400];
  uint64_t head[4] = {0, steps, place, s->bytes};
  memcpy(head, "PORTDUMP", 8);
  snprintf(path, sizeof path, "%s.dump", portable__trace_path());
  int fd = portable__open_output(path, PORTABLE__FILE_DEFAULT); /* what is behind the trace's name is ours */
  int why = fd < 0 ? errno : portable__write_all(fd, head, sizeof head);
  if (!why) why = portable__write_all(fd, (const void *)s->start, s->bytes);
  if (fd >= 0 && close(fd) != 0 && !why) why = errno;
  if (!why) return;
  snprintf(text, sizeof text, "PORTABLE_HASH: the block cannot be written to %s (%s)", path, portable__file_reason(why));
  portable__trace_note(text);
}

/* ---- a step ---- */

/* The memory behind it is there no more: its run is over. Blocks of portable::allocate belong to no run. */
static int is_of_earlier_run(const struct portable__known *k) {
  return k->serial <= atomic_load_explicit(&earlier, memory_order_relaxed) && strcmp(k->label, PORTABLE__GUARD_SERVED) != 0;
}

static void collect(const struct portable__known *k, void *payload) {
  struct list *l = payload;
  if (l->n == l->room) return; /* blocks have come meanwhile: the next step has them */
  if (k->bytes == 0 || is_of_earlier_run(k) || is_foreign(k->pool) || !portable__above_launch.host_reaches(k->start)) return;
  l->at[l->n++] = (struct seen){k->label, atomic_load(&k->start), k->bytes, k->serial, 0};
}

static int order(const void *a, const void *b) {
  const struct seen *x = a, *y = b;
  int by_label = x->label == y->label ? 0 : strcmp(x->label, y->label);
  return by_label ? by_label : x->serial < y->serial ? -1 : x->serial > y->serial;
}

static int make_room(struct list *l, uint64_t n) {
  l->n = 0;
  if (n <= l->room) return 1;
  void *p = mmap(NULL, 2 * n * sizeof *l->at, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return 0;
  if (l->room) munmap(l->at, l->room * sizeof *l->at);
  l->at = p;
  l->room = 2 * n;
  return 1;
}

/* In a call in progress, or in a stream: a run of the library goes on until the step has been made. */
static PORTABLE__COLD void step(const char *label) {
  uint64_t sums[PARTS];
  uint32_t count, place = 0;
  if (!atomic_load(&portable__running)) return;
  pthread_mutex_lock(&lock);
  steps++;
  if (make_room(&now, portable__blocks_live().blocks + 64)) {
    portable__blocks_each(collect, &now);
    if (now.n) qsort(now.at, now.n, sizeof *now.at, order);
    struct seen all = {.label = "", .bytes = now.n};
    for (uint64_t i = 0, j = 0; i < now.n; i++) {
      struct seen *s = &now.at[i];
      place = i > 0 && strcmp(now.at[i - 1].label, s->label) == 0 ? place + 1 : 0;
      s->sum = sums_of(s, sums, &count);
      all.sum = (all.sum ^ s->sum) * 0xff51afd7ed558ccdu;
      while (j < before.n && order(&before.at[j], s) < 0) j++;
      if (j == before.n || before.at[j].serial != s->serial || before.at[j].sum != s->sum) write_sum(s, place, label, sums, count);
      if (wanted.step == steps && wanted.place == place && strcmp(wanted.label, s->label) == 0) dump(s, place);
    }
    write_sum(&all, 0, label, NULL, 0);
    struct list was = before;
    before = now;
    now = was;
  }
  pthread_mutex_unlock(&lock);
}

void portable__hash_checkpoint(const char *label) {
  if (portable__watched_by() >> PORTABLE__HASH & 1) step(label);
}

/* ---- the watcher ---- */

static void end(struct portable__watched *w, portable_status status) {
  (void)status;
  if (w->kind && !at_checkpoints && !portable__running_job && !atomic_load(&portable__forked)) step(w->label);
}

static void event(const portable_hook_event *e) {
  switch (e->event) {
  case PORTABLE_EVENT_ALLOC:
    if (!atomic_load(&portable__memchecking) && !is_foreign(e->pool) && portable__above_launch.host_reaches((uintptr_t)e->address)) memset(e->address, 0, e->bytes);
    break;
  case PORTABLE_EVENT_FREE: /* it is in the register no more; who reads it now does so under the lock */
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    break;
  case PORTABLE_EVENT_POOL_DESTROY: foreign_gone(e->pool); break;
  default: break;
  }
}

void portable__hash_open(int on) {
  static const struct portable__watcher watcher = {NULL, end, event, 1};
  if (on)
    portable__watch_on(PORTABLE__HASH, &watcher);
  else
    portable__watch_off(PORTABLE__HASH);
}

void portable__hash_set(int32_t checkpoints, const char *label, size_t bytes, uint64_t place, uint64_t step_wanted) {
  pthread_mutex_lock(&lock);
  at_checkpoints = checkpoints;
  wanted.place = place;
  wanted.step = bytes < sizeof wanted.label ? step_wanted : 0;
  if (wanted.step) {
    memcpy(wanted.label, label, bytes);
    wanted.label[bytes] = '\0';
  }
  pthread_mutex_unlock(&lock);
}
