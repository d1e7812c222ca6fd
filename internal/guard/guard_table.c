/* guard_table.c - the arena of guarded blocks, its slots, and the records of all guarded blocks.
 * The arena is one range of addresses without access; nothing else is mapped into it. Slots have
 * eight sizes to a doubling, are cut off in order, and serve their class for ever, the slot that
 * was free longest first, so that a freed block's address stays closed long. Slots with pages
 * (warm) come first, because new pages cost most. Their records are in order of address; blocks
 * with canaries only are found by a table of starts. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "guard_step.h"

#define SLOTS (1u << 18)
#define CANARIES (1u << 20)
#define CLASSES 512
#define STAY_CLOSED 8 /* free slots of a class that wait before one of them serves again */
#define ARENA_MOST ((uint64_t)1 << 42)
#define ARENA_LEAST ((uint64_t)256 << 20)

pthread_mutex_t portable__guard_lock = PTHREAD_MUTEX_INITIALIZER;
__thread uintptr_t portable__guard_in_hand[2] __attribute__((tls_model("initial-exec")));
uintptr_t portable__guard_page = 4096;
_Atomic uintptr_t portable__guard_arena, portable__guard_arena_bytes;

static struct portable__guarded *slots, *canaries; /* fixed once mapped */
static uint32_t slots_most, canaries_most;
static _Atomic uint32_t slots_made, canaries_made; /* made: read without a lock; the records below are complete */
static uint64_t arena_used;
static uint32_t first_free[2][CLASSES], last_free[2][CLASSES]; /* slot + 1; cold and warm */
static uint32_t cold_free[CLASSES];                            /* how many */
static uint32_t free_canary;                             /* record + 1 */
static uint32_t *starts;                                 /* record + 1 of canary blocks, by start; open addressing; twice canaries_most, a power of two */
static int opened;                                       /* 1, or -1: there is no room */

static void *reserve(uint64_t bytes, int protection) {
  void *p = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* A table of as many records as there is room for; 0: of none. */
static uint32_t reserve_records(struct portable__guarded **table, uint32_t most) {
  for (; most >= 1024; most /= 2)
    if ((*table = reserve((uint64_t)most * sizeof **table, PROT_READ | PROT_WRITE))) return most;
  return 0;
}

void portable__guard_hold(void) { pthread_mutex_lock(&portable__guard_lock); }
void portable__guard_go_on(void) { pthread_mutex_unlock(&portable__guard_lock); }

static void lock_for_fork(void) { pthread_mutex_lock(&portable__guard_lock); }
static void unlock_after_fork(void) { pthread_mutex_unlock(&portable__guard_lock); }

static void in_child(void) {
#if PORTABLE__GUARD_STEPS
  portable__step_forked();
#endif
  unlock_after_fork();
}

int portable__guard_open(void) {
  if (opened) return opened > 0;
  portable__guard_page = (uintptr_t)sysconf(_SC_PAGESIZE);
  opened = -1;
  canaries_most = reserve_records(&canaries, CANARIES);
  starts = canaries_most ? reserve(2 * (uint64_t)canaries_most * sizeof *starts, PROT_READ | PROT_WRITE) : NULL;
  if (!starts) return 0;
  slots_most = reserve_records(&slots, SLOTS);
  /* As much as the machine has many times over: addresses cost nothing, and coming back late is what finds uses after a free. */
  uint64_t bytes = ARENA_LEAST, wanted = 16 * (uint64_t)sysconf(_SC_PHYS_PAGES) * portable__guard_page;
  struct rlimit most;
  if (getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur != RLIM_INFINITY && wanted > most.rlim_cur / 4) wanted = most.rlim_cur / 4; /* others want some too */
  while (bytes <= wanted / 2 && bytes < ARENA_MOST) bytes *= 2;
  for (void *p = NULL; slots_most && bytes >= ARENA_LEAST && !p; bytes /= 2)
    if ((p = reserve(bytes, PROT_NONE))) {
      atomic_store(&portable__guard_arena, (uintptr_t)p);
      arena_used = portable__guard_small_open((uintptr_t)p, bytes);
      atomic_store(&portable__guard_arena_bytes, bytes);
    }
  pthread_atfork(lock_for_fork, unlock_after_fork, in_child);
  opened = 1;
  return 1;
}

void portable__guard_prepare(void) {
  lock_for_fork();
  portable__guard_open();
  unlock_after_fork();
}

/* ---- slots ---- */

/* The smallest class of so many pages, and how many pages its slots have. */
static uint32_t class_of(uint64_t pages, uint64_t *pages_out) {
  if (pages <= 8) {
    *pages_out = pages;
    return (uint32_t)pages;
  }
  uint32_t e = 60 - (uint32_t)__builtin_clzll(pages - 1); /* the top four bits of pages-1 say which */
  uint64_t top = (pages - 1) >> e;
  *pages_out = (top + 1) << e;
  return 1 + e * 8 + (uint32_t)top;
}

uint32_t portable__guard_number(const struct portable__guarded *slot) { return (uint32_t)(slot - slots) + 1; }
struct portable__guarded *portable__guard_at(uint32_t number) { return &slots[number - 1]; }

static struct portable__guarded *take_first(int warm, uint32_t class_number) {
  uint32_t *first = &first_free[warm][class_number];
  if (!*first) return NULL;
  struct portable__guarded *r = portable__guard_at(*first);
  if (!(*first = atomic_load(&r->next))) last_free[warm][class_number] = 0;
  if (!warm) cold_free[class_number]--;
  return r;
}

struct portable__guarded *portable__guard_slot_warm(void) {
  static uint32_t next; /* a different class each time */
  for (uint32_t i = 0; i < CLASSES; i++) {
    struct portable__guarded *r = take_first(1, next++ % CLASSES);
    if (r) return r;
  }
  return NULL;
}

struct portable__guarded *portable__guard_slot(uint64_t bytes) {
  uint64_t pages = bytes / portable__guard_page + (bytes % portable__guard_page != 0);
  uint32_t class_number = class_of(pages, &pages);
  struct portable__guarded *r = take_first(1, class_number);
  if (r) return r;
  uint32_t made = atomic_load(&slots_made);
  uint64_t all = atomic_load(&portable__guard_arena_bytes), room = all - arena_used;
  /* Blocks that are too large for the quarantine stay closed a while too, as long as there are addresses. */
  int scarce = made > slots_most / 2 || room < all / 2 || pages > room / portable__guard_page;
  if ((scarce || cold_free[class_number] >= STAY_CLOSED) && (r = take_first(0, class_number))) return r;
  if (made == slots_most || pages > room / portable__guard_page) return NULL;
  r = &slots[made];
  r->how = PORTABLE__GUARD_PAGES;
  r->size_class = class_number;
  r->map = atomic_load(&portable__guard_arena) + arena_used;
  r->map_end = r->map + pages * portable__guard_page;
  arena_used += r->map_end - r->map;
  atomic_store(&slots_made, made + 1);
  return r;
}

void portable__guard_slot_back(struct portable__guarded *r) {
  uint32_t n = portable__guard_number(r), *last = &last_free[r->warm][r->size_class];
  atomic_store(&r->next, 0);
  if (*last)
    atomic_store(&slots[*last - 1].next, n);
  else
    first_free[r->warm][r->size_class] = n;
  *last = n;
  if (!r->warm) cold_free[r->size_class]++;
}

struct portable__guarded *portable__guard_slot_of(uintptr_t address) {
  if (!portable__guard_holds(address)) return NULL;
  uint32_t from = 0, to = atomic_load(&slots_made);
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (slots[middle].map_end <= address)
      from = middle + 1;
    else if (slots[middle].map > address)
      to = middle;
    else
      return &slots[middle];
  }
  return NULL;
}

/* ---- blocks with canaries only ---- */

static uint32_t place_of(uintptr_t start) { /* blocks of a pool start at multiples of 64 */
  return (uint32_t)(((uint64_t)start >> 6) * 0x9e3779b97f4a7c15u >> 32) & (2 * canaries_most - 1);
}

struct portable__guarded *portable__guard_record(void) {
  struct portable__guarded *r;
  if (free_canary) {
    r = &canaries[free_canary - 1];
    free_canary = atomic_load(&r->next);
    return r;
  }
  uint32_t made = atomic_load(&canaries_made);
  if (made == canaries_most) return NULL;
  r = &canaries[made];
  r->how = PORTABLE__GUARD_CANARY;
  atomic_store(&canaries_made, made + 1);
  return r;
}

void portable__guard_record_in(struct portable__guarded *r) {
  uint32_t i = place_of(atomic_load(&r->start)), mask = 2 * canaries_most - 1;
  while (starts[i]) i = (i + 1) & mask;
  starts[i] = (uint32_t)(r - canaries) + 1;
}

struct portable__guarded *portable__guard_record_of(uintptr_t start) {
  if (!starts) return NULL;
  for (uint32_t i = place_of(start), mask = 2 * canaries_most - 1; starts[i]; i = (i + 1) & mask)
    if (atomic_load(&canaries[starts[i] - 1].start) == start) return &canaries[starts[i] - 1];
  return NULL;
}

/* Takes it out of the table of starts, moving up what stands behind it only because it was there. */
void portable__guard_record_out(struct portable__guarded *r) {
  uint32_t n = (uint32_t)(r - canaries) + 1, mask = 2 * canaries_most - 1, i = place_of(atomic_load(&r->start));
  while (starts[i] != n) i = (i + 1) & mask;
  for (uint32_t k = (i + 1) & mask; starts[k]; k = (k + 1) & mask) {
    uint32_t wants = place_of(atomic_load(&canaries[starts[k] - 1].start));
    if (((k - wants) & mask) >= ((k - i) & mask)) {
      starts[i] = starts[k];
      i = k;
    }
  }
  starts[i] = 0;
  atomic_store(&r->start, 0);
  atomic_store(&r->next, free_canary);
  free_canary = n;
}

/* ---- looking ---- */

const struct portable__guarded *portable__guard_find(uintptr_t address) {
  struct portable__guarded *r = portable__guard_slot_of(address);
  if (r) return atomic_load(&r->start) ? r : NULL;
  for (uint32_t i = 0, made = atomic_load(&canaries_made); i < made; i++)
    if (atomic_load(&canaries[i].start) && address - canaries[i].map < canaries[i].map_end - canaries[i].map)
      return atomic_load(&canaries[i].state) == PORTABLE__GUARD_PARKED ? NULL : &canaries[i];
  return NULL;
}

struct portable__guarded *portable__guard_starts(uintptr_t start) {
  if (portable__guard_holds(start)) {
    struct portable__guarded *r = portable__guard_slot_of(start);
    return r && atomic_load(&r->start) == start && atomic_load(&r->state) == PORTABLE__GUARD_LIVE ? r : NULL;
  }
  pthread_mutex_lock(&portable__guard_lock);
  struct portable__guarded *r = portable__guard_record_of(start);
  if (r && atomic_load(&r->state) == PORTABLE__GUARD_PARKED) r = NULL;
  pthread_mutex_unlock(&portable__guard_lock);
  return r;
}

const struct portable__guarded *portable__guard_next(const struct portable__guarded *after) {
  uint32_t made = atomic_load(&slots_made), i = 0;
  int in_slots = !after || after->how == PORTABLE__GUARD_PAGES;
  if (after) i = (uint32_t)(after - (in_slots ? slots : canaries)) + 1;
  for (; in_slots && i < made; i++)
    if (atomic_load(&slots[i].start)) return &slots[i];
  if (in_slots) i = 0;
  for (made = atomic_load(&canaries_made); i < made; i++)
    if (atomic_load(&canaries[i].start)) return &canaries[i];
  return NULL;
}
