/* memcheck.h - checks of memory (PORTABLE_CHECK=memory) and the trace (PORTABLE_TRACE): an observer
 * (watch.h) of each block. Private. memcheck.c is notified; memcheck_blocks.c is the register of
 * blocks; memcheck_find.c makes findings of faults, bad frees and everything that calls
 * portable__finding; memcheck_leaks.c counts live blocks; memcheck_death.c and memcheck_libc.c run
 * in signal handlers. Blocks under guard are in internal/guard. Threads: any; portable__finding_of
 * in signal handlers too. */
#ifndef PORTABLE__MEMCHECK_H
#define PORTABLE__MEMCHECK_H

#include "../edge/base.h"
#include "../observe/watch.h"

/* The facts of a finding; an unknown one is 0. here, alloc, free and other are numbers of stacks. */
struct portable__found {
  int32_t kind;
  uint32_t flags;
  uint64_t address, access_bytes;
  int64_t distance;
  uint64_t block_start, block_bytes;
  uint32_t here, alloc, free, other;
  uint64_t count;    /* 0: 1 */
  uint64_t place;    /* what makes two findings the same; 0: kind, here and label */
  const char *label, *text, *other_label;
};

/* Takes the stack of the caller and writes a finding; does nothing unless memory checks are on. label and text may be NULL; address is
 * looked up among the blocks, and may be NULL. Not in a signal handler. */
void portable__finding(int32_t kind, const char *label, const char *text, const void *address);

/* The same with everything said. In signal handlers too. */
void portable__finding_of(const struct portable__found *f);

/* 1: memory checks are on. */
extern _Atomic int portable__memchecking;

/* Puts the stack of the launch into the job, where stacks are wanted. */
void portable__memcheck_launch(struct portable__job *job);

/* A timer that was stopped and is not the innermost one: portable_last_error says it. */
void portable__memcheck_timer(const char *label, size_t bytes);

void portable__memcheck_served(void); /* as at a start of the library, for a program that has portable::allocate alone */
uint32_t portable__memcheck_what(void); /* PORTABLE__MEMCHECK_...: which of it is on */
uint32_t portable__memcheck_last(void); /* the stack of the calling thread's last allocation or free; in handlers too */

/* ---- hash.c ---- */

void portable__hash_open(int on);
/* Steps at checkpoints alone; the block to be dumped: label[bytes], place and step (0: none). */
void portable__hash_set(int32_t checkpoints, portable__text label, size_t bytes, uint64_t place, uint64_t step);
uint64_t portable__memcheck_newest(void); /* the serial of the newest block */
void portable__hash_checkpoint(const char *label); /* nothing unless it is on */

/* ---- memcheck_find.c ---- */

uint64_t portable__memcheck_findings(void);
void portable__memcheck_counts(void); /* writes how often places were met */

/* ---- memcheck_death.c ---- */

void portable__memcheck_arm(void); /* from now on handlers tell */

/* ---- memcheck_libc.c; in handlers ---- */

int portable__memcheck_in_libc(uintptr_t address);
uint32_t portable__memcheck_caller(void *context); /* the stack from where libc was called; the whole, where the signal came outside of it */
/* An abort. 1: libc's, because it was given a block of ours, which has been told. */
int portable__memcheck_libc_free(void *context);

/* ---- memcheck_blocks.c: the register ---- */

struct portable__guarded;

enum { PORTABLE__BLOCK_LIVE = 1, PORTABLE__BLOCK_FREED = 2 };

/* A block. Written under the lock of its part of the table; in handlers read without: what is seen of a block that changes may mix. */
struct portable__known {
  _Atomic uintptr_t start; /* 0: free place, 1: a place that was used */
  _Atomic int32_t state;
  uint32_t alloc_stack, free_stack;
  int32_t thread;
  uint64_t bytes, serial;
  portable_pool pool;
  const char *label; /* for ever */
};

struct portable__live {
  uint64_t blocks, bytes, allocations, high_water;
};

void portable__blocks_add(const struct portable__known *block);
/* Marks it freed; 0: there is no live block. *block_out as it was. */
int portable__blocks_free(uintptr_t start, uint32_t stack, struct portable__known *block_out);
int portable__blocks_find(uintptr_t start, struct portable__known *block_out); /* live or freed; in handlers too */
/* The live block that holds the address; looks at all. In handlers too. */
int portable__blocks_around(uintptr_t address, struct portable__known *block_out);
void portable__blocks_drop(portable_pool pool); /* all blocks of a destroyed pool; 0: of all pools */
void portable__blocks_each(void (*seen)(const struct portable__known *block, void *payload), void *payload); /* live ones */
struct portable__live portable__blocks_live(void);
const char *portable__blocks_label(const char *label, size_t bytes); /* one copy of a text, for ever */
int portable__blocks_is_whole(const char *label); /* 0: what label gave stands for texts of which there is no copy */

/* ---- memcheck_parked.c ---- */

/* Where blocks have canaries only: 1, the block has been freed, without Go; the watchers know it already. And a block that was freed so; NULL: none. */
int portable__memcheck_park(void *ptr);
void *portable__memcheck_unpark(size_t bytes, const char *label, size_t label_bytes); /* observers are notified */

/* ---- memcheck_leaks.c ---- */

enum { PORTABLE__END_EXIT, PORTABLE__END_FINALIZE, PORTABLE__END_SIGNAL };

/* The end of the program or of the library: blocks that were not freed, how often places were met, and the record of the end. */
void portable__memcheck_end(int32_t how);

/* ---- memcheck_left.c ---- */

/* Live blocks of one label that were not picked, where one of so many is (guard.h). */
struct portable__left {
  const char *label;
  uint64_t blocks, bytes;
};

/* Counts them, while the library runs; else the last count stands, which is that of its end. The caller holds a lock of its own over this and the use of what
 * it gives. */
const struct portable__left *portable__memcheck_count_left(size_t *count_out);

/* The library has started: there will be another end. */
void portable__memcheck_begins(void);

/* The record of the end alone; in handlers too. */
void portable__memcheck_finish(int32_t how, int32_t signal);

/* 1: blocks of portable::allocate are checked. Set once, before the program can see it. */
extern _Atomic int portable__serve_checking;

/* ---- hash.c ---- */

/* Before a pool is destroyed: its blocks are read no more. 1: they were until now, and stays is for when the destroy was refused. */
int portable__hash_pool_ends(portable_pool pool);
void portable__hash_pool_stays(portable_pool pool);
void portable__hash_run_ends(void); /* no block that there is now is read any more; under the lock of the instance */
void portable__hash_foreign(portable_pool pool); /* its slabs are the program's, and may be of memory that the host cannot read */

/* ---- what Go calls ---- */

/* memcheck.c: the trace file, what is wanted of it, and pairs of names and values that it begins with, each ended by 0. Nothing wanted: it is
 * off. 0, or what errno says of the file; all the rest works without it. */
enum { PORTABLE__MEMCHECK_MEMORY = 1, PORTABLE__MEMCHECK_EVENTS = 2, PORTABLE__MEMCHECK_STACKS = 4, PORTABLE__MEMCHECK_PRINTS = 8, PORTABLE__MEMCHECK_HASHES = 16 };
int32_t portable__memcheck_open(portable__text path, size_t path_bytes, int32_t how, uint32_t wanted, portable__text meta, size_t meta_bytes);
void portable__memcheck_slab(uint32_t taken, uintptr_t address, uint64_t bytes, portable__text pool, size_t pool_bytes);

/* memcheck_left.c: what is live of a label among the blocks that were not picked; a new count begins with the first. */
void portable__memcheck_left_begin(void);
void portable__memcheck_left(portable__text label, size_t label_bytes, uint64_t blocks, uint64_t bytes);

/* memcheck_find.c: a free that has failed with ERR_POINTER. Before the text of the error is renamed; nothing unless memory checks are on. */
void portable__memcheck_bad_free(portable_pool pool, void *ptr);
/* The library itself has failed, with the text of the calling thread's last error. */
void portable__memcheck_internal(void);

#endif
