/* slots.c - finds records by their handles, and hands out handles. In C because the records are
 * C's. Threads: any; find, hold and release take no lock. Not here: Go values (table.go). */
#include "slots.h"

#include <stdlib.h>
#include <string.h>

#include "../team/hints.h"

#define TIMES_MAX 0x0fffffffu /* of the bits that a handle has for it */
#define KIND_SHIFT 60

struct portable__slot_table portable__slots_of_pools = PORTABLE__SLOT_TABLE(PORTABLE__KIND_POOL, struct portable__slot_head);

static struct portable__slot_head *slot(struct portable__slot_table *t, uint32_t number) {
  uint32_t at = number >> t->shift;
  if (at >= PORTABLE__SLOT_PIECES) return NULL;
  char *piece = atomic_load_explicit(&t->pieces[at], memory_order_acquire);
  return piece ? (struct portable__slot_head *)(void *)(piece + (number - (at << t->shift)) * t->bytes) : NULL;
}

static uint64_t handle_of(const struct portable__slot_table *t, uint32_t times, uint32_t number) {
  return t->kind << KIND_SHIFT | (uint64_t)times << 32 | number;
}

void *portable__slot_find(struct portable__slot_table *t, uint64_t handle) {
  uint32_t times = (uint32_t)(handle >> 32) & TIMES_MAX;
  if (handle >> KIND_SHIFT != t->kind || times % 2 == 0) return NULL;
  struct portable__slot_head *s = slot(t, (uint32_t)handle);
  return s && atomic_load_explicit(&s->times, memory_order_acquire) == times ? s : NULL;
}

/* The holder adds itself first and tests second; retract and take change `times` first and test for holders second. */
void *portable__slot_hold(struct portable__slot_table *t, uint64_t handle) {
  struct portable__slot_head *s = portable__slot_find(t, handle);
  if (!s) return NULL;
  atomic_fetch_add(&s->held, 1);
  if (atomic_load(&s->times) == ((uint32_t)(handle >> 32) & TIMES_MAX)) return s;
  portable__slot_release(s);
  return NULL;
}

void portable__slot_release(void *record) {
  atomic_fetch_sub_explicit(&((struct portable__slot_head *)record)->held, 1, memory_order_release);
}

void *portable__slot_take(struct portable__slot_table *t) {
  struct portable__slot_head *s = NULL;
  pthread_mutex_lock(&t->lock);
  uint32_t *at_free = &t->free;
  while (*at_free && (s = slot(t, *at_free - 1)) && atomic_load(&s->held)) at_free = &s->next;
  if (*at_free) {
    *at_free = s->next;
  } else {
    s = NULL;
    uint32_t number = atomic_load(&t->made), at = number >> t->shift;
    size_t in_piece = (size_t)1 << t->shift;
    void *piece = NULL;
    if (at < PORTABLE__SLOT_PIECES && number == at << t->shift && posix_memalign(&piece, 64, in_piece * t->bytes) == 0) {
      memset(piece, 0, in_piece * t->bytes);
      for (size_t i = 0; i < in_piece; i++) /* found without a lock */
        portable__hint_own((char *)piece + i * t->bytes, sizeof(struct portable__slot_head), 1);
      atomic_store_explicit(&t->pieces[at], piece, memory_order_release);
    }
    if ((s = slot(t, number))) {
      s->number = number;
      atomic_store(&t->made, number + 1);
    }
  }
  pthread_mutex_unlock(&t->lock);
  return s;
}

uint64_t portable__slot_publish(struct portable__slot_table *t, void *record) {
  struct portable__slot_head *s = record;
  uint32_t times = atomic_load(&s->times) + 1;
  s->used_before = 1;
  portable__hint_release(&s->times, 1);
  atomic_store_explicit(&s->times, times, memory_order_release);
  return handle_of(t, times, s->number);
}

void *portable__slot_retract(struct portable__slot_table *t, uint64_t handle) {
  struct portable__slot_head *s = portable__slot_find(t, handle);
  uint32_t times = (uint32_t)(handle >> 32) & TIMES_MAX;
  return s && atomic_compare_exchange_strong(&s->times, &times, times + 1) ? s : NULL;
}

int portable__slot_worn(const void *record) {
  return atomic_load_explicit(&((const struct portable__slot_head *)record)->times, memory_order_relaxed) >= TIMES_MAX - 1;
}

void portable__slot_give(struct portable__slot_table *t, void *record) {
  struct portable__slot_head *s = record;
  if (portable__slot_worn(s)) return;
  pthread_mutex_lock(&t->lock);
  s->next = t->free;
  t->free = s->number + 1;
  pthread_mutex_unlock(&t->lock);
}

uint32_t portable__slot_count(struct portable__slot_table *t) { return atomic_load(&t->made); }

void *portable__slot_at(struct portable__slot_table *t, uint32_t number, uint64_t *handle_out) {
  struct portable__slot_head *s = slot(t, number);
  uint32_t times = s ? atomic_load_explicit(&s->times, memory_order_acquire) : 0;
  if (times % 2 == 0) return NULL;
  portable__hint_acquire(&s->times, 1); /* a caller with a handle got it from another thread, which orders the two; a walk has no handle */
  *handle_out = handle_of(t, times, number);
  return s;
}
