/* fpstate.h - the floating-point environment of a launch: passes modes to workers, and sticky flags
 * back. Private, inline. A worker computes with the launching thread's rounding, traps and
 * flushing, so that results do not depend on the number of threads; IEEE_GET_FLAG finds the
 * workers' exceptions on the launching thread. The control words are read and written directly:
 * fegetenv and fesetenv take 120 ns, this takes 8. */
#ifndef PORTABLE__FPSTATE_H
#define PORTABLE__FPSTATE_H

#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

#define PORTABLE__FLAGS 0x3fu

struct portable__modes {
  uint32_t sse;
  uint16_t x87;
};

static inline struct portable__modes portable__modes_get(void) {
  struct portable__modes m;
  m.sse = _mm_getcsr();
  __asm__ volatile("fnstcw %0" : "=m"(m.x87));
  return m;
}

/* Modes of m, no flag set. */
static inline void portable__modes_set(struct portable__modes m) {
  _mm_setcsr(m.sse & ~PORTABLE__FLAGS);
  uint16_t now;
  __asm__ volatile("fnstcw %0" : "=m"(now));
  if (now != m.x87) __asm__ volatile("fldcw %0" : : "m"(m.x87));
  __asm__ volatile("fnstsw %0" : "=m"(now));
  if (now & PORTABLE__FLAGS) __asm__ volatile("fnclex");
}

/* Modes of m, all flags as they are. An x87 exception that is pending would trap when it is unmasked, so it goes to SSE. */
static inline void portable__modes_restore(struct portable__modes m) {
  uint32_t sse = _mm_getcsr();
  uint16_t now, raised;
  __asm__ volatile("fnstcw %0" : "=m"(now));
  if (now != m.x87) {
    __asm__ volatile("fnstsw %0" : "=m"(raised));
    sse |= raised & PORTABLE__FLAGS;
    __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(m.x87));
  }
  uint32_t wanted = (m.sse & ~PORTABLE__FLAGS) | (sse & PORTABLE__FLAGS);
  if (wanted != _mm_getcsr()) _mm_setcsr(wanted);
}

static inline int portable__modes_equal(struct portable__modes a, struct portable__modes b) {
  return ((a.sse ^ b.sse) & ~PORTABLE__FLAGS) == 0 && a.x87 == b.x87;
}

static inline uint32_t portable__flags_get(void) {
  uint16_t x87;
  __asm__ volatile("fnstsw %0" : "=m"(x87));
  return (_mm_getcsr() | x87) & PORTABLE__FLAGS;
}

/* From hide to seen: gives the exceptions that were raised between them; afterwards those from before are there as well. The
 * flags of the x87 unit stay where they are, so one that was set before is not seen again. */
static inline uint32_t portable__flags_hide(void) {
  uint16_t x87;
  uint32_t sse = _mm_getcsr();
  __asm__ volatile("fnstsw %0" : "=m"(x87));
  if (sse & PORTABLE__FLAGS) _mm_setcsr(sse & ~PORTABLE__FLAGS);
  return (uint32_t)(x87 & PORTABLE__FLAGS) << 8 | (sse & PORTABLE__FLAGS);
}

static inline uint32_t portable__flags_seen(uint32_t hidden) {
  uint16_t x87;
  uint32_t sse = _mm_getcsr();
  __asm__ volatile("fnstsw %0" : "=m"(x87));
  if (hidden & PORTABLE__FLAGS) _mm_setcsr(sse | (hidden & PORTABLE__FLAGS));
  return (sse & PORTABLE__FLAGS) | (x87 & PORTABLE__FLAGS & ~(hidden >> 8));
}

/* Without trapping, even where the exception is unmasked: an SSE flag that is written raises nothing. */
static inline void portable__flags_add(uint32_t flags) {
  if (flags) _mm_setcsr(_mm_getcsr() | flags);
}

#elif defined(__aarch64__)

/* The flags of FPSR that stay until they are cleared: five of IEEE, and a denormal operand that was flushed. Its other bits are the
 * vector unit's. */
#define PORTABLE__FLAGS UINT64_C(0x9f)

struct portable__modes {
  uint64_t fpcr;
};

static inline uint64_t portable__fpsr_get(void) {
  uint64_t fpsr;
  __asm__ volatile("mrs %0, fpsr" : "=r"(fpsr));
  return fpsr;
}

static inline void portable__fpsr_set(uint64_t fpsr) { __asm__ volatile("msr fpsr, %0" : : "r"(fpsr)); }

static inline struct portable__modes portable__modes_get(void) {
  struct portable__modes m;
  __asm__ volatile("mrs %0, fpcr" : "=r"(m.fpcr));
  return m;
}

/* Modes of m, all flags as they are. A write waits for all computations, a read does not. */
static inline void portable__modes_restore(struct portable__modes m) {
  if (portable__modes_get().fpcr != m.fpcr) __asm__ volatile("msr fpcr, %0" : : "r"(m.fpcr));
}

/* Modes of m, no flag set. */
static inline void portable__modes_set(struct portable__modes m) {
  const uint64_t fpsr = portable__fpsr_get();
  portable__modes_restore(m);
  if (fpsr & PORTABLE__FLAGS) portable__fpsr_set(fpsr & ~PORTABLE__FLAGS);
}

static inline int portable__modes_equal(struct portable__modes a, struct portable__modes b) { return a.fpcr == b.fpcr; }

static inline uint32_t portable__flags_get(void) { return (uint32_t)(portable__fpsr_get() & PORTABLE__FLAGS); }

/* From hide to seen: gives the exceptions that were raised between them; afterwards those from before are there as well. */
static inline uint32_t portable__flags_hide(void) {
  const uint64_t fpsr = portable__fpsr_get();
  if (fpsr & PORTABLE__FLAGS) portable__fpsr_set(fpsr & ~PORTABLE__FLAGS);
  return (uint32_t)(fpsr & PORTABLE__FLAGS);
}

static inline uint32_t portable__flags_seen(uint32_t hidden) {
  const uint64_t fpsr = portable__fpsr_get();
  if (hidden) portable__fpsr_set(fpsr | hidden);
  return (uint32_t)(fpsr & PORTABLE__FLAGS);
}

/* Without trapping, even where the exception is unmasked: a flag that is written raises nothing. */
static inline void portable__flags_add(uint32_t flags) {
  if (flags) portable__fpsr_set(portable__fpsr_get() | flags);
}

#else
#include <fenv.h>

struct portable__modes {
  fenv_t env;
};

static inline struct portable__modes portable__modes_get(void) {
  struct portable__modes m;
  fegetenv(&m.env);
  return m;
}

static inline void portable__modes_set(struct portable__modes m) {
  fesetenv(&m.env);
  feclearexcept(FE_ALL_EXCEPT);
}

static inline void portable__modes_restore(struct portable__modes m) {
  fexcept_t raised;
  fegetexceptflag(&raised, FE_ALL_EXCEPT);
  fesetenv(&m.env);
  fesetexceptflag(&raised, FE_ALL_EXCEPT);
}

/* Compares the rounding only: the rest of a fenv_t has no meaning here. */
static inline int portable__modes_equal(struct portable__modes a, struct portable__modes b) {
  fenv_t now;
  fegetenv(&now);
  fesetenv(&a.env);
  int rounding = fegetround();
  fesetenv(&b.env);
  rounding = rounding == fegetround();
  fesetenv(&now);
  return rounding;
}

static inline uint32_t portable__flags_get(void) { return (uint32_t)fetestexcept(FE_ALL_EXCEPT); }

static inline void portable__flags_add(uint32_t flags) {
  fenv_t now;
  fexcept_t raised;
  if (!flags) return;
  feholdexcept(&now); /* no trap */
  feraiseexcept((int)flags);
  fegetexceptflag(&raised, (int)flags);
  fesetenv(&now);
  fesetexceptflag(&raised, (int)flags);
}

static inline uint32_t portable__flags_hide(void) {
  uint32_t flags = portable__flags_get();
  feclearexcept(FE_ALL_EXCEPT);
  return flags;
}

static inline uint32_t portable__flags_seen(uint32_t hidden) {
  uint32_t flags = portable__flags_get();
  portable__flags_add(hidden);
  return flags;
}
#endif

#endif
