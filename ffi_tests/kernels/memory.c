/* memory.c - the memory behind scratch: taken once for each thread and level, not in each launch; freed when threads end; and what a
 * launch says when there is none. The program's own posix_memalign and free are found by the linker before libc's. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>

#define BYTES 54321 /* no other thread asks for so much and 64 more */

static _Atomic int taken, given, refuse;
static _Atomic uintptr_t pieces[64];

int posix_memalign(void **out, size_t alignment, size_t bytes) {
  if (bytes == BYTES + 64 && atomic_load(&refuse)) return ENOMEM;
  *out = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (*out && bytes == BYTES + 64) {
    int i = atomic_fetch_add(&taken, 1);
    if (i < 64) atomic_store(&pieces[i], (uintptr_t)*out);
  }
  return *out ? 0 : ENOMEM;
}

void free(void *p) {
  static void (*next)(void *);
  for (int i = 0; p && i < 64; i++) {
    uintptr_t piece = (uintptr_t)p;
    if (atomic_compare_exchange_strong(&pieces[i], &piece, 0)) atomic_fetch_add(&given, 1);
  }
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "free");
  next(p);
}

static void touch(const portable_team *team, void *args) {
  (void)args;
  memset(team->scratch, 1, team->scratch_bytes);
}

static portable_status launch(int32_t schedule) {
  portable_bounds b = portable_bounds_1(1000);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.schedule = schedule;
  return portable_parallel_outer("touch", &b, touch, NULL, 0, BYTES, &config);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  int32_t threads = portable_num_threads();
  atomic_store(&refuse, 1);
  CHECK_STATUS(launch(PORTABLE_SCHEDULE_STATIC), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_outer 'touch'");
  CHECK_TEXT("no memory for the scratch");
  atomic_store(&refuse, 0);
  CHECK(taken == 0);
  for (int i = 0; i < 500; i++) CHECK_STATUS(launch(i % 2 ? PORTABLE_SCHEDULE_STATIC : PORTABLE_SCHEDULE_DYNAMIC), PORTABLE_OK);
  CHECK(taken >= 1 && taken <= threads && given == 0); /* a thread that never came to a unit has none */
  CHECK_STATUS(portable_set_num_threads(1), PORTABLE_OK); /* the other threads end */
  if (strcmp(portable_device_name(0), "openmp") != 0) /* whose threads are not the library's to end */
    CHECK(given == taken - 1 || given == taken); /* all, when the launching thread never came to a unit */
  printf("%d threads, %d pieces, %d freed\n", threads, atomic_load(&taken), atomic_load(&given));
  return check_end();
}
