/* slots.h - handles of C records (kernels, streams, events, live-outs, owners of arrays, twins,
 * plans, fields, halos) and of pools, which are Go values (table.go). A handle is its kind, the
 * number of times the slot was taken, and the slot's number, so a stale handle is recognised. Slots
 * are made in pieces that are never moved or freed, only taken again: finding one takes no lock,
 * and a reader of a released record still reads a record. Threads: all functions are safe; the
 * owner of a record guards its contents. */
#ifndef PORTABLE__SLOTS_H
#define PORTABLE__SLOTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define PORTABLE__SLOT_SHIFT 6 /* log2 of the slots made at a time, unless a table says otherwise */
#define PORTABLE__SLOT_PIECES 1024
#define PORTABLE__SLOTS_MAX (PORTABLE__SLOT_PIECES << PORTABLE__SLOT_SHIFT)

/* Kinds, in the upper four bits of a handle. 0xd is that of default streams (launch.c), which have no slot. */
#define PORTABLE__KIND_KERNEL 1
#define PORTABLE__KIND_STREAM 2
#define PORTABLE__KIND_EVENT 3
#define PORTABLE__KIND_ARRAY 4
#define PORTABLE__KIND_TWIN 5
#define PORTABLE__KIND_POOL 6
#define PORTABLE__KIND_FFT 7
#define PORTABLE__KIND_FIELDS 8
#define PORTABLE__KIND_HALO 9
#define PORTABLE__KIND_GRAPH 10
#define PORTABLE__KIND_LIVEOUT 0xe

/* The first member of each record. */
struct portable__slot_head {
  _Atomic uint32_t times; /* odd: in use */
  _Atomic uint32_t held;  /* holders; while there is one it must not be taken again */
  uint32_t number;
  uint32_t next;          /* free: 1 + the number of the next free one */
  uint32_t used_before;   /* not 0: the parts that the owner keeps for ever exist */
};

struct portable__slot_table {
  uint64_t kind;
  size_t bytes;         /* of a record */
  uint32_t shift;       /* log2 of the slots of a piece */
  pthread_mutex_t lock; /* guards take and give */
  uint32_t free;        /* 1 + the number of the first free one; 0: none */
  _Atomic uint32_t made;
  _Atomic(char *) pieces[PORTABLE__SLOT_PIECES];
};

#define PORTABLE__SLOT_TABLE(of_kind, type) PORTABLE__SLOT_TABLE_OF(of_kind, type, PORTABLE__SLOT_SHIFT)
/* Declares a table with PORTABLE__SLOT_PIECES << of_shift slots. */
#define PORTABLE__SLOT_TABLE_OF(of_kind, type, of_shift) \
  { .kind = (of_kind), .bytes = sizeof(type), .shift = (of_shift), .lock = PTHREAD_MUTEX_INITIALIZER }

/* As find. The contents of the record stay until release, even if it is retracted meanwhile. */
void *portable__slot_hold(struct portable__slot_table *table, uint64_t handle);
void portable__slot_release(void *record);

/* Takes a record without owner and holder, zeroed when it was never used; NULL: no memory, or all are in use. */
void *portable__slot_take(struct portable__slot_table *table);

/* Lets all threads find it, and returns its handle. */
uint64_t portable__slot_publish(struct portable__slot_table *table, void *record);

/* The record of a handle; NULL: the handle is invalid or stale. */
void *portable__slot_find(struct portable__slot_table *table, uint64_t handle);

/* Makes the handle stale; NULL: it was already. If several threads retract at once, one gets the record. */
void *portable__slot_retract(struct portable__slot_table *table, uint64_t handle);

/* 1: the record is not taken again: its next handle would be one that existed before. */
int portable__slot_worn(const void *record);

/* Releases a record that was taken and not published, or retracted. */
void portable__slot_give(struct portable__slot_table *table, void *record);

/* For walks: the number of slots, and the record in one of them with its handle; NULL: not in use. */
uint32_t portable__slot_count(struct portable__slot_table *table);
void *portable__slot_at(struct portable__slot_table *table, uint32_t number, uint64_t *handle_out);

/* Handles of Go values. A slot is only its head; the Go table that took the slot has the value. */
extern struct portable__slot_table portable__slots_of_pools;

#endif
