/* thread.c - the registry of thread states. A state outlives its thread: it becomes an orphan with
 * its parked blocks, and the next new thread takes it over, so thousands of short threads cost few
 * states and no call into Go. In a forked child Go does not work: the thread forgets its state, so
 * that every path ends in the refusal in crossing.c. In C because thread-local storage, exit hooks
 * and fork hooks are C's. Not in this file: the shelf of large blocks, stops of threads
 * (gator/front/shelf.c). */
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "above.h"
#include "calls.h"

__thread struct portable__thread *portable__self __attribute__((tls_model("initial-exec")));
int portable__barrier_is_cheap;
_Atomic int portable__forked;

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER; /* guards the list, orphan, begin_stopped, and each stop */
struct portable__thread *portable__threads;
static int begin_stopped; /* stop of new states */
static pthread_key_t at_exit;
static int have_at_exit; /* a program may have used up all keys: states then stay with ended threads */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void thread_ends(void *state) {
  struct portable__thread *t = state;
  if (atomic_load(&portable__forked)) return;
  if (!t->ending) { /* other hooks of this round, including Go's, still need the thread's signal stack */
    t->ending = 1;
    pthread_setspecific(at_exit, t);
    return;
  }
  portable__calls_thread_ends(t);
  portable__above_timer.thread_ends(t);
  portable__self = NULL;
  portable__signal_stack_leave(t);
  pthread_mutex_lock(&registry);
  t->ending = 0;
  t->orphan = 1;
  pthread_mutex_unlock(&registry);
}

/* Go's own exit hook calls through this pointer (runtime/cgo/gcc_libinit.c); without it the hook does nothing. */
extern void (*x_crosscall2_ptr)(void (*)(void *), void *, int, size_t) __attribute__((weak));

static void in_child(void) {
  if (&x_crosscall2_ptr) x_crosscall2_ptr = NULL; /* else a child's pthread_exit would call into Go, and hang */
  /* a thread that does not exist here may hold the shelf's lock: no thread takes it any more */
  atomic_store(&portable__forked, 1);
  portable__calls_open(); /* the thread that stopped the library does not exist here either, so waiting for it would not end */
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

void portable__barrier_register(void) {
  portable__barrier_is_cheap = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static void prepare(void) {
  have_at_exit = pthread_key_create(&at_exit, thread_ends) == 0;
  pthread_atfork(NULL, NULL, in_child);
  if (!portable__barrier_is_cheap) portable__barrier_register();
}

/* At load, because Go's threads exist from then on: a child forked before the first call must be refused as well. */
__attribute__((constructor(101))) static void at_load(void) { pthread_once(&once, prepare); }

PORTABLE__COLD struct portable__thread *portable__thread_get(void) {
  if (portable__self) return portable__self;
  if (atomic_load(&portable__forked)) return NULL;
  pthread_once(&once, prepare);
  pthread_mutex_lock(&registry);
  struct portable__thread *t = portable__threads;
  while (t && !t->orphan) t = t->next;
  if (t) {
    t->orphan = 0;
    t->error[0] = '\0';
  } else {
    /* mapped, not malloc'ed: untouched classes then cost no memory, and a program whose malloc comes from
       the pool does not recurse */
    void *p = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p != MAP_FAILED) {
      t = p;
      t->limit = PORTABLE__PARKED_MAX;
      atomic_store(&t->stop, begin_stopped);
      t->next = portable__threads;
      portable__threads = t;
    }
  }
  pthread_mutex_unlock(&registry);
  portable__self = t;
  if (t) {
    if (have_at_exit) pthread_setspecific(at_exit, t);
    portable__signal_stack_set(t);
    portable__fix_handlers();
  }
  return t;
}

void portable__threads_lock(void) {
  pthread_once(&once, prepare);
  pthread_mutex_lock(&registry);
}

void portable__threads_unlock(void) { pthread_mutex_unlock(&registry); }

void portable__threads_begin_stopped(int stop) { begin_stopped = stop; }

void portable__threads_barrier(void) {
  atomic_thread_fence(memory_order_seq_cst);
  if (portable__barrier_is_cheap) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

/* A call that begins after the barrier is refused, so it is enough to find each thread outside once. */
int64_t portable__threads_in_calls(int first, int doubt) {
  int64_t n = 0;
  pthread_once(&once, prepare);
  pthread_mutex_lock(&registry);
  if (first) portable__threads_barrier();
  for (struct portable__thread *t = portable__threads; t; t = t->next) {
    if (first) t->outside = 0;
    if (!t->outside) t->outside = atomic_load_explicit(&t->calls, memory_order_acquire) == 0;
    if (doubt && !t->outside) t->outside = portable__call_is_gone(t);
    n += !t->outside;
  }
  pthread_mutex_unlock(&registry);
  return n;
}
