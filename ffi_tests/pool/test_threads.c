/* test_threads.c - the default pool from several threads at once: blocks are no other thread's while they are
 * live, and may be freed by a thread other than the one that took them. Not in this file: speed. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 3000, LIVE = 24 };

/* Blocks handed from one thread to the next one; a slot is taken by exchange, so each has one owner. */
static unsigned char *handed[THREADS][LIVE];

typedef struct worker {
  pthread_t thread;
  int id, wrong;
} worker;

static size_t size_of(unsigned r) { return 16 + (r * 2654435761u >> 12) % 30000; }

static void *work(void *payload) {
  worker *w = (worker *)payload;
  unsigned char mark = (unsigned char)(w->id + 1);
  int round;
  for (round = 0; round < ROUNDS; round++) {
    size_t bytes = size_of((unsigned)(round * THREADS + w->id));
    unsigned char *old, *block;
    void *p;
    if (portable_alloc(bytes, "thread", &p) != 0) { w->wrong++; continue; }
    block = (unsigned char *)p;
    block[0] = mark;
    block[bytes - 1] = mark;
    if (block[0] != mark || block[bytes - 1] != mark) w->wrong++;
    old = __atomic_exchange_n(&handed[(w->id + round) % THREADS][round % LIVE], block, __ATOMIC_ACQ_REL);
    if (old != NULL) {
      if (old[0] < 1 || old[0] > THREADS) w->wrong++;
      old[0] = 0;
      if (portable_free(old) != 0) w->wrong++;
    }
  }
  return NULL;
}

int main(void) {
  worker workers[THREADS];
  portable_pool pool;
  int i, j;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  pool = check_default_pool();
  for (i = 0; i < THREADS; i++) {
    workers[i].id = i;
    workers[i].wrong = 0;
    CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
  }
  /* Looking while others work must be safe. */
  for (i = 0; i < 20; i++) {
    portable_stats s = check_stats(pool);
    CHECK(s.in_use_blocks <= THREADS * (LIVE + 2));
    CHECK_STATUS(portable_pool_check(pool), PORTABLE_OK);
  }
  for (i = 0; i < THREADS; i++) {
    CHECK(pthread_join(workers[i].thread, NULL) == 0);
    CHECK(workers[i].wrong == 0);
  }
  for (i = 0; i < THREADS; i++)
    for (j = 0; j < LIVE; j++) CHECK_STATUS(portable_free(handed[i][j]), PORTABLE_OK);
  CHECK(check_stats(pool).allocations == THREADS * ROUNDS);
  CHECK(check_stats(pool).frees == THREADS * ROUNDS);
  return check_end();
}
