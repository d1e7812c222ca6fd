/* crossing.c - the crossing into Go: prepares the thread before, and restores it after. In C
 * because Go code cannot run before it. Programs trap floating-point exceptions (-ffpe-trap) or set
 * other modes. The Go runtime computes with floating point itself: it must neither trap nor round
 * differently, and a new Go thread must not inherit such modes. So the control word is the default
 * inside Go, and the caller's outside. */
#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <fenv.h>
#endif

#include "above.h"
#include "thread.h"

#define FIX_EVERY 4096 /* crossings of a thread; 64 system calls each time */

_Atomic int portable__broken;
_Atomic int portable__running;
__thread int portable__faulted __attribute__((tls_model("initial-exec")));

void portable__fault_seen(void) { portable__faulted = 1; }

int32_t portable_is_initialized(void) {
  return atomic_load(&portable__running) && !atomic_load(&portable__forked);
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
  struct portable__thread *t = portable__self ? portable__self : portable__thread_get();
  if (t && PORTABLE__UNLIKELY(++t->crossings % FIX_EVERY == 0)) portable__fix_handlers();
  portable__inside++;
#if defined(__x86_64__)
  c->mxcsr = _mm_getcsr();
  _mm_setcsr(0x1f80);
#else
  _Static_assert(sizeof(fenv_t) <= sizeof c->environment, "fenv_t is larger than its place");
  feholdexcept((fenv_t *)(void *)c->environment);
#endif
  return PORTABLE_OK;
}

void portable__cross_out(const struct portable__crossing *c) {
  if (PORTABLE__UNLIKELY(portable__faulted)) portable__above_capi.tell_fault();
  portable__inside--;
#if defined(__x86_64__)
  _mm_setcsr(c->mxcsr);
#else
  fesetenv((const fenv_t *)(const void *)c->environment);
#endif
}
