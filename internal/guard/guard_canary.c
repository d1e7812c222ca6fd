/* guard_canary.c - paints and compares patterns: canaries around blocks, the slack of their pages,
 * the contents of new blocks with fill=yes. A canary is written once and never restored, because
 * the program may read again what it wrote there; so each side is reported once. glibc's free()
 * takes the 8 bytes before a block for a size. They are a size beyond the end of all memory, which
 * free() and realloc() of every glibc test first: such a call ends the program with "invalid
 * pointer" and damages nothing. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "guard_room.h"

#define PATTERN 0xca11ab1eca11ab1eu
#define FOREIGN 0xfffffffffffffff1u

enum { TOLD_BEFORE = 1, TOLD_BEHIND = 2, TOLD_UNWRITTEN = 4 };

/* The byte that belongs at an address before or behind a block. */
static unsigned char wanted(uintptr_t address, uintptr_t start) {
  uintptr_t before = start - address;
  if (before >= 1 && before <= 8) return (unsigned char)(FOREIGN >> (8 * (8 - before)));
  return (unsigned char)(PATTERN >> (8 * (address & 7)));
}

static void paint(uintptr_t from, uintptr_t to, uintptr_t start) {
  for (; from < to && from & 7; from++) *(unsigned char *)from = wanted(from, start);
  for (const uint64_t word = PATTERN; from + 8 <= to; from += 8) memcpy((void *)from, &word, 8);
  for (; from < to; from++) *(unsigned char *)from = wanted(from, start);
}

/* The first and last byte that differ; 0: none. Both ends by bytes, the middle by words. */
static int differs(uintptr_t from, uintptr_t to, uintptr_t start, uintptr_t *first, uintptr_t *last) {
  int found = 0;
  for (uintptr_t a = from; a < to;) {
    uint64_t word;
    if (!(a & 7) && a + 8 <= to && (a + 8 <= start - 8 || a >= start)) {
      memcpy(&word, (void *)a, 8);
      if (word == PATTERN) {
        a += 8;
        continue;
      }
    }
    if (*(volatile unsigned char *)a != wanted(a, start)) {
      if (!found) *first = a;
      *last = a;
      found = 1;
    }
    a++;
  }
  return found;
}

void portable__guard_paint(struct portable__guarded *r) {
  uintptr_t start = atomic_load(&r->start);
  paint(r->data, start > 8 && start - 8 > r->data ? start - 8 : r->data, start);
  for (uintptr_t a = start - r->data < 8 ? r->data : start - 8; a < start; a++) *(unsigned char *)a = wanted(a, start);
  paint(start + r->bytes, r->data_end, 0);
  r->filled = portable__guard_options.fill != 0;
  if (!r->filled) return;
  const uint32_t word = PORTABLE__GUARD_FILL;
  uint64_t at = 0;
  for (; at + 4 <= r->bytes; at += 4) memcpy((void *)(start + at), &word, 4);
  memcpy((void *)(start + at), &word, r->bytes - at);
}

int portable__guard_look(struct portable__guarded *r, int behind, struct portable__violation *v) {
  uintptr_t start = atomic_load(&r->start), end = start + r->bytes, first = 0, last = 0;
  uint32_t bit = behind ? TOLD_BEHIND : TOLD_BEFORE;
  if (atomic_load(&r->told) & bit) return 0;
  portable__guard_looking = 1;
  int found = behind ? differs(end, r->data_end, 0, &first, &last) : differs(r->data, start, start, &first, &last);
  portable__guard_looking = 0;
  if (!found) return 0;
  atomic_fetch_or(&r->told, bit);
  *v = (struct portable__violation){.kind = PORTABLE__CANARY, .is_write = 1, .address = first, .bytes = last - first + 1, .block = r};
  v->distance = behind ? (int64_t)(first - end) : -(int64_t)(start - first);
  return 1;
}

int portable__guard_intact(const struct portable__guarded *r) {
  uintptr_t start = atomic_load(&r->start), first, last, behind = (start + r->bytes + 7) & ~(uintptr_t)7;
  uint64_t changed = 0, word;
  if (atomic_load(&r->told) & (TOLD_BEFORE | TOLD_BEHIND)) return 0;
  portable__guard_looking = 1;
  for (uintptr_t a = r->data; a < start - 8; a += 8, changed |= word ^ PATTERN) memcpy(&word, (void *)a, 8);
  for (uintptr_t a = behind; a + 8 <= r->data_end; a += 8, changed |= word ^ PATTERN) memcpy(&word, (void *)a, 8);
  changed |= (uint64_t)(differs(start - 8, start, start, &first, &last) || differs(start + r->bytes, behind, 0, &first, &last) ||
                        differs(behind + (r->data_end - behind) / 8 * 8, r->data_end, 0, &first, &last));
  portable__guard_looking = 0;
  return !changed;
}

/* ---- blocks of a pool ---- */

/* Whether the byte can be read and written by the processor, without doing it: a pool of the user's may be of a device's memory. */
static int reachable(uintptr_t address) {
  static int ends[2] = {-1, -1}; /* locked */
  ssize_t n;
  if (ends[0] < 0 && pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return 0;
  do n = write(ends[1], (void *)address, 1);
  while (n < 0 && errno == EINTR);
  if (n != 1) return 0;
  char waste;
  do n = read(ends[0], (void *)address, 1); /* the old contents */
  while (n < 0 && errno == EINTR);
  if (n == 1) return 1;
  while (read(ends[0], &waste, 1) == 1) {}
  return 0;
}

uintptr_t portable__guard_canary(uintptr_t room, uint64_t room_bytes, uint64_t bytes, int32_t probe) {
  uintptr_t start = 0;
  struct portable__guarded *r = NULL;
  pthread_mutex_lock(&portable__guard_lock);
  if (portable__guard_open() && (!probe || (reachable(room) && reachable(room + room_bytes - 1)))) r = portable__guard_record();
  if (r) {
    start = room + PORTABLE__CANARY_BYTES;
    r->bytes = bytes;
    r->map = r->data = room;
    r->map_end = r->data_end = room + room_bytes;
    portable__guard_begins(r, start);
    portable__guard_record_in(r);
  }
  pthread_mutex_unlock(&portable__guard_lock);
  return start;
}

/* ---- looking at all ---- */

#define AT_ONCE 32 /* both sides of a block are found together */

void portable__guard_sweep(void) {
  struct portable__violation found[AT_ONCE];
  int n;
  do {
    const struct portable__guarded *r = NULL;
    n = 0;
    pthread_mutex_lock(&portable__guard_lock);
    while (n < AT_ONCE - 1 && (r = portable__guard_next(r))) {
      int32_t state = atomic_load(&r->state);
      for (int behind = 0; behind < 2 && (state == PORTABLE__GUARD_LIVE || state == PORTABLE__GUARD_PARKED); behind++)
        n += portable__guard_look((struct portable__guarded *)(uintptr_t)r, behind, &found[n]);
    }
    pthread_mutex_unlock(&portable__guard_lock);
    for (int i = 0; i < n; i++) portable__guard_tell(&found[i]);
  } while (n >= AT_ONCE - 1);
  portable__guard_small_sweep();
}

/* ---- never written ---- */

uint64_t portable__guard_unwritten(const struct portable__guarded *r, uint64_t *first_out) {
  uintptr_t start = atomic_load(&r->start);
  uint64_t count = 0;
  if (!r->filled || atomic_load(&r->state) != PORTABLE__GUARD_LIVE) return 0;
  for (uint64_t at = 0; at + 4 <= r->bytes; at += 4) {
    uint32_t word;
    memcpy(&word, (const void *)(start + at), 4);
    if (word != PORTABLE__GUARD_FILL) continue;
    if (!count && first_out) *first_out = at;
    count += 4;
  }
  return count;
}

int portable__guard_read(const struct portable__guarded *block, uintptr_t a, uint64_t bytes, uint64_t element_bytes) {
  struct portable__guarded *r = (struct portable__guarded *)(uintptr_t)block;
  if (!r->filled || element_bytes < 4 || atomic_load(&r->state) != PORTABLE__GUARD_LIVE) return 0;
  uintptr_t start = atomic_load(&r->start);
  if (a < start || bytes > start + r->bytes - a || (a - start) % 4) return 0;
  for (uint64_t at = 0; at + element_bytes <= bytes; at += element_bytes) {
    uint64_t same = 0;
    for (uint32_t word = PORTABLE__GUARD_FILL; same + 4 <= element_bytes; same += 4) {
      memcpy(&word, (const void *)(a + at + same), 4);
      if (word != PORTABLE__GUARD_FILL) break;
    }
    if (same + 4 <= element_bytes) continue;
    if (atomic_fetch_or(&r->told, TOLD_UNWRITTEN) & TOLD_UNWRITTEN) return 0;
    struct portable__violation v = {.kind = PORTABLE__NEVER_WRITTEN, .address = a + at, .bytes = element_bytes, .block = r};
    v.distance = (int64_t)(a + at - start);
    portable__guard_tell(&v);
    return 1;
  }
  return 0;
}
