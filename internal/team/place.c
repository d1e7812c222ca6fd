/* place.c - finds and sets the processors of the team's threads (place.h). Called under the lock of
 * the team, unless a function says otherwise. */
#define _GNU_SOURCE
#include "place.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

extern int omp_in_parallel(void) __attribute__((weak));
extern int omp_get_num_places(void) __attribute__((weak));
extern int omp_get_place_num_procs(int) __attribute__((weak));
extern void omp_get_place_proc_ids(int, int *) __attribute__((weak));

static cpu_set_t allowed;
static int bound;         /* each worker to a processor of its own, as OpenMP binds its threads */
static int known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards these against portable__place_unbound */

int portable__place_in_openmp(void) { return omp_in_parallel && omp_in_parallel(); }

static int binds(void) {
  const char *value = getenv("OMP_PROC_BIND");
  return value && *value && strncasecmp(value, "false", 5) != 0;
}

/* Adds the processors of OpenMP's places to `set`. */
static void add_places(cpu_set_t *set) {
  int ids[CPU_SETSIZE];
  if (!omp_get_num_places || !omp_get_place_num_procs || !omp_get_place_proc_ids) return;
  for (int p = 0; p < omp_get_num_places(); p++) {
    int n = omp_get_place_num_procs(p);
    if (n < 1 || n > CPU_SETSIZE) continue;
    omp_get_place_proc_ids(p, ids);
    for (int i = 0; i < n; i++)
      if (ids[i] >= 0 && ids[i] < CPU_SETSIZE) CPU_SET((size_t)ids[i], set);
  }
}

static int32_t look(void) {
  CPU_ZERO(&allowed);
  known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  bound = binds();
  if (bound) add_places(&allowed);
  if (known && CPU_COUNT(&allowed) > 0) return CPU_COUNT(&allowed);
  /* A machine whose mask is larger than a cpu_set_t: threads go where they like. */
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  known = 0;
  return n < 1 ? 1 : (int32_t)n;
}

int32_t portable__place_look(void) {
  pthread_mutex_lock(&lock);
  int32_t n = look();
  pthread_mutex_unlock(&lock);
  return n;
}

void portable__place_unbound(pthread_attr_t *attributes) {
  pthread_mutex_lock(&lock);
  if (known) pthread_attr_setaffinity_np(attributes, sizeof allowed, &allowed);
  pthread_mutex_unlock(&lock);
}

void portable__place_worker(int32_t worker, pthread_attr_t *attributes) {
  if (!known) return;
  cpu_set_t mine = allowed;
  if (bound) {
    int at = worker % CPU_COUNT(&allowed);
    CPU_ZERO(&mine);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
      if (CPU_ISSET(cpu, &allowed) && at-- == 0) CPU_SET(cpu, &mine);
  }
  pthread_attr_setaffinity_np(attributes, sizeof mine, &mine);
}

int portable__place_roams(void) { return known && !bound && CPU_COUNT(&allowed) > 1; }

void portable__place_keep_off(struct portable__place *p, pthread_t thread, int cpu) {
  int32_t off = atomic_load(&p->off);
  if (cpu < 0 || off < 0 || off == cpu + 1 || !atomic_compare_exchange_strong(&p->off, &off, PORTABLE__PLACE_CHANGES)) return;
  int changed = off > 0 || pthread_getaffinity_np(thread, sizeof p->was, &p->was) == 0;
  if (changed) {
    cpu_set_t others = p->was;
    CPU_CLR((size_t)cpu, &others);
    changed = CPU_COUNT(&others) > 0 && pthread_setaffinity_np(thread, sizeof others, &others) == 0;
  }
  atomic_store(&p->off, changed ? cpu + 1 : off);
}

int portable__place_let_go(struct portable__place *p) {
  int32_t off = atomic_load_explicit(&p->off, memory_order_relaxed);
  if (PORTABLE__LIKELY(off <= 0) || !atomic_compare_exchange_strong(&p->off, &off, PORTABLE__PLACE_CHANGES)) return 0;
  cpu_set_t now, kept = p->was;
  CPU_CLR((size_t)(off - 1), &kept);
  /* Another mask is the program's own, set while the worker was kept off: it stays. */
  if (pthread_getaffinity_np(pthread_self(), sizeof now, &now) == 0 && CPU_EQUAL(&now, &kept))
    pthread_setaffinity_np(pthread_self(), sizeof p->was, &p->was);
  atomic_store(&p->off, 0);
  return 1;
}

void portable__place_anywhere(pthread_attr_t *attributes) {
  cpu_set_t all;
  memset(&all, 0xff, sizeof all);
  pthread_attr_setaffinity_np(attributes, sizeof all, &all);
}
