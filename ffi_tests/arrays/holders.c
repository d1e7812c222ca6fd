/* holders.c - many threads hold one array, and each makes views and arrays of its own: the memory is freed once, after the last
 * of them, by any of them. Not in this file: one thread (descriptors.c). */
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 500 };

static int rounds = ROUNDS; /* fewer with an argument: for tools in which all takes long */

static _Atomic int ends, failures; /* relaxed: they must not order what the owner has to */
static _Atomic int arrived[ROUNDS];
static portable_array shared[ROUNDS];

static void end(void *data, int64_t elements, void *payload) {
  (void)payload;
  const int64_t *x = (const int64_t *)data;
  if (elements != 8 || x[0] != 42) atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
  for (int k = 0; k < THREADS; k++) /* what all holders wrote is there */
    if (x[1 + k] != 100 + k) atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&ends, 1, memory_order_relaxed);
}

#define MUST(call) ((call) == PORTABLE_OK ? (void)0 : (void)atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed))

static void *hold(void *argument) {
  const int64_t k = *(const int *)argument;
  for (int i = 0; i < rounds; i++) {
    portable_array mine = shared[i], view, own;
    MUST(portable_array_collapse(&mine, 1, &view));
    MUST(portable_array_retain(&mine));
    MUST(portable_array_release(&mine));
    mine = shared[i];
    MUST(portable_array_release(&mine)); /* its own share */
    if (*(int64_t *)portable_array_at1(&view, 1) != 42) atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
    MUST(portable_array_create("own", PORTABLE_KIND_INT8, 0, 1, (const int64_t[]){100 + i}, NULL, &own));
    *(int64_t *)portable_array_at1(&view, 2 + k) = 100 + k;
    /* All have written before the first releases; nothing but the owner says so to a race tool. */
    atomic_fetch_add_explicit(&arrived[i], 1, memory_order_relaxed);
    while (atomic_load_explicit(&arrived[i], memory_order_relaxed) < THREADS) sched_yield();
    MUST(portable_array_release(&view));
    MUST(portable_array_release(&own));
  }
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) rounds = 50;
  pthread_t threads[THREADS];
  int number[THREADS];
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.end = end;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int i = 0; i < rounds; i++) {
    CHECK_STATUS(portable_array_create("shared", PORTABLE_KIND_INT64, 0, 1, (const int64_t[]){8}, &config, &shared[i]), PORTABLE_OK);
    *(int64_t *)shared[i].data = 42;
    for (int k = 1; k < THREADS; k++) CHECK_STATUS(portable_array_retain(&shared[i]), PORTABLE_OK);
  }
  for (int k = 0; k < THREADS; k++) {
    number[k] = k;
    CHECK(pthread_create(&threads[k], NULL, hold, &number[k]) == 0);
  }
  for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
  CHECK(atomic_load(&ends) == rounds && atomic_load(&failures) == 0);
  CHECK_STATUS(portable_array_release(&shared[0]), PORTABLE_ERR_HANDLE);
  return check_end();
}
