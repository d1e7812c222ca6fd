/* uses.c - notes the blocks that launches in created streams of CUDA devices use, once for each
 * stream and address, with the last point. Before a free, and before a pool ends, the pools get the
 * whole table; so launches over the same arrays only change numbers. Invariant: PORTABLE__NOTED is
 * set in portable__unfenced while the table has a use. Lock: `lock`, before locks of pools and
 * streams. Not here: default streams (event.c). */
#include "questions.h"
#include "../../gator/front/front.h"
#include "uses.h"

#define ROOM 512  /* uses; a power of 2 */
#define PROBES 16 /* entries where a use may be */

static struct use {
  struct portable__stream *stream;
  uintptr_t address; /* 0: free */
  uint64_t number;
} uses[ROOM];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Locked, and inside a crossing. */
static void tell(void) {
  for (size_t i = 0; i < ROOM; i++) {
    struct use *u = &uses[i];
    if (u->address && atomic_load_explicit(&u->stream->done, memory_order_acquire) < u->number)
      portable__stream_go.depend(u->stream, (uint64_t *)(void *)&u->stream->done, 1, u->number, &u->address, 1);
    u->address = 0;
  }
  atomic_fetch_and(&portable__unfenced, ~PORTABLE__NOTED);
}

void portable__uses_tell(void) {
  struct portable__crossing crossing;
  if (portable__cross_in(&crossing) != PORTABLE_OK) return;
  pthread_mutex_lock(&lock);
  tell();
  pthread_mutex_unlock(&lock);
  portable__cross_out(&crossing);
}

/* The entry of a use, or a free one for it; NULL: other uses have all of them. Locked. */
static struct use *place_of(const struct portable__stream *s, uintptr_t address) {
  size_t at = (size_t)(((address >> 4) ^ ((uintptr_t)s >> 6)) * UINT64_C(0x9E3779B97F4A7C15) >> 40);
  struct use *free_one = NULL;
  for (size_t i = 0; i < PROBES; i++) {
    struct use *u = &uses[(at + i) % ROOM];
    if (u->address == address && u->stream == s) return u;
    if (!free_one && (u->address == 0 || atomic_load_explicit(&u->stream->done, memory_order_acquire) >= u->number)) free_one = u;
  }
  return free_one;
}

/* 0: no free entry. Locked. */
static int note(struct portable__stream *s, uint64_t number, const uintptr_t *addresses, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct use *u = place_of(s, addresses[i]);
    if (PORTABLE__UNLIKELY(!u)) return 0;
    uint64_t before = u->stream == s && u->address == addresses[i] ? u->number : 0;
    *u = (struct use){s, addresses[i], before > number ? before : number};
  }
  if (!(atomic_load_explicit(&portable__unfenced, memory_order_relaxed) & PORTABLE__NOTED)) atomic_fetch_or(&portable__unfenced, PORTABLE__NOTED);
  return 1;
}

/* The same after a full table was emptied. PROBES addresses always fit into an empty table. */
PORTABLE__COLD static void note_anew(struct portable__stream *s, uint64_t number, const uintptr_t *addresses, size_t count) {
  struct portable__crossing crossing;
  if (portable__cross_in(&crossing) != PORTABLE_OK) return;
  pthread_mutex_lock(&lock);
  tell();
  (void)note(s, number, addresses, count);
  pthread_mutex_unlock(&lock);
  portable__cross_out(&crossing);
}

void portable__uses_note(struct portable__stream *s, uint64_t number, const uintptr_t *addresses, size_t count) {
  while (count) {
    size_t n = count < PROBES ? count : PROBES;
    pthread_mutex_lock(&lock);
    int noted = note(s, number, addresses, n);
    pthread_mutex_unlock(&lock);
    if (PORTABLE__UNLIKELY(!noted)) note_anew(s, number, addresses, n);
    addresses += n;
    count -= n;
  }
}
