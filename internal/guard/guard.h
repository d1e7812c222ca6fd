/* guard.h - blocks under guard, for PORTABLE_CHECK=memory. Private. A block with pages has a slot
 * in a reserved range of addresses (the arena): closed pages on both sides, its bytes next to one
 * of them, a pattern in the rest (the slack); after its free the slot stays closed, in the
 * quarantine. A block with canaries only is from a pool, with 128 bytes of pattern on both sides.
 * Slots keep addresses and records for ever, so a handler finds a record without a lock; start 0:
 * unused. Threads: any; in handlers _find, _next and reads of fields. */
#ifndef PORTABLE__GUARD_H
#define PORTABLE__GUARD_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* state; freed: in quarantine; parked: freed, and waiting for an allocation that it fits (guard_parked.c) */
enum { PORTABLE__GUARD_LIVE = 1, PORTABLE__GUARD_FREED = 2, PORTABLE__GUARD_PARKED = 3 };
enum { PORTABLE__GUARD_PAGES = 1, PORTABLE__GUARD_CANARY = 2 }; /* how */
enum { PORTABLE__GUARD_END, PORTABLE__GUARD_START, PORTABLE__GUARD_ALTERNATE, PORTABLE__GUARD_BOTH };

#define PORTABLE__GUARD_LABEL 64

struct portable__guarded {
  _Atomic uintptr_t start; /* 0: free slot */
  uint64_t bytes;          /* as asked for, 0 too */
  uintptr_t map, map_end;  /* the slot with its guards; of a block with canaries only, its room */
  _Atomic int32_t state;
  int32_t how;
  /* For the observer of blocks (internal/memcheck), read by any thread. 0 and empty when the block is handed out. */
  _Atomic uint32_t alloc_stack, free_stack; /* numbers of stacks, 0: none */
  uint64_t serial;                          /* of the allocation, from 1 */
  char label[PORTABLE__GUARD_LABEL];
  const char *name;                         /* the one copy of the whole label that there is; NULL: there is none */
  /* For this room alone. */
  uintptr_t data, data_end;   /* the pages that the block lies in; a canary's: as map and map_end */
  uint64_t cost;              /* bytes of the budget */
  _Atomic uintptr_t closed_page; /* the first page, which holds data, closed by guard=both; or 0 */
  _Atomic uint32_t hits;      /* accesses let through; beyond PORTABLE__GUARD_HITS the slot stays open */
  _Atomic uint32_t told;      /* bits: canaries already reported */
  _Atomic uint32_t next;      /* record + 1: in a list of free slots, in the quarantine */
  uint32_t size_class;
  uint32_t warm, strange;     /* 1: a free slot whose pages are still there; one next to whose block pages may be open or written */
  uint32_t filled;            /* 1: got the pattern of fill=yes */
  int32_t published;          /* 1: it may be parked */
  _Atomic int32_t served;     /* 1: taken by portable::allocate without Go, and freed so */
  struct portable__guarded *after; /* in a list of parked ones */
};

#define PORTABLE__GUARD_HITS 64

/* The contents of new blocks with fill=yes: as real(8) a signalling NaN, as real(4) a quiet one, as integer(4) 2146950829. */
#define PORTABLE__GUARD_FILL 0x7ff7deadu

/* The block whose slot or room holds the address, live or in quarantine, not parked; NULL: none. Looks through all canary blocks for what is not in the
 * arena. */
const struct portable__guarded *portable__guard_find(uintptr_t address);

/* The live block that starts there; NULL: none. Takes a lock: not in a signal handler, nor while portable__guard_report runs in one. */
struct portable__guarded *portable__guard_starts(uintptr_t start);

/* Whether the address lies where blocks with pages are; 0 when there are none. One comparison. */
extern _Atomic uintptr_t portable__guard_arena, portable__guard_arena_bytes;
static inline int portable__guard_holds(uintptr_t address) {
  return address - atomic_load_explicit(&portable__guard_arena, memory_order_relaxed) <
         atomic_load_explicit(&portable__guard_arena_bytes, memory_order_relaxed);
}

/* The alignment that the calling thread's next block needs at least, whatever precise says: 16 where a compiler believes it has called malloc; 0: none. */
extern __thread uint32_t portable__guard_align __attribute__((tls_model("initial-exec")));

/* The first record in use after this one (NULL: of all); NULL at the end. Records change while this looks. */
const struct portable__guarded *portable__guard_next(const struct portable__guarded *after);

enum { PORTABLE__OUT_OF_BOUNDS = 1, PORTABLE__USE_AFTER_FREE, PORTABLE__CANARY, PORTABLE__NEVER_WRITTEN, PORTABLE__HOST_ACCESS };

struct portable__violation {
  int32_t kind;
  int32_t is_write;  /* 1 write, 0 read, -1 not known */
  uintptr_t address; /* a canary's: the first byte that has changed; of never-written memory: the first byte of it that was read */
  uint64_t bytes;    /* of the access, 0: not known; a canary's: from the first byte that has changed to the last one */
  int64_t distance;  /* bytes after the end (>= 0), or before the start (< 0); of an access to freed memory or to memory never written: from the start */
  const struct portable__guarded *block;
  void *context;     /* ucontext_t of the fault, or NULL */
};

/* Told of each violation; NULL: one line on standard error. Set once, by capi. From a fault handler (context is there) only what is safe in a signal
 * handler may be done; without context it is called on the thread that frees or sweeps, outside of this room's lock, maybe inside of a call from Go: it
 * must not call Go. */
extern void (*_Atomic portable__guard_report)(const struct portable__violation *v);

/* Called once for each thing that is less than was asked for: a budget used up, no more addresses. NULL: no call. It must not call Go, nor this room. */
extern void (*_Atomic portable__guard_note)(const char *text);

void portable__guard_handlers(void); /* puts the handlers in front of the program's, again and again; taking and giving blocks do it, too */

/* 1: the calling thread reads blocks for a check of its own. Such a read is never reported, also not of a block that another thread has just freed. */
extern __thread int portable__guard_looking __attribute__((tls_model("initial-exec")));

/* Between these two no thread takes a block or gives one back; it waits. Between them only portable__guard_small_each is called of this room. */
void portable__guard_hold(void);
void portable__guard_go_on(void);

/* The block that the calling thread has taken last, and the one that it is about to free: the program may have them in a register only. */
enum { PORTABLE__GUARD_TAKEN, PORTABLE__GUARD_GIVEN };
extern __thread uintptr_t portable__guard_in_hand[2] __attribute__((tls_model("initial-exec")));

/* Looks at the canaries of all live blocks, and of those that are parked, and reports what is new. Takes the lock: not in a signal handler. */
void portable__guard_sweep(void);

/* How many bytes of a filled block still hold the pattern, in whole words of 4 bytes, and in *first_out the first such byte's offset. 0: none, or the
 * block was not filled. first_out may be NULL. */
uint64_t portable__guard_unwritten(const struct portable__guarded *block, uint64_t *first_out);

/* For a read through the API of elements of a block, of so many bytes each: reports NEVER_WRITTEN, once for a block, when one of them is all pattern. 1:
 * reported. Elements of less than 4 bytes are not looked at: too many values are like the pattern. */
int portable__guard_read(const struct portable__guarded *block, uintptr_t address, uint64_t bytes, uint64_t element_bytes);

/* What PORTABLE_MEMCHECK says; set at a start, before the pool is made. stack and max are the watcher's. */
struct portable__guard_options {
  int32_t on;         /* PORTABLE_CHECK=memory */
  int32_t exact;      /* mode=exact: blocks with pages */
  int32_t guard;      /* PORTABLE__GUARD_END and so on */
  int32_t precise;    /* the end exactly at the guard */
  int32_t fill;
  int32_t stack, max; /* frames; findings of one place that are written */
  int32_t picks;      /* sample is counted by portable__guard_pick, and blocks that it does not pick never come here */
  uint64_t sample;    /* one block of so many has pages; 0: all */
  uint64_t budget, quarantine;
};
extern struct portable__guard_options portable__guard_options;

/* ---- guard_parked.c: freed blocks with canaries that wait for an allocation of the same bytes and label ---- */

/* Whether there may be such blocks, and how many there are. */
static inline int portable__guard_parks(void) {
  return portable__guard_options.on && !portable__guard_options.exact && !portable__guard_options.picks;
}
extern _Atomic uint32_t portable__guard_parked_count;

/* Parks a live block whose canaries are as they should be. 0: its allocator frees it, with all reports. */
int portable__guard_park(uintptr_t start);
/* Hands out the newest one of these bytes and this label (as in `name`): a live block with an empty record; 0: there is none. Reports canaries that
 * have changed since its free. */
uintptr_t portable__guard_unpark(uint64_t bytes, const char *name);

/* The allocator calls these functions; see gator.Front. Stop: 1, start: 0. Draining: call until 0; those blocks are then freed as live ones are. */
void portable__guard_publish(uintptr_t start);
int32_t portable__guard_withdraw(uintptr_t start);
int32_t portable__guard_is_parked(uintptr_t start);
void portable__guard_park_stop(int32_t stop);
size_t portable__guard_park_drain(uintptr_t *starts, size_t room);
int32_t portable__guard_park_full(void);
void portable__guard_park_counts(int64_t counts_out[4]);
int64_t portable__guard_park_most(void);

/* ---- blocks that portable::allocate takes without Go (gator/front/serve_checked.c), of less than PORTABLE__GUARD_SMALL bytes ---- */

#define PORTABLE__GUARD_SMALL 65536u
#define PORTABLE__GUARD_SERVED "ALLOCATE" /* their label */

/* Before the program's own code. The handlers of fork that a program registers later then run while no lock of ours is held, and may take blocks. */
void portable__guard_prepare(void);

/* One with pages; 0: none. And its end: 1; 0: no such block is live. */
uintptr_t portable__guard_served(uint64_t bytes);
int portable__guard_served_give(uintptr_t start);

/* guard_small.c: allocates a block with canaries only, and frees it. _at copies the record of the block whose place holds the address, live or freed;
 * 0: there is none. _each passes all live ones, while others come and go. */
uintptr_t portable__guard_small(uint64_t bytes, uint32_t stack);
int portable__guard_small_give(uintptr_t start, uint32_t stack);
int portable__guard_small_holds(uintptr_t address);
int portable__guard_small_at(uintptr_t address, struct portable__guarded *copy_out);
void portable__guard_small_each(void (*seen)(const struct portable__guarded *copy, void *payload), void *payload);

/* Whether the allocation that the calling thread is about to make is one of those to be under guard; only where options.picks. Then portable__guard_picked is 1
 * on this thread until the caller sets it to 0, after the allocation. The first one of the process is, and one of so many on each thread. */
int portable__guard_pick(void);
extern __thread int portable__guard_picked __attribute__((tls_model("initial-exec")));

#endif
