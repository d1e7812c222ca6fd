/* devices.c - registers the devices that the program brings, and runs launches on them
 * (devices.h). */
#define _GNU_SOURCE
#include "devices.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "emulated.h"
#include "fpstate.h"
#include "hints.h"
#include "valgrind.h"

static struct {
  portable_host_device device;
  char name[32];
} list[PORTABLE__DEVICES_MAX];
static int32_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards both while they change */

/* The device `openmp`: the program has these when share/portable/portable_openmp.c or .F90 is part of it. Weak names, and
 * not a constructor, for which an archive without another use would not be searched, and which Fortran has not. */
extern int32_t portable__openmp_workers(void *payload) __attribute__((weak));
extern void portable__openmp_run(int32_t workers, void *work, void *payload) __attribute__((weak));

static int taken(const char *name) {
  if (strcasecmp(name, "serial") == 0 || strcasecmp(name, "threads") == 0) return 1;
  for (int32_t i = 0; i < count; i++)
    if (strcasecmp(name, list[i].name) == 0) return 1;
  return 0;
}

int portable__device_add(const portable_host_device *device) {
  int result = 1;
  pthread_mutex_lock(&lock);
  if (taken(device->name)) {
    result = 0;
  } else if (count == PORTABLE__DEVICES_MAX) {
    result = -1;
  } else {
    list[count].device = *device;
    strncpy(list[count].name, device->name, sizeof list[count].name - 1);
    list[count].device.name = list[count].name;
    count++;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int32_t portable__device_own_count(void) {
  static _Atomic int looked;
  if (portable__openmp_workers && portable__openmp_run && !atomic_exchange(&looked, 1)) {
    portable_host_device openmp = PORTABLE_HOST_DEVICE_INIT;
    openmp.name = "openmp";
    openmp.workers = portable__openmp_workers;
    openmp.run = portable__openmp_run;
    portable__device_add(&openmp);
  }
  return count;
}

const char *portable__device_own_name(int32_t i) { return list[i].name; }

int portable__device_is_own(int32_t number) {
  return number > PORTABLE__DEVICE_THREADS && number <= PORTABLE__DEVICE_THREADS + count;
}

int32_t portable__device_workers(int32_t number) {
  if (number < PORTABLE__DEVICE_THREADS) return 1;
  if (!portable__device_is_own(number)) return portable__team_workers();
  const portable_host_device *d = &list[number - PORTABLE__DEVICE_THREADS - 1].device;
  int32_t n = d->workers(d->payload);
  return n < 1 ? 1 : n > PORTABLE__WORKERS_MAX ? PORTABLE__WORKERS_MAX : n;
}

/* ---- the emulated device (emulated.h) ---- */

static _Atomic int32_t emulated; /* its number */

static int32_t emulated_workers(void *payload) {
  (void)payload;
  return portable__team_workers();
}

/* Never called: portable__device_run runs its jobs on the team. Registered so that it is a device like others. */
static void emulated_run(int32_t parts, void *work, void *payload) {
  (void)payload;
  for (int32_t i = 0; i < parts; i++) portable_device_share(work, i);
}

int portable__emulated_begin(void) {
  portable_host_device d = PORTABLE_HOST_DEVICE_INIT;
  if (atomic_load(&emulated)) return 1;
  d.name = PORTABLE__EMULATED_NAME;
  d.workers = emulated_workers;
  d.run = emulated_run;
  (void)portable__device_own_count(); /* openmp comes first, where it is there: or the number would be its */
  int added = portable__device_add(&d);
  if (added == 1) atomic_store(&emulated, PORTABLE__DEVICE_THREADS + portable__device_own_count());
  return added;
}

void portable__device_keep(int32_t n) {
  pthread_mutex_lock(&lock);
  if (n < count) count = n;
  if (!portable__device_is_own(atomic_load(&emulated))) atomic_store(&emulated, 0);
  pthread_mutex_unlock(&lock);
}

int32_t portable__emulated_number(void) { return atomic_load_explicit(&emulated, memory_order_relaxed); }

/* ---- a launch ---- */

/* A job in the hands of a device. On the stack of the thread that launches. */
struct handed {
  struct portable__job *job;
  struct portable__modes modes;
  int watched;            /* by valgrind */
  _Atomic uint32_t flags; /* floating-point exceptions of all shares */
  _Atomic int32_t served; /* shares that were run */
};

void portable_device_share(void *work, int32_t worker) {
  static __thread int begun;
  struct handed *h = work;
  if (!h || worker < 0 || worker >= h->job->workers) return;
  if (!begun) { /* a signal stack, without which a handler could not tell of a stack that is full */
    begun = 1;
    if (portable__team_thread_begins) portable__team_thread_begins();
  }
  portable__hint_acquire(h, h->watched);
  struct portable__modes before = portable__modes_get();
  uint32_t flags = portable__flags_get();
  portable__modes_set(h->modes);
  portable__team_share(h->job, worker);
  atomic_fetch_or_explicit(&h->flags, portable__flags_get(), memory_order_relaxed);
  portable__modes_set(before);
  portable__flags_add(flags);
  atomic_fetch_add_explicit(&h->served, 1, memory_order_relaxed);
  portable__hint_release(h, h->watched);
}

/* On the team, whose kernels reach the device's memory meanwhile. A job that ends by the thread's end leaves it open. */
static int run_emulated(struct portable__job *job) {
  portable__emulated_open();
  int failed = portable__team_run(job);
  portable__emulated_close();
  return failed;
}

int portable__device_run(struct portable__job *job) {
  int cancel;
  if (job->device == portable__emulated_number()) return run_emulated(job);
  const portable_host_device *d = &list[job->device - PORTABLE__DEVICE_THREADS - 1].device;
  if (job->workers > job->cut.units) job->workers = (int32_t)job->cut.units;
  if (job->workers <= 1 || portable__team_nested()) {
    job->workers = 1;
    return portable__team_run(job); /* inline */
  }
  struct handed h = {.job = job, .modes = portable__modes_get()};
  h.watched = portable__valgrind(PORTABLE__VALGRIND_RUNS, 0, 0, 0) != 0;
  portable__hint_own(&h, sizeof h, h.watched);
  portable__hint_release(&h, h.watched);
  /* A thread that ended here would take the job with it, on which others work. */
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
  d->run(job->workers, &h, d->payload);
  pthread_setcancelstate(cancel, &cancel);
  portable__hint_acquire(&h, h.watched);
  portable__modes_restore(h.modes);
  portable__flags_add(atomic_load_explicit(&h.flags, memory_order_relaxed));
  int32_t served = atomic_load_explicit(&h.served, memory_order_relaxed);
  if (served != job->workers && !job->failed) {
    job->fail_code = -1;
    snprintf(job->fail_text, sizeof job->fail_text, "the device '%s' has run %d of %d parts", d->name, (int)served, (int)job->workers);
    job->failed = 1;
  }
  return job->failed;
}
