/* slots.h - handles: numbers that stand for records of C (kernels, streams, events, live-outs, owners of arrays, twins), and for
 * pools, which are values of Go (table.go).
 *
 * A handle is its kind, how often the slot was given out, and the number of the slot, so that a stale handle is
 * recognised, and so is one of another kind. Slots are made in pieces that stay where they are and are never freed, only given out
 * again: finding one takes no lock, and a record that somebody still looks at is always a record.
 *
 * Threads: all functions are safe. What is in a record is for its owner to guard. */
#ifndef PORTABLE__SLOTS_H
#define PORTABLE__SLOTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define PORTABLE__SLOT_SHIFT 6 /* log2 of the slots made at a time, where a table does not say */
#define PORTABLE__SLOT_PIECES 1024
#define PORTABLE__SLOTS_MAX (PORTABLE__SLOT_PIECES << PORTABLE__SLOT_SHIFT)

/* Kinds, in the upper four bits of a handle. 0xd is that of default streams (launch.c), which have no slot. */
#define PORTABLE__KIND_KERNEL 1
#define PORTABLE__KIND_STREAM 2
#define PORTABLE__KIND_EVENT 3
#define PORTABLE__KIND_ARRAY 4
#define PORTABLE__KIND_TWIN 5
#define PORTABLE__KIND_POOL 6
#define PORTABLE__KIND_LIVEOUT 0xe

/* The first member of each record. */
struct portable__slot_head {
  _Atomic uint32_t times; /* odd: in use */
  _Atomic uint32_t held;  /* by whom it must not be given out again */
  uint32_t number;
  uint32_t next;          /* free: 1 + the number of the next free one */
  uint32_t used_before;   /* not 0: what the owner has made for good is there */
};

struct portable__slot_table {
  uint64_t kind;
  size_t bytes;         /* of a record */
  uint32_t shift;       /* log2 of the slots of a piece */
  pthread_mutex_t lock; /* guards taking and giving */
  uint32_t free;        /* 1 + the number of the first free one; 0: none */
  _Atomic uint32_t made;
  _Atomic(char *) pieces[PORTABLE__SLOT_PIECES];
};

#define PORTABLE__SLOT_TABLE(of_kind, type) PORTABLE__SLOT_TABLE_OF(of_kind, type, PORTABLE__SLOT_SHIFT)
/* Of a table with PORTABLE__SLOT_PIECES << of_shift slots. */
#define PORTABLE__SLOT_TABLE_OF(of_kind, type, of_shift) \
  { .kind = (of_kind), .bytes = sizeof(type), .shift = (of_shift), .lock = PTHREAD_MUTEX_INITIALIZER }

/* The same as find, and what is in the record stays there until release, also when it is given back meanwhile. */
void *portable__slot_hold(struct portable__slot_table *table, uint64_t handle);
void portable__slot_release(void *record);

/* A record that is nobody's and not held, zeroed when it was never used; NULL: no memory, or all are in use. */
void *portable__slot_take(struct portable__slot_table *table);

/* Everybody may find it from now on; gives its handle. */
uint64_t portable__slot_publish(struct portable__slot_table *table, void *record);

/* The record of a handle; NULL: there is none, or none any more. */
void *portable__slot_find(struct portable__slot_table *table, uint64_t handle);

/* Nobody finds it any more; NULL: nobody could. Of several threads one gets it. */
void *portable__slot_retract(struct portable__slot_table *table, uint64_t handle);

/* 1: the record is not given out again: its next handle would be one that was there before. */
int portable__slot_worn(const void *record);

/* Gives a record back that was taken and not published, or retracted. */
void portable__slot_give(struct portable__slot_table *table, void *record);

/* For walks: how many slots there are, and the record in one of them with its handle; NULL: it is not in use. */
uint32_t portable__slot_count(struct portable__slot_table *table);
void *portable__slot_at(struct portable__slot_table *table, uint32_t number, uint64_t *handle_out);

/* Handles of values of Go. A slot is its head only; the value is in the table of Go that took the slot. */
extern struct portable__slot_table portable__slots_of_pools;

#endif
