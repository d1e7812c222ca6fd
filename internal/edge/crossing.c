/* crossing.c - the crossing into Go: prepares the thread before, and restores it after. In C
 * because Go code cannot run before it. Programs trap floating-point exceptions (-ffpe-trap) or set
 * other modes. The Go runtime computes with floating point itself: it must neither trap nor round
 * differently, and a new Go thread must not inherit such modes. So the control word is the default
 * inside Go, and the caller's outside. */
#if defined(__x86_64__)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#include <fenv.h>
#endif

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "above.h"
#include "environment.h"
#include "thread.h"

#define GO_ADDRESSES ((size_t)2 << 30) /* at most, that Go and the C library reserve for its start and its first threads */
#define GO_THREADS 8
#define FIX_EVERY 4096 /* crossings of a thread; 64 system calls each time */

_Atomic int portable__broken;
_Atomic int portable__running;
__thread int portable__faulted __attribute__((tls_model("initial-exec")));

/* ---- the start of the Go runtime ---- */

/* Go's constructor, which has a section of its own in the archive (cmake/build_archive.cmake), so that the loader does not run it. There is none in
   programs of Go, as tests are. */
extern void (*const portable__go_start[])(int, char **, char **) __attribute__((weak));
/* In programs that link portable::allocate (gator/front/allocate). */
extern void portable__allocate_begin(void) __attribute__((weak));

uintptr_t portable__go_handler; /* of signals; 0: not known */
static _Atomic int go_started; /* -1: it cannot be */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int count, waits;
static char **arguments, **variables;
static struct rlimit threads_at_load;
static uid_t user_at_load;

static void *wait_for_gate(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

/* Go ends the process if it gets no addresses or no thread, and the program may have lowered its limits since it was loaded. So we try the same before. */
static int has_room(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    void *const place = mmap(NULL, GO_ADDRESSES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return 0;
    munmap(place, GO_ADDRESSES);
  }
  if (getrlimit(RLIMIT_NPROC, &limit) != 0 || (limit.rlim_cur >= threads_at_load.rlim_cur && getuid() == user_at_load)) return 1;
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t thread[GO_THREADS];
  int made = 0;
  pthread_mutex_lock(&gate);
  while (made < GO_THREADS && pthread_create(&thread[made], NULL, wait_for_gate, &gate) == 0) made++;
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < made; i++) pthread_join(thread[i], NULL);
  return made == GO_THREADS;
}

static void start(void) {
  const int can = !waits || has_room();
  if (can && portable__go_start) {
    struct sigaction urgent;
    portable__go_start[0](count, portable__go_arguments(count, arguments), variables);
    if (sigaction(SIGURG, NULL, &urgent) == 0) portable__go_handler = (uintptr_t)urgent.sa_sigaction;
  }
  atomic_store_explicit(&go_started, can ? 1 : -1, memory_order_release);
}

/* A program that only links portable::allocate may never have a block for the pool, and a start takes milliseconds. An observer wants to see the
   beginning. */
static int may_wait(void) {
  static const char *const observers[] = {"PORTABLE_CHECK", "PORTABLE_TRACE", "PORTABLE_VERBOSE", "PORTABLE_PROFILE"};
  if (!portable__allocate_begin) return 0;
  for (size_t i = 0; i < sizeof observers / sizeof *observers; i++) {
    const char *text = portable__getenv(observers[i]);
    if (text && *text) return 0;
  }
  return 1;
}

/* The C library passes these to constructors; Go needs them. */
static void at_load(int c, char **v, char **e) {
  count = c;
  arguments = v;
  variables = e;
  getrlimit(RLIMIT_NPROC, &threads_at_load);
  user_at_load = getuid();
  portable__barrier_register();
  waits = may_wait();
  if (!waits) pthread_once(&once, start);
}
/* Before all constructors of the library, which may call Go, and those of users. */
__attribute__((section(".init_array.00100"), used)) static void (*const at_load_first)(int, char **, char **) = at_load;

/* ---- crossings ---- */

void portable__fault_seen(void) { portable__faulted = 1; }

int32_t portable_is_initialized(void) {
  return atomic_load(&portable__running) && !atomic_load(&portable__forked);
}

static inline void leave(const struct portable__crossing *c) {
  portable__inside--;
#if defined(__x86_64__)
  _mm_setcsr(c->mxcsr);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0; msr fpsr, %1" : : "r"(c->fpcr), "r"(c->fpsr));
#else
  fesetenv((const fenv_t *)(const void *)c->environment);
#endif
}

portable_status portable__cross_in(struct portable__crossing *c) {
  if (atomic_load_explicit(&portable__forked, memory_order_relaxed))
    return portable__fail(PORTABLE_ERR_FORK, "portable: this is a forked child, where the library cannot work; "
                          "let it exec a program, or do its work in the parent");
  if (atomic_load_explicit(&portable__broken, memory_order_relaxed))
    return portable__fail(PORTABLE_ERR_INTERNAL, "portable: an earlier fault inside the library left it unusable; "
                          "please report the text of the first one");
  if (PORTABLE__UNLIKELY(portable__in_slab_function))
    return portable__fail(PORTABLE_ERR_STATE, "portable: called inside a function for slabs of a pool, which runs under the pool's lock; take the memory "
                          "of slabs from elsewhere, and call the library outside of that function");
  if (PORTABLE__UNLIKELY(portable__in_block()))
    return portable__fail(PORTABLE_ERR_STATE, "portable: called inside a block kernel, whose threads have stacks too small for this call; call it before or "
                          "after the launch");
  struct portable__thread *t = portable__self ? portable__self : portable__thread_get();
  if (t && PORTABLE__UNLIKELY(++t->crossings % FIX_EVERY == 0)) portable__fix_handlers();
  portable__inside++;
#if defined(__x86_64__)
  c->mxcsr = _mm_getcsr();
  _mm_setcsr(0x1f80);
#elif defined(__aarch64__)
  __asm__ volatile("mrs %0, fpcr; mrs %1, fpsr; msr fpcr, xzr" : "=&r"(c->fpcr), "=&r"(c->fpsr));
#else
  _Static_assert(sizeof(fenv_t) <= sizeof c->environment, "fenv_t is larger than its place");
  feholdexcept((fenv_t *)(void *)c->environment);
  fesetround(FE_TONEAREST);
#endif
  /* Here, because Go's threads inherit these modes, and allocations of the start are not for the pool. */
  if (PORTABLE__LIKELY(atomic_load_explicit(&go_started, memory_order_acquire) > 0)) return PORTABLE_OK;
  pthread_once(&once, start);
  if (atomic_load(&go_started) > 0) return PORTABLE_OK;
  leave(c);
  return portable__fail(PORTABLE_ERR_NOMEM, "portable: the library cannot start: the program has lowered its limits before its first call, and there is no "
                        "place for %d threads or %zu MiB of addresses; start the library before, or raise RLIMIT_NPROC or RLIMIT_AS", GO_THREADS, GO_ADDRESSES >> 20);
}

void portable__cross_out(const struct portable__crossing *c) {
  if (PORTABLE__UNLIKELY(portable__faulted)) portable__above_capi.tell_fault();
  leave(c);
}
