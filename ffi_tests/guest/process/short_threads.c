/* short_threads.c - five thousand threads that live for a moment, one after the other and a few at once: one
 * state serves them all, what they parked is used again, and memory stays where it was.
 * Not in this file: threads that live on (../../pool/test_threads.c). */
#include "guest.h"

#include <pthread.h>

enum { THREADS = 5000, AT_ONCE = 4 };

static void *handed[THREADS];
static int wrong[AT_ONCE];

static void *moment(void *payload) {
  size_t i = (size_t)(uintptr_t)payload;
  wrong[i % AT_ONCE] += guest_work((unsigned)i);
  if (portable_alloc(1000 + i % 1000, "handed", &handed[i]) != 0) wrong[i % AT_ONCE]++;
  /* what another thread, gone by now, has left */
  if (i >= AT_ONCE && portable_free(handed[i - AT_ONCE]) != 0) wrong[i % AT_ONCE]++;
  return NULL;
}

static void run(size_t from, size_t to) {
  size_t i;
  int k;
  for (i = from; i < to; i += AT_ONCE) {
    pthread_t threads[AT_ONCE];
    for (k = 0; k < AT_ONCE; k++) CHECK(pthread_create(&threads[k], NULL, moment, (void *)(uintptr_t)(i + (size_t)k)) == 0);
    for (k = 0; k < AT_ONCE; k++) CHECK(pthread_join(threads[k], NULL) == 0);
  }
}

int main(void) {
  long resident, virtual, more;
  portable_stats before, after;
  int k;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  run(0, 2000);
  resident = guest_status("VmRSS");
  virtual = guest_status("VmSize");
  before = check_stats(check_default_pool());
  run(2000, THREADS);
  after = check_stats(check_default_pool());
  more = guest_status("VmRSS") - resident;
  printf("%ld KiB resident and %ld KiB of addresses more, %u slabs\n", more, guest_status("VmSize") - virtual, after.slabs);
  /* With magazines each state parks up to 8 MiB, of sizes that come one by one; without, nothing may grow. */
  CHECK(more < (getenv("PORTABLE_FASTPATH") != NULL ? 4096 : (AT_ONCE + 1) * 8192));
  CHECK(after.high_water_bytes < (AT_ONCE + 2) * ((uint64_t)8 << 20));
  CHECK(guest_status("VmSize") - virtual < 200 * 1024); /* threads that Go may have started; a signal stack each would be 750 MiB */
  CHECK(after.slabs == before.slabs);
  for (k = 0; k < AT_ONCE; k++) {
    CHECK(wrong[k] == 0);
    CHECK_STATUS(portable_free(handed[THREADS - AT_ONCE + k]), PORTABLE_OK);
  }
  return check_end();
}
