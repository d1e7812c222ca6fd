/* stack.h - which calls led here: stacks of return addresses, each kept and written into the trace once, and a number that stands
 * for it. Private; stack.c keeps them, stack_walk.c takes them, stack_rules.c reads how a procedure keeps its caller.
 *
 * Fortran at -O2 keeps no frame pointers, and what glibc offers costs some microsecond and takes a lock, so on x86-64 the tables of
 * .eh_frame are read here, and what they say of a return address is kept: 16 frames cost some 0.1 us. Elsewhere _Unwind_Backtrace.
 *
 * Threads: any, in signal handlers too; no lock. What is not on the stack of the thread is read only after the system has been asked
 * whether it may be: a stack that is broken gives fewer frames. */
#ifndef PORTABLE__STACK_H
#define PORTABLE__STACK_H

#include <stdint.h>

#define PORTABLE__STACK_DEFAULT 16
#define PORTABLE__STACK_MOST 64

int portable__stack_open(void); /* before all others. 0: no memory */

/* How many frames are taken; 0: none, and there are no stacks. Our own are among them: some 8 more are taken, and left out by who shows them. */
void portable__stack_depth(int32_t frames);

/* The return addresses of the calling thread from the caller of this function on, up to `most`; with a ucontext_t those from where
 * the signal came, the first one being exact. *whole, where not NULL, says that the thread's first function was reached. */
int32_t portable__stack_walk(void *context, uintptr_t *pcs, int32_t most, int *whole);

/* Reads a word of memory; 0: it may not be read. x86-64 only. */
int portable__stack_read(uintptr_t address, uintptr_t *value_out);

/* The registers that are kept over calls, by DWARF's numbers, as they were in the frame of that number (0: where the signal came). 0: not to be
 * had. x86-64 only. */
int portable__stack_frame(void *context, int32_t frame, uintptr_t registers_out[17]);

/* The number of the stack of the caller, or of a ucontext_t; what a kernel runs under is put behind it. 0: no room for more. */
uint32_t portable__stack_here(void);
uint32_t portable__stack_of(void *context);

/* Puts the stack of the caller, which launches, into the job. */
struct portable__job;
void portable__stack_launch(struct portable__job *job);

/* The number of a stack that was taken by walk. flags: 1, the first address is exact. */
uint32_t portable__stack_keep(const uintptr_t *pcs, int32_t count, uint32_t flags);

/* The addresses of a number. Gives how many; 0: there is none. They stay for ever. */
int32_t portable__stack_get(uint32_t number, const uintptr_t **pcs_out);

#endif
