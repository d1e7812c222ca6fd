/* guard_parked.c - keeps freed blocks with canaries for the next allocation of the same bytes and
 * label, so that an ordinary pair of calls does not call Go, which costs about 3 us. Only for
 * allocators that have published the block; Go takes all out before it counts (gator.Front).
 * Go's record of a block, bytes and label, must stay true: both must be equal. Canaries are
 * compared at the free and before the next use; a damaged block goes through Go. Lock:
 * portable__guard_lock. Lists are by bytes and label, newest first. */
#include "../team/emulated.h"
#include "guard_room.h"

#define MOST_BYTES ((uint64_t)256 << 20) /* of rooms; the shelf of gator/front/magazine.c keeps as much */
#define MOST_BLOCKS 4096
#define LISTS 1024 /* a power of two */

_Atomic uint32_t portable__guard_parked_count;

static struct portable__guarded *lists[LISTS]; /* linked by after */
static uint64_t parked_bytes;
static int stopped, full;
static int64_t change_bytes, allocations, frees; /* since ever */
static int64_t most_bytes;                       /* change_bytes at its greatest since the last question */

static struct portable__guarded **list_of(uint64_t bytes, const char *name) {
  uint64_t h = (bytes ^ (uint64_t)(uintptr_t)name << 20) * 0x9e3779b97f4a7c15u;
  return &lists[h >> 32 & (LISTS - 1)];
}

static uint64_t room_of(const struct portable__guarded *r) { return r->map_end - r->map; }

/* ---- for who frees and allocates ---- */

int portable__guard_park(uintptr_t start) {
  int parked = 0;
  pthread_mutex_lock(&portable__guard_lock);
  struct portable__guarded *r = stopped ? NULL : portable__guard_record_of(start);
  if (r && r->published && r->name && atomic_load(&r->state) == PORTABLE__GUARD_LIVE && room_of(r) <= MOST_BYTES && portable__guard_intact(r)) {
    full = parked_bytes + room_of(r) > MOST_BYTES || atomic_load(&portable__guard_parked_count) == MOST_BLOCKS;
    parked = !full;
  }
  if (parked) {
    struct portable__guarded **list = list_of(r->bytes, r->name);
    atomic_store(&r->state, PORTABLE__GUARD_PARKED);
    r->after = *list;
    *list = r;
    parked_bytes += room_of(r);
    change_bytes -= (int64_t)r->bytes;
    frees++;
    atomic_fetch_add(&portable__guard_parked_count, 1);
  }
  pthread_mutex_unlock(&portable__guard_lock);
  if (parked && portable__emulated_number()) portable__guard_handlers();
  return parked;
}

/* Takes it out of its list. */
static struct portable__guarded *take(struct portable__guarded **at) {
  struct portable__guarded *r = *at;
  *at = r->after;
  r->after = NULL;
  parked_bytes -= room_of(r);
  atomic_fetch_sub(&portable__guard_parked_count, 1);
  return r;
}

uintptr_t portable__guard_unpark(uint64_t bytes, const char *name) {
  struct portable__violation found[2];
  struct portable__guarded *r = NULL;
  uintptr_t start = 0;
  int n = 0, intact = 1;
  pthread_mutex_lock(&portable__guard_lock);
  struct portable__guarded **at = list_of(bytes, name);
  while (!stopped && *at && ((*at)->bytes != bytes || (*at)->name != name)) at = &(*at)->after;
  if (!stopped && *at) {
    r = take(at);
    start = atomic_load(&r->start);
    intact = portable__guard_intact(r);
    for (int behind = 0; behind < 2 && !intact; behind++) n += portable__guard_look(r, behind, &found[n]);
    atomic_store(&r->state, PORTABLE__GUARD_LIVE);
    change_bytes += (int64_t)bytes;
    if (change_bytes > most_bytes) most_bytes = change_bytes;
    allocations++;
    if (intact) portable__guard_again(r, 0);
  }
  pthread_mutex_unlock(&portable__guard_lock);
  if (!intact) { /* told while the record still is that of the block which was freed */
    for (int i = 0; i < n; i++) portable__guard_tell(&found[i]);
    pthread_mutex_lock(&portable__guard_lock);
    portable__guard_again(r, 1);
    pthread_mutex_unlock(&portable__guard_lock);
  }
  if (r && portable__emulated_number()) portable__guard_handlers();
  return start;
}

/* ---- for the allocator behind ---- */

void portable__guard_publish(uintptr_t start) {
  pthread_mutex_lock(&portable__guard_lock);
  struct portable__guarded *r = portable__guard_record_of(start);
  if (r) r->published = 1;
  pthread_mutex_unlock(&portable__guard_lock);
}

static int is_parked(const struct portable__guarded *r) { return r && atomic_load(&r->state) == PORTABLE__GUARD_PARKED; }

int32_t portable__guard_withdraw(uintptr_t start) {
  pthread_mutex_lock(&portable__guard_lock);
  struct portable__guarded *r = portable__guard_record_of(start);
  int32_t parked = is_parked(r);
  if (r && !parked) r->published = 0;
  pthread_mutex_unlock(&portable__guard_lock);
  return !parked;
}

int32_t portable__guard_is_parked(uintptr_t start) {
  pthread_mutex_lock(&portable__guard_lock);
  int32_t parked = is_parked(portable__guard_record_of(start));
  pthread_mutex_unlock(&portable__guard_lock);
  return parked;
}

void portable__guard_park_stop(int32_t stop) {
  pthread_mutex_lock(&portable__guard_lock);
  stopped = stop;
  pthread_mutex_unlock(&portable__guard_lock);
}

size_t portable__guard_park_drain(uintptr_t *starts, size_t room) {
  size_t n = 0;
  pthread_mutex_lock(&portable__guard_lock);
  for (size_t i = 0; i < LISTS && n < room && atomic_load(&portable__guard_parked_count); i++)
    while (lists[i] && n < room) {
      struct portable__guarded *r = take(&lists[i]);
      r->published = 0; /* it is on its way to the pool */
      starts[n++] = atomic_load(&r->start);
    }
  full = 0;
  pthread_mutex_unlock(&portable__guard_lock);
  return n;
}

int32_t portable__guard_park_full(void) {
  pthread_mutex_lock(&portable__guard_lock);
  int32_t is = full;
  pthread_mutex_unlock(&portable__guard_lock);
  return is;
}

void portable__guard_park_counts(int64_t counts_out[4]) {
  pthread_mutex_lock(&portable__guard_lock);
  counts_out[0] = change_bytes;
  counts_out[1] = allocations - frees;
  counts_out[2] = allocations;
  counts_out[3] = frees;
  pthread_mutex_unlock(&portable__guard_lock);
}

int64_t portable__guard_park_most(void) {
  pthread_mutex_lock(&portable__guard_lock);
  int64_t most = most_bytes;
  most_bytes = change_bytes;
  pthread_mutex_unlock(&portable__guard_lock);
  return most;
}
