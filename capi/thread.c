/* thread.c - the registry of thread states, and the shelf of large blocks that all threads share. In C because
 * thread-local storage, thread-exit hooks and fork hooks are C's.
 *
 * A state outlives its thread: at the thread's end it is marked an orphan, parked blocks and all, and the
 * next new thread takes it over, so thousands of short-lived threads cost one state each at a time and no
 * call into Go. Go can drain orphans like all others.
 *
 * In a forked child only the forking thread exists and the Go runtime does not work: the thread forgets its
 * state there, so that every path leads to the refusal in crossing.c. */
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"

__thread struct portable__thread *portable__self __attribute__((tls_model("initial-exec")));
int portable__barrier_is_cheap;
_Atomic int portable__forked;

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER; /* guards the list, orphan, stopped, and each stop */
static struct portable__thread shelf; /* 240 KB: an initial value would put all of it into every program; prepare sets its limit */
static pthread_mutex_t shelf_lock = PTHREAD_MUTEX_INITIALIZER; /* guards the shelf; taken last */
static struct portable__thread *all = &shelf;
static int stopped, held; /* by Go for a moment; by who wants to see each block (watch.c) */
static pthread_key_t at_exit;
static int have_at_exit; /* a program may have used up all keys: states then stay with threads that are gone */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void thread_ends(void *state) {
  struct portable__thread *t = state;
  if (atomic_load(&portable__forked)) return;
  if (!t->ending) { /* other hooks of this round, Go's among them, still need the thread's signal stack */
    t->ending = 1;
    pthread_setspecific(at_exit, t);
    return;
  }
  portable__calls_thread_ends(t);
  portable__timer_thread_ends(t);
  portable__self = NULL;
  portable__signal_stack_leave(t);
  pthread_mutex_lock(&registry);
  t->ending = 0;
  t->orphan = 1;
  pthread_mutex_unlock(&registry);
}

/* Go's own exit hook goes through this pointer (runtime/cgo/gcc_libinit.c); without it the hook does nothing. */
extern void (*x_crosscall2_ptr)(void (*)(void *), void *, int, size_t) __attribute__((weak));

static void in_child(void) {
  if (&x_crosscall2_ptr) x_crosscall2_ptr = NULL; /* else a child's pthread_exit would call into Go, and hang */
  /* the shelf's lock may be held by a thread that is not here: nobody takes it any more */
  atomic_store(&portable__forked, 1);
  portable__calls_open(); /* the thread that stopped the library is not here either, and nobody would wait to its end */
  portable__self = NULL;
}

int portable__own_stack(uintptr_t *from_out, uintptr_t *to_out) {
  pthread_attr_t attributes;
  void *lowest = NULL;
  size_t bytes = 0;
  *from_out = *to_out = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  const int known = pthread_attr_getstack(&attributes, &lowest, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  if (!known) return 0;
  *from_out = (uintptr_t)lowest;
  *to_out = *from_out + bytes;
  return 1;
}

static void prepare(void) {
  shelf.limit = PORTABLE__SHELF_MAX;
  have_at_exit = pthread_key_create(&at_exit, thread_ends) == 0;
  pthread_atfork(NULL, NULL, in_child);
  portable__barrier_is_cheap = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* At load, because Go's threads exist from then on: a child forked before the first call must be refused as well. */
__attribute__((constructor(101))) static void at_load(void) { pthread_once(&once, prepare); }

PORTABLE__COLD struct portable__thread *portable__thread_get(void) {
  if (portable__self) return portable__self;
  if (atomic_load(&portable__forked)) return NULL;
  pthread_once(&once, prepare);
  pthread_mutex_lock(&registry);
  struct portable__thread *t = all;
  while (t && !t->orphan) t = t->next;
  if (t) {
    t->orphan = 0;
    t->error[0] = '\0';
  } else {
    /* mapped, not malloc'ed: untouched classes then cost no memory, and a program whose malloc comes from
       the pool does not run in a circle */
    void *p = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p != MAP_FAILED) {
      t = p;
      t->limit = PORTABLE__PARKED_MAX;
      atomic_store(&t->stop, stopped | held);
      t->next = all;
      all = t;
    }
  }
  pthread_mutex_unlock(&registry);
  portable__self = t;
  if (t) {
    if (have_at_exit) pthread_setspecific(at_exit, t);
    portable__signal_stack_set(t);
    portable__mend_handlers();
  }
  return t;
}

/* The loads of busy below must not come before the stores of stop are seen by all; see portable__enter. */
static void barrier(void) {
  atomic_thread_fence(memory_order_seq_cst);
  if (portable__barrier_is_cheap) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

/* Whoever comes to a call after the barrier is refused, so it is enough to find each thread outside once. */
int64_t portable__threads_in_calls(int first, int doubt) {
  int64_t n = 0;
  pthread_once(&once, prepare);
  pthread_mutex_lock(&registry);
  if (first) barrier();
  for (struct portable__thread *t = all; t; t = t->next) {
    if (first) t->outside = 0;
    if (!t->outside) t->outside = atomic_load_explicit(&t->calls, memory_order_acquire) == 0;
    if (doubt && !t->outside) t->outside = portable__call_is_gone(t);
    n += !t->outside;
  }
  pthread_mutex_unlock(&registry);
  return n;
}

struct portable__thread *portable__shelf_lock(void) {
  pthread_mutex_lock(&shelf_lock);
  if (!atomic_load_explicit(&shelf.stop, memory_order_relaxed)) return &shelf;
  pthread_mutex_unlock(&shelf_lock);
  return NULL;
}

void portable__shelf_unlock(void) { pthread_mutex_unlock(&shelf_lock); }

/* Registry lock: all owners are outside from now on. */
static void stop_all(void) {
  for (struct portable__thread *t = all; t; t = t->next) atomic_store(&t->stop, 1);
  barrier();
  for (struct portable__thread *t = all; t; t = t->next)
    for (int spins = 0; atomic_load_explicit(&t->busy, memory_order_acquire); spins++)
      if (spins > 100) sched_yield(); /* the owner may have lost its core inside */
  pthread_mutex_lock(&shelf_lock); /* whoever was at the shelf has left when this succeeds */
  pthread_mutex_unlock(&shelf_lock);
}

static void change_stop(int *reason, int value) {
  pthread_once(&once, prepare);
  pthread_mutex_lock(&registry);
  *reason = value;
  if (value)
    stop_all();
  else if (!(stopped | held))
    for (struct portable__thread *t = all; t; t = t->next) atomic_store(&t->stop, 0);
  pthread_mutex_unlock(&registry);
}

void portable__front_stop(void) { change_stop(&stopped, 1); }

void portable__front_start(void) { change_stop(&stopped, 0); }

void portable__front_hold(int32_t hold) { change_stop(&held, hold); }

/* Empties one class from its oldest end and gives how many blocks came out. */
static size_t take(struct portable__thread *t, struct portable__class *k, size_t most, uintptr_t *addresses, size_t room) {
  size_t n = k->count < most ? k->count : most;
  if (n > room) n = room;
  for (size_t i = 0; i < n; i++) {
    addresses[i] = (uintptr_t)k->slot[i].address;
    t->parked -= (uint64_t)k->granules[i] << portable__shift;
  }
  k->count -= (uint32_t)n;
  memmove(k->slot, k->slot + n, k->count * sizeof k->slot[0]);
  memmove(k->granules, k->granules + n, k->count * sizeof k->granules[0]);
  return n;
}

static size_t take_all(struct portable__thread *t, uintptr_t *addresses, size_t room) {
  size_t n = 0;
  for (int c = 0; c < PORTABLE__CLASSES && t->parked > 0; c++)
    n += take(t, &t->classes[c], PORTABLE__SLOTS, addresses + n, room - n);
  return n;
}

size_t portable__front_drain(uintptr_t *addresses, size_t room) {
  size_t n = 0;
  pthread_mutex_lock(&registry);
  for (struct portable__thread *t = all; t && n < room; t = t->next) n += take_all(t, addresses + n, room - n);
  pthread_mutex_unlock(&registry);
  return n;
}

static size_t spill(struct portable__thread *t, int32_t class_number, uintptr_t *addresses, size_t room) {
  if (class_number < 0) return take_all(t, addresses, room);
  return take(t, &t->classes[class_number], PORTABLE__SLOTS / 2, addresses, room);
}

/* Called back by Go on the owner's own thread, which is outside enter and leave; Go holds the pool's lock,
   without which nobody stops and drains. */
size_t portable__front_spill(int32_t from_shelf, int32_t class_number, uintptr_t *addresses, size_t room) {
  if (!from_shelf) return portable__self ? spill(portable__self, class_number, addresses, room) : 0;
  pthread_mutex_lock(&shelf_lock);
  size_t n = spill(&shelf, class_number, addresses, room);
  pthread_mutex_unlock(&shelf_lock);
  return n;
}

void portable__front_forget(const struct portable__slab *slab) {
  pthread_mutex_lock(&registry);
  for (struct portable__thread *t = all; t; t = t->next)
    if (t->slab == slab) t->slab = NULL;
  pthread_mutex_unlock(&registry);
}

void portable__front_counts(int64_t counts_out[4]) {
  int64_t bytes = 0, allocations = 0, frees = 0;
  pthread_mutex_lock(&registry);
  for (struct portable__thread *t = all; t; t = t->next) {
    bytes += atomic_load_explicit(&t->bytes, memory_order_relaxed);
    allocations += atomic_load_explicit(&t->allocations, memory_order_relaxed);
    frees += atomic_load_explicit(&t->frees, memory_order_relaxed);
  }
  pthread_mutex_unlock(&registry);
  counts_out[0] = bytes;
  counts_out[1] = allocations - frees;
  counts_out[2] = allocations;
  counts_out[3] = frees;
}
