/* holders.c - many threads hold one array, and each makes views and arrays of its own: the memory is given back once, after the last
 * of them, and by whoever that is. Not in this file: one thread (descriptors.c). */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 2000 };

static _Atomic int ends, failures;
static portable_array shared[ROUNDS];

static void end(void *data, int64_t elements, void *payload) {
  (void)payload;
  if (elements != 8 || *(int64_t *)data != 42) atomic_fetch_add(&failures, 1);
  atomic_fetch_add(&ends, 1);
}

#define MUST(call) ((call) == PORTABLE_OK ? (void)0 : (void)atomic_fetch_add(&failures, 1))

static void *hold(void *argument) {
  (void)argument;
  for (int i = 0; i < ROUNDS; i++) {
    portable_array mine = shared[i], view, own;
    MUST(portable_array_collapse(&mine, 1, &view));
    MUST(portable_array_retain(&mine));
    MUST(portable_array_release(&mine));
    mine = shared[i];
    MUST(portable_array_release(&mine)); /* its own share */
    if (*(int64_t *)portable_array_at1(&view, 1) != 42) atomic_fetch_add(&failures, 1);
    MUST(portable_array_create("own", PORTABLE_KIND_INT8, 0, 1, (const int64_t[]){100 + i}, NULL, &own));
    MUST(portable_array_release(&view));
    MUST(portable_array_release(&own));
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.end = end;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int i = 0; i < ROUNDS; i++) {
    CHECK_STATUS(portable_array_create("shared", PORTABLE_KIND_INT64, 0, 1, (const int64_t[]){8}, &config, &shared[i]), PORTABLE_OK);
    *(int64_t *)shared[i].data = 42;
    for (int k = 1; k < THREADS; k++) CHECK_STATUS(portable_array_retain(&shared[i]), PORTABLE_OK);
  }
  for (int k = 0; k < THREADS; k++) CHECK(pthread_create(&threads[k], NULL, hold, NULL) == 0);
  for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
  CHECK(atomic_load(&ends) == ROUNDS && atomic_load(&failures) == 0);
  CHECK_STATUS(portable_array_release(&shared[0]), PORTABLE_ERR_HANDLE);
  return check_end();
}
