/* guard_pages.c - blocks with pages of their own: their position in a slot, the quarantine after
 * the free, and its limits. Not in this file: slots and records (guard_table.c), faults
 * (guard_fault.c). Threads: under portable__guard_lock. */

/* A slot:
 *
 *   map                 data        start       start+bytes   data_end                map_end
 *    |  closed pages     |   slack   |   block   |   slack     |    closed pages       |
 *
 * The block ends at data_end (GUARD_END; up to the alignment) or starts at data (GUARD_START). With GUARD_BOTH it ends
 * at data_end; if it does not start at data too, its first page is closed as well, and each access there is examined
 * (guard_fault.c). A freed block's pages keep their contents, closed, until the quarantine exceeds its limit and the
 * slot is used again, or the pages are released; its addresses stay closed until the slot is used again. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../team/emulated.h"
#include "guard_room.h"

#define WIDE 8u                      /* pages on either side, so that a step of a row beyond the end is seen; they are addresses only */
#define HUGE_FROM ((uint64_t)4 << 20) /* bytes of a block that is worth huge pages */
#define WARM_LEAST ((uint64_t)64 << 20)

struct portable__guard_options portable__guard_options;
__thread uint32_t portable__guard_align __attribute__((tls_model("initial-exec")));
__thread int portable__guard_picked __attribute__((tls_model("initial-exec")));
void (*_Atomic portable__guard_note)(const char *text);

/* All locked. */
static uint64_t serials, cost;           /* cost: bytes of the budget in use */
static uint64_t kept;                    /* bytes in quarantine */
static uint64_t maps, maps_most;         /* mappings of ours, as the kernel may count them; half of what it allows */
static struct portable__guarded *oldest, *newest; /* in quarantine, linked by next */

enum { LIVE_MAPS = 3, FREED_MAPS = 2 }; /* closed, open, closed; neighbours may be joined */

static void note_once(int *said, const char *text) {
  void (*note)(const char *) = atomic_load(&portable__guard_note);
  if (*said || !note) return;
  *said = 1;
  note(text);
}

static uint64_t most_maps(void) {
  char text[32] = "";
  int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
  ssize_t n = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  unsigned long most = n > 0 ? strtoul(text, NULL, 10) : 0;
  return (most ? most : 65530) / 2;
}

static void forget(struct portable__guarded *r) {
  atomic_store(&r->alloc_stack, 0);
  atomic_store(&r->free_stack, 0);
  atomic_store(&r->hits, 0);
  atomic_store(&r->told, 0);
  memset(r->label, 0, sizeof r->label);
  r->name = NULL;
  r->serial = ++serials;
}

void portable__guard_begins(struct portable__guarded *r, uintptr_t start) {
  forget(r);
  r->published = 0;
  atomic_store(&r->served, 0);
  atomic_store(&r->state, PORTABLE__GUARD_LIVE);
  atomic_store(&r->start, start);
  portable__guard_in_hand[PORTABLE__GUARD_TAKEN] = start;
  portable__guard_paint(r);
}

void portable__guard_again(struct portable__guarded *r, int paint) {
  forget(r);
  if (paint || portable__guard_options.fill) portable__guard_paint(r);
}

/* ---- the quarantine ---- */

/* From the quarantine a slot goes to the free ones with its pages, closed; they are given up when there are too many of them. */
static uint64_t warm; /* bytes of free slots' pages */

static uint64_t warm_most(void) {
  const struct portable__guard_options *o = &portable__guard_options;
  uint64_t most = o->quarantine / 4 > WARM_LEAST ? o->quarantine / 4 : WARM_LEAST;
  return most < o->budget / 8 ? most : o->budget / 8;
}

/* A new mapping in the same place: the old one ends, and the kernel joins it with its neighbours. */
static void lose(struct portable__guarded *r) {
  mmap((void *)r->map, r->map_end - r->map, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static void cool(struct portable__guarded *r) {
  lose(r);
  r->warm = 0;
  cost -= r->cost;
  maps -= FREED_MAPS;
}

static int cool_one(void) {
  struct portable__guarded *r = portable__guard_slot_warm();
  if (!r) return 0;
  warm -= r->data_end - r->data;
  cool(r);
  portable__guard_slot_back(r);
  return 1;
}

static int let_go_oldest(void) {
  struct portable__guarded *r = oldest;
  if (!r) return 0;
  uint32_t n = atomic_load(&r->next);
  oldest = n ? portable__guard_at(n) : NULL;
  if (!oldest) newest = NULL;
  kept -= r->data_end - r->data;
  r->warm = !r->strange && atomic_load(&r->hits) == 0; /* else pages next to the block may be open, and written */
  if (r->warm)
    warm += r->data_end - r->data;
  else
    cool(r);
  portable__guard_slot_back(r);
  while (warm > warm_most() && cool_one()) {}
  return 1;
}

/* Gives something of what is not in use. */
static int shrink(void) { return cool_one() || let_go_oldest(); }

static void keep(struct portable__guarded *r) {
  atomic_store(&r->next, 0);
  if (newest)
    atomic_store(&newest->next, portable__guard_number(r));
  else
    oldest = r;
  newest = r;
  r->cost = r->map_end - r->map;
  kept += r->data_end - r->data;
  cost += r->cost;
  maps += FREED_MAPS;
  while (kept > portable__guard_options.quarantine && let_go_oldest()) {}
  while (cost > portable__guard_options.budget && shrink()) {}
}

/* ---- taking ---- */

static int starts_at_guard(uint64_t serial) {
  int32_t guard = portable__guard_options.guard;
  if (guard == PORTABLE__GUARD_ALTERNATE) return (int)((serial ^ (uint64_t)getpid()) & 1); /* another run, the other end */
  return guard == PORTABLE__GUARD_START;
}

static uint64_t alignment(uint64_t bytes) {
  uint64_t natural = bytes & -bytes;
  if (!portable__guard_options.precise || natural > 64) natural = 64;
  if (!natural) natural = 1;
  return natural > portable__guard_align ? natural : portable__guard_align;
}

/* Room for one more block that costs so much, maybe after the quarantine has become shorter. */
static int affordable(uint64_t more) {
  static int said;
  while (cost + more > portable__guard_options.budget || maps + LIVE_MAPS > maps_most) {
    if (shrink()) continue;
    note_once(&said, cost + more > portable__guard_options.budget
                         ? "the budget of PORTABLE_MEMCHECK is used up; further blocks have canaries only (budget=SIZE gives more)"
                         : "the kernel allows no more mappings (vm.max_map_count); further blocks have canaries only");
    return 0;
  }
  return 1;
}

static int open_pages(uintptr_t from, uintptr_t to) {
  while (mprotect((void *)from, to - from, PROT_READ | PROT_WRITE) != 0)
    if (errno != ENOMEM || !shrink()) return 0; /* of mappings, or of memory: the quarantine has both */
  return 1;
}

static uintptr_t take(uint64_t bytes, int32_t huge) {
  static int said;
  uintptr_t page = portable__guard_page;
  uint64_t wide = cost < portable__guard_options.budget / 2 ? WIDE : 1;
  if (bytes > atomic_load(&portable__guard_arena_bytes)) return 0;
  uint64_t align = alignment(bytes), data = (bytes + page - 1) / page * page;
  if (!data) data = page;
  uint64_t slack = data - bytes;
  if (!affordable(2 * wide * page + slack)) return 0;
  struct portable__guarded *r = portable__guard_slot(data + 2 * wide * page);
  if (!r) {
    note_once(&said, "there are no more addresses for blocks under guard; further blocks have canaries only");
    return 0;
  }
  if (r->warm) { /* taken from what has been paid for */
    r->warm = 0;
    warm -= r->data_end - r->data;
    cost -= r->cost;
    maps -= FREED_MAPS;
  }
  if (atomic_load(&r->hits)) lose(r); /* accesses since its free have opened pages */
  r->bytes = bytes;
  r->data = r->map + wide * page;
  r->data_end = r->data + data;
  uintptr_t start = starts_at_guard(serials + 1) ? r->data : (r->data_end - bytes) & ~(uintptr_t)(align - 1);
  if (!open_pages(r->data, r->data_end)) {
    note_once(&said, "the kernel opens no more pages for blocks under guard; further blocks have canaries only");
    portable__guard_slot_back(r);
    return 0;
  }
#ifdef MADV_HUGEPAGE
  if (huge && data >= HUGE_FROM) madvise((void *)r->data, data, MADV_HUGEPAGE);
#endif
  (void)huge;
  r->cost = 2 * wide * page + slack;
  cost += r->cost;
  maps += LIVE_MAPS;
  portable__guard_begins(r, start);
  atomic_store(&r->closed_page, 0);
  if (portable__guard_options.guard == PORTABLE__GUARD_BOTH && start > r->data && mprotect((void *)r->data, page, PROT_NONE) == 0)
    atomic_store(&r->closed_page, r->data);
  return start;
}

int portable__guard_pick(void) {
  static _Atomic uint64_t threads;
  static __thread uint64_t until __attribute__((tls_model("initial-exec"))); /* allocations to the next one that is picked, and one */
  if (!until) { /* many threads of few allocations each are sampled too, and not each at its first one */
    uint64_t before = atomic_fetch_add(&threads, 1);
    until = 1 + before * 0x9e3779b97f4a7c15u % portable__guard_options.sample;
  }
  if (--until) return 0;
  until = portable__guard_options.sample;
  return portable__guard_picked = 1;
}

int32_t portable__guard_is_picked(void) { return portable__guard_picked; }

uintptr_t portable__guard_take(uint64_t bytes, int32_t huge) {
  static uint64_t count;
  uintptr_t start = 0;
  pthread_mutex_lock(&portable__guard_lock);
  if (!maps_most) maps_most = most_maps();
  uint64_t sample = portable__guard_options.picks ? 0 : portable__guard_options.sample;
  if (portable__guard_open() && atomic_load(&portable__guard_arena_bytes) && (!sample || count++ % sample == 0)) start = take(bytes, huge);
  pthread_mutex_unlock(&portable__guard_lock);
  portable__guard_handlers();
  return start;
}

uintptr_t portable__guard_served(uint64_t bytes) {
  uintptr_t start = portable__guard_take(bytes, 0);
  if (start) atomic_store(&portable__guard_slot_of(start)->served, 1);
  return start;
}

/* ---- release ---- */

static void free_pages(struct portable__guarded *r) {
  atomic_store(&r->state, PORTABLE__GUARD_FREED);
  int strange = atomic_load(&r->hits) != 0; /* pages next to the block may be open, and written */
  atomic_store(&r->closed_page, 0);
  cost -= r->cost;
  maps -= LIVE_MAPS;
  r->strange = strange;
  atomic_store(&r->hits, 0);
  if (mprotect((void *)(strange ? r->map : r->data), strange ? r->map_end - r->map : r->data_end - r->data, PROT_NONE) != 0) lose(r);
  keep(r);
}

int portable__guard_give(uintptr_t start, uintptr_t *room_out) {
  struct portable__violation found[2];
  int n = 0, how = 0;
  pthread_mutex_lock(&portable__guard_lock);
  struct portable__guarded *r = portable__guard_slot_of(start);
  if (!r)
    r = portable__guard_record_of(start);
  else if (atomic_load(&r->start) != start || atomic_load(&r->state) != PORTABLE__GUARD_LIVE)
    r = NULL;
  if (r && atomic_load(&r->closed_page)) { /* or each word of its canary would be a step */
    if (mprotect((void *)atomic_load(&r->closed_page), portable__guard_page, PROT_READ | PROT_WRITE) == 0) atomic_store(&r->closed_page, 0);
  }
  for (int behind = 0; r && behind < 2; behind++) n += portable__guard_look(r, behind, &found[n]);
  pthread_mutex_unlock(&portable__guard_lock);
  for (int i = 0; i < n; i++) portable__guard_tell(&found[i]); /* while the record still is the block's */
  if (!r) return 0;
  pthread_mutex_lock(&portable__guard_lock);
  how = r->how;
  if (how == PORTABLE__GUARD_PAGES) {
    free_pages(r);
  } else {
    *room_out = r->map;
    atomic_store(&r->state, 0);
    portable__guard_record_out(r);
  }
  pthread_mutex_unlock(&portable__guard_lock);
  if (how == PORTABLE__GUARD_PAGES || portable__emulated_number()) portable__guard_handlers(); /* nothing else of ours is closed */
  return how;
}

int portable__guard_served_give(uintptr_t start) {
  uintptr_t room;
  return portable__guard_give(start, &room) != 0;
}
