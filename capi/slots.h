/* slots.h - handles of things that C keeps: kernel objects, live-outs. Private. In C because a launch of one must not enter Go.
 *
 * A handle is the number of a slot and how often the slot was given out, and the tag of its sort on top. Slots are made in
 * pieces that stay where they are, so a handle is followed without a lock; a slot is never freed, only given out again. */
#ifndef PORTABLE__SLOTS_H
#define PORTABLE__SLOTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define PORTABLE__SLOT_PIECE 64 /* slots made at a time */
#define PORTABLE__SLOT_PIECES 1024
#define PORTABLE__SLOTS_MAX (PORTABLE__SLOT_PIECE * PORTABLE__SLOT_PIECES)

/* The head of each slot. */
struct portable__slot_head {
  _Atomic uint32_t times; /* given out; odd: in use */
};

struct portable__slot_table {
  size_t slot_bytes; /* of a slot with its head */
  uint32_t tag;      /* 0 to 15 */
  pthread_mutex_t lock; /* guards taking and ending */
  _Atomic(char *) pieces[PORTABLE__SLOT_PIECES];
};

/* The slot of a handle, NULL for one that is none or was ended. */
void *portable__slot_find(struct portable__slot_table *t, uint64_t handle);

/* Locked. A slot that is not in use, NULL when there is none or no memory; it is in use, and has that handle, after begin. */
void *portable__slot_free(struct portable__slot_table *t, uint32_t *number_out);
uint64_t portable__slot_begin(struct portable__slot_table *t, void *slot, uint32_t number);

/* Locked. */
void portable__slot_end(void *slot);

/* Locked. The slot of that number, in use or not; NULL behind the last one. */
void *portable__slot_at(struct portable__slot_table *t, uint32_t number);

#endif
