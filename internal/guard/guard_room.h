/* guard_room.h - declarations for guard_*.c and guard.go. Private to this folder; guard.h describes
 * guarded blocks. portable__guard_lock guards lists, counters, the layout of records and, except
 * for the fault handler's steps, the protection of pages. Nothing is reported under it. */
#ifndef PORTABLE__GUARD_ROOM_H
#define PORTABLE__GUARD_ROOM_H

#include <pthread.h>
#include <signal.h>

#include "guard.h"

#define PORTABLE__CANARY_BYTES 128u

extern pthread_mutex_t portable__guard_lock;
extern uintptr_t portable__guard_page; /* bytes of a page */

/* ---- guard_table.c: the arena and the records ---- */

/* Reserves the arena and the records, once in a process. 0: there is no room, and blocks come without guards. Locked. */
int portable__guard_open(void);

/* A slot of at least so many bytes, and its record, which is not in use, a warm one rather than another; NULL: there is none. Locked, all of them. */
struct portable__guarded *portable__guard_slot(uint64_t bytes);
void portable__guard_slot_back(struct portable__guarded *r);
struct portable__guarded *portable__guard_slot_warm(void); /* any warm one; NULL: there is none */
uint32_t portable__guard_number(const struct portable__guarded *slot); /* from 1, for lists of slots */
struct portable__guarded *portable__guard_at(uint32_t number);
struct portable__guarded *portable__guard_record(void); /* of a block with canaries only; NULL: there is none */
void portable__guard_record_in(struct portable__guarded *r); /* start is set */
void portable__guard_record_out(struct portable__guarded *r);
struct portable__guarded *portable__guard_record_of(uintptr_t start);

struct portable__guarded *portable__guard_slot_of(uintptr_t address); /* in use or not; without a lock */

/* ---- guard_pages.c: blocks with pages ---- */

/* A record whose layout is set becomes a live block's: patterns, and the fields of the watcher empty. */
void portable__guard_begins(struct portable__guarded *r, uintptr_t start);
/* The same for a block that was parked; paint: its canaries are to be written again. */
void portable__guard_again(struct portable__guarded *r, int paint);

uintptr_t portable__guard_take(uint64_t bytes, int32_t huge); /* 0: no */
int32_t portable__guard_is_picked(void); /* for Go */
/* The memory that a free of this start releases: PORTABLE__GUARD_PAGES: nothing; _CANARY: *room_out to the pool; 0: it is not known here. */
int portable__guard_give(uintptr_t start, uintptr_t *room_out);

/* ---- guard_canary.c: patterns ---- */

/* Puts canaries around a block of a pool, and gives its start; 0: no record is free, or probe says that the processor cannot access the memory. */
uintptr_t portable__guard_canary(uintptr_t room, uint64_t room_bytes, uint64_t bytes, int32_t probe);
void portable__guard_paint(struct portable__guarded *r);
/* Looks for a new change on one side of a block: 1, and the violation is filled. */
int portable__guard_look(struct portable__guarded *r, int behind, struct portable__violation *v);
int portable__guard_intact(const struct portable__guarded *r); /* both sides, nothing of which has been told */

/* ---- guard_small.c ---- */

uint64_t portable__guard_small_open(uintptr_t arena, uint64_t bytes); /* how many bytes of the arena it takes; once */
void portable__guard_small_sweep(void);
/* Looks at the canaries of the block that is live now where the copy was made, which may have been another block's. */
void portable__guard_small_check(const struct portable__guarded *copy, void *unused);

/* ---- guard_fault.c ---- */

void portable__guard_tell(const struct portable__violation *v);

#endif
