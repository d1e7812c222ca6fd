/* slots.c - see slots.h. */
#include "slots.h"

#include <stdlib.h>

#define TIMES 0x0fffffffu /* of a slot, as handles hold it */
#define TAG(t) ((uint64_t)(t)->tag << 60)

void *portable__slot_at(struct portable__slot_table *t, uint32_t number) {
  if (number >= PORTABLE__SLOTS_MAX) return NULL;
  char *piece = atomic_load_explicit(&t->pieces[number / PORTABLE__SLOT_PIECE], memory_order_acquire);
  return piece ? piece + number % PORTABLE__SLOT_PIECE * t->slot_bytes : NULL;
}

void *portable__slot_find(struct portable__slot_table *t, uint64_t handle) {
  uint32_t times = (uint32_t)(handle >> 32) & TIMES;
  if (times % 2 == 0 || handle >> 60 != t->tag) return NULL;
  struct portable__slot_head *s = portable__slot_at(t, (uint32_t)handle);
  return s && atomic_load_explicit(&s->times, memory_order_acquire) == times ? s : NULL;
}

void *portable__slot_free(struct portable__slot_table *t, uint32_t *number_out) {
  for (uint32_t p = 0; p < PORTABLE__SLOT_PIECES; p++) {
    char *piece = atomic_load(&t->pieces[p]);
    if (!piece) {
      if (!(piece = calloc(PORTABLE__SLOT_PIECE, t->slot_bytes))) return NULL;
      atomic_store_explicit(&t->pieces[p], piece, memory_order_release);
    }
    for (uint32_t i = 0; i < PORTABLE__SLOT_PIECE; i++) {
      struct portable__slot_head *s = (struct portable__slot_head *)(void *)(piece + i * t->slot_bytes);
      uint32_t times = atomic_load(&s->times);
      if (times % 2 || times >= TIMES - 1) continue;
      *number_out = p * PORTABLE__SLOT_PIECE + i;
      return s;
    }
  }
  return NULL;
}

uint64_t portable__slot_begin(struct portable__slot_table *t, void *slot, uint32_t number) {
  struct portable__slot_head *s = slot;
  uint32_t times = atomic_load(&s->times) + 1;
  atomic_store_explicit(&s->times, times, memory_order_release);
  return TAG(t) | (uint64_t)times << 32 | number;
}

void portable__slot_end(void *slot) { atomic_fetch_add(&((struct portable__slot_head *)slot)->times, 1); }
