/* fibre.h - stacks that one thread switches between, for members of a team that wait for each other
 * (crew.c) and for the threads of a simulated GPU (internal/cudasim, which compiles fibre.c, too).
 * Private. In C because it runs inside kernels. Threads: a fibre goes on where it began. */
#ifndef PORTABLE__FIBRE_H
#define PORTABLE__FIBRE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__x86_64__) || defined(__aarch64__)
#define PORTABLE__FIBRES 1
#else
#define PORTABLE__FIBRES 0 /* the switch is not written for this processor */
#endif

struct portable__fibre {
  void *sp;     /* where it goes on; for portable__fibre_switch */
  char *memory; /* its stack, above pages that nothing may touch */
  size_t bytes;
  uint64_t watched; /* its number in valgrind */
};

/* Makes a stack on which begin, which must not return, runs at the first switch. executable 1: code may be on it, as compilers put it there
 * for internal procedures. 0, or the error number. */
int portable__fibre_make(struct portable__fibre *fibre, size_t bytes, int executable, void (*begin)(void));

/* The next switch begins it again, whatever is on the stack. */
void portable__fibre_renew(struct portable__fibre *fibre, void (*begin)(void));

/* The next switch calls begin(argument), which must not return, `unused` bytes below the top. Debuggers see the caller of
 * portable__fibre_call(outside, ...) as its caller. */
void portable__fibre_start(struct portable__fibre *fibre, size_t unused, void **outside, void (*begin)(void *argument), void *argument);

/* Calls the function, on this stack, and keeps in *save where its caller goes on. */
void portable__fibre_call(void **save, void (*function)(void *argument), void *argument);

/* 1: the address is in the pages below the stack. */
int portable__fibre_overflows(const struct portable__fibre *fibre, uintptr_t address);

/* The calling thread's shadow stack; 0: it has none. */
uint64_t portable__fibre_shadow(void);

/* The reason for which stacks cannot be switched, or NULL. */
const char *portable__fibre_lacks(uint64_t shadow);

/* Lets code be on the stack. 0, or the error number. */
int portable__fibre_allow_code(struct portable__fibre *fibre);

void portable__fibre_free(struct portable__fibre *fibre);

/* Goes on at `to`; *save is where a later switch comes back. Rounding modes and signal masks stay those of the thread. */
void portable__fibre_switch(void **save, void *to);

#ifdef __cplusplus
}
#endif

#endif
